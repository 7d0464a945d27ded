"""Cards as people see them: the short text on a small card, the colour it is drawn in, its name in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from p2puno.card import COLOURS, WILD, Kind
from p2puno.rules import Rules

COLOUR_NAMES = COLOURS


@dataclass(frozen=True, slots=True)
class Card:
    """One face. `text` in the notation (R7, G+2, W4); `mark` the same without the colour letter (7, +2, W4); `name`
    in full (Red 7); `said` in the log: the text, explained where it is a card of this game only; `colour` 0-3, or -1
    for a Wild."""

    face: int
    text: str
    mark: str
    name: str
    said: str
    colour: int

    @property
    def wild(self) -> bool:
        """Whether a colour must be named with it."""
        return self.colour < 0


Namer: TypeAlias = Callable[[int], Card]
"""What turns a kind number into its card; made once for the rules at the table."""

UNKNOWN = Card(-1, "?", "?", "a hidden card", "?", -1)
COMMON = frozenset({"+2", "S", "R", "W", "W4"})
"""Symbols that every player of UNO knows; others are spelt out where they are played."""


def namer(rules: Rules | None) -> Namer:
    """The namer for these rules; without rules yet, every card is unknown."""
    if rules is None:
        return lambda face: UNKNOWN
    cards = tuple(_card(face, kind) for face, kind in enumerate(rules.kinds))
    return lambda face: cards[face] if 0 <= face < len(cards) else UNKNOWN


def _card(face: int, kind: Kind) -> Card:
    said = kind.id if kind.value >= 0 or kind.symbol in COMMON else f"{kind.id} ({kind.name})"
    return Card(face, kind.id, kind.symbol, kind.name, said, -1 if kind.colour == WILD else kind.colour)
