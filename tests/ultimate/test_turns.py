"""The rulings on set-up, the turn, lost and extra turns, by number."""

from __future__ import annotations

import pytest

from p2puno.engine import new_game
from p2puno.happenings import What
from p2puno.moves import IllegalMove, InvalidMove, Pick
from p2puno.needs import Ask, Decide, Open, Shuffle
from p2puno.rules import Rules
from p2puno.view import view
from tests.engine.table import Fixed
from tests.ultimate.table import DC, Table, custom, start, told


def test_r1_r2_r3_r4_all_decks_are_shuffled_at_once_then_seven_cards_each_from_the_own_deck():
    rules = Rules.make("dc", heroes=DC)
    game, dealer = start(rules, 4, 2, Fixed())
    assert isinstance(game.need, Shuffle)
    assert [(name, len(slots)) for name, slots in game.need.piles] == [*((hero, 47) for hero in DC), ("danger", 32)]
    dealer.serve(game)
    assert isinstance(game.need, Open)
    assert len(game.need.to) == 28
    assert all(game.owner_of(slot) == seat for slot, seat in game.need.to)
    assert [seat for _, seat in game.need.to[:4]] == [2, 3, 0, 1]
    dealer.serve(game)
    assert isinstance(game.need, Decide)
    assert game.need.seat == 2
    assert [len(deck) for deck in game.decks] == [40] * 4


def test_r1_the_heroes_say_how_many_play():
    with pytest.raises(ValueError, match="4 heroes, not 3"):
        new_game(Rules.make("dc", heroes=DC), 3, 0)


def test_r4_danger_cards_of_a_seat_that_is_away_stay_aside():
    game = new_game(Rules.make("dc", heroes=DC), 4, 0, away=[1])
    assert isinstance(game.need, Shuffle)
    assert [name for name, _ in game.need.piles] == ["aquaman", "superman", "wonder_woman", "danger"]
    assert len(game.need.piles[-1][1]) == 24


def test_r5_anything_may_be_led_and_acts_in_full_and_the_first_colour_is_no_change():
    table = Table("thor", "hulk", "superman", hands=["WTP R1 RS"], top="")
    assert {move.face for move in view(table.game, 0).moves()[:-1]} == {face for _, face in view(table.game, 0).hand}
    table.go("WTP>B", "pick 1")
    assert table.burned() == [0, 0, 0]
    assert table.need.seat == 2, "the lead acts"
    table = Table("superman", "green_lantern", hands=["R1 R2 R4"], top="", danger="war_of_light")
    assert told(table.go("R1"), What.DANGER), "a led card with the icon flips"


def test_r5_a_colour_effect_does_nothing_before_the_first_card():
    table = Table("green_lantern", "superman", top="", hands=["R1 R2 R4"])
    table.go("pick 1")
    assert table.game.colour == -1
    assert table.burned() == [1, 0]


def test_r8_one_card_beats_the_enemy_and_then_flips_a_new_one():
    table = Table("superman", "aquaman", hands=["R1 B2 B4"], top="R2", enemies={0: "doomsday"}, danger="zod")
    table.go("R1")
    assert table.enemy(0) == "zod"
    assert "doomsday" in table.spent()


def test_r9_start_enemy_location_items_power_in_this_order():
    table = Table("shuri", "thor", "aquaman", enemies={0: "destroyer"}, location="the_trench",
                  items={0: "kinetic_claws"})  # fmt: skip
    acted = told(table.log, What.ABILITY, What.POWER)
    names = [table.rules.kinds[h.face].name if h.face >= 0 else "power" for h in acted]
    assert names == ["Destroyer", "The Trench", "Kinetic Claws", "power"]
    assert table.need.ask is Ask.MAY
    assert table.burned()[0] == 1


def test_r9_r33_items_act_in_the_order_that_their_player_chooses():
    table = Table("hulk", "captain_america", items={0: "gamma_cell super_soldier_serum"}, burns={0: "R1 R2 R4"})
    assert table.need.ask is Ask.ITEM
    assert len(table.need.options) == 2
    table.go(f"pick {table.need.options[1]}", "pick 1")
    assert table.game.extra == 1
    assert table.need.ask is Ask.MAY
    table.go("pick 1")
    assert table.burned()[0] == 0
    assert table.items(0) == []


def test_r9_r48_a_seat_that_goes_out_at_the_start_has_no_turn():
    table = Table("superman", "thor", "hulk", enemies={0: "destroyer"}, sizes={0: 2})
    assert told(table.log, What.OUT)[0].seat == 0
    assert table.need.seat == 1


