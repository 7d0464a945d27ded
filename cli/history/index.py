"""The index of finished tables: one SQLite file beside the journals, which can be made anew from them at any time."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from cli.history.past import Chair, HandWon, Past, Standing, past_of_journal
from cli.language import N_, _
from cli.text import visible
from protocol.errors import Damaged, FileProblem, Unfinished

VERSION: Final = 1
REBUILD: Final = N_("`p2puno history --rebuild` makes it anew from the journals")
BUSY: Final = 5.0  # seconds that one program waits for another one that writes

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, variant TEXT NOT NULL, standing TEXT NOT NULL, winner INTEGER NOT NULL,
    turns INTEGER NOT NULL, steps INTEGER NOT NULL, ended TEXT NOT NULL, journal TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS chairs (
    id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, seat INTEGER NOT NULL, key TEXT NOT NULL,
    name TEXT NOT NULL, bot INTEGER NOT NULL, hero TEXT NOT NULL, mine INTEGER NOT NULL, score INTEGER NOT NULL,
    gone INTEGER NOT NULL, cheated INTEGER NOT NULL, PRIMARY KEY (id, seat)
) STRICT;
CREATE TABLE IF NOT EXISTS hands (
    id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, number INTEGER NOT NULL, winner INTEGER NOT NULL,
    ending TEXT NOT NULL, points INTEGER NOT NULL, PRIMARY KEY (id, number)
) STRICT;
CREATE TABLE IF NOT EXISTS journals (path TEXT PRIMARY KEY) STRICT;
"""
"""`journals`: every file that was looked at, also where another journal of the same table tells more of it."""


class Index:
    """The index, open. Made by `open_index`."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def add(self, past: Past) -> None:
        """Remember a table, unless what is known of it already goes further."""
        with self._base:
            self._base.execute("INSERT OR IGNORE INTO journals VALUES (?)", (past.journal,))
            known = self._base.execute("SELECT standing, steps FROM tables WHERE id = ?", (past.table,)).fetchone()
            if known is not None and (known[0] != Standing.UNFINISHED, known[1]) > past.reach:
                return
            self._base.execute("DELETE FROM tables WHERE id = ?", (past.table,))
            self._base.execute(
                "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (past.table, past.variant, past.standing.value, past.winner, past.turns, past.steps, past.ended,
                 past.journal),
            )  # fmt: skip
            self._base.executemany(
                "INSERT INTO chairs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (past.table, seat, c.key, c.name, c.bot, c.hero, c.mine, c.score, c.gone, c.cheated)
                    for seat, c in enumerate(past.chairs)
                ],
            )
            self._base.executemany(
                "INSERT INTO hands VALUES (?, ?, ?, ?, ?)",
                [(past.table, number, h.winner, h.ending, h.points) for number, h in enumerate(past.hands, 1)],
            )

    def pasts(self, limit: int = -1) -> list[Past]:
        """The tables, the newest first; at most `limit`, all if it is negative."""
        rows = self._base.execute("SELECT * FROM tables ORDER BY ended DESC, id LIMIT ?", (limit,)).fetchall()
        return [self._past(row) for row in rows]

    def journals(self) -> set[str]:
        """The paths of all journals that were looked at."""
        return {path for (path,) in self._base.execute("SELECT path FROM journals")}

    def _past(self, row: tuple[str, str, str, int, int, int, str, str]) -> Past:
        ident, variant, standing, winner, turns, steps, ended, journal = row
        if standing not in list(Standing):
            raise sqlite3.DatabaseError(f"{standing!r} is no way to end")
        chairs = self._base.execute(
            "SELECT key, name, bot, hero, mine, score, gone, cheated FROM chairs WHERE id = ? ORDER BY seat", (ident,)
        )
        # Anybody may have written to the file: what is for eyes is made fit for them here (P17).
        hands = self._base.execute("SELECT winner, ending, points FROM hands WHERE id = ? ORDER BY number", (ident,))
        return Past(
            ident, visible(variant), Standing(standing), winner, turns, steps, visible(ended), journal,
            tuple(
                Chair(key, visible(name), bool(bot), visible(hero), bool(mine), score, bool(gone), bool(cheated))
                for key, name, bot, hero, mine, score, gone, cheated in chairs
            ),
            tuple(HandWon(*hand) for hand in hands),
        )  # fmt: skip


def index_path(home: Path) -> Path:
    """Where the index of a profile directory lies."""
    return home / "history.sqlite"


@contextmanager
def open_index(path: Path) -> Iterator[Index]:
    """The index at `path`, made if there is none.

    :raises Damaged: the file is no index, one of another version, or cannot be read or written
    :raises OSError: its folder cannot be made
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with closing(sqlite3.connect(path, timeout=BUSY)) as base:
            base.execute("PRAGMA foreign_keys = ON")
            (version,) = base.execute("PRAGMA user_version").fetchone()
            if version == 0:
                # Of two programs that start together the second finds what the first has made.
                base.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
            elif version != VERSION:
                raise Damaged(_("the history {path} is of another version of p2puno").format(path=path), _(REBUILD))
            yield Index(base)
    except sqlite3.Error as bad:
        cannot = _("the history {path} cannot be used: {why}")
        raise Damaged(cannot.format(path=path, why=bad), _(REBUILD)) from None


def rebuild(
    path: Path, journals: list[Path], own: frozenset[bytes], tell: Callable[[Path], None]
) -> tuple[int, list[tuple[Path, FileProblem]]]:
    """Make the index anew from these journals; `tell` hears of each before it is read. The old index stays until the
    new one is whole.

    Returns how many tables there are, and the journals that cannot be read.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    bad: list[tuple[Path, FileProblem]] = []
    try:
        with open_index(draft) as index:
            for journal in journals:
                tell(journal)
                try:
                    index.add(past_of_journal(journal, own))
                except FileProblem as problem:
                    bad.append((journal, problem))
                except Unfinished:  # nobody sat there yet
                    continue
            count = len(index.pasts())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return count, bad
