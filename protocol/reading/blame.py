"""Who is to blame, for what, and what shows it."""

from __future__ import annotations

from collections.abc import Sequence

from p2puno.said import said
from protocol.exhibits import SIGNED
from protocol.payloads import BESIDE
from protocol.reading.question import Question
from protocol.reading.signed import Line, Signed
from protocol.reading.standing import Standing
from protocol.verdict import Offence


class Blame:
    """What is known of the running step, and whom it convicts.

    `table`: how it stands. `question`: what it waits for; None once the match is over. `offences`: what was signed on
    this row.
    """

    def __init__(self, signed: Signed, table: Standing, first: Question) -> None:
        self.signed = signed
        self.table = table
        self.question: Question | None = first
        self.offences: list[Offence] = []
        self._at: dict[tuple[int, bytes], list[Line]] = {}
        for line in signed.lines + signed.brought:
            self._at.setdefault((line.entry.body.step, line.entry.body.row), []).append(line)
        self._strangers: list[Line] = []
        self._began = 0  # the number in the file by which the running step had begun

    def _cheats(self) -> set[int]:
        """Who is proven to have cheated, as far as this reading has come."""
        named = {offence.seat for offence in (*self.signed.offences, *self.offences)}
        return named | {line.entry.body.seat for line in self._strangers}

    def _blame_strangers(self, ended: bool) -> None:
        """Who answered though nothing was asked of it; said when it is known whether the step had ended by then."""
        question, number = self.question, self.table.number
        assert question is not None
        for line in self._strangers:
            late = ended and self.signed.begins(line) > self._began
            if late:
                reason = said("acts out of turn in step {step}, which was complete", step=number)
            else:
                reason = said("acts out of turn in step {number} ({step})", number=number, step=question.what)
            self._blame(line, reason)
        self._strangers.clear()

    def _asked(self, question: Question, seat: int) -> str:
        detail = question.asked(seat)
        return said("{step}: {detail}", step=question.what, detail=detail) if detail else question.what

    def _blame(
        self,
        line: Line,
        reason: str,
        against: str = "",
        shown: Sequence[Line] = (),
        seat: int | None = None,
        proof: bool = False,
    ) -> None:
        """The author of an entry on this row (or `seat`) did what no honest seat does. `proof`: its proof is at fault,
        which those at the table see when all answers are in."""
        question = self.question
        seat = line.entry.body.seat if seat is None else seat
        if not against:
            assert question is not None
            against = self._asked(question, seat)
        why = said(
            "{signed}, and they build on the row of this table; checked against {against}",
            signed=SIGNED,
            against=against,
        )
        exhibits = tuple(each.exhibit for each in shown or (line,))
        all_in = self._all_in(question) if proof and question is not None else 0
        seen_at = max(self._began, all_in, *map(self.signed.begins, (line, *shown)))
        self.offences.append(Offence(seat, reason, line.entry.body.step, exhibits, why, seen_at))

    def _all_in(self, question: Question) -> int:
        """The number in the file by which all have answered the running step; the last of all if some have not."""
        first: dict[int, int] = {}
        for line in self._at[self.table.number, self.table.row]:
            if not isinstance(line.entry.body.payload, BESIDE):
                first.setdefault(line.entry.body.seat, self.signed.begins(line))
        return max(first.get(seat, self.signed.count) for seat in question.authors)
