"""The rulings on effects, by number."""

from __future__ import annotations

import pytest

from p2puno.happenings import What
from p2puno.moves import Burn, IllegalMove, InvalidMove
from p2puno.needs import Ask, Attest, Decide, Show
from p2puno.view import view
from tests.ultimate.table import Table, custom, told


def test_r35_several_players_in_the_direction_of_play_a_step_for_all_before_the_next():
    table = Table("hulk", "superman", "thor", hands=["RR R1 B4 B2"], danger="backlash")
    table.go("RR", "draw", "keep", "draw", "keep")
    assert table.need.seat == 0
    out = table.go("R1")
    steps = [(h.what, h.seat) for h in told(out, What.ADDED, What.BURNT)]
    assert steps == [*((What.ADDED, s) for s in (0, 2, 1)), *((What.BURNT, s) for s in (0, 0, 2, 2, 1, 1))]


def test_r36_recover_what_there_is_all_know_it_at_the_bottom_and_in_the_hand():
    table = Table("green_lantern", "superman", hands=["WLB R2 R4 R6"], top="B2", burns={0: "G1 G2"}, sizes={0: 1})
    table.go("WLB>R")
    assert table.burned()[0] == 0
    bottom = view(table.game, 1).bottom[0]
    assert [table.rules.kinds[face].short for face in bottom] == ["G1*", "G2"], "the first one taken lies higher"
    table.go("draw", "keep", "pick 0", "draw", "keep", "draw", "keep", "pick 0", "draw")
    drawn = view(table.game, 1).shown[0]
    assert [table.rules.kinds[face].short for face in drawn] == ["G2"]
    table.go("keep")
    assert view(table.game, 1).shown[0] == drawn, "the mix takes the place, not the knowledge"


def test_r37_r48_burning_more_than_there_is_puts_out():
    table = Table("superman", "aquaman", "hulk", hands=["WHV R2 R4"], sizes={1: 4})
    table.go("WHV>R", "pick 1")
    assert table.burned()[1] == 4
    assert not table.game.plays(1)
    assert table.need.seat == 2


def test_r38_a_single_candidate_is_taken_without_a_question_and_a_choice_cannot_be_declined():
    table = Table("superman", "aquaman", hands=["WHV R2 R4"])
    table.go("WHV>R")
    assert table.burned()[1] == 6
    table = Table("superman", "aquaman", "hulk", hands=["WSTD R2 R4"])
    table.go("WSTD>R")
    assert table.need.ask is Ask.TARGET, "there is no Enemy to defeat, but somebody adds 1"
    with pytest.raises(IllegalMove):
        table.game.apply(table.move("keep"))


def test_r39_own_power_first_then_in_the_direction_of_play_then_the_location():
    table = Table("captain_america", "superman", "green_lantern", hands=["RS R2 R4"], enemies={1: "zod"})
    out = table.go("RS")
    assert [h.what for h in told(out, What.POWER, What.ABILITY)] == [What.POWER]
    out = table.go("pick 0")
    assert [h.seat for h in told(out, What.ABILITY)] == [1]
    table = Table("thor", "superman", "aquaman", hands=["WTP R2 R4"], enemies={0: "lex_luthor"}, location="atlantis")
    out = table.go("WTP>B", "pick 2")
    acted = [table.rules.kinds[h.face].name if h.face >= 0 else "power" for h in told(out, What.ABILITY, What.POWER)]
    assert acted == ["power", "Lex Luthor", "Atlantis"]


def test_r39_events_wait_until_the_effect_is_done():
    """Black Widow answers burned Wilds only when the whole of Thunderclap is done."""
    table = Table("hulk", "black_widow", hands=["WT R2 R4"], decks={0: "WS R1", 1: "R1 R2 R4"})
    out = table.go("WT>R")
    kinds = [h.what for h in told(out, What.BURNT, What.ADDED, What.POWER)]
    assert kinds == [What.BURNT, What.ADDED, What.BURNT, What.POWER, What.BURNT]


def test_r39_events_are_handled_to_the_end_when_each_one_brings_another():
    table = Table("superman", "black_widow", "aquaman", hands=["WHV R2 R4"])
    table.go("WHV>R", "pick 2")
    assert table.burned()[2] == 17, "six, and eleven Wilds lie on top: each one burned burns one more"


def test_r39_after_two_hundred_events_the_rest_is_dropped():
    table = Table("superman", "black_widow", "aquaman", hands=["WHV R2 R4"])
    table.go("WHV>R")
    table.game.events = 200
    table.go("pick 2")
    assert table.burned()[2] == 6


