"""What a seat can say when it must decide, and how it goes wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Play:
    """Play the card in `slot` of one's hand; `face` is what it is (proven at a real table).

    `colour` 0-3 (red, yellow, green, blue) is named with a Wild and -1 otherwise (R15). `uno`: UNO is called with the
    play (R60); with another hand size it does nothing.
    """

    slot: int
    face: int
    colour: int = -1
    uno: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """Take one card (R11)."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep the card just taken; the turn ends (R11)."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Challenge the Wild Draw Four (R68)."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept the Wild Draw Four: four cards and the turn (R69)."""


Move: TypeAlias = Play | Draw | Keep | Challenge | Accept


class MoveError(ValueError):
    """A move that cannot stand.

    MoveError
    ├── InvalidMove    no such thing can be said at all (no such card, no such colour, text that cannot be read)
    ├── AmbiguousMove  the text fits several moves
    └── IllegalMove    it can be said, but not now: `rule` names the ruling that it breaks
    """

    def __init__(self, message: str, rule: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.rule = rule
        self.hint = hint


class InvalidMove(MoveError):
    """It is no move of this game."""


class AmbiguousMove(MoveError):
    """It could mean several moves."""


class IllegalMove(MoveError):
    """It is a move, but not one that this seat may make now."""