def test_r10_number_and_symbol_of_the_top_card_count_after_an_effect_changed_the_colour():
    table = Table("superman", "green_lantern", hands=["R6 R1 B1", "G2 R1 Y6"], top="R2")
    table.go("R6", "pick 1")
    assert table.game.colour == 2
    with pytest.raises(IllegalMove, match="does not fit"):
        table.move("R1") and table.game.apply(table.move("R1"))
    table.go("Y6")
    assert table.game.colour == 1


def test_r11_after_taking_only_that_card_may_be_played_and_it_may_be_kept():
    table = Table("superman", "hulk", hands=["R1 R2"], decks={0: "R5 B1"})
    table.go("draw")
    with pytest.raises(IllegalMove) as refusal:
        table.game.apply(table.move("R1"))
    assert refusal.value.rule == "R11"
    assert told(table.go("keep"), What.KEPT)
    assert table.counts()[0] == 3


def test_r11_play_after_draw_off_ends_the_turn_and_force_play_shows_the_card():
    table = Table("superman", "hulk", decks={0: "R5"}, play_after_draw=False)
    table.go("draw")
    assert table.need.seat == 1
    table = Table("superman", "hulk", decks={0: "R5 B2"}, hands=["Y1 Y2"], force_play=True)
    out = table.go("draw")
    assert told(out, What.OPENED)[0].face == table.rules.kinds.index(
        next(kind for kind in table.rules.kinds if kind.id == "superman/R5")
    )
    with pytest.raises(IllegalMove, match="must be played"):
        table.game.apply(table.move("keep"))
    table.go("R5")
    table = Table("superman", "hulk", decks={0: "B2"}, hands=["Y1 Y2"], force_play=True)
    table.go("draw")
    assert table.need.seat == 1, "what does not fit ends the turn"


def test_r12_taking_a_card_costs_no_turn():
    table = Table("superman", "hulk", decks={0: "B5"})
    table.go("draw", "keep", "draw", "keep")
    assert table.need.seat == 0


def test_r13_colour_then_uno_then_the_text_then_what_it_triggers_own_power_first():
    table = Table("thor", "superman", "aquaman", hands=["WMR R1"], enemies={0: "loki"})
    table.go("WMR>B")
    assert told(table.log, What.FORGOT)
    assert not told(table.log, What.BURNT)
    out = table.go("catch 1")
    kinds = [h.what for h in told(out, What.CAUGHT, What.ADDED, What.DEFEATED, What.BURNT, What.POWER)]
    assert kinds == [
        What.CAUGHT, What.ADDED, What.DEFEATED, What.BURNT, What.POWER, What.BURNT, What.BURNT,
    ]  # fmt: skip


def test_r14_the_card_that_beats_an_enemy_stays_on_the_pile():
    table = Table("superman", "aquaman", hands=["R4 B2 B4"], enemies={0: "black_manta"})
    table.go("R4")
    assert table.enemy(0) == ""
    assert table.spent() == ["black_manta"]
    assert table.rules.kinds[table.game.top].short == "R4"


def test_r15_the_colour_is_in_force_before_the_text_of_a_wild():
    table = Table("superman", "aquaman", "hulk", hands=["WHV R1 R2"])
    table.go("WHV>B")
    assert table.need.ask is Ask.TARGET
    assert table.game.colour == 3


def test_r16_only_another_colour_is_a_change():
    table = Table("thor", "hulk", "superman", hands=["WTP WBB R1 B2"])
    table.go("WTP>R", "pick 2")
    assert table.burned() == [0, 0, 0]
    table = Table("thor", "hulk", "superman", hands=["WTP WBB R1 B2"])
    table.go("WTP>B", "pick 2")
    assert table.burned() == [0, 2, 0]


def test_r17_a_wild_beats_only_by_the_wild_icon():
    table = Table("superman", "aquaman", "hulk", hands=["WFTS R1 R2"], enemies={0: "black_manta"})
    table.go("WFTS>R")
    assert table.enemy(0) == "black_manta", "not by the colour that it names"
    table = Table("superman", "aquaman", "hulk", hands=["WFTS R1 R2"], enemies={0: "zod"})
    table.go("WFTS>R")
    assert table.enemy(0) == ""


def test_r18_pass_comes_before_end():
    table = Table("wonder_woman", "superman", enemies={0: "cheetah"}, decks={0: "B1"})
    table.go("draw", "keep")
    assert table.burned()[0] == 2
    table = Table("wonder_woman", "superman", enemies={0: "doomsday"}, hands=["R4 B2 Y2"], top="G4")
    table.game.enemies[1], table.game.enemies[0] = table.game.enemies[0], -1
    for seat in (0, 1):
        table.game.changed(seat)
    table.go("R4", "draw", "keep")
    assert table.burned() == [0, 2]


