"""Shenron's Wish in UNO Dragon Ball Z (R73-R78)."""

from __future__ import annotations

import random

import pytest

from p2puno.bots import sensible
from p2puno.card import print_move
from p2puno.happenings import What
from p2puno.moves import Draw, IllegalMove, InvalidMove, MoveError, Pick, Play, Wish, WishFor
from p2puno.needs import ALL, Ask, Attest, Decide, Mix, Open, Over, Shuffle, Window
from p2puno.pack import find_variant
from p2puno.rules import Rules
from p2puno.state import MOST_REFILLS
from p2puno.view import check, legal, view
from tests.engine.table import Table, told, turn_of

RULES = Rules.make("dbz")
FACES = RULES.faces


def table(*hands: str, draw: str = "R3", **options) -> Table:
    return Table(*hands, draw=draw, variant="dbz", **options)


def options(of: Table) -> set[str]:
    """What the seat that must decide may say, as it is written."""
    need = of.need
    assert isinstance(need, Decide)
    return {print_move(of.rules, move) for move in legal(view(of.game, need.seat))}


def test_the_deck_has_112_cards_and_half_of_them_bear_a_dragon_ball():
    pack = find_variant("dbz")
    assert pack == find_variant("dragon_ball_z")
    assert Rules.make("dragon_ball_z") == RULES
    assert len(pack.deck) == 112
    assert [pack.kinds[face].id for face in pack.deck[-12::4]] == ["W", "W4", "WS"]
    assert {pack.kinds[face].id for face in pack.icon} == {c + n for c in "RYGB" for n in "1234567"}
    assert sum(pack.deck.count(face) for face in pack.icon) == 56
    for kind in pack.kinds:
        assert kind.icon == kind.text.endswith("It bears a Dragon Ball: flipped for a Wish, it grants one. [house]")
    assert {kind.mark for kind in pack.kinds} == {"seed"}


def test_r74_the_wish_is_played_without_a_colour_and_the_colour_is_named_after_the_flip():
    t = table("WS B1 B2", "Y1 Y2")
    seen = view(t.game, 0)
    assert [m for m in legal(seen) if isinstance(m, Play)] == [Play(t.game.hands[0][0], FACES["WS"])]
    with pytest.raises(InvalidMove) as refused:
        t.game.apply(Play(t.game.hands[0][0], FACES["WS"], 1))
    assert refused.value.rule == "R74"
    with pytest.raises(InvalidMove, match="after the flip"):
        t.go("WS>B")
    happenings = t.go("WS")
    assert told(happenings) == [What.PLAYED, What.REVEALED]
    assert (happenings[0].colour, t.game.colour) == (-1, 0), "the red of before is still in force"


def test_r73_the_flipped_card_lies_face_up_under_the_wish():
    t = table("WS B1 B2", "Y1 Y2", draw="R3")
    t.stop_at(Open, "WS")
    slot = t.game.piles["draw"][-1]
    assert t.need == Open(((slot, ALL),))
    happenings = t.serve()
    assert [(h.face, h.n) for h in happenings if h.what is What.REVEALED] == [(FACES["R3"], 1)]
    assert view(t.game, 1).discard[-2:] == (FACES["R3"], FACES["WS"])
    assert t.need == Decide(0, Ask.WISH, slot, (WishFor.DRAW, WishFor.REVERSE, WishFor.SKIP, WishFor.PLAY))


@pytest.mark.parametrize("flipped", ["R0", "G8", "B9", "Y+2", "RR", "GS", "W", "W4", "WS"])
def test_r73_a_card_without_the_icon_grants_nothing_and_does_nothing(flipped):
    t = table("WS B1 B2", "Y1 Y2", "G1 G2", draw=flipped)
    t.go("WS")
    assert t.need.options == ()
    assert options(t) == {"wish>R", "wish>Y", "wish>G", "wish>B"}
    with pytest.raises(IllegalMove) as refused:
        t.game.apply(Wish(1, WishFor.DRAW))
    assert refused.value.rule == "R73"
    assert told(t.go("wish>G")) == [What.WISHED]
    assert (t.game.colour, turn_of(t), t.counts(), t.game.direction) == (2, 1, [2, 2, 2], 1)


def test_r73_an_empty_draw_pile_is_shuffled_first():
    t = table("WS B1 B2", "Y1 Y2", draw="", buried=True)
    t.stop_at(Shuffle, "WS")
    assert len(t.need.piles[0][1]) == 112 - 5, "all but the Wish on top and the hands"
    t.serve()
    assert isinstance(t.need, Open)
    t._settle()
    assert t.need.ask is Ask.WISH
    t.go("wish>G" if not t.need.options else "wish>G draw")


