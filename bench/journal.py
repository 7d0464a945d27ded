"""What a stranger's check of a journal costs beside playing it, and what the insurance against drop-outs costs.

    python -m bench.journal [--json]

Everything is measured on nodes that really play, in the simulator of the tests: four or ten of them in one process,
with every proof made and verified, and no waiting. Figures are CPU time. The absolute ones hold for one machine; the
ratios, each of two things measured in turn in one process, can be compared and are what the targets are for.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from p2puno.needs import ALL, Open
from p2puno.rules import Rules
from protocol.audit import audit
from protocol.dealing import HelpStep
from protocol.journal import Reader
from protocol.messages import open_entry
from protocol.moving import DecideStep
from protocol.reading import read
from protocol.signals import Event
from protocol.step import Done
from protocol.table import Table
from tests.protocol.simulator import Simulation

HEROES = {
    "dc": ("aquaman", "green_lantern", "superman", "wonder_woman"),
    "marvel": ("black_widow", "captain_america", "hulk", "thor"),
}
VARIANTS = ("batman", "dbz", "dc", "marvel")
SEATS = 4
SETUP_RUNS = 5
AUDIT_RUNS = 3

AUDIT_TARGET = 1.0  # of the time that it took to play
ESCROW_TARGET = 4 / 3
ABSENT_TARGET = 2.0


def rules_of(variant: str) -> Rules:
    return Rules.make(variant, **({"heroes": HEROES[variant]} if variant in HEROES else {}))


def bench_audit(variant: str, folder: Path) -> dict[str, float]:
    """A hand of four bots, and the journal of one of them read by the table machine and by `verify`'s own reading."""
    begin = time.process_time()
    table = Simulation(3, SEATS, rules_of(variant))
    table.run()
    played = time.process_time() - begin
    path = table.write(0, folder / f"{variant}.p2puno")
    seconds: dict[str, list[float]] = {"audit": [], "read": []}
    for _ in range(AUDIT_RUNS):
        for name, reader in (("audit", audit), ("read", read)):
            begin = time.process_time()
            verdict = reader(path)
            seconds[name].append(time.process_time() - begin)
            if verdict.exit_code:
                raise AssertionError(verdict.problem)
    best, second = min(seconds["audit"]), min(seconds["read"])
    return {
        "entries": verdict.entries,
        "steps": verdict.steps,
        "play_s": played,
        "audit_s": best,
        "entries_per_s": verdict.entries / best,
        "steps_per_s": verdict.steps / best,
        "ratio": best / played,
        "seat_ratio": best / (played / SEATS),
        "read_s": second,
        "read_entries_per_s": verdict.entries / second,
        "read_ratio": second / played,
    }


def setup_seconds(players: int, drop_outs: int, seed: int) -> float:
    """All seats together, from the charter to the first move."""
    table = Simulation(seed, players, Rules.make("batman", drop_outs=drop_outs))
    begin = time.process_time()
    table.start()
    table.run_until(lambda: all(isinstance(peer.node.table.step, DecideStep) for peer in table.peers))
    return time.process_time() - begin


def bench_setup(players: int) -> dict[str, float]:
    """The set-up with an escrow and without, in turn; the least of a few runs of each."""
    runs = [(setup_seconds(players, 0, seed), setup_seconds(players, 1, seed)) for seed in range(SETUP_RUNS)]
    without, with_escrow = (min(column) for column in zip(*runs, strict=True))
    return {"without_ms": 1000 * without, "with_ms": 1000 * with_escrow, "ratio": with_escrow / without}


class Watched(Simulation):
    """A table that notes how much CPU time its nodes take in each step."""

    seconds: Counter[int]

    def feed(self, seat: int, event: Event) -> None:
        number = self.peers[seat].node.table.number
        begin = time.process_time()
        super().feed(seat, event)
        self.seconds[number] += time.process_time() - begin  # type: ignore[assignment]


