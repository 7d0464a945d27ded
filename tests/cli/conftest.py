"""One table of two hands that was played to its end, for all tests that look at it as a replay."""

from __future__ import annotations

import pytest

from cli.replay.film import Film, shoot
from p2puno.rules import Rules
from tests.cli.past_tables import Ended, play

TWO_HANDS = Rules.make("batman", hand_size=5, hands=2, challenge_shows="all")


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    return play(tmp_path_factory.mktemp("replay"), 3, TWO_HANDS, seed=4, bot="daring")


@pytest.fixture(scope="session")
def film(table: Ended) -> Film:
    return shoot(table.journal)
