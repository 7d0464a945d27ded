"""Shuffling a masked deck, and the argument that nothing else was done to it.

Bayer and Groth, "Efficient Zero-Knowledge Argument for Correctness of a Shuffle", EUROCRYPT 2012, with m = 1: the
product argument of section 5 shows that the committed exponents are the powers x^1..x^N in some order, the
multi-exponentiation argument of section 4 that the output deck, raised to them, is the input deck raised to x^1..x^N.
com(v; r) = r·G + Σ v_i·h_i is a Pedersen commitment to a vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

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

GENERATORS = "h"
_LEAST = 2
_POINTS = 8


@dataclass(frozen=True, slots=True)
class Witness:
    """What only the shuffler knows: output card j is input card `order[j]` (from 0) with `masks[j]` added."""

    order: Sequence[int] = field(repr=False)
    masks: Sequence[int] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """Eight commitments and 3N+2 answers; letters as in docs/deck-protocol.md, ends in _t for ~ and _h for ^."""

    c_A: Point  # noqa: N815
    c_B: Point  # noqa: N815
    c_e: Point
    c_delta: Point
    c_Delta: Point  # noqa: N815
    c_beta: Point
    E1: Point
    E2: Point
    a_t: tuple[int, ...]
    b_t: tuple[int, ...]  # only 2..N-1: the verifier knows the first and the last
    b_h: tuple[int, ...]
    r_t: int
    s_t: int
    s_h: int
    tau_h: int

    @property
    def _points(self) -> tuple[Point, ...]:
        return (self.c_A, self.c_B, self.c_e, self.c_delta, self.c_Delta, self.c_beta, self.E1, self.E2)

    @property
    def _scalars(self) -> tuple[int, ...]:
        return (*self.a_t, *self.b_t, *self.b_h, self.r_t, self.s_t, self.s_h, self.tau_h)

    def to_bytes(self) -> bytes:
        """8·33 + (3N+2)·32 bytes: the points, then the answers, each in the order of the fields."""
        return points_bytes(self._points) + scalars_bytes(self._scalars)

    @classmethod
    def from_bytes(cls, data: bytes, n: int) -> ShuffleProof:
        """Decode the proof for n cards; raises BadProof for anything but the one layout."""
        check_count(n, _LEAST)
        reader = Reader(data, _POINTS * POINT_BYTES + (3 * n + 2) * SCALAR_BYTES)
        c_A, c_B, c_e, c_delta, c_Delta, c_beta, E1, E2 = reader.points(_POINTS)
        a_t, b_t, b_h = (tuple(reader.scalars(count)) for count in (n, n - 2, n))
        r_t, s_t, s_h, tau_h = reader.scalars(4)
        return cls(c_A, c_B, c_e, c_delta, c_Delta, c_beta, E1, E2, a_t, b_t, b_h, r_t, s_t, s_h, tau_h)


@cache
def _generator(i: int) -> Point:
    return group.h2g(GENERATORS.encode(), i.to_bytes(4, "big"))


def _com(values: Sequence[int], blinding: int) -> Point:
    generators = [_generator(i) for i in range(1, len(values) + 1)]
    return some(group.msm([blinding, *values], [group.G, *generators]))


def _flat(deck: Sequence[Card]) -> list[Point]:
    return [half for card in deck for half in card]


def _statement(ctx: Context, Y: Point, deck_in: Sequence[Card], deck_out: Sequence[Card]) -> Transcript:
    transcript = opened(ctx, "shuffle", Y, len(deck_in), GENERATORS)
    transcript.put_points("in", *_flat(deck_in))
    transcript.put_points("out", *_flat(deck_out))
    return transcript


class _Challenges:
    """The four challenges, each after the commitments that it depends on."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript

    def x(self, c_A: Point) -> int:
        self._transcript.put_points("c_A", c_A)
        return self._transcript.chal("x")

    def y_z(self, c_B: Point) -> tuple[int, int]:
        self._transcript.put_points("c_B", c_B)
        return self._transcript.chal("y"), self._transcript.chal("z")

    def w(self, c_e: Point, c_delta: Point, c_Delta: Point, c_beta: Point, E1: Point, E2: Point) -> int:
        self._transcript.put_points("first", c_e, c_delta, c_Delta, c_beta, E1, E2)
        return self._transcript.chal("w")


def _powers(x: int, count: int) -> list[int]:
    """x^1 .. x^count."""
    powers = [x]
    for _ in range(count - 1):
        powers.append(powers[-1] * x % Q)
    return powers


def shuffle(ctx: Context, nonces: Nonces, Y: Point, deck: Sequence[Card]) -> tuple[list[Card], Witness]:
    """Permute at least two cards masked under Y and mask each afresh; the same deck in the same context gives the
    same result. Raises BadProof if the deck is too short or too long."""
    check_count(len(deck), _LEAST)
    transcript = opened(ctx, "mask", Y, len(deck))
    transcript.put_points("in", *_flat(deck))
    secrets = nonces.stream(transcript)
    witness = Witness(secrets.permutation(len(deck)), secrets.scalars(len(deck)))
    return masked(Y, deck, witness), witness


def masked(Y: Point, deck: Sequence[Card], witness: Witness) -> list[Card]:
    """The cards of `deck` in the order of the witness, each with its mask added."""
    result = []
    for source, rho in zip(witness.order, witness.masks, strict=True):
        a, b = deck[source]
        result.append((some(group.add(a, group.mulg(rho))), some(group.add(b, group.mulv(Y, rho)))))
    return result


