"""What the tests of tables compute once. All peers of a simulated table, and the audits of their journals, verify the
same proofs and signatures and read the same points in one process; and tables of one seed begin alike in many tests."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from typing import Any

import pytest

from protocol import keeper, messages
from protocol.group import Q, group
from protocol.proofs import batch
from protocol.proofs.batch import Equation
from protocol.proofs.shuffle import Witness
from protocol.proofs.transcript import Nonces

MOST = 65_536
"""So many signatures, and so many points, are remembered at a time: more than a table has."""
MOST_PROOFS = 2_000
"""So many proofs of one kind are remembered at a time."""
PROVERS = ("shuffle", "prove_shuffle", "prove_shares", "prove_member", "prove_handover")


def _name(equation: Equation) -> bytes:
    return hashlib.sha256(b"".join([(k % Q).to_bytes(32, "big") + point.encoded for k, point in equation])).digest()


@pytest.fixture(autouse=True, scope="session")
def verified_once() -> Iterator[None]:
    """What was once found to hold is not verified again."""
    holds, known = batch._holds, set()

    def remembering(equations: list[Equation]) -> bool:
        new = {name: equation for equation in equations if (name := _name(equation)) not in known}
        if new and not holds([*new.values()]):
            return False
        known.update(new)
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "_holds", remembering)
        patch.setattr(messages, "verify", lru_cache(MOST)(messages.verify))
        patch.setattr(group, "dec", lru_cache(MOST)(group.dec))
        yield


class Prover:
    """A prover that remembers from test to test. What one test has proved twice is computed anew and must come out the
    same to the byte: who starts again tells the same story."""

    def __init__(self, prove: Callable[..., Any]) -> None:
        self._prove = prove
        self._proved: dict[Hashable, Any] = {}
        self.asked: set[Hashable] = set()  # in the running test

    def __call__(self, *statement: Any) -> Any:
        key = _hashable(statement)
        if key in self._proved and key not in self.asked:
            self.asked.add(key)
            return self._proved[key]
        self.asked.add(key)
        proof = self._prove(*statement)
        assert self._proved.setdefault(key, proof) == proof, "the same statement gives the same proof"
        if len(self._proved) > MOST_PROOFS:
            del self._proved[next(iter(self._proved))]
        return proof


def _hashable(value: Any) -> Hashable:
    match value:
        case list() | tuple():
            return tuple(map(_hashable, value))
        case Nonces():
            return value._secret
        case Witness():
            return tuple(value.order), tuple(value.masks)
        case _:
            assert isinstance(value, Hashable)
            return value


@pytest.fixture(scope="session")
def provers() -> Iterator[list[Prover]]:
    with pytest.MonkeyPatch.context() as patch:
        remembering = []
        for name in PROVERS:
            prover = Prover(getattr(keeper, name))
            patch.setattr(keeper, name, prover)
            remembering.append(prover)
        yield remembering


@pytest.fixture(autouse=True)
def _proved_once(provers: list[Prover]) -> None:
    """A statement that an earlier test has proved is not proved again."""
    for prover in provers:
        prover.asked.clear()
