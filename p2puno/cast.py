"""The cards of one UNO Ultimate table: the decks of its heroes in the order of the seats, then the Danger Deck."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from p2puno.card import NO_COLOUR, Kind
from p2puno.hero import Danger, Hero
from p2puno.pack import Deck, Pack

GAMES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = MappingProxyType({
    "dc": ("UNO Ultimate: DC", ("aquaman", "green_lantern", "superman", "wonder_woman")),
    "marvel": ("UNO Ultimate: Marvel", ("shuri", "black_widow", "hulk", "captain_america", "thor")),
})  # fmt: skip
"""The games with heroes, by id: name, and the built-in heroes of the set; Thor is an add-on to the Marvel box."""

PLAYERS: Final = range(2, 5)
"""How many can play (R1)."""

DANGER: Final = "danger"
"""The name of the Danger Deck."""


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """The heroes of a table by seat, and their cards.

    `pack`: all kinds and what fits on what (R10). Kinds and slots lie in this order: the play cards of each seat's
    hero, then the Danger cards of each seat's hero (R4). `decks`: one for each seat, named after its hero, then
    "danger".
    """

    heroes: tuple[Hero, ...]
    pack: Pack
    decks: tuple[Deck, ...]


@lru_cache(maxsize=32)
def cast_of(variant: str, heroes: tuple[Hero, ...]) -> Cast:
    """The cast of a table of `GAMES` whose seats play these heroes; of no cards before seats are taken."""
    kinds: list[Kind] = []
    decks: list[Deck] = []
    slots = 0
    for hero in heroes:
        faces = range(len(kinds), len(kinds) + len(hero.kinds))
        decks.append(Deck(hero.id, range(slots, slots + len(hero.deck)), tuple(faces)))
        kinds += hero.kinds
        slots += len(hero.deck)
    dangers = [_danger_kind(card, hero.id) for hero in heroes for card in hero.danger]
    if dangers:
        faces = range(len(kinds), len(kinds) + len(dangers))
        decks.append(Deck(DANGER, range(slots, slots + len(dangers)), tuple(faces)))
    digest = hashlib.sha256(b"".join(hero.digest for hero in heroes)).digest()
    pack = Pack(variant, GAMES[variant][0], "ultimate", PLAYERS, (*kinds, *dangers), (), digest)
    return Cast(heroes, pack, tuple(decks))


def _danger_kind(card: Danger, hero: str) -> Kind:
    return Kind(card.id, NO_COLOUR, "", -1, 0, 1, card.name, card.text, card.mark, card.type, hero, False, card.name)
