"""Bots as processes of their own: each a full peer with its own key, and none that outlives us.

Every child holds the reading end of a pipe as its stdin. A line `leave` tells it to get up politely. Where the pipe
just closes, we were killed: it stops without a word, so that the table can be taken up again with all its bots. One
that is killed itself is started again and goes on at its seat. Where a child does not hear (stopped, or not yet started
up), we end it by its process id.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import trio

from cli.language import _, chosen
from cli.plain import LEAVE
from cli.trouble import CHEATING, FINE, UNFINISHED, SeatLost
from protocol.vault import SUFFIX

PATIENCE: Final = 0.8  # seconds for a child to end by itself
LOOK: Final = 0.25  # seconds between two looks after the children
RESTARTS: Final = 5  # so often a child that dies is started again

NAMES: Final = ("Ada", "Bo", "Cy", "Dot", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jo")


class Child:
    """One bot, in its first process or a later one. Its journals are in `folder`."""

    def __init__(self, command: Sequence[str], folder: Path, code: str, may_miss: bool = False) -> None:
        """`may_miss`: people sit down meanwhile, so it may find no seat."""
        self.folder, self.may_miss = folder, may_miss
        self.starts = 0
        self._command, self._code = command, code
        self.start()

    def start(self) -> None:
        """Start its process; when it is started again, it goes on at its table."""
        self.starts += 1
        self.complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed in `end`
        self.process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self.complaints,
            # Unlike an argument, nobody else can read the code there. It complains in our language.
            env={**os.environ, "P2PUNO_CODE": self._code, "P2PUNO_LANG": chosen()},
            start_new_session=True,  # Ctrl-C at the terminal is for us; the children then hear of it in good order
        )

    @property
    def lost(self) -> bool:
        """Whether it has ended, its table has not, and it does not come back by itself. 3 and 5 tell of the table, and
        our own node tells the same."""
        if self.process.poll() in (None, FINE, CHEATING, UNFINISHED):
            return False
        return self.has_table or not any(self.folder.glob("*.p2puno"))

    @property
    def has_table(self) -> bool:
        """Whether it left a table that it can take up."""
        return any(self.folder.glob(f"*{SUFFIX}"))

    @property
    def killed(self) -> bool:
        """Whether a signal ended it."""
        return (self.process.returncode or 0) < 0

    def tell(self, leave: bool) -> None:
        """Tell it to end: to get up politely, or without a word."""
        if self.process.stdin is not None and not self.process.stdin.closed:
            with suppress(OSError):  # a pipe whose reader has gone is as good as closed
                if leave:
                    self.process.stdin.write(f"{LEAVE}\n".encode())
                self.process.stdin.close()

    def end(self, patience: float) -> None:
        """Wait until it has gone, at most so many seconds; then end it."""
        try:
            self.process.wait(max(0.0, patience))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.complaints.close()

    def why(self) -> str:
        """Why it ended, in its own words."""
        self.complaints.seek(0)
        lines = self.complaints.read().decode("utf-8", "replace").splitlines()
        error = _("error: {text}").format(text="")
        said = [line.removeprefix(error) for line in lines if line.startswith(error)]
        code = _("exit code {code}").format(code=self.process.returncode)
        return said[-1] if said else (lines[-1] if lines else code)


class Children:
    """The bots that we started; a context manager that leaves none behind."""

    def __init__(self) -> None:
        self.stay = False  # the table is to be taken up again, with its bots
        self.everywhere = False  # those that are started from now on can be reached from other machines
        self.on_miss: Callable[[str], None] = lambda why: None
        self._folder: Path | None = None
        self._children: list[Child] = []
        self._deadline = math.inf  # when those that go have had their time

    def start(
        self,
        address: str,
        name: str,
        level: str,
        pace: float | None,
        folder: Path,
        code: str = "",
        may_miss: bool = False,
    ) -> None:
        """Start a bot that joins the table at `address`, with its invite code if it has one, or goes on at the one
        whose journal it has in `folder`/`name`. One that `may_miss` the table, as people may have taken its seat, is
        then gone, and `on_miss` hears why."""
        command = [sys.executable, "-m", "cli.main", "bot", address, "--name", name, "--bot-level", level]
        command += ["--journal-dir", str(folder / name), "--until-eof"]
        command += ["--everywhere"] if self.everywhere else []
        self._folder = folder
        command = command if pace is None else [*command, "--pace", str(pace)]
        self._children.append(Child(command, folder / name, code, may_miss))

    def runs(self, name: str) -> bool:
        """Whether the bot of this name is on its way to the table, or sits there."""
        return any(child.folder.name == name and child.process.poll() is None for child in self._children)

    async def watch(self) -> None:
        """Start again the children that die; runs until cancelled. Raises SeatLost for one that does not come to the
        table, or dies too often."""
        while True:
            for child in list(self._children):
                if child.lost and child.may_miss and not child.has_table:
                    self.on_miss(child.why())
                    child.tell(leave=False)
                    child.end(0.0)
                    self._children.remove(child)
                elif child.lost:
                    if child.starts > RESTARTS or not (child.killed or child.has_table):
                        raise SeatLost(_("a bot ended: {why}").format(why=child.why()))
                    child.tell(leave=False)
                    child.end(0.0)
                    child.start()
            await trio.sleep(LOOK)

    def leave(self, players: int) -> None:
        """Let all children get up from the table, as our player does. Of so many `players`: where there are only ours,
        nobody is to be told of it, and they need not take any time."""
        others = players - 1 > len(self._children)
        self._tell(leave=True, patience=PATIENCE if others else 0.0)

    def _tell(self, leave: bool, patience: float = PATIENCE) -> None:
        for child in self._children:
            child.tell(leave)
        self._deadline = min(self._deadline, time.monotonic() + patience)

    def close(self) -> None:
        """End all children and wait until they have gone; they keep nothing, unless their table is to `stay`."""
        self._tell(leave=not self.stay)
        for child in self._children:
            child.end(self._deadline - time.monotonic())
        self._children.clear()
        self._deadline = math.inf
        if self._folder is not None and not self.stay:
            shutil.rmtree(self._folder, ignore_errors=True)

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
