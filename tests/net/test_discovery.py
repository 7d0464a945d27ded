"""Tables found by multicast DNS, on loopback alone and under service names of their own, so that no real network hears
of them; hosts in a network of their own where the system lets us make one."""

import secrets
import shutil
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from ipaddress import IPv4Interface, IPv6Address, IPv6Interface
from pathlib import Path

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from zeroconf import InterfaceChoice, ServiceInfo, Zeroconf

from p2puno.rules import Rules
from protocol.errors import NotP2puno, Unreachable
from protocol.identity import Identity
from protocol.net import discovery, multicast
from protocol.net.address import Address
from protocol.net.advert import MORE, OPTIONS_SIZE, Advert, digest, unusual_options
from protocol.net.discovery import Browser, Sight, announcing, browsing
from protocol.net.interfaces import Interface, Reach, nearest, own_hosts
from protocol.net.mesh import open_mesh
from protocol.net.probe import shown_key

HOST = "127.0.0.1"
LOOPBACK = [HOST]
RULES = digest(Rules.make("batman"))
ANN = Identity.fresh()


@pytest.fixture
def service() -> str:
    return f"_p2t{secrets.token_hex(5)}._tcp.local."


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "LOOK_EVERY", 0.05)


def advert(identity: Identity = ANN, name: str = "Ann", taken: int = 1) -> Advert:
    return Advert(identity.public, name, "batman", taken, 4, RULES, False)


@asynccontextmanager
async def listening(identity: Identity = ANN, port: int = 0) -> AsyncIterator[list[Address]]:
    async with open_mesh(identity, on_frame=lambda *_: None, on_up=lambda *_: None, on_down=lambda *_: None) as mesh:
        yield await mesh.listen(HOST, port)


async def until(browser: Browser, wanted: Callable[[Sight], bool]) -> Sight:
    with trio.fail_after(20):
        async for sight in browser:
            if wanted(sight):
                return sight
    raise AssertionError("a browser never ends")


def never(trouble: str) -> None:
    raise AssertionError(trouble)


async def test_a_table_is_found_changes_and_says_farewell(service: str) -> None:
    async with listening() as bound, browsing(LOOPBACK, service) as browser:
        async with announcing(bound, never, None, service) as announcer:
            announcer.show(advert())
            (table,) = (await until(browser, lambda sight: bool(sight.tables))).tables
            assert (table.advert, table.addresses) == (advert(), tuple(bound))
            announcer.show(advert(taken=3))
            sight = await until(browser, lambda sight: sight.tables[0].advert.taken == 3)
            assert not sight.tables[0].stale
            announcer.hush()
            await until(browser, lambda sight: not sight.tables)
            announcer.show(advert())
            await until(browser, lambda sight: bool(sight.tables))
        await until(browser, lambda sight: not sight.tables)


@pytest.mark.usefixtures("quick")
async def test_a_table_that_no_longer_answers_is_greyed_forgotten_and_taken_up_again(service: str) -> None:
    """D10: a killed program says no farewell."""
    async with browsing(LOOPBACK, service) as browser:
        async with listening() as bound:
            port = bound[0][1]
        async with announcing(bound, never, None, service) as announcer:
            announcer.show(advert())
            await until(browser, lambda sight: [table.stale for table in sight.tables] == [True])
            await until(browser, lambda sight: not sight.tables)
            async with listening(port=port):
                await until(browser, lambda sight: [table.stale for table in sight.tables] == [False])


async def test_a_table_announced_under_anothers_key_is_grey(service: str) -> None:
    """C46: the key decides, and it is asked for."""
    async with (
        listening(Identity.fresh()) as bound,
        browsing(LOOPBACK, service) as browser,
        announcing(bound, never, None, service) as announcer,
    ):
        announcer.show(advert())
        await until(browser, lambda sight: [table.stale for table in sight.tables] == [True])


