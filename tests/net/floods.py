"""What one bad seat, or a stranger, can do to a table by sending: measured with real programs over loopback.

    python -m tests.net.floods [KIND …]      prints for each kind the median step, its slowest tenth, and the memory

Three honest seats play in this process. The fourth, in a process of its own, plays as honestly and floods the others
beside it; a stranger floods from there without a seat.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import trio

from p2puno.bots import sensible
from p2puno.needs import Decide, Window
from p2puno.rules import Rules
from protocol import events as tell
from protocol.errors import NetworkProblem
from protocol.identity import Identity
from protocol.messages import Body, Carry, Heads, Remark, encode, sign_entry, sign_remark
from protocol.net import limits
from protocol.net.driver import Session
from protocol.net.gathering import open_host, open_join
from protocol.net.link import secure
from protocol.payloads import Agree

HOST = "127.0.0.1"
PATIENCE = 180.0
RATE = 0.9  # of the budgets: whoever is over them is cut off at once


@dataclass
class Measured:
    """How a table went. `steps`: seconds between steps at the creator's seat; `work`: of these, what the three honest
    seats computed, which does not depend on what else the machine does."""

    kind: str
    steps: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    memory: int = 0  # peak of the process, MiB

    @property
    def median(self) -> float:
        """Seconds that the median step is computed."""
        return statistics.median(self.work)

    def __str__(self) -> str:
        tenth = statistics.quantiles(self.steps, n=10)[-1]
        cut = f"; told: {self.told[0]}" if self.told else ""
        return (
            f"{self.kind:12} {len(self.steps):4} steps, median {1000 * statistics.median(self.steps):6.1f} ms, "
            f"slowest tenth {1000 * tenth:6.1f} ms; computed: median {1000 * self.median:5.1f} ms; "
            f"{self.memory} MiB at most{cut}"
        )


async def play(session: Session, seed: int, hear: Callable[[tell.Event], None] = lambda event: None) -> None:
    """Play until the table is over."""
    bot = sensible(random.Random(seed))
    async for event in session.events:
        hear(event)
        if isinstance(event, tell.YourTurn) and session.my_turn:
            seen = session.view
            assert seen is not None
            if isinstance(seen.need, Decide):
                session.decide(bot(seen))
            elif isinstance(seen.need, Window):
                session.say(bot.say(seen))


# -- the bad one, in a process of its own


async def flood(kind: str, address: str, folder: Path) -> None:
    """Play at the table at `address` and flood it."""
    if kind in STRANGERS:
        async with (
            open_join(Identity.fresh(), "Eve", address, journal_dir=folder, bot=True) as session,
            trio.open_nursery() as nursery,
        ):
            host, port = address.rsplit(":", 1)
            nursery.start_soon(STRANGERS[kind], host, int(port))
            await play(session, 9)
            nursery.cancel_scope.cancel()
        return
    limits.PACE_BYTES = limits.PACE_FRAMES = limits.PACE_BYTES_BURST = limits.PACE_FRAMES_BURST = 10**12
    identity = Identity.fresh()
    async with (
        open_join(identity, "Eve", address, journal_dir=folder, bot=True) as session,
        trio.open_nursery() as nursery,
    ):
        if kind in MEMBERS:
            nursery.start_soon(_send, session, MEMBERS[kind](session, identity))
        await play(session, 9)
        nursery.cancel_scope.cancel()


async def _send(session: Session, frame: Callable[[], bytes]) -> None:
    """Send such frames to all as fast as the budgets allow."""
    while session.seat < 0 or not session.steps:
        await trio.sleep(0.05)
    mesh = session.mesh
    assert mesh is not None
    began, count, size = trio.current_time(), 0, 0
    while True:
        passed = trio.current_time() - began
        while count < RATE * limits.BUDGET_FRAMES * passed and size < RATE * limits.BUDGET_BYTES * passed:
            data = frame()
            for peer in mesh.peers:
                if mesh.queued(peer) < 1_000_000:
                    mesh.send(peer, data)
            count, size = count + 1, size + len(data)
        await trio.sleep(0.01)


def _junk(session: Session, identity: Identity) -> Callable[[], bytes]:
    """A megabyte a second of what is no frame."""
    began, sent = trio.current_time(), 0

    def frame() -> bytes:
        nonlocal sent
        sent += 10_000
        return os.urandom(10_000) if sent < 1_000_000 * (trio.current_time() - began) else b""

    return frame


def _forged(session: Session, identity: Identity) -> Callable[[], bytes]:
    """Entries whose signature is checked and does not fit."""

    def frame() -> bytes:
        entry = _entry(session, identity, 1)
        return encode(Carry(entry[:-1] + bytes([entry[-1] ^ 1])))

    return frame


def _far(session: Session, identity: Identity) -> Callable[[], bytes]:
    """Good entries that cannot be used: numbered far beyond what is known."""
    return lambda: encode(Carry(_entry(session, identity, 100_000)))


def _early(session: Session, identity: Identity) -> Callable[[], bytes]:
    """Good entries of the largest size that could be kept for later."""
    number = 0

    def frame() -> bytes:
        nonlocal number
        number += 1
        return encode(Carry(_entry(session, identity, 200 + number % 300)))

    return frame


def _entry(session: Session, identity: Identity, seq: int) -> bytes:
    node = session._node
    assert node is not None
    body = Body(node.table.id, session.seat, seq, os.urandom(32), bytes(32), bytes(32), 100_000, Agree(bytes(32)))
    return sign_entry(identity, body).raw


def _heads(session: Session, identity: Identity) -> Callable[[], bytes]:
    """Questions whose answer is the whole journal."""
    node = session._node
    return lambda: encode(Heads((node or session._node).table.id, ()))  # type: ignore[union-attr]


def _again(session: Session, identity: Identity) -> Callable[[], bytes]:
    """The largest good entries there are, again and again."""

    def frame() -> bytes:
        assert session._node is not None
        return encode(Carry(max((entry.raw for entry in session._node._chains.all()), key=len)))

    return frame


def _talk(session: Session, identity: Identity) -> Callable[[], bytes]:
    """Remarks, each of them good, and far too many."""
    number = 0

    def frame() -> bytes:
        nonlocal number
        number += 1
        assert session._node is not None
        return sign_remark(identity, Remark(session._node.table.id, number, 0, "x" * 280))

    return frame


def _echo(session: Session, identity: Identity) -> Callable[[], bytes]:
    """One remark, again and again."""
    once: list[bytes] = []

    def frame() -> bytes:
        assert session._node is not None
        if not once:
            once.append(sign_remark(identity, Remark(session._node.table.id, 1, 0, "x" * 280)))
        return once[0]

    return frame


async def _connections(host: str, port: int) -> None:
    """A thousand connections at once, again and again, of which nothing is ever heard."""
    async with AsyncExitStack() as stack:
        while True:
            for _ in range(1000):
                with suppress(OSError):
                    stack.push_async_callback((await trio.open_tcp_stream(host, port)).aclose)
            await stack.aclose()


async def _greetings(host: str, port: int) -> None:
    """Whole greetings, each with a key of its own."""

    async def one() -> None:
        while True:
            with suppress(NetworkProblem, OSError):
                stream, _ = await secure(
                    await trio.open_tcp_stream(host, port), Identity.fresh(), False, lambda _: True
                )
                await trio.aclose_forcefully(stream)
            await trio.sleep(0.01)

    async with trio.open_nursery() as nursery:
        for _ in range(20):
            nursery.start_soon(one)


Make = Callable[[Session, Identity], Callable[[], bytes]]
MEMBERS: dict[str, Make] = {
    "junk": _junk, "forged": _forged, "far": _far, "early": _early, "heads": _heads, "again": _again,
    "talk": _talk, "echo": _echo,
}  # fmt: skip
STRANGERS: dict[str, Callable[[str, int], Awaitable[None]]] = {"connections": _connections, "greetings": _greetings}
KINDS = ("quiet", *MEMBERS, *STRANGERS)


# -- the honest ones


async def table(kind: str, hands: int = 2) -> Measured:
    """A table with such a flood.

    :raises AssertionError: it does not come to its end
    """
    measured = Measured(kind)
    rules = Rules.make("batman", hand_size=9, hands=hands)
    last = 0.0, 0.0, 0

    def hear(event: tell.Event) -> None:
        nonlocal last
        now = time.perf_counter(), time.process_time(), host.steps
        if (count := now[2] - last[2]) > 0:
            if last[2]:
                measured.steps += [(now[0] - last[0]) / count] * count
                measured.work += [(now[1] - last[1]) / count] * count
            last = now
        if isinstance(event, tell.Notice):
            measured.told.append(event.message)

    with trio.move_on_after(PATIENCE) as limit:
        async with AsyncExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="p2puno-flood-")))
            host = await stack.enter_async_context(
                open_host(
                    Identity.fresh(), "Mia", rules, seats=4, host=HOST, port=0, journal_dir=folder / "0", bot=True
                )
            )
            sessions = [host]
            for number in (1, 2):
                sessions.append(
                    await stack.enter_async_context(
                        open_join(
                            Identity.fresh(), f"Bot {number}", host.addresses[0],
                            journal_dir=folder / str(number), bot=True,
                        )
                    )
                )  # fmt: skip
            nursery = await stack.enter_async_context(trio.open_nursery())
            bad = [sys.executable, "-m", "tests.net.floods", "--flood", kind, host.addresses[0], str(folder / "bad")]
            nursery.start_soon(lambda: trio.run_process(bad, check=False, stderr=sys.stderr))
            async with trio.open_nursery() as players:
                for number, session in enumerate(sessions):
                    players.start_soon(play, session, number, hear if number == 0 else lambda event: None)
            nursery.cancel_scope.cancel()
    assert not limit.cancelled_caught, f"{kind}: the table does not end"
    measured.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return measured


def main() -> None:
    arguments = argparse.ArgumentParser(description="floods against a table")
    arguments.add_argument("kinds", nargs="*", default=KINDS, metavar="KIND", help=" ".join(KINDS))
    arguments.add_argument("--hands", type=int, default=2)
    arguments.add_argument("--flood", nargs=3, help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.flood:
        kind, address, folder = options.flood
        trio.run(flood, kind, address, Path(folder))
        return
    for kind in options.kinds:
        print(trio.run(table, kind, options.hands), flush=True)


if __name__ == "__main__":
    main()
