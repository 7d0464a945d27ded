"""Lines of stdin: none is lost between a table and what comes after it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from cli.stdin import stdin_line
from tests.cli.terminal import typed_stdin


@pytest.fixture
def keyboard() -> Iterator[int]:
    """What is written here comes from stdin."""
    with typed_stdin() as writes:
        yield writes


async def test_a_line_that_somebody_no_longer_waited_for_goes_to_who_asks_next(keyboard: int) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stdin_line)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    os.write(keyboard, b"R7\nwhere\n")
    assert [await stdin_line(), await stdin_line()] == ["R7\n", "where\n"]
    os.write(keyboard, b"qu")
    os.close(keyboard)
    assert [await stdin_line(), await stdin_line()] == ["qu", ""]
