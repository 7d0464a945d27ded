"""A table of real programs on a `Lan`: who sits where, how it goes, and what must hold in the end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from protocol.audit import audit
from protocol.errors import FileProblem
from protocol.journal import Reader
from tests.lab.lan import Lan, Program, until

START = 60.0  # seconds in which a program starts, however busy the machine is
PLAY = ("--autoplay", "--json", "--pace")


@dataclass
class Table:
    """Programs by host; host 1 opens the table and the others join it."""

    lan: Lan
    programs: dict[int, Program]

    def entries(self, host: int) -> int:
        """How many entries the journal of a host has."""
        if not self.lan.sitting(host):
            return 0
        try:
            return sum(1 for _ in Reader(self.lan.journal(host)).raw())
        except FileProblem:  # it is being begun
            return 0

    def wait(self, entries: int, host: int = 1) -> None:
        """Until the journal of a host has so many entries."""
        until(START, f"{entries} entries", lambda: self.entries(host) >= entries or not self.programs[host].running)
        assert self.programs[host].running, f"the hand was over before there were {entries} entries"

    def end(self, patience: float = 120.0, without: Sequence[int] = ()) -> dict[int, dict[str, Any]]:
        """The documents of all programs that stay to the end, by host: they tell the same state, and a stranger finds
        their journals valid."""
        deadline = time.monotonic() + patience
        documents = {
            host: program.document(max(1.0, deadline - time.monotonic()))
            for host, program in self.programs.items()
            if host not in without
        }
        assert len({document["state_hash"] for document in documents.values()}) == 1, documents
        for host, document in documents.items():
            verdict = audit(self.lan.journal(host))
            assert (verdict.exit_code, verdict.problem) == (0, ""), f"host {host}: {verdict.problem} ({verdict.where})"
            assert verdict.state_hash == document["state_hash"]
        return documents


def sit(
    lan: Lan, *options: str, pace: float = 0.0, address: str = "", seats: int | None = None, begin: bool = True
) -> Table:
    """Open a table on host 1 with these options, and join it from the others by `address` (of host 1, "-": look for
    it). `begin`: wait until it has begun on all."""
    play = (*PLAY, str(pace))
    hosts = lan.hosts[: seats or len(lan.hosts)]
    programs = {1: lan.p2puno(1, "host", "--seats", str(len(hosts)), "--name", "Host1", *play, *options)}
    until(START, "host 1 listens", lambda: lan.listens(1, programs[1]))
    where = () if address == "-" else (address or lan.four(1),)
    for host in hosts[1:]:
        programs[host] = lan.p2puno(host, "join", *where, "--name", f"Host{host}", *play)
    table = Table(lan, programs)
    if begin:
        until(START, "the table begins", lambda: all(map(lan.sitting, hosts)) or not programs[1].running)
    return table


def told(scene: str, documents: dict[int, dict[str, Any]]) -> None:
    """Print what was measured."""
    setup = max(document["setup_seconds"] for document in documents.values())
    one = documents[min(documents)]
    play = one["seconds"] - one["setup_seconds"]
    print(
        f"{scene}: set-up {setup:.2f} s, play {play:.2f} s for {one['steps']} steps and {one['turns']} turns, "
        f"{1000 * play / max(1, one['turns']):.0f} ms a turn"
    )
