"""Meshes over real TCP on loopback: who is connected, and what one bad peer cannot do to the others."""

import re
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pytest
import trio
from trio.abc import Stream

from protocol.errors import NotP2puno, PortTaken, Refused, Unreachable, Usage
from protocol.identity import Identity
from protocol.net import link as links
from protocol.net import mesh as meshes
from protocol.net.link import UNWANTED, Link, open_link, secure
from protocol.net.mesh import MAX_GREETINGS, Mesh, open_mesh
from tests.net.conformance import anybody, check_link

HOST = "127.0.0.1"


async def tcp() -> tuple[Stream, Stream]:
    (listener,) = await trio.open_tcp_listeners(0, host=HOST)
    async with listener:
        dialled = await trio.open_tcp_stream(*listener.socket.getsockname())
        return dialled, await listener.accept()


async def test_links_over_tcp() -> None:
    with trio.fail_after(10):
        await check_link(tcp)


class Player:
    """A mesh, its port, and everything that its callbacks were told."""

    def __init__(self, identity: Identity) -> None:
        self.identity = identity
        self.public = identity.public
        self.told: list[tuple[str, bytes, object]] = []
        self.mesh: Mesh
        self.port = 0
        self._changed = trio.Event()

    def tell(self, what: str, peer: bytes, value: object = None) -> None:
        self.told.append((what, peer, value))
        self._changed.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        with trio.fail_after(10):
            while not condition():
                with trio.move_on_after(0.01):  # what no callback tells, such as the end of a spare link
                    await self._changed.wait()
                self._changed = trio.Event()

    async def hears(self, what: str, peer: "Player", value: object = None) -> None:
        await self.until(lambda: (what, peer.public, value) in self.told)

    def count(self, what: str, peer: "Player") -> int:
        return sum(told[:2] == (what, peer.public) for told in self.told)

    async def meets(self, *others: "Player") -> None:
        for other in others:
            assert await self.mesh.dial(HOST, other.port) == other.public
            await other.until(lambda other=other: self.public in other.mesh.peers)  # type: ignore[misc]


@asynccontextmanager
async def player(
    identity: Identity | None = None,
    allowed: Callable[[bytes], bool] = anybody,
    on_frame: Callable[[bytes, bytes], object] | None = None,
    port: int = 0,
) -> AsyncIterator[Player]:
    who = Player(identity or Identity.fresh())
    async with open_mesh(
        who.identity,
        on_frame=on_frame or (lambda peer, frame: who.tell("frame", peer, frame)),
        on_up=lambda peer: who.tell("up", peer),
        on_down=lambda peer, reason: who.tell("down", peer, reason),
        on_retry=lambda peer, seconds, reason: who.tell("retry", peer, (seconds, reason)),
        allowed=allowed,
    ) as who.mesh:
        ((_, who.port),) = await who.mesh.listen(HOST, port)
        yield who


def two_identities() -> tuple[Identity, Identity]:
    """The first has the smaller key: it decides between two links."""
    one, two = sorted((Identity.fresh(), Identity.fresh()), key=lambda identity: identity.public)
    return one, two


async def test_frames_reach_the_peers_they_are_meant_for() -> None:
    async with player() as ann, player() as bob, player() as cem:
        await ann.meets(bob, cem)
        assert ann.mesh.peers == sorted([bob.public, cem.public])
        assert ann.mesh.send(bob.public, b"for bob")
        assert cem.mesh.send(ann.public, b"for ann")
        assert all(ann.mesh.send(peer, b"for all") for peer in ann.mesh.peers)
        await bob.hears("frame", ann, b"for bob")
        await ann.hears("frame", cem, b"for ann")
        await bob.hears("frame", ann, b"for all")
        await cem.hears("frame", ann, b"for all")
        assert ("frame", ann.public, b"for bob") not in cem.told
        assert bob.mesh.send(cem.public, b"no link between these") is False
        assert bob.mesh.queued(ann.public) == bob.mesh.queued(cem.public) == 0


