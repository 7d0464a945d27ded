"""Who is connected: links to many peers, one each, kept alive.

Every peer may listen and every peer may dial, so two may dial each other at the same moment.  Then the one with the
smaller key decides: it keeps the newest link and closes the others, and its opposite just follows.  Only one side ever
closes a spare link, so both always end with the same one; and as the newest counts, a peer that comes back after a
crash is not kept waiting for the death of its old link.

Two programs with one key (C51, C57) do not fight for the links: the newer one has them, and the older one hears that it
was replaced and rests.

All callbacks are plain functions, called in the trio thread.  One that raises is logged and costs that peer its link;
it never stops the others.
"""

import logging
import math
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Final

import trio
from trio.abc import Stream

from p2puno.said import said
from protocol.errors import NetworkProblem, Unreachable
from protocol.identity import Identity, short
from protocol.net.address import DEFAULT_PORT, Address, cause_of, format_address
from protocol.net.binding import bound
from protocol.net.interfaces import interfaces, scoped
from protocol.net.limits import BARRED, Register
from protocol.net.link import DEAD_AFTER, REPLACED, Link, open_link, secure

MAX_LINKS: Final = 64
MAX_LINKS_PER_PEER: Final = 4  # spare links, until the peer that decides has closed them
MAX_GREETINGS: Final = 32  # connections that have not yet shown who they are
CONNECT_LIMIT: Final = 5.0  # seconds
STAGGER: Final = 0.25  # seconds between the starts of attempts at several addresses of one peer
RETRY_FIRST: Final = 0.5  # seconds; doubled after each failure
RETRY_MOST: Final = 8.0
STEADY_AFTER: Final = 10.0  # a link that lasted so many seconds makes the next retry a first one again
SPARE_LIMIT: Final = DEAD_AFTER + 2.0  # seconds in which the peer that decides closes a spare link, if it has both
REPLACED_REST: Final = 30.0  # seconds without dialling a peer that has a newer link with our key, but not from us

_log = logging.getLogger("p2puno.net")


