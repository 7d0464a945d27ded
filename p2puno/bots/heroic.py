"""The sensible player of UNO Ultimate: it looks one card ahead, with what its seat may know and nothing else.

It wants the smallest hand. What a card does is valued step by step: cards that others get, turns that they lose, decks
that come near their end; Enemies that it beats. It burns cards of others rather than its own, aims at the smallest hand
or at a deck that is nearly dry, names the colour it holds most, pays costs only while its deck is deep, always calls
UNO and always catches who did not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from p2puno.card import COLOURS, WILD
from p2puno.dealer import Dice
from p2puno.effects import Ability, Condition, CostStep, Effect, Modifier, OneOf, Step, Verb, Who
from p2puno.hero import Danger, Hero, Wild, card_kinds
from p2puno.moves import Burn, Move, Order, Pick, Play, Swap
from p2puno.needs import Ask, Decide
from p2puno.ultimate.view import UltimateView

LOW_DECK: Final = 9
"""A deck of so few cards is worth burning down."""

# What one card or one turn is worth, when it is done to another player or to oneself.
_DONE_TO_OTHERS: Final = {Verb.ADD: 1.0, Verb.DRAW: 1.0, Verb.BURN: 0.12, Verb.RECOVER: -0.1, Verb.LOSE_TURN: 0.9,
                          Verb.BURN_HAND: -1.0, Verb.DANGER: 0.2, Verb.FLIP_UNTIL: 0.4, Verb.EXTRA_TURN: -1.0,
                          Verb.DESTROY: 0.3, Verb.TAKE_ITEM: 0.6, Verb.SHOW_HAND: 0.1, Verb.MOVE_ENEMY: 0.8,
                          Verb.DEFEAT: 0.1, Verb.MOD: 0.5}  # fmt: skip
_DONE_TO_SELF: Final = {Verb.ADD: -1.0, Verb.DRAW: -1.9, Verb.BURN: -0.12, Verb.RECOVER: 0.1, Verb.LOSE_TURN: -0.9,
                        Verb.BURN_HAND: 1.0, Verb.DANGER: -0.2, Verb.FLIP_UNTIL: 0.1, Verb.EXTRA_TURN: 1.2,
                        Verb.DESTROY: -0.3, Verb.LOOK: 0.2, Verb.SHOW_HAND: -0.1, Verb.DEFEAT: 0.6, Verb.MOD: 0.4,
                        Verb.COLOUR: 0.3, Verb.ARM: 0.3}  # fmt: skip
_ACTIONS: Final = {"+2": 2.4, "S": 0.9, "R": 0.1}


class Heroic:
    """A sensible player of heroes. `dice` break ties, so that it cannot be read like a book."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice

    def __call__(self, view: UltimateView, /) -> Move:
        """The move it makes; `view` is that of a seat that must decide."""
        need = view.need
        assert isinstance(need, Decide)
        if need.ask in (Ask.TURN, Ask.DRAWN):
            return self._play(view)
        moves = view.moves()
        if len(moves) == 1:
            return moves[0]
        return self._best(view, need, moves)

    def _play(self, view: UltimateView) -> Move:
        moves = view.moves()
        plays = [move for move in moves if isinstance(move, Play)]
        if not plays:
            return moves[0]
        if plays[0].uno:
            plays = [play for play in plays if play.uno]
        hand = [face for _, face in view.hand]
        return self._choose((self._worth(view, hand, play), play) for play in plays)

    def _choose(self, valued: Iterable[tuple[float, Move]]) -> Move:
        best, chosen, ties = float("-inf"), None, 0
        for worth, move in valued:
            if worth > best:
                best, chosen, ties = worth, move, 1
            elif worth == best:
                ties += 1
                if self.dice.randrange(ties) == 0:
                    chosen = move
        assert chosen is not None
        return chosen

    def _worth(self, view: UltimateView, hand: list[int], play: Play) -> float:
        rules, me = view.rules, view.turn
        kind = rules.kinds[play.face]
        rest = list(hand)
        rest.remove(play.face)
        if not rest:
            return 100.0
        colour = play.colour if kind.wild else kind.colour
        fits = rules.pack.fits[colour][play.face]
        worth = 2.0 * sum(face in fits and not rules.kinds[face].wild for face in rest) / len(rest)
        near = 2.0 if min(view.counts[seat] for seat in _others(view, me)) <= 2 else 1.0
        if kind.wild:
            worth += near * value(view, _wild(view, me, kind.id).do, me) - 2.0 * min(1.0, len(rest) / 4)
        else:
            worth += near * _ACTIONS.get(kind.symbol, 0.0)
        enemy = view.enemies[me]
        if enemy >= 0 and not view.fresh[me] and card_kinds(kind) & set(_danger(view, enemy).defeat):
            worth += 1.0
        return worth - (0.4 if kind.icon else 0.0)

    def _best(self, view: UltimateView, need: Decide, moves: list[Move]) -> Move:
        me = need.seat
        if need.ask is Ask.COLOUR:
            held = [view.rules.kinds[face].colour for _, face in view.hand]
            return self._choose((held.count(option), Pick(option)) for option in need.options)
        if need.ask is Ask.TARGET:
            return self._choose((_target(view, option, me), Pick(option)) for option in need.options)
        if need.ask is Ask.OPTION:
            choices = next((step.choices for step in _steps(view, need.source) if isinstance(step, OneOf)), ())
            return self._choose((value(view, choice, me), Pick(n)) for n, choice in enumerate(choices))
        if need.ask is Ask.MAY:
            return Pick(int(need.options[0] == 1 or _pays(view, need.source, me)))
        if need.ask is Ask.PEEKED:
            return self._choose((_card(view, view.face_of(slot)), Pick(slot)) for slot in need.options)
        if need.ask is Ask.BURN:
            return self._choose((-self._loss(view, move), move) for move in moves)
        if need.ask is Ask.ORDER:
            return Order(tuple(sorted(need.options, key=lambda slot: -_card(view, view.face_of(slot)))))
        if need.ask is Ask.SWAP:
            worst = min(view.hand, key=lambda card: _card(view, card[1]))
            better = _card(view, view.face_of(need.slot)) > _card(view, worst[1])
            return Swap(worst[0]) if better else Swap()
        return moves[0]

    def _loss(self, view: UltimateView, move: Move) -> float:
        assert isinstance(move, Burn)
        return sum(_card(view, face) for _, face in move.cards)


