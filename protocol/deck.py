"""The cards of one hand as everybody sees them: masked, held, or known (docs/deck-protocol.md).

A slot is in one of three forms. `Known`: its face is public. `Stock` (a, b): masked under the joint key Y; nobody can
open it alone. `Held` by seat j, (a, B'): masked under X_j alone; only j can open it. Everything here is computed from
public messages, so it is the same at every seat; what only one seat can do is in `keeper`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from p2puno.needs import ALL
from p2puno.said import said
from protocol.group import POINT_BYTES, Point, group
from protocol.proofs.batch import BadProof
from protocol.proofs.encoding import Card, some


@dataclass(frozen=True, slots=True)
class Known:
    """A slot whose face everybody knows."""

    face: int


@dataclass(frozen=True, slots=True)
class Stock:
    """A slot under the joint key."""

    a: Point
    b: Point


@dataclass(frozen=True, slots=True)
class Held:
    """A slot under one seat's key."""

    seat: int
    a: Point
    b: Point


Form: TypeAlias = Known | Stock | Held


@lru_cache(maxsize=1024)
def face_point(kind_set: bytes, kind: str) -> Point:
    """M_k: the point that stands for a kind of card; equal cards share it (docs/deck-protocol.md, section 4)."""
    return group.h2g(b"card", kind_set, kind.encode())


class FaceTable:
    """The points of all kinds of a game, both ways."""

    def __init__(self, kinds: Sequence[str]) -> None:
        kind_set = hashlib.sha256("\n".join(kinds).encode()).digest()
        self.points = [face_point(kind_set, kind) for kind in kinds]
        self._faces = {point.encoded: face for face, point in enumerate(self.points)}

    def face(self, point: Point | None) -> int | None:
        """The face that this point stands for, or None."""
        return None if point is None else self._faces.get(point.encoded)


def _written(form: Form) -> bytes:
    if isinstance(form, Known):
        return b"k" + form.face.to_bytes(2, "big")
    if isinstance(form, Stock):
        return b"s" + form.a.encoded + form.b.encoded
    return b"h" + form.seat.to_bytes(1, "big") + form.a.encoded + form.b.encoded


