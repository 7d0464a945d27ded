"""The player that sits at tables by default: it looks one card ahead, with what its seat may know and nothing else.

What it goes by:

* win if it can;
* keep Wilds for later, unless few cards are left or nothing else fits;
* leave a hand of which many cards fit on what it plays now: so it names the colour that it holds most;
* against a next player with few cards, play what makes that player draw or lose the turn, or turn the direction;
* get rid of cards that would cost many points.

It always calls UNO, always catches who did not, plays a wrong Wild Draw Four only if nothing else fits, and challenges
one by the odds. The weights were tried out against random players (`bench/engine.py` shows the result).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from p2puno.bots.heroic import Heroic
from p2puno.card import WILD
from p2puno.dealer import Dice
from p2puno.moves import Accept, Challenge, Move, Play
from p2puno.needs import Say
from p2puno.ultimate.view import UltimateView
from p2puno.view import View, legal, odds


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each thought counts. `hurt` is by how much the next player suffers, times `near` by its cards left."""

    challenge_from: float = 0.5  # odds; a wrong challenge costs two cards more, a right one saves four and the turn
    follow: float = 3.0
    wild: float = 6.0
    wrong: float = 4.0
    points: float = 0.5
    hurt: float = 0.1
    near: tuple[float, ...] = (0.0, 4.0, 2.5, 1.6)
    turn_round: float = 0.8


WEIGHTS: Final = Weights()
_HURTS: Final = {"draw_two": 1.0, "skip": 0.7, "wild_draw_four": 1.6, "bat_signal": 1.2}


class Sensible:
    """A sensible player of every game (UNO Ultimate: heroic.py). `dice` break ties, so that it cannot be read like a book."""

    def __init__(self, dice: Dice, weights: Weights = WEIGHTS) -> None:
        self.dice = dice
        self.weights = weights
        self.heroic = Heroic(dice)

    def __call__(self, view: View, /) -> Move:
        if isinstance(view, UltimateView):
            return self.heroic(view)
        moves = legal(view)
        if isinstance(moves[0], Accept):
            return Challenge() if odds(view) >= self.weights.challenge_from else moves[0]
        plays = [move for move in moves if isinstance(move, Play)]
        if plays and plays[0].uno:
            plays = [play for play in plays if play.uno]
        if len(plays) < 2:
            return (plays or moves)[0]
        hand = tuple(face for _, face in view.hand)
        next_count = view.counts[view.after(view.turn)]
        best, chosen, ties = float("-inf"), plays[0], 0
        for play in plays:
            worth = self._worth(view, hand, play, next_count)
            if worth > best:
                best, chosen, ties = worth, play, 1
            elif worth == best:
                ties += 1
                if self.dice.randrange(ties) == 0:
                    chosen = play
        return chosen

    def _worth(self, view: View, hand: tuple[int, ...], play: Play, next_count: int) -> float:
        weights, pack = self.weights, view.rules.pack
        face = play.face
        rest = list(hand)
        rest.remove(face)
        kind = pack.kinds[face]
        if not rest:
            return 100.0
        colour = play.colour if kind.wild else kind.colour
        fits = pack.fits[colour][face]
        worth = weights.follow * sum(other in fits and pack.colour[other] != WILD for other in rest) / len(rest)
        worth += weights.points * kind.points / 50
        near = weights.near[next_count] if next_count < len(weights.near) else 1.0
        worth += weights.hurt * near * _HURTS.get(kind.effect, 0.0)
        if kind.wild:
            worth -= weights.wild * min(1.0, len(rest) / 4) / near
        if kind.effect == "wild_draw_four" and view.rules.challenge:
            matches = pack.matches[view.colour]
            worth -= weights.wrong * any(other in matches for other in rest)
        if kind.effect == "reverse":
            worth += weights.turn_round * (view.counts[view.before(view.turn)] - next_count)
        return worth

    def say(self, view: View, /) -> Say:
        return Say.CALL if view.uncalled == view.seat else Say.CATCH


def sensible(dice: Dice) -> Sensible:
    """A `Sensible` player."""
    return Sensible(dice)
