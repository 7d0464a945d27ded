"""The network interfaces of this machine, and which addresses lead where.

A machine often has more interfaces than people know of: containers, virtual machines and tunnels bring their own, and
the other players can reach none of those.  So whatever is shown or tried is put in order here: the LAN first.
"""

import contextlib
import ipaddress
import re
import socket
import struct
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import ifaddr

from protocol.errors import Usage
from protocol.messages import Place
from protocol.net.address import Address, parse_address

MAX_ADDRESSES: Final = 12  # of one table; more do not help anybody
# Bridges and adapters of containers and virtual machines, and tunnels.
_VIRTUAL: Final = re.compile(
    r"docker|br-|veth|virbr|vmnet|vboxnet|vnic|lxc|lxd|cni|flannel|cali|podman|tun|tap|wg|utun|tailscale|zt|ppp"
    r"|virtualbox|vmware|hyper-v|vethernet|wsl",
    re.IGNORECASE,
)
_SIOCGIFFLAGS: Final = 0x8913  # linux/sockios.h, as Python has no name for it
_UP_AND_RUNNING: Final = 0x41  # IFF_UP and IFF_RUNNING


class Reach(StrEnum):
    """Who is behind an interface."""

    LAN = "lan"  # the other machines around us
    VIRTUAL = "virtual"  # containers, virtual machines or a tunnel
    SELF = "self"  # this machine alone


@dataclass(frozen=True, slots=True)
class Interface:
    """One interface that has an address. ``networks``: its addresses with the size of their network, such as
    192.168.1.5/24, IPv4 first. ``carrier``: False where the system says that it is off or not connected."""

    name: str
    index: int
    reach: Reach
    networks: tuple[ipaddress.IPv4Interface | ipaddress.IPv6Interface, ...]
    carrier: bool = True

    @property
    def hosts(self) -> tuple[str, ...]:
        """The addresses alone, as text; link-local IPv6 ones without a scope."""
        return tuple(str(network.ip) for network in self.networks)


def interfaces() -> tuple[Interface, ...]:
    """All interfaces with an address, those to other machines first."""
    found = []
    for adapter in ifaddr.get_adapters():
        networks = [_network(ip) for ip in adapter.ips]
        if networks:
            networks.sort(key=lambda network: (network.version, network.is_link_local))
            name = adapter.nice_name
            reach = _reach(name, networks)
            found.append(Interface(name, adapter.index or 0, reach, tuple(networks), _has_carrier(name)))
    return tuple(sorted(found, key=lambda one: (list(Reach).index(one.reach), one.name)))


def own_hosts(bound: Iterable[str], among: Iterable[Interface] | None = None) -> tuple[str, ...]:
    """The addresses by which others reach what is bound to these hosts ("0.0.0.0" and "::" mean every interface).

    The LAN's first, IPv4 before IPv6; loopback only if there is nothing else; `MAX_ADDRESSES` at most.
    """
    hosts: list[str] = []
    local: list[str] = []
    known = tuple(interfaces() if among is None else among)
    for host in bound:
        if host not in ("0.0.0.0", "::"):
            (local if ipaddress.ip_address(host).is_loopback else hosts).append(host)
            continue
        version = 4 if host == "0.0.0.0" else 6
        for one in known:
            same = [str(network.ip) for network in one.networks if network.version == version]
            (local if one.reach is Reach.SELF else hosts).extend(same)
    return tuple(dict.fromkeys(hosts or local))[:MAX_ADDRESSES]


def nearest(addresses: Iterable[Address], among: Sequence[Interface]) -> tuple[Address, ...]:
    """The addresses that somebody told us, those most likely to be reached first, `MAX_ADDRESSES` at most.

    Left off is what is no address of a local network, neither by its kind nor by our interfaces: whoever announces
    tables could otherwise have everybody around knock at any machine on the Internet.
    """
    ranked = []
    for host, port in dict.fromkeys(addresses):
        rank = _rank(host, among)
        if rank is not None and 0 < port < 65536:
            ranked.append((rank, (host, port)))
    return tuple(address for _, address in sorted(ranked, key=lambda pair: pair[0]))[:MAX_ADDRESSES]


def scoped(host: str, among: Iterable[Interface]) -> tuple[str, ...]:
    """Where to dial a host that somebody told us, or that was typed as another screen shows it: itself; a link-local
    IPv6 address on each of our interfaces, as the scope that it has on another machine means nothing here."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return (host,)
    if address.version == 4 or not address.is_link_local or address.scope_id:
        return (host,)
    return tuple(f"{host}%{one.index}" for one in among if one.reach is not Reach.SELF) or (host,)


def addresses_of(place: Place, creator: str, among: Sequence[Interface]) -> list[Address]:
    """Where to dial a seat, from these interfaces of ours. `creator`: the host of the table's creator, as far as it is
    known: a place without a host is on that machine."""
    addresses = []
    for address in place.addresses:
        if creator or not address.startswith(":"):
            with contextlib.suppress(Usage):  # the table's creator wrote it: what is no address is not dialled
                host, port = parse_address(creator + address if address.startswith(":") else address)
                addresses += [(one, port) for one in scoped(host, among)]
    return addresses


def _rank(text: str, among: Sequence[Interface]) -> int | None:
    try:
        host = ipaddress.ip_address(text)
    except ValueError:
        return None
    if host.is_multicast or host.is_unspecified:
        return None
    if host.is_loopback:
        return 8
    plain = ipaddress.ip_address(text.partition("%")[0])
    for one in among:
        if any(plain in network.network for network in one.networks if network.version == plain.version):
            return (0 if one.reach is Reach.LAN else 4) + (plain.version == 6) + plain.is_link_local
    return None if plain.is_global else 7


def _network(ip: ifaddr.IP) -> ipaddress.IPv4Interface | ipaddress.IPv6Interface:
    if isinstance(ip.ip, str):
        return ipaddress.IPv4Interface(f"{ip.ip}/{ip.network_prefix}")
    return ipaddress.IPv6Interface(f"{ip.ip[0].partition('%')[0]}/{ip.network_prefix}")


def _has_carrier(name: str) -> bool:
    """Whether an interface is on and connected; True where the system does not tell (all but Linux)."""
    if sys.platform != "linux":
        return True
    import fcntl  # not everywhere

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock, contextlib.suppress(OSError):
        answer = fcntl.ioctl(sock, _SIOCGIFFLAGS, struct.pack("16sH14x", name.encode()[:15], 0))
        flags: int = struct.unpack("16xH14x", answer)[0]
        return flags & _UP_AND_RUNNING == _UP_AND_RUNNING
    return True


def _reach(name: str, networks: Sequence[ipaddress.IPv4Interface | ipaddress.IPv6Interface]) -> Reach:
    if all(network.is_loopback for network in networks):
        return Reach.SELF
    return Reach.VIRTUAL if _VIRTUAL.match(name) else Reach.LAN
