"""Hands that move: the option `seven_zero` (R79)."""

from __future__ import annotations

import random

import pytest

from p2puno.bots import sensible
from p2puno.card import print_move
from p2puno.happenings import What
from p2puno.moves import Draw, IllegalMove, Pick, Play
from p2puno.needs import Ask, Decide, Give, Given, Mix, Over, Window
from p2puno.rules import Rules
from p2puno.view import legal, view
from tests.engine.table import Table, told, turn_of

FACES = Rules.make("batman").faces


def faces(*names: str) -> tuple[int, ...]:
    return tuple(sorted(FACES[name] for name in names))


def table(*hands: str, **options) -> Table:
    return Table(*hands, seven_zero=True, **options)


def test_r79_a_seven_swaps_hands_with_a_player_of_ones_choice():
    t = table("R7 B1 B2", "Y1 Y2 Y3", "G1 G2 G3 G4")
    t.go("R7")
    assert t.need == Decide(0, Ask.HANDS, options=(1, 2))
    assert [print_move(t.rules, move) for move in legal(view(t.game, 0))] == ["swap 2", "swap 3"]
    t.stop_at(Give, "swap 3")
    slots = t.game.hands[0], t.game.hands[2]
    assert t.need == Give((*((s, 0, 2) for s in slots[0]), *((s, 2, 0) for s in slots[1])))
    assert told(t.serve()) == [What.SWAPPED]
    assert (t.game.hands[0], t.game.hands[2]) == (slots[1], slots[0])
    t._settle()
    assert (t.hand(0), t.hand(1), t.hand(2)) == (["G1", "G2", "G3", "G4"], ["Y1", "Y2", "Y3"], ["B1", "B2"])
    assert turn_of(t) == 1


def test_r79_between_two_players_there_is_no_choice():
    t = table("R7 B1 B2", "Y1 Y2 Y3")
    t.stop_at(Give, "R7")
    t.serve()
    assert t.hand(0) == ["Y1", "Y2", "Y3"]


@pytest.mark.parametrize(("direction", "after"), [(1, ["G1", "B1", "Y1"]), (-1, ["Y1", "G1", "B1"])])
def test_r79_a_zero_moves_every_hand_one_seat_in_the_direction_of_play(direction, after):
    t = table("R0 B1 B2", "Y1 Y2 Y3", "G1 G2")
    t.game.direction = direction
    assert What.ROTATED in told(t.go("R0"))
    assert [t.hand(seat)[0] for seat in range(3)] == after
    assert sorted(t.counts()) == [2, 2, 3]


def test_r79_the_receivers_read_their_cards_and_mix_at_the_end_of_the_turn():
    t = table("R0 B1 B2", "Y1 Y2 Y3", "G1")
    t.stop_at(Mix, "R0")
    assert [seat for seat, _ in t.need.hands] == [1, 2], "one card cannot be mixed"
    for seat in range(3):
        assert sorted(face for _, face in view(t.game, seat).hand) == sorted(
            t.dealer.truth[slot] for slot in t.game.hands[seat]
        )
    t.serve()
    t.dealer.check(t.game)


def test_r47_r79_old_holders_still_know_the_cards_but_not_where_they_are_after_the_mix():
    t = table("R7 B1 B2", "Y1 Y2 Y3", "G1 G2 G3")
    t.go("R7")
    t.stop_at(Mix, "swap 2")
    before = {slot: face for slot, face in enumerate(t.game.known[0]) if slot in t.game.hands[1]}
    assert sorted(before.values()) == [FACES["B1"], FACES["B2"]]
    t._settle()
    assert all(t.game.known[0][slot] == -1 for slot in t.game.hands[1])
    assert view(t.game, 0).shown == {1: faces("B1", "B2")}
    assert view(t.game, 1).shown == {0: faces("Y1", "Y2", "Y3")}
    assert view(t.game, 2).shown == {}


def test_r47_what_was_remembered_of_a_hand_goes_with_it():
    t = table("R7 B1 B2", "R0 Y1 Y2", "G1 G2 G3", top="R5")
    t.go("R7", "swap 2")
    t.go("draw", "keep")
    assert view(t.game, 0).shown == {1: faces("B1", "B2")}
    t = table("R7 R9 B2", "R1 Y1 Y2", "G1 R0 G3")
    t.go("R7", "swap 2", "R9!", "R0")
    assert turn_of(t) == 0
    # seat 0 held B2 (now with 2) and holds again none of its own; seat 1 had R1 Y1 Y2, which went 0 -> 1
    assert [t.hand(seat) for seat in range(3)] == [["G1", "G3"], ["R1", "Y1", "Y2"], ["B2"]]
    assert view(t.game, 0).shown == {1: faces("R1", "Y1", "Y2"), 2: faces("B2")}
    assert view(t.game, 1).shown == {2: faces("B2")}
    assert view(t.game, 2).shown == {0: faces("G1", "G3")}


def test_r79_not_on_the_last_card():
    t = table("R7", "Y1 Y2")
    assert told(t.go("R7")) == [What.PLAYED, What.WON]
    t = table("R0", "Y1 Y2")
    assert told(t.go("R0")) == [What.PLAYED, What.WON]


