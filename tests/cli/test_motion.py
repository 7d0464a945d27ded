"""What moves on the full screen for a moment: it delays and hides nothing, ends by itself, can be turned off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.canvas import plain
from cli.draw import draw
from cli.manner import Manner
from cli.table import motion
from cli.table.board import Board
from cli.table.chooser import Chooser
from cli.table.look import Look
from cli.table.motion import FRAME, FRAMES, STILL, Motion, Moving
from cli.theme import ASCII, STYLES
from p2puno.happenings import Happening, What
from protocol.events import Happened
from tests.cli.heroes import hero_board, hero_look
from tests.cli.looks import face, my_turn, some_log
from tests.cli.terminal import until
from tests.cli.test_draw import HAND, at
from tests.cli.test_screen import Rig, with_screen

PLAYED = Happening(What.PLAYED, 1, face=face("G5"), n=6)
TURN = Happening(What.TURN, 2)
START = 1000.0


def frames(moving: Motion, now: float) -> list[Moving]:
    """Every frame from now on, each drawn when the one before it says."""
    out = [moving.frame(now)]
    while (rest := moving.rest(now)) >= 0:
        now += rest
        out.append(moving.frame(now))
        assert len(out) < 100, "it never ends"
    return out


def test_a_played_card_lands_and_lies_still() -> None:
    moving = Motion(True)
    assert moving.take(Happened((PLAYED, TURN)), START)
    assert [(frame.landing, frame.turn) for frame in frames(moving, START)] == [(4, 2), (3, 2), (2, 2), (1, 2), (0, -1)]


def test_drawn_cards_count_up_to_what_was_drawn() -> None:
    moving = Motion(True)
    moving.take(Happened((Happening(What.DREW, 2, n=4), Happening(What.DREW, 1, n=2))), START)
    counts = [(frame.count(2), frame.count(1)) for frame in frames(moving, START)]
    assert counts == [("+1", "+1"), ("+2", "+1"), ("+3", "+2"), ("+4", "+2"), ("", "")]
    moving.take(Happened((Happening(What.DREW, 2, n=0),)), START + 10)
    assert moving.frame(START + 10) == STILL, "nothing was left to draw"


def test_it_ends_by_itself_however_much_comes() -> None:
    """What comes meanwhile begins nothing that is not over as soon after it."""
    moving, now = Motion(True), START
    began = [moving.take(Happened((Happening(What.DREW, 1, n=1), PLAYED)), now + n * FRAME / 2) for n in range(20)]
    assert began == [True, *[False] * 19], "one movement at a time is drawn, the later ones join it"
    assert moving.frame(now + 10 * FRAME + FRAME * FRAMES) == STILL
    assert moving.rest(now + 10 * FRAME + FRAME * FRAMES) < 0


def test_nothing_moves_where_it_is_off() -> None:
    moving = Motion(False)
    assert not moving.take(Happened((PLAYED, TURN, Happening(What.DREW, 1, n=4))), START)
    assert moving.frame(START) == STILL
    assert moving.rest(START) < 0


def tables() -> list[tuple[Look, Board]]:
    return [(my_turn(*HAND), some_log()), (my_turn(*HAND, seats=10), some_log()), (hero_look(), hero_board())]


@pytest.mark.parametrize("size", [(80, 24), (40, 15), (200, 50)])
def test_every_frame_shows_the_table_as_it_stands_in_styles_of_the_theme(size: tuple[int, int]) -> None:
    for look, board in tables():
        still = draw(look, board, at(look), *size, ASCII)
        assert not any(piece.style == "moving" for row in still.rows for piece in row), "nothing lights up at rest"
        looks = set()
        for landing in range(FRAMES + 1):
            moved = draw(replace(look, moving=Moving(landing, {}, 0)), board, at(look), *size, ASCII)
            assert plain(moved.rows) == plain(still.rows), "only the look moves"
            looks.add(str(moved.rows))
            assert {piece.style for row in moved.rows for piece in row} <= {"", *STYLES}
        assert len(looks) >= 3, "and it can be seen"
        counted = draw(replace(look, moving=Moving(drew={1: 2})), board, at(look), *size, ASCII)
        assert any(piece.style == "moving" for row in counted.rows for piece in row)
        words = [line.replace("+2", "").split() for line in plain(counted.rows)]
        assert words == [line.replace("+2", "").split() for line in plain(still.rows)], "numbers are the true ones"


def test_a_key_acts_at_once_and_ends_what_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still: without the key the first frame would stay."""

    async def test(rig: Rig) -> None:
        await rig.shows("Enter: ")
        monkeypatch.setattr("cli.screen.clock", lambda: START)
        rig.session.show(Happened((Happening(What.PLAYED, 1, face=0, n=6),)))
        await until(lambda: rig.screen._motion.frame(START).landing == FRAMES, "a card that lands")
        before = rig.screen.chooser.cursor
        rig.type("\x1b[C")
        await until(lambda: rig.screen.chooser.cursor != before, "the cursor on another card")
        assert rig.screen._motion.rest(START) < 0

    with_screen(test, seats=3, seed=1)


def test_a_move_is_sent_while_something_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("Enter: play ")
        monkeypatch.setattr("cli.screen.clock", lambda: START)
        rig.session.show(Happened((Happening(What.DREW, 1, n=4),)))
        await until(lambda: bool(rig.screen._motion.frame(START).drew), "cards that count up")
        rig.type("\r")
        await until(lambda: bool(rig.session.decided), "the play")

    with_screen(test, seats=3, seed=1)


@pytest.mark.parametrize("on", [True, False])
def test_a_movement_is_a_few_drawings_and_none_where_it_is_off(on: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motion, "FRAME", 0.01)

    async def test(rig: Rig) -> None:
        await rig.shows("Enter: ")
        moved: list[Moving] = []
        taken = rig.screen._motion.frame

        def frame(now: float) -> Moving:
            moved.append(taken(now))
            return moved[-1]

        monkeypatch.setattr(rig.screen._motion, "frame", frame)
        rig.session.show(Happened((Happening(What.DREW, 1, n=77),)))
        await rig.shows("draws 77")
        await until(lambda: bool(moved) and moved[-1] == STILL, "the still table")
        assert any(moving != STILL for moving in moved) == on
        assert len([moving for moving in moved if moving != STILL]) <= FRAMES

    with_screen(test, seats=3, seed=1, manner=Manner(motion=on))


def test_who_watches_sees_it_too() -> None:
    """Nothing of it asks whose table it is."""
    look = replace(my_turn(*HAND), me=-1, moving=Moving(FRAMES))
    rows = draw(look, some_log(), Chooser(watching=True), 80, 24, ASCII).rows
    assert any(piece.style == "moving" for row in rows for piece in row)
