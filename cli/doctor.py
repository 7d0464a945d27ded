"""`p2puno doctor`: why tables are not found or cannot be joined, and what to do about it."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click
import trio

from cli.faces import full_screen_fits
from cli.lan import look
from cli.language import told
from cli.options import as_json_option
from cli.text import listed, visible
from cli.theme import UNICODE, glyphs
from cli.trouble import FINE, UNREACHABLE
from protocol.errors import NetworkProblem
from protocol.messages import PROTOCOL
from protocol.net.address import DEFAULT_PORT, cause_of, format_address, parse_address
from protocol.net.hearing import hear
from protocol.net.interfaces import Interface, Reach, interfaces
from protocol.net.probe import shown_key

LIBRARIES: Final = ("trio", "zeroconf", "cryptography", "btclib-secp256k1", "prompt_toolkit")
LEAST: Final = (40, 15)  # columns and rows of the full screen
HEAR_SECONDS: Final = 1.5
ISOLATED: Final = (
    "if other machines are there, a firewall here or there stops UDP port 5353, or the access point keeps its guests "
    "apart (guest network, AP isolation); a phone's hotspot shows which; a typed address may work all the same"
)
# Where an active firewall leaves a trace that anybody may read (Linux).
_FIREWALLS: Final = (
    ("ufw", "etc/ufw/ufw.conf", "ENABLED=yes", "sudo ufw allow {port}/tcp && sudo ufw allow 5353/udp"),
    ("firewalld", "run/systemd/units/invocation:firewalld.service", "",
     "sudo firewall-cmd --add-port={port}/tcp --add-service=mdns"),
    ("nftables", "run/systemd/units/invocation:nftables.service", "",
     "see that /etc/nftables.conf lets in TCP port {port} and UDP port 5353"),
)  # fmt: skip


class State(StrEnum):
    """How a finding is to be taken."""

    OK = "ok"
    NOTE = "note"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `reaches`: False where it means that no other machine can be reached."""

    check: str
    state: State
    text: str
    hint: str = ""
    reaches: bool = True


@click.command()
@click.argument("address", metavar="[HOST[:PORT]]", required=False)
@click.option("--port", type=click.IntRange(1, 65535), default=DEFAULT_PORT, show_default=True, help="Where to host.")
@as_json_option
def doctor(address: str | None, port: int, as_json: bool) -> int:
    """Look at this machine and its network: what keeps tables from being found or joined?

    With HOST[:PORT]: does a table answer there?
    """
    target = parse_address(address) if address is not None else None
    findings = [about_versions(), about_terminal(), *trio.run(examine, target, port)]
    reaches = all(finding.reaches for finding in findings)
    if as_json:
        shown = [{"check": one.check, "state": one.state.value, "text": one.text, "hint": one.hint} for one in findings]
        click.echo(json.dumps({"findings": shown, "reaches_others": reaches}, ensure_ascii=False))
    else:
        for finding in findings:
            click.echo(visible(f"{finding.state.value:4} {finding.check}: {told(finding.text)}"))
            if finding.hint:
                click.echo(visible(f"     hint: {told(finding.hint)}"))
    return FINE if reaches else UNREACHABLE


async def examine(target: tuple[str, int] | None, port: int, among: Sequence[Interface] | None = None) -> list[Finding]:
    """What the network says; `among`: the interfaces, by default those of this machine."""
    own = interfaces() if among is None else among
    findings = [about_interfaces(own), *about_tunnels(own), await about_port(port, own), about_firewall(port)]
    lan = [one for one in own if one.reach is Reach.LAN]
    heard: list[Finding] = []

    async def listen(interface: Interface) -> None:
        heard.append(await about_multicast(interface))

    async with trio.open_nursery() as nursery:
        for interface in lan or own:
            nursery.start_soon(listen, interface)
    findings += sorted(heard, key=lambda finding: finding.text)
    findings.append(await about_tables())
    if target is not None:
        findings.append(await about_target(*target))
    return findings


def about_versions() -> Finding:
    """What runs here."""
    libraries = listed(f"{name} {version(name)}" for name in LIBRARIES)
    python = f"Python {platform.python_version()} on {platform.system()} {platform.release()}"
    return Finding("versions", State.OK, f"p2puno {version('p2puno')}, protocol {PROTOCOL}, {python}; {libraries}")


def about_terminal() -> Finding:
    """What can be shown here."""
    columns, rows = shutil.get_terminal_size()
    frames = "Unicode" if glyphs() == UNICODE else "ASCII"
    colours = "no colours (NO_COLOR)" if os.environ.get("NO_COLOR") else "colours"
    text = f"{columns}x{rows}, TERM={os.environ.get('TERM', '')}, {colours}, {frames} frames"
    if not full_screen_fits():
        return Finding("terminal", State.NOTE, f"{text}; the line mode is used", "the full screen needs a terminal")
    if columns < LEAST[0] or rows < LEAST[1]:
        return Finding("terminal", State.NOTE, text, f"the full screen needs {LEAST[0]}x{LEAST[1]}: enlarge the window")
    return Finding("terminal", State.OK, f"{text}; the full screen fits")


