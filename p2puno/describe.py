"""Cards and heroes in plain words, for `p2puno cards` and the documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2puno.card import Kind
from p2puno.hero import BUILT_IN, Danger, Hero

MARK_MEANS: Final[Mapping[str, str]] = {
    "seed": "stated in the rules texts the project started from",
    "public": "stated on public pages, restated in our own words",
    "partial": "known in part, the rest is ours",
    "house": "our own design, because the printed card is not publicly known",
}
"""What the marks mean: how well a printed card is known."""

_BEATS: Final[Mapping[str, str]] = {
    "red": "a red card", "yellow": "a yellow card", "green": "a green card", "blue": "a blue card",
    "number": "a number card", "action": "an Action card", "wild": "a Wild", "draw2": "a Draw Two",
    "reverse": "a Reverse", "skip": "a Skip", "danger": "a card with the Danger icon",
}  # fmt: skip


def beaten_by(card: Danger) -> str:
    """What defeats an Enemy: "a red card or a Wild"."""
    words = [_BEATS[kind] for kind in card.defeat]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def describe(kind: Kind) -> list[str]:
    """A card in lines: how it is written, its name, how often it is in the deck, what it does, how well it is known."""
    worth = "" if kind.hero else f", {kind.points} points"
    return [f"{kind.short}  {kind.name}, {kind.copies} in the deck{worth}", kind.text, f"mark: {kind.mark}"]


def describe_danger(card: Danger) -> list[str]:
    """A Danger card in lines: type and name, when flipped, what stands, what beats it."""
    lines = [f"{card.type.capitalize()}: {card.name} ({card.mark})"]
    if card.type == "enemy":
        lines += [f"when flipped: {card.flipped_text}", f"attacking: {card.text}", f"beaten by: {beaten_by(card)}"]
    else:
        lines.append(card.text)
    return lines


def deck_line(hero: Hero) -> str:
    """The coloured cards of a hero in one line."""
    red = [kind for kind in hero.kinds if kind.colour == 0]
    numbers = ", ".join(kind.symbol + "*" * kind.icon for kind in red if kind.value >= 0)
    actions = ", ".join(f"{kind.copies} {kind.name.removeprefix('Red ')}" for kind in red if kind.value < 0)
    return f"in each colour: {numbers}" + (f"; {actions}" if actions else "") + "; * bears the Danger icon"


def describe_hero(hero: Hero) -> list[str]:
    """A hero in lines: power, deck, Wilds, Danger cards, each with its mark."""
    lines = [f"{hero.name} ({hero.set}, {hero.source})"]
    if hero.source != BUILT_IN:
        lines.append(f"pack {hero.digest.hex()}")
    lines += [f"power: {hero.power.name} ({hero.power.mark})", f"  {hero.power.text}", deck_line(hero)]
    for wild in hero.wilds:
        lines += [f"{wild.code}  {wild.name}, {wild.copies} in the deck ({wild.mark})", f"  {wild.text}"]
    for card in hero.danger:
        first, *rest = describe_danger(card)
        lines += [first, *("  " + line for line in rest)]
    return lines
