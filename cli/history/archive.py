"""The finished tables and the standings as somebody goes through them: keys go in, a journal to be shown comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from cli.history.past import Past
from cli.history.stats import Tally, tallies
from cli.table.key_words import no_use

PAGE = 8
"""Lines that PgUp and PgDn go on."""


class View(StrEnum):
    """What is listed."""

    TABLES = "tables"
    STANDINGS = "standings"


@dataclass(slots=True)
class Archive:
    """`pasts`: the newest first. `cursor`: the line in each list; `wanted`: the journal to be shown again, None after
    the screen was closed; `note`: what was wrong with the last one."""

    pasts: list[Past]
    view: View = View.TABLES
    cursor: dict[View, int] = field(default_factory=lambda: dict.fromkeys(View, 0))
    wanted: Path | None = None
    note: str = ""
    help: bool = False
    players: list[Tally] = field(init=False)

    def __post_init__(self) -> None:
        self.players = tallies(self.pasts)

    @property
    def at(self) -> int:
        """The line under the cursor."""
        return self.cursor[self.view]

    @property
    def count(self) -> int:
        """Lines of the list that is shown."""
        return len(self.pasts if self.view is View.TABLES else self.players)

    @property
    def past(self) -> Past | None:
        """The table under the cursor, None where none is listed."""
        return self.pasts[self.at] if self.view is View.TABLES and self.pasts else None

    @property
    def player(self) -> Tally | None:
        """The player under the cursor, None where none is listed."""
        return self.players[self.at] if self.view is View.STANDINGS and self.players else None

    def press(self, key: str) -> bool:
        """Take a key; whether the screen is to be left: for the journal `wanted`, or for good."""
        self.note, self.wanted = "", None
        if self.help:
            self.help = False
            return False
        steps = {"up": -1, "down": 1, "pageup": -PAGE, "pagedown": PAGE, "wheelup": -1, "wheeldown": 1}
        steps |= {"home": -self.count, "end": self.count}
        if key in steps:
            self.move_to(self.at + steps[key])
        elif key == "s":
            self.view = View.TABLES if self.view is View.STANDINGS else View.STANDINGS
        elif key == "?":
            self.help = True
        elif key == "enter" and self.past is not None:
            self.wanted = Path(self.past.journal)
            return True
        elif key not in ("q", "escape"):
            self.note = no_use(key)
        return key in ("q", "escape")

    def click(self, line: int) -> bool:
        """A click on a line: the first one chooses it, the second one is Enter; whether the screen is to be left."""
        if line == self.at:
            return self.press("enter")
        self.move_to(line)
        return False

    def move_to(self, line: int) -> None:
        """Put the cursor on this line, or on the nearest one that there is."""
        self.cursor[self.view] = min(max(0, line), max(0, self.count - 1))
