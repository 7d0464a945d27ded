"""Wild Draw Four with its challenge (R62, R67-R70) and the Bat Signal (R71, R72)."""

from __future__ import annotations

import pytest

from p2puno.happenings import What
from p2puno.moves import Accept, Challenge, IllegalMove
from p2puno.needs import ALL, Ask, Attest, Attested, Conceded, Decide, Mix, Open, Window
from p2puno.rules import Rules
from p2puno.view import legal, odds, view
from tests.engine.table import Table, says, told, turn_of

FACES = Rules.make("batman").faces


def matching(table: Table, colour: str) -> set[str]:
    assert isinstance(table.need, Attest)
    names = {table.rules.kinds[face].id for face in table.need.faces}
    assert {name for name in names if name[0] == colour} == {n for n in FACES if n[0] == colour}
    return names


def test_r67_the_matching_set_is_the_colour_before_the_card_and_every_wild():
    table = Table("W4 R1 G2", "Y1 Y2 Y3", top="R5")
    table.go("W4>B")
    table.stop_at(Attest, "challenge")
    names = matching(table, "R")
    assert {"W", "W4", "WS"} <= names
    assert not {"B5", "G5", "Y5"} & names, "matching numbers do not matter"
    assert len(names) == 13 + 3


def test_r67_after_a_wild_the_named_colour_counts():
    table = Table("W G1 G2", "W4 B5 Y1 Y3", top="R5")
    table.go("W>R", "W4>B")
    table.stop_at(Attest, "challenge")
    matching(table, "R")
    assert What.INNOCENT in told(table.serve())


@pytest.mark.parametrize(
    ("rest", "guilty"), [("G5 B5", False), ("R9 G1", True), ("W G1", True), ("W4 G1", True), ("WS B1", True)]
)
def test_r67_r69_what_makes_it_wrong(rest, guilty):
    table = Table(f"W4 {rest}", "Y1 Y2 Y3", "B1 B2 B3", draw="G6 G7 G8 G9 Y6 Y7")
    happenings = table.go("W4>B", "challenge")
    assert table.game.colour == 3
    if guilty:
        assert told(happenings)[1:] == [What.CHALLENGED, What.GUILTY, What.DREW]
        assert (table.counts(), turn_of(table)) == ([6, 3, 3], 1)
    else:
        assert told(happenings)[1:] == [What.CHALLENGED, What.SHOWED, What.INNOCENT, What.DREW, What.SKIPPED]
        assert (table.counts(), turn_of(table)) == ([2, 9, 3], 2)


def test_r69_accepted_costs_four_cards_and_the_turn():
    table = Table("W4 R1 G2", "Y1 Y2 Y3", "B1 B2 B3")
    happenings = table.go("W4>B", "accept")
    assert told(happenings) == [What.PLAYED, What.ACCEPTED, What.DREW, What.SKIPPED]
    assert (table.counts(), turn_of(table)) == ([2, 7, 3], 2)


def test_r68_the_victim_decides_before_anything_else_and_only_accept_or_challenge_are_heard():
    table = Table("W4 R1 G2", "B1 B2 W4", "B1 B2 B3")
    table.go("W4>B")
    assert table.need == Decide(1, Ask.CHALLENGE)
    assert set(map(type, legal(view(table.game, 1)))) == {Accept, Challenge}
    for text in ("B1", "draw", "keep"):
        with pytest.raises(IllegalMove) as refused:
            table.go(text)
        assert refused.value.rule == "R68"


@pytest.mark.parametrize(("shows", "seats"), [("challenger", [1]), ("all", [0, 1, 2])])
def test_r68_who_sees_the_hand(shows, seats):
    table = Table("W4 G1 G2", "Y1 Y2 Y3", "B1 B2 B3", challenge_shows=shows)
    table.go("W4>B")
    table.stop_at(Attest, "challenge")
    assert table.need.show_to == (1 if shows == "challenger" else ALL)
    assert (table.need.may_concede, table.need.all_outside) == (True, True)
    happenings = table.serve()
    assert [h.other for h in happenings if h.what is What.SHOWED] == [1 if shows == "challenger" else -1]
    table._settle()
    expected = (FACES["G1"], FACES["G2"])
    for seat in (1, 2):
        assert view(table.game, seat).shown == ({0: expected} if seat in seats else {})


def test_r68_only_all_outside_can_be_proven():
    table = Table("W4 R1 G2", "Y1 Y2 Y3")
    table.go("W4>B")
    table.stop_at(Attest, "challenge")
    with pytest.raises(IllegalMove) as refused:
        table.game.apply(Attested((True, False)))
    assert refused.value.rule == "R68"
    assert What.GUILTY in told(table.game.apply(Conceded()))


def test_r68_option_challenge_off():
    table = Table("W4 R1 G2", "Y1 Y2 Y3", "B1 B2 B3", challenge=False)
    happenings = table.go("W4>B")
    assert told(happenings) == [What.PLAYED, What.DREW, What.SKIPPED]
    assert turn_of(table) == 2


