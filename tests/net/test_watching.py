"""Watching over real links: by any seat, by another one when that is gone, and at no cost to those who play."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from p2puno.rules import Rules
from protocol import events as tell
from protocol.audit import audit
from protocol.errors import P2punoError, Refused
from protocol.events import Phase
from protocol.identity import Identity
from protocol.invite import WRONG, fresh_code
from protocol.journal import Reader
from protocol.messages import PROTOCOL, Bye, Carry, Heads, Hello, Propose, Watch, decode_frame, encode
from protocol.net import gallery as galleries
from protocol.net import watching as watchings
from protocol.net.address import parse_address
from protocol.net.creator import NOT_BEGUN
from protocol.net.doorman import PRIVATE
from protocol.net.driver import Session
from protocol.net.gallery import FULL, WATCHABLE
from protocol.net.gathering import open_host, open_join
from protocol.net.mesh import Mesh, open_mesh
from protocol.net.returning import open_resume
from protocol.net.watching import Watching, open_watch
from tests.protocol.test_driver import Player, join

HOST = "127.0.0.1"
RULES = Rules.make("batman", hand_size=5, watchers=True)
ENOUGH = 60.0  # seconds after which a test is not slow but stuck


@asynccontextmanager
async def table(count: int, folder: Path, rules: Rules = RULES, code: str = "") -> AsyncIterator[list[Player]]:
    """A table that has begun, with nobody playing yet."""
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(
            open_host(
                Identity.fresh(), "Mia", rules, seats=count, host=HOST, port=0, journal_dir=folder / "0", code=code
            )
        )
        players = [Player(host, 0)]
        for number in range(1, count):
            joined = open_join(
                Identity.fresh(), f"Bo {number}", host.addresses[0], journal_dir=folder / str(number), code=code
            )
            players.append(Player(await stack.enter_async_context(joined), number))
        while any(player.session.phase is Phase.LOBBY for player in players):
            await trio.sleep(0.01)
        yield players


def address(player: Player) -> str:
    """Where a seat answers."""
    return f"{HOST}:{player.session.listening[1]}"


class Watcher:
    """A face that only listens."""

    def __init__(self, session: Watching) -> None:
        self.session = session
        self.told: list[tell.Event] = []

    async def watch(self) -> None:
        async for event in self.session.events:
            self.told.append(event)

    def heard(self, kind: type[tell.Event]) -> list[tell.Event]:
        return [event for event in self.told if isinstance(event, kind)]


async def test_a_table_is_watched_by_any_seat_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with table(3, tmp_path) as players, AsyncExitStack() as stack:
            watchers = [
                Watcher(await stack.enter_async_context(open_watch(address(player), journal_dir=tmp_path / "w")))
                for player in players[:2]
            ]
            async with trio.open_nursery() as nursery:
                for player in players:
                    nursery.start_soon(player.play)
                for watcher in watchers:
                    nursery.start_soon(watcher.watch)
            for watcher in watchers:
                session = watcher.session
                assert session.seat == -1
                assert session.state_hash == players[0].session.state_hash
                assert session.scores == players[0].session.scores
                assert [player.name for player in session.players] == ["Mia", "Bo 1", "Bo 2"]
                assert watcher.heard(tell.MatchOver) == players[0].heard(tell.MatchOver)
                assert len(watcher.heard(tell.Watching)) == 1
                assert not watcher.heard(tell.YourTurn)
    for watcher in watchers:
        assert watcher.session.journal is not None
        assert audit(watcher.session.journal).exit_code == 0
    for player in players:
        assert not player.heard(tell.Accused)
        assert not player.heard(tell.Notice)


async def test_when_its_seat_gets_up_the_watcher_goes_to_another_one(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with table(3, tmp_path) as players:
            players[1].leaves_after = 2
            async with open_watch(address(players[1]), journal_dir=tmp_path / "w") as session:
                watcher = Watcher(session)
                async with trio.open_nursery() as nursery:
                    for each in players:
                        nursery.start_soon(each.play)
                    await watcher.watch()
            assert session.state_hash == players[0].session.state_hash
    links = [event for event in watcher.told if isinstance(event, tell.LinkChanged)]
    assert [(event.seat, event.up) for event in links[:1]] == [(1, False)]
    assert watcher.heard(tell.MatchOver) == players[0].heard(tell.MatchOver)
    assert session.journal is not None
    assert audit(session.journal).exit_code == 0


async def test_who_comes_after_the_end_still_sees_it(tmp_path: Path) -> None:
    """As long as a player looks at the result: the watcher's own seat may have ended its program before."""
    with trio.fail_after(ENOUGH):
        async with table(2, tmp_path) as players:
            async with trio.open_nursery() as nursery:
                for each in players:
                    nursery.start_soon(each.play)
            async with open_watch(address(players[1]), journal_dir=tmp_path / "w") as session:
                watcher = Watcher(session)
                await watcher.watch()
            assert watcher.heard(tell.MatchOver) == players[1].heard(tell.MatchOver)
            assert session.journal is not None
            assert audit(session.journal).exit_code == 0


