"""The rulings of docs/rules.md by example: empty piles, UNO, the end of a hand and of a match, mixing, known faults."""

from __future__ import annotations

import pytest

from p2puno.happenings import What
from p2puno.match import Match
from p2puno.needs import ALL, Ask, Decide, Mix, Open, Shuffle
from p2puno.outcome import Ending, Outcome
from p2puno.rules import Rules
from p2puno.view import legal, view
from tests.engine.table import Table, says, told, turn_of

RULES = Rules.make("batman")


def name(face: int) -> str:
    return RULES.kinds[face].id


# --- empty piles


def test_r64_the_discard_without_its_top_card_is_the_new_draw_pile():
    table = Table("G9 G8", "Y1 Y2", draw="B1", buried=True)
    size = len(table.game.piles["discard"])
    table.go("draw", "keep")
    table.stop_at(Shuffle, "draw")
    assert isinstance(table.need, Shuffle)
    assert [(name, len(slots)) for name, slots in table.need.piles] == [("draw", size - 1)]
    table.go("keep")
    assert name(table.game.top) == "R5"
    assert len(table.game.piles["discard"]) == 1
    assert len(table.game.piles["draw"]) == size - 2


def test_r64_a_shuffle_in_the_middle_of_a_draw_and_what_is_there_is_all():
    table = Table("R+2 R1 R2", "Y1 Y2", "B1 B2", draw="G1", buried=True)
    table.stop_at(Open, "R+2")
    assert len(table.need.to) == 1
    table.serve()
    assert isinstance(table.need, Shuffle)
    table.serve()
    assert len(table.need.to) == 1
    happenings = table.serve()
    assert [h.n for h in happenings if h.what is What.DREW] == [2]


def test_r64_the_named_colour_survives_the_shuffle():
    table = Table("W R1 R2", "Y1 Y2", buried=True, draw="B9")
    table.go("W>B", "draw", "keep", "draw", "keep")
    assert table.game.colour == 3


def test_r64_the_discard_is_shuffled_at_most_25_times_in_a_hand():
    for refills, told_of in ((24, [What.SHUFFLED, What.DREW]), (25, [What.DREW])):
        table = Table("G9 G8", "Y1 Y2", buried=True)
        table.game.refills = refills
        happenings = table.go("draw")
        assert told(happenings) == told_of
        assert [h.n for h in happenings if h.what is What.DREW] == [25 - refills]


def empty_piles(*hands, **options):
    """Piles of which nothing can be taken: all other cards are held by a seat that left."""
    table = Table(*hands, **options)
    draw = table.game.piles["draw"]
    table.game.hands[-1].extend(draw)
    table.game.piles["draw"] = []
    table.game.leave(len(hands) - 1)
    table.dealer.check(table.game)
    return table


def test_r64_a_draw_of_nothing_passes_the_turn():
    table = empty_piles("G9 G8", "R1 Y2", "B2")
    happenings = table.go("draw")
    assert [h.n for h in happenings if h.what is What.DREW] == [0]
    assert turn_of(table) == 1


def test_r65_a_hand_in_which_nobody_takes_or_plays_is_blocked_and_the_fewest_cards_win():
    table = empty_piles("G9 G8", "Y1 B2 B3", "B2")
    happenings = table.go("draw", "draw")
    assert What.BLOCKED in told(happenings)
    outcome = table.outcome
    assert (outcome.ending, outcome.winner) == (Ending.BLOCKED, 0)
    assert sum(len(hand) for hand in outcome.hands) == 111


def test_r65_a_play_breaks_the_row_of_passes():
    table = empty_piles("G9 G8 G7", "Y1 R2 R4", "B2")
    table.go("draw", "R2")
    assert table.game.passes == 0
    table.go("draw")  # the card that was covered by the play can be taken
    assert table.need == Decide(0, Ask.DRAWN, table.game.hands[0][-1])


@pytest.mark.parametrize(
    ("first", "second", "winner"), [("G9 G8", "Y1 B2", 1), ("G1 G2", "Y1 B3", 0), ("G1 G3", "Y1 B3", -1)]
)
def test_r65_ties_go_by_points_and_then_nobody_wins(first, second, winner):
    table = empty_piles(first, second, "B2")
    table.go("draw", "draw")
    assert table.outcome.winner == winner
    assert (table.outcome.points == 0) == (winner < 0)


# --- UNO


def test_r59_a_play_that_leaves_one_card_uncalled_opens_the_window():
    table = Table("R7 G9", "Y1 Y2", "B1 B2")
    assert told(table.go("R7")) == [What.PLAYED, What.FORGOT]
    assert table.need.about == 0
    assert set(table.need.seats) == {0, 1, 2}
    assert view(table.game, 2).uncalled == 0


