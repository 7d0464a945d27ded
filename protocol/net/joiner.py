"""What a joiner hears and answers over real links, until it has the charter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import trio

from p2puno.said import said
from protocol import events as tell
from protocol.errors import Refused
from protocol.events import LobbyChanged, PacksOffered
from protocol.invite import WRONG, Guest
from protocol.joining import JoinerLobby
from protocol.lobby import HERO_GONE, NO_HEROES, place_of
from protocol.messages import (
    Answer,
    Bye,
    Carry,
    Charter,
    Confirm,
    Declined,
    Frame,
    Heads,
    Hello,
    Knock,
    Lobby,
    Malformed,
    Propose,
    Sitter,
    decode_frame,
    encode,
)
from protocol.net.doorman import PRIVATE
from protocol.net.driver import PATIENCE, Session
from protocol.net.gallery import WATCHABLE
from protocol.net.interfaces import addresses_of, interfaces
from protocol.net.meeting import ASK, Judge, Meet, begin, given, judged
from protocol.net.mesh import Mesh

HINTS: Final[Mapping[str, str]] = {
    PRIVATE: said("ask for it, and add --code CODE"),
    WATCHABLE: said("`p2puno watch` with the same address shows it"),
    HERO_GONE.template: said("choose one of them with --hero, or sit down without: then one is drawn by lot"),
    NO_HEROES.template: said("sit down without --hero"),
}
"""What to do about a refusal, by its sentence."""

MOST_SOUGHT: Final = 64
"""So many of those who come to a lobby, and go, are linked before the start: its creator could have everybody knock at
any machine (C45)."""
MOST_HELD, MAX_HELD = 8, 4096
"""So many frames of one seat, of so many bytes each, wait until we have the charter, too (C45)."""


class Joiner:
    """A joiner's end of the lobby. `ready`: says so at once."""

    def __init__(
        self, session: Session, mesh: Mesh, hello: Hello, ready: bool, code: str, judge: Judge, meet: Meet
    ) -> None:
        self.answered = trio.Event()
        self._session, self._mesh = session, mesh
        self._hello, self._ready, self._code = hello, ready, code
        self._judge, self._meet = judge, meet
        self._host = b""  # the creator's key
        self._lobby: JoinerLobby | None = None
        self._guest: Guest | None = None  # as long as the creator has not proved to know the invite code
        self._accepted = False  # the own packs of the table
        self._proposed: Charter | None = None
        self._sitting: list[bytes] = []  # the joiners that were shown last, ourselves among them
        self._sought: set[bytes] = set()  # all that we have ever sought
        self._held: list[tuple[bytes, bytes]] = []  # (key, frame) of those who have begun before us
        session.on_lobby_frame = self._on_frame
        session.on_lobby_down = self._on_down
        session.on_packs = self._on_packs
        session.on_prepare = self._prepare

    def greet(self, host: bytes) -> None:
        """Ask the creator, who has this key, for a seat."""
        self._host = host
        self._lobby = JoinerLobby(self._session.identity.public, host, self._hello.hero, self._hello.bot)
        if self._code:
            self._guest = Guest(self._code, self._session.identity.public, host)
            self._mesh.send(host, encode(Knock(self._guest.message)))
        else:
            self._mesh.send(host, encode(self._hello))

    def _on_frame(self, peer: bytes, frame: bytes) -> None:
        if peer != self._host:
            if peer in self._sitting:
                self._hold(peer, frame)
            return
        try:
            message = decode_frame(frame)
        except Malformed:
            return
        if isinstance(message, Carry | Heads):  # it plays already, as we were cut off at the start
            self._hold(peer, frame)
            return
        if isinstance(message, Bye):
            reason = given(message.reason)
            self._refuse(reason, HINTS.get(reason.template, ASK))
        elif self._guest is not None:
            self._prove(peer, self._guest, message)
        elif self._lobby is None:
            return
        elif isinstance(message, Lobby):
            self._shown(message, self._lobby)
        elif isinstance(message, Declined):
            self._lobby.declined()
            self._session.tell(tell.Refused(given(message.reason)))
        elif isinstance(message, Propose):
            self._propose(message.charter, self._lobby)

    def _hold(self, peer: bytes, frame: bytes) -> None:
        """Keep what a seat says that has begun before us: its signature under the charter, and how far it is."""
        if len(frame) <= MAX_HELD and sum(speaker == peer for speaker, _ in self._held) < MOST_HELD:
            self._held.append((peer, frame))

    def _prove(self, host: bytes, guest: Guest, message: Frame) -> None:
        """Until the code is proved by both sides, nothing else is said or listened to."""
        if isinstance(message, Answer):
            self._mesh.send(host, encode(Confirm(guest.answered(message.message) or bytes(32))))
        elif isinstance(message, Confirm) and guest.confirmed(message.proof):
            self._guest = None
            self._mesh.send(host, encode(self._hello))
        else:
            self._refuse(WRONG)

    def _shown(self, message: Lobby, lobby: JoinerLobby) -> None:
        session = self._session
        self.answered.set()
        if problem := lobby.show(message):
            self._refuse(problem)
            return
        own = session.identity.public
        session.rules = lobby.rules
        session.lobby_players = shown = judged(message.sitters, own, self._judge)
        session.enter_lobby(message)
        self._link(message.sitters[1:])
        session.tell(LobbyChanged(shown, message.wanted, me=place_of(shown, own)))
        if self._ready:
            self._ready = False
            self._prepare(None, None, True)
        if session.rules is not None and session.rules.own and not self._accepted:
            self._accepted = session.bot  # packs are data: a bot has nothing against them
            if not session.bot:
                session.tell(PacksOffered(tuple(hero.name for hero in session.rules.own)))

    def _link(self, joiners: Sequence[Sitter]) -> None:
        """Have links with the other joiners before the table begins, so that nobody waits for them then. Who came later
        dials."""
        sitting = [joiner.place.key for joiner in joiners]
        gone, came = set(self._sitting) - set(sitting), set(sitting) - set(self._sitting)
        self._sitting = sitting
        for peer in gone:
            self._mesh.drop(peer)
        if not came or len(self._sought | came) > MOST_SOUGHT:
            return
        self._sought |= came
        own, here = interfaces(), sitting.index(self._session.identity.public)
        for number, joiner in enumerate(joiners):
            if joiner.place.key in came and number != here:
                addresses = addresses_of(joiner.place, self._session.host_address, own)
                self._mesh.keep(joiner.place.key, addresses, 0.0 if number < here else PATIENCE)

    def _prepare(self, hero: str | None, seat: int | None, ready: bool | None) -> None:
        """Our player changes something: the creator is asked for it."""
        if self._lobby is None or self._session.seat >= 0:  # not reached yet, or begun
            return
        wish = self._lobby.ask(hero, seat, ready)
        if wish is not None:
            self._mesh.send(self._host, encode(wish))

    def _propose(self, charter: Charter, lobby: JoinerLobby) -> None:
        if problem := lobby.check(charter):
            self._refuse(problem)
        elif self._accepted or not charter.packs:
            self._begin(charter)
        else:
            self._proposed = charter

    def _begin(self, charter: Charter) -> None:
        held, self._held = self._held, []
        begin(self._session, charter, self._meet, held)

    def _refuse(self, problem: str, hint: str = ASK) -> None:
        if self._session.failure is None:  # the first reason is the one to tell
            self._session.failure = Refused(problem, hint)
        self.answered.set()
        self._session.close()

    def _on_down(self, peer: bytes, reason: str) -> None:
        if peer == self._host:
            self._refuse(
                said("the table's creator is gone: {reason}", reason=reason), said("ask whether the table still exists")
            )

    def _on_packs(self, yes: bool) -> None:
        self._accepted = yes
        if not yes:
            self._session.close()
        elif self._proposed is not None:
            self._begin(self._proposed)
