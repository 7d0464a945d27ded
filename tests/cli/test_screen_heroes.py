"""The full screen with questions: every kind is answered by keys through a pipe, and nothing is sent too early."""

from __future__ import annotations

from typing import Any

import pytest

from cli.table.inspector import pages
from p2puno.moves import Accept, Burn, Move, Order, Pick, Swap, Wish
from p2puno.needs import Ask, Decide
from protocol.events import PacksOffered
from tests.cli.terminal import until
from tests.cli.test_screen import Rig, play_until, with_screen

HEROES = ("shuri", "black_widow", "captain_america")
DOWN, RIGHT, ESC = "\x1b[B", "\x1b[C", "\x1b"


def asked(rig: Rig, ask: Ask) -> Decide | None:
    """What the table waits for, if it is this question to us."""
    view = rig.session.view
    need = view.need if rig.session.asking and view is not None else None
    return need if isinstance(need, Decide) and need.ask is ask else None


async def stands(rig: Rig) -> None:
    await until(lambda: rig.heard == rig.session.asks and not rig.screen.chooser.sent, "the list")


def flow(ask: Ask, keys: str, heroes: tuple[str, ...] = HEROES, **table: Any) -> Move:
    """Play hastily until a question comes, answer it with these keys; the move that they sent."""
    sent: list[Move] = []

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR ")
        await play_until(rig, lambda: asked(rig, ask) is not None or rig.screen.board.ended)
        if asked(rig, ask) is None:
            return
        before = len(rig.session.decided)
        await stands(rig)
        rig.type(keys)
        await until(lambda: len(rig.session.decided) > before, f"an answer to {ask}")
        sent.append(rig.session.decided[before])

    for seed in range(12):
        with_screen(test, seats=3, seed=seed, variant="marvel" if heroes else "dbz", heroes=heroes, **table)
        if sent:
            return sent[0]
    pytest.fail(f"{ask} never came")


def test_a_player_is_chosen_with_arrows_or_a_number() -> None:
    heroes = ("captain_america", "thor", "hulk")
    first = flow(Ask.TARGET, "\r", heroes)
    second = flow(Ask.TARGET, f"{DOWN}\r", heroes)
    assert isinstance(first, Pick)
    assert first != second
    assert flow(Ask.TARGET, "2\r", heroes) == second


def test_yes_and_no_have_letters() -> None:
    assert flow(Ask.MAY, "y\r") == Pick(1)
    assert flow(Ask.MAY, "yn\r") == Pick(0)


def test_one_of_several_effects_is_chosen() -> None:
    assert flow(Ask.OPTION, "2\r", ("captain_america", "hulk", "thor")) == Pick(1)


def test_a_colour_is_named_with_its_letter() -> None:
    assert flow(Ask.COLOUR, "g\r", ("thor", "green_lantern", "hulk")) == Pick(2)


def test_a_card_of_the_hand_is_burned() -> None:
    move = flow(Ask.BURN, "\r", ("wonder_woman", "thor", "superman"))
    assert isinstance(move, Burn)
    assert len(move.cards) <= 1


def test_cards_are_put_back_in_a_new_order() -> None:
    """The last one first, then the last of those left: nothing is sent before."""
    move = flow(Ask.ORDER, "3\r2\r", ("black_widow", "superman", "hulk"))
    assert isinstance(move, Order)
    assert len(move.slots) == 3


def test_a_card_of_a_hand_seen_is_picked() -> None:
    assert isinstance(flow(Ask.PEEKED, f"{DOWN}\r", ("black_widow", "shuri", "hulk")), Pick)


def test_the_top_card_is_swapped() -> None:
    move = flow(Ask.SWAP, "2\r")
    assert isinstance(move, Swap)
    assert move.slot >= 0


def test_an_item_is_chosen() -> None:
    assert isinstance(flow(Ask.ITEM, "2\r"), Pick)


def test_a_stack_is_answered_and_hands_are_swapped() -> None:
    assert flow(Ask.STACK, "a\r", (), stacking=True) == Accept()
    assert flow(Ask.HANDS, "2\r", (), seven_zero=True) in (Pick(1), Pick(2))


