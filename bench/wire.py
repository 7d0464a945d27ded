"""What the way between the players costs: tables on simulated links with one constant delay and no computing time.

    python -m bench.wire [--players N …] [--round-trip MS …]

The times are of the simulator's clock, so they are exact and the same everywhere; what the machines compute comes on
top (bench.deck).
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import dataclass

from p2puno.happenings import What
from p2puno.rules import Rules
from protocol.events import Happened
from protocol.signals import Effect, Send, Tell
from tests.storm import glass

glass.put()  # the proofs are made and checked with a group that costs nothing

from bench.steady import Steady  # noqa: E402


class Wire(Steady):
    """A table that counts what seat 0 sends, and when turns begin."""

    def __init__(self, variant: str, players: int, round_trip: float, seed: int) -> None:
        super().__init__(variant, players, round_trip / 2, seed)
        self.turns: list[float] = []  # when turns began, at seat 0
        self.bytes = 0  # that seat 0 has sent

    def perform(self, seat: int, effects: list[Effect]) -> None:
        for effect in effects if seat == 0 else ():
            match effect:
                case Tell(Happened(happenings)):
                    self.turns += [self.now for happening in happenings if happening.what is What.TURN]
                case Send(to, frame):
                    self.bytes += len(frame) * (len(self.peers) - 1 if to is None else 1)
        super().perform(seat, effects)


@dataclass(frozen=True)
class Cost:
    """Of one hand: seconds of the set-up, median and longest seconds from turn to turn, bytes that seat 0 sent."""

    setup: float
    median: float
    longest: float
    turns: int
    bytes: int


def measure(variant: str, players: int, round_trip: float, seed: int = 1) -> Cost:
    """One hand."""
    wire = Wire(variant, players, round_trip, seed)
    wire.run()
    gaps = [later - earlier for earlier, later in zip(wire.turns, wire.turns[1:], strict=False)]
    setup = max(peer.node.setup_seconds for peer in wire.peers)
    return Cost(setup, statistics.median(gaps), max(gaps), len(wire.turns), wire.bytes)


def main() -> None:
    arguments = argparse.ArgumentParser(description="set-up and moves over links with a delay")
    arguments.add_argument("--players", type=int, nargs="*", default=[2, 4, 10])
    arguments.add_argument("--round-trip", type=float, nargs="*", default=[100.0], help="milliseconds")
    options = arguments.parse_args()
    for variant in ("batman", "dbz", "dc", "marvel"):
        for players in options.players:
            for milliseconds in options.round_trip:
                trip = milliseconds / 1000
                if players not in Rules.make(variant).players:
                    continue
                cost = measure(variant, players, trip)
                print(
                    f"{variant:8} {players:2} players, round trip {milliseconds:.0f} ms: set-up {cost.setup:5.2f} s = "
                    f"{cost.setup / trip:4.1f} round trips; turn to turn {cost.median:5.2f} s = "
                    f"{cost.median / trip:3.1f} (median), {cost.longest:5.2f} s (longest); {cost.turns} turns, "
                    f"{cost.bytes / 1000:.0f} KB sent by one",
                    flush=True,
                )


if __name__ == "__main__":
    main()
