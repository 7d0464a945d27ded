"""The rulings of docs/rules.md, one by one, by example: set-up, the turn, drawing, actions, the end."""

from __future__ import annotations

import pytest

from p2puno.happenings import Happening, What
from p2puno.match import Match
from p2puno.moves import IllegalMove, Play
from p2puno.needs import Ask, Attest, Decide, Open, Shuffle
from p2puno.outcome import Ending, Outcome
from p2puno.rules import Rules
from p2puno.view import legal, view
from tests.engine.table import Table, dealt, fresh, told, turn_of

RULES = Rules.make("batman")


def name(face: int) -> str:
    return RULES.kinds[face].id


# --- set-up


@pytest.mark.parametrize("players", [1, 11])
def test_r1_two_to_ten_players(players):
    with pytest.raises(ValueError, match="2 to 10 players"):
        fresh(players)


@pytest.mark.parametrize("players", range(2, 11))
def test_r1_r3_every_table_size_is_dealt_seven_cards_each(players):
    game, _ = dealt(players)
    assert [len(hand) for hand in game.hands] == [7] * players
    assert len(game.piles["draw"]) + len(game.piles["discard"]) == 112 - 7 * players


@pytest.mark.parametrize("dealer", range(3))
def test_r2_the_player_after_the_dealer_starts_and_play_goes_clockwise(dealer):
    game, _ = dealt(3, dealer)
    assert game.need == Decide((dealer + 1) % 3, Ask.TURN)
    assert game.direction == 1


def test_r2_the_deal_moves_on_one_seat_each_hand():
    match = Match(Rules.make("batman", hands=5), 3, first_dealer=1)
    dealers = []
    for _ in range(4):
        dealers.append(match.next_dealer)
        match.finish(Outcome(Ending.EMPTY_HAND, 0, 10, ((), (), ())))
    assert dealers == [1, 2, 0, 1]


@pytest.mark.parametrize("size", range(5, 10))
def test_r3_hand_size_is_an_option(size):
    game, _ = dealt(10, hand_size=size)
    assert [len(hand) for hand in game.hands] == [size] * 10


def test_r3_cards_are_dealt_one_at_a_time_from_the_seat_after_the_dealer():
    game, dealer = fresh(3, 1)
    assert game.need == Shuffle((("draw", tuple(range(112))),))
    dealer.serve(game)
    assert isinstance(game.need, Open)
    assert game.need.to[:4] == ((0, 2), (1, 0), (2, 1), (3, 2))
    assert len(game.need.to) == 21


def test_r6_cards_are_flipped_until_a_number_shows_and_do_nothing():
    game, dealer = fresh(2)
    dealer.serve(game)
    for offset, card in enumerate(["W4", "RS", "G+2", "BR", "WS", "Y3"]):  # put them on top of what is left of the deal
        place, want = 14 + offset, RULES.faces[card]
        other = dealer.truth.index(want, place)
        dealer.truth[place], dealer.truth[other] = dealer.truth[other], dealer.truth[place]
    happenings: list[Happening] = []
    while not isinstance(game.need, Decide):
        assert not isinstance(game.need, Attest)
        happenings += dealer.serve(game)
    flipped = [name(h.face) for h in happenings if h.what is What.FLIPPED]
    assert flipped == ["W4", "RS", "G+2", "BR", "WS", "Y3"]
    assert view(game, None).discard == tuple(RULES.faces[card] for card in flipped)
    assert (game.colour, game.direction, turn_seat(game)) == (1, 1, 1)
    assert [len(hand) for hand in game.hands] == [7, 7]
    dealer.check(game)


def turn_seat(game):
    assert isinstance(game.need, Decide)
    return game.need.seat


def test_r7_only_the_seat_whose_decision_is_awaited_can_move():
    game, _ = dealt(3)
    assert turn_seat(game) == 1
    slot, other = game.hands[2][0], game.known[2][game.hands[2][0]]
    with pytest.raises(ValueError, match="not in your hand"):
        game.apply(Play(slot, other, 0 if RULES.kinds[other].wild else -1))


# --- the turn


@pytest.mark.parametrize("card", ["R7", "B5", "W", "WS", "RS", "R+2"])
def test_r10_a_card_fits_by_colour_number_or_as_a_wild(card):
    table = Table(f"{card} G9", "Y1 Y2")
    table.go(card + (">B!" if card.startswith("W") else "!"))
    assert name(table.game.top) == card


@pytest.mark.parametrize("card", ["B7", "GS", "Y+2", "GR"])
def test_r10_a_card_that_fits_in_nothing_is_refused(card):
    table = Table(f"{card} G9", "Y1 Y2")
    with pytest.raises(IllegalMove, match="does not fit on R5") as refused:
        table.go(card)
    assert refused.value.rule == "R10"
    assert "red or 5" in refused.value.hint


