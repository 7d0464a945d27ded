"""Cards of heroes in letters: short, the same back and forth within a deck, forgiving in a hand."""

from __future__ import annotations

import random

import pytest

from p2puno.bots import random_legal
from p2puno.card import NO_COLOUR, parse_face, parse_move, print_face, print_move
from p2puno.dealer import OpenDealer
from p2puno.engine import new_game
from p2puno.hero_file import built_in_heroes, read_own
from p2puno.moves import AmbiguousMove, InvalidMove, MoveError, Play
from p2puno.needs import Decide, Over, Window
from p2puno.rules import Rules
from p2puno.view import legal, view
from tests.packs.example import changed, named
from tests.ultimate.table import Table

PAIR = Rules.make("dc", heroes=("thor", "aquaman"))


@pytest.mark.parametrize("ident", built_in_heroes())
def test_faces_round_trip_within_the_deck_of_a_hero(ident):
    other = "thor" if ident != "thor" else "hulk"
    rules = Rules.make("dc", heroes=(other, ident))
    for face, kind in enumerate(rules.kinds):
        short = print_face(rules, face)
        assert parse_face(rules, short, kind.hero) == face
        assert parse_face(rules, f"{kind.hero}/{short}") == parse_face(rules, kind.id) == face
        if kind.colour >= 4:
            assert parse_face(rules, kind.name, kind.hero) == face
        if kind.colour != NO_COLOUR:
            assert len(short) <= 5
            assert short.endswith("*") == kind.icon


def test_cards_are_written_short():
    hero = [kind.short for kind in built_in_heroes()["aquaman"].kinds]
    assert hero[:9] == ["R1*", "R2", "R3*", "R4", "R5*", "R6", "R+2", "RR", "RS"]
    assert hero[-4:] == ["WDSA", "WRS", "WSOS", "WTT"]


def test_wilds_with_the_same_initials_are_told_apart_by_more_letters():
    text = changed('name = "Long Shadow"', 'name = "Great Fire"').decode()
    assert [wild.code for wild in read_own("x.toml", text.encode(), "test").wilds] == ["WGAFL", "WGRFI", "WSPWI", "WCR"]


def test_at_a_table_of_several_heroes_one_says_whose_card():
    assert PAIR.kinds[parse_face(PAIR, "wdsa")].id == "aquaman/deep_sea_allies"
    assert PAIR.kinds[parse_face(PAIR, "Mjolnirs  Revenge")].id == "thor/mjolnirs_revenge"
    assert PAIR.kinds[parse_face(PAIR, "Aquaman/r5")].short == "R5*"
    with pytest.raises(AmbiguousMove) as refused:
        parse_face(PAIR, "R5")
    assert "thor/R5, aquaman/R5" in refused.value.hint
    with pytest.raises(InvalidMove) as refused:
        parse_face(PAIR, "thor/WDSA")
    assert "WTP" in refused.value.hint
    assert "WDSA" not in refused.value.hint


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("r5", "R5*"), ("R5*!", "R5*!"), ("red 5", "R5*"), ("5", "R5*"), ("g+2", "G+2"), ("green draw two", "G+2"),
        ("skip", "YS"), ("ys!", "YS!"), ("b", "BR"), ("wdsa>g", "WDSA>G"), ("wdsa b", "WDSA>B"),
        ("WTT > red!", "WTT>R!"),
        ("deep sea allies blue", "WDSA>B"), ("titanic tsunami > y uno", "WTT>Y!"), ("draw", "draw"),
    ],
)  # fmt: skip
def test_reading_is_forgiving(text, short):
    table = Table("aquaman", "thor", hands=("R5 G+2 YS BR WDSA WTT G1", "Y6 B6"))
    assert print_move(table.rules, parse_move(view(table.game, 0), text)) == short


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("WDSA", "needs a colour", "WDSA>R red"),
        ("w blue", "several", "WDSA, WTT"),
        ("WTP>B", "no move", "WDSA"),
        ("R5>B", "R5\\* has its own colour", "only a Wild"),
        ("B6", "do not hold B6", "R5* "),
        ("challenge me", "no move", "draw or keep"),
        ("Black Manta", "no move", "draw or keep"),
    ],
)
def test_v10_v11_what_cannot_be_read_is_answered_with_a_hint(text, says, hint):
    table = Table("aquaman", "thor", hands=("R5 G+2 WDSA WTT G1", "Y6 B6"))
    with pytest.raises(MoveError, match=says) as refused:
        parse_move(view(table.game, 0), text)
    assert hint in refused.value.hint


def test_every_play_of_whole_hands_round_trips():
    dice = random.Random(5)
    own = named("anna")
    for seed in range(4):
        rules = Rules.make("marvel", own=[own], heroes=("aquaman", "anna", "hulk", "black_widow"))
        game, dealer, player = new_game(rules, 4, seed), OpenDealer(rules, 4, dice), random_legal(dice)
        plays = 0
        while not isinstance(game.need, Over):
            need = game.need
            if isinstance(need, Decide):
                seen = view(game, need.seat)
                for move in legal(seen):
                    if isinstance(move, Play):
                        plays += 1
                        again = parse_move(seen, print_move(rules, move))
                        assert isinstance(again, Play)
                        assert (again.face, again.colour, again.uno) == (move.face, move.colour, move.uno)
                        assert (again.slot, move.face) in seen.hand
                game.apply(player(seen))
            elif isinstance(need, Window):
                game.apply(game.default(need))
            else:
                dealer.serve(game)
        assert plays > 20
