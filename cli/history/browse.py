"""Going through the finished tables on the full screen, and from there into the replay and back."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cli.faces import console
from cli.history.archive import Archive
from cli.history.index import index_path, open_index
from cli.manner import Manner
from cli.seat import home
from cli.theme import glyphs
from cli.trouble import in_one_line, refused_by_system
from protocol.errors import P2punoError

ALL: Final = -1


def browse(manner: Manner, limit: int = ALL) -> None:
    """Show the tables that are in the history, at most `limit` of the newest, until the player closes the screen; a
    table that is chosen is shown again, and then one is back. For a terminal on which a full screen fits.

    Raises Damaged for a history that cannot be read, KeyboardInterrupt for Ctrl-C.
    """
    from cli.history.screen import HistoryScreen  # prompt_toolkit is slow to load, and lines never need it

    with open_index(index_path(home())) as index:
        archive = Archive(index.pasts(limit))
    while True:
        terminal = console()
        if terminal is None:  # it has said so
            return
        HistoryScreen(archive, glyphs(manner.ascii), manner, *terminal).run()
        if archive.wanted is None:
            return
        archive.note = show_again(archive.wanted, manner)


def show_again(journal: Path, manner: Manner) -> str:
    """Show the replay of a journal; what is wrong with it, "" if nothing is."""
    from cli.replay.commands import show_film
    from cli.replay.film import shoot  # the audit loads the whole deck protocol

    try:
        film = shoot(journal)
        if film.frames:
            show_film(film, manner)
    except P2punoError as problem:
        return in_one_line(problem.message, problem.hint)
    except OSError as problem:
        return in_one_line(refused_by_system(problem))
    return in_one_line(film.verdict.problem, film.verdict.hint)
