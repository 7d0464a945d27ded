"""Questions as lists: every legal answer can be reached, nothing else is offered, the way back is free (R74, R38)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.table.asking import Asking, Picker, burn, order
from cli.table.effects import effect_words
from cli.table.look import Asked
from cli.table.sight import look_at
from p2puno.hero_file import built_in_heroes
from p2puno.moves import Accept, Burn, Challenge, Move, Order, Play, Swap, Wish
from p2puno.needs import Ask, Decide
from p2puno.rules import Rules
from p2puno.view import legal
from tests.cli.heroes import leaves, moments

ULTIMATE = [
    ("hulk", "captain_america", "black_widow"),
    ("shuri", "superman", "green_lantern", "black_widow"),
    ("wonder_woman", "aquaman", "thor", "shuri"),
]


def essence(move: Move, faces: dict[int, int]) -> object:
    """A move by the faces of its cards: two equal cards of a hand are one choice. Calls of UNO are apart from it."""
    match move:
        case Play():
            return "play", move.face, move.colour
        case Wish():
            return "wish", move.colour, move.wish, move.target, move.face, move.card_colour
        case Burn(cards):
            return "burn", tuple(sorted(face for _, face in cards))
        case Swap(slot):
            return "swap", faces.get(slot, -1)
    return move


def check_moment(session: object, asks: set[Ask]) -> None:
    look = look_at(session)  # type: ignore[arg-type]
    view = session.view  # type: ignore[attr-defined]
    assert isinstance(view.need, Decide)
    if look.asked is not Asked.CHOICE:
        return
    assert look.asking is not None
    asks.add(view.need.ask)
    faces = dict(view.hand)
    offered = {essence(option.move, faces) for _, option in leaves(look.asking) if option.move is not None}
    assert offered == {essence(move, faces) for move in legal(view)}
    for path, _ in leaves(look.asking):
        stage = look.asking.stage(path)
        assert all(option.label and option.enter for option in stage.options)
        letters = [option.key for option in stage.options if option.key]
        assert len(set(letters)) == len(letters)
        assert not set(letters) & {"i", "q", "u", "?"}, "these keys have a meaning in every list"


@pytest.mark.parametrize("heroes", ULTIMATE, ids=["-".join(h) for h in ULTIMATE])
def test_every_answer_of_ultimate_can_be_reached_and_nothing_else(heroes: tuple[str, ...]) -> None:
    asks: set[Ask] = set()
    for seed in range(6):
        rules = Rules.make("marvel", heroes=heroes, ask_optional=seed % 2 == 1)
        for _, session, _ in moments(rules, len(heroes), seed):
            check_moment(session, asks)
    assert {Ask.TARGET, Ask.MAY} <= asks


def test_every_answer_of_dragon_ball_z_can_be_reached_and_nothing_else() -> None:
    asks: set[Ask] = set()
    for seed in range(4):
        for _, session, _ in moments(Rules.make("dbz", stacking=True, seven_zero=True), 3, seed):
            check_moment(session, asks)
    assert asks == {Ask.WISH, Ask.STACK, Ask.HANDS}


def walk(asking: Asking, *places: int) -> tuple[Picker, Move | None]:
    picker, move = Picker(), None
    for place in places:
        picker.stage(asking)
        picker.at = place
        move = picker.take(asking)
    return picker, move


CARDS = [(4, 10, "R5*"), (7, 12, "Y2"), (9, 15, "WS")]


def test_one_card_to_burn_is_chosen_at_once() -> None:
    asking = burn(None, CARDS, 1, "")
    assert walk(asking, 1)[1] == Burn(((7, 12),))


def test_several_cards_to_burn_are_marked_and_confirmed() -> None:
    asking = burn(None, CARDS, 2, "")
    picker, move = walk(asking, 0, 2)
    assert move is None
    stage = picker.stage(asking)
    assert [option.label for option in stage.options] == ["[x] R5*", "[ ] Y2", "[x] WS", "Burn R5* WS"]
    assert picker.at == 3
    assert picker.take(asking) == Burn(((4, 10), (9, 15)))
    again, _ = walk(asking, 0, 2, 2)
    assert again.stage(asking).title == "Mark 2 cards to burn: 1 marked"


def test_who_has_none_says_so_and_proves_it() -> None:
    """R43."""
    only = burn(None, [], 1, "number").stage(())
    assert [option.move for option in only.options] == [Burn(())]
    assert "proven" in only.options[0].enter
    forced = burn(None, CARDS[:1], 2, "red").stage(())
    assert forced.options[0].enter == "burn R5* and prove that there is no other"


def test_an_order_is_chosen_one_after_the_other_and_taken_back() -> None:
    asking = order(None, [(31, "R1"), (30, "G2"), (29, "WS")])
    picker, move = walk(asking, 2)
    assert move is None
    assert picker.stage(asking).title == "Which goes 2nd from the top? (so far WS)"
    assert picker.back(asking)
    assert picker.path == ()
    assert not picker.back(asking)
    assert walk(asking, 2, 1)[1] == Order((29, 30, 31))


def test_a_wish_is_three_questions_and_one_move() -> None:
    """R74: nothing is sent before the last answer."""
    for seed in range(5):
        for _, session, _ in moments(Rules.make("dbz"), 3, seed):
            need = session.view.need
            if isinstance(need, Decide) and need.ask is Ask.WISH and need.options:
                asking = look_at(session).asking  # type: ignore[arg-type]
                assert asking is not None
                colour = asking.stage(())
                assert [option.key for option in colour.options] == ["r", "y", "g", "b"]
                wishes = asking.stage(colour.options[2].path)
                assert [option.key for option in wishes.options][:3] == ["d", "t", "s"]
                assert wishes.options[2].move is None
                victims = asking.stage(wishes.options[2].path)
                assert len(victims.options) == 2
                assert isinstance(victims.options[0].move, Wish)
                return
    pytest.fail("no wish was ever granted")


def test_a_challenge_of_a_stack_asks_once_more() -> None:
    """P19, R79."""
    for seed in range(30):
        for _, session, _ in moments(Rules.make("dbz", stacking=True), 3, seed):
            need = session.view.need
            if isinstance(need, Decide) and need.ask is Ask.STACK and Challenge() in legal(session.view):
                asking = look_at(session).asking  # type: ignore[arg-type]
                assert asking is not None
                moves = [option.move for option in asking.stage(()).options]
                assert Accept() in moves
                assert Challenge() not in moves
                assert Challenge() in {option.move for _, option in leaves(asking)}
                return
    pytest.fail("no Wild Draw Four was ever stacked upon")


def test_effects_are_told_in_words() -> None:
    hero = built_in_heroes()["hulk"]
    wilds = {wild.name: effect_words(wild.do) for wild in hero.wilds}
    assert wilds["Unstoppable"] == "Burn 3 then take another turn"
    assert wilds["Smash"] == (
        "Burn 1 then a player of your choice: burn 2 and 1 for each card that you have burnt (at most 6)"
    )
    for hero in built_in_heroes().values():
        effects = [wild.do for wild in hero.wilds] + [danger.do or danger.flipped for danger in hero.danger]
        assert all(effect_words(effect).isprintable() for effect in effects)


def test_a_question_is_not_slow_where_cards_are_put_in_any_order() -> None:
    """Nine cards have 362880 orders; the list makes only those that are looked at."""
    asking = order(None, [(slot, f"R{slot}") for slot in range(9)])
    assert len(asking.stage(()).options) == 9
    assert replace(asking, about="x").why == "x"
