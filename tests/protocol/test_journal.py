"""The file of a table: what `audit` says of whole, changed, cut, merged and foreign ones (C49, C50)."""

from __future__ import annotations

import os
import random
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from p2puno.rules import Rules
from protocol.errors import Damaged, ForeignFile
from protocol.journal import HEAD, MAGIC, Journal, Reader, record
from protocol.messages import Charter, Entry, encode, open_entry, sign_entry
from protocol.verdict import Verdict
from tests.protocol.readings import audit
from tests.protocol.simulator import Simulation


@dataclass
class Sample:
    """A journal of two players, its bytes, and where each record begins (the charter's first)."""

    table: Simulation
    data: bytes
    places: list[int]
    entries: list[bytes]

    def joined(self, entries: list[bytes], charter: Charter | None = None) -> bytes:
        """A file with other entries."""
        return MAGIC + record(encode(charter or self.table.charter)) + b"".join(map(record, entries))


def shortest() -> Simulation:
    """The shortest of a few tables."""
    tables = []
    for seed in range(4):
        table = Simulation(seed, 2, Rules.make("batman", hand_size=5))
        table.run()
        tables.append(table)
    return min(tables, key=lambda table: len(table.peers[0].journal))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    table = shortest()
    data = table.write(0, tmp_path_factory.mktemp("journal") / "0.p2puno").read_bytes()
    places, at = [], len(MAGIC)
    while at < len(data):
        places.append(at)
        at += HEAD + int.from_bytes(data[at : at + 4], "big")
    assert at == len(data)
    return Sample(table, data, places, list(table.peers[0].journal))


@pytest.fixture
def judge(tmp_path: Path) -> Callable[[bytes], Verdict]:
    def judge(data: bytes) -> Verdict:
        path = tmp_path / "some.p2puno"
        path.write_bytes(data)
        return audit(path)

    return judge


Judge = Callable[[bytes], Verdict]


