"""A journal as a row of frames: the table as a watcher would have seen it, after every step that shows something.

The journal is read by the audit, so whatever is shown here was checked first, and nothing is shown that is not public.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cli.language import N_, _, told
from cli.table.cards import namer
from cli.table.lines import Line
from cli.table.look import Held, Look
from cli.table.narrator import Narrator
from cli.table.sight import look_at
from cli.text import visible
from p2puno.engine import Game
from p2puno.happenings import Happening, What
from p2puno.rules import Rules
from p2puno.view import View, view
from protocol.audit import audit
from protocol.events import (
    AbsenceChanged,
    Accused,
    Event,
    HandOver,
    Happened,
    MatchOver,
    Phase,
    PhaseChanged,
    Player,
)
from protocol.lobby import players
from protocol.step import Done
from protocol.table import Table
from protocol.verdict import Verdict

SIGNED: Final = N_("Everybody has signed the rules and the seats")


@dataclass(frozen=True, slots=True)
class Told:
    """One line of the log, and the turn to which it belongs: 0 before the first one."""

    turn: int
    line: Line


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after a step. `turn`: turns begun so far; `hand`: counted from 1, 0 before the first; `told` and
    `happened` (with the turn of each): what the step brought; `faces`: per seat its cards, -1 for what only its player
    has seen; `result`: how a hand or the table ended."""

    step: int
    turn: int
    hand: int
    look: Look
    faces: tuple[tuple[int, ...], ...]
    told: tuple[Told, ...]
    happened: tuple[tuple[int, Happening], ...]
    result: tuple[Line, ...] = ()


@dataclass(slots=True)
class Film:
    """The frames of a journal and what the audit says of it; no frames where not even the seats are agreed."""

    path: Path
    verdict: Verdict
    frames: list[Frame] = field(default_factory=list)
    players: tuple[Player, ...] = ()
    rules: Rules | None = None

    @property
    def turns(self) -> int:
        """Turns of the whole table."""
        return self.frames[-1].turn if self.frames else 0

    def hand_of(self, at: int, seat: int) -> tuple[Held, ...]:
        """The cards of a seat at a frame as far as they are public, known ones first."""
        card = namer(self.rules)
        faces = sorted(self.frames[at].faces[seat], key=lambda face: (face < 0, face))
        return tuple(Held(-1, card(face)) for face in faces)

    def at_turn(self, turn: int) -> int:
        """The frame at which a turn begins; the first or the last one where there is no such turn."""
        return next((i for i, frame in enumerate(self.frames) if frame.turn >= turn), len(self.frames) - 1)


@dataclass(frozen=True, slots=True)
class _Moment:
    """A `Scene` of the past, as a watcher sees it."""

    rules: Rules
    view: View | None
    players: tuple[Player, ...]
    scores: tuple[int, ...]
    hand: int
    seat: int = -1


