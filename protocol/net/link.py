"""One pipe between two peers: an authenticated channel (`secure`) and frames on it (`Link`).

docs/links.md describes the bytes.  Everything here runs on any trio stream, so tests use memory streams and a virtual
clock.  A link never raises because of what the other side does: it ends, and says why in `Link.reason`.
"""

import math
import ssl
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from enum import IntEnum
from typing import Final

import trio
from trio.abc import Stream

from p2puno.said import Said, message_of, said
from protocol.errors import NotP2puno, P2punoError, Refused, Unreachable
from protocol.identity import Identity, certified_key
from protocol.names import clean
from protocol.net.contexts import context_for
from protocol.net.limits import Allowance

MAGIC: Final = b"p2puno"
VERSION: Final = 1
HELLO: Final = struct.Struct(">6sBH")  # magic, version, size of the certificate that follows
MAX_CERTIFICATE: Final = 1024
HANDSHAKE_LIMIT: Final = 5.0  # seconds from connection to welcome

FRAME: Final = struct.Struct(">IB")  # size of the payload that follows, kind
MAX_FRAME: Final = 1024 * 1024  # bytes of payload: the attestation over a huge hand has half of it
MAX_REASON: Final = 200  # bytes of text in a REFUSED or BYE

BEAT_EVERY: Final = 2.0  # seconds without sending anything, then a heartbeat
DEAD_AFTER: Final = 8.0  # seconds without receiving anything, or without getting rid of a portion
FRAME_LIMIT: Final = 30.0  # seconds from the first to the last byte of a frame, so that none drips in for ever
LINGER: Final = 0.3  # seconds that an ending link may take to say why
UNWANTED: Final = said("nobody new is let in: the table has begun, or somebody sits there with this key already")
"""What a client hears whose key is not wanted."""
REPLACED: Final = said("replaced by a newer link")
"""Why a spare link ends: the one reason that also tells the program of the other side something (`Link.replaced`)."""
PORTION: Final = 64 * 1024  # bytes of a frame that must go out in `DEAD_AFTER`: a large one may take longer
MAX_QUEUE: Final = 32 * 1024 * 1024  # bytes that wait to be sent


class Kind(IntEnum):
    """What a frame is."""

    DATA = 0
    WELCOME = 1
    REFUSED = 2
    BEAT = 3
    BYE = 4


async def secure(
    stream: Stream, identity: Identity, server: bool, allowed: Callable[[bytes], bool]
) -> tuple["trio.SSLStream[Stream]", bytes]:
    """Make ``stream`` a channel between two known keys: (TLS 1.3 stream, public key of the other side).

    Both sides send their certificates in clear and then do mutual TLS in which the other must show the same one again:
    so each proves to hold the key that it showed, without any authority.  ``allowed`` says whether we want a key; a
    server tells a client that it does not want, and a client waits to be welcomed.

    Raises NotP2puno (foreign program), Refused (by either side, or a key that is not held), Unreachable (silence or
    a lost connection; limit `HANDSHAKE_LIMIT` seconds).  On any failure, cancellation included, the stream is closed.
    """
    try:
        with trio.fail_after(HANDSHAKE_LIMIT):
            peer, certificate = await _exchange(stream, identity)
            if not server and not allowed(peer):
                raise Refused(
                    said("another key than the wanted one answers"), said("compare the safety words with that player")
                )
            try:
                context = context_for(identity, server, certificate)
            except ssl.SSLError:  # it has a key, yet OpenSSL wants more of a certificate
                raise Refused(said("the other side shows a certificate that is not one of p2puno's")) from None
            tls = trio.SSLStream(stream, context, server_side=server, https_compatible=False)
            await tls.do_handshake()
            if tls.getpeercert(binary_form=True) != certificate:
                raise Refused(said("the other side changed its key during the greeting"))
            if server:
                await _answer(tls, allowed(peer))
            else:
                await _await_welcome(tls)
    except BaseException as problem:
        await trio.aclose_forcefully(stream)
        if isinstance(problem, trio.TooSlowError):
            raise Unreachable(said("no greeting within {seconds:.0f} seconds", seconds=HANDSHAKE_LIMIT)) from None
        if isinstance(problem, trio.BrokenResourceError):
            cause = problem.__cause__
            if isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLEOFError):
                raise Refused(said("the greeting fails: a side does not hold the key that it shows")) from None
            raise Unreachable(said("the connection was lost during the greeting")) from None
        raise
    return tls, peer


async def _exchange(stream: Stream, identity: Identity) -> tuple[bytes, bytes]:
    mine = identity.certificate
    await stream.send_all(HELLO.pack(MAGIC, VERSION, len(mine)) + mine)
    peer, certificate = await read_hello(stream)
    if peer == identity.public:
        raise Refused(
            said("the other side has our own key"),
            said("to take a second seat from one account give it --profile NAME"),
        )
    return peer, certificate


