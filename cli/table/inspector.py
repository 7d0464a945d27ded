"""The inspector: every card that can be seen, with its rules text and its mark, one page each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cli.language import told
from cli.table.cards import Card, texts
from cli.table.look import Look
from p2puno.describe import MARK_MEANS

NOTHING: Final = "There is no card to look at yet."


@dataclass(frozen=True, slots=True)
class Page:
    """One card: where it lies, what it is called, what it does, what its mark means."""

    where: str
    title: str
    lines: tuple[str, ...]
    mark: str = ""


def pages(look: Look, cursor: int) -> tuple[Page, ...]:
    """What asks, the chosen hand card, the top card, Enemies, Items, hands shown, the Location, powers."""
    found: list[Page] = []
    if look.asking is not None and look.asking.source is not None:
        found.append(page("What asks", look.asking.source))
    if look.hand:
        held = look.hand[min(max(cursor, 0), len(look.hand) - 1)]
        found.append(page("Your card", held.card))
    if look.top is not None:
        found.append(page("Top card", look.top))
    heroes = [(seat, seat.heroics) for seat in look.seats if seat.heroics is not None and not seat.out]
    for seat, heroics in heroes:
        if heroics.enemy is not None:
            fresh = ", fresh: it cannot be beaten in this turn" if heroics.fresh else ""
            found.append(page(f"Enemy of {'you' if seat.me else seat.name}{fresh}", heroics.enemy))
    for seat, heroics in heroes:
        found += [page("Your Item" if seat.me else f"Item of {seat.name}", item) for item in heroics.items]
    for seat in look.seats:
        if seat.known:
            cards = texts(seat.known)
            found.append(Page(f"Hand of {seat.name}", "Cards that you have been shown", (cards,)))
    if look.peeked:
        cards = texts(look.peeked)
        found.append(Page("Your deck", "The top, as you have seen it, from the top down", (cards,)))
    if look.location is not None:
        found.append(page("Location", look.location))
    for seat, heroics in heroes:
        whose = "Your power" if seat.me else f"Power of {seat.name}"
        found.append(page(f"{whose} ({heroics.hero})" + (", blank now" if heroics.blank else ""), heroics.power))
    return tuple(found) or (Page("", "", (NOTHING,)),)


def page(where: str, card: Card) -> Page:
    """The page of one card."""
    return Page(where, card.title, card.lines, f"{card.known}: {told(MARK_MEANS[card.known])}" if card.known else "")
