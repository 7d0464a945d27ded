"""What others type to reach a table here."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from protocol.net.address import format_address, parse_address
from protocol.net.interfaces import own_hosts

MOST: Final = 3  # addresses that are worth being shown
# Addresses of the documentation blocks (RFC 5737, RFC 3849): nothing is sent, the system only picks our own side.
_FAR: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def reachable(bound: Iterable[str]) -> tuple[str, ...]:
    """The addresses by which others reach what is bound to these: of "every interface" those on the LAN, the one that
    leads out of it first; loopback only where there is nothing better."""
    ports = dict(parse_address(text) for text in bound)  # one port everywhere
    own = own_hosts(ports)
    # Link-local addresses need the name of the other's interface to be typed.
    hosts = [host for host in own if not ipaddress.ip_address(host).is_link_local] or list(own)
    usual = [_usual(*far) for far in _FAR]
    hosts.sort(key=lambda host: host not in usual)
    port = next(iter(ports.values()), 0)
    return tuple(format_address(host, port) for host in hosts[:MOST])


def anywhere(port: int) -> tuple[str, ...]:
    """Where a table listens at a port unless somebody says otherwise: on every interface."""
    return f"0.0.0.0:{port}", f"[::]:{port}"


def join_lines(bound: Iterable[str], code: str = "") -> tuple[str, ...]:
    """The commands for `reachable` addresses and the invite code."""
    return tuple(f"p2puno join {address}{f' --code {code}' if code else ''}" for address in reachable(bound))


def _usual(family: socket.AddressFamily, far: str) -> str:
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((far, 9))
        return str(probe.getsockname()[0])
    return ""