def test_r59_one_card_by_other_ways_opens_no_window():
    table = Table("R7 G9 G8", "Y1", "B1 B2")
    table.go("R7")
    assert turn_of(table) == 1


def test_r60_a_call_with_the_play_opens_no_window():
    table = Table("R7 G9", "Y1 Y2")
    assert told(table.go("R7!")) == [What.PLAYED, What.CALLED]
    assert turn_of(table) == 1


def test_r60_a_call_with_another_hand_size_does_nothing():
    table = Table("R7 G9 G8", "Y1 Y2")
    assert told(table.go("R7!")) == [What.PLAYED]


def test_r60_a_call_in_the_window_ends_it():
    table = Table("R7 G9", "Y1 Y2")
    assert told(table.go("R7", "call")) == [What.PLAYED, What.FORGOT, What.CALLED]
    assert table.counts()[0] == 1


def test_r61_nobody_catches_in_time_and_the_turn_goes_on():
    table = Table("R7 G9", "Y1 Y2")
    table.go("R7", "pass")
    assert (turn_of(table), table.counts()[0]) == (1, 1)
    assert view(table.game, 1).uncalled == -1


def test_r61_the_window_also_opens_between_two_players_who_play_again():
    table = Table("RS G9", "Y1 Y2")
    assert told(table.go("RS"))[:2] == [What.PLAYED, What.FORGOT]
    table.go("catch 1")
    assert (turn_of(table), table.counts()[0]) == (0, 3)


@pytest.mark.parametrize("answer", ["catch 1", "catch 1 2", "catch 2 call"])
def test_r62_caught_costs_two_cards_and_several_catches_are_one_even_if_the_call_crossed(answer):
    table = Table("R7 G9", "Y1 Y2", "B1 B2", draw="G1 G2")
    happenings = table.go("R7", answer)
    caught = [h for h in happenings if h.what is What.CAUGHT]
    assert [(h.seat, h.n) for h in caught] == [(0, 2)]
    assert table.hand(0) == ["G1", "G2", "G9"]


@pytest.mark.parametrize("penalty", range(5))
def test_r62_the_penalty_is_an_option_and_none_means_no_window(penalty):
    table = Table("R7 G9", "Y1 Y2", uno_penalty=penalty)
    table.go("R7", *(["catch 1"] if penalty else []))
    assert table.counts()[0] == 1 + penalty
    assert turn_of(table) == 1


def test_r63_seats_that_left_neither_catch_nor_are_caught():
    table = Table("R7 G9", "Y1 Y2", "B1 B2", "G1 G2")
    table.game.leave(3)
    table.go("R7")
    assert set(table.need.seats) == {0, 1, 2}
    table.game.leave(2)
    assert set(table.need.seats) == {0, 1}


def test_r63_the_offender_leaves_and_the_window_with_it():
    table = Table("R7 G9", "Y1 Y2", "B1 B2")
    table.go("R7")
    table.game.leave(0)
    assert turn_of(table) == 1


# --- the end


@pytest.mark.parametrize(("card", "cards"), [("R+2", 2), ("W4>G", 4)])
def test_r78_the_last_card_wins_at_once_but_the_next_player_still_draws(card, cards):
    table = Table(card.partition(">")[0], "Y1 Y2", "B1 B2", draw="G1 G2 G3 G4")
    happenings = table.go(card)
    assert told(happenings) == [What.PLAYED, What.DREW, What.WON]
    assert [len(hand) for hand in table.outcome.hands] == [0, 2 + cards, 2]


def test_r78_a_last_bat_signal_is_drawn_out_before_the_points_are_counted():
    table = Table("WS", "Y9 Y8", "B1 B2", draw="G9 W R3")
    happenings = table.go("WS>G")
    assert told(happenings)[-2:] == [What.SIGNAL, What.WON]
    assert table.outcome.points == 9 + 8 + 1 + 2 + 9 + 50 + 3


@pytest.mark.parametrize("card", ["R7", "RS", "RR", "W>G"])
def test_r78_other_last_cards_make_nobody_draw(card):
    table = Table(card.partition(">")[0], "Y1 Y2", "B1 B2")
    table.go(card)
    assert [len(hand) for hand in table.outcome.hands] == [0, 2, 2]


def test_r80_points_are_face_value_twenty_and_fifty():
    table = Table("R7", "Y9 B0 GS Y+2", "RR W W4 WS")
    table.go("R7")
    assert table.outcome.points == 9 + 0 + 20 + 20 + 20 + 50 + 50 + 50


