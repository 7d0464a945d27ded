"""The lobby at the table's creator, over real links: who comes, who gets in, and what they are told."""

from __future__ import annotations

from typing import Final

import trio

from p2puno.said import said
from protocol.events import LobbyChanged, Refused
from protocol.lobby import HostLobby, place_of
from protocol.messages import Declined, Hello, Malformed, Prepare, Propose, Watch, decode_frame, encode
from protocol.net.address import parse_address
from protocol.net.advert import Advert, digest, unusual_options
from protocol.net.discovery import Announcer
from protocol.net.doorman import Doorman
from protocol.net.driver import Session
from protocol.net.interfaces import own_hosts
from protocol.net.meeting import Judge, Meet, begin, judged, seen
from protocol.net.mesh import Mesh

SEAT_LIMIT: Final = 20.0
"""Seconds after which a link that has got no seat is ended, so that links without one cannot pile up (C45)."""
NOT_BEGUN: Final = said("the table has not begun: there is nothing to watch yet")


class Creator:
    """The lobby at the table's creator: who comes, who gets in, and what they are told."""

    def __init__(
        self, session: Session, mesh: Mesh, lobby: HostLobby, doorman: Doorman, judge: Judge, meet: Meet
    ) -> None:
        self.announcer: Announcer | None = None
        self.invites = True  # whether somebody can still come, and is to be told how
        self._session, self._mesh, self._lobby = session, mesh, lobby
        self._doorman = doorman
        self._judge, self._meet = judge, meet
        self._since: dict[bytes, float] = {}  # when a link without a seat was first seen
        session.admits = self._admits
        session.on_lobby_frame = self._on_frame
        session.on_lobby_down = self._on_down
        session.on_prepare = self._prepare
        session.on_start = self._start

    def show(self) -> None:
        """Tell everybody at the table, ourselves and the network how it stands."""
        session, lobby = self._session, self._lobby
        own = session.identity.public
        session.lobby_players = shown = judged(lobby.sitters, own, self._judge)
        me = place_of(shown, own)
        addresses = session.addresses if self.invites else ()
        session.tell(LobbyChanged(shown, lobby.wanted, addresses, self._doorman.code, me, creator=True))
        message = lobby.shown()
        session.enter_lobby(message)
        self._tell_seated(encode(message))
        self._announce()

    def _announce(self, running: bool = False) -> None:
        """Tell the network of the table: as long as it can be joined, or else if it can be watched."""
        lobby, rules = self._lobby, self._lobby.rules
        if self.announcer is None:
            return
        if running and not rules.watchers:
            self.announcer.hush()
            return
        own, private = lobby.sitters[0].place, bool(self._doorman.code)
        seats = len(lobby.sitters), lobby.wanted
        flags = private, running, rules.watchers
        advert = Advert(own.key, own.name, rules.variant, *seats, digest(rules), *flags, unusual_options(rules))
        self.announcer.show(advert)

    async def watch(self) -> None:
        """As long as there is a lobby, end links that take no seat, and show how others join when our addresses change;
        tell the network when the table is over."""
        bound = [parse_address(address)[0] for address in self._session.addresses]
        hosts = own_hosts(bound)
        while self._lobby.charter is None:
            before, hosts = hosts, own_hosts(bound)
            if hosts != before:
                self.show()
            now = trio.current_time()
            seated = {place.key for place in self._lobby.places}
            self._since = {peer: self._since.get(peer, now) for peer in self._mesh.peers if peer not in seated}
            for peer, since in self._since.items():
                if now - since >= SEAT_LIMIT:
                    self._mesh.drop(peer, said("no seat was taken"))
            await trio.sleep(SEAT_LIMIT / 4)
        await self._session.parting()  # not at the end of our farewell: this one takes as long
        if self.announcer is not None:
            self.announcer.hush()

    def _admits(self, peer: bytes) -> bool:
        """Not a second program with the key of somebody who sits here: it would take over the link (C51)."""
        return not self._sits(peer)

    def _tell_seated(self, frame: bytes) -> None:
        for sitter in self._lobby.sitters[1:]:
            self._mesh.send(sitter.place.key, frame)

    def _on_frame(self, peer: bytes, frame: bytes) -> None:
        try:
            message = decode_frame(frame)
        except Malformed:
            return
        if self._doorman.heard(peer, message):
            return
        if isinstance(message, Hello):
            self._enter(peer, message)
        elif isinstance(message, Prepare):
            self._changed(peer, message)
        elif isinstance(message, Watch):
            self._doorman.refuse(peer, NOT_BEGUN)

    def _enter(self, peer: bytes, hello: Hello) -> None:
        if self._sits(peer) and not self._mesh.changes(peer):
            return
        if refusal := self._lobby.enter(peer, seen(self._mesh.host_of(peer)), hello):
            self._mesh.send(peer, encode(refusal))
        elif self._lobby.charter is None:
            self._go_on()
        else:
            self._again(peer)

    def _changed(self, peer: bytes, wish: Prepare) -> None:
        """A joiner changes what is its own; from anybody else it is nothing to us."""
        if not self._sits(peer) or not self._mesh.changes(peer):
            return
        if refusal := self._lobby.prepare(peer, wish):
            self._mesh.send(peer, encode(Declined(refusal)))
        elif self._lobby.charter is None:
            self._go_on()
        else:
            self._again(peer)

    def _again(self, peer: bytes) -> None:
        """A joiner was cut off at the very start, before it had signed anything: it is shown the seats again, and gets
        the charter as soon as it is ready."""
        shown, charter = self._lobby.shown(), self._lobby.charter
        self._mesh.send(peer, encode(shown))
        if charter is not None and any(sitter.ready and sitter.place.key == peer for sitter in shown.sitters):
            self._mesh.send(peer, encode(Propose(charter)))

    def _prepare(self, hero: str | None, seat: int | None, ready: bool | None) -> None:
        """Our own player changes something."""
        if self._lobby.charter is not None:
            return
        own = self._lobby.sitters[0]
        wish = Prepare(
            own.place.hero if hero is None else hero,
            own.seat if seat is None else seat,
            own.ready if ready is None else ready,
        )
        self._answer(self._lobby.prepare(own.place.key, wish))

    def _start(self) -> None:
        if self._lobby.charter is None:
            self._answer(self._lobby.start())

    def _answer(self, refusal: str) -> None:
        if refusal:
            self._session.tell(Refused(refusal))
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Something has changed: tell it, and begin if nothing is waited for any more."""
        self.show()
        if charter := self._lobby.propose():
            self._announce(running=True)
            self._tell_seated(encode(Propose(charter)))
            begin(self._session, charter, self._meet)

    def _sits(self, peer: bytes) -> bool:
        return any(place.key == peer for place in self._lobby.places)

    def _on_down(self, peer: bytes, reason: str) -> None:
        self._doorman.gone(peer)
        if self._lobby.leave(peer):
            self.show()
