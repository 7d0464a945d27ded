"""What an effect does in words, for a choice between several of them."""

from __future__ import annotations

from typing import Final

from cli.language import N_, _, pgettext
from cli.table.cards import colour_name
from cli.text import listed
from p2puno.card import COLOURS
from p2puno.effects import Amount, Condition, Cost, CostStep, Effect, Mod, OneOf, Step, Verb, Who

_WHO: Final = {
    Who.NEXT: N_("the next player: {does}"),
    Who.PREV: N_("the previous player: {does}"),
    Who.CHOOSE: N_("a player of your choice: {does}"),
    Who.ANY: N_("any player: {does}"),
    Who.OTHERS: N_("every other player: {does}"),
    Who.ALL: N_("every player: {does}"),
    Who.ATTACKED: N_("who is attacked: {does}"),
    Who.FEWEST: N_("who has the fewest cards: {does}"),
    Who.IT: N_("the same player: {does}"),
    Who.THEM: N_("that player: {does}"),
}
"""Who does it, where it is not the player."""
_COUNTERS: Final = {
    "enemies": N_("1 for each Enemy"), "items": N_("1 for each of your Items"), "players": N_("1 for each player"),
    "burnt": N_("1 for each card that you have burnt"),
}  # fmt: skip
_AMOUNTS: Final = {
    Verb.ADD: N_("add {amount}"), Verb.DRAW: N_("draw {amount}"), Verb.BURN: N_("burn {amount}"),
    Verb.RECOVER: N_("recover {amount}"), Verb.DANGER: N_("flip {amount} of the Danger Deck"),
    Verb.LOOK: N_("look at the top {amount} of your deck"),
}  # fmt: skip
_ALONE: Final = {
    Verb.DEFEAT: N_("defeat the Enemy"), Verb.MOVE_ENEMY: N_("get your Enemy"), Verb.TAKE_ITEM: N_("give you an Item"),
    Verb.SHOW_HAND: N_("show the hand"),
}  # fmt: skip
_MODS: Final = {
    Mod.BLANK: N_("have a blank power until your next turn"),
    Mod.BAN: N_("cannot play some cards until your next turn"),
    Mod.BURN: N_("burn more or fewer until your next turn"),
    Mod.DEAL: N_("make others burn more until your next turn"),
    Mod.NO_RECOVER: N_("cannot recover until your next turn"),
}
_CONDITIONS: Final = {
    ("location", False): (N_("{does} if a Location is in play"), N_("{does} unless a Location is in play")),
    ("location", True): (
        N_("{does} if a Location of {hero} is in play"), N_("{does} unless a Location of {hero} is in play")
    ),
    ("enemy", False): (N_("{does} if an Enemy attacks you"), N_("{does} unless an Enemy attacks you")),
    ("item", False): (N_("{does} if you hold an Item"), N_("{does} unless you hold an Item")),
    ("burnt", False): (N_("{does} if you have burnt {n} or more"), N_("{does} unless you have burnt {n} or more")),
}  # fmt: skip
"""By test, and whether it names a hero: where it must hold, and where it must not."""


def effect_words(effect: Effect) -> str:
    """An effect as one sentence without its full stop: "every other player burns 3"."""
    text = listed((_step(step) for step in effect), _("then"))
    return text[:1].upper() + text[1:]


def cost_words(cost: Cost) -> str:
    """What is paid: "burn 2", "destroy it"."""
    words = [_("burn {amount}").format(amount=cost.burn)] if cost.burn else []
    return listed([*words, _("destroy the Item")] if cost.destroy_self else words)


def _step(step: Step | CostStep | OneOf) -> str:
    if isinstance(step, CostStep):
        text = _("you may {cost} for this: {does}").format(cost=cost_words(step.cost), does=effect_words(step.do))
    elif isinstance(step, OneOf):
        choices = listed((effect_words(choice) for choice in step.choices), _("or"))
        text = _("choose: {choices}").format(choices=choices)
    else:
        text = _does(step)
        text = _(_WHO[step.who]).format(does=text) if step.who in _WHO and step.verb not in _NOBODY else text
        text += _(" (at most {n})").format(n=step.cap) if step.cap >= 0 else ""
    return text if step.cond is None else _condition(step.cond, text)


_NOBODY: Final = (Verb.COLOUR, Verb.REVERSE, Verb.LOOK, Verb.ARM)
"""What is not done by a player of the step's choice."""


def _does(step: Step) -> str:
    match step.verb:
        case Verb.BURN_HAND if step.kind:
            words = _("burn {amount} {kind} of the hand")
            return words.format(amount=_amount(step.amount), kind=_(step.kind))
        case Verb.BURN_HAND:
            return _("burn {amount} of the hand").format(amount=_amount(step.amount))
        case Verb.FLIP_UNTIL if step.what == "location":
            return _("flip Danger cards until a Location comes")
        case Verb.FLIP_UNTIL:
            return _("flip Danger cards until an {what} comes").format(what=_(step.what))
        case Verb.DESTROY:
            return _("destroy the Location") if step.what == "location" else _("lose an Item")
        case Verb.COLOUR if step.what:
            words = pgettext("effect", "make the colour {colour}")
            return words.format(colour=colour_name(COLOURS.index(step.what)))
        case Verb.COLOUR:
            return _("name the colour")
        case Verb.LOSE_TURN:
            return pgettext("effect", "lose the next turn")
        case Verb.EXTRA_TURN:
            return pgettext("effect", "take another turn")
        case Verb.REVERSE:
            return pgettext("effect", "reverse the direction")
        case Verb.MOD if step.modifier:
            return _(_MODS[step.modifier.mod])
        case Verb.ARM:
            return _("set a trap: {does}").format(does=effect_words(step.trap.do) if step.trap else "")
        case verb if verb in _AMOUNTS:
            return _(_AMOUNTS[verb]).format(amount=_amount(step.amount))
        case _:
            return _(_ALONE[step.verb])


def _amount(amount: Amount) -> str:
    if not amount.counter:
        return str(amount.base)
    more = _(_COUNTERS[amount.counter])
    return _("{n} and {more}").format(n=amount.base, more=more) if amount.base else more


def _condition(cond: Condition, does: str) -> str:
    holds, fails = _CONDITIONS[cond.test, bool(cond.hero)]
    return _(fails if cond.negated else holds).format(does=does, hero=cond.hero, n=cond.least)
