"""How somebody without a seat watches a table: linked to one seat of it, and to another one when that is gone.

async with open_watch("192.168.1.5", journal_dir=folder) as session:
    async for event in session.events: ...
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import trio

from p2puno.rules import RulesError
from p2puno.said import message_of, said
from protocol.errors import NetworkProblem, Refused
from protocol.events import Abandoned, LinkChanged, Redial
from protocol.identity import Identity
from protocol.invite import WRONG, Guest
from protocol.messages import (
    PROTOCOL,
    Answer,
    Bye,
    Carry,
    Charter,
    Confirm,
    Frame,
    Heads,
    Knock,
    Malformed,
    Propose,
    Watch,
    decode_frame,
    encode,
)
from protocol.net.address import parse_address
from protocol.net.creator import NOT_BEGUN
from protocol.net.doorman import PRIVATE
from protocol.net.gallery import FULL, OTHER
from protocol.net.interfaces import addresses_of, interfaces
from protocol.net.meeting import ASK, given
from protocol.net.mesh import Mesh, open_mesh
from protocol.net.watched import Watched
from protocol.onlooker import Onlooker

ANSWER: Final = 10.0
"""Seconds that a seat has to let us watch, or not."""
QUIET: Final = 90.0
"""Seconds without an entry after which we ask another seat: ours may be cut off from the table."""
CATCH_UP: Final = 5.0
"""Seconds without an entry after which what there was before we came is taken to be told."""
RETRY_FIRST, RETRY_MOST = 0.5, 8.0
"""Seconds between two rounds of trying all seats."""
GIVE_UP: Final = 60.0
"""Seconds without any seat after which the table is given up."""
MOST_JUNK: Final = 100
"""Useless frames of a seat after which we go to another one."""

SILENT: Final = said("it answers, but does not let anybody watch")
NO_TABLE: Final = said("it lets us watch no table")
GONE: Final = said("nobody at the table can be reached any more")
NOT_SHOWN: Final = said("a table that runs can be watched if its creator opened it with --watchers")
HINTS: Final[Mapping[str, str]] = {
    PRIVATE: said("ask for it, and add --code CODE"),
    NOT_BEGUN: said("`p2puno join` takes a seat, if one is free"),
    FULL: said("try another seat's address, or later"),
}


class Watching(Watched):
    """Who watches a table: by which seat, and what it is told."""

    mesh: Mesh

    def __init__(self, identity: Identity, code: str, journal_dir: Path) -> None:
        super().__init__(journal_dir, identity.public.hex()[:6])
        self._identity, self._code = identity, code
        self._charter: Charter | None = None
        self._creator = ""  # the host of the table's creator, as far as we know it
        self._dialled = ""  # the host that we have reached first
        self._asked = b""  # the peer whose answer we wait for
        self._guest: Guest | None = None  # as long as it has not proved to know the code
        self._refusal = ""
        self._answered = trio.Event()
        self._source = b""  # the peer by which we watch
        self._last = b""  # ... or have watched last
        self._bell = trio.Event()  # there is no such peer any more
        self._why = ""
        self._junk = 0
        self._heard = self._began

    # -- by which seat we watch ---------------------------------------------------------------------------------------

    async def find(self, host: str, port: int, expect: bytes | None) -> None:
        """Begin to watch by whoever answers at an address.

        :raises NetworkProblem: nobody does, or not as a seat that may be watched
        """
        self._dialled = f"[{host}]" if ":" in host else host
        try:
            peer = await self.mesh.dial(host, port, expect)
        except Refused as problem:
            hint = NOT_SHOWN if problem.hint == Refused.default_hint else problem.hint
            raise Refused(problem.message, hint) from None
        if await self._asks(peer):
            self._source = peer
            return
        refusal = self._refusal
        if self.failure is not None:
            raise self.failure
        if refusal != FULL or not await self._try_all():  # the charter says where the other seats are
            raise Refused(refusal, HINTS.get(refusal, ASK))

    async def follow(self) -> None:
        """Keep watching, by another seat where one is gone, until the table is over or nobody is there."""
        assert self._onlooker is not None
        while not self._closed.is_set():
            if not self._source:
                await self._look_for_another()
                continue
            with trio.move_on_after(CATCH_UP):
                await self._bell.wait()
            self._bell = trio.Event()
            idle = trio.current_time() - self._heard
            if self._onlooker.catching_up and idle >= CATCH_UP:
                self._perform(self._onlooker.hurry(trio.current_time()))
            if trio.current_time() >= self._onlooker.ends_at:
                self._perform(self._onlooker.conclude(trio.current_time()))
            if self._source and idle >= QUIET:
                self._heard = trio.current_time()
                await self._try_all()

    async def _look_for_another(self) -> None:
        delay, until = RETRY_FIRST, trio.current_time() + GIVE_UP
        while not self._closed.is_set() and not await self._try_all():
            if trio.current_time() >= until:
                self._tell(Abandoned(GONE))
                self.close()
                return
            self._tell(Redial(self._number(self._last), delay, self._why))
            await trio.sleep(delay)
            delay = min(2 * delay, RETRY_MOST)

    async def _try_all(self) -> bool:
        """Ask every seat but the present one, beginning after it; whether one lets us watch."""
        roster = self._charter.roster if self._charter is not None else ()
        after = self._number(self._last) + 1 if roster else 0
        own = interfaces()
        for place in [*roster[after:], *roster[:after]]:
            for host, port in addresses_of(place, self._creator, own) if place.key != self._source else ():
                with contextlib.suppress(NetworkProblem):
                    peer = await self.mesh.dial(host, port, place.key)
                    if await self._asks(peer):
                        self._change_to(peer)
                        return True
                    self._why = self._refusal
                    break
        return False

    def _change_to(self, peer: bytes) -> None:
        old, self._source, self._junk = self._source, peer, 0
        self._last = peer
        if old:
            self.mesh.drop(old, said("watches by another seat"))
        self._tell(LinkChanged(self._number(peer), True))

    async def _asks(self, peer: bytes) -> bool:
        """Ask a peer that we have a link to; whether it lets us watch. If not, `_refusal` says why."""
        self._asked, self._refusal, self._answered = peer, "", trio.Event()
        self._heard = trio.current_time()
        if self._code:
            self._guest = Guest(self._code, self._identity.public, peer)
            self.mesh.send(peer, encode(Knock(self._guest.message)))
        else:
            self._ask(peer)
        with trio.move_on_after(ANSWER):
            await self._answered.wait()
        if not self._answered.is_set():
            self._refusal = SILENT
        self._asked = b""
        if self._refusal:
            self.mesh.drop(peer)
        return not self._refusal

    def _ask(self, peer: bytes) -> None:
        self._guest = None
        table = self._charter.table if self._charter is not None else bytes(32)
        heads = self._onlooker.heads() if self._onlooker is not None else ()
        self.mesh.send(peer, encode(Watch(PROTOCOL, table, heads)))

    def _refuse(self, why: str) -> None:
        self._refusal = self._refusal or why
        self._answered.set()

    def _number(self, peer: bytes) -> int:
        assert self._charter is not None
        return next(seat for seat, place in enumerate(self._charter.roster) if place.key == peer)

    # -- what a seat tells us -----------------------------------------------------------------------------------------

    def on_frame(self, peer: bytes, frame: bytes) -> None:
        """A frame came."""
        if peer not in (self._source, self._asked) or self._closed.is_set():
            return
        try:
            message = decode_frame(frame)
        except Malformed:
            self._wasted(peer)
            return
        if peer == self._asked and self._guest is not None:
            self._prove(peer, self._guest, message)
        elif peer == self._asked and isinstance(message, Bye):
            self._refuse(given(message.reason))
        elif peer == self._asked and isinstance(message, Propose):
            self._proposed(peer, message.charter)
        elif self._onlooker is None or self._charter is None:
            self._refuse(NO_TABLE)
        elif isinstance(message, Heads) and message.table == self._charter.table:
            self._perform(self._onlooker.arrive(message.heads, trio.current_time()))
            if peer == self._asked:
                self._answered.set()
        elif isinstance(message, Carry):
            self._take(peer, message.entry)
        else:
            self._wasted(peer)

    def on_down(self, peer: bytes, reason: str) -> None:
        """The link to a peer is gone."""
        if peer == self._asked:
            self._refuse(reason)
        elif peer == self._source:
            self._source, self._why = b"", reason
            self._bell.set()
            if self._onlooker is not None:
                self._perform(self._onlooker.conclude(trio.current_time()))
            if not self._closed.is_set():
                self._tell(LinkChanged(self._number(peer), False, reason))

    def _prove(self, peer: bytes, guest: Guest, message: Frame) -> None:
        """Until the code is proved by both sides, nothing else is said or listened to."""
        if isinstance(message, Answer):
            self.mesh.send(peer, encode(Confirm(guest.answered(message.message) or bytes(32))))
        elif isinstance(message, Confirm) and guest.confirmed(message.proof):
            self._ask(peer)
        elif isinstance(message, Bye):
            self._refuse(given(message.reason))
        else:
            self._refuse(WRONG)

    def _proposed(self, peer: bytes, charter: Charter) -> None:
        """What is played there: the first time it is what we watch, later it must be the same."""
        if self._charter is not None:
            if charter.table != self._charter.table:
                self._refuse(OTHER)
            return
        try:
            onlooker = Onlooker(charter)
        except (RulesError, ValueError) as bad:
            self._refuse(said("the rules of the table are not known here: {reason}", reason=message_of(bad)))
            return
        place = next((place for place in charter.roster if place.key == peer), None)
        if place is None or not onlooker.table.rules.watchers:
            self._refuse(NO_TABLE)
            return
        try:
            self._watch(onlooker)
        except OSError as failure:
            self._fail(failure)
            return
        self._charter, self._last = charter, peer
        if any(address.startswith(":") for address in place.addresses):
            self._creator = self._dialled  # those without a host are on the same machine

    def _take(self, peer: bytes, entry: bytes) -> None:
        assert self._onlooker is not None
        self._heard = trio.current_time()
        try:
            fit, effects = self._onlooker.take(entry, trio.current_time())
        except Exception as failure:  # a fault of ours must not look like a silent table
            self._fail(failure)
            return
        self._perform(effects)
        if not fit:
            self._wasted(peer)

    def _fail(self, failure: Exception) -> None:
        self._refuse(message_of(failure))
        super()._fail(failure)

    def _wasted(self, peer: bytes) -> None:
        self._junk += 1
        if self._junk > MOST_JUNK:
            self._junk = 0
            self.mesh.drop(peer, said("too much that is of no use"))


@asynccontextmanager
async def open_watch(
    address: str, *, journal_dir: Path, expect: bytes | None = None, code: str = ""
) -> AsyncIterator[Watching]:
    """Watch the table of which a seat answers at `address` (`host`, `host:port`, `[v6]:port`). We have a key of our own
    for this once, so nobody learns who watches.

    `expect`: the key that has to answer there. `code`: the invite code of a private table.

    :raises Unreachable: nobody answers there
    :raises NotP2puno: something else does
    :raises Refused: the table has not begun, or may not be watched; the code is wrong or another key answers
    """
    identity = Identity.fresh()
    session = Watching(identity, code, journal_dir)
    host, port = parse_address(address)
    async with open_mesh(
        identity,
        on_frame=session.on_frame,
        on_up=lambda peer: None,
        on_down=session.on_down,
        allowed=lambda peer: False,
    ) as mesh:
        session.mesh = mesh
        try:
            await session.find(host, port, expect)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(session.follow)
                yield session
                nursery.cancel_scope.cancel()
        finally:
            session.close()
    if session.failure is not None:
        raise session.failure
