"""What a seat can say when it must decide, and how it goes wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
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


@dataclass(frozen=True, slots=True)
class Pick:
    """Choose one of the options that the need lists: a player, an effect, yes or no, a colour, a card."""

    value: int


@dataclass(frozen=True, slots=True)
class Burn:
    """Burn these (slot, face) of one's hand (proven at a real table); none at all says "I have none" (R43)."""

    cards: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Order:
    """Put the cards one looked at back: `slots` in their new order from the top down (how they move is public, what
    they are is not)."""

    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """Take the top card into the hand and put `slot` of the hand in its place; -1: leave both where they are."""

    slot: int = -1


class WishFor(IntEnum):
    """What can be wished for (R75, R76)."""

    NOTHING = 0  # the flipped card bears no icon: a colour is all there is to name
    DRAW = 1  # the next player draws 2
    REVERSE = 2  # the direction of play turns
    SKIP = 3  # a player loses the next turn
    PLAY = 4  # another card is played


@dataclass(frozen=True, slots=True)
class Wish:
    """Name the colour of a Wish and what is wished for (R74). Fields that the wish does not need are -1.

    `target`: the player who loses a turn (SKIP). `slot`, `face`: the card that is played (PLAY; proven at a real
    table), `card_colour`: the colour that this card names if it is a Wild (another Wish names none yet).
    `uno`: UNO is called, for the Wish if it left one card, else for the card that is played (R77).
    """

    colour: int
    wish: WishFor = WishFor.NOTHING
    target: int = -1
    slot: int = -1
    face: int = -1
    card_colour: int = -1
    uno: bool = False


Move: TypeAlias = Play | Draw | Keep | Challenge | Accept | Pick | Burn | Order | Swap | Wish


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
