"""Links that live: who dials whom and when, addresses that change, and what the player sees of it."""

from __future__ import annotations

import ipaddress
from itertools import pairwise
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from p2puno.rules import Rules
from protocol import events as tell
from protocol.errors import Unreachable
from protocol.identity import Identity
from protocol.net import driver
from protocol.net import mesh as meshes
from protocol.net.driver import Session
from protocol.net.gathering import open_host, open_join
from protocol.net.interfaces import Interface, Reach, scoped
from protocol.net.limits import BARRED
from protocol.net.meeting import seen
from protocol.net.mesh import Mesh, open_mesh
from tests.net.test_mesh import HOST, player


class Dials:
    """When a mesh dialled in vain, and which waits it told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at: list[float] = []
        self.told: list[float] = []
        dials = self.at

        async def nobody(self: Mesh, host: str, port: int, expect: bytes | None) -> None:
            dials.append(trio.current_time())
            raise Unreachable("nobody is there")

        monkeypatch.setattr(Mesh, "_reach", nobody)

    async def see(
        self, seconds: float, patience: float, barred: bool = False, mutual: bool = False, larger: bool = False
    ) -> list[float]:
        """The seconds, from the start, of the dials in so many seconds; `larger`: ours is the larger key."""
        start = trio.current_time()
        one, other = sorted((Identity.fresh(), Identity.fresh()), key=lambda one: one.public, reverse=larger)
        peer = other.public
        async with open_mesh(
            one,
            on_frame=lambda peer, frame: None,
            on_up=lambda peer: None,
            on_down=lambda peer, reason: None,
            on_retry=lambda peer, seconds, reason: self.told.append(seconds),
        ) as mesh:
            if barred:
                mesh._register.of(peer).bar()
            mesh.keep(peer, [("192.0.2.1", 1)], patience, mutual=mutual)
            await trio.sleep(seconds)
        return [at - start for at in self.at]


async def test_who_is_not_in_charge_waits_first(autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    times = await Dials(monkeypatch).see(20.0, patience=3.0)
    assert [round(time, 2) for time in times] == [3.0, 3.5, 4.5, 6.5, 10.5, 18.5]


@pytest.mark.parametrize("larger", [True, False])
async def test_who_is_in_charge_dials_at_once(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, larger: bool
) -> None:
    assert (await Dials(monkeypatch).see(0.1, patience=0.0, larger=larger)) == [0.0]


async def test_of_two_that_are_told_to_dial_each_other_one_begins(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await Dials(monkeypatch).see(0.1, patience=0.0, mutual=True, larger=False)) == [0.0]
    assert (await Dials(monkeypatch).see(0.6, patience=0.0, mutual=True, larger=True)) == [2 * meshes.STAGGER]


async def test_who_was_cut_off_is_not_dialled_for_a_while(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C45: and the wait is told."""
    dials = Dials(monkeypatch)
    times = await dials.see(BARRED + 1.0, patience=0.0, barred=True)
    assert times[0] == pytest.approx(BARRED)
    assert dials.told[0] == pytest.approx(BARRED)
    assert all(later > earlier for earlier, later in pairwise(times))


async def test_one_good_direction_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """D05: the side in charge cannot reach the other, which has a firewall less or a new address; so it is dialled."""
    monkeypatch.setattr(meshes, "RETRY_FIRST", 1000.0)
    async with player() as ann, player() as bob:
        (silent,) = await trio.open_tcp_listeners(0, host=HOST)
        async with silent:
            ann.mesh.keep(bob.public, [silent.socket.getsockname()[:2]])
            bob.mesh.keep(ann.public, [(HOST, ann.port)], patience=0.05)
            await ann.until(lambda: ann.mesh.peers == [bob.public])
            await bob.until(lambda: bob.mesh.peers == [ann.public])


