"""The proofs that wait for their verification: those of the running step, and those of the pile that is shuffled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from p2puno.said import said
from protocol.offences import Cheat
from protocol.proofs.batch import Batch, Equation

SHUFFLE: Final = said("shuffle")
"""The step of which the proofs are, where they wait for the whole pile."""


class Proofs:
    """Two batches: one is verified when its step is complete, the other when the last shuffler of a pile is through."""

    def __init__(self) -> None:
        self._step = Batch()
        self._pile = Batch()
        self.verified = 0  # contributions whose proofs were found to hold
        self._unverified = [0, 0]  # contributions in the batches, of the step and of the pile

    def add(self, seat: int, step: int, equations: Sequence[Equation], deferred: bool) -> None:
        """Keep what a contribution still has to prove; `deferred`: with its pile."""
        (self._pile if deferred else self._step).add((seat, step), equations)
        self._unverified[deferred] += bool(equations)

    def sound(self, seat: int, step: int) -> bool:
        """Whether the contribution of a seat to the running step proves what it must, as far as it was taken."""
        return (seat, step) not in self._step.culprits()

    def next_step(self) -> None:
        """Forget the proofs of a step that has ended."""
        self._step = Batch()
        self._unverified[False] = 0

    def drop_pile(self) -> None:
        """Forget the proofs of a pile that begins anew."""
        self._pile = Batch()
        self._unverified[True] = 0

    def verify_step(self, what: str) -> list[Cheat]:
        """Verify the proofs of the running step (`what`); those that do not hold are taken out, and their authors
        named."""
        if self._step.verify():
            self._count(deferred=False)
            return []
        wrong = self._step.culprits()
        for culprit in wrong:
            self._step.drop(culprit)
        return [_cheat(culprit, what) for culprit in wrong]

    def verify_pile(self) -> list[Cheat]:
        """Verify the proofs of the pile, and forget them; names the authors of those that do not hold."""
        batch, self._pile = self._pile, Batch()
        if batch.verify():
            self._count(deferred=True)
            return []
        self._unverified[True] = 0
        return [_cheat(culprit, SHUFFLE) for culprit in batch.culprits()]

    def _count(self, deferred: bool) -> None:
        self.verified += self._unverified[deferred]
        self._unverified[deferred] = 0

    def wrong(self, what: str) -> list[Cheat]:
        """The authors of proofs that do not hold, of the pile and of the running step (`what`), before their time."""
        pile = [_cheat(culprit, SHUFFLE) for culprit in self._pile.culprits()]
        return pile + [_cheat(culprit, what) for culprit in self._step.culprits()]


def _cheat(culprit: object, what: str) -> Cheat:
    seat, step = cast(tuple[int, int], culprit)
    return Cheat(seat, said("{step}: the proof does not hold", step=what), step)
