"""Before a table: who may sit down, and which charter may be signed (C44, C50, C51)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2puno.rules import Rules, RulesError
from protocol.lobby import HostLobby, check_charter, players
from protocol.messages import PROTOCOL, Bye, Charter, Hello, Place, decode_frame, encode

RULES = Rules.make("batman")
KEYS = [bytes([number]) * 32 for number in range(12)]


def lobby(wanted: int = 3) -> HostLobby:
    return HostLobby(Place(KEYS[0], "Mia", False, "", 0, (":4242",)), RULES, wanted)


def hello(name: str = "Bo", protocol: int = PROTOCOL, port: int = 5000) -> Hello:
    return Hello(protocol, name, False, "", 0, port)


def names(table: HostLobby) -> list[str]:
    return [place.name for place in table.places]


def full() -> tuple[HostLobby, Charter]:
    table = lobby()
    assert table.enter(KEYS[1], "192.168.1.7", hello("Bo")) is None
    assert table.propose() is None
    assert table.enter(KEYS[2], "fe80::1%eth0", hello("Cy")) is None
    charter = table.propose()
    assert charter is not None
    return table, charter


def test_the_last_seat_makes_the_charter() -> None:
    table, charter = full()
    assert table.propose() is charter
    assert [place.key for place in charter.roster] == KEYS[:3]
    assert [place.addresses for place in charter.roster] == [
        (":4242",),
        ("192.168.1.7:5000",),
        ("[fe80::1%eth0]:5000",),
    ]
    assert check_charter(charter, KEYS[1], RULES) == ""


def test_two_tables_never_have_one_id() -> None:
    assert full()[1].table != full()[1].table


def test_a_full_table_and_one_that_began() -> None:
    table = lobby(2)
    assert table.enter(KEYS[1], "", hello()) is None
    assert table.enter(KEYS[2], "", hello()) == Bye("the table is full")
    assert table.propose()
    assert table.enter(KEYS[2], "", hello()) == Bye("the table has begun")
    assert len(table.places) == 2


def test_c51_a_key_sits_down_once() -> None:
    """A second hello of a key changes nothing, and from another program or machine it is refused."""
    table = lobby()
    assert table.enter(KEYS[1], "10.0.0.1", hello("Bo")) is None
    assert table.enter(KEYS[1], "10.0.0.1", hello("Bobby")) is None
    for host, key, again in (
        ("10.0.0.2", KEYS[1], hello("Bo")),
        ("10.0.0.1", KEYS[1], hello("Bo", port=6000)),
        ("", KEYS[0], hello("Mia's double")),
    ):
        assert table.enter(key, host, again) == Bye("this identity sits at the table already")
    assert names(table) == ["Mia", "Bo"]


@pytest.mark.parametrize("version", [0, 2, 99])
def test_c50_other_versions(version: int) -> None:
    table = lobby()
    refusal = table.enter(KEYS[1], "", hello(protocol=version))
    assert refusal is not None
    assert f"version {PROTOCOL}" in refusal.reason
    assert str(version) in refusal.reason
    assert len(table.places) == 1


def test_c44_names_are_clean_and_different() -> None:
    table = lobby(10)
    wishes = ["Mia", "Mia\u200b", "\x1b[31mMia", "", "\u202e", "A" * 64, "A" * 63, "🦇" * 20, "Mia (2)"]
    for key, name in zip(KEYS[1:], wishes, strict=False):
        assert table.enter(key, "", hello(name)) is None
    assert len(set(names(table))) == 10
    shown = [player.name for player in players(table.places)]
    assert len(set(shown)) == 10
    assert shown == names(table)
    assert all(name.isprintable() and name for name in shown)
    assert shown[1:4] == ["Mia (2)", "Mia (3)", "Mia (4)"]


def test_who_goes_before_the_start_leaves_a_free_seat() -> None:
    table = lobby()
    table.enter(KEYS[1], "", hello("Bo"))
    assert not table.leave(KEYS[5])
    assert not table.leave(KEYS[0])  # the creator's own
    assert table.leave(KEYS[1])
    assert names(table) == ["Mia"]
    table.enter(KEYS[2], "", hello("Bo"))
    table.enter(KEYS[1], "", hello("Bo"))
    assert names(table) == ["Mia", "Bo", "Bo (2)"]
    assert table.propose()
    assert not table.leave(KEYS[1])  # from here on it is the table's business
    assert len(table.places) == 3


def test_what_is_shown_can_be_sent() -> None:
    table, _ = full()
    assert decode_frame(encode(table.shown())) == table.shown()
    assert table.shown().wanted == 3


@pytest.mark.parametrize("wanted", [1, 11, 0])
def test_numbers_of_players_that_the_game_has_not(wanted: int) -> None:
    with pytest.raises(RulesError):
        lobby(wanted)


def test_charters_that_nobody_should_sign() -> None:
    """The creator may propose anything: what was not shown, what cannot be played, what leaves us out."""
    _, good = full()
    me = KEYS[2]
    twice = (*good.roster[:2], good.roster[1], good.roster[2])
    other_rules = Rules.make("batman", hand_size=5)
    cases = {
        "version": replace(good, protocol=2),
        "others than were shown": replace(good, rules=other_rules.encode()),
        "do not hold": replace(good, rules=b"p2puno rules 1\n"),
        "one key has two seats": replace(good, roster=twice),
        "no seat": replace(good, roster=good.roster[:2]),
    }
    for words, charter in cases.items():
        assert words in check_charter(charter, me, RULES)
    assert check_charter(good, me, RULES) == ""
    assert "others than were shown" in check_charter(good, me, other_rules)
