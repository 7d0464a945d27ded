"""Challenges and nonces: what a proof has said so far, hashed.

Fiat and Shamir's transformation in its strong form (Bernhard, Pereira, Warinschi 2012): every challenge depends on the
context, the group, the key, the whole statement and every earlier message of the prover.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from protocol.group import Point, Q, group

PROTOCOL = b"p2puno proof 1"
CURVE = b"secp256k1"
_PUT, _CHALLENGE, _WEIGHTS, _NONCES = b"\1", b"\2", b"\3", b"\4"


@dataclass(frozen=True, slots=True)
class Context:
    """Where a proof belongs; it is valid nowhere else.

    `sid` is the 32-byte id of the session (one hand at one table), `prover` the seat that proves, `deck` the pile or
    purpose, `epoch` the escrow epoch, `position` the number of the step in the journal.
    """

    sid: bytes
    prover: int
    deck: str
    epoch: int
    position: int

    def __post_init__(self) -> None:
        if len(self.sid) != 32:
            raise ValueError("a session id has 32 bytes")

    def items(self, kind: str) -> tuple[bytes, ...]:
        """The fields in fixed order for a transcript, with the kind of the proof."""
        return (
            self.sid,
            kind.encode(),
            self.prover.to_bytes(2, "big"),
            self.deck.encode(),
            self.epoch.to_bytes(4, "big"),
            self.position.to_bytes(8, "big"),
        )


class Transcript:
    """A running SHA-512 over framed messages.

    One message is a mark (put or challenge), the label, the number of items, and the items, each with its length.
    """

    def __init__(self) -> None:
        self._hash = hashlib.sha512(PROTOCOL)

    def _absorb(self, mark: bytes, label: str, items: tuple[bytes, ...]) -> None:
        name = label.encode()
        parts = [mark, len(name).to_bytes(4, "big"), name, len(items).to_bytes(4, "big")]
        for item in items:
            parts.append(len(item).to_bytes(4, "big"))
            parts.append(item)
        self._hash.update(b"".join(parts))

    def put(self, label: str, *items: bytes) -> None:
        """Absorb one message."""
        self._absorb(_PUT, label, items)

    def put_points(self, label: str, *points: Point) -> None:
        """Absorb points by their encodings."""
        self._absorb(_PUT, label, tuple(P.encoded for P in points))

    def chal(self, label: str) -> int:
        """Absorb the label, then squeeze 512 bits to a challenge mod Q."""
        self._absorb(_CHALLENGE, label, ())
        return int.from_bytes(self._hash.digest(), "big") % Q

    def weights(self, label: str, count: int) -> list[int]:
        """Absorb the label, then squeeze `count` weights of 128 bits; the first is always 1.

        That loses nothing: a sum with weights 1, w_2, … vanishes for a wrong list with probability 2^-128 at most.
        """
        self._absorb(_WEIGHTS, label, ())
        seed = self._hash.digest()
        rest = [hashlib.sha512(seed + k.to_bytes(4, "big")).digest()[:16] for k in range(1, count)]
        return [1] * min(count, 1) + [int.from_bytes(weight, "big") for weight in rest]

    def nonce_seed(self, secret: bytes) -> bytes:
        """HMAC-SHA512 of everything absorbed so far; it leaves the transcript as it is."""
        return hmac.digest(secret, _NONCES + self._hash.digest(), "sha512")


def opened(ctx: Context, kind: str, key: Point, count: int, generators: str = "") -> Transcript:
    """A transcript that has absorbed what all proofs share: context, group, generators and their number, key."""
    transcript = Transcript()
    transcript.put("context", *ctx.items(kind))
    transcript.put("group", CURVE, group.G.encoded)
    transcript.put("generators", generators.encode(), count.to_bytes(4, "big"))
    transcript.put("key", key.encoded)
    return transcript


class Nonces:
    """The source of every secret that a proof needs, from the 64-byte nonce secret of one hand.

    What it gives depends on the transcript alone: the same statement in the same context gets the same nonces, so a
    peer that starts again repeats itself to the byte; any other statement gets others.
    """

    def __init__(self, secret: bytes) -> None:
        if len(secret) != 64:
            raise ValueError("a nonce secret has 64 bytes")
        self._secret = secret

    def stream(self, transcript: Transcript) -> NonceStream:
        """The secrets for what the transcript has absorbed: context, kind and the whole statement."""
        return NonceStream(transcript.nonce_seed(self._secret))


class NonceStream:
    """An HMAC-SHA512 stream in counter mode over one seed."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._counter = 0

    def _block(self) -> int:
        block = hmac.digest(self._seed, self._counter.to_bytes(8, "big"), "sha512")
        self._counter += 1
        return int.from_bytes(block, "big")

    def scalar(self) -> int:
        """A scalar in 1..Q-1, reduced from 512 bits."""
        while not (s := self._block() % Q):
            pass
        return s

    def scalars(self, count: int) -> list[int]:
        """That many scalars."""
        return [self.scalar() for _ in range(count)]

    def below(self, bound: int) -> int:
        """A uniform number in 0..bound-1 for a bound below 2^64; what would favour small numbers is thrown away."""
        limit = 2**64 // bound * bound
        while (number := self._block() >> 448) >= limit:
            pass
        return number % bound

    def permutation(self, count: int) -> list[int]:
        """A uniform permutation of 0..count-1 (Fisher and Yates)."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
