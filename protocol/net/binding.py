"""Taking a port of this machine, and saying why where that cannot be."""

import errno
from contextlib import suppress

import trio

from p2puno.said import said
from protocol.errors import PortTaken, Usage
from protocol.net.address import cause_of, format_address


async def bound(host: str | None, port: int) -> list[trio.SocketListener]:
    """Listeners at ``host`` (None: every interface, IPv4 and IPv6) and ``port`` (0: the system chooses one for all).

    Raises PortTaken, or Usage if this machine has no such address.
    """
    place = format_address(host or "*", port)
    try:
        for _ in range(5):
            listeners = await trio.open_tcp_listeners(port, host=host)
            ports = [listener.socket.getsockname()[1] for listener in listeners]
            if len(set(ports)) == 1:
                return listeners
            # Port 0 with IPv4 and IPv6: each got a port of its own; ask for the first one's on both.
            for listener in listeners:
                await listener.aclose()
            with suppress(OSError):
                return await trio.open_tcp_listeners(ports[0], host=host)
    except (OSError, ValueError, OverflowError) as problem:
        code = getattr(problem, "errno", None)
        if code == errno.EADDRINUSE:
            raise PortTaken(said("port {port} is used by another program", port=port)) from None
        if code == errno.EACCES:
            raise PortTaken(said("the system does not let us open port {port}", port=port)) from None
        raise Usage(
            said("cannot listen at {place}: {reason}", place=place, reason=cause_of(problem)),
            said("take an address of this machine"),
        ) from None
    raise PortTaken(said("found no port that is free for both IPv4 and IPv6"))