def about_interfaces(own: Sequence[Interface]) -> Finding:
    """Whether there is a way to other machines at all."""
    shown = [f"{one.name} ({one.reach.value}): {', '.join(one.hosts)}" for one in own]
    if all(one.reach is Reach.SELF for one in own):
        text = f"only this machine itself ({'; '.join(shown)})" if shown else "none has an address"
        return Finding("interfaces", State.BAD, text, "connect to a network; tables on this machine still work", False)
    if all(one.reach is not Reach.LAN for one in own):
        hint = "other machines are reached through a tunnel at most; connect to a network"
        return Finding("interfaces", State.NOTE, "; ".join(shown), hint)
    return Finding("interfaces", State.OK, "; ".join(shown))


def about_tunnels(own: Sequence[Interface]) -> list[Finding]:
    """A VPN may swallow what is meant for the LAN (D03, D04)."""
    virtual = [one.name for one in own if one.reach is Reach.VIRTUAL]
    if not virtual:
        return []
    hint = "if one is a VPN that takes all traffic, let it leave out the local network, or end it while you play"
    return [Finding("tunnels", State.NOTE, f"containers, virtual machines or tunnels: {listed(virtual)}", hint)]


async def about_port(port: int, own: Sequence[Interface]) -> Finding:
    """Whether a table could listen, and be reached at least from here by its own addresses."""
    try:
        listeners = await trio.open_tcp_listeners(port)
    except OSError as problem:
        try:
            await shown_key("127.0.0.1", port)
        except NetworkProblem:
            text = f"TCP port {port} cannot be opened: {cause_of(problem)}"
            return Finding("port", State.BAD, text, "host at another with --port, or end the program that has it")
        return Finding("port", State.OK, f"a table of p2puno is open at TCP port {port}")
    deaf = [host for one in own for host in one.hosts if "." in host and not await _connects(host, port)]
    for listener in listeners:
        await listener.aclose()
    if deaf:
        text = f"TCP port {port} can be opened, but is not reached at {listed(deaf)}"
        return Finding("port", State.BAD, text, f"a firewall on this machine stops TCP port {port}")
    return Finding("port", State.OK, f"TCP port {port} can be opened, and is reached from this machine")


async def _connects(host: str, port: int) -> bool:
    with trio.move_on_after(1.0):
        try:
            await (await trio.open_tcp_stream(host, port)).aclose()
        except OSError:
            return False
        return True
    return False


def about_firewall(port: int, root: Path = Path("/")) -> Finding:
    """Signs of a firewall; its rules can be read by the administrator alone."""
    for name, trace, word, how in _FIREWALLS:
        if _says(root / trace, word):
            return Finding("firewall", State.NOTE, f"{name} is active", how.format(port=port))
    if sys.platform == "linux":
        return Finding("firewall", State.OK, "no sign of an active one")
    hint = f"where it asks, let Python take connections (TCP port {port}, UDP port 5353), also on public networks"
    return Finding("firewall", State.NOTE, f"that of {platform.system()} cannot be asked from here", hint)


def _says(path: Path, word: str) -> bool:
    if not word:
        return os.path.lexists(path)  # systemd's traces are links to nowhere
    try:
        return any(line.strip() == word for line in path.read_text("utf-8", "replace").splitlines())
    except OSError:
        return False


async def about_multicast(interface: Interface) -> Finding:
    """Whether questions for tables go out here, and whether anybody is heard (D17)."""
    heard = await hear(interface, HEAR_SECONDS)
    where = f"{interface.name} ({interface.networks[0].ip})"
    if heard.problem:
        hint = "tables cannot be found here: join by a typed address"
        return Finding("multicast", State.BAD, f"{where}: {heard.problem}", hint)
    text = f"{where}: sent; heard {_packets(heard.own)} of this machine and {_packets(heard.others)} of others"
    if not heard.own:
        hint = "a firewall on this machine stops UDP port 5353, or the interface does no multicast"
        return Finding("multicast", State.BAD, text, hint)
    if not heard.others:
        return Finding("multicast", State.NOTE, text, "" if interface.reach is Reach.SELF else ISOLATED)
    return Finding("multicast", State.OK, text)


def _packets(count: int) -> str:
    return f"{count} packet{'' if count == 1 else 's'}"


async def about_tables() -> Finding:
    """Whether tables are found."""
    sight = await look(HEAR_SECONDS, None)
    if sight.trouble:
        return Finding("tables", State.BAD, sight.trouble, "join by a typed address")
    names = [f"{table.advert.name}{' (does not answer)' if table.stale else ''}" for table in sight.tables]
    stale = any(table.stale for table in sight.tables)
    hint = "one that does not answer is gone, or a firewall there stops its TCP port" if stale else ""
    return Finding("tables", State.NOTE if hint else State.OK, f"found: {listed(names) or 'none'}", hint)


async def about_target(host: str, port: int) -> Finding:
    """Whether a table answers at a typed address."""
    place = format_address(host, port)
    try:
        await shown_key(host, port)
    except NetworkProblem as problem:
        return Finding("address", State.BAD, problem.message, problem.hint, False)
    return Finding("address", State.OK, f"p2puno answers at {place}")
