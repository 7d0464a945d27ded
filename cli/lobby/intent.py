"""What somebody in the lobby wants: carried out by `cli.lobby.program`, and then they are back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from cli.seat import USUAL_LEVEL
from p2puno.rules import Rules


@dataclass(frozen=True, slots=True)
class Open:
    """A new table. `announce`: tell the network of it, `private`: with an invite code, `port`: where it listens; a
    `practice` table is on this machine alone, and of its `seats` all others are `bots`."""

    rules: Rules
    seats: int
    bots: int
    level: str = USUAL_LEVEL
    hero: str = ""
    age: int = 0
    announce: bool = True
    private: bool = False
    port: int = 0
    practice: bool = False


@dataclass(frozen=True, slots=True)
class Go:
    """To somebody's table at an address, to sit down or to `watch`. `key`: whose key has to answer there, None for
    anybody's; `listed`: it is announced as waiting for players."""

    address: str
    watch: bool = False
    key: bytes | None = None
    code: str = ""
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Resume:
    """Take up the table of this journal."""

    journal: Path


@dataclass(frozen=True, slots=True)
class Browse:
    """Go through the history and the standings."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Show the table of this journal again."""

    journal: Path


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the lobby."""


Intent: TypeAlias = Open | Go | Resume | Browse | Replay | Quit
