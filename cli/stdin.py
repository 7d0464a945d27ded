"""Lines from stdin for trio programs, one table or lobby after the other in one process."""

from __future__ import annotations

import os
import signal
import threading
from typing import Final

import trio

LONGEST: Final = 1000  # bytes kept of a line
HANGUP: Final = int(getattr(signal, "SIGHUP", 0))
"""The signal that the terminal has gone, 0 where there is none: its window was closed, or the link to it was lost.
Nobody has said to leave then, so a table is left as after a crash: it can be taken up again."""


class _Reading(threading.Thread):
    """A thread that reads one line. A read cannot be called off, so whoever no longer waits leaves it behind.

    It reads the descriptor, not `sys.stdin`: a thread that is left behind must hold no lock of the interpreter.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.line = ""

    def run(self) -> None:
        data = b""
        while not data.endswith(b"\n"):
            try:
                byte = os.read(0, 1)
            except OSError:  # a terminal that has gone
                byte = b""
            if not byte:
                break
            data = data[-LONGEST:] + byte
        self.line = data.decode("utf-8", "replace")


_reading: _Reading | None = None


async def stdin_line() -> str:
    """One line from stdin with its end, "" at the end of the file. When it is cancelled, the line goes to whoever asks
    next: two threads that read would take the letters from each other."""
    global _reading
    if _reading is None:
        _reading = _Reading()
        _reading.start()
    reading = _reading
    await trio.to_thread.run_sync(reading.join, abandon_on_cancel=True)
    _reading = None
    return reading.line
