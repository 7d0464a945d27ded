"""The worked examples of the effect language, card by card."""

from __future__ import annotations

from p2puno.happenings import What
from p2puno.needs import Ask
from tests.ultimate.table import Table, told


def test_deep_sea_allies_goes_on_through_a_new_danger_deck_until_a_location_comes():
    """Atlantis goes, the deck holds no Location: the discard, Atlantis among it, becomes the deck; then all others add
    1, then all others burn 2."""
    table = Table("aquaman", "green_lantern", "superman", hands=["WDSA R1"], location="atlantis",
                  danger="zod lex_luthor", dry=True)  # fmt: skip
    out = table.go("WDSA>R!")
    assert [table.rules.kinds[h.face].name for h in told(out, What.PASSED_OVER)][:2] == ["Zod", "Lex Luthor"]
    assert told(out, What.SHUFFLED)
    assert table.location() != ""
    assert table.counts() == [1, 3, 3]
    assert table.burned() == [0, 2, 2]
    kinds = [h.what for h in told(out, What.ADDED, What.BURNT)]
    assert kinds == [What.ADDED] * 2 + [What.BURNT] * 4


def test_aquatic_aftershock_catches_the_first_other_player_who_changes_the_colour():
    table = Table("aquaman", "wonder_woman", "superman", hands=["B6 R1 R4", "B4 Y1 Y2", "G4 Y1 Y2"])
    assert told(table.go("B6"), What.TRAP)
    table.go("B4")  # the same colour: nothing
    assert table.burned() == [0, 0, 0]
    out = table.go("G4")
    assert [h.other for h in told(out, What.SPRUNG)] == [2]
    assert table.burned() == [0, 0, 2]
    assert table.game.traps == []


def test_a_trap_lapses_at_the_next_turn_of_its_owner():
    table = Table("aquaman", "wonder_woman", hands=["B6 R1 B4", "B2 Y1 Y2"])
    table.go("B6", "B2")
    assert table.game.traps == []
    assert table.burned() == [0, 0]


def test_bizarro_blanks_a_trap_that_was_set_before():
    table = Table("aquaman", "wonder_woman", "superman", hands=["B6 R1 R4", "G6 Y1 Y2", "Y1 Y2 Y4"])
    table.go("B6")
    table.game.enemies[2] = table.game.danger.pop(
        next(n for n, slot in enumerate(table.game.danger) if table.dealer.truth[slot] == table.danger("bizarro"))
    )
    table.game.public[table.game.enemies[2]] = table.danger("bizarro")
    table.game.changed(2)
    out = table.go("G6")
    assert not told(out, What.SPRUNG)
    assert table.burned() == [0, 0, 0]
    assert table.game.traps != []


def test_riptide_strike_burns_only_with_a_location():
    for location, burned in ("", 0), ("metropolis", 1):
        table = Table("aquaman", "superman", hands=["WRS R1"], location=location)
        table.go("WRS>R!")
        assert table.counts()[1] == 3
        assert table.burned()[1] == burned


def test_sea_of_storms_recovers_with_a_location():
    table = Table("aquaman", "superman", hands=["WSOS R1"], location="metropolis", burns={0: "G1 G2 G3 G4"})
    table.go("WSOS>R!")
    assert table.burned() == [1, 2]
    assert told(table.log, What.RECOVERED)[0].n == 3


def test_titanic_tsunami_takes_another_turn_with_an_aquaman_location_and_else_costs_one():
    table = Table("aquaman", "green_lantern", hands=["WTT R1 R2"], location="the_trench")
    out = table.go("WTT>R")
    assert told(out, What.EXTRA)[0].seat == 0
    assert table.need.seat == 0
    table = Table("aquaman", "green_lantern", "superman", hands=["WTT R1 R2"], location="oa")
    table.go("WTT>R")
    assert table.need.ask is Ask.TARGET
    assert table.need.options == (1, 2)
    table.go("pick 1")
    assert table.need.seat == 2


def test_r32_black_manta_burns_all_with_an_aquaman_location_and_else_only_the_attacked():
    """D3: with Atlantis all burn 1, the attacked player too, in place of the usual 1."""
    table = Table("aquaman", "green_lantern", enemies={0: "black_manta"}, location="atlantis")
    assert table.burned() == [1, 1]
    table = Table("aquaman", "green_lantern", enemies={0: "black_manta"}, location="oa")
    assert table.burned() == [1, 0]


def test_bizarro_is_beaten_by_action_and_wild_and_asks_for_a_player_when_flipped():
    table = Table("superman", "aquaman", "thor", hands=["R1 R2 R4", "Y1 Y2", "Y3 Y4"], danger="bizarro")
    table.go("R1")
    assert table.need.ask is Ask.TARGET
    table.go("pick 2")
    assert table.enemy(0) == "bizarro"
    assert table.counts() == [2, 2, 3]
    assert table.game.blank(0)
    assert table.game.blank(2)
