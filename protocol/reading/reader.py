"""From a file to a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from p2puno.options import RulesError
from p2puno.rules import Rules
from p2puno.said import AND, joined, message_of, said
from protocol.errors import CheatProven, Damaged, FileProblem, ForeignFile, Unfinished
from protocol.exhibits import NO_ENTRY
from protocol.journal import Reader
from protocol.lobby import read_rules
from protocol.messages import Charter
from protocol.names import NAME_CELLS, clean
from protocol.reading.course import Course
from protocol.reading.deciding import DecideQuestion
from protocol.reading.ledger import Ledger, Refuted
from protocol.reading.signed import Record, Signed
from protocol.verdict import Offence, Verdict


@dataclass(frozen=True, slots=True)
class Read:
    """A file that was read: what it says, and for whoever wants more its charter and records (none where it is no
    journal) and the course of its table (None where its rules are not known here)."""

    verdict: Verdict
    charter: Charter | None = None
    records: Sequence[Record] = ()
    course: Course | None = None


def read(path: Path) -> Verdict:
    """What the journal at `path` says. It never raises for what is in the file: that is in the verdict."""
    return read_whole(path).verdict


def read_whole(path: Path) -> Read:
    """As `read`, with what was read; it takes the file once only, as a pipe gives it."""
    try:
        reader = Reader(path)
    except FileProblem as problem:
        return Read(Verdict().fail(problem))
    records: list[Record] = []
    damage = None
    try:
        records.extend(reader.entries())
    except Damaged as problem:
        damage = problem
    verdict, course = _examine(reader.charter, records, damage, reader.cut_at, path)
    return Read(verdict, reader.charter, records, course)


def judge(
    charter: Charter, records: Sequence[Record], damage: FileProblem | None = None, cut_at: int | None = None
) -> Verdict:
    """What these entries say. `damage`: why there are not more of them; `cut_at`: the byte at which a last record was
    cut off."""
    return _examine(charter, records, damage, cut_at)[0]


def _examine(
    charter: Charter,
    records: Sequence[Record],
    damage: FileProblem | None = None,
    cut_at: int | None = None,
    path: Path | None = None,
) -> tuple[Verdict, Course | None]:
    """As `judge`, with the course of the table (None where its rules are not known here). `path`: of the file, where
    there is one."""
    verdict = Verdict()
    try:
        rules = read_rules(charter)
        _check_roster(charter, rules)
    except (RulesError, ValueError) as bad:
        reason = message_of(bad)
        file = path or said("the charter")
        foreign = said("{path} was played by rules that are not known here: {reason}", path=file, reason=reason)
        return verdict.fail(ForeignFile(foreign)), None
    verdict.names = tuple(clean(place.name, NAME_CELLS) for place in charter.roster)
    verdict.bots = tuple(place.bot for place in charter.roster)
    verdict.variant = rules.variant
    signed = Signed(charter, records)
    course = _course(signed, charter, rules)
    _fill(verdict, signed, course)
    if signed.damage is not None or damage is not None:
        verdict.ended, verdict.winner = False, -1  # whoever reads a damaged file takes no result from it
    if signed.damage is not None:
        verdict.fail(signed.damage, signed.where)
    elif damage is not None:
        verdict.fail(damage, signed.last)
    elif verdict.offences:
        _convict(verdict)
    elif signed.gap is not None:
        verdict.fail(*signed.gap)
    elif not verdict.ended:
        _unfinished(verdict, signed, course, cut_at)
    elif cut_at is not None:
        verdict.fail(Damaged(said("the last record is cut off at byte {offset}", offset=cut_at)), signed.last)
    return verdict, course


def _check_roster(charter: Charter, rules: Rules) -> None:
    """
    :raises ValueError: these people cannot play by these rules
    """
    count = len(charter.roster)
    if count not in rules.players:
        raise ValueError(said("{game} is not for {count} players", game=rules.name, count=count))
    if len({place.key for place in charter.roster}) < count:
        raise ValueError(said("one key has two seats"))


def _course(signed: Signed, charter: Charter, rules: Rules) -> Course:
    """The reading that stands: begun again as often as a proof is found false."""
    ledger = Ledger()
    while True:
        ledger.begin()
        course = Course(signed, charter, rules, ledger)
        try:
            course.run()
        except Refuted:
            continue
        return course


def _fill(verdict: Verdict, signed: Signed, course: Course) -> None:
    table = course.table
    first: dict[int, Offence] = {}
    for offence in sorted((*signed.offences, *course.offences), key=lambda each: each.seen_at):
        if offence.why == NO_ENTRY:  # it names no step: say which one ran
            step = max(number for number, begun in enumerate(course.begins) if begun < offence.seen_at)
            offence = replace(offence, step=step)
        first.setdefault(offence.seat, offence)
    verdict.offences = list(first.values())
    verdict.missed = {seat: tuple(steps) for seat, steps in sorted(course.missed.items())}
    verdict.departures = table.departures
    verdict.hands = table.hands
    verdict.scores = table.scores
    verdict.entries = signed.count
    verdict.steps = table.number
    verdict.turns = table.turns
    verdict.seen = table.seen
    verdict.state_hash = table.state().hex()
    if course.question is None:
        assert table.match is not None
        verdict.ended = True
        verdict.winner = table.match.winner


def _convict(verdict: Verdict) -> None:
    first = verdict.offences[0]
    name = verdict.names[first.seat]
    verdict.blame = first.seat
    problem = said("{name} cheated: {reason}", name=name, reason=first.reason)
    hint = said(
        "{name} is at fault; `p2puno verify --blame` shows by which entries, they prove it to anybody", name=name
    )
    verdict.fail(CheatProven(problem, hint), first.where)


def _unfinished(verdict: Verdict, signed: Signed, course: Course, cut_at: int | None) -> None:
    question, table = course.question, course.table
    assert question is not None
    waiting = [seat for seat in question.authors if seat not in course.given and seat not in table.absent]
    names = joined([verdict.names[seat] for seat in waiting], AND)
    what = said("the choice") if isinstance(question, DecideQuestion) else question.what
    problem = said("the table is unfinished: it waits for {what} of {names}", what=what, names=names)
    astray = course.astray
    if astray:
        problem = said(
            "{problem}; {count} entries build on another course of it, which the file does not show",
            problem=problem, count=astray,
        )  # fmt: skip
    if cut_at is not None:
        problem = said("{problem}; the last record is cut off at byte {offset}", problem=problem, offset=cut_at)
    verdict.fail(Unfinished(problem, said("another player's journal may reach further")), signed.last)
