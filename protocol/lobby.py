"""Before a table: who sits down, and the charter that all will sign. Sans-IO, like the node.

The creator of a table keeps the list of places; when the last one is taken it proposes the charter, and from there on
it is a seat like any other.
"""

from __future__ import annotations

import secrets

from p2puno.rules import Rules, RulesError
from protocol.events import Player
from protocol.messages import PROTOCOL, Bye, Charter, Hello, Lobby, Place
from protocol.names import NAME_CELLS, clean


def players(places: tuple[Place, ...]) -> tuple[Player, ...]:
    """The places as the face shows them, names cleaned (C44)."""
    return tuple(Player(clean(place.name, NAME_CELLS), place.key, place.bot) for place in places)


class HostLobby:
    """The creator's list of places."""

    def __init__(self, own: Place, rules: Rules, wanted: int) -> None:
        self.places: list[Place] = [own]
        self.rules = rules
        self.wanted = wanted
        self.charter: Charter | None = None

    def enter(self, key: bytes, host: str, hello: Hello) -> Bye | None:
        """Seat a joiner seen at IP address `host` ("" if on the creator's own machine); a `Bye` says why not."""
        if hello.protocol != PROTOCOL:
            return Bye(f"this table speaks version {PROTOCOL} of the protocol, you speak {hello.protocol}")
        if any(place.key == key for place in self.places):
            return None
        if self.charter is not None:
            return Bye("the table has begun")
        if len(self.places) >= self.wanted:
            return Bye("the table is full")
        address = f"[{host}]:{hello.port}" if ":" in host else f"{host}:{hello.port}"
        self.places.append(
            Place(key, self._free_name(clean(hello.name, NAME_CELLS)), hello.bot, hello.hero, hello.age, (address,))
        )
        return None

    def _free_name(self, name: str) -> str:
        taken = {place.name for place in self.places}
        number, free = 2, name
        while free in taken:
            free = f"{clean(name, NAME_CELLS - 4)} ({number})"
            number += 1
        return free

    def leave(self, key: bytes) -> bool:
        """Free the place of a joiner that went before the start; whether it had one."""
        if self.charter is not None:
            return False
        before = len(self.places)
        self.places = [place for place in self.places if place.key != key or place is self.places[0]]
        return len(self.places) < before

    def shown(self) -> Lobby:
        """What everybody in the lobby is told."""
        return Lobby(self.wanted, self.rules.encode(), tuple(self.places))

    def propose(self) -> Charter | None:
        """The charter, once all places are taken."""
        if self.charter is None and len(self.places) == self.wanted:
            self.charter = Charter(PROTOCOL, self.rules.encode(), tuple(self.places), secrets.token_bytes(32))
        return self.charter


def check_charter(charter: Charter, key: bytes, offered: bytes) -> str:
    """Why this charter cannot be signed by the owner of `key`, who was offered the rules `offered`; "" if it can."""
    if charter.protocol != PROTOCOL:
        return f"the table speaks version {charter.protocol} of the protocol"
    if charter.rules != offered:
        return "the rules of the table are others than were shown"
    try:
        rules = Rules.decode(charter.rules)
    except (RulesError, ValueError) as bad:
        return f"the rules of the table are not known here: {bad}"
    if len(charter.roster) not in rules.pack.players:
        return f"{rules.pack.name} is not for {len(charter.roster)} players"
    keys = [place.key for place in charter.roster]
    if len(set(keys)) != len(keys):
        return "one key has two seats"
    if key not in keys:
        return "you have no seat"
    return ""
