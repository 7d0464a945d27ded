"""Journals read twice: by the table machine and by the second reading, which must come to the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from protocol import audit as machine
from protocol import reading
from protocol.messages import Charter
from protocol.reading.signed import Record
from protocol.verdict import Verdict


def essence(verdict: Verdict) -> dict[str, Any]:
    """What two readings of one file must agree on. Of a cheat the machine counts as missed also what its own two
    stories cost it, and how it went by the story that came first; so of cheats these are left out."""
    cheats = {offence.seat for offence in verdict.offences}
    return {
        "exit code": verdict.exit_code,
        "blame": {offence.seat: offence.step for offence in verdict.offences},
        "damaged at": verdict.where if verdict.exit_code == 4 else "",
        "steps": verdict.steps,
        "state": verdict.state_hash,
        "hands": verdict.hands,
        "winner": (verdict.ended, verdict.winner, verdict.scores),
        "absent": {seat: steps for seat, steps in verdict.missed.items() if seat not in cheats},
        "departed": [(each.seat, each.step, each.seat in cheats or each.how) for each in verdict.departures],
        "seen": (verdict.turns, verdict.seen),
    }


def audit(path: Path) -> Verdict:
    """What the table machine says of a journal.

    :raises AssertionError: the second reading says otherwise
    """
    verdict = machine.audit(path)
    _compare(verdict, reading.read(path))
    return verdict


def judge(charter: Charter, records: Sequence[Record]) -> Verdict:
    """As `audit`, of entries that are in no file."""
    verdict = machine.judge(charter, records)
    _compare(verdict, reading.judge(charter, records))
    return verdict


def _compare(machine_says: Verdict, reading_says: Verdict) -> None:
    one, other = essence(machine_says), essence(reading_says)
    differing = {what: (one[what], other[what]) for what in one if one[what] != other[what]}
    assert not differing, f"machine and second reading differ: {differing}"
