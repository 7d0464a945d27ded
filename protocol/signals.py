"""What goes into a node and what comes out of it: its events and its effects, as plain data.

events    LinkUp, LinkDown, Received (bytes over a link), Decided and Spoken (the player), Rising, Tick
effects   Send, Store, Remember, Forget, Tell, Wake, Waste, Close
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from p2puno.moves import Move
from p2puno.needs import Say
from protocol import events as tell


@dataclass(frozen=True, slots=True)
class LinkUp:
    """There is a link to a seat, or a new one in place of the old."""

    seat: int


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The link to a seat is gone."""

    seat: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Received:
    """A frame came over the link to a seat."""

    seat: int
    frame: bytes


@dataclass(frozen=True, slots=True)
class Decided:
    """The player's move."""

    move: Move


@dataclass(frozen=True, slots=True)
class Spoken:
    """The player's word in a window."""

    say: Say


@dataclass(frozen=True, slots=True)
class Rising:
    """The player gets up."""


@dataclass(frozen=True, slots=True)
class Tick:
    """The time of an earlier `Wake` has come."""


Event: TypeAlias = LinkUp | LinkDown | Received | Decided | Spoken | Rising | Tick


@dataclass(frozen=True, slots=True)
class Send:
    """Send a frame to a seat, or to all that are linked (None)."""

    seat: int | None
    frame: bytes


@dataclass(frozen=True, slots=True)
class Store:
    """Append an entry to the journal, before any later effect."""

    entry: bytes


@dataclass(frozen=True, slots=True)
class Remember:
    """Write secrets of hands to the disk, before any later effect, in place of earlier ones: 64 bytes by session id. Of
    the running hand, and until all have begun it of the one before, to which we may have to go back."""

    seeds: Mapping[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Forget:
    """Delete the secrets of the table: no hand is running."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Tell the face."""

    event: tell.Event


@dataclass(frozen=True, slots=True)
class Wake:
    """Call `handle(Tick(), …)` at this time."""

    at: float


@dataclass(frozen=True, slots=True)
class Waste:
    """A frame of so many bytes from a seat was of no use, and yet had to be looked at (C45)."""

    seat: int
    size: int


@dataclass(frozen=True, slots=True)
class Close:
    """The table is over and everybody reachable has everything: the node is done."""


Effect: TypeAlias = Send | Store | Remember | Forget | Tell | Wake | Waste | Close
