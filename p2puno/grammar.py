"""Reading effects and abilities from pack files, strictly. The structures are in effects.py.

Every refusal is a PackError that names file, card and step. What one card may hold is bounded, so that no pack can make
a move endless: effects have at most `MAX_STEPS` steps and are nested at most `MAX_DEPTH` deep.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from p2puno.clauses import (
    Scope,
    read_amount,
    read_by,
    read_condition,
    read_cost,
    read_filter,
    read_kind,
    read_modifier,
    read_trigger,
)
from p2puno.effects import (
    CARD_KINDS,
    Ability,
    Amount,
    CostStep,
    Effect,
    Modifier,
    OneOf,
    Step,
    Verb,
    Who,
)
from p2puno.reading import Table, nearest, refused, show
from p2puno.said import AND, OR, joined, said

MAX_STEPS: Final = 12
MAX_DEPTH: Final = 4

_COUNTED: Final = frozenset({Verb.ADD, Verb.DRAW, Verb.BURN, Verb.RECOVER, Verb.DANGER, Verb.BURN_HAND})
_ONCE: Final = frozenset({Verb.LOSE_TURN, Verb.EXTRA_TURN, Verb.DEFEAT})
_PLAIN: Final = frozenset({Verb.REVERSE, Verb.MOVE_ENEMY, Verb.TAKE_ITEM})
_WORDS: Final = {
    Verb.DESTROY: ("location", "item"),
    Verb.FLIP_UNTIL: ("location", "enemy", "item"),
    Verb.SHOW_HAND: ("self", "next"),
}
_NO_TARGET: Final = frozenset({Verb.REVERSE, Verb.COLOUR, Verb.LOOK, Verb.ARM})
_ONE_TARGET: Final = frozenset({Verb.MOVE_ENEMY, Verb.TAKE_ITEM})
_SINGLE: Final = (Who.NEXT, Who.PREV, Who.CHOOSE, Who.FEWEST, Who.IT, Who.THEM)
_COLOURS: Final = ("red", "yellow", "green", "blue")


def read_effect(where: str, value: object, scope: Scope) -> Effect:
    """An array of steps. Raises PackError."""
    if not isinstance(value, list) or not value:
        raise refused(
            where, said("an effect is an array of steps, not {value}", value=show(value)), said("write [{burn=1}]")
        )
    if len(value) > MAX_STEPS:
        raise refused(where, said("an effect has at most {most} steps, not {count}", most=MAX_STEPS, count=len(value)))
    if scope.depth > MAX_DEPTH:
        raise refused(where, said("effects are nested more than {most} deep", most=MAX_DEPTH))
    effect = tuple(
        _step(Table(said("{where} step {n}", where=where, n=n), entry), scope) for n, entry in enumerate(value, 1)
    )
    for n, step in enumerate(effect):
        if isinstance(step, Step) and step.verb is Verb.BURN_HAND:
            _check_burn_hand(said("{where} step {n}", where=where, n=n + 1), step, effect[n + 1 : n + 2])
    return effect


def _step(table: Table, scope: Scope) -> Step | CostStep | OneOf:
    if "cost" in table.data:
        cond = read_condition(table, scope)
        cost = read_cost(table, scope)
        do = read_effect(f"{table.where} do", table.take("do", list), inner := scope.inside())
        scope.chosen = inner.chosen
        table.done()
        return CostStep(cost, do, cond)
    if "one_of" in table.data:
        return _one_of(table, scope)
    verb = _verb(table)
    cond = read_condition(table, scope)
    who = _who(table, verb, scope)
    read = {
        Verb.MOD: _mod_step,
        Verb.ARM: _arm,
        Verb.COLOUR: _colour,
        Verb.LOOK: _look,
    }.get(verb, _usual)
    step = replace(read(table, verb, scope), who=who, cond=cond)
    if verb is Verb.DESTROY and step.what == "location" and who is not Who.SELF:
        table.refuse(said("the Location belongs to nobody, so 'who' must go"))
    if who is Who.SELF and (step.pick or (verb is Verb.SHOW_HAND and step.what == "self")):
        table.refuse(said("nobody needs to be shown the own hand"), said("'who' must be another player"))
    if "may" in table.data:
        step = replace(step, may=table.true("may"))
    if who in (Who.CHOOSE, Who.ANY):
        scope.chosen = True
    table.done()
    return step


def _verb(table: Table) -> Verb:
    verbs = [key for key in table.data if key in Verb.__members__.values()]
    if len(verbs) > 1:
        table.refuse(
            said("a step has one verb, not {verbs}", verbs=joined(verbs, AND)),
            said("write two steps: [{add=1}, {burn=1}]"),
        )
    if not verbs:
        others = [key for key in table.data if key not in ("who", "if", "cap", "may", "kind", "pick", "then")]
        table.refuse(
            said("unknown verb {word}", word=show(others[0])) if others else said("a step needs a verb"),
            nearest(others[0] if others else "", (*Verb, "cost", "one_of")),
        )
    return Verb(verbs[0])


def _who(table: Table, verb: Verb, scope: Scope) -> Who:
    if "who" not in table.data:
        if verb in _ONE_TARGET:
            table.refuse(said("{verb} needs 'who'", verb=verb), said("one player: {words}", words=", ".join(_SINGLE)))
        return Who.SELF
    word = table.take("who", str)
    if word not in Who.__members__.values():
        table.refuse(said("unknown target {word} in 'who'", word=show(word)), nearest(word, Who))
    who = Who(word)
    if verb in _NO_TARGET:
        table.refuse(said("{verb} has no target, so 'who' must go", verb=verb))
    if verb in _ONE_TARGET and who not in _SINGLE:
        table.refuse(
            said("{verb} is done on one other player, not on {who}", verb=verb, who=who),
            said("'who' may be {words}", words=", ".join(_SINGLE)),
        )
    if who is Who.THEM and not scope.trigger:
        table.refuse(
            said("'them' is the player who fired a trigger, and there is none here"), said("use 'choose' or 'next'")
        )
    if who is Who.IT and not scope.chosen:
        table.refuse(
            said("'it' is the player chosen last, and no step before this one chooses"), said("use 'choose' here")
        )
    return who


def _usual(table: Table, verb: Verb, scope: Scope) -> Step:
    """The verbs with an amount, with a word, or with nothing to say."""
    if verb in _COUNTED:
        step = Step(verb, amount=read_amount(table, verb.value))
        if "cap" in table.data:
            if not step.amount.counter:
                table.refuse(said("'cap' limits a counter, and there is none in the amount"))
            step = replace(step, cap=table.number("cap", 1, 47))
        return _burn_hand(table, step, scope) if verb is Verb.BURN_HAND else step
    if verb in _ONCE:
        table.number(verb.value, 1, 1)
        return Step(verb)
    if verb in _PLAIN:
        table.true(verb.value)
        return Step(verb)
    what = table.take(verb.value, str)
    if what not in _WORDS[verb]:
        table.refuse(
            said("{verb} cannot be {word}", verb=verb, word=show(what)),
            said("it may be {words}", words=joined(_WORDS[verb], OR)),
        )
    return Step(verb, what=what)


def _burn_hand(table: Table, step: Step, scope: Scope) -> Step:
    if scope.ability:
        table.refuse(
            said("burn_hand cannot stand in an ability: a game must come to its end (R55)"),
            said("use it in a Wild, an Event or 'flipped'"),
        )
    kind = read_kind(table, CARD_KINDS) if "kind" in table.data else ""
    pick = False
    if "pick" in table.data:
        if table.take("pick", str) != "you":
            table.refuse(said("'pick' can only be \"you\": the owner of the effect chooses the cards"))
        pick = True
    return replace(step, kind=kind, pick=pick)


def _check_burn_hand(where: str, step: Step, after: Effect) -> None:
    """Who burns n cards from hand must add at least n at once: over a turn 2 x (deck + Burn Pile) + hand of all players
    may not rise, so that every game ends (R55)."""
    n = step.amount.base
    same = Who.IT if step.who in (Who.CHOOSE, Who.ANY) else step.who
    if (
        step.amount.counter
        or not after
        or not isinstance(add := after[0], Step)
        or (add.verb, add.may, add.cap) != (Verb.ADD, False, -1)
        or add.amount.base < n
        or add.who is not same
        or add.cond not in (None, step.cond)
    ):
        who = "" if same is Who.SELF else f', who="{same}"'
        raise refused(
            where,
            said("after burn_hand the same player must add at least as many: a game must come to its end (R55)"),
            said("let {{add={n}{who}}} follow", n=n or 1, who=who),
        )


def _colour(table: Table, verb: Verb, scope: Scope) -> Step:
    value = table.data.pop("colour")
    if value is True:
        return Step(verb)
    if value not in _COLOURS:
        table.refuse(
            said("'colour' must be true or one of {words}, not {value}", words=", ".join(_COLOURS), value=show(value))
        )
    return Step(verb, what=value)


def _look(table: Table, verb: Verb, scope: Scope) -> Step:
    count = table.number("look", 1, 9)
    then = table.take("then", str)
    if then not in ("order", "swap"):
        table.refuse(said("'then' cannot be {value}", value=show(then)), said("it may be order or swap"))
    if then == "swap" and count != 1:
        table.refuse(said("only one card can be swapped"), said('write {look=1, then="swap"}'))
    return Step(verb, amount=Amount(count), what=then)


def _mod_step(table: Table, verb: Verb, scope: Scope) -> Step:
    return Step(verb, modifier=read_modifier(table))


def _arm(table: Table, verb: Verb, scope: Scope) -> Step:
    word = table.take("arm", str)
    on = read_trigger(table, word)
    by, kind = read_by(table), read_filter(table, on)
    inner = replace(scope.inside(), ability=True, trigger=True, item=False, chosen=False)
    do = read_effect(f"{table.where} do", table.take("do", list), inner)
    return Step(verb, trap=Ability(on, do, by, kind))


def _one_of(table: Table, scope: Scope) -> OneOf:
    cond = read_condition(table, scope)
    choices = table.take("one_of", list)
    if not 2 <= len(choices) <= 4:
        table.refuse(
            said("'one_of' holds 2 to 4 effects, not {count}", count=len(choices)),
            said("write {one_of=[[{add=1}],[{burn=1}]]}"),
        )
    effects = []
    inners = []
    for n, choice in enumerate(choices, 1):
        inners.append(inner := scope.inside())
        effects.append(read_effect(said("{where} choice {n}", where=table.where, n=n), choice, inner))
    scope.chosen = all(inner.chosen for inner in inners)
    table.done()
    return OneOf(tuple(effects), cond)


def read_abilities(where: str, value: object, scope: Scope, location: bool = False) -> tuple[Ability | Modifier, ...]:
    """The abilities of a power, Enemy, Item or Location. Raises PackError."""
    if not isinstance(value, list) or not value:
        raise refused(
            where,
            said("must be an array of abilities, not {value}", value=show(value)),
            said("write [{on=..., do=[...]}]"),
        )
    if len(value) > MAX_STEPS:
        raise refused(where, said("at most {most} abilities, not {count}", most=MAX_STEPS, count=len(value)))
    return tuple(_ability(Table(f"{where} {n}", entry), scope, location) for n, entry in enumerate(value, 1))


def _ability(table: Table, scope: Scope, location: bool) -> Ability | Modifier:
    if "mod" in table.data:
        modifier = read_modifier(table)
        if "who" in table.data:
            who = table.take("who", str)
            if location:
                table.refuse(said("a Location acts on everybody, so 'who' must go"))
            if who not in (Who.SELF, Who.OTHERS, Who.ALL):
                table.refuse(
                    said("'who' of a standing modifier cannot be {word}", word=show(who)),
                    said("it may be self, others or all"),
                )
            modifier = replace(modifier, who=Who(who))
        table.done()
        return modifier
    if "on" not in table.data:
        table.refuse(
            said("an ability needs 'on' or 'mod'"), said('write {on="start", do=[{burn=1}]} or {mod="no_recover"}')
        )
    on = read_trigger(table, table.take("on", str))
    if location and "by" in table.data:
        table.refuse(said("at a Location \"you\" is whoever did the deed, so 'by' must go"))
    by, kind = read_by(table), read_filter(table, on)
    cond = read_condition(table, scope)
    inner = replace(scope, ability=True, trigger=True, chosen=False)
    do = read_effect(f"{table.where} do", table.take("do", list), inner)
    table.done()
    return Ability(on, do, by, kind, cond)
