"""The chat in typed lines: say WORDS, phrase N, mute NAME."""

from __future__ import annotations

from typing import Final

from cli.language import N_, _, told
from cli.table.session import Session
from cli.table.talk import HIDDEN, NOBODY, Mute, Person, Speak, Wish, carry_out, people, phrases
from cli.text import visible, wrap
from cli.voice import Told
from protocol.errors import NotSaid

WHICH_PHRASE: Final = N_("Type phrase and a number; phrases lists them.")
NO_PERSON: Final = N_("There is no such player to mute; here are: {names}.")
A_BOT: Final = N_("{name} is a bot: bots say nothing, so there is nothing to mute.")
MUTED: Final = N_("You hear no more of {name}.")
HEARD: Final = N_("You hear {name} again.")
COMMANDS: Final = ("say", "phrase", "phrases", "mute", "unmute")


def obey(typed: str, session: Session, shown: bool = True) -> list[Told] | None:
    """Do what a line says about the chat, and what it answers; None for any other line. `shown`: whether our player
    sees the chat at all."""
    word, _space, rest = typed.partition(" ")
    word, rest = word.lower(), rest.strip()
    if word not in COMMANDS:
        return None
    if not shown:
        return [Told("Error", _sentence(_(HIDDEN)))]
    if word == "phrases" or (word == "phrase" and not rest):
        return [Told("Help", f"{number}: {phrase}") for number, phrase in enumerate(phrases(), 1)]
    if word in ("say", "phrase") and session.players and not people(session):
        return [Told("Error", _sentence(_(NOBODY)))]
    if word == "say":
        return _done(Speak(rest), session)
    if word == "phrase":
        if not (rest.isascii() and rest.isdecimal()):
            return [Told("Error", _(WHICH_PHRASE))]
        return _done(Speak("", int(rest) or len(phrases()) + 1), session)
    return _mute(rest, word == "mute", session)


def _done(wish: Wish, session: Session) -> list[Told]:
    try:
        carry_out(wish, session)
    except NotSaid as problem:
        return [Told("Error", _sentence(told(problem.message))), Told("Hint", _sentence(told(problem.hint)))]
    return []


def _mute(name: str, quiet: bool, session: Session) -> list[Told]:
    here = people(session)
    person = _find(name, here)
    if person is None:
        bots = [visible(player.name) for player in session.players if player.bot]
        if bot := next((bot for bot in bots if bot.casefold() == name.casefold()), ""):
            return [Told("Error", _(A_BOT).format(name=bot))]
        names = ", ".join(one.name for one in here)
        return [Told("Error", _(NO_PERSON).format(names=names) if here else _sentence(_(NOBODY)))]
    answer = _done(Mute(person.place, quiet), session)
    return answer or [Told("Chat", _(MUTED if quiet else HEARD).format(name=person.name))]


def _find(name: str, here: tuple[Person, ...]) -> Person | None:
    """The one of this name, or the only one whose name begins so, or the one at the seat of this number."""
    wanted = name.casefold()
    fits = [one for one in here if one.name.casefold() == wanted]
    fits = fits or [one for one in here if wanted and one.name.casefold().startswith(wanted)]
    fits = fits or [one for one in here if str(one.place + 1) == name]
    return fits[0] if len(fits) == 1 else None


def remark_lines(line: str, further: str, columns: int) -> list[str]:
    """A remark in lines that the terminal does not break by itself: each but the first begins with `further`, so that
    no part of what a player says stands alone where a line of ours could."""
    return wrap(line, max(columns, 2 * len(further)), further)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
