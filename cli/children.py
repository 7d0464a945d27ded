"""Bots as processes of their own: each a full peer with its own key, and none that outlives us.

Every child holds the reading end of a pipe as its stdin and ends when that closes. So it ends when we end, however we
end; and where it does not hear (stopped, or not yet started up), we end it by its process id.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from types import TracebackType
from typing import IO, Final, Self

import trio

from cli.trouble import CHEATING, FINE, UNFINISHED, SeatLost

PATIENCE: Final = 2.0  # seconds for a child to end by itself
LOOK: Final = 0.25  # seconds between two looks after the children

NAMES: Final = ("Ada", "Bo", "Cy", "Dot", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jo")


class Children:
    """The bots that we started; a context manager that leaves none behind."""

    def __init__(self) -> None:
        self._children: list[tuple[subprocess.Popen[bytes], IO[bytes]]] = []

    def start(self, address: str, name: str, level: str, pace: float | None, code: str = "") -> None:
        """Start a bot that joins the table at `address`, with its invite code if it has one."""
        command = [sys.executable, "-m", "cli.main", "bot", address, "--name", name, "--bot-level", level]
        command += ["--until-eof"] if pace is None else ["--until-eof", "--pace", str(pace)]
        complaints = tempfile.TemporaryFile()  # noqa: SIM115  closed in `close`
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            env={**os.environ, "P2PUNO_CODE": code},  # unlike an argument, nobody else can read it there
            start_new_session=True,  # Ctrl-C at the terminal is for us; the children then hear of it in good order
        )
        self._children.append((child, complaints))

    async def watch(self) -> None:
        """Raise SeatLost as soon as a child ends with an error; runs until cancelled."""
        while True:
            for child, complaints in self._children:
                # 3 and 5 tell of the table, and our own node tells the same.
                if child.poll() not in (None, FINE, CHEATING, UNFINISHED):
                    raise SeatLost(f"a bot ended: {_last_error(complaints) or f'exit code {child.returncode}'}")
            await trio.sleep(LOOK)

    def close(self) -> None:
        """End all children and wait until they have gone."""
        for child, _ in self._children:
            if child.stdin is not None:
                with suppress(OSError):  # a pipe whose reader has gone is as good as closed
                    child.stdin.close()
        deadline = time.monotonic() + PATIENCE
        for child, complaints in self._children:
            try:
                child.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            complaints.close()
        self._children.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def bot_names(count: int, taken: str) -> list[str]:
    """Names for so many bots, none of them `taken`."""
    free = [name for name in NAMES if name.casefold() != taken.casefold()]
    return free[:count]


def _last_error(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    lines = complaints.read().decode("utf-8", "replace").splitlines()
    said = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    return said[-1] if said else (lines[-1] if lines else "")
