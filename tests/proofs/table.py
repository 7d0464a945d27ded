"""A small table for the proof tests: fixed keys, a deck of a few faces, and one honest example of every proof."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from protocol.group import Point, Q, group
from protocol.proofs import dleq, handover, membership, schnorr, shuffle
from protocol.proofs.batch import BadProof, Batch
from protocol.proofs.encoding import Card
from protocol.proofs.transcript import Context, Nonces

CTX = Context(sid=hashlib.sha256(b"a table").digest(), prover=2, deck="draw", epoch=1, position=17)


def scalar(*name: object) -> int:
    """A scalar fixed by its name."""
    return int.from_bytes(hashlib.sha512(repr(name).encode()).digest(), "big") % Q


def nonces(name: object = 0) -> Nonces:
    """A nonce source fixed by its name."""
    return Nonces(hashlib.sha512(repr(name).encode()).digest())


def face(k: int) -> Point:
    """The point of face number k."""
    return group.h2g(b"card", b"test", bytes([k]))


def present(P: Point | None) -> Point:
    """P, which is not the identity."""
    assert P is not None
    return P


def encrypted(k: int, key: Point, r: int = 1) -> Card:
    """Face k under `key` with randomness r."""
    return group.mulg(r), present(group.add(face(k), group.mulv(key, r)))


def opened(card: Card, x: int) -> Point:
    """The face point of a card under the key of x."""
    return present(group.sub(card[1], group.mul(card[0], x)))


x = scalar("key")
X = group.mulg(x)
Y = group.mulg(scalar("joint"))
RECEIVER = group.mulg(scalar("receiver"))
DECK = [encrypted(k, Y) for k in range(5)]
HELD = encrypted(3, X, scalar("held"))
FACES = [face(k) for k in (1, 3, 4, 7)]


@dataclass
class Example:
    """An honest proof: `check(**statement, proof=proof)` gives equations that hold."""

    check: Callable[..., Any]
    statement: dict[str, Any]
    proof: Any
    decode: Callable[[bytes], Any]

    def equations(self, proof: Any = None, **changed: Any) -> Any:
        return self.check(**{**self.statement, **changed, "proof": proof or self.proof})

    def refused(self, proof: Any = None, **changed: Any) -> bool:
        """Whether a node would refuse the (changed) proof of the (changed) statement."""
        return refused(lambda: self.equations(proof, **changed))


def refused(equations: Callable[[], Any]) -> bool:
    """Whether the check refuses, by structure or by its equations."""
    batch = Batch()
    try:
        batch.add("proof", equations())
    except BadProof:
        return True
    return not batch.verify()


def examples() -> dict[str, Example]:
    """One honest example of every proof."""
    found: dict[str, Example] = {
        "key": Example(
            schnorr.check_key,
            {"ctx": CTX, "X": X, "extra": b"Feldman"},
            schnorr.prove_key(CTX, nonces(), x, X, b"Feldman"),
            schnorr.KeyProof.from_bytes,
        )
    }
    for count in (1, 4):
        a = [group.mulg(scalar("a", k)) for k in range(count)]
        shares, share_proof = dleq.prove_shares(CTX, nonces(), x, X, a)
        statement = {"ctx": CTX, "X": X, "a": a, "D": shares}
        found[f"shares-{count}"] = Example(dleq.check_shares, statement, share_proof, dleq.ShareProof.from_bytes)
    for count in (2, 5):
        deck = DECK[:count]
        out, witness = shuffle.shuffle(CTX, nonces(), Y, deck)
        found[f"shuffle-{count}"] = Example(
            shuffle.check_shuffle,
            {"ctx": CTX, "Y": Y, "deck_in": deck, "deck_out": out},
            shuffle.prove_shuffle(CTX, nonces(), Y, deck, out, witness),
            lambda data, count=count: shuffle.ShuffleProof.from_bytes(data, count),
        )
    for kind in handover.KINDS:
        new, hand_proof = handover.prove_handover(CTX, nonces(), kind, x, X, HELD, RECEIVER)
        statement = {"ctx": CTX, "kind": kind, "X": X, "card": HELD, "receiver": RECEIVER, "new": new}
        found[kind] = Example(handover.check_handover, statement, hand_proof, handover.HandoverProof.from_bytes)
    found["member"] = Example(
        membership.check_member,
        {"ctx": CTX, "X": X, "card": HELD, "faces": FACES},
        membership.prove_member(CTX, nonces(), x, X, HELD, FACES, 1),
        lambda data: membership.MemberProof.from_bytes(data, len(FACES)),
    )
    return found


def altered(value: Any) -> Iterator[Any]:
    """Every way to change one thing in a statement or a proof."""
    if isinstance(value, Context):
        yield replace(value, sid=hashlib.sha256(b"another table").digest())
        yield replace(value, prover=value.prover + 1)
        yield replace(value, deck="burn")
        yield replace(value, epoch=value.epoch + 1)
        yield replace(value, position=value.position + 1)
    elif isinstance(value, Point):
        yield present(group.add(value, group.G))
        yield group.neg(value)
    elif isinstance(value, bytes):
        yield value + b"\0"
    elif isinstance(value, str):
        yield from (kind for kind in handover.KINDS if kind != value)
    elif isinstance(value, int):
        yield value + 1
        yield value + Q
    elif isinstance(value, list | tuple):
        for index, element in enumerate(value):
            for other in altered(element):
                yield type(value)([*value[:index], other, *value[index + 1 :]])
        if len(value) > 1:
            yield type(value)([value[1], value[0], *value[2:]])
        card = len(value) == 2 and all(isinstance(half, Point) for half in value)
        if value and not card:
            yield type(value)(value[:-1])
            yield type(value)([*value, value[-1]])
    else:
        for part in fields(value):
            for other in altered(getattr(value, part.name)):
                yield replace(value, **{part.name: other})
