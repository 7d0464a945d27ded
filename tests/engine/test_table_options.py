"""What tables may choose beside the usual rules: forced plays, taking until one can play, stacks (R79), one aim of a
match. Hands that move are in test_swaps.py."""

from __future__ import annotations

import pytest

from p2puno.card import print_move
from p2puno.happenings import What
from p2puno.match import Match
from p2puno.moves import Accept, Challenge, Draw, IllegalMove, Keep, Play
from p2puno.needs import ALL, Ask, Attest, Decide, Mix, Open, Over, Window
from p2puno.outcome import Ending, Outcome
from p2puno.rules import OPTIONS, Rules, RulesError
from p2puno.state import HIDDEN
from p2puno.view import legal, odds, view
from tests.engine.table import Table, told, turn_of

FACES = Rules.make("batman").faces


def said(table: Table) -> list[str]:
    """What the seat that must decide may say."""
    assert isinstance(table.need, Decide)
    return [print_move(table.rules, move) for move in legal(view(table.game, table.need.seat))]


# --- rules


def test_what_is_usual_is_the_official_rule():
    usual = Rules.make("dbz")
    for name in ("force_play", "draw_until_playable", "stacking", "seven_zero", "wish_draw_skips"):
        assert usual.options()[name] is False
        assert any(line.startswith(f"{name} off: ") for line in usual.describe())
        changed = Rules.make("dbz", **{name: True})
        assert any(line.startswith(f"{name} on (usual: off): ") for line in changed.describe())
        assert Rules.decode(changed.encode()) == changed
        assert changed.digest() != usual.digest()
    assert {option.name for option in OPTIONS} >= {"match_wins", "draw_until_playable"}


def test_an_option_that_came_later_is_said_only_where_it_is_not_usual():
    """Journals that were written before it was there stay good."""
    usual, watched = Rules.make("batman"), Rules.make("batman", watchers="on")
    assert b"watchers" not in usual.encode()
    assert b"watchers on\n" in watched.encode()
    assert [Rules.decode(rules.encode()).watchers for rules in (usual, watched)] == [False, True]
    with pytest.raises(RulesError, match="one form"):
        Rules.decode(usual.encode() + b"watchers off\n")


@pytest.mark.parametrize(
    ("options", "says", "hint"),
    [
        ({"draw_until_playable": True, "force_play": True}, "draw_until_playable needs", "force_play off"),
        ({"draw_until_playable": True, "play_after_draw": False}, "draw_until_playable needs", "play_after_draw on"),
        ({"force_play": True, "play_after_draw": False}, "force_play needs", "play_after_draw on"),
        ({"match_wins": 3, "score_target": 500}, "one aim", "score_target 0"),
        ({"match_wins": 3, "hands": 5}, "one aim", "hands 1"),
        ({"wish_draw_skips": True}, "does not concern batman", "dbz"),
    ],
)
def test_options_that_do_not_go_together_are_refused_with_a_hint(options, says, hint):
    with pytest.raises(RulesError, match=says) as refused:
        Rules.make("batman", **options)
    assert hint in refused.value.hint


def test_match_wins_is_the_first_to_so_many_hands():
    match = Match(Rules.make("batman", match_wins=2), 3, 0)
    for winner, points in ((0, 300), (1, 10), (-1, 0), (1, 10)):
        assert not match.over
        match.finish(Outcome(Ending.EMPTY_HAND if winner >= 0 else Ending.BLOCKED, winner, points, ((),) * 3))
    assert (match.over, match.winner) == (True, 1), "hands count here, not points"


# --- force_play (R11)


def test_r11_force_play_shows_the_card_taken_to_all_and_a_fitting_one_must_be_played():
    table = Table("B1 B2", "Y1 Y2", "G1 G2", draw="R9", force_play=True)
    table.game.apply(Draw())
    slot = table.game.piles["draw"][-1]
    assert table.need == Open(((slot, ALL),))
    assert told(table.serve()) == [What.OPENED]
    assert table.need == Open(((slot, 0),)), "now it goes to the hand"
    table.serve()
    assert table.game.hands[0][-1] == slot
    assert table.game.face(slot) == FACES["R9"]
    assert view(table.game, 2).shown == {0: (FACES["R9"],)}
    assert table.need == Decide(0, Ask.DRAWN, slot)
    assert said(table) == ["R9"]
    for move in (Keep(), Draw()):
        with pytest.raises(IllegalMove) as refused:
            table.game.apply(move)
        assert refused.value.rule == "R11"
    table.go("R9")
    assert table.counts() == [2, 2, 2]


def test_r11_force_play_keeps_what_does_not_fit_without_asking_and_the_hand_is_mixed():
    table = Table("B1 B2", "Y1 Y2", draw="G9", force_play=True)
    table.stop_at(Mix, "draw")
    assert told(table.log) == [What.OPENED, What.DREW, What.KEPT]
    slots = table.game.hands[0]
    table.serve()
    assert all(table.game.public[slot] == HIDDEN for slot in slots)
    assert view(table.game, 1).shown == {0: (FACES["G9"],)}, "that it is there is remembered, not where"
    table.dealer.check(table.game)
    assert turn_of(table) == 1


