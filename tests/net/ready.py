"""A table of heroes whose seats are still being taken, and what its people see of that."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from p2puno.rules import Rules
from protocol.events import LobbyChanged, Phase, PhaseChanged
from protocol.events import Refused as Declined
from protocol.identity import Identity
from protocol.net.driver import Session
from protocol.net.gathering import open_host, open_join

HOST = "127.0.0.1"
RULES = Rules.make("marvel")
ANN, BOB, CY, EVE = (Identity.fresh() for _ in range(4))


class Table:
    """Ann's table, and whoever sits down at it."""

    def __init__(self, folder: Path, stack: AsyncExitStack, ann: Session) -> None:
        self.ann, self._folder, self._stack = ann, folder, stack

    async def join(self, who: Identity, name: str, bot: bool = False, ready: bool = False, hero: str = "") -> Session:
        return await self._stack.enter_async_context(
            open_join(
                who,
                name,
                self.ann.addresses[0],
                journal_dir=self._folder / name,
                bot=bot,
                ready=ready,
                hero=hero,
            )
        )


@asynccontextmanager
async def hosting(folder: Path, seats: int = 2, ready: bool = False) -> AsyncIterator[Table]:
    async with AsyncExitStack() as stack:
        opened = open_host(ANN, "Ann", RULES, seats=seats, host=HOST, port=0, journal_dir=folder / "Ann", ready=ready)
        yield Table(folder, stack, await stack.enter_async_context(opened))


async def sees(session: Session, condition: Callable[[LobbyChanged], bool]) -> LobbyChanged:
    """Wait until the list of seats is so."""
    async for event in session.events:
        if isinstance(event, LobbyChanged) and condition(event):
            return event
    raise AssertionError("the table is over")


async def is_told(session: Session) -> str:
    """What is declined next."""
    async for event in session.events:
        if isinstance(event, Declined):
            return event.message
    raise AssertionError("the table is over")


async def begins(*sessions: Session) -> None:
    for session in sessions:
        async for event in session.events:
            if isinstance(event, PhaseChanged) and event.phase is Phase.COMMIT:
                break
        assert session.phase is not Phase.LOBBY


def line(event: LobbyChanged) -> list[tuple[int, str, str, bool]]:
    return [(player.seat, player.name, player.hero, player.ready) for player in event.players]
