"""Reading a journal as a stranger: every signature, every proof, every rule, and what came of it.

It needs nothing but the file. The verdict is one of: the match ended (0), somebody cheated (3), the file is damaged or
foreign (4), the table is unfinished (5).
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from p2puno.happenings import What
from p2puno.needs import Decide
from p2puno.rules import RulesError
from protocol.chains import Chains, Equivocation
from protocol.errors import CheatProven, Damaged, FileProblem, ForeignFile, P2punoError, Unfinished
from protocol.journal import Reader
from protocol.messages import Entry, Malformed, NotCanonical, open_entry
from protocol.offences import Cheat, OtherRow
from protocol.payloads import BESIDE, Back, Have, Stands
from protocol.table import Done, Table

Watcher: TypeAlias = Callable[[Table, list[Done]], None]
"""Told of the steps that an entry completed, with the table as it stands after them; it must not change the table."""


SHORT = 512
"""Bytes that no vote is longer than."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One scored hand: who won and how, its points, the totals after it, the cards that were left per seat."""

    winner: int
    ending: str
    points: int
    scores: tuple[int, ...]
    left: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Offence:
    """Something that no honest seat does: by whom, what, in which step, and the entry that shows it."""

    seat: int
    reason: str
    step: int
    where: str


@dataclass(slots=True)
class Verdict:
    """What a journal says. `problem` and `where` are empty when the match ended and all is well."""

    exit_code: int = 0
    problem: str = ""
    hint: str = ""
    where: str = ""  # entry number, byte offset, step
    blame: int = -1  # a seat, where cheating is proven
    offences: list[Offence] = field(default_factory=list)
    absences: tuple[int, ...] = ()  # seats that were absent for a while
    variant: str = ""
    names: tuple[str, ...] = ()
    bots: tuple[bool, ...] = ()
    hands: list[Hand] = field(default_factory=list)
    winner: int = -1  # of the match
    scores: tuple[int, ...] = ()
    entries: int = 0
    steps: int = 0
    turns: int = 0
    state_hash: str = ""
    seen: Counter[str] = field(default_factory=Counter)  # how often each kind of happening occurred

    def lines(self) -> list[str]:
        """The verdict for people."""
        lines = []
        if self.names:
            lines.append(f"table: {self.variant}, {len(self.names)} players: {', '.join(self.names)}")
        for number, hand in enumerate(self.hands, 1):
            who = self.names[hand.winner] if hand.winner >= 0 else "nobody"
            lines.append(f"hand {number}: {who} wins by {hand.ending}, {hand.points} points")
            for seat, cards in enumerate(hand.left):
                if cards:
                    lines.append(f"  {self.names[seat]} held {' '.join(cards)}")
        if self.hands:
            totals = ", ".join(f"{name} {score}" for name, score in zip(self.names, self.scores, strict=True))
            lines.append(f"scores: {totals}")
        if self.exit_code == 0:
            who = self.names[self.winner] if self.winner >= 0 else "nobody (a tie)"
            lines.append(f"winner: {who}, {self.scores[self.winner] if self.winner >= 0 else 0} points")
            lines.append(f"valid: {self.entries} entries, {self.steps} steps, every signature and proof checked")
        return lines

    def as_json(self) -> dict[str, Any]:
        """The verdict for programs."""
        return {
            "valid": self.exit_code == 0,
            "exit_code": self.exit_code,
            "problem": self.problem or None,
            "where": self.where or None,
            "blame": self.names[self.blame] if self.blame >= 0 else None,
            "blame_seat": self.blame if self.blame >= 0 else None,
            "variant": self.variant,
            "seats": [
                {"name": name, "bot": bot, "score": score}
                for name, bot, score in zip(self.names, self.bots, self.scores, strict=True)
            ],
            "hands": [
                {"winner": hand.winner, "ending": hand.ending, "points": hand.points, "scores": hand.scores,
                 "left": hand.left}
                for hand in self.hands
            ],
            "winner": self.names[self.winner] if self.exit_code == 0 and self.winner >= 0 else None,
            "winner_seat": self.winner if self.exit_code == 0 and self.winner >= 0 else None,
            "points": self.hands[-1].points if self.hands else 0,
            "entries": self.entries,
            "steps": self.steps,
            "turns": self.turns,
            "state_hash": self.state_hash,
        }  # fmt: skip

    def _fail(self, error: P2punoError, where: str = "") -> Verdict:
        self.exit_code = error.exit_code
        self.problem = error.message
        self.hint = error.hint
        self.where = where
        return self


def audit(path: Path, watch: Watcher = lambda table, done: None) -> Verdict:
    """Read the journal at `path` from its first byte to its last. Never raises for what is in the file.

    `watch` is told of everything that happens, as a replay shows it: nobody reads a journal by other rules than these.
    """
    verdict = Verdict()
    try:
        reader = Reader(path)
    except FileProblem as bad:
        return verdict._fail(bad)
    try:
        table = Table(reader.charter)
    except (RulesError, ValueError) as bad:
        return verdict._fail(ForeignFile(f"{path} was played by rules that are not known here: {bad}"))
    verdict.variant = table.rules.variant
    verdict.names = table.names
    verdict.bots = tuple(place.bot for place in table.roster)
    verdict.scores = table.scores
    audience = _Audience(table, verdict, watch)
    where = "the charter"
    audience.preload(list(Reader(path).raw()))
    try:
        for number, offset, raw in reader.entries():
            where = f"entry {number} at byte {offset}"
            audience.hear(raw, where)
            verdict.entries = number
            audience.note_gap(where)
    except Damaged as bad:
        verdict._fail(bad, where)
    _conclude(audience, verdict, reader.cut_at, where)
    return verdict