def test_r73_when_nothing_can_be_flipped_any_more_there_is_no_wish():
    """A card lies below every Wish, so this takes a discard that is not shuffled again (R64)."""
    t = table("WS B1 B2", "Y1 Y2", buried=True, draw="")
    t.game.refills = MOST_REFILLS
    assert told(t.go("WS")) == [What.PLAYED]
    assert t.need == Decide(0, Ask.WISH)
    assert told(t.go("wish>G")) == [What.WISHED]
    assert turn_of(t) == 1


def test_r75_w1_the_next_player_draws_two_and_keeps_the_turn():
    t = table("WS B1 B2", "Y1 Y2", "G1 G2", draw="R3")
    happenings = t.go("WS", "wish>B draw")
    assert told(happenings) == [What.PLAYED, What.REVEALED, What.WISHED, What.DREW]
    assert (t.counts(), turn_of(t), t.game.colour) == ([2, 4, 2], 1, 3)


def test_r75_option_wish_draw_skips():
    t = table("WS B1 B2", "Y1 Y2", "G1 G2", wish_draw_skips=True)
    t.go("WS", "wish>B draw")
    assert (t.counts(), turn_of(t)) == ([2, 4, 2], 2)


@pytest.mark.parametrize(("hands", "direction", "turn"), [(3, -1, 2), (2, -1, 0)])
def test_r75_r19_w2_reverses_and_between_two_costs_the_other_the_turn(hands, direction, turn):
    t = table("WS B1 B2", *["Y1 Y2", "G1 G2"][: hands - 1])
    t.go("WS", "wish>B reverse")
    assert (t.game.direction, turn_of(t)) == (direction, turn)


@pytest.mark.parametrize(("target", "turns"), [(2, [2, 3, 0]), (3, [1, 3, 0]), (4, [1, 2, 0])])
def test_r75_w3_any_other_player_loses_the_next_turn(target, turns):
    t = table("WS B1 B2", "Y1 Y2", "G1 G2", "R1 R2")
    happenings = t.go("WS", f"wish>B skip {target}")
    assert [h.other for h in happenings if h.what is What.WISHED] == [target - 1]
    seen = []
    for _ in range(3):
        seen.append(turn_of(t))
        t.go("draw", "keep")
    assert seen == turns


def test_r20_w3_on_a_player_who_loses_the_turn_already_does_not_add_up():
    t = table("WS B1 B2", "WS B3 B4", "G1 G2", draw="R3 Y3")
    t.go("WS", "wish>B skip 3")
    t.go("WS", "wish>B skip 3", "draw", "keep")
    assert turn_of(t) == 1


@pytest.mark.parametrize("target", [0, 3, 9, -1])
def test_r75_w3_is_about_another_player_who_is_there(target):
    t = table("WS B1 B2", "Y1 Y2", "G1 G2", "R1 R2")
    t.game.leave(3)
    t.go("WS")
    with pytest.raises(IllegalMove) as refused:
        t.game.apply(Wish(3, WishFor.SKIP, target))
    assert refused.value.rule == "R75"


def test_r76_w4_plays_a_card_of_the_named_colour_or_a_wild_number_and_symbol_play_no_part():
    t = table("WS B1 R3 G9 W WS", "Y1 Y2", draw="R3")
    t.go("WS")
    plays = {text for text in options(t) if "play" in text}
    wilds = {f"wish>{c} play W>{d}" for c in "RYGB" for d in "RYGB"} | {f"wish>{c} play WS" for c in "RYGB"}
    assert plays == wilds | {"wish>B play B1", "wish>R play R3", "wish>G play G9"}
    with pytest.raises(IllegalMove) as refused:
        t.go("wish>B play R3")
    assert refused.value.rule == "R76"
    happenings = t.go("wish>B play B1")
    assert told(happenings) == [What.WISHED, What.PLAYED]
    assert (t.game.colour, t.hand(0), turn_of(t)) == (3, ["G9", "R3", "W", "WS"], 1)


@pytest.mark.parametrize(
    ("card", "counts", "turn"),
    [("B+2", [2, 4, 2], 2), ("BS", [2, 2, 2], 2), ("BR", [2, 2, 2], 2), ("W>Y", [2, 2, 2], 1)],
)
def test_r76_the_card_acts_in_full(card, counts, turn):
    t = table(f"WS R1 R2 {card.split('>')[0]}", "Y1 Y2", "G1 G2")
    t.go("WS", f"wish>B play {card}")
    assert (t.counts(), turn_of(t)) == (counts, turn)
    assert t.game.colour == (1 if card == "W>Y" else 3)


def test_r76_another_wish_flips_again():
    t = table("WS WS WS B1 B2", "Y1 Y2", draw="R3 Y5 G6 B9")
    t.go("WS", "wish>B play WS", "wish>G play WS")
    assert t.need.options
    t.go("wish>B draw")
    assert [h.face for h in t.log if h.what is What.REVEALED] == [FACES["R3"], FACES["Y5"], FACES["G6"]]
    assert t.counts() == [2, 4]


