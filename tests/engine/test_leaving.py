"""Absence and departure (R56, R57), at every need."""

from __future__ import annotations

import random

import pytest

from p2puno.bots import random_legal
from p2puno.dealer import play_hand
from p2puno.happenings import What
from p2puno.match import Match
from p2puno.moves import Accept, Draw, Keep
from p2puno.needs import (
    ALL,
    Ask,
    Attest,
    Conceded,
    Decide,
    Mix,
    Mixed,
    Open,
    Opened,
    Over,
    Said,
    Say,
    Shuffle,
    Shuffled,
    Window,
)
from p2puno.outcome import Ending, Outcome
from p2puno.rules import Rules
from p2puno.view import view
from tests.engine.table import Table, dealt, fresh, told, turn_of


def test_r57_defaults_use_public_facts_only():
    game, _ = fresh(3)
    assert game.default(Decide(0, Ask.TURN)) == Draw()
    assert game.default(Decide(0, Ask.DRAWN, 5)) == Keep()
    assert game.default(Decide(0, Ask.CHALLENGE)) == Accept()
    assert game.default(Window((1, 2, 0), 0)) == Said(((1, Say.PASS), (2, Say.PASS), (0, Say.SILENT)))
    assert game.default(Shuffle((("draw", (1,)),))) == Shuffled()
    assert game.default(Mix(((0, (1, 2)),))) == Mixed()
    assert game.default(Open(((1, 0),))) == Opened(())
    assert game.default(Attest(0, (1,), (2,), may_concede=True, all_outside=True)) == Conceded()


@pytest.mark.parametrize("need", [Open(((1, ALL),)), Attest(0, (1,), (2,)), Over(Outcome(Ending.BLOCKED, -1, 0, ()))])
def test_r57_a_face_that_must_become_known_has_no_default(need):
    game, _ = fresh(3)
    with pytest.raises(LookupError):
        game.default(need)


def test_r57_a_table_of_absent_players_still_comes_to_an_end():
    game, dealer = dealt(3)
    answers = 0
    while not isinstance(game.need, Over):
        if isinstance(game.need, Decide | Window):
            game.apply(game.default(game.need))
        else:
            dealer.serve(game)
        dealer.check(game)
        answers += 1
        assert answers < 1000
    assert game.need.outcome.ending is Ending.BLOCKED


def test_t01_t07_the_turn_of_a_leaver_passes_to_the_next_seat_in_the_direction_of_play():
    table = Table("RR R1 R2", "Y1 Y2 Y3", "B1 B2 B3", "G1 G2 G3")
    table.go("RR")
    assert turn_of(table) == 3
    assert told(table.game.leave(3)) == [What.LEFT]
    assert turn_of(table) == 2
    assert table.game.direction == -1


def test_t02_removals_leave_the_order_of_the_others_as_it_is():
    game, _ = dealt(6)
    for seat in (4, 1, 3):
        others = [other for other in game.seats_from(game.turn) if other != seat]
        game.leave(seat)
        assert game.seats_from(others[0]) == others


def test_t05_a_leaver_whose_turn_it_is_not_does_not_move_the_turn():
    table = Table("R1 R2", "Y1 Y2", "B1 B2")
    table.game.leave(2)
    assert turn_of(table) == 0
    table.go("R1!", "draw", "keep")
    assert turn_of(table) == 0


def test_r56_the_hand_is_set_aside_and_opened_when_points_are_counted():
    table = Table("R7 R8", "Y9 W", "B1 B2")
    table.game.leave(1)
    assert view(table.game, 0).counts == (2, 2, 2)
    table.go("R7!", "draw", "keep")
    happenings = table.go("R8")
    assert [h.n for h in happenings if h.what is What.WON] == [9 + 50 + sum_of(table, 2)]


def sum_of(table, seat):
    return sum(table.rules.kinds[face].points for face in table.outcome.hands[seat])


def test_r56_of_two_players_the_one_who_leaves_forfeits_the_hand_and_the_match():
    game, _ = dealt(2)
    assert told(game.leave(0)) == [What.LEFT, What.WON]
    assert game.need == Over(Outcome(Ending.FORFEIT, 1, 0, ((), ())))
    match = Match(Rules.make("batman", hands=5), 2, 0)
    match.finish(game.need.outcome)
    assert (match.over, match.winner) == (True, 1)


def test_r56_a_seat_that_left_cannot_leave_again_nor_can_anyone_when_the_hand_is_over():
    game, _ = dealt(3)
    game.leave(0)
    with pytest.raises(ValueError, match="not in the hand"):
        game.leave(0)
    game.leave(1)
    with pytest.raises(ValueError, match="not in the hand"):
        game.leave(2)


def test_r56_drawing_leaver_takes_the_card_on_its_way_aside():
    table = Table("R1 R2", "Y1 Y2", "B1 B2", draw="G1 G2")
    table.game.apply(Draw())
    slot = table.need.to[0][0]
    table.game.leave(0)
    assert table.game.hands[0][-1] == slot
    assert turn_of(table) == 1
    table.dealer.check(table.game)


def test_r56_a_leaver_in_the_deal():
    game, dealer = fresh(3)
    dealer.serve(game)
    assert isinstance(game.need, Open)
    before = dict(game.need.to)
    game.leave(1)
    assert dict(game.need.to) == {slot: seat for slot, seat in before.items() if seat != 1}
    dealer.serve(game)
    assert [len(hand) for hand in game.hands] == [7, 7, 7]
    dealer.check(game)


