"""Escrow of key shares: what all others together can do for one seat that is silent (Feldman 1987;
docs/deck-protocol.md, section 7).

The dealer i hides its key share x_i in a polynomial f_i(z) = x_i + α_1·z + … + α_t·z^t mod Q and publishes
A_0 = x_i·G and A_l = α_l·G. Seat k gets f_i(k) sealed to a key that k made for this one dealer. With one drop-out
tolerated among P seats t + 1 = P − 1: all the others together, and nobody less, can compute x_i·a for a card (a, b), by
D = Σ λ_k·D_k from D_k = f_i(k)·a, without anybody learning x_i. Seat number s has the index s + 1, never reused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from protocol.group import Point, Q, group
from protocol.proofs.batch import Equation
from protocol.proofs.encoding import SCALAR_BYTES, some

FEWEST = 3
"""With fewer seats nobody's silence can be judged, and there is no escrow (R57)."""
SEALED_BYTES = 32 + SCALAR_BYTES + 16
"""A sealed share: ephemeral key, scalar, tag."""

_SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)


def coefficients(seats: int) -> int:
    """How many A_l a dealer publishes, A_0 included: t + 1, as many as there are others."""
    return seats - 1


def evaluate(polynomial: Sequence[int], seat: int) -> int:
    """f(seat + 1) mod Q of the polynomial with these coefficients, the lowest first."""
    total = 0
    for coefficient in reversed(polynomial):
        total = (total * (seat + 1) + coefficient) % Q
    return total


class Escrow:
    """What is public of one epoch: who deals to whom, and the commitments."""

    def __init__(
        self,
        epoch: int,
        boxes: Mapping[int, Mapping[int, bytes]],
        deals: Mapping[int, tuple[list[Point], dict[int, bytes]]],
    ) -> None:
        """`boxes`: by seat its box key for each dealer. `deals`: by dealer its A_0 … A_t, and by seat the sealed
        share."""
        self.epoch = epoch
        self.boxes = boxes
        self.seats = tuple(sorted(deals))
        self.commitments = {dealer: points for dealer, (points, _) in deals.items()}
        self.sealed = {dealer: sealed for dealer, (_, sealed) in deals.items()}
        self._keys: dict[tuple[int, int], Point] = {}

    def expected(self, dealer: int, seat: int) -> list[tuple[int, Point]]:
        """The terms of f_i(k)·G = Σ (k + 1)^l·A_l."""
        return [(pow(seat + 1, power, Q), A) for power, A in enumerate(self.commitments[dealer])]

    def fits(self, dealer: int, seat: int, share: int) -> Equation:
        """The equation that holds if `share` is f_i(k)."""
        return [(share, group.G), *((-scalar, A) for scalar, A in self.expected(dealer, seat))]

    def key(self, dealer: int, seat: int) -> Point:
        """X_{i,k} = f_i(k)·G: the key under which seat k helps out for the dealer i.

        :raises BadProof: it is the identity, which only a dealer that wants to harm itself brings about
        """
        if (dealer, seat) not in self._keys:
            terms = self.expected(dealer, seat)
            self._keys[dealer, seat] = some(group.msm([scalar for scalar, _ in terms], [A for _, A in terms]))
        return self._keys[dealer, seat]

    def digest(self) -> bytes:
        """What the public state says of the escrow: its epoch and every commitment."""
        parts = [self.epoch.to_bytes(4, "big")]
        for dealer, points in sorted(self.commitments.items()):
            parts += [dealer.to_bytes(1, "big"), *(A.encoded for A in points)]
        return b"".join(parts)


@lru_cache(maxsize=256)
def lagrange(seats: tuple[int, ...]) -> dict[int, int]:
    """λ_k = Π_{m≠k} m/(m − k) mod Q for these seats' indices: f(0) = Σ λ_k·f(k) for a degree below their number."""
    weights = {}
    for seat in seats:
        above, below = 1, 1
        for other in seats:
            if other != seat:
                above = above * (other + 1) % Q
                below = below * (other - seat) % Q
        weights[seat] = above * pow(below, -1, Q) % Q
    return weights


def combine(shares: Mapping[int, Sequence[Point]]) -> list[Point]:
    """x_i·a for each card from every helper's verified f_i(k)·a, {seat: one point a card}.

    :raises BadProof: a share is the identity
    """
    seats = tuple(sorted(shares))
    weights = lagrange(seats)
    columns = zip(*(shares[seat] for seat in seats), strict=True)
    return [some(group.msm([weights[seat] for seat in seats], list(column))) for column in columns]


# -- sealing a share to the one who keeps it ---------------------------------------------------------------------------


def _info(sid: bytes, epoch: int, dealer: int, seat: int) -> bytes:
    return b"p2puno/1 escrow\x00" + sid + epoch.to_bytes(4, "big") + bytes((dealer, seat))


def box_public(secret: bytes) -> bytes:
    """The public half, 32 bytes, of a box key of 32 secret bytes (RFC 7748)."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def seal(sid: bytes, epoch: int, dealer: int, seat: int, box: bytes, share: int) -> bytes:
    """The share f_i(k) for seat k, readable by the owner of the box key alone (HPKE, RFC 9180, base mode).

    :raises ValueError: the box key is one that no share can be sealed to
    """
    key = X25519PublicKey.from_public_bytes(box)
    return bytes(_SUITE.encrypt(share.to_bytes(SCALAR_BYTES, "big"), key, info=_info(sid, epoch, dealer, seat)))


def unseal(sid: bytes, epoch: int, dealer: int, seat: int, secret: bytes, sealed: bytes) -> int | None:
    """The share that was sealed; None if it is none."""
    key = X25519PrivateKey.from_private_bytes(secret)
    try:
        data = _SUITE.decrypt(sealed, key, info=_info(sid, epoch, dealer, seat))
    except (InvalidTag, ValueError):
        return None
    share = int.from_bytes(data, "big")
    return share if len(data) == SCALAR_BYTES and share < Q else None


def others(seats: Iterable[int], seat: int) -> list[int]:
    """The seats but one, in the order in which boxes and sealed shares are listed."""
    return [other for other in seats if other != seat]
