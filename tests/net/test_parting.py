"""Who gets up: the farewell is short whatever hangs (N02, N03), and the others are told at once (R56)."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2puno.moves import Draw
from p2puno.rules import Rules
from p2puno.view import legal
from protocol import events as tell
from protocol.identity import Identity
from protocol.messages import Place
from protocol.net import mesh as meshes
from protocol.net.driver import FAREWELL, Session, running
from protocol.net.gathering import open_host, open_join
from protocol.net.link import LINGER
from tests.net.test_mesh import HOST

SOON = 30.0  # seconds after which a test is not slow but stuck
OTHER = Identity.fresh().public


class DeafMesh:
    """Links that take everything and never say a word."""

    def __init__(self, peers: list[bytes]) -> None:
        self.peers = peers
        self.dropped: list[bytes] = []

    def drop(self, peer: bytes) -> None:
        self.dropped.append(peer)

    def forget(self, peer: bytes) -> None:
        raise AssertionError("nobody else gets up")


def table_of_two(folder: Path, peers: list[bytes], leaves: bool) -> tuple[Session, DeafMesh]:
    """Our session, whose links are to `peers`; whether this is a moment in which a seat can leave."""
    session = Session(Identity.fresh(), "Mia", False, folder)
    departures = SimpleNamespace(leaves={0: None} if leaves else {}, gone=set())
    table = SimpleNamespace(departures=departures, closed=False)
    node: Any = SimpleNamespace(handle=lambda event, now: [], seat=0, table=table)
    mesh: Any = DeafMesh(peers)
    session._node, session.mesh = node, mesh
    session._places = tuple(Place(key, "", False, "", 0, ()) for key in (session.identity.public, OTHER))
    return session, mesh


@pytest.mark.parametrize(
    ("peers", "leaves", "seconds"), [([OTHER], False, FAREWELL), ([OTHER], True, 0.0), ([], False, 0.0)]
)
async def test_a_farewell_ends_whatever_hangs(
    tmp_path: Path, autojump_clock: MockClock, peers: list[bytes], leaves: bool, seconds: float
) -> None:
    """N03: the others are waited for only where we cannot leave yet, and not for long; then the links say goodbye."""
    session, mesh = table_of_two(tmp_path, peers, leaves)
    async with running(session):
        start = trio.current_time()
        session.leave()
        await session.ended()
        assert trio.current_time() - start == pytest.approx(seconds)
        assert OTHER in mesh.dropped
    assert FAREWELL + LINGER <= 0.7  # what is left of a second is the program's own end


async def test_who_has_got_up_moves_no_more(tmp_path: Path, autojump_clock: MockClock) -> None:
    """A bot that was thinking meanwhile."""
    session, _ = table_of_two(tmp_path, [OTHER], leaves=False)
    heard: list[object] = []
    session._node.handle = lambda event, now: heard.append(event) or []  # type: ignore[union-attr, method-assign, func-returns-value, assignment]
    async with running(session):
        session.leave()
        before = len(heard)
        session.decide(Draw())
        assert len(heard) == before


async def until_asked(session: Session) -> None:
    async for event in session.events:
        if isinstance(event, tell.YourTurn):
            return


def answer(session: Session) -> None:
    assert session.view is not None
    session.decide(legal(session.view)[0])


async def test_the_one_who_stays_hears_at_once_that_the_other_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two, where it is the stayer's turn: nothing goes on before its move. Nobody is called any more."""
    monkeypatch.setattr(meshes, "RETRY_FIRST", 0.01)
    rules = Rules.make("batman", hand_size=5, starter="2")
    with trio.fail_after(SOON):
        async with open_host(Identity.fresh(), "Mia", rules, seats=2, host=HOST, port=0, journal_dir=tmp_path) as mia:
            async with open_join(Identity.fresh(), "Bo", mia.addresses[0], journal_dir=tmp_path) as bo:
                await until_asked(mia)
                bo.leave()
                await bo.ended()
            heard: list[tell.Event] = []
            async for event in mia.events:
                heard.append(event)
                if isinstance(event, tell.LinkChanged):
                    break
            assert tell.GotUp(1) in heard
            await trio.sleep(0.1)  # in which it would be called again
            answer(mia)
            async for event in mia.events:
                heard.append(event)
                if isinstance(event, tell.YourTurn):  # such as what to do with a card just taken
                    answer(mia)
        assert not [event for event in heard if isinstance(event, tell.Redial)]
        assert [event.winner for event in heard if isinstance(event, tell.MatchOver)] == [0]
