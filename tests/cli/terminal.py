"""A terminal in memory: prompt_toolkit writes to it, pyte keeps the screen."""

from __future__ import annotations

import asyncio
import io
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output.vt100 import Vt100_Output

from cli import stdin


class Terminal:
    """What `Vt100_Output` wants of a stdout; `raw` keeps every byte that a real terminal would have got."""

    encoding = "utf-8"
    errors = "strict"

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.raw = ""
        self._stream = pyte.Stream(self.screen)
        self._size = Size(rows=rows, columns=columns)
        self._drawn = threading.Condition()

    def write(self, text: str) -> None:
        self.raw += text
        self._stream.feed(text.replace("\r\n", "\n").replace("\n", "\r\n"))  # as the system's terminal driver does

    def flush(self) -> None:
        """Everything is there already; whoever waits in another thread looks again."""
        with self._drawn:
            self._drawn.notify_all()

    def shows(self, text: str, seconds: float) -> bool:
        """Wait in a thread of one's own until the screen has this text; whether it came in so many seconds."""
        with self._drawn:
            return self._drawn.wait_for(lambda: text in self.text, seconds)

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise io.UnsupportedOperation

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self._size = Size(rows=rows, columns=columns)

    def output(self) -> Vt100_Output:
        return Vt100_Output(self, lambda: self._size, term="xterm", enable_cpr=False)  # type: ignore[arg-type]

    @property
    def bells(self) -> int:
        """How often the bell rang; titles end with the same byte."""
        return re.sub(r"\x1b\]2;[^\x07]*\x07", "", self.raw).count("\x07")

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)


@contextmanager
def typed_stdin() -> Iterator[int]:
    """What is written to this descriptor comes from stdin; close it for the end of the file, or leave it."""
    reads, writes = os.pipe()
    before = os.dup(0)
    os.dup2(reads, 0)
    stdin._reading = None
    try:
        yield writes
    finally:
        os.dup2(before, 0)
        stdin._reading = None  # whoever still reads there reads from this pipe
        for each in (reads, before, writes):
            with suppress(OSError):
                os.close(each)


async def until(condition: Callable[[], bool], what: str = "") -> None:
    """Let the loop run until the condition holds; fail after many turns of it."""
    for _ in range(3000):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError(f"never came: {what}")
