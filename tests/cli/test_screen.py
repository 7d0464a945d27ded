"""The full screen end to end: keys through a pipe, the screen through pyte. Plain tests: asyncio is the host."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from prompt_toolkit.input import PipeInput, create_pipe_input

from cli.manner import Manner
from cli.record import Record
from cli.screen import TableScreen
from cli.table.session import Session
from cli.theme import ASCII
from p2puno.moves import Draw, Keep, Play
from p2puno.needs import Ask, Decide, Say
from protocol.errors import Unreachable
from protocol.events import Happened
from tests.cli.fakes import FakeSession, playing
from tests.cli.terminal import Terminal, until


class Rig:
    """A screen, its terminal, its keyboard and the table behind it."""

    def __init__(
        self, terminal: Terminal, keyboard: PipeInput, session: FakeSession, manner: Manner | None = None
    ) -> None:
        self.terminal, self.keyboard, self.session = terminal, keyboard, session
        self.screen = TableScreen(
            lambda: playing(session),
            ASCII,
            manner or Manner(),
            input=keyboard,
            output=terminal.output(),
            watching=session.seat < 0,
        )
        self.heard = 0  # how often the screen was told that it is asked
        asked = self.screen._asked

        def hear(session: Session) -> None:
            asked(session)
            self.heard += 1

        self.screen._asked = hear  # type: ignore[method-assign]
        self.running: asyncio.Task[Record] = asyncio.create_task(self.screen.run())

    async def shows(self, text: str) -> None:
        await until(lambda: text in self.terminal.text or self.running.done(), text)
        assert text in self.terminal.text, self.terminal.text

    def type(self, text: str) -> None:
        self.keyboard.send_text(text)

    async def ends(self) -> Record:
        return await asyncio.wait_for(self.running, 5)


def with_screen(
    test: Callable[[Rig], Awaitable[None]],
    columns: int = 80,
    rows: int = 24,
    manner: Manner | None = None,
    session: FakeSession | None = None,
    **table: Any,
) -> Rig:
    """Run a test at a table; leaves the screen afterwards if the test has not."""
    rigs = []

    async def go() -> None:
        with create_pipe_input() as keyboard:
            rig = Rig(Terminal(columns, rows), keyboard, session or FakeSession(**table), manner)
            rigs.append(rig)
            await test(rig)
            if not rig.running.done():
                rig.type("\x03")
            await rig.ends()

    asyncio.run(go())
    return rigs[0]


def next_key(rig: Rig) -> str:
    """What a hasty person presses now: yes, yellow, or the first of a list; the card under the cursor; or nothing."""
    chooser, look = rig.screen.chooser, rig.screen._look()
    if look.asking is not None:
        options = chooser.picker.stage(look.asking).options
        yes = any(option.key == "y" for option in options) and options[chooser.picker.at].key != "y"
        return "y" if yes else "\r"
    preview = chooser.preview(look)
    for words, key in (("needs a colour", "b"), ("Enter: play", "\r"), ("a accept", "a"), ("p pass", "p"),
                       ("u calls", "u"), ("d draw", "d"), ("k keep", "k")):  # fmt: skip
        if words in preview:
            return key
    return ""


async def play_until(rig: Rig, done: Callable[[], bool]) -> None:
    """Play like a hasty person, one key after the other has been taken."""
    screen = rig.screen

    def state() -> tuple[object, ...]:
        picker = screen.chooser.picker
        answers = len(rig.session.decided) + len(rig.session.said)
        return answers, screen.chooser.sent, screen.chooser.colour, picker.path, picker.at, screen.board.ended

    while not done():
        if rig.running.done():
            rig.running.result()  # an error of the table is the test's error
            return
        told = rig.session.asking and rig.heard == rig.session.asks
        key = next_key(rig) if told and not screen.chooser.sent and not screen.board.ended else ""
        if not key:
            await asyncio.sleep(0.001)
            continue
        before = state()
        rig.type(key)
        await until(lambda before=before: state() != before or rig.running.done(), f"an effect of {key!r}")  # type: ignore[misc]


def test_a_whole_hand_is_played_with_keys_and_its_end_is_shown() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        await play_until(rig, lambda: rig.screen.board.ended)
        await rig.shows("wins the match")
        await rig.shows("Enter or q: close")
        rig.type("\r")
        record = await rig.ends()
        assert record.exit_code == 0
        assert record.match is not None

    rig = with_screen(test, seats=3, seed=5)
    assert any(isinstance(move, Play) for move in rig.session.decided)
    assert "\x1b[?1049l" in rig.terminal.raw  # the normal screen is back


def test_the_preview_is_what_enter_does() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("Enter: play ")
        card = rig.terminal.text.split("Enter: play ")[1].split()[0]
        rig.type("\r")
        await until(lambda: bool(rig.session.decided))
        move = rig.session.decided[0]
        assert isinstance(move, Play)
        assert rig.session.rules is not None
        assert rig.session.rules.kinds[move.face].id == card

    with_screen(test, seats=3, seed=1)


def test_the_bell_rings_at_my_turn_and_only_then() -> None:
    """P18."""

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        assert rig.terminal.bells == 1
        rig.type("\x1b[C\x1b[C?x")
        await rig.shows("Enter: ")
        assert rig.terminal.bells == 1

    with_screen(test, seats=4, seed=2)


def test_q_asks_once_and_leaves_politely() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        rig.type("q")
        await rig.shows("Leave the table?")
        rig.type("x")
        await rig.shows("Enter: ")
        rig.type("qq")
        record = await rig.ends()
        assert record.left
        assert record.exit_code == 0

    assert with_screen(test).session.left


def test_ctrl_c_leaves_at_once_and_the_signal_is_remembered() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        rig.type("\x03")
        await rig.ends()
        assert rig.screen.signal == signal.SIGINT

    rig = with_screen(test)
    assert rig.session.left
    assert "\x1b[?1049l" in rig.terminal.raw


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signals on this system")
@pytest.mark.parametrize(("number", "leaves"), [("SIGTERM", True), ("SIGHUP", False)])
def test_a_signal_leaves_politely_but_a_window_that_is_closed_leaves_nothing(number: str, leaves: bool) -> None:
    """N02: who closes the window can come back to the seat, as after a crash."""

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        os.kill(os.getpid(), getattr(signal, number))
        record = await rig.ends()
        assert rig.screen.signal == getattr(signal, number)
        assert record.left == leaves

    assert with_screen(test).session.left == leaves


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signals on this system")
def test_a_terminal_that_has_gone_without_its_signal_is_no_leaving_either() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        rig.keyboard.close()
        assert not (await rig.ends()).left
        assert rig.screen.signal == signal.SIGHUP

    assert not with_screen(test).session.left


def test_a_resize_is_drawn_anew_down_to_nothing() -> None:
    """P12, N01."""

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        for columns, rows, seen in ((40, 15, "YOUR TURN"), (20, 5, "too small"), (200, 60, "play goes")):
            rig.terminal.resize(columns, rows)
            rig.screen.app._on_resize()
            await rig.shows(seen)

    with_screen(test)


def test_a_table_that_does_not_answer_yet() -> None:
    """What is waited for stands there, and q gives up."""

    async def go() -> None:
        @asynccontextmanager
        async def nobody() -> AsyncIterator[Session]:
            await trio.sleep_forever()
            yield

        terminal = Terminal()
        with create_pipe_input() as keyboard:
            screen = TableScreen(nobody, ASCII, Manner(), input=keyboard, output=terminal.output())
            shown = asyncio.create_task(screen.run())
            await until(lambda: "Waiting for the table to answer" in terminal.text, "what is waited for")
            keyboard.send_text("q")
            await asyncio.wait_for(shown, 5)
            assert screen.record.exit_code == 0, "its player went, nothing is unfinished"

    asyncio.run(go())


def test_an_error_of_the_table_comes_out_and_the_terminal_is_restored() -> None:
    async def go() -> None:
        @asynccontextmanager
        async def nobody() -> AsyncIterator[Session]:
            raise Unreachable("nobody answers at 10.0.0.1:4242")
            yield

        terminal = Terminal()
        with create_pipe_input() as keyboard:
            screen = TableScreen(nobody, ASCII, Manner(), input=keyboard, output=terminal.output())
            with pytest.raises(Unreachable):
                await asyncio.wait_for(screen.run(), 5)
        assert "\x1b[?1049l" in terminal.raw

    asyncio.run(go())


def test_no_colour_means_no_colour_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """P09."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")

    raw = with_screen(test).terminal.raw
    codes = {code for part in raw.split("\x1b[")[1:] if "m" in part for code in part.split("m")[0].split(";")}
    assert not {code for code in codes if code.isdigit() and 30 <= int(code) <= 107}


