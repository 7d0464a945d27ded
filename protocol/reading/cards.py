"""What lies in the slots, as all can compute it: known faces, stock under the joint key, cards that one seat holds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from p2puno.rules import Rules
from p2puno.said import said
from protocol.group import POINT_BYTES, Point, group
from protocol.proofs.encoding import Card, some
from protocol.reading.trouble import Stuck, Wrong


@dataclass(frozen=True, slots=True)
class Known:
    """Its face is public."""

    face: int


@dataclass(frozen=True, slots=True)
class Stock:
    """(r·G, M + r·Y): all seats together open it."""

    a: Point
    b: Point


@dataclass(frozen=True, slots=True)
class Held:
    """(r·G, M + r·X): seat `seat` alone opens it."""

    seat: int
    a: Point
    b: Point


Lying: TypeAlias = Known | Stock | Held
_NO_KEY: Final = bytes(POINT_BYTES)


@lru_cache(maxsize=16)
def faces_of(rules: Rules) -> tuple[Point, ...]:
    """The point of every kind of card (docs/deck-protocol.md, section 4): equal cards share it."""
    names = [kind.id.encode() for kind in rules.kinds]
    kinds = hashlib.sha256(b"\n".join(names)).digest()
    return tuple(group.h2g(b"card", kinds, name) for name in names)


class Cards:
    """The cards of one hand. `keys`: by seat; `joint`: their sum; `lying`: by slot."""

    def __init__(self, rules: Rules, keys: Mapping[int, Point], seats: int) -> None:
        """
        :raises Wrong: the keys add up to the identity, which no seat can bring about alone
        """
        self.points = faces_of(rules)
        self.keys = dict(keys)
        self.seats = seats
        self.joint = some(group.sum(self.keys.values()))
        self.lying: list[Lying] = [Known(face) for face in rules.deck()]
        self._spelled = [_spelled(lying) for lying in self.lying]  # as the digest has them
        self._numbers = {point.encoded: face for face, point in enumerate(self.points)}

    def digest(self) -> bytes:
        """What the public state says of the cards (docs/wire.md, section 6)."""
        keys = [self.keys[seat].encoded if seat in self.keys else _NO_KEY for seat in range(self.seats)]
        return hashlib.sha256(b"".join([self.joint.encoded, *keys, *self._spelled])).digest()

    def lay(self, slot: int, lying: Lying) -> None:
        """Something else lies in a slot."""
        self.lying[slot] = lying
        self._spelled[slot] = _spelled(lying)

    def under(self, slots: Iterable[int], seat: int = -1) -> list[Card]:
        """Cards as they enter a shuffle: under the joint key, or that of a seat whose hand is mixed."""
        key = self.joint if seat < 0 else self.keys[seat]
        return [self._masked(slot, key) for slot in slots]

    def _masked(self, slot: int, key: Point) -> Card:
        match self.lying[slot]:
            case Known(face):
                return group.G, some(group.add(self.points[face], key))
            case Stock(a, b) | Held(_, a, b):
                return a, b

    def held(self, slot: int, seat: int) -> Held:
        """The card of a slot that this seat says it holds.

        :raises Wrong: another seat holds it, or nobody
        """
        lying = self.lying[slot] if slot < len(self.lying) else None
        if not isinstance(lying, Held) or lying.seat != seat:
            raise Wrong(said("slot {slot} is not in its hand", slot=slot))
        return lying

    def owing(self, slot: int, receiver: int, everybody: Sequence[int]) -> tuple[int, ...]:
        """Who owes a share so that this slot is opened to `receiver` (a seat, or ALL, which is below 0)."""
        match self.lying[slot]:
            case Stock():
                return tuple(seat for seat in everybody if seat != receiver)
            case Held(seat):
                return (seat,) if receiver != seat else ()
            case Known():
                return ()

    def a(self, slot: int) -> Point:
        """What shares of a hidden slot are multiples of."""
        lying = self.lying[slot]
        if isinstance(lying, Known):
            raise Stuck(f"slot {slot} lies open")
        return lying.a

    def deal(self, slot: int, seat: int, shares: Iterable[Point]) -> None:
        """The slot goes to a seat: everybody else's shares come off."""
        match self.lying[slot]:
            case Stock(a, b):
                self.lay(slot, Held(seat, a, some(_less(b, shares))))
            case Known(face):
                self.lay(slot, Held(seat, group.G, some(group.add(self.points[face], self.keys[seat]))))
            case Held():
                raise Stuck(f"slot {slot} is no stock")

    def open(self, slot: int, shares: Iterable[Point]) -> int:
        """The slot is opened to all by these shares; its face."""
        lying = self.lying[slot]
        face = lying.face if isinstance(lying, Known) else self.face(slot, _less(lying.b, shares))
        self.lay(slot, Known(face))
        return face

    def face(self, slot: int, point: Point | None) -> int:
        """
        :raises Wrong: no kind of card has this point
        """
        if point is None or point.encoded not in self._numbers:
            raise Wrong(said("slot {slot} opens to no card of the game", slot=slot))
        return self._numbers[point.encoded]

    def strip(self, seat: int, shares: Mapping[int, Point]) -> None:
        """A seat goes: its shares come off the stock, its key off the joint key, and its cards of which there are
        shares lie open."""
        for slot, lying in enumerate(self.lying):
            match lying:
                case Stock(a, b):
                    self.lay(slot, Stock(a, some(group.sub(b, shares[slot]))))
                case Held(holder) if holder == seat and slot in shares:
                    self.open(slot, [shares[slot]])
                case _:
                    pass
        self.joint = some(group.sub(self.joint, self.keys.pop(seat)))

    def stock(self) -> list[int]:
        """The slots that all seats together open, rising."""
        return [slot for slot, lying in enumerate(self.lying) if isinstance(lying, Stock)]

    def hand(self, seat: int) -> list[int]:
        """The slots that a seat alone opens, rising."""
        return [slot for slot, lying in enumerate(self.lying) if isinstance(lying, Held) and lying.seat == seat]


def _less(b: Point, shares: Iterable[Point]) -> Point | None:
    total = group.sum(shares)
    return b if total is None else group.sub(b, total)


def _spelled(lying: Lying) -> bytes:
    match lying:
        case Known(face):
            return b"k" + face.to_bytes(2, "big")
        case Stock(a, b):
            return b"s" + a.encoded + b.encoded
        case Held(seat, a, b):
            return b"h" + bytes([seat]) + a.encoded + b.encoded
