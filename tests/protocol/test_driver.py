"""Whole tables over TLS on loopback: host and joiners in one program, each with its own links, node and journal."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import trio

from p2puno.bots import sensible
from p2puno.needs import Decide, Window
from p2puno.rules import Rules
from protocol import events as tell
from protocol.errors import NotP2puno, PortTaken, Refused, Unreachable
from protocol.events import Phase
from protocol.identity import Identity
from protocol.net.driver import Session
from protocol.net.gathering import open_host, open_join
from tests.protocol.readings import audit

HOST = "127.0.0.1"
RULES = Rules.make("batman", hand_size=5)
ENOUGH = 60.0  # seconds after which a test is not slow but stuck


class Player:
    """A session that plays by itself as long as its events are read."""

    def __init__(self, session: Session, seed: int) -> None:
        self.session = session
        self.bot = sensible(random.Random(seed))
        self.told: list[tell.Event] = []
        self.leaves_after = -1  # turns

    async def play(self) -> None:
        """Read events until the table is over, and answer what is asked."""
        async for event in self.session.events:
            self.told.append(event)
            if 0 <= self.leaves_after <= self.session.turns:
                self.session.leave()
                return
            if isinstance(event, tell.YourTurn):
                seen = self.session.view
                assert seen is not None
                if isinstance(seen.need, Decide) and self.session.my_turn:
                    self.session.decide(self.bot(seen))
                elif isinstance(seen.need, Window) and self.session.my_turn:
                    self.session.say(self.bot.say(seen))

    def heard(self, kind: type[tell.Event]) -> list[tell.Event]:
        return [event for event in self.told if isinstance(event, kind)]


@asynccontextmanager
async def seated(count: int, folder: Path) -> AsyncIterator[list[Player]]:
    """A host and its joiners, all at one table."""
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(
            open_host(Identity.fresh(), "Mia", RULES, seats=count, host=HOST, port=0, journal_dir=folder / "0")
        )
        players = [Player(host, 0)]
        for number in range(1, count):
            session = await stack.enter_async_context(
                open_join(
                    Identity.fresh(), f"Bot {number}", host.addresses[0], journal_dir=folder / str(number), bot=True
                )
            )
            players.append(Player(session, number))
        yield players


@pytest.mark.parametrize("count", [2, 4])
async def test_a_table_over_tls(count: int, tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with seated(count, tmp_path) as players:
            async with trio.open_nursery() as nursery:
                for player in players:
                    nursery.start_soon(player.play)
            sessions = [player.session for player in players]
            assert {session.state_hash for session in sessions} == {sessions[0].state_hash}
            assert sorted(session.seat for session in sessions) == list(range(count))
            assert all(session.phase is Phase.CLOSED for session in sessions)
            assert [player.name for player in sessions[-1].players] == ["Mia", *[f"Bot {n}" for n in range(1, count)]]
            assert sessions[0].setup_seconds > 0
    over = [player.heard(tell.MatchOver) for player in players]
    assert all(events == over[0] and len(events) == 1 for events in over)
    for player in players:
        assert not player.heard(tell.Accused)
        assert player.session.journal is not None
        verdict = audit(player.session.journal)
        assert (verdict.exit_code, verdict.scores) == (0, player.session.scores)
        assert verdict.state_hash == players[0].session.state_hash


async def test_port_taken(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with open_host(Identity.fresh(), "Mia", RULES, host=HOST, port=0, journal_dir=tmp_path) as first:
            port = int(first.addresses[0].rpartition(":")[2])
            with pytest.raises(PortTaken):
                async with open_host(Identity.fresh(), "Bo", RULES, host=HOST, port=port, journal_dir=tmp_path):
                    raise AssertionError("two programs at one port")


async def test_nobody_and_others_at_an_address(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        (listener,) = await trio.open_tcp_listeners(0, host=HOST)
        port = listener.socket.getsockname()[1]

        async def web(stream: trio.SocketStream) -> None:
            await stream.send_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            await stream.aclose()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, web, [listener])
            with pytest.raises(NotP2puno):
                async with open_join(Identity.fresh(), "Bo", f"{HOST}:{port}", journal_dir=tmp_path):
                    raise AssertionError("joined a web server")
            nursery.cancel_scope.cancel()
        with pytest.raises(Unreachable):
            async with open_join(Identity.fresh(), "Bo", f"{HOST}:{port}", journal_dir=tmp_path):
                raise AssertionError("joined nobody")


async def join(address: str, folder: Path) -> None:
    """Join and read events until they end."""
    async with open_join(Identity.fresh(), "Late", address, journal_dir=folder) as session:
        async for _ in session.events:
            pass


async def test_joining_a_table_that_began(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with seated(2, tmp_path) as players:
            with pytest.raises(Refused):
                await join(players[0].session.addresses[0], tmp_path / "late")
        assert not (tmp_path / "late").exists()


async def test_the_lobby_ends_with_its_creator(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with trio.open_nursery() as nursery:
            opened = trio.Event()
            joined = trio.Event()
            addresses: list[str] = []

            async def host() -> None:
                async with open_host(
                    Identity.fresh(), "Mia", RULES, host=HOST, port=0, journal_dir=tmp_path
                ) as session:
                    addresses.extend(session.addresses)
                    opened.set()
                    async for event in session.events:
                        if isinstance(event, tell.LobbyChanged) and len(event.players) == 2:
                            break
                    joined.set()

            nursery.start_soon(host)
            await opened.wait()
            with pytest.raises(Refused, match="creator is gone"):
                await join(addresses[0], tmp_path)
            assert joined.is_set()


async def test_a_joiner_that_goes_frees_its_seat(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with open_host(Identity.fresh(), "Mia", RULES, seats=3, host=HOST, port=0, journal_dir=tmp_path) as host:
            counts = []
            async with open_join(
                Identity.fresh(), "Bo\x1b[2J", host.addresses[0], journal_dir=tmp_path, ready=False
            ) as session:
                async for event in host.events:
                    assert isinstance(event, tell.LobbyChanged)
                    counts.append([player.name for player in event.players])
                    if len(event.players) == 2:
                        break
                assert session.phase is Phase.LOBBY
            async for event in host.events:
                assert isinstance(event, tell.LobbyChanged)
                counts.append([player.name for player in event.players])
                if len(event.players) == 1:
                    break
            assert counts == [["Mia"], ["Mia", "Bo"], ["Mia"]]


async def test_c44_long_and_dirty_names_find_a_seat(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with (
            open_host(Identity.fresh(), "M" * 500, RULES, host=HOST, port=0, journal_dir=tmp_path) as host,
            open_join(Identity.fresh(), "\u202e" + "M" * 900, host.addresses[0], journal_dir=tmp_path) as session,
        ):
            async for event in session.events:
                if isinstance(event, tell.LobbyChanged):
                    assert [player.name for player in event.players] == ["M" * 16, "M" * 12 + " (2)"]
                    break


async def test_leaving_a_table_of_two(tmp_path: Path) -> None:
    """Who is left is told, and its journal stands."""
    with trio.fail_after(ENOUGH):
        async with seated(2, tmp_path) as players:
            players[1].leaves_after = 2
            async with trio.open_nursery() as nursery:
                for player in players:
                    nursery.start_soon(player.play)
    host = players[0]
    assert not host.heard(tell.Accused)
    assert host.heard(tell.Abandoned) or host.heard(tell.MatchOver)
    assert host.session.journal is not None
    assert audit(host.session.journal).exit_code in (0, 5)


async def test_a_journal_that_cannot_be_written(tmp_path: Path) -> None:
    """It ends that player's table with the reason, and not in silence."""
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    with trio.fail_after(ENOUGH):
        async with open_host(Identity.fresh(), "Mia", RULES, seats=2, host=HOST, port=0, journal_dir=tmp_path) as host:
            with pytest.raises(OSError, match=r"[Nn]ot a directory|exists"):
                await join(host.addresses[0], blocked / "sub")