async def read_hello(stream: Stream) -> tuple[bytes, bytes]:
    """(key, certificate) that the other side shows first, in clear.  Raises NotP2puno, Refused or Unreachable."""
    start = await _take(stream, len(MAGIC), NotP2puno(said("the other side closes at once, or is not p2puno")))
    if start != MAGIC:
        raise NotP2puno(said("another kind of program answers at this port"))
    cut = Unreachable(said("the connection was closed during the greeting"))
    _, version, size = HELLO.unpack(start + await _take(stream, HELLO.size - len(MAGIC), cut))
    if version != VERSION:
        raise Refused(
            said(
                "the other side speaks version {version} of the links, this program version {ours}",
                version=version,
                ours=VERSION,
            ),
            said("bring both sides to the same version of p2puno"),
        )
    if not 0 < size <= MAX_CERTIFICATE:
        raise Refused(said("a certificate of {size} bytes is not accepted", size=size))
    certificate = await _take(stream, size, cut)
    try:
        peer = certified_key(certificate)
    except ValueError:
        raise Refused(said("the other side shows a certificate that is not one of p2puno's")) from None
    return peer, certificate


async def _take(stream: Stream, size: int, cut: P2punoError) -> bytes:
    """Exactly ``size`` bytes and none more, as TLS comes next.  Raises ``cut`` if the stream ends before."""
    got = bytearray()
    while len(got) < size:
        data = await stream.receive_some(size - len(got))
        if not data:
            raise cut
        got += data
    return bytes(got)


async def _answer(tls: "trio.SSLStream[Stream]", welcome: bool) -> None:
    if welcome:
        await tls.send_all(FRAME.pack(0, Kind.WELCOME))
        return
    reason = UNWANTED.encode()
    await tls.send_all(FRAME.pack(len(reason), Kind.REFUSED) + reason)
    with trio.move_on_after(LINGER), suppress(trio.BrokenResourceError):
        await tls.receive_some()  # closing at once could throw away what we just sent
    raise Refused(UNWANTED)


async def _await_welcome(tls: "trio.SSLStream[Stream]") -> None:
    # In TLS 1.3 the client is done before the server has looked at it, so only an answer says that all is well.
    cut = Unreachable(said("the connection was closed during the greeting"))
    size, kind = FRAME.unpack(await _take(tls, FRAME.size, cut))
    if kind == Kind.REFUSED and size <= MAX_REASON:
        raise Refused(said("the other side refuses: {reason}", reason=_text(await _take(tls, size, cut))))
    if kind != Kind.WELCOME or size:
        raise Refused(said("the other side does not keep to the protocol of the links"))


def _text(raw: bytes) -> Said:
    """What the other side says in English; we may know the sentence in our own language."""
    return Said(clean(raw.decode("utf-8", "replace"), MAX_REASON))


class _LostError(Exception):
    """The stream cannot go on; the argument says why."""


