"""The parts of effects and abilities that hold no effects themselves: amounts, costs, conditions, triggers, modifiers.

`grammar.py` reads what is made of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from p2puno.effects import (
    CARD_KINDS,
    COUNTERS,
    TYPES,
    Amount,
    By,
    Condition,
    Cost,
    Mod,
    Modifier,
    On,
)
from p2puno.reading import Table, nearest, show
from p2puno.said import said

_AMOUNT: Final = re.compile(rf"(?:([0-9])\+)?({'|'.join(COUNTERS)})")
_CONDITION: Final = re.compile(r"(!?)(?:(location)(?::([a-z][a-z0-9_]*))?|(enemy|item)|(burnt)>=([1-9][0-9]?))")


@dataclass
class Scope:
    """What surrounds an effect: whether it is part of an ability (no burn_hand), of a trigger (`them` is somebody), of
    an Item (it can destroy itself), and whether a player was chosen before (`it` is somebody). `heroes`: ids that a
    condition may name."""

    heroes: frozenset[str]
    ability: bool = False
    trigger: bool = False
    item: bool = False
    chosen: bool = False
    depth: int = 0

    def inside(self) -> Scope:
        """The scope of an effect inside this one."""
        return replace(self, depth=self.depth + 1)


def read_amount(table: Table, key: str) -> Amount:
    """How many: 0-9, a counter, or both. Raises PackError."""
    value = table.data.pop(key)
    if type(value) is int and 0 <= value <= 9:
        return Amount(value)
    found = _AMOUNT.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        table.refuse(
            said('{key!r} must be 0-9, a counter or "n+counter", not {value}', key=key, value=show(value)),
            said("counters: {words}", words=", ".join(COUNTERS)),
        )
    return Amount(int(found[1] or 0), found[2])


def read_cost(table: Table, scope: Scope) -> Cost:
    """What is paid before the rest is done. Raises PackError."""
    entries = table.take("cost", list)
    burn, destroy = 0, False
    for entry in entries:
        part = Table(f"{table.where} 'cost'", entry)
        if "burn" in part.data and not burn:
            burn = part.number("burn", 1, 9)
        elif "destroy_self" in part.data and not destroy:
            destroy = part.true("destroy_self")
            if not scope.item:
                part.refuse(said("only an Item can destroy itself"))
        else:
            part.refuse(said("a cost is {burn=n} or {destroy_self=true}, each once"))
        part.done()
    if not entries:
        table.refuse(said("'cost' is empty"), said("leave it out if there is nothing to pay"))
    return Cost(burn, destroy)


def read_condition(table: Table, scope: Scope) -> Condition | None:
    """What 'if' asks for; None without one. Raises PackError."""
    if "if" not in table.data:
        return None
    text = table.take("if", str)
    found = _CONDITION.fullmatch(text)
    if found is None:
        table.refuse(
            said("unknown condition {text} in 'if'", text=show(text)),
            said("write location, location:hero, enemy, item or burnt>=n; ! negates"),
        )
    negated, location, hero, word, burnt, least = found.groups()
    if hero and hero not in scope.heroes:
        table.refuse(
            said("'if' names a hero {hero} that does not exist", hero=show(hero)), nearest(hero, sorted(scope.heroes))
        )
    return Condition(location or word or burnt, bool(negated), hero or "", int(least or 0))


def read_kind(table: Table, allowed: tuple[str, ...]) -> str:
    """What 'kind' names, one of `allowed`. Raises PackError."""
    kind: str = table.take("kind", str)
    if kind not in allowed:
        table.refuse(said("unknown kind {kind}", kind=show(kind)), nearest(kind, allowed))
    return kind


def read_trigger(table: Table, word: str) -> On:
    """What fires an ability. Raises PackError."""
    if word not in On.__members__.values():
        table.refuse(said("unknown trigger {word}", word=show(word)), nearest(word, On))
    return On(word)


def read_by(table: Table) -> By:
    """Whose deed fires an ability. Raises PackError."""
    word = table.take("by", str) if "by" in table.data else By.SELF
    if word not in By.__members__.values():
        table.refuse(said("unknown 'by' {word}", word=show(word)), nearest(word, By))
    return By(word)


def read_filter(table: Table, on: On) -> str:
    """The cards at which a trigger fires, by their 'kind'; "" for all. Raises PackError."""
    if "kind" not in table.data:
        return ""
    if on is On.FLIP:
        return read_kind(table, TYPES)
    if on not in (On.PLAY, On.BURNT):
        table.refuse(said("the trigger {on} takes no 'kind'", on=on), said("play, burnt and flip do"))
    return read_kind(table, CARD_KINDS)


def read_modifier(table: Table) -> Modifier:
    """What a modifier changes. Raises PackError."""
    word = table.take("mod", str)
    if word not in Mod.__members__.values():
        table.refuse(said("unknown modifier {word}", word=show(word)), nearest(word, Mod))
    modifier = Modifier(Mod(word))
    if modifier.mod is Mod.BAN:
        return replace(modifier, kind=read_kind(table, CARD_KINDS))
    if modifier.mod in (Mod.BURN, Mod.DEAL):
        modifier = replace(modifier, n=table.number("n", -9 if modifier.mod is Mod.BURN else 0, 9))
        if modifier.n == 0:
            table.refuse(said("'n' is 0, so nothing would change"))
    if modifier.mod is Mod.DEAL and "may" in table.data:
        modifier = replace(modifier, may=table.true("may"))
    if modifier.mod is Mod.BURN and "from" in table.data:
        modifier = replace(modifier, source=table.choice("from", frozenset({"enemy", "player"})))
    return modifier