async def test_the_player_sees_that_a_seat_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seat, the wait and the reason."""
    monkeypatch.setattr(driver, "PATIENCE", 0.05)
    monkeypatch.setattr(meshes, "RETRY_FIRST", 0.05)
    rules = Rules.make("batman", hand_size=5)

    async def hears(session: Session, kind: type[tell.Event]) -> tell.Event:
        async for event in session.events:
            if isinstance(event, kind):
                return event
        raise AssertionError("the table ends")

    with trio.fail_after(30):
        async with open_host(Identity.fresh(), "Mia", rules, seats=2, host=HOST, port=0, journal_dir=tmp_path) as host:
            async with open_join(Identity.fresh(), "Bob", host.addresses[0], journal_dir=tmp_path):
                assert await hears(host, tell.LinkChanged) == tell.LinkChanged(1, True)
            event = await hears(host, tell.Redial)
            assert isinstance(event, tell.Redial)
            assert (event.seat, event.seconds) == (1, 0.05)
            assert "connection refused" in event.reason


# -- addresses of another machine


def interface(index: int, reach: Reach = Reach.LAN) -> Interface:
    return Interface(f"eth{index}", index, reach, (ipaddress.IPv6Interface("fe80::9/64"),))


def test_a_link_local_address_is_dialled_on_each_interface() -> None:
    """The scope in it would be that of the machine that told it."""
    among = [interface(2), interface(5, Reach.VIRTUAL), interface(1, Reach.SELF)]
    assert scoped("fe80::1", among) == ("fe80::1%2", "fe80::1%5")
    assert scoped("fe80::1%eth7", among) == ("fe80::1%eth7",)  # typed here
    assert scoped("fe80::1", among[2:]) == ("fe80::1",)  # there is no way, and the system says so
    assert [scoped(host, among) for host in ("10.0.0.1", "fd00::1", "name")] == [("10.0.0.1",), ("fd00::1",), ("name",)]


def test_the_creator_tells_no_scope_of_its_own() -> None:
    assert seen("fe80::1%eth0") == "fe80::1"
    assert seen("::ffff:10.0.0.1") == "10.0.0.1"
    assert seen("::1") == ""


# -- keeping a link


async def test_a_kept_peer_is_dialled_again_after_it_was_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meshes, "RETRY_FIRST", 0.01)
    monkeypatch.setattr(meshes, "RETRY_MOST", 0.02)
    monkeypatch.setattr(meshes, "STAGGER", 0.0)
    identity = Identity.fresh()
    async with player() as ann:
        async with player(identity) as bob:
            ann.mesh.keep(bob.public, [(HOST, bob.port)])
            await bob.until(lambda: ann.public in bob.mesh.peers)
        await ann.hears("down", bob, "ended by the other side: closed")
        await ann.until(lambda: ann.count("retry", bob) >= 3)
        async with player(identity, port=bob.port) as bob_again:
            await bob_again.until(lambda: ann.public in bob_again.mesh.peers)
            await ann.until(lambda: ann.count("up", bob) == 2)
            # Dropped on purpose, it stays away.
            ann.mesh.drop(bob.public, "that is all")
            await bob_again.hears("down", ann, "ended by the other side: that is all")
            await ann.until(lambda: ann.count("down", bob) == 2)
            tries = ann.count("retry", bob)
            await trio.testing.wait_all_tasks_blocked(0.05)
            assert ann.mesh.peers == []
            assert ann.count("retry", bob) == tries


async def test_of_several_addresses_the_one_that_answers_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer with several interfaces tells addresses that cannot be reached from here."""
    monkeypatch.setattr(meshes, "STAGGER", 0.01)
    async with player() as ann, player() as bob, player() as cem:
        (silent,) = await trio.open_tcp_listeners(0, host=HOST)
        async with silent:
            addresses = [silent.socket.getsockname()[:2], (HOST, cem.port), (HOST, bob.port)]
            ann.mesh.keep(bob.public, addresses)
            with trio.fail_after(3):
                await ann.until(lambda: ann.mesh.peers == [bob.public])


async def test_new_addresses_are_tried_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meshes, "RETRY_FIRST", 1000.0)
    monkeypatch.setattr(meshes, "STAGGER", 0.0)
    async with player() as ann, player() as bob:
        ann.mesh.keep(bob.public, [])
        await ann.until(lambda: ann.count("retry", bob) == 1)
        ann.mesh.keep(bob.public, [(HOST, bob.port)])
        await bob.until(lambda: ann.public in bob.mesh.peers)


async def test_the_back_off_grows_is_shown_and_has_a_limit(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nobody(self: Mesh, host: str, port: int, expect: bytes | None) -> None:
        raise Unreachable("nobody is there")

    monkeypatch.setattr(Mesh, "_reach", nobody)
    retries: list[tuple[float, float, str]] = []
    done = trio.Event()

    def on_retry(peer: bytes, seconds: float, reason: str) -> None:
        retries.append((trio.current_time(), seconds, reason))
        if len(retries) == 8:
            done.set()

    async with open_mesh(
        Identity.fresh(),
        on_frame=lambda peer, frame: None,
        on_up=lambda peer: None,
        on_down=lambda peer, reason: None,
        on_retry=on_retry,
    ) as mesh:
        mesh.keep(Identity.fresh().public, [("192.0.2.1", 1)])
        await done.wait()
    assert [seconds for _, seconds, _ in retries] == [0.5, 1, 2, 4, 8, 8, 8, 8]
    assert {reason for _, _, reason in retries} == {"nobody is there"}
    for (then, seconds, _), (now, _, _) in pairwise(retries):
        assert now - then == pytest.approx(seconds)
