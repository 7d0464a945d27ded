"""The smallest journal that still convicts: the charter and as few entries as possible.

Two contradicting entries, or one that is none of this format, convict by themselves. A contribution that is wrong needs
the steps before it, which say what was asked. What can be left out beyond that is found by leaving it out and reading
again (delta debugging; Zeller and Hildebrandt 2002, ddmin), within bounds.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from protocol.audit import Record, audit, judge
from protocol.errors import CheatProven
from protocol.exhibits import NO_ENTRY
from protocol.journal import Journal, Reader
from protocol.messages import Charter, Entry, Malformed, open_entry
from protocol.payloads import BESIDE
from protocol.table import Done, Table
from protocol.verdict import Offence

MOST_READINGS = 100
"""So often at most a shortened journal is read again ..."""
MOST_SECONDS = 20.0
"""... and none more after so many seconds. What is left then convicts all the same."""


@dataclass(frozen=True, slots=True)
class Extract:
    """What was written: how many of the entries, and how often a shortened journal was read to find them."""

    kept: int
    of: int
    readings: int


def extract(path: Path, out: Path) -> Extract | None:
    """Write the evidence for the first offence in the journal at `path` to `out`; None, and no file, if it has none.

    :raises FileExistsError: there is something at `out` already
    """
    tables: list[Table] = []

    def watch(table: Table, done: list[Done]) -> None:
        tables[:] = [table]

    verdict = audit(path, watch)
    if not verdict.offences:
        return None
    offence = verdict.offences[0]
    reader = Reader(path)
    raw = [data for number, _, data in reader.entries() if number <= offence.seen_at]
    search = _Search(reader.charter, offence)
    kept = search.smallest(list(dict.fromkeys(raw)), tables[0] if tables else None)
    journal = Journal(out, reader.charter)
    for entry in kept:
        journal.append(entry)
    journal.close()
    return Extract(len(kept), verdict.entries, search.readings)


class _Search:
    """Looks for fewer entries that show the same offence."""

    def __init__(self, charter: Charter, offence: Offence) -> None:
        self.charter = charter
        self.offence = offence
        self.shown = {each.raw for each in offence.exhibits}
        self.readings = 0
        self.until = time.monotonic() + MOST_SECONDS

    def convicts(self, entries: Sequence[bytes]) -> bool:
        """Whether a stranger finds the offence in these entries, as the first one; bytes that are no entry can be read
        at any step."""
        self.readings += 1
        records: list[Record] = [(number, 0, raw) for number, raw in enumerate(entries, 1)]
        verdict = judge(self.charter, records)
        if verdict.exit_code != CheatProven.exit_code:
            return False
        found, wanted = verdict.offences[0], self.offence
        same_step = found.step == wanted.step or wanted.why == NO_ENTRY
        return (found.seat, found.reason) == (wanted.seat, wanted.reason) and same_step

    def smallest(self, raw: Sequence[bytes], table: Table | None) -> Sequence[bytes]:
        """Of the entries up to the one at which the offence was seen, as few as convict. `table`: how it stood at the
        end of the file."""
        author, step = self.offence.seat, self.offence.step
        opened = {each: _opened(each) for each in raw}
        whole = {each: entry for each, entry in opened.items() if entry is not None}
        alone = [each for each in raw if each in self.shown]
        own = [each for each in raw if each in self.shown or (each in whole and whole[each].body.seat == author)]
        for few in (alone, own):  # of a chain that contradicts itself every entry is needed
            if self.convicts(few):
                return few
        before = [each for each in raw if each in self.shown or (each in whole and whole[each].body.step < step)]
        start = before if self.convicts(before) else raw
        idle = [each for each in start if each not in self.shown and not _stands(whole.get(each), step, table)]
        return self.without(start, idle)

    def without(self, entries: Sequence[bytes], idle: Sequence[bytes]) -> Sequence[bytes]:
        """Leave out of `entries` what can be left out of `idle`: all of it, or else smaller and smaller parts."""
        size = len(idle)
        while size:
            left: list[bytes] = []
            for begin in range(0, len(idle), size):
                part = idle[begin : begin + size]
                fewer = [each for each in entries if each not in set(part)]
                if self.readings < MOST_READINGS and time.monotonic() < self.until and self.convicts(fewer):
                    entries = fewer
                else:
                    left += part
            idle, size = left, min(size, len(left)) // 2
        return entries


def _opened(raw: bytes) -> Entry | None:
    try:
        return open_entry(raw)
    except Malformed:
        return None


def _stands(entry: Entry | None, step: int, table: Table | None) -> bool:
    """Whether an entry is part of what led to a step: a contribution to an earlier step that its row is built on."""
    if entry is None or table is None or isinstance(entry.body.payload, BESIDE):
        return False
    body = entry.body
    missed = (body.seat, body.step) in table.absence.missed
    return body.step < step and not missed and table.rows[body.step] == body.row
