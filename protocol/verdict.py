"""What reading a journal comes to: who won, who was absent, who left, who cheated and by which entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from p2puno.outcome import Ending
from p2puno.rules import Rules
from p2puno.said import AND, joined, said
from protocol.errors import P2punoError

ENDINGS: Final[Mapping[str, str]] = {
    Ending.EMPTY_HAND: said("empty hand"),
    Ending.BLOCKED: said("blocked"),
    Ending.LAST_STANDING: said("last standing"),
    Ending.FORFEIT: said("forfeit"),
}
"""How a hand ended, in words."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One scored hand: who won and how, its points, the totals after it, the cards that were left per seat."""

    winner: int
    ending: str
    points: int
    scores: tuple[int, ...]
    left: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Exhibit:
    """An entry that shows an offence: its place in the file (`number` from 1, `offset` in bytes), its author and step
    (-1 if it cannot be read), the kind of its payload, what it says in short, and its bytes."""

    number: int
    offset: int
    seat: int
    step: int
    kind: str
    says: str
    raw: bytes

    @property
    def place(self) -> str:
        """Where it stands, for people."""
        return said("entry {number} at byte {offset}", number=self.number, offset=self.offset)


@dataclass(frozen=True, slots=True)
class Offence:
    """Something that no honest seat does: by whom, what, in which step; the entries that show it, why they do, and the
    number of the last entry that it takes to see it."""

    seat: int
    reason: str
    step: int
    exhibits: tuple[Exhibit, ...]
    why: str
    seen_at: int

    @property
    def where(self) -> str:
        """The place of the last entry that shows it, and the step."""
        return said("{place}, step {step}", place=self.exhibits[-1].place, step=self.step)


@dataclass(frozen=True, slots=True)
class Departure:
    """A seat that was taken off the table for good. `how`: "left", "removed", "removed for cheating", "forfeited"."""

    seat: int
    step: int
    how: str


