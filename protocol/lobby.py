"""Before a table: who sits down, with which hero, and the charter that all will sign. Sans-IO, like the node.

The creator of a table keeps the list of who sits where; when all seats are taken and everybody is ready it proposes the
charter, and from there on it is a seat like any other. `protocol.joining` is the other side.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from msgspec.structs import replace as struct_replace

from p2puno.rules import Rules, RulesError
from p2puno.said import Said, said
from protocol.events import Player
from protocol.messages import FORMAT, PROTOCOL, Bye, Charter, Hello, Lobby, PackFile, Place, Prepare, Sitter
from protocol.names import NAME_CELLS, clean

NO_SEAT: Final = said("this table has no such seat")
TAKEN: Final = said("somebody sits there: a person's seat is free only when that person moves")
OTHER_VERSION: Final = said("this table speaks version {ours} of the protocol, you speak {theirs}")
HERO_GONE: Final = said("that hero is not free; free are {heroes}")
NO_HEROES: Final = said("this game has no heroes")
HERO_TAKEN: Final = said("that hero is not free")
BEGUN: Final = said("the table has begun")
WAITS: Final = said("not everybody is ready")
TOO_FEW: Final = said("this game needs more players")
NO_STARTER: Final = said("the seat that begins by the rules of this table would be missing")


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


def place_of(shown: Sequence[Player], key: bytes) -> int:
    """The place of this key among the players, -1 for none."""
    return next((place for place, player in enumerate(shown) if player.key == key), -1)


def read_rules(message: Lobby | Charter) -> Rules:
    """The rules of a lobby or charter, with the packs that came along.

    :raises RulesError: they are of no game known here, or a pack is broken
    """
    return Rules.decode(message.rules, {pack.id: pack.data for pack in message.packs})


def pack_files(rules: Rules) -> tuple[PackFile, ...]:
    """The own packs of the rules, as they travel."""
    return tuple(PackFile(ident, data) for ident, data in sorted(rules.own_packs().items()))


def sitting(sitters: Iterable[Sitter]) -> tuple[Player, ...]:
    """Who sits in the lobby as the face shows it, in the order of the seats."""
    ordered = by_seat(sitters)
    shown = players([sitter.place for sitter in ordered])
    return tuple(
        replace(player, seat=sitter.seat, ready=sitter.ready) for player, sitter in zip(shown, ordered, strict=True)
    )


def by_seat(sitters: Iterable[Sitter]) -> list[Sitter]:
    """The same in the order of the seats, which will be that of the roster."""
    return sorted(sitters, key=lambda sitter: sitter.seat)


class HostLobby:
    """The creator's list of who sits where. `sitters`: the creator first, then in the order in which they came."""

    def __init__(self, own: Place, rules: Rules, wanted: int, ready: bool = True) -> None:
        """
        :raises RulesError: the game is not for so many players, or there is no such hero
        """
        if wanted not in rules.players:
            some = said("{fewest} to {most} players", fewest=rules.players[0], most=rules.players[-1])
            raise RulesError(
                said("{game} is for {players}, not {wanted}", game=rules.name, players=some, wanted=wanted),
                said("choose the number with --seats or --bots"),
            )
        if own.hero:
            rules.hero(own.hero)
        self.sitters: list[Sitter] = [Sitter(0, ready, own)]
        self.rules = rules
        self.wanted = wanted
        self.charter: Charter | None = None
        self._room = secrets.token_bytes(32)

    @property
    def places(self) -> tuple[Place, ...]:
        """Whose seats are taken, in the order of the seats."""
        return tuple(sitter.place for sitter in by_seat(self.sitters))

    def enter(self, key: bytes, host: str, hello: Hello) -> Bye | None:
        """Seat a joiner seen at IP address `host` ("" if on the creator's own machine) at the first free seat; a `Bye`
        says why not. A bot is ready, a person not before it says so."""
        address = f"[{host}]:{hello.port}" if ":" in host else f"{host}:{hello.port}"
        if hello.protocol != PROTOCOL:
            return Bye(Said(OTHER_VERSION.template, ours=PROTOCOL, theirs=hello.protocol))
        sitter = self._sitter(key)
        if sitter is not None and self.charter is not None:  # it was cut off before it had signed anything
            self._put(sitter, struct_replace(sitter, ready=sitter.place.bot))
            return None
        if sitter is not None:  # the same player again, or the same key in a second program (C51)
            return (
                None if sitter.place.addresses == (address,) else Bye(said("this identity sits at the table already"))
            )
        if self.charter is not None:
            return Bye(said("the table has begun"))
        taken = {sitter.seat for sitter in self.sitters}
        seat = next((seat for seat in range(self.wanted) if seat not in taken), -1)
        if seat < 0:
            return Bye(said("the table is full"))
        free = self._free_heroes()
        if hello.hero and hello.hero not in free:
            if not free:
                return Bye(NO_HEROES)
            return Bye(Said(HERO_GONE.template, heroes=", ".join(free))[:200])
        name = self._free_name(clean(hello.name, NAME_CELLS))
        self.sitters.append(Sitter(seat, hello.bot, Place(key, name, hello.bot, hello.hero, hello.age, (address,))))
        return None

    def prepare(self, key: bytes, wish: Prepare) -> str:
        """Let the player with this key change its own hero, seat and mark of being ready; all three or none. "" if that
        is granted, or why it is not.

        A seat can be had that is free, or a bot's: then the two swap, as a bot does not mind where it sits. Once the
        table has begun only who said hello again can say that it is ready.
        """
        sitter = self._sitter(key)
        if sitter is None:
            return BEGUN
        if self.charter is not None:  # what it sat down with holds; it may be ready again
            again = struct_replace(sitter, ready=True)
            if wish != Prepare(sitter.place.hero, sitter.seat, True):
                return BEGUN
            self._put(sitter, again)
            return ""
        if wish.seat >= self.wanted:
            return NO_SEAT
        there = next((other for other in self.sitters if other.seat == wish.seat and other is not sitter), None)
        if there is not None and not there.place.bot:
            return TAKEN
        if wish.hero and wish.hero != sitter.place.hero and wish.hero not in self._free_heroes():
            return HERO_TAKEN
        ready = wish.ready or sitter.place.bot
        if there is not None:
            self._put(there, Sitter(sitter.seat, there.ready, there.place))
        self._put(sitter, Sitter(wish.seat, ready, struct_replace(sitter.place, hero=wish.hero)))
        return ""

    def start(self) -> str:
        """Begin with who is here, leaving out the seats that nobody has taken: then `propose` has a charter. "" if that
        can be done, or why not. The creator, who asks for it, is ready."""
        if self.charter is not None:
            return BEGUN
        if len(self.sitters) not in self.rules.players:
            return TOO_FEW
        if self.rules.starter.isdigit() and int(self.rules.starter) > len(self.sitters):
            return NO_STARTER
        if not all(sitter.ready for sitter in self.sitters[1:]):
            return WAITS
        self._put(self.sitters[0], struct_replace(self.sitters[0], ready=True))
        seats = {sitter.seat: number for number, sitter in enumerate(by_seat(self.sitters))}
        self.sitters = [struct_replace(sitter, seat=seats[sitter.seat]) for sitter in self.sitters]
        self.wanted = len(self.sitters)
        return ""

    def _sitter(self, key: bytes) -> Sitter | None:
        return next((sitter for sitter in self.sitters if sitter.place.key == key), None)

    def _put(self, old: Sitter, new: Sitter) -> None:
        self.sitters[self.sitters.index(old)] = new

    def _free_heroes(self) -> list[str]:
        return self.rules.free_heroes(sitter.place.hero for sitter in self.sitters)

    def _free_name(self, name: str) -> str:
        taken = {sitter.place.name for sitter in self.sitters}
        number, free = 2, name
        while free in taken:
            free = f"{clean(name, NAME_CELLS - 4)} ({number})"
            number += 1
        return free

    def leave(self, key: bytes) -> bool:
        """Free the seat of a joiner that went before the start; whether it had one."""
        sitter = self._sitter(key)
        if self.charter is not None or sitter is None or sitter is self.sitters[0]:
            return False
        self.sitters.remove(sitter)
        return True

    def shown(self) -> Lobby:
        """What everybody in the lobby is told."""
        return Lobby(self.wanted, self.rules.encode(), pack_files(self.rules), tuple(self.sitters), self._room)

    def propose(self) -> Charter | None:
        """The charter, once all seats are taken and everybody is ready; who chose no hero gets a free one by lot, of
        the game's own set while there are any."""
        full = len(self.sitters) == self.wanted and all(sitter.ready for sitter in self.sitters)
        if self.charter is None and full:
            rules, roster = self.rules, list(self.places)
            if rules.offered():
                for seat, place in enumerate(roster):
                    if not place.hero:
                        free = rules.free_heroes(other.hero for other in roster)
                        own = [hero for hero in free if rules.hero(hero).set == rules.variant]
                        roster[seat] = struct_replace(place, hero=secrets.choice(own or free))
                rules = rules.seated([place.hero for place in roster])
            self.charter = Charter(FORMAT, rules.encode(), pack_files(rules), tuple(roster), secrets.token_bytes(32))
        return self.charter