def test_v22_the_penalty_of_a_leaver_falls_on_nobody_else():
    table = Table("R+2 R1 R2", "Y1 Y2", "B1 B2", draw="G1 G2 G3 G4")
    table.stop_at(Open, "R+2")
    table.game.leave(1)
    assert turn_of(table) == 2
    assert table.counts()[2] == 2


def test_r56_the_victim_of_a_wild_draw_four_leaves():
    table = Table("W4 R1 R2", "Y1 Y2", "B1 B2")
    table.go("W4>G")
    table.game.leave(1)
    assert turn_of(table) == 2
    assert table.counts() == [2, 2, 2]


@pytest.mark.parametrize("challenged", [False, True])
def test_r56_who_played_a_wild_draw_four_leaves_and_nobody_draws(challenged):
    table = Table("W4 R1 R2", "Y1 Y2", "B1 B2")
    table.go("W4>G")
    if challenged:
        table.stop_at(Attest, "challenge")
    table.game.leave(0)
    assert turn_of(table) == 1
    assert table.counts() == [2, 2, 2]
    assert table.game.colour == 2


def test_r56_the_challenger_leaves_while_the_hand_is_judged():
    table = Table("W4 R1 R2", "Y1 Y2", "B1 B2")
    table.go("W4>G")
    table.stop_at(Attest, "challenge")
    table.game.leave(1)
    assert turn_of(table) == 2
    assert table.counts() == [2, 2, 2]


def test_r51_effects_that_have_not_begun_lapse_with_their_owner():
    table = Table("R+2 R1", "Y1 Y2", "B1 B2")
    table.go("R+2")
    assert isinstance(table.need, Window)
    table.game.leave(0)
    assert turn_of(table) == 1
    assert table.counts() == [1, 2, 2]


def test_r56_the_victim_of_the_signal_leaves_and_it_stops():
    table = Table("WS R1 R2", "Y1 Y2", "B1 B2", draw="G9 G8 G7")
    table.stop_at(Attest, "WS>G")
    table.game.leave(1)
    assert turn_of(table) == 2
    assert table.counts() == [2, 3, 2]
    table.dealer.check(table.game)


def test_r56_a_leaver_in_a_mix():
    table = Table("R+2 R1 R2", "Y1 Y2", "B1 B2")
    table.stop_at(Mix, "R+2")
    table.game.leave(1)
    assert turn_of(table) == 2


def test_r56_a_leaver_in_a_shuffle_does_not_take_the_pile_along():
    table = Table("G9 G8", "Y1 Y2", "B1 B2", buried=True)
    table.stop_at(Shuffle, "draw")
    table.game.leave(0)
    table.go()
    assert turn_of(table) == 1
    assert len(table.game.piles["discard"]) == 1


def test_r56_after_the_last_card_a_leaver_changes_nothing_while_others_stay():
    table = Table("R7", "Y1 Y2", "B1 B2")
    table.stop_at(Open, "R7")
    table.game.leave(2)
    table.serve()
    assert table.outcome.winner == 0
    assert table.outcome.points == 6


def test_away_seats_take_no_part():
    game, dealer = fresh(4)
    game = type(game)(game.rules, 4, 0, away=(1, 3))
    while not isinstance(game.need, Decide):
        dealer.serve(game)
    assert [len(hand) for hand in game.hands] == [7, 0, 7, 0]
    assert game.need.seat == 2


def test_match_goes_on_without_a_seat_and_ends_with_the_last_one():
    match = Match(Rules.make("batman", hands=5), 3, 0)
    match.leave(1)
    match.finish(Outcome(Ending.EMPTY_HAND, 0, 10, ((), (), ())))
    assert match.next_dealer == 2
    match.leave(2)
    assert (match.over, match.winner) == (True, 0)


CHOSEN = [
    {"variant": "batman"},
    {"variant": "dbz", "stacking": True, "seven_zero": True},
    {"variant": "dbz", "force_play": True, "seven_zero": True},
    {"variant": "dbz", "draw_until_playable": True, "stacking": True},
]


@pytest.mark.parametrize("seed", range(120))
def test_r56_leaving_at_any_need_never_stops_the_others(seed):
    dice = random.Random(seed)
    players = 2 + seed % 6
    game, dealer = fresh(players, seed % players, seed, **CHOSEN[seed // 2 % 4])
    bot = random_legal(dice, forgets=True, wanders=True)
    seen = set()
    for _ in range(20000):
        need = game.need
        if isinstance(need, Over):
            break
        if game.alive > 1 and dice.random() < 0.02:
            seen.add(type(need))
            living = game.seats_from(0)
            game.leave(living[dice.randrange(len(living))])
        elif isinstance(need, Decide):
            game.apply(bot(view(game, need.seat)))
        elif isinstance(need, Window):
            game.apply(Said(tuple((seat, bot.say(view(game, seat))) for seat in need.seats)))
        else:
            dealer.serve(game)
        dealer.check(game)
    assert isinstance(game.need, Over)


def test_a_hand_is_played_to_its_end_by_the_driver():
    game, dealer = fresh(3)
    bot = random_legal(random.Random(5))
    told_all = []
    outcome = play_hand(game, dealer, [bot] * 3, told_all.append)
    assert outcome.ending is Ending.EMPTY_HAND
    assert told_all
