"""Real processes that are killed in the middle of a hand and started again with the same command.

Four programs sit at a table (`p2puno host --autoplay --json` and three `p2puno join --autoplay --json`), one of them
gets SIGKILL at a random moment, is started again with the very same words, and so on in turn. In the end every table
must have come to its end, every journal must be valid to a stranger, and all must tell the same state.

    python -m tests.net.kill --times 200      many kills, and what they hit
    python -m tests.net.kill --exact          the programs kill themselves, between two things that they do
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from protocol.audit import audit
from protocol.errors import FileProblem
from protocol.journal import Reader
from protocol.messages import open_entry
from protocol.vault import secret_path

NAMES = ("Mia", "Ann", "Ben", "Cleo")
SEATS = len(NAMES)
LOOK = 0.01  # seconds between two looks at a journal
PATIENCE = 150.0  # how long a table may take at most
EARLIEST = 6
"""The first effect of a kind to die at: before, not everybody may have the charter, and there is no table to lose."""
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

    def start(self, moment: str = "") -> None:
        """Start it; `moment`: when it is to die by its own hand (tests/net/mortal.py)."""
        self.starts += 1
        module, environment = ("tests.net.mortal", {"P2PUNO_DIE": moment}) if moment else ("cli.main", {})
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *self.command, "--journal-dir", str(self.folder)],
            env={**self.environment, **environment}, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
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

    def open(self, moments: Sequence[str] = ("",) * SEATS) -> None:
        """Seat everybody, and wait until all have a table to lose. `moments`: when they are to die by their own
        hand."""
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = str(probe.getsockname()[1])
        play = ("--autoplay", "--json", "--pace", "0")
        host = ("host", "--seats", str(SEATS), "--bind", "127.0.0.1", "--port", port, "--no-announce", *self.options)
        commands = [host, *((*("join", f"127.0.0.1:{port}"),) for _ in NAMES[1:])]
        for name, command in zip(NAMES, commands, strict=True):
            environment = {**os.environ, "P2PUNO_HOME": str(self.folder / name)}
            self.programs.append(Program(name, (*command, "--name", name, *play), self.folder / name, environment))
        self.programs[0].start(moments[0])
        deadline = time.monotonic() + PATIENCE
        while not _answers(int(port)):
            _in_time(deadline, "the host does not listen")
        for program, moment in zip(self.programs[1:], moments[1:], strict=True):
            program.start(moment)
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

    def exact(self, kills: int, rng: random.Random, moments: Sequence[str]) -> None:
        """Start each program that has died again, so many times with another moment to die at."""
        due = dict(zip(NAMES, moments, strict=True))
        deadline = time.monotonic() + PATIENCE
        while any(due.values()):
            for program in self.programs:
                if due[program.name] and not program.running:
                    assert program.process is not None
                    if program.process.returncode not in (-signal.SIGKILL, 0):
                        program.result(1.0)
                    if program.process.returncode == 0:
                        due[program.name] = ""  # the hand was over before its moment came
                        continue
                    program.process.communicate()
                    self.kills += 1
                    journal = program.journal
                    when, kind, _ = due[program.name].split()
                    last = _last(journal, program.name) if journal else NOWHERE
                    self.hits[f"{when} {kind}, then {last}"] += 1
                    due[program.name] = _moment(rng) if self.kills + sum(map(bool, due.values())) <= kills else ""
                    program.start(due[program.name])
            _in_time(deadline, "the hand does not go on")

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


def _moment(rng: random.Random) -> str:
    """A moment to die at: between two things that a program does."""
    when, kind, most = rng.choice(
        (("before", "Send", 60), ("after", "Send", 60), ("after", "Store", 60), ("torn", "Store", 60))
    )
    return f"{when} {kind} {rng.randint(EARLIEST, most)}"


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


def exact(folder: Path, seed: int, kills: int, options: tuple[str, ...] = ()) -> Table:
    """One table whose programs die between two things that they do, all of them once at least. Raises Stuck."""
    rng = random.Random(seed)
    table = Table(folder, seed, options)
    moments = [_moment(rng) for _ in NAMES]
    moments[rng.randrange(SEATS)] = rng.choice(("before Remember 1", "after Remember 1"))
    try:
        table.open(moments)
        table.exact(kills, rng, moments)
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
    arguments.add_argument("--exact", action="store_true", help="die between two effects, not at any moment")
    options = arguments.parse_args()
    hits: Counter[str] = Counter()
    done, tables, wrong, seed = 0, 0, 0, options.seed
    while done < options.times:
        folder = Path(tempfile.mkdtemp(prefix="p2puno-kill-"))
        began = time.monotonic()
        variant = VARIANTS[seed % len(VARIANTS)]
        try:
            table = (exact if options.exact else storm)(folder, seed, min(options.each, options.times - done), variant)
        except Stuck as problem:
            wrong += 1
            print(f"table {seed} {' '.join(variant)}: {problem}  [{folder}]", flush=True)
            done += 1
        else:
            shutil.rmtree(folder)
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
