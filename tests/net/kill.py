"""Real processes that are killed in the middle of a hand and started again with the same command.

Four programs sit at a table (`p2puno host --autoplay --json` and three `p2puno join --autoplay --json`), one of them
gets SIGKILL at a random moment, is started again with the very same words, and so on in turn. In the end every table
must have come to its end, every journal must be valid to a stranger, and all must tell the same state.

    python -m tests.net.kill --times 200      many kills, and what they hit
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from protocol.audit import audit
from protocol.errors import FileProblem
from protocol.journal import Reader
from protocol.messages import open_entry
from protocol.vault import secret_path

NAMES = ("Mia", "Ann", "Ben", "Cleo")
SEATS = len(NAMES)
COMMAND = (sys.executable, "-m", "cli.main")
LOOK = 0.01  # seconds between two looks at a journal
PATIENCE = 150.0  # how long a table may take at most
NOWHERE = "before the first entry"


class Stuck(AssertionError):
    """A table that went wrong; the message says how."""


@dataclass
class Program:
    """One seat: a command and the process that runs it now."""

    name: str
    command: tuple[str, ...]
    folder: Path  # where its journals are
    environment: dict[str, str]
    process: subprocess.Popen[str] | None = None
    starts: int = 0
    said: str = ""  # what the last process wrote to stderr

    def start(self) -> None:
        self.starts += 1
        self.process = subprocess.Popen(
            [*COMMAND, *self.command, "--journal-dir", str(self.folder)],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def journal(self) -> Path | None:
        """The journal that can be taken up: with its secrets beside it."""
        found = [path for path in self.folder.glob("*.p2puno") if secret_path(path).exists()]
        return found[0] if found else None

    def kill(self) -> None:
        """SIGKILL: nothing in the process has a chance to clean up."""
        assert self.process is not None
        self.process.kill()
        self.process.communicate()

    def result(self, patience: float) -> dict[str, object]:
        """The document of the program, which must have ended well."""
        assert self.process is not None
        try:
            out, self.said = self.process.communicate(timeout=max(1.0, patience))
        except subprocess.TimeoutExpired:
            raise Stuck(f"{self.name} does not end") from None
        if self.process.returncode:
            raise Stuck(f"{self.name} ends with {self.process.returncode}: {self.said.strip()}")
        document: dict[str, object] = json.loads(out)
        return document


@dataclass
class Table:
    """Four programs at one table, in one temporary folder."""

    folder: Path
    seed: int
    options: tuple[str, ...] = ()
    programs: list[Program] = field(default_factory=list)
    hits: Counter[str] = field(default_factory=Counter)  # what the killed program had written last
    kills: int = 0

    def open(self) -> None:
        """Seat everybody, and wait until all have a table to lose."""
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = str(probe.getsockname()[1])
        play = ("--autoplay", "--json", "--pace", "0")
        host = ("host", "--seats", str(SEATS), "--bind", "127.0.0.1", "--port", port, "--no-announce", *self.options)
        commands = [host, *((*("join", f"127.0.0.1:{port}"),) for _ in NAMES[1:])]
        for name, command in zip(NAMES, commands, strict=True):
            environment = {**os.environ, "P2PUNO_HOME": str(self.folder / name)}
            self.programs.append(Program(name, (*command, "--name", name, *play), self.folder / name, environment))
        self.programs[0].start()
        deadline = time.monotonic() + PATIENCE
        while not _answers(int(port)):
            _in_time(deadline, "the host does not listen")
        for program in self.programs[1:]:
            program.start()
        while not all(program.journal for program in self.programs):
            _in_time(deadline, "the table does not begin")

    def storm(self, kills: int, rng: random.Random) -> None:
        """Kill so many programs, one after the other, at random moments, and start each again."""
        turn = rng.randrange(SEATS)
        for _ in range(kills):
            victim = self.programs[(turn + self.kills) % SEATS]
            entries, moment = rng.randrange(1, 25), rng.random() * 0.05
            aim = _size(victim) + entries
            deadline = time.monotonic() + 10.0
            while victim.running and victim.journal and _size(victim) < aim and time.monotonic() < deadline:
                time.sleep(LOOK)
            time.sleep(moment)
            journal = victim.journal
            if journal is None or not victim.running:
                return  # the hand is over
            victim.kill()
            self.kills += 1
            self.hits[_last(journal, victim.name)] += 1
            time.sleep(rng.choice((0.0, 0.0, 0.5)))
            victim.start()

    def end(self) -> None:
        """Wait for the end of the table. Raises Stuck where something is not as it should be."""
        deadline = time.monotonic() + PATIENCE
        documents = [program.result(deadline - time.monotonic()) for program in self.programs]
        hashes = {document["state_hash"] for document in documents}
        if len(hashes) != 1:
            raise Stuck(f"the seats tell different states: {hashes}")
        for program, document in zip(self.programs, documents, strict=True):
            journals = list(program.folder.glob("*.p2puno"))
            if len(journals) != 1 or list(program.folder.glob("*.secret*")):
                raise Stuck(f"{program.name} leaves {sorted(path.name for path in program.folder.iterdir())}")
            verdict = audit(journals[0])
            if verdict.exit_code or verdict.state_hash != document["state_hash"]:
                raise Stuck(f"the journal of {program.name}: {verdict.problem} ({verdict.where})")

    def close(self) -> None:
        """Leave no process behind."""
        for program in self.programs:
            if program.running:
                program.kill()


def _in_time(deadline: float, problem: str) -> None:
    if time.monotonic() > deadline:
        raise Stuck(problem)
    time.sleep(LOOK)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1.0).close()
    except OSError:
        return False
    return True


def _entries(journal: Path) -> list[bytes]:
    try:
        return list(Reader(journal).raw())
    except FileProblem:  # it is being begun
        return []


def _size(program: Program) -> int:
    journal = program.journal
    return len(_entries(journal)) if journal else 0


def _last(journal: Path, name: str) -> str:
    """What the killed program had written last: by whom, and what."""
    entries = _entries(journal)
    if not entries:
        return NOWHERE
    entry = open_entry(entries[-1])
    names = {place.key: place.name for place in Reader(journal).charter.roster}
    return f"{type(entry.body.payload).__name__} {'of its own' if names[entry.author] == name else 'of another seat'}"


def storm(folder: Path, seed: int, kills: int, options: tuple[str, ...] = ()) -> Table:
    """One table with so many kills. Raises Stuck."""
    table = Table(folder, seed, options)
    try:
        table.open()
        table.storm(kills, random.Random(seed))
        table.end()
    finally:
        table.close()
    return table


VARIANTS = (
    (),
    ("--variant", "dbz"),
    ("--variant", "dc"),
    ("--hands", "2"),
    ("--variant", "marvel"),
)


def main() -> int:
    """Many tables; prints what was hit and what went wrong. The exit code is 1 if anything did."""
    arguments = argparse.ArgumentParser(description="kill and restart the programs of a table")
    arguments.add_argument("--times", type=int, default=200, help="kills in all")
    arguments.add_argument("--each", type=int, default=4, help="kills for each table")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--keep", type=Path, help="keep the journals of tables that go wrong here")
    options = arguments.parse_args()
    hits: Counter[str] = Counter()
    done, tables, wrong, seed = 0, 0, 0, options.seed
    while done < options.times:
        folder = Path(tempfile.mkdtemp(prefix="p2puno-kill-"))
        began = time.monotonic()
        variant = VARIANTS[seed % len(VARIANTS)]
        try:
            table = storm(folder, seed, min(options.each, options.times - done), variant)
        except Stuck as problem:
            wrong += 1
            print(f"table {seed} {' '.join(variant)}: {problem}  [{folder}]", flush=True)
            done += 1
        else:
            hits += table.hits
            done += table.kills
            took = time.monotonic() - began
            print(f"table {seed} {' '.join(variant)}: {table.kills} kills, {took:.1f} s", flush=True)
        tables, seed = tables + 1, seed + 1
    print(f"{done} kills at {tables} tables, {wrong} tables went wrong. The killed program had written last:")
    for kind, count in hits.most_common():
        print(f"  {count:5}  {kind}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
