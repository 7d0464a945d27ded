"""Decryption shares and the proof that they are right (Chaum and Pedersen 1992, equality of discrete logarithms).

A share of the card (a, b) under the key X = x·G is D = x·a. Any number of shares of one key have one proof together:
with weights ω_k hashed from all a and all D it shows log_G X = log_A D for A = Σ ω_k·a_k and D = Σ ω_k·D_k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2puno.said import said
from protocol.group import POINT_BYTES, Point, Q, group
from protocol.proofs.batch import BadProof, Equation
from protocol.proofs.encoding import SCALAR_BYTES, Reader, check_count, check_scalars, points_bytes, scalars_bytes, some
from protocol.proofs.transcript import Context, Nonces, Transcript, opened


@dataclass(frozen=True, slots=True)
class ShareProof:
    """T_1 = w·G, T_2 = w·A and z = w + c·x; the shares themselves travel beside it, 33 bytes each."""

    T1: Point
    T2: Point
    z: int

    def to_bytes(self) -> bytes:
        """98 bytes: T_1, T_2, z."""
        return points_bytes([self.T1, self.T2]) + scalars_bytes([self.z])

    @classmethod
    def from_bytes(cls, data: bytes) -> ShareProof:
        """Decode; raises BadProof for anything but 98 canonical bytes."""
        reader = Reader(data, 2 * POINT_BYTES + SCALAR_BYTES)
        return cls(reader.point(), reader.point(), reader.scalar())


def shares_bytes(shares: Sequence[Point]) -> bytes:
    """Shares in a row, 33 bytes each."""
    return points_bytes(shares)


def shares_from_bytes(data: bytes, count: int) -> list[Point]:
    """The `count` shares in data; raises BadProof."""
    return Reader(data, count * POINT_BYTES).points(count)


def _statement(ctx: Context, X: Point, a: Sequence[Point], D: Sequence[Point]) -> tuple[Transcript, list[int]]:
    transcript = opened(ctx, "shares", X, len(a))
    transcript.put_points("a", *a)
    transcript.put_points("D", *D)
    return transcript, transcript.weights("weights", len(a))


def _challenge(transcript: Transcript, T1: Point, T2: Point) -> int:
    transcript.put_points("T", T1, T2)
    return transcript.chal("c")


def prove_shares(ctx: Context, nonces: Nonces, x: int, X: Point, a: Sequence[Point]) -> tuple[list[Point], ShareProof]:
    """The shares x·a_k and their proof, for at least one card."""
    check_count(len(a))
    D = [group.mul(point, x) for point in a]
    transcript, weights = _statement(ctx, X, a, D)
    w = nonces.stream(transcript).scalar()
    T1, T2 = group.mulg(w), group.mul(some(group.msm(weights, a)), w)
    return D, ShareProof(T1, T2, (w + _challenge(transcript, T1, T2) * x) % Q)


def check_shares(ctx: Context, X: Point, a: Sequence[Point], D: Sequence[Point], proof: ShareProof) -> list[Equation]:
    """The equations z·G = T_1 + c·X and z·A = T_2 + c·D; raises BadProof if the lists do not fit."""
    check_count(len(a))
    if len(a) != len(D):
        raise BadProof(said("{shares} shares for {cards} cards", shares=len(D), cards=len(a)))
    check_scalars(proof.z)
    transcript, weights = _statement(ctx, X, a, D)
    c, z = _challenge(transcript, proof.T1, proof.T2), proof.z
    shares: list[tuple[int, Point]] = [(-1, proof.T2)]
    for weight, point, share in zip(weights, a, D, strict=True):
        shares += ((z * weight % Q, point), (-c * weight % Q, share))
    return [[(z, group.G), (-1, proof.T1), (-c, X)], shares]
