"""What the screen looks like: golden screens, every size, no wide or hostile text over an edge (P06, P12)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.canvas import plain, row_width
from cli.draw import draw
from cli.table.board import Board
from cli.table.chooser import Chooser
from cli.table.look import Asked, Look
from cli.theme import ASCII, STYLES, UNICODE
from p2puno.outcome import Ending, Outcome
from protocol.events import HandOver, LobbyChanged, MatchOver, Player
from tests.cli.looks import face, my_turn, some_log, waiting_for

GOLDEN = Path(__file__).parent / "golden"
HAND = ("R1", "R+2", "Y5", "G9", "BS", "W", "W4")
TURN = my_turn(*HAND, playable=("Y5", "G9", "W", "W4"))
LONG = my_turn(*(HAND * 4), playable=("G9",), seats=10)


def at(look: Look) -> Chooser:
    chooser = Chooser()
    chooser.asked_anew(look)
    return chooser


def lobby() -> tuple[Look, Board]:
    board = Board()
    board.take(LobbyChanged((Player("Mia", bytes(32), False),), 4, ("192.168.1.5:4242",)))
    return replace(Look(), seats=TURN.seats[:1]), board


def over() -> Board:
    board = some_log()
    outcome = Outcome(Ending.EMPTY_HAND, 1, 79, ((face("W4"), face("R9")), (), (face("G+2"),), ()))
    board.take(HandOver(outcome, (0, 79, 10, 0), 3))
    board.take(MatchOver(1, (0, 79, 10, 0)))
    return board


def uncalled() -> Look:
    look = replace(waiting_for(TURN, 1), asked=Asked.CATCH, about=1)
    return replace(look, seats=tuple(replace(s, cards=1, exposed=True) if s.seat == 1 else s for s in look.seats))


SCENES: dict[str, tuple[Look, Board]] = {
    "turn": (TURN, some_log()),
    "catch": (uncalled(), some_log()),
    "long": (LONG, some_log()),
    "lobby": lobby(),
    "over": (TURN, over()),
}


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
@pytest.mark.parametrize("scene", SCENES)
def test_golden_screen(scene: str, size: tuple[int, int]) -> None:
    """To renew a golden screen after a change that is meant, delete its file and run this twice."""
    look, board = SCENES[scene]
    screen = "\n".join(plain(draw(look, board, at(look), *size, ASCII).rows)) + "\n"
    path = GOLDEN / f"{scene}-{size[0]}x{size[1]}.txt"
    if not path.exists():
        path.write_text(screen, encoding="utf-8")
        pytest.fail(f"{path.name} was missing and has been written: look at it")
    assert screen == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("scene", SCENES)
def test_every_size_is_filled_exactly_and_never_raises(scene: str) -> None:
    look, board = SCENES[scene]
    for columns in (1, 5, 20, 39, 40, 41, 60, 71, 72, 80, 133, 500):
        for rows in (1, 5, 14, 15, 16, 21, 22, 24, 50, 200):
            for glyphs in (ASCII, UNICODE):
                drawn = draw(look, board, at(look), columns, rows, glyphs).rows
                assert len(drawn) == rows
                assert {row_width(row) for row in drawn} == {columns}


def test_too_small_says_what_is_needed() -> None:
    assert plain(draw(TURN, some_log(), at(TURN), 30, 10, ASCII).rows)[0] == "too small: needs 40x15, has"


def test_every_card_of_a_long_hand_can_be_reached_and_seen() -> None:
    for size in ((80, 24), (40, 15)):
        chooser = at(LONG)
        for index, held in enumerate(LONG.hand):
            chooser.move_to(LONG, index)
            screen = draw(LONG, some_log(), chooser, *size, ASCII)
            chosen = [piece for row in screen.rows for piece in row if piece.click == index]
            assert chosen
            assert f"[{held.card.text}]" in chosen[0].text


def test_the_colour_in_force_is_written_not_only_coloured() -> None:
    """P15: with no colour at all the screen still says everything."""
    for size in ((80, 24), (40, 15)):
        assert "GREEN" in "\n".join(plain(draw(TURN, some_log(), at(TURN), *size, ASCII).rows))


STRANGE = [
    "漢字漢字漢字漢字漢字",
    "👨‍👩‍👧‍👦" * 2,
    "e\u0301\u0301\u0301clair",
    "שלום עולם",
    "x" * 60,
]


@pytest.mark.parametrize("name", STRANGE)
def test_strange_names_break_no_line(name: str) -> None:
    """P06: names are measured and cut by cell width."""
    look = replace(TURN, seats=tuple(replace(seat, name=name) for seat in TURN.seats))
    for size in ((80, 24), (40, 15)):
        assert {row_width(row) for row in draw(look, some_log(), at(look), *size, ASCII).rows} == {size[0]}


def test_every_style_used_is_in_the_table() -> None:
    for look, board in SCENES.values():
        for size in ((80, 24), (40, 15)):
            for row in draw(look, board, at(look), *size, ASCII).rows:
                assert {piece.style for piece in row} <= set(STYLES)


def test_help_shows_every_key_in_both_layouts() -> None:
    chooser = at(TURN)
    chooser.help = True
    for size in ((80, 24), (40, 15)):
        text = "\n".join(plain(draw(TURN, some_log(), chooser, *size, ASCII).rows))
        for word in ("Enter", "draw", "keep", "UNO", "catch", "challenge", "Esc", "Ctrl-L"):
            assert word in text, (size, word)
