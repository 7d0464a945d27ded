"""The addresses that others can type to reach a table here."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from protocol.net.address import format_address, parse_address

# Addresses of the documentation blocks (RFC 5737, RFC 3849): nothing is sent, the system only picks our own side.
_ANYWHERE: Final = {
    "0.0.0.0": (socket.AF_INET, "192.0.2.1", "127.0.0.1"),
    "::": (socket.AF_INET6, "2001:db8::1", "::1"),
}


def reachable(bound: Iterable[str]) -> tuple[str, ...]:
    """What others type for these addresses: "every interface" becomes the address that this machine has on its LAN."""
    out: list[str] = []
    for text in bound:
        host, port = parse_address(text)
        if host in _ANYWHERE:
            own = _own(*_ANYWHERE[host])
            if own:
                out.append(format_address(own, port))
        else:
            out.append(text)
    # Loopback helps nobody else; it is told only where there is nothing better.
    real = [text for text in out if parse_address(text)[0] not in ("127.0.0.1", "::1")]
    return tuple(dict.fromkeys(real or out))


def _own(family: socket.AddressFamily, far: str, loopback: str) -> str:
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((far, 9))
        return str(probe.getsockname()[0])
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((loopback, 0))
        return loopback
    return ""
