"""The tables that commands open: a new one with bots of our own beside us, a seat at somebody else's, or the one that
the same command opened before its program was killed."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Final

import click
import msgspec
import trio

from cli.children import Children
from cli.company import Company
from cli.language import N_, _
from cli.seat import Seating
from cli.table.session import OpenTable, Session
from cli.unfinished import HANDOVER, Note, Unfinished, claim_of, same_command, sat_at
from p2puno.rules import Rules
from protocol.errors import InUse, Usage
from protocol.identity import Identity
from protocol.invite import read_code
from protocol.known import standing
from protocol.net import driver
from protocol.net.address import format_address, parse_address
from protocol.net.gathering import open_host, open_join
from protocol.net.meeting import Judge, Meet, nobody_known, nobody_met
from protocol.net.returning import open_resume
from protocol.vault import SUFFIX, Vault

FIT: Final = N_("choose other numbers with --bots and --seats")
SAT: Final = N_("close it, or let a second player sit down with --profile; --new takes this address for another table")
AGAIN: Final = N_("Going on at the table of {journal}. (--new begins another one.)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a new table listens (`host` None: on every interface), whether the network is told of it, and the invite
    code that it wants."""

    host: str | None
    port: int
    announce: bool = False
    code: str = ""


def hosted(
    rules: Rules, seats: int, place: Place, seating: Seating, bots: Sequence[str], children: Children
) -> OpenTable:
    """A table that we create and sit at, with so many bots as processes of their own, by name."""
    players = rules.players
    if seats not in players:
        wrong = _("{game} is for {few} to {many} players, not {n}")
        raise Usage(wrong.format(game=rules.name, few=players[0], many=players[-1], n=seats), _(FIT))
    if len(bots) >= seats:
        raise Usage(_("{n} bots and you do not fit at {seats} seats").format(n=len(bots), seats=seats), _(FIT))
    if seating.hero:
        rules.hero(seating.hero)
    claim = claim_of("host", rules, seats, place.host, place.port, tuple(bots), *_who(seating))
    if old := _cut_off(claim, seating):
        return resumed(old, seating, children)
    identity = seating.identity()
    folder = seating.journal_dir / f"bots-{secrets.token_hex(8)}"
    note = Note(claim, seating.profile, tuple(bots), folder.name, place.announce)
    judge, meet = memory(seating)
    quick = seating.ready and len(bots) + 1 == seats  # nobody else can come, so each of the bots must

    @asynccontextmanager
    async def table() -> AsyncIterator[Session]:
        async with open_host(
            identity,
            seating.name,
            rules,
            seats=seats,
            host=place.host,
            port=place.port,
            journal_dir=seating.journal_dir,
            bot=seating.bot,
            hero=seating.hero,
            age=seating.age,
            note=note.encode(),
            announce=place.announce,
            code=place.code,
            ready=seating.ready,
            invites=not quick,
            judge=judge,
            meet=meet,
        ) as session:
            near = _near(session.addresses)
            children.everywhere = place.host is None

            def start(name: str) -> None:
                children.start(near, name, seating.level, seating.pace, folder, place.code, may_miss=not quick)

            def remember(names: Sequence[str]) -> None:
                session.note = msgspec.structs.replace(note, bots=tuple(names)).encode()

            company = Company(session, bots, seating.name, seats, start, children.runs, remember)
            children.on_miss = company.missed
            async with _beside(session, children):
                yield session

    return table


@asynccontextmanager
async def _beside(session: driver.Session, children: Children) -> AsyncIterator[None]:
    """Look after the bots of a table as long as we sit there, and let them go when our player goes."""

    async def go_along() -> None:
        await session.parting()
        if session.left:
            children.leave(len(session.players))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(children.watch)
        nursery.start_soon(go_along)
        try:
            yield
        finally:
            children.stay = session.resumable
            nursery.cancel_scope.cancel()


def rejoined(typed: str, seating: Seating) -> OpenTable | None:
    """The table that was joined by the same command, of which `typed` said where, and that was cut off."""
    old = _cut_off(_join_claim(typed, seating), seating)
    return resumed(old, seating) if old else None