def value(view: UltimateView, effect: Effect, me: int) -> float:
    """What an effect is worth to its owner, roughly."""
    total = 0.0
    for step in effect:
        if isinstance(step, CostStep):
            total += max(0.0, value(view, step.do, me) - 0.15 * step.cost.burn)
        elif isinstance(step, OneOf):
            total += max(value(view, choice, me) for choice in step.choices)
        elif step.cond is None or _holds(view, step.cond, me):
            total += _step(view, step, me)
    return total


def _step(view: UltimateView, step: Step, me: int) -> float:
    amount = float(step.amount.base)
    match step.amount.counter:
        case "enemies":
            amount += sum(enemy >= 0 for enemy in view.enemies)
        case "items":
            amount += len(view.items[me])
        case "players":
            amount += sum(view.living)
        case "burnt":
            amount += view.burnt[me]
    if step.verb is Verb.DRAW:
        amount += 0.9  # and the turn
    if step.verb is Verb.COLOUR and step.what:
        return _colour(view, COLOURS.index(step.what), me)
    others = _others(view, me)
    on_others = {Who.OTHERS: len(others), Who.ALL: len(others), Who.SELF: 0, Who.THEM: 0}.get(step.who, 1)
    worth = _DONE_TO_OTHERS.get(step.verb, 0.0) * amount * on_others
    if step.verb is Verb.BURN and on_others:
        worth += sum(2.0 for seat in others if view.decks[seat] <= amount) / len(others) * on_others
    if step.who in (Who.SELF, Who.ALL):
        mine = _DONE_TO_SELF.get(step.verb, 0.0)
        if step.verb is Verb.DEFEAT and view.enemies[me] < 0:
            mine = 0.0
        if step.verb is Verb.BURN and view.decks[me] <= amount + 2:
            mine = -10.0
        worth += mine * amount
    return worth