def test_round_trip(sample: Sample, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "down" / "a.p2puno"
    journal = Journal(path, sample.table.charter)
    for entry in sample.entries:
        journal.append(entry)
    journal.close()
    journal.close()
    reader = Reader(path)
    assert reader.charter == sample.table.charter
    read = list(reader.entries())
    assert [number for number, _, _ in read] == list(range(1, len(sample.entries) + 1))
    assert [offset for _, offset, _ in read] == sample.places[1:]
    assert [entry for _, _, entry in read] == sample.entries
    assert reader.cut_at is None
    assert path.read_bytes() == sample.data


def test_a_journal_is_never_overwritten(sample: Sample, tmp_path: Path) -> None:
    path = tmp_path / "a.p2puno"
    Journal(path, sample.table.charter).close()
    with pytest.raises(FileExistsError):
        Journal(path, sample.table.charter)


@pytest.mark.skipif(os.name != "posix", reason="no fcntl")
def test_a_journal_belongs_to_one_process(sample: Sample, tmp_path: Path) -> None:
    import fcntl

    journal = Journal(tmp_path / "a.p2puno", sample.table.charter)
    with (tmp_path / "a.p2puno").open("rb") as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    journal.close()


def test_the_whole_file_is_valid(sample: Sample, judge: Judge) -> None:
    verdict = judge(sample.data)
    assert verdict.exit_code == 0
    assert verdict.entries == len(sample.entries)
    assert verdict.as_json()["valid"] is True
    assert verdict.lines()[-1].startswith("valid: ")


def positions(sample: Sample) -> Iterator[int]:
    """The whole header, each end of the first and the last records, and some of everything."""
    yield from range(len(MAGIC))
    first, second, last = sample.places[0], sample.places[1], sample.places[-1]
    yield from range(first, first + HEAD)
    yield from range(second, second + HEAD)
    yield from range(last, last + HEAD)
    dice = random.Random(0)
    for begin, end in ((first, second), (second, sample.places[2]), (last, len(sample.data))):
        yield from dice.sample(range(begin + HEAD, end), 30)
    yield len(sample.data) - 1
    yield from dice.sample(range(len(sample.data)), 30)


def test_c49_any_changed_byte_is_found(sample: Sample, judge: Judge) -> None:
    """Never valid, never "unfinished", never an honest player's fault; and the place is right."""
    tried = 0
    for at in positions(sample):
        changed = bytearray(sample.data)
        changed[at] ^= 1 << at % 8
        verdict = judge(bytes(changed))
        assert verdict.exit_code == Damaged.exit_code, at
        assert verdict.blame == -1
        record_number = sum(place <= at for place in sample.places) - 1
        if record_number > 0:
            assert f"byte {sample.places[record_number]}" in verdict.where + verdict.problem, at
        tried += 1
    assert tried > 150


def test_c49_cut_at_any_place(sample: Sample, judge: Judge) -> None:
    """Inside the charter nothing can be read; later what precedes the cut is good, and never taken for the whole."""
    dice = random.Random(1)
    first, second, last = sample.places[0], sample.places[1], sample.places[-1]
    for at in [*range(len(MAGIC)), *range(first, second, 7), second - 1]:
        assert judge(sample.data[:at]).exit_code == 4, at
    ends = [second, last, *dice.sample(sample.places[2:], 10)]
    inside = [end + offset for end in ends for offset in (1, 4, HEAD - 1, HEAD, HEAD + 1, 40)]
    for at in [*ends, *inside, len(sample.data) - 1]:
        verdict = judge(sample.data[:at])
        assert verdict.exit_code == 5, at
        assert "unfinished" in verdict.problem
        cut = at not in sample.places
        assert ("cut off at byte" in verdict.problem) == cut, at
        if cut:
            assert f"byte {max(place for place in sample.places if place < at)}" in verdict.problem


def test_c49_an_entry_taken_out(sample: Sample, judge: Judge) -> None:
    """Later entries of its author show the gap; the first of them is the place."""
    for out in (0, 3, len(sample.entries) // 2):
        verdict = judge(sample.joined(sample.entries[:out] + sample.entries[out + 1 :]))
        author = open_entry(sample.entries[out]).author
        following = next(
            i for i in range(out + 1, len(sample.entries)) if open_entry(sample.entries[i]).author == author
        )
        assert verdict.exit_code == 4
        assert "stands before earlier ones, or those are missing" in verdict.problem
        assert verdict.where.startswith(f"entry {following} ")  # one less, as one is missing


def test_c49_the_order_of_different_authors_is_free(sample: Sample, judge: Judge) -> None:
    """It differs between seats anyway, as the network does; the verdict does not."""
    whole = judge(sample.data)
    dice = random.Random(2)
    for _ in range(4):
        mixed: list[bytes] = []
        queues: dict[bytes, list[bytes]] = {}
        for raw in sample.entries:
            queues.setdefault(open_entry(raw).author, []).append(raw)
        while queues:
            author = dice.choice(sorted(queues))
            mixed.append(queues[author].pop(0))
            if not queues[author]:
                del queues[author]
        verdict = judge(sample.joined(mixed))
        assert (verdict.exit_code, verdict.winner, verdict.state_hash) == (0, whole.winner, whole.state_hash)
        assert verdict.hands == whole.hands


def test_c49_the_order_of_one_author_is_not(sample: Sample, judge: Judge) -> None:
    for number in (0, len(sample.entries) // 3):
        author = open_entry(sample.entries[number]).author
        other = next(
            i for i in range(number + 1, len(sample.entries)) if open_entry(sample.entries[i]).author == author
        )
        swapped = list(sample.entries)
        swapped[number], swapped[other] = swapped[other], swapped[number]
        verdict = judge(sample.joined(swapped))
        assert (verdict.exit_code, verdict.blame) == (4, -1)
        assert verdict.where.startswith(f"entry {number + 1} ")


def test_c49_a_repeated_entry_changes_nothing(sample: Sample, judge: Judge) -> None:
    assert judge(sample.joined([*sample.entries[:5], *sample.entries])).exit_code == 0


def test_c49_entries_of_another_table(sample: Sample, judge: Judge) -> None:
    other = Simulation(99, 2)
    other.start()
    other.run_until(lambda: other.peers[0].node.turns >= 1)
    foreign = other.peers[0].journal
    verdict = judge(sample.joined([*sample.entries[:4], foreign[0], *sample.entries[4:]]))
    assert (verdict.exit_code, verdict.blame) == (4, -1)
    assert "another table" in verdict.problem
    assert verdict.where.startswith("entry 5 ")
    assert judge(sample.joined(foreign)).exit_code == 4


def test_c49_another_charter(sample: Sample, judge: Judge) -> None:
    """Names, rules and roster are under every signature."""
    charter = sample.table.charter
    renamed = replace(charter, roster=(replace(charter.roster[0], name="Eve"), charter.roster[1]))
    rules = replace(charter, rules=Rules.make("batman", hand_size=6).encode())
    turned = replace(charter, roster=charter.roster[::-1])
    for other in (renamed, rules, turned):
        verdict = judge(sample.joined(sample.entries, other))
        assert (verdict.exit_code, verdict.blame) == (4, -1)
        assert verdict.where.startswith("entry 1 ")


def test_c50_charters_that_cannot_be_played(sample: Sample, judge: Judge) -> None:
    charter = sample.table.charter
    twice = replace(charter, roster=(charter.roster[0], charter.roster[0]))
    for other in (replace(charter, rules=b"chess"), replace(charter, rules=b""), twice):
        verdict = judge(sample.joined(sample.entries, other))
        assert verdict.exit_code == ForeignFile.exit_code
        assert "not known here" in verdict.problem


def test_c50_what_is_no_journal(sample: Sample, judge: Judge, tmp_path: Path) -> None:
    for data in (b"", b"\x89PNG\r\n", b"p2pun", os.urandom(2000), b"p2puno rules 1\n", b"\n" + sample.data):
        verdict = judge(data)
        assert verdict.exit_code == 4
        assert "is not a p2puno journal" in verdict.problem
    newer = judge(sample.data.replace(b"journal 1\n", b"journal 2\n", 1))
    assert newer.exit_code == 4
    assert "another format" in newer.problem
    for path in (tmp_path, tmp_path / "nowhere.p2puno"):
        verdict = audit(path)
        assert verdict.exit_code == 4
        assert "cannot read" in verdict.problem
    assert judge(MAGIC + record(b"\xc0")).exit_code == 4
    assert judge(MAGIC + record(bytes(10_000))).exit_code == 4


@pytest.mark.parametrize("whole", [False, True])
def test_c49_a_huge_file_is_not_read_beyond_its_first_damage(whole: bool, sample: Sample, tmp_path: Path) -> None:
    """Zeros without end, alone or after a whole journal: a hole in a file costs its author nothing."""
    path = tmp_path / "huge.p2puno"
    path.write_bytes(sample.data if whole else b"")
    os.truncate(path, 1 << 26)
    tracemalloc.start()
    try:
        with pytest.raises(Damaged if whole else ForeignFile):
            list(Reader(path).entries())
        assert tracemalloc.get_traced_memory()[1] < 1 << 23
    finally:
        tracemalloc.stop()


def test_c49_rubbish_after_the_end(sample: Sample, judge: Judge) -> None:
    """A match that ended does not cover what follows it."""
    for rubbish in (b"x", bytes(20), record(b""), record(b"\xc0"), record(os.urandom(50))):
        assert judge(sample.data + rubbish).exit_code == 4


def test_c41_an_entry_after_the_end(sample: Sample, judge: Judge) -> None:
    """Its author signed where nothing was left to be said."""
    last: Entry = next(
        entry
        for raw in reversed(sample.entries)
        if (entry := open_entry(raw)).author == sample.table.identities[1].public
    )
    table = sample.table.peers[0].node.table
    body = replace(
        last.body, seq=last.body.seq + 1, prev=last.hash, step=table.number, row=table.row, state=table.state()
    )
    verdict = judge(sample.joined([*sample.entries, sign_entry(sample.table.identities[1], body).raw]))
    assert (verdict.exit_code, verdict.blame) == (3, 1)


def test_verdicts_for_programs(sample: Sample, judge: Judge) -> None:
    """`as_json` says the same as the lines for people."""
    good, bad = judge(sample.data), judge(sample.data[:-1])
    assert good.as_json()["winner"] == good.names[good.winner]
    assert good.as_json()["hands"][-1]["points"] == good.as_json()["points"]
    assert bad.as_json()["winner"] is None
    assert bad.as_json()["problem"] == bad.problem
    assert [seat["name"] for seat in bad.as_json()["seats"]] == ["P0", "P1"]
