"""Tables that were cut off: which of them can be taken up again, and which one the same command means.

A table that we sit at has a file of secrets beside its journal (`protocol.vault`). Into it goes a note of ours: how the
table was opened. Who types the same command again after a kill gets the same table again.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from p2puno.rules import Rules
from protocol.errors import FileProblem
from protocol.journal import in_use
from protocol.messages import Malformed, decode, encode
from protocol.payloads import B32, Text
from protocol.vault import SUFFIX, Secrets, read_secrets

RECENT: Final = 24 * 3600.0
"""Seconds after which the same command no longer means the old table."""
HANDOVER: Final = 5.0
"""Seconds that a bot waits for its predecessor at the same seat to end."""


class Note(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How a table was opened. `claim`: hash of what the command said. `profile`: whose identity plays. `bots`: the
    names of the bots that we started, whose journals are in the folder `folder` beside ours. `announce`: whether the
    network may be told of the table."""

    claim: B32
    profile: Text
    bots: Annotated[tuple[Text, ...], Meta(max_length=9)]
    folder: Text
    announce: bool = False

    def encode(self) -> bytes:
        """As it is in the secrets."""
        return encode(self)


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A table that can be taken up: its journal, its secrets, our note in them, when the secrets last changed."""

    journal: Path
    secrets: Secrets
    note: Note
    touched: float


def claim_of(*said: object) -> bytes:
    """The hash of what a command said about its table: the same words give the same 32 bytes."""
    words = "\x00".join(word.encode().hex() if isinstance(word, Rules) else repr(word) for word in said)
    return hashlib.sha256(words.encode()).digest()


def unfinished(folder: Path) -> list[Unfinished]:
    """The tables in `folder` that can be taken up now, the newest first. What cannot be read is none."""
    found = [table for table in _all(folder) if not in_use(table.journal)]
    return sorted(found, key=lambda table: table.touched, reverse=True)


def read_unfinished(journal: Path) -> Unfinished:
    """The table of this journal.

    :raises FileProblem: its secrets are missing or cannot be read
    """
    path = journal.with_suffix(SUFFIX)
    secrets = read_secrets(path)
    try:
        note = decode(secrets.note, Note)
    except Malformed:  # opened by another program than this one
        note = Note(bytes(32), "default", (), "")
    return Unfinished(journal, secrets, note, path.stat().st_mtime)


def same_command(claim: bytes, folder: Path, patience: float = 0.0) -> Unfinished | None:
    """The newest table in `folder` that this command opened and that was cut off lately.

    `patience`: seconds to wait for a program that still sits at it.
    """
    deadline = time.monotonic() + patience
    while True:
        mine = [
            table
            for table in _all(folder)
            if table.note.claim == claim and not table.secrets.aside and time.time() - table.touched < RECENT
        ]
        free = [table for table in mine if not in_use(table.journal)]
        if free:
            return max(free, key=lambda table: table.touched)
        if not mine or time.monotonic() >= deadline:
            return None
        time.sleep(0.05)


def sat_at(claim: bytes, folder: Path) -> Path | None:
    """The journal of a table in `folder` that this command opened and at which another program sits now."""
    return next((one.journal for one in _all(folder) if one.note.claim == claim and in_use(one.journal)), None)


def _all(folder: Path) -> Iterator[Unfinished]:
    for path in folder.glob(f"*{SUFFIX}"):
        journal = path.with_suffix(".p2puno")
        if journal.exists():
            try:
                yield read_unfinished(journal)
            except (FileProblem, OSError):  # `p2puno resume FILE` says what is wrong with it
                continue
