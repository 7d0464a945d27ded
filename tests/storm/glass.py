"""A group to look through: the integers mod Q with addition. The algebra of every proof holds in it, and nothing is
hidden, so it is good for one thing: to try ten thousand tables in the time of a few hundred.

It has the encodings' length of the real group, and `put` makes it the group of the program.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache

import protocol.group
from protocol.group.interface import POINT_BYTES, BadPoint, Point
from protocol.group.interface import Q as Q

NAME = "glass"


class Pane(Point):
    """k·G, with k for all to see in `raw`."""

    __slots__ = ()

    def _serialize(self) -> bytes:
        return b"\x02" + int(self.raw).to_bytes(POINT_BYTES - 1, "big")


def _point(k: int) -> Point | None:
    k %= Q
    return Pane(k) if k else None


def mulg(s: int) -> Point:
    """s·G."""
    if not 1 <= s < Q:
        raise ValueError("a multiplier outside 1..Q-1")
    return Pane(s)


def mul(P: Point, s: int) -> Point:
    """s·P."""
    if not 1 <= s < Q:
        raise ValueError("a multiplier outside 1..Q-1")
    return Pane(P.raw * s % Q)


mulv = mul


def neg(P: Point) -> Point:
    """-P."""
    return Pane(Q - P.raw)


def sum(points: Iterable[Point | None]) -> Point | None:
    """The sum of any number of points."""
    total = 0
    for P in points:
        if P is not None:
            total += P.raw
    return _point(total)


def add(P: Point | None, R: Point | None) -> Point | None:
    """P + R."""
    return sum((P, R))


def sub(P: Point | None, R: Point | None) -> Point | None:
    """P - R."""
    return sum((P, None if R is None else neg(R)))


def enc(P: Point) -> bytes:
    """The 33 bytes of P."""
    return P.encoded


def dec(data: bytes) -> Point:
    """The point of 33 bytes; raises BadPoint for anything else."""
    k = int.from_bytes(data[1:], "big")
    if len(data) != POINT_BYTES or data[0] != 2 or not 0 < k < Q:
        raise BadPoint("not the canonical encoding of a point")
    return Pane(k, bytes(data))


def msm(scalars: Sequence[int], points: Sequence[Point]) -> Point | None:
    """The sum of scalars[i]·points[i]."""
    total = 0
    for s, P in zip(scalars, points, strict=True):
        total += s * P.raw
    return _point(total)


def h2g(*parts: bytes) -> Point:
    """Hash length-framed parts to a point."""
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in (b"glass", *parts))
    return Pane(1 + int.from_bytes(hashlib.sha512(framed).digest(), "big") % (Q - 1))


def equal(P: Point | None, R: Point | None) -> bool:
    """Whether both are the same element."""
    return P == R


G: Point = Pane(1)


def put() -> None:
    """Make this the group of the program, before any module has taken the real one."""
    import sys

    taken = [name for name in ("protocol.deck", "protocol.proofs.batch") if name in sys.modules]
    if taken:
        raise RuntimeError(f"{taken[0]} has taken the real group already")
    protocol.group.group = sys.modules[__name__]
    from protocol import identity, messages

    # All nodes of a table are in this process: a signature that one has checked is checked for all.
    checked = lru_cache(maxsize=65_536)(identity.verify)
    setattr(messages, "verify", checked)  # noqa: B010  # a name that the module imports
