"""The rulings on Enemies, Locations, Items and Danger cards, by number."""

from __future__ import annotations

from p2puno.effects import CARD_KINDS
from p2puno.happenings import What
from p2puno.needs import Ask
from p2puno.view import view
from tests.ultimate.table import Table, told


def test_r26_a_fresh_enemy_is_beaten_neither_by_the_card_nor_by_an_effect():
    table = Table("wonder_woman", "superman", hands=["WCTB R2 R4"], danger="zod")
    table.go("WCTB>R")
    assert table.enemy(0) == "zod", "a Wild beats Zod, but not in the turn in which he came"
    assert not table.game.fresh
    table = Table("hulk", "green_lantern", hands=["R1 R2 R4"], danger="sinestro", dry=False)
    table.game.danger.insert(-1, table.game.danger.pop(0))
    table = Table("superman", "green_lantern", "hulk", hands=["WSTD B2 B4"], enemies={0: "doomsday", 1: "sinestro"})
    table.game.fresh = 1
    table.go("WSTD>R")
    assert table.enemy(0) == "doomsday", "the only Enemy that is not fresh was taken without a question"
    assert table.enemy(1) == ""


def test_r27_one_enemy_each_a_new_one_discards_the_old_which_is_not_defeated():
    table = Table("wonder_woman", "superman", hands=["R1 B2 B4"], top="R2", enemies={0: "cheetah"}, danger="zod")
    out = table.go("R1")
    assert table.enemy(0) == "zod"
    assert "cheetah" in table.spent()
    assert not told(out, What.DEFEATED)
    assert table.burned()[0] == 2, "Flipped: burn 2"


def test_r28_one_location_for_all():
    table = Table("superman", "aquaman", hands=["R1 B2 B4"], danger="the_trench", location="metropolis")
    table.go("R1")
    assert table.location() == "the_trench"
    assert table.spent() == ["metropolis"]
    assert table.burned() == [0, 1], "it acts on whoever begins a turn"


def test_r29_the_last_card_flips_nothing():
    table = Table("superman", "aquaman", hands=["R1"], danger="zod")
    out = table.go("R1")
    assert not told(out, What.DANGER)
    assert table.outcome.winner == 0


def test_r30_an_empty_danger_deck_is_made_of_the_discard_and_with_none_nothing_is_flipped():
    table = Table("superman", "aquaman", hands=["R1 B2 B4"], dry=True)
    out = table.go("R1")
    assert [h.what for h in told(out, What.SHUFFLED, What.DANGER)] == [What.SHUFFLED, What.DANGER]
    table = Table("superman", "aquaman", hands=["R1 B2 B4"])
    table.game.aside, table.game.danger = table.game.danger, []
    out = table.go("R1")
    assert not told(out, What.SHUFFLED, What.DANGER)
    assert table.need.seat == 1


def test_r31_a_search_does_nothing_if_no_card_of_the_type_is_left():
    table = Table("shuri", "thor", hands=["WLD R2 R4"], items={0: "kinetic_claws kinetic_force_shield", 1:
                  "sonic_hand_cannons"})  # fmt: skip
    if table.need.ask is Ask.MAY:
        table.go("pick 0")
    before = table.game.danger[:]
    out = table.go("WLD>R")
    assert not told(out, What.PASSED_OVER, What.DANGER)
    assert table.game.danger == before
    assert table.burned()[1] == 1


def test_r31_cards_passed_over_are_discarded_without_acting():
    table = Table("shuri", "thor", hands=["WLD R2 R4"], danger="hela destroyer kinetic_claws")
    out = table.go("WLD>R")
    assert len(told(out, What.PASSED_OVER)) == 2
    assert table.spent() == ["hela", "destroyer"]
    assert table.items(0) == ["kinetic_claws"]
    assert table.burned() == [0, 1]


def test_r33_the_fourth_item_costs_any_of_the_four():
    table = Table("shuri", "hulk", hands=["WLD R2 R4"], danger="gamma_cell",
                  items={0: "kinetic_claws kinetic_force_shield sonic_hand_cannons"})  # fmt: skip
    table.go("pick 0", "WLD>R")
    assert table.need.ask is Ask.ITEM
    assert len(table.need.options) == 4
    table.go(f"pick {table.need.options[3]}")
    assert table.spent() == ["gamma_cell"]
    assert len(table.items(0)) == 3


def test_r33_a_destroyed_item_gives_nothing_and_its_player_chooses_it():
    table = Table("hulk", "shuri", hands=["R1 R2 R4"], danger="tetu", items={0: "gamma_cell kinetic_claws"})
    table.go("pick 0", "R1")
    assert table.need.ask is Ask.ITEM
    table.go(f"pick {table.need.options[0]}")
    assert table.items(0) == ["kinetic_claws"]
    assert not told(table.log, What.RECOVERED)


def test_r34_one_card_leads_to_at_most_ten_resolved_danger_cards():
    """Rampage flips another card. In a deck that holds nothing else it flips itself, ten times."""
    table = Table("hulk", "superman", hands=["R1 R2 R4"], danger="rampage")
    table.game.aside, table.game.danger = table.game.danger[:-1], table.game.danger[-1:]
    out = table.go("R1")
    assert len(told(out, What.DANGER)) == 10
    assert table.burned() == [10, 10]


def test_take_item_and_its_question():
    table = Table("shuri", "hulk", "thor", hands=["WRO R2 R4"], items={1: "gamma_cell kinetic_claws"})
    table.go("WRO>R")
    assert table.need.ask is Ask.ITEM, "only one player holds Items"
    table.go(f"pick {table.need.options[1]}")
    assert table.items(0) == ["kinetic_claws"]
    assert table.need.ask is Ask.TARGET
    table.go("pick 2")
    assert table.game.lost == 0b100


def test_move_enemy_is_fresh_there_and_discards_the_one_before():
    table = Table("black_widow", "captain_america", hands=["WDA R2 R4"], enemies={0: "taskmaster", 1: "red_skull"})
    out = table.go("WDA>R")
    assert table.enemy(0) == ""
    assert table.spent() == ["red_skull"]
    assert table.enemy(1) == "taskmaster"
    assert not told(out, What.RECOVERED), "no 'When Flipped'"


def test_grapple_line_and_taser_baton_are_paid_with_themselves():
    table = Table("black_widow", "captain_america", "thor", enemies={0: "loki"}, items={0: "grapple_line taser_baton"})
    assert table.need.ask is Ask.ITEM
    table.go(f"pick {table.need.options[0]}", "pick 1", "pick 2", "pick 1")
    assert table.enemy(2) == "loki"
    assert table.items(0) == []
    assert table.game.lost == 0b010


def test_enemies_that_ban_and_blank_show_in_the_view():
    table = Table("wonder_woman", "superman", enemies={0: "circe", 1: "doctor_psycho"}, location="")
    seen = view(table.game, 0)
    assert seen.banned == (("wild",), ())
    assert seen.blank == (False, True)
    assert seen.enemies == (table.danger("circe"), table.danger("doctor_psycho"))
    assert set(seen.banned[0]) <= set(CARD_KINDS)


def test_the_leader_does_not_answer_its_own_flip():
    table = Table("hulk", "superman", hands=["R1 R2 R4"], danger="the_leader")
    table.go("R1")
    assert table.need.ask is Ask.MAY, "Hulk's own power does"
    table.go("pick 0")
    assert table.burned()[0] == 0
    assert table.counts()[0] == 3