def test_a_click_chooses_a_card_and_a_second_one_plays_it() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("Enter: play ")
        look = rig.screen._look()
        index = next(i for i, held in enumerate(look.hand) if held.playable and not held.card.wild)
        row = next(y for y, line in enumerate(rig.terminal.screen.display) if "[" in line and "]" in line) - 2
        click = f"\x1b[<0;{4 + 6 * index};{row + 1}M\x1b[<0;{4 + 6 * index};{row + 1}m"
        if rig.screen.chooser.cursor != index:
            rig.type(click)
            await until(lambda: rig.screen.chooser.cursor == index, "a card chosen by mouse")
        rig.type(click)
        await until(lambda: bool(rig.session.decided), "a play by mouse")
        move = rig.session.decided[0]
        assert isinstance(move, Play)
        assert move.slot == look.hand[index].slot

    with_screen(test, seats=3, seed=1)


def test_hostile_names_never_reach_the_terminal_raw() -> None:
    """C44, P16."""
    names = ("Mia", "B\x1b]52;c;aGk=\x07o", "C\u202ey", "D\x9b2Jt")

    async def go() -> str:
        terminal = Terminal()
        with create_pipe_input() as keyboard:
            rig = Rig(terminal, keyboard, FakeSession(4, 2, names))
            await rig.shows("YOUR TURN")
            rig.type("\x03")
            await rig.ends()
        return terminal.raw

    raw = asyncio.run(go())
    for bad in ("\x1b]52", "\u202e", "\x9b", "\x1b[2Jt"):
        assert bad not in raw


def test_a_drawn_card_that_does_not_fit_is_kept_without_asking() -> None:
    """P24."""

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        await play_until(rig, lambda: Keep() in rig.session.decided or rig.screen.board.ended)

    rig = with_screen(test, seats=2, seed=4)
    moves = rig.session.decided
    assert Keep() in moves
    assert moves[moves.index(Keep()) - 1] == Draw()
    assert set(rig.session.said) <= {Say.CALL, Say.PASS}


def test_once_an_answer_has_arrived_the_screen_says_whom_it_waits_for() -> None:
    """Not that the answer is still on its way."""

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        game = rig.session._game
        assert game is not None
        rig.screen.chooser.sent = True
        game.need = Decide(1, Ask.TURN)
        rig.session.show(Happened(()))
        await rig.shows("waiting for Bo")
        assert "on its way" not in rig.terminal.text

    with_screen(test, seats=3, seed=1)
