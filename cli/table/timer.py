"""How much time the one who acts has left, by the clock of whoever watches (R57, R61).

The table tells only when it begins to wait; everybody counts from there. What happens at the end is the table's to say.
"""

from __future__ import annotations

import math
from typing import Final

from cli.table.session import Scene
from p2puno.needs import Decide, Window
from p2puno.view import View
from protocol.patience import AWAY

WARNING: Final = 10.0
"""Seconds before the end at which a player is warned (T12)."""


def limit(view: View | None, left: float | None) -> int:
    """Seconds for what the table waits for now; 0: no limit, nothing that a player decides, or not known. `left`: what
    is known here of a player's time, the bank included."""
    if view is None:
        return 0
    if isinstance(view.need, Window):
        return view.rules.uno_window
    if not isinstance(view.need, Decide) or left is None:
        return 0
    return max(1, round(left))


def decider_gone(scene: Scene) -> bool:
    """Whether there is no link to whoever decides now. Between two nobody can say whose fault that is, so that ends no
    turn (R57); who watches knows of no links."""
    need = scene.view.need if scene.view is not None else None
    if not isinstance(need, Decide) or len(scene.players) <= 2 or scene.seat < 0:
        return False
    return need.seat < len(scene.players) and not scene.players[need.seat].here


class Countdown:
    """Counts down what the table waits for."""

    def __init__(self) -> None:
        self._need: object = None
        self._ends = 0.0
        self._gone = False

    def see(self, view: View | None, now: float, left: float | None, gone: bool = False) -> None:
        """Look at the table after an event; a new need starts a new count. `gone`: there is no link to whoever decides,
        who is waited for no longer than that allows (docs/absence.md)."""
        need = view.need if view is not None else None
        # Needs are compared by identity: two turns of one seat may look the same.
        if need is not self._need:
            self._need = need
            self._begin(now, limit(view, left))
            self._gone = False
        if gone and not self._gone:
            self._ends = min(self._ends or math.inf, now + AWAY)
        elif self._gone and not gone:
            self._begin(now, limit(view, left))
        self._gone = gone

    def _begin(self, now: float, seconds: int) -> None:
        self._ends = now + seconds if seconds else 0.0

    def left(self, now: float) -> int:
        """Whole seconds left, at least 0; -1 where nothing is counted."""
        return max(0, int(self._ends - now + 0.999)) if self._ends else -1
