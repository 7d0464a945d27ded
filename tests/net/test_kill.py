"""kill -9 in the middle of a hand: the same command goes on at the same seat, and the table comes to its end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.net.kill import VARIANTS, exact, storm

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL, and locks that go with their process")


def test_killed_programs_come_back_to_their_hand(tmp_path: Path) -> None:
    """Two of four programs, one after the other."""
    table = storm(tmp_path, seed=1, kills=2, options=("--option", "hand_size=9"))
    assert table.kills == 2
    assert [program.starts for program in table.programs].count(2) == 2
    again = [program.said for program in table.programs if program.starts == 2]
    assert all(said.startswith("Going on at the table of ") for said in again)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_deaths_between_any_two_deeds(tmp_path: Path, seed: int) -> None:
    """Between writing and sending, in the middle of a write, before and after the secrets are on the disk; often
    several seats at once."""
    assert exact(tmp_path, seed, kills=8, options=VARIANTS[seed % len(VARIANTS)]).kills


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_storms_of_kills(tmp_path: Path, seed: int) -> None:
    """Every seat of every game in turn; `python -m tests.net.kill` has parameters."""
    assert storm(tmp_path, seed, kills=4, options=VARIANTS[seed % len(VARIANTS)]).kills
