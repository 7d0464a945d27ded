"""The line mode of UNO Ultimate and Dragon Ball Z: lists by number, `look`, packs of others (P05, P08)."""

from __future__ import annotations

import io

import pytest

from cli.plain import LineTable
from cli.table.words import table_lines
from p2puno.moves import Pick, Wish
from p2puno.needs import Ask, Decide
from protocol.events import PacksOffered
from tests.cli.fakes import FakeSession, playing
from tests.cli.heroes import hero_look
from tests.cli.test_plain import Script, first_move, lines_of

HEROES = ("shuri", "black_widow", "captain_america")


def first_answer(session: FakeSession) -> str:
    """The first answer of a list, else the first move."""
    view = session.view
    assert view is not None
    listed = isinstance(view.need, Decide) and view.need.ask not in (Ask.TURN, Ask.DRAWN, Ask.CHALLENGE)
    return "1" if listed else first_move(session)


def ultimate(seed: int = 3, **options: int | bool | str) -> FakeSession:
    return FakeSession(3, seed, variant="marvel", heroes=HEROES, **options)


@pytest.mark.parametrize("seed", range(4))
async def test_a_whole_hand_of_ultimate_is_played_by_typing(seed: int) -> None:
    session = ultimate(seed, ask_optional=True)
    lines, record = await lines_of(session, Script(session, then=first_answer))
    assert record.exit_code == 0
    assert any("wins hand 1" in line for line in lines)
    assert not any("points" in line for line in lines)
    assert any(isinstance(move, Pick) for move in session.decided)


async def test_a_whole_hand_of_dragon_ball_z_is_played_by_typing() -> None:
    session = FakeSession(3, 2, variant="dbz", stacking=True, seven_zero=True, hands=3)
    lines, record = await lines_of(session, Script(session, then=first_answer))
    assert record.exit_code == 0
    assert any(isinstance(move, Wish) for move in session.decided)
    assert any("What do you wish for: type a number, or back." in line for line in lines)


async def test_a_list_teaches_what_can_be_typed_and_goes_back() -> None:
    """The way back from a wish is free, and what is no answer shows the list again."""
    for seed in range(30):
        session = FakeSession(3, seed, variant="dbz")
        typed: list[str] = []

        def answer(session: FakeSession, typed: list[str] = typed) -> str:
            need = session.view.need if session.view is not None else None
            if isinstance(need, Decide) and need.ask is Ask.WISH and need.options and len(typed) < 5:
                typed.append(["r", "back", "green", "s", "1"][len(typed)])
                return typed[-1]
            return first_answer(session)

        lines, _ = await lines_of(session, Script(session, then=answer))
        if typed:
            wish = next(move for move in session.decided if isinstance(move, Wish) and int(move.wish) == 3)
            assert wish.colour == 2
            assert sum(line == "Name the colour: type a number." for line in lines) >= 2
            return
    pytest.fail("no wish was granted")


async def test_look_tells_cards_heroes_and_all_that_is_in_play() -> None:
    session = ultimate()
    asked = ("look", "look hulk", "look Captain America", "look kinetic claws", "look r5", "look nonsense")
    lines, _ = await lines_of(session, Script(session, *asked))
    text = "\n".join(lines)
    assert any(line.startswith("Your power (Shuri): Prototype Bench (power, house)") for line in lines)
    assert "no card or hero is called 'hulk'" in text  # he is not at this table
    assert "Captain America (marvel, built in)" in text
    assert any(line.startswith("Item: Kinetic Claws (public)") for line in lines)
    assert "house: our own design, because the printed card is not publicly known" in lines
    assert any("Red 5" in line and line.endswith("[shuri]") for line in lines)
    assert "no card or hero is called 'nonsense'" in text


async def test_look_in_a_game_without_heroes() -> None:
    session = FakeSession(3, 1)
    lines, _ = await lines_of(session, Script(session, "look ws", "look X9"))
    assert any("Bat Signal" in line for line in lines)
    assert "no card is written 'X9'" in lines


def test_the_table_tells_all_of_an_ultimate_table() -> None:
    lines = table_lines(hero_look())
    assert lines[0] == (
        "Mia as Hulk: 6 cards, deck 33, Burn Pile 4 (top R6), Enemy Abomination (fresh) (you, acts now)"
    )
    assert lines[1].startswith("Bo as Thor: 5 cards, deck 12, Burn Pile 20 (top R6), Enemy Loki, power blank")
    assert "loses the next turn, Items Kinetic Claws, Sonic Hand Cannons" in lines[2]
    assert lines[4:] == [
        "Location: none. 17 cards in the Danger Deck.",
        "Top card B4, colour blue. Play goes down this list.",
    ]


async def packs(*typed: str, accept: bool = False) -> tuple[list[str], FakeSession]:
    session = FakeSession(3, 1)
    session.show(PacksOffered(("Dr Mole", "B\x1b[2Jad")))
    session.show(PacksOffered(("Dr Mole", "B\x1b[2Jad")))
    out = io.StringIO()
    script = Script(session, *typed)
    table = LineTable(lambda: playing(session), None, out, script.read, accept_packs=accept)
    await table.run()
    return out.getvalue().splitlines(), session


async def test_offered_packs_are_asked_about_once_and_cleaned() -> None:
    lines, session = await packs("hello", "yes")
    assert session.accepted is True
    offers = [line for line in lines if line.startswith("This table may play heroes of a player's own making")]
    assert len(offers) == 1
    assert "Dr Mole and B[2Jad. Their packs are data without any code." in offers[0]
    assert lines.count("Play with these heroes? Type yes, or no to leave.") == 2
    assert all(line.isprintable() for line in lines)


async def test_no_leaves_and_accept_packs_says_yes_beforehand() -> None:
    _, session = await packs("no")
    assert session.left
    assert session.accepted is None
    lines, session = await packs(accept=True)
    assert session.accepted is True
    assert not any("Type yes" in line for line in lines)
