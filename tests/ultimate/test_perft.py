"""Counts of all legal sequences to a depth, for deals by seed (`perft/*.perft`): any slip in the rules changes a
number. As in tests/engine/test_perft.py: after the deal the dealer's dice lie still; a choice of a seat is one step, an
UNO window is one step with three branches."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2puno.dealer import OpenDealer
from p2puno.needs import Decide, Window
from p2puno.rules import Rules
from p2puno.ultimate.engine import UltimateGame
from p2puno.view import legal, view
from tests.engine.table import Fixed, Seeded
from tests.engine.test_perft import count, read
from tests.ultimate.table import start

FILES = ("dc", "marvel")


def deal(game: str, words: dict[str, str]) -> tuple[UltimateGame, OpenDealer]:
    """A hand at its first choice. `walk`: so many first moves are made, so that cards lie on the table."""
    options = dict(words)
    seed, heroes, skip = int(options.pop("seed")), options.pop("heroes").split("+"), int(options.pop("walk", "0"))
    hand, dealer = start(Rules.make(game, heroes=heroes, **options), len(heroes), 0, Seeded(seed))
    dice = Seeded(seed + 1)
    while not isinstance(hand.need, Decide) or skip:
        if isinstance(hand.need, Decide):
            skip -= 1
            moves = legal(view(hand, hand.need.seat))
            hand.apply(moves[dice.randrange(len(moves))])
        elif isinstance(hand.need, Window):
            hand.apply(hand.default(hand.need))
        else:
            dealer.serve(hand)
    return hand, dealer.copy(Fixed())


@pytest.mark.parametrize(("game", "words", "counts"), [line for name in FILES for line in
                         read(Path(__file__).parent / "perft" / f"{name}.perft")])  # fmt: skip
def test_perft(game, words, counts):
    hand, dealer = deal(game, words)
    assert [count(hand, dealer, depth) for depth in range(1, len(counts) + 1)] == counts
