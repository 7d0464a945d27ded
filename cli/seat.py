"""Who sits down and how: identity, name, folders, the bot levels; and the face that fits this terminal."""

from __future__ import annotations

import asyncio
import getpass
import json
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from typing import Final, Protocol

import click
import platformdirs
import trio

from cli.pilot import Pilot
from cli.plain import LineTable
from cli.record import Record
from cli.table.narrator import hand_lines, match_line
from cli.table.session import OpenTable, Session
from cli.text import visible
from cli.theme import glyphs
from cli.trouble import Interrupted, tell
from p2puno import bots
from p2puno.dealer import Dice
from p2puno.dealer import Player as Bot
from protocol.errors import P2punoError, Usage
from protocol.identity import Identity
from protocol.names import NAME_CELLS, clean

LEVELS: Final[dict[str, Callable[[Dice], Bot]]] = {"random": bots.random_legal, "sensible": bots.sensible}
"""The bots by level, the usual one last."""

USUAL_LEVEL: Final = list(LEVELS)[-1]
NEEDS_PILOT: Final = "--json needs a program at the seat"


@dataclass(frozen=True, slots=True)
class Seating:
    """How our seat is taken, as the options say."""

    name: str
    journal_dir: Path
    profile: str = "default"
    bot: bool = False  # a program plays our seat
    level: str = USUAL_LEVEL
    pace: float | None = None
    lines: bool = False
    ascii: bool = False
    bell: bool = True
    json: bool = False
    until_eof: bool = False
    hero: str = ""
    age: int = 0
    accept_packs: bool = False
    new: bool = False  # another table, even if one is unfinished

    def identity(self) -> Identity:
        """The key of this profile, made on first use. Raises Usage for a profile name that is no file name."""
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", self.profile):
            raise Usage(f"{self.profile!r} is no profile name", "use letters, digits, - and _")
        return Identity.load_or_create(home() / f"identity-{self.profile}.pem")

    def pilot(self) -> Pilot | None:
        """The program that plays this seat, if one does."""
        return Pilot(LEVELS[self.level](SystemRandom()), self.pace) if self.bot else None


def home() -> Path:
    """Where identities and journals are kept: P2PUNO_HOME, or the user's data directory."""
    own = os.environ.get("P2PUNO_HOME")
    return Path(own) if own else Path(platformdirs.user_data_path("p2puno"))


def default_name() -> str:
    """The user's name on this machine."""
    try:
        return clean(getpass.getuser().capitalize(), NAME_CELLS)
    except (OSError, KeyError):  # a container without a user entry
        return "Player"


def full_screen_fits() -> bool:
    """Whether this is a terminal that a full screen can be drawn on (P05)."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("dumb", "")


def sit(open_table: OpenTable, seating: Seating) -> int:
    """Play at the table in the face that fits; returns the exit code. Raises what ends the program otherwise."""
    if seating.json and not seating.bot:
        raise Usage(NEEDS_PILOT, "add --autoplay, or use `p2puno bot`")
    if seating.json or seating.lines or not full_screen_fits():
        face = _in_lines(open_table, seating)
    else:
        face = _full_screen(open_table, seating)
    if face.signal:
        raise Interrupted(face.signal)
    if face.session is not None:
        if not seating.until_eof:
            remember(face.record, face.session)
        if seating.json:
            click.echo(json.dumps(face.record.document(face.session), ensure_ascii=False))
        message, hint = face.record.complaint(face.session)
        if message:
            tell(message, hint)
    return face.record.exit_code


def remember(record: Record, session: Session) -> None:
    """Put the table into the history. A history that cannot be written spoils nothing else."""
    from cli.history.index import index_path, open_index
    from cli.history.past import own_keys, past_of_session

    try:
        past = past_of_session(record, session, own_keys(home()))
        if past is not None:
            with open_index(index_path(home())) as index:
                index.add(past)
    except (P2punoError, OSError) as problem:
        tell(f"the table is not in the history: {problem}", getattr(problem, "hint", ""))


class Face(Protocol):
    """What a face leaves behind when the table is over."""

    record: Record
    session: Session | None
    signal: int


def _in_lines(open_table: OpenTable, seating: Seating) -> Face:
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        out = nowhere if seating.json else sys.stdout
        lines = LineTable(
            open_table, seating.pilot(), out, until_eof=seating.until_eof, accept_packs=seating.accept_packs
        )
        trio.run(lines.run)
    return lines


def _full_screen(open_table: OpenTable, seating: Seating) -> Face:
    from cli.screen import TableScreen  # prompt_toolkit is slow to load, and bots never need it

    async def show() -> TableScreen:
        screen = TableScreen(open_table, glyphs(seating.ascii), seating.bell, seating.pilot(), seating.accept_packs)
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
        click.echo(f"Journal: {session.journal}")
