"""Talking on the full screen: a line that is typed, the list of quick phrases, the list of who is not heard.

Pure: keys go in, at most one wish comes out. What was said stands in the log (`remark`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from cli.language import N_, _, told
from cli.table.line_edit import LineEdit
from cli.table.session import Session
from cli.text import visible
from protocol.chat import PHRASES
from protocol.events import Chatted
from protocol.messages import MAX_REMARK

NO_CHAT: Final = N_("this table is played without chat")
PHRASES_ONLY: Final = N_("this table allows quick phrases only: p")
NOBODY: Final = N_("nobody is here who reads it: bots do not")
HIDDEN: Final = N_("chat is turned off here, by --no-chat or your settings")
CLOSED: Final = {"off": NO_CHAT, "hidden": HIDDEN}
REMARK: Final = N_("Chat: {who}: {text}")
"""A remark in any face: what it is, then who says it, so that no words of a player look like a line of ours."""


@dataclass(frozen=True, slots=True)
class Speak:
    """The player says a text or, where that is empty, a quick phrase, counted from 1."""

    text: str
    phrase: int = 0


@dataclass(frozen=True, slots=True)
class Mute:
    """The player does not want to hear somebody (a place among the players), or does again."""

    place: int
    quiet: bool


Wish: TypeAlias = Speak | Mute


DIGITS: Final = tuple("1234567890")
MOVES: Final = ("up", "left", "down", "right", "home", "end", "enter", "escape")
"""The keys that go through a list, take something of it, or close it."""


class Pane(StrEnum):
    """What is open."""

    TEXT = "t"
    PHRASES = "p"
    MUTE = "m"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody else who can speak: the place among the players, the name, and whether we do not hear them."""

    place: int
    name: str
    muted: bool


def people(session: Session) -> tuple[Person, ...]:
    """The other people at the table."""
    names, muted = [visible(player.name) for player in session.players], session.muted
    return tuple(Person(place, names[place], place in muted) for place in session.company)


def phrases() -> list[str]:
    """The quick phrases in the player's language."""
    return [told(phrase) for phrase in PHRASES]


def remark(said: Chatted, names: Sequence[str]) -> str:
    """What somebody says, as one line."""
    who = names[said.seat] if 0 <= said.seat < len(names) else "?"
    known = 1 <= said.phrase <= len(PHRASES)
    return _(REMARK).format(who=who, text=visible(phrases()[said.phrase - 1] if known else said.text))


@dataclass(slots=True)
class Talk:
    """`mode`: what the table allows, one of the values of its option `chat`, or "hidden" where our player does not want
    to see any; `people`: who else is here; `at`: the
    cursor in a list; `line`: what is typed, kept when the line is left."""

    mode: str = "off"
    people: tuple[Person, ...] = ()
    pane: Pane | None = None
    at: int = 0
    line: LineEdit = field(default_factory=lambda: LineEdit(MAX_REMARK))

    @property
    def offered(self) -> bool:
        """Whether there is anybody to talk with."""
        return bool(self.people) and self.mode not in CLOSED

    def open(self, key: str) -> str:
        """Open what this key stands for; why not, or ""."""
        pane = Pane(key)
        if self.mode in CLOSED:
            return _(CLOSED[self.mode])
        if not self.people:
            return _(NOBODY)
        if pane is Pane.TEXT and self.mode == "phrases":
            return _(PHRASES_ONLY)
        self.pane, self.at = pane, 0
        return ""

    def options(self) -> list[str]:
        """What can be chosen in the list that is open."""
        if self.pane is Pane.PHRASES:
            return phrases()
        muted = _("{name} (muted)")
        return [muted.format(name=one.name) if one.muted else one.name for one in self.people]

    def knows(self, key: str) -> bool:
        """Whether a key means something to what is open."""
        place = (int(key) - 1) % 10 if key in DIGITS else -1
        return self.pane is Pane.TEXT or key in MOVES or key == self.pane or 0 <= place < len(self.options())

    def press(self, key: str) -> Wish | None:
        """Take a key while something is open."""
        if key == "escape":
            self.pane = None
        elif self.pane is Pane.TEXT:
            return self._type(key)
        elif (count := len(self.options())) and key in ("up", "left", "down", "right"):
            self.at = (self.at + (1 if key in ("down", "right") else -1)) % count
        elif key in ("home", "end"):
            self.at = 0 if key == "home" else count - 1
        elif key == "enter":
            return self.pick(self.at)
        elif key in DIGITS and (int(key) - 1) % 10 < count:
            return self.pick((int(key) - 1) % 10)
        elif key == self.pane:
            self.pane = None
        return None

    def pick(self, place: int) -> Wish | None:
        """Take what stands at this place of the list. Muting leaves the list open: it shows what has changed."""
        if self.pane is Pane.PHRASES:
            self.pane = None
            return Speak("", place + 1)
        if self.pane is Pane.MUTE and place < len(self.people):
            self.at = place
            return Mute(self.people[place].place, not self.people[place].muted)
        return None

    def _type(self, key: str) -> Wish | None:
        if key != "enter":
            self.line.press(key)
            return None
        self.pane = None
        return Speak(self.line.text) if self.line.text.strip() else None


def carry_out(wish: Wish, session: Session) -> None:
    """Say it, or change who is heard. Raises NotSaid."""
    match wish:
        case Speak(text, 0):
            session.chat(text)
        case Speak(_, phrase):
            session.phrase(phrase)
        case Mute(place, quiet):
            session.mute(place, quiet)
