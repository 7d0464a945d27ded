"""The screen-reader mode: the table in whole words, one line after the other, each with a label to search for.

A third view of the presenters that the full screen and the line mode draw from. Nothing is said by colour, place or a
sign alone; nothing moves a cursor or is ever written over (P07, P08, T12).
"""

from __future__ import annotations

from typing import Final

from cli.language import N_, _, ngettext
from cli.table.asking import Asking, Picker
from cli.table.look import Asked, Heroics, Look, Seat, fits
from cli.table.spoken import hand_words, odds_spoken, spoken
from cli.table.words import CHALLENGE_MEANS, place_line
from cli.text import some_cards, some_points
from cli.voice import Told, Voice
from p2puno.card import print_move
from p2puno.rules import Rules

LABELS: Final = {
    N_("Mode"): N_("which mode is on and why"),
    N_("Help"): N_("what can be typed"),
    N_("Lobby"): N_("the tables on your network and what else there is to do"),
    N_("Start"): N_("who sits down, how others join and when the table begins"),
    N_("Setup"): N_("what the players make together before a hand"),
    N_("Turn"): N_("whose turn it is, and that it is yours"),
    N_("Top"): N_("the card on top of the pile and the colour in force"),
    N_("Hand"): N_("your cards"),
    N_("Moves"): N_("what you can type now"),
    N_("Choice"): N_("a question with a list of answers"),
    N_("Answer"): N_("one answer of the list"),
    N_("Ask"): N_("a question to be answered with a word"),
    N_("Event"): N_("what happened"),
    N_("Alert"): N_("what you should not miss"),
    N_("Timer"): N_("how much time there is"),
    N_("Table"): N_("the piles and the direction"),
    N_("Seat"): N_("one player"),
    N_("Card"): N_("what a card or a hero says"),
    N_("Score"): N_("the points"),
    N_("Result"): N_("how a hand or the match ended"),
    N_("Rule"): N_("the rules of this table"),
    N_("Link"): N_("a connection to another player"),
    N_("Chat"): N_("what a player says to everybody"),
    N_("Error"): N_("what was not taken and why"),
    N_("Hint"): N_("what to do instead"),
    N_("Journal"): N_("where the journal is"),
    N_("End"): N_("you leave"),
}
"""Every label, and what its lines say. Each line begins with one of them and a colon."""

HELP: Final = (
    N_("a card: type it as your hand names it, R7 or red 7. Put ! behind it to call UNO with it, as in R7!"),
    N_("a Wild: type it with its colour, W>B or w blue."),
    N_("draw: take a card. keep: keep the card just taken."),
    N_("accept or challenge: the answer to a Wild Draw Four."),
    N_("uno: call UNO that you forgot. catch: catch who forgot it. pass: let it pass."),
    N_("a number: one answer of a list. back: one question back. Nothing is sent before the last answer."),
    N_("where am I: where the game stands and what is asked of you. w is short for it."),
    N_("my hand: your cards. h is short for it."),
    N_("table: every player and the piles. score: the points. rules: the rules of this table."),
    N_("log: the last things that happened, again."),
    N_("look: every card in play. look red 7: what a card says. look hulk: what a hero says."),
    N_("say and some words: write to everybody here. phrases: quick phrases. phrase 3: say the third one."),
    N_("mute and a name: hear no more of somebody. unmute and a name: hear them again."),
    N_("labels: what the word at the beginning of each line means."),
    N_("quit: leave the table, asks once."),
)


class Speech(Voice):
    """The words of the screen-reader mode. `why`: what turned it on, as in "the option --screen-reader"."""

    cards = staticmethod(spoken)

    def __init__(self, why: str) -> None:
        self._why = why

    def line(self, told: Told) -> str | None:
        """The line behind its label; a text that begins with the same word has it once."""
        label = _(told.label)
        text = " ".join(told.text.removeprefix(f"{label}: ").split())
        return f"{label}: {text[:1].upper()}{text[1:]}" if text else None

    def further(self) -> str:
        return f"{_('Chat')}: ... "

    def opening(self) -> list[Told]:
        return [
            Told("Mode", _("Screen-reader mode is on, because of {why}.").format(why=self._why)),
            Told("Help", _("Type help at any time; where am I and my hand say again how the game stands.")),
        ]

    def help(self) -> list[Told]:
        return [Told("Help", _(line)) for line in HELP]

    def labels(self) -> list[Told]:
        """What the labels mean."""
        return [Told("Help", f"{_(label)}, {_(meaning)}.") for label, meaning in LABELS.items()]

    def hand(self, look: Look, rules: Rules | None) -> list[Told]:
        return [Told("Hand", hand_words(look, rules))]

    def table(self, look: Look) -> list[Told]:
        if not look.seats:
            return [Told("Table", _("Nobody is here yet."))]
        lines = [Told("Seat", _seat(seat, len(look.seats), look)) for seat in look.seats]
        if not look.dealt:
            return lines
        lines.append(_top(look))
        if look.heroes:
            lines.append(Told("Table", place_line(look)))
        else:
            piles = _("{cards} to draw, {n} played.").format(cards=some_cards(look.draw_pile), n=look.discard)
            lines.append(Told("Table", piles))
        down, up = _("Play goes from seat 1 to the last seat."), _("Play goes from the last seat to seat 1.")
        return [*lines, Told("Table", down if look.direction > 0 else up)]

    def prompt(self, look: Look, rules: Rules) -> list[Told]:
        who = look.name(look.about)
        match look.asked:
            case Asked.TURN | Asked.DRAWN:
                return _turn(look, rules)
            case Asked.CHALLENGE:
                played = _("{who} played a Wild Draw Four on you{odds}.").format(who=who, odds=odds_spoken(look))
                means = _(CHALLENGE_MEANS).format(who=who)
                return [Told("Turn", played), Told("Moves", "accept, challenge."), Told("Hint", means)]
            case Asked.CHOICE if look.asking is not None:
                return [*self.hand(look, rules), *self.choices(look.asking, Picker())]
            case Asked.CATCH:
                alert = _("{who} has one card and has not called UNO.").format(who=who)
                return [Told("Alert", alert), Told("Moves", "catch, pass.")]
            case Asked.CALL:
                return [Told("Alert", _("You have one card and have not called UNO.")), Told("Moves", "uno.")]
        return [Told("Turn", _whose(look))]

    def choices(self, asking: Asking, picker: Picker) -> list[Told]:
        stage = picker.stage(asking)
        lines = [Told("Card", asking.why)] if asking.why and not picker.path else []
        count = len(stage.options)
        answers = ngettext("{n} answer", "{n} answers", count).format(n=count)
        asked = _("{title}. {answers}, or back.") if picker.path else _("{title}. {answers}.")
        lines.append(Told("Choice", asked.format(title=stage.title.rstrip("?:."), answers=answers)))
        for place, option in enumerate(stage.options, 1):
            number = _("{n} or {key}").format(n=place, key=option.key) if option.key else place
            lines.append(Told("Answer", f"{number}: {option.label}."))
        return lines

    def time(self, seconds: int) -> list[Told]:
        return [Told("Timer", _("You have {n} seconds.").format(n=seconds))] if seconds else []

    def where(self, look: Look, rules: Rules | None) -> list[Told]:
        if not look.dealt:
            return [Told("Table", _("No cards are dealt yet.")), *self.table(look)]
        if look.asked is Asked.NOTHING or rules is None:
            lines = [Told("Turn", _whose(look)), _top(look), *self.hand(look, rules)]
        else:
            lines = self.prompt(look, rules)
            if look.asked not in (Asked.TURN, Asked.DRAWN):
                lines.insert(0, _top(look))
        hand = _("{game}, hand {n}.").format(game=look.variant, n=look.hand_number)
        return [Told("Table", hand), *lines]