async def test_who_has_left_shows_the_table_to_nobody(tmp_path: Path) -> None:
    """It has no end to show, and its watchers have others to go to."""
    with trio.fail_after(ENOUGH):
        async with table(3, tmp_path) as players:
            players[1].leaves_after = 0
            async with trio.open_nursery() as nursery:
                for each in players:
                    nursery.start_soon(each.play)
                await players[1].session.ended()
                with pytest.raises(P2punoError):
                    async with open_watch(address(players[1]), journal_dir=tmp_path / "w"):
                        pass


async def refused(where: str, folder: Path, code: str = "") -> Refused:
    """Why somebody may not watch there."""
    with pytest.raises(Refused) as caught:
        async with open_watch(where, journal_dir=folder, code=code):
            raise AssertionError("it may watch")
    return caught.value


async def test_who_may_not_watch(tmp_path: Path) -> None:
    """A table whose players have not agreed to it, and one that has not begun."""
    with trio.fail_after(ENOUGH):
        async with table(2, tmp_path, Rules.make("batman")) as players:
            for player in players:
                assert "--watchers" in (await refused(address(player), tmp_path / "w")).hint
        async with open_host(Identity.fresh(), "Mia", RULES, host=HOST, port=0, journal_dir=tmp_path / "h") as host:
            why = await refused(host.addresses[0], tmp_path / "w")
            assert (why.message, "join" in why.hint) == (NOT_BEGUN, True)
    assert not (tmp_path / "w").exists()


