"""Knowledge of a secret key (Schnorr 1991): stops keys made out of the keys of others."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.group import POINT_BYTES, Point, Q, group
from protocol.proofs.batch import Equation
from protocol.proofs.encoding import SCALAR_BYTES, Reader, check_scalars, points_bytes, scalars_bytes
from protocol.proofs.transcript import Context, Nonces, Transcript, opened


@dataclass(frozen=True, slots=True)
class KeyProof:
    """T = w·G and z = w + c·x."""

    T: Point
    z: int

    def to_bytes(self) -> bytes:
        """65 bytes: T, z."""
        return points_bytes([self.T]) + scalars_bytes([self.z])

    @classmethod
    def from_bytes(cls, data: bytes) -> KeyProof:
        """Decode; raises BadProof for anything but 65 canonical bytes."""
        reader = Reader(data, POINT_BYTES + SCALAR_BYTES)
        return cls(reader.point(), reader.scalar())


def _statement(ctx: Context, X: Point, extra: bytes) -> Transcript:
    transcript = opened(ctx, "key", X, 0)
    transcript.put("extra", extra)
    return transcript


def _challenge(transcript: Transcript, T: Point) -> int:
    transcript.put_points("T", T)
    return transcript.chal("c")


def prove_key(ctx: Context, nonces: Nonces, x: int, X: Point, extra: bytes) -> KeyProof:
    """Prove knowledge of x with X = x·G; `extra` is bound to the proof (at a table the entropy of the reveal)."""
    transcript = _statement(ctx, X, extra)
    w = nonces.stream(transcript).scalar()
    T = group.mulg(w)
    return KeyProof(T, (w + _challenge(transcript, T) * x) % Q)


def check_key(ctx: Context, X: Point, extra: bytes, proof: KeyProof) -> list[Equation]:
    """The equation z·G = T + c·X; raises BadProof on a scalar out of range."""
    check_scalars(proof.z)
    c = _challenge(_statement(ctx, X, extra), proof.T)
    return [[(proof.z, group.G), (-1, proof.T), (-c, X)]]
