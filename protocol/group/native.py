"""The group on libsecp256k1, through the C functions of btclib-secp256k1.

Only these are called: ec_pubkey_create, _parse, _serialize, _negate, _combine, _tweak_mul, ecdh and its hash function
that hands out both coordinates. Structs are written once, when a point is made, and never changed after: libsecp256k1
works in place, so what it changes is always a copy. Every struct comes from a call that succeeded, so no argument is
ever illegal to the library, and a zero from `combine` means the identity and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from btclib_secp256k1 import ffi, lib
from btclib_secp256k1.context import ctx as _ctx

from p2puno.said import said
from protocol.group.interface import GENERATOR, POINT_BYTES, BadPoint, Point, candidates
from protocol.group.interface import Q as Q

NAME = "native"

_STRUCT = ffi.typeof("secp256k1_pubkey *")
_ARRAY = ffi.typeof("secp256k1_pubkey *[]")
_XY = lib.btclib_secp256k1_ecdh_hash_function_xy
_COMPRESSED = 258
_LENGTH = ffi.new("size_t *", POINT_BYTES)  # serialize writes back the same 33

_create = lib.secp256k1_ec_pubkey_create
_parse = lib.secp256k1_ec_pubkey_parse
_serialize = lib.secp256k1_ec_pubkey_serialize
_negate = lib.secp256k1_ec_pubkey_negate
_combine = lib.secp256k1_ec_pubkey_combine
_tweak_mul = lib.secp256k1_ec_pubkey_tweak_mul
_ecdh = lib.secp256k1_ecdh


class _NativePoint(Point):
    __slots__ = ()

    def _serialize(self) -> bytes:
        out = bytearray(POINT_BYTES)
        _serialize(_ctx, ffi.from_buffer(out), _LENGTH, self.raw, _COMPRESSED)
        return bytes(out)


def _multiplier(s: int) -> bytes:
    if not 0 < s < Q:
        raise ValueError("a multiplier lies in 1..Q-1")
    return s.to_bytes(32, "big")


def _negated(raw: Any) -> Any:
    copy = ffi.new(_STRUCT, raw[0])
    _negate(_ctx, copy)
    return copy


def _multiplied(raw: Any, s: int) -> Any:
    copy = ffi.new(_STRUCT, raw[0])
    _tweak_mul(_ctx, copy, s.to_bytes(32, "big"))
    return copy


def _combined(raws: list[Any]) -> Any:
    """The sum of raw points, None for the identity."""
    if not raws:
        return None
    out = ffi.new(_STRUCT)
    return out if _combine(_ctx, out, ffi.new(_ARRAY, raws), len(raws)) else None


def mulg(s: int) -> Point:
    """s·G in constant time."""
    out = ffi.new(_STRUCT)
    _create(_ctx, out, _multiplier(s))
    return _NativePoint(out)


def mul(P: Point, s: int) -> Point:
    """s·P in constant time."""
    xy = bytearray(65)
    xy[0] = 4
    buffer = ffi.from_buffer(xy)
    _ecdh(_ctx, buffer + 1, P.raw, _multiplier(s), _XY, ffi.NULL)
    out = ffi.new(_STRUCT)
    _parse(_ctx, out, buffer, len(xy))
    return _NativePoint(out, bytes([2 | xy[64] & 1]) + xy[1:33])


def mulv(P: Point, s: int) -> Point:
    """s·P in variable time."""
    copy = ffi.new(_STRUCT, P.raw[0])
    _tweak_mul(_ctx, copy, _multiplier(s))
    return _NativePoint(copy)


def neg(P: Point) -> Point:
    """-P."""
    return _NativePoint(_negated(P.raw))


def sum(points: Iterable[Point | None]) -> Point | None:
    """The sum of any number of points."""
    total = _combined([P.raw for P in points if P is not None])
    return None if total is None else _NativePoint(total)


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
    out = ffi.new(_STRUCT)
    # the length first: the library would also take the 65-byte forms
    if len(encoded) != POINT_BYTES or not _parse(_ctx, out, encoded, POINT_BYTES):
        raise BadPoint(said("not the canonical encoding of a point"))
    return _NativePoint(out, encoded)


def h2g(*parts: bytes) -> Point:
    """Hash length-framed parts to a point."""
    for encoded in candidates(parts):
        out = ffi.new(_STRUCT)
        if _parse(_ctx, out, encoded, POINT_BYTES):
            return _NativePoint(out, encoded)
    raise AssertionError("half of all x coordinates are on the curve")


def equal(P: Point | None, R: Point | None) -> bool:
    """Whether both are the same element."""
    return P == R


def msm(scalars: Sequence[int], points: Sequence[Point]) -> Point | None:
    """The sum of scalars[i]·points[i]; scalars are any ints, taken mod Q. Variable time."""
    # scalars in -Q/2..Q/2: a small negative one is as cheap as a small positive one
    terms = [((s + Q // 2) % Q - Q // 2, P.raw) for s, P in zip(scalars, points, strict=True)]
    terms = [(s, raw) for s, raw in terms if s]
    total = _naive(terms) if len(terms) < _PIPPENGER_FROM else _pippenger(terms)
    return None if total is None else _NativePoint(total)


_PIPPENGER_FROM = 450


def _naive(terms: list[tuple[int, Any]]) -> Any:
    return _combined([_multiplied(raw, s) if s > 0 else _negated(_multiplied(raw, -s)) for s, raw in terms])


def _pippenger(terms: list[tuple[int, Any]]) -> Any:
    """Bucket method with signed windows (Pippenger 1976; Bernstein, Doumen, Lange, Oosterwijk 2012, section 4)."""
    count = len(terms)
    width = 5 if count < 800 else 6 if count < 2200 else 7 if count < 6000 else 8
    half, mask = 1 << (width - 1), (1 << width) - 1
    windows = 257 // width + 1
    # adding `half` to every window turns digits of -half..half-1 into plain ones of 0..mask
    bias = half * ((1 << width * windows) - 1) // mask
    biased = [(s + bias, raw, _negated(raw)) for s, raw in terms]
    total = None
    for shift in range(width * (windows - 1), -1, -width):
        buckets: list[list[Any]] = [[] for _ in range(half + 1)]
        for value, raw, negated in biased:
            digit = (value >> shift & mask) - half
            if digit > 0:
                buckets[digit].append(raw)
            elif digit:
                buckets[-digit].append(negated)
        filled = [(size, _combined(raws)) for size, raws in enumerate(buckets) if raws]
        # the sum of size·bucket, bit by bit from the top, each step doubling what came before
        for bit in range(width - 1, -1, -1):
            step = [bucket for size, bucket in filled if bucket is not None and size >> bit & 1]
            total = _combined(step if total is None else [total, total, *step])
    return total


G = dec(GENERATOR)