@pytest.mark.parametrize(("rest", "verdict"), [("R1 G2", What.INNOCENT), ("B1 G2", What.GUILTY), ("W G2", What.GUILTY)])
def test_r76_r67_a_wild_draw_four_is_judged_by_the_colour_just_named(rest, verdict):
    t = table(f"WS W4 {rest}", "Y1 Y2", "G1 G3", top="R5")
    t.go("WS", "wish>B play W4>Y")
    assert t.need == Decide(1, Ask.CHALLENGE)
    t.stop_at(Attest, "challenge")
    assert FACES["B9"] in t.need.faces
    assert FACES["R9"] not in t.need.faces
    assert verdict in told(t.serve())


def test_r74_what_a_wish_must_and_must_not_say():
    t = table("WS B1 R3 W", "Y1 Y2", "G1 G2")
    t.go("WS")
    slots = dict(
        zip(t.hand(0), sorted(t.game.hands[0], key=lambda s: t.rules.kinds[t.dealer.truth[s]].id), strict=True)
    )
    before = t.game.state_hash()
    for move, rule in [
        (Wish(3), "R74"), (Wish(4, WishFor.DRAW), "R15"), (Wish(-1), "R15"), (Wish(3, WishFor.DRAW, 1), "R75"),
        (Wish(3, WishFor.REVERSE, slot=slots["B1"]), "R76"), (Wish(3, WishFor.PLAY), "R11"),
        (Wish(3, WishFor.PLAY, -1, 99, FACES["B1"]), "R11"), (Wish(3, WishFor.PLAY, -1, slots["B1"], 99), "R10"),
        (Wish(3, WishFor.PLAY, 1, slots["B1"], FACES["B1"]), "R75"),
        (Wish(3, WishFor.PLAY, -1, slots["W"], FACES["W"]), "R15"),
        (Wish(3, WishFor.PLAY, -1, slots["B1"], FACES["B1"], 2), "R15"), (Draw(), "R74"), (Pick(1), "R74"),
        (Play(slots["B1"], FACES["B1"]), "R74"),
    ]:  # fmt: skip
        with pytest.raises(MoveError) as refused:
            check(view(t.game, 0), move)
        assert refused.value.rule == rule, move
    assert t.game.state_hash() == before
    t.go("wish>B play B1")
    with pytest.raises(IllegalMove) as refused:
        t.game.apply(Wish(3))
    assert refused.value.rule == "R74"


# --- UNO (R77)


def test_r77_the_window_comes_after_colour_and_wish_are_named_and_before_the_wish_acts():
    t = table("WS B1", "Y1 Y2", "G1 G2", draw="R3")
    assert told(t.go("WS")) == [What.PLAYED, What.REVEALED]
    happenings = t.go("wish>B draw")
    assert told(happenings) == [What.WISHED, What.FORGOT]
    assert (t.need.about, t.game.colour, t.counts()) == (0, 3, [1, 2, 2])
    assert told(t.go("catch 2")) == [What.CAUGHT, What.DREW, What.DREW]
    assert t.counts() == [3, 4, 2]


@pytest.mark.parametrize("texts", [("WS!", "wish>B draw"), ("WS", "wish>B draw!")])
def test_r77_the_call_rides_on_the_play_or_on_the_choice(texts):
    t = table("WS B1", "Y1 Y2", "G1 G2")
    happenings = t.go(*texts)
    assert told(happenings).count(What.CALLED) == 1
    assert What.FORGOT not in told(happenings)
    assert turn_of(t) == 1


def test_r77_who_called_with_the_play_is_not_offered_the_call_again():
    t = table("WS B1", "Y1 Y2")
    t.go("WS!")
    assert not [text for text in options(t) if text.endswith("!")]


def test_r77_w4_with_the_last_card_wins():
    t = table("WS B1", "Y1 Y2", "G1 G2")
    t.go("WS", "wish>B play B1!")
    assert (t.outcome.winner, t.outcome.points) == (0, 1 + 2 + 1 + 2)


def test_r77_w4_after_a_catch_plays_on_with_the_penalty_cards_in_hand():
    t = table("WS B1", "Y1 Y2", "G1 G2", draw="R3 R8 R9")
    t.go("WS", "wish>B play B1")
    assert isinstance(t.need, Window)
    assert view(t.game, 1).counts == (1, 2, 2)
    t.go("catch 1")
    assert t.hand(0) == ["R8", "R9"]
    assert turn_of(t) == 1


def test_r77_without_a_catch_the_last_card_still_wins():
    t = table("WS B1", "Y1 Y2", "G1 G2")
    t.go("WS", "wish>B play B1", "pass")
    assert t.outcome.winner == 0


