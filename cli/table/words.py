"""What the line mode says: the hand, the table, what is asked and what may be typed for it."""

from __future__ import annotations

from typing import Final

from cli.language import told
from cli.table.asking import Asking, Picker
from cli.table.cards import COLOUR_NAMES, texts
from cli.table.look import Asked, Heroics, Look, Seat, fits
from p2puno.card import print_move
from p2puno.moves import MoveError, Play
from p2puno.rules import Rules
from p2puno.said import message_of

NOT_NOW: Final = "It is not your turn. hand, table, where, look, score, rules, log, help and quit work at any time."
NO_LONGER: Final = "You watch no longer."
NO_SEAT: Final = "You watch this table, so nothing can be played. Type help for what can be typed."
WATCH_HELP: Final = (
    "table, where      the table; where the game stands",
    "look, look CARD, look HERO  what a card or a hero says (house: our own design); look alone: all that is in play",
    "score, rules, log   the points; the rules of this table; the last things that happened",
    "quit              watch no longer",
)
FORCED: Final = "the card drawn does not fit: you keep it"


def teach(problem: MoveError) -> list[str]:
    """Why a move does not stand, and what could be typed instead."""
    rule = f" ({problem.rule})" if problem.rule else ""
    return [f"{told(message_of(problem))}{rule}"] + ([told(problem.hint)] if problem.hint else [])


def rule_lines(rules: Rules) -> list[str]:
    """The rules of a table in words."""
    return [told(line) for line in rules.describe()]


def odds_words(look: Look) -> str:
    """ ", wrong with about 62 % by the cards you have not seen", or nothing."""
    return f", wrong with about {round(100 * look.odds)} % by the cards you have not seen" if look.odds >= 0 else ""


def hand_line(look: Look) -> str:
    """The hand grouped by colour: "Your hand: R: 6 8  Y: 1  Wild: W4" (P14)."""
    groups: dict[int, list[str]] = {}
    for held in look.hand:
        groups.setdefault(held.card.colour, []).append(held.card.text if held.card.wild else held.card.mark)
    if not groups:
        return "Your hand is empty."
    words = [f"{COLOUR_NAMES[c][0].upper() if c >= 0 else 'Wild'}: {' '.join(marks)}" for c, marks in groups.items()]
    return "Your hand: " + "  ".join(words)


def choice_lines(asking: Asking, picker: Picker) -> list[str]:
    """What is asked at this place of a question, and every answer with its number."""
    stage = picker.stage(asking)
    lines = [asking.why] if asking.why and not picker.path else []
    lines.append(f"{stage.title.rstrip('?:.')}: type a number" + (", or back." if picker.path else "."))
    for place, option in enumerate(stage.options, 1):
        letter = f" or {option.key}" if option.key else ""
        lines.append(f"  {place}{letter}: {option.label}")
    return lines


def table_lines(look: Look) -> list[str]:
    """Everybody's cards and points, the piles, what fits; in UNO Ultimate decks, Enemies, Items, Location, powers."""
    if not look.seats:
        return ["Nobody is here yet."]
    lines = []
    for seat in look.seats:
        marks = _marks(seat)
        more = f" ({', '.join(marks)})" if marks else ""
        more += f"; you know {texts(seat.known)}" if seat.known else ""
        if seat.heroics is not None:
            lines.append(_hero_line(seat, seat.heroics) + more)
        elif seat.hero:
            lines.append(f"{seat.name} as {seat.hero}{more}")
        else:
            lines.append(f"{seat.name}: {seat.cards} cards, {seat.score} points{more}")
    way = "down" if look.direction > 0 else "up"
    if look.heroes and look.dealt:
        place = look.location.name if look.location is not None else "none"
        lines.append(f"Location: {place}. {look.danger_deck} cards in the Danger Deck.")
        lines.append(f"{top_line(look)} Play goes {way} this list.")
    elif look.top is not None:
        lines.append(f"{top_line(look)} {look.draw_pile} cards to draw. Play goes {way} this list.")
    return lines


def _hero_line(seat: Seat, heroics: Heroics) -> str:
    cards = "1 card" if seat.cards == 1 else f"{seat.cards} cards"
    words = [f"{seat.name} as {heroics.hero}: {cards}", f"deck {heroics.deck}"]
    top = f" (top {heroics.burnt.text})" if heroics.burnt is not None else ""
    words += [f"Burn Pile {heroics.burn}{top}", *heroics.notes()]
    return ", ".join(words)


def _marks(seat: Seat) -> list[str]:
    all_marks = (
        ("you", seat.me),
        ("bot", seat.bot),
        ("not connected", not seat.here),
        ("UNO not called", seat.exposed),
        ("out", seat.out),
        ("acts now", seat.turn),
    )
    return [word for word, on in all_marks if on]


def top_line(look: Look) -> str:
    """The card on top and the colour in force."""
    if look.top is None or not 0 <= look.colour < 4:
        return "No card lies open."
    return f"Top card {look.top.text}, colour {COLOUR_NAMES[look.colour]}."


def prompt(look: Look, rules: Rules) -> list[str]:
    """What is asked now and what may be typed."""
    match look.asked:
        case Asked.TURN | Asked.DRAWN:
            return _turn_prompt(look, rules)
        case Asked.CHALLENGE:
            who = look.name(look.about)
            return [f"{who} played a Wild Draw Four on you{odds_words(look)}. Type accept or challenge."]
        case Asked.CHOICE if look.asking is not None:
            return [hand_line(look), *choice_lines(look.asking, Picker())]
        case Asked.CATCH:
            return [f"{look.name(look.about)} has one card and has not called UNO. Type catch or pass."]
        case Asked.CALL:
            return ["You have one card and have not called UNO. Type uno before somebody catches you."]
    return [NOT_NOW]


def _turn_prompt(look: Look, rules: Rules) -> list[str]:
    lines = [f"Your turn. {top_line(look)}", hand_line(look)]
    other = "keep" if look.can_keep else "draw" if look.can_draw else ""
    plays: list[str] = []
    for held in look.hand:
        for move in look.plays(held.slot):
            # One entry for a Wild, whatever its colour; and the call is explained once.
            text = print_move(rules, move).rstrip("!").split(">")[0]
            text += ">R/Y/G/B" if move.colour >= 0 else ""
            if text not in plays:
                plays.append(text)
    if not plays:
        lines.append(f"No card fits ({fits(look)}). Moves: {other}")
    else:
        lines.append(f"Moves: {' '.join(plays)} {other}".rstrip())
        if len(look.hand) == 2 and any(isinstance(m, Play) and m.uno for m in look.moves):
            example = plays[0].replace("R/Y/G/B", "R")
            lines.append(f"This play leaves you one card: call UNO with !, as in {example}!")
    return lines
