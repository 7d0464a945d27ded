"""Cards as people see them: the short text on a small card, the colour it is drawn in, what it does in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from cli.language import N_, _, chosen, told
from cli.text import visible
from p2puno.card import NO_COLOUR, Kind
from p2puno.describe import beaten_by, deck_line, describe_hero
from p2puno.hero import Danger, card_kinds
from p2puno.rules import Rules, RulesError

COLOUR_NAMES = (N_("red"), N_("yellow"), N_("green"), N_("blue"))
TYPES = {
    "enemy": N_("enemy"), "event": N_("event"), "location": N_("location"), "item": N_("item"), "power": N_("power"),
}  # fmt: skip
"""What the kinds of Danger cards, and what a hero can do, are called."""


KINDS = (N_("number"), N_("action"), N_("wild"), N_("draw2"), N_("reverse"), N_("skip"), N_("danger"))
"""What effects call cards, beside their colours."""


def colour_name(colour: int) -> str:
    """The name of a colour 0-3; "" for none."""
    return _(COLOUR_NAMES[colour]) if 0 <= colour < len(COLOUR_NAMES) else ""


@dataclass(frozen=True, slots=True)
class Card:
    """One face, or the power of a hero (`face` -1). Every text is fit for a terminal, whoever wrote the pack.

    `text` in the notation (R7, G+2, W4, R5*, WDSA; of a Danger card its name); `mark` the same without the letter that
    stands above it on a large card (7, +2, W4, 5*, DSA); `symbol` what matches across colours; `name` in full (Red 7);
    `said` in the log: the text, explained where not every player of UNO knows it; `colour` 0-3, -1 for a Wild or a card
    without colour. `lines`: what it does. `known`: how well the printed card is known (seed, public, partial, house).
    `kinds`: what effects call it. `type`: of a Danger card enemy, event, location or item. `now`: of a Danger card,
    what it does when it is flipped. `beaten`: what beats an Enemy. `naming`: whether a colour is named with the play.
    """

    face: int
    text: str
    mark: str
    name: str
    said: str
    colour: int
    symbol: str = ""
    lines: tuple[str, ...] = ()
    known: str = ""
    kinds: frozenset[str] = frozenset()
    type: str = ""
    now: str = ""
    beaten: str = ""
    naming: bool = False

    @property
    def wild(self) -> bool:
        """Whether it is a Wild (or no play card at all)."""
        return self.colour < 0

    @property
    def house(self) -> str:
        """ " (house)" where the card is of our own design; to stand behind its text."""
        return " (house)" if self.known == "house" else ""

    @property
    def title(self) -> str:
        """Its name with its notation and its mark, as a heading."""
        written = f"{self.text}  " if self.text != self.name else ""
        kind = f"{_(TYPES[self.type])}, " if self.type else ""
        return f"{written}{self.name} ({kind}{self.known})" if self.known else f"{written}{self.name}"


Namer: TypeAlias = Callable[[int], Card]
"""What turns a kind number into its card; made once for the rules at the table."""

COMMON = frozenset({"+2", "S", "R", "W", "W4"})
"""Symbols that every player of UNO knows; others are spelt out where they are played."""


def hidden(face: int) -> Card:
    """The namer as long as no rules are known, and for faces that there are not."""
    return Card(-1, "?", "?", _("a hidden card"), "?", -1)


def texts(cards: Iterable[Card]) -> str:
    """Several cards in a row; with commas where their texts have several words."""
    words = [card.text for card in cards]
    return (", " if any(" " in word for word in words) else " ").join(words)


def namer(rules: Rules | None) -> Namer:
    """The namer for these rules; without rules yet, every card is unknown."""
    if rules is None:
        return hidden
    cards = _cards(rules, chosen())
    return lambda face: cards[face] if 0 <= face < len(cards) else hidden(face)


def power_card(rules: Rules, ident: str) -> Card:
    """The power of a hero, shown as a card. Raises RulesError for a hero that this table cannot play."""
    power = rules.hero(ident).power
    name = visible(power.name)
    return Card(-1, name, "", name, name, -1, lines=(visible(told(power.text)),), known=power.mark, type="power")


@lru_cache(maxsize=32)
def hero_says(rules: Rules, ident: str, language: str) -> tuple[str, ...]:
    """What the cards of a hero say, beside its power, in this language. Raises RulesError as `power_card`."""
    hero = rules.hero(ident)
    lines = describe_hero(hero)
    return tuple(visible(told(line)) for line in lines[lines.index(deck_line(hero)) :])


def hero_name(rules: Rules | None, ident: str) -> str:
    """What a hero is called; the id itself where its pack is not known here, "" for none."""
    if rules is None or not ident:
        return visible(ident)
    try:
        return visible(rules.hero(ident).name)
    except RulesError:
        return visible(ident)


@lru_cache(maxsize=8)
def _cards(rules: Rules, language: str) -> tuple[Card, ...]:
    dangers = {card.id: card for ident in rules.heroes for card in rules.hero(ident).danger}
    naming = rules.pack.naming
    return tuple(
        _danger(face, dangers[kind.id]) if kind.colour == NO_COLOUR else _card(face, kind, naming[face])
        for face, kind in enumerate(rules.kinds)
    )


def _card(face: int, kind: Kind, naming: bool) -> Card:
    short, name = visible(kind.short), visible(told(kind.name))
    plain = kind.value >= 0 or (kind.symbol in COMMON and not (kind.wild and kind.hero))
    said = short if plain else f"{short} ({name})"
    mark = short[1:] if kind.hero else visible(kind.symbol)
    return Card(
        face, short, mark, name, said, -1 if kind.wild else kind.colour, visible(kind.symbol),
        (visible(told(kind.text)),), kind.mark, card_kinds(kind), naming=naming,
    )  # fmt: skip


def _danger(face: int, card: Danger) -> Card:
    name, text = visible(card.name), visible(told(card.text))
    if card.type != "enemy":
        return Card(face, name, "", name, name, -1, lines=(text,), known=card.mark, type=card.type, now=text)
    now, beaten = visible(told(card.flipped_text)), told(beaten_by(card))
    lines = (
        _("When flipped: {text}").format(text=now),
        _("Attacking: {text}").format(text=text),
        _("Beaten by {cards}.").format(cards=beaten),
    )
    return Card(face, name, "", name, name, -1, lines=lines, known=card.mark, type="enemy", now=now, beaten=beaten)
