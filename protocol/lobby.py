"""Before a table: who sits down, with which hero, and the charter that all will sign. Sans-IO, like the node.

The creator of a table keeps the list of places; when the last one is taken it proposes the charter, and from there on
it is a seat like any other.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from msgspec.structs import replace

from p2puno.rules import Rules, RulesError
from protocol.events import Player
from protocol.messages import PROTOCOL, Bye, Charter, Hello, Lobby, PackFile, Place
from protocol.names import NAME_CELLS, clean


def players(places: Sequence[Place]) -> tuple[Player, ...]:
    """The places as the face shows them, names cleaned (C44)."""
    return tuple(
        Player(
            clean(place.name, NAME_CELLS),
            place.key,
            place.bot,
            hero=clean(place.hero, NAME_CELLS) if place.hero else "",
        )
        for place in places
    )


def read_rules(message: Lobby | Charter) -> Rules:
    """The rules of a lobby or charter, with the packs that came along.

    :raises RulesError: they are of no game known here, or a pack is broken
    """
    return Rules.decode(message.rules, {pack.id: pack.data for pack in message.packs})


def pack_files(rules: Rules) -> tuple[PackFile, ...]:
    """The own packs of the rules, as they travel."""
    return tuple(PackFile(ident, data) for ident, data in sorted(rules.own_packs().items()))


class HostLobby:
    """The creator's list of places."""

    def __init__(self, own: Place, rules: Rules, wanted: int) -> None:
        """
        :raises RulesError: the game is not for so many players, or there is no such hero
        """
        if wanted not in rules.players:
            some = f"{rules.players[0]} to {rules.players[-1]} players"
            raise RulesError(f"{rules.name} is for {some}, not {wanted}", "choose the number with --seats or --bots")
        if own.hero:
            rules.hero(own.hero)
        self.places: list[Place] = [own]
        self.rules = rules
        self.wanted = wanted
        self.charter: Charter | None = None
        self._room = secrets.token_bytes(32)

    def enter(self, key: bytes, host: str, hello: Hello) -> Bye | None:
        """Seat a joiner seen at IP address `host` ("" if on the creator's own machine); a `Bye` says why not."""
        address = f"[{host}]:{hello.port}" if ":" in host else f"{host}:{hello.port}"
        if hello.protocol != PROTOCOL:
            return Bye(f"this table speaks version {PROTOCOL} of the protocol, you speak {hello.protocol}")
        for place in self.places:
            if place.key == key:  # the same player again, or the same key in a second program (C51)
                return None if place.addresses == (address,) else Bye("this identity sits at the table already")
        if self.charter is not None:
            return Bye("the table has begun")
        if len(self.places) >= self.wanted:
            return Bye("the table is full")
        free = self.rules.free_heroes(place.hero for place in self.places)
        if hello.hero and hello.hero not in free:
            return Bye(
                f"that hero is not free; free are {', '.join(free)}"[:200] if free else "this game has no heroes"
            )
        name = self._free_name(clean(hello.name, NAME_CELLS))
        self.places.append(Place(key, name, hello.bot, hello.hero, hello.age, (address,)))
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
        return Lobby(self.wanted, self.rules.encode(), pack_files(self.rules), tuple(self.places), self._room)

    def propose(self) -> Charter | None:
        """The charter, once all places are taken; who chose no hero gets a free one by lot, of the game's own
        set while there are any."""
        if self.charter is None and len(self.places) == self.wanted:
            rules = self.rules
            if rules.offered():
                for seat, place in enumerate(self.places):
                    if not place.hero:
                        free = rules.free_heroes(other.hero for other in self.places)
                        own = [hero for hero in free if rules.hero(hero).set == rules.variant]
                        self.places[seat] = replace(place, hero=secrets.choice(own or free))
                rules = rules.seated([place.hero for place in self.places])
            self.charter = Charter(
                PROTOCOL, rules.encode(), pack_files(rules), tuple(self.places), secrets.token_bytes(32)
            )
        return self.charter


def check_charter(charter: Charter, key: bytes, offered: Rules, hero: str = "") -> str:
    """Why this charter cannot be signed by the owner of `key`, who was offered the rules `offered` and wished for
    `hero`; "" if it can."""
    if charter.protocol != PROTOCOL:
        return f"the table speaks version {charter.protocol} of the protocol"
    own = [place for place in charter.roster if place.key == key]
    try:
        heroes = [place.hero for place in charter.roster]
        expected = offered.seated(heroes) if offered.offered() else offered
        same = read_rules(charter).encode() == charter.rules == expected.encode()
    except (RulesError, ValueError) as bad:
        return f"the rules of the table do not hold: {bad}"
    if not same:
        return "the rules of the table are others than were shown"
    if len({place.key for place in charter.roster}) != len(charter.roster):
        return "one key has two seats"
    if not own:
        return "you have no seat"
    if hero and own[0].hero != hero:
        return f"you would get {own[0].hero} and not {hero}"
    return ""
