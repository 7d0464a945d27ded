"""Cards and heroes in plain words, for `p2puno cards` and the documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2puno.card import Kind
from p2puno.hero import BUILT_IN, Danger, Hero
from p2puno.said import COMMA, OR, joined, said

MARK_MEANS: Final[Mapping[str, str]] = {
    "seed": said("stated in the rules texts the project started from"),
    "public": said("stated on public pages, restated in our own words"),
    "partial": said("known in part, the rest is ours"),
    "house": said("our own design, because the printed card is not publicly known"),
}
"""What the marks mean: how well a printed card is known."""

_BEATS: Final[Mapping[str, str]] = {
    "red": said("a red card"), "yellow": said("a yellow card"), "green": said("a green card"),
    "blue": said("a blue card"), "number": said("a number card"), "action": said("an Action card"),
    "wild": said("a Wild"), "draw2": said("a Draw Two"),
    "reverse": said("a Reverse"), "skip": said("a Skip"), "danger": said("a card with the Danger icon"),
}  # fmt: skip

_TYPES: Final[Mapping[str, str]] = {
    "enemy": said("Enemy"), "event": said("Event"), "location": said("Location"), "item": said("Item"),
}  # fmt: skip
_ACTIONS: Final[Mapping[str, str]] = {"+2": said("Draw Two"), "R": said("Reverse"), "S": said("Skip")}


def beaten_by(card: Danger) -> str:
    """What defeats an Enemy: "a red card or a Wild"."""
    words = [_BEATS[kind] for kind in card.defeat]
    if len(words) == 1:
        return words[0]
    return joined((joined(words[:-1], COMMA), words[-1]), OR)


def describe(kind: Kind) -> list[str]:
    """A card in lines: how it is written, its name, how often it is in the deck, what it does, how well it is known."""
    if kind.hero:
        title = said("{code}  {name}, {copies} in the deck", code=kind.short, name=kind.name, copies=kind.copies)
    else:
        title = said("{code}  {name}, {copies} in the deck, {points} points", code=kind.short, name=kind.name,
                     copies=kind.copies, points=kind.points)  # fmt: skip
    return [title, kind.text, said("mark: {mark}", mark=kind.mark)]


def describe_danger(card: Danger) -> list[str]:
    """A Danger card in lines: type and name, when flipped, what stands, what beats it."""
    lines: list[str] = [said("{type}: {name} ({mark})", type=_TYPES[card.type], name=card.name, mark=card.mark)]
    if card.type == "enemy":
        lines += [
            said("when flipped: {text}", text=card.flipped_text),
            said("attacking: {text}", text=card.text),
            said("beaten by: {cards}", cards=beaten_by(card)),
        ]
    else:
        lines.append(card.text)
    return lines


def deck_line(hero: Hero) -> str:
    """The coloured cards of a hero in one line."""
    red = [kind for kind in hero.kinds if kind.colour == 0]
    numbers = ", ".join(kind.symbol + "*" * kind.icon for kind in red if kind.value >= 0)
    actions = joined(
        (said("{copies} {name}", copies=kind.copies, name=_ACTIONS[kind.symbol]) for kind in red if kind.value < 0),
        COMMA,
    )
    if not actions:
        return said("in each colour: {numbers}; * bears the Danger icon", numbers=numbers)
    return said("in each colour: {numbers}; {actions}; * bears the Danger icon", numbers=numbers, actions=actions)


def _indented(line: str) -> str:
    return said("  {line}", line=line)


def describe_hero(hero: Hero) -> list[str]:
    """A hero in lines: power, deck, Wilds, Danger cards, each with its mark."""
    lines: list[str] = [said("{name} ({set}, {source})", name=hero.name, set=hero.set, source=hero.source)]
    if hero.source != BUILT_IN:
        lines.append(said("pack {digest}", digest=hero.digest.hex()))
    lines += [
        said("power: {name} ({mark})", name=hero.power.name, mark=hero.power.mark),
        _indented(hero.power.text),
        deck_line(hero),
    ]
    for wild in hero.wilds:
        lines += [
            said(
                "{code}  {name}, {copies} in the deck ({mark})",
                code=wild.code,
                name=wild.name,
                copies=wild.copies,
                mark=wild.mark,
            ),
            _indented(wild.text),
        ]
    for card in hero.danger:
        first, *rest = describe_danger(card)
        lines += [first, *map(_indented, rest)]
    return lines
