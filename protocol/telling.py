"""What the face is told of where a table stands, each thing once: who is waited for, who is absent, how hands ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from p2puno.said import said
from protocol.events import AbsenceChanged, Event, HandOver, Progress
from protocol.table import Table

THE_END: Final = said("the end")
"""What is waited for until all have told that they know the same end."""


class Telling:
    """What was told of one table so far. A table that is built anew goes on where the one before it stood."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        """`tell`: hands an event to the face."""
        self._tell = tell
        self._shown: tuple[int, tuple[int, ...]] = (-1, ())  # the step and the seats of the last Progress
        self._absent: set[int] = set()
        self._hands = 0

    def progress(self, table: Table, unsure: tuple[int, ...] = ()) -> None:
        """Tell what the running step waits for, if that is new; at the end, who has yet to confirm it (`unsure`)."""
        if (table.number, table.waiting or unsure) != self._shown:
            self._shown = table.number, table.waiting or unsure
            if unsure:
                total = len(table.present)
                self._tell(Progress(THE_END, total - len(unsure), total, unsure))
                return
            step, total = table.step, len(table.step.authors)
            done = total - len(table.waiting)
            proven = table.proofs.verified
            self._tell(Progress(step.what, done, total, table.waiting, step.round, step.rounds, step.piles, proven))

    def absences(self, table: Table) -> None:
        """Tell who became absent and who is back."""
        absent = set(table.absence.since)
        for seat in sorted(absent ^ self._absent):
            self._tell(AbsenceChanged(seat, seat in absent))
        self._absent = absent

    def forget_absences(self) -> None:
        """Tell all absences again: what was told of them so far reached nobody."""
        self._absent = set()

    def results(self, table: Table) -> None:
        """Tell of hands that were scored since; of the last hand of a match only when the table is closed."""
        told = table.hand - (0 if table.closed else 1)
        for hand, scored in enumerate(table.scored[:told], 1):
            if hand > self._hands:
                self._hands = hand
                self._tell(HandOver(scored.outcome, scored.scores, hand))
