"""Cards in whole words, for who hears them: "Red Draw Two" instead of R+2."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from cli.table.cards import UNKNOWN, Card, Namer, hidden, namer
from cli.table.look import Look
from p2puno.rules import Rules


def spoken(rules: Rules | None) -> Namer:
    """The namer whose cards are called by their full names wherever others are called by their notation."""
    if rules is None:
        return hidden
    cards = _cards(rules)
    return lambda face: cards[face] if 0 <= face < len(cards) else UNKNOWN


@lru_cache(maxsize=8)
def _cards(rules: Rules) -> tuple[Card, ...]:
    card = namer(rules)
    return tuple(_spoken(card(face)) for face in range(len(rules.kinds)))


def _spoken(card: Card) -> Card:
    name = card.name + (" with the Danger icon" if card.text.endswith("*") else "")
    return replace(card, text=name, said=name)


def hand_words(look: Look, rules: Rules | None) -> str:
    """The hand with what to type for each card: "3 cards: Red 1, typed R1; ...". Equal cards are counted."""
    if not look.hand:
        return "your hand is empty."
    counted: dict[tuple[str, str], int] = {}
    for held in look.hand:
        short = rules.kinds[held.card.face].short.rstrip("*") if rules is not None and held.card.face >= 0 else ""
        key = (held.card.text, short)
        counted[key] = counted.get(key, 0) + 1
    words = [
        f"{f'{n} times ' if n > 1 else ''}{text}{f', typed {short}' if short else ''}"
        for (text, short), n in counted.items()
    ]
    count = len(look.hand)
    return f"{count} {'card' if count == 1 else 'cards'}: {'; '.join(words)}."


def odds_spoken(look: Look) -> str:
    """", and by the cards you have not seen it was wrong with about 62 percent", or nothing."""
    if look.odds < 0:
        return ""
    return f", and by the cards you have not seen it was wrong with about {round(100 * look.odds)} percent"
