"""The course of a table, step by step, as a file shows it.

All entries are known from the start. So for each step: who was called absent by all, whose answers were taken, by
which of the possible endings it ended; the proofs go to the ledger, the rules do what follows, and the row says which
entries belong to the next step.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from p2puno.moves import MoveError
from p2puno.needs import Attest, Decide, Give, Mix, Open, Over, Show, Shuffle, Window
from p2puno.rules import Rules
from p2puno.said import message_of, said
from protocol.messages import Charter
from protocol.payloads import BESIDE, Remove
from protocol.proofs.batch import BadProof
from protocol.reading.beside import Beside
from protocol.reading.deciding import DecideQuestion, WindowQuestion
from protocol.reading.leaving import Given, left, removing
from protocol.reading.ledger import Ledger
from protocol.reading.opening import OpenQuestion
from protocol.reading.question import Question, Then, reason_of
from protocol.reading.setup import (
    AgreeQuestion,
    BoxKeysQuestion,
    CommitQuestion,
    PledgeQuestion,
    RedealQuestion,
    RevealQuestion,
)
from protocol.reading.showing import AttestQuestion, GiveQuestion, ShowQuestion
from protocol.reading.shuffling import MixQuestion, ShuffleQuestion, begin
from protocol.reading.signed import Line, Signed
from protocol.reading.standing import Standing
from protocol.reading.trouble import Stuck, Wrong

_ROW: Final = b"p2puno/1 row\0"
_ABSENT: Final = b"p2puno/1 absent\0"
_NOBODY: Final = bytes(32)


class Course(Beside):
    """One reading of a table, from its charter as far as the file goes.

    `given`: what has come for the running step.
    `rows`: by step; `begins`: by step, the number in the file after which it runs; `absent`: by step, who was away when
    it began. `missed`: by seat, the steps to which it owed something and was absent.
    """

    def __init__(self, signed: Signed, charter: Charter, rules: Rules, ledger: Ledger) -> None:
        table = Standing(charter, rules, ledger)
        super().__init__(signed, table, AgreeQuestion(table, range(table.seats)))
        self.ledger = ledger
        self.given: dict[int, Line] = {}
        self.missed: dict[int, list[int]] = {}
        self.rows = [self.table.row]
        self.begins = [0]
        self.absent = [frozenset[int]()]
        self._dealt: dict[int, Line] = {}

    def run(self) -> None:
        """Read to the end.

        :raises Refuted: a proof that was believed does not hold: to be read again
        """
        try:
            while self.question is not None and self._step():
                if self.ledger.full:
                    self.ledger.settle()
            if self.question is None:
                self._after_the_end()
        except Stuck:
            pass  # the proofs tell who is to blame; if they all hold, the file goes no further
        self.ledger.settle()

    def _after_the_end(self) -> None:
        """Who answers where nothing is asked any more."""
        for line in self._of_this_state():
            if not isinstance(line.entry.body.payload, BESIDE):
                reason = said("acts out of turn in step {step}, which was complete", step=self.table.number)
                self._blame(line, reason, said("the row of the table"))

    @property
    def astray(self) -> int:
        """How many entries of steps that were read build on another row, of seats that were not absent then."""
        return sum(
            line.entry.body.seat not in self.absent[step]
            for (step, row), lines in self._at.items()
            if step <= self.table.number and row != self.rows[step]
            for line in lines
        )

    # -- one step -----------------------------------------------------------------------------------------------------

    def _step(self) -> bool:
        """Read the running step; False if it has not ended."""
        table, question = self.table, self.question
        assert question is not None
        lines = self._of_this_state()
        votes = [line for line in lines if isinstance(line.entry.body.payload, BESIDE)]
        self._judge_votes(votes)
        welcomes = self._welcomes(votes)
        fresh = self._called_absent(votes)
        away = set(table.absent) | set(fresh)
        self._read_leaves(votes)
        departs = self._departs(votes, away)
        answers = self._answers(lines, away)
        ended = (
            self._ends_by_depart(departs)
            or self._ends_by_forfeit(fresh, answers)
            or self._ends_by_remove(answers)
            or self._ends_by_deceit(answers)
            or self._ends_by_silence(fresh, votes, answers)
            or self._ends_by_answers(votes, answers, away, fresh, welcomes)
        )
        if not ended:
            self._blame_strangers(False)
            self.given = answers
        return ended

    def _of_this_state(self) -> list[Line]:
        """What was signed on this row; whoever names another public state than this is to blame."""
        state = b""
        good = []
        for line in self._at.get((self.table.number, self.table.row), ()):
            state = state or self.table.state()
            if line.entry.body.state == state:
                good.append(line)
            else:
                against = said("the public state {hash}...", hash=state[:6].hex())
                self._blame(line, said("another public state than its row leads to"), against)
        return good

    def _answers(self, lines: Iterable[Line], away: set[int]) -> dict[int, Line]:
        """By seat the answer that counts."""
        question = self.question
        assert question is not None
        good: dict[int, list[Line]] = {}
        spoilt: set[int] = set()  # whose first answer was wrong: only the others can say that a second one stands
        for line in lines:
            body = line.entry.body
            if isinstance(body.payload, BESIDE):
                continue
            if not self._is_answer(question, line):
                spoilt.add(body.seat)
            elif body.seat not in away and (body.seat not in spoilt or self._voted(body.seat) is not None):
                good.setdefault(body.seat, []).append(line)
        chosen = {seat: self._chosen(seat, found) for seat, found in good.items()}
        return {seat: line for seat, line in chosen.items() if line is not None}

    def _is_answer(self, question: Question, line: Line) -> bool:
        """Whether an entry answers the question, as far as can be said without its proofs; if not, its author is to
        blame."""
        body, entry = line.entry.body, line.entry
        payload: Any = body.payload
        if body.seat not in question.authors:
            self._strangers.append(line)
            return False
        if not isinstance(payload, question.kinds):
            reason = said("{kind} is no answer to {step}", kind=type(payload).__name__, step=question.what)
            self._blame(line, reason)
            return False
        try:
            if isinstance(payload, Remove):
                return self._removes(body.seat, payload)
            for claim in question.check(body.seat, payload):
                self.ledger.believe(body.step, entry.hash, claim.make)
        except (MoveError, Wrong) as bad:
            self._blame(line, message_of(bad) if isinstance(payload, Remove) else reason_of(question, bad))
            return False
        except BadProof as bad:
            self._blame(line, reason_of(question, bad), proof=True)
            return False
        if entry.hash in self.ledger.refuted:
            self._blame(line, said("{step}: the proof does not hold", step=question.what), proof=True)
            return isinstance(question, ShuffleQuestion)
        return True

    def _chosen(self, seat: int, found: Sequence[Line]) -> Line | None:
        """Of several answers of one seat the one that counts: that for which the others voted, else the first."""
        stands = self._voted(seat)
        if stands is None:
            return found[0]
        return next((line for line in found if line.entry.hash == stands), None)

    # -- the ways in which a step ends --------------------------------------------------------------------------------

    def _ends_by_answers(
        self,
        votes: Sequence[Line],
        answers: Mapping[int, Line],
        away: set[int],
        fresh: Sequence[int],
        welcomes: Mapping[int, Line],
    ) -> bool:
        """All that are not absent have answered."""
        question, table = self.question, self.table
        assert question is not None
        owing = [seat for seat in question.authors if seat not in away]
        if any(seat not in answers for seat in owing):
            return False
        used = [answers[seat] for seat in owing]
        if isinstance(question, ShuffleQuestion):
            for line in used:
                question.note(line.entry.body.seat, line.entry.hash)
        missed = [seat for seat in question.authors if seat in away]
        hashes = {line.entry.body.seat: line.entry.hash for line in used}
        hashes |= {seat: absent_hash(seat) for seat in missed}
        if isinstance(question, RevealQuestion | RedealQuestion):
            self._dealt = dict(answers)
        self._miss(missed)
        for seat in fresh:
            table.absent[seat] = table.number
        for seat in welcomes:
            del table.absent[seat]
        follows = self._after(question, {seat: answers[seat].entry.body.payload for seat in owing})
        row = [hashes[seat] for seat in sorted(hashes)] + [welcomes[seat].entry.hash for seat in sorted(welcomes)]
        calls = [call for seat in fresh for call in self._calls(votes, seat)]
        self._end(row, [*used, *welcomes.values(), *calls], follows)
        return True

    def _after(self, question: Question, given: Mapping[int, Any]) -> Question | Then:
        try:
            return question.after(given)
        except (Wrong, BadProof, MoveError) as bad:
            raise Stuck(str(bad)) from None

    def _end(self, row: Sequence[bytes], lines: Iterable[Line], follows: Question | Then) -> None:
        """The step has ended with these entries."""
        table = self.table
        number = table.number.to_bytes(4, "big")
        table.row = hashlib.sha256(_ROW + table.row + number + b"".join(row)).digest()
        self._began = max([self._began, *map(self.signed.begins, lines)])
        self.begins.append(self._began)
        self._blame_strangers(True)
        table.number += 1
        self.rows.append(table.row)
        self.absent.append(frozenset(table.absent) | table.gone)
        self.question = self._next(follows)
        self.given = {}

    def _next(self, follows: Question | Then) -> Question | None:
        """What is asked next."""
        table = self.table
        if isinstance(follows, Question):
            return follows
        need = table.game.need if table.game is not None else None
        if table.match is not None and table.match.over and not isinstance(need, Over):
            table.phase = "closed"  # a departure has left one alone
            return None
        if follows is Then.NEW_HAND:
            return self._new_hand()
        assert need is not None
        if isinstance(need, Over):
            if not table.score(need.outcome):
                return self._new_hand()
            table.phase = "closed"
            return None
        if follows is Then.ESCROW and table.escrowed:
            return BoxKeysQuestion(table)
        table.phase = "play"
        match need:
            case Shuffle():
                return begin(table)
            case Open():
                return OpenQuestion(table, need)
            case Decide():
                return DecideQuestion(table, need)
            case Window():
                return WindowQuestion(table, need)
            case Mix():
                return MixQuestion(table, need)
            case Attest():
                return AttestQuestion(table, need)
            case Show():
                return ShowQuestion(table, need)
            case Give():
                return GiveQuestion(table, need)

    def _new_hand(self) -> Question:
        self.table.new_hand()
        return CommitQuestion(self.table)

    # -- absence ------------------------------------------------------------------------------------------------------

    def _miss(self, seats: Iterable[int]) -> None:
        for seat in seats:
            self.missed.setdefault(seat, []).append(self.table.number)

    def _ends_by_forfeit(self, fresh: Sequence[int], answers: Mapping[int, Line]) -> bool:
        """Of two one says that the other does not come back."""
        table = self.table
        if not fresh or len(table.taking) != 2:
            return False
        (seat,) = fresh
        self._miss(fresh)
        table.depart(seat, said("forfeited"))
        self._end([absent_hash(seat)], answers.values(), Then.PLAY_ON)
        return True

    # -- leaving ------------------------------------------------------------------------------------------------------

    def _ends_by_depart(self, departs: Sequence[tuple[Line, Line, Given]]) -> bool:
        """The clerk says that a seat for which the step waits has got up."""
        if not departs:
            return False
        line, leave, given = departs[0]
        assert self.question is not None
        self.question.undo()
        follows = left(self.table, leave.entry.body.seat, given)
        self._end([leave.entry.hash, line.entry.hash], [leave, line], follows)
        return True

    # -- removal ------------------------------------------------------------------------------------------------------

    def _ends_by_remove(self, answers: Mapping[int, Line]) -> bool:
        """Whoever moves takes a seat off the table instead."""
        for line in answers.values():
            payload = line.entry.body.payload
            if isinstance(payload, Remove):
                how = said("removed for cheating") if payload.seat in self._cheats() else said("removed")
                self.table.absent.setdefault(payload.seat, self.table.number)
                follows = removing(self.table, payload.seat, how)
                self._end([line.entry.hash], [line], follows)
                return True
        return False

    def _ends_by_deceit(self, answers: Mapping[int, Line]) -> bool:
        """What two entries of a set-up prove together ends it at once: a key of another seat, a share that does not
        fit. The hand begins anew without that seat."""
        question = self.question
        given: dict[int, Any] = {seat: line.entry.body.payload for seat, line in answers.items()}
        if isinstance(question, RevealQuestion):
            for seat in question.twins(given):
                twin = min(other for other in given if given[other].key == given[seat].key)
                both = (answers[twin], answers[seat])
                self._blame(
                    answers[seat], reason_of(question, Wrong(said("the key share of another seat"))), shown=both
                )
                self._expel(seat, both, answers, self.signed.begins(answers[twin]))
                return True
        if isinstance(question, PledgeQuestion):
            for line in sorted(answers.values(), key=self.signed.begins):
                for dealer, reason in question.accused(line.entry.body.seat, given[line.entry.body.seat]):
                    shown = (self._dealt[dealer], line)
                    self._blame(line, reason_of(question, Wrong(reason)), shown=shown, seat=dealer)
                    self._expel(dealer, [line], answers)
                    return True
        return False

    def _ends_by_silence(self, fresh: Sequence[int], votes: Sequence[Line], answers: Mapping[int, Line]) -> bool:
        """A seat is called absent while no escrow holds, so that nobody can stand in for it."""
        if not fresh or self.table.escrow is not None:
            return False
        (seat,) = fresh
        self._expel(seat, self._calls(votes, seat), answers)
        return True

    def _expel(self, seat: int, lines: Sequence[Line], answers: Mapping[int, Line], by: int = 0) -> None:
        """A seat counts as absent from this step on, and the hand begins anew. It missed the step unless it had
        answered before the entry that ends it (in the file at `by`, or the last of `lines`)."""
        self.table.absent[seat] = self.table.number
        by = by or max([self._began, *map(self.signed.begins, lines)])
        if seat not in answers or self.signed.begins(answers[seat]) > by:
            self._miss([seat])
        self._end([absent_hash(seat)], lines, Then.NEW_HAND)


def absent_hash(seat: int) -> bytes:
    """What stands in a row for an answer that an absent seat owed."""
    return hashlib.sha256(_ABSENT + bytes([seat])).digest()
