"""What every link must do, whatever stream carries it: call `check_link` with a maker of connected streams."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import trio
from trio.abc import Stream

from protocol.identity import Identity
from protocol.net.link import MAX_FRAME, Link, open_link, secure

# Gives the two ends of a new connection: the one that dialled and the one that was dialled.
Maker = Callable[[], Awaitable[tuple[Stream, Stream]]]

ANN, BOB = Identity.fresh(), Identity.fresh()


def anybody(peer: bytes) -> bool:
    return True


async def greet(
    maker: Maker,
    dialler: Identity = ANN,
    listener: Identity = BOB,
    wanted: Callable[[bytes], bool] = anybody,
    allowed: Callable[[bytes], bool] = anybody,
) -> dict[str, object]:
    """Both sides of `secure` at once: for "dialler" and "listener" either (stream, peer) or the exception raised."""
    ends = await maker()
    came: dict[str, object] = {}

    async def side(name: str, stream: Stream, identity: Identity, server: bool, check: Callable[[bytes], bool]) -> None:
        try:
            came[name] = await secure(stream, identity, server, check)
        except Exception as problem:
            came[name] = problem

    async with trio.open_nursery() as nursery:
        nursery.start_soon(side, "dialler", ends[0], dialler, False, wanted)
        nursery.start_soon(side, "listener", ends[1], listener, True, allowed)
    return came


class Pair(AsyncExitStack):
    """Two `Link`s of one new connection, ``a`` (dialled, Ann) and ``b`` (was dialled, Bob)."""

    a: Link
    b: Link

    def __init__(self, maker: Maker) -> None:
        super().__init__()
        self._maker = maker

    async def __aenter__(self) -> "Pair":
        await super().__aenter__()
        came = await greet(self._maker)
        self.a = await self.enter_async_context(open_link(*came["dialler"]))  # type: ignore[misc]
        self.b = await self.enter_async_context(open_link(*came["listener"]))  # type: ignore[misc]
        return self


async def rest_of(link: Link) -> list[bytes]:
    return [frame async for frame in link]


async def check_link(maker: Maker) -> None:
    """Raises AssertionError where links over the maker's streams do not keep their promises."""
    await _keys(maker)
    await _frames(maker)
    await _farewell(maker)
    await _farewell_after_what_was_queued(maker)
    await _sudden_end(maker)
    await _closing_from_within_a_loop(maker)


async def _keys(maker: Maker) -> None:
    async with Pair(maker) as pair:
        assert pair.a.peer == BOB.public
        assert pair.b.peer == ANN.public


async def _frames(maker: Maker) -> None:
    """All sizes arrive whole, in order, in both directions at once."""
    frames = [b"", b"x", bytes(range(256)), b"y" * 20_000, b"z" * MAX_FRAME, b"last"]
    async with Pair(maker) as pair:
        for frame in frames:
            assert pair.a.send(frame)
            assert pair.b.send(frame[::-1])
        for frame in frames:
            assert await pair.b.__anext__() == frame
            assert await pair.a.__anext__() == frame[::-1]
        assert pair.a.queued == pair.b.queued == 0
        try:
            pair.a.send(b"z" * (MAX_FRAME + 1))
        except ValueError:
            pass
        else:
            raise AssertionError("a frame over the limit was taken")
        assert pair.a.reason is None


async def _farewell(maker: Maker) -> None:
    """The other side learns why a link ends, and a link that has ended takes nothing more."""
    async with Pair(maker) as pair:
        pair.a.close("tea is ready")
        assert await rest_of(pair.b) == []
        assert pair.b.reason == "ended by the other side: tea is ready"
        assert await rest_of(pair.a) == []
        assert pair.a.reason == "tea is ready"
        assert pair.a.send(b"late") is False


async def _farewell_after_what_was_queued(maker: Maker) -> None:
    async with Pair(maker) as pair:
        frames = [bytes([i]) * 1000 for i in range(100)]
        for frame in frames:
            pair.a.send(frame)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pair.a.aclose)
            assert await rest_of(pair.b) == frames


async def _sudden_end(maker: Maker) -> None:
    """A vanished stream ends the iteration; it raises nothing."""
    async with Pair(maker) as pair:
        await trio.aclose_forcefully(pair.a._stream)
        assert await rest_of(pair.b) == []
        assert pair.b.reason in {"connection lost", "connection closed by the other side"}
        assert await rest_of(pair.a) == []
        assert pair.a.reason


async def _closing_from_within_a_loop(maker: Maker) -> None:
    """After close() not one frame more comes out, though it may be there already."""
    async with Pair(maker) as pair:
        for _ in range(3):
            pair.a.send(b"again")
        seen = 0
        async for _ in pair.b:
            seen += 1
            pair.b.close("enough")
        assert seen == 1
