"""zeroconf and its threads, as a trio program needs them."""

import errno
import logging
from collections.abc import Callable
from typing import Final, TypeAlias, TypeVar

import trio
from zeroconf import Error, EventLoopBlocked, InterfaceChoice, IPVersion, Zeroconf

from p2puno.said import Said, said
from protocol.net.interfaces import interfaces

CLOSE_LIMIT: Final = 0.8  # seconds that the farewell to the network may take

Interfaces: TypeAlias = list[str] | InterfaceChoice
"""Addresses of the interfaces to use, or all."""

FAILURES: Final = (Error, OSError, RuntimeError, ValueError, AssertionError, EventLoopBlocked)
"""What zeroconf raises when the network or another program does not let it work."""

_log = logging.getLogger("p2puno.net")
_T = TypeVar("_T")


async def open_multicast(where: Interfaces) -> Zeroconf:
    """A Zeroconf on these interfaces. Raises one of `FAILURES`, such as OSError where there is nothing to listen at."""

    def make(version: IPVersion | None) -> Zeroconf:
        # Not attached to whatever event loop runs in this thread: that one is the screen's.
        return Zeroconf(interfaces=where, ip_version=version, use_asyncio=False)

    if not interfaces():
        raise OSError(errno.ENETDOWN, said("no network interface has an address"))
    if not isinstance(where, InterfaceChoice):
        return await trio.to_thread.run_sync(make, None)
    try:
        return await trio.to_thread.run_sync(make, IPVersion.All)
    except (OSError, RuntimeError):  # such as a system without IPv6
        return await trio.to_thread.run_sync(make, IPVersion.V4Only)


async def close_multicast(zeroconf: Zeroconf | None) -> None:
    """Say goodbye to the network, but not for long: whoever wants to go is not held up by it."""
    if zeroconf is None:
        return
    with trio.move_on_after(CLOSE_LIMIT, shield=True):
        try:
            await in_thread(zeroconf.close)
        except FAILURES as problem:
            _log.info("zeroconf does not close: %s", problem)


async def in_thread(call: Callable[..., _T], *args: object, limiter: trio.CapacityLimiter | None = None) -> _T:
    """What ``call`` returns, waited for without holding trio up; when cancelled it is left to itself."""
    return await trio.to_thread.run_sync(call, *args, abandon_on_cancel=True, limiter=limiter)


def reason_of(problem: BaseException) -> str:
    """One of `FAILURES` in a few words for people."""
    match problem:
        case EventLoopBlocked():
            return said("the network does not answer in time")
        case OSError() if problem.strerror:
            return Said(problem.strerror.lower())
    return (str(problem) or type(problem).__name__).lower().rstrip(".")
