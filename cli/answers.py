"""What is typed in lines when the table asks something: moves in the notation, answers of a list, words in a window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from cli.language import N_, _
from cli.table.asking import Asking, Picker
from cli.table.look import Asked, Look
from cli.table.session import Session
from cli.table.words import NO_CARDS, NOT_NOW, odds_words, teach
from cli.voice import Told, Voice
from p2puno.card import parse_move
from p2puno.moves import Challenge, Move, MoveError, Play, Wish
from p2puno.needs import Ask, Decide, Need, Say

SURE_CHALLENGE: Final = N_("Challenge {who}{odds}? Type challenge again, or accept.")
FORGOT_MYSELF: Final = N_("You forgot UNO yourself: type uno.")
FORGOT_OTHER: Final = N_("Type catch or pass; only the one who forgot can call.")

WRITTEN: Final = (Ask.WISH, Ask.STACK, Ask.HANDS)
"""Lists whose answers can be written in the notation of moves as well."""


class Answers:
    """`answered` is called when an answer is on its way. `unsure`: a challenge waits to be typed a second time."""

    def __init__(self, voice: Voice, answered: Callable[[], None]) -> None:
        self._voice, self._answered = voice, answered
        self.picker = Picker()
        self.sent = False
        self.unsure = False

    def asked_anew(self) -> None:
        """The table asks something else: forget what was begun."""
        self.sent = self.unsure = False
        self.picker.reset()

    def letters(self, asking: Asking) -> set[str]:
        """The letters that answer the list that is open."""
        return {option.key for option in self.picker.stage(asking).options}

    def speak(self, word: str, look: Look, session: Session) -> list[Told]:
        """Take a word that is said in a window: uno, catch or pass."""
        mine = look.asked is Asked.CALL
        if mine != (word == "uno"):
            return [Told("Error", _(FORGOT_MYSELF if mine else FORGOT_OTHER))]
        try:
            session.say({"uno": Say.CALL, "catch": Say.CATCH, "pass": Say.PASS}[word])
        except MoveError as problem:
            return _teach(problem)
        self._answered()
        return []

    def move(self, word: str, challenged: bool, look: Look, session: Session) -> list[Told]:
        """Take a move, or an answer of a list. `challenged`: the line before was a challenge, too."""
        view = session.view
        if view is None:
            return [Told("Error", _(NO_CARDS))]
        if look.asked is Asked.NOTHING or self.sent:
            return [Told("Error", _(NOT_NOW))]
        if look.asked in (Asked.CATCH, Asked.CALL):
            return self._voice.prompt(look, view.rules)
        if look.asking is not None:
            listed = self._answer(word, look.asking, session)
            if listed is not None:
                return listed
        try:
            move = parse_move(view, word)
        except MoveError as problem:
            return _teach(problem)
        if isinstance(move, Challenge) and look.asked in (Asked.CHALLENGE, Asked.CHOICE) and not challenged:
            self.unsure = True
            return [Told("Ask", _(SURE_CHALLENGE).format(who=look.name(look.about), odds=odds_words(look)))]
        return self.decide(session, move)

    def _answer(self, word: str, asking: Asking, session: Session) -> list[Told] | None:
        """Take a number, a letter or "back" at a list; None for what is none of them but a move in the notation."""
        options = self.picker.stage(asking).options
        uno = word.endswith("!")
        word = word.removesuffix("!")
        if word == "back":
            self.picker.back(asking)
            return self._voice.choices(asking, self.picker)
        places = [i for i, o in enumerate(options, 1) if word in (str(i), o.key, o.label.lower())]
        if not places:
            need: Need | None = session.view.need if session.view is not None else None
            written = isinstance(need, Decide) and need.ask in WRITTEN
            return None if written else self._voice.choices(asking, self.picker)
        self.picker.at = places[0] - 1
        move = self.picker.take(asking)
        if uno and isinstance(move, Play | Wish):
            move = replace(move, uno=True)
        return self._voice.choices(asking, self.picker) if move is None else self.decide(session, move)

    def decide(self, session: Session, move: Move) -> list[Told]:
        """Make this move; what is to be said if it does not stand."""
        try:
            session.decide(move)
        except MoveError as problem:
            return _teach(problem)
        self.sent = True
        self._answered()
        return []


def _teach(problem: MoveError) -> list[Told]:
    """Why a move does not stand, and what could be typed instead."""
    return [Told("Hint" if i else "Error", line) for i, line in enumerate(teach(problem))]
