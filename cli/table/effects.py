"""What an effect does in words, for a choice between several of them."""

from __future__ import annotations

from typing import Final

from cli.text import listed
from p2puno.effects import Amount, Condition, Cost, CostStep, Effect, Mod, OneOf, Step, Verb, Who

_WHO: Final = {
    Who.SELF: "you",
    Who.NEXT: "the next player",
    Who.PREV: "the previous player",
    Who.CHOOSE: "a player of your choice",
    Who.ANY: "any player",
    Who.OTHERS: "every other player",
    Who.ALL: "every player",
    Who.ATTACKED: "who is attacked",
    Who.FEWEST: "who has the fewest cards",
    Who.IT: "the same player",
    Who.THEM: "that player",
}
_COUNTERS: Final = {
    "enemies": "1 for each Enemy", "items": "1 for each of your Items", "players": "1 for each player",
    "burnt": "1 for each card that you have burnt",
}  # fmt: skip
_ALONE: Final = {
    Verb.LOSE_TURN: "lose the next turn", Verb.EXTRA_TURN: "take another turn", Verb.DEFEAT: "defeat the Enemy",
    Verb.MOVE_ENEMY: "get your Enemy", Verb.TAKE_ITEM: "give you an Item", Verb.SHOW_HAND: "show the hand",
}  # fmt: skip
_MODS: Final = {
    Mod.BLANK: "have a blank power", Mod.BAN: "cannot play some cards", Mod.BURN: "burn more or fewer",
    Mod.DEAL: "make others burn more", Mod.NO_RECOVER: "cannot recover",
}  # fmt: skip


def effect_words(effect: Effect) -> str:
    """An effect as one sentence without its full stop: "every other player burns 3"."""
    text = listed((_step(step) for step in effect), "then")
    return text[:1].upper() + text[1:]


def cost_words(cost: Cost) -> str:
    """What is paid: "burn 2", "destroy it"."""
    words = [f"burn {cost.burn}"] if cost.burn else []
    return listed([*words, "destroy the Item"] if cost.destroy_self else words)


def _step(step: Step | CostStep | OneOf) -> str:
    if isinstance(step, CostStep):
        text = f"you may {cost_words(step.cost)} for this: {effect_words(step.do)}"
    elif isinstance(step, OneOf):
        text = "choose: " + listed((effect_words(choice) for choice in step.choices), "or")
    else:
        text = _verb(step)
        text += f" (at most {step.cap})" if step.cap >= 0 else ""
    return text + (f" {_condition(step.cond)}" if step.cond is not None else "")


def _verb(step: Step) -> str:
    mine = step.who is Who.SELF
    who = "" if mine else f"{_WHO[step.who]}: "
    match step.verb:
        case Verb.ADD | Verb.DRAW | Verb.BURN | Verb.RECOVER:
            return f"{who}{step.verb} {_amount(step.amount)}"
        case Verb.BURN_HAND:
            kind = f" {step.kind}" if step.kind else ""
            return f"{who}burn {_amount(step.amount)}{kind} of the hand"
        case Verb.DANGER:
            return f"{who}flip {_amount(step.amount)} of the Danger Deck"
        case Verb.FLIP_UNTIL:
            return f"{who}flip Danger cards until an {step.what} comes".replace("an location", "a Location")
        case Verb.DESTROY:
            return "destroy the Location" if step.what == "location" else f"{who}lose an Item"
        case Verb.COLOUR:
            return f"make the colour {step.what}" if step.what else "name the colour"
        case Verb.REVERSE:
            return "reverse the direction"
        case Verb.LOOK:
            return f"look at the top {_amount(step.amount)} of your deck"
        case Verb.MOD:
            return f"{who}{_MODS[step.modifier.mod] if step.modifier else ''} until your next turn"
        case Verb.ARM:
            return f"set a trap: {effect_words(step.trap.do) if step.trap else ''}"
        case _:
            return f"{who}{_ALONE[step.verb]}"


def _amount(amount: Amount) -> str:
    if not amount.counter:
        return str(amount.base)
    more = _COUNTERS[amount.counter]
    return f"{amount.base} and {more}" if amount.base else more


def _condition(cond: Condition) -> str:
    words = {
        "location": "a Location is in play" if not cond.hero else f"a Location of {cond.hero} is in play",
        "enemy": "an Enemy attacks you",
        "item": "you hold an Item",
        "burnt": f"you have burnt {cond.least} or more",
    }[cond.test]
    return f"{'unless' if cond.negated else 'if'} {words}"