@pytest.mark.parametrize("call", ["!", ""])
def test_r77_the_card_of_w4_that_leaves_one_has_its_own_window(call):
    t = table("WS B1 R9", "Y1 Y2", "G1 G2")
    happenings = t.go("WS", f"wish>B play B1{call}")
    assert (What.CALLED in told(happenings), isinstance(t.need, Window)) == (call == "!", call == "")


def test_r62_without_a_penalty_nobody_calls():
    t = table("WS B1", "Y1 Y2", uno_penalty=0)
    t.go("WS")
    assert not [text for text in options(t) if text.endswith("!")]
    t.go("wish>B reverse")
    assert turn_of(t) == 0


# --- the end, absence, leaving


def test_r78_the_last_card_wins_at_once_without_a_flip():
    t = table("WS", "Y1 Y2", "G1 G2")
    assert told(t.go("WS")) == [What.PLAYED, What.WON]
    assert (t.outcome.winner, t.outcome.points) == (0, 6)


def test_r70_a_wish_just_taken_may_be_played_at_once():
    t = table("B1 B2", "Y1 Y2", draw="WS R3")
    t.go("draw", "WS", "wish>B draw")
    assert t.counts() == [2, 4]


def test_r57_an_absent_player_keeps_the_colour_and_makes_the_first_wish():
    t = table("WS B1 B2", "Y1 Y2", draw="R3")
    t.go("WS")
    assert t.game.default(t.need) == Wish(0, WishFor.DRAW)
    t.game.copy().apply(t.game.default(t.need))
    t = table("WS B1 B2", "Y1 Y2", draw="R9")
    t.go("WS")
    assert t.game.default(t.need) == Wish(0)
    t.game.copy().apply(t.game.default(t.need))


def test_r56_who_leaves_before_naming_names_nothing():
    t = table("WS B1 B2", "Y1 R2", "G1 G2", draw="R3")
    t.go("WS")
    t.game.leave(0)
    assert (turn_of(t), t.game.colour) == (1, 0)
    t.go("R2!")


def test_r56_who_leaves_during_the_flip_flips_all_the_same():
    t = table("WS B1 B2", "Y1 R2", "G1 G2", draw="R3")
    t.stop_at(Open, "WS")
    t.game.leave(0)
    assert isinstance(t.need, Open)
    t.serve()
    assert turn_of(t) == 1
    assert view(t.game, 1).discard[-2:] == (FACES["R3"], FACES["WS"])


@pytest.mark.parametrize("leaver", [0, 1])
def test_r51_a_lost_turn_lapses_with_who_wished_it_and_with_its_victim(leaver):
    t = table("WS B1", "Y1 Y2", "G1 G2", "R1 R2")
    t.go("WS", "wish>B skip 2")
    assert isinstance(t.need, Window)
    t.game.leave(leaver)
    if isinstance(t.need, Window):
        t.go("pass")
    assert turn_of(t) == (2 if leaver else 1)


def test_the_card_of_w4_is_shown_with_the_wish_and_a_leaver_takes_it_aside():
    t = table("WS B1", "Y1 Y2", "G1 G2")
    t.go("WS", "wish>B play B1")
    slot = t.game.hands[0][0]
    assert t.game.face(slot) == FACES["B1"]
    t.game.leave(0)
    t.dealer.check(t.game)
    assert t.game.hands[0] == [slot]
    while not isinstance(t.need, Over):
        if isinstance(t.need, Decide | Window):
            t.game.apply(t.game.default(t.need))
        else:
            t.serve()
    assert t.outcome.hands[0] == (FACES["B1"],)


def test_a_wish_touches_no_hand():
    t = table("WS B1 B2", "Y1 Y2", "G1 G2")
    t.go("WS", "wish>B reverse")
    assert not t.game.touched
    t = table("WS B1 B2", "Y1 Y2", "G1 G2")
    t.go("WS")
    t.stop_at(Mix, "wish>B draw")
    assert [seat for seat, _ in t.need.hands] == [1]


# --- the sensible player


@pytest.mark.parametrize(
    ("hands", "wish"),
    [
        (("WS B1", "Y1 Y2", "G1 G2"), "wish>B play B1!"),
        (("WS B1 B2 B3", "Y1 Y2", "G1 G2"), "wish>B play B"),
    ],
)
def test_the_sensible_player_sheds_one_card_more(hands, wish):
    t = table(*hands)
    t.go("WS")
    assert print_move(t.rules, sensible(random.Random(1))(view(t.game, 0))).startswith(wish)


def test_the_sensible_player_names_the_colour_it_holds_most_after_a_flip_without_icon():
    t = table("WS G1 G2 B3", "Y1 Y2", draw="R9")
    t.go("WS")
    assert sensible(random.Random(1))(view(t.game, 0)) == Wish(2)
