"""How much time the one who acts has left, by the clock of whoever watches (R57, R61).

The table tells only when it begins to wait; everybody counts from there. What happens at the end is the table's to say.
"""

from __future__ import annotations

from typing import Final

from p2puno.needs import Decide, Window
from p2puno.view import View

WARNING: Final = 10.0
"""Seconds before the end at which a player is warned (T12)."""


def limit(view: View | None, left: float | None = None) -> int:
    """Seconds for what the table waits for now; 0: no limit, or nothing that a player decides. `left`: what the seat
    knows of a player's time, the bank included."""
    if view is None:
        return 0
    if isinstance(view.need, Window):
        return view.rules.uno_window
    if not isinstance(view.need, Decide) or not view.rules.turn_seconds:
        return 0
    return view.rules.turn_seconds if left is None else max(1, round(left))


class Countdown:
    """Counts down what the table waits for."""

    def __init__(self) -> None:
        self._need: object = None
        self._ends = 0.0

    def see(self, view: View | None, now: float, left: float | None = None) -> None:
        """Look at the table after an event; a new need starts a new count."""
        need = view.need if view is not None else None
        # Needs are compared by identity: two turns of one seat may look the same.
        if need is not self._need:
            self._need = need
            seconds = limit(view, left)
            self._ends = now + seconds if seconds else 0.0

    def left(self, now: float) -> int:
        """Whole seconds left, at least 0; -1 where nothing is counted."""
        return max(0, int(self._ends - now + 0.999)) if self._ends else -1
