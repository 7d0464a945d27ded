"""Reading a journal as a stranger, by the table that the players' programs run: every signature, every proof, every
rule, and what came of it. Replay and history show that table; `verify` reads by `protocol.reading`.

It needs nothing but the file. The verdict is one of: the match ended (0), somebody cheated (3), the file is damaged or
foreign (4), the table is unfinished (5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from p2puno.happenings import What
from p2puno.needs import Decide
from p2puno.rules import RulesError
from p2puno.said import AND, joined, message_of, said
from protocol import exhibits
from protocol.asked import asked
from protocol.chains import Chains, Equivocation
from protocol.dealing import StripStep
from protocol.departures import Word
from protocol.errors import CheatProven, Damaged, FileProblem, ForeignFile, Unfinished
from protocol.journal import Reader
from protocol.messages import Charter, Entry, Malformed, NotCanonical, open_entry
from protocol.offences import Cheat, OtherRow
from protocol.payloads import BESIDE, Absent, Back, Depart, Have, Leave, Pledge, Redeal, Reveal, Stands
from protocol.proofs.batch import BadProof
from protocol.step import Done, Step
from protocol.table import Table
from protocol.verdict import Departure, Exhibit, Hand, Offence, Verdict

__all__ = ["Record", "Verdict", "Watcher", "audit", "judge"]

Watcher: TypeAlias = Callable[[Table, list[Done]], None]
"""Told of the steps that an entry completed, with the table as it stands after them; it must not change the table."""
Record: TypeAlias = tuple[int, int, bytes]
"""An entry in a file: its number, counted from 1, its offset in bytes, and its bytes."""


def audit(path: Path, watch: Watcher = lambda table, done: None) -> Verdict:
    """Read the journal at `path` from its first byte to its last. Never raises for what is in the file.

    `watch` is told of everything that happens, as a replay shows it.
    """
    records: list[Record] = []
    damage: Damaged | None = None
    try:
        reader = Reader(path)
    except FileProblem as bad:
        return Verdict().fail(bad)
    try:
        for record in reader.entries():
            records.append(record)  # what stands before the damage is read
    except Damaged as bad:
        damage = bad
    try:
        return judge(reader.charter, records, watch, damage, reader.cut_at)
    except ForeignFile as bad:
        return Verdict().fail(
            ForeignFile(
                said("{path} was played by rules that are not known here: {reason}", path=path, reason=bad.message)
            )
        )


def judge(
    charter: Charter,
    records: Sequence[Record],
    watch: Watcher = lambda table, done: None,
    damage: Damaged | None = None,
    cut_at: int | None = None,
) -> Verdict:
    """What these entries under a charter say. `damage`: what ended the file before its end; `cut_at`: where in it a
    last record was cut off.

    :raises ForeignFile: the rules of the charter are not known here
    """
    try:
        table = Table(charter)
    except (RulesError, ValueError) as bad:
        raise ForeignFile(message_of(bad)) from None
    verdict = Verdict(variant=table.rules.variant, names=table.names, scores=table.scores)
    verdict.bots = tuple(place.bot for place in table.roster)
    audience = _Audience(table, verdict, watch)
    opened = [_opened(raw) for _, _, raw in records]
    audience.preload([entry for entry in opened if isinstance(entry, Entry) and audience.of_the_table(entry)])
    where = said("the charter")
    try:
        for (number, offset, raw), entry in zip(records, opened, strict=True):
            where = said("entry {number} at byte {offset}", number=number, offset=offset)
            audience.hear(entry, raw, number, offset)
            verdict.entries = number
            audience.note_gap(where)
        if damage is not None:
            raise damage
    except Damaged as bad:
        verdict.fail(bad, where)
    else:
        audience.hear_the_end()
    _conclude(audience, verdict, cut_at, where)
    return verdict


def _opened(raw: bytes) -> Entry | Malformed:
    try:
        return open_entry(raw)
    except Malformed as bad:
        return bad


class _AllChains(Chains):
    """Chains of entries that lie in a file already, so that it costs nothing to keep those far ahead."""

    def too_early(self, entry: Entry) -> bool:
        return False


class _Audience:
    """Feeds the entries of a file to a table, in the order of its steps."""

    def __init__(self, table: Table, verdict: Verdict, watch: Watcher) -> None:
        self.table = table
        self.verdict = verdict
        self.watch = watch
        self.chains = _AllChains(len(table.roster))
        self.keys = {place.key: seat for seat, place in enumerate(table.roster)}
        self.ahead: dict[int, list[Entry]] = {}
        self.other_rows = 0
        self.number = 0  # of the entry that is heard
        self.place = 0, 0  # where it stands: number and offset
        self.places: dict[bytes, tuple[int, int]] = {}  # by hash, where an entry stands: number and offset
        self.asked: dict[int, Step] = {}  # the running step, and those of the pile that is shuffled
        self.gone: set[int] = set()
        self.away: dict[tuple[int, int], int] = {}  # by seat and the step since when it is absent: the last such step
        self.stood: set[tuple[int, int]] = set()  # contributions of which some seat said whether it had built on them
        self.gap = ""  # what is wrong with the order of the file, and the first place where it is
        self.gap_at = ""

    def of_the_table(self, entry: Entry) -> bool:
        """Whether a seat of this table signed this as its own."""
        return entry.body.table == self.table.id and self.keys.get(entry.author) == entry.body.seat

    def preload(self, entries: Sequence[Entry]) -> None:
        """Know from the start whom the others called absent, and which of two answers stands: the file may hold what
        came too late for them, or was overruled."""
        self.table.absence.preload(entries)
        self.table.departures.preload(entries)
        self.table.quorum.final = True
        different = {entry.hash: entry.body for entry in entries}.values()
        numbers = Counter((body.seat, body.seq) for body in different)
        self.stood = {(vote.seat, vote.owed) for entry in entries if isinstance(vote := entry.body.payload, Stands)}
        answers: dict[tuple[int, int], set[bytes]] = {}
        for entry in entries:
            place = entry.body.seat, entry.body.step
            if place in self.stood and not isinstance(entry.body.payload, BESIDE):
                answers.setdefault(place, set()).add(entry.hash)
                if numbers[entry.body.seat, entry.body.seq] > 1 or len(answers[place]) > 1:
                    self.table.disputed.add(place)

    def hear(self, entry: Entry | Malformed, raw: bytes, number: int, offset: int) -> None:
        """
        :raises Damaged: not an entry of this table
        """
        self.number, self.place = number, (number, offset)
        if isinstance(entry, NotCanonical):
            seat = self.keys.get(entry.author)
            if seat is None:
                raise Damaged(said("an entry of nobody at the table: {reason}", reason=message_of(entry)))
            shown = exhibits.unread(seat, raw, number, offset)
            self._blame(
                Cheat(seat, said("signed what is no entry: {reason}", reason=message_of(entry)), self.table.number),
                [shown],
                exhibits.NO_ENTRY,
            )
            return
        if isinstance(entry, Malformed):
            raise Damaged(said("an entry is damaged: {reason}", reason=message_of(entry)))
        self.places.setdefault(entry.hash, (number, offset))
        seat = self.keys.get(entry.author)
        if seat is None or entry.body.table != self.table.id:
            raise Damaged(said("an entry of another table"))
        if entry.body.seat != seat:
            cheat = Cheat(seat, said("signed for another seat"), entry.body.step)
            self._blame(cheat, [self._exhibit(entry, seat)], exhibits.OTHER_SEAT)
            return
        following: Entry | None = entry
        while following is not None:
            following = self._add(following)

    def _add(self, entry: Entry) -> Entry | None:
        """Put an entry into the chain of its author. If it contradicts the chain: what follows it and had come before
        it."""
        seat = entry.body.seat
        try:
            for new in self.chains.add(entry):
                self._offer(new)
        except Equivocation as two:
            shown_two = [self._exhibit(two.first), self._exhibit(two.second)]
            self._blame(Cheat(seat, message_of(two), two.second.body.step), shown_two, exhibits.CONTRADICTION)
            place = seat, two.second.body.step
            if place in self.stood and not isinstance(two.second.body.payload, BESIDE):
                self.table.disputed.add(place)  # all have said on what they built, and it may be this
                self._offer(two.second)
            return self.chains.unhitch(two.second)
        return None

    def hear_the_end(self) -> None:
        """Judge the proofs that the file ends before."""
        for cheat in self.table.proofs.wrong(self.table.step.what):
            self._caught(cheat, None)
        if self.table.dealt:
            for seat, (entry, leave) in self.table.departures.leaves.items():
                if seat in self.table.present:
                    self._read_leave(Word(entry, entry, leave))

    def _read_leave(self, word: Word) -> None:
        """Judge a leave of which the file does not say that it took effect."""
        try:
            self.table.departures.farewell(word)
        except BadProof as bad:
            body = word.leave.body
            self._caught(
                Cheat(body.seat, said("leaves wrongly: {reason}", reason=message_of(bad)), body.step), word.leave
            )

    def note_gap(self, where: str) -> None:
        """Remember the first entry that came before an earlier one of its author. No program writes its journal so,
        except to keep both sides of a contradiction, which then follows."""
        missing = [name for seat, name in enumerate(self.table.names) if self.chains.missing(seat)]
        if missing and not self.gap:
            self.gap = said("an entry of {name} stands before earlier ones, or those are missing", name=missing[0])
            self.gap_at = where

    def _offer(self, entry: Entry) -> None:
        if entry.body.step > self.table.number and not isinstance(entry.body.payload, Have | Stands | Back):
            self.ahead.setdefault(entry.body.step, []).append(entry)
            return
        self._take(entry)
        while waiting := self.ahead.pop(self.table.number, None):
            for held in waiting:
                self._take(held)

    def _take(self, entry: Entry) -> None:
        if not self.table.step.deferred:
            self.asked.clear()
        self.asked[self.table.number] = self.table.step
        try:
            done = self.table.offer(entry)
        except OtherRow:
            if entry.body.seat not in self.table.absence.since:  # who is absent may have gone on alone for a while
                self.other_rows += 1
            return
        except Cheat as cheat:
            self._caught(cheat, entry)
            return
        self._did(done)
        found, self.table.found = self.table.found, []
        for each in found:
            self._caught(each, _complaint(entry, each.seat) or _brought(entry, each.seat))

    # -- what is found ------------------------------------------------------------------------------------------------

    def _blame(self, cheat: Cheat, shown: Sequence[Exhibit], why: str) -> None:
        """Note an offence; the table goes on as the players' did."""
        if cheat.seat not in self.table.convicted:
            offence = Offence(cheat.seat, cheat.reason, cheat.step, tuple(shown), why, self.number)
            self.verdict.offences.append(offence)
            self._did(self.table.quorum.convict(cheat))

    def _caught(self, cheat: Cheat, entry: Entry | None) -> None:
        """Note what the table found. `entry`: the one that it refused, one that complains of the cheat, or a leave that
        the clerk brought along."""
        if cheat.seat in self.table.convicted:
            return
        own = self.chains.of(cheat.seat)
        if entry is None:  # of what was said for that step a contribution is meant, or else a leave
            of_step = [each for each in own if each.body.step == cheat.step]
            entry = max(of_step, key=lambda each: not isinstance(each.body.payload, BESIDE))
        shown, payload = [entry], entry.body.payload
        if entry.body.seat != cheat.seat:  # a complaint shows what the dealer did
            shown.insert(0, next(each for each in reversed(own) if isinstance(each.body.payload, Reveal | Redeal)))
        elif isinstance(payload, Absent | Have):
            place = _about(entry)
            shown = [each for each in own if isinstance(each.body.payload, Absent | Have) and _about(each) == place]
        step = self.asked.get(cheat.step)
        if isinstance(payload, Leave):
            against: str = said("the stock and, where the rules count it, its hand")
        elif step is None:
            against = said("the row of the table")
        elif cheat.step == self.table.number and entry.body.state != self.table.state():
            against = said("the public state {hash}...", hash=self.table.state().hex()[:12])
        else:
            against = asked(step, cheat.seat)
        why = said(
            "{signed}, and they build on the row of this table; checked against {against}",
            signed=exhibits.SIGNED,
            against=against,
        )
        self._blame(cheat, [self._exhibit(each) for each in shown], why)

    def _exhibit(self, entry: Entry, seat: int = -1) -> Exhibit:
        """`seat`: the author, where the entry names another one."""
        return exhibits.exhibit(entry, *self.places.get(entry.hash, self.place), seat)

    def _did(self, done: list[Done]) -> None:
        for step in done:
            for happening in step.happenings:
                self.verdict.seen[happening.what.value] += 1
                self.verdict.turns += happening.what is What.TURN
        for absence in self.table.absence.since.items():
            self.away[absence] = self.table.number
        new = self.table.departures.gone - self.gone
        if new:
            self.gone |= new
            stripped = {step.step.seat for step in done if isinstance(step.step, StripStep)}
            for seat in sorted(new):
                self.verdict.departures.append(Departure(seat, self.table.number - 1, self._how(seat, stripped)))
        if done:
            self.watch(self.table, done)

    def was_absent(self, place: tuple[int, int]) -> bool:
        """Whether a seat did not contribute to a step because it was absent: not because the step ended before,
        whatever votes there were by then."""
        seat, step = place
        called = place in self.table.absence.forfeits
        return called or any(who == seat and since <= step <= last for (who, since), last in self.away.items())

    def _how(self, seat: int, stripped: set[int]) -> str:
        if seat in self.table.departures.leaves:
            return said("left")
        if seat in self.table.convicted:
            return said("removed for cheating")
        return said("removed") if seat in stripped else said("forfeited")


