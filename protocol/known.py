"""Whom we have played with: names and keys, remembered at the first table together (trust on first use).

Anybody can take any name, so what counts is whether a name comes with the key that it came with before.  One file for
each profile; readable by the user alone, since it tells with whom somebody plays.
"""

import os
import secrets
import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from p2puno.said import said, system_says
from protocol.errors import Damaged, Usage
from protocol.identity import words
from protocol.names import NAME_CELLS, clean

FORMAT: Final = 1
MOST: Final = 2000  # players; the one not met for longest goes first, unconfirmed ones before the others

Key = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]


class Standing(StrEnum):
    """What we know of a name with a key."""

    UNASKED = "unasked"  # nobody asked: ourselves, bots
    NEW = "new"  # neither was met before
    KNOWN = "known"
    OTHER_KEY = "other key"  # the name is known, with another key


class Acquaintance(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody we have played with.  ``confirmed``: False if the name was known with another key at that time, and
    nobody has said since that this is right."""

    key: Key
    name: Annotated[str, Meta(max_length=256)]
    first: Day
    last: Day
    tables: Annotated[int, Meta(ge=1)]
    confirmed: bool

    @property
    def words(self) -> str:
        """The safety words of the key."""
        return words(bytes.fromhex(self.key))


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    players: list[Acquaintance]


class KnownPlayers:
    """The memory of one profile, in the file at ``path`` (there need not be one).

    It is read anew for every use, as another table of the same profile may have written meanwhile.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def all(self) -> list[Acquaintance]:
        """Everybody, by name.  Raises Damaged if the file cannot be read."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as problem:
            raise Damaged(
                said("{path} cannot be read: {reason}", path=self.path, reason=system_says(problem))
            ) from None
        try:
            file = msgspec.json.decode(data, type=_File)
        except (msgspec.MsgspecError, RecursionError):
            file = _File(0, [])
        if file.format != FORMAT:
            raise Damaged(
                said("{path} is no list of known players", path=self.path),
                said("move it away to begin a new one; then nobody is known any more"),
            )
        # What a person may have written into the file must be as harmless on a screen as what we write.
        known = [replace(one, name=clean(one.name, NAME_CELLS)) for one in file.players]
        return sorted(known, key=lambda one: (_fold(one.name), one.first, one.key))

    def meet(self, people: Iterable[tuple[str, bytes]], day: str) -> None:
        """Remember that we sat at a table with these (name, key) on a day (YYYY-MM-DD).  Raises Damaged, OSError."""
        known = self.all()
        for name, key in people:
            seen = standing(known, name, key)
            old = next((one for one in known if one.key == key.hex()), None)
            if old is None:
                known.append(Acquaintance(key.hex(), name, day, day, 1, seen is Standing.NEW))
            else:
                # A friend may take a new name, but not one that is somebody else's.
                name = old.name if seen is Standing.OTHER_KEY else name
                known[known.index(old)] = replace(old, name=name, last=day, tables=old.tables + 1)
        known.sort(key=lambda one: (one.confirmed, one.last), reverse=True)
        self._write(known[:MOST])

    def forget(self, whom: str) -> list[Acquaintance]:
        """Forget everybody with this name, these safety words or this beginning of a key; who that was.

        Raises Usage if there is nobody, Damaged, OSError.
        """
        known = self.all()
        chosen = _chosen(known, whom)
        self._write([one for one in known if one not in chosen])
        return chosen

    def trust(self, whom: str) -> Acquaintance:
        """Confirm the one player with these safety words or this beginning of a key (or name, if there is one of it).

        Raises Usage if that is nobody or not clear, Damaged, OSError.
        """
        known = self.all()
        chosen = _chosen(known, whom)
        if len(chosen) > 1:
            raise Usage(
                said("{count} known players are called {whom!r}", count=len(chosen), whom=whom),
                said("say the safety words instead of the name"),
            )
        confirmed = replace(chosen[0], confirmed=True)
        self._write([confirmed if one == chosen[0] else one for one in known])
        return confirmed

    def _write(self, known: list[Acquaintance]) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self.path.with_name(f".{self.path.name}.{secrets.token_hex(8)}")
        data = msgspec.json.format(msgspec.json.encode(_File(FORMAT, known)), indent=1)
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path)
        finally:
            draft.unlink(missing_ok=True)


def standing(known: list[Acquaintance], name: str, key: bytes) -> Standing:
    """What we know of this name with this key."""
    ours = [one for one in known if one.key == key.hex() and one.confirmed]
    namesakes = [one for one in known if _fold(one.name) == _fold(name) and one.confirmed]
    if any(one in namesakes for one in ours):
        return Standing.KNOWN
    if namesakes:
        return Standing.OTHER_KEY
    return Standing.KNOWN if ours else Standing.NEW


def _fold(name: str) -> str:
    """Names that look the same at a glance fold to the same: case, width and accents do not tell people apart."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(c for c in plain if not unicodedata.combining(c)).strip()


def _chosen(known: list[Acquaintance], whom: str) -> list[Acquaintance]:
    text = " ".join(whom.split())
    chosen = [one for one in known if one.words == text.lower()]
    chosen = chosen or [one for one in known if one.name == clean(text or "?", NAME_CELLS)]
    chosen = chosen or [one for one in known if len(text) >= 8 and one.key.startswith(text.lower())]
    if not chosen:
        raise Usage(
            said("nobody is known as {whom!r}", whom=whom),
            said("`p2puno players` lists everybody with name and safety words"),
        )
    return chosen
