"""Addresses as people write them, and network problems as people read them."""

import ipaddress
import os
import socket
from typing import Final

from p2puno.said import Said, said
from protocol.errors import Usage

DEFAULT_PORT: Final = 4242
Address = tuple[str, int]

_ADDRESS_HINT: Final = said("write it as 192.168.1.5, 192.168.1.5:4242, name:4242 or [fe80::1%eth0]:4242")


def parse_address(text: str, default_port: int = DEFAULT_PORT) -> Address:
    """(host, port) from ``host``, ``host:port``, ``[v6]``, ``[v6]:port`` or a bare IPv6 address (with ``%scope``), also
    within the quotes that shells want around brackets.

    Raises Usage.
    """
    text = text.strip().strip("\"'")
    host, port = text, ""
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")) or not _is_v6(host):
            raise Usage(said("{text!r} is not an address", text=text), _ADDRESS_HINT)
        port = rest[1:] if rest else str(default_port)
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    else:
        port = str(default_port)
        if ":" in text and not _is_v6(text):
            raise Usage(said("{text!r} is not an address", text=text), _ADDRESS_HINT)
    if not host or any(c.isspace() or not c.isprintable() or c in "[]/@" for c in host):
        raise Usage(said("{text!r} is not an address", text=text), _ADDRESS_HINT)
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and 1 <= int(port) <= 65535):
        raise Usage(said("{port!r} is not a port", port=port), said("a port is a number from 1 to 65535"))
    return host, int(port)


def format_address(host: str, port: int) -> str:
    """``host:port``, or ``[v6]:port``: what `parse_address` reads."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _is_v6(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        return False
    return True


def cause_of(problem: BaseException) -> str:
    """The innermost reason, in small letters, from what trio and the socket layer wrap around it."""
    while problem.__cause__ is not None:
        problem = problem.__cause__
    if isinstance(problem, BaseExceptionGroup):
        return cause_of(problem.exceptions[0])
    if isinstance(problem, OSError) and problem.errno and not isinstance(problem, socket.gaierror):
        return Said(os.strerror(problem.errno).lower())
    return Said((getattr(problem, "strerror", None) or str(problem)).lower())
