"""What seats say beside their answers: who is absent, who is back, which of two answers stands, who leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from p2puno.said import message_of, said
from protocol.messages import Entry, Malformed, open_entry
from protocol.payloads import Absent, Back, Depart, Have, Leave, Remove, Stands, Welcome
from protocol.proofs.batch import BadProof
from protocol.reading.blame import Blame
from protocol.reading.deciding import DecideQuestion
from protocol.reading.leaving import TOO_LITTLE, Given, gives_enough, read_leave
from protocol.reading.question import Question
from protocol.reading.signed import Line, Signed
from protocol.reading.standing import Standing
from protocol.reading.trouble import Wrong

_NOBODY: Final = bytes(32)


class Beside(Blame):
    """The votes and words of the running step. `leaves`: by hash, those that hold on this row."""

    def __init__(self, signed: Signed, table: Standing, first: Question) -> None:
        super().__init__(signed, table, first)
        self.leaves: dict[bytes, tuple[Line, Given]] = {}
        self._stands: dict[tuple[int, int], dict[int, bytes]] = {}
        self._haves: dict[tuple[int, int], dict[int, Line]] = {}
        for line in signed.lines:
            payload = line.entry.body.payload
            if isinstance(payload, Stands):
                votes = self._stands.setdefault((payload.seat, payload.owed), {})
                votes.setdefault(line.entry.body.seat, payload.hash)
            elif isinstance(payload, Have):
                self._haves.setdefault((payload.seat, payload.owed), {}).setdefault(line.entry.body.seat, line)

    def _voted(self, seat: int) -> bytes | None:
        """What all others say that they have built on; None if they have not all said."""
        votes = self._stands.get((seat, self.table.number), {})
        voters = self.table.judges(seat)
        if not voters or any(voter not in votes for voter in voters):
            return None
        told = [votes[voter] for voter in voters if votes[voter] != _NOBODY]
        if not told:
            return _NOBODY
        return min(set(told), key=lambda each: (-told.count(each), each))

    def _called_absent(self, votes: Sequence[Line]) -> list[int]:
        """Who owes something to this step and is called absent by all others."""
        table, question = self.table, self.question
        assert question is not None
        if table.phase == "agree" or table.absent.keys() & set(table.taking):
            return []  # one at a time
        if len(table.taking) == 2:
            if not table.dealt and table.hand == 1:
                return []  # of two nobody forfeits before there were cards
        elif table.dealt and not table.escrowed:
            return []  # nobody can stand in for it
        callers: dict[int, set[int]] = {}
        for line in votes:
            payload = line.entry.body.payload
            if isinstance(payload, Absent):
                callers.setdefault(payload.seat, set()).add(line.entry.body.seat)
        for seat, by in callers.items():
            if seat in question.authors and table.judges(seat) <= by:
                return [seat]
        return []

    def _calls(self, votes: Sequence[Line], seat: int) -> list[Line]:
        """The votes by which a seat is absent."""
        return [line for line in votes if line.entry.body.payload == Absent(seat)]

    def _judge_votes(self, votes: Sequence[Line]) -> None:
        """What was said beside the answers."""
        for line in votes:
            body = line.entry.body
            payload = body.payload
            if not isinstance(payload, Absent | Have | Stands):
                continue
            if payload.seat == body.seat or payload.seat >= self.table.seats:
                self._blame(line, said("votes about no other seat"))
                continue
            place = payload.seat, self.table.number
            have = self._haves.get(place, {}).get(body.seat)
            if isinstance(payload, Absent) and have is not None and body.seat not in self._stands.get(place, {}):
                name = self.table.names[payload.seat]
                reason = said("says that it has what {name} owed, and that it has not", name=name)
                first, second = sorted((line, have), key=lambda each: each.number)
                self._blame(second, reason, shown=(first, second))

    def _welcomes(self, votes: Sequence[Line]) -> dict[int, Line]:
        """Who is let in again by whoever moves."""
        found: dict[int, Line] = {}
        question = self.question
        for line in votes:
            body = line.entry.body
            if not isinstance(body.payload, Welcome):
                continue
            try:
                back = open_entry(body.payload.entry)
            except Malformed as bad:
                self._blame(line, said("welcomes what is no entry: {reason}", reason=message_of(bad)))
                continue
            if not isinstance(question, DecideQuestion) or body.seat != question.need.seat or not self._is_back(back):
                self._blame(line, said("welcomes nobody who is back"))
                continue
            found.setdefault(back.body.seat, line)
        return found

    def _is_back(self, back: Entry) -> bool:
        body, table = back.body, self.table
        return (
            isinstance(body.payload, Back)
            and body.table == table.id
            and body.seat < table.seats
            and table.charter.roster[body.seat].key == back.author
            and table.absent.get(body.seat) == body.payload.since
            and body.payload.after <= table.number
        )

    def _read_leaves(self, votes: Sequence[Line]) -> None:
        """Who gets up in this step."""
        question = self.question
        assert question is not None
        for line in votes:
            body = line.entry.body
            if not isinstance(body.payload, Leave):
                continue
            try:
                with question.undone():
                    given, claims = read_leave(self.table, body.seat, body.payload, question)
                for claim in claims:
                    self.table.ledger.believe(body.step, line.entry.hash, claim.make)
            except (Wrong, BadProof) as bad:
                self._blame_leave(line, message_of(bad))
                continue
            if line.entry.hash in self.table.ledger.refuted:
                self._blame_leave(line, said("the equations of the proof do not hold"))
            else:
                self.leaves[line.entry.hash] = line, given

    def _blame_leave(self, line: Line, reason: str) -> None:
        self._blame(
            line,
            said("leaves wrongly: {reason}", reason=reason),
            said("the stock and, where the rules count it, its hand"),
        )

    def _departs(self, votes: Sequence[Line], away: set[int]) -> list[tuple[Line, Line, Given]]:
        """The words that can end the step, each with its leave and what that gives."""
        found: list[tuple[Line, Line, Given]] = []
        heard: set[tuple[int, bytes]] = set()
        for line in votes:
            body = line.entry.body
            if isinstance(body.payload, Depart):
                if (body.seat, body.payload.entry) in heard:
                    self._blame(line, said("lets somebody depart twice"))
                    continue
                heard.add((body.seat, body.payload.entry))
                if (departing := self._departing(line, away)) is not None:
                    found.append((line, *departing))
        return found

    def _departing(self, line: Line, away: set[int]) -> tuple[Line, Given] | None:
        """The leave that a depart brings along, if it ends the step."""
        body = line.entry.body
        assert isinstance(body.payload, Depart)
        table, question = self.table, self.question
        assert question is not None
        try:
            entry = open_entry(body.payload.entry)
        except Malformed as bad:
            self._blame(line, said("lets somebody depart by what is no entry: {reason}", reason=message_of(bad)))
            return None
        leave = entry.body
        roster = table.charter.roster
        known = leave.seat < table.seats and roster[leave.seat].key == entry.author and leave.table == table.id
        if not isinstance(leave.payload, Leave) or not known or leave.seat == body.seat:
            self._blame(line, said("lets somebody depart by what is no leave of another seat"))
            return None
        if leave.seat in table.gone:
            self._blame(line, said("lets somebody depart twice"))
            return None
        if leave.seat not in question.authors or leave.seat in table.absent:
            name = table.names[leave.seat]
            self._blame(line, said("lets {name} depart, which owes nothing", name=name))
            return None
        if leave.seat in away or body.seat != self._clerk():
            return None
        found = self.leaves.get(entry.hash)
        if found is not None:
            with question.undone():
                enough = gives_enough(table, leave.seat, found[1])
            if not enough:
                self._blame_leave(found[0], TOO_LITTLE)
                del self.leaves[entry.hash]
                return None
        return found

    def _clerk(self) -> int:
        """The first seat that takes part in the hand and has neither departed nor got up nor is absent; -1 if there is
        none."""
        off = {line.entry.body.seat for line, _ in self.leaves.values()} | self.table.absent.keys()
        return next((seat for seat in self.table.taking if seat not in off), -1)

    def _removes(self, author: int, remove: Remove) -> bool:
        """Whether that seat is absent or a cheat. Where nothing shows it the author may know more than the file; then
        it does not count, and nobody is to blame.

        :raises Wrong: that seat can be removed in no case
        """
        table, seat = self.table, remove.seat
        others_away = table.absent.keys() & set(table.taking) - {seat}
        if seat == author or seat not in table.taking or table.escrow is None or others_away:
            raise Wrong(said("removes nobody who can be removed"))
        return seat in table.absent or seat in self._cheats()
