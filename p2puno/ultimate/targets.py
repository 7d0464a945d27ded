"""On whom a step is done (1.3, R35): by the word in `who`, the living players in their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from p2puno.effects import Verb, Who
from p2puno.ultimate.book import Op

if TYPE_CHECKING:
    from p2puno.ultimate.engine import UltimateGame

Seats = tuple[int, ...]


def _self(game: UltimateGame, op: Op, owner: int, them: int, it: int) -> Seats:
    return (owner,)


def _next(game: UltimateGame, op: Op, owner: int, them: int, it: int) -> Seats:
    seat = game.after_any(owner, 1)
    return (seat,) if seat != owner else ()


def _prev(game: UltimateGame, op: Op, owner: int, them: int, it: int) -> Seats:
    seat = game.after_any(owner, -1)
    return (seat,) if seat != owner else ()


def _it(game: UltimateGame, op: Op, owner: int, them: int, it: int) -> Seats:
    return (it,) if it >= 0 and game.living >> it & 1 else ()


def _them(game: UltimateGame, op: Op, owner: int, them: int, it: int) -> Seats:
    return (them,) if them >= 0 and game.living >> them & 1 else ()


def _all(game: UltimateGame, op: Op, owner: int, them: int, it: int) -> Seats:
    return game.ring(owner)


def _others(game: UltimateGame, op: Op, owner: int, them: int, it: int) -> Seats:
    return game.ring(owner)[1:]


def _attacked(game: UltimateGame, op: Op, owner: int, them: int, it: int) -> Seats:
    return tuple([seat for seat in game.ring(owner) if game.enemies[seat] >= 0])


def _fewest(game: UltimateGame, op: Op, owner: int, them: int, it: int) -> Seats:
    """Ties: the first after the owner, the owner last."""
    return (min((*game.ring(owner)[1:], owner), key=lambda seat: len(game.hands[seat])),)


def _any(game: UltimateGame, op: Op, owner: int, them: int, it: int) -> Seats:
    """Among whom the owner chooses: of those on whom the step can be done."""
    return _able(game, op, game.ring(owner))


def _choose(game: UltimateGame, op: Op, owner: int, them: int, it: int) -> Seats:
    """The same without the owner."""
    return _able(game, op, game.ring(owner)[1:])


def _able(game: UltimateGame, op: Op, seats: Seats) -> Seats:
    if op.verb is _TAKE_ITEM:
        return tuple([seat for seat in seats if game.items[seat]])
    if op.verb is _DEFEAT:
        return tuple([seat for seat in seats if game.enemies[seat] >= 0 and not game.fresh >> seat & 1])
    return seats


# To look a member up on its class takes long before Python 3.12.
_TAKE_ITEM: Final = Verb.TAKE_ITEM
_DEFEAT: Final = Verb.DEFEAT

TARGETS: Final[dict[str, Callable[[UltimateGame, Op, int, int, int], Seats]]] = {
    Who.SELF: _self,
    Who.NEXT: _next,
    Who.PREV: _prev,
    Who.CHOOSE: _choose,
    Who.ANY: _any,
    Who.OTHERS: _others,
    Who.ALL: _all,
    Who.ATTACKED: _attacked,
    Who.FEWEST: _fewest,
    Who.IT: _it,
    Who.THEM: _them,
}
"""By `who`: the players on whom a step of `owner` is done. `them`: who fired its trigger, `it`: who was chosen last."""
