"""A table that gathers without a network: the real list of seats behind it, and other people who say what they want."""

from __future__ import annotations

from typing import Any

import trio

from cli.setup.model import Creator, Prepare
from p2puno.match import Match
from protocol.events import Event, LobbyChanged, Refused
from protocol.identity import Identity
from protocol.lobby import HostLobby, players, read_rules, sitting
from protocol.messages import PROTOCOL, Hello, Place
from protocol.messages import Prepare as Wish
from tests.cli.fakes import FakeSession


class Gathering(FakeSession):
    """The table is ours with `creator`; when it has begun, `FakeSession` plays it, with us at the first seat."""

    def __init__(self, seats: int = 3, creator: bool = True, **more: Any) -> None:
        super().__init__(seats, **more)
        assert self.rules is not None
        self.creator = creator
        self.key = bytes(32)
        self.lobby = HostLobby(Place(self.key, "Mia", False, "", 0, (":4242",)), self.rules, seats, ready=False)
        self._begun = trio.Event()
        self.players = ()

    def comes(self, name: str, bot: bool = False, hero: str = "") -> bytes:
        """Somebody sits down; the key."""
        key = Identity.fresh().public
        assert self.lobby.enter(key, "", Hello(PROTOCOL, name, bot, hero, 0, 5000 + len(self.lobby.sitters))) is None
        self._changed()
        return key

    def wants(self, key: bytes, hero: str = "", seat: int | None = None, ready: bool = False) -> None:
        """Somebody else changes something."""
        own = next(sitter.seat for sitter in self.lobby.sitters if sitter.place.key == key)
        assert self.lobby.prepare(key, Wish(hero, own if seat is None else seat, ready)) == ""
        self._changed()

    def prepare(self, hero: str | None = None, seat: int | None = None, ready: bool | None = None) -> None:
        self.changes.append(Prepare(hero, seat, ready))
        own = self.lobby.sitters[0]
        wish = Wish(
            own.place.hero if hero is None else hero,
            own.seat if seat is None else seat,
            own.ready if ready is None else ready,
        )
        self._answer(self.lobby.prepare(self.key, wish))

    def start(self) -> None:
        super().start()
        self._answer(self.lobby.start())

    def add_bot(self) -> None:
        self.changes.append(Creator.BOT)
        self.comes("Ada", bot=True)

    def lobby_event(self) -> Event:
        """The list of seats as it stands."""
        shown = sitting(self.lobby.sitters)
        me = next(place for place, player in enumerate(shown) if player.key == self.key)
        addresses = ("127.0.0.1:4242",) if self.creator else ()
        return LobbyChanged(shown, self.lobby.wanted, addresses, me=me, creator=self.creator)

    def _answer(self, refusal: str) -> None:
        if refusal:
            self.show(Refused(refusal))
        else:
            self._changed()

    def _changed(self) -> None:
        self.show(self.lobby_event())
        if self.lobby.propose() is not None:
            self._begun.set()

    async def _play(self, scope: trio.CancelScope) -> None:
        self.show(self.lobby_event())
        await self._begun.wait()
        charter = self.lobby.charter
        assert charter is not None
        self.rules, self.players = read_rules(charter), players(charter.roster)
        self._match = Match(self.rules, len(self.players), 0)
        await super()._play(scope)
