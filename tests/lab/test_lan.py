"""Scenes on a LAN of real hosts, as short as they can be; the long ones are in test_scenes."""

from __future__ import annotations

import json

from tests.lab.conftest import OpenLan
from tests.lab.lan import until
from tests.lab.table import START, Table, sit, told

LOOK = 2.0
SHORT = ("--option", "hand_size=5")


def test_a_table_is_listed_around_and_a_hand_ends_in_bad_weather(lan: OpenLan) -> None:
    """Host 1 opens a table; it is seen within two seconds of looking, and joined without an address. Then 20 ms each
    way and 5 % loss come up, and the plug of one is pulled for a moment."""
    net = lan(3)
    play = ("--autoplay", "--json", "--pace", "0")
    host = net.p2puno(1, "host", "--seats", "3", *SHORT, *play)
    until(START, "host 1 listens", lambda: net.listens(1, host))
    looking = net.p2puno(2, "tables", "--seconds", str(LOOK), "--json")
    third = net.p2puno(3, "join", *play)
    (found,) = looking.document(START)["tables"]
    assert found["answers"]
    assert f"{net.four(1)}:4242" in found["addresses"]
    net.shape(delay=0.02, loss=0.05)
    table = Table(net, {1: host, 2: net.p2puno(2, "join", *play), 3: third})
    until(START, "the table begins", lambda: all(map(net.sitting, net.hosts)))
    table.wait(entries=25)
    net.pull(3)
    until(1, "frames are lost", lambda: net.stats()["lost"])
    net.plug(3)
    told("3 hosts, 20 ms, 5 % loss, a plug pulled", table.end())


def test_without_multicast_a_typed_address_works_at_once(lan: OpenLan) -> None:
    """D06: nothing is found, and whoever types the address sits down."""
    net = lan(2)
    net.multicast(False)
    table = sit(net, *SHORT, begin=False)
    looking = net.p2puno(2, "tables", "--seconds", "1", "--json")
    code, out = looking.end(START)
    assert (code, json.loads(out)["tables"]) == (0, [])
    told("2 hosts, no multicast", table.end())


def test_who_joins_from_another_machine_is_linked_with_the_bots_of_the_table_at_once(lan: OpenLan) -> None:
    """They reach the table by loopback, but others do not reach them there."""
    net = lan(2)
    play = ("--autoplay", "--pace", "0")
    host = net.p2puno(1, "host", "--seats", "3", "--bots", "1", *SHORT, *play, "--json")
    until(START, "host 1 listens", lambda: net.listens(1, host))
    code, out = net.p2puno(2, "join", net.four(1), *play, "--plain").end(START)
    assert (code, host.end(START)[0]) == (0, 0)
    assert "Ada is connected" in out
    assert "no link to" not in out
