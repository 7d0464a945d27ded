"""The pieces of hands that move, with the option `seven_zero` (R79).

seven, swap, swapped    a 7: with whom; both hands are handed over; they are there
zero, rotated           a 0: every hand is handed on one seat; they are there
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from p2puno.happenings import Happening, What
from p2puno.moves import Pick
from p2puno.needs import Ask, Decide, Give, Need
from p2puno.pieces import named
from p2puno.state import Piece, State

if TYPE_CHECKING:
    from p2puno.engine import Answer, Game


@named("seven", about=(1,))
def _seven(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The player of a 7 chooses whose hand to swap for its own, if there is a choice."""
    seat = piece[1]
    others = game.seats_from(seat)[1:]
    if len(others) == 1:
        return _hand_over(game, seat, others[0])
    game.agenda.append(("swap", seat))
    return Decide(seat, Ask.HANDS, options=tuple(others))


@named("swap", about=(1,))
def _swap(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The hands to be swapped are chosen."""
    assert isinstance(answer, Pick)
    return _hand_over(game, piece[1], answer.value)


def _hand_over(game: Game, seat: int, other: int) -> Need:
    game.agenda.append(("swapped", seat, other))
    return Give(gifts(game, {seat: other, other: seat}))


@named("swapped", about=(1, 2))
def _swapped(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Two hands have changed places."""
    _, seat, other = piece
    move_hands(game, {seat: other, other: seat})
    out.append(Happening(What.SWAPPED, seat, other))
    return None


@named("zero", about=(1,))
def _zero(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Every hand moves one seat in the direction of play."""
    game.agenda.append(("rotated", piece[1]))
    return Give(gifts(game, rotation(game)))


@named("rotated")
def _rotated(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """All hands have moved, also if the player of the 0 left meanwhile: it has begun for the others (R51)."""
    move_hands(game, rotation(game))
    out.append(Happening(What.ROTATED, piece[1]))
    return None


def rotation(game: State) -> dict[int, int]:
    """Where each hand goes."""
    return {seat: game.after(seat) for seat in game.seats_from(game.turn)}


def gifts(game: State, to: Mapping[int, int]) -> tuple[tuple[int, int, int], ...]:
    """Every card of these hands on its way: (slot, from, to)."""
    return tuple((slot, giver, taker) for giver, taker in to.items() for slot in game.hands[giver])


def move_hands(game: State, to: Mapping[int, int]) -> None:
    """The hand of each seat is now that of another. Who held or saw cards still knows them (R47); what was remembered
    of a hand goes with it. The new holders mix at the end of the turn."""
    hands = {taker: game.hands[giver] for giver, taker in to.items()}
    for taker, hand in hands.items():
        game.hands[taker] = hand
        game.touched |= 1 << taker
    game.memory = {
        (viewer, to.get(holder, holder)): faces
        for (viewer, holder), faces in game.memory.items()
        if viewer != to.get(holder, holder)
    }
    game.shown = 1