def test_a_wish_goes_back_with_escape_and_is_sent_as_one_move() -> None:
    """R74: colour, Esc, another colour, the wish that costs a player a turn, the player."""
    sent: list[Move] = []

    async def test(rig: Rig) -> None:
        def granted() -> bool:
            need = asked(rig, Ask.WISH)
            return need is not None and bool(need.options)

        await rig.shows("YOUR ")
        await play_until(rig, lambda: granted() or rig.screen.board.ended)
        if not granted():
            return
        before = len(rig.session.decided)
        await stands(rig)
        rig.type("r\r")
        await rig.shows("What do you wish for?")
        rig.type(ESC)
        await rig.shows("Name the colour")
        rig.type("b\rs\r")
        await rig.shows("Who loses the next turn?")
        assert len(rig.session.decided) == before
        rig.type("2\r")
        await until(lambda: len(rig.session.decided) > before, "a wish")
        sent.append(rig.session.decided[before])

    for seed in range(40):
        with_screen(test, seats=3, seed=seed, variant="dbz")
        if sent:
            move = sent[0]
            assert isinstance(move, Wish)
            assert (move.colour, int(move.wish)) == (3, 3)
            assert move.target in (1, 2)
            return
    pytest.fail("no wish was granted")


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
def test_a_whole_hand_of_ultimate_is_played_with_keys(size: tuple[int, int]) -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR ")
        await play_until(rig, lambda: rig.screen.board.ended)
        await rig.shows("Enter or q: close")
        rig.type("i")
        await rig.shows("next card")
        rig.type(ESC)
        await rig.shows("wins the match")
        rig.type("\r")
        record = await rig.ends()
        document = record.document(rig.session)
        assert document["points"] == 0
        assert [seat["hero"] for seat in document["seats"]] == list(HEROES)
        assert document["ending"] in ("empty hand", "last standing")

    with_screen(test, *size, seats=3, seed=3, variant="marvel", heroes=HEROES, ask_optional=True)


def test_the_inspector_opens_while_others_play_and_q_only_closes_it() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR ")
        rig.type("di")
        await rig.shows("Your card")
        rig.type(RIGHT)
        await rig.shows("(2 of")
        rig.type("1")
        await rig.shows("(1 of")
        rig.type("q")
        await until(lambda: rig.screen.chooser.inspected < 0, "the inspector closed")
        assert not rig.session.left

    with_screen(test, seats=3, seed=3, variant="marvel", heroes=HEROES)


def test_offered_packs_are_asked_about_once() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR ")
        rig.session.show(PacksOffered(("Dr Mole", "B\x1b[2Jad")))
        await rig.shows("Play with these heroes?")
        rig.type("x")
        rig.type("y")
        await until(lambda: rig.session.accepted is True, "the answer")
        rig.session.show(PacksOffered(("Dr Mole",)))
        rig.type("i")
        await rig.shows("next card")

    assert "\x1b[2Jad" not in with_screen(test).terminal.raw


def test_offered_packs_can_be_declined() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR ")
        rig.session.show(PacksOffered(("Dr Mole",)))
        await rig.shows("Play with these heroes?")
        rig.type("n")
        await rig.ends()

    session = with_screen(test).session
    assert session.left
    assert session.accepted is None


def test_an_option_is_chosen_with_one_click_and_taken_with_the_next() -> None:
    sent: list[Move] = []

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR ")
        await play_until(rig, lambda: asked(rig, Ask.TARGET) is not None or rig.screen.board.ended)
        if asked(rig, Ask.TARGET) is None:
            return
        before = len(rig.session.decided)
        await stands(rig)
        await rig.shows(" Choose a player\n")
        row = next(y for y, line in enumerate(rig.terminal.screen.display) if line.strip() == "Choose a player") + 2
        click = f"\x1b[<0;8;{row + 1}M\x1b[<0;8;{row + 1}m"
        rig.type(click)
        await until(lambda: rig.screen.chooser.picker.at == 1, "the second option")
        assert len(rig.session.decided) == before
        rig.type(click)
        await until(lambda: len(rig.session.decided) > before, "a choice by mouse")
        sent.append(rig.session.decided[before])

    for seed in range(12):
        with_screen(test, seats=3, seed=seed, variant="marvel", heroes=("captain_america", "thor", "hulk"))
        if sent:
            assert isinstance(sent[0], Pick)
            return
    pytest.fail("nobody was ever to be chosen")


def test_a_hand_that_was_shown_to_us_is_told_and_can_be_looked_up() -> None:
    """R47: what one was shown one may know, and nobody has to write it down."""
    found = []

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR ")
        await play_until(rig, lambda: asked(rig, Ask.PEEKED) is not None or rig.screen.board.ended)
        if asked(rig, Ask.PEEKED) is None:
            return
        await stands(rig)
        told = [line.text for line in rig.screen.board.log if " holds " in line.text]
        look = rig.screen._look()
        seat = next(seat for seat in look.seats if seat.known)
        assert told[-1] == f"{seat.name} holds {' '.join(card.text for card in seat.known)}"
        assert any(page.where == f"Hand of {seat.name}" for page in pages(look, 0))
        found.append(seat)

    for seed in range(12):
        with_screen(test, seats=3, seed=seed, variant="marvel", heroes=("black_widow", "shuri", "hulk"))
        if found:
            return
    pytest.fail("no hand was ever shown")