def _colour(view: UltimateView, colour: int, me: int) -> float:
    """What it is worth that a colour comes into force: much if nothing but a Wild could be played, and then something
    can."""
    kinds, hand = view.rules.kinds, [face for _, face in view.hand]
    if me != view.seat or colour == view.colour or view.top < 0:
        return 0.0
    now, then = view.rules.pack.fits[view.colour][view.top], view.rules.pack.fits[colour][view.top]
    return 1.0 if not any(f in now for f in hand) and any(f in then and not kinds[f].wild for f in hand) else 0.0


def _holds(view: UltimateView, cond: Condition, me: int) -> bool:
    place = view.location
    true = {
        "location": place >= 0 and cond.hero in ("", view.rules.kinds[place].hero),
        "enemy": view.enemies[me] >= 0,
        "item": bool(view.items[me]),
        "burnt": view.burnt[me] >= cond.least,
    }[cond.test]
    return true is not cond.negated


def _others(view: UltimateView, me: int) -> list[int]:
    return [seat for seat, living in enumerate(view.living) if living and seat != me]


def _target(view: UltimateView, seat: int, me: int) -> float:
    """Oneself, if that is offered (to be rid of an Enemy); else the smallest hand, or a deck that is nearly dry."""
    if seat == me:
        return 100.0
    return -view.counts[seat] + (10.0 if view.decks[seat] <= LOW_DECK else 0.0) - view.decks[seat] / 100


def _card(view: UltimateView, face: int) -> float:
    """How good a card is to hold."""
    if face < 0:
        return 0.5
    kind = view.rules.kinds[face]
    if kind.wild:
        return 2.0
    same = sum(view.rules.kinds[other].colour == kind.colour for _, other in view.hand)
    return _ACTIONS.get(kind.symbol, 0.0) / 3 + same / 10 - (0.2 if kind.icon else 0.0)


def _pays(view: UltimateView, source: int, me: int) -> bool:
    """Whether a cost of this source is worth it: only with a deep deck, and only if what it buys is worth more."""
    costs = [step for step in _steps(view, source) if isinstance(step, CostStep)]
    return any(
        view.decks[me] > 2 * LOW_DECK * bool(step.cost.burn) and value(view, step.do, me) > 0.15 * step.cost.burn + 0.1
        for step in costs
    )


def _steps(view: UltimateView, source: int) -> list[Step | CostStep | OneOf]:
    """All outer steps of what a card or power does."""
    kinds = view.rules.kinds
    if source >= len(kinds):
        return _of_abilities(view.heroes[source - len(kinds)].power.abilities)
    if kinds[source].colour == WILD:
        return list(_wild(view, _seat_of(view, source), kinds[source].id).do)
    if kinds[source].colour < WILD:
        return []
    danger = _danger(view, source)
    return [*danger.flipped, *danger.do, *_of_abilities(danger.abilities)]


def _of_abilities(abilities: Iterable[Ability | Modifier]) -> list[Step | CostStep | OneOf]:
    return [step for ability in abilities if isinstance(ability, Ability) for step in ability.do]


def _seat_of(view: UltimateView, face: int) -> int:
    return view.rules.heroes.index(view.rules.kinds[face].hero)


def _hero(view: UltimateView, seat: int) -> Hero:
    return view.heroes[seat]


def _wild(view: UltimateView, seat: int, ident: str) -> Wild:
    return next(wild for wild in _hero(view, seat).wilds if wild.id == ident)


def _danger(view: UltimateView, face: int) -> Danger:
    ident = view.rules.kinds[face].id
    return next(danger for danger in _hero(view, _seat_of(view, face)).danger if danger.id == ident)
