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
    ("batman", 2, 1): "c062712639e3f0a1",
    ("batman", 4, 2): "59f0a18b7a8be1fc",
    ("batman", 10, 3): "431d83763ff3b600",
    ("dbz", 2, 1): "750a3465f546ab84",
    ("dbz", 4, 2): "b837e0cc9a0dfa59",
    ("dbz", 10, 3): "bca1f766690575b8",
}
OPTIONS = {"batman": {}, "dbz": {"stacking": True, "seven_zero": True}}
RULES = {"batman": "6e2f0302aceceab0", "dbz": "5cbb3c5e2601d94b"}


def chain(variant: str, players: int, seed: int) -> str:
    """One hash over all states of a hand."""
    rules, dice = Rules.make(variant, **OPTIONS[variant]), Seeded(seed)
    game, dealer = Game(rules, players, 0), OpenDealer(rules, players, dice)
    seats = [sensible(dice) if seat % 2 else random_legal(dice, forgets=True) for seat in range(players)]
    total = sha256(game.state_hash())
    play_hand(game, dealer, seats, lambda _: total.update(game.state_hash()))
    return total.hexdigest()[:16]


@pytest.mark.parametrize("key", GOLDEN, ids=str)
def test_states_hash_to_the_golden_values(key):
    assert chain(*key) == GOLDEN[key]


@pytest.mark.parametrize("variant", RULES)
def test_the_rules_hash_to_the_golden_value(variant):
    assert Rules.make(variant).digest().hex()[:16] == RULES[variant]


@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_another_hash_seed_gives_the_same_states(hash_seed):
    code = "from tests.engine.test_determinism import GOLDEN, chain; print([chain(*key) for key in GOLDEN])"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert run.stdout.strip() == str(list(GOLDEN.values()))
