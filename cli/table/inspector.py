"""The inspector: every card that can be seen, with its rules text and its mark, one page each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cli.language import N_, _, told
from cli.table.cards import Card, texts
from cli.table.look import Look
from p2puno.describe import MARK_MEANS

NOTHING: Final = N_("There is no card to look at yet.")


@dataclass(frozen=True, slots=True)
class Page:
    """One card: where it lies, what it is called, what it does, what its mark means. `place`: what opens it: `top`,
    `location`, or `enemy`, `item`, `power`, `burn` with the seat. `more`: what else can be read there on a screen."""

    where: str
    title: str
    lines: tuple[str, ...]
    mark: str = ""
    place: str = ""
    more: tuple[str, ...] = ()


def pages(look: Look, cursor: int) -> tuple[Page, ...]:
    """What asks, the chosen hand card, the top card, Enemies, Items, hands shown, the Location, powers, Burn
    Piles."""
    found: list[Page] = []
    if look.asking is not None and look.asking.source is not None:
        found.append(page(_("What asks"), look.asking.source))
    if look.hand:
        held = look.hand[min(max(cursor, 0), len(look.hand) - 1)]
        found.append(page(_("Your card"), held.card))
    if look.top is not None:
        found.append(page(_("Top card"), look.top, "top"))
    heroes = [(seat, seat.heroics) for seat in look.seats if seat.heroics is not None and not seat.out]
    for seat, heroics in heroes:
        if heroics.enemy is not None:
            where = _("Enemy of you") if seat.me else _("Enemy of {who}").format(who=seat.name)
            where += _(", fresh: it cannot be beaten in this turn") if heroics.fresh else ""
            found.append(page(where, heroics.enemy, f"enemy {seat.seat}"))
    for seat, heroics in heroes:
        whose = _("Your Item") if seat.me else _("Item of {who}").format(who=seat.name)
        found += [page(whose, item, f"item {seat.seat}") for item in heroics.items]
    for seat in look.seats:
        if seat.known:
            cards = texts(seat.known)
            whose = _("Hand of {who}").format(who=seat.name)
            found.append(Page(whose, _("Cards that you have been shown"), (cards,)))
    if look.peeked:
        cards = texts(look.peeked)
        found.append(Page(_("Your deck"), _("The top, as you have seen it, from the top down"), (cards,)))
    if look.location is not None:
        found.append(page(_("Location"), look.location, "location"))
    for seat, heroics in heroes:
        whose = _("Your power ({hero})") if seat.me else _("Power of {who} ({hero})")
        where = whose.format(who=seat.name, hero=heroics.hero) + (_(", blank now") if heroics.blank else "")
        found.append(replace(page(where, heroics.power, f"power {seat.seat}"), more=heroics.says))
    for seat, heroics in heroes:
        if heroics.pile:
            where = _("Your Burn Pile") if seat.me else _("Burn Pile of {who}").format(who=seat.name)
            top = page(where, heroics.pile[0], f"burn {seat.seat}")
            below = _("Below it, from the top down: {cards}").format(cards=texts(heroics.pile[1:]))
            found.append(replace(top, lines=(*top.lines, below)) if heroics.pile[1:] else top)
    return tuple(found) or (Page("", "", (_(NOTHING),)),)


def page(where: str, card: Card, place: str = "") -> Page:
    """The page of one card."""
    mark = f"{card.known}: {told(MARK_MEANS[card.known])}" if card.known else ""
    return Page(where, card.title, card.lines, mark, place)
