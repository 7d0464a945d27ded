"""Lines that are typed before the start: ready, hero NAME, seat N, bot, start."""

from __future__ import annotations

from collections.abc import Sequence

from cli.language import _
from cli.setup.model import NO_HEROES, ONLY_CREATOR, Change, Choice, Creator, Prepare, Setup
from cli.setup.words import help_lines, hero_lines, rules_lines, seat_lines
from cli.text import visible
from cli.voice import Told


def obey(said: str, setup: Setup) -> tuple[list[Told], Change | None] | None:
    """What a line answers and asks for; None for a line that means nothing before the start."""
    word, _rest, rest = said.lower().rstrip("?.").partition(" ")
    match word, rest.strip():
        case (("ready" | "r"), ""):
            return [], Prepare(ready=True)
        case ("unready" | "wait", "") | ("not", "ready"):
            return [], Prepare(ready=False)
        case "hero" | "heroes", wanted:
            return _hero(wanted, setup)
        case "seat", wanted:
            return _seat(wanted, setup)
        case "bot", "":
            return _creators(Creator.BOT, setup)
        case (("start" | "begin"), ""):
            return _creators(Creator.START, setup)
        case (("table" | "t" | "where" | "w" | "seats"), ("" | "am i")):
            return [*_all("Seat", seat_lines(setup)), Told("Start", _sentence(setup.waiting()))], None
        case "rules", "":
            return _all("Rule", rules_lines(setup.rules)), None
        case (("help" | ""), ""):
            return _all("Help", help_lines(setup)), None
    return None


def _all(label: str, lines: Sequence[str]) -> list[Told]:
    return [Told(label, line) for line in lines]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _creators(change: Creator, setup: Setup) -> tuple[list[Told], Change | None]:
    return ([], change) if setup.creator else ([Told("Error", _sentence(_(ONLY_CREATOR)))], None)


def _seat(wanted: str, setup: Setup) -> tuple[list[Told], Change | None]:
    if wanted.isdecimal() and 1 <= int(wanted) <= setup.wanted:
        return [], Prepare(seat=int(wanted) - 1)
    return [Told("Error", _("Seats are 1 to {last}: type seat and a number.").format(last=setup.wanted))], None


def _hero(wanted: str, setup: Setup) -> tuple[list[Told], Change | None]:
    if not setup.has_heroes:
        return [Told("Error", _sentence(_(NO_HEROES)))], None
    if not wanted:
        return _all("Answer", hero_lines(setup)), None
    choice = named_hero(setup.choices(), wanted)
    if choice is None:
        text = _("No hero is called {name}. hero lists them.").format(name=visible(wanted))
        return [Told("Error", text)], None
    return [], Prepare(hero="" if choice.hero is None else choice.hero.id)


def named_hero(choices: Sequence[Choice], text: str) -> Choice | None:
    """The choice that this text names: a hero by name or id, or "lot"; None for no such."""
    for choice in choices:
        names = ("lot", "by lot") if choice.hero is None else (choice.hero.id, choice.hero.name)
        if _plain(text) in map(_plain, names):
            return choice
    return None


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("'", "").replace("_", " ").split())