def test_r11_force_play_asks_for_the_colour_of_a_wild_and_a_call_may_ride_on_it():
    table = Table("B1", "Y1 Y2", draw="W", force_play=True)
    table.go("draw")
    assert said(table) == [f"W>{c}{u}" for u in ("!", "") for c in "RYGB"]
    assert table.game.default(table.need) == Play(table.game.hands[0][-1], FACES["W"], 0)
    table.game.copy().apply(table.game.default(table.need))


@pytest.mark.parametrize("seen", [False, True])
def test_r56_force_play_a_leaver_takes_the_card_aside(seen):
    table = Table("B1 B2", "Y1 Y2", "G1 G2", draw="R9", force_play=True)
    table.stop_at(Open, "draw")
    if seen:
        table.serve()
    table.game.leave(0)
    table._settle()
    assert turn_of(table) == 1
    assert len(table.game.hands[0]) == 3
    table.dealer.check(table.game)


# --- draw_until_playable (R11)


def test_r11_draw_until_playable_goes_on_until_the_card_just_taken_is_played():
    table = Table("B1 B2", "Y1 Y2", draw="G9 Y8 R9", draw_until_playable=True)
    table.go("draw")
    assert said(table) == ["draw"]
    with pytest.raises(IllegalMove) as refused:
        table.game.apply(Keep())
    assert refused.value.rule == "R11"
    table.go("draw", "draw")
    assert said(table) == ["R9", "draw"]
    with pytest.raises(IllegalMove, match="only that card"):
        table.game.apply(Play(table.game.hands[0][0], FACES["B1"]))
    table.stop_at(Mix, "R9")
    assert table.need.hands == ((0, tuple(table.game.hands[0])),), "two cards have come: the hand is mixed"
    assert table.counts() == [4, 2]


def test_r11_draw_until_playable_who_plays_the_first_card_taken_mixes_nothing():
    table = Table("B1 B2", "Y1 Y2", draw="R9", draw_until_playable=True)
    table.go("draw")
    table.game.apply(legal(view(table.game, 0))[0])
    assert isinstance(table.need, Decide)


def test_r64_draw_until_playable_ends_when_there_are_no_cards():
    table = Table("B1 B2", "Y1 Y2", draw="G9", draw_until_playable=True)
    table.game.hands[1] += table.game.piles["draw"][:-1]
    table.game.piles["draw"] = table.game.piles["draw"][-1:]
    table.go("draw")
    assert said(table) == ["keep"]
    with pytest.raises(IllegalMove) as refused:
        table.game.apply(Draw())
    assert refused.value.rule == "R11"
    table.go("keep")
    assert turn_of(table) == 1


def test_r57_draw_until_playable_an_absent_player_goes_on_taking():
    table = Table("B1 B2", "Y1 Y2", draw="G9", draw_until_playable=True)
    table.go("draw")
    assert table.game.default(table.need) == Draw()


# --- stacking (R79)


def test_r79_a_draw_two_is_answered_with_a_draw_two_in_any_colour_and_the_sum_moves_on():
    table = Table("R+2 R1 R2", "G+2 W4 R3", "Y+2 Y1 Y2", "G1 G2", stacking=True)
    table.go("R+2")
    assert table.need == Decide(1, Ask.STACK, options=table.rules.pack.bearing["draw_two"], count=2)
    assert said(table) == ["G+2", "accept"]
    happenings = table.go("G+2")
    assert told(happenings) == [What.PLAYED, What.STACKED]
    assert [h.n for h in happenings if h.what is What.STACKED] == [4]
    assert (table.need.seat, table.need.count, view(table.game, 2).owed) == (2, 4, 4)
    table.go("Y+2")
    happenings = table.go("accept")
    assert [h.n for h in happenings if h.what is What.DREW] == [6]
    assert (table.counts(), turn_of(table), table.game.colour) == ([2, 2, 2, 8], 0, 1)


def test_r79_v12_who_gives_in_draws_all_loses_the_turn_and_the_next_player_plays_as_usual():
    table = Table("R+2 R1 R2", "G+2 Y1", "R7 Y1 Y2", stacking=True)
    table.go("R+2", "take")
    assert (table.counts(), turn_of(table)) == ([2, 4, 3], 2)
    table.go("R7")


def test_r79_the_choice_is_offered_to_everybody_since_nobody_sees_the_hand():
    table = Table("R+2 R1 R2", "Y1 Y2", stacking=True)
    table.go("R+2")
    assert said(table) == ["accept"]
    for move, rule in ((Draw(), "R79"), (Challenge(), "R79"), (Keep(), "R79")):
        with pytest.raises(IllegalMove) as refused:
            table.game.apply(move)
        assert refused.value.rule == rule
        assert "accept 2" in refused.value.hint