class _Audience:
    """Feeds the entries of a file to a table, in the order of its steps."""

    def __init__(self, table: Table, verdict: Verdict, watch: Watcher) -> None:
        self.table = table
        self.verdict = verdict
        self.watch = watch
        self.chains = Chains(len(table.roster))
        self.keys = {place.key: seat for seat, place in enumerate(table.roster)}
        self.ahead: dict[int, list[Entry]] = {}
        self.other_rows = 0
        self.where = "the charter"
        self.offences: list[Offence] = []
        self.gap = ""  # what is wrong with the order of the file, and the first place where it is
        self.gap_at = ""

    def preload(self, entries: list[bytes]) -> None:
        """Know from the start whom the others called absent, and which of two answers stands: the file may hold what
        came too late for them, or was overruled."""
        votes = [entry for raw in entries if len(raw) < SHORT and (entry := self._entry(raw)) is not None]
        self.table.absence.preload(votes)
        places = {(vote.seat, vote.owed) for entry in votes if isinstance(vote := entry.body.payload, Stands)}
        answers: dict[tuple[int, int], set[bytes]] = {}
        for raw in entries if places else ():
            entry = self._entry(raw)
            if entry is not None and not isinstance(entry.body.payload, BESIDE):
                answers.setdefault((entry.body.seat, entry.body.step), set()).add(entry.hash)
        self.table.disputed |= {place for place in places if len(answers.get(place, ())) > 1}

    def _entry(self, raw: bytes) -> Entry | None:
        """A good entry of this table, or None."""
        with contextlib.suppress(Malformed):
            entry = open_entry(raw)
            if entry.body.seat == self.keys.get(entry.author) and entry.body.table == self.table.id:
                return entry
        return None

    def hear(self, raw: bytes, where: str) -> None:
        """
        :raises Damaged: not an entry of this table
        """
        self.where = where
        try:
            entry = open_entry(raw)
        except NotCanonical as bad:
            if bad.author not in self.keys:
                raise Damaged(f"an entry of nobody at the table: {bad}") from None
            self._blame(Cheat(self.keys[bad.author], f"signed what is no entry: {bad}", self.table.number))
            return
        except Malformed as bad:
            raise Damaged(f"an entry is damaged: {bad}") from None
        seat = self.keys.get(entry.author)
        if seat is None or entry.body.table != self.table.id:
            raise Damaged("an entry of another table")
        if entry.body.seat != seat:
            self._blame(Cheat(seat, "signed for another seat", entry.body.step))
            return
        if self.chains.too_early(entry):
            raise Damaged(f"entries of {self.table.names[seat]} before this one are missing")
        try:
            for new in self.chains.add(entry):
                self._offer(new)
        except Equivocation as two:
            self._blame(Cheat(seat, str(two), two.second.body.step))
            if (two.second.body.seat, two.second.body.step) in self.table.disputed:
                self._offer(two.second)

    def _blame(self, cheat: Cheat) -> None:
        """Note an offence; the table goes on as the players' did (ARCHITECTURE section 3)."""
        if cheat.seat not in self.table.convicted:
            self.offences.append(Offence(cheat.seat, cheat.reason, cheat.step, self.where))
            self._did(self.table.quorum.convict(cheat))

    def note_gap(self, where: str) -> None:
        """Remember the first entry that came before an earlier one of its author. No program writes its journal so,
        except to keep both sides of a contradiction, which then follows."""
        missing = [name for seat, name in enumerate(self.table.names) if self.chains.missing(seat)]
        if missing and not self.gap:
            self.gap = f"an entry of {missing[0]} stands before earlier ones, or those are missing"
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
        try:
            done = self.table.offer(entry)
        except OtherRow:
            if entry.body.seat not in self.table.absence.since:  # who is absent may have gone on alone for a while
                self.other_rows += 1
            return
        except Cheat as cheat:
            self._blame(cheat)
            return
        self._did(done)
        found, self.table.found = self.table.found, []
        for each in found:
            self._blame(each)

    def _did(self, done: list[Done]) -> None:
        for step in done:
            for happening in step.happenings:
                self.verdict.seen[happening.what.value] += 1
                self.verdict.turns += happening.what is What.TURN
        if done:
            self.watch(self.table, done)


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
    verdict.offences = audience.offences
    verdict.absences = tuple(sorted({seat for seat, _ in table.absence.missed}))
    if verdict.exit_code:
        return
    if audience.offences:
        first = audience.offences[0]
        verdict.blame = first.seat
        name = verdict.names[first.seat]
        hint = f"{name} is at fault; the entries up to this one prove it to anybody"
        verdict._fail(CheatProven(f"{name} cheated: {first.reason}", hint), f"{first.where}, step {first.step}")
        verdict.winner = table.match.winner if table.match is not None and table.closed else -1
        return
    if audience.gap:
        verdict._fail(Damaged(audience.gap), audience.gap_at)
        return
    if not table.closed:
        names = [table.names[seat] for seat in table.waiting]
        what = "the choice" if isinstance(table.step.need, Decide) else table.step.what
        problem = f"the table is unfinished: it waits for {what} of {' and '.join(names)}"
        if table.abandoned:
            leavers = " and ".join(table.names[seat] for seat in table.departures.leaves)
            problem = f"the table is unfinished: {leavers} left"
        if audience.other_rows:
            problem += f"; {audience.other_rows} entries build on another course of it, which the file does not show"
        if cut_at is not None:
            problem += f"; the last record is cut off at byte {cut_at}"
        verdict._fail(Unfinished(problem, "another player's journal of the table may reach further"), where)
        return
    if cut_at is not None:
        verdict._fail(Damaged(f"the last record is cut off at byte {cut_at}"), where)
        return
    assert table.match is not None
    verdict.winner = table.match.winner
