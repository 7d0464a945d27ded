"""What the doctor finds, on loopback and in networks of its own."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from dataclasses import replace
from ipaddress import IPv4Interface
from pathlib import Path

import pytest
import trio

from cli import doctor as surgery
from cli.doctor import State, about_firewall, about_interfaces, about_multicast, about_port, about_tables, about_tunnels
from cli.main import run
from protocol.identity import Identity
from protocol.net import hearing
from protocol.net.discovery import Sight
from protocol.net.hearing import hear
from protocol.net.interfaces import Interface, Reach
from protocol.net.mesh import open_mesh
from tests.cli.test_lan import found
from tests.net.test_discovery import why_not

SELF = Interface("lo", socket.if_nametoindex("lo") if sys.platform == "linux" else 1, Reach.SELF,
                 (IPv4Interface("127.0.0.1/8"),))  # fmt: skip
LAN = Interface("eth0", 2, Reach.LAN, (IPv4Interface("192.168.1.5/24"),))
TUNNEL = Interface("wg0", 3, Reach.VIRTUAL, (IPv4Interface("10.8.0.2/24"),))
ROOT = Path(__file__).parents[2]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A machine with loopback only, where nothing is listed but these tables, and whose questions stay on a port of
    our own."""
    tables: list[object] = []

    async def look(seconds: float, on: str | None) -> Sight:
        return Sight(tuple(tables), "")  # type: ignore[arg-type]

    monkeypatch.setattr(surgery, "look", look)
    monkeypatch.setattr(surgery, "interfaces", lambda: (SELF,))
    monkeypatch.setattr(surgery, "HEAR_SECONDS", 0.1)
    monkeypatch.setattr(hearing, "PORT", free_port())
    return tables


