"""What others may cost us (C45): on a virtual clock where it is about time, over loopback where it is about links."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from p2puno.rules import Rules
from protocol.errors import Refused
from protocol.events import LinkChanged, Notice
from protocol.identity import Identity
from protocol.messages import Head, Heads, encode
from protocol.net import limits
from protocol.net.gathering import open_host, open_join
from protocol.net.limits import BARRED, Allowance, Bucket, Register
from protocol.net.link import MAX_FRAME, open_link
from protocol.net.mesh import Mesh, open_mesh
from protocol.net.questions import ANSWERS_BURST, LOOK_AGAIN, ROOM, Questions, is_question
from tests.net.conformance import Pair, rest_of
from tests.net.test_link import memory
from tests.net.test_mesh import HOST, player


async def test_a_bucket_fills_at_its_rate(autojump_clock: MockClock) -> None:
    bucket = Bucket(2.0, 4.0)
    assert [bucket.take() for _ in range(5)] == [True] * 4 + [False]
    await trio.sleep(1.0)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    await trio.sleep(1000)
    assert bucket.spend(4.0) == 0
    assert bucket.spend(3.0) == 1.5


async def test_a_new_link_does_not_fill_the_budget_again(autojump_clock: MockClock) -> None:
    """What a peer has spent is spent, over however many links."""
    allowance = Allowance()
    sent = 0
    for _ in range(5):
        async with Pair(memory) as pair, open_link(pair.b._stream, pair.b.peer, allowance) as bob:
            pair.a._allowance.pace = lambda size: 0.0  # type: ignore[method-assign]  # another program than ours
            while sent < limits.BUDGET_BYTES_BURST and pair.a.queued < 5_000_000:
                pair.a.send(b"x" * MAX_FRAME)
                sent += MAX_FRAME
            pair.a.close("enough")
            await rest_of(bob)
    assert bob.excess
    assert "budget" in str(bob.reason)


async def test_greetings_are_limited_for_each_host_and_for_all(autojump_clock: MockClock) -> None:
    register = Register()
    burst = int(limits.GREETINGS_BURST)
    assert [register.may_greet("10.0.0.1") for _ in range(burst + 1)] == [True] * burst + [False]
    assert register.may_greet("10.0.0.2")  # another host is not affected
    await trio.sleep(1.0)
    assert register.may_greet("10.0.0.1")
    register = Register()
    crowd = [register.may_greet(f"10.0.{number // 250}.{number % 250}") for number in range(1000)]
    assert sum(crowd) == limits.ALL_GREETINGS_BURST
    assert len(register._hosts) == limits.MAX_KNOWN  # and they fill no memory


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),  # whoever has one of a network's addresses can have them all
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", False),  # on a link each machine has one
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("10.0.0.1", "10.0.0.2", False),
    ],
)
def test_what_counts_as_one_host(one: str, other: str, same: bool) -> None:
    assert (limits._network(one) == limits._network(other)) is same


async def test_peers_fill_no_memory(autojump_clock: MockClock) -> None:
    register = Register()
    kept = register.of(b"honest")
    for number in range(10 * limits.MAX_KNOWN):
        register.of(str(number).encode())
        assert register.of(b"honest") is kept  # who is dealt with all the time is not forgotten
    assert len(register._peers) == limits.MAX_KNOWN


async def test_what_is_of_no_use_ends_the_link_and_bars_for_a_while() -> None:
    """The player is told, the others keep their links, and no new link is had before the time is over."""
    told: list[tuple[bytes | None, str]] = []

    def on_frame(peer: bytes, frame: bytes) -> None:
        if frame == b"junk":
            ann.wasted(peer, 1_000_000)

    mine, eve = Identity.fresh(), Identity.fresh()
    async with open_mesh(
        mine,
        on_frame=on_frame,
        on_up=lambda peer: None,
        on_down=lambda peer, reason: None,
        on_excess=lambda peer, reason: told.append((peer, reason)),
    ) as ann:
        ((_, port),) = await ann.listen(HOST, 0)
        async with player() as bob, player(eve) as bad:
            await bob.mesh.dial(HOST, port)
            await bad.mesh.dial(HOST, port)
            for _ in range(20):
                bad.mesh.send(mine.public, b"junk")
            await bad.until(lambda: not bad.mesh.peers)
            with pytest.raises(Refused):
                await bad.mesh.dial(HOST, port)
            assert [peer for peer, _ in told] == [eve.public]
            assert "no use" in told[0][1]
            assert ann.peers == [bob.public]
            ann._register.of(eve.public).barred_until -= BARRED
            assert await bad.mesh.dial(HOST, port) == mine.public


async def test_a_seat_that_sends_junk_is_cut_off_and_shown(tmp_path: Path) -> None:
    mia = Identity.fresh()
    rules = Rules.make("batman")
    with trio.fail_after(30):
        async with (
            open_host(mia, "Mia", rules, seats=2, host=HOST, port=0, journal_dir=tmp_path) as host,
            open_join(Identity.fresh(), "Eve", host.addresses[0], journal_dir=tmp_path) as eve,
        ):
            async for event in host.events:
                if isinstance(event, LinkChanged) and event.up:
                    assert eve.mesh is not None
                    while eve.mesh.queued(mia.public) < 6_000_000 and eve.mesh.send(mia.public, b"x" * 4096):
                        pass
                if isinstance(event, Notice):
                    assert event.message == "Eve is cut off for a while: too much that is of no use"
                    return
    raise AssertionError("nothing is shown")


async def test_who_makes_link_after_link_gets_no_more(autojump_clock: MockClock) -> None:
    allowance = Allowance()
    burst = int(limits.LINKS_BURST)
    assert [allowance.link() for _ in range(burst + 1)] == [True] * burst + [False]
    # An honest peer whose link breaks again and again waits longer and longer.
    allowance = Allowance()
    for wait in (0.0, 0.5, 1, 2, 4, *[8] * 100):
        await trio.sleep(wait)
        assert allowance.link()


async def test_strangers_that_flood_are_told_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "GREETINGS_BURST", 5.0)
    told: list[tuple[bytes | None, str]] = []
    async with open_mesh(
        Identity.fresh(),
        on_frame=lambda peer, frame: None,
        on_up=lambda peer: None,
        on_down=lambda peer, reason: None,
        on_excess=lambda peer, reason: told.append((peer, reason)),
    ) as ann:
        ((_, port),) = await ann.listen(HOST, 0)
        await _turned_away(port, 40)
        assert told == [(None, f"too many connections come from {HOST}: not all of them get in")]
        assert isinstance(ann, Mesh)


async def _turned_away(port: int, count: int) -> None:
    """Connect so often, and wait until most of these connections are closed without a word."""
    closed = 0
    for _ in range(count):
        stream = await trio.open_tcp_stream(HOST, port)
        with trio.move_on_after(0.2):
            try:
                closed += not await stream.receive_some()
            except trio.BrokenResourceError:
                closed += 1
        await trio.aclose_forcefully(stream)
        if closed >= 3:
            return
    raise AssertionError("everybody gets in")


# -- questions with long answers


def question(count: int) -> bytes:
    return encode(Heads(bytes(32), (Head(0, count, bytes(32)),)))


async def test_heads_are_answered_in_turn_and_only_the_last_counts(autojump_clock: MockClock) -> None:
    questions = Questions()
    answered = []
    for number in range(1000):
        questions.ask(1, question(number))
        answered += questions.due(lambda seat: 0)
    assert len(answered) == ANSWERS_BURST
    assert questions
    questions.ask(2, question(0))
    assert questions.due(lambda seat: 0) == [(2, question(0))]  # each seat has its own
    while questions:
        await trio.sleep(LOOK_AGAIN)
        answered += questions.due(lambda seat: 0)
    assert answered[-1] == (1, question(999))
    assert len(answered) == ANSWERS_BURST + 1


async def test_who_does_not_read_gets_no_further_answer(autojump_clock: MockClock) -> None:
    questions = Questions()
    questions.ask(1, question(0))
    assert questions.due(lambda seat: ROOM + 1) == []
    assert questions.due(lambda seat: ROOM) == [(1, question(0))]


def test_only_heads_are_questions() -> None:
    assert is_question(question(5))
    assert not is_question(b"\x93\x04")
    assert not is_question(b"")
