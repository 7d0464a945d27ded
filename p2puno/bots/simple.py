"""A player that makes any legal move: the measuring stick for others, and a fuzzer for the engine."""

from __future__ import annotations

from p2puno.dealer import Dice
from p2puno.moves import Move, Play
from p2puno.needs import Say
from p2puno.view import View, legal


class RandomLegal:
    """Plays a random legal card and draws only if there is none; answers a Wild Draw Four at random.

    `forgets`: leaves out the call UNO every other time, and catches others every other time; else it always calls and
    always catches. `wanders`: draws or keeps although it could play, as often as any single play.
    """

    def __init__(self, dice: Dice, forgets: bool = False, wanders: bool = False) -> None:
        self.dice = dice
        self.forgets = forgets
        self.wanders = wanders

    def __call__(self, view: View, /) -> Move:
        moves = legal(view)
        choices = len(moves)
        if choices == 1:
            return moves[0]
        if type(moves[0]) is Play:
            if not self.wanders:
                choices -= 1  # the last one is Draw or Keep
            move = moves[self.dice.randrange(choices)]
            if not self.forgets and type(move) is Play and type(moves[0]) is Play and moves[0].uno and not move.uno:
                return Play(move.slot, move.face, move.colour, True)
            return move
        return moves[self.dice.randrange(choices)]

    def say(self, view: View, /) -> Say:
        speaks = not self.forgets or self.dice.randrange(2) == 1
        if view.uncalled == view.seat:
            return Say.CALL if speaks else Say.SILENT
        return Say.CATCH if speaks else Say.PASS


def random_legal(dice: Dice, forgets: bool = False, wanders: bool = False) -> RandomLegal:
    """A `RandomLegal` player."""
    return RandomLegal(dice, forgets, wanders)