def joined(
    address: str,
    seating: Seating,
    code: str = "",
    expect: bytes | None = None,
    typed: str | None = None,
    gathers: bool = False,
    everywhere: bool = False,
) -> OpenTable:
    """A seat at the table at `address`, where the key `expect` has to answer. Bots come with a key of their own.

    `typed`: what the command said instead of an address. `gathers`: the table is known to wait for players, so it is
    none that was cut off at the same address. `everywhere`: as in `open_join`. Raises Usage for what is no address or
    no invite code, InUse where the same command is running.
    """
    parse_address(address)
    claim = _join_claim(address if typed is None else typed, seating)
    if old := _cut_off(claim, replace(seating, new=seating.new or gathers)):
        return resumed(old, seating)
    alone = not (seating.until_eof or seating.bot)  # bots have a key each, so there may be many
    if alone and typed in (None, address) and not seating.new and (there := sat_at(claim, seating.journal_dir)):
        sits = _("another p2puno of yours sits at {address} already, with {journal}")
        raise InUse(sits.format(address=address, journal=there.name), _(SAT))
    code = read_code(code) if code else ""
    judge, meet = memory(seating)
    announced = expect is not None  # a key is known of those alone that were found on the network
    identity = Identity.fresh() if seating.until_eof or seating.bot else seating.identity()

    def table() -> AbstractAsyncContextManager[Session]:
        return open_join(
            identity,
            seating.name,
            address,
            journal_dir=seating.journal_dir,
            bot=seating.bot,
            hero=seating.hero,
            age=seating.age,
            note=Note(claim, seating.profile, (), "", announced).encode(),
            announce=announced,
            everywhere=everywhere,
            expect=expect,
            code=code,
            ready=seating.ready,
            judge=judge,
            meet=meet,
        )

    return table


def resumed(old: Unfinished, seating: Seating, children: Children | None = None) -> OpenTable:
    """A table taken up again, with those of its bots that were still at it."""
    identity = None if old.secrets.key else replace(seating, profile=old.note.profile).identity()
    folder = old.journal.parent / old.note.folder

    @asynccontextmanager
    async def table() -> AsyncIterator[Session]:
        async with open_resume(old.journal, identity, old.note.announce) as session:
            if children is None:
                yield session
                return
            near = format_address("127.0.0.1", old.secrets.port)  # they know better where to dial, from the charter
            for name in old.note.bots:
                if any((folder / name).glob(f"*{SUFFIX}")):  # else it has left the table
                    children.start(near, name, seating.level, seating.pace, folder)
            async with _beside(session, children):
                yield session

    return table


def _join_claim(typed: str, seating: Seating) -> bytes:
    # A bot that another program of ours started has a folder to itself, so any table there is its own.
    return claim_of("join", "" if seating.until_eof else typed, *_who(seating))


def _who(seating: Seating) -> tuple[object, ...]:
    return seating.name, seating.profile, seating.hero, seating.age, seating.bot


def _cut_off(claim: bytes, seating: Seating) -> Unfinished | None:
    """The table that the same command opened and that was cut off; with --new all such are put aside."""
    if seating.new:
        while old := same_command(claim, seating.journal_dir):
            Vault(old.journal, old.secrets).set_aside()
        return None
    old = same_command(claim, seating.journal_dir, HANDOVER if seating.until_eof else 0.0)
    if old is not None and not seating.until_eof:
        click.echo(_(AGAIN).format(journal=old.journal), err=True)
    return old


def memory(seating: Seating) -> tuple[Judge, Meet]:
    """What this seat knows of people, and how it remembers those that it meets; the bots of a table know nobody.

    Raises Damaged.
    """
    if seating.until_eof:
        return nobody_known, nobody_met
    known = seating.known()

    def meet(people: Sequence[tuple[str, bytes]]) -> None:
        if people:
            known.meet(people, date.today().isoformat())

    return partial(standing, known.all()), meet


def _near(bound: Sequence[str]) -> str:
    """The address by which a process on this machine reaches a table bound to these."""
    host, port = parse_address(bound[0])
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return format_address(near, port)
