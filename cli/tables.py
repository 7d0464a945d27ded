"""The tables that commands open: a new one with bots of our own beside us, or a seat at somebody else's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final

import trio

from cli.children import Children
from cli.seat import Seating
from cli.table.session import OpenTable, Session
from p2puno.rules import Rules
from protocol.errors import Usage
from protocol.identity import Identity
from protocol.invite import read_code
from protocol.known import standing
from protocol.net.address import format_address, parse_address
from protocol.net.gathering import Judge, Meet, nobody_known, nobody_met, open_host, open_join

FIT: Final = "choose other numbers with --bots and --seats"


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
        raise Usage(f"{rules.name} is for {players[0]} to {players[-1]} players, not {seats}", FIT)
    if len(bots) >= seats:
        raise Usage(f"{len(bots)} bots and you do not fit at {seats} seats", FIT)
    if seating.hero:
        rules.hero(seating.hero)
    identity = seating.identity()
    judge, meet = memory(seating)

    @asynccontextmanager
    async def table() -> AsyncIterator[Session]:
        async with (
            open_host(
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
                announce=place.announce,
                code=place.code,
                judge=judge,
                meet=meet,
            ) as session,
            trio.open_nursery() as nursery,
        ):
            near = _near(session.addresses)
            for name in bots:
                children.start(near, name, seating.level, seating.pace, place.code)
            nursery.start_soon(children.watch)
            yield session
            nursery.cancel_scope.cancel()

    return table


def joined(address: str, seating: Seating, code: str = "", expect: bytes | None = None) -> OpenTable:
    """A seat at the table at `address`, where the key `expect` has to answer. Bots come with a key of their own.

    Raises Usage for what is no address or no invite code.
    """
    parse_address(address)
    code = read_code(code) if code else ""
    judge, meet = memory(seating)
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
            expect=expect,
            code=code,
            judge=judge,
            meet=meet,
        )

    return table


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
