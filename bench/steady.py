"""Simulated tables whose frames all take the same time, and whose players think no time at all."""

from __future__ import annotations

from p2puno.rules import Rules
from tests.protocol.simulator import Simulation

HEROES = {
    "dc": ("aquaman", "green_lantern", "superman", "wonder_woman"),
    "marvel": ("shuri", "black_widow", "hulk", "captain_america"),
}


class Steady(Simulation):
    """A table with one constant delay on all links, in seconds each way."""

    def __init__(self, variant: str, players: int, delay: float, seed: int) -> None:
        chosen = {"heroes": HEROES[variant][:players]} if variant in HEROES else {}
        super().__init__(seed, players, Rules.make(variant, **chosen), pace=0.0, delay=delay)

    def _carry(self, sender: int, receiver: int, frame: bytes) -> None:
        link = self._up.get((min(sender, receiver), max(sender, receiver)))
        if link is not None:
            self.at(self.now + self.delay, lambda: self._arrive(sender, receiver, frame, link))
