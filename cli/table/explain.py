"""What a card or a hero says, found by whatever people call it; every text fit for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from cli.language import N_, _, told
from cli.table.inspector import Page, pages
from cli.table.look import Look
from cli.text import visible
from p2puno.card import Kind, parse_face
from p2puno.describe import MARK_MEANS, describe, describe_danger, describe_hero
from p2puno.hero import Danger, Hero
from p2puno.moves import AmbiguousMove, MoveError
from p2puno.rules import Rules
from p2puno.said import message_of

NOT_FOUND: Final = N_("no card or hero is called {name!r}")


@dataclass(frozen=True, slots=True)
class Found:
    """A hero, a play card or a Danger card; `owner`: the hero, or the game, that it belongs to, "" if that is clear."""

    what: Hero | Kind | Danger
    owner: str = ""

    def lines(self) -> list[str]:
        """What it says, for people."""
        match self.what:
            case Hero():
                lines = [told(line) for line in describe_hero(self.what)]
            case Danger():
                lines = [told(line) for line in describe_danger(self.what)]
                lines.append(_("mark: {mark}").format(mark=self.what.mark))
            case Kind():
                lines = [told(line) for line in describe(self.what)]
        if self.owner and not isinstance(self.what, Hero):
            lines[0] += f" [{self.owner}]"
        return [visible(line) for line in lines]

    def mark(self) -> str:
        """How well it is known, "" for a hero, whose cards have a mark each."""
        return "" if isinstance(self.what, Hero) else self.what.mark


def marks(known: Iterable[str] = ()) -> list[str]:
    """What the marks mean, one line each; all of them, or those in `known`."""
    chosen = set(known)
    return [f"{mark}: {told(meaning)}" for mark, meaning in MARK_MEANS.items() if not chosen or mark in chosen]


def of_heroes(heroes: Sequence[Hero], text: str) -> list[Found]:
    """The hero or the cards of these heroes that `text` names: by name, id, or "hero/card" in the notation."""
    whose, slash, card = text.rpartition("/")
    owners = [hero for hero in heroes if not slash or _same(whose, hero.id) or _same(whose, hero.name)]
    if not slash:
        named = [hero for hero in owners if _same(text, hero.id) or _same(text, hero.name)]
        if named:
            return [Found(hero) for hero in named]
    found: list[Found] = []
    for hero in owners:
        found += [Found(danger, hero.id) for danger in hero.danger if _same(card, danger.name)]
        written = card.rstrip("*")
        found += [
            Found(kind, hero.id)
            for kind in hero.kinds
            if _same(card, kind.name) or _same(written, kind.short.rstrip("*"))
        ]
    return found


def near_names(heroes: Sequence[Hero], text: str) -> str:
    """A hint for a name that is not found: the nearest one, or what there is."""
    names = {_plain(name): name for hero in heroes for name in _names(hero)}
    near = get_close_matches(_plain(text), names, 1, 0.6)
    if near:
        return _("did you mean {word}?").format(word=visible(names[near[0]]))
    there = _("heroes: {heroes}; a card by its name or like aquaman/R5")
    return there.format(heroes=", ".join(hero.id for hero in heroes))


def look_lines(look: Look, rules: Rules | None, text: str) -> list[str]:
    """What `look` answers: everything in play without a text, else that card or hero."""
    if not text:
        return [line for page in pages(look, 0) for line in _page_lines(page)]
    if rules is None:
        return [_("No rules are agreed yet.")]
    heroes = [rules.hero(ident) for ident in rules.heroes or rules.offered()]
    if heroes:
        found = of_heroes(heroes, text)
        mine = [one for one in found if 0 <= look.me < len(rules.heroes) and one.owner == rules.heroes[look.me]]
        found = mine or found[:1]
        if not found:
            return [_(NOT_FOUND).format(name=visible(text)), near_names(heroes, text)]
    else:
        try:
            found = [Found(rules.kinds[parse_face(rules, text)])]
        except MoveError as problem:
            return [told(message_of(problem)), told(problem.hint)]
    return [*found[0].lines(), *marks([found[0].mark()])]


def classic_card(rules: Rules, text: str) -> Found | None:
    """The card of a game without heroes that `text` writes, None if there is none. Raises AmbiguousMove."""
    try:
        return Found(rules.kinds[parse_face(rules, text)], rules.variant)
    except AmbiguousMove:
        raise
    except MoveError:
        return None


def _page_lines(page: Page) -> list[str]:
    return [f"{page.where}: {page.title}", *(f"  {line}" for line in page.lines)] if page.where else list(page.lines)


def _names(hero: Hero) -> Iterable[str]:
    yield hero.id
    yield hero.name
    yield from (wild.name for wild in hero.wilds)
    yield from (danger.name for danger in hero.danger)


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("'", "").replace("’", "").replace("_", " ").split())


def _same(a: str, b: str) -> bool:
    return _plain(a) == _plain(b)
