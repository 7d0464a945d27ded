"""The pages of the lobby that are read from files: unfinished tables, known players, and for the lines the history."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cli.history.index import index_path, open_index
from cli.history.stats import Tally, tallies
from cli.history.words import NOTHING as NO_TABLE
from cli.history.words import past_lines, player_lines, player_name, stats_lines
from cli.language import N_, _
from cli.lobby.intent import Replay, Resume
from cli.lobby.pager import Block, Pager
from cli.people import known_line
from cli.resume import unfinished_lines
from cli.seat import home, known_path
from cli.text import visible
from cli.unfinished import unfinished
from protocol.known import KnownPlayers

MOST: Final = 50
"""Tables of the history that are shown, the newest ones."""
NOBODY: Final = N_("Nobody yet: people are remembered at the first table together.")
NOTHING_CUT_OFF: Final = N_("No table of yours was cut off.")
FORGET: Final = N_("`p2puno players --forget WHO` forgets somebody, `--trust WORDS` says that another key is right.")


def page(name: str, profile: str, folder: Path, words: str) -> Pager:
    """The page of that name ("resume", "history", "players"). `folder`: of the journals; `words`: our safety words.

    Raises Damaged for a file that cannot be read, OSError.
    """
    match name:
        case "resume":
            return _resume(folder)
        case "history":
            return _history()
    return _players(profile, words)


def _resume(folder: Path) -> Pager:
    blocks = [Block(_clean(unfinished_lines(table)), Resume(table.journal)) for table in unfinished(folder)]
    return Pager(N_("resume"), tuple(blocks) or (_text(_(NOTHING_CUT_OFF)),), N_("Enter: go on at this table"))


def _history() -> Pager:
    with open_index(index_path(home())) as index:
        pasts = index.pasts()
    if not pasts:
        return Pager(N_("history and standings"), (_text(_(NO_TABLE)),))
    players = tallies(pasts)
    standings = Block(tuple(_standing(tally) for tally in players), table=_clean(stats_lines(players)))
    tables = [Block(_clean(past_lines(past)), Replay(Path(past.journal))) for past in pasts[:MOST]]
    space = _text("")
    return Pager(N_("history and standings"), (standings, space, *tables), N_("Enter: show this table again"))


def _players(profile: str, words: str) -> Pager:
    known = KnownPlayers(known_path(profile)).all()
    people = [_text(visible(known_line(one))) for one in known] or [_text(_(NOBODY))]
    mine = _text(_("Your safety words: {words}").format(words=words))
    return Pager(N_("known players"), (mine, _text(""), *people, _text(""), _text(_(FORGET))))


def _standing(tally: Tally) -> str:
    return visible(f"{player_name(tally)}: {player_lines(tally)[0]}")


def _clean(lines: list[str]) -> tuple[str, ...]:
    return tuple(visible(line) for line in lines)


def _text(line: str) -> Block:
    return Block((line,))
