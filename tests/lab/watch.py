"""Runs on a host of the lab: looks for tables, and prints when it began to and when it saw one that answers.

python -m tests.lab.watch
"""

from __future__ import annotations

import time

import trio

from protocol.net.discovery import browsing


async def main() -> None:
    async with browsing() as browser:
        print(time.monotonic())
        async for sight in browser:
            if any(not table.stale for table in sight.tables):
                print(time.monotonic())
                return


if __name__ == "__main__":
    trio.run(main)
