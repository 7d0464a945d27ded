"""The proofs of a reading: believed while reading, checked many at a time.

One multi-scalar multiplication over the proofs of a whole stretch of the table costs a fraction of one for each step.
So a reading goes on as if every proof held. If a stretch does not, those to blame in its earliest step are noted, and
the reading begins again, knowing them; whatever it had seen beyond that step counts for nothing. A proof that was
checked is not checked again: an entry names its row, and the row fixes all that its proof is about.
"""

from __future__ import annotations

from collections.abc import Callable

from protocol.proofs.batch import Batch, Equation

STRETCH = 12_000
"""So many terms at most are gathered before they are checked."""


class Refuted(Exception):
    """Proofs that were believed do not hold: the reading must begin again."""


class Ledger:
    """The proofs of one file, over all its readings. `refuted`: hashes of entries whose proof does not hold."""

    def __init__(self) -> None:
        self.refuted: set[bytes] = set()
        self._good: set[bytes] = set()
        self._open: list[tuple[int, bytes, list[Equation]]] = []
        self._terms = 0

    def begin(self) -> None:
        """A new reading: what was gathered and not checked is forgotten."""
        self._open.clear()
        self._terms = 0

    def believe(self, step: int, entry: bytes, make: Callable[[], list[Equation]]) -> None:
        """Gather the equations of an entry of a step.

        :raises BadProof: the proof is malformed
        """
        if entry in self._good or entry in self.refuted:
            return
        equations = make()
        self._open.append((step, entry, equations))
        self._terms += sum(map(len, equations))

    @property
    def full(self) -> bool:
        """Whether it is time to check."""
        return self._terms >= STRETCH

    def settle(self) -> None:
        """Check all that was gathered.

        :raises Refuted: something of it does not hold
        """
        gathered = list(self._open)
        batch = Batch()
        for _, entry, equations in gathered:
            batch.add(entry, equations)
        self.begin()
        if batch.verify():
            self._good.update(entry for _, entry, _ in gathered)
            return
        false = set(batch.culprits())
        first = min(step for step, entry, _ in gathered if entry in false)
        for step, entry, _ in gathered:
            if step < first and entry not in false:
                self._good.add(entry)
            elif step == first and entry in false:
                self.refuted.add(entry)
        raise Refuted
