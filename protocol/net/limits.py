"""What others may cost us (C45): buckets of tokens, for each peer over all its links, and for whoever greets.

Honest peers hold themselves to a pace below every budget, so whoever is over one is none of them, or broken: it is cut
off, barred for a while, and the player is told. docs/links.md says what the limits are.
"""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from typing import Final

import trio

# What a peer may send, per second and in a burst.  A table of ten shuffles in bursts of about a hundred entries of
# 20 KB.  We hold our own sending below the pace; a peer is cut off only beyond the budget, which leaves room for what
# an honest one sent during a stall of DEAD_AFTER seconds and the network then delivers at once.
PACE_BYTES, PACE_BYTES_BURST = 2_000_000, 4_000_000
PACE_FRAMES, PACE_FRAMES_BURST = 1_000, 2_000
BUDGET_BYTES, BUDGET_BYTES_BURST = 4_000_000, 24_000_000
BUDGET_FRAMES, BUDGET_FRAMES_BURST = 2_000, 12_000

# Of that, what is of no use to anybody and yet must be looked at: what cannot be read, bad signatures, entries from
# the far future.  Honest peers send none but the last kind, and those only to somebody who has been away for long.
WASTE, WASTE_BURST = 64.0, 2_048.0
WASTE_UNIT: Final = 4096  # bytes that count as much as one frame

LINKS, LINKS_BURST = 0.5, 16.0  # new links of one peer
BARRED: Final = 30.0  # seconds without a link for who was cut off
MAX_KNOWN: Final = 256  # peers, and hosts, whose buckets are remembered

# Each change that somebody makes before the start is told to everybody at the table.  A person makes a few.
CHANGES, CHANGES_BURST = 2.0, 40.0

# Greetings cost the most of what strangers can do: a TLS handshake, some milliseconds.
GREETINGS, GREETINGS_BURST = 4.0, 96.0  # of one host, or of one IPv6 network of 64 bits
ALL_GREETINGS, ALL_GREETINGS_BURST = 16.0, 256.0  # of all hosts together


class Bucket:
    """A token bucket on trio's clock: ``rate`` tokens a second, ``burst`` at most."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._level, self._at = burst, trio.current_time()

    def spend(self, amount: float) -> float:
        """Take ``amount`` and return the seconds until the bucket is out of debt: 0 if it was covered."""
        self._fill()
        self._level -= amount
        return max(0.0, -self._level / self._rate)

    def take(self, amount: float = 1.0) -> bool:
        """Take ``amount`` if it is there; whether it was."""
        self._fill()
        if self._level < amount:
            return False
        self._level -= amount
        return True

    def _fill(self) -> None:
        now = trio.current_time()
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now


class Allowance:
    """What one peer and we may send each other, over all links that it ever has with us."""

    def __init__(self) -> None:
        self._pace = Bucket(PACE_BYTES, PACE_BYTES_BURST), Bucket(PACE_FRAMES, PACE_FRAMES_BURST)
        self._budget = Bucket(BUDGET_BYTES, BUDGET_BYTES_BURST), Bucket(BUDGET_FRAMES, BUDGET_FRAMES_BURST)
        self._waste = Bucket(WASTE, WASTE_BURST)
        self._links = Bucket(LINKS, LINKS_BURST)
        self._changes = Bucket(CHANGES, CHANGES_BURST)
        self.barred_until = -math.inf

    def pace(self, size: int) -> float:
        """We send so many bytes: the seconds to wait first."""
        return max(self._pace[0].spend(size), self._pace[1].spend(1))

    def receive(self, size: int) -> bool:
        """The peer sends a frame of so many bytes; whether it may."""
        over = max(self._budget[0].spend(size), self._budget[1].spend(1))
        return not over

    def waste(self, size: int) -> bool:
        """A frame of so many bytes was of no use; whether there may be such a one."""
        return not self._waste.spend(1 + size / WASTE_UNIT)

    def link(self) -> bool:
        """The peer makes a link; whether it may."""
        return not self.barred and self._links.take()

    def change(self) -> bool:
        """The peer changes something in the lobby; whether it may."""
        return self._changes.take()

    def bar(self) -> None:
        """Let it have no link for a while, and then begin with what it has earned meanwhile."""
        self.barred_until = trio.current_time() + BARRED

    @property
    def barred(self) -> bool:
        return trio.current_time() < self.barred_until


class Register:
    """The allowances of peers, and the right of hosts to greet. What it remembers is bounded: the one not seen for
    longest is forgotten first."""

    def __init__(self) -> None:
        self._peers: OrderedDict[bytes, Allowance] = OrderedDict()
        self._hosts: OrderedDict[str, Bucket] = OrderedDict()
        self._all = Bucket(ALL_GREETINGS, ALL_GREETINGS_BURST)

    def of(self, peer: bytes) -> Allowance:
        """The allowance of a peer."""
        allowance = self._peers.pop(peer, None) or Allowance()
        self._peers[peer] = allowance
        if len(self._peers) > MAX_KNOWN:
            self._peers.popitem(last=False)
        return allowance

    def may_greet(self, host: str) -> bool:
        """Somebody connects from this host; whether it may say who it is."""
        network = _network(host)
        bucket = self._hosts.pop(network, None) or Bucket(GREETINGS, GREETINGS_BURST)
        self._hosts[network] = bucket
        if len(self._hosts) > MAX_KNOWN:
            self._hosts.popitem(last=False)
        return bucket.take() and self._all.take()


def _network(host: str) -> str:
    """What counts as one host: an IPv4 address, or the 64 bits of an IPv6 one in which anybody can take as many as it
    likes; link-local addresses are all in one such network, so there each stands for itself."""
    plain, _, scope = host.partition("%")
    try:
        address = ipaddress.ip_address(plain)
    except ValueError:
        return host
    if address.version == 4 or address.is_link_local:
        return f"{address}%{scope}"
    if address.ipv4_mapped is not None:
        return f"{address.ipv4_mapped}%"
    return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)))
