"""Who tells the network of a table that runs and may be watched, once its creator's lobby no longer does.

The creator's program does, also after it was killed and started again. Where the creator is gone, one of the other
seats does: the one that finds nobody else doing it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Final, Protocol

import trio

from p2puno.said import said
from protocol.events import Notice
from protocol.net.address import Address
from protocol.net.advert import Advert, digest, unusual_options
from protocol.net.discovery import ANNOUNCED, Announcer, Sight, announcing, browsing
from protocol.net.driver import Session

LOOK: Final = 5.0
"""Seconds between two looks at who is here, and who announces the table."""
TURN: Final = 3 * LOOK
"""Seconds that each seat waits for those before it, and the first for the creator: longer than it takes to hear that
another one announces the table."""


class Looking(Protocol):
    """Somebody who looks for tables."""

    @property
    def sight(self) -> Sight:
        """What is seen now."""


def running_advert(session: Session) -> Advert:
    """What a seat announces of a table that runs. Its rules without the heroes in their seats, as before the start."""
    assert session.rules is not None
    rules = replace(session.rules, heroes=())
    own, seats = session.players[session.seat], len(session.players)
    private = session.doorman is not None and bool(session.doorman.code)
    flags = private, True, rules.watchers
    return Advert(own.key, own.name, rules.variant, seats, seats, digest(rules), *flags, unusual_options(rules))


@asynccontextmanager
async def heralding(session: Session, bound: Sequence[Address], *, creator: bool, wanted: bool) -> AsyncIterator[None]:
    """Tell the network of the table inside the block, if that is `wanted` and it may be watched: as its `creator` at
    once, else where nobody else does. `bound`: where we listen."""
    if not wanted or not bound:
        yield
        return

    def trouble(sentence: str) -> None:
        hint = said("who wants to watch can type an address of this table")
        session.tell(Notice(sentence, hint) if sentence else Notice(ANNOUNCED))

    async with announcing(bound, trouble) as announcer, trio.open_nursery() as nursery:
        nursery.start_soon(_herald, session, announcer, creator)
        yield
        nursery.cancel_scope.cancel()


async def _herald(session: Session, announcer: Announcer, creator: bool) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_announce if creator else stand_in, session, announcer)
        await session.parting()
        nursery.cancel_scope.cancel()
    announcer.hush()


async def _announce(session: Session, announcer: Announcer) -> None:
    if session.rules is not None and session.rules.watchers:
        announcer.show(running_advert(session))


async def stand_in(
    session: Session, announcer: Announcer, look: Callable[[], AbstractAsyncContextManager[Looking]] = browsing
) -> None:
    """As long as somebody is missing, who may be the creator: announce the table while no other seat is found to. Each
    seat gives those before it a `TURN`, and who finds another one doing it stops: so one is left."""
    while True:
        await trio.sleep(LOOK)
        if not _somebody_is_missing(session):
            continue
        async with look() as looking:
            alone = 0.0  # seconds in which nobody else was found
            while _somebody_is_missing(session):
                alone = 0.0 if _another_announces(session, looking.sight) else alone + LOOK
                if not alone:
                    announcer.hush()
                elif alone > TURN * (1 + sum(player.here for player in session.players[: session.seat])):
                    announcer.show(running_advert(session))
                await trio.sleep(LOOK)
        announcer.hush()


def _somebody_is_missing(session: Session) -> bool:
    """Whether the table runs, may be watched, and a seat has left it or is not linked to us."""
    here = all(player.here for player in session.players) and not session.leavers
    return session.seat >= 0 and session.rules is not None and session.rules.watchers and not here


def _another_announces(session: Session, sight: Sight) -> bool:
    """Whether another seat is found to announce a running table, and answers."""
    others = {player.key for player in session.players} - {session.identity.public}
    return any(table.advert.running and not table.stale and table.advert.key in others for table in sight.tables)
