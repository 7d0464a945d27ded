"""The table of the cheats, docs/cheats.md, says what the tests and the testkit hold."""

from __future__ import annotations

import re

from tests.testkit.where import TABLE, played_by, scenarios, table

CHEATS = range(1, 58)
UNPLAYED = {52}
"""What is said by voice is in no program."""


def rows() -> dict[int, list[str]]:
    lines = [line.strip("| ").split(" | ") for line in TABLE.read_text("utf-8").splitlines() if line.startswith("| C")]
    return {int(line[0][1:]): line for line in lines if line[0] != "C"}


def test_the_table_is_as_the_tests_and_scenarios_are() -> None:
    text = TABLE.read_text("utf-8")
    assert table(text) == text, "python -m tests.testkit.where"
    assert list(rows()) == list(CHEATS)


def test_every_cheat_is_played() -> None:
    played = played_by()
    assert set(CHEATS) - played.keys() == UNPLAYED
    assert not (played.keys() | scenarios().keys()) - set(CHEATS)


def test_whoever_is_named_is_named_by_a_journal() -> None:
    """Each cheat that convicts has its scenario."""
    named = {number for number, row in rows().items() if re.search(r"\bnamed\b", row[2])}
    assert named
    assert named <= scenarios().keys()
