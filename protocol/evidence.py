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

from protocol.errors import CheatProven
from protocol.exhibits import NO_ENTRY
from protocol.journal import Journal
from protocol.messages import Charter, Entry, Malformed, open_entry
from protocol.payloads import BESIDE
from protocol.reading import Read, judge
from protocol.reading.course import Course
from protocol.reading.signed import Record
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


def extract(journal: Read, out: Path) -> Extract | None:
    """Write the evidence for the first offence in a journal to `out`; None, and no file, if it has none.

    :raises FileExistsError: there is something at `out` already
    """
    if journal.charter is None or not journal.verdict.offences:
        return None
    offence = journal.verdict.offences[0]
    raw = [data for number, _, data in journal.records if number <= offence.seen_at]
    search = _Search(journal.charter, offence)
    if not search.convicts(raw):
        raw = [data for _, _, data in journal.records]
    kept = search.smallest(list(dict.fromkeys(raw)), journal.course)
    evidence = Journal(out, journal.charter)
    for entry in kept:
        evidence.append(entry)
    evidence.close()
    return Extract(len(kept), journal.verdict.entries, search.readings)


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

    def smallest(self, raw: Sequence[bytes], course: Course | None) -> Sequence[bytes]:
        """Of the entries up to the one at which the offence was seen, as few as convict. `course`: that of the whole
        file."""
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
        idle = [each for each in start if each not in self.shown and not _stands(whole.get(each), step, course)]
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


def _stands(entry: Entry | None, step: int, course: Course | None) -> bool:
    """Whether an entry is part of what led to a step: a contribution to an earlier step that its row is built on."""
    if entry is None or course is None or isinstance(entry.body.payload, BESIDE):
        return False
    body = entry.body
    missed = body.step in course.missed.get(body.seat, ())
    return body.step < min(step, len(course.rows)) and not missed and course.rows[body.step] == body.row
