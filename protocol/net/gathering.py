"""How people come to a table over real links: the lobby, until everybody has the charter and the table runs.

    async with open_host(...) as session:    or    async with open_join(...) as session:
        async for event in session.events: ...

From the charter on, `protocol.net.driver` carries the table.
"""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

import trio

from p2puno.rules import Rules, RulesError
from protocol.errors import NotP2puno, P2punoError, Refused
from protocol.events import LobbyChanged, Notice, PacksOffered, Player
from protocol.identity import Identity
from protocol.invite import WRONG, Guest
from protocol.known import Standing
from protocol.lobby import HostLobby, check_charter, players, read_rules
from protocol.messages import (
    PROTOCOL,
    Answer,
    Bye,
    Charter,
    Confirm,
    Frame,
    Hello,
    Knock,
    Lobby,
    Malformed,
    Place,
    Propose,
    Watch,
    decode_frame,
    encode,
)
from protocol.names import NAME_CELLS, clean
from protocol.net.address import DEFAULT_PORT, format_address, parse_address
from protocol.net.advert import Advert, digest
from protocol.net.discovery import Announcer, announcing
from protocol.net.doorman import PRIVATE, Doorman
from protocol.net.driver import Session, mesh_of, running
from protocol.net.gallery import WATCHABLE
from protocol.net.mesh import Mesh

LOBBY_ANSWER: Final = 10.0
"""Seconds that a joiner waits for the first word of the lobby."""
SEAT_LIMIT: Final = 20.0
"""Seconds after which a link that has got no seat is ended, so that links without one cannot pile up (C45)."""
REASON_CELLS: Final = 200
"""Width at which the lobby's reason for a refusal is cut."""
ASK: Final = "ask whoever created the table"
NOT_BEGUN: Final = "the table has not begun: there is nothing to watch yet"
HINTS: Final = {
    PRIVATE: "ask for it, and add --code CODE",
    WATCHABLE: "`p2puno watch` with the same address shows it",
}
"""What to do about a refusal."""

Judge: TypeAlias = Callable[[str, bytes], Standing]
"""What we know of a name with a key."""


Meet: TypeAlias = Callable[[Sequence[tuple[str, bytes]]], None]
"""Remember the people, (name, key), of a table that begins. May raise P2punoError and OSError."""


def nobody_known(name: str, key: bytes) -> Standing:
    """The judge of those who remember nobody."""
    return Standing.UNASKED


def nobody_met(people: Sequence[tuple[str, bytes]]) -> None:
    """What those do who remember nobody."""


def _begin(session: Session, charter: Charter, meet: Meet) -> None:
    """Everybody sits: play, and remember with whom. A memory that fails is told and spoils nothing."""
    session.begin(charter)
    own = session.identity.public
    people = [(player.name, player.key) for player in players(charter.roster) if player.key != own and not player.bot]
    try:
        meet(people)
    except (P2punoError, OSError) as problem:
        session.tell(Notice(f"the players are not remembered: {problem}", getattr(problem, "hint", "")))


def _talk(session: Session, lobby: Lobby) -> None:
    """Talk with who is in the lobby."""
    keys = [place.key for place in lobby.places]
    session.talk.wait(keys[0], lobby.room, keys, session.mode_of_chat())


def _judged(places: Sequence[Place], own: bytes, judge: Judge) -> tuple[Player, ...]:
    return tuple(
        player if player.bot or player.key == own else replace(player, standing=judge(player.name, player.key))
        for player in players(places)
    )


def _is_loopback(host: str) -> bool:
    """Whether a host, as typed or as seen, can only be this machine."""
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"


def _seen(host: str) -> str:
    """The host to tell others of a peer seen at `host`, without a scope of ours; "" if it is on our own machine."""
    mapped = host.removeprefix("::ffff:").partition("%")[0]
    return "" if _is_loopback(mapped) else mapped


