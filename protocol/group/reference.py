"""The group in plain Python: the oracle of the tests, and the fallback where no wheel of the library exists.

Nothing here runs in constant time; Python integers cannot. Points are affine pairs (x, y); sums run in Jacobian
coordinates (X, Y, Z) with x = X/Z², y = Y/Z³, and None is the identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from p2puno.said import said
from protocol.group.interface import GENERATOR, POINT_BYTES, BadPoint, Point, candidates
from protocol.group.interface import Q as Q

NAME = "reference"

_P = 2**256 - 2**32 - 977  # the field prime; the curve is y² = x³ + 7
_Jacobian = tuple[int, int, int] | None


class _PlainPoint(Point):
    __slots__ = ()

    def _serialize(self) -> bytes:
        x, y = self.raw
        encoded: bytes = bytes([2 | y & 1]) + x.to_bytes(32, "big")
        return encoded


def _double(A: _Jacobian) -> _Jacobian:
    if A is None:
        return None
    X, Y, Z = A
    yy = Y * Y % _P
    s = 4 * X * yy % _P
    m = 3 * X * X % _P
    X3 = (m * m - 2 * s) % _P
    return X3, (m * (s - X3) - 8 * yy * yy) % _P, 2 * Y * Z % _P


def _add(A: _Jacobian, B: _Jacobian) -> _Jacobian:
    if A is None:
        return B
    if B is None:
        return A
    X1, Y1, Z1 = A
    X2, Y2, Z2 = B
    zz1 = Z1 * Z1 % _P
    if Z2 == 1:
        u1, s1 = X1, Y1
    else:
        zz2 = Z2 * Z2 % _P
        u1, s1 = X1 * zz2 % _P, Y1 * zz2 * Z2 % _P
    h = (X2 * zz1 - u1) % _P
    r = (Y2 * zz1 * Z1 - s1) % _P
    if not h:
        return None if r else _double(A)
    hh = h * h % _P
    hhh = h * hh % _P
    v = u1 * hh % _P
    X3 = (r * r - hhh - 2 * v) % _P
    return X3, (r * (v - X3) - s1 * hhh) % _P, Z1 * Z2 * h % _P


def _affine(A: _Jacobian) -> Point | None:
    if A is None:
        return None
    X, Y, Z = A
    inverse = pow(Z, -1, _P)
    square = inverse * inverse % _P
    return _PlainPoint((X * square % _P, Y * square * inverse % _P))


def _lifted(P: Point) -> _Jacobian:
    x, y = P.raw
    return x, y, 1


def _multiples(terms: Sequence[tuple[int, _Jacobian]]) -> _Jacobian:
    """The sum of s·A over pairs (s, A) with s ≥ 0: windows of four bits, doublings shared (Straus 1964)."""
    total: _Jacobian = None
    rows = []
    for s, A in terms:
        row: list[_Jacobian] = [None, A]
        for _ in range(14):
            row.append(_add(row[-1], A))
        rows.append((s, row))
    longest = max((s.bit_length() for s, _ in terms), default=0)
    for shift in range(longest // 4 * 4, -1, -4):
        for _ in range(4):
            total = _double(total)
        for s, row in rows:
            total = _add(total, row[s >> shift & 15])
    return total


def _multiple(P: Point, s: int) -> Point:
    if not 0 < s < Q:
        raise ValueError("a multiplier lies in 1..Q-1")
    result = _affine(_multiples([(s, _lifted(P))]))
    assert result is not None  # the order is prime
    return result


@cache
def _generator_rows() -> tuple[tuple[_Jacobian, ...], ...]:
    """Rows of 0..15 times 16^i·G, normalised, for `mulg`."""
    rows = []
    base = _lifted(G)
    for _ in range(64):
        row: list[_Jacobian] = [None, base]
        for _ in range(14):
            plain = _affine(_add(row[-1], base))
            assert plain is not None
            row.append(_lifted(plain))
        rows.append(tuple(row))
        after = _affine(_add(row[-1], base))
        assert after is not None
        base = _lifted(after)
    return tuple(rows)


def mulg(s: int) -> Point:
    """s·G."""
    if not 0 < s < Q:
        raise ValueError("a multiplier lies in 1..Q-1")
    total: _Jacobian = None
    for row in _generator_rows():
        total = _add(total, row[s & 15])
        s >>= 4
    result = _affine(total)
    assert result is not None
    return result


def mul(P: Point, s: int) -> Point:
    """s·P."""
    return _multiple(P, s)


def mulv(P: Point, s: int) -> Point:
    """s·P."""
    return _multiple(P, s)


def neg(P: Point) -> Point:
    """-P."""
    x, y = P.raw
    return _PlainPoint((x, _P - y))


def sum(points: Iterable[Point | None]) -> Point | None:
    """The sum of any number of points."""
    total: _Jacobian = None
    for P in points:
        if P is not None:
            total = _add(total, _lifted(P))
    return _affine(total)


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
    encoded = bytes(data)
    if len(encoded) != POINT_BYTES or encoded[0] not in (2, 3):
        raise BadPoint(said("not the canonical encoding of a point"))
    x = int.from_bytes(encoded[1:], "big")
    square = (x * x * x + 7) % _P
    y = pow(square, (_P + 1) // 4, _P)
    if x >= _P or y * y % _P != square:
        raise BadPoint(said("not the canonical encoding of a point"))
    return _PlainPoint((x, y if y & 1 == encoded[0] & 1 else _P - y), encoded)


def h2g(*parts: bytes) -> Point:
    """Hash length-framed parts to a point."""
    for encoded in candidates(parts):
        try:
            return dec(encoded)
        except BadPoint:
            continue
    raise AssertionError("half of all x coordinates are on the curve")


def equal(P: Point | None, R: Point | None) -> bool:
    """Whether both are the same element."""
    return P == R


def msm(scalars: Sequence[int], points: Sequence[Point]) -> Point | None:
    """The sum of scalars[i]·points[i]; scalars are any ints, taken mod Q."""
    terms = []
    for s, P in zip(scalars, points, strict=True):
        s %= Q
        if s:  # the shorter of s·P and (Q-s)·(-P)
            terms.append((s, _lifted(P)) if s <= Q // 2 else (Q - s, _lifted(neg(P))))
    return _affine(_multiples(terms) if len(terms) < _PIPPENGER_FROM else _pippenger(terms))


_PIPPENGER_FROM = 24


def _pippenger(terms: Sequence[tuple[int, _Jacobian]]) -> _Jacobian:
    """Bucket method (Pippenger 1976)."""
    width = 4 if len(terms) < 100 else 6 if len(terms) < 800 else 8
    mask = (1 << width) - 1
    total: _Jacobian = None
    for shift in range(256 // width * width, -1, -width):
        for _ in range(width):
            total = _double(total)
        buckets: list[_Jacobian] = [None] * (mask + 1)
        for s, point in terms:
            digit = s >> shift & mask
            if digit:
                buckets[digit] = _add(buckets[digit], point)
        above: _Jacobian = None  # the sum of all buckets from the top down to this one
        for bucket in reversed(buckets[1:]):
            above = _add(above, bucket)
            total = _add(total, above)
    return total


G = dec(GENERATOR)
