"""The log: older lines are in reach and new ones do not take them away (P23)."""

from __future__ import annotations

import pytest

from cli.canvas import plain
from cli.draw import draw
from cli.table.board import LOG_LINES, Board
from cli.table.lines import Line
from cli.theme import ASCII
from tests.cli.looks import my_turn
from tests.cli.test_draw import at
from tests.cli.test_screen import Rig, with_screen

LOOK = my_turn("Y5", playable=("Y5",))
SIZES = [(80, 24), (40, 15)]


def full_log(lines: int = 60) -> Board:
    board = Board()
    for n in range(lines):
        board.add(Line(f"line {n}."))
    return board


def shown(board: Board, size: tuple[int, int] = (80, 24)) -> str:
    return "\n".join(plain(draw(LOOK, board, at(LOOK), *size, ASCII).rows))


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "40x15"])
def test_every_line_can_be_reached_page_by_page(size: tuple[int, int]) -> None:
    board = full_log()
    seen = {n for n in range(60) if f"line {n}." in shown(board, size)}
    assert 59 in seen
    board.press("l", 5)
    for _ in range(12):
        board.press("pageup", 5)
        seen |= {n for n in range(60) if f"line {n}." in shown(board, size)}
    assert seen == set(range(60))
    board.press("end", 5)
    assert "line 59." in shown(board, size)


def test_new_lines_do_not_move_what_is_read() -> None:
    board = full_log()
    board.press("pageup", 20)
    before = shown(board)
    assert "20 newer: PgDn" in before
    for n in range(60, 70):
        board.add(Line(f"line {n}."))
    after = shown(board)
    assert after == before.replace("20 newer: PgDn", "30 newer: PgDn")
    board.press("pagedown", 40)
    assert "line 69." in shown(board)
    assert "newer" not in shown(board)


def test_a_log_that_forgets_its_oldest_lines_can_be_read_at_its_edge() -> None:
    board = full_log(LOG_LINES + 100)
    board.press("l", 5)
    board.press("home", 5)
    assert "line 100." in shown(board)
    for n in range(LOG_LINES):
        board.add(Line(f"new {n}."))
    assert shown(board)


def test_the_open_log_takes_every_key_until_it_is_closed() -> None:
    board = full_log()
    assert not board.press("d", 5)
    assert board.press("l", 5)
    for key in ("d", "k", "1", "right", "?"):
        assert board.press(key, 5)
        assert board.scroll.open
    assert board.press("escape", 5)
    assert not board.scroll.open
    assert not board.press("up", 5), "arrows belong to the hand again"


def test_the_log_opens_while_others_play_and_nothing_is_played_from_it() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        rig.type("l\r")  # Enter closes it and plays nothing
        await rig.shows("Enter: ")
        rig.type("l")
        await rig.shows("Esc close")
        rig.type("d\x1b[5~")
        await rig.shows("newer")
        assert not rig.session.decided
        rig.type("q")
        await rig.shows("Enter: ")
        assert not rig.session.left

    with_screen(test, seats=3, seed=1)