class _Creator:
    """The lobby at the table's creator: who comes, who gets in, and what they are told."""

    def __init__(
        self, session: Session, mesh: Mesh, lobby: HostLobby, doorman: Doorman, judge: Judge, meet: Meet
    ) -> None:
        self.announcer: Announcer | None = None
        self._session, self._mesh, self._lobby = session, mesh, lobby
        self._doorman = doorman
        self._judge, self._meet = judge, meet
        self._since: dict[bytes, float] = {}  # when a link without a seat was first seen
        session.admits = self._admits
        session.on_lobby_frame = self._on_frame
        session.on_lobby_down = self._on_down

    def show(self) -> None:
        """Tell everybody at the table, ourselves and the network how it stands."""
        session, lobby = self._session, self._lobby
        session.lobby_players = _judged(lobby.places, session.identity.public, self._judge)
        session.tell(LobbyChanged(session.lobby_players, lobby.wanted, session.addresses, self._doorman.code))
        shown = lobby.shown()
        _talk(session, shown)
        self._tell_seated(encode(shown))
        self._announce()

    def _announce(self, running: bool = False) -> None:
        """Tell the network of the table: as long as it can be joined, or else if it can be watched."""
        lobby, rules = self._lobby, self._lobby.rules
        if self.announcer is None:
            return
        if running and not rules.watchers:
            self.announcer.hush()
            return
        own, private = lobby.places[0], bool(self._doorman.code)
        seats = len(lobby.places), lobby.wanted
        self.announcer.show(
            Advert(own.key, own.name, rules.variant, *seats, digest(rules), private, running, rules.watchers)
        )

    async def watch(self) -> None:
        """End links that take no seat, as long as there is a lobby; and tell the network when the table is over."""
        while self._lobby.charter is None:
            now = trio.current_time()
            seated = {place.key for place in self._lobby.places}
            self._since = {peer: self._since.get(peer, now) for peer in self._mesh.peers if peer not in seated}
            for peer, since in self._since.items():
                if now - since >= SEAT_LIMIT:
                    self._mesh.drop(peer, "no seat was taken")
            await trio.sleep(SEAT_LIMIT / 4)
        await self._session.ended()
        if self.announcer is not None:
            self.announcer.hush()

    def _admits(self, peer: bytes) -> bool:
        """Not a second program with the key of somebody who sits here: it would take over the link (C51)."""
        return all(place.key != peer for place in self._lobby.places)

    def _tell_seated(self, frame: bytes) -> None:
        for place in self._lobby.places[1:]:
            self._mesh.send(place.key, frame)

    def _on_frame(self, peer: bytes, frame: bytes) -> None:
        try:
            message = decode_frame(frame)
        except Malformed:
            return
        if self._doorman.heard(peer, message):
            return
        if isinstance(message, Hello | Watch) and not self._doorman.inside(peer):
            self._doorman.refuse(peer, PRIVATE)
        elif isinstance(message, Hello):
            self._enter(peer, message)
        elif isinstance(message, Watch):
            self._doorman.refuse(peer, NOT_BEGUN)

    def _enter(self, peer: bytes, hello: Hello) -> None:
        if refusal := self._lobby.enter(peer, _seen(self._mesh.host_of(peer)), hello):
            self._mesh.send(peer, encode(refusal))
            return
        self.show()
        if charter := self._lobby.propose():
            self._announce(running=True)
            self._tell_seated(encode(Propose(charter)))
            _begin(self._session, charter, self._meet)

    def _on_down(self, peer: bytes, reason: str) -> None:
        self._doorman.gone(peer)
        if self._lobby.leave(peer):
            self.show()


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
    judge: Judge = nobody_known,
    meet: Meet = nobody_met,
) -> AsyncIterator[Session]:
    """Create a table for `seats` players and sit at it; it begins when the last seat is taken.

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
        creator = _Creator(session, mesh, HostLobby(own, rules, seats), session.doorman, judge, meet)

        def trouble(sentence: str) -> None:
            session.tell(Notice(sentence, "the others can still join by typing an address"))

        async with running(session), announcing(bound, trouble) as announcer, trio.open_nursery() as nursery:
            creator.announcer = announcer if announce else None
            creator.show()
            nursery.start_soon(creator.watch)
            yield session
            nursery.cancel_scope.cancel()


class _Joiner:
    """What a joiner hears and answers until the charter."""

    def __init__(self, session: Session, mesh: Mesh, hello: Hello, code: str, judge: Judge, meet: Meet) -> None:
        self.answered = trio.Event()
        self._session, self._mesh = session, mesh
        self._hello, self._code = hello, code
        self._judge, self._meet = judge, meet
        self._host: bytes | None = None  # the creator's key
        self._guest: Guest | None = None  # as long as the creator has not proved to know the invite code
        self._offered: Rules | None = None
        self._accepted = False  # the own packs of the table
        self._proposed: Charter | None = None
        session.on_lobby_frame = self._on_frame
        session.on_lobby_down = self._on_down
        session.on_packs = self._on_packs

    def greet(self, host: bytes) -> None:
        """Ask the creator, who has this key, for a seat."""
        self._host = host
        if self._code:
            self._guest = Guest(self._code, self._session.identity.public, host)
            self._mesh.send(host, encode(Knock(self._guest.message)))
        else:
            self._mesh.send(host, encode(self._hello))

    def _on_frame(self, peer: bytes, frame: bytes) -> None:
        if peer != self._host:
            return  # other seats speak first to whom we may not know yet; their heads come again
        try:
            message = decode_frame(frame)
        except Malformed:
            return
        if isinstance(message, Bye):
            self._refuse(clean(message.reason, REASON_CELLS), HINTS.get(message.reason, ASK))
        elif self._guest is not None:
            self._prove(peer, self._guest, message)
        elif isinstance(message, Lobby):
            self._shown(message)
        elif isinstance(message, Propose) and self._offered is not None:
            self._propose(message.charter, self._offered)

    def _prove(self, host: bytes, guest: Guest, message: Frame) -> None:
        """Until the code is proved by both sides, nothing else is said or listened to."""
        if isinstance(message, Answer):
            self._mesh.send(host, encode(Confirm(guest.answered(message.message) or bytes(32))))
        elif isinstance(message, Confirm) and guest.confirmed(message.proof):
            self._guest = None
            self._mesh.send(host, encode(self._hello))
        else:
            self._refuse(WRONG)

    def _shown(self, lobby: Lobby) -> None:
        session = self._session
        self.answered.set()
        if not lobby.places or lobby.places[0].key != self._host:
            self._refuse("the list of seats begins with another key than the one that we have reached")
            return
        try:
            session.rules = self._offered = read_rules(lobby)
        except (RulesError, ValueError) as bad:
            self._refuse(f"the rules of the table are not known here: {bad}")
            return
        session.lobby_players = _judged(lobby.places, session.identity.public, self._judge)
        _talk(session, lobby)
        session.tell(LobbyChanged(session.lobby_players, lobby.wanted))
        if session.rules.own and not self._accepted:
            self._accepted = session.bot  # packs are data: a bot has nothing against them
            if not session.bot:
                session.tell(PacksOffered(tuple(hero.name for hero in session.rules.own)))

    def _propose(self, charter: Charter, offered: Rules) -> None:
        if problem := check_charter(charter, self._session.identity.public, offered, self._hello.hero):
            self._refuse(problem)
        elif self._accepted or not charter.packs:
            _begin(self._session, charter, self._meet)
        else:
            self._proposed = charter

    def _refuse(self, problem: str, hint: str = ASK) -> None:
        if self._session.failure is None:  # the first reason is the one to tell
            self._session.failure = Refused(problem, hint)
        self.answered.set()
        self._session.close()

    def _on_down(self, peer: bytes, reason: str) -> None:
        if peer == self._host:
            self._refuse(f"the table's creator is gone: {reason}", "ask whether the table still exists")

    def _on_packs(self, yes: bool) -> None:
        self._accepted = yes
        if not yes:
            self._session.close()
        elif self._proposed is not None:
            _begin(self._session, self._proposed, self._meet)


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
    code: str = "",
    judge: Judge = nobody_known,
    meet: Meet = nobody_met,
) -> AsyncIterator[Session]:
    """Take a seat at the table whose creator answers at `address` (`host`, `host:port`, `[v6]:port`).

    `expect`: the key that has to answer there. `code`: the invite code of a private table.

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
        own = host if _is_loopback(host) else None
        bound = await mesh.listen(own, 0)
        session.listening = own or "", bound[0][1]
        joiner = _Joiner(session, mesh, Hello(PROTOCOL, name, bot, hero, age, bound[0][1]), code, judge, meet)
        session.host_address = f"[{host}]" if ":" in host else host
        joiner.greet(await mesh.dial(host, port, expect))
        with trio.move_on_after(LOBBY_ANSWER):
            await joiner.answered.wait()
        if not joiner.answered.is_set():
            raise NotP2puno(f"{address} answers, but is no table", "ask for the address that the host's screen shows")
        async with running(session):
            yield session
