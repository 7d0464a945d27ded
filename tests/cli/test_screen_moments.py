"""The full screen at moments that are easily missed: a window of seconds, the end, what only looks like the mouse."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.record import Record
from cli.table.look import Asked
from tests.cli.terminal import until
from tests.cli.test_screen import Rig, play_until, with_screen


def test_after_the_end_a_key_works_or_is_told_to_be_of_no_use() -> None:
    """The help is there to the last; a key that nothing comes of is answered, as everywhere."""

    async def test(rig: Rig) -> None:
        await play_until(rig, lambda: rig.screen.board.ended)
        await rig.shows("Enter or q: close")
        rig.type("x")
        await rig.shows("x does nothing here: ? shows the keys")
        rig.type("?")
        await rig.shows("choose a card; 0 is the tenth")
        assert "Enter close" not in rig.terminal.text
        rig.type("\r")
        await rig.shows("Enter or q: close")
        rig.type("\r")
        await rig.ends()

    with_screen(test)


def test_what_only_looks_like_the_mouse_is_taken_by_nobody() -> None:
    """A colour code that is typed, or that a terminal answers, is no click; it ended in a traceback over the table."""

    async def test(rig: Rig) -> None:
        await rig.shows("Enter: ")
        rig.type("\x1b[31m\x1b[<1m\x1b[0;1;2;3M")
        rig.type("?")
        await rig.shows("?: what the signs mean")
        rig.type("\x1b[<0;30;24M\x1b[<0;30;24m")  # a click, somewhere in the last line
        assert "Traceback" not in rig.terminal.text

    with_screen(test)


def test_a_table_that_is_over_is_told_before_its_end_is_closed() -> None:
    """Who closes the window over the last screen has the table in the history all the same."""
    told: list[Record] = []

    async def test(rig: Rig) -> None:
        rig.screen._over = lambda record, session: told.append(record)
        await play_until(rig, lambda: rig.screen.board.ended)
        await until(lambda: bool(told), "the end is told")
        assert not rig.running.done(), "the end is still shown"
        assert told[0].match is not None

    with_screen(test)
    assert len(told) == 1


@pytest.mark.parametrize("asked", [Asked.CATCH, Asked.CALL])
def test_a_window_of_seconds_closes_the_log(asked: Asked) -> None:
    """R61: whoever reads the log sees at once that somebody can be caught."""

    async def test(rig: Rig) -> None:
        await rig.shows("Enter: ")
        rig.type("l")
        await rig.shows("The log: ")
        look = replace(rig.screen._look(), asked=asked, about=1)
        rig.screen._look = lambda: look  # type: ignore[method-assign]
        rig.screen._asked(rig.session)
        rig.screen.app.invalidate()
        await rig.shows("c catch" if asked is Asked.CATCH else "u call UNO")
        assert "The log: " not in rig.terminal.text

    with_screen(test)
