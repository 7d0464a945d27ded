"""The testkit: one journal a scenario, read by the audit, by the second reading and by a node of a seat alike."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.audit import audit, judge
from protocol.errors import FileProblem, ForeignFile
from protocol.identity import Identity
from protocol.journal import Reader
from protocol.node import Node
from protocol.reading import judge as judge_again
from protocol.reading import read
from protocol.verdict import Verdict
from tests.testkit.card import FOLDER, Card, card_of
from tests.testkit.scenarios import ALTERED, MADE, PLAYED

NAMES = sorted(path.stem for path in FOLDER.glob("*.p2puno"))
MOST_BYTES = 4_200_000


def test_every_scenario_is_there_and_nothing_else():
    assert sorted(scenario.name for scenario in (*PLAYED, *MADE, *ALTERED)) == NAMES
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == NAMES
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MOST_BYTES


@pytest.mark.parametrize("reader", [audit, read])
@pytest.mark.parametrize("name", NAMES)
def test_a_stranger_reads_what_the_card_says(name: str, reader: Callable[[Path], Verdict]) -> None:
    card = Card.read((FOLDER / f"{name}.txt").read_text("utf-8"))
    verdict = reader(FOLDER / f"{name}.p2puno")
    assert card_of(verdict).says() == card.says()
    shown = "".join([*verdict.lines(), *verdict.blame_lines(), verdict.problem, verdict.where])
    assert not set("\x1b\x07\u202e\u200b") & set(shown)


@pytest.mark.parametrize("name", NAMES)
def test_a_seat_reads_what_the_card_says(name: str) -> None:
    """As its program does when it starts again; of a file that is damaged it believes what is signed."""
    card = Card.read((FOLDER / f"{name}.txt").read_text("utf-8"))
    if name in ("bad-format", "bad-no-journal"):
        with pytest.raises(ForeignFile):
            Reader(FOLDER / f"{name}.p2puno")
        return
    reader = Reader(FOLDER / f"{name}.p2puno")
    identity = Identity.restored(card.key)
    if card.expect == FileProblem.exit_code and identity.public not in {place.key for place in reader.charter.roster}:
        with pytest.raises(ValueError, match="no seat"):
            Node(identity, reader.charter)
        return
    node = Node(identity, reader.charter)
    node.recall(list(reader.raw()))
    table = node.table
    caught = {cheat.seat: cheat.step for cheat in (*table.proofs.wrong(table.step.what), *table.convicted.values())}
    assert set(caught) == ({card.blame[0]} if card.blame else set())
    if card.expect == FileProblem.exit_code:
        return
    assert node.seat == card.seat
    if card.blame and card.blame[1] is not None:
        assert caught[card.blame[0]] == card.blame[1]
    assert (table.number, table.state().hex(), table.scores) == (card.steps, card.state, card.scores)
    assert table.departures.gone == {seat for seat, _, _ in card.departed}
    assert {(seat, step) for seat, steps in card.absent.items() for step in steps} <= table.absence.missed
    assert table.closed or card.expect != 0


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("bad-")])
def test_c49_whatever_is_missing_from_a_file_nobody_honest_is_blamed(name: str) -> None:
    """Entries left out, repeated, or in another order: the reader never falls over, and blames nobody but the cheat."""
    card = Card.read((FOLDER / f"{name}.txt").read_text("utf-8"))
    reader = Reader(FOLDER / f"{name}.p2puno")
    entries = list(reader.raw())
    guilty = {card.blame[0]} if card.blame else set()
    dice = random.Random(name)
    for _ in range(4):
        mangled = [entry for entry in entries if dice.random() > 0.06]
        mangled += dice.sample(entries, min(3, len(entries)))
        at = dice.randrange(len(mangled))
        mangled[at : at + 6] = dice.sample(mangled[at : at + 6], len(mangled[at : at + 6]))
        records = [(number, 0, raw) for number, raw in enumerate(mangled, 1)]
        for verdict in (judge(reader.charter, records), judge_again(reader.charter, records)):
            assert {offence.seat for offence in verdict.offences} <= guilty
            assert verdict.exit_code in (0, 3, 4, 5)
