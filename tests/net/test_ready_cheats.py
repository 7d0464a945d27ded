"""Before a table begins: what a peer gets that floods it, sends others around or begins otherwise than it showed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from protocol.errors import Refused
from protocol.messages import PROTOCOL, Charter, Hello, Lobby, Place, Prepare, Propose, Sitter, decode_frame, encode
from protocol.net import joiner
from protocol.net.driver import PATIENCE, Session
from protocol.net.gathering import open_join
from protocol.net.joiner import Joiner
from protocol.net.limits import CHANGES_BURST
from protocol.net.meeting import nobody_known, nobody_met
from protocol.net.mesh import Mesh, open_mesh
from tests.in_time import in_time
from tests.net.ready import BOB, CY, EVE, RULES, Table, hosting, line, sees


class Links(Mesh):
    """The links of a joiner that makes none: `sought` are the keys and the patience of those that it wants."""

    def __init__(self) -> None:
        self.sought: list[tuple[bytes, float]] = []

    def keep(self, peer: bytes, addresses: object, patience: float = 0.0, *, mutual: bool = False) -> None:
        self.sought.append((peer, patience))

    def drop(self, peer: bytes, reason: str = "closed") -> None:
        pass


def a_joiner(folder: Path, links: Mesh) -> Joiner:
    hello = Hello(PROTOCOL, "Bob", False, "", 0, 4242)
    return Joiner(Session(BOB, "Bob", False, folder), links, hello, False, "", nobody_known, nobody_met)


def sitter(key: bytes, seat: int) -> Sitter:
    return Sitter(seat, False, Place(key, "Eve", False, "", 0, ("10.0.1.1:80",)))


async def test_a_lobby_sends_nobody_around(tmp_path: Path, autojump_clock: MockClock) -> None:
    """C45: a creator that shows ever new people cannot have its joiners knock everywhere."""
    links = Links()
    bob, own = a_joiner(tmp_path, links), sitter(BOB.public, 1)
    for number in range(100):
        other = sitter(bytes([number]) * 32, 2)
        bob._link([other, own] if number % 2 else [own, other])
    assert len(links.sought) == joiner.MOST_SOUGHT - 1  # and ourselves
    assert [patience for _, patience in links.sought[:4]] == [PATIENCE, 0.0, PATIENCE, 0.0]  # who came later dials


async def test_little_is_kept_of_what_comes_before_the_charter(tmp_path: Path, autojump_clock: MockClock) -> None:
    """C45: from those alone whom the list of seats shows."""
    bob = a_joiner(tmp_path, Links())
    bob._link([sitter(BOB.public, 1), sitter(CY.public, 2)])
    for number in range(100):
        for peer in (CY.public, EVE.public):
            bob._on_frame(peer, bytes([number]))
            bob._on_frame(peer, bytes(joiner.MAX_HELD + 1))
    assert bob._held == [(CY.public, bytes([number])) for number in range(joiner.MOST_HELD)]


@asynccontextmanager
async def eve_at(table: Table, heard: list[bytes], over: trio.Event) -> AsyncIterator[tuple[Mesh, bytes]]:
    """A joiner that says what it likes."""
    async with open_mesh(
        EVE, on_frame=lambda _, frame: heard.append(frame), on_up=lambda _: None, on_down=lambda *_: over.set()
    ) as mesh:
        host, _, port = table.ann.addresses[0].rpartition(":")
        yield mesh, await mesh.dial(host, int(port))


@in_time
async def test_a_flood_of_changes_costs_the_seat(tmp_path: Path) -> None:
    """C45: each change is told to everybody, so who makes too many is cut off; hellos said again count as well."""
    for frame in (encode(Prepare("thor", 1, True)), encode(Hello(PROTOCOL, "Eve", False, "", 0, 4242))):
        heard: list[bytes] = []
        over = trio.Event()
        async with hosting(tmp_path, seats=4) as table, eve_at(table, heard, over) as (mesh, creator):
            mesh.send(creator, encode(Hello(PROTOCOL, "Eve", False, "", 0, 4242)))
            for _ in range(3 * int(CHANGES_BURST)):
                mesh.send(creator, frame)
            await over.wait()
            await sees(table.ann, lambda event: len(event.players) == 2)
            await sees(table.ann, lambda event: len(event.players) == 1)
            assert len(heard) <= CHANGES_BURST + 2


@in_time
async def test_a_stranger_prepares_nothing(tmp_path: Path) -> None:
    """Without a seat, and with words for none: nothing changes, and nothing is answered."""
    heard: list[bytes] = []
    async with hosting(tmp_path, seats=3) as table, eve_at(table, heard, trio.Event()) as (mesh, creator):
        mesh.send(creator, encode(Prepare("thor", 0, True)))
        mesh.send(creator, encode(Prepare("thor", 9, True)))
        async with open_join(BOB, "Bob", table.ann.addresses[0], journal_dir=tmp_path / "bob", ready=False) as bob:
            shown = await sees(table.ann, lambda event: len(event.players) == 2)
            assert line(shown) == [(0, "Ann", "", False), (1, "Bob", "", False)]
            assert [player.name for player in bob.players] == ["Ann", "Bob"]
            assert heard == []


@in_time
async def test_a_creator_that_begins_otherwise_than_shown_gets_no_signature(tmp_path: Path) -> None:
    """C51 and the like: the charter names another hero than the list of seats did."""
    shown: list[Lobby] = []

    def lie(peer: bytes, frame: bytes) -> bool:
        message = decode_frame(frame)
        if isinstance(message, Lobby):
            shown.append(message)
        if not isinstance(message, Propose):
            return send(peer, frame)
        charter = message.charter
        heroes = [charter.roster[0].hero, "aquaman"]
        roster = tuple(
            type(place)(place.key, place.name, place.bot, hero, place.age, place.addresses)
            for place, hero in zip(charter.roster, heroes, strict=True)
        )
        rules = RULES.seated(heroes).encode()
        return send(peer, encode(Propose(Charter(charter.protocol, rules, (), roster, charter.nonce))))

    async with hosting(tmp_path, ready=True) as table:
        mesh = table.ann.mesh
        assert mesh is not None
        send, mesh.send = mesh.send, lie  # type: ignore[method-assign]
        problem = await _refusal(table, tmp_path)
        assert problem == "the seats of the table are others than were shown"
        assert shown[-1].sitters[1].place.hero == "thor"


async def _refusal(table: Table, folder: Path) -> str:
    with pytest.raises((Refused, ExceptionGroup)) as caught:  # noqa: PT012
        async with open_join(
            BOB, "Bob", table.ann.addresses[0], journal_dir=folder / "bob", hero="thor", ready=True
        ) as bob:
            async for _ in bob.events:
                pass
    problem: BaseException = caught.value
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    assert isinstance(problem, Refused)
    return problem.message
