"""A player that makes any legal move: the measuring stick for others, and a fuzzer for the engine."""

from __future__ import annotations

from dataclasses import replace

from p2puno.dealer import Dice
from p2puno.moves import Draw, Keep, Move, Play, Wish
from p2puno.needs import Say
from p2puno.view import View, legal

_PASSING = (Draw, Keep)


class RandomLegal:
    """Plays a random legal card and draws only if there is none; answers whatever is asked at random.

    `forgets`: leaves out the call UNO every other time, and catches others every other time; else it always calls and
    always catches. `wanders`: draws or keeps although it could play, as often as any single play.
    """

    def __init__(self, dice: Dice, *, forgets: bool = False, wanders: bool = False) -> None:
        self.dice = dice
        self.forgets = forgets
        self.wanders = wanders

    def __call__(self, view: View, /) -> Move:
        moves = legal(view)
        choices = len(moves)
        if choices == 1:
            return moves[0]
        first = moves[0]
        if type(first) is Play and not self.wanders and type(moves[-1]) in _PASSING:
            choices -= 1
        move = moves[self.dice.randrange(choices)]
        if self.forgets or type(move) is Draw:
            return move
        if type(move) is Play and type(first) is Play and first.uno and not move.uno:
            return Play(move.slot, move.face, move.colour, True)
        if type(move) is Wish and not move.uno:
            called = replace(move, uno=True)
            return called if called in moves else move
        return move

    def say(self, view: View, /) -> Say:
        speaks = not self.forgets or self.dice.randrange(2) == 1
        if view.uncalled == view.seat:
            return Say.CALL if speaks else Say.SILENT
        return Say.CATCH if speaks else Say.PASS


def random_legal(dice: Dice, *, forgets: bool = False, wanders: bool = False) -> RandomLegal:
    """A `RandomLegal` player."""
    return RandomLegal(dice, forgets=forgets, wanders=wanders)
