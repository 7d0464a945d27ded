"""Every author's entries in order: what is known, what is missing, and who said two things."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Sequence
from typing import NoReturn

from p2puno.said import said
from protocol.messages import Entry, Head
from protocol.payloads import BESIDE, Leave

GENESIS = bytes(32)
MOST_EARLY = 512
"""So far ahead of what is known an entry is kept; beyond it, it is dropped and asked for again later."""
MOST_EARLY_BYTES = 8_000_000
"""So much of one author is kept so."""
MOST_BESIDE = 32
"""Times the seats of the table: so many entries an author may sign between two contributions. No honest one has so much
to say; what follows is never taken by anybody, so the author falls silent to all."""


class Equivocation(Exception):
    """Two entries of one author that no honest seat signs both, whatever else is known: proof enough by itself
    (C18, C25, C31, C34, C41)."""

    def __init__(self, first: Entry, second: Entry, reason: str) -> None:
        super().__init__(reason)
        self.first = first
        self.second = second


class Chains:
    """The hash chains of all seats of one table."""

    def __init__(self, seats: int) -> None:
        self._entries: list[list[Entry]] = [[] for _ in range(seats)]
        self._early: list[dict[int, Entry]] = [{} for _ in range(seats)]
        self._early_bytes = [0] * seats
        self._others: list[set[bytes]] = [set() for _ in range(seats)]  # hashes of what contradicts an author's chain
        self._beside = [0] * seats  # entries since the last contribution
        self._answers: list[dict[tuple[int, bytes], Entry]] = [{} for _ in range(seats)]  # by (step, row)

    def add(self, entry: Entry) -> Iterator[Entry]:
        """Take a well-signed entry of any age; yields what is new in its author's order (it may close a gap).

        :raises Equivocation: the author signed another entry with this number, or one that does not follow the one
            before: by another hash of it, by a step that it had answered, or after it left; or it follows such a one
        """
        seat, seq = entry.body.seat, entry.body.seq
        known, early = self._entries[seat], self._early[seat]
        other = known[seq] if seq < len(known) else early.get(seq)
        if other is not None:
            if other.hash != entry.hash:
                self._contradict(other, entry, said("signed two different entries numbered {number}", number=seq))
            return
        if seq > len(known):
            if entry.body.prev in self._others[seat]:
                self._contradict(known[-1] if known else entry, entry, _strays(seq))
            if not self.too_early(entry):
                early[seq] = entry
                self._early_bytes[seat] += len(entry.raw)
            return
        following: Entry | None = entry
        while following is not None:
            before = known[-1] if known else following
            if following.body.prev != self.head(seat).hash:
                # The author signed this as following another entry than the one it signed with that number.
                self._contradict(before, following, _strays(following.body.seq))
            if known:
                self._check_order(before, following)
            if self.too_much(following):
                return
            known.append(following)
            beside = isinstance(following.body.payload, BESIDE)
            self._beside[seat] = self._beside[seat] + 1 if beside else 0
            if not beside:
                self._answers[seat][following.body.step, following.body.row] = following
            yield following
            following = early.pop(len(known), None)
            if following is not None:
                self._early_bytes[seat] -= len(following.raw)

    def _contradict(self, first: Entry, second: Entry, reason: str) -> NoReturn:
        # what follows the second is of the same other story; a cheat with more of them than that has to do without
        if len(self._others[second.body.seat]) < MOST_EARLY:
            self._others[second.body.seat].add(second.hash)
        raise Equivocation(first, second, reason)

    def unhitch(self, entry: Entry) -> Entry | None:
        """What follows an entry that contradicts its author's chain, if it is kept as too early: it is of the same
        other story and has to be added again."""
        early, seq = self._early[entry.body.seat], entry.body.seq + 1
        if seq not in early or early[seq].body.prev != entry.hash:
            return None
        following = early.pop(seq)
        self._early_bytes[entry.body.seat] -= len(following.raw)
        return following

    def too_early(self, entry: Entry) -> bool:
        """Whether an entry is so far ahead of its author's chain that it is not kept."""
        seat, ahead = entry.body.seat, entry.body.seq - len(self._entries[entry.body.seat])
        return ahead > MOST_EARLY or (ahead > 0 and self._early_bytes[seat] + len(entry.raw) > MOST_EARLY_BYTES)

    def too_much(self, entry: Entry) -> bool:
        """Whether an entry is the next of its author, which has said too much since its last contribution."""
        seat, limit = entry.body.seat, MOST_BESIDE * len(self._entries)
        following = entry.body.seq == len(self._entries[seat])
        return following and isinstance(entry.body.payload, BESIDE) and self._beside[seat] >= limit

    def missing(self, seat: int) -> bool:
        """Whether later entries of this author are kept, but not the next one."""
        return bool(self._early[seat])

    def head(self, seat: int) -> Head:
        """How far this author's entries are known without a gap."""
        known = self._entries[seat]
        return Head(seat, len(known), known[-1].hash if known else GENESIS)

    def heads(self) -> tuple[Head, ...]:
        """The heads of all seats."""
        return tuple(self.head(seat) for seat in range(len(self._entries)))

    def lacking(self, heads: Sequence[Head]) -> list[Entry]:
        """The entries that whoever has these heads lacks, by rising step; of an author whose chain differs there, all
        of them."""
        entries = []
        for head in heads:
            if head.seat < len(self._entries):
                known = self._entries[head.seat]
                entries += known if self._differs(head) else known[head.seq :]
        return sorted(entries, key=lambda entry: entry.body.step)

    def covers(self, heads: Sequence[Head], before: float = math.inf, convicted: Container[int] = ()) -> bool:
        """Whether these heads reach as far as ours: to all entries of the steps before one, of all but the
        convicted."""
        reach = {head.seat: head.seq for head in heads if head.seat < len(self._entries) and not self._differs(head)}
        for seat, known in enumerate(self._entries):
            lacking = known[reach.get(seat, 0) :] if seat not in convicted else ()
            if any(entry.body.step < before for entry in lacking):
                return False
        return True

    def news(self, heads: Sequence[Head], convicted: Container[int] = ()) -> bool:
        """Whether whoever has these heads knows an entry of some author that we do not: a later one, or another. Who
        was convicted may have told everybody another story, so that asking would never end."""
        for head in heads:
            if head.seat < len(self._entries) and head.seat not in convicted:
                known = self._entries[head.seat]
                if head.seq > len(known) or self._differs(head):
                    return True
        return False

    def last_answer(self, seat: int) -> int:
        """The highest step that this author contributed to; -1 if to none."""
        return max((step for step, _ in self._answers[seat]), default=-1)

    def answer(self, seat: int, step: int, row: bytes) -> Entry | None:
        """What this author contributed to a step of this row."""
        return self._answers[seat].get((step, row))

    def all(self) -> list[Entry]:
        """Every entry that is known without a gap, by rising step."""
        return sorted((entry for known in self._entries for entry in known), key=lambda entry: entry.body.step)

    def of(self, seat: int) -> Sequence[Entry]:
        """The entries of one author."""
        return self._entries[seat]

    def _check_order(self, before: Entry, entry: Entry) -> None:
        """Nothing comes after a leave, and no second contribution to a step of one row. What is said beside them comes
        at any time; whether a contribution comes late, only a table can judge."""
        if isinstance(before.body.payload, Leave):
            raise Equivocation(before, entry, said("acts after leaving the table"))
        answered = self._answers[entry.body.seat].get((entry.body.step, entry.body.row))
        if answered is not None and not isinstance(entry.body.payload, BESIDE):
            raise Equivocation(answered, entry, said("answers step {step} twice", step=entry.body.step))

    def _differs(self, head: Head) -> bool:
        known = self._entries[head.seat]
        return 0 < head.seq <= len(known) and known[head.seq - 1].hash != head.hash


def _strays(number: int) -> str:
    return said("signed entry {number} as following another entry", number=number)
