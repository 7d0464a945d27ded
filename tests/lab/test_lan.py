"""Scenes on a LAN of real hosts, as short as they can be; the long ones are in test_scenes."""

from __future__ import annotations

import json

from tests.lab.conftest import OpenLan
from tests.lab.lan import until
from tests.lab.table import START, Table, sit, told

LOOK = 2.0


def test_a_table_is_listed_around_and_a_hand_ends_in_bad_weather(lan: OpenLan) -> None:
    """Host 1 opens a table; the others see it within two seconds of looking, and join it from the list. Then 20 ms each
    way and 5 % loss come up, and the plug of one is pulled for a moment."""
    net = lan(3)
    host = net.p2puno(1, "host", "--seats", "3", "--autoplay", "--json", "--pace", "0")
    until(START, "host 1 listens", lambda: net.listens(1, host))
    looking = {other: net.p2puno(other, "tables", "--seconds", str(LOOK), "--json") for other in (2, 3)}
    for other, program in looking.items():
        (found,) = program.document(START)["tables"]
        assert found["answers"], f"host {other} finds a table that does not answer"
        assert f"{net.four(1)}:4242" in found["addresses"]
    net.shape(delay=0.02, loss=0.05)
    joined = {other: net.p2puno(other, "join", "--autoplay", "--json", "--pace", "0") for other in (2, 3)}
    table = Table(net, {1: host, **joined})
    until(START, "the table begins", lambda: all(map(net.sitting, net.hosts)))
    table.wait(entries=40)
    net.pull(3)
    until(1, "frames are lost", lambda: net.stats()["lost"])
    net.plug(3)
    told("3 hosts, 20 ms, 5 % loss, a plug pulled", table.end())


def test_without_multicast_a_typed_address_works_at_once(lan: OpenLan) -> None:
    """D06: nothing is found, and whoever types the address sits down."""
    net = lan(2)
    net.multicast(False)
    table = sit(net, begin=False)
    looking = net.p2puno(2, "tables", "--seconds", "1", "--json")
    code, out = looking.end(START)
    assert (code, json.loads(out)["tables"]) == (0, [])
    told("2 hosts, no multicast", table.end())
