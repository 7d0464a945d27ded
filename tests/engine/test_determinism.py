"""The same rules and answers give the same bytes: on every machine, Python and hash seed.

The golden values change only when the rules or the layout of the state change, and then on purpose.
"""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256

import pytest

from p2puno.bots import random_legal, sensible
from p2puno.dealer import OpenDealer, play_hand
from p2puno.engine import Game
from p2puno.rules import Rules
from tests.engine.table import Seeded

GOLDEN = {
    (2, 1): "efc27030199c5cb0",
    (4, 2): "69863248619fae27",
    (10, 3): "5aed78b7f4580dad",
}
RULES = "8f7f85047253388b"


def chain(players: int, seed: int) -> str:
    """One hash over all states of a hand."""
    rules, dice = Rules.make("batman"), Seeded(seed)
    game, dealer = Game(rules, players, 0), OpenDealer(rules, players, dice)
    seats = [sensible(dice) if seat % 2 else random_legal(dice, forgets=True) for seat in range(players)]
    total = sha256(game.state_hash())
    play_hand(game, dealer, seats, lambda _: total.update(game.state_hash()))
    return total.hexdigest()[:16]


@pytest.mark.parametrize(("players", "seed"), GOLDEN)
def test_states_hash_to_the_golden_values(players, seed):
    assert chain(players, seed) == GOLDEN[players, seed]


def test_the_rules_hash_to_the_golden_value():
    assert Rules.make("batman").digest().hex()[:16] == RULES


@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_another_hash_seed_gives_the_same_states(hash_seed):
    code = "from tests.engine.test_determinism import GOLDEN, chain; print([chain(*key) for key in GOLDEN])"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert run.stdout.strip() == str(list(GOLDEN.values()))
