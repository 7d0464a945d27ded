"""How fast the full screen is: from a key to the changed screen, and how often it is drawn while events rush in.

    python -m bench.face [--json]

The screen is the real one with the real rules behind it, at a table of ten (of four with heroes), 80x24; its terminal
takes bytes and does nothing with them, so that what a terminal program needs for them is not counted. A key is an arrow
that moves the cursor, sent through a pipe; it has arrived when the bytes of the new screen have been written.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

import trio
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.manner import Manner
from cli.screen import TableScreen
from cli.theme import UNICODE
from p2puno.happenings import Happening, What
from protocol.events import Happened, Progress
from tests.cli.fakes import FakeSession, playing

KEYS = 150
PAUSE = 0.06
"""Seconds between two keys: a fast typist's."""
FLOOD_SECONDS = 2.0
BURST = 20
"""Events that come in every millisecond or so of the flood."""

KEY_TARGET_MS = 16.0
REDRAWS_TARGET = 30.0
TABLES: dict[str, dict[str, Any]] = {
    "batman, ten seats": {"seats": 10, "seed": 4},
    "marvel, four seats": {
        "seats": 4, "seed": 3, "variant": "marvel", "heroes": ("shuri", "black_widow", "captain_america", "thor"),
    },
}  # fmt: skip


class Sink:
    """A terminal that remembers when it was written to."""

    encoding, errors = "utf-8", "strict"

    def __init__(self) -> None:
        self.written = asyncio.Event()
        self.bytes = 0

    def write(self, text: str) -> None:
        self.bytes += len(text)

    def flush(self) -> None:
        self.written.set()

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError

    def output(self) -> Vt100_Output:
        size = Size(rows=24, columns=80)
        return Vt100_Output(self, lambda: size, term="xterm", enable_cpr=False)  # type: ignore[arg-type]


async def _keys(screen: TableScreen, keyboard: PipeInput, sink: Sink) -> dict[str, float]:
    """Milliseconds from each key to the screen that it changed, and of the processor for each of them."""
    times, spent = [], []
    for number in range(KEYS):
        before = screen.chooser.cursor
        sink.written.clear()
        start, cpu = time.perf_counter(), time.process_time()
        keyboard.send_text("\x1b[C" if number % 2 else "\x1b[D")
        # A drawing that was under way when the key came does not count.
        while screen.chooser.cursor == before:
            sink.written.clear()
            await asyncio.sleep(0)
        await sink.written.wait()
        times.append(1000 * (time.perf_counter() - start))
        await asyncio.sleep(PAUSE)
        spent.append(1000 * (time.process_time() - cpu))
    return {
        "key_median_ms": round(statistics.median(times), 2),
        "key_p95_ms": round(statistics.quantiles(times, n=20)[-1], 2),
        "key_cpu_ms": round(statistics.median(spent), 2),
    }


async def _flood(screen: TableScreen, session: FakeSession) -> dict[str, float]:
    """Events as fast as they are taken, for a while: how many there were, and how many drawings a second."""
    drawn, sent, start = screen.app.render_counter, 0, time.perf_counter()
    while time.perf_counter() - start < FLOOD_SECONDS:
        with contextlib.suppress(trio.WouldBlock):  # as many as are taken
            for _ in range(BURST):
                session.show(Happened((Happening(What.DREW, 1 + sent % 3, n=1),)))
                session.show(Progress("shares", sent % 3, 3, (1, 2)))
                sent += 2
        await asyncio.sleep(0.001)
    seconds = time.perf_counter() - start
    return {
        "events_per_second": round(sent / seconds),
        "redraws_per_second": round((screen.app.render_counter - drawn) / seconds, 1),
    }


async def _at_a_table(
    table: dict[str, Any], measured: Callable[[TableScreen, PipeInput, Sink, FakeSession], Awaitable[Any]]
) -> Any:
    sink, session = Sink(), FakeSession(**table)
    with create_pipe_input() as keyboard:
        manner = Manner(bell=False, title=False)
        screen = TableScreen(lambda: playing(session), UNICODE, manner, input=keyboard, output=sink.output())
        running = asyncio.create_task(screen.run())
        while not session.asking or screen.app.render_counter < 3:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.3)
        result = await measured(screen, keyboard, sink, session)
        keyboard.send_text("\x03")
        await running
    return result


def measure() -> dict[str, Any]:
    """Key and flood at each table: milliseconds, and counts a second."""
    result: dict[str, Any] = {}
    for name, table in TABLES.items():
        keys = asyncio.run(_at_a_table(table, lambda screen, keyboard, sink, _: _keys(screen, keyboard, sink)))
        flood = asyncio.run(_at_a_table(table, lambda screen, _, __, session: _flood(screen, session)))
        result[name] = {**keys, **flood}
    return result


def report(result: dict[str, Any]) -> list[str]:
    """The figures beside their targets."""
    lines = []
    for name, found in result.items():
        median, redraws = found["key_median_ms"], found["redraws_per_second"]
        lines += [
            f"{name}: key to screen, median {median} ms (target {KEY_TARGET_MS:.0f}){_miss(median, KEY_TARGET_MS)}, "
            f"95 % within {found['key_p95_ms']} ms, processor {found['key_cpu_ms']} ms",
            f"{name}: {redraws} redraws/s (target {REDRAWS_TARGET:.0f}){_miss(redraws, REDRAWS_TARGET)} under "
            f"{found['events_per_second']} events/s",
        ]
    return lines


def _miss(found: float, target: float) -> str:
    return "" if found <= target else " MISSED"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the full screen beside its targets.")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    arguments = parser.parse_args()
    result = measure()
    print(json.dumps(result) if arguments.json else "\n".join(report(result)))


if __name__ == "__main__":
    main()
