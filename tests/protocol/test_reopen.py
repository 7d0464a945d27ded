"""Going on with a journal after a kill: a record that was cut off is taken away, nothing else is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from protocol.errors import Damaged, ForeignFile, InUse
from protocol.identity import Identity
from protocol.journal import MAGIC, Journal, Reader, in_use, record
from protocol.messages import FORMAT, Charter, Place, encode

CHARTER = Charter(
    FORMAT,
    b"rules",
    (),
    tuple(Place(Identity.fresh().public, name, False, "", 0, (":1",)) for name in ("Mia", "Bo")),
    b"n" * 32,
)
ENTRIES = [b"one", b"two and more", b"three"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.p2puno"
    journal = Journal(path, CHARTER)
    for entry in ENTRIES:
        journal.append(entry)
    journal.close()
    return path


def test_it_goes_on_where_it_was(path: Path) -> None:
    journal, charter, entries = Journal.reopen(path)
    journal.append(b"four")
    journal.close()
    assert (charter, entries) == (CHARTER, ENTRIES)
    assert list(Reader(path).raw()) == [*ENTRIES, b"four"]


def test_a_kill_in_the_middle_of_a_write_costs_that_record_alone(path: Path) -> None:
    """Nothing of a torn record was sent: an entry is written before any byte of it leaves."""
    whole = path.read_bytes()
    torn = len(whole) - len(record(ENTRIES[-1]))
    for size in range(torn, len(whole)):
        path.write_bytes(whole[:size])
        journal, _, entries = Journal.reopen(path)
        journal.append(b"again")
        journal.close()
        assert entries == ENTRIES[:-1]
        assert path.read_bytes() == whole[:torn] + record(b"again")


def test_damage_elsewhere_is_told_and_left_alone(path: Path) -> None:
    bad = bytearray(path.read_bytes())
    bad[len(MAGIC) + len(record(encode(CHARTER))) + 2] ^= 1  # in the length of the first entry
    path.write_bytes(bad)
    with pytest.raises(Damaged, match="length of entry 1"):
        Journal.reopen(path)
    assert path.read_bytes() == bad
    assert not in_use(path)


def test_what_is_no_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Damaged, match="cannot open"):
        Journal.reopen(tmp_path / "none.p2puno")
    other = tmp_path / "other.p2puno"
    other.write_bytes(b"something else")
    with pytest.raises(ForeignFile):
        Journal.reopen(other)


@pytest.mark.skipif(os.name != "posix", reason="locks as POSIX has them")
def test_two_processes_cannot_sit_at_one_table(path: Path) -> None:
    journal, _, _ = Journal.reopen(path)
    assert in_use(path)
    with pytest.raises(InUse, match=r"another process has the table of a\.p2puno open"):
        Journal.reopen(path)
    journal.close()
    assert not in_use(path)
    Journal.reopen(path)[0].close()