def test_r19_a_reverse_of_two_players_is_a_skip():
    table = Table("superman", "aquaman", hands=["RR R2 R4"])
    table.go("RR")
    assert table.need.seat == 0
    assert table.game.direction == -1
    table = Table("superman", "aquaman", "hulk", hands=["RR R2 R4"])
    table.go("RR")
    assert table.need.seat == 2


def test_r20_r21_a_draw_two_on_a_lost_turn_does_nothing_at_all():
    table = Table("superman", "aquaman", "hulk", hands=["R+2 R2 R4"], lost=[1])
    assert told(table.go("R+2"), What.SPARED)[0].seat == 1
    assert table.counts()[1] == 2
    assert table.need.seat == 2
    assert table.game.lost == 0
    table = Table("superman", "aquaman", "hulk", hands=["R+2 R2 R4"], lost=[1], draw_on_skipped="cards")
    table.go("R+2")
    assert table.counts()[1] == 4
    assert table.game.lost == 0


def test_r21_draw_adds_and_costs_the_turn():
    table = Table("superman", "aquaman", "hulk", hands=["WAB R2 R4"])
    table.go("WAB>R", "pick 1")
    assert table.counts()[1] == 3
    assert table.need.seat == 2


def test_r22_the_active_player_loses_the_turn_after_this_one():
    """Hydra Ambush: the other one flips Loki, of two players the active one loses its next turn."""
    table = Table("captain_america", "thor", hands=["R1 R2 R4"], danger="hydra_ambush loki")
    table.go("R1")
    assert table.enemy(1) == "loki"
    assert table.need.seat == 1
    table.go("draw", "keep")
    assert table.need.seat == 1, "seat 0 was passed over"


def test_r23_a_lost_turn_has_no_steps_and_fires_only_lost_turn():
    table = Table("superman", "black_widow", "thor", hands=["R2 R4 B4"], lost=[2], enemies={2: "destroyer"}, turn=1,
                  decks={2: "R1 R2"})  # fmt: skip
    table.go("draw", "keep")
    assert told(table.log, What.PASSED)[0].seat == 2
    assert table.burned()[2] == 1, "Black Widow's power, not the Enemy"
    assert table.need.seat == 0


def test_r24_several_extra_turns_count_once_and_a_lost_turn_cancels_one():
    table = Table("superman", "captain_america", hands=["WFTS R2 R4 R5"], items={0: "super_soldier_serum"})
    table.go("pick 1", "WFTS>R")
    assert table.need.seat == 0
    table.go("R2")
    assert table.need.seat == 1
    table = Table("superman", "black_widow", hands=["WFTS R2 R4"])
    table.game.lost = 1
    assert told(table.go("WFTS>R"), What.CANCELLED)
    assert table.need.seat == 1
    assert table.burned() == [0, 0], "lost_turn does not fire"


@pytest.mark.parametrize("passed_over", [False, True])
def test_r25_until_your_next_turn_ends_when_it_starts_or_is_passed_over(passed_over):
    table = Table("captain_america", "superman", "hulk", hands=["WSW R2 R4"])
    table.go("WSW>R", "pick 1")
    assert len(table.game.mods) == 1
    if passed_over:
        table.game.lost |= 1
    table.go("draw", "keep")
    assert table.game.mods == []


def test_r25_r52_what_a_seat_has_set_ends_when_it_goes_out():
    table = Table("captain_america", "superman", "hulk", hands=["WSW R2 R4"])
    table.go("WSW>R", "pick 1")
    table.game.leave(0)
    assert table.game.mods == []


def test_an_extra_turn_given_to_another_player_comes_right_after_this_one():
    hero = custom("captain_america", ('[{recover=3}, {add=2, who="choose"}]', '[{extra_turn=1, who="choose"}]'))
    table = Table("tester", "superman", "hulk", hands=["WNS R2 R4"], own=[hero])
    table.go("WNS>R", "pick 2")
    assert table.need.seat == 2
    table.go("draw", "keep")
    assert table.need.seat == 0


def test_a_pick_must_be_offered():
    table = Table("superman", "aquaman", "hulk", hands=["WHV R1 R2"])
    table.go("WHV>B")
    for answer in (Pick(0), Pick(7)):
        with pytest.raises(IllegalMove):
            table.game.apply(answer)
    with pytest.raises(InvalidMove):
        table.game.apply("pick")
