"""The second reading of journals beside the table machine, on fresh tables and on files that somebody meddled with."""

from __future__ import annotations

import hashlib
import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from p2puno.rules import Rules
from protocol import audit as machine
from protocol import reading
from protocol.errors import CheatProven, FileProblem
from protocol.journal import Reader
from protocol.messages import Charter, Place
from protocol.reading.ledger import Ledger
from protocol.reading.standing import Standing
from protocol.steps import first_seat
from protocol.table import Table
from tests.protocol.readings import audit, essence, judge
from tests.protocol.simulator import Simulation
from tests.testkit.card import FOLDER

HEROES = {"dc": ("aquaman", "superman", "wonder_woman"), "marvel": ("hulk", "thor", "shuri")}
DAMAGED = ("good-two-hands", "good-forfeit", "good-returns", "c06-silent-in-setup", "c40-too-late")


@pytest.mark.parametrize("variant", ["batman", "dbz", "dc", "marvel"])
def test_fresh_tables_are_read_alike(variant: str, tmp_path: Path) -> None:
    options = {"heroes": HEROES[variant]} if variant in HEROES else {"hand_size": 5}
    table = Simulation(11, 3, Rules.make(variant, **options), bot="random")
    table.start()
    table.run_until(lambda: table.peers[0].node.turns >= 6)
    table.crash(2)
    table.run_until(lambda: all(peer.closed for peer in table.peers[:2]))
    for seat in (0, 1):
        verdict = audit(table.write(seat, tmp_path / f"{seat}.p2puno"))
        assert verdict.ended
        assert 2 in verdict.missed


def test_of_two_who_falls_silent_before_the_second_deal_forfeits(tmp_path: Path) -> None:
    table = Simulation(0, 2, Rules.make("batman", hand_size=5, hands=2, grace_seconds=15), bot="sensible")
    table.start()
    table.run_until(lambda: table.peers[0].node.table.hand == 2)
    table.crash(1)
    table.run_until(lambda: table.peers[0].closed)
    verdict = audit(table.write(0, tmp_path / "0.p2puno"))
    assert verdict.exit_code == 0
    assert [(each.seat, each.how) for each in verdict.departures] == [(1, "forfeited")]


def test_without_an_escrow_who_falls_silent_before_the_deal_is_done_without(tmp_path: Path) -> None:
    table = Simulation(3, 3, Rules.make("batman", hand_size=5, drop_outs=0))
    table.start()
    table.run_until(lambda: table.peers[0].node.table.step.what == "shuffle")
    table.crash(2)
    table.run_until(lambda: all(peer.closed for peer in table.peers[:2]))
    for seat in (0, 1):
        verdict = audit(table.write(seat, tmp_path / f"{seat}.p2puno"))
        assert verdict.exit_code == 0
        assert list(verdict.missed) == [2]


@given(lot=st.integers(0, 2**256 - 1), starter=st.sampled_from(("random", "youngest", "1", "7", "10")),
       ages=st.lists(st.sampled_from((0, 0, 8, 8, 30)), min_size=2, max_size=10))  # fmt: skip
def test_both_readings_draw_the_same_first_dealer(lot: int, starter: str, ages: list[int]) -> None:
    """R2."""
    roster = tuple(Place(bytes([seat]) * 32, "Mia", False, "", age, ()) for seat, age in enumerate(ages))
    rules = Rules.make("batman", starter=starter)
    charter = Charter(1, rules.encode(), (), roster, bytes(32))
    assert Standing(charter, rules, Ledger()).first_dealer(lot) == first_seat(starter, lot.to_bytes(32, "big"), ages)


def test_a_fault_that_all_players_share_does_not_hide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where every program hashes another public state, they agree and their machine reads all is well."""

    def forgetful(table: Table, silent: tuple[int, ...]) -> bytes:
        return hashlib.sha256(b"forgetful" + table.row + bytes(table.present)).digest()

    monkeypatch.setattr("protocol.table.public_state", forgetful)
    table = Simulation(11, 2, Rules.make("batman", hand_size=5))
    table.run()
    path = table.write(0, tmp_path / "0.p2puno")
    assert machine.audit(path).exit_code == 0
    verdict = reading.read(path)
    assert verdict.exit_code == CheatProven.exit_code
    assert "another public state than its row leads to" in verdict.problem


@cache
def entries_of(name: str) -> tuple[Charter, tuple[bytes, ...]]:
    reader = Reader(FOLDER / f"{name}.p2puno")
    return reader.charter, tuple(reader.raw())


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(name=st.sampled_from(DAMAGED), kind=st.sampled_from(("left out", "doubled", "swapped", "changed", "cut")),
       seed=st.integers(0, 2**32))  # fmt: skip
def test_c49_damaged_files_are_read_alike(name: str, kind: str, seed: int) -> None:
    """Entries left out, doubled, swapped, changed in one bit, cut off: the same exit code at the same place."""
    charter, whole = entries_of(name)
    entries, dice = list(whole), random.Random(seed)
    one, other = dice.randrange(len(entries)), dice.randrange(len(entries))
    match kind:
        case "left out":
            del entries[one]
        case "doubled":
            entries.insert(other, entries[one])
        case "swapped":
            entries[one], entries[other] = entries[other], entries[one]
        case "changed":
            changed = bytearray(entries[one])
            changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
            entries[one] = bytes(changed)
        case _:
            del entries[one:]
    verdict = judge(charter, [(number, 7 * number, raw) for number, raw in enumerate(entries, 1)])
    assert not verdict.offences


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_c49_whatever_is_in_a_file_it_is_read_to_the_end(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A byte of the file changed anywhere, its head and its charter too, or its end cut off."""
    dice = random.Random(seed)
    data = bytearray((FOLDER / "good-forfeit.p2puno").read_bytes())
    data[dice.choice((dice.randrange(700), dice.randrange(len(data))))] ^= 1 << dice.randrange(8)
    path = tmp_path_factory.mktemp("file") / "table.p2puno"
    path.write_bytes(data[: dice.randrange(len(data))] if dice.random() < 0.3 else data)
    verdict, other = reading.read(path), machine.audit(path)
    assert essence(verdict) == essence(other)
    assert (verdict.problem, verdict.hint) == (other.problem, other.hint)
    assert verdict.exit_code != FileProblem.exit_code or verdict.problem