async def test_two_tables_of_one_key_are_two_lines(service: str) -> None:
    """D08, D09: a name that is taken is no reason to give up."""
    async with (
        listening() as one,
        listening() as two,
        browsing(LOOPBACK, service) as browser,
        announcing(one, never, None, service) as first,
        announcing(two, never, None, service) as second,
    ):
        first.show(advert())
        await until(browser, lambda sight: len(sight.tables) == 1)
        second.show(advert())
        sight = await until(browser, lambda sight: len(sight.tables) == 2)
    assert {table.addresses for table in sight.tables} == {tuple(one), tuple(two)}


async def test_what_is_heard_twice_is_listed_once() -> None:
    """D01: one key at one port is one table, by whatever interface and instance it was heard."""
    async with browsing(LOOPBACK) as browser:
        for name, host in (("a", "10.0.0.1"), ("b", "10.0.1.1")):
            browser._instances[name] = discovery._Instance(advert(), ((host, 4242),))
        (table,) = browser.sight.tables
        assert set(table.addresses) == {("10.0.0.1", 4242), ("10.0.1.1", 4242)}


async def test_a_flood_of_names_is_bounded_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """C45, C46."""

    async def resolve(browser: Browser, name: str) -> None:
        await trio.sleep_forever()

    monkeypatch.setattr(Browser, "_resolve", resolve)
    async with browsing(LOOPBACK) as browser:
        for number in range(1000):
            browser._changed(f"{number}.x", False)
        assert len(browser._instances) == discovery.MAX_INSTANCES
        assert "more is announced" in browser.sight.trouble


