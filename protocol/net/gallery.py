"""Who watches: strangers with a link to a seat that plays, what they may say, and what they are sent.

They are sent the charter and what is in the seat's journal, in its order: nothing else leaves by this way, so nothing
that is not public can. They cost the players next to nothing: few are let in, all of them together have a budget of
their own, entries wait for them in one list that the seat has anyway, and whoever says anything else than what it came
for is shown out (C45).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import trio

from p2puno.said import Said, said
from protocol.chains import Chains
from protocol.lobby import OTHER_VERSION
from protocol.messages import (
    PROTOCOL,
    Carry,
    Charter,
    Head,
    Heads,
    Hello,
    Malformed,
    Propose,
    Watch,
    decode_frame,
    encode,
)
from protocol.net.doorman import Doorman
from protocol.net.limits import Bucket
from protocol.net.mesh import Mesh

WATCHERS: Final = 4
"""So many watch by one seat; others go to the next."""
WAITING: Final = 4
"""So many strangers may have a link and not have said yet what they want ..."""
SAY: Final = 10.0
"""... within so many seconds."""
LONGEST: Final = 1024
"""Bytes of a frame that a stranger may have to say."""
ROOM: Final = 256_000
"""Bytes that may wait to be sent to one watcher."""
RATE, BURST = 1_000_000.0, 4_000_000.0
"""Bytes a second, and at once, for all watchers of a seat together."""
LOOK_AGAIN: Final = 0.25
"""Seconds until those who wait are looked at again."""

WATCHABLE: Final = said("the table has begun; it can be watched")
FULL: Final = said("so many watch by this seat already")
OTHER: Final = said("another table is played here")


@dataclass(slots=True)
class _Reader:
    """How far somebody who watches has been sent our journal; `has`: entries that it had before."""

    has: set[bytes]
    at: int = 0


class Gallery:
    """The watchers of one seat. Nobody gets in before it is opened."""

    def __init__(self) -> None:
        self._mesh: Mesh | None = None
        self._entries: list[bytes] = []
        self._strangers: dict[bytes, float] = {}  # who has a link and is no watcher yet, since when
        self._readers: dict[bytes, _Reader] = {}  # whoever was served last is at the end
        self._ended = False
        self._shut = False  # nobody new gets in
        self._bell = trio.Event()

    def open(
        self, mesh: Mesh, doorman: Doorman, charter: Charter, chains: Chains, entries: Iterable[bytes] = ()
    ) -> None:
        """Let people in. `chains`: what this seat knows; `entries`: of its journal, as far as it goes."""
        self._mesh, self._doorman, self._charter, self._chains = mesh, doorman, charter, chains
        self._entries = list(entries)
        self._budget = Bucket(RATE, BURST)

    @property
    def watchers(self) -> int:
        """How many watch by this seat."""
        return len(self._readers)

    def admits(self, peer: bytes) -> bool:
        """Whether a stranger may have a link."""
        return self._mesh is not None and not self._shut and len(self._strangers) < WAITING

    def came(self, peer: bytes) -> None:
        """There is a link to a stranger, or another one than before."""
        self._readers.pop(peer, None)
        if not self.admits(peer) and peer not in self._strangers:  # several were in their greeting
            self._show_out(peer, FULL)
            return
        self._strangers[peer] = trio.current_time()
        self._bell.set()

    def went(self, peer: bytes) -> None:
        """The link to a stranger is gone."""
        self._readers.pop(peer, None)
        self._strangers.pop(peer, None)
        if self._mesh is not None:
            self._doorman.gone(peer)

    def heard(self, peer: bytes, frame: bytes) -> None:
        """A stranger says something: it may ask once to watch."""
        if peer not in self._strangers or len(frame) > LONGEST:
            self._show_out(peer, said("who watches has nothing to say"))
            return
        try:
            message = decode_frame(frame)
        except Malformed:
            self._show_out(peer, said("a frame that cannot be read"))
            return
        if self._doorman.heard(peer, message):
            return
        if isinstance(message, Hello):
            self._doorman.refuse(peer, WATCHABLE)
        elif isinstance(message, Watch):
            self._let_in(peer, message)
        else:
            self._show_out(peer, said("who watches has nothing to say"))

    def stored(self, entry: bytes) -> None:
        """An entry is in the journal."""
        if self._mesh is not None:
            self._entries.append(entry)
            if self._readers:
                self._bell.set()

    async def serve(self) -> None:
        """Send what is to be sent, after whatever the players are sent, and end the links of those who say nothing."""
        while True:
            wait = LOOK_AGAIN if self._send() else SAY / 4 if self._strangers else float("inf")
            with trio.move_on_after(wait):
                await self._bell.wait()
            self._bell = trio.Event()
            now = trio.current_time()
            for peer in [peer for peer, since in self._strangers.items() if now - since >= SAY]:
                self._show_out(peer, said("nothing was asked for"))

    def end(self, whole: bool) -> None:
        """The table is over for this seat: whoever has everything is shown out. `whole`: the match has its result, so
        whoever comes late, such as from a seat that ended before, may still read it; else nobody new gets in."""
        self._ended, self._shut = True, not whole
        self._bell.set()

    def finish(self) -> None:
        """Our program ends: send what there is room for."""
        self._send()

    # -- inside

    def _let_in(self, peer: bytes, watch: Watch) -> None:
        mesh, table = self._mesh, self._charter.table
        assert mesh is not None
        if watch.protocol != PROTOCOL:
            self._doorman.refuse(peer, Said(OTHER_VERSION.template, ours=PROTOCOL, theirs=watch.protocol))
        elif watch.table not in (bytes(32), table):
            self._doorman.refuse(peer, OTHER)
        else:
            mesh.send(peer, encode(Propose(self._charter)))  # it says where the other seats are, too
            if len(self._readers) >= WATCHERS:
                self._doorman.refuse(peer, FULL)
                return
            mesh.send(peer, encode(Heads(table, self._chains.heads())))
            del self._strangers[peer]
            self._readers[peer] = _Reader(self._known_to(watch.heads))
            self._bell.set()

    def _known_to(self, heads: Iterable[Head]) -> set[bytes]:
        """The entries that whoever tells these heads has."""
        has: set[bytes] = set()
        for head in heads:
            if head.seat < len(self._charter.roster):
                known = self._chains.of(head.seat)[: head.seq]
                if known and len(known) == head.seq and known[-1].hash == head.hash:
                    has.update(entry.raw for entry in known)
        return has

    def _send(self) -> bool:
        """Send each watcher what there is room for; whether anything is left to be sent."""
        mesh, left = self._mesh, False
        if mesh is None:
            return False
        for peer, reader in list(self._readers.items()):
            while reader.at < len(self._entries):
                entry = self._entries[reader.at]
                if entry not in reader.has:
                    if mesh.queued(peer) > ROOM or not self._budget.take(len(entry)):
                        left = True
                        break
                    mesh.send(peer, encode(Carry(entry)))
                reader.at += 1
            else:
                reader.has.clear()
                if self._ended:
                    self._show_out(peer, said("the table is over for this seat"))
            if peer in self._readers:  # who has got least lately comes first the next time
                self._readers[peer] = self._readers.pop(peer)
        return left

    def _show_out(self, peer: bytes, why: str) -> None:
        self._strangers.pop(peer, None)
        self._readers.pop(peer, None)
        if self._mesh is not None:
            self._mesh.drop(peer, why)
