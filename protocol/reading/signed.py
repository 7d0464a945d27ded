"""What a file holds: who signed what, where it stands, and what contradicts itself without a look at the cards."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from p2puno.said import message_of, said
from protocol.errors import Damaged
from protocol.exhibits import CONTRADICTION, NO_ENTRY, OTHER_SEAT, exhibit, unread
from protocol.messages import Charter, Entry, Malformed, NotCanonical, entry_hash, open_entry
from protocol.names import NAME_CELLS, clean
from protocol.payloads import BESIDE, Depart, Leave
from protocol.verdict import Exhibit, Offence

Record: TypeAlias = tuple[int, int, bytes]
"""(number from 1, offset, bytes) of an entry."""


@dataclass(frozen=True, slots=True)
class Line:
    """An entry and its place in the file."""

    entry: Entry
    number: int
    offset: int

    @property
    def exhibit(self) -> Exhibit:
        """As it is shown."""
        return exhibit(self.entry, self.number, self.offset)


class Signed:
    """All entries of a file.

    `lines`: those of every seat whose predecessors are all there, in the order of the file; `brought`: leaves that only
    a depart brings along. `offences`: what signed
    bytes prove by themselves. `damage`, `where`: where the file stops making sense, and why. `count`: entries before
    that.
    """

    def __init__(self, charter: Charter, records: Iterable[Record]) -> None:
        self.charter = charter
        self.table = charter.table
        self.offences: list[Offence] = []
        self.damage: Damaged | None = None
        self.where = ""
        self.count = 0
        self.last: str = said("the charter")
        self._seat_of = {place.key: seat for seat, place in enumerate(charter.roster)}
        self._known: dict[bytes, Line] = {}  # by hash, whatever comes before
        self._numbered: dict[tuple[int, int], list[Line]] = {}  # by seat and number
        self._linked: dict[bytes, int] = {}  # by hash: the number in the file by which it and all before it were there
        self._left: set[int] = set()  # seats that signed a leave
        self._answered: set[tuple[int, int, bytes]] = set()  # by seat, step and row
        self.gap: tuple[Damaged, str] | None = None
        for record in records:
            if not self._take(*record):
                break
        self.lines = sorted((self._known[each] for each in self._linked), key=self.begins)
        self.brought = list(self._brought())

    def begins(self, line: Line) -> int:
        """The number in the file by which an entry and all before it are there."""
        return self._linked[line.entry.hash]

    def _brought(self) -> Iterator[Line]:
        """Leaves that the file holds only inside the word of a clerk."""
        for line in self.lines:
            payload = line.entry.body.payload
            if isinstance(payload, Depart) and entry_hash(payload.entry) not in self._linked:
                with contextlib.suppress(Malformed):
                    leave = open_entry(payload.entry)
                    if self._seat_of.get(leave.author) == leave.body.seat and isinstance(leave.body.payload, Leave):
                        self._linked[leave.hash] = self.begins(line)
                        yield Line(leave, line.number, line.offset)

    def _take(self, number: int, offset: int, raw: bytes) -> bool:
        """Take in a record; False if nothing after it can be read."""
        place = said("entry {number} at byte {offset}", number=number, offset=offset)
        try:
            entry = open_entry(raw)
        except NotCanonical as bad:
            seat = self._seat_of.get(bad.author, -1)
            if seat < 0:
                return self._stop(said("an entry of nobody at the table: {reason}", reason=message_of(bad)), place)
            self.count += 1
            self.last = place
            reason = said("signed what is no entry: {reason}", reason=message_of(bad))
            self.offences.append(Offence(seat, reason, 0, (unread(seat, raw, number, offset),), NO_ENTRY, number))
            return True
        except Malformed as bad:
            return self._stop(said("an entry is damaged: {reason}", reason=message_of(bad)), place)
        seat = self._seat_of.get(entry.author, -1)
        if entry.body.table != self.table or seat < 0:
            return self._stop(said("an entry of another table"), place)
        self.count += 1
        self.last = place
        if entry.body.seat != seat:
            shown = exhibit(entry, number, offset, seat)
            self.offences.append(
                Offence(seat, said("signed for another seat"), entry.body.step, (shown,), OTHER_SEAT, number)
            )
        elif entry.hash not in self._known:
            self._enter(Line(entry, number, offset))
        return True

    def _stop(self, message: str, place: str) -> bool:
        self.damage, self.where = Damaged(message), place
        return False

    def _enter(self, line: Line) -> None:
        """Put an entry into the chain of its author."""
        body = line.entry.body
        self._known[line.entry.hash] = line
        twins = self._numbered.setdefault((body.seat, body.seq), [])
        if twins:
            reason = said("signed two different entries numbered {number}", number=body.seq)
            self._contradiction(twins[0], line, reason, line.number)
        twins.append(line)
        if body.seq == 0:
            if body.prev == bytes(32):
                self._link(line, line.number)
            else:
                self._strays(line, line, line.number)
        elif (before := self._predecessor(line)) is not None and before.entry.hash in self._linked:
            self._link(line, line.number)
        elif before := self._linked_at(body.seat, body.seq - 1):
            self._strays(before, line, line.number)
        elif self.gap is None:
            name = clean(self.charter.roster[body.seat].name, NAME_CELLS)
            missing = said("an entry of {name} stands before earlier ones, or those are missing", name=name)
            self.gap = Damaged(missing), line.exhibit.place

    def _linked_at(self, seat: int, seq: int) -> Line | None:
        """An entry of this number of which all that comes before is there."""
        return next((each for each in self._numbered.get((seat, seq), ()) if each.entry.hash in self._linked), None)

    def _strays(self, before: Line, line: Line, seen_at: int) -> None:
        """An entry follows none of those that its author signed before."""
        reason = said("signed entry {number} as following another entry", number=line.entry.body.seq)
        self._contradiction(before, line, reason, seen_at)

    def _link(self, line: Line, seen_at: int) -> None:
        """All that comes before an entry is there; judge it by that, and then what was waiting for it, however long."""
        running = [self._linking(line, seen_at)]
        while running:
            if (following := next(running[-1], None)) is not None:
                running.append(self._linking(following, seen_at))
            else:
                running.pop()

    def _linking(self, line: Line, seen_at: int) -> Iterator[Line]:
        """Judge an entry; yields what follows it, each to be judged before the next."""
        self._linked[line.entry.hash] = seen_at
        self._judge(line, seen_at)
        body = line.entry.body
        for next_one in self._numbered.get((body.seat, body.seq + 1), ()):
            if next_one.entry.hash in self._linked:
                continue
            if next_one.entry.body.prev == line.entry.hash:
                yield next_one
            elif self._predecessor(next_one) is None:
                self._strays(line, next_one, seen_at)

    def _judge(self, line: Line, seen_at: int) -> None:
        """What its author had signed before it, and cannot sign together with it."""
        body = line.entry.body
        place, answers = (body.seat, body.step, body.row), not isinstance(body.payload, BESIDE)
        suspect = body.seat in self._left or (answers and place in self._answered)
        before = self._before(line) if suspect else []  # of a long chain, only where there can be something in it
        if isinstance(body.payload, Leave):
            self._left.add(body.seat)
        if answers:
            self._answered.add(place)
        for each in before:
            if isinstance(each.entry.body.payload, Leave):
                self._contradiction(each, line, said("acts after leaving the table"), seen_at)
                return
        for each in before if answers else ():
            other = each.entry.body
            if (other.step, other.row) == place[1:] and not isinstance(other.payload, BESIDE):
                self._contradiction(each, line, said("answers step {step} twice", step=body.step), seen_at)
                return

    def _predecessor(self, line: Line) -> Line | None:
        """The entry that an entry follows, if it is there, and if it is one of its author with the number before."""
        body, before = line.entry.body, self._known.get(line.entry.body.prev)
        if before is None or (before.entry.body.seat, before.entry.body.seq + 1) != (body.seat, body.seq):
            return None
        return before

    def _before(self, line: Line) -> list[Line]:
        """The chain that an entry follows, the nearest first."""
        chain: list[Line] = []
        while (before := self._predecessor(line)) is not None:
            chain.append(before)
            line = before
        return chain

    def _contradiction(self, one: Line, other: Line, reason: str, seen_at: int) -> None:
        seat, step = other.entry.body.seat, other.entry.body.step
        shown = (one.exhibit, other.exhibit)
        self.offences.append(Offence(seat, reason, step, shown, CONTRADICTION, seen_at))
