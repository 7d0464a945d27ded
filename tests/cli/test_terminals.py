"""Real terminals: a pty and tmux, resized and drawn anew; the face that fits them (P02, P03, P04, P05, N01)."""

from __future__ import annotations

import asyncio
import fcntl
import io
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyte
import pytest

from cli import faces
from cli.faces import full_screen_fits, shown
from cli.manner import Manner
from cli.pilot import Pilot
from p2puno.bots import random_legal
from p2puno.happenings import Happening, What
from protocol.events import Happened, Progress
from tests.cli.fakes import FakeSession, playing
from tests.cli.terminal import until
from tests.cli.test_screen import Rig, with_screen

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "tests.cli.alone"]
PATIENCE = 20.0


class Pty:
    """A program on a pty of a size; `text` is what its terminal shows."""

    def __init__(self, columns: int, rows: int) -> None:
        self.ours, theirs = pty.openpty()
        self.raw = ""
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)
        self.resize(columns, rows)
        variables = {**os.environ, "TERM": "xterm", "LANG": "C.UTF-8"}
        self.program = subprocess.Popen(
            COMMAND, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, env=variables, start_new_session=True
        )
        os.close(theirs)

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def shows(self, text: str) -> str:
        """Read until the screen shows this text; the whole screen."""
        deadline = time.monotonic() + PATIENCE
        while text not in (found := "\n".join(line.rstrip() for line in self.screen.display)):
            ready, _, _ = select.select([self.ours], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"{text!r} never came:\n{found}"
            data = os.read(self.ours, 65536).decode("utf-8", "replace")
            self.raw += data
            self._stream.feed(data)
        return found


@pytest.fixture
def alone() -> Iterator[Pty]:
    terminal = Pty(80, 24)
    yield terminal
    terminal.program.kill()
    terminal.program.wait()
    os.close(terminal.ours)


def test_a_real_terminal_is_resized_and_drawn_anew(alone: Pty) -> None:
    """N01, P02, P04: SIGWINCH beside trio; nothing of the old size is left, and the terminal is never asked."""
    alone.shows("YOUR TURN")
    alone.resize(40, 15)
    os.killpg(alone.program.pid, signal.SIGWINCH)  # this pty has no foreground group that is told by itself
    small = alone.shows("i  l  ? help  q")
    assert "play goes" not in small
    alone.resize(20, 5)
    os.killpg(alone.program.pid, signal.SIGWINCH)
    alone.shows("too small")
    alone.resize(100, 30)
    os.killpg(alone.program.pid, signal.SIGWINCH)
    large = alone.shows("play goes")
    assert "too small" not in large
    assert large.count("YOUR TURN") == 1
    assert "\x1b[6n" not in alone.raw
    alone.type("\x0c")
    assert alone.shows("play goes").count("YOUR TURN") == 1
    alone.type("qq")
    assert alone.program.wait(PATIENCE) == 0


@pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux here")
def test_tmux_shows_no_ghost_lines_after_a_resize(tmp_path: Path) -> None:
    """P02."""
    variables = {**os.environ, "LANG": "C.UTF-8"}

    def tmux(*words: str) -> str:
        command = ["tmux", "-S", str(tmp_path / "socket"), "-f", "/dev/null", *words]
        return subprocess.run(command, env=variables, capture_output=True, text=True, check=True, cwd=ROOT).stdout

    def wait(condition: Callable[[str], bool]) -> str:
        deadline = time.monotonic() + PATIENCE
        while not condition(text := tmux("capture-pane", "-p")):
            assert time.monotonic() < deadline, text
            time.sleep(0.05)
        return text

    tmux("new-session", "-d", "-x", "80", "-y", "24", " ".join(COMMAND))
    try:
        wait(lambda text: "YOUR TURN" in text)
        tmux("resize-window", "-x", "50", "-y", "16")
        small = wait(lambda text: text.split("\n")[2].startswith(" pile "))
        assert small.count("YOUR TURN") == 1
        tmux("resize-window", "-x", "90", "-y", "26")
        large = wait(lambda text: "play goes" in text)
        assert large.count("YOUR TURN") == large.count("Enter: ") == large.count("? help") == 1
        assert tmux("display", "-p", "#{pane_title}").strip() == "p2puno: your turn"
    finally:
        tmux("kill-server")


def test_a_rush_of_events_is_drawn_a_few_times_only() -> None:
    """P03: a thousand events are not a thousand drawings."""

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        before = rig.screen.app.render_counter
        for number in range(500):
            rig.session.show(Happened((Happening(What.DREW, 1 + number % 2, n=1),)))
            rig.session.show(Progress("shares", number % 3, 3, (1,)))
            if number % 100 == 0:
                await asyncio.sleep(0)
        rig.session.show(Happened((Happening(What.KEPT, 1),)))
        await rig.shows("Bo keeps the card")
        assert rig.screen.app.render_counter - before < 50

    with_screen(test, seats=3, seed=1)


def test_ctrl_l_draws_everything_anew() -> None:
    """P02."""

    async def test(rig: Rig) -> None:
        await rig.shows("Enter: ")
        shown = rig.terminal.text
        rig.terminal.screen.erase_in_display(2)
        rig.type("\x0c")
        await until(lambda: "Enter: " in rig.terminal.text, "the screen again")
        assert rig.terminal.text.splitlines()[1:] == shown.splitlines()[1:]  # the title counts the seconds
        assert "\x1b[6n" not in rig.terminal.raw  # P04

    with_screen(test, seats=3, seed=1)


class Stream(io.StringIO):
    def __init__(self, tty: bool) -> None:
        super().__init__()
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty


@pytest.mark.parametrize(
    ("stdin", "stdout", "term", "fits"),
    [
        (True, True, "xterm-256color", True),
        (True, True, "dumb", False),
        (True, True, "", False),
        (False, True, "xterm", False),
        (True, False, "xterm", False),
    ],
)
def test_a_cursor_is_moved_only_where_there_is_one(
    stdin: bool, stdout: bool, term: str, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P05."""
    monkeypatch.setattr(sys, "stdin", Stream(stdin))
    monkeypatch.setattr(sys, "stdout", Stream(stdout))
    monkeypatch.setenv("TERM", term)
    assert full_screen_fits() is fits


@pytest.mark.parametrize("manner", [Manner(), Manner(lines=True), Manner(speak="a test")])
def test_a_dumb_terminal_and_a_screen_reader_get_lines_without_any_escape_code(
    manner: Manner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P05, P08: everything is readable; the end of stdin leaves."""
    out = Stream(True)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stdin", Stream(True))
    monkeypatch.setenv("TERM", "xterm" if manner.speak else "dumb")

    async def nothing() -> str:
        return ""

    monkeypatch.setattr("cli.plain.stdin_line", nothing)
    monkeypatch.setattr(faces, "console", lambda: pytest.fail("no cursor is to be moved"))
    face = shown(lambda: playing(FakeSession(3, 1)), manner)
    assert face.record.left
    text = out.getvalue()
    assert "leave the table" in text
    assert "\x1b" not in text
    assert text.startswith("Mode: ") == bool(manner.speak)


def test_nothing_is_shown_where_only_a_document_is_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    session = FakeSession(3, 3)
    face = shown(lambda: playing(session), Manner(), Pilot(random_legal(session._dice), 0), silent=True)
    assert face.record.match is not None
    assert capsys.readouterr().out == ""
