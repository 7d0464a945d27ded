"""People talk over real links: in the lobby, at the table, past a pair without a link; who is muted, what is off."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import trio

from p2puno.bots import sensible
from p2puno.needs import Decide, Window
from p2puno.rules import Rules
from p2puno.said import Said
from protocol import events as tell
from protocol.audit import audit
from protocol.chat import HEARD_BURST, RATE
from protocol.errors import NotSaid
from protocol.identity import Identity
from protocol.messages import Remark, sign_remark
from protocol.net.driver import Session
from protocol.net.gathering import open_host, open_join
from protocol.net.returning import open_resume
from protocol.net.watching import open_watch

HOST = "127.0.0.1"
ENOUGH = 60.0


class Guest:
    """A session whose events are kept; nobody plays."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.told: list[tell.Event] = []
        self.news = trio.Event()

    async def listen(self) -> None:
        async for event in self.session.events:
            self.told.append(event)
            self.news.set()
            self.news = trio.Event()

    @property
    def heard(self) -> list[tuple[str, str, int]]:
        """Who said what."""
        players = self.session.players
        return [(players[e.seat].name, e.text, e.phrase) for e in self.told if isinstance(e, tell.Chatted)]

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self.news.wait()

    async def hears(self, who: str, text: str, phrase: int = 0) -> None:
        await self.until(lambda: (who, text, phrase) in self.heard)


@asynccontextmanager
async def table(
    folder: Path, seats: int, coming: int, chat: str = "all", watchers: bool = False
) -> AsyncIterator[list[Guest]]:
    """A host for so many seats, and so many who have come, in the order of their seats."""
    rules = Rules.make("batman", hand_size=5, chat=chat, watchers=watchers)
    async with AsyncExitStack() as stack:
        nursery = await stack.enter_async_context(trio.open_nursery())
        host = await stack.enter_async_context(
            open_host(Identity.fresh(), "Mia", rules, seats=seats, host=HOST, port=0, journal_dir=folder / "0")
        )
        guests = [Guest(host)]
        nursery.start_soon(guests[0].listen)
        for name in ("Bo", "Cy")[:coming]:
            session = await stack.enter_async_context(
                open_join(Identity.fresh(), name, host.addresses[0], journal_dir=folder / name)
            )
            guests.append(Guest(session))
            nursery.start_soon(guests[-1].listen)
        for guest in guests:
            await guest.until(lambda guest=guest: len(guest.session.players) == coming + 1)  # type: ignore[misc]
            if seats == coming + 1:
                await guest.until(lambda guest=guest: guest.session.seat >= 0)  # type: ignore[misc]
        yield guests
        nursery.cancel_scope.cancel()


def part(one: Session, other: Session) -> None:
    """No link between these two any more, and none to come."""
    for here, there in ((one, other), (other, one)):
        assert here.mesh is not None
        key = there.identity.public
        here.mesh._allowed = lambda peer, key=key: peer != key  # type: ignore[misc]
        here.mesh.drop(key)


