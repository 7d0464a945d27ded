"""Write the testkit again: `python -m tests.testkit [NAME...]`.

It takes some minutes, as each cheat is played by its test. The bytes differ from those before: sealed shares and some
proofs are drawn anew. What the cards say must not differ, but for hashes, unless a rule or the format has changed.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from protocol.audit import audit, judge
from protocol.evidence import extract
from protocol.journal import MAGIC, Reader, record
from protocol.messages import encode
from protocol.reading import read_whole
from tests.protocol.simulator import Simulation
from tests.testkit.card import FOLDER, Card, card_of
from tests.testkit.scenarios import ALTERED, MADE, PLAYED, Altered, Keep, Made, Played

EXPECTED = {"good": 0, "bad": 4, "open": 5}
"""What scenarios whose names begin so must come to. Cheats have their tests."""
PROBLEMS: list[str] = []
"""Scenarios that are not what they say."""


class Harvest:
    """A pytest plugin that keeps the first journal that each test writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journals: dict[str, tuple[Simulation, int, Path]] = {}
        self.failed: set[str] = set()
        self._test = ""
        self._write = Simulation.write

    def pytest_configure(self) -> None:
        harvest = self

        def write(table: Simulation, seat: int, path: Path) -> Path:
            if harvest._test not in harvest.journals:
                kept = harvest._write(table, seat, harvest.folder / f"{len(harvest.journals)}.p2puno")
                harvest.journals[harvest._test] = table, seat, kept
            return harvest._write(table, seat, path)

        Simulation.write = write  # type: ignore[method-assign]

    def pytest_unconfigure(self) -> None:
        Simulation.write = self._write  # type: ignore[method-assign]

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed.add(self._test)

    def pytest_runtest_setup(self, item: Any) -> None:
        self._test = item.nodeid.removeprefix("tests/protocol/")


def wanted(names: Collection[str], scenario: Any) -> bool:
    return not names or scenario.name in names


def played(scenarios: Collection[Played], folder: Path) -> None:
    """Run the tests, and keep of the first journal of each what the scenario is about."""
    if not scenarios:
        return
    harvest = Harvest(folder)
    tests = [f"tests/protocol/{scenario.test}" for scenario in scenarios]
    pytest.main(["-q", "-p", "no:cacheprovider", *tests], plugins=[harvest])
    for scenario in scenarios:
        if scenario.test not in harvest.journals or scenario.test in harvest.failed:
            PROBLEMS.append(f"{scenario.name}: its test fails, the journal stays as it was")
            continue
        table, seat, journal = harvest.journals[scenario.test]
        out = FOLDER / f"{scenario.name}.p2puno"
        out.unlink(missing_ok=True)
        if scenario.keep is Keep.WHOLE:
            out.write_bytes(journal.read_bytes())
        elif scenario.keep is Keep.SEQUEL:
            out.write_bytes(sequel(journal))
        elif extract(read_whole(journal), out) is None:
            PROBLEMS.append(f"{scenario.name}: no evidence")
            continue
        before, after = card_of(audit(journal)), write_card(scenario.name, scenario.why, table, seat)
        if before.blame != after.blame or after.expect not in (before.expect, EXPECTED["open"]):
            PROBLEMS.append(f"{scenario.name}: the evidence says something else than the journal")


def sequel(journal: Path) -> bytes:
    """As much of a journal as it takes to see who is to blame, who was absent, and who left the table."""
    reader = Reader(journal)
    records = list(reader.entries())

    def outcome(count: int) -> tuple[object, ...]:
        card = card_of(judge(reader.charter, records[:count]))
        return card.blame, card.absent.keys(), card.departed

    whole = outcome(len(records))
    few, enough = 0, len(records)
    while few + 1 < enough:
        middle = (few + enough) // 2
        few, enough = (few, middle) if outcome(middle) == whole else (middle, enough)
    return MAGIC + record(encode(reader.charter)) + b"".join(record(raw) for _, _, raw in records[:enough])


def made(scenario: Made) -> None:
    """Play the table."""
    table = scenario.make()
    out = FOLDER / f"{scenario.name}.p2puno"
    out.unlink(missing_ok=True)
    table.write(0, out)
    card = write_card(scenario.name, scenario.why, table, 0)
    if card.expect != EXPECTED[scenario.name.split("-")[0]]:
        PROBLEMS.append(f"{scenario.name}: {audit(out).problem}")


def altered(scenario: Altered, folder: Path) -> None:
    """Change the file of a table that is cut off early."""
    sides, tables = [], []
    for seed in (1, 2):
        table = Simulation(seed, 2)
        table.start()
        table.run_until(lambda table=table: table.peers[0].node.table.step.what == "reveal")  # type: ignore[misc]
        reader = Reader(table.write(0, folder / f"{scenario.name}-{seed}.p2puno"))
        sides.append(table)
        tables.append([encode(reader.charter), *(raw for _, _, raw in reader.entries())])
    changed = scenario.change(*tables)
    data = changed if isinstance(changed, bytes) else MAGIC + b"".join(map(record, changed))
    (FOLDER / f"{scenario.name}.p2puno").write_bytes(data)
    card = write_card(scenario.name, scenario.why, sides[0], 0)
    if card.expect != EXPECTED["bad"]:
        PROBLEMS.append(f"{scenario.name}: nothing is wrong with it")


def write_card(name: str, why: str, table: Simulation, seat: int) -> Card:
    """What the audit says of a journal, as its card."""
    card = card_of(audit(FOLDER / f"{name}.p2puno"), why)
    card.seat, card.key = seat, table.identities[seat].private
    (FOLDER / f"{name}.txt").write_text(card.text(), "utf-8")
    return card


def main() -> None:
    names = sys.argv[1:]
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ALTERED:
            if wanted(names, file):
                altered(file, folder)
        for table in MADE:
            if wanted(names, table):
                made(table)
        played([scenario for scenario in PLAYED if wanted(names, scenario)], folder)
    size = sum(path.stat().st_size for path in FOLDER.glob("*.p2puno"))
    print("\n".join(PROBLEMS))
    print(f"{len(list(FOLDER.glob('*.txt')))} scenarios, {size} bytes")
    sys.exit(bool(PROBLEMS))


if __name__ == "__main__":
    main()
