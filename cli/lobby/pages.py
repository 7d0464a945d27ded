"""The pages of the lobby that are read from files: unfinished tables, the history with its standings, known players."""

from __future__ import annotations

from pathlib import Path

from cli.history.commands import NOTHING as NO_HISTORY
from cli.history.commands import past_lines, stats_lines
from cli.history.index import index_path, open_index
from cli.history.stats import Tally, tallies
from cli.language import N_, _, ngettext
from cli.lobby.intent import Replay, Resume
from cli.lobby.pager import Block, Pager
from cli.people import known_line
from cli.resume import NOTHING as NOTHING_UNFINISHED
from cli.resume import unfinished_lines
from cli.seat import home, known_path
from cli.text import visible
from cli.unfinished import unfinished
from protocol.known import KnownPlayers

MOST: Final = 50
"""Tables of the history that are shown."""
