"""How people come to a table over real links: the lobby, until everybody has the charter and the table runs.

    async with open_host(...) as session:    or    async with open_join(...) as session:
        async for event in session.events: ...

From the charter on, `protocol.net.driver` carries the table.
"""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from p2puno.rules import Rules, RulesError
from protocol.errors import NotP2puno, Refused
from protocol.events import LobbyChanged, PacksOffered
from protocol.identity import Identity
from protocol.lobby import HostLobby, check_charter, players, read_rules
from protocol.messages import PROTOCOL, Bye, Charter, Hello, Lobby, Malformed, Place, Propose, decode_frame, encode
from protocol.names import NAME_CELLS, clean
from protocol.net.address import DEFAULT_PORT, format_address, parse_address
from protocol.net.driver import Session, mesh_of, running

LOBBY_ANSWER = 10.0
"""Seconds that a joiner waits for the first word of the lobby."""
REASON_CELLS = 200
"""Width at which the lobby's reason for a refusal is cut."""


def _is_loopback(host: str) -> bool:
    """Whether a host, as typed or as seen, can only be this machine."""
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"


def _seen(host: str) -> str:
    """The host to tell others of a peer seen at `host`; "" if it is on our own machine."""
    mapped = host.removeprefix("::ffff:")
    return "" if _is_loopback(mapped) else mapped


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
) -> AsyncIterator[Session]:
    """Create a table for `seats` players and sit at it; it begins when the last seat is taken.

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
        lobby = HostLobby(own, rules, seats)

        def show() -> None:
            session.lobby_players = players(tuple(lobby.places))
            session.tell(LobbyChanged(session.lobby_players, lobby.wanted, session.addresses))
            mesh.broadcast(encode(lobby.shown()))

        def on_frame(peer: bytes, frame: bytes) -> None:
            try:
                hello = decode_frame(frame)
            except Malformed:
                return
            if not isinstance(hello, Hello):
                return
            if refusal := lobby.enter(peer, _seen(mesh.host_of(peer)), hello):
                mesh.send(peer, encode(refusal))
                return
            show()
            if charter := lobby.propose():
                mesh.broadcast(encode(Propose(charter)))
                session.begin(charter)

        def on_down(peer: bytes, reason: str) -> None:
            if lobby.leave(peer):
                show()

        session.on_lobby_frame = on_frame
        session.on_lobby_down = on_down
        show()
        async with running(session):
            yield session


class _Joiner:
    """What a joiner hears and answers until the charter."""

    def __init__(self, session: Session, hero: str) -> None:
        self.host: bytes | None = None  # the creator's key
        self.answered = trio.Event()
        self._session = session
        self._hero = hero
        self._offered: Rules | None = None
        self._accepted = False  # the own packs of the table
        self._proposed: Charter | None = None
        session.on_lobby_frame = self._on_frame
        session.on_lobby_down = self._on_down
        session.on_packs = self._on_packs

    def _on_frame(self, peer: bytes, frame: bytes) -> None:
        if peer != self.host:
            return  # other seats speak first to whom we may not know yet; their heads come again
        try:
            message = decode_frame(frame)
        except Malformed:
            return
        if isinstance(message, Lobby):
            self._shown(message)
        elif isinstance(message, Bye):
            self._refuse(clean(message.reason, REASON_CELLS))
        elif isinstance(message, Propose) and self._offered is not None:
            self._propose(message.charter, self._offered)

    def _shown(self, lobby: Lobby) -> None:
        session = self._session
        self.answered.set()
        try:
            session.rules = self._offered = read_rules(lobby)
        except (RulesError, ValueError) as bad:
            self._refuse(f"the rules of the table are not known here: {bad}")
            return
        session.lobby_players = players(lobby.places)
        session.tell(LobbyChanged(session.lobby_players, lobby.wanted))
        if session.rules.own and not self._accepted:
            self._accepted = session.bot  # packs are data: a bot has nothing against them
            if not session.bot:
                session.tell(PacksOffered(tuple(hero.name for hero in session.rules.own)))

    def _propose(self, charter: Charter, offered: Rules) -> None:
        if problem := check_charter(charter, self._session.identity.public, offered, self._hero):
            self._refuse(problem)
        elif self._accepted or not charter.packs:
            self._session.begin(charter)
        else:
            self._proposed = charter

    def _refuse(self, problem: str) -> None:
        self._session.failure = Refused(problem, "ask whoever created the table")
        self.answered.set()
        self._session.close()

    def _on_down(self, peer: bytes, reason: str) -> None:
        if peer == self.host:
            self._session.failure = Refused(
                f"the table's creator is gone: {reason}", "ask whether the table still exists"
            )
            self._session.close()

    def _on_packs(self, yes: bool) -> None:
        self._accepted = yes
        if not yes:
            self._session.close()
        elif self._proposed is not None:
            self._session.begin(self._proposed)


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
) -> AsyncIterator[Session]:
    """Take a seat at the table whose creator answers at `address` (`host`, `host:port`, `[v6]:port`).

    :raises Unreachable: nobody answers there
    :raises NotP2puno: something else does
    :raises Refused: the table has begun, is full, or is not for us
    """
    name = clean(name, NAME_CELLS)
    session = Session(identity, name, bot, journal_dir)
    session.note = note
    host, port = parse_address(address)
    async with mesh_of(session) as mesh:
        session.mesh = mesh
        joiner = _Joiner(session, hero)
        own = host if _is_loopback(host) else None
        bound = await mesh.listen(own, 0)
        session.listening = own or "", bound[0][1]
        joiner.host = await mesh.dial(host, port)
        session.host_address = f"[{host}]" if ":" in host else host
        mesh.send(joiner.host, encode(Hello(PROTOCOL, name, bot, hero, age, bound[0][1])))
        with trio.move_on_after(LOBBY_ANSWER):
            await joiner.answered.wait()
        if not joiner.answered.is_set():
            raise NotP2puno(f"{address} answers, but is no table", "ask for the address that the host's screen shows")
        async with running(session):
            yield session
