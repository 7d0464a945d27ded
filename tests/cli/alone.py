"""`python -m tests.cli.alone [SEATS]`: the full screen on this terminal with a table that one process plays alone."""

from __future__ import annotations

import asyncio
import sys

from cli.manner import Manner
from cli.screen import TableScreen
from cli.theme import glyphs
from tests.cli.fakes import FakeSession, playing


async def show(seats: int) -> None:
    """Play until the player leaves."""
    await TableScreen(lambda: playing(FakeSession(seats, 1)), glyphs(), Manner()).run()


if __name__ == "__main__":
    asyncio.run(show(int(sys.argv[1]) if len(sys.argv) > 1 else 4))