async def test_who_announces_all_the_time_is_asked_at_our_own_pace(
    service: str, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    """C45: each question costs a thread and a knock at the table's address."""
    asked: list[float] = []

    async def resolve(browser: Browser, name: str) -> None:
        asked.append(trio.current_time())
        await trio.sleep(0.5)

    monkeypatch.setattr(Browser, "_resolve", resolve)
    async with trio.open_nursery() as nursery:
        browser = Browser(nursery, LOOPBACK, service)
        for _ in range(1000):
            browser._changed("one", False)
            await trio.sleep(0.001)
        await trio.sleep(5)
        assert len(asked) == 3  # at the first, in the midst of it, and after the last
        for gone in (False, True, False):  # it comes back while it is being asked for
            browser._changed("one", gone)
        await trio.sleep(5)
        assert len(asked) == 5
        assert "one" in browser._instances


@pytest.mark.usefixtures("quick")
async def test_discovery_that_fails_is_told_once_and_tried_again(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """D11: no interface is a sentence, and never the end of anything."""
    fails, opened, told = 3, discovery.open_multicast, list[str]()

    async def shaky(where: multicast.Interfaces) -> Zeroconf:
        nonlocal fails
        if fails > 0:
            fails -= 1
            raise OSError(19, "No such device")
        return await opened(where)

    monkeypatch.setattr(discovery, "open_multicast", shaky)
    async with listening() as bound, announcing(bound, told.append, None, service) as announcer:
        announcer.show(advert())
        with trio.fail_after(10):
            while fails or len(told) < 2:
                await trio.sleep(0.01)
        fails = 2
        async with browsing(LOOPBACK, service) as browser:
            sight = await until(browser, lambda sight: bool(sight.trouble))
            assert sight.trouble == "tables cannot be looked for: no such device"
            sight = await until(browser, lambda sight: bool(sight.tables))
            assert not sight.trouble
    assert told == ["the table cannot be announced: no such device", ""]


async def test_quitting_does_not_wait_for_zeroconf(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """D12: whatever it does, we are out within a second."""
    held = threading.Event()
    monkeypatch.setattr(multicast, "CLOSE_LIMIT", 0.05)
    monkeypatch.setattr(Zeroconf, "close", lambda zeroconf: held.wait(20) and None)
    with trio.fail_after(5):
        async with browsing(LOOPBACK, service) as browser:
            while browser._zeroconf is None:
                await trio.sleep(0.01)
    held.set()


async def test_a_probe_tells_p2puno_from_others() -> None:
    async with listening() as ((host, port),):
        assert await shown_key(host, port) == ANN.public
    with pytest.raises(Unreachable):
        await shown_key(host, port)

    async def other(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.send_all(b"HTTP/1.1 400 no\r\n\r\n")

    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host=HOST)
        nursery.start_soon(trio.serve_listeners, other, [listener])
        with pytest.raises(NotP2puno):
            await shown_key(*listener.socket.getsockname())
        nursery.cancel_scope.cancel()


# -- what is believed


def raw(one: Advert) -> dict[bytes, bytes | None]:
    return {name.encode(): value.encode() for name, value in one.properties().items()}


def test_an_advert_is_read_as_it_was_written() -> None:
    one = Advert(ANN.public, "Zoë 雪", "dragon_ball_z", 3, 10, RULES, True, unusual=("hand_size=5", MORE))
    assert Advert.read(raw(one)) == one


def test_an_advert_says_which_options_are_not_usual_as_far_as_there_is_room() -> None:
    assert unusual_options(Rules.make("batman")) == ()
    assert unusual_options(Rules.make("batman", stacking=True, hand_size=5)) == ("hand_size=5", "stacking=on")
    switched = {
        option.name: next(value for value in option.values if value != Rules.make("batman").options()[option.name])
        for option in Rules.make("batman").own_options()
        if option.name not in ("force_play", "play_after_draw", "score_target", "hands", "match_wins")
    }
    options = unusual_options(Rules.make("batman", **switched))
    assert options[-1] == MORE
    assert 60 < len(" ".join(options)) <= OPTIONS_SIZE
    assert Advert.read(raw(replace(advert(), unusual=options))).unusual == options


def test_a_table_that_names_no_options_is_read_all_the_same() -> None:
    properties = raw(advert())
    del properties[b"options"]
    assert Advert.read(properties).unusual == ()


def test_an_advert_fits_into_a_small_record_whatever_the_name() -> None:
    """A text record of 400 bytes is safe everywhere."""
    one = replace(advert(name="\U0001f600" * 8), unusual=("a" * (OPTIONS_SIZE - 6) + "=1", MORE))
    sizes = [len(name) + len(value or b"") + 2 for name, value in raw(one).items()]
    assert sum(sizes) < 400
    assert max(sizes) < 255


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("v", "2"), ("v", None), ("key", "00"), ("key", "zz" * 32), ("key", None), ("game", "Batman"),
        ("game", "\x1b[2J"), ("game", ""), ("game", "a" * 25), ("taken", "-1"), ("taken", "²"), ("taken", "0"),
        ("seats", "11"), ("seats", "1"), ("seats", "9" * 99), ("rules", ""), ("private", "yes"), ("private", None),
        ("options", "stacking"), ("options", "a=\x1b[2J"), ("options", "... a=1"), ("options", "a=1  b=2"),
        ("options", " ".join(["hand_size=5"] * 9)),
    ],
)  # fmt: skip
def test_an_advert_of_another_form_is_no_table(field: str, value: str | None) -> None:
    """C44, C46."""
    properties = raw(advert())
    properties[field.encode()] = None if value is None else value.encode()
    with pytest.raises(ValueError):  # noqa: PT011  any of its kinds: the record is left out
        Advert.read(properties)


def test_a_name_on_the_network_is_cleaned() -> None:
    """C44: escape sequences, bidi overrides, floods."""
    properties = raw(advert()) | {b"name": b"\x1b[2J\xe2\x80\xaeBo\xff" + b"x" * 9000}
    name = Advert.read(properties).name
    assert name.isprintable()
    assert len(name) <= 16


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(list(raw(advert()))), st.none() | st.binary(max_size=80)))
def test_no_record_makes_reading_fail_otherwise(properties: dict[bytes, bytes | None]) -> None:
    try:
        read = Advert.read(raw(advert()) | properties)
    except ValueError:
        return
    assert read.name.isprintable()


# -- addresses

