"""Links over memory streams and a virtual clock: frames, limits, life and death."""

import pytest
import trio
from trio.abc import Stream
from trio.testing import MockClock, memory_stream_pair

from protocol.net import limits
from protocol.net.link import (
    DEAD_AFTER,
    FRAME,
    FRAME_LIMIT,
    LINGER,
    MAX_FRAME,
    MAX_QUEUE,
    Kind,
    open_link,
)
from tests.net.conformance import Pair, check_link, greet, rest_of


async def memory() -> tuple[Stream, Stream]:
    return memory_stream_pair()


async def test_links_over_memory_streams(autojump_clock: MockClock) -> None:
    await check_link(memory)


# -- frames and limits: Bob against a hand that writes raw bytes into Ann's end


async def against_raw(
    *writes: bytes, pause: float = 0.0, hold: bool = True, read: bool = True
) -> tuple[list[bytes], str, float]:
    """(frames, reason, seconds) of Bob's link when the other side's channel carries just these ``writes``."""
    came = await greet(memory)
    raw: trio.SSLStream[Stream] = came["dialler"][0]  # type: ignore[index]

    async def write() -> None:
        try:
            for data in writes:
                await raw.send_all(data)
                await trio.sleep(pause)
        except trio.BrokenResourceError:
            return
        if not hold:
            await trio.aclose_forcefully(raw)

    async def drain() -> None:
        try:
            while read and await raw.receive_some():
                pass
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return

    start = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(drain)
        nursery.start_soon(write)
        async with open_link(*came["listener"]) as bob:  # type: ignore[misc]
            frames = await rest_of(bob)
            took = trio.current_time() - start
        nursery.cancel_scope.cancel()
    assert bob.reason is not None
    return frames, bob.reason, took


async def test_a_frame_over_the_limit_is_refused_before_it_is_read(autojump_clock: MockClock) -> None:
    """C45: the header alone decides; not one byte of the payload is waited for."""
    frames, reason, took = await against_raw(FRAME.pack(MAX_FRAME + 1, Kind.DATA))
    assert (frames, took) == ([], 0)
    assert "too large" in reason
    frames, reason, took = await against_raw(FRAME.pack(2**32 - 1, Kind.DATA))
    assert "too large" in reason


async def test_a_frame_at_the_limit_is_waited_for(autojump_clock: MockClock) -> None:
    frames, _, _ = await against_raw(FRAME.pack(MAX_FRAME, Kind.DATA) + b"x" * MAX_FRAME, hold=False)
    assert frames == [b"x" * MAX_FRAME]


@pytest.mark.parametrize("raw", [FRAME.pack(0, 99), FRAME.pack(0, Kind.WELCOME), FRAME.pack(3, Kind.BEAT) + b"abc"])
async def test_unknown_kinds_of_frames_end_the_link(autojump_clock: MockClock, raw: bytes) -> None:
    frames, reason, _ = await against_raw(FRAME.pack(2, Kind.DATA) + b"ok", raw)
    assert frames == [b"ok"]
    assert "protocol" in reason


async def test_a_farewell_is_cleaned_and_cut(autojump_clock: MockClock) -> None:
    """C44: the reason that the other side gives is shown on our screen."""
    text = "\x1b[31m\u202ehaÿ".encode() + b"\xff" + b"x" * 10_000
    _, reason, _ = await against_raw(FRAME.pack(len(text), Kind.BYE) + text)
    assert reason.startswith("ended by the other side: haÿ")
    assert "\x1b" not in reason
    assert "\u202e" not in reason
    assert len(reason) < 300


async def test_a_flood_of_frames_is_over_the_budget(autojump_clock: MockClock) -> None:
    """C45."""
    one = FRAME.pack(1, Kind.DATA) + b"x"
    frames, reason, took = await against_raw(*[one * 500] * 40)
    assert "budget" in reason
    assert len(frames) == limits.BUDGET_FRAMES_BURST
    assert took == 0


async def test_a_flood_of_bytes_is_over_the_budget(autojump_clock: MockClock) -> None:
    """C45."""
    size = 64 * 1024
    one = FRAME.pack(size, Kind.DATA) + b"x" * size
    frames, reason, _ = await against_raw(*[one] * 400)
    assert "budget" in reason
    assert 300 < len(frames) < 400


async def test_an_honest_burst_passes_and_is_paced(autojump_clock: MockClock) -> None:
    """A hundred shuffle entries of 20 KB go through at once, and ten times as many do so without ending the link."""
    async with Pair(memory) as pair:
        start = trio.current_time()
        for count, paced in ((100, False), (1000, True)):
            for _ in range(count):
                assert pair.a.send(b"e" * 20_000)
            for _ in range(count):
                await pair.b.__anext__()
            assert (trio.current_time() > start) is paced
        assert pair.a.reason is None
        assert pair.b.reason is None


async def test_a_whole_journal_of_small_entries_passes(autojump_clock: MockClock) -> None:
    """Who brings somebody up to date after a long absence is paced and never cut off, however much it is."""
    async with Pair(memory) as pair:
        for _ in range(3):
            for _ in range(10_000):
                assert pair.a.send(b"e" * 400)
            for _ in range(10_000):
                await pair.b.__anext__()
        assert (pair.a.reason, pair.b.reason) == (None, None)


# -- life and death


async def test_a_quiet_link_lives_by_its_heartbeats(autojump_clock: MockClock) -> None:
    async with Pair(memory) as pair, trio.open_nursery() as nursery:
        nursery.start_soon(rest_of, pair.a)
        nursery.start_soon(rest_of, pair.b)
        await trio.sleep(100 * DEAD_AFTER)
        assert pair.a.reason is None
        assert pair.b.reason is None
        pair.a.close("done")


