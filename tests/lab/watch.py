"""Runs on a host of the lab: looks for tables and prints the moment in which so many of them are seen to answer.

python -m tests.lab.watch COUNT
"""

from __future__ import annotations

import sys
import time

import trio

from protocol.net.discovery import browsing


async def main(count: int) -> None:
    async with browsing() as browser:
        print("looking", flush=True)
        async for sight in browser:
            if sum(not table.stale for table in sight.tables) >= count:
                print(time.monotonic())
                return


if __name__ == "__main__":
    trio.run(main, int(sys.argv[1]))