@pytest.mark.parametrize(("top", "card"), [("RS", "BS"), ("R+2", "G+2"), ("RR", "YR")])
def test_r10_the_same_action_fits_in_any_colour(top, card):
    table = Table(f"{card} G9 G8", "Y1 Y2", "Y3 Y4", top=top)
    table.go(card)
    assert name(table.game.top) == card


def test_r10_on_a_wild_only_the_named_colour_fits():
    table = Table("W R1 R2", "G7 B7 W")
    table.go("W>G")
    mine = {name(move.face) for move in legal(view(table.game, 1)) if isinstance(move, Play)}
    assert mine == {"G7", "W"}


def test_r11_a_card_may_be_taken_although_one_could_be_played():
    table = Table("R7 G9", "Y1 Y2", draw="B3")
    table.go("draw")
    assert table.need == Decide(0, Ask.DRAWN, table.game.hands[0][-1])
    assert table.hand(0) == ["B3", "G9", "R7"]


def test_r11_only_the_card_just_taken_may_be_played_after_it():
    table = Table("R7 G9", "Y1 Y2", draw="R3")
    table.go("draw")
    with pytest.raises(IllegalMove) as refused:
        table.go("R7")
    assert refused.value.rule == "R11"
    assert [name(m.face) for m in legal(view(table.game, 0)) if isinstance(m, Play)] == ["R3"]
    table.go("R3")
    assert turn_of(table) == 1


def test_r11_the_card_just_taken_may_be_kept():
    table = Table("R7 G9", "Y1 Y2", draw="R3")
    happenings = table.go("draw", "keep")
    assert told(happenings) == [What.DREW, What.KEPT]
    assert turn_of(table) == 1


def test_r11_no_second_card_may_be_taken_in_a_turn():
    table = Table("R7 G9", "Y1 Y2", draw="R3")
    table.go("draw")
    with pytest.raises(IllegalMove, match="already") as refused:
        table.go("draw")
    assert refused.value.rule == "R11"


def test_r11_there_is_no_passing_without_taking():
    with pytest.raises(IllegalMove) as refused:
        Table("R7 G9", "Y1 Y2").go("keep")
    assert refused.value.rule == "R11"


def test_r11_option_play_after_draw_off_ends_the_turn_with_the_card():
    table = Table("R7 G9", "Y1 Y2", draw="R3", play_after_draw=False)
    table.go("draw")
    assert turn_of(table) == 1
    assert table.hand(0) == ["G9", "R3", "R7"]


def test_r12_taking_a_card_and_the_uno_penalty_cost_no_turn():
    table = Table("R7 G9", "G7 Y1", draw="B1 B2 B3 B4")
    table.go("R7", "catch 1")
    assert (table.counts(), turn_of(table)) == ([3, 2], 1)
    table.go("draw", "keep")
    table.go("draw", "keep")
    assert turn_of(table) == 1


def test_r13_the_order_of_a_play_is_card_colour_uno_effect():
    table = Table("W4 R1", "Y1 Y2", "B1 B2", draw="G1 G2 G3 G4 G5 G6")
    first = table.go("W4>G")
    assert told(first) == [What.PLAYED, What.FORGOT]
    assert table.game.colour == 2
    assert told(table.go("catch 2")) == [What.CAUGHT, What.DREW]
    assert table.need == Decide(1, Ask.CHALLENGE)


def test_r13_an_empty_hand_wins_before_anything_else():
    table = Table("R7", "Y1 Y2")
    table.go("R7")
    assert table.outcome == Outcome(Ending.EMPTY_HAND, 0, 3, ((), (RULES.faces["Y1"], RULES.faces["Y2"])))


def test_r15_a_wild_must_name_a_colour_and_no_other_card_may():
    table = Table("W R7", "Y1 Y2")
    game = table.game
    wild, red = game.hands[0]
    with pytest.raises(ValueError, match="needs a colour") as refused:
        game.apply(Play(wild, RULES.faces["W"]))
    assert refused.value.rule == "R15"
    with pytest.raises(ValueError, match="its own colour") as refused:
        game.apply(Play(red, RULES.faces["R7"], 2))
    assert refused.value.rule == "R15"


# --- actions


def test_r19_reverse_turns_the_direction():
    table = Table("RR R1 R2", "Y1 Y2 Y3", "B1 B2 B3")
    assert told(table.go("RR")) == [What.PLAYED, What.REVERSED]
    assert (turn_of(table), table.game.direction) == (2, -1)


def test_r19_with_two_players_a_reverse_costs_the_other_one_the_turn():
    table = Table("RR R1 R2", "Y1 Y2 Y3")
    assert told(table.go("RR")) == [What.PLAYED, What.REVERSED, What.SKIPPED]
    assert turn_of(table) == 0
    table.go("R1!")
    assert turn_of(table) == 1


