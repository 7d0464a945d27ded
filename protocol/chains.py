"""Every author's entries in order: what is known, what is missing, and who said two things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protocol.messages import Entry, Head

GENESIS = bytes(32)
MOST_EARLY = 512
"""Entries of one author that are kept while earlier ones are missing; beyond it they are asked for again later."""


class Equivocation(Exception):
    """Two different good entries of one author with one sequence number: proof enough by itself (C18, C25, C34)."""

    def __init__(self, first: Entry, second: Entry) -> None:
        super().__init__(f"signed two different entries numbered {second.body.seq}")
        self.first = first
        self.second = second


class Chains:
    """The hash chains of all seats of one table."""

    def __init__(self, seats: int) -> None:
        self._entries: list[list[Entry]] = [[] for _ in range(seats)]
        self._early: list[dict[int, Entry]] = [{} for _ in range(seats)]

    def add(self, entry: Entry) -> Iterator[Entry]:
        """Take a well-signed entry of any age; yields what is new in its author's order (it may close a gap).

        :raises Equivocation: the author signed another entry with this number, or with a wrong hash of the one before
        """
        seat, seq = entry.body.seat, entry.body.seq
        known, early = self._entries[seat], self._early[seat]
        other = known[seq] if seq < len(known) else early.get(seq)
        if other is not None:
            if other.hash != entry.hash:
                raise Equivocation(other, entry)
            return
        if seq > len(known):
            if len(early) < MOST_EARLY:
                early[seq] = entry
            return
        following: Entry | None = entry
        while following is not None:
            if following.body.prev != self.head(seat).hash:
                # The author signed this as following another entry than the one it signed with that number.
                raise Equivocation(known[-1] if known else following, following)
            known.append(following)
            yield following
            following = early.pop(len(known), None)

    def head(self, seat: int) -> Head:
        """How far this author's entries are known without a gap."""
        known = self._entries[seat]
        return Head(seat, len(known), known[-1].hash if known else GENESIS)

    def heads(self) -> tuple[Head, ...]:
        """The heads of all seats."""
        return tuple(self.head(seat) for seat in range(len(self._entries)))

    def lacking(self, heads: Sequence[Head]) -> list[Entry]:
        """The entries that whoever has these heads lacks; of an author whose chain differs there, all of them."""
        entries = []
        for head in heads:
            if head.seat < len(self._entries):
                known = self._entries[head.seat]
                differs = 0 < head.seq <= len(known) and known[head.seq - 1].hash != head.hash
                entries += known if differs else known[head.seq :]
        return entries

    def covers(self, heads: Sequence[Head]) -> bool:
        """Whether these heads reach as far as ours."""
        reach = {head.seat: head.seq for head in heads}
        return all(reach.get(seat, 0) >= len(known) for seat, known in enumerate(self._entries))
