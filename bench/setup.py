"""What the set-up of a table takes in real processes: `python -m bench.setup [--seats N …] [--variant V] [--json]`.

Every seat is a process of its own with its own links, node and journal on loopback, and a bot that thinks no time; all
of them share this machine. The table begins when all have links with each other. Set-up is from the charter to the
first move. A *stall* is how long the one thread of a seat computes before it looks at keys and links again: in CPU
time, which is what a key waits on a core of one's own, and by the clock, while all the others compute on the same
cores. Afterwards the hand is played, with the shuffles in its middle.
"""

from __future__ import annotations

import argparse
import json
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import trio

from p2puno.bots import sensible
from p2puno.needs import Decide, Window
from p2puno.rules import Rules
from protocol import events as tell
from protocol.identity import Identity
from protocol.net.driver import Session
from protocol.net.gathering import open_host, open_join

HOST = "127.0.0.1"
CPU_TARGET = 245.0  # milliseconds for each of ten seats: 150 for decks, a third more for the escrow, 45 for the deal
SETUP_TARGET = 1.4  # seconds, half the sum of CPU times at ten seats: 0.9 for the decks, a third more, 0.2 for the deal
STALL_TARGET = 100.0  # milliseconds of computing at once


class Watch(trio.abc.Instrument):
    """Watches the loop of one seat."""

    def __init__(self) -> None:
        self.session: Session | None = None
        self.began = self.ready = 0.0  # CPU seconds of the process when the table began, and when it was set up
        self.stalls: dict[str, tuple[float, float, str]] = {}  # in set-up and in play: CPU and clock seconds, the step
        self.step = ""  # what the table waited for when it was last looked at
        self._woken = 0.0, 0.0

    def after_io_wait(self, timeout: float) -> None:
        self._woken = time.process_time(), time.monotonic()

    def before_io_wait(self, timeout: float) -> None:
        if self.session is None or self.session.seat < 0:
            return
        now = time.process_time()
        if not self.began:
            self.began = self._woken[0]
        part = "play" if self.ready else "set-up"
        if self.session.setup_seconds and not self.ready:
            self.ready = now
        stall = now - self._woken[0], time.monotonic() - self._woken[1], self.step
        self.stalls[part] = max(stall, self.stalls.get(part, stall))


async def seat(
    creates: bool, address: str, seats: int, variant: str, seed: int, folder: Path, watch: Watch
) -> dict[str, Any]:
    """One seat of a table, until its hand is over. `creates`: it listens at the address, else it dials it."""
    who, name = Identity.fresh(), f"Bot {seed}"
    host, _, port = address.rpartition(":")
    if creates:
        rules = Rules.make(variant)
        opened: AbstractAsyncContextManager[Session] = open_host(
            who, name, rules, seats=seats, host=host or None, port=int(port), journal_dir=folder, ready=False
        )
    else:
        await _listens(host, int(port))
        opened = open_join(who, name, address, journal_dir=folder, ready=False)
    bot = sensible(random.Random(seed))
    async with opened as session, trio.open_nursery() as nursery:
        watch.session = session
        nursery.start_soon(_prepare, session, seats)
        async for event in session.events:
            seen = session.view
            if isinstance(event, tell.Progress):
                watch.step = event.what
            if isinstance(event, tell.YourTurn) and seen is not None and session.my_turn:
                if isinstance(seen.need, Decide):
                    session.decide(bot(seen))
                elif isinstance(seen.need, Window):
                    session.say(bot.say(seen))
    return {
        "setup": session.setup_seconds,
        "cpu": watch.ready - watch.began,
        "stalls": watch.stalls,
        "turns": session.turns,
    }


async def _listens(host: str, port: int) -> None:
    """Wait until somebody listens there."""
    while True:
        try:
            stream = await trio.open_tcp_stream(host, port)
        except OSError:
            await trio.sleep(0.05)
        else:
            await stream.aclose()
            return


async def _prepare(session: Session, seats: int) -> None:
    """Be ready as soon as we have our links: so the table begins when all have theirs."""
    mesh = session.mesh
    assert mesh is not None
    while len(mesh.peers) < seats - 1:
        await trio.sleep(0.02)
    session.prepare(ready=True)


def command(creates: bool, address: str, seats: int, variant: str, seed: int, folder: str) -> list[str]:
    """The words after the interpreter that start a seat as a process, which prints what it found as JSON."""
    words = ["create" if creates else "join", address, str(seats), variant, str(seed), folder]
    return ["-m", "bench.setup", "--seat", *words]


def measure(seats: int, variant: str, seed: int) -> dict[str, Any]:
    """One table on loopback: what all its seats found, put together."""
    with tempfile.TemporaryDirectory(prefix="p2puno-") as folder, socket.socket() as free:
        free.bind((HOST, 0))
        address = f"{HOST}:{free.getsockname()[1]}"
        free.close()
        programs = [
            subprocess.Popen(
                [sys.executable, *command(number == 0, address, seats, variant, 100 * seed + number, folder)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for number in range(seats)
        ]
        try:
            documents = [json.loads(program.communicate()[0]) for program in programs]
        finally:
            for program in programs:
                program.kill()
                program.wait()
    return {"seats": seats, "variant": variant, **together(documents)}


def together(documents: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The longest set-up in seconds, the CPU milliseconds of every seat and half their sum in seconds, and by part of
    the hand the longest stalls: computing, and by the clock, with the step."""
    cpu = [1000 * document["cpu"] for document in documents]
    stalls = {}
    for part in ("set-up", "play"):
        found = [document["stalls"][part] for document in documents]
        stalls[part] = *max((computing, step) for computing, _, step in found), max(clock for _, clock, _ in found)
    return {
        "setup": max(document["setup"] for document in documents),
        "cpu": cpu,
        "halves": sum(cpu) / 2000,
        "stalls": stalls,
        "turns": documents[0]["turns"],
    }


def told(found: dict[str, Any]) -> str:
    """What was measured, beside the targets."""
    cpu, seats = found["cpu"], found["seats"]
    lines = [
        f"{found['variant']}, {seats} seats: set-up {found['setup']:.2f} s, sum of CPU / 2 {found['halves']:.2f} s"
        + (f" (target {SETUP_TARGET} s)" if seats == 10 else ""),
        f"  CPU of a seat {min(cpu):.0f} to {max(cpu):.0f} ms" + (f" (target {CPU_TARGET:.0f})" if seats == 10 else ""),
    ]
    for part, (computing, step, clock) in found["stalls"].items():
        lines.append(
            f"  longest stall in {part}: {1000 * computing:.0f} ms of computing ({step}; target "
            f"{STALL_TARGET:.0f}), {1000 * clock:.0f} ms by the clock"
        )
    return "\n".join(lines)


def main() -> None:
    arguments = argparse.ArgumentParser(description="set-up in real processes on this machine, beside the targets")
    arguments.add_argument("--seats", type=int, nargs="*", default=[4, 10])
    arguments.add_argument("--variant", default="dbz")
    arguments.add_argument("--runs", type=int, default=1)
    arguments.add_argument("--json", action="store_true", help="one JSON document for each table")
    arguments.add_argument("--seat", nargs=6, help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.seat:
        role, address, seats, variant, seed, folder = options.seat
        watch = Watch()
        given = role == "create", address, int(seats), variant, int(seed), Path(folder)
        print(json.dumps(trio.run(seat, *given, watch, instruments=[watch])))
        return
    for run in range(options.runs):
        for count in options.seats:
            found = measure(count, options.variant, run)
            print(json.dumps(found) if options.json else told(found), flush=True)


if __name__ == "__main__":
    main()
