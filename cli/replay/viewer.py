"""Where a viewer stands in a film, and what the keys mean. Pure, as the chooser of a live table is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from cli.language import N_, _
from cli.replay.film import Film, Frame, matches
from cli.table.board import Board
from cli.table.chooser import Chooser
from cli.table.look import Look
from protocol.events import Phase

LOG: Final = 100  # lines of the log that are made ready, more than any screen shows
NOT_HERE: Final = N_("{key} does nothing here: this is a replay, nothing can be played; ? shows the keys")


class Typing(StrEnum):
    """What is being typed."""

    NOTHING = ""
    TURN = "turn"
    SEARCH = "search"


@dataclass(slots=True)
class Viewer:
    """`at`: the frame shown; `seat`: whose cards are shown as far as they are public, -1: nobody's; `typed`: what has
    been typed of a turn or a search; `wanted`: what was searched for last; `note`: the last thing to tell."""

    film: Film
    at: int = 0
    seat: int = -1
    typing: Typing = Typing.NOTHING
    typed: str = ""
    wanted: str = ""
    note: str = ""
    help: bool = False
    cards: Chooser = field(default_factory=lambda: Chooser(cursor=-1))  # keeps the page of the inspector

    @property
    def frame(self) -> Frame:
        """The frame shown."""
        return self.film.frames[self.at]

    @property
    def last(self) -> int:
        """The last frame."""
        return len(self.film.frames) - 1

    def look(self) -> Look:
        """What is drawn: the table as a watcher sees it, with the public cards of the chosen seat for a hand."""
        look = self.frame.look
        return look if self.seat < 0 else replace(look, hand=self.film.hand_of(self.at, self.seat))

    def board(self) -> Board:
        """The log up to here, and the result where a hand ended."""
        board = Board(phase=Phase.PLAY, result=self.frame.result)
        told = [told for frame in self.film.frames[max(0, self.at - LOG) : self.at + 1] for told in frame.told]
        for one in told[-LOG:]:
            board.add(one.line)
        return board

    def where(self) -> list[str]:
        """The place of this frame: its turn, its step, whose cards are shown."""
        frame, film = self.frame, self.film
        turn = _("turn {n} of {turns}") if frame.turn else _("before the first of {turns} turns")
        step = _("step {n} of {steps}").format(n=frame.step, steps=film.verdict.steps)
        shown = [_("cards of {who}").format(who=film.frames[0].look.name(self.seat))] if self.seat >= 0 else []
        return [turn.format(n=frame.turn, turns=film.turns), step, *shown]

    def prompt(self) -> str:
        """What is being typed, else the last note, else where this is."""
        match self.typing:
            case Typing.TURN:
                return _("Turn: {typed}_   Enter go   Esc back").format(typed=self.typed)
            case Typing.SEARCH:
                search = _("Search (a player, seat 2, a card, a word): {typed}_   Enter go   Esc back")
                return search.format(typed=self.typed)
        return self.note

    def press(self, key: str) -> bool:
        """Take a key (a character, or left, right, up, down, home, end, enter, escape, backspace, pageup, pagedown);
        whether the viewer closes."""
        self.note = ""
        if self.typing is not Typing.NOTHING:
            self._type(key)
            return False
        if self.help:
            self.help = False
            return False
        if self.cards.inspected >= 0 or key == "i":
            self.cards.press(key, self.frame.look)
            return False
        if key in ("q", "escape"):
            return True
        self._go(key)
        return False

    def _go(self, key: str) -> None:
        match key:
            case "right" | " " | "enter":
                self._to(self.at + 1, _("this is the end"))
            case "left" | "backspace":
                self._to(self.at - 1, _("this is the beginning"))
            case "down" | "pagedown":
                self._turn(self.frame.turn + 1)
            case "up" | "pageup":
                # From the middle of a turn first to its beginning.
                begin = self.film.at_turn(self.frame.turn)
                self._to(begin if begin < self.at else self.film.at_turn(self.frame.turn - 1))
            case "home":
                self._to(0)
            case "end":
                self._to(self.last)
            case "/":
                self.typing, self.typed = Typing.SEARCH, ""
            case "t":
                self.typing, self.typed = Typing.TURN, ""
            case "n" | "p":
                self.search(1 if key == "n" else -1)
            case "s":
                self.seat = self.seat + 1 if self.seat + 1 < len(self.film.players) else -1
            case "?":
                self.help = True
            case _ if key.isdecimal():
                self.typing, self.typed = Typing.TURN, key
            case _:
                self.note = _(NOT_HERE).format(key=key)

    def _type(self, key: str) -> None:
        if key == "escape":
            self.typing = Typing.NOTHING
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "enter":
            typing, self.typing = self.typing, Typing.NOTHING
            if typing is Typing.SEARCH:
                self.wanted = self.typed or self.wanted
                self.search(1)
            elif self.typed:
                self._turn(int(self.typed))
        elif len(key) == 1 and (self.typing is Typing.SEARCH or key.isdecimal()):
            self.typed = (self.typed + key)[:40]

    def _to(self, at: int, note: str = "") -> None:
        self.at = min(max(at, 0), self.last)
        self.note = note if at != self.at else ""

    def _turn(self, turn: int) -> None:
        if turn > self.film.turns:
            self._to(self.last)
            self.note = _("there are {n} turns").format(n=self.film.turns)
        else:
            self._to(self.film.at_turn(turn))

    def search(self, direction: int) -> None:
        """Go to the next (1) or previous (-1) frame that has what is looked for."""
        if not self.wanted:
            self.note = _("nothing is searched for yet: / begins a search")
            return
        places = range(self.at + 1, self.last + 1) if direction > 0 else range(self.at - 1, -1, -1)
        for at in places:
            if matches(self.film, at, self.wanted):
                self.at = at
                return
        self.note = _("nothing more of that after this") if direction > 0 else _("nothing more of that before this")