def test_r19_also_when_a_third_player_has_left():
    table = Table("RR R1 R2", "Y1 Y2 Y3", "B1 B2 B3")
    table.game.leave(2)
    table.go("RR")
    assert turn_of(table) == 0


def test_r20_r22_a_skip_costs_the_next_turn_once():
    table = Table("RS R1 R2", "Y1 Y2 Y3", "R3 B2 B3")
    table.go("RS")
    assert turn_of(table) == 2
    table.go("R3", "R1!")
    assert turn_of(table) == 1
    assert table.game.lost == 0


@pytest.mark.parametrize("option", ["cards", "ignore"])
@pytest.mark.parametrize("card", ["B+2", "W4>R"])
def test_r21_a_draw_on_a_player_who_loses_the_turn_already(card, option):
    """Seat 2 is wished out of its turn, then it must draw: its cards come and one turn is lost; or nothing at all."""
    table = Table("WS R1 R2", "B+2 W4 B2", "Y1 Y2 Y3", variant="dbz", draw="R3", draw_on_skipped=option)
    table.go("WS", "wish>B skip 3")
    happenings = table.go(card)
    if option == "ignore":
        assert told(happenings) == [What.PLAYED, What.SPARED], "nothing to accept or to challenge either"
        assert table.counts() == [2, 2, 3]
    else:
        table.go(*(["accept"] if card != "B+2" else []))
        assert table.counts() == [2, 2, 7 if card != "B+2" else 5]
    assert (turn_of(table), table.game.lost) == (0, 0)
    table.go("draw", "keep", "draw", "keep")
    assert turn_of(table) == 2, "one turn was lost, not two"


def test_r21_ignore_ends_a_stack_at_a_player_who_loses_the_turn_already():
    table = Table(
        "WS R1 R2", "B+2 B1 B2", "Y+2 Y1 Y2", variant="dbz", draw="R3", stacking=True, draw_on_skipped="ignore"
    )
    table.go("WS", "wish>B skip 3")
    assert told(table.go("B+2")) == [What.PLAYED, What.SPARED]
    assert (table.counts(), turn_of(table)) == ([2, 2, 3], 0)


@pytest.mark.parametrize("option", ["cards", "ignore"])
@pytest.mark.parametrize("skips", [False, True])
def test_r21_r75_a_wish_to_draw_is_ignored_only_where_it_costs_the_turn_too(option, skips):
    rest = {"variant": "dbz", "draw": "R3 R4", "draw_on_skipped": option, "wish_draw_skips": skips}
    table = Table("WS R1 R2", "WS B1 B2", "Y1 Y2 Y3", **rest)
    table.go("WS", "wish>B skip 3", "WS", "wish>G draw")
    assert table.counts()[2] == (3 if skips and option == "ignore" else 5)
    assert turn_of(table) == 0


@pytest.mark.parametrize("option", ["cards", "ignore"])
@pytest.mark.parametrize(("card", "cards"), [("B+2", 2), ("W4>R", 4)])
def test_r21_r78_the_last_card_makes_nobody_draw_who_is_spared(card, cards, option):
    table = Table("WS R1 R2", card.split(">")[0], "Y1 Y2 Y3", variant="dbz", draw="R3", draw_on_skipped=option)
    table.go("WS", "wish>B skip 3", card)
    assert table.outcome.winner == 1
    assert len(table.outcome.hands[2]) == 3 + (cards if option == "cards" else 0)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("skips", [False, True])
def test_r21_r72_the_bat_signal_is_ignored_only_where_it_costs_the_turn_too(skips, last):
    table = Table("WS" if last else "WS R9 R8", "Y1 Y2 Y3", "B1 B2", draw="R9 R1", signal_skips=skips,
                  draw_on_skipped="ignore")  # fmt: skip
    table.game.lost = 1 << 1  # as if another rule had taken the turn
    happenings = table.go("WS>B")
    assert (What.SPARED in told(happenings)) == skips
    assert table.counts()[1] == (3 if skips else 5)


def test_r66_draw_two_makes_the_next_player_draw_two_and_lose_the_turn():
    table = Table("R+2 R1 R2", "Y1 Y2 Y3", "B1 B2 B3", draw="G1 G2")
    happenings = table.go("R+2")
    assert told(happenings) == [What.PLAYED, What.DREW, What.SKIPPED]
    assert table.hand(1) == ["G1", "G2", "Y1", "Y2", "Y3"]
    assert turn_of(table) == 2


def test_r79_no_stacking_the_player_after_the_victim_plays_as_usual():
    table = Table("R+2 R1 R2", "Y+2 Y2 Y3", "R9 B2 B3")
    table.go("R+2")
    assert turn_of(table) == 2
    table.go("R9")
    assert table.counts()[1] == 5
