"""The full screen with nothing but a mouse: cards, answers and every button of the last line."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cli.text import width
from p2puno.moves import Draw, Play
from tests.cli.terminal import until
from tests.cli.test_screen import Rig, with_screen


def click(rig: Rig, x: int, y: int) -> None:
    """Press and release the left button on this cell (SGR mouse report)."""
    rig.type(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")


def wheel(rig: Rig, up: bool, x: int = 60, y: int = 5) -> None:
    rig.type(f"\x1b[<{64 if up else 65};{x + 1};{y + 1}M")


def find(rig: Rig, text: str) -> tuple[int, int]:
    """Where this text stands on the screen: column and row of its first cell; the lowest if there are several."""
    display = rig.terminal.screen.display
    y = max((y for y, line in enumerate(display) if text in line), default=-1)
    assert y >= 0, f"{text!r} is not on the screen:\n{rig.terminal.text}"
    return display[y].index(text), y


def press(rig: Rig, button: str) -> None:
    click(rig, *find(rig, button))


KEYS = ("a", "p", "enter", "k", "b", "d", "u")
"""What a hasty hand clicks, in this order, of what the last line offers."""


def offered(rig: Rig) -> dict[str, int]:
    """The buttons of the last line as they stand on the screen: key -> column."""
    found, column = {}, 0
    for piece in rig.screen.drawn.rows[-1]:
        if piece.click.startswith("key "):
            found[piece.click.removeprefix("key ")] = column
            assert rig.terminal.screen.display[-1][column:].startswith(piece.text), rig.terminal.text
        column += width(piece.text)
    return found


async def click_until_over(rig: Rig) -> None:
    """Play to the end with clicks alone: a card that fits first, then its button."""
    for _ in range(3000):
        screen = rig.screen
        if screen.board.ended or rig.running.done():
            return
        if not screen.chooser.sent and rig.session.asking:
            buttons = offered(rig)
            button = next((key for key in KEYS if key in buttons), None)
            if button is not None:
                click(rig, buttons[button], len(screen.drawn.rows) - 1)
        await asyncio.sleep(0.003)
    raise AssertionError(rig.terminal.text)


@pytest.mark.parametrize(
    "table",
    [{"seed": 5}, {"seed": 3, "variant": "marvel", "heroes": ("shuri", "black_widow", "captain_america")}],
    ids=["batman", "marvel"],
)
@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
def test_a_hand_is_played_with_the_mouse_alone(size: tuple[int, int], table: dict[str, Any]) -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR ")
        await click_until_over(rig)
        await rig.shows("Enter close")
        press(rig, "Enter close")
        record = await rig.ends()
        assert record.match is not None

    session = with_screen(test, *size, seats=3, **table).session
    assert any(isinstance(move, Play) for move in session.decided)
    assert any(isinstance(move, Draw) for move in session.decided)


def test_the_preview_is_a_button_and_a_colour_is_named_by_a_click() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        look = rig.screen._look()
        wild = next((i for i, held in enumerate(look.hand) if held.playable and held.card.naming), None)
        assert wild is not None
        press(rig, f"  {wild + 1}  ")
        click(rig, 3 + 6 * wild, 16)
        await rig.shows("needs a colour")
        press(rig, "g green")
        await rig.shows(" as green")
        press(rig, "Enter: play")
        await until(lambda: bool(rig.session.decided), "a play by mouse")
        move = rig.session.decided[0]
        assert isinstance(move, Play)
        assert move.colour == 2

    with_screen(test, seats=3, seed=7)


def test_a_click_on_the_top_card_or_on_a_hero_opens_the_inspector_there() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR ")
        press(rig, "Black Widow")
        await rig.shows("Power of Bo")
        press(rig, "Esc close")
        await until(lambda: rig.screen.chooser.inspected < 0, "the inspector closed")

    with_screen(test, seats=3, seed=3, variant="marvel", heroes=("shuri", "black_widow", "captain_america"))

    async def classic(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        click(rig, 28, 5)
        await rig.shows("Top card")

    with_screen(classic, seats=3, seed=1)


@pytest.mark.parametrize("name", ["漢字かな", "Z\u0335a\u0308lgo", "👍🎉"], ids=["CJK", "combining", "emoji"])
def test_a_click_beside_a_wide_name_meets_what_stands_there(name: str) -> None:
    """P06: a click is counted in cells, what is drawn in characters."""

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        click(rig, 27, 4)  # the left edge of the top card, in the row of a name
        await until(lambda: rig.screen.chooser.inspected >= 0, "the inspector")
        await rig.shows("Top card")
        rig.type("\x1b")
        await until(lambda: rig.screen.chooser.inspected < 0, "the inspector closed")
        click(rig, 25, 4)  # the gap between the two piles
        click(rig, 19, 4)
        rig.type("?")
        await rig.shows("choose a card")
        assert rig.screen.chooser.inspected < 0

    with_screen(test, seats=4, seed=2, names=("Mia", name, "Cy", "Dot"))


def test_leaving_by_mouse_asks_once() -> None:
    """P19."""

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        press(rig, "q leave")
        await rig.shows("Leave the table?")
        press(rig, "Esc stay")
        await rig.shows("Enter: ")
        press(rig, "q leave")
        await rig.shows("Enter leave")
        press(rig, "Enter leave")
        assert (await rig.ends()).left

    with_screen(test)


def test_a_click_beside_everything_does_nothing() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("Enter: ")
        before = rig.screen.chooser.cursor
        for x, y in ((0, 0), (79, 0), (79, 23), (79, 13), (0, 14), (79, 17)):
            click(rig, x, y)
        rig.type("\x1b[C\x1b[D")
        await until(lambda: rig.screen.chooser.cursor == before, "the cursor back")
        assert not rig.session.decided

    with_screen(test, seats=3, seed=1)


def test_the_wheel_goes_through_the_log() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        wheel(rig, up=True)
        await rig.shows("3 newer: PgDn")
        press(rig, "newer: PgDn")
        await until(lambda: "newer: PgDn" not in rig.terminal.text, "the newest lines")

    with_screen(test, seats=3, seed=1)
