"""What the set-up of a table takes where every player has a machine of their own.

    python -m bench.cores [--seats N …] [--delay MS …]

The nodes are real, with the real group, but live in one simulation. What a seat computes is measured in CPU time and
keeps this seat busy on the simulation's clock, and nobody else; what it sends leaves when it is through. So ten seats
have ten cores where this machine has two. Links, TLS, journal and screen are not in it (`bench.setup` has them).
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from bench.steady import Steady
from protocol.signals import Event

TARGETS = {4: 0.345, 10: 0.845}
"""Seconds of computing on the longest way through a set-up with one pile: 0.25 and 0.6 for the decks, a third more for
the escrow, 0.01 and 0.045 for the deal."""


class Cores(Steady):
    """A table at which every seat computes on a core of its own."""

    def __init__(self, variant: str, players: int, delay: float, seed: int, weight: float = 1.0) -> None:
        """`weight`: how many seconds of the table's clock a second of computing takes; 0 leaves only the way."""
        self._weight = weight
        self._inbox: list[deque[Event]] = [deque() for _ in range(players)]
        self._busy = [False] * players
        super().__init__(variant, players, delay, seed)

    def feed(self, seat: int, event: Event) -> None:
        self._inbox[seat].append(event)
        if not self._busy[seat]:
            self._next(seat)

    def _next(self, seat: int) -> None:
        """Begin with what came first, and be through when it is computed."""
        self._busy[seat] = bool(self._inbox[seat])
        if not self._busy[seat]:
            return
        event = self._inbox[seat].popleft()
        node = self.peers[seat].node
        before = time.process_time()
        effects = node.handle(event, self.now)
        took = self._weight * (time.process_time() - before)

        def through() -> None:
            self.perform(seat, effects)
            self._next(seat)

        self.at(self.now + took, through)

    def at(self, time: float, action: Callable[[], None]) -> None:
        super().at(max(time, self.now), action)  # a node that was busy asks to be woken in the past


@dataclass(frozen=True)
class Cost:
    """Seconds of one set-up, and how many of them are the way's alone."""

    setup: float
    way: float

    @property
    def computing(self) -> float:
        """Seconds by which computing makes the set-up longer."""
        return self.setup - self.way


def _setup(table: Cores) -> float:
    table.start()
    nodes = [peer.node for peer in table.peers]
    table.run_until(lambda: all(node.setup_seconds for node in nodes))
    return max(node.setup_seconds for node in nodes)


def measure(variant: str, players: int, delay: float, seed: int = 1) -> Cost:
    """One set-up with `delay` seconds each way."""
    way = _setup(Cores(variant, players, delay, seed, weight=0.0)) if delay else 0.0
    return Cost(_setup(Cores(variant, players, delay, seed)), way)


def main() -> None:
    arguments = argparse.ArgumentParser(description="set-up where every seat has a core, beside the targets")
    arguments.add_argument("--seats", type=int, nargs="*", default=[4, 10])
    arguments.add_argument("--delay", type=float, nargs="*", default=[0.0, 20.0, 100.0], help="milliseconds each way")
    arguments.add_argument("--variant", default="dbz")
    options = arguments.parse_args()
    for seats in options.seats:
        for milliseconds in options.delay:
            cost = measure(options.variant, seats, milliseconds / 1000)
            target = f" (target {TARGETS[seats]} s)" if seats in TARGETS else ""
            print(
                f"{options.variant}, {seats} seats with a core each, {milliseconds:.0f} ms each way: set-up "
                f"{cost.setup:.2f} s, of which the way {cost.way:.2f} s, computing {cost.computing:.2f} s{target}",
                flush=True,
            )


if __name__ == "__main__":
    main()
