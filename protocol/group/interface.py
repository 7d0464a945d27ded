"""What a group backend offers: secp256k1 as an opaque group of prime order.

The identity has no encoding and no `Point`; wherever it can occur it is `None`.
Two modules implement `Group`: `native` (libsecp256k1) and `reference` (plain Python). They give the same bytes.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

Q = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
"""The order of the group, a prime (SEC 2, section 2.4.1)."""

POINT_BYTES = 33
"""Length of the one wire form of a point: SEC 1 compressed, 02 or 03 and x."""

GENERATOR = bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
"""The generator in wire form (SEC 2, section 2.4.1)."""


class BadPoint(ValueError):
    """Bytes that are not the canonical encoding of a point."""


class Point(ABC):
    """A group element other than the identity; equal points have equal encodings and equal hashes.

    `raw` belongs to the backend that made the point. The encoding is kept once computed: hashing, comparing and
    merging of proofs all work on it.
    """

    __slots__ = ("_encoded", "raw")
    raw: Any

    def __init__(self, raw: Any, encoded: bytes | None = None) -> None:
        self.raw = raw
        self._encoded = encoded

    @property
    def encoded(self) -> bytes:
        """The 33 bytes of this point on the wire."""
        if self._encoded is None:
            self._encoded = self._serialize()
        return self._encoded

    @abstractmethod
    def _serialize(self) -> bytes:
        """Compute the 33 bytes."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self.encoded == other.encoded

    def __hash__(self) -> int:
        return hash(self.encoded)

    def __repr__(self) -> str:
        return f"Point({self.encoded.hex()})"


class Group(Protocol):
    """The operations of a backend. Scalars are Python ints; a multiplier outside 1..Q-1 raises ValueError.

    `mulg` and `mul` are for secret multipliers that matter for longer than one proof (keys and the nonces that
    touch them): in the native backend they run in constant time. Everything else may take time that depends on
    its input.
    """

    NAME: str
    Q: int
    G: Point

    def mulg(self, s: int) -> Point:
        """s·G."""

    def mul(self, P: Point, s: int) -> Point:
        """s·P, for a secret s."""

    def mulv(self, P: Point, s: int) -> Point:
        """s·P, for an s that is public or used once."""

    def neg(self, P: Point) -> Point:
        """-P."""

    def sum(self, points: Iterable[Point | None]) -> Point | None:
        """The sum of any number of points."""

    def add(self, P: Point | None, R: Point | None) -> Point | None:
        """P + R."""

    def sub(self, P: Point | None, R: Point | None) -> Point | None:
        """P - R."""

    def enc(self, P: Point) -> bytes:
        """The 33 bytes of P."""

    def dec(self, data: bytes) -> Point:
        """The point of 33 bytes; BadPoint for anything but the canonical encoding of a point on the curve."""

    def msm(self, scalars: Sequence[int], points: Sequence[Point]) -> Point | None:
        """Multi-scalar multiplication: the sum of scalars[i]·points[i]; scalars are any ints, taken mod Q."""

    def h2g(self, *parts: bytes) -> Point:
        """Hash length-framed parts to a point of which nobody knows the discrete logarithm."""

    def equal(self, P: Point | None, R: Point | None) -> bool:
        """Whether both are the same element."""


def candidates(parts: Sequence[bytes]) -> Iterator[bytes]:
    """Yield encodings to try for `h2g`, the same on every backend: 02 and SHA-256(framed parts, counter).

    Try and increment is for public data: how often it tries shows in the time it takes.
    """
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in (b"p2puno h2g 1", *parts))
    for counter in range(2**32):
        yield b"\x02" + hashlib.sha256(framed + counter.to_bytes(4, "big")).digest()