class Link:
    """Frames to and from one peer over a secured stream.  Made by `open_link`.

    ``peer``: the other side's public key, 32 bytes.  ``reason``: str, why the link ended, None while it lives.
    ``excess``: whether it ended because the other side went over a limit (C45).  ``replaced``: whether it ended because
    the other side has a newer link with our key.
    Iterate over it for the frames that arrive; the iteration stops, without raising, when the link ends.
    """

    def __init__(self, stream: Stream, peer: bytes, allowance: Allowance) -> None:
        self.peer = peer
        self.reason: str | None = None
        self.excess = False
        self.replaced = False
        self._allowance = allowance
        self._stream = stream
        self._queue, self._outbox = trio.open_memory_channel[bytes](math.inf)
        self._queued = 0
        self._polite = True  # whether it makes sense to tell the other side why
        self._buffer = bytearray()
        self._reading = trio.CancelScope()
        # The writer ends by itself: being cancelled in the middle of a frame would spoil the stream for the farewell.
        self._writing = trio.CancelScope(shield=True)
        self._written = trio.Event()

    @property
    def host(self) -> str:
        """The other side's IP address; "" where the stream below has none."""
        below = getattr(self._stream, "transport_stream", self._stream)
        if not isinstance(below, trio.SocketStream):
            return ""
        try:
            return str(below.socket.getpeername()[0])
        except OSError:  # gone meanwhile
            return ""

    def send(self, frame: bytes) -> bool:
        """Put ``frame`` into the queue: True, or False if the link has ended.  Never waits.

        Raises ValueError for a frame of more than `MAX_FRAME` bytes.  More than `MAX_QUEUE` waiting bytes end the link.
        """
        if len(frame) > MAX_FRAME:
            raise ValueError(f"a frame holds at most {MAX_FRAME} bytes, not {len(frame)}")
        if self.reason is not None:
            return False
        self._queued += FRAME.size + len(frame)
        if self._queued > MAX_QUEUE:
            self._end(said("the other side takes frames too slowly"), polite=False)
            return False
        self._queue.send_nowait(FRAME.pack(len(frame), Kind.DATA) + frame)
        return True

    @property
    def queued(self) -> int:
        """Bytes that still wait to be sent."""
        return self._queued

    def close(self, reason: str) -> None:
        """End the link.  What is queued is sent and the other side told ``reason``, if that takes a moment only."""
        self._end(reason, polite=True)

    def cut(self, reason: str) -> None:
        """End the link because the other side sends too much, or what is of no use."""
        if self.reason is None:
            self.excess = True
            self.close(reason)

    async def aclose(self) -> None:
        """End the link and wait until it is over, which takes less than a second."""
        self.close("closed")
        await self._written.wait()

    def _end(self, reason: str, polite: bool) -> None:
        if self.reason is not None:
            return
        self.reason, self._polite = reason, polite
        self._reading.cancel()
        self._queue.close()
        self._writing.deadline = trio.current_time() + LINGER if polite else -math.inf

    def __aiter__(self) -> "Link":
        return self

    async def __anext__(self) -> bytes:
        while self.reason is None:
            frame: bytes | None = None
            with trio.CancelScope() as self._reading:
                try:
                    frame = await self._receive()
                except _LostError as lost:
                    self._end(message_of(lost), polite=False)
            if self.reason is None and frame is not None:
                return frame
        raise StopAsyncIteration

    async def _receive(self) -> bytes | None:
        """The next frame if it is DATA, else None."""
        await self._fill(FRAME.size)
        size, kind = FRAME.unpack_from(self._buffer)
        if size > MAX_FRAME:
            self.close(said("a frame of {size} bytes is too large", size=size))
            return None
        if not self._allowance.receive(FRAME.size + size):
            self.cut(said("too much at once: over the budget of a link"))
            return None
        with trio.move_on_after(FRAME_LIMIT) as limit:
            await self._fill(FRAME.size + size)
        if limit.cancelled_caught:
            raise _LostError(said("a frame that does not end"))
        payload = bytes(self._buffer[FRAME.size : FRAME.size + size])
        del self._buffer[: FRAME.size + size]
        if kind == Kind.DATA:
            return payload
        if kind == Kind.BYE:
            self.replaced = payload == REPLACED.encode()
            raise _LostError(said("ended by the other side: {reason}", reason=_text(payload[:MAX_REASON])))
        if kind != Kind.BEAT or size:
            self.close(said("not the protocol of the links"))
        return None

    async def _fill(self, size: int) -> None:
        while len(self._buffer) < size:
            data: bytes | bytearray = b""
            with trio.move_on_after(DEAD_AFTER) as silence:
                try:
                    data = await self._stream.receive_some()
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    raise _LostError(said("connection lost")) from None
            if silence.cancelled_caught:
                raise _LostError(said("no sign of life for {seconds:.0f} seconds", seconds=DEAD_AFTER))
            if not data:
                raise _LostError(said("connection closed by the other side"))
            self._buffer += data

    async def _write(self) -> None:
        """The one task that sends: frames in their order, a heartbeat when there are none, a farewell."""
        try:
            with self._writing:
                try:
                    while True:
                        frame = FRAME.pack(0, Kind.BEAT)
                        with trio.move_on_after(BEAT_EVERY):
                            frame = await self._outbox.receive()
                            self._queued -= len(frame)
                        wait = self._allowance.pace(len(frame))
                        if wait:
                            await trio.sleep(wait)
                        await self._put(frame)
                except trio.EndOfChannel:
                    if self._polite:
                        reason = (self.reason or "").encode()[:MAX_REASON]
                        await self._put(FRAME.pack(len(reason), Kind.BYE) + reason)
        except _LostError as lost:
            self._end(message_of(lost), polite=False)
        finally:
            self._outbox.close()
            self._written.set()

    async def _put(self, frame: bytes) -> None:
        for start in range(0, len(frame), PORTION):
            with trio.move_on_after(DEAD_AFTER) as stuck:
                try:
                    await self._stream.send_all(frame[start : start + PORTION])
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    raise _LostError(said("connection lost")) from None
            if stuck.cancelled_caught:
                raise _LostError(said("the other side does not read"))

    async def _finish(self) -> None:
        """Let the farewell go out and be read, within `LINGER`; then the stream is closed."""
        self.close("closed")
        with trio.move_on_after(LINGER, shield=True):
            await self._written.wait()
            try:
                # The other side closes when it has read the farewell; closing before could throw it away.
                while self._polite and await self._stream.receive_some():
                    pass
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                self._polite = False
        await trio.aclose_forcefully(self._stream)


@asynccontextmanager
async def open_link(stream: Stream, peer: bytes, allowance: Allowance | None = None) -> AsyncIterator[Link]:
    """A `Link` over a stream from `secure`, alive inside the block, closed (within `LINGER` seconds) after it.

    ``allowance``: what is left to the peer after its earlier links.
    """
    link = Link(stream, peer, allowance or Allowance())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link._write)
        try:
            yield link
        finally:
            await link._finish()
