"""The effect language of UNO Ultimate: what cards, powers, Items and Enemies do, as data.

An effect is a tuple of steps, done in order. The words of the pack files are the values of the enums here; grammar.py
reads them. docs/packs.md explains the language to people who write packs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias


class Who(StrEnum):
    """The players on whom a step is done."""

    SELF = "self"  # the owner of the effect
    NEXT = "next"  # the nearest living player in the direction of play
    PREV = "prev"  # … against it
    CHOOSE = "choose"  # one living player other than the owner, who chooses
    ANY = "any"  # the same, the owner included
    OTHERS = "others"  # every living player but the owner, from the next one on
    ALL = "all"  # the owner, then the others
    ATTACKED = "attacked"  # those of ALL with an Enemy
    FEWEST = "fewest"  # the one of ALL with the fewest cards in hand; ties: first after the owner, the owner last
    IT = "it"  # the player chosen last in this effect
    THEM = "them"  # the player whose deed fired this trigger


class Verb(StrEnum):
    """What a step does. What its `what` holds, where it has one, is written beside it."""

    ADD = "add"
    DRAW = "draw"
    BURN = "burn"
    RECOVER = "recover"
    LOSE_TURN = "lose_turn"
    EXTRA_TURN = "extra_turn"
    REVERSE = "reverse"
    COLOUR = "colour"  # "" (the owner names it), or "red", "yellow", "green", "blue"
    DESTROY = "destroy"  # "location" or "item"
    FLIP_UNTIL = "flip_until"  # "location", "enemy" or "item"
    DANGER = "danger"
    DEFEAT = "defeat"
    MOVE_ENEMY = "move_enemy"
    TAKE_ITEM = "take_item"
    BURN_HAND = "burn_hand"
    LOOK = "look"  # "order" or "swap"
    SHOW_HAND = "show_hand"  # who sees it: "self" (the owner of the effect) or "next" (the player after the target)
    MOD = "mod"
    ARM = "arm"


class On(StrEnum):
    """Triggers: what happens to a player X."""

    START = "start"
    PASS = "pass"
    END = "end"
    PLAY = "play"
    COLOUR = "colour"
    FLIP = "flip"
    DEFEAT = "defeat"
    BURNT = "burnt"
    RECOVER = "recover"
    LOST_TURN = "lost_turn"


class By(StrEnum):
    """Who the X of a trigger must be, seen from the owner."""

    SELF = "self"
    OTHER = "other"
    ANY = "any"


class Mod(StrEnum):
    """Standing changes to the rules."""

    BLANK = "blank"
    BAN = "ban"
    BURN = "burn"
    DEAL = "deal"
    NO_RECOVER = "no_recover"


COUNTERS: Final = ("enemies", "items", "players", "burnt")
"""enemies: Enemies before living players; items: Items the owner holds; players: living; burnt: cards that went from
the owner's deck to the Burn Pile in the running turn if it is the owner's, else since the start of its last turn."""

TYPES: Final = ("enemy", "event", "location", "item")
"""The types of Danger cards."""

CARD_KINDS: Final = (
    "red", "yellow", "green", "blue", "number", "action", "wild", "draw2", "reverse", "skip", "danger",
)  # fmt: skip
"""What play cards are called in effects; a card is of several kinds. `danger` bears the Danger icon."""


@dataclass(frozen=True, slots=True)
class Amount:
    """How much: `base` plus the counter, if there is one."""

    base: int = 0
    counter: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """A test of the moment at which a step or ability begins.

    `test`: "location" (one is in play, of `hero` if that is set), "enemy" (one attacks the owner), "item" (the owner
    holds one), "burnt" (that counter is at least `least`).
    """

    test: str
    negated: bool = False
    hero: str = ""
    least: int = 0


@dataclass(frozen=True, slots=True)
class Modifier:
    """A standing change, as an ability or by a step `mod`.

    `kind`: of a ban, the kind of card. `n`: of burn and deal, how many more. `source`: of burn, "enemy" or "player", or
    "" for every source. `may`: of deal, it can be declined. `who`: as an ability the bearer (SELF), OTHERS or ALL; in a
    step the targets of that step.
    """

    mod: Mod
    who: Who = Who.SELF
    kind: str = ""
    n: int = 0
    source: str = ""
    may: bool = False


@dataclass(frozen=True, slots=True)
class Ability:
    """When `on` happens to a player that `by` admits, with a card (or Danger card) of `kind`, and `cond`
    holds: `do`."""

    on: On
    do: Effect
    by: By = By.SELF
    kind: str = ""
    cond: Condition | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One verb on its targets.

    `amount`: of add, draw, burn, recover, danger, burn_hand and look; 1 elsewhere. `cap`: its upper limit, -1: none.
    `may`: the owner is asked. `what`: see Verb. `kind`: of burn_hand, the only kind of card. `pick`: of burn_hand, the
    owner sees the hand and chooses. `modifier`: of mod. `trap`: of arm.
    """

    verb: Verb
    who: Who = Who.SELF
    amount: Amount = Amount(1)
    cond: Condition | None = None
    cap: int = -1
    may: bool = False
    what: str = ""
    kind: str = ""
    pick: bool = False
    modifier: Modifier | None = None
    trap: Ability | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """Burn `burn` cards of one's own deck (it must hold more) and, if `destroy_self`, discard the Item itself."""

    burn: int = 0
    destroy_self: bool = False


@dataclass(frozen=True, slots=True)
class CostStep:
    """The owner may pay the whole cost; who pays does `do`."""

    cost: Cost
    do: Effect
    cond: Condition | None = None


@dataclass(frozen=True, slots=True)
class OneOf:
    """The owner chooses one of these effects."""

    choices: tuple[Effect, ...]
    cond: Condition | None = None


Effect: TypeAlias = tuple[Step | CostStep | OneOf, ...]