async def test_ipv4_and_ipv6_share_one_port_and_frames_go_without_delay() -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    async with player() as ann, player() as bob:
        bound = await bob.mesh.listen(None, 0)
        assert len({port for _, port in bound}) == 1
        for host in [{"0.0.0.0": "127.0.0.1", "::": "::1"}[host] for host, _ in bound]:
            assert await ann.mesh.dial(host, bound[0][1], expect=bob.public) == bob.public
        tls = ann.mesh._links[bob.public][-1]._stream
        assert isinstance(tls, trio.SSLStream)
        assert tls.transport_stream.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_a_link_local_address_typed_without_a_scope_is_dialled_on_each_interface(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So is it shown by the one who hosts: the scope is the business of who types it."""
    monkeypatch.setattr(meshes, "interfaces", lambda: ())
    monkeypatch.setattr(meshes, "scoped", lambda host, among: {"fe80::1": ("192.0.2.1%2", HOST)}[host])
    async with player() as ann, player() as bob:
        assert await ann.mesh.dial("fe80::1", bob.port) == bob.public


async def test_another_key_than_the_expected_one_is_refused() -> None:
    """C46."""
    async with player() as ann, player() as bob:
        with pytest.raises(Refused):
            await ann.mesh.dial(HOST, bob.port, expect=Identity.fresh().public)
        assert ann.mesh.peers == bob.mesh.peers == []
        assert bob.told == []


async def test_who_is_not_allowed_is_told_so() -> None:
    async with player() as ann, player(allowed=lambda peer: peer != ann.public) as bob, player() as cem:
        with pytest.raises(Refused, match=re.escape(UNWANTED)):
            await ann.mesh.dial(HOST, bob.port)
        await cem.meets(bob)
        assert bob.mesh.peers == [cem.public]


async def test_a_table_has_a_limit_of_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """C45: any number of fresh keys cannot fill the memory."""
    monkeypatch.setattr(meshes, "MAX_LINKS", 1)
    async with player() as ann, player() as bob, player() as cem:
        await ann.meets(bob)
        with pytest.raises(Refused):
            await cem.mesh.dial(HOST, bob.port)


async def test_problems_with_addresses_have_names_and_hints() -> None:
    async with player() as ann, player() as bob:
        with pytest.raises(PortTaken) as taken:
            await bob.mesh.listen(HOST, ann.port)
        with pytest.raises(Usage) as elsewhere:
            await bob.mesh.listen("192.0.2.1", 0)  # an address for documentation: nobody has it
        with pytest.raises(Refused) as myself:
            await ann.mesh.dial(HOST, ann.port)
        (closed,) = await trio.open_tcp_listeners(0, host=HOST)
        port = closed.socket.getsockname()[1]
        await closed.aclose()
        with pytest.raises(Unreachable) as nobody:
            await ann.mesh.dial(HOST, port)
        with pytest.raises(Unreachable) as nonsense:
            await ann.mesh.dial("a" * 70 + ".invalid", port)
        for caught in (taken, elsewhere, myself, nobody, nonsense):
            assert caught.value.hint
            assert caught.value.message[-1] != "."
        assert f"{HOST}:{port}: connection refused" in nobody.value.message or "refused" in nobody.value.message


async def test_a_foreign_program_at_the_port_is_named() -> None:
    async def http(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.send_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    async with player() as ann, trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host=HOST)
        nursery.start_soon(trio.serve_listeners, http, [listener])
        with pytest.raises(NotP2puno) as caught:
            await ann.mesh.dial(*listener.socket.getsockname())
        assert f":{listener.socket.getsockname()[1]}" in caught.value.message
        nursery.cancel_scope.cancel()


# -- double links


@pytest.mark.parametrize("turn", range(8))
async def test_two_that_dial_each_other_at_once_end_with_one_living_link(turn: int) -> None:
    one, two = two_identities()
    async with player(one) as ann, player(two) as bob:
        first, second = (ann, bob) if turn % 2 else (bob, ann)
        async with trio.open_nursery() as nursery:
            for who, whom in ((first, second), (second, first)) * (1 + turn // 4):
                nursery.start_soon(who.mesh.dial, HOST, whom.port)
        await ann.until(lambda: len(ann.mesh._links[bob.public]) == 1)
        await bob.until(lambda: len(bob.mesh._links[ann.public]) == 1)
        ann.mesh.send(bob.public, b"ping")
        bob.mesh.send(ann.public, b"pong")
        await bob.hears("frame", ann, b"ping")
        await ann.hears("frame", bob, b"pong")
        assert ann.count("down", bob) == bob.count("down", ann) == 0
        # Each was told after the surviving link came into use, so that both can tell again what was lost.
        assert ann.count("up", bob) >= 1
        assert bob.count("up", ann) >= 1


@pytest.mark.parametrize("smaller_returns", [True, False])
async def test_a_peer_that_returns_need_not_wait_for_the_death_of_its_old_link(smaller_returns: bool) -> None:
    one, two = two_identities()
    async with player(two if smaller_returns else one) as ann:
        bob_identity = one if smaller_returns else two
        # Bob's machine has lost its memory; its old connection stands open and silent.
        old = await trio.open_tcp_stream(HOST, ann.port)
        await secure(old, bob_identity, False, anybody)
        await ann.until(lambda: ann.mesh.peers == [bob_identity.public])
        async with player(bob_identity) as bob:
            await bob.mesh.dial(HOST, ann.port)
            await ann.until(lambda: ann.count("up", bob) == 2)
            ann.mesh.send(bob.public, b"welcome back")
            await bob.hears("frame", ann, b"welcome back")
            bob.mesh.send(ann.public, b"thanks")
            await ann.hears("frame", bob, b"thanks")
        await trio.aclose_forcefully(old)


async def test_the_side_with_the_smaller_key_keeps_the_newest_link() -> None:
    """docs/links.md: the other side waits for it, so a program that does otherwise would not fit ours."""
    one, two = two_identities()
    with trio.fail_after(10):
        async with player(one) as ann:
            older, newer = [
                (await secure(await trio.open_tcp_stream(HOST, ann.port), two, False, anybody))[0] for _ in range(2)
            ]
            async with open_link(older, ann.public) as link:
                assert [frame async for frame in link] == []
                assert link.reason == "ended by the other side: replaced by a newer link"
            ann.mesh.send(two.public, b"here")
            async with open_link(newer, ann.public) as link:
                assert await link.__anext__() == b"here"


async def test_spare_links_are_limited_even_if_the_other_side_should_close_them() -> None:
    one, two = two_identities()
    async with player(two) as ann:
        streams = []
        for _ in range(meshes.MAX_LINKS_PER_PEER + 3):
            stream = await trio.open_tcp_stream(HOST, ann.port)
            streams.append(await secure(stream, one, False, anybody))
        await ann.until(lambda: sum(told[0] == "up" for told in ann.told) == len(streams))
        await ann.until(lambda: len(ann.mesh._links[one.public]) <= meshes.MAX_LINKS_PER_PEER)
        for secured, _ in streams:
            await trio.aclose_forcefully(secured)


# -- one bad peer


def reset(stream: trio.SocketStream) -> None:
    """Make the coming close a TCP reset."""
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def test_resets_and_garbage_do_not_stop_the_others() -> None:
    """C45; one reset must not end the whole server, as it does in a naive `serve_tcp`."""
    async with player() as ann, player() as bob:
        for garbage in (b"", b"\x00", b"GET / HTTP/1.1\r\n\r\n", b"p2puno\x01\xff\xff", bytes(5000)):
            stream = await trio.open_tcp_stream(HOST, ann.port)
            await stream.send_all(garbage or b"p")
            reset(stream)
            await stream.aclose()
        stream = await trio.open_tcp_stream(HOST, ann.port)
        secured, _ = await secure(stream, stranger := Identity.fresh(), False, anybody)
        await ann.until(lambda: ann.mesh.peers == [stranger.public])
        reset(stream)
        await trio.aclose_forcefully(secured)
        await ann.until(lambda: any(told[:2] == ("down", stranger.public) for told in ann.told))
        await bob.meets(ann)


async def test_a_frame_that_we_cannot_handle_costs_its_sender_the_link_and_nobody_else() -> None:
    def fragile(peer: bytes, frame: bytes) -> None:
        if frame == b"poison":
            raise ZeroDivisionError
        ann.tell("frame", peer, frame)

    async with player(on_frame=fragile) as ann, player() as bob, player() as cem:
        await bob.meets(ann)
        await cem.meets(ann)
        bob.mesh.send(ann.public, b"poison")
        await bob.hears("down", ann, "ended by the other side: a frame that cannot be handled")
        cem.mesh.send(ann.public, b"all well")
        await ann.hears("frame", cem, b"all well")


async def test_a_callback_that_fails_does_not_stop_the_mesh(monkeypatch: pytest.MonkeyPatch) -> None:
    async with player() as ann, player() as bob:

        def broken(peer: bytes) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(ann.mesh, "_on_up", broken)
        await bob.meets(ann)
        bob.mesh.send(ann.public, b"still here")
        await ann.hears("frame", bob, b"still here")


async def test_a_link_that_fails_in_an_unforeseen_way_does_not_stop_the_mesh(monkeypatch: pytest.MonkeyPatch) -> None:
    async with player() as ann, player() as bob, player() as cem:
        receive = Link._receive

        async def broken(self: Link) -> bytes | None:
            if self.peer == bob.public:
                raise ZeroDivisionError
            return await receive(self)

        monkeypatch.setattr(Link, "_receive", broken)
        await bob.mesh.dial(HOST, ann.port)
        await ann.hears("down", bob, "closed")
        await cem.meets(ann)
        assert ann.mesh.peers == [cem.public]


async def test_a_flood_of_half_open_greetings_crowds_out_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """C45: silent connections are limited in number, and those who greet properly still come in."""
    monkeypatch.setattr(links, "HANDSHAKE_LIMIT", 1000.0)  # so that only their number can end them
    async with player() as ann, player() as bob:
        flood = [await trio.open_tcp_stream(HOST, ann.port) for _ in range(2 * MAX_GREETINGS)]
        with trio.fail_after(5):
            for stream in flood[:MAX_GREETINGS]:
                with suppress(trio.BrokenResourceError):
                    while await stream.receive_some():
                        pass  # the hello, and then the end: the oldest have been thrown out
        assert len(ann.mesh._greetings) <= MAX_GREETINGS
        await bob.meets(ann)
        for stream in flood:
            await stream.aclose()


@pytest.mark.parametrize("hanging", ["half open", "deaf", "dialling"])
async def test_quitting_takes_less_than_a_second_whatever_hangs(hanging: str) -> None:
    """N02, N03."""
    async with trio.open_nursery() as nursery:
        async with player() as ann:
            stream = await trio.open_tcp_stream(HOST, ann.port)
            if hanging == "half open":
                await ann.until(lambda: True)
                while not ann.mesh._greetings:
                    await trio.lowlevel.checkpoint()
            elif hanging == "deaf":
                stranger = Identity.fresh()
                await secure(stream, stranger, False, anybody)
                await ann.until(lambda: ann.mesh.peers == [stranger.public])
                for _ in range(300):
                    ann.mesh.send(stranger.public, b"x" * 60_000)
            else:
                (silent,) = await trio.open_tcp_listeners(0, host=HOST)
                nursery.start_soon(trio.serve_listeners, lambda stream: trio.sleep_forever(), [silent])
                ann.mesh.keep(Identity.fresh().public, [silent.socket.getsockname()[:2]])
                for _ in range(50):
                    await trio.lowlevel.checkpoint()
            nursery.cancel_scope.deadline = trio.current_time() + 1
        assert not nursery.cancel_scope.cancel_called
        nursery.cancel_scope.cancel()
    await trio.aclose_forcefully(stream)


async def test_an_error_inside_the_block_comes_out_as_itself() -> None:
    """N04: not as a group of one."""
    with pytest.raises(PortTaken):
        async with player() as ann, player(port=ann.port):
            raise AssertionError("two programs share a port")
