"""Before a table: who may sit down, who sits where with which hero, and when it begins (C44, C50, C51)."""

from __future__ import annotations

import pytest

from p2puno.rules import Rules, RulesError
from protocol.lobby import BEGUN, HERO_TAKEN, NO_SEAT, NO_STARTER, TAKEN, TOO_FEW, WAITS, HostLobby, players, sitting
from protocol.messages import PROTOCOL, Bye, Charter, Hello, Place, Prepare, decode_frame, encode

RULES = Rules.make("batman")
HEROES = Rules.make("marvel")
KEYS = [bytes([number]) * 32 for number in range(12)]


def lobby(wanted: int = 3, rules: Rules = RULES, ready: bool = True) -> HostLobby:
    return HostLobby(Place(KEYS[0], "Mia", False, "", 0, (":4242",)), rules, wanted, ready)


def hello(name: str = "Bo", protocol: int = PROTOCOL, port: int = 5000, bot: bool = True, hero: str = "") -> Hello:
    return Hello(protocol, name, bot, hero, 0, port)


def person(hero: str = "") -> Hello:
    return hello(bot=False, hero=hero)


def names(table: HostLobby) -> list[str]:
    return [place.name for place in table.places]


def heroes(table: HostLobby) -> list[str]:
    return [place.hero for place in table.places]


def seats(table: HostLobby) -> dict[str, int]:
    return {sitter.place.name: sitter.seat for sitter in table.sitters}


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


@pytest.mark.parametrize("version", [0, 1, PROTOCOL + 1, 99])
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


# -- hero, seat, readiness


def test_a_table_waits_until_everybody_is_ready() -> None:
    table = lobby(ready=False)
    table.enter(KEYS[1], "", person())
    table.enter(KEYS[2], "", hello("Cy"))
    assert [player.ready for player in sitting(table.sitters)] == [False, False, True]
    for key, seat in ((KEYS[0], 0), (KEYS[1], 1)):
        assert table.propose() is None
        assert table.prepare(key, Prepare("", seat, True)) == ""
    assert table.propose() is not None


def test_who_is_ready_may_think_again() -> None:
    table = lobby()
    table.enter(KEYS[1], "", person())
    assert table.prepare(KEYS[1], Prepare("", 1, True)) == ""
    assert table.prepare(KEYS[1], Prepare("", 1, False)) == ""
    table.enter(KEYS[2], "", hello("Cy"))
    assert table.propose() is None


def test_a_bot_is_always_ready() -> None:
    table = lobby(2)
    table.enter(KEYS[1], "", hello())
    assert table.prepare(KEYS[1], Prepare("", 1, False)) == ""
    assert table.propose() is not None


def test_a_hero_is_taken_once() -> None:
    table = lobby(3, HEROES)
    assert table.prepare(KEYS[0], Prepare("thor", 0, True)) == ""
    table.enter(KEYS[1], "", person())
    assert table.prepare(KEYS[1], Prepare("thor", 1, False)) == HERO_TAKEN
    assert table.prepare(KEYS[1], Prepare("nobody", 1, False)) == HERO_TAKEN
    assert table.prepare(KEYS[1], Prepare("black_widow", 1, False)) == ""
    assert table.prepare(KEYS[1], Prepare("black_widow", 1, True)) == ""  # its own is no obstacle
    assert heroes(table) == ["thor", "black_widow"]
    assert table.prepare(KEYS[0], Prepare("", 0, True)) == ""
    assert table.prepare(KEYS[1], Prepare("thor", 1, True)) == ""
    assert heroes(table) == ["", "thor"]


def test_a_game_without_heroes_has_none() -> None:
    assert lobby().prepare(KEYS[0], Prepare("thor", 0, True)) == HERO_TAKEN


def test_a_seat_can_be_had_that_is_free_or_a_bots() -> None:
    table = lobby(4)
    table.enter(KEYS[1], "", person())
    table.enter(KEYS[2], "", hello("Cy"))
    assert table.prepare(KEYS[1], Prepare("", 3, False)) == ""
    assert seats(table) == {"Mia": 0, "Bo": 3, "Cy": 2}
    assert table.prepare(KEYS[1], Prepare("", 2, False)) == ""
    assert seats(table) == {"Mia": 0, "Bo": 2, "Cy": 3}
    assert table.prepare(KEYS[1], Prepare("", 0, False)) == TAKEN
    assert table.prepare(KEYS[0], Prepare("", 2, True)) == TAKEN
    assert table.prepare(KEYS[1], Prepare("", 4, False)) == NO_SEAT
    assert table.prepare(KEYS[0], Prepare("", 1, True)) == ""
    assert names(table) == ["Mia", "Bo", "Cy"]
    table.enter(KEYS[3], "", person())
    assert seats(table)["Bo (2)"] == 0  # the first that is free


def test_all_of_a_wish_is_granted_or_nothing() -> None:
    table = lobby(3, HEROES)
    table.prepare(KEYS[0], Prepare("thor", 0, True))
    table.enter(KEYS[1], "", person("black_widow"))
    before = list(table.sitters)
    assert table.prepare(KEYS[1], Prepare("thor", 2, True)) == HERO_TAKEN
    assert table.prepare(KEYS[1], Prepare("", 0, True)) == TAKEN
    assert table.sitters == before


def test_a_stranger_changes_nothing() -> None:
    """Nobody can speak for somebody else: a wish carries no name, so it is about the key that it came from."""
    table = lobby()
    table.enter(KEYS[1], "", person())
    before = list(table.sitters)
    assert table.prepare(KEYS[5], Prepare("", 1, True)) == BEGUN
    assert table.sitters == before


def test_what_crosses_the_start_is_nothing() -> None:
    table, charter = full()
    before = list(table.sitters)
    assert table.prepare(KEYS[1], Prepare("", 1, False)) == BEGUN
    assert table.start() == BEGUN
    assert (table.sitters, table.propose()) == (before, charter)


def test_the_creator_may_begin_without_the_free_seats() -> None:
    table = lobby(5, ready=False)
    assert table.start() == TOO_FEW
    table.enter(KEYS[1], "", person())
    table.prepare(KEYS[1], Prepare("", 3, False))
    assert table.start() == WAITS
    assert table.propose() is None
    table.prepare(KEYS[1], Prepare("", 3, True))
    table.prepare(KEYS[0], Prepare("", 4, False))
    assert table.start() == ""
    assert (table.wanted, seats(table)) == (2, {"Bo": 0, "Mia": 1})
    charter = table.propose()
    assert charter is not None
    assert [place.name for place in charter.roster] == ["Bo", "Mia"]


def test_the_seat_that_begins_cannot_be_left_out() -> None:
    table = lobby(4, Rules.make("batman", starter="3"))
    table.enter(KEYS[1], "", hello())
    assert table.start() == NO_STARTER
    table.enter(KEYS[2], "", hello("Cy"))
    assert table.start() == ""


def test_who_chose_no_hero_gets_a_free_one() -> None:
    table = lobby(4, HEROES)
    table.prepare(KEYS[0], Prepare("thor", 0, True))
    for key in KEYS[1:4]:
        table.enter(key, "", hello())
    charter = table.propose()
    assert charter is not None
    assert charter.roster[0].hero == "thor"
    played = {place.hero for place in charter.roster}
    assert len(played) == 4
    assert all(HEROES.hero(hero).set == "marvel" for hero in played)
    assert heroes(table) == ["thor", "", "", ""]  # what was shown, which the others compare with
