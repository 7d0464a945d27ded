"""What the line mode says: the hand, the table, what is asked and what may be typed for it."""

from __future__ import annotations

from typing import Final

from cli.language import N_, _, pgettext, told
from cli.table.asking import Asking, Picker
from cli.table.cards import texts
from cli.table.look import Asked, Heroics, Look, Seat, fits
from cli.text import some_cards
from p2puno.card import LETTERS, print_move
from p2puno.moves import MoveError, Play
from p2puno.rules import Rules
from p2puno.said import message_of

NOT_NOW: Final = N_("It is not your turn. hand, table, where, look, score, rules, log, help and quit work at any time.")
NO_CARDS: Final = N_("There are no cards yet. table, where, rules, log, help and quit work at any time.")
NO_LONGER: Final = N_("You watch no longer.")
NO_SEAT: Final = N_("You watch this table, so nothing can be played. Type help for what can be typed.")
WATCH_HELP: Final = (
    N_("table, where      the table; where the game stands"),
    N_(
        "look, look CARD, look HERO  what a card or a hero says (house: our own design); look alone: all that is in "
        "play"
    ),
    N_("score, rules, log   the points; the rules of this table; the last things that happened"),
    N_("quit              watch no longer"),
)
CHALLENGE_MEANS: Final = N_(
    "accept: you draw 4 and lose the turn. challenge: if it was wrong {who} draws 4, else you draw 6 and lose the turn."
)
"""What may follow on a Wild Draw Four (R69)."""
FORCED: Final = N_("the card drawn does not fit: you keep it")


def teach(problem: MoveError) -> list[str]:
    """Why a move does not stand, and what could be typed instead."""
    rule = f" ({problem.rule})" if problem.rule else ""
    return [f"{told(message_of(problem))}{rule}"] + ([told(problem.hint)] if problem.hint else [])


def rule_lines(rules: Rules | None) -> list[str]:
    """The rules of a table in words."""
    return [told(line) for line in rules.describe()] if rules is not None else [_("No rules are agreed yet.")]


def odds_words(look: Look) -> str:
    """ ", wrong with 62 of 100 random hands of the cards you have not seen", or nothing."""
    if look.odds < 0:
        return ""
    wrong = _(", wrong with {percent} of 100 random hands of the cards you have not seen")
    return wrong.format(percent=round(100 * look.odds))


def hand_line(look: Look) -> str:
    """The hand grouped by colour: "Your hand: R: 6 8  Y: 1  Wild: W4" (P14)."""
    groups: dict[int, list[str]] = {}
    for held in look.hand:
        groups.setdefault(held.card.colour, []).append(held.card.text if held.card.wild else held.card.mark)
    if not groups:
        return _("Your hand is empty.")
    words = [f"{LETTERS[c] if c >= 0 else _('Wild')}: {' '.join(marks)}" for c, marks in groups.items()]
    return _("Your hand: {cards}").format(cards="  ".join(words))


def choice_lines(asking: Asking, picker: Picker) -> list[str]:
    """What is asked at this place of a question, and every answer with its number."""
    stage = picker.stage(asking)
    lines = [asking.why] if asking.why and not picker.path else []
    asked = _("{title}: type a number, or back.") if picker.path else _("{title}: type a number.")
    lines.append(asked.format(title=stage.title.rstrip("?:.")))
    for place, option in enumerate(stage.options, 1):
        number = _("{n} or {key}").format(n=place, key=option.key) if option.key else place
        lines.append(f"  {number}: {option.label}")
    return lines


def table_lines(look: Look) -> list[str]:
    """Everybody's cards and points, the piles, what fits; in UNO Ultimate decks, Enemies, Items, Location, powers."""
    if not look.seats:
        return [_("Nobody is here yet.")]
    lines = []
    for seat in look.seats:
        marks = _marks(seat)
        more = f" ({', '.join(marks)})" if marks else ""
        more += _("; you know {cards}").format(cards=texts(seat.known)) if seat.known else ""
        if seat.heroics is not None:
            lines.append(_hero_line(seat, seat.heroics) + more)
        elif seat.hero:
            lines.append(_("{who} as {hero}").format(who=seat.name, hero=seat.hero) + more)
        else:
            line = _("{who}: {n} cards, {score} points").format(who=seat.name, n=seat.cards, score=seat.score)
            lines.append(line + more)
    way = _("Play goes down this list.") if look.direction > 0 else _("Play goes up this list.")
    if look.heroes and look.dealt:
        lines.append(place_line(look))
        lines.append(f"{top_line(look)} {way}")
    elif look.top is not None:
        lines.append(f"{top_line(look)} {_('{n} cards to draw.').format(n=look.draw_pile)} {way}")
    return lines


def place_line(look: Look) -> str:
    """The Location in play, and what is left of the Danger Deck."""
    place = look.location.name if look.location is not None else pgettext("Location", "none")
    return _("Location: {place}. {n} cards in the Danger Deck.").format(place=place, n=look.danger_deck)


def _hero_line(seat: Seat, heroics: Heroics) -> str:
    who = _("{who} as {hero}").format(who=seat.name, hero=heroics.hero)
    burn = _("Burn Pile {n}").format(n=heroics.burn)
    if heroics.burnt is not None:
        burn = _("Burn Pile {n} (top {card})").format(n=heroics.burn, card=heroics.burnt.text)
    words = [f"{who}: {some_cards(seat.cards)}", _("deck {n}").format(n=heroics.deck), burn, *heroics.notes()]
    return ", ".join(words)


def _marks(seat: Seat) -> list[str]:
    all_marks = (
        (_("you"), seat.me),
        (_("bot"), seat.bot),
        (_("not connected"), not seat.here),
        (_("UNO not called"), seat.exposed),
        (_("out"), seat.out),
        (_("acts now"), seat.turn),
    )
    return [word for word, on in all_marks if on]


def top_line(look: Look) -> str:
    """The card on top and the colour in force."""
    if look.top is None or not 0 <= look.colour < 4:
        return _("No card lies open.")
    return _("Top card {card}, colour {colour}.").format(card=look.top.text, colour=look.colour_name)


def prompt(look: Look, rules: Rules) -> list[str]:
    """What is asked now and what may be typed."""
    who = look.name(look.about)
    match look.asked:
        case Asked.TURN | Asked.DRAWN:
            return _turn_prompt(look, rules)
        case Asked.CHALLENGE:
            played = _("{who} played a Wild Draw Four on you{odds}. Type accept or challenge.")
            return [played.format(who=who, odds=odds_words(look)), _(CHALLENGE_MEANS).format(who=who)]
        case Asked.CHOICE if look.asking is not None:
            return [hand_line(look), *choice_lines(look.asking, Picker())]
        case Asked.CATCH:
            return [_("{who} has one card and has not called UNO. Type catch or pass.").format(who=who)]
        case Asked.CALL:
            return [_("You have one card and have not called UNO. Type uno before somebody catches you.")]
    return [_(NOT_NOW)]


def _turn_prompt(look: Look, rules: Rules) -> list[str]:
    lines = [_("Your turn. {top}").format(top=top_line(look)), hand_line(look)]
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
        lines.append(_("No card fits ({fits}). Moves: {moves}").format(fits=fits(look), moves=other))
    else:
        lines.append(_("Moves: {moves}").format(moves=f"{' '.join(plays)} {other}".rstrip()))
        if len(look.hand) == 2 and any(isinstance(m, Play) and m.uno for m in look.moves):
            example = plays[0].replace("R/Y/G/B", "R")
            lines.append(_("This play leaves you one card: call UNO with !, as in {card}!").format(card=example))
    return lines