async def test_a_silent_link_dies(autojump_clock: MockClock) -> None:
    """The connection stands and nothing comes, as after a pulled cable."""
    _, reason, took = await against_raw()
    assert "no sign of life" in reason
    assert took == pytest.approx(DEAD_AFTER)


async def test_a_frame_may_not_drip_in_for_ever(autojump_clock: MockClock) -> None:
    """C45: slow frames; each byte is a sign of life, but a frame must come to its end."""
    data = FRAME.pack(100, Kind.DATA) + b"x" * 100
    frames, reason, took = await against_raw(*[bytes([b]) for b in data], pause=DEAD_AFTER / 2)
    assert frames == []
    assert "does not end" in reason
    assert took < FRAME_LIMIT + DEAD_AFTER * len(FRAME.pack(0, 0))


class Deaf(trio.abc.Stream):
    """A stream that can be told to take nothing any more, like TCP when the other side stops reading, or only so many
    bytes a second."""

    def __init__(self, inner: Stream) -> None:
        self.inner, self.deaf, self.rate = inner, False, 0

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        if self.deaf:
            await trio.sleep_forever()
        if self.rate:
            await trio.sleep(len(data) / self.rate)
        await self.inner.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self.inner.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self.inner.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self.inner.aclose()


async def deaf_pair() -> tuple[Deaf, Stream]:
    one, two = memory_stream_pair()
    return Deaf(one), two


async def test_a_peer_that_does_not_read_is_given_up(autojump_clock: MockClock) -> None:
    async with Pair(deaf_pair) as pair, trio.open_nursery() as nursery:
        pair.a._stream.transport_stream.deaf = True  # type: ignore[attr-defined]
        nursery.start_soon(rest_of, pair.b)
        pair.a.send(b"into the void")
        start = trio.current_time()
        await rest_of(pair.a)
        assert pair.a.reason == "the other side does not read"
        assert trio.current_time() - start <= DEAD_AFTER + 1
        pair.b.close("done")


async def test_the_largest_frame_gets_through_a_slow_link(autojump_clock: MockClock) -> None:
    """It takes longer than a silence may last, and nobody gives the link up."""
    async with Pair(deaf_pair) as pair, trio.open_nursery() as nursery:
        nursery.start_soon(rest_of, pair.a)
        pair.a._stream.transport_stream.rate = 50_000  # type: ignore[attr-defined]
        start = trio.current_time()
        pair.a.send(b"x" * MAX_FRAME)
        async for frame in pair.b:
            assert len(frame) == MAX_FRAME
            break
        assert DEAD_AFTER < trio.current_time() - start < FRAME_LIMIT
        assert pair.a.reason is None
        pair.a.close("done")
        pair.b.close("done")


async def test_a_queue_that_overflows_ends_the_link(autojump_clock: MockClock) -> None:
    async with Pair(deaf_pair) as pair:
        pair.a._stream.transport_stream.deaf = True  # type: ignore[attr-defined]
        sent = 0
        while pair.a.send(b"x" * MAX_FRAME):
            sent += 1
        assert sent == MAX_QUEUE // (MAX_FRAME + FRAME.size)
        assert pair.a.reason == "the other side takes frames too slowly"
        assert await rest_of(pair.a) == []
        start = trio.current_time()
    assert trio.current_time() - start <= 2 * LINGER  # nothing of the queue is waited for


@pytest.mark.parametrize("act", ["close", "cancel", "leave"])
async def test_an_end_never_hangs_on_a_deaf_peer(autojump_clock: MockClock, act: str) -> None:
    """N03: neither closing, cancelling nor leaving the block waits longer than LINGER."""
    came = await greet(deaf_pair)
    start = trio.current_time()
    with trio.CancelScope() as scope:
        async with open_link(*came["dialler"]) as link:  # type: ignore[misc]
            link._stream.transport_stream.deaf = True  # type: ignore[attr-defined]
            link.send(b"never read")
            await trio.testing.wait_all_tasks_blocked()
            if act == "close":
                await link.aclose()
            elif act == "cancel":
                scope.cancel()
                await trio.sleep_forever()
    assert trio.current_time() - start <= 2 * LINGER
    assert link.reason


async def test_a_cancelled_link_still_says_goodbye(autojump_clock: MockClock) -> None:
    came = await greet(memory)

    async def short_life(scope: trio.CancelScope) -> None:
        with scope:
            async with open_link(*came["dialler"]) as link:  # type: ignore[misc]
                link.send(b"leaving")
                await trio.sleep_forever()

    scope = trio.CancelScope()
    async with trio.open_nursery() as nursery, open_link(*came["listener"]) as bob:  # type: ignore[misc]
        nursery.start_soon(short_life, scope)
        assert await bob.__anext__() == b"leaving"
        scope.cancel()
        assert await rest_of(bob) == []
        assert bob.reason == "ended by the other side: closed"


def test_the_budget_leaves_room_for_what_an_honest_peer_sent_during_a_stall() -> None:
    """Whoever keeps to the pace is never cut off, even when the network delivers DEAD_AFTER seconds at once."""
    assert limits.PACE_BYTES_BURST + limits.PACE_BYTES * DEAD_AFTER < limits.BUDGET_BYTES_BURST
    assert limits.PACE_FRAMES_BURST + limits.PACE_FRAMES * DEAD_AFTER < limits.BUDGET_FRAMES_BURST
    assert limits.PACE_BYTES < limits.BUDGET_BYTES
    assert limits.PACE_FRAMES < limits.BUDGET_FRAMES
    assert MAX_QUEUE > 100 * 20_000
