"""Which moves stand: one check for `Game.apply`, for screens before anything is signed, and for bots.

It looks at public facts only: that the slot is in the hand and that the claimed face fits. That the slot holds this
face is proven by the dealer or the deck.
"""

from __future__ import annotations

from p2puno.card import COLOURS, WILD
from p2puno.moves import Accept, Challenge, Draw, IllegalMove, InvalidMove, Keep, Move, Play
from p2puno.needs import Ask, Decide
from p2puno.state import State


def check_move(state: State, need: Decide, move: Move) -> None:
    """Raise IllegalMove or InvalidMove, with the ruling that is broken, if the move does not answer the need."""
    if type(move) is not Play:
        return _check_word(need, move)
    ask, face, pack = need.ask, move.face, state.pack
    if ask is Ask.CHALLENGE:
        raise IllegalMove("a Wild Draw Four was played on you", "R68", "accept it, or challenge it; no card helps")
    if move.slot not in state.hands[need.seat]:
        raise InvalidMove("that card is not in your hand", "R11")
    if not 0 <= face < len(pack.colour):
        raise InvalidMove("there is no such card", "R10")
    if pack.colour[face] == WILD:
        if not 0 <= move.colour <= 3:
            raise InvalidMove(f"{pack.kinds[face].id} needs a colour", "R15", "name red, yellow, green or blue")
    elif move.colour != -1:
        raise InvalidMove(f"{pack.kinds[face].id} has its own colour", "R15", "only a Wild names a colour")
    if ask is Ask.DRAWN and move.slot != need.slot:
        raise IllegalMove("after taking a card only that card may be played", "R11", "play it if it fits, or keep it")
    top = state.public[state.piles["discard"][-1]]
    if face not in pack.fits[state.colour][top]:
        kind = pack.kinds[top]
        hint = f"it must be {COLOURS[state.colour]}" + ("" if kind.wild else f" or {kind.symbol}") + ", or a Wild"
        raise IllegalMove(f"{pack.kinds[face].id} does not fit on {kind.id}", "R10", hint)
    return None


def _check_word(need: Decide, move: Move) -> None:
    kind = type(move)
    if need.ask is Ask.TURN:
        if kind is not Draw:
            _refuse_on_turn(move)
    elif need.ask is Ask.DRAWN:
        if kind is not Keep:
            _refuse_after_drawing(move)
    elif kind is not Challenge and kind is not Accept:
        raise IllegalMove("a Wild Draw Four was played on you", "R68", "accept it, or challenge it")


def _refuse_on_turn(move: Move) -> None:
    if isinstance(move, Keep):
        raise IllegalMove("nothing was taken that could be kept", "R11", "play a card, or take one first")
    if isinstance(move, Challenge | Accept):
        raise IllegalMove("there is no Wild Draw Four to answer", "R68", "play a card, or take one")
    raise InvalidMove("that is no move", "R11")


def _refuse_after_drawing(move: Move) -> None:
    if isinstance(move, Draw):
        raise IllegalMove("a card was taken already in this turn", "R11", "play it if it fits, or keep it")
    if isinstance(move, Challenge | Accept):
        raise IllegalMove("there is no Wild Draw Four to answer", "R68", "play the card just taken, or keep it")
    raise InvalidMove("that is no move", "R11")
