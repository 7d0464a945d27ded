"""The screen of a replay: going from step to step, searching, and drawn in every terminal (P12, P20)."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input

from cli.canvas import plain, row_width
from cli.manner import Manner
from cli.replay.draw import draw
from cli.replay.film import Film, matches
from cli.replay.screen import ReplayScreen
from cli.replay.viewer import Viewer
from cli.theme import ASCII
from p2puno.happenings import What
from tests.cli.terminal import Terminal

GOLDEN = Path(__file__).parent / "golden"


def test_steps_and_turns(film: Film) -> None:
    viewer = Viewer(film)
    assert not viewer.press("left")
    assert viewer.note == "this is the beginning"
    viewer.press("right")
    assert (viewer.at, viewer.note) == (1, "")
    viewer.press("down")
    assert viewer.frame.turn == 1
    viewer.press("down")
    assert viewer.frame.turn >= 2
    viewer.press("end")
    assert viewer.at == viewer.last
    viewer.press("right")
    assert (viewer.at, viewer.note) == (viewer.last, "this is the end")
    viewer.press("up")  # to the beginning of the last turn
    begin = viewer.at
    assert begin < viewer.last
    assert viewer.frame.turn == film.turns
    viewer.press("up")
    assert viewer.at < begin
    viewer.press("home")
    assert viewer.at == 0


def test_jump_to_a_turn(film: Film) -> None:
    viewer = Viewer(film)
    for key in ("1", "2", "enter"):
        viewer.press(key)
    assert viewer.at == film.at_turn(12)
    assert film.frames[viewer.at - 1].turn < 12 <= viewer.frame.turn
    for key in ("t", "9", "9", "x", "9", "backspace"):
        viewer.press(key)
    assert "Turn: 99_" in viewer.prompt()
    viewer.press("9")
    viewer.press("enter")
    assert (viewer.at, viewer.note) == (viewer.last, f"there are {film.turns} turns")
    viewer.press("²")
    assert viewer.note, "a sign that is a digit, but no number, begins nothing"
    viewer.press("3")
    viewer.press("escape")
    assert viewer.at == viewer.last


@pytest.mark.parametrize(
    ("wanted", "shows"),
    [
        ("P2", lambda h, film: 2 in (h.seat, h.other)),
        ("seat 2", lambda h, film: 1 in (h.seat, h.other)),
        ("w4", lambda h, film: h.face >= 0 and film.rules.kinds[h.face].id == "W4"),
        ("Wild Draw Four", lambda h, film: h.face >= 0 and film.rules.kinds[h.face].id == "W4"),
        ("challenges", lambda h, film: h.what is What.CHALLENGED),
    ],
)
def test_search_by_seat_card_or_word(wanted: str, shows, film: Film) -> None:  # type: ignore[no-untyped-def]
    """Every frame that has it is met going on, and the same ones going back."""
    expected = [
        i for i, frame in enumerate(film.frames)
        if any(shows(h, film) and h.what is not What.TURN for _, h in frame.happened)
    ]  # fmt: skip
    viewer = Viewer(film)
    for key in ("/", *wanted, "enter"):
        assert not viewer.press(key)
    met = [viewer.at]
    while not viewer.note:
        met.append(viewer.at)
        viewer.press("n")
    assert met[1:] == expected
    assert viewer.note == "nothing more of that after this"
    viewer.press("p")
    assert viewer.at == expected[-2]


def test_search_for_what_is_not_there(film: Film) -> None:
    viewer = Viewer(film, 5)
    viewer.press("n")
    assert viewer.note.startswith("nothing is searched for yet")
    for key in ("/", *"zebra", "enter"):
        viewer.press(key)
    assert (viewer.at, viewer.note) == (5, "nothing more of that after this")
    assert not matches(film, 5, "  ")


def test_no_key_plays(film: Film) -> None:
    """P20: the keys of a live table do nothing here, and it is said."""
    viewer = Viewer(film, 20)
    for key in "dkucar":
        assert not viewer.press(key)
        assert "nothing can be played" in viewer.note
        assert viewer.at == 20
    assert viewer.press("q")
    assert Viewer(film).press("escape")


def test_cards_of_a_seat_as_far_as_all_have_seen_them(film: Film) -> None:
    viewer = Viewer(film, next(i for i, f in enumerate(film.frames) if f.look.dealt and not f.result))
    viewer.press("s")
    hand = viewer.look().hand
    assert len(hand) == viewer.frame.look.seats[0].cards
    assert {held.card.text for held in hand} == {"?"}
    assert viewer.where()[-1] == "cards of P0"
    viewer.press("end")
    loser = next(seat for seat in range(3) if viewer.frame.faces[seat])
    viewer.seat = loser
    assert "?" not in {held.card.text for held in viewer.look().hand}
    for _ in range(3 - loser):
        viewer.press("s")
    assert viewer.seat == -1


def test_the_last_line_names_the_keys_that_work_now(film: Film) -> None:
    viewer = Viewer(film)
    viewer.press("end")

    def last() -> str:
        return plain(draw(viewer, 80, 24, ASCII))[-1]

    assert "q close" in last()
    viewer.press("?")
    assert last() == " any key: back"
    viewer.press("x")
    viewer.press("i")
    assert last() == " < back  > next  Esc close"


def test_help_and_inspector_close_with_any_key(film: Film) -> None:
    viewer = Viewer(film, film.at_turn(3))
    viewer.press("?")
    assert "nothing can be played here" in "\n".join(plain(draw(viewer, 80, 24, ASCII)))
    assert not viewer.press("q")
    viewer.press("i")
    assert "Top card" in "\n".join(plain(draw(viewer, 80, 24, ASCII)))
    assert not viewer.press("escape")
    assert "Top card" not in "\n".join(plain(draw(viewer, 80, 24, ASCII)))


# -- drawn


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
def test_golden_screen(film: Film, size: tuple[int, int]) -> None:
    """To renew a golden screen after a change that is meant, delete its file and run this twice."""
    screen = "\n".join(plain(draw(Viewer(film, len(film.frames) // 2), *size, ASCII))) + "\n"
    path = GOLDEN / f"replay-{size[0]}x{size[1]}.txt"
    if not path.exists():
        path.write_text(screen, encoding="utf-8")
        pytest.fail(f"{path.name} was missing and has been written: look at it")
    assert screen == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (72, 22), (40, 15), (39, 15), (20, 5), (1, 1), (200, 60)])
def test_every_frame_fits_every_terminal(columns: int, rows: int, film: Film) -> None:
    """P12."""
    viewer = Viewer(film)
    for at in range(0, len(film.frames), 7):
        for seat in (-1, 1):
            viewer.at, viewer.seat = at, seat
            drawn = draw(viewer, columns, rows, ASCII)
            assert len(drawn) == rows
            assert {row_width(row) for row in drawn} == {columns}


def test_the_screen_says_that_it_is_a_replay(film: Film) -> None:
    for columns, rows in ((80, 24), (40, 15)):
        for at in (0, film.at_turn(5), len(film.frames) - 1):
            text = plain(draw(Viewer(film, at), columns, rows, ASCII))
            assert "REPLAY" in text[0]
            assert f"{film.frames[at].turn}/{film.turns}" in text[0]


def test_the_screen_end_to_end(film: Film) -> None:
    """Keys through a pipe, the screen through pyte."""
    terminal = Terminal()
    with create_pipe_input() as keyboard:
        keyboard.send_text("\x1b[C\x1b[B5\r/w4\rsq")
        viewer = Viewer(film)
        ReplayScreen(viewer, ASCII, Manner(colours="none"), keyboard, terminal.output()).run()
    assert viewer.wanted == "w4"
    assert viewer.seat == 0
    assert matches(film, viewer.at, "w4")
    assert "REPLAY" in terminal.raw
    assert "\x1b[?1049l" in terminal.raw  # the normal screen is back
    with create_pipe_input() as keyboard:
        keyboard.send_text("\x03")
        screen = ReplayScreen(viewer, ASCII, Manner(colours="none"), keyboard, Terminal().output())
        with pytest.raises(KeyboardInterrupt):
            screen.run()