def prove_shuffle(
    ctx: Context, nonces: Nonces, Y: Point, deck_in: Sequence[Card], deck_out: Sequence[Card], witness: Witness
) -> ShuffleProof:
    """Prove that deck_out is deck_in, permuted and masked afresh under Y as the witness says."""
    N = len(deck_in)
    transcript = _statement(ctx, Y, deck_in, deck_out)
    nonce = nonces.stream(transcript)
    challenges = _Challenges(transcript)

    a = [source + 1 for source in witness.order]
    r = nonce.scalar()
    c_A = _com(a, r)
    powers = _powers(challenges.x(c_A), N)
    b = [powers[source] for source in witness.order]
    s = nonce.scalar()
    c_B = _com(b, s)
    y, z = challenges.y_z(c_B)

    d = [(y * a_i + b_i - z) % Q for a_i, b_i in zip(a, b, strict=True)]
    p = [d[0]]
    for d_i in d[1:]:
        p.append(p[-1] * d_i % Q)
    e, beta = nonce.scalars(N), nonce.scalars(N)
    delta = [e[0], *nonce.scalars(N - 2), 0]
    r_e, s_1, s_x, s_0, tau_0 = nonce.scalars(5)
    c_e = _com(e, r_e)
    c_delta = _com([-delta[i - 1] * e[i] for i in range(1, N)], s_1)
    c_Delta = _com([delta[i] - d[i] * delta[i - 1] - p[i - 1] * e[i] for i in range(1, N)], s_x)
    c_beta = _com(beta, s_0)
    E1 = some(group.msm([tau_0, *beta], [group.G, *(card[0] for card in deck_out)]))
    E2 = some(group.msm([tau_0, *beta], [Y, *(card[1] for card in deck_out)]))
    w = challenges.w(c_e, c_delta, c_Delta, c_beta, E1, E2)

    return ShuffleProof(
        c_A, c_B, c_e, c_delta, c_Delta, c_beta, E1, E2,
        a_t=tuple((w * d_i + e_i) % Q for d_i, e_i in zip(d, e, strict=True)),
        b_t=tuple((w * p[i] + delta[i]) % Q for i in range(1, N - 1)),
        b_h=tuple((w * b_i + beta_i) % Q for b_i, beta_i in zip(b, beta, strict=True)),
        r_t=(w * (y * r + s) + r_e) % Q,
        s_t=(w * s_x + s_1) % Q,
        s_h=(w * s + s_0) % Q,
        tau_h=(tau_0 - w * sum(rho * b_i for rho, b_i in zip(witness.masks, b, strict=True))) % Q,
    )  # fmt: skip


def check_shuffle(
    ctx: Context, Y: Point, deck_in: Sequence[Card], deck_out: Sequence[Card], proof: ShuffleProof
) -> list[Equation]:
    """The five equations of the argument.

    Raises BadProof if the decks are shorter than two, differ in length, or fit the proof badly; if the output repeats
    a first half (two cards that one share would open); or if a scalar is out of range.
    """
    N = len(deck_in)
    check_count(N, _LEAST)
    if len(deck_out) != N:
        raise BadProof(said("{count} cards became {got}", count=N, got=len(deck_out)))
    if len({card[0].encoded for card in deck_out}) != N:
        raise BadProof(said("two cards of the shuffled deck share their first half"))
    if (len(proof.a_t), len(proof.b_t), len(proof.b_h)) != (N, N - 2, N):
        raise BadProof(said("the proof is not one for {count} cards", count=N))
    check_scalars(*proof._scalars)

    challenges = _Challenges(_statement(ctx, Y, deck_in, deck_out))
    x = challenges.x(proof.c_A)
    y, z = challenges.y_z(proof.c_B)
    w = challenges.w(proof.c_e, proof.c_delta, proof.c_Delta, proof.c_beta, proof.E1, proof.E2)
    powers = _powers(x, N)
    h = [_generator(i) for i in range(1, N + 1)]
    G, a_t, b_h = group.G, proof.a_t, proof.b_h
    product = w
    for i, power in enumerate(powers, 1):
        product = product * (y * i + power - z) % Q
    b_t = (a_t[0], *proof.b_t, product)
    w_powers = [w * power % Q for power in powers]

    exponents: Equation = [
        (w * y, proof.c_A), (w, proof.c_B), (1, proof.c_e), (-proof.r_t, G),
        *((-w * z - a_i, h_i) for a_i, h_i in zip(a_t, h, strict=True)),
    ]  # fmt: skip
    products: Equation = [
        (w, proof.c_Delta), (1, proof.c_delta), (-proof.s_t, G),
        *((b_t[i - 1] * a_t[i] - w * b_t[i], h[i - 1]) for i in range(1, N)),
    ]  # fmt: skip
    openings: Equation = [
        (w, proof.c_B), (1, proof.c_beta), (-proof.s_h, G),
        *((-b_i, h_i) for b_i, h_i in zip(b_h, h, strict=True)),
    ]  # fmt: skip
    halves = [
        [
            (1, E), (-proof.tau_h, base),
            *((k, card[half]) for k, card in zip(w_powers, deck_in, strict=True)),
            *((-b_i, card[half]) for b_i, card in zip(b_h, deck_out, strict=True)),
        ]
        for half, (E, base) in enumerate(((proof.E1, G), (proof.E2, Y)))
    ]  # fmt: skip
    return [exponents, products, openings, *halves]
