"""What others type to reach a table here."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from cli.language import _
from protocol.net.address import format_address, parse_address
from protocol.net.interfaces import own_hosts

_EVERYWHERE: Final = ("0.0.0.0", "::")
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
    return tuple(format_address(host, port) for host in _EVERYWHERE)


def commands(bound: Iterable[str], code: str = "") -> tuple[str, ...]:
    """The commands for `reachable` addresses and the invite code, as any shell takes them."""
    return tuple(f"p2puno join {quoted(address)}{f' --code {code}' if code else ''}" for address in reachable(bound))


def join_lines(bound: Iterable[str], code: str = "") -> tuple[str, ...]:
    """The same for people: who hosts on a machine that is on no network is told that nobody else gets there."""
    bound = tuple(bound)
    hosts = [parse_address(address)[0] for address in reachable(bound)]
    everywhere = {parse_address(text)[0] for text in bound} & set(_EVERYWHERE)
    alone = everywhere and all(ipaddress.ip_address(host).is_loopback for host in hosts)
    if alone:
        return tuple(
            _("{command} (from this machine only: it is on no network)").format(command=command)
            for command in commands(bound, code)[:1]
        )
    return commands(bound, code)


def quoted(address: str) -> str:
    """An address as it is typed: to some shells brackets without quotes are a pattern of file names."""
    return f'"{address}"' if address.startswith("[") else address


def _usual(family: socket.AddressFamily, far: str) -> str:
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((far, 9))
        return str(probe.getsockname()[0])
    return ""