@pytest.mark.usefixtures("alone")
def test_without_a_network_nobody_else_is_reached(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 6; each finding that is not fine has a hint, and the same is there as JSON."""
    arguments = ["doctor", "--port", str(free_port())]
    assert run(arguments) == 6
    out = capsys.readouterr().out
    assert "bad  interfaces: only this machine itself" in out
    assert run([*arguments, "--json"]) == 6
    document = json.loads(capsys.readouterr().out)
    assert not document["reaches_others"]
    checks = {one["check"]: one for one in document["findings"]}
    assert set(checks) == {"versions", "terminal", "interfaces", "port", "firewall", "multicast", "tables"}
    assert all(one["hint"] for one in document["findings"] if one["state"] == "bad")
    assert all(set(one) == {"check", "state", "text", "hint"} for one in document["findings"])


@pytest.mark.usefixtures("alone")
def test_an_address_is_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", f"127.0.0.1:{free_port()}"]) == 6
    assert "bad  address: cannot connect to 127.0.0.1:" in capsys.readouterr().out
    assert run(["doctor", "a:b:c"]) == 2


async def test_an_address_where_a_table_answers() -> None:
    async with open_mesh(
        Identity.fresh(), on_frame=lambda *_: None, on_up=lambda _: None, on_down=lambda *_: None
    ) as mesh:
        ((host, port),) = await mesh.listen("127.0.0.1", 0)
        finding = await surgery.about_target(host, port, ())
        assert (finding.state, finding.text) == (State.OK, f"p2puno answers at {host}:{port}")
        assert (await about_port(port, [SELF])).text == f"a table of p2puno is open at TCP port {port}"


async def test_a_port_that_is_taken_or_deaf() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        # A program that closes at once, as it is no table.
        port = server.getsockname()[1]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.to_thread.run_sync, lambda: server.accept()[0].close())
            finding = await about_port(port, [SELF])
    assert finding.state is State.BAD
    assert f"TCP port {port} cannot be opened: address already in use" in finding.text
    port = free_port()
    assert (await about_port(port, [SELF])).state is State.OK
    nowhere = Interface("x", 9, Reach.LAN, (IPv4Interface("203.0.113.1/32"),))
    assert "is not reached at 203.0.113.1" in (await about_port(port, [SELF, nowhere])).text


def test_interfaces_and_tunnels() -> None:
    """D03."""
    assert (about_interfaces([LAN, SELF]).state, about_tunnels([LAN, SELF])) == (State.OK, [])
    only = about_interfaces([TUNNEL, SELF])
    assert (only.state, only.reaches) == (State.NOTE, True)
    (tunnel,) = about_tunnels([TUNNEL, LAN])
    assert "wg0" in tunnel.text
    assert "VPN" in tunnel.hint
    none = about_interfaces([])
    assert (none.state, none.reaches) == (State.BAD, False)


@pytest.mark.skipif(sys.platform != "linux", reason="the traces of Linux")
@pytest.mark.parametrize(
    ("trace", "text", "hint"),
    [
        ("etc/ufw/ufw.conf", "ENABLED=yes\n", "sudo ufw allow 4242/tcp && sudo ufw allow 5353/udp"),
        ("run/systemd/units/invocation:firewalld.service", "", "sudo firewall-cmd --add-port=4242/tcp"),
    ],
)
def test_signs_of_a_firewall(trace: str, text: str, hint: str, tmp_path: Path) -> None:
    """D05."""
    assert about_firewall(4242, tmp_path).state is State.OK
    path = tmp_path / trace
    path.parent.mkdir(parents=True)
    path.write_text(text)
    finding = about_firewall(4242, tmp_path)
    assert finding.state is State.NOTE
    assert finding.hint.startswith(hint)
    if text:
        path.write_text("ENABLED=no\n")
        assert about_firewall(4242, tmp_path).state is State.OK


@pytest.mark.skipif(sys.platform != "linux", reason="Linux sends from every address of loopback")
async def test_packets_of_others_are_told_from_our_own() -> None:
    """D17: what is heard is counted, not guessed from an empty list."""
    port = free_port()
    async with trio.open_nursery() as nursery:

        async def neighbour() -> None:
            with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
                sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
                await sock.bind(("127.0.0.2", 0))
                while True:
                    await sock.sendto(b"hello", (hearing.GROUP_4, port))
                    await trio.sleep(0.01)

        nursery.start_soon(neighbour)
        heard = await hear(SELF, 0.2, port)
        nursery.cancel_scope.cancel()
    assert (heard.own, heard.problem) == (1, "")
    assert heard.others > 0


@pytest.mark.parametrize(
    ("heard", "interface", "state", "hint"),
    [
        (hearing.Heard(1, 3, ""), LAN, State.OK, ""),
        (hearing.Heard(1, 0, ""), LAN, State.NOTE, "AP isolation"),
        (hearing.Heard(1, 0, ""), SELF, State.NOTE, ""),
        (hearing.Heard(0, 0, ""), LAN, State.BAD, "a firewall on this machine"),
        (hearing.Heard(0, 0, "network is unreachable"), LAN, State.BAD, "typed address"),
    ],
)
async def test_what_is_heard_is_explained(
    heard: hearing.Heard, interface: Interface, state: State, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D04, D06."""

    async def listen(one: Interface, seconds: float) -> hearing.Heard:
        return heard

    monkeypatch.setattr(surgery, "hear", listen)
    finding = await about_multicast(interface)
    assert finding.state is state
    assert hint in finding.hint


async def test_tables_that_are_found(alone: list[object]) -> None:
    assert (await about_tables()).text == "found: none"
    alone += [found(), found(name="Bob", stale=True)]
    finding = await about_tables()
    assert finding.text == "found: Ann and Bob (does not answer)"
    assert finding.hint


def test_a_cable_that_is_out() -> None:
    """The interface has its address all the same."""
    assert surgery.about_cables([LAN, SELF]) == []
    (finding,) = surgery.about_cables([replace(LAN, carrier=False), SELF])
    assert (finding.state, finding.text) == (State.NOTE, "not connected: eth0")
    assert finding.hint


async def test_an_interface_that_cannot_be_used_is_a_finding() -> None:
    nowhere = Interface("x", 99999, Reach.LAN, (IPv4Interface("203.0.113.1/32"),))
    assert (await about_multicast(nowhere)).state is State.BAD


def in_a_network(*steps: str) -> tuple[int, list[dict[str, str]]]:
    """The doctor's exit code and findings in a network where an interface has a cable to another one that is off, after
    these steps."""
    if reason := why_not():
        pytest.skip(reason)
    script = [
        "ip link set lo up",
        "ip link add lan0 type veth peer name lan1",
        "ip addr add 10.77.0.1/24 dev lan0",
        "ip link set lan0 up",
        *steps,
        f"exec {sys.executable} -m cli.main doctor --json",
    ]
    command = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", " && ".join(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)["findings"]


def test_the_doctor_behind_a_cable_that_is_out() -> None:
    """Nobody can be reached, though the interface is on and has an address."""
    code, findings = in_a_network()
    assert code == 6
    assert "not connected: lan0" in [one["text"] for one in findings if one["check"] == "cables"]
    assert not [one for one in findings if one["check"] == "multicast" and "10.77.0.1" in one["text"]]


def test_the_doctor_in_a_network_of_its_own() -> None:
    """With an interface to others: exit code 0, and the note that nobody else was heard."""
    code, findings = in_a_network("ip link set lan1 up")
    assert code == 0
    lan0 = next(one for one in findings if one["check"] == "multicast" and "10.77.0.1" in one["text"])
    assert (lan0["state"], "1 packet of this machine" in lan0["text"]) == ("note", True)
