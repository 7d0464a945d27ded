"""Moments at which something is to be looked at, and the one task that waits for them."""

from __future__ import annotations

import math

import trio


class Alarm:
    """Any number of moments, on trio's clock."""

    def __init__(self) -> None:
        self._moments: list[float] = []
        self._changed = trio.Event()

    def set(self, at: float) -> None:
        """Ring at this moment, too."""
        self._moments.append(at)
        self._changed.set()

    async def ring(self) -> float:
        """Wait until a moment has come; returns what time it is. All moments until then are over."""
        while True:
            with trio.move_on_at(min(self._moments, default=math.inf)):
                await self._changed.wait()
            self._changed = trio.Event()
            now = trio.current_time()
            if any(at <= now for at in self._moments):
                self._moments = [at for at in self._moments if at > now]
                return now