def test_r62_penalty_cards_do_not_count_for_the_challenge():
    table = Table("W4 G1", "Y1 Y2 Y3", "B1 B2 B3", draw="R1 R2")
    table.go("W4>B", "catch 2")
    assert "R1" in table.hand(0)
    table.stop_at(Attest, "challenge")
    assert len(table.need.slots) == 1
    assert What.INNOCENT in told(table.serve())


def test_r70_a_wild_draw_four_just_taken_may_be_played_and_the_whole_hand_counts():
    table = Table("R1 G2", "Y1 Y2 Y3", "B1 B2 B3", draw="W4")
    table.go("draw", "W4>B")
    table.stop_at(Attest, "challenge")
    assert len(table.need.slots) == 2
    assert What.GUILTY in told(table.serve())


def test_a_shown_hand_is_mixed_and_what_was_seen_is_remembered_without_places_until_played():
    """R47: shown cards bind nobody; whoever saw them keeps the knowledge."""
    table = Table("W4 G1 G2", "Y1 Y2 Y3", "B1 B2 B3")
    table.go("W4>G")
    table.stop_at(Mix, "challenge")
    assert [seat for seat, _ in table.need.hands] == [0, 1]
    assert view(table.game, 1).shown == {0: (FACES["G1"], FACES["G2"])}
    table.serve()
    assert all(table.game.known[1][slot] == -1 for slot in table.game.hands[0])
    assert view(table.game, 1).shown == {0: (FACES["G1"], FACES["G2"])}
    table.go("draw", "keep", "G1!")
    assert view(table.game, 1).shown == {0: (FACES["G2"],)}


# --- odds


def test_odds_are_sure_after_seeing_a_match_and_fair_before():
    table = Table("W4 G1 G2", "Y1 Y2 Y3", "B1 B2 B3")
    table.go("W4>B")
    seen = 3 + 2  # the own hand, the red 5 below and the Wild Draw Four on top
    unseen = 112 - seen
    right = unseen - (25 - 1) - (12 - 1)
    assert odds(view(table.game, 1)) == pytest.approx(1 - right * (right - 1) / (unseen * (unseen - 1)))
    assert odds(view(table.game, 2)) > 0
    table.game.learn(1, table.game.hands[0][0], FACES["G1"])
    assert 0 < odds(view(table.game, 1)) < 0.5
    table.game.learn(1, table.game.hands[0][1], FACES["R2"])
    assert odds(view(table.game, 1)) == 1.0


def test_odds_without_a_claim():
    assert odds(view(Table("R1 R2", "Y1").game, 0)) == 0.0


# --- Bat Signal


def test_r71_the_signal_goes_on_until_one_of_the_family_comes_and_the_victim_keeps_all_and_the_turn():
    table = Table("WS G1 G2", "Y9 Y8", "B1 B2", draw="G9 W RS B3 R1")
    table.go("WS>G")
    assert table.hand(1) == ["B3", "G9", "RS", "W", "Y8", "Y9"]
    assert turn_of(table) == 1
    assert [h.n for h in table.log if h.what is What.SIGNAL] == [4]


def test_r71_each_card_is_proven_inside_or_outside_the_family():
    table = Table("WS G1 G2", "Y9 Y8", "B1 B2", draw="G9 B3")
    table.stop_at(Attest, "WS>G")
    need = table.need
    assert (need.seat, need.slots) == (1, (table.game.hands[1][-1],))
    assert {table.rules.kinds[face].id for face in need.faces} == {c + n for c in "RYGB" for n in "1234"}
    assert (need.may_concede, need.all_outside) == (False, False)
    with pytest.raises(ValueError, match="does not answer"):
        table.game.apply(Conceded())
    table.game.apply(Attested((False,)))
    assert isinstance(table.need, Open), "it cannot stop early"


def test_r72_the_signal_ends_when_both_piles_are_used_up():
    table = Table("WS G1 G2", "Y9 Y8", "B1 B2", draw="G9")
    table.game.hands[2] += table.game.piles["draw"][:-1]
    table.game.piles["draw"] = table.game.piles["draw"][-1:]
    happenings = table.go("WS>G")
    assert [h.n for h in happenings if h.what is What.SIGNAL] == [2], "the card, then the red 5 that it lay upon"
    assert turn_of(table) == 1


def test_r72_option_signal_skips():
    table = Table("WS G1 G2", "Y9 Y8", "B1 B2", draw="G9 B3", signal_skips=True)
    table.go("WS>G")
    assert turn_of(table) == 2


def test_the_victim_of_the_signal_mixes_before_its_own_turn():
    table = Table("WS G1 G2", "Y9 Y8", "B1 B2", draw="B3")
    table.stop_at(Mix, "WS>G")
    assert table.need == Mix(((1, tuple(table.game.hands[1])),))
    table.serve()
    assert turn_of(table) == 1


def test_r13_the_uno_window_of_a_signal_comes_before_it():
    table = Table("WS G1", "Y9 Y8", "B1 B2", draw="R9 R8 B3")
    table.stop_at(Window, "WS>G")
    table.game.apply(says(table.need, "catch 2"))
    table._settle()
    assert table.counts() == [3, 3, 2]
