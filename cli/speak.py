"""The screen-reader mode: the table in whole words, one line after the other, each with a label to search for.

A third view of the presenters that the full screen and the line mode draw from. Nothing is said by colour, place or a
sign alone; nothing moves a cursor or is ever written over (P07, P08, T12).
"""

from __future__ import annotations

from typing import Final

from cli.language import N_, _
from cli.table.asking import Asking, Picker
from cli.table.look import Asked, Heroics, Look, Seat, fits
from cli.table.spoken import hand_words, odds_spoken, spoken
from cli.voice import Told, Voice
from p2puno.card import print_move
from p2puno.rules import Rules

LABELS: Final = {
    "Mode": "which mode is on and why",
    "Help": "what can be typed",
    "Lobby": "who sits down and how others join",
    "Setup": "what the players make together before a hand",
    "Turn": "whose turn it is, and that it is yours",
    "Top": "the card on top of the pile and the colour in force",
    "Hand": "your cards",
    "Moves": "what you can type now",
    "Choice": "a question with a list of answers",
    "Answer": "one answer of the list",
    "Ask": "a question to be answered with a word",
    "Event": "what happened",
    "Alert": "what you should not miss",
    "Timer": "how much time there is",
    "Table": "the piles and the direction",
    "Seat": "one player",
    "Card": "what a card or a hero says",
    "Score": "the points",
    "Result": "how a hand or the match ended",
    "Rule": "the rules of this table",
    "Link": "a connection to another player",
    N_("Chat"): N_("what a player says to everybody"),
    "Error": "what was not taken and why",
    "Hint": "what to do instead",
    "Journal": "where the journal is",
    "End": "you leave",
}
"""Every label, and what its lines say. Each line begins with one of them and a colon."""

HELP: Final = (
    "a card: type it as your hand names it, R7 or red 7. Put ! behind it to call UNO with it, as in R7!",
    "a Wild: type it with its colour, W>B or w blue.",
    "draw: take a card. keep: keep the card just taken.",
    "accept or challenge: the answer to a Wild Draw Four.",
    "uno: call UNO that you forgot. catch: catch who forgot it. pass: let it pass.",
    "a number: one answer of a list. back: one question back. Nothing is sent before the last answer.",
    "where am I: where the game stands and what is asked of you. w is short for it.",
    "my hand: your cards. h is short for it.",
    "table: every player and the piles. score: the points. rules: the rules of this table.",
    "log: the last things that happened, again.",
    "look: every card in play. look red 7: what a card says. look hulk: what a hero says.",
    N_("say and some words: write to everybody here. phrases: quick phrases. phrase 3: say the third one."),
    N_("mute and a name: hear no more of somebody. unmute and a name: hear them again."),
    "labels: what the word at the beginning of each line means.",
    "quit: leave the table, asks once.",
)


class Speech(Voice):
    """The words of the screen-reader mode. `why`: what turned it on, as in "the option --screen-reader"."""

    cards = staticmethod(spoken)

    def __init__(self, why: str) -> None:
        self._why = why

    def line(self, told: Told) -> str | None:
        """The line behind its label; a text that begins with the same word has it once."""
        text = " ".join(told.text.removeprefix(f"{told.label}: ").split())
        return f"{told.label}: {text[:1].upper()}{text[1:]}" if text else None

    def further(self) -> str:
        return f"{_('Chat')}: ... "

    def opening(self) -> list[Told]:
        return [
            Told("Mode", f"Screen-reader mode is on, because of {self._why}."),
            Told("Help", "Type help at any time; where am I and my hand say again how the game stands."),
        ]

    def help(self) -> list[Told]:
        return [Told("Help", line) for line in HELP]

    def labels(self) -> list[Told]:
        """What the labels mean."""
        return [Told("Help", f"{label}, {meaning}.") for label, meaning in LABELS.items()]

    def hand(self, look: Look, rules: Rules | None) -> list[Told]:
        return [Told("Hand", hand_words(look, rules))]

    def table(self, look: Look) -> list[Told]:
        if not look.seats:
            return [Told("Table", "Nobody is here yet.")]
        lines = [Told("Seat", _seat(seat, len(look.seats), look)) for seat in look.seats]
        if not look.dealt:
            return lines
        way = "from seat 1 to the last seat" if look.direction > 0 else "from the last seat to seat 1"
        lines.append(_top(look))
        if look.heroes:
            place = look.location.name if look.location is not None else "none"
            lines.append(Told("Table", f"Location: {place}. {look.danger_deck} cards in the Danger Deck."))
        else:
            lines.append(Told("Table", f"{_count(look.draw_pile, 'card')} to draw, {look.discard} played."))
        return [*lines, Told("Table", f"Play goes {way}.")]

    def prompt(self, look: Look, rules: Rules) -> list[Told]:
        match look.asked:
            case Asked.TURN | Asked.DRAWN:
                return _turn(look, rules)
            case Asked.CHALLENGE:
                who = look.name(look.about)
                return [
                    Told("Turn", f"{who} played a Wild Draw Four on you{odds_spoken(look)}."),
                    Told("Moves", "accept, challenge."),
                ]
            case Asked.CHOICE if look.asking is not None:
                return [*self.hand(look, rules), *self.choices(look.asking, Picker())]
            case Asked.CATCH:
                who = look.name(look.about)
                return [Told("Alert", f"{who} has one card and has not called UNO."), Told("Moves", "catch, pass.")]
            case Asked.CALL:
                return [Told("Alert", "You have one card and have not called UNO."), Told("Moves", "uno.")]
        return [Told("Turn", _whose(look))]

    def choices(self, asking: Asking, picker: Picker) -> list[Told]:
        stage = picker.stage(asking)
        lines = [Told("Card", asking.why)] if asking.why and not picker.path else []
        back = ", or back" if picker.path else ""
        lines.append(Told("Choice", f"{stage.title.rstrip('?:.')}. {_count(len(stage.options), 'answer')}{back}."))
        for place, option in enumerate(stage.options, 1):
            letter = f" or {option.key}" if option.key else ""
            lines.append(Told("Answer", f"{place}{letter}: {option.label}."))
        return lines

    def time(self, seconds: int) -> list[Told]:
        return [Told("Timer", f"You have {seconds} seconds.")] if seconds else []

    def where(self, look: Look, rules: Rules | None) -> list[Told]:
        if not look.dealt:
            return [Told("Table", "No cards are dealt yet."), *self.table(look)]
        if look.asked is Asked.NOTHING or rules is None:
            lines = [Told("Turn", _whose(look)), _top(look), *self.hand(look, rules)]
        else:
            lines = self.prompt(look, rules)
            if look.asked not in (Asked.TURN, Asked.DRAWN):
                lines.insert(0, _top(look))
        return [Told("Table", f"{look.variant}, hand {look.hand_number}."), *lines]


