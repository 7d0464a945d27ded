"""Handing a held card over: the same card encrypted to another key, with a proof that it is the same.

A card (a, B') held under X = x·G becomes (a', b') = (r·G, M + r·X_k) under the receiver's key X_k. The proof is one of
knowledge of (x, r) with X = x·G, a' = r·G and B' - b' = x·a - r·X_k (Maurer 2009, proofs of knowledge of a preimage of
a homomorphism). Its second equation, z_2·G = T_2 + c·a', is what makes the giver know r: without it a gift could carry
the first half of a card of somebody else, and playing the gift would open that card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from p2puno.said import said
from protocol.group import POINT_BYTES, Point, Q, group
from protocol.proofs.batch import BadProof, Equation
from protocol.proofs.encoding import SCALAR_BYTES, Card, Reader, check_scalars, points_bytes, scalars_bytes, some
from protocol.proofs.transcript import Context, Nonces, Transcript, opened

Kind = Literal["gift", "show", "putback"]
"""gift: the card becomes the receiver's; show: the receiver may read it; putback: back to the stock, where the joint
key stands for the receiver's."""

KINDS: tuple[Kind, ...] = ("gift", "show", "putback")


@dataclass(frozen=True, slots=True)
class HandoverProof:
    """T_1 = u·G, T_2 = v·G, T_3 = u·a - v·X_k, z_1 = u + c·x, z_2 = v + c·r; the new card travels beside it."""

    T1: Point
    T2: Point
    T3: Point
    z1: int
    z2: int

    def to_bytes(self) -> bytes:
        """163 bytes: T_1, T_2, T_3, z_1, z_2."""
        return points_bytes([self.T1, self.T2, self.T3]) + scalars_bytes([self.z1, self.z2])

    @classmethod
    def from_bytes(cls, data: bytes) -> HandoverProof:
        """Decode; raises BadProof for anything but 163 canonical bytes."""
        reader = Reader(data, 3 * POINT_BYTES + 2 * SCALAR_BYTES)
        return cls(reader.point(), reader.point(), reader.point(), reader.scalar(), reader.scalar())


def _statement(ctx: Context, kind: Kind, X: Point, card: Card, receiver: Point) -> Transcript:
    transcript = opened(ctx, f"handover {kind}", X, 1)
    transcript.put_points("card", *card)
    transcript.put_points("receiver", receiver)
    return transcript


def _challenge(transcript: Transcript, T1: Point, T2: Point, T3: Point) -> int:
    transcript.put_points("T", T1, T2, T3)
    return transcript.chal("c")


def _check_parties(kind: Kind, X: Point, receiver: Point) -> None:
    if kind not in KINDS:
        raise BadProof(said("no such hand-over: {kind}", kind=kind))
    if receiver == X:
        raise BadProof(said("a card is handed over to the seat that holds it"))


def prove_handover(
    ctx: Context, nonces: Nonces, kind: Kind, x: int, X: Point, card: Card, receiver: Point
) -> tuple[Card, HandoverProof]:
    """The card anew under `receiver`, and its proof."""
    _check_parties(kind, X, receiver)
    a, held = card
    transcript = _statement(ctx, kind, X, card, receiver)
    r = nonces.stream(transcript).scalar()
    face = group.sub(held, group.mul(a, x))
    new = group.mulg(r), some(group.add(face, group.mul(receiver, r)))
    transcript.put_points("new", *new)
    u, v = nonces.stream(transcript).scalars(2)
    T1, T2, T3 = group.mulg(u), group.mulg(v), some(group.sub(group.mul(a, u), group.mul(receiver, v)))
    c = _challenge(transcript, T1, T2, T3)
    return new, HandoverProof(T1, T2, T3, (u + c * x) % Q, (v + c * r) % Q)


def check_handover(
    ctx: Context, kind: Kind, X: Point, card: Card, receiver: Point, new: Card, proof: HandoverProof
) -> list[Equation]:
    """The three equations; raises BadProof for an unknown kind, a receiver that is the giver, or a scalar out of
    range."""
    _check_parties(kind, X, receiver)
    check_scalars(proof.z1, proof.z2)
    transcript = _statement(ctx, kind, X, card, receiver)
    transcript.put_points("new", *new)
    c = _challenge(transcript, proof.T1, proof.T2, proof.T3)
    (a, held), (new_a, new_b) = card, new
    return [
        [(proof.z1, group.G), (-1, proof.T1), (-c, X)],
        [(proof.z2, group.G), (-1, proof.T2), (-c, new_a)],
        [(proof.z1, a), (-proof.z2, receiver), (-1, proof.T3), (-c, held), (c, new_b)],
    ]
