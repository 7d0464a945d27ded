"""Fixed layouts: points of 33 bytes, scalars of 32, cards of 66, one after the other and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from p2puno.said import message_of, said
from protocol.group import POINT_BYTES, BadPoint, Point, Q, group
from protocol.proofs.batch import BadProof

Card = tuple[Point, Point]
"""A masked card (a, b): an ElGamal pair. The second half is called B' when the card is held by one seat."""

SCALAR_BYTES = 32
CARD_BYTES = 2 * POINT_BYTES
MOST_CARDS = 1024
"""No deck, list of shares or list of faces is longer; a longer one is refused before any point is decoded."""


def points_bytes(points: Iterable[Point]) -> bytes:
    """The encodings of points in a row."""
    return b"".join(P.encoded for P in points)


def scalars_bytes(scalars: Iterable[int]) -> bytes:
    """Scalars in a row, 32 bytes each, most significant first."""
    return b"".join(s.to_bytes(SCALAR_BYTES, "big") for s in scalars)


def deck_bytes(deck: Sequence[Card]) -> bytes:
    """Cards in a row, a before b."""
    return b"".join(a.encoded + b.encoded for a, b in deck)


def deck_from_bytes(data: bytes, count: int) -> list[Card]:
    """The `count` cards in data; raises BadProof if there are not exactly so many or a point is malformed."""
    reader = Reader(data, count * CARD_BYTES)
    flat = reader.points(2 * count)
    return list(zip(flat[::2], flat[1::2], strict=True))


def check_count(count: int, least: int = 1) -> None:
    """Refuse a length outside least..MOST_CARDS; raises BadProof."""
    if not least <= count <= MOST_CARDS:
        raise BadProof(
            said("a list of {count} where {least} to {most} are allowed", count=count, least=least, most=MOST_CARDS)
        )


def some(P: Point | None) -> Point:
    """P where the identity would be an accident (or an attack) that no proof can go on from; raises BadProof."""
    if P is None:
        raise BadProof(said("a point is the identity"))
    return P


class Reader:
    """Reads a proof from front to back; the length is checked before anything is decoded."""

    def __init__(self, data: bytes, length: int) -> None:
        if len(data) != length:
            raise BadProof(said("{size} bytes where {length} belong", size=len(data), length=length))
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        """The next bytes."""
        self._at += count
        return self._data[self._at - count : self._at]

    def point(self) -> Point:
        """The next point; raises BadProof if it is not canonical."""
        try:
            return group.dec(self.take(POINT_BYTES))
        except BadPoint as refusal:
            raise BadProof(message_of(refusal)) from None

    def points(self, count: int) -> list[Point]:
        """The next points."""
        return [self.point() for _ in range(count)]

    def scalar(self) -> int:
        """The next scalar; raises BadProof if it is not below Q."""
        s = int.from_bytes(self.take(SCALAR_BYTES), "big")
        if s >= Q:
            raise BadProof(said("a scalar is not canonical"))
        return s

    def scalars(self, count: int) -> list[int]:
        """The next scalars."""
        return [self.scalar() for _ in range(count)]


def check_scalars(*scalars: int) -> None:
    """Refuse scalars outside 0..Q-1; raises BadProof."""
    if not all(0 <= s < Q for s in scalars):
        raise BadProof(said("a scalar is not canonical"))
