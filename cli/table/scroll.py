"""Where in the event log the player reads: at its newest line, or somewhere before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WHEEL: Final = 3
"""Lines for a notch of the mouse wheel."""

CLOSING: Final = ("l", "escape", "enter", "q")


@dataclass(slots=True)
class Scroll:
    """`open`: the log has the whole screen; `end`: how many lines of all there ever were stand up to the last one
    shown, -1: the newest is shown and new ones come into sight."""

    open: bool = False
    end: int = -1

    def close(self) -> None:
        """Back to the newest line, and to the table."""
        self.open, self.end = False, -1

    def press(self, key: str, first: int, total: int, page: int) -> bool:
        """Take a key; whether it was for the log. The log holds the lines from `first` up to `total`."""
        if key == "l" and not self.open:
            self.open = True
        elif self.open and key in CLOSING:
            self.close()
        else:
            steps = {"pageup": -page, "pagedown": page, "wheelup": -WHEEL, "wheeldown": WHEEL}
            if self.open:
                steps |= {"up": -1, "down": 1, "home": -total, "end": total}
            if key not in steps:
                return self.open  # while it is open no key means anything else
            at = total if self.end < 0 else self.end
            at = max(at + steps[key], min(first + page, total))
            self.end = -1 if at >= total else at
        return True
