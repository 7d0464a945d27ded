"""The short notation of cards and moves: it round-trips, forgives, and teaches (docs/rules.md)."""

from __future__ import annotations

import random

import pytest

from p2puno.card import parse_face, parse_move, print_face, print_move
from p2puno.moves import AmbiguousMove, InvalidMove, MoveError, Play
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


def test_every_legal_move_of_whole_hands_round_trips():
    dice = random.Random(3)
    for seed in range(6):
        game, dealer = dealt(4, 0, seed)
        while not isinstance(game.need, Over):
            if isinstance(game.need, Decide):
                seen = view(game, game.need.seat)
                moves = legal(seen)
                for move in moves:
                    again = parse_move(seen, print_move(game.rules, move))
                    if isinstance(move, Play):
                        assert isinstance(again, Play)
                        assert (again.face, again.colour, again.uno) == (move.face, move.colour, move.uno)
                        assert again.slot in game.hands[game.need.seat]
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
