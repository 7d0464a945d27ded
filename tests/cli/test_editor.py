"""The line mode on a terminal: an edited line, completion and history, without a question to the terminal (P04)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio
from prompt_toolkit.input import PipeInput, create_pipe_input

from cli.editor import edited_lines
from cli.faces import NO_CONSOLE, console
from cli.plain import LineTable
from cli.table.asking import Picker
from cli.table.look import Asked
from cli.table.session import Session
from cli.table.typed import ALWAYS, words
from tests.cli.fakes import FakeSession, playing
from tests.cli.heroes import HEROES, RULES, hero_look, targets
from tests.cli.looks import RULES as BATMAN
from tests.cli.looks import my_turn, waiting_for
from tests.cli.terminal import Terminal, until
from tests.cli.test_plain import first_move

TURN = my_turn("R1", "G9", "W", playable=("G9", "W"))


class Rig:
    """A table in lines, its terminal and its keyboard."""

    def __init__(self, terminal: Terminal, keyboard: PipeInput, session: FakeSession) -> None:
        self.terminal, self.keyboard, self.session = terminal, keyboard, session
        self.table = LineTable(lambda: playing(session))
        self.running = asyncio.create_task(edited_lines(self.table, keyboard, terminal.output()))

    def type(self, text: str) -> None:
        self.keyboard.send_text(text)

    async def shows(self, text: str) -> None:
        await until(lambda: text in self.terminal.text or self.running.done(), text)
        assert text in self.terminal.text, self.terminal.text


def with_lines(test: Callable[[Rig], Awaitable[None]], seed: int = 7, seats: int = 3) -> Rig:
    """Run a test at a table in lines; leaves it afterwards if the test has not."""
    rigs = []

    async def go() -> None:
        with create_pipe_input() as keyboard:
            rig = Rig(Terminal(100, 60), keyboard, FakeSession(seats, seed))
            rigs.append(rig)
            await test(rig)
            if not rig.running.done():
                rig.type("\x03")
            await asyncio.wait_for(rig.running, 5)

    asyncio.run(go())
    return rigs[0]


def test_a_whole_hand_is_played_from_the_keyboard() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("Your turn.")
        answered = 0
        while rig.table.record.match is None:
            count = len(rig.session.decided) + len(rig.session.said)
            if rig.session.asking and count >= answered:
                rig.type(first_move(rig.session) + "\r")
                answered = count + 1
            await asyncio.sleep(0.002)
        await asyncio.wait_for(rig.running, 5)
        await rig.shows("wins the match")

    rig = with_lines(test)
    assert rig.table.record.exit_code == 0
    assert "\x1b[6n" not in rig.terminal.raw  # P04
    assert "\x1b[?1049h" not in rig.terminal.raw


def test_tab_completes_what_can_be_typed_now_and_up_brings_back_a_line() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("Your turn.")
        rig.type("sco\t")
        await rig.shows("> score")
        rig.type("\r")
        await rig.shows("Score: Mia 0")
        rig.type("\x1b[A\r")
        await until(lambda: rig.terminal.text.count("Score: Mia 0") == 2, "the score once more")

    with_lines(test)


def test_what_happens_is_printed_above_the_line_that_is_typed() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("Your turn.")
        rig.type("half a li")
        await rig.shows("> half a li")
        print("Bo says hello", file=rig.table.out, flush=True)
        await rig.shows("Bo says hello")
        lines = [line for line in rig.terminal.text.splitlines() if line]
        assert lines.index("Bo says hello") < lines.index("> half a li") == len(lines) - 1

    with_lines(test)


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_ctrl_c_and_ctrl_d_leave_politely(key: str) -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("Your turn.")
        rig.type(key)
        await asyncio.wait_for(rig.running, 5)

    rig = with_lines(test)
    assert rig.session.left
    assert rig.table.record.left
    assert rig.table.signal == (2 if key == "\x03" else 0)


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_who_goes_before_the_table_answers_goes_at_once(key: str) -> None:
    """N03: a host that hangs keeps nobody here."""

    async def go() -> None:
        @asynccontextmanager
        async def nobody() -> AsyncIterator[Session]:
            await trio.sleep_forever()
            yield

        with create_pipe_input() as keyboard:
            terminal = Terminal(100, 60)
            table = LineTable(nobody)
            running = asyncio.create_task(edited_lines(table, keyboard, terminal.output()))
            await until(lambda: ">" in terminal.text, "a line to type in")
            keyboard.send_text(key)
            await asyncio.wait_for(running, 5)
            assert table.signal == (2 if key == "\x03" else 0)

    asyncio.run(go())


def test_the_moves_come_first_and_only_what_fits_the_beginning() -> None:
    assert words(TURN, BATMAN, Picker(), "")[: len(TURN.moves)] == ["G9", "W>R", "W>Y", "W>G", "W>B", "draw"]
    assert words(TURN, BATMAN, Picker(), "w>") == ["W>R", "W>Y", "W>G", "W>B"]
    assert words(TURN, BATMAN, Picker(), "h") == ["hand", "help"]
    assert words(TURN, BATMAN, Picker(), "xyz") == []
    assert words(waiting_for(TURN, 1), BATMAN, Picker(), "") == list(ALWAYS)


def test_windows_challenges_and_lists_have_their_own_words() -> None:
    waiting = waiting_for(TURN, 1)
    assert words(replace(waiting, asked=Asked.CATCH), BATMAN, Picker(), "")[:2] == ["catch", "pass"]
    assert words(replace(waiting, asked=Asked.CALL), BATMAN, Picker(), "u") == ["uno"]
    assert words(replace(waiting, asked=Asked.CHALLENGE), BATMAN, Picker(), "")[:2] == ["accept", "challenge"]
    look = hero_look(asked=Asked.CHOICE, asking=targets(), moves=())
    picker = Picker()
    assert words(look, RULES, picker, "")[:3] == ["1", "2", "3"]


def test_cards_and_heroes_can_be_completed_behind_look() -> None:
    assert words(TURN, BATMAN, Picker(), "look ") == ["look R1", "look G9", "look W", "look G5"]
    found = words(hero_look(), RULES, Picker(), "look h")
    assert found == ["look Hulk"]
    assert len([w for w in words(hero_look(), RULES, Picker(), "look ") if w.removeprefix("look ") in
                {RULES.hero(hero).name for hero in HEROES}]) == len(HEROES)  # fmt: skip
    assert words(TURN, None, Picker(), "look ") == []


class NoConsoleScreenBufferError(Exception):
    """What prompt_toolkit raises where Windows has no console; its own class can be loaded there only."""


def test_a_terminal_without_a_console_falls_back_to_lines_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """P01."""

    def nothing() -> object:
        raise NoConsoleScreenBufferError("no console")

    monkeypatch.setattr("prompt_toolkit.input.create_input", nothing)
    assert console() is None
    assert capsys.readouterr().out == f"{NO_CONSOLE}\n"


def test_any_other_fault_of_the_terminal_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> object:
        raise ZeroDivisionError

    monkeypatch.setattr("prompt_toolkit.input.create_input", broken)
    with pytest.raises(ZeroDivisionError):
        console()
