"""What docs/face.md says is shown by a test is shown by one that there is."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cli.captures import captures

FOLDER = Path(__file__).parent
DOCUMENT = (FOLDER.parents[1] / "docs" / "face.md").read_text("utf-8")


def test_every_test_that_is_named_is_there() -> None:
    named = re.findall(r"`(test_\w+)::(test_\w+)`", DOCUMENT)
    assert len(named) > 50
    for file, test in named:
        assert re.search(rf"^(async )?def {test}\(", (FOLDER / f"{file}.py").read_text("utf-8"), re.MULTILINE), test


def test_the_captures_in_the_documents_are_what_is_drawn() -> None:
    """`python -m tests.cli.captures > docs/screens.md` makes them anew."""
    assert (FOLDER.parents[1] / "docs" / "screens.md").read_text("utf-8") == captures()


def test_every_report_about_the_terminal_has_its_row() -> None:
    rows = re.findall(r"^\| ([A-Z]\d\d) \|.*\| (.+) \|$", DOCUMENT, re.MULTILINE)
    assert [number for number, _ in rows if number[0] == "P"] == [f"P{n:02}" for n in range(1, 25)]
    assert all("`test_" in shown for _, shown in rows)
