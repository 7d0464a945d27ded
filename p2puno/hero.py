"""Heroes of UNO Ultimate: a deck of 47 play cards, a power and eight Danger cards each.

hero_file.py reads them from pack files; cast.py puts the heroes of one table together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from p2puno.card import COLOURS, WILD, Kind
from p2puno.effects import Ability, Effect, Modifier
from p2puno.said import said

DECK: Final = 47
"""Play cards of a hero."""

DANGERS: Final = 8
"""Danger cards of a hero."""

BUILT_IN: Final = said("built in")
"""The source of a hero whose pack comes with the game."""


@dataclass(frozen=True, slots=True)
class Power:
    """What a hero can always do while the power is not blank."""

    name: str
    mark: str
    text: str
    abilities: tuple[Ability | Modifier, ...]


@dataclass(frozen=True, slots=True)
class Wild:
    """A Wild of a hero: name a colour, then `do`. `code`: how it is written in moves, such as WDSA."""

    id: str
    code: str
    name: str
    copies: int
    mark: str
    text: str
    do: Effect


@dataclass(frozen=True, slots=True)
class Danger:
    """A Danger card. `type`: "enemy", "event", "location" or "item".

    Enemy: `flipped` is done when it comes (`flipped_text` says it), `abilities` stand while it attacks, and a card of
    any kind in `defeat` beats it. Event: `do`. Item and Location: `abilities`.
    """

    id: str
    type: str
    name: str
    mark: str
    text: str
    flipped_text: str = ""
    flipped: Effect = ()
    do: Effect = ()
    abilities: tuple[Ability | Modifier, ...] = ()
    defeat: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Hero:
    """One hero. Heroes with the same digest are the same.

    `set`: "dc" or "marvel". `kinds`: the kinds of play cards, coloured ones first, then the Wilds in the order of
    `wilds`; `deck`: 47 indices into `kinds`, one for each card, rising. `digest`: SHA-256 of what the pack says.
    `source`: BUILT_IN, or where the file came from. `data`: the bytes of the file.
    """

    id: str
    name: str
    set: str
    kinds: tuple[Kind, ...]
    deck: tuple[int, ...]
    power: Power
    wilds: tuple[Wild, ...]
    danger: tuple[Danger, ...]
    digest: bytes
    source: str
    data: bytes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hero) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


_ACTIONS: Final = {"+2": "draw2", "R": "reverse", "S": "skip"}


def card_kinds(kind: Kind) -> frozenset[str]:
    """What effects call a play card: a part of `effects.CARD_KINDS`. Empty for a Danger card."""
    if kind.colour == WILD:
        return frozenset({"wild"})
    if kind.colour > WILD:
        return frozenset()
    names = {COLOURS[kind.colour]}
    names |= {"number"} if kind.value >= 0 else {"action", _ACTIONS[kind.symbol]}
    return frozenset(names | {"danger"} if kind.icon else names)