def _complaint(entry: Entry, dealer: int) -> Entry | None:
    """The entry, if it complains of what a dealer dealt."""
    payload = entry.body.payload
    complains = isinstance(payload, Pledge) and any(each.dealer == dealer for each in payload.complaints)
    return entry if complains else None


def _brought(entry: Entry, leaver: int) -> Entry | None:
    """The leave of that seat in this entry, if it is a clerk's word: it may come before the leave itself."""
    payload = entry.body.payload
    if not isinstance(payload, Depart):
        return None
    leave = open_entry(payload.entry)
    return leave if leave.body.seat == leaver else None


def _about(entry: Entry) -> tuple[int, int]:
    """About whose contribution to which step a vote or a have is."""
    payload = entry.body.payload
    assert isinstance(payload, Absent | Have)
    return payload.seat, payload.owed if isinstance(payload, Have) else entry.body.step


def _conclude(audience: _Audience, verdict: Verdict, cut_at: int | None, where: str) -> None:
    table = audience.table
    kinds = table.rules.kinds
    for scored in table.scored:
        left = tuple(tuple(kinds[face].id for face in hand) for hand in scored.outcome.hands)
        outcome = scored.outcome
        verdict.hands.append(Hand(outcome.winner, outcome.ending.value, outcome.points, scored.scores, left))
    verdict.scores = table.scores
    verdict.steps = table.number
    verdict.state_hash = table.state().hex()
    for seat, step in filter(audience.was_absent, sorted(table.absence.missed)):
        verdict.missed[seat] = (*verdict.missed.get(seat, ()), step)
    if verdict.exit_code:
        return
    if table.closed:
        assert table.match is not None
        verdict.ended, verdict.winner = True, table.match.winner
    if verdict.offences:
        first = verdict.offences[0]
        verdict.blame = first.seat
        name = verdict.names[first.seat]
        hint = said(
            "{name} is at fault; `p2puno verify --blame` shows by which entries, they prove it to anybody", name=name
        )
        verdict.fail(CheatProven(said("{name} cheated: {reason}", name=name, reason=first.reason), hint), first.where)
        return
    if audience.gap:
        verdict.fail(Damaged(audience.gap), audience.gap_at)
        return
    if not table.closed:
        verdict.fail(
            Unfinished(_unfinished(audience, cut_at), said("another player's journal may reach further")), where
        )
        return
    if cut_at is not None:
        verdict.fail(Damaged(said("the last record is cut off at byte {offset}", offset=cut_at)), where)


def _unfinished(audience: _Audience, cut_at: int | None) -> str:
    table = audience.table
    names = [table.names[seat] for seat in table.waiting]
    what = said("the choice") if isinstance(table.step.need, Decide) else table.step.what
    problem = said("the table is unfinished: it waits for {what} of {names}", what=what, names=joined(names, AND))
    if table.departures.abandoned:
        leavers = joined((table.names[seat] for seat in table.departures.leaves), AND)
        problem = said("the table is unfinished: {leavers} left", leavers=leavers)
    if audience.other_rows:
        problem = said("{problem}; {count} entries build on another course of it, which the file does not show",
                       problem=problem, count=audience.other_rows)  # fmt: skip
    if cut_at is not None:
        problem = said("{problem}; the last record is cut off at byte {offset}", problem=problem, offset=cut_at)
    return problem
