"""The ready-check over real links: who sits where with which hero, who is linked by then, and when a table begins."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
import trio

from p2puno.rules import Rules
from protocol.errors import Refused
from protocol.events import LobbyChanged, MatchOver, Phase
from protocol.events import Refused as Declined
from protocol.lobby import HERO_TAKEN, TAKEN, WAITS
from protocol.messages import Charter, Propose, decode_frame
from protocol.net import joiner
from protocol.net.driver import Session
from protocol.net.gathering import open_host, open_join
from protocol.net.meeting import Meet
from protocol.net.mesh import Mesh
from protocol.net.questions import is_question
from tests.in_time import in_time
from tests.net.ready import ANN, BOB, CY, HOST, RULES, begins, hosting, is_told, line, sees
from tests.protocol.test_driver import Player


@in_time
async def test_two_people_choose_and_begin_when_both_are_ready(tmp_path: Path) -> None:
    async with hosting(tmp_path) as table:
        ann, bob = table.ann, await table.join(BOB, "Bob", hero="hulk")
        first = await sees(bob, lambda event: len(event.players) == 2)
        assert (line(first), first.me, first.creator) == ([(0, "Ann", "", False), (1, "Bob", "hulk", False)], 1, False)
        bob.prepare(hero="thor")
        bob.prepare(ready=True)
        shown = await sees(ann, lambda event: event.players[-1].ready)
        assert (line(shown), shown.me, shown.creator) == ([(0, "Ann", "", False), (1, "Bob", "thor", True)], 0, True)
        assert ann.phase is Phase.LOBBY
        ann.prepare(hero="shuri", ready=True)
        await begins(ann, bob)
        assert [(player.name, player.hero) for player in bob.players] == [("Ann", "shuri"), ("Bob", "thor")]


@in_time
async def test_who_wants_a_hero_that_is_taken_hears_what_to_do(tmp_path: Path) -> None:
    async with hosting(tmp_path, seats=3) as table:
        await table.join(BOB, "Bob", hero="hulk")
        with pytest.raises(Refused, match="that hero is not free; free are shuri") as refused:
            await table.join(CY, "Cy", hero="hulk")
        assert refused.value.hint.startswith("choose one of them with --hero")


@in_time
async def test_the_order_of_seats_is_the_order_at_the_table(tmp_path: Path) -> None:
    """The creator too may sit anywhere; who says nothing is told of it all the same."""
    async with hosting(tmp_path, seats=3) as table:
        ann = table.ann
        bob, bot = await table.join(BOB, "Bob"), await table.join(CY, "Cy", bot=True)
        ann.prepare(seat=2, ready=True)  # the bot's: they swap
        moved = await sees(bob, lambda event: event.players[0].name == "Cy")
        assert [player.name for player in moved.players] == ["Cy", "Bob", "Ann"]
        bob.prepare(seat=0, ready=True)
        await begins(ann, bob, bot)
        assert [player.name for player in ann.players] == ["Bob", "Cy", "Ann"]
        assert (ann.seat, bob.seat, bot.seat) == (2, 0, 1)


@in_time
async def test_what_is_not_to_be_had_is_declined(tmp_path: Path) -> None:
    async with hosting(tmp_path, seats=3) as table:
        ann, bob = table.ann, await table.join(BOB, "Bob")
        ann.prepare(hero="thor")
        ann.prepare(seat=1)
        assert await is_told(ann) == TAKEN
        bob.prepare(hero="thor")
        assert await is_told(bob) == HERO_TAKEN
        bob.prepare(seat=0)
        assert await is_told(bob) == TAKEN
        ann.start()
        assert await is_told(ann) == WAITS
        bob.prepare(ready=True)
        await sees(ann, lambda event: event.players[1].ready)
        ann.start()
        await begins(ann, bob)
        assert len(bob.players) == 2


@in_time
async def test_who_is_ready_from_the_beginning_is_not_waited_for(tmp_path: Path) -> None:
    async with hosting(tmp_path, seats=3, ready=True) as table:
        bob, cy = await table.join(BOB, "Bob", ready=True), await table.join(CY, "Cy", bot=True)
        await begins(table.ann, bob, cy)


@in_time
async def test_who_leaves_takes_its_readiness_along(tmp_path: Path) -> None:
    async with hosting(tmp_path, ready=True) as table:
        async with open_join(BOB, "Bob", table.ann.addresses[0], journal_dir=tmp_path / "one", ready=False) as first:
            await sees(first, lambda event: len(event.players) == 2)
        await sees(table.ann, lambda event: len(event.players) == 2)
        await sees(table.ann, lambda event: len(event.players) == 1)
        bob = await table.join(BOB, "Bob")
        await sees(bob, lambda event: len(event.players) == 2)
        assert table.ann.phase is Phase.LOBBY
        bob.prepare(ready=True)
        await begins(table.ann, bob)


async def _linked(one: Session, other: Session, up: bool = True) -> None:
    assert one.mesh is not None
    while (other.identity.public in one.mesh.peers) is not up:
        await trio.sleep(0.01)


@in_time
async def test_joiners_are_linked_before_the_start(tmp_path: Path) -> None:
    """Nobody waits for greetings when the table begins: the links that it needs are there, and stay."""
    async with hosting(tmp_path, seats=3) as table:
        bob, cy = await table.join(BOB, "Bob"), await table.join(CY, "Cy")
        await _linked(bob, cy)
        await _linked(cy, bob)
        assert table.ann.phase is Phase.LOBBY
        assert bob.mesh is not None
        link = bob.mesh._links[CY.public][-1]
        for session in (table.ann, bob, cy):
            session.prepare(ready=True)
        await begins(table.ann, bob, cy)
        assert bob.mesh._links[CY.public] == [link]
        assert all(player.here for player in bob.players)


@in_time
async def test_a_table_begins_without_a_question(tmp_path: Path) -> None:
    """The charter comes to one joiner when the other's signature is there already: it has waited, so nothing must be
    asked for, and nothing is sent twice."""
    charter: list[bytes] = []
    sent: list[tuple[bytes, bytes]] = []
    async with hosting(tmp_path, seats=3) as table:
        ann, bob, cy = table.ann, await table.join(BOB, "Bob"), await table.join(CY, "Cy")
        await _linked(bob, cy)
        await _linked(cy, bob)

        def listening(mesh: Mesh) -> None:
            send = mesh.send

            def hear(peer: bytes, frame: bytes) -> bool:
                if peer == CY.public and not charter and isinstance(decode_frame(frame), Propose):
                    charter.append(frame)
                    return True
                went = send(peer, frame)
                if went:
                    sent.append((peer, frame))
                return went

            mesh.send = hear  # type: ignore[method-assign]

        for session in (ann, bob, cy):
            assert session.mesh is not None
            listening(session.mesh)
            session.prepare(ready=True)
        while not (charter and ann.phase is bob.phase is Phase.AGREE):
            await trio.sleep(0.01)
        sent.clear()
        assert ann.mesh is not None
        ann.mesh.send(CY.public, charter[0])
        await begins(ann, bob, cy)
        assert not [frame for _, frame in sent if is_question(frame)]
        assert len(set(sent)) == len(sent)


@in_time
async def test_who_leaves_the_lobby_is_sought_no_more(tmp_path: Path) -> None:
    async with hosting(tmp_path, seats=3) as table:
        bob = await table.join(BOB, "Bob")
        async with open_join(CY, "Cy", table.ann.addresses[0], journal_dir=tmp_path / "Cy", ready=False) as cy:
            await _linked(bob, cy)
        await sees(bob, lambda event: len(event.players) == 3)
        await sees(bob, lambda event: len(event.players) == 2)
        await _linked(bob, cy, up=False)
        assert bob.mesh is not None
        assert bob.mesh._keepers == {}


@in_time
async def test_once_begun_nothing_is_asked_for_any_more(tmp_path: Path) -> None:
    async with hosting(tmp_path, ready=True) as table:
        bob = await table.join(BOB, "Bob", ready=True)
        await begins(table.ann, bob)
        for session in (table.ann, bob):
            session.prepare(hero="thor", seat=0, ready=False)
            session.start()
        players = [player.key for player in table.ann.players]
        assert players == [ANN.public, BOB.public]
        assert not [event for event in _left(table.ann) if isinstance(event, Declined)]


def _left(session: Session) -> list[object]:
    events: list[object] = []
    while True:
        try:
            events.append(session.events.receive_nowait())
        except trio.WouldBlock:
            return events


@pytest.mark.parametrize("invites", [True, False])
async def test_the_creator_is_told_how_to_join_where_people_are_expected(invites: bool, tmp_path: Path) -> None:
    async with open_host(ANN, "Ann", RULES, seats=2, host=HOST, port=0, journal_dir=tmp_path, invites=invites) as ann:
        event = await ann.events.receive()
        assert isinstance(event, LobbyChanged)
        assert bool(event.addresses) == invites


@in_time
@pytest.mark.parametrize("code", ["", "4-cat"])
async def test_whoever_is_cut_off_at_the_very_start_sits_down_again(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The charter came when the program was killed, or never came: nothing is signed, so the same command is asked
    again whether its player is ready, and gets the same charter."""
    rules = Rules.make("batman", hand_size=5)
    begun: list[Charter] = []

    def killed(session: Session, charter: Charter, meet: Meet, early: list[tuple[bytes, bytes]]) -> None:
        begun.append(charter)
        session.close()

    async with open_host(ANN, "Ann", rules, seats=2, host=HOST, port=0, journal_dir=tmp_path, code=code) as ann:

        def again() -> AbstractAsyncContextManager[Session]:
            return open_join(BOB, "Bob", ann.addresses[0], journal_dir=tmp_path / "bob", code=code, ready=True)

        with monkeypatch.context() as patch:
            patch.setattr(joiner, "begin", killed)
            async with again() as bob:
                await bob.ended()
        assert ann.phase is Phase.AGREE
        async with again() as bob, trio.open_nursery() as nursery:
            players = Player(ann, 1), Player(bob, 2)
            for player in players:
                nursery.start_soon(player.play)
        assert [len(player.heard(MatchOver)) for player in players] == [1, 1]
        assert begun[0].table.hex()[:8] in str(bob.journal)