def test_r79_only_the_same_card_answers():
    table = Table("W4 R1 R2", "W G+2 G3 W4", stacking=True)
    table.go("W4>G")
    assert said(table) == ["W4>R", "W4>Y", "W4>G", "W4>B", "accept", "challenge"]
    with pytest.raises(IllegalMove) as refused:
        table.go("G+2")
    assert refused.value.rule == "R79"
    with pytest.raises(IllegalMove):
        table.go("G3")


@pytest.mark.parametrize(("rest", "guilty"), [("G1 G2", True), ("R1 Y2", False)])
def test_r79_only_the_last_wild_draw_four_can_be_challenged_and_the_sum_is_at_stake(rest, guilty):
    table = Table("W4 R1 R2", f"W4 {rest}", "B1 B2 B3", "Y1 Y2", stacking=True)
    table.go("W4>G", "W4>B")
    assert view(table.game, 2).claim() == (1, 2, 2), "the colour before it is the green just named"
    assert 0 < odds(view(table.game, 2)) < 1
    table.stop_at(Attest, "challenge")
    assert (table.need.seat, len(table.need.slots)) == (1, 2)
    table.serve()
    table._settle()
    if guilty:
        assert (table.counts(), turn_of(table)) == ([2, 10, 3, 2], 2), "its player draws the sum"
    else:
        assert (table.counts(), turn_of(table)) == ([2, 2, 13, 2], 3), "the challenger draws two more"


def test_r79_without_challenges_a_wild_draw_four_can_still_be_answered():
    table = Table("W4 R1 R2", "W4 Y1", stacking=True, challenge=False)
    table.go("W4>G")
    assert said(table)[-1] == "accept"
    with pytest.raises(IllegalMove):
        table.game.apply(Challenge())


def test_r21_r79_who_loses_the_turn_already_cannot_answer():
    table = Table("WS R1 R2", "B+2 B1 B2", "Y+2 Y1 W4", variant="dbz", draw="R3", stacking=True)
    table.go("WS", "wish>B skip 3", "B+2")
    assert (table.counts(), turn_of(table)) == ([2, 2, 5], 0)
    table = Table("WS R1 R2", "W4 B1 B2", "Y+2 Y1 W4", variant="dbz", draw="R3", stacking=True)
    table.go("WS", "wish>R skip 3", "W4>B")
    assert table.need == Decide(2, Ask.CHALLENGE)
    assert view(table.game, 2).owed == 4


def test_r79_the_answer_is_the_turn_and_may_leave_one_card_undeclared():
    table = Table("R+2 R1 R2", "G+2 Y1", "B1 B2", stacking=True)
    happenings = table.go("R+2", "G+2")
    assert [h.seat for h in happenings if h.what is What.TURN] == [1]
    assert isinstance(table.need, Window)
    table.go("catch 0", "accept")
    assert (table.counts(), turn_of(table)) == ([2, 3, 6], 0)


@pytest.mark.parametrize(("card", "sum_"), [("G+2", 4), ("W4>B", 8)])
def test_r78_r79_the_last_card_wins_and_the_next_player_still_draws_the_sum(card, sum_):
    first = "R+2" if card == "G+2" else "W4"
    table = Table(f"{first} R1 R2", card.split(">")[0], "B+2 W4", stacking=True)
    table.go(first if first == "R+2" else "W4>G", card)
    assert table.outcome.winner == 1
    assert len(table.outcome.hands[2]) == 2 + sum_


def test_r79_stacks_go_round_by_the_direction_of_play():
    table = Table("R+2 R1 R2", "G+2 Y1 Y2", "B+2 B1 B3", stacking=True)
    table.game.direction = -1
    table.go("R+2", "B+2", "G+2")
    assert (table.need.seat, table.need.count) == (0, 6)
    table.go("accept")
    assert turn_of(table) == 2


@pytest.mark.parametrize("leaver", [1, 2])
def test_v22_r79_the_sum_falls_on_nobody_when_the_victim_or_the_last_player_leaves(leaver):
    table = Table("R+2 R1 R2", "G+2 Y1 Y2", "B1 B2", "G1 G2", stacking=True)
    table.go("R+2", "G+2")
    table.game.leave(leaver)
    table._settle()
    assert table.counts() == [2, 2, 2, 2]
    assert turn_of(table) == (2 if leaver == 1 else 3)


def test_r57_an_absent_player_accepts_the_stack():
    table = Table("R+2 R1 R2", "G+2 Y1 Y2", stacking=True)
    table.go("R+2")
    assert table.game.default(table.need) == Accept()


def test_r79_signals_and_wishes_do_not_stack():
    table = Table("WS R1 R2", "WS Y1 Y2", stacking=True, draw="R3")
    table.go("WS>B")
    assert table.need.ask is Ask.TURN
    table = Table("WS R1 R2", "WS Y+2 Y2", variant="dbz", stacking=True, draw="R3")
    table.go("WS", "wish>B draw")
    assert table.need.ask is Ask.TURN


def test_r79_off_a_draw_two_cannot_be_answered():
    table = Table("R+2 R1 R2", "G+2 Y1 Y2")
    table.go("R+2")
    assert (table.counts(), turn_of(table)) == ([2, 5], 0)
    assert not isinstance(table.need, Over)
