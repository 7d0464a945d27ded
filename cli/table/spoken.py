"""Cards in whole words, for who hears them: "Red Draw Two" instead of R+2."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from cli.language import _, chosen, ngettext
from cli.table.cards import Card, Namer, hidden, namer
from cli.table.look import Look
from p2puno.rules import Rules


def spoken(rules: Rules | None) -> Namer:
    """The namer whose cards are called by their full names wherever others are called by their notation."""
    if rules is None:
        return hidden
    cards = _cards(rules, chosen())
    return lambda face: cards[face] if 0 <= face < len(cards) else hidden(face)


@lru_cache(maxsize=8)
def _cards(rules: Rules, language: str) -> tuple[Card, ...]:
    card = namer(rules)
    return tuple(_spoken(card(face)) for face in range(len(rules.kinds)))


def _spoken(card: Card) -> Card:
    name = _("{card} with the Danger icon").format(card=card.name) if card.text.endswith("*") else card.name
    return replace(card, text=name, said=name)


def hand_words(look: Look, rules: Rules | None, fits: bool = True) -> str:
    """The hand with what to type for each card and, if `fits`, whether it can be played now: "3 cards: Red 1, typed R1,
    can be played; ...". Equal cards are counted."""
    if not look.hand:
        return _("your hand is empty.")
    counted: dict[tuple[str, str, bool], int] = {}
    for held in look.hand:
        short = rules.kinds[held.card.face].short.rstrip("*") if rules is not None and held.card.face >= 0 else ""
        key = (held.card.text, short, fits and held.playable)
        counted[key] = counted.get(key, 0) + 1
    words = []
    for (text, short, playable), n in counted.items():
        word = _("{n} times {card}").format(n=n, card=text) if n > 1 else text
        word = _("{card}, typed {short}").format(card=word, short=short) if short else word
        words.append(_("{card}, can be played").format(card=word) if playable else word)
    count = len(look.hand)
    return ngettext("{n} card: {cards}.", "{n} cards: {cards}.", count).format(n=count, cards="; ".join(words))


def odds_spoken(look: Look) -> str:
    """ ", and with 62 of 100 random hands ... it would be wrong", or nothing."""
    if look.odds < 0:
        return ""
    wrong = _(", and with {percent} of 100 random hands of the cards you have not seen it would be wrong")
    return wrong.format(percent=round(100 * look.odds))
