"""`p2puno doctor`: why tables are not found or cannot be joined, and what to do about it."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click
import trio

from cli.faces import full_screen_fits
from cli.lan import look
from cli.language import N_, _, told
from cli.options import as_json_option
from cli.text import pad, visible, width
from cli.theme import UNICODE, glyphs
from cli.trouble import FINE, UNREACHABLE
from cli.usage import Whole
from p2puno.said import AND, COMMA, Said, joined, said
from protocol.errors import NetworkProblem
from protocol.messages import PROTOCOL
from protocol.net.address import DEFAULT_PORT, cause_of, format_address, parse_address
from protocol.net.hearing import hear
from protocol.net.interfaces import Interface, Reach, interfaces, scoped
from protocol.net.probe import shown_key

LIBRARIES: Final = ("trio", "zeroconf", "cryptography", "btclib-secp256k1", "prompt_toolkit")
LEAST: Final = (40, 15)  # columns and rows of the full screen
HEAR_SECONDS: Final = 1.5
ISOLATED: Final = said(
    "if other machines are there, a firewall here or there stops UDP port 5353, or the access point keeps its guests "
    "apart (guest network, AP isolation); a phone's hotspot shows which; a typed address may work all the same"
)
# Where an active firewall leaves a trace that anybody may read (Linux).
_FIREWALLS: Final = (
    ("ufw", "etc/ufw/ufw.conf", "ENABLED=yes", "sudo ufw allow {port}/tcp && sudo ufw allow 5353/udp"),
    ("firewalld", "run/systemd/units/invocation:firewalld.service", "",
     "sudo firewall-cmd --add-port={port}/tcp --add-service=mdns"),
    ("nftables", "run/systemd/units/invocation:nftables.service", "",
     said("see that /etc/nftables.conf lets in TCP port {port} and UDP port 5353", port="{port}")),
)  # fmt: skip


class State(StrEnum):
    """How a finding is to be taken."""

    OK = "ok"
    NOTE = "note"
    BAD = "bad"


STATES: Final = {State.OK: N_("ok"), State.NOTE: N_("note"), State.BAD: N_("bad")}
CHECKS: Final = (
    N_("versions"), N_("terminal"), N_("interfaces"), N_("cables"), N_("tunnels"), N_("port"), N_("firewall"),
    N_("multicast"), N_("tables"), N_("address"),
)  # fmt: skip
"""What is looked at."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, in sentences that programs read in English and people in their language. `reaches`:
    False where it means that no other machine can be reached."""

    check: str
    state: State
    text: str
    hint: str = ""
    reaches: bool = True


@click.command()
@click.argument("address", metavar="[HOST[:PORT]]", required=False)
@click.option("--port", type=Whole(1, 65535), default=DEFAULT_PORT, show_default=True, help="Where to host.")
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
        for line in lines(findings):
            click.echo(visible(line))
    return FINE if reaches else UNREACHABLE


def lines(findings: Sequence[Finding]) -> Iterator[str]:
    """The findings as people read them."""
    wide = max(width(_(state)) for state in STATES.values())
    for finding in findings:
        yield f"{pad(_(STATES[finding.state]), wide)} {_(finding.check)}: {told(finding.text)}"
        if finding.hint:
            yield " " * (wide + 1) + _("hint: {text}").format(text=told(finding.hint))


def _all(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return joined((joined(words[:-1], COMMA), words[-1]), AND) if len(words) > 1 else "".join(words)


async def examine(target: tuple[str, int] | None, port: int, among: Sequence[Interface] | None = None) -> list[Finding]:
    """What the network says; `among`: the interfaces, by default those of this machine."""
    every = interfaces() if among is None else among
    own = [one for one in every if one.carrier]
    findings = [about_interfaces(own), *about_cables(every), *about_tunnels(own)]
    findings += [await about_port(port, own), about_firewall(port)]
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
        findings.append(await about_target(*target, own))
    return findings


def about_versions() -> Finding:
    """What runs here."""
    text = said(
        "p2puno {own}, protocol {protocol}, Python {python} on {system}; {libraries}",
        own=version("p2puno"),
        protocol=PROTOCOL,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()}",
        libraries=_all([f"{name} {version(name)}" for name in LIBRARIES]),
    )
    return Finding("versions", State.OK, text)


def about_terminal() -> Finding:
    """What can be shown here."""
    columns, rows = shutil.get_terminal_size()
    frames = "Unicode" if glyphs() == UNICODE else "ASCII"
    colours = said("no colours (NO_COLOR)") if os.environ.get("NO_COLOR") else said("colours")
    size, term = f"{columns}x{rows}", os.environ.get("TERM", "")
    text = said("{size}, TERM={term}, {colours}, {frames} frames", size=size, term=term, colours=colours, frames=frames)
    if not full_screen_fits():
        text = said("{terminal}; the line mode is used", terminal=text)
        return Finding("terminal", State.NOTE, text, said("the full screen needs a terminal"))
    if columns < LEAST[0] or rows < LEAST[1]:
        least = f"{LEAST[0]}x{LEAST[1]}"
        hint = said("the full screen needs {least}: enlarge the window", least=least)
        return Finding("terminal", State.NOTE, text, hint)
    return Finding("terminal", State.OK, said("{terminal}; the full screen fits", terminal=text))


def about_interfaces(own: Sequence[Interface]) -> Finding:
    """Whether there is a way to other machines at all."""
    shown = [f"{one.name} ({one.reach.value}): {', '.join(one.hosts)}" for one in own]
    if all(one.reach is Reach.SELF for one in own):
        alone = said("only this machine itself ({interfaces})", interfaces="; ".join(shown))
        text = alone if shown else said("none has an address")
        hint = said("connect to a network; tables on this machine still work")
        return Finding("interfaces", State.BAD, text, hint, False)
    if all(one.reach is not Reach.LAN for one in own):
        hint = said("other machines are reached through a tunnel at most; connect to a network")
        return Finding("interfaces", State.NOTE, "; ".join(shown), hint)
    return Finding("interfaces", State.OK, "; ".join(shown))


def about_cables(own: Sequence[Interface]) -> list[Finding]:
    """An interface keeps its address for a while, or for good, when its cable is out."""
    off = [one.name for one in own if not one.carrier]
    if not off:
        return []
    text = said("not connected: {interfaces}", interfaces=_all(off))
    return [Finding("cables", State.NOTE, text, said("plug in the cable, or join the wireless network"))]


def about_tunnels(own: Sequence[Interface]) -> list[Finding]:
    """A VPN may swallow what is meant for the LAN (D03, D04)."""
    virtual = [one.name for one in own if one.reach is Reach.VIRTUAL]
    if not virtual:
        return []
    hint = said("if one is a VPN that takes all traffic, let it leave out the local network, or end it while you play")
    text = said("containers, virtual machines or tunnels: {interfaces}", interfaces=_all(virtual))
    return [Finding("tunnels", State.NOTE, text, hint)]


async def about_port(port: int, own: Sequence[Interface]) -> Finding:
    """Whether a table could listen, and be reached at least from here by its own addresses."""
    try:
        listeners = await trio.open_tcp_listeners(port)
    except OSError as problem:
        try:
            await shown_key("127.0.0.1", port)
        except NetworkProblem:
            text = said("TCP port {port} cannot be opened: {why}", port=port, why=cause_of(problem))
            hint = said("host at another with --port, or end the program that has it")
            return Finding("port", State.BAD, text, hint)
        return Finding("port", State.OK, said("a table of p2puno is open at TCP port {port}", port=port))
    deaf = [host for one in own for host in one.hosts if "." in host and not await _connects(host, port)]
    for listener in listeners:
        await listener.aclose()
    if deaf:
        text = said("TCP port {port} can be opened, but is not reached at {hosts}", port=port, hosts=_all(deaf))
        return Finding("port", State.BAD, text, said("a firewall on this machine stops TCP port {port}", port=port))
    fine = said("TCP port {port} can be opened, and is reached from this machine", port=port)
    return Finding("port", State.OK, fine)


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
            return Finding("firewall", State.NOTE, said("{name} is active", name=name), Said(how, port=port))
    if sys.platform == "linux":
        return Finding("firewall", State.OK, said("no sign of an active one"))
    hint = said(
        "where it asks, let Python take connections (TCP port {port}, UDP port 5353), also on public networks",
        port=port,
    )
    text = said("that of {system} cannot be asked from here", system=platform.system())
    return Finding("firewall", State.NOTE, text, hint)


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
        hint = said("tables cannot be found here: join by a typed address")
        return Finding("multicast", State.BAD, said("{where}: {problem}", where=where, problem=heard.problem), hint)
    own, others = _packets(heard.own), _packets(heard.others)
    text = said(
        "{where}: sent; heard {own} of this machine and {others} of others", where=where, own=own, others=others
    )
    if not heard.own:
        hint = said("a firewall on this machine stops UDP port 5353, or the interface does no multicast")
        return Finding("multicast", State.BAD, text, hint)
    if not heard.others:
        return Finding("multicast", State.NOTE, text, "" if interface.reach is Reach.SELF else ISOLATED)
    return Finding("multicast", State.OK, text)


def _packets(count: int) -> str:
    return said("{n} packet", n=count) if count == 1 else said("{n} packets", n=count)


async def about_tables() -> Finding:
    """Whether tables are found."""
    sight = await look(HEAR_SECONDS, None)
    if sight.trouble:
        return Finding("tables", State.BAD, sight.trouble, said("join by a typed address"))
    names = [
        said("{table} (does not answer)", table=table.advert.name) if table.stale else table.advert.name
        for table in sight.tables
    ]
    stale = any(table.stale for table in sight.tables)
    hint = said("one that does not answer is gone, or a firewall there stops its TCP port") if stale else ""
    text = said("found: {tables}", tables=_all(names)) if names else said("found: none")
    return Finding("tables", State.NOTE if hint else State.OK, text, hint)


async def about_target(host: str, port: int, own: Sequence[Interface]) -> Finding:
    """Whether a table answers at a typed address."""
    for one in scoped(host, own):
        try:
            await shown_key(one, port)
        except NetworkProblem as problem:
            failed = problem
        else:
            return Finding("address", State.OK, said("p2puno answers at {place}", place=format_address(one, port)))
    return Finding("address", State.BAD, failed.message, failed.hint, False)
