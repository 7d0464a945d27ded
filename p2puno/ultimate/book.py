"""What the engine looks up about the cards of one table: effects as programs, abilities by trigger, masks of kinds.

A `Book` is made once from the rules and never changes, so a state needs to name programs and abilities by number only.

A *source* is what an effect comes from: the face of a card, or, for the power of seat s, the number of kinds + s.
A *program* is an effect laid out in one line: costs and choices jump over what is not done.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from p2puno.card import WILD
from p2puno.effects import (
    CARD_KINDS,
    TYPES,
    Ability,
    Amount,
    By,
    Condition,
    Cost,
    CostStep,
    Effect,
    Mod,
    Modifier,
    On,
    OneOf,
    Step,
    Verb,
    Who,
)
from p2puno.happenings import Happening, What
from p2puno.hero import Danger, card_kinds
from p2puno.rules import Rules

BITS: Final = {name: 1 << place for place, name in enumerate((*CARD_KINDS, *TYPES))}
"""One bit for each kind of play card and each type of Danger card."""

WIDTH: Final = len(BITS)
EVERY: Final = (1 << WIDTH) - 1

SEATS: Final = 4
"""The most players of a table (R1)."""

ENEMY: Final = BITS["enemy"]
LOCATION: Final = BITS["location"]
ITEM: Final = BITS["item"]
ICON: Final = BITS["danger"]


_ONE: Final = Amount(1)
_FREE: Final = Cost()


@dataclass(frozen=True, slots=True)
class Op:
    """One place of a program. `verb`: a `Verb`, "cost", "one_of" or "jump".

    `skip`: where to go on when the condition fails or the step is declined. `jumps`: of one_of, where each choice
    begins. `faces`: of burn_hand, the only faces that count, rising; empty for any. `trap`: number of an ability.
    `kind`: of flip_until and destroy, the mask of the type; of colour the number of the colour, -1 if it is named.
    `asks`: there may be a question before it. `chooses`: its owner chooses on whom it is done. `plain`: neither, nor a
    condition or a jump. `asks_bonus`: a burn whose bonus may be declined (R42). `n`: the amount where it is the number
    printed and nothing is asked about it; else -1.
    """

    verb: str
    skip: int
    cond: Condition | None = None
    who: Who = Who.SELF
    amount: Amount = _ONE
    cap: int = -1
    may: bool = False
    what: str = ""
    kind: int = 0
    faces: tuple[int, ...] = ()
    pick: bool = False
    modifier: int = -1
    trap: int = -1
    cost: Cost = _FREE
    jumps: tuple[int, ...] = ()
    asks_bonus: bool = False
    asks: bool = field(init=False)
    chooses: bool = field(init=False)
    plain: bool = field(init=False)
    n: int = field(init=False)

    def __post_init__(self) -> None:
        # the way to set a derived field of a frozen dataclass
        object.__setattr__(self, "asks", self.may or self.verb in ("cost", "one_of"))
        object.__setattr__(self, "chooses", self.who in (Who.CHOOSE, Who.ANY))
        object.__setattr__(self, "plain", not (self.asks or self.chooses or self.cond or self.verb == "jump"))
        object.__setattr__(self, "n", -1 if self.amount.counter or self.asks_bonus else self.amount.base)


@dataclass(frozen=True, slots=True)
class Ready:
    """An ability as the engine asks for it: `kind` is a mask, `program` the number of what is done, `source` what it
    stands on."""

    on: On
    by: By
    kind: int
    cond: Condition | None
    program: int
    source: int


class Book:
    """All lookups for one table. Lists are indexed by face or source; `by_trigger` holds the abilities of a source by
    trigger, `burnt` what happens when a card is burned: only its own player ever has it."""

    def __init__(self, rules: Rules) -> None:
        kinds = rules.kinds
        heroes = self.heroes = rules.cast.heroes
        self.asks = rules.ask_optional  # whether what a card says one may do is asked (R42)
        self.kinds = kinds
        self.powers = len(kinds)  # the source that is the power of seat 0
        self.sources = len(kinds) + len(heroes)
        self.programs: list[tuple[Op, ...]] = []
        self.abilities: list[Ready] = []
        self.modifiers: list[Modifier] = []
        self.standing: list[tuple[Modifier, ...]] = [()] * self.sources
        self.by_trigger: list[dict[str, tuple[int, ...]]] = [{} for _ in range(self.sources)]
        self.heard: dict[str, int] = dict.fromkeys(On, 0)
        """By trigger, the kinds of cards that any ability of the table answers to."""
        seats = {hero.id: seat for seat, hero in enumerate(heroes)}
        self.owner = tuple(seats[kind.hero] if kind.colour <= WILD else -1 for kind in kinds)
        self.hero = tuple(seats[kind.hero] for kind in kinds)
        self.colour = tuple(kind.colour for kind in kinds)
        self.burnt = tuple(Happening(What.BURNT, owner, -1, face, -1, 1) for face, owner in enumerate(self.owner))
        self.naming = rules.pack.naming
        self.mask = tuple(_mask(card_kinds(kind)) or BITS[kind.effect] for kind in kinds)
        self.effect = [-1] * len(kinds)  # what a play card or an Event does, what an Enemy does when it comes
        self.defeat = [0] * len(kinds)
        self.enemy_source = tuple(mask == ENEMY for mask in self.mask) + (False,) * len(heroes)
        self.player_source = tuple(mask < ENEMY or mask == ITEM for mask in self.mask) + (True,) * len(heroes)
        plays = frozenset(face for face, kind in enumerate(kinds) if kind.colour <= WILD)
        self.fits = (*rules.pack.fits, (plays,))
        """[colour in force][top face]: what may be played (R10); with -1 for both everything: the lead (R5)."""
        self.types = {BITS[name]: self.mask.count(BITS[name]) for name in TYPES}
        self._cards(rules)
        for seat, hero in enumerate(heroes):
            self._abilities(len(kinds) + seat, hero.power.abilities)
        self.powers_modify = any(self.standing[len(kinds) :])

    def power(self, seat: int) -> int:
        """The source that is the power of a seat."""
        return self.powers + seat

    def _cards(self, rules: Rules) -> None:
        actions = {symbol: self._program(effect) for symbol, effect in _ACTIONS.items()}
        wilds = {wild.id: wild for hero in self.heroes for wild in hero.wilds}
        dangers = {danger.id: danger for hero in self.heroes for danger in hero.danger}
        for face, kind in enumerate(self.kinds):
            if kind.colour < WILD:
                self.effect[face] = actions.get(kind.symbol, -1)
            elif kind.colour == WILD:
                self.effect[face] = self._program(wilds[kind.id].do)
            else:
                self._danger(face, dangers[kind.id])

    def _danger(self, face: int, danger: Danger) -> None:
        effect = danger.flipped or danger.do
        if effect:
            self.effect[face] = self._program(effect)
        self.defeat[face] = _mask(danger.defeat)
        self._abilities(face, danger.abilities)

    def _abilities(self, source: int, abilities: Iterable[Ability | Modifier]) -> None:
        for ability in abilities:
            if isinstance(ability, Modifier):
                self.standing[source] += (ability,)
            else:
                found = self.by_trigger[source]
                found[ability.on] = (*found.get(ability.on, ()), self._ability(source, ability))

    def _ability(self, source: int, ability: Ability) -> int:
        kind = BITS[ability.kind] if ability.kind else EVERY
        self.heard[ability.on] |= kind
        program = self._program(ability.do, source)
        self.abilities.append(Ready(ability.on, ability.by, kind, ability.cond, program, source))
        return len(self.abilities) - 1

    def _program(self, effect: Effect, source: int = -1) -> int:
        ops: list[Op] = []
        self._lay(effect, ops, source)
        self.programs.append(tuple(ops))
        return len(self.programs) - 1

    def _lay(self, effect: Effect, ops: list[Op], source: int) -> None:
        for step in effect:
            start = len(ops)
            if isinstance(step, Step):
                ops.append(self._step(step, start + 1, source))
            elif isinstance(step, CostStep):
                ops.append(Op("cost", 0))
                self._lay(step.do, ops, source)
                ops[start] = Op("cost", len(ops), step.cond, cost=step.cost)
            else:
                self._choices(step, ops, source)

    def _choices(self, step: OneOf, ops: list[Op], source: int) -> None:
        start = len(ops)
        ops.append(Op("one_of", 0))
        jumps, ends = [], []
        for choice in step.choices:
            jumps.append(len(ops))
            self._lay(choice, ops, source)
            ends.append(len(ops))
            ops.append(Op("jump", 0))
        for end in ends:
            ops[end] = Op("jump", len(ops))
        ops[start] = Op("one_of", len(ops), step.cond, jumps=tuple(jumps))

    def _step(self, step: Step, skip: int, source: int) -> Op:
        kind = 0
        faces: tuple[int, ...] = ()
        if step.verb is Verb.COLOUR:
            kind = CARD_KINDS.index(step.what) if step.what else -1
        elif step.verb in (Verb.FLIP_UNTIL, Verb.DESTROY):
            kind = BITS[step.what]
        elif step.kind:
            bit = BITS[step.kind]
            faces = tuple(face for face, mask in enumerate(self.mask) if mask & bit)
        modifier = trap = -1
        if step.modifier is not None:
            self.modifiers.append(step.modifier)
            modifier = len(self.modifiers) - 1
        if step.trap is not None:
            trap = self._ability(source, step.trap)
        may, bonus = step.may and self.asks, step.verb is Verb.BURN and self.asks
        return Op(step.verb, skip, step.cond, step.who, step.amount, step.cap, may, step.what, kind, faces,
                  step.pick, modifier, trap, asks_bonus=bonus)  # fmt: skip


_ACTIONS: Final[dict[str, Effect]] = {
    "+2": (Step(Verb.DRAW, Who.NEXT, Amount(2)),),
    "S": (Step(Verb.LOSE_TURN, Who.NEXT),),
    "R": (Step(Verb.REVERSE),),
}
"""The Action cards as printed (R13, R19, R21)."""


def _mask(names: Iterable[str]) -> int:
    return sum(BITS[name] for name in names)


def ban_mask(modifier: Modifier) -> int:
    """The kinds of cards that a ban forbids."""
    return BITS[modifier.kind] if modifier.mod is Mod.BAN else 0


@lru_cache(maxsize=32)
def book_of(rules: Rules) -> Book:
    """The book of a table's rules."""
    return Book(rules)