def bench_absent(players: int, folder: Path) -> dict[str, float]:
    """Drawing one card: while all are here, when a seat is found absent, and while it is absent."""
    drawn: dict[str, list[tuple[float, float]]] = {"normal": [], "found": [], "absent": []}
    for seed in range(6):
        table = Watched(seed, players, Rules.make("batman", hand_size=7), bot="random")
        table.seconds = Counter()
        table.start()
        table.run_until(lambda: table.peers[0].node.turns >= 40 or table.peers[0].closed)  # noqa: B023
        gone = players - 1
        table.crash(gone)
        table.run_until(lambda: table.peers[0].node.turns >= 90 or table.peers[0].closed)  # noqa: B023
        path = table.write(0, folder / f"{players}-{seed}.p2puno")
        said = Counter(open_entry(raw).body.step for _, _, raw in Reader(path).entries())
        for kind, steps in draws(path, gone):
            drawn[kind].append((sum(table.seconds[step] for step in steps), sum(said[step] for step in steps)))
    # The lower quartile: other programs on the machine make a step slower, never faster.
    usual = {
        kind: [statistics.quantiles(column, n=4, method="inclusive")[0] for column in zip(*each, strict=True)]
        for kind, each in drawn.items()
    }
    result = {f"{kind}_ms": 1000 * usual[kind][0] for kind in drawn}
    result |= {f"{kind}_entries": usual[kind][1] for kind in drawn}
    for kind in ("found", "absent"):
        result |= {
            f"{kind}_cpu_ratio": usual[kind][0] / usual["normal"][0],
            f"{kind}_entries_ratio": usual[kind][1] / usual["normal"][1],
        }
    return result


def draws(path: Path, gone: int) -> list[tuple[str, list[int]]]:
    """Of every card that one seat other than `gone` drew: "normal", "found" or "absent", and the numbers of its
    steps."""
    found: list[tuple[str, list[int]]] = []
    steps: list[int] = []
    helped = False
    absent_since = -1

    def watch(table: Table, done: list[Done]) -> None:
        nonlocal helped, absent_since
        for number, each in enumerate(done, table.number - len(done)):
            steps.append(number)
            helped |= isinstance(each.step, HelpStep) or each.need is None
            if each.need is None:
                continue
            if isinstance(each.need, Open) and len(each.need.to) == 1 and each.need.to[0][1] not in (ALL, gone):
                kind = "absent" if helped else "normal"
                if gone in table.absence.since and absent_since < 0:
                    kind = "found"
                found.append((kind, list(steps)))
            if gone in table.absence.since and absent_since < 0:
                absent_since = number
            steps.clear()
            helped = False

    audit(path, watch)
    return found


def measure() -> dict[str, Any]:
    """Everything, in the shape of the --json output."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        setup_seconds(4, 1, 0)  # makes the generators and warms up
        return {
            "audit": {variant: bench_audit(variant, folder) for variant in VARIANTS},
            "escrow": {str(players): bench_setup(players) for players in (4, 10)},
            "absent": {str(players): bench_absent(players, folder) for players in (4, 6)},
        }


def line(what: str, figure: float, unit: str, target: float | None = None) -> str:
    shown = f"{what:58} {figure:9.{0 if figure >= 100 else 2}f} {unit}"
    if target is None:
        return shown
    return f"{shown:78} target {target:5.3g}  {'ok' if figure <= target else 'over'}"


def report(results: dict[str, Any]) -> list[str]:
    """Figures, and for ratios the target beside them."""
    lines = ["CPU time of nodes that play in one process"]
    for variant, found in results["audit"].items():
        lines.append(line(f"audit, a hand of {variant}, 4 seats: entries", found["entries_per_s"], "/s"))
        lines.append(line(f"verify, a hand of {variant}, 4 seats: entries", found["read_entries_per_s"], "/s"))
        lines.append(line(f"verify, a hand of {variant}: against playing it", found["read_ratio"], "x", AUDIT_TARGET))
        lines.append(line(f"audit, a hand of {variant}, 4 seats: steps", found["steps_per_s"], "/s"))
        lines.append(line(f"audit, a hand of {variant}: against playing it", found["ratio"], "x", AUDIT_TARGET))
        lines.append(line(f"audit, a hand of {variant}: against one seat's part of that", found["seat_ratio"], "x"))
    for players, found in results["escrow"].items():
        lines.append(line(f"set-up, {players} seats, no escrow: all of them", found["without_ms"], "ms"))
        lines.append(line(f"set-up, {players} seats: with an escrow", found["ratio"], "x", ESCROW_TARGET))
    for players, found in results["absent"].items():
        what = f"a card drawn, {players} seats"
        lines.append(line(f"{what}: all of them", found["normal_ms"], "ms"))
        for kind, words in (("absent", "one absent"), ("found", "one found absent")):
            target = ABSENT_TARGET if kind == "absent" else None
            lines.append(line(f"{what}, {words}: CPU", found[f"{kind}_cpu_ratio"], "x", target))
            lines.append(line(f"{what}, {words}: entries", found[f"{kind}_entries_ratio"], "x", target))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure audits, escrow and absences beside their targets.")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    arguments = parser.parse_args()
    results = measure()
    if arguments.json:
        print(json.dumps(results))
    else:
        print("\n".join(report(results)))


if __name__ == "__main__":
    main()