def _turn(look: Look, rules: Rules) -> list[Told]:
    drawn = next((held for held in look.hand if held.drawn), None)
    taken = f" You took {drawn.card.text}." if look.asked is Asked.DRAWN and drawn is not None else ""
    lines = [Told("Turn", f"It is your turn.{taken}"), _top(look), Told("Hand", hand_words(look, rules))]
    other = "keep" if look.can_keep else "draw" if look.can_draw else ""
    plays: list[str] = []
    for held in look.hand:
        for move in look.plays(held.slot):
            written = print_move(rules, move).rstrip("!").split(">")[0]
            named = f" and a colour, as in {written}>R" if move.colour >= 0 else ""
            text = f"{held.card.text}, typed {written}{named}"
            if text not in plays:
                plays.append(text)
    if not plays:
        return [*lines, Told("Moves", f"No card fits: the pile {fits(look)}. Type {other}.")]
    lines.append(Told("Moves", "; ".join(filter(None, (*plays, other))) + "."))
    if len(look.hand) == 2:
        lines.append(Told("Moves", "This play leaves you one card: put ! behind it to call UNO with it."))
    return lines


def _top(look: Look) -> Told:
    if look.top is None or not 0 <= look.colour < 4:
        return Told("Top", "No card lies open; any card may be played.")
    return Told("Top", f"{look.top.text}. The colour is {look.colour_name}.")


def _whose(look: Look) -> str:
    for seat in look.seats:
        if seat.turn:
            out = "You are out. " if any(other.me and other.out for other in look.seats) else ""
            return "It is your turn; the table has your answer." if seat.me else f"{out}It is the turn of {seat.name}."
    return "Nobody is asked now; one moment."


def _seat(seat: Seat, seats: int, look: Look) -> str:
    """One player in whole sentences."""
    who = f"{seat.seat + 1} of {seats}: {seat.name}{' (you)' if seat.me else ', a bot' if seat.bot else ''}"
    if seat.heroics is not None:
        who += f" as {seat.heroics.hero}"
    elif seat.hero:
        who += f" as {seat.hero}"
    if not look.dealt:
        return f"{who}."
    words = ["out" if seat.out else _count(seat.cards, "card")]
    words += [_heroics(seat.heroics)] if seat.heroics is not None and not seat.out else []
    words += [_count(seat.score, "point")] if seat.heroics is None else []
    words += ["UNO not called, can be caught"] if seat.exposed else ["UNO called"] if seat.called else []
    words += [] if seat.here else ["not connected"]
    words += ["acts now"] if seat.turn else []
    words += [f"you know the cards {', '.join(card.text for card in seat.known)}"] if seat.known else []
    return f"{who}: {', '.join(words)}."


def _heroics(heroics: Heroics) -> str:
    top = f" with {heroics.burnt.text} on top" if heroics.burnt is not None else ""
    words = [f"{heroics.deck} in the deck", f"{heroics.burn} in the Burn Pile{top}", *heroics.notes()]
    return ", ".join(words)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
