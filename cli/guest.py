"""trio as the guest of asyncio: prompt_toolkit owns the loop, the table lives beside it in the same thread."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import trio

T = TypeVar("T")


async def run_trio_guest(main: Callable[[], Awaitable[T]]) -> T:
    """Await a trio `main` from asyncio and return what it returns (or raise what it raises).

    Cancelling this cancels `main` and waits until its clean-up is over, so no link is left half closed.
    Raises `asyncio.CancelledError` when the cancelled `main` ended without a result.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()  # of an outcome.Outcome: a value or an error
    scope = trio.CancelScope()

    async def wrapped() -> T | None:
        with scope:
            return await main()
        return None

    trio.lowlevel.start_guest_run(
        wrapped,
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        run_sync_soon_not_threadsafe=loop.call_soon,
        done_callback=done.set_result,
        # asyncio owns the wake-up descriptor and prompt_toolkit reads Ctrl-C as a key.
        host_uses_signal_set_wakeup_fd=True,
        restrict_keyboard_interrupt_to_checkpoints=True,
    )
    while not done.done():
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError:
            scope.cancel()
    result: T = done.result().unwrap()
    if scope.cancelled_caught:
        raise asyncio.CancelledError
    return result
