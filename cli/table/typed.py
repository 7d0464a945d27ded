"""What can be typed now: the words of the line mode that begin with what stands there already."""

from __future__ import annotations

from typing import Final

from cli.table.asking import Picker
from cli.table.look import Asked, Look
from p2puno.card import print_move
from p2puno.rules import Rules

ALWAYS: Final = (
    "hand", "table", "where", "look", "score", "rules", "log", "say", "phrases", "phrase", "mute", "help",
    "quit",
)  # fmt: skip


def words(look: Look, rules: Rules | None, picker: Picker, before: str) -> list[str]:
    """All that may stand at this line and begins with `before`: answers first, then what is a word at any time."""
    typed = before.lower().lstrip()
    if typed.startswith("look "):
        choices = [f"look {text}" for text in _cards(look, rules)]
    else:
        choices = [*_answers(look, rules, picker), *ALWAYS]
    return [word for word in dict.fromkeys(choices) if word.lower().startswith(typed)]


def _answers(look: Look, rules: Rules | None, picker: Picker) -> list[str]:
    """What answers the table now."""
    match look.asked:
        case Asked.CATCH:
            return ["catch", "pass"]
        case Asked.CALL:
            return ["uno"]
        case Asked.CHALLENGE:
            return ["accept", "challenge"]
        case Asked.CHOICE if look.asking is not None:
            options = picker.stage(look.asking).options
            return [option.key or str(place) for place, option in enumerate(options, 1)] + ["back"] * bool(picker.path)
        case Asked.TURN | Asked.DRAWN if rules is not None:
            return [print_move(rules, move) for move in look.moves]
    return []


def _cards(look: Look, rules: Rules | None) -> list[str]:
    """Cards and heroes that can be looked at."""
    if rules is None:
        return []
    shown = [card for card in (*(held.card for held in look.hand), look.top) if card is not None]
    mine = [rules.kinds[card.face].short for card in shown if card.face >= 0]
    return mine + [hero.name for hero in (rules.hero(ident) for ident in rules.heroes or rules.offered())]
