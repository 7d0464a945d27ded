"""Tests of real links end by themselves: what takes longer than this is stuck."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps

import trio

SECONDS = 30


def in_time(test: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """The test, failing when it is stuck."""

    @wraps(test)
    async def limited(*args: object, **kwargs: object) -> None:
        with trio.fail_after(SECONDS):
            await test(*args, **kwargs)

    return limited