async def test_they_talk_in_the_lobby_and_past_a_broken_pair_at_the_table(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with table(tmp_path, 4, 2) as guests:
            mia, bo, cy = guests
            bo.session.chat("are we complete?")  # Bo and Cy have no link in the lobby: Mia passes it on
            for guest in guests:
                await guest.hears("Bo", "are we complete?")
            mia.session.phrase(10)
            for guest in guests:
                await guest.hears("Mia", "", 10)
            assert bo.session.phase is tell.Phase.LOBBY
        async with table(tmp_path, 3, 2) as guests:
            mia, bo, cy = guests
            part(bo.session, cy.session)
            for one, other in ((bo, cy), (cy, bo)):
                key = other.session.identity.public
                await one.until(lambda one=one, key=key: key not in one.session.mesh.peers)  # type: ignore[misc]
            bo.session.chat("can you hear me, Cy?")
            await cy.hears("Bo", "can you hear me, Cy?")
            cy.session.phrase(1)
            await bo.hears("Cy", "", 1)
            assert mia.heard == [("Bo", "can you hear me, Cy?", 0), ("Cy", "", 1)]
            assert bo.heard == cy.heard == mia.heard
            journal = mia.session.journal
    assert journal is not None
    assert b"can you hear" not in journal.read_bytes()  # it is no part of the hand
    assert audit(journal).exit_code == 5  # unfinished, and sound


async def test_the_muted_are_not_heard_but_passed_on(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with table(tmp_path, 3, 2) as guests:
            mia, bo, cy = guests
            part(bo.session, cy.session)
            mia.session.mute(1)
            assert mia.session.muted == (1,)
            bo.session.chat("quiet")
            await cy.hears("Bo", "quiet")
            mia.session.mute(1, quiet=False)
            bo.session.chat("loud")
            await mia.hears("Bo", "loud")
            assert mia.heard == [("Bo", "loud", 0)]


async def test_a_mute_lasts_from_the_lobby_to_the_table(tmp_path: Path) -> None:
    """It is of the key, not of the place."""
    with trio.fail_after(ENOUGH):
        async with table(tmp_path, 3, 1) as guests:
            mia, bo = guests
            mia.session.mute(1)
            async with open_join(
                Identity.fresh(), "Cy", mia.session.addresses[0], journal_dir=tmp_path / "Cy"
            ) as session:
                await mia.until(lambda: mia.session.seat >= 0)
                await bo.until(lambda: bo.session.seat >= 0)
                bo.session.chat("hello")
                session.chat("hello")
                await mia.hears("Cy", "hello")
                await bo.hears("Cy", "hello")
                assert ("Bo", "hello", 0) not in mia.heard


@pytest.mark.parametrize("chat", ["off", "phrases"])
async def test_what_the_table_does_not_allow_is_not_heard(
    tmp_path: Path, chat: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even of a program that says it all the same."""
    with trio.fail_after(ENOUGH):
        async with table(tmp_path, 3, 2, chat) as guests:
            mia, bo, _ = guests
            with pytest.raises(NotSaid):
                bo.session.chat("hello")
            assert bo.session.journal is not None
            room, mesh = bo.session.talk._rooms[0], bo.session.mesh
            assert mesh is not None
            assert mia.session.mesh is not None
            useless: list[bytes] = []

            def wasted(peer: bytes, size: int) -> None:
                useless.append(peer)
                mia.news.set()

            monkeypatch.setattr(mia.session.mesh, "wasted", wasted)
            mesh.send(mia.session.identity.public, sign_remark(bo.session.identity, Remark(room, 1, 0, "hello")))
            if chat == "phrases":
                bo.session.phrase(3)
                await mia.hears("Bo", "", 3)  # it came on the same link, so the text came before
                assert mia.heard == [("Bo", "", 3)]
            else:
                with pytest.raises(NotSaid):
                    bo.session.phrase(3)
                mesh.send(mia.session.identity.public, sign_remark(bo.session.identity, Remark(room, 2, 3, "")))
                await mia.until(lambda: len(useless) == 2)
                assert mia.heard == []
            assert set(useless) == {bo.session.identity.public}


async def test_c45_who_floods_is_told_of_once_and_then_cut_off(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with table(tmp_path, 3, 2) as guests:
            mia, bo, cy = guests
            room, mesh = bo.session.talk._rooms[0], bo.session.mesh
            assert mesh is not None

            def sentences() -> list[str]:
                return [event.message for event in mia.told if isinstance(event, tell.Notice)]

            began = trio.current_time()
            for number in range(3000):
                mesh.send(mia.session.identity.public, sign_remark(bo.session.identity, Remark(room, number, 1, "")))
            await mia.until(lambda: len(sentences()) >= 2)
            assert sentences()[0] == "Bo writes too much at once: some of it is not shown"
            assert "cut off" in sentences()[1]
            most = HEARD_BURST + RATE * (trio.current_time() - began)
            assert HEARD_BURST <= len(mia.heard) <= most
            assert len(cy.heard) <= most
            notice = next(event for event in mia.told if isinstance(event, tell.Notice))
            assert isinstance(notice.message, Said)


async def test_who_watches_hears_nothing_and_nobody_hears_it(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with table(tmp_path, 3, 2, watchers=True) as guests:
            mia, bo, cy = guests
            async with open_watch(mia.session.addresses[0], journal_dir=tmp_path / "w") as watching:
                told: list[tell.Event] = []

                async def watch() -> None:
                    async for event in watching.events:
                        told.append(event)

                async with trio.open_nursery() as nursery:
                    nursery.start_soon(watch)
                    while mia.session.gallery.watchers < 1:
                        await trio.sleep(0.01)
                    for guest in (mia, bo, cy):
                        guest.session.chat("between us")
                    await mia.until(lambda: len(mia.heard) == 3)
                    before = mia.session.gallery.watchers
                    chat = sign_remark(Identity.fresh(), Remark(mia.session.talk._rooms[0], 1, 1, ""))
                    assert mia.session.mesh is not None
                    stranger = next(peer for peer in mia.session.mesh.peers if peer not in mia.session.talk.people)
                    mia.session._on_frame(stranger, chat)  # as if the watcher had sent it
                    assert (before, mia.session.gallery.watchers) == (1, 0)
                    nursery.cancel_scope.cancel()
            assert not [event for event in told if isinstance(event, tell.Chatted)]
            assert len(mia.heard) == 3


async def test_nothing_is_said_when_the_table_is_over(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with table(tmp_path, 3, 2) as guests:
            mia, bo, _ = guests
            bo.session.leave()
            await bo.session.ended()
            with pytest.raises(NotSaid, match="over"):
                bo.session.chat("wait!")
            mia.session.chat("somebody there?")
            await mia.hears("Mia", "somebody there?")


async def test_who_came_back_talks_and_is_heard(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with table(tmp_path, 3, 1) as guests:
            mia, _ = guests
            cy = Identity.fresh()
            async with open_join(cy, "Cy", mia.session.addresses[0], journal_dir=tmp_path / "Cy") as session:
                guest = Guest(session)
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(guest.listen)
                    await guest.until(lambda: session.steps >= 1)
                    session.chat("before")
                    await mia.hears("Cy", "before")
                    nursery.cancel_scope.cancel()
            journal = session.journal
            assert journal is not None
            async with open_resume(journal, cy) as again, trio.open_nursery() as nursery:
                back = Guest(again)
                nursery.start_soon(back.listen)
                await back.until(lambda: len(again.mesh.peers) == 2)  # type: ignore[union-attr]
                again.chat("after")
                await mia.hears("Cy", "after")
                mia.session.chat("welcome")
                await back.hears("Mia", "welcome")
                nursery.cancel_scope.cancel()


async def test_they_talk_between_two_hands_and_the_game_takes_no_notice(tmp_path: Path) -> None:
    """All that is computed is the same at both, and what was said is in neither journal."""
    rules = Rules.make("batman", hand_size=5, hands=2)
    told: dict[str, list[tell.Event]] = {"Mia": [], "Bo": []}

    async def play(session: Session, name: str) -> None:
        bot = sensible(random.Random(name))
        async for event in session.events:
            told[name].append(event)
            if isinstance(event, tell.HandOver) and event.hand == 1:
                session.chat(f"well played, says {name}")
            seen = session.view
            if isinstance(event, tell.YourTurn) and session.my_turn and seen is not None:
                if isinstance(seen.need, Decide):
                    session.decide(bot(seen))
                elif isinstance(seen.need, Window):
                    session.say(bot.say(seen))

    with trio.fail_after(ENOUGH):
        async with (
            open_host(Identity.fresh(), "Mia", rules, seats=2, host=HOST, port=0, journal_dir=tmp_path / "0") as mia,
            open_join(Identity.fresh(), "Bo", mia.addresses[0], journal_dir=tmp_path / "1") as bo,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(play, mia, "Mia")
            nursery.start_soon(play, bo, "Bo")
    for events in told.values():
        said = [event.text for event in events if isinstance(event, tell.Chatted)]
        assert sorted(said) == ["well played, says Bo", "well played, says Mia"]
        assert sum(isinstance(event, tell.HandOver) for event in events) == 2
    for session in (mia, bo):
        assert session.journal is not None
        assert b"well played" not in session.journal.read_bytes()
        assert audit(session.journal).exit_code == 0
    assert mia.state_hash == bo.state_hash
