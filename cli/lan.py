"""The tables on the network: `p2puno tables`, and which one `p2puno join` means where no address is typed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import click
import trio

from cli.announced import entry
from cli.language import N_, _, told
from cli.options import as_json_option, together
from cli.reach import anywhere, commands, join_lines, quoted
from cli.seat import known_path
from cli.text import visible
from cli.trouble import FINE, in_one_line
from cli.usage import Decimal
from protocol.errors import Unreachable, Usage
from protocol.identity import words
from protocol.known import Acquaintance, KnownPlayers, standing
from protocol.net.address import DEFAULT_PORT, format_address, parse_address
from protocol.net.discovery import Found, Sight, browsing

SECONDS: Final = 3.0
CAUSES: Final = (
    N_("no table is open, or it has begun"),
    N_("a firewall stops UDP port 5353 or the table's TCP port, here or there"),
    N_("the access point keeps its guests apart, or a VPN takes the traffic"),
)
"""Why a table may not be found, the likeliest first (D04)."""

look_options = together(
    click.option(
        "--seconds",
        type=Decimal(0.1, 3600),
        default=SECONDS,
        show_default=True,
        help="How long to look for tables.",
    ),
    click.option("--on", metavar="HOST", help="Look on the interface with this address only."),
)


@click.command()
@look_options
@click.option("--profile", default="default", show_default=True, help="Whose known players to compare with.")
@as_json_option
def tables(seconds: float, on: str | None, profile: str, as_json: bool) -> int:
    """List the tables on this network that can be joined or watched."""
    known = KnownPlayers(known_path(profile)).all()
    sight = trio.run(look, seconds, on)
    if as_json:
        here = commands(anywhere(DEFAULT_PORT))
        found = [_data(table, known) for table in sight.tables]
        click.echo(json.dumps({"tables": found, "trouble": sight.trouble, "here": list(here)}, ensure_ascii=False))
        return FINE
    for line in list_lines(sight, known):
        click.echo(visible(line))
    here = join_lines(anywhere(DEFAULT_PORT))
    if here:  # else the trouble says that this machine has no address
        joined = _(" or ").join(here)
        host = _("If you host a table, others join with: {joined}, or at the --port that you give it")
        click.echo(host.format(joined=joined))
    return FINE


async def look(seconds: float, on: str | None, enough: Callable[[Sight], bool] = lambda sight: False) -> Sight:
    """What is seen on the network after so many seconds, or as soon as it is enough. Raises Usage."""
    where = None if on is None else [parse_address(on)[0]]
    async with browsing(where) as browser:
        with trio.move_on_after(seconds):
            async for sight in browser:
                if enough(sight):
                    break
        return browser.sight


def list_lines(sight: Sight, known: Sequence[Acquaintance]) -> list[str]:
    """The tables for people, each with the command that joins or watches it; what to look at where there is none."""
    lines = []
    for number, table in enumerate(sight.tables, 1):
        one = entry(table, known)
        what, who = one.lines(number)
        verb = "watch" if one.running else "join"
        lines += [what, f"   {who}", f"   p2puno {verb} {quoted(one.address)}{' --code CODE' if one.private else ''}"]
    if sight.trouble:
        lines.append(told(sight.trouble))
    if not sight.tables:
        lines += [_("No table was found. The usual causes:"), *(f"  - {_(cause)}" for cause in CAUSES)]
        lines.append(_("A typed address works in any case: p2puno join HOST[:PORT]"))
    return lines


@dataclass(frozen=True, slots=True)
class Choice:
    """Which table to join: an address, and the key that has to answer there (None: any); whether it wants a code."""

    address: str
    key: bytes | None = None
    private: bool = False


def choose(named: str | None, seconds: float, on: str | None, profile: str, watch: bool = False) -> Choice:
    """The table that is meant, of those that can be joined, or with `watch` of those that can be watched: the one of
    these safety words or this name, the only one, or the one that the player picks from the list.

    :raises Unreachable: there is none
    :raises Usage: there are several, and nobody can be asked
    """
    known = KnownPlayers(known_path(profile)).all()

    def fitting(sight: Sight) -> list[Found]:
        here = [table for table in sight.tables if not table.stale and table.advert.running == watch]
        return [table for table in here if named is None or _is_called(table, named)]

    sight = trio.run(look, seconds, on, lambda sight: named is not None and bool(fitting(sight)))
    found = fitting(sight)
    if not found:
        hint = _("`p2puno tables` shows what there is; a typed address always works")
        raise Unreachable(sight.trouble or _none(named, watch), hint)
    if len(found) > 1:
        if not sys.stdin.isatty():
            several = _("there are {n} tables").format(n=len(found))
            raise Usage(several, _("choose with --table WORDS, as `p2puno tables` lists them"))
        return _ask(Sight(tuple(found), sight.trouble), known)
    (table,) = found
    one = entry(table, known)
    doing = _("Watching {name} at {address}") if watch else _("Joining {name} at {address}")
    click.echo(visible(doing.format(name=one.name, address=one.address) + one.known), err=True)
    if one.caution and sys.stdin.isatty():
        click.confirm(_("Join all the same?"), abort=True, err=True)  # it may begin before the seats are read
    return _choice(table)


def _none(named: str | None, watch: bool) -> str:
    """That no such table was found."""
    if named is None:
        return _("no running table that can be watched was found") if watch else _("no table was found")
    watched = _("no running table that can be watched of {name!r} was found")
    return (watched if watch else _("no table of {name!r} was found")).format(name=named)


def asked_code(choice: Choice) -> str:
    """The invite code that this table wants, "" if it wants none. Raises Usage where nobody can be asked."""
    if not choice.private:
        return ""
    if not sys.stdin.isatty():
        raise Usage(_("this table is private: it wants an invite code"), _("ask its creator, and add --code CODE"))
    return str(click.prompt(_("Invite code"), err=True))


def _ask(sight: Sight, known: Sequence[Acquaintance]) -> Choice:
    """The player's choice: a number of the list, a name, safety words, or an address (D13)."""
    for line in list_lines(sight, known):
        click.echo(visible(line), err=True)
    while True:
        said = str(click.prompt(_("Which table? A number, name or address"), err=True)).strip()
        if said.isdecimal():
            if 1 <= int(said) <= len(sight.tables):
                return _choice(sight.tables[int(said) - 1])
            continue
        fits = [table for table in sight.tables if _is_called(table, said)]
        if len(fits) == 1:
            return _choice(fits[0])
        try:
            return Choice(format_address(*parse_address(said)))
        except Usage as problem:
            click.echo(in_one_line(problem.message, problem.hint), err=True)


def _choice(table: Found) -> Choice:
    return Choice(format_address(*table.addresses[0]), table.advert.key, table.advert.private)


def _is_called(table: Found, said: str) -> bool:
    text = " ".join(said.lower().split())
    return bool(text) and (table.advert.words.startswith(text) or table.advert.name.casefold() == said.casefold())


def _data(table: Found, known: Sequence[Acquaintance]) -> dict[str, Any]:
    advert = table.advert
    return {
        "name": advert.name,
        "key": advert.key.hex(),
        "words": words(advert.key),
        "known": standing(list(known), advert.name, advert.key).value,
        "variant": advert.variant,
        "taken": advert.taken,
        "seats": advert.seats,
        "rules": advert.rules.hex(),
        "private": advert.private,
        "running": advert.running,
        "watchers": advert.watchers,
        "answers": not table.stale,
        "addresses": [format_address(*address) for address in table.addresses],
    }
