"""Whom we have played with: trust on first use, and what becomes of a name that comes with another key."""

import stat
from pathlib import Path

import pytest

from protocol import known as memory
from protocol.errors import Damaged, Usage
from protocol.identity import words
from protocol.known import KnownPlayers, Standing, standing

ANN, BOB, EVE = (bytes([number] * 32) for number in (1, 2, 3))


@pytest.fixture
def known(tmp_path: Path) -> KnownPlayers:
    return KnownPlayers(tmp_path / "deep" / "known.json")


def test_somebody_is_new_once_and_then_known(known: KnownPlayers) -> None:
    assert standing(known.all(), "Bob", BOB) is Standing.NEW
    known.meet([("Bob", BOB), ("Ann", ANN)], "2026-01-02")
    known.meet([("Bob", BOB)], "2026-03-04")
    assert standing(known.all(), "Bob", BOB) is Standing.KNOWN
    ann, bob = known.all()
    assert (bob.name, bob.first, bob.last, bob.tables) == ("Bob", "2026-01-02", "2026-03-04", 2)
    assert (ann.tables, ann.confirmed, ann.words) == (1, True, words(ANN))
    assert stat.S_IMODE(known.path.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["Bob", "bob", "BOB", "Bób", "Ｂｏｂ"])
def test_a_known_name_with_another_key_is_flagged_until_confirmed(known: KnownPlayers, name: str) -> None:
    """C46, C47: also where the name only looks the same; playing on with it does not make it known."""
    known.meet([("Bob", BOB)], "2026-01-02")
    for _ in range(2):
        assert standing(known.all(), name, EVE) is Standing.OTHER_KEY
        known.meet([(name, EVE)], "2026-01-03")
    assert standing(known.all(), "Bob", BOB) is Standing.KNOWN
    with pytest.raises(Usage):
        known.trust("Nobody")
    assert known.trust(words(EVE)).key == EVE.hex()
    assert standing(known.all(), name, EVE) is Standing.KNOWN
    assert standing(known.all(), "Bob", BOB) is Standing.KNOWN


def test_a_friend_may_take_a_new_name_but_not_another_friends(known: KnownPlayers) -> None:
    known.meet([("Ann", ANN), ("Bob", BOB)], "2026-01-02")
    assert standing(known.all(), "Bobby", BOB) is Standing.KNOWN
    known.meet([("Bobby", BOB)], "2026-01-03")
    assert [one.name for one in known.all()] == ["Ann", "Bobby"]
    assert standing(known.all(), "Ann", BOB) is Standing.OTHER_KEY
    known.meet([("Ann", BOB)], "2026-01-04")
    assert [one.name for one in known.all()] == ["Ann", "Bobby"]


def test_forgetting_by_name_words_or_key(known: KnownPlayers) -> None:
    for whom in ("Bob", words(BOB), words(BOB).upper(), BOB.hex()[:8], BOB.hex()):
        known.meet([("Bob", BOB)], "2026-01-02")
        assert [one.key for one in known.forget(whom)] == [BOB.hex()]
        assert known.all() == []
    known.meet([("Bob", BOB), ("Bob", EVE)], "2026-01-02")
    with pytest.raises(Usage, match="2 known players"):
        known.trust("Bob")
    for whom in ("Bo", BOB.hex()[:7], "", "\x1b[2J"):
        with pytest.raises(Usage):
            known.forget(whom)
    assert len(known.forget("Bob")) == 2


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{", '{"format": 2, "players": []}', '{"format": 1, "players": [{"key": "00"}]}', '{"format": 1}',
        "[" * 9999,
    ],
)  # fmt: skip
def test_a_damaged_memory_is_told_and_never_overwritten(known: KnownPlayers, text: str) -> None:
    known.path.parent.mkdir()
    known.path.write_text(text)
    with pytest.raises(Damaged):
        known.meet([("Bob", BOB)], "2026-01-02")
    assert known.path.read_text() == text


def test_the_memory_is_bounded(known: KnownPlayers, monkeypatch: pytest.MonkeyPatch) -> None:
    """C45: strangers with fresh keys do not drive out those we know."""
    monkeypatch.setattr(memory, "MOST", 3)
    known.meet([("Ann", ANN), ("Bob", BOB)], "2026-01-02")
    for number in range(10, 20):
        known.meet([("Ann", bytes([number] * 32))], "2026-02-02")
    assert {one.key for one in known.all() if one.confirmed} == {ANN.hex(), BOB.hex()}
    assert len(known.all()) == 3


def test_names_in_the_file_are_cleaned_too(known: KnownPlayers) -> None:
    """C44."""
    known.meet([("Bob", BOB)], "2026-01-02")
    known.path.write_text(known.path.read_text().replace('"Bob"', '"B\\u001b[2J\\u202eob"'))
    assert [one.name for one in known.all()] == ["Bob"]
