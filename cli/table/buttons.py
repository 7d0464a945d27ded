"""The keys that mean something now, each with a word for it; on a screen each is a button as well."""

from __future__ import annotations

from typing import Final, NamedTuple

from cli.language import N_
from cli.table.cards import COLOUR_NAMES
from cli.table.chooser import Chooser, Question
from cli.table.look import Asked, Look


class Button(NamedTuple):
    """`key`: as `Chooser.press` takes it; `label`: what it does, to be said in the language chosen; `always`: it means
    the same at any time."""

    key: str
    label: str
    always: bool = False


ALWAYS: Final = (Button("l", N_("log"), True), Button("?", N_("help"), True), Button("q", N_("leave"), True))
TALK: Final = Button("t", N_("talk"), True)
PHRASE: Final = Button("p", N_("phrase"), True)
INSPECT: Final = Button("i", N_("card"), True)
CLOSE: Final = Button("escape", N_("close"))
_QUESTIONS: Final = {
    Question.LEAVE: (Button("enter", N_("leave")), Button("escape", N_("stay"))),
    Question.CHALLENGE: (Button("c", N_("challenge")), Button("escape", N_("back"))),
    Question.PACKS: (Button("y", N_("yes")), Button("n", N_("leave the table"))),
}
_ANSWERS: Final = {
    Asked.CALL: (Button("u", N_("call UNO")),),
    Asked.CATCH: (Button("c", N_("catch")), Button("p", N_("pass"))),
    Asked.CHALLENGE: (Button("a", N_("accept")), Button("c", N_("challenge"))),
}


def buttons(look: Look, chooser: Chooser) -> tuple[Button, ...]:
    """The buttons for this moment, those of the moment first."""
    if chooser.question is not None:
        return _QUESTIONS[chooser.question]
    if chooser.help:
        return (CLOSE,)
    if chooser.inspected >= 0:
        return Button("left", N_("back")), Button("right", N_("next")), CLOSE
    if not look.dealt:
        return (INSPECT, *ALWAYS)
    return (*(() if chooser.sent else _now(look, chooser)), INSPECT, *ALWAYS)


def _now(look: Look, chooser: Chooser) -> tuple[Button, ...]:
    if look.asked is Asked.CHOICE:
        back = (Button("escape", N_("back")),) if chooser.picker.path else ()
        return (Button("enter", N_("take it")), *back)
    if look.asked not in (Asked.TURN, Asked.DRAWN):
        return _ANSWERS.get(look.asked, ())
    held = chooser.held(look)
    found: list[Button] = []
    if held is not None and held.playable:
        if held.card.naming and chooser.colour < 0:
            found += [Button(name[0], name) for name in COLOUR_NAMES]
        else:
            found.append(Button("enter", N_("play")))
    found += [Button("d", N_("draw"))] if look.can_draw else []
    found += [Button("k", N_("keep"))] if look.can_keep else []
    found += [Button("u", N_("UNO"))] if len(look.hand) == 2 and any(h.playable for h in look.hand) else []
    return tuple(found)
