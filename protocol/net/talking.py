"""How the people at a table talk over its links: in the lobby by its creator, at the table each with all others."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable

import trio

from p2puno.rules import Rules
from p2puno.said import said
from protocol.chat import Heard, Talk, Unwelcome
from protocol.errors import NotSaid
from protocol.events import Chatted, Event, Notice
from protocol.identity import Identity
from protocol.lobby import place_of
from protocol.messages import Lobby
from protocol.net.mesh import Mesh
from protocol.net.seated import Seated


class Talking(Seated):
    """The part of a session by which people talk. `events`: all that the face is told."""

    def __init__(self, identity: Identity) -> None:
        super().__init__()
        self._send_event, self.events = trio.open_memory_channel[Event](math.inf)
        self.identity = identity
        self.rules: Rules | None = None
        self.mesh: Mesh | None = None
        self.talk = Talk(identity, time.time_ns() // 1_000_000)
        self._closed = trio.Event()

    def tell(self, event: Event) -> None:
        """Tell the face, unless the table is over."""
        try:
            self._send_event.send_nowait(event)
        except (trio.ClosedResourceError, trio.BrokenResourceError):
            return

    def chat(self, text: str) -> None:
        """Say a text to all who sit here; it comes back as `Chatted`.

        :raises NotSaid: it is too long or too much at once, or the table does not allow it
        """
        self._say(*self.talk.text(text, self._open()))

    def phrase(self, number: int) -> None:
        """Say a quick phrase, counted from 1.

        :raises NotSaid: there is none, it is too much at once, or the table does not allow it
        """
        self._say(*self.talk.phrase(number, self._open()))

    def mute(self, seat: int, quiet: bool = True) -> None:
        """Hear no more of the player at this place of `players`, or hear it again; the others are told nothing."""
        key = self.players[seat].key
        (self.talk.muted.add if quiet else self.talk.muted.discard)(key)

    @property
    def company(self) -> tuple[int, ...]:
        """The places in `players` of the other people: bots do not talk."""
        own = self.identity.public
        return tuple(n for n, player in enumerate(self.players) if not player.bot and player.key != own)

    @property
    def muted(self) -> tuple[int, ...]:
        """The places in `players` of whom nothing is heard."""
        return tuple(seat for seat, player in enumerate(self.players) if player.key in self.talk.muted)

    def enter_lobby(self, lobby: Lobby) -> None:
        """Talk with those who are in the lobby of this table."""
        keys = [sitter.place.key for sitter in lobby.sitters]
        self.talk.wait(keys[0], lobby.room, keys, self._allowed_chat())

    def enter_table(self, table: bytes) -> None:
        """Talk with those who sit at the table with this id."""
        self.talk.enter(table, (player.key for player in self.players), self._allowed_chat())

    # -- inside

    def _allowed_chat(self) -> str:
        return self.rules.chat if self.rules is not None else "off"

    def _open(self) -> float:
        if self._closed.is_set():
            raise NotSaid(said("the table is over"), said("nobody hears it any more"))
        return trio.current_time()

    def _say(self, heard: Heard, frame: bytes) -> None:
        self._tell_chat(heard)
        self._pass_on(frame, ())

    def heard_chat(self, peer: bytes, frame: bytes) -> None:
        """A remark comes from somebody who sits here."""
        assert self.mesh is not None
        if self._closed.is_set():
            return
        try:
            heard = self.talk.hear(peer, frame, trio.current_time())
        except Unwelcome as bad:
            if bad.floods and bad.floods not in self.talk.muted:
                self._complain(bad.floods)
            self.mesh.wasted(peer, len(frame))
            return
        if heard is not None:
            self._pass_on(frame, (peer, heard.author))
            if heard.author not in self.talk.muted:
                self._tell_chat(heard)

    def _pass_on(self, frame: bytes, but: Iterable[bytes]) -> None:
        assert self.mesh is not None
        for peer in self.talk.people.difference(but, (self.identity.public,)):
            self.mesh.send(peer, frame)  # who has no link to us gets it from somebody else

    def _tell_chat(self, heard: Heard) -> None:
        seat = place_of(self.players, heard.author)
        if seat >= 0:
            self.tell(Chatted(seat, heard.text, heard.phrase))

    def _complain(self, author: bytes) -> None:
        seat = place_of(self.players, author)
        if seat >= 0:
            name = self.players[seat].name
            self.tell(
                Notice(
                    said("{name} writes too much at once: some of it is not shown", name=name),
                    said("whoever disturbs you can be muted"),
                )
            )