def test_r79_the_uno_window_is_closed_before_hands_move_and_one_card_by_a_swap_opens_none():
    t = table("R7 B1", "Y1 Y2 Y3", "G1 G2")
    t.go("R7")
    assert isinstance(t.need, Window)
    t.go("catch 1")
    assert (t.counts(), t.need.ask) == ([3, 3, 2], Ask.HANDS)
    t = table("R7 B1", "Y1 Y2 Y3", "G1 G2")
    t.go("R7!", "swap 2")
    assert t.counts() == [3, 1, 2]
    assert t.need == Decide(1, Ask.TURN)


def test_r79_a_seven_just_taken_and_a_seven_by_a_wish_swap_too():
    t = table("B1 B2", "Y1 Y2 Y3", draw="R7")
    t.go("draw", "R7")
    assert t.hand(0) == ["Y1", "Y2", "Y3"]
    t = table("WS B7 B2", "Y1 Y2 Y3", draw="R7", variant="dbz")
    t.go("WS", "wish>B play B7!")
    assert (t.hand(0), t.hand(1)) == (["Y1", "Y2", "Y3"], ["B2"]), "the flipped 7 does nothing, the played one acts"


def test_r79_only_players_in_the_hand_can_be_chosen():
    t = table("R7 B1 B2", "Y1 Y2 Y3", "G1 G2", "R1 R2")
    t.game.leave(2)
    t.go("R7")
    assert t.need.options == (1, 3)
    before = t.game.state_hash()
    for move in (Pick(0), Pick(2), Pick(4), Pick(-1), Draw(), Play(t.game.hands[0][0], FACES["B1"])):
        with pytest.raises(IllegalMove) as refused:
            t.game.apply(move)
        assert refused.value.rule == "R79"
    assert t.game.state_hash() == before
    with pytest.raises(IllegalMove) as refused:
        table("R7 B1 B2", "Y1 Y2 Y3").game.apply(Pick(1))
    assert refused.value.rule == "R7"


def test_r57_an_absent_player_swaps_with_the_next_one():
    t = table("R7 B1 B2", "Y1 Y2 Y3", "G1 G2")
    t.go("R7")
    assert t.game.default(t.need) == Pick(1)


def test_r56_a_leaver_cannot_be_chosen_any_more():
    t = table("R7 B1 B2", "Y1 Y2 Y3", "G1 G2", "R1 R2")
    t.go("R7")
    t.game.leave(1)
    assert t.need.options == (2, 3)
    t.game.leave(3)
    t.go("swap 3")
    assert t.hand(0) == ["G1", "G2"]


@pytest.mark.parametrize("leaver", [0, 1])
def test_r56_a_swap_lapses_with_one_of_the_two(leaver):
    t = table("R7 B1 B2", "Y1 Y2 Y3", "G1 G2")
    t.go("R7")
    t.stop_at(Give, "swap 2")
    t.game.leave(leaver)
    assert turn_of(t) == (2 if leaver else 1)
    assert [t.hand(seat) for seat in range(3)] == [["B1", "B2"], ["Y1", "Y2", "Y3"], ["G1", "G2"]]


def test_r56_a_swap_of_others_goes_on_when_somebody_leaves():
    t = table("R7 B1 B2", "Y1 Y2 Y3", "G1 G2")
    t.go("R7")
    t.stop_at(Give, "swap 2")
    t.game.leave(2)
    t.serve()
    assert t.hand(0) == ["Y1", "Y2", "Y3"]


@pytest.mark.parametrize(("leaver", "first"), [(0, [None, "G1", "Y1"]), (1, ["G1", None, "B1"])])
def test_r56_a_rotation_goes_on_without_a_leaver_whose_hand_stays_aside(leaver, first):
    t = table("R0 B1 B2", "Y1 Y2 Y3", "G1 G2")
    t.stop_at(Give, "R0")
    hand = t.game.hands[leaver][:]
    t.game.leave(leaver)
    assert isinstance(t.need, Give)
    t._settle()
    assert t.game.hands[leaver] == hand
    assert [t.hand(seat)[0] if seat != leaver else None for seat in range(3)] == first
    t.dealer.check(t.game)


def test_the_hash_covers_who_holds_what():
    t = table("R7 B1 B2", "Y1 Y2 Y3")
    t.stop_at(Give, "R7")
    before = t.game.state_hash()
    t.game.apply(Given())
    assert t.game.state_hash() != before


@pytest.mark.parametrize(
    ("hands", "text"), [(("R7 R1 B2 B3", "Y1 Y2", "G1 G2 G3"), "R7"), (("R0 R1 B2 B3", "Y1 Y2 Y3 Y4", "G1"), "R0")]
)
def test_the_sensible_player_likes_a_smaller_hand(hands, text):
    t = table(*hands)
    bot = sensible(random.Random(1))
    move = bot(view(t.game, 0))
    assert print_move(t.rules, move) == text
    t.game.apply(move)
    if text == "R7":
        assert bot(view(t.game, 0)) == Pick(1)
    assert not isinstance(t.need, Over)