@dataclass(slots=True)
class Verdict:
    """What a journal says. `problem` and `where` are empty when the match ended and all is well."""

    exit_code: int = 0
    problem: str = ""
    hint: str = ""
    where: str = ""  # entry number, byte offset, step
    blame: int = -1  # a seat, where cheating is proven
    offences: list[Offence] = field(default_factory=list)
    missed: dict[int, tuple[int, ...]] = field(default_factory=dict)  # by seat: the steps in which it was absent
    departures: list[Departure] = field(default_factory=list)
    variant: str = ""
    names: tuple[str, ...] = ()
    bots: tuple[bool, ...] = ()
    hands: list[Hand] = field(default_factory=list)
    ended: bool = False  # whether the match has a result
    winner: int = -1  # of the match; -1 if it has none
    scores: tuple[int, ...] = ()
    entries: int = 0
    steps: int = 0
    turns: int = 0
    state_hash: str = ""
    seen: Counter[str] = field(default_factory=Counter)  # how often each kind of happening occurred

    @property
    def absences(self) -> tuple[int, ...]:
        """The seats that were absent for a while."""
        return tuple(self.missed)

    @property
    def wrong(self) -> str:
        """What is wrong and where, "" if nothing is."""
        if not self.where:
            return self.problem
        return said("{problem} ({where})", problem=self.problem, where=self.where)

    def lines(self) -> list[str]:
        """The verdict for people."""
        lines: list[str] = []
        counted = not self.variant or Rules.make(self.variant).family != "ultimate"  # R58: there are no points
        if self.names:
            lines.append(
                said(
                    "table: {game}, {count} players: {names}",
                    game=Rules.make(self.variant).name,
                    count=len(self.names),
                    names=", ".join(self.names),
                )
            )
        for number, hand in enumerate(self.hands, 1):
            lines += self._hand_lines(number, hand, counted)
        if self.hands and counted:
            totals = ", ".join(f"{name} {score}" for name, score in zip(self.names, self.scores, strict=True))
            lines.append(said("scores: {totals}", totals=totals))
        lines += [
            said("absent: {name} in {steps}", name=self.names[seat], steps=_steps(steps))
            for seat, steps in self.missed.items()
        ]
        lines += [
            said("{how}: {name} in step {step}", how=each.how, name=self.names[each.seat], step=each.step)
            for each in self.departures
        ]
        lines += [
            said(
                "cheated: {name} in {where}: {reason}", name=self.names[each.seat], where=each.where, reason=each.reason
            )
            for each in self.offences
        ]
        if self.ended:
            who = self.names[self.winner] if self.winner >= 0 else said("nobody (a tie)")
            points = self.scores[self.winner] if self.winner >= 0 else 0
            won = said("winner: {who}, {points} points", who=who, points=points)
            lines.append(won if counted else said("winner: {who}", who=who))
        if self.exit_code == 0:
            lines.append(
                said(
                    "valid: {entries} entries, {steps} steps, every signature and proof checked",
                    entries=self.entries,
                    steps=self.steps,
                )
            )
        return lines

    def _hand_lines(self, number: int, hand: Hand, counted: bool) -> list[str]:
        who, ending = self.names[hand.winner] if hand.winner >= 0 else said("nobody"), ENDINGS[hand.ending]
        wins = said("hand {number}: {who} wins by {ending}", number=number, who=who, ending=ending)
        if counted:
            wins = said(
                "hand {number}: {who} wins by {ending}, {points} points",
                number=number,
                who=who,
                ending=ending,
                points=hand.points,
            )
        held = [
            said("  {name} held {cards}", name=self.names[seat], cards=" ".join(cards))
            for seat, cards in enumerate(hand.left)
            if cards
        ]
        return [wins, *held]

    def blame_lines(self) -> list[str]:
        """For every offence the entries that show it, and why no honest seat signs them."""
        lines: list[str] = []
        for number, offence in enumerate(self.offences, 1):
            lines.append(
                said(
                    "offence {number}: {name}, step {step}: {reason}",
                    number=number,
                    name=self.names[offence.seat],
                    step=offence.step,
                    reason=offence.reason,
                )
            )
            for shown in offence.exhibits:
                name, kind = self.names[shown.seat], shown.kind
                place = shown.place
                if shown.step >= 0:
                    place = said("{place}: step {step}", place=place, step=shown.step)
                    lines.append(said("  {place}, signed by {name}, {kind}", place=place, name=name, kind=kind))
                else:
                    lines.append(said("  {place}: signed by {name}, {kind}", place=place, name=name, kind=kind))
                if shown.says:
                    lines.append(said("    {says}", says=shown.says))
            lines.append(said("  why: {why}", why=offence.why))
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
            "offences": [self._offence(offence) for offence in self.offences],
            "absences": [
                {"name": self.names[seat], "seat": seat, "steps": steps} for seat, steps in self.missed.items()
            ],
            "departures": [
                {"name": self.names[each.seat], "seat": each.seat, "step": each.step, "how": each.how}
                for each in self.departures
            ],
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
            "winner": self.names[self.winner] if self.ended and self.winner >= 0 else None,
            "winner_seat": self.winner if self.ended and self.winner >= 0 else None,
            "points": self.hands[-1].points if self.hands else 0,
            "entries": self.entries,
            "steps": self.steps,
            "turns": self.turns,
            "state_hash": self.state_hash,
        }  # fmt: skip

    def _offence(self, offence: Offence) -> dict[str, Any]:
        return {
            "name": self.names[offence.seat],
            "seat": offence.seat,
            "step": offence.step,
            "reason": offence.reason,
            "why": offence.why,
            "entries": [
                {
                    "number": shown.number,
                    "offset": shown.offset,
                    "author": self.names[shown.seat],
                    "step": shown.step if shown.step >= 0 else None,
                    "kind": shown.kind,
                    "says": shown.says,
                }
                for shown in offence.exhibits
            ],
        }

    def fail(self, error: P2punoError, where: str = "") -> Verdict:
        """Take over what is wrong; returns itself."""
        self.exit_code = error.exit_code
        self.problem = error.message
        self.hint = error.hint
        self.where = where
        return self


def _steps(numbers: Iterable[int]) -> str:
    """Rising step numbers as ranges: "steps 4-7 and 9"."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] + 1 == number:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    texts = [f"{first}" if first == last else f"{first}-{last}" for first, last in ranges]
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return said("step {number}", number=texts[0])
    return said("steps {numbers}", numbers=joined(filter(None, (", ".join(texts[:-1]), texts[-1])), AND))
