"""Every size of a terminal, every number of players, resized at any moment; names of every width (P06, P12)."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from wcwidth import wcswidth

from cli.canvas import plain, row_width
from cli.draw import LEAST, draw
from cli.table.asking import Option, pick
from cli.table.chooser import Chooser
from cli.table.look import Asked, Look
from cli.text import cut, pad, visible, width, wrap
from cli.theme import ASCII, UNICODE
from p2puno.moves import Pick
from tests.cli.looks import my_turn, some_log
from tests.cli.terminal import until
from tests.cli.test_draw import HAND, SCENES, at
from tests.cli.test_screen import Rig, play_until, with_screen

COLUMNS = (20, 25, 39, 40, 41, 56, 71, 72, 79, 80, 81, 100, 132, 200, 320, 500)
ROWS = (5, 9, 14, 15, 16, 19, 21, 22, 23, 24, 25, 40, 80, 200)


def states(look: Look) -> list[Chooser]:
    """The screen as it comes, with the help, with the inspector, with the question whether to leave."""
    found = [at(look) for _ in range(4)]
    found[1].press("?", look)
    found[2].press("i", look)
    found[3].press("q", look)
    return found


@pytest.mark.parametrize("scene", SCENES)
def test_every_size_from_20x5_to_500x200_is_filled_exactly(scene: str) -> None:
    """P12: and it never raises."""
    look, board = SCENES[scene]
    for number, chooser in enumerate(states(look)):
        for columns in COLUMNS[:: 3 if number else 1]:
            for rows in ROWS[:: 3 if number else 1]:
                drawn = draw(look, board, chooser, columns, rows, UNICODE).rows
                assert len(drawn) == rows
                assert {row_width(row) for row in drawn} == {columns}


def test_below_the_least_size_one_message_says_what_is_needed() -> None:
    look, board = SCENES["turn"]
    for columns, rows in ((20, 5), (39, 40), (500, 14)):
        text = " ".join(plain(draw(look, board, at(look), columns, rows, ASCII).rows)).split()
        assert " ".join(text) == f"too small: needs {LEAST[0]}x{LEAST[1]}, has {columns}x{rows}; Ctrl-C leaves"


@pytest.mark.parametrize("size", [(80, 24), (40, 15), (120, 40)], ids=["80x24", "40x15", "120x40"])
@pytest.mark.parametrize("seats", range(2, 11))
def test_two_to_ten_players_are_all_in_sight(seats: int, size: tuple[int, int]) -> None:
    """Every name with its number of cards, the colour in force, the direction, the own cards, what Enter does."""
    look = my_turn(*HAND, playable=("Y5",), seats=seats)
    text = "\n".join(plain(draw(look, some_log(), at(look), *size, ASCII).rows))
    for seat in look.seats:
        name = "you" if seat.me and size[0] < 72 else seat.name
        assert any(
            name in line and str(seat.cards) in line + below
            for line, below in itertools.pairwise([*text.splitlines(), ""])
        ), seat.name
    assert "GREEN" in text
    assert ">>" in text
    assert "Enter: play Y5" in text
    for card in ("R", "Y", "G", "B", "W4"):
        assert card in text


def test_ten_players_leave_room_for_a_list_and_the_hand() -> None:
    options = [Option(f"Player {n}", f"choose {n}", Pick(n)) for n in range(9)]
    look = my_turn(*HAND, seats=10, asked=Asked.CHOICE, asking=pick(None, "Choose a player", options), moves=())
    for size in ((80, 24), (40, 15)):
        text = "\n".join(plain(draw(look, some_log(), at(look), *size, ASCII).rows))
        assert "Player 0" in text
        assert "W4" in text
        assert "Enter: choose 0" in text


def test_a_hand_is_played_while_the_window_changes_its_size_all_the_time() -> None:
    """P12, N01: a resize may come between any two keys."""
    sizes = [(80, 24), (40, 15), (20, 5), (133, 50), (39, 14), (72, 22), (160, 60), (41, 16)]

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR ")
        for number in range(400):
            if rig.screen.board.ended:
                break
            rig.terminal.resize(*sizes[number % len(sizes)])
            rig.screen.app._on_resize()
            count = len(rig.session.decided) + len(rig.session.said)
            await play_until(
                rig,
                lambda before=count: (
                    rig.screen.board.ended or len(rig.session.decided) + len(rig.session.said) > before
                ),
            )
        rig.terminal.resize(80, 24)
        rig.screen.app._on_resize()
        await until(lambda: rig.screen.board.ended, "the end")
        await rig.shows("Enter or q: close")

    assert len(with_screen(test, seats=3, seed=5).session.decided) > 5


NAMES = {
    "CJK": "漢字かな交じり文章",
    "emoji": "👍🎉🚀 Ana",
    "family": "👨‍👩‍👧‍👦 Ana",
    "flag": "🇩🇪🇫🇷 Ana",
    "selector": "❤\ufe0f☎\ufe0e1\ufe0f\u20e3 Ana",
    "skin": "👍🏽👍🏿 Ana",
    "combining": "Z\u0335a\u0308\u0308lgo e\u0301",
    "right to left": "שלום עולם",
    "Arabic": "مرحبا",
    "Hangul": "한국어 \u1112\u1161\u11ab",
    "Thai": "สวัสดี",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_of_every_script_keep_every_line_at_its_width(name: str) -> None:
    """P06: whatever counts cells comes to the same number as we do, and the columns stand."""
    shown = visible(name)
    assert wcswidth(shown) == width(shown)
    assert width(pad(shown, 7)) == width(pad(shown, 30)) - 23 == 7
    for cells in range(1, 20):
        assert width(cut(shown, cells)) <= cells
        assert all(width(line) <= cells for line in wrap(shown, cells, ""))
    look = my_turn(*HAND, playable=("Y5",), seats=5)
    look = replace(look, seats=tuple(replace(seat, name=shown) for seat in look.seats))
    for size in ((80, 24), (40, 15)):
        for row in draw(look, some_log(), at(look), *size, ASCII).rows:
            text = "".join(piece.text for piece in row)
            assert wcswidth(text) == size[0], text


def test_what_looks_different_on_every_terminal_is_settled() -> None:
    """P06: flags are two letters; what only chooses the look of another character is left out."""
    assert visible("🇩🇪 Ana") == "DE Ana"
    assert visible("❤\ufe0f") == "❤"
    assert visible("👍🏽") == "👍"
    assert visible("1\ufe0f\u20e3") == "1"
    assert visible("👨\u200d👧") == "👨👧"


# pyte forgets the rest of a text behind a character without width.
PLAIN = {kind: name for kind, name in NAMES.items() if all(width(c) for c in visible(name))}


@pytest.mark.parametrize("name", PLAIN.values(), ids=PLAIN)
def test_a_table_with_such_names_stands_on_a_real_screen(name: str) -> None:
    """The number of cards stands in its column for every player, as a terminal places it."""

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        # Bo sits on the left above: what stands right of him on the screen is Cy, right of his cards the log.
        cells = rig.terminal.screen.buffer
        assert "".join(cells[1][x].data for x in range(35, 38)) == "Cy ", rig.terminal.text
        assert cells[4][18].data == "|"

    with_screen(test, seats=3, seed=1, names=("Mia", visible(name), "Cy"))