class Mesh:
    """The links of one identity.  Made by `open_mesh`, which also says what the callbacks mean.

    Peers are public keys of 32 bytes, addresses are (host, port).
    """

    def __init__(
        self,
        nursery: trio.Nursery,
        identity: Identity,
        on_frame: Callable[[bytes, bytes], object],
        on_up: Callable[[bytes], object],
        on_down: Callable[[bytes, str], object],
        allowed: Callable[[bytes], bool],
        on_retry: Callable[[bytes, float, str], object],
        on_excess: Callable[[bytes | None, str], object],
    ) -> None:
        self.identity = identity
        self.replaced: set[bytes] = set()
        """The peers without a link to us that have a newer one with our key: another program uses it (C51)."""
        self._nursery = nursery
        self._register = Register()
        self._complained = -math.inf  # when hosts that greet too often were last told of
        self._on_excess = on_excess
        self._on_frame, self._on_up, self._on_down, self._on_retry = on_frame, on_up, on_down, on_retry
        self._allowed = allowed
        self._links: dict[bytes, list[Link]] = {}  # the last of a list is the one in use
        self._keepers: dict[bytes, _Keeper] = {}
        self._greetings: dict[trio.CancelScope, str] = {}  # oldest first, with the host that they come from

    # -- links in use

    @property
    def peers(self) -> list[bytes]:
        """The keys of the peers with a living link, sorted."""
        return sorted(self._links)

    def host_of(self, peer: bytes) -> str:
        """The IP address at which ``peer`` is linked to us; "" if there is no link, or none over IP."""
        links = self._links.get(peer)
        return links[-1].host if links else ""

    def send(self, peer: bytes, frame: bytes) -> bool:
        """Queue ``frame`` for ``peer``: True, or False if there is no link.  Raises ValueError if it is too large."""
        links = self._links.get(peer)
        return links[-1].send(frame) if links else False

    def queued(self, peer: bytes) -> int:
        """Bytes that wait to be sent to ``peer``: whoever has much to send waits until this is small."""
        links = self._links.get(peer)
        return links[-1].queued if links else 0

    def drop(self, peer: bytes, reason: str = "closed") -> None:
        """End the links to ``peer`` and keep none.  It may dial again: whether it may enter, ``allowed`` says."""
        self.forget(peer)
        links = list(self._links.get(peer, []))
        for link in links:
            link.close(reason if link is links[-1] else REPLACED)

    def wasted(self, peer: bytes, size: int) -> None:
        """``peer`` sent a frame of so many bytes that is of no use: too many of them end its links (C45)."""
        if not self._register.of(peer).waste(size):
            for link in list(self._links.get(peer, [])):
                link.cut(said("too much that is of no use"))

    def changes(self, peer: bytes) -> bool:
        """``peer`` changes something that all will be told: whether it may.  Too many changes end its links (C45)."""
        allowed = self._register.of(peer).change()
        if not allowed:
            for link in list(self._links.get(peer, [])):
                link.cut(said("too many changes before the start"))
        return allowed

    # -- making links

    async def listen(self, host: str | None = None, port: int = DEFAULT_PORT) -> list[Address]:
        """Accept links at ``host`` (None: every interface, IPv4 and IPv6) and ``port`` (0: the system chooses).

        Returns the addresses bound.  Raises PortTaken, or Usage if this machine has no such address.
        """
        listeners = await bound(host, port)
        self._nursery.start_soon(trio.serve_listeners, self._accept, listeners)
        return [listener.socket.getsockname()[:2] for listener in listeners]

    async def dial(self, host: str, port: int, expect: bytes | None = None) -> bytes:
        """Make a link to whoever (or only to ``expect``) answers at an address; return its key.

        Raises Unreachable, NotP2puno or Refused.
        """
        # A link-local address is shown without a scope, so that is how it is typed.
        stream, peer = await self._race(expect, [(one, port) for one in scoped(host, interfaces())])
        await self._nursery.start(self._serve, stream, peer)
        return peer

    def keep(self, peer: bytes, addresses: Iterable[Address], patience: float = 0.0, *, mutual: bool = False) -> None:
        """See to it that there is a link to ``peer``: dial its addresses now and after every loss, with back-off.

        ``patience``: seconds that the peer has each time to dial us first.  ``mutual``: perhaps it is told to dial us
        at the same moment, so the one with the larger key begins a little later.  Called again with other addresses, it
        tries those at once.  Ended by `forget` or `drop`.
        """
        wanted = list(dict.fromkeys(addresses))
        keeper = self._keepers.get(peer)
        if keeper is None:
            self._keepers[peer] = keeper = _Keeper(wanted, patience, mutual)
            self._nursery.start_soon(self._keep, peer, keeper)
        elif keeper.addresses != wanted:
            keeper.addresses = wanted
            keeper.nudge()

    def forget(self, peer: bytes) -> None:
        """No longer reconnect to ``peer``.  A living link stays."""
        keeper = self._keepers.pop(peer, None)
        if keeper is not None:
            keeper.scope.cancel()

    # -- inside

    def _welcome(self, peer: bytes) -> bool:
        room = sum(map(len, self._links.values())) < MAX_LINKS
        return room and self._allowed(peer) and self._register.of(peer).link()

    async def _accept(self, stream: trio.SocketStream) -> None:
        with trio.CancelScope() as scope:
            try:
                source = str(stream.socket.getpeername()[0])
                if not self._register.may_greet(source):
                    self._complain(source)
                    await trio.aclose_forcefully(stream)
                    return
                self._make_room()
                self._greetings[scope] = source
                try:
                    secured, peer = await secure(stream, self.identity, True, self._welcome)
                finally:
                    del self._greetings[scope]
            except NetworkProblem as problem:
                _log.info("a connection ends in its greeting: %s", problem.message)
                return
            except OSError:  # gone before we looked at it
                await trio.aclose_forcefully(stream)
                return
            except Exception:  # a fault in one greeting must not end the listener, which trio would let it
                _log.exception("a greeting failed")
                return
            await self._serve(secured, peer)

    def _complain(self, source: str) -> None:
        """Tell of connections that are turned away, now and then."""
        now = trio.current_time()
        if now >= self._complained + BARRED:
            self._complained = now
            self._call(
                self._on_excess,
                None,
                said("too many connections come from {source}: not all of them get in", source=source),
            )

    def _make_room(self) -> None:
        """Of too many greetings end the oldest from the host that has most, so that a flood crowds out itself (C45)."""
        if len(self._greetings) < MAX_GREETINGS:
            return
        busiest = Counter(self._greetings.values()).most_common(1)[0][0]
        oldest = next(scope for scope, source in self._greetings.items() if source == busiest)
        oldest.cancel()

    async def _reach(self, host: str, port: int, expect: bytes | None) -> tuple[Stream, bytes]:
        place = format_address(host, port)
        try:
            with trio.fail_after(CONNECT_LIMIT):
                stream = await trio.open_tcp_stream(host, port)
        except trio.TooSlowError:
            raise Unreachable(said("no answer from {place}", place=place)) from None
        except (OSError, ValueError) as problem:  # ValueError: a host name that cannot be one
            raise Unreachable(
                said("cannot connect to {place}: {reason}", place=place, reason=cause_of(problem))
            ) from None
        try:
            return await secure(stream, self.identity, False, lambda peer: expect is None or peer == expect)
        except NetworkProblem as problem:
            raise type(problem)(said("{place}: {reason}", place=place, reason=problem.message), problem.hint) from None

    async def _serve(
        self, stream: Stream, peer: bytes, task_status: "trio.TaskStatus[None]" = trio.TASK_STATUS_IGNORED
    ) -> None:
        """The life of one link, from the greeting to its end."""
        try:
            async with open_link(stream, peer, self._register.of(peer)) as link:
                try:
                    self._adopt(link)
                    task_status.started()
                    async for frame in link:
                        if not self._call(self._on_frame, peer, frame):
                            link.close(said("a frame that cannot be handled"))
                finally:
                    self._part(link)
        except Exception:  # whatever it was, the other links go on
            _log.exception("the link to %s failed", short(peer))

    def _adopt(self, link: Link) -> None:
        links = self._links.setdefault(link.peer, [])
        links.append(link)
        self.replaced.discard(link.peer)
        decides = self.identity.public < link.peer
        for old in links[:-1] if decides else links[:-MAX_LINKS_PER_PEER]:
            old.close(REPLACED)
        if len(links) > 1 and not decides:
            self._nursery.start_soon(self._outlast, links[-2])
        self._call(self._on_up, link.peer)

    async def _outlast(self, spare: Link) -> None:
        """End a spare link that the peer, which decides, has left alone. It has heard and said something on both links
        by now, or they were dead; so the one program does not know of the other link, and two have the key (C51)."""
        await trio.sleep(SPARE_LIMIT)
        links = self._links.get(spare.peer, [])
        if spare in links[:-1]:
            spare.close(REPLACED)

    def _part(self, link: Link) -> None:
        links = self._links[link.peer]
        in_use = links[-1] is link
        links.remove(link)
        allowance = self._register.of(link.peer)
        if link.excess and not allowance.barred:
            allowance.bar()
            self._call(self._on_excess, link.peer, link.reason or "")
        if not links:
            del self._links[link.peer]
            if link.replaced:
                self.replaced.add(link.peer)
            keeper = self._keepers.get(link.peer)
            if keeper is not None:
                keeper.reason = link.reason or said("closed")
                keeper.nudge()
            self._call(self._on_down, link.peer, link.reason or said("closed"))
        elif in_use:
            self._call(self._on_up, link.peer)

    def _call(self, callback: Callable[..., object], *args: object) -> bool:
        try:
            callback(*args)
        except Exception:  # the other links go on; the driver reports faults of its own by itself
            _log.exception("a callback of the mesh failed")
            return False
        return True

    async def _keep(self, peer: bytes, keeper: "_Keeper") -> None:
        with keeper.scope:
            if keeper.mutual and self.identity.public > peer:  # this spares most of the double dials
                await keeper.rest(2 * STAGGER)
            delay = 0.0
            while True:
                began = trio.current_time()
                while peer in self._links:
                    await keeper.rest(math.inf)
                if trio.current_time() - began >= STEADY_AFTER:
                    delay = 0.0
                delay = max(delay, self._register.of(peer).barred_until - trio.current_time())
                if peer in self.replaced:
                    delay = REPLACED_REST
                if not delay and keeper.patience:
                    await keeper.rest(keeper.patience)
                    if peer in self._links:
                        continue
                if delay:
                    self._call(self._on_retry, peer, delay, keeper.reason)
                    await keeper.rest(delay)
                    if peer in self._links:
                        continue
                delay = min(max(RETRY_FIRST, 2 * delay), RETRY_MOST)
                self.replaced.discard(peer)
                try:
                    stream, _ = await self._race(peer, keeper.addresses)
                except NetworkProblem as problem:
                    keeper.reason = problem.message
                else:
                    await self._nursery.start(self._serve, stream, peer)

    async def _race(self, expect: bytes | None, addresses: list[Address]) -> tuple[Stream, bytes]:
        """A secured stream to whoever (or only to ``expect``) answers first at one of these addresses, and its key.

        A peer with several interfaces tells all its addresses, and often only one of them can be reached from here.
        Raises the NetworkProblem of the address that failed last.
        """
        won: list[tuple[Stream, bytes]] = []
        problem: NetworkProblem = Unreachable(said("no address of {peer} is known", peer=short(expect or b"")))

        async def attempt(start: float, host: str, port: int) -> None:
            nonlocal problem
            await trio.sleep(start)
            try:
                reached = await self._reach(host, port, expect)
            except NetworkProblem as failure:
                problem = failure
            else:
                won.append(reached)
                nursery.cancel_scope.cancel()

        try:
            async with trio.open_nursery() as nursery:
                for index, (host, port) in enumerate(addresses):
                    nursery.start_soon(attempt, index * STAGGER, host, port)
        except BaseException:
            for stream, _ in won:
                await trio.aclose_forcefully(stream)
            raise
        for stream, _ in won[1:]:
            await trio.aclose_forcefully(stream)
        if not won:
            raise problem
        return won[0]


