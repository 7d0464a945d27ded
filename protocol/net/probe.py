"""Who answers at an address, asked without making a link."""

import trio

from p2puno.said import said
from protocol.errors import NetworkProblem, Unreachable
from protocol.net.address import cause_of, format_address
from protocol.net.link import read_hello

PROBE_LIMIT = 2.0  # seconds


async def shown_key(host: str, port: int) -> bytes:
    """The key, 32 bytes, that the p2puno at an address shows in its hello.  It is not proved here that it holds it.

    Raises Unreachable, NotP2puno or Refused.
    """
    place = format_address(host, port)
    try:
        with trio.fail_after(PROBE_LIMIT):
            stream = await trio.open_tcp_stream(host, port)
            async with stream:
                return (await read_hello(stream))[0]
    except trio.TooSlowError:
        raise Unreachable(said("no answer from {place}", place=place)) from None
    except NetworkProblem as problem:
        raise type(problem)(said("{place}: {reason}", place=place, reason=problem.message), problem.hint) from None
    except (OSError, ValueError, trio.BrokenResourceError) as problem:
        raise Unreachable(said("cannot connect to {place}: {reason}", place=place, reason=cause_of(problem))) from None
