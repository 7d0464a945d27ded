"""Is multicast sent and heard on an interface?  The bare question, without a library that hides the answer."""

import socket
import struct
import sys
from dataclasses import dataclass
from typing import Final

import trio

from protocol.net.address import cause_of
from protocol.net.interfaces import Interface

PORT: Final = 5353
GROUP_4: Final = "224.0.0.251"
GROUP_6: Final = "ff02::fb"
_QUESTIONS: Final = ("_p2puno._tcp.local", "_services._dns-sd._udp.local")  # the second is for whatever else is there
_IP_MULTICAST_ALL: Final = 49  # Linux: 0 for the groups that this socket has joined alone; Python has no name for it


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of a question: packets of our ``own`` machine and of ``others``; ``problem``: what failed, or ""."""

    own: int
    others: int
    problem: str


async def hear(interface: Interface, seconds: float, port: int | None = None) -> Heard:
    """Ask on an interface who is there, and count what is heard in so many seconds.

    ``port``: that of multicast DNS, if not given.
    """
    own = others = 0
    try:
        plain, group = _joined(interface, port or PORT)
    except OSError as problem:
        return Heard(0, 0, cause_of(problem))
    with trio.socket.from_stdlib_socket(plain) as sock:
        try:
            await sock.sendto(_question(), group)
            with trio.move_on_after(seconds):
                while True:
                    _, sender = await sock.recvfrom(9000)
                    if str(sender[0]).partition("%")[0] in interface.hosts:
                        own += 1
                    else:
                        others += 1
        except OSError as problem:
            return Heard(own, others, cause_of(problem))
    return Heard(own, others, "")


def _question() -> bytes:
    """A query (RFC 6762, section 5) for the pointers of `_QUESTIONS`."""
    names = b""
    for name in _QUESTIONS:
        labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
        names += labels + b"\x00" + struct.pack(">HH", 12, 1)  # PTR, IN
    return struct.pack(">6H", 0, 0, len(_QUESTIONS), 0, 0, 0) + names


def _joined(interface: Interface, port: int) -> tuple[socket.socket, tuple[str | int, ...]]:
    """A socket that hears the group on this interface alone, and where to send.  Raises OSError."""
    first = interface.networks[0]
    sock = socket.socket(socket.AF_INET if first.version == 4 else socket.AF_INET6, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        group: tuple[str | int, ...]
        if first.version == 4:
            host, group = socket.inet_aton(str(first.ip)), (GROUP_4, port)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, host)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP_4) + host)
            if sys.platform == "linux":
                sock.setsockopt(socket.IPPROTO_IP, _IP_MULTICAST_ALL, 0)
            sock.bind(("", port))
        else:
            member = socket.inet_pton(socket.AF_INET6, GROUP_6) + struct.pack("@I", interface.index)
            group = (GROUP_6, port, 0, interface.index)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, interface.index)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, member)
            sock.bind(("::", port))
    except BaseException:
        sock.close()
        raise
    return sock, group