class Cards:
    """All slots of a hand, their forms and the keys that they are under."""

    def __init__(self, faces: FaceTable, order: Sequence[int], keys: Sequence[Point | None]) -> None:
        """`order`: the public face of every slot at the start. `keys`: X_j by seat, None for seats that are away.

        :raises BadProof: the joint key would be the identity
        """
        self.faces = faces
        self.keys = list(keys)
        self.joint = some(group.sum(keys))
        self.forms: list[Form] = [Known(face) for face in order]
        self._written = [_written(form) for form in self.forms]  # every slot as the digest reads it
        self._digest: bytes | None = None

    def digest(self) -> bytes:
        """SHA-256 over the keys and every slot in its form."""
        if self._digest is None:
            parts = [self.joint.encoded, *(key.encoded if key else bytes(POINT_BYTES) for key in self.keys)]
            parts += self._written
            self._digest = hashlib.sha256(b"".join(parts)).digest()
        return self._digest

    def put(self, slot: int, form: Form) -> None:
        """Give a slot a new form."""
        self.forms[slot] = form
        self._written[slot] = _written(form)
        self._digest = None

    def key(self, seat: int) -> Point:
        """X_j of a seat that takes part.

        :raises BadProof: it does not
        """
        return some(self.keys[seat] if seat < len(self.keys) else None)

    def held(self, seat: int, slot: int) -> Card:
        """The ciphertext of a slot that seat holds.

        :raises BadProof: it does not hold it (C21)
        """
        form = self.forms[slot] if slot < len(self.forms) else None
        if not isinstance(form, Held) or form.seat != seat:
            raise BadProof(said("slot {slot} is not in its hand", slot=slot))
        return form.a, form.b

    def first(self, slot: int) -> Point:
        """The first half a of a slot that is hidden."""
        form = self.forms[slot]
        assert not isinstance(form, Known)
        return form.a

    # -- shuffling a pile ---------------------------------------------------------------------------------------------

    def pile(self, slots: Iterable[int]) -> list[Card]:
        """The slots as ciphertexts under the joint key, from the top down. A known card becomes (G, M + Y): no share
        was ever given for it in that form, so it may be shuffled; a held one never comes back to a pile like this."""
        deck = []
        for slot in slots:
            form = self.forms[slot]
            if isinstance(form, Known):
                deck.append((group.G, some(group.add(self.faces.points[form.face], self.joint))))
            elif isinstance(form, Stock):
                deck.append((form.a, form.b))
            else:
                raise ValueError(f"slot {slot} is held and cannot be shuffled")
        return deck

    def reorder(self, slots: Sequence[int], deck: Sequence[Card], seat: int | None = None) -> None:
        """Put a shuffled deck into the slots: stock, or with `seat` the mixed hand of that seat."""
        for slot, (a, b) in zip(slots, deck, strict=True):
            self.put(slot, Stock(a, b) if seat is None else Held(seat, a, b))

    # -- opening ------------------------------------------------------------------------------------------------------

    def owed(self, to: Iterable[tuple[int, int]], seat: int) -> list[tuple[int, Point]]:
        """(slot, a) of every share that `seat` owes to an Open, in its order: of a stock card to one seat everybody
        else's, of a stock card to all everybody's, of a held card its holder's, of a known card nobody's."""
        owed = []
        for slot, receiver in to:
            form = self.forms[slot]
            if (isinstance(form, Stock) and seat != receiver) or (isinstance(form, Held) and seat == form.seat):
                owed.append((slot, form.a))
        return owed

    def open(self, to: Iterable[tuple[int, int]], shares: Mapping[int, Mapping[int, Point]]) -> list[tuple[int, int]]:
        """Apply the verified shares {seat: {slot: D}}; returns (slot, face) of what went to all.

        :raises BadProof: a card opens to no face of the game (cannot happen after verified shuffles)
        """
        opened = []
        for slot, receiver in to:
            form = self.forms[slot]
            if isinstance(form, Known):
                if receiver == ALL:
                    opened.append((slot, form.face))
                else:  # everybody knows it, so it goes over without shares
                    self.hold(slot, receiver)
                continue
            lifted = group.sub(form.b, group.sum(own[slot] for own in shares.values() if slot in own))
            if receiver == ALL:
                face = self.faces.face(lifted)
                if face is None:
                    raise BadProof(said("slot {slot} opens to no card of the game", slot=slot))
                self.put(slot, Known(face))
                opened.append((slot, face))
            else:
                self.put(slot, Held(receiver, form.a, some(lifted)))
        return opened

    def hold(self, slot: int, seat: int) -> None:
        """Put a known card into a hand: under the seat's key with randomness 1."""
        form = self.forms[slot]
        assert isinstance(form, Known)
        self.put(slot, Held(seat, group.G, some(group.add(self.faces.points[form.face], self.key(seat)))))

    def face_of(self, card: Card, share: Point) -> int | None:
        """The face of a held card, given its holder's share."""
        return self.faces.face(group.sub(card[1], share))

    # -- leaving ------------------------------------------------------------------------------------------------------

    def strip(self, seat: int, shares: Mapping[int, Point]) -> None:
        """Take a leaver's key off the stock by its verified shares {slot: D}; what it held becomes known
        (docs/wire.md, section 4).

        :raises BadProof: a slot of its hand opens to no card
        """
        for slot, share in shares.items():
            form = self.forms[slot]
            if isinstance(form, Stock):
                self.put(slot, Stock(form.a, some(group.sub(form.b, share))))
            elif isinstance(form, Held):
                face = self.face_of((form.a, form.b), share)
                if face is None:
                    raise BadProof(said("slot {slot} opens to no card of the game", slot=slot))
                self.put(slot, Known(face))
        self.keys[seat] = None
        self.joint = some(group.sum(self.keys))
        self._digest = None
