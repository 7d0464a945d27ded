"""Long scenes on a LAN of real hosts (`make soak`); they print what they measure, and docs/lan.md keeps it."""

from __future__ import annotations

import signal
import time

import pytest

from bench import setup
from tests.lab.conftest import OpenLan
from tests.lab.lan import PORT, Lan, until
from tests.lab.table import START, Table, sit, told

pytestmark = pytest.mark.soak
LONG = ("--option", "hand_size=9")


def test_a_table_is_listed_within_two_seconds(lan: OpenLan) -> None:
    """On three hosts that look already when it opens, and on each that begins to look later; from the moment in which
    the table listens, and the looking program begins to look."""
    net = lan(4)
    early = [net.python(host, "-m", "tests.lab.watch") for host in (2, 3, 4)]
    host = net.p2puno(1, "host", "--seats", "4", "--autoplay", "--json")
    until(START, "host 1 listens", lambda: net.listens(1, host))
    opened = time.monotonic()
    later = [net.python(host, "-m", "tests.lab.watch") for host in (2, 3, 4)]
    took = []
    for program in early + later:
        looking, seen = map(float, program.end(START)[1].split())
        took.append(seen - max(opened, looking))
    print(f"listed {max(took[:3]):.2f} s after the table opened; newcomers find it after {max(took[3:]):.2f} s")
    assert max(took) < 2.0


@pytest.mark.parametrize("variant", ["batman", "dbz", "dc", "marvel"])
def test_a_hand_with_delay_and_loss(lan: OpenLan, variant: str) -> None:
    """20 ms each way, 5 % of all frames lost, before anybody has found anybody."""
    net = lan(4)
    net.shape(delay=0.02, loss=0.05)
    told(f"4 hosts, {variant}, 20 ms, 5 % loss", sit(net, "--variant", variant).end(180))


@pytest.mark.parametrize("groups", [((1, 2), (3, 4)), ((1, 2, 3), (4,)), ((1,), (2,), (3,), (4,))])
def test_a_partition_heals(lan: OpenLan, groups: tuple[tuple[int, ...], ...]) -> None:
    """Thirty seconds in the middle of a hand nobody, or not everybody, reaches the others; then the match ends. It has
    three hands, as three who play on could end one before the fourth is back."""
    net = lan(4)
    table = sit(net, *LONG, "--option", "hands=3", pace=0.3)
    table.wait(60)
    net.part(*groups)
    time.sleep(30)
    before = table.entries(1)
    net.heal()
    healed = time.monotonic()
    until(30, "the table goes on", lambda: table.entries(1) > before + 4)
    print(f"partition {groups}: the table goes on {time.monotonic() - healed:.1f} s after it healed")
    told(f"partition {groups}", table.end(240))


def test_a_host_dies_for_good(lan: OpenLan) -> None:
    """kill -9, and it never comes back: the three others end the hand with the same hidden cards (T09). Whoever is gone
    has the grace of the table at its own turn, here fifteen seconds, and ten where its program alone is waited for."""
    net = lan(4)
    table = sit(net, *LONG, "--option", "grace_seconds=15", pace=0.3)
    table.wait(60)
    table.programs[3].kill()
    died, before = time.monotonic(), table.entries(1)
    until(40, "the table goes on", lambda: table.entries(1) > before + 9 or not table.programs[1].running)
    print(f"kill -9 of one of four: the others have played on after {time.monotonic() - died:.1f} s")
    told("kill -9 of one of four", table.end(240, without=[3]))


def test_the_creator_dies_and_its_command_comes_back(lan: OpenLan) -> None:
    """T14, T18: there is no host role; the same command takes the seat again."""
    net = lan(4)
    words = ("host", "--seats", "4", "--autoplay", "--json", "--pace", "0.3", *LONG, "--name", "Host1")
    programs = {1: net.p2puno(1, *words)}
    until(START, "host 1 listens", lambda: net.listens(1, programs[1]))
    for host in (2, 3, 4):
        programs[host] = net.p2puno(host, "join", net.four(1), "--name", f"Host{host}", "--autoplay", "--json",
                                    "--pace", "0.3")  # fmt: skip
    table = Table(net, programs)
    until(START, "the table begins", lambda: all(map(net.sitting, net.hosts)))
    table.wait(60)
    programs[1].kill()
    time.sleep(3)
    programs[1] = net.p2puno(1, *words)
    told("the creator killed and started again", table.end(180))


def test_a_running_table_is_found_by_who_wants_to_watch(lan: OpenLan) -> None:
    """Announced by its creator, by its creator's next program after a kill, and by another seat when it is gone for
    good: one that found the table on the network itself."""
    net = lan(4)
    host = ("host", "--seats", "3", "--autoplay", "--json", "--pace", "0.5", *LONG, "--watchers", "--name", "Host1",
            "--option", "hands=20", "--option", "grace_seconds=15")  # fmt: skip
    programs = {1: net.p2puno(1, *host)}
    until(START, "host 1 listens", lambda: net.listens(1, programs[1]))
    for number in (2, 3):
        join = ("join", "--table", "Host1", "--autoplay", "--json", "--pace", "0.5", "--name", f"Host{number}")
        programs[number] = net.p2puno(number, *join)
    until(START, "the table begins", lambda: all(map(net.sitting, (1, 2, 3))))

    def listed() -> str:
        found = net.p2puno(4, "tables", "--seconds", "2", "--json").document(START)["tables"]
        return " ".join(table["name"] for table in found if table["answers"] and table["running"])

    until(20, "the table is listed", lambda: listed() == "Host1")
    programs[1].kill()
    programs[1] = net.p2puno(1, *host)
    took = until(40, "it is listed again", lambda: listed() == "Host1")
    print(f"listed again {took:.1f} s after its creator was killed and started again")
    programs[1].kill()
    took = until(90, "another one announces it", lambda: listed() in ("Host2", "Host3"))
    print(f"listed by another seat {took:.1f} s after its creator was gone for good")
    watcher = net.p2puno(4, "watch", "--json")
    until(START, "somebody watches", lambda: net.sitting(4))
    watcher.signal(signal.SIGTERM)
    watcher.end(START)