async def test_who_comes_too_late_to_join_is_told_to_watch(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with table(2, tmp_path) as players:
            with pytest.raises(Refused) as caught:
                await join(address(players[0]), tmp_path / "late")
            assert caught.value.message == WATCHABLE
            assert "p2puno watch" in caught.value.hint


async def test_a_private_table_wants_its_code_at_every_seat(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        code = fresh_code()
        async with table(2, tmp_path, code=code) as players:
            assert (await refused(address(players[1]), tmp_path / "w")).message == PRIVATE
            assert (await refused(address(players[1]), tmp_path / "w", "zudaro-pimebi")).message == WRONG
            async with open_watch(address(players[0]), journal_dir=tmp_path / "w", code=code) as session:
                assert len(session.players) == 2


async def test_where_no_room_is_left_the_next_seat_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(galleries, "WATCHERS", 1)
    with trio.fail_after(ENOUGH):
        async with table(2, tmp_path) as players, AsyncExitStack() as stack:
            for _ in range(2):
                await stack.enter_async_context(open_watch(address(players[0]), journal_dir=tmp_path / "w"))
            assert [player.session.gallery.watchers for player in players] == [1, 1]
            assert (await refused(address(players[0]), tmp_path / "w")).message == FULL


class Stranger:
    """A program of somebody's own making, with a link to one seat."""

    def __init__(self, mesh: Mesh, seat: bytes) -> None:
        self.mesh, self.seat = mesh, seat
        self.frames: list[bytes] = []
        self.down = trio.Event()

    def say(self, *frames: bytes) -> None:
        for frame in frames:
            self.mesh.send(self.seat, frame)

    async def until_out(self) -> None:
        await self.down.wait()


@asynccontextmanager
async def stranger(where: str) -> AsyncIterator[Stranger]:
    frames: list[bytes] = []
    down = trio.Event()
    async with open_mesh(
        Identity.fresh(),
        on_frame=lambda peer, frame: frames.append(frame),
        on_up=lambda peer: None,
        on_down=lambda peer, reason: down.set(),
    ) as mesh:
        one = Stranger(mesh, await mesh.dial(*parse_address(where)))
        one.frames, one.down = frames, down
        yield one


ASKS = encode(Watch(PROTOCOL, bytes(32), ()))


async def test_c45_who_says_anything_but_its_question_is_shown_out(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with table(2, tmp_path) as players:
            session = players[0].session
            assert session.journal is not None
            (_, _, entry), *_ = Reader(session.journal).entries()
            for said in (
                (ASKS, ASKS),
                (ASKS, encode(Carry(entry))),
                (ASKS, encode(Heads(bytes(32), ()))),
                (encode(Carry(entry)),),
                (encode(Bye("bye")),),
                (b"junk",),
                (bytes(500_000),),
                (ASKS, *[b"junk"] * 3000),
            ):
                async with stranger(address(players[0])) as one:
                    one.say(*said)
                    await one.until_out()
            await trio.testing.wait_all_tasks_blocked(0.01)
            assert session.gallery.watchers == 0
            assert not players[0].session.failure
            async with open_watch(address(players[0]), journal_dir=tmp_path / "w") as watch:
                assert watch.players  # an honest one still gets in
            async with trio.open_nursery() as nursery:
                for player in players:
                    nursery.start_soon(player.play)
    for player in players:
        assert player.heard(tell.MatchOver)
        assert not player.heard(tell.Accused)


async def test_c45_strangers_who_say_nothing_crowd_out_no_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with trio.fail_after(ENOUGH):
        async with table(2, tmp_path) as players, AsyncExitStack() as stack:
            silent = [await stack.enter_async_context(stranger(address(players[0]))) for _ in range(galleries.WAITING)]
            with pytest.raises(Refused):
                async with stranger(address(players[0])):
                    raise AssertionError("so many may not wait")
            monkeypatch.setattr(galleries, "SAY", 0.0)
            players[0].session.gallery._bell.set()
            for one in silent:
                await one.until_out()
            async with trio.open_nursery() as nursery:
                for player in players:
                    nursery.start_soon(player.play)
    assert all(player.heard(tell.MatchOver) for player in players)


async def test_a_watcher_is_sent_what_is_in_the_journal_and_nothing_else(tmp_path: Path) -> None:
    """No share, face or secret beyond that; nor is anything sent to who has not asked."""
    with trio.fail_after(ENOUGH):
        async with (
            table(2, tmp_path) as players,
            stranger(address(players[0])) as one,
            stranger(address(players[0])) as silent,
        ):
            one.say(ASKS)
            async with trio.open_nursery() as nursery:
                for player in players:
                    nursery.start_soon(player.play)
            journal = players[0].session.journal
            assert journal is not None
            reader = Reader(journal)
            entries = [data for _, _, data in reader.entries()]
            while len(one.frames) < len(entries) + 2:
                await trio.sleep(0.01)
            first, second, *rest = map(decode_frame, one.frames)
            assert first == Propose(reader.charter)
            assert isinstance(second, Heads)
            assert rest == [Carry(entry) for entry in entries]
            assert silent.frames == []


async def test_a_stranger_who_wants_a_seat_gets_a_word_and_no_link(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with table(2, tmp_path) as players, stranger(address(players[1])) as one:
            one.say(encode(Hello(PROTOCOL, "Eve", False, "", 0, 4242)))
            await one.until_out()
            assert [decode_frame(frame) for frame in one.frames] == [Bye(WATCHABLE)]


async def test_when_nobody_is_left_the_table_has_no_end_for_who_watches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchings, "GIVE_UP", 0.0)
    with trio.fail_after(ENOUGH):
        stop = trio.Event()

        async def play(task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED) -> None:
            async with table(2, tmp_path) as players:
                task_status.started(address(players[0]))
                await stop.wait()

        async with trio.open_nursery() as nursery:
            where = await nursery.start(play)
            async with open_watch(where, journal_dir=tmp_path / "w") as session:
                stop.set()
                watcher = Watcher(session)
                await watcher.watch()
    assert [event.reason for event in watcher.told if isinstance(event, tell.Abandoned)] == [watchings.GONE]
    assert watcher.session.journal is not None
    assert audit(watcher.session.journal).exit_code == 5


async def test_a_seat_that_was_killed_and_came_back_can_be_watched_by_as_before(tmp_path: Path) -> None:
    """From the first entry on, and where the table is private with the same code."""
    code = fresh_code()
    with trio.fail_after(ENOUGH):
        async with trio.open_nursery() as nursery:

            async def sit(
                folder: Path, where: str, task_status: trio.TaskStatus[Session] = trio.TASK_STATUS_IGNORED
            ) -> None:
                async with open_join(Identity.fresh(), "Bo", where, journal_dir=folder, code=code) as session:
                    task_status.started(session)
                    async for _ in session.events:
                        pass

            async with open_host(
                Identity.fresh(), "Mia", RULES, seats=2, host=HOST, port=0, journal_dir=tmp_path / "0", code=code
            ) as host:
                async with trio.open_nursery() as other:
                    guest = await other.start(sit, tmp_path / "1", host.addresses[0])
                    while guest.steps < 5:
                        await trio.sleep(0.01)
                    other.cancel_scope.cancel()  # its program is gone, without a word
                assert guest.journal is not None
                known = len(list(Reader(guest.journal).entries()))
                async with open_resume(guest.journal) as back:
                    where = f"{HOST}:{back.listening[1] or parse_address(back.addresses[0])[1]}"
                    assert (await refused(where, tmp_path / "w")).message == PRIVATE
                    async with open_watch(where, journal_dir=tmp_path / "w", code=code) as session:
                        assert session.journal is not None
                        while len(list(Reader(session.journal).entries())) < known:
                            await trio.sleep(0.01)
            nursery.cancel_scope.cancel()