class _Keeper:
    """What `Mesh.keep` knows of one peer, and the bell that wakes its task."""

    def __init__(self, addresses: list[Address], patience: float, mutual: bool) -> None:
        self.addresses = addresses
        self.patience = patience
        self.mutual = mutual
        self.reason = ""  # why there is no link
        self.scope = trio.CancelScope()
        self._bell = trio.Event()

    def nudge(self) -> None:
        self._bell.set()

    async def rest(self, seconds: float) -> None:
        """Wait, but not longer than until the next nudge."""
        with trio.move_on_after(seconds):
            await self._bell.wait()
        self._bell = trio.Event()


@asynccontextmanager
async def open_mesh(
    identity: Identity,
    *,
    on_frame: Callable[[bytes, bytes], object],
    on_up: Callable[[bytes], object],
    on_down: Callable[[bytes, str], object],
    allowed: Callable[[bytes], bool] = lambda peer: True,
    on_retry: Callable[[bytes, float, str], object] = lambda peer, seconds, reason: None,
    on_excess: Callable[[bytes | None, str], object] = lambda peer, reason: None,
) -> AsyncIterator[Mesh]:
    """A `Mesh` that works inside the block.  After it everything is closed within a second, whatever hangs.

    ``on_frame(peer, frame)``: a frame came.  ``on_up(peer)``: there is a link to the peer, or another than before, so
    that what was sent lately may be lost: tell each other where you stand.  ``on_down(peer, reason)``: the last link
    to the peer is gone.  ``allowed(peer)``: may this key have a link?  Asked for those who dial us, when they have
    proved their key.  ``on_retry(peer, seconds, reason)``: a kept peer is tried again in so many seconds.
    ``on_excess(peer, reason)``: the peer went over a limit and was cut off; None: strangers are turned away.
    """
    own: Exception | None = None
    async with trio.open_nursery() as nursery:
        try:
            yield Mesh(nursery, identity, on_frame, on_up, on_down, allowed, on_retry, on_excess)
        except Exception as problem:  # raised below, so that it does not come out as a group
            own = problem
        nursery.cancel_scope.cancel()
    if own is not None:
        raise own
