"""Who sits down and how: identity, name, folders, the bot levels; and what is left of the table."""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom
from typing import Final

import click
import platformdirs

from cli.faces import Face, shown
from cli.language import N_, _, told
from cli.manner import Manner
from cli.pilot import Pilot
from cli.record import Record
from cli.table.session import OpenTable, Session
from cli.trouble import Interrupted, tell
from p2puno import bots
from p2puno.dealer import Dice
from p2puno.dealer import Player as Bot
from p2puno.said import message_of
from protocol.errors import P2punoError, Usage
from protocol.identity import Identity
from protocol.known import KnownPlayers
from protocol.names import NAME_CELLS, clean

LEVELS: Final[dict[str, Callable[[Dice], Bot]]] = {"random": bots.random_legal, "sensible": bots.sensible}
"""The bots by level, the usual one last."""

USUAL_LEVEL: Final = list(LEVELS)[-1]
NEEDS_PILOT: Final = N_("--json needs a program at the seat")


@dataclass(frozen=True, slots=True)
class Seating:
    """How our seat is taken, as the options say."""

    name: str
    journal_dir: Path
    profile: str = "default"
    bot: bool = False  # a program plays our seat
    level: str = USUAL_LEVEL
    pace: float | None = None
    manner: Manner = field(default_factory=Manner)
    json: bool = False
    until_eof: bool = False
    hero: str = ""
    age: int = 0
    accept_packs: bool = False
    new: bool = False  # another table, even if one is unfinished
    ready: bool = True  # the table may begin without our saying so

    def identity(self) -> Identity:
        """The key of this profile, made on first use. Raises Usage for a profile name that is no file name."""
        return Identity.load_or_create(identity_path(self.profile))

    def known(self) -> KnownPlayers:
        """Whom this profile has played with."""
        return KnownPlayers(known_path(self.profile))

    def pilot(self) -> Pilot | None:
        """The program that plays this seat, if one does."""
        return Pilot(LEVELS[self.level](SystemRandom()), self.pace) if self.bot else None


def home() -> Path:
    """Where identities and journals are kept: P2PUNO_HOME, or the user's data directory. Absolute, as the history knows
    journals by their paths."""
    own = os.environ.get("P2PUNO_HOME")
    return Path(own).absolute() if own else Path(platformdirs.user_data_path("p2puno"))


def identity_path(profile: str) -> Path:
    """Where the key of a profile lies. Raises Usage for a profile name that is no file name."""
    return home() / f"identity-{_checked(profile)}.pem"


def known_path(profile: str) -> Path:
    """Where the players that a profile knows are listed. Raises Usage for a profile name that is no file name."""
    return home() / f"known-{_checked(profile)}.json"


def _checked(profile: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", profile):
        raise Usage(_("{name!r} is no profile name").format(name=profile), _("use letters, digits, - and _"))
    return profile


def default_name() -> str:
    """The user's name on this machine."""
    try:
        return clean(getpass.getuser().capitalize(), NAME_CELLS)
    except (OSError, KeyError):  # a container without a user entry
        return "Player"


def sit(open_table: OpenTable, seating: Seating) -> int:
    """Play at the table in the face that fits; returns the exit code. Raises what ends the program otherwise."""
    if seating.json and not seating.bot:
        raise Usage(_(NEEDS_PILOT), _("add --autoplay, or use `p2puno bot`"))
    face = played(open_table, seating)
    if face.signal:
        raise Interrupted(face.signal)
    if face.session is not None:
        if seating.json:
            click.echo(json.dumps(face.record.document(face.session), ensure_ascii=False))
        message, hint = face.record.complaint(face.session)
        if message:
            tell(message, hint)
    return face.record.exit_code


def played(open_table: OpenTable, seating: Seating) -> Face:
    """Play at the table in the face that fits, and put it into the history. Raises what ends the table otherwise."""
    face = shown(
        open_table, seating.manner, seating.pilot(),
        accept_packs=seating.accept_packs, until_eof=seating.until_eof, silent=seating.json,
        over=None if seating.until_eof else remember_early,
    )  # fmt: skip
    if face.session is not None and not seating.until_eof:
        remember(face.record, face.session)  # also after Ctrl-C, which leaves the table
    return face


def remember_early(record: Record, session: Session) -> None:
    """Put a table that is over into the history while its end is still shown: the window may be closed over it. What
    goes wrong is told by `remember`, when there is room for words."""
    with contextlib.suppress(P2punoError, OSError):
        _remember(record, session)


def _remember(record: Record, session: Session) -> None:
    from cli.history.index import index_path, open_index
    from cli.history.past import own_keys, past_of_session

    past = past_of_session(record, session, own_keys(home()))
    if past is not None:
        with open_index(index_path(home())) as index:
            index.add(past)


def remember(record: Record, session: Session) -> None:
    """Put the table into the history. A history that cannot be written spoils nothing else."""
    try:
        _remember(record, session)
    except (P2punoError, OSError) as problem:
        missing = _("the table is not in the history: {problem}").format(problem=told(message_of(problem)))
        tell(missing, getattr(problem, "hint", ""))
