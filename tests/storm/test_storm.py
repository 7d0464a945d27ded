"""A few hundred tables in bad weather, fifty of them under `make test` (ten thousand: `python -m tests.storm`): no
honest seat is blamed, none is stuck or differs, nothing signed is lost. In a process of its own: the group to look
through must come before all imports."""

from __future__ import annotations

import subprocess
import sys

import pytest


def parts(most: int) -> list[object]:
    """The first numbers of parts of 25 tables: two of them are for `make test`."""
    return [pytest.param(n, marks=() if n < 50 else pytest.mark.more) for n in range(0, most, 25)]


@pytest.mark.parametrize("first", parts(200))
def test_tables_in_bad_weather(first: int) -> None:
    storm("--first", str(first), "--tables", "25", "--most", "4")


@pytest.mark.parametrize("first", [0, pytest.param(20, marks=pytest.mark.more)])
def test_tables_with_a_cheat(first: int) -> None:
    """Whatever one seat does, the others end with one result and blame nobody else; its journal readers neither."""
    storm("--villains", "--first", str(first), "--tables", "20", "--most", "5")


@pytest.mark.parametrize("first", [0, pytest.param(10, marks=pytest.mark.more)])
def test_tables_with_a_cheat_at_the_end(first: int) -> None:
    """It tells two stories of the last thing that it owes."""
    storm("--finale", "--first", str(first), "--tables", "10", "--most", "5")


def test_both_readings_take_a_seat_off_where_there_is_nothing_to_open() -> None:
    """All piles are empty when a cheat is removed: nobody owes anything, and the step ends at once."""
    storm("--finale", "--first", "3016", "--tables", "1")


@pytest.mark.parametrize(
    "seed",
    [2173, 2019, 40590, 41279],
    ids=["a shuffle of one card", "some votes, then a departure", "a clerk of the hand", "an empty stock"],
)
def test_both_readings_count_alike(seed: int) -> None:
    """The machine and the second reading: the steps of a pile that has a single card when it is made anew; who was
    absent in a step that ended by a departure while some had voted against another seat; who says that a seat departs,
    where the first one is back in the middle of a hand in which it has no part; what a leave gives that is signed
    before the piles are made anew and takes effect in the middle of that shuffle."""
    storm("--first", str(seed), "--tables", "1")


def storm(*words: str) -> None:
    """Run such tables in a process of their own."""
    words = (*words, "--jobs", "1")
    run = subprocess.run(
        [sys.executable, "-m", "tests.storm", *words], capture_output=True, text=True, check=False, timeout=1200
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 failed" in run.stdout
    assert "faults: " in run.stdout
