"""The short notation of cards and moves: it round-trips, forgives, and teaches (docs/rules.md)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2puno.card import parse_face, parse_move, print_face, print_move
from p2puno.moves import AmbiguousMove, InvalidMove, MoveError, Play, Wish
from p2puno.needs import Decide, Over
from p2puno.rules import Rules
from p2puno.view import check, legal, view
from tests.engine.table import Table, dealt

RULES = Rules.make("batman")


def test_faces_round_trip():
    for face in range(len(RULES.kinds)):
        assert parse_face(RULES, print_face(RULES, face)) == face
    assert [RULES.kinds[f].id for f in (0, 7, 10, 11, 12, 13, 52, 53, 54)] == [
        "R0",
        "R7",
        "R+2",
        "RR",
        "RS",
        "Y0",
        "W",
        "W4",
        "WS",
    ]
    with pytest.raises(InvalidMove) as refused:
        parse_face(RULES, "X9")
    assert "R7" in refused.value.hint


@pytest.mark.parametrize("variant", ["batman", "dbz"])
def test_every_legal_move_of_whole_hands_round_trips(variant):
    dice = random.Random(3)
    for seed in range(6):
        options = {"stacking": seed % 2 == 1, "seven_zero": seed % 3 == 1}
        game, dealer = dealt(4, 0, seed, variant, **options)
        while not isinstance(game.need, Over):
            if isinstance(game.need, Decide):
                seen = view(game, game.need.seat)
                moves = legal(seen)
                for move in moves:
                    again = parse_move(seen, print_move(game.rules, move))
                    if isinstance(move, Play | Wish) and move.slot >= 0:
                        assert isinstance(again, Play | Wish)
                        assert again.slot in game.hands[game.need.seat]
                        assert replace(again, slot=move.slot) == move
                    else:
                        assert again == move
                    check(seen, again)
                game.apply(moves[dice.randrange(len(moves))])
            elif hasattr(game.need, "about"):
                game.apply(game.default(game.need))
            else:
                dealer.serve(game)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("r7", "R7"), (" R7! ", "R7!"), ("red 7", "R7"), ("7", "R7"), ("red 7 uno", "R7!"),
        ("g+2", "G+2"), ("green draw two", "G+2"), ("+2", "G+2"), ("yellow skip", "YS"), ("skip", "YS"),
        ("w>b", "W>B"), ("W b", "W>B"), ("wild blue", "W>B"), ("w > green !", "W>G!"), ("w4>blue!", "W4>B!"),
        ("wild draw four red", "W4>R"), ("bat signal yellow", "WS>Y"), ("b", "BR"), ("blue reverse", "BR"),
        ("draw", "draw"), ("D", "draw"),
    ],
)  # fmt: skip
def test_reading_is_forgiving(text, short):
    table = Table("R7 G+2 YS BR W W4 WS G1", "Y1 Y2")
    assert print_move(RULES, parse_move(view(table.game, 0), text)) == short


@pytest.mark.parametrize(
    ("text", "kind", "says", "hint"),
    [
        ("W", InvalidMove, "needs a colour", "W>R red"),
        ("W4!", InvalidMove, "needs a colour", "W4>B blue"),
        ("W>W", InvalidMove, "no colour", "red, yellow, green, blue"),
        ("W>", InvalidMove, "no colour", "red, yellow, green, blue"),
        ("W>purple", InvalidMove, "no colour", "red, yellow, green, blue"),
        ("R7>B", InvalidMove, "its own colour", "only a Wild"),
        ("B9", InvalidMove, "do not hold B9", "R7"),
        ("G7 x", InvalidMove, "no move", "draw"),
        ("hello", InvalidMove, "no move", "W>B"),
        ("", InvalidMove, "no move", "draw"),
        ("9", InvalidMove, "no such card", "your cards"),
        ("7", AmbiguousMove, "several", "R7, B7"),
        ("r", AmbiguousMove, "several", "R7"),
    ],
)
def test_v10_v11_what_cannot_be_read_is_answered_with_a_hint(text, kind, says, hint):
    table = Table("R7 RS B7 BR W W4 G1", "Y1 Y2")
    with pytest.raises(MoveError, match=says) as refused:
        parse_move(view(table.game, 0), text)
    assert type(refused.value) is kind
    assert hint in refused.value.hint


def wishing(icon: bool = True) -> Table:
    table = Table("WS R7 B7 W W4 WS", "Y1 Y2", "G1", draw="R3" if icon else "R9", variant="dbz")
    table.go("WS")
    return table


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("wish>b", "wish>B"), ("wish blue!", "wish>B!"), ("b", "wish>B"), ("Blue uno", "wish>B!"),
        ("wish > r draw", "wish>R draw"), ("green reverse", "wish>G reverse"), ("wish>Y skip 3", "wish>Y skip 3"),
        ("y skip 2 !", "wish>Y skip 2!"), ("wish>B play b7", "wish>B play B7"), ("red play 7", "wish>R play R7"),
        ("blue play w>g!", "wish>B play W>G!"), ("wish g play w4 yellow", "wish>G play W4>Y"),
        ("wish>r play ws", "wish>R play WS"), ("r play wish", "wish>R play WS"),
    ],
)  # fmt: skip
def test_r74_reading_wishes_is_forgiving(text, short):
    table = wishing()
    if text == "red play 7":
        table.game.hands[0].remove(next(s for s, f in view(table.game, 0).hand if table.rules.kinds[f].id == "B7"))
    assert print_move(table.rules, parse_move(view(table.game, 0), text)) == short


@pytest.mark.parametrize(
    ("text", "says", "rule", "hint"),
    [
        ("wish>", "colour first", "R74", "wish>B draw"),
        ("wish>purple", "colour first", "R74", "wish>B draw"),
        ("draw 2", "colour first", "R74", "wish>B play B7"),
        ("wish>b fly", "is no wish", "R75", "skip 3"),
        ("wish>b draw 2", "is no wish", "R75", "wish>B reverse"),
        ("wish>b skip", "is no wish", "R75", "skip 3"),
        ("wish>b skip 0", "no seat", "", "1 to 3"),
        ("wish>b skip me", "no seat", "", "1 to 3"),
        ("wish>b play", "is no wish", "R75", "play B7"),
        ("wish>b play G9", "do not hold G9", "", "your cards"),
        ("wish>b play W", "needs a colour", "R15", "W>R red"),
        ("wish>b play WS>R", "after the flip", "R74", "WS only"),
    ],
)
def test_r74_what_cannot_be_read_as_a_wish_is_answered_with_a_hint(text, says, rule, hint):
    with pytest.raises(MoveError, match=says) as refused:
        parse_move(view(wishing().game, 0), text)
    assert refused.value.rule == rule
    assert hint in refused.value.hint


def test_r74_a_wish_that_nobody_may_make_can_be_read_and_is_refused():
    table = Table("R7 B7", "Y1 Y2", variant="dbz")
    with pytest.raises(MoveError) as refused:
        check(view(table.game, 0), parse_move(view(table.game, 0), "wish>B draw"))
    assert refused.value.rule == "R74"


def test_the_card_is_played_by_its_names():
    seen = view(Table("WS R7 B7", "Y1 Y2", variant="dbz").game, 0)
    for text in ("WS", "ws", "wish", "Shenron's Wish"):
        assert print_move(seen.rules, parse_move(seen, text)) == "WS"
    assert print_move(seen.rules, parse_move(seen, "wish!")) == "WS!"


def test_r79_swaps_are_read_by_the_seat():
    table = Table("R7 B7 B1", "Y1 Y2", "G1 G2", seven_zero=True)
    table.go("R7")
    for text in ("swap 3", "3"):
        assert print_move(table.rules, parse_move(view(table.game, 0), text)) == "swap 3"
    with pytest.raises(InvalidMove, match="no seat"):
        parse_move(view(table.game, 0), "swap 9")


def test_the_card_just_taken_is_meant_where_it_can_be():
    table = Table("R7 G1", "Y1 Y2", draw="R7")
    table.go("draw")
    move = parse_move(view(table.game, 0), "R7")
    assert isinstance(move, Play)
    assert move.slot == table.game.hands[0][-1]


def test_check_says_before_signing_what_apply_would_refuse():
    table = Table("B7 G1", "Y1 Y2")
    seen = view(table.game, 0)
    with pytest.raises(MoveError) as refused:
        check(seen, parse_move(seen, "B7"))
    assert refused.value.rule == "R10"
    with pytest.raises(MoveError) as refused:
        check(view(table.game, 1), parse_move(view(table.game, 1), "Y1"))
    assert refused.value.rule == "R7"
