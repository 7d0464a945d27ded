"""What the line mode says and how: the words of a `LineTable`, so that another voice can say the same table otherwise.

Every line has a label that says what kind of line it is; this voice keeps it to itself, `cli.speak` says it aloud.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from cli.language import N_, _
from cli.table.asking import Asking, Picker
from cli.table.cards import Namer, namer
from cli.table.lines import Line
from cli.table.look import Asked, Look
from cli.table.words import choice_lines, hand_line, prompt, table_lines
from p2puno.rules import Rules
from protocol.events import (
    AbsenceChanged,
    Accused,
    Chatted,
    Event,
    GotUp,
    HandOver,
    Happened,
    LinkChanged,
    LobbyChanged,
    MatchOver,
    PacksOffered,
    PhaseChanged,
    Redial,
    Refused,
    Watching,
)

HELP: Final = (
    N_("a card            R7 plays red 7, G+2 green Draw Two, YS yellow Skip, BR blue Reverse; R7! calls UNO with it"),
    N_("a Wild            W>B plays a Wild as blue; W4>R a Wild Draw Four as red; WS>G the Wild of this game as green"),
    N_("draw, keep        take a card; keep the card just taken"),
    N_("challenge, accept the answer to a Wild Draw Four"),
    N_("uno, catch, pass  call UNO that you forgot; catch who forgot it; let it pass"),
    N_("a number or letter  answers a list; back goes one question back; nothing is sent before the last answer"),
    N_(
        "look, look CARD, look HERO  what a card or a hero says (house: our own design); look alone: all that is in "
        "play"
    ),
    N_("hand, table, where  your hand; the table; where the game stands and what is asked of you"),
    N_("score, rules, log   the points; the rules of this table; the last things that happened"),
    N_("say WORDS         write to everybody here; phrases lists quick phrases, phrase 3 says one"),
    N_("mute NAME         hear no more of somebody; unmute NAME hears them again"),
    N_("quit              leave the table"),
)

RECENT: Final = 10
"""Lines that `log` says again."""


class Told(NamedTuple):
    """One line: its label and its text."""

    label: str
    text: str


CardsOf: TypeAlias = Callable[[Rules | None], Namer]


class Voice:
    """The words of the line mode, in the notation of the moves."""

    cards: CardsOf = staticmethod(namer)

    def line(self, told: Told) -> str | None:
        """A line as it is printed; None for one that is left out."""
        return told.text

    def further(self) -> str:
        """What the second and every further line of a remark begins with."""
        return "  | "

    def opening(self) -> list[Told]:
        """What is said before anything else."""
        return [Told("Help", _("Type help to see what can be typed."))]

    def help(self) -> list[Told]:
        """What can be typed."""
        return _all("Help", [_(line) for line in HELP])

    def labels(self) -> list[Told]:
        """What the labels mean, in a voice that says them."""
        return self.help()

    def hand(self, look: Look, rules: Rules | None) -> list[Told]:
        """The own hand."""
        return [Told("Hand", hand_line(look))]

    def table(self, look: Look) -> list[Told]:
        """Everybody's cards and points, the piles, what lies open."""
        return _all("Table", table_lines(look))

    def prompt(self, look: Look, rules: Rules) -> list[Told]:
        """What is asked now and what may be typed."""
        return _all("Turn", prompt(look, rules))

    def choices(self, asking: Asking, picker: Picker) -> list[Told]:
        """What is asked at this place of a question, and every answer with its number."""
        return _all("Choice", choice_lines(asking, picker))

    def time(self, seconds: int) -> list[Told]:
        """That so many seconds begin, 0 for no limit; their end is told later in any voice."""
        return []

    def where(self, look: Look, rules: Rules | None) -> list[Told]:
        """Where the game stands: the table, whose turn it is, and what is asked of this player."""
        asked = self.prompt(look, rules) if rules is not None and look.asked is not Asked.NOTHING else []
        return [*self.table(look), *asked]


def _all(label: str, texts: Sequence[str]) -> list[Told]:
    return [Told(label, text) for text in texts]


def label_of(event: Event, line: Line) -> str:
    """The label of a line that the narrator tells of an event."""
    match event:
        case LobbyChanged():
            return "Start"
        case PhaseChanged() | Watching():
            return "Setup"
        case Happened():
            return "Alert" if line.style == "alarm" else "Event"
        case HandOver() | MatchOver():
            return "Score" if line.style == "strong" else "Result"
        case Refused():
            return "Error" if line.style == "error" else "Hint"
        case PacksOffered():
            return "Ask"
        case LinkChanged() | Redial() | GotUp():
            return "Link"
        case AbsenceChanged():
            return "Link"
        case Chatted():
            return "Chat"
        case Accused():
            return "Alert"
    return "Error"