def _turn(look: Look, rules: Rules) -> list[Told]:
    drawn = next((held for held in look.hand if held.drawn), None)
    turn = _("It is your turn.")
    if look.asked is Asked.DRAWN and drawn is not None:
        turn = _("It is your turn. You took {card}.").format(card=drawn.card.text)
    lines = [Told("Turn", turn), _top(look), Told("Hand", hand_words(look, rules, fits=False))]
    other = "keep" if look.can_keep else "draw" if look.can_draw else ""
    plays: list[str] = []
    for held in look.hand:
        for move in look.plays(held.slot):
            written = print_move(rules, move).rstrip("!").split(">")[0].rstrip("*")
            typed = (
                _("{card}, typed {short} and a colour, as in {short}>R")
                if move.colour >= 0
                else _("{card}, typed {short}")
            )
            text = typed.format(card=held.card.text, short=written)
            if text not in plays:
                plays.append(text)
    if not plays:
        none = _("No card fits: the pile {fits}. Type {move}.").format(fits=fits(look), move=other)
        return [*lines, Told("Moves", none)]
    lines.append(Told("Moves", "; ".join(filter(None, (*plays, other))) + "."))
    if len(look.hand) == 2:
        lines.append(Told("Moves", _("This play leaves you one card: put ! behind it to call UNO with it.")))
    return lines


def _top(look: Look) -> Told:
    if look.top is None or not 0 <= look.colour < 4:
        return Told("Top", _("No card lies open; any card may be played."))
    return Told("Top", _("{card}. The colour is {colour}.").format(card=look.top.text, colour=look.colour_name))


def _whose(look: Look) -> str:
    for seat in look.seats:
        if seat.turn:
            if seat.me:
                return _("It is your turn; the table has your answer.")
            out = any(other.me and other.out for other in look.seats)
            whose = _("You are out. It is the turn of {who}.") if out else _("It is the turn of {who}.")
            return whose.format(who=seat.name)
    return _("Nobody is asked now; one moment.")


def _seat(seat: Seat, seats: int, look: Look) -> str:
    """One player in whole sentences."""
    who = _("{who} (you)") if seat.me else _("{who}, a bot") if seat.bot else "{who}"
    who = _("{n} of {seats}: {who}").format(n=seat.seat + 1, seats=seats, who=who.format(who=seat.name))
    if hero := seat.heroics.hero if seat.heroics is not None else seat.hero:
        who = _("{who} as {hero}").format(who=who, hero=hero)
    if not look.dealt:
        return f"{who}."
    words = [_("out") if seat.out else some_cards(seat.cards)]
    words += [_heroics(seat.heroics)] if seat.heroics is not None and not seat.out else []
    words += [some_points(seat.score)] if seat.heroics is None else []
    words += [_("UNO not called, can be caught")] if seat.exposed else [_("UNO called")] if seat.called else []
    words += [] if seat.here else [_("not connected")]
    words += [_("acts now")] if seat.turn else []
    known = ", ".join(card.text for card in seat.known)
    words += [_("you know the cards {cards}").format(cards=known)] if seat.known else []
    return f"{who}: {', '.join(words)}."


def _heroics(heroics: Heroics) -> str:
    burn = _("{n} in the Burn Pile with {card} on top") if heroics.burnt is not None else _("{n} in the Burn Pile")
    top = heroics.burnt.text if heroics.burnt is not None else ""
    deck = _("{n} in the deck").format(n=heroics.deck)
    return ", ".join([deck, burn.format(n=heroics.burn, card=top), *heroics.notes()])