def test_r40_blank_is_asked_at_the_moment_and_undoes_nothing():
    table = Table("thor", "superman", "aquaman", hands=["WTP R2 R4"], enemies={1: "bizarro"})
    table.go("WTP>B", "pick 2")
    assert table.burned() == [0, 0, 0]


def test_r41_base_and_deal_and_every_modifier_not_below_zero_once_a_step_and_player():
    table = Table("shuri", "black_widow", "thor", hands=["WVG R2 R4"], enemies={1: "malekith"},
                  items={0: "sonic_hand_cannons", 1: "stealth_suit"})  # fmt: skip
    table.go("pick 0", "WVG>R", "pick 1")
    assert table.burned()[1] == 2 + 1 + 1 + 1 - 1, "base, Items, cannons, Malekith, suit"
    table = Table("captain_america", "superman", "thor", hands=["WSW R2 R4"])
    table.go("WSW>R", "pick 1")
    assert table.game.in_force().burn == ((1, -2, ""),)
    table = Table("shuri", "hulk", enemies={0: "abomination"}, items={0: "kinetic_force_shield"})
    assert table.burned()[0] == 0, "1 from an Enemy, less 1"


def test_r41_costs_are_not_modified():
    table = Table("green_lantern", "thor", enemies={0: "malekith"})
    table.go("pick 1")
    assert table.burned()[0] == 1


def test_r42_optional_steps_are_taken_or_asked_by_the_table():
    table = Table("hulk", "shuri", enemies={0: "the_leader"}, items={0: "kinetic_claws"},
                  burns={0: "R1 R2 R4"})  # fmt: skip
    assert table.burned()[0] == 1
    assert table.need.ask is Ask.TURN
    table = Table("hulk", "shuri", enemies={0: "the_leader"}, items={0: "kinetic_claws"}, burns={0: "R1 R2 R4"},
                  ask_optional=True)  # fmt: skip
    assert table.need.ask is Ask.MAY
    assert table.need.options == (1, 0)
    table.go("pick 0")
    assert table.burned()[0] == 3
    for answer, burned in (1, 4), (0, 3):
        table = Table("shuri", "hulk", hands=["WVG R2 R4"], items={0: "sonic_hand_cannons"}, ask_optional=True)
        table.go("pick 0", "WVG>R")
        assert table.need.source == table.danger("sonic_hand_cannons")
        table.go(f"pick {answer}")
        assert table.burned()[1] == burned


def test_r43_i_have_none_is_proven_by_an_attestation_that_shows_nothing():
    table = Table("thor", "superman", hands=["R1 RS BS"], danger="malekith")
    table.game.apply(table.move("R1"))
    while not isinstance(table.game.need, Decide):
        table.dealer.serve(table.game)
    assert table.need.ask is Ask.BURN
    assert {table.rules.kinds[face].value for face in table.need.options} >= {1, 2, 3, 4, 5, 6}
    with pytest.raises(IllegalMove) as refusal:
        table.game.apply(table.move("burn RS"))
    assert refusal.value.rule == "R43"
    table.game.apply(Burn(()))
    need = table.game.need
    assert isinstance(need, Attest)
    assert (need.all_outside, need.may_concede, len(need.slots)) == (True, False, 2)
    table.dealer.serve(table.game)
    assert table.game.played >= 0


def test_r43_who_has_one_cannot_say_none_and_burns_what_it_chooses():
    table = Table("thor", "superman", hands=["R1 RS B4"], danger="malekith")
    table.go("R1")
    with pytest.raises(InvalidMove, match="there is a card of that kind"):
        table.dealer.believe(table.game, Burn(()))
    table.go("burn B4")
    assert table.burned()[0] == 1
    assert table.counts()[0] == 2, "and one added"


def test_burn_hand_of_a_player_who_was_chosen_by_the_one_who_saw_the_hand():
    table = Table("black_widow", "superman", "thor", hands=["WDC R2 R4", "R1 R2 B6"])
    table.go("WDC>R")
    table.game.apply(table.move("pick 1"))
    assert isinstance(table.game.need, Show)
    table._settle()
    assert table.need.ask is Ask.PEEKED
    seen = view(table.game, 0)
    assert sorted(table.rules.kinds[seen.face_of(slot)].short for slot in table.need.options) == ["B6", "R1*", "R2"]
    watcher = view(table.game, 2)
    assert all(watcher.face_of(slot) == -1 for slot in table.need.options)
    table.go(f"pick {table.need.options[2]}")
    assert table.rules.kinds[view(table.game, 2).burns[1][-1]].short == "B6"
    assert table.counts()[1] == 4