def test_r80_all_hands_are_opened_to_all_at_the_end():
    table = Table("R7", "Y9 B0", "RR W")
    table.stop_at(Open, "R7")
    assert {to for _, to in table.need.to} == {ALL}
    table.serve()
    assert [sorted(map(name, hand)) for hand in table.outcome.hands] == [[], ["B0", "Y9"], ["RR", "W"]]


def test_r80_the_first_to_the_target_wins_the_match():
    match = Match(Rules.make("batman", score_target=100), 2, 0)
    match.finish(Outcome(Ending.EMPTY_HAND, 1, 99, ((), ())))
    assert not match.over
    assert match.winner == -1
    match.finish(Outcome(Ending.EMPTY_HAND, 1, 1, ((), ())))
    assert (match.over, match.winner, match.scores, match.hands_played) == (True, 1, [0, 100], 2)
    with pytest.raises(ValueError, match="over"):
        match.finish(Outcome(Ending.EMPTY_HAND, 1, 1, ((), ())))


def test_r80_a_fixed_number_of_hands_goes_by_points_then_by_hands_won():
    match = Match(Rules.make("batman", hands=3), 2, 0)
    for winner, points in ((0, 20), (1, 10), (1, 10)):
        assert not match.over
        match.finish(Outcome(Ending.EMPTY_HAND, winner, points, ((), ())))
    assert (match.over, match.winner) == (True, 1)


def test_r80_a_single_hand_without_points_still_has_a_winner():
    match = Match(Rules.make("batman"), 2, 0)
    match.finish(Outcome(Ending.EMPTY_HAND, 1, 0, ((), ())))
    assert match.winner == 1


def test_r65_r80_a_tied_single_hand_has_none():
    match = Match(Rules.make("batman"), 2, 0)
    match.finish(Outcome(Ending.BLOCKED, -1, 0, ((), ())))
    assert (match.over, match.winner) == (True, -1)


def test_r81_there_is_no_jumping_in():
    table = Table("R7 G9 G8", "Y1 Y2", "R5 B2")
    assert legal(view(table.game, 2)) == []


# --- mixing


def test_who_took_a_card_mixes_at_the_end_of_the_turn_not_before():
    table = Table("G9 G8", "Y1 Y2", draw="B1")
    table.go("draw")
    table.game.apply(legal(view(table.game, 0))[-1])
    assert table.need == Mix(((0, tuple(table.game.hands[0])),))
    table.serve()
    assert turn_of(table) == 1


def test_who_played_the_card_just_taken_has_nothing_to_mix():
    table = Table("G9 G8 G7", "Y1 Y2", draw="R1")
    table.stop_at(Decide, "draw")
    table.game.apply(legal(view(table.game, 0))[0])
    assert table.need == Decide(1, Ask.TURN)


def test_one_mix_for_all_who_took_cards_in_a_turn():
    table = Table("R+2 G9", "Y1 Y2", "B1 B2", draw="B3 B4 B5 B6")
    table.go("R+2")
    table.game.apply(says(table.need, "catch 2"))
    table.stop_at(Mix)
    assert [seat for seat, _ in table.need.hands] == [0, 1]


def test_a_hand_of_one_card_is_not_mixed():
    table = Table("R+2 G9 G8", "", "B1 B2", draw="B3 B4")
    table.game.hands[1] = []
    table.stop_at(Mix, "R+2")
    assert [seat for seat, _ in table.need.hands] == [1]
    table = Table("WS G9 G8", "", "B1 B2", draw="B3")
    assert What.SIGNAL in told(table.go("WS>G"))
    assert turn_of(table) == 1


# --- faults of other programs (docs/rules.md, last section)


def test_v05_the_named_colour_outlasts_draws_and_lost_turns():
    table = Table("W R1 R2", "Y1 Y2", "GS B2", "Y8 Y9")
    table.go("W>G", "draw", "keep", "GS!", "draw", "keep")
    assert table.game.colour == 2


def test_v12_a_penalty_is_paid_once():
    table = Table("W4 R1 R2", "Y1 Y2", "R9 R8")
    table.go("W4>R", "accept", "R9!", "R1!", "draw", "keep")
    assert table.counts()[1] == 2 + 4 + 1


def test_v29_a_call_is_used_up_by_the_play_it_rides_on():
    table = Table("R7 R8 R9", "R1 R2 R3")
    table.go("R7!", "R1", "R8")
    assert table.need.about == 0
