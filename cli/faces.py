"""The face that fits this terminal and this player: full screen, line mode or screen-reader mode."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

import click
import trio

from cli.language import N_, _
from cli.manner import Manner
from cli.pilot import Pilot
from cli.plain import LineTable
from cli.record import Record
from cli.speak import Speech
from cli.table.narrator import hand_lines, match_line
from cli.table.session import OpenTable, Session
from cli.text import visible
from cli.theme import glyphs

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

NO_CONSOLE: Final = N_("This terminal cannot place a cursor, so the table is told in lines.")


Over: TypeAlias = Callable[[Record, Session], None]


class Face(Protocol):
    """What a face leaves behind when the table is over."""

    record: Record
    session: Session | None
    signal: int


def full_screen_fits() -> bool:
    """Whether this is a terminal on which a cursor can be moved (P05)."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("dumb", "")


def in_lines(manner: Manner) -> bool:
    """Whether everything is told in lines: as it is wanted, or because nothing else fits."""
    return manner.lines or bool(manner.speak) or not full_screen_fits()


def shown(
    open_table: OpenTable,
    manner: Manner,
    pilot: Pilot | None = None,
    *,
    accept_packs: bool = False,
    until_eof: bool = False,
    silent: bool = False,
    watching: bool = False,
    over: Over | None = None,
) -> Face:
    """Play at the table in the face that fits. `silent`: nothing is shown; `watching`: we have no seat; `over`: told
    of a table that is over, while its end is still shown. Raises what ends the table."""
    line_table = partial(
        LineTable, open_table, pilot, until_eof=until_eof, accept_packs=accept_packs, watching=watching
    )
    if silent:
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            table = line_table(nowhere)
            table.listens = table.listens and not watching  # a document is wanted to the end, whatever stdin is
            trio.run(table.run)
            return table
    voice = Speech(manner.speak) if manner.speak else None
    rings = manner.bell and sys.stdout.isatty()
    table = line_table(voice=voice, bell=rings, chat=manner.chat)
    table.breaks = voice is None and sys.stdout.isatty()
    edited = not manner.lines or (pilot is None and not until_eof)  # whether a cursor is to be moved at all
    terminal = console() if edited and not manner.speak and full_screen_fits() else None
    if terminal is None:
        trio.run(table.run)
    elif manner.lines:
        from cli.editor import edited_lines

        asyncio.run(edited_lines(table, *terminal))
    else:
        return _full_screen(
            open_table, manner, pilot, *terminal, accept_packs=accept_packs, watching=watching, over=over
        )
    return table


def console() -> tuple[Input, Output] | None:
    """The terminal as prompt_toolkit opens it; None, after a line that says so, where it cannot (P01): the consoles of
    Git-Bash and of some editors on Windows are none to the system."""
    from prompt_toolkit.input import create_input  # slow to load, and bots never need it
    from prompt_toolkit.output import create_output

    try:
        return create_input(), create_output()
    except Exception as problem:
        if type(problem).__name__ != "NoConsoleScreenBufferError":  # its module loads on Windows only
            raise
        click.echo(_(NO_CONSOLE))
        return None


def _full_screen(
    open_table: OpenTable,
    manner: Manner,
    pilot: Pilot | None,
    source: Input,
    output: Output,
    *,
    accept_packs: bool,
    watching: bool,
    over: Over | None,
) -> Face:
    from cli.screen import TableScreen

    async def show() -> TableScreen:
        screen = TableScreen(
            open_table, glyphs(manner.ascii), manner, pilot,
            accept_packs=accept_packs, input=source, output=output, watching=watching, over=over,
        )  # fmt: skip
        await screen.run()
        return screen

    screen = asyncio.run(show())
    if screen.session is not None:
        _last_words(screen.record, screen.session)
    return screen


def _last_words(record: Record, session: Session) -> None:
    """What stays on the normal screen when the full screen has gone."""
    names = [visible(player.name) for player in session.players]
    if record.hands:
        for line in hand_lines(record.hands[-1], names, session.rules):
            click.echo(visible(line.text))
    if record.match is not None:
        click.echo(visible(match_line(record.match.winner, record.match.scores, names).text))
    if session.journal is not None:
        click.echo(_("Journal: {path}").format(path=session.journal))
