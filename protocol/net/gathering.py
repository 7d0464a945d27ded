"""How people come to a table over real links: the lobby, until everybody has the charter and the table runs.

    async with open_host(...) as session:    or    async with open_join(...) as session:
        async for event in session.events: ...

From the charter on, `protocol.net.driver` carries the table.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import trio

from p2puno.rules import Rules
from p2puno.said import said
from protocol.errors import NotP2puno
from protocol.events import Notice
from protocol.identity import Identity
from protocol.lobby import HostLobby
from protocol.messages import PROTOCOL, Hello, Place
from protocol.names import NAME_CELLS, clean
from protocol.net.address import DEFAULT_PORT, format_address, parse_address
from protocol.net.creator import Creator
from protocol.net.discovery import ANNOUNCED, announcing
from protocol.net.doorman import Doorman
from protocol.net.driver import Session, mesh_of, running
from protocol.net.herald import heralding
from protocol.net.joiner import Joiner
from protocol.net.meeting import Judge, Meet, is_loopback, nobody_known, nobody_met

LOBBY_ANSWER: Final = 10.0
"""Seconds that a joiner waits for the first word of the lobby."""


@asynccontextmanager
async def open_host(
    identity: Identity,
    name: str,
    rules: Rules,
    *,
    seats: int = 4,
    host: str | None = None,
    port: int = DEFAULT_PORT,
    journal_dir: Path,
    bot: bool = False,
    hero: str = "",
    age: int = 0,
    note: bytes = b"",
    announce: bool = False,
    code: str = "",
    ready: bool = True,
    invites: bool = True,
    judge: Judge = nobody_known,
    meet: Meet = nobody_met,
) -> AsyncIterator[Session]:
    """Create a table for `seats` players and sit at it; it begins when all seats are taken and everybody is ready.

    `ready`: from the beginning; else `Session.prepare` or `Session.start` says so.
    `invites`: whether people are expected, who have to be told how to join; programs of ours know it.
    `announce`: let the network know of it. `code`: let in only who knows this invite code.
    `note`: what the caller wants to read again when the table is taken up after a restart (`protocol.vault`).

    :raises PortTaken: the port is in use
    """
    name = clean(name, NAME_CELLS)
    session = Session(identity, name, bot, journal_dir)
    session.rules = rules
    session.note = note
    async with mesh_of(session) as mesh:
        session.mesh = mesh
        bound = await mesh.listen(host, port)
        session.listening = host or "", bound[0][1]
        session.addresses = tuple(format_address(*address) for address in bound)
        own = Place(identity.public, name, bot, hero, age, (f":{bound[0][1]}",))
        session.doorman = Doorman(mesh, identity.public, code, session.tell)
        creator = Creator(session, mesh, HostLobby(own, rules, seats, ready or bot), session.doorman, judge, meet)

        def trouble(sentence: str) -> None:
            hint = said("the others can still join by typing an address")
            session.tell(Notice(sentence, hint) if sentence else Notice(ANNOUNCED))

        async with running(session), announcing(bound, trouble) as announcer, trio.open_nursery() as nursery:
            creator.announcer = announcer if announce else None
            creator.invites = invites
            creator.show()
            nursery.start_soon(creator.watch)
            yield session
            nursery.cancel_scope.cancel()


@asynccontextmanager
async def open_join(
    identity: Identity,
    name: str,
    address: str,
    *,
    journal_dir: Path,
    bot: bool = False,
    hero: str = "",
    age: int = 0,
    note: bytes = b"",
    expect: bytes | None = None,
    announce: bool = False,
    everywhere: bool = False,
    code: str = "",
    ready: bool = True,
    judge: Judge = nobody_known,
    meet: Meet = nobody_met,
) -> AsyncIterator[Session]:
    """Take a seat at the table whose creator answers at `address` (`host`, `host:port`, `[v6]:port`).

    `ready`: from the beginning; else `Session.prepare` says so. `expect`: the key that has to answer there.
    `announce`: let the network know of it when its creator no longer does, if it may be watched. `everywhere`: others
    come from the network, though we reach the table by loopback. `code`: the invite code of a private table.

    :raises Unreachable: nobody answers there
    :raises NotP2puno: something else does
    :raises Refused: the table has begun, is full, or is not for us; the code is wrong or another key answers
    """
    name = clean(name, NAME_CELLS)
    session = Session(identity, name, bot, journal_dir)
    session.note = note
    host, port = parse_address(address)
    async with mesh_of(session) as mesh:
        session.mesh = mesh
        session.doorman = Doorman(mesh, identity.public, code, session.tell)
        own = host if is_loopback(host) and not everywhere else None
        bound = await mesh.listen(own, 0)
        session.listening = own or "", bound[0][1]
        hello = Hello(PROTOCOL, name, bot, hero, age, bound[0][1])
        joiner = Joiner(session, mesh, hello, ready and not bot, code, judge, meet)
        session.host_address = f"[{host}]" if ":" in host else host
        joiner.greet(await mesh.dial(host, port, expect))
        with trio.move_on_after(LOBBY_ANSWER):
            await joiner.answered.wait()
        if not joiner.answered.is_set():
            raise NotP2puno(
                said("{address} answers, but is no table", address=address),
                said("ask for the address that the other player's screen shows"),
            )
        if session.failure is not None:  # refused: there is no table to be told of
            raise session.failure
        async with running(session), heralding(session, bound, creator=False, wanted=announce):
            yield session