class _Camera:
    """Watches an audit and takes the frames."""

    def __init__(self, film: Film) -> None:
        self.film = film
        self.narrator = Narrator()
        self.turn = self.hands = 0
        self.over = False
        self.away: set[int] = set()
        self.cheats: set[int] = set()
        self.game: Game | None = None
        self.hand = 0

    def watch(self, table: Table, done: list[Done]) -> None:
        """Take a frame if the step shows something."""
        film = self.film
        if not film.frames:
            film.players = tuple(
                Player(name, known.key, known.bot, hero=known.hero)
                for name, known in zip(table.names, players(table.roster), strict=True)
            )
            film.rules = table.rules
            self.narrator.at(film.players, -1, table.rules)
            if table.phase is not Phase.AGREE:
                self._take(table, (), [Line(_(SIGNED), "dim")])
        happenings = [h for step in done for h in step.happenings]
        ended = table.scored[self.hands :]
        if table.game is not None:
            # Of the last step of a hand the table shows the next hand already; the old game has taken the step.
            self.game, self.hand = table.game, table.hand
        events: list[Event] = [
            HandOver(scored.outcome, scored.scores, number) for number, scored in enumerate(ended, self.hands + 1)
        ]
        self.hands = len(table.scored)
        if table.match is not None and table.match.over and not self.over:
            self.over = True
            events.append(MatchOver(table.match.winner, table.scores))
        before, after = self._absences(table)
        if happenings or events or before or after:
            result = self._lines(events)
            opened = ended[-1].outcome.hands if ended else ()
            self._take(table, happenings, result, bool(events), opened, before=before, after=after)
        if table.game is None and table.phase is Phase.COMMIT and self.hand != table.hand:
            self.game, self.hand = None, table.hand
            self._take(table, (), self.narrator.tell(PhaseChanged(Phase.COMMIT, table.hand)))

    def end(self) -> None:
        """The last frame of a table that has no good end: what the audit says of it."""
        film, verdict = self.film, self.film.verdict
        if not film.frames or not verdict.problem:
            return
        lines = [Line(visible(told(verdict.problem)), "error" if verdict.blame < 0 else "alarm", verdict.blame)]
        if verdict.where:
            lines.append(Line(told(verdict.where), "dim"))
        last = film.frames[-1]
        shown = tuple(Told(self.turn, line) for line in lines)
        film.frames.append(Frame(verdict.steps, self.turn, last.hand, last.look, last.faces, shown, (), tuple(lines)))

    def _absences(self, table: Table) -> tuple[list[Event], list[Event]]:
        """What is to be told before and after the happenings of a step: who was caught or called absent, and who is so
        no longer. The narrator knows who was removed meanwhile."""
        away, cheats = set(table.absence.since), set(table.convicted)
        caught: list[Event] = [
            Accused(seat, table.convicted[seat].reason, table.convicted[seat].step)
            for seat in sorted(cheats - self.cheats)
        ]
        gone: list[Event] = [AbsenceChanged(seat, True) for seat in sorted(away - self.away)]
        back: list[Event] = [AbsenceChanged(seat, False) for seat in sorted(self.away - away)]
        self.away, self.cheats = away, cheats
        return [*caught, *gone], back

    def _lines(self, events: Sequence[Event]) -> list[Line]:
        return [line for event in events for line in self.narrator.tell(event)]

    def _take(
        self,
        table: Table,
        happenings: Sequence[Happening],
        lines: Sequence[Line],
        over: bool = False,
        opened: tuple[tuple[int, ...], ...] = (),
        before: Sequence[Event] = (),
        after: Sequence[Event] = (),
    ) -> None:
        """A frame of the table now: what happened, between what is told before and after it, then `lines`, which are a
        result if something is `over`; `opened`: the cards that were left when a hand ended."""
        told = [Told(self.turn, line) for line in self._lines(before)]
        happened: list[tuple[int, Happening]] = []
        part: list[Happening] = []
        for h in happenings:
            if h.what is What.TURN:
                told += self._told(part)
                part = []
                self.turn += 1
            part.append(h)
            happened.append((self.turn, h))
        told += self._told(part)
        told += [Told(self.turn, line) for line in (*self._lines(after), *lines)]
        assert self.film.rules is not None
        seen = view(self.game, None) if self.game is not None else None
        scene = _Moment(self.film.rules, seen, self.film.players, table.scores, self.hand)
        faces = tuple(self._faces(seat) for seat in table.seats)
        if any(opened):
            faces = opened
        look = look_at(scene)
        result = tuple(lines) if over else ()
        self.film.frames.append(
            Frame(table.number, self.turn, self.hand, look, faces, tuple(told), tuple(happened), result)
        )

    def _told(self, happenings: Sequence[Happening]) -> list[Told]:
        return [Told(self.turn, line) for line in self.narrator.tell(Happened(tuple(happenings)))]

    def _faces(self, seat: int) -> tuple[int, ...]:
        """The cards of a seat: the table knows no more of them than everybody, so what it knows is public."""
        return tuple(face for _, face in view(self.game, seat).hand) if self.game is not None else ()


def shoot(path: Path) -> Film:
    """Read the journal at `path` from its first byte to its last. Never raises for what is in the file."""
    film = Film(path, Verdict())
    camera = _Camera(film)
    film.verdict = audit(path, camera.watch)
    camera.end()
    return film


def matches(film: Film, at: int, wanted: str) -> bool:
    """Whether a frame has what is looked for: a player by name or as "seat 2", a card in its notation or by name, or
    else a word of the log."""
    wanted = wanted.casefold().strip()
    if not wanted:
        return False
    frame = film.frames[at]
    card = namer(film.rules)
    seats = {f"seat {seat}": seat - 1 for seat in range(1, len(film.players) + 1)}
    seats |= {visible(player.name).casefold(): seat for seat, player in enumerate(film.players)}
    if wanted in seats:
        seat = seats[wanted]
        return any(seat in (h.seat, h.other) and h.what is not What.TURN for _, h in frame.happened)
    faces = {h.face for _, h in frame.happened if h.face >= 0}
    if film.rules is not None and wanted in _written(film.rules):
        return any(wanted in (card(face).text.casefold(), card(face).name.casefold()) for face in faces)
    return any(wanted in told.line.text.casefold() for told in frame.told)


def _written(rules: Rules) -> frozenset[str]:
    """Every way to write a card of these rules."""
    card = namer(rules)
    cards = [card(face) for face in range(len(rules.kinds))]
    return frozenset(text.casefold() for one in cards for text in (one.text, one.name))
