"""Effects: programs of steps, done in order (1.2), with their conditions, questions, targets and amounts.

A running effect is the piece `("run", program, place, owner, source, them, it)`: which program and where in it, the
player it belongs to, what it comes from, the player whose deed fired it, and the player chosen last (-1: nobody yet).
Before a step is done the rest of the effect goes on the agenda, so that it is there if the step must wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2puno.agenda import decide
from p2puno.effects import Verb, Who
from p2puno.happenings import Happening
from p2puno.moves import Pick
from p2puno.needs import Ask, Need
from p2puno.state import Piece
from p2puno.ultimate.book import Op
from p2puno.ultimate.dangers import DANGER_VERBS, discard_item, item_slot
from p2puno.ultimate.hands import HAND_VERBS
from p2puno.ultimate.machine import named
from p2puno.ultimate.targets import TARGETS
from p2puno.ultimate.verbs import VERBS, burn_off_deck, deals

if TYPE_CHECKING:
    from p2puno.engine import Answer
    from p2puno.ultimate.engine import UltimateGame

_DO: Final = {**VERBS, **DANGER_VERBS, **HAND_VERBS}


@named("run")
def _run(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The rest of an effect."""
    _, number, place, owner, source, them, it = piece
    return act(game, number, owner, source, them, out, place, it)


def act(game: UltimateGame, number: int, owner: int, source: int, them: int, out: list[Happening],
        place: int = 0, it: int = -1) -> Need | None:  # fmt: skip
    """Do the steps of an effect from this place on, as long as its owner lives (R51) and nothing must be waited for."""
    program = game.book.programs[number]
    end = len(program)
    agenda = game.agenda
    while place < end and game.living >> owner & 1:
        op = program[place]
        if op.plain:
            targets = (owner,) if op.who is _SELF else TARGETS[op.who](game, op, owner, them, it)
        else:
            if op.verb == "jump" or (op.cond is not None and not game.holds(op.cond, owner)):
                place = op.skip
                continue
            if op.asks:
                question = _question(game, op, owner, source)
                if question:
                    ask, options = question
                    agenda.append((_ANSWERED.get(op.verb, "may"), number, place, owner, source, them, it))
                    return decide(owner, ask, -1, options, 0, source)
                place = op.skip
                continue
            targets = TARGETS[op.who](game, op, owner, them, it)
            if op.chooses:
                if len(targets) > 1:
                    agenda.append(("target", number, place, owner, source, them, it))
                    return decide(owner, _TARGET, -1, targets, 0, source)
                if targets:
                    it = targets[0]
        place = op.skip
        if not targets:
            continue
        if place < end:
            rest = ("run", number, place, owner, source, them, it)
            agenda.append(rest)
        if op.n >= 0:
            need = _DO[op.verb](game, op, owner, source, targets, op.n, out)
        else:
            need = _do(game, op, owner, source, targets, out)
        if place == end or need is not None or not agenda or agenda[-1] is not rest:
            return need
        agenda.pop()
    return None


# To look a member up on its class takes long before Python 3.12.
_SELF: Final = Who.SELF
_TARGET: Final = Ask.TARGET
_PAY: Final = Ask.MAY, (0, 1)
_MAY: Final = Ask.MAY, (1, 0)
_ANSWERED: Final = {"cost": "paid", "one_of": "chosen"}


def _question(game: UltimateGame, op: Op, owner: int, source: int) -> tuple[Ask, tuple[int, ...]] | None:
    """What the owner must be asked before the step: a choice, a cost that can be paid (None if it cannot, R44), or
    whether to do it at all (R42). What is offered first is what an absent player does."""
    if op.verb == "one_of":
        return Ask.OPTION, tuple(range(len(op.jumps)))
    if op.verb == "cost":
        enough = len(game.decks[owner]) > op.cost.burn
        whole = not op.cost.destroy_self or item_slot(game, owner, source) >= 0
        return _PAY if enough and whole else None
    return _MAY


def _amount(game: UltimateGame, op: Op, owner: int) -> int:
    """How much; what is counted is counted once for all targets (1.4)."""
    amount = op.amount.base
    match op.amount.counter:
        case "enemies":
            amount += game.attacked()
        case "items":
            amount += len(game.items[owner])
        case "players":
            amount += game.alive
        case "burnt":
            amount += game.burnt[owner]
    return min(amount, op.cap) if op.cap >= 0 else amount


def _do(
    game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], out: list[Happening]
) -> Need | None:
    """Do a step, after counting how much, and asking about a bonus that can be declined (R42)."""
    amount = _amount(game, op, owner)
    if op.asks_bonus and deals(game, owner, source, targets, optional=True):
        game.agenda.append(("dealt_more", owner, source, targets, amount))
        return decide(owner, Ask.MAY, -1, (1, 0), 0, deals(game, owner, source, targets, optional=True)[0][3])
    return _DO[op.verb](game, op, owner, source, targets, amount, out)


def _go_on(game: UltimateGame, piece: Piece, place: int, it: int) -> None:
    """The effect goes on at another place."""
    _, number, _, owner, source, them, _ = piece
    if place < len(game.book.programs[number]):
        game.agenda.append(("run", number, place, owner, source, them, it))


def _op(game: UltimateGame, piece: Piece) -> Op:
    return game.book.programs[piece[1]][piece[2]]


@named("target", about=(3,))
def _target(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The owner has chosen a player: do the step on that one."""
    assert isinstance(answer, Pick)
    op = _op(game, piece)
    _go_on(game, piece, op.skip, answer.value)
    return _do(game, op, piece[3], piece[4], (answer.value,), out)


@named("chosen", about=(3,))
def _chosen(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The owner has chosen one of several effects."""
    assert isinstance(answer, Pick)
    _go_on(game, piece, _op(game, piece).jumps[answer.value], piece[6])
    return None


@named("paid", about=(3,))
def _paid(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The owner pays a cost in full, or not at all (R44). No modifier changes it (R41)."""
    assert isinstance(answer, Pick)
    op, owner, source = _op(game, piece), piece[3], piece[4]
    if not answer.value:
        _go_on(game, piece, op.skip, piece[6])
        return None
    _go_on(game, piece, piece[2] + 1, piece[6])
    if op.cost.destroy_self:
        discard_item(game, owner, item_slot(game, owner, source), out)
    return burn_off_deck(game, ((owner, op.cost.burn),)) if op.cost.burn else None


@named("may", about=(3,))
def _may(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The owner does an optional step, or declines it (R42)."""
    assert isinstance(answer, Pick)
    op, owner, them, it = _op(game, piece), piece[3], piece[5], piece[6]
    if not answer.value:
        _go_on(game, piece, op.skip, it)
        return None
    targets = TARGETS[op.who](game, op, owner, them, it)
    if len(targets) > 1 and op.chooses:
        game.agenda.append(("target", *piece[1:]))
        return decide(owner, Ask.TARGET, -1, targets, 0, piece[4])
    if targets and op.chooses:
        it = targets[0]
    _go_on(game, piece, op.skip, it)
    return _do(game, op, owner, piece[4], targets, out) if targets else None


@named("dealt_more", about=(1,))
def _dealt_more(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The owner takes the bonus on its burns, or declines it (R42)."""
    assert isinstance(answer, Pick)
    _, owner, source, targets, amount = piece
    return VERBS[Verb.BURN](game, Op(Verb.BURN, bool(answer.value)), owner, source, targets, amount, out)
