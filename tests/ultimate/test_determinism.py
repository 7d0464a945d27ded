"""The same rules and answers give the same bytes: on every machine, Python and hash seed.

The golden values change only when the rules, the packs or the layout of the state change, and then on purpose.
"""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256

import pytest

from p2puno.bots import random_legal, sensible
from p2puno.dealer import play_hand
from p2puno.rules import Rules
from tests.engine.table import Seeded
from tests.ultimate.table import start

GOLDEN = {
    ("dc", "aquaman superman wonder_woman green_lantern", 1): "8cd8a93c9042d11c",
    ("marvel", "hulk thor shuri", 2): "3d7338a0913717b5",
    ("marvel", "black_widow captain_america", 3): "f2a4cac6a3595aba",
}


def chain(game: str, heroes: str, seed: int) -> str:
    """One hash over all states of a hand."""
    names = heroes.split()
    rules, dice = Rules.make(game, heroes=names), Seeded(seed)
    hand, dealer = start(rules, len(names), 0, dice)
    seats = [sensible(dice) if seat % 2 else random_legal(dice, forgets=True) for seat in range(len(names))]
    total = sha256(hand.public_bytes())
    play_hand(hand, dealer, seats, lambda _: total.update(hand.public_bytes()))
    return total.hexdigest()[:16]


@pytest.mark.parametrize("key", GOLDEN, ids=lambda key: f"{key[0]}-{key[2]}")
def test_states_hash_to_the_golden_values(key):
    assert chain(*key) == GOLDEN[key]


@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_another_hash_seed_gives_the_same_states(hash_seed):
    code = "from tests.ultimate.test_determinism import GOLDEN, chain; print([chain(*key) for key in GOLDEN])"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert run.stdout.strip() == str(list(GOLDEN.values()))