def test_burn_hand_of_a_kind_picked_by_the_other_attests_each_card():
    hero = custom("black_widow", ('{burn_hand=1, who="choose", pick="you"}',
                                  '{burn_hand=1, who="choose", kind="wild", pick="you"}'))  # fmt: skip
    table = Table("tester", "superman", hands=["WDC R2 R4", "WHV R2 WAB"], own=[hero])
    table.go("WDC>R")
    assert table.need.ask is Ask.PEEKED
    assert len(table.need.options) == 2
    table = Table("tester", "superman", hands=["WDC R2 R4", "R1 R2"], own=[hero])
    assert told(table.go("WDC>R"), What.NONE)
    assert table.counts()[1] == 4


def test_r44_a_cost_is_never_paid_with_the_last_card_and_may_be_paid_for_nothing():
    table = Table("green_lantern", "superman", sizes={0: 1})
    assert table.need.ask is Ask.TURN
    table = Table("green_lantern", "superman", top="G6", sizes={0: 2})
    assert (table.need.ask, table.need.options) == (Ask.MAY, (0, 1))
    table.go("pick 1")
    assert table.decks()[0] == 1


def test_r45_a_trap_that_is_set_again_replaces_the_old_one():
    table = Table("aquaman", "green_lantern", hands=["B1 R2 R4"], top="R1", danger="war_of_light")
    out = table.go("B1")
    assert len(table.game.traps) == 1
    out += table.go("pick 0")
    assert len(told(out, What.TRAP)) == 2
    assert len(table.game.traps) == 1


def test_r46_a_ban_covers_hand_drawn_card_and_last_card():
    table = Table("superman", "aquaman", hands=["B6 R2"], top="R6", enemies={0: "ocean_master"}, decks={0: "B1"})
    with pytest.raises(IllegalMove) as refusal:
        table.game.apply(table.move("B6"))
    assert refusal.value.rule == "R46"
    table.go("draw")
    assert len(view(table.game, 0).moves()) == 1, "only to keep it"
    table = Table("superman", "aquaman", hands=["B6"], top="R6", enemies={0: "ocean_master"})
    with pytest.raises(IllegalMove):
        table.game.apply(table.move("B6"))
    table = Table("superman", "aquaman", hands=["R+2 R2 R4"], location="amnesty_bay")
    with pytest.raises(IllegalMove):
        table.game.apply(table.move("R+2"))


def test_r47_a_shown_hand_is_known_to_who_saw_it_through_the_mix():
    table = Table("wonder_woman", "superman", "thor", hands=["WLOT R2 R4", "R1 WHV"])
    table.go("WLOT>R", "pick 1")
    names = [table.rules.kinds[face].short for face in view(table.game, 0).shown[1]]
    assert sorted(names) == ["R1*", "WHV"]
    assert view(table.game, 2).shown == {}
    table.go("R1")
    table.go("catch 0") if table.need.__class__.__name__ == "Window" else None
    assert [table.rules.kinds[face].short for face in view(table.game, 0).shown[1]] == ["WHV"]


def test_look_and_order_and_swap():
    table = Table("superman", "shuri", hands=["R1 R2 R4"], decks={0: "B1 B2 B4"}, danger="daily_planet_scoop")
    table.go("R1")
    assert table.need.ask is Ask.ORDER
    table.go("order 2 0 1")
    assert [table.rules.kinds[face].short for face in view(table.game, 0).peeked] == ["B4", "B1*", "B2"]
    assert view(table.game, 1).peeked == ()
    table = Table("shuri", "superman", hands=["R1 R2"], decks={0: "B6 B1 B4"}, items={0: "kinetic_claws"})
    table.go("pick 1")
    assert table.need.ask is Ask.SWAP
    assert table.rules.kinds[view(table.game, 0).face_of(table.need.slot)].short == "B1*"
    table.go("swap R2")
    assert table.hand(0) == ["B1*", "R1*"]
    assert [table.rules.kinds[face].short for face in view(table.game, 0).peeked] == ["R2"]


def test_modifiers_of_a_power_stand_while_it_is_not_blank():
    hero = custom("thor", ('abilities = [{on="colour", do=[{burn=2, who="next"}]}]',
                           'abilities = [{mod="ban", kind="skip", who="others"}]'))  # fmt: skip
    table = Table("tester", "superman", own=[hero])
    assert view(table.game, 0).banned == ((), ("skip",))
    table = Table("tester", "superman", own=[hero], enemies={1: "bizarro"})
    assert view(table.game, 0).banned == ((), ())
