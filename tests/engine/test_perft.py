"""Counts of all legal sequences to a depth, for deals by seed (`perft/*.perft`): any slip in the rules changes a
number.

After the deal the dealer's dice lie still, so nothing but the moves branches. A choice of a seat is one step; an UNO
window is one step with three branches: the next seat catches, the offender calls, nobody speaks. A hand that has ended
counts as one sequence at every greater depth.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from p2puno.dealer import OpenDealer
from p2puno.engine import Game
from p2puno.needs import Decide, Over, Window
from p2puno.rules import Rules
from p2puno.view import legal, view
from tests.engine.table import Fixed, Seeded, says


def read(path: Path) -> list[tuple[str, dict[str, str], list[int]]]:
    """The lines of a perft file: the game, `key=value` words (seed, players, options), then counts for depth 1, 2,
    ..."""
    lines = []
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            setup, _, counts = line.partition(":")
            words = dict(word.split("=") for word in setup.split())
            lines.append((path.stem, words, [int(count) for count in counts.split()]))
    return lines


def count(game: Game, dealer: OpenDealer, depth: int) -> int:
    """How many sequences of `depth` steps are legal."""
    while not isinstance(game.need, Decide | Window | Over):
        dealer.serve(game)
    need = game.need
    if depth == 0 or isinstance(need, Over):
        return 1
    if isinstance(need, Decide):
        answers = legal(view(game, need.seat))
    else:
        answers = [says(need, f"catch {need.seats[0]}"), says(need, "call"), says(need, "pass")]
    total = 0
    for answer in answers:
        twin = game.copy()
        twin.apply(answer)
        total += count(twin, dealer.copy(Fixed()), depth - 1)
    return total


def deal(variant: str, seed: int, players: int, options: dict[str, str]) -> tuple[Game, OpenDealer]:
    rules = Rules.make(variant, **options)
    game, dealer = Game(rules, players, 0), OpenDealer(rules, players, Seeded(seed))
    while not isinstance(game.need, Decide):
        dealer.serve(game)
    return game, dealer.copy(Fixed())


READ = [line for path in sorted((Path(__file__).parent / "perft").glob("*.perft")) for line in read(path)]


@pytest.mark.parametrize(("variant", "words", "counts"), READ)
def test_perft(variant, words, counts):
    words = dict(words)
    game, dealer = deal(variant, int(words.pop("seed")), int(words.pop("players")), words)
    assert [count(game, dealer, depth) for depth in range(1, len(counts) + 1)] == counts