def test_a_cable_is_pulled_and_plugged_in_again(lan: OpenLan) -> None:
    """Ten seconds without carrier: the links die and come back."""
    net = lan(3)
    table = sit(net, *LONG, pace=0.3)
    table.wait(50)
    net.pull(2)
    time.sleep(10)
    net.plug(2)
    told("a cable pulled for 10 s", table.end(180))


@pytest.mark.parametrize("hosts", [(1,), (3,), (1, 2)])
def test_hosts_get_another_address(lan: OpenLan, hosts: tuple[int, ...]) -> None:
    """D11: in the middle of a hand, the first seat, the last one, or two of three at once. There is a second hand, as
    the first can be over before the host is back."""
    net = lan(3)
    table = sit(net, *LONG, "--option", "hands=2", pace=0.3)
    table.wait(50)
    for host in hosts:
        net.readdress(host, f"10.77.0.{100 + host}")
    changed, before = time.monotonic(), table.entries(2)
    until(60, "the table goes on", lambda: table.entries(2) > before + 30)
    print(f"hosts {hosts} have another address: the table has gone on after {time.monotonic() - changed:.1f} s")
    told("another address", table.end(180))


def test_one_broken_pair_is_bridged(lan: OpenLan) -> None:
    """Two hosts never reach each other from the middle of a hand on; what they say comes by the others."""
    net = lan(4)
    table = sit(net, *LONG, pace=0.2)
    table.wait(60)
    net.shape([(2, 3), (3, 2)], up=False)
    told("one pair without a link", table.end(240))


@pytest.mark.parametrize("ways", [((2, 3), (3, 2)), ((2, 3),)])
def test_a_pair_that_never_reaches_each_other(lan: OpenLan, ways: tuple[tuple[int, int], ...]) -> None:
    """In both directions, or in one: no link is ever made between the two."""
    net = lan(4)
    net.shape(ways, up=False)
    told("a pair that never had a link", sit(net).end(240))


def test_ipv6_link_local_alone(lan: OpenLan) -> None:
    """No address but those that the hosts give themselves; each host has another name for its interface."""
    net = lan(3, four=False, six=False)
    host = net.p2puno(1, "host", "--seats", "3", "--name", "Host1", "--autoplay", "--json")
    until(START, "host 1 listens", lambda: net.listens(1, host))
    (found,) = net.p2puno(2, "tables", "--json").document(START)["tables"]
    assert all(address.startswith("[fe80::") for address in found["addresses"])
    programs = {1: host, 2: net.p2puno(2, "join", "--autoplay", "--json")}
    typed = f"[{net.link_local(1, seen_from=3).partition('%')[0]}]:{PORT}"  # as the screen of host 1 shows it
    programs[3] = net.p2puno(3, "join", typed, "--autoplay", "--json")
    table = Table(net, programs)
    documents = table.end()
    assert _linked(net, 2, 3), "hosts 2 and 3 have no link to each other"
    told("IPv6 link-local alone", documents)


def _linked(net: Lan, one: int, other: int) -> bool:
    """Whether the switch saw frames of TCP between two hosts."""
    return net.stats()["talk"].get(f"{min(one, other)}-{max(one, other)}", 0) > 20


def test_no_route_and_no_names(lan: OpenLan) -> None:
    """D07: there is neither a default route nor a name server in any scene; here it is looked at."""
    net = lan(2)
    code, routes = net.python(1, "-c", "print(open('/proc/net/route').read())").end(START)
    assert code == 0
    assert "\t00000000\t00000000\t" not in routes  # to anywhere, by a gateway
    told("no route, no names", sit(net).end())


def test_quitting_takes_a_second_whatever_hangs(lan: OpenLan) -> None:
    """N03: half of the table is not reachable any more, and the player wants to go."""
    net = lan(3)
    table = sit(net, *LONG, pace=0.3)
    table.wait(50)
    net.part((1,), (2,), (3,))
    began = time.monotonic()
    table.programs[2].signal(signal.SIGTERM)
    table.programs[2].end(10)
    took = time.monotonic() - began
    print(f"SIGTERM behind a partition: gone after {took:.2f} s")
    assert took < 3  # two thirds of a second at most for the farewell; the rest is computing, on a machine however busy


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.1])
def test_ten_hosts_at_one_table(lan: OpenLan, delay: float) -> None:
    """Dragon Ball Z, the largest table, by programs that all start at once: most of the links must still be made."""
    net = lan(10)
    table = sit(net, "--variant", "dbz", begin=False)
    net.shape(delay=delay)
    told(f"10 hosts, dbz, {1000 * delay:.0f} ms each way", table.end(400))


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.1])
def test_ten_hosts_whose_links_stand(lan: OpenLan, delay: float) -> None:
    """As where people say that they are ready a while after they sat down: what is left is computing and the way."""
    net = lan(10)
    net.shape(delay=delay)
    seats = [
        net.python(host, *setup.command(host == 1, f"{net.four(1)}:{PORT}", 10, "dbz", host, str(net.home(host))))
        for host in net.hosts
    ]
    found = setup.together([seat.document(400) for seat in seats])
    print(f"10 hosts whose links stand, dbz, {1000 * delay:.0f} ms each way: set-up {found['setup']:.2f} s, "
          f"sum of CPU / 2 {found['halves']:.2f} s")  # fmt: skip
