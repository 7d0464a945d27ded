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
from p2puno.moves import Accept, Challenge, Move, Pick, Play, Wish, WishFor
from p2puno.needs import Say
from p2puno.ultimate.view import UltimateView
from p2puno.view import View, legal, odds


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each thought counts. `hurt` is by how much the next player suffers, times `near` by its cards left;
    `shed`: to be rid of one card more; `hands`: for each card that a swapped hand is smaller."""

    challenge_from: float = 0.5  # odds; a wrong challenge costs two cards more, a right one saves four and the turn
    follow: float = 3.0
    wild: float = 6.0
    wrong: float = 4.0
    points: float = 0.5
    hurt: float = 0.1
    near: tuple[float, ...] = (0.0, 4.0, 2.5, 1.6)
    turn_round: float = 0.8
    shed: float = 4.0
    hands: float = 1.0


WEIGHTS: Final = Weights()
_HURTS: Final = {"draw_two": 1.0, "skip": 0.7, "wild_draw_four": 1.6, "bat_signal": 1.2, "wish": 1.0}


class Sensible:
    """A sensible player of every game (UNO Ultimate: heroic.py). `dice` break ties, so that it cannot be read like a
    book."""

    def __init__(self, dice: Dice, weights: Weights = WEIGHTS) -> None:
        self.dice = dice
        self.weights = weights
        self.heroic = Heroic(dice)

    def __call__(self, view: View, /) -> Move:
        if isinstance(view, UltimateView):
            return self.heroic(view)
        moves = legal(view)
        first = moves[0]
        if isinstance(first, Accept):
            # more cards at stake make the two of a wrong challenge matter less
            surely = self.weights.challenge_from * 4 / view.owed
            return Challenge() if Challenge() in moves and odds(view) >= surely else first
        if isinstance(first, Pick):
            return min(moves, key=lambda move: view.counts[move.value] if isinstance(move, Pick) else 0)
        cards: list[Play | Wish] = [move for move in moves if isinstance(move, Play | Wish)]
        called = [card for card in cards if card.uno]
        if called and (isinstance(first, Play) or len(called) * 2 == len(cards)):
            cards = called
        if len(cards) < 2:
            return (cards or moves)[0]
        hand = tuple(face for _, face in view.hand)
        next_count = view.counts[view.after(view.turn)]
        best, chosen, ties = float("-inf"), cards[0], 0
        for card in cards:
            if isinstance(card, Play):
                worth = self._worth(view, hand, card, next_count, view.colour)
            else:
                worth = self._wish_worth(view, hand, card, next_count)
            if worth > best:
                best, chosen, ties = worth, card, 1
            elif worth == best:
                ties += 1
                if self.dice.randrange(ties) == 0:
                    chosen = card
        return chosen

    def _near(self, count: int) -> float:
        """How much it matters to stop a player with so many cards."""
        near = self.weights.near
        return near[count] if count < len(near) else 1.0

    def _worth(self, view: View, hand: tuple[int, ...], play: Play, next_count: int, before: int) -> float:
        """What it is worth to play a card on the colour `before`."""
        weights, pack = self.weights, view.rules.pack
        face = play.face
        rest = list(hand)
        rest.remove(face)
        kind = pack.kinds[face]
        if not rest:
            return 100.0
        colour = play.colour if kind.wild else kind.colour
        if colour >= 0:
            fits = pack.fits[colour][face]
            follow = sum(other in fits and pack.colour[other] != WILD for other in rest)
        else:  # a Wish names its colour later
            follow = max(sum(pack.colour[other] == named for other in rest) for named in range(4))
        worth = weights.follow * follow / len(rest)
        worth += weights.points * kind.points / 50
        near = self._near(next_count)
        worth += weights.hurt * near * _HURTS.get(kind.effect, 0.0)
        if view.rules.seven_zero and kind.value in (7, 0):
            others = [count for seat, count in enumerate(view.counts) if view.living[seat] and seat != view.seat]
            coming = min(others) if kind.value == 7 else view.counts[view.before(view.turn)]
            worth += weights.hands * (len(rest) - coming)
        if kind.wild:
            worth -= weights.wild * min(1.0, len(rest) / 4) / near
        if kind.effect == "wild_draw_four" and view.rules.challenge:
            matches = pack.matches[before]
            worth -= weights.wrong * any(other in matches for other in rest)
        if kind.effect == "reverse":
            worth += weights.turn_round * (view.counts[view.before(view.turn)] - next_count)
        return worth

    def _wish_worth(self, view: View, hand: tuple[int, ...], move: Wish, next_count: int) -> float:
        """What it is worth to name this colour with this wish."""
        weights, pack = self.weights, view.rules.pack
        if move.wish == WishFor.PLAY:
            play = Play(move.slot, move.face, move.card_colour, move.uno)
            called = move.uno or len(hand) != 2 or not view.rules.uno_penalty
            return weights.shed + called + self._worth(view, hand, play, next_count, move.colour)
        worth = weights.follow * sum(pack.colour[face] == move.colour for face in hand) / len(hand)
        if move.wish == WishFor.DRAW:
            worth += weights.hurt * self._near(next_count)
        elif move.wish == WishFor.SKIP:
            worth += weights.hurt * _HURTS["skip"] * self._near(view.counts[move.target])
        elif move.wish == WishFor.REVERSE:
            worth += weights.turn_round * (view.counts[view.before(view.turn)] - next_count)
        return worth

    def say(self, view: View, /) -> Say:
        return Say.CALL if view.uncalled == view.seat else Say.CATCH


def sensible(dice: Dice) -> Sensible:
    """A `Sensible` player."""
    return Sensible(dice)