LAN = Interface("eth0", 2, Reach.LAN, (IPv4Interface("192.168.1.5/24"), IPv6Interface("fe80::5/64")))
DOCKER = Interface("docker0", 3, Reach.VIRTUAL, (IPv4Interface("172.17.0.1/16"),))
SELF = Interface("lo", 1, Reach.SELF, (IPv4Interface("127.0.0.1/8"), IPv6Interface("::1/128")))


def test_own_addresses_are_the_lans_first_and_loopback_only_alone() -> None:
    """D02, D03."""
    every = (LAN, DOCKER, SELF)
    assert own_hosts(["0.0.0.0", "::"], every) == ("192.168.1.5", "172.17.0.1", "fe80::5")
    assert own_hosts(["0.0.0.0"], [SELF]) == ("127.0.0.1",)
    assert own_hosts(["::"], [SELF]) == ("::1",)
    assert own_hosts(["127.0.0.1"], every) == ("127.0.0.1",)
    assert own_hosts(["172.17.0.1"], every) == ("172.17.0.1",)


def test_addresses_told_by_others_are_tried_by_nearness_and_never_on_the_internet() -> None:
    told = ["127.0.0.1", "10.9.9.9", "172.17.0.9", "8.8.8.8", "fe80::9%2", "192.168.1.9", "224.0.0.251", "0.0.0.0", "x"]
    hosts = [host for host, _ in nearest([(host, 4242) for host in told], (LAN, DOCKER, SELF))]
    assert hosts == ["192.168.1.9", "fe80::9%2", "172.17.0.9", "10.9.9.9", "127.0.0.1"]
    assert nearest([("10.0.0.1", 0), ("10.0.0.1", 65536)], (LAN,)) == ()


async def test_a_link_local_address_heard_without_its_interface_is_tried_on_each(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it comes in a packet over IPv4."""

    class Heard(ServiceInfo):
        def request(self, *_: object) -> bool:  # type: ignore[override]
            self._set_properties(advert().properties())
            self.addresses = [IPv6Address("fe80::9").packed]
            self.port = 4242
            return True

    monkeypatch.setattr(discovery, "ServiceInfo", Heard)
    async with trio.open_nursery() as nursery:
        browser = Browser(nursery, LOOPBACK, service)
        browser._own, browser._zeroconf = (LAN, DOCKER, SELF), object()  # type: ignore[assignment]
        monkeypatch.setattr(Browser, "_probe", lambda browser, name: trio.lowlevel.checkpoint())
        browser._changed(f"{advert().label}.{service}", False)
        with trio.fail_after(5):
            while not browser.sight.tables:
                await trio.sleep(0.01)
        assert browser.sight.tables[0].addresses == (("fe80::9%2", 4242), ("fe80::9%3", 4242))


# -- machines with several interfaces

INSIDE = Path(__file__).with_name("inside_network.py")


def why_not() -> str:
    """Why no network of our own can be made here; "" if it can."""
    if sys.platform != "linux":
        return "network namespaces need Linux"
    for tool in ("unshare", "ip"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    made = subprocess.run(["unshare", "--user", "--map-root-user", "--net", "true"], capture_output=True, text=True)
    return f"cannot make a network: {made.stderr.strip()}" if made.returncode else ""


@pytest.mark.parametrize("scene", ["loopback", "late", "six", "nothing"])
def test_in_a_network_of_its_own(scene: str) -> None:
    """Loopback alone; an interface that comes later (D11); IPv6 alone; no interface at all."""
    if reason := why_not():
        pytest.skip(reason)
    command = ["unshare", "--user", "--map-root-user", "--net", sys.executable, str(INSIDE), scene]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=INSIDE.parents[2])
    assert (done.returncode, done.stdout.strip()) == (0, "ok"), done.stdout + done.stderr
    assert done.stderr == ""


def test_where_a_table_listens_is_where_it_is_announced() -> None:
    assert discovery._bound_to((("0.0.0.0", 1), ("::", 1))) is InterfaceChoice.All
    assert discovery._bound_to((("192.168.1.5", 1),)) == ["192.168.1.5"]
