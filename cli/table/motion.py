"""What moves on the full screen for a moment: a played card lands on the pile, drawn cards count up, the turn goes on.

Only the look of something moves. Every frame shows the table as it stands, nobody waits for a frame, the first key ends
them all, and nothing blinks: what lights up goes out once. Nothing here knows a clock; the time is told.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from p2puno.happenings import What
from protocol.events import Event, Happened

FRAME: Final = 0.08
"""Seconds that a frame stands."""
FRAMES: Final = 4
"""How many frames a movement has: a third of a second in all."""


@dataclass(frozen=True, slots=True)
class Moving:
    """One frame. `landing`: how far the card just played is from lying still (0: it does); `drew`: by seat, how many
    cards it has drawn, as far as they are counted; `turn`: the seat that the turn has just come to, -1 for none."""

    landing: int = 0
    drew: Mapping[int, int] = field(default_factory=dict)
    turn: int = -1

    def count(self, seat: int) -> str:
        """What stands beside the number of cards of this seat: "+2", or nothing."""
        return f"+{self.drew[seat]}" if seat in self.drew else ""


STILL: Final = Moving()


class Motion:
    """Fed with every event of the table and the time; nothing ever moves where it is not `on`."""

    def __init__(self, on: bool) -> None:
        self._on = on
        self._played = -math.inf  # when
        self._drew: dict[int, tuple[int, float]] = {}  # cards and when, by seat
        self._turn, self._turned = -1, -math.inf  # whose, and when

    def take(self, event: Event, now: float) -> bool:
        """Let move what this event moves. Returns whether anything moves that stood still before."""
        moved = self.rest(now) >= 0
        for h in event.happenings if self._on and isinstance(event, Happened) else ():
            if h.what is What.PLAYED:
                self._played = now
            elif h.what is What.DREW and h.n:
                self._drew[h.seat] = h.n + self.frame(now).drew.get(h.seat, 0), now
            elif h.what is What.TURN:
                self._turn, self._turned = h.seat, now
        return not moved and self.rest(now) >= 0

    def stop(self) -> None:
        """Let everything stand still at once."""
        self._played = self._turned = -math.inf
        self._drew.clear()

    def frame(self, now: float) -> Moving:
        """What is to be drawn now."""
        landing = FRAMES - self._number(self._played, now)
        drew = {
            seat: math.ceil(n * (number + 1) / FRAMES)
            for seat, (n, began) in self._drew.items()
            if (number := self._number(began, now)) < FRAMES
        }
        return Moving(landing, drew, self._turn if self._number(self._turned, now) < FRAMES else -1)

    def rest(self, now: float) -> float:
        """Seconds until the next frame; -1 where nothing moves."""
        began = (self._played, self._turned, *(began for _, began in self._drew.values()))
        ends = (
            when + FRAME * (self._number(when, now) + 1) - now for when in began if self._number(when, now) < FRAMES
        )
        return min(ends, default=-1)

    @staticmethod
    def _number(began: float, now: float) -> int:
        """The number of the frame, from 0; `FRAMES` when all are over. The least bit too early counts as in time."""
        frames = (now - began) / FRAME + 1e-6
        return math.floor(frames) if frames < FRAMES else FRAMES
