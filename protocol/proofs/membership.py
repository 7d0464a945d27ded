"""Showing that a hidden card is one of some faces, without showing which.

Cramer, Damgård, Schoenmakers, "Proofs of Partial Knowledge", CRYPTO 1994: for the card (a, B') held under X and the
faces M_1..M_n, one proof of log_G X = log_a (B' - M_k) for each k, all but one of them simulated, under challenges
that add up to the challenge of the whole. Challenges have 128 bits and add up mod 2^128.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2puno.said import said
from protocol.group import POINT_BYTES, Point, Q, group
from protocol.proofs.batch import BadProof, Equation
from protocol.proofs.encoding import (
    SCALAR_BYTES,
    Card,
    Reader,
    check_count,
    check_scalars,
    points_bytes,
    scalars_bytes,
    some,
)
from protocol.proofs.transcript import Context, Nonces, Transcript, opened

CHALLENGE_BYTES = 16
_CHALLENGES = 1 << 8 * CHALLENGE_BYTES
BRANCH_BYTES = 2 * POINT_BYTES + CHALLENGE_BYTES + SCALAR_BYTES


@dataclass(frozen=True, slots=True)
class MemberProof:
    """For each face the first message (T_1, T_2), the challenge c and the answer z."""

    T1: tuple[Point, ...]
    T2: tuple[Point, ...]
    c: tuple[int, ...]
    z: tuple[int, ...]

    def to_bytes(self) -> bytes:
        """114 bytes for each face: T_1, T_2, c (16 bytes), z."""
        return b"".join(
            points_bytes([T1, T2]) + c.to_bytes(CHALLENGE_BYTES, "big") + scalars_bytes([z])
            for T1, T2, c, z in zip(self.T1, self.T2, self.c, self.z, strict=True)
        )

    @classmethod
    def from_bytes(cls, data: bytes, n: int) -> MemberProof:
        """Decode the proof over n faces; raises BadProof for anything but the one layout."""
        check_count(n)
        reader = Reader(data, n * BRANCH_BYTES)
        branches = [
            (reader.point(), reader.point(), int.from_bytes(reader.take(CHALLENGE_BYTES), "big"), reader.scalar())
            for _ in range(n)
        ]
        T1, T2, c, z = zip(*branches, strict=True)
        return cls(T1, T2, c, z)


def _statement(ctx: Context, X: Point, card: Card, faces: Sequence[Point]) -> Transcript:
    transcript = opened(ctx, "member", X, len(faces))
    transcript.put_points("card", *card)
    transcript.put_points("faces", *faces)
    return transcript


def _challenge(transcript: Transcript, T1: Sequence[Point], T2: Sequence[Point]) -> int:
    transcript.put_points("T1", *T1)
    transcript.put_points("T2", *T2)
    return transcript.chal("c") % _CHALLENGES


def _check_faces(faces: Sequence[Point]) -> None:
    check_count(len(faces))
    if len(set(faces)) != len(faces):
        raise BadProof(said("a face is listed twice"))


def prove_member(
    ctx: Context, nonces: Nonces, x: int, X: Point, card: Card, faces: Sequence[Point], index: int
) -> MemberProof:
    """Prove that the card held under X = x·G is one of `faces`; it is faces[index]."""
    _check_faces(faces)
    a, held = card
    transcript = _statement(ctx, X, card, faces)
    nonce = nonces.stream(transcript)
    w = nonce.scalar()
    c = [nonce.scalar() % _CHALLENGES for _ in faces]
    z = nonce.scalars(len(faces))
    T1, T2 = [], []
    for k, face in enumerate(faces):
        if k == index:
            T1.append(group.mulg(w))
            T2.append(group.mul(a, w))
        else:  # z·G - c·X and z·a - c·(B' - M), made backwards from answer and challenge
            T1.append(some(group.add(group.mulg(z[k]), group.msm((-c[k],), (X,)))))
            T2.append(some(group.msm((z[k], c[k]), (a, some(group.sub(face, held))))))
    c[index] = (_challenge(transcript, T1, T2) - sum(c) + c[index]) % _CHALLENGES
    z[index] = (w + c[index] * x) % Q
    return MemberProof(tuple(T1), tuple(T2), tuple(c), tuple(z))


def check_member(ctx: Context, X: Point, card: Card, faces: Sequence[Point], proof: MemberProof) -> list[Equation]:
    """Two equations for each face.

    Raises BadProof if a face is listed twice, the proof does not fit the list, a number is out of range, or the
    challenges do not add up.
    """
    _check_faces(faces)
    if any(len(part) != len(faces) for part in (proof.T1, proof.T2, proof.c, proof.z)):
        raise BadProof(said("the proof is not one over {count} faces", count=len(faces)))
    check_scalars(*proof.z)
    if not all(0 <= c < _CHALLENGES for c in proof.c):
        raise BadProof(said("a challenge is out of range"))
    if sum(proof.c) % _CHALLENGES != _challenge(_statement(ctx, X, card, faces), proof.T1, proof.T2):
        raise BadProof(said("the challenges do not add up"))
    a, held = card
    equations: list[Equation] = []
    for face, T1, T2, c, z in zip(faces, proof.T1, proof.T2, proof.c, proof.z, strict=True):
        equations.append([(z, group.G), (-1, T1), (-c, X)])
        equations.append([(z, a), (-1, T2), (-c, held), (c, face)])
    return equations
