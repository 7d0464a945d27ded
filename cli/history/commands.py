"""`p2puno history` and `p2puno stats`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import click

from cli.config import saved
from cli.faces import console, in_lines
from cli.history.browse import browse
from cli.history.index import Index, index_path, open_index, rebuild
from cli.history.past import Past, own_keys
from cli.history.stats import tallies
from cli.history.words import NOTHING, past_lines, stats_lines
from cli.language import _, ngettext, told
from cli.manner import manner_of
from cli.options import as_json_option, look_options
from cli.seat import home
from cli.text import visible
from cli.trouble import BAD_FILE, FINE, tell
from cli.usage import Whole
from protocol.errors import Damaged

LIMIT: Final = 20


@click.command()
@click.option("--lines/--no-lines", "--plain/--no-plain", "plain", default=None, help="Lines, no full screen.")
@look_options
@click.option("--limit", type=Whole(0), default=LIMIT, show_default=True, help="So many tables; 0: all.")
@click.option("--rebuild", "anew", is_flag=True, help="Make the history anew from the journals.")
@as_json_option
def history(limit: int, anew: bool, as_json: bool, **options: Any) -> int:
    """Show the tables that you played at, the newest first."""
    code = _rebuild() if anew else FINE
    manner = manner_of(options, saved())
    if not as_json and not in_lines(manner) and console() is not None:
        browse(manner, limit or -1)
        return code
    with open_index(index_path(home())) as index:
        pasts, unread = index.pasts(limit or -1), _unread(index)
    if as_json:
        document = {"tables": [_data(past) for past in pasts], "journals_not_read": [str(path) for path in unread]}
        click.echo(json.dumps(document))  # a path may have any character in it, so all are escaped
        return code
    if not pasts:
        click.echo(_(NOTHING))
    for past in pasts:
        for line in past_lines(past):
            click.echo(visible(line))
    if unread:
        left = ngettext(
            "{n} journal is of a table that goes on or was cut off: `p2puno history --rebuild` reads all journals",
            "{n} journals are of a table that goes on or was cut off: `p2puno history --rebuild` reads all journals",
            len(unread),
        )
        click.echo(left.format(n=len(unread)))
    return code


@click.command()
@as_json_option
def stats(as_json: bool) -> int:
    """Show what every player has won, by key."""
    with open_index(index_path(home())) as index:
        players = tallies(index.pasts())
    if as_json:
        click.echo(json.dumps({"players": [tally.as_json() for tally in players]}, ensure_ascii=False))
        return FINE
    for line in stats_lines(players) if players else [_(NOTHING)]:
        click.echo(line)
    return FINE


def _rebuild() -> int:
    folder, path = home(), index_path(home())
    journals = {str(journal) for journal in (folder / "tables").glob("*.p2puno")}
    if path.exists():
        # Journals may lie elsewhere (--journal-dir): the old index knows them, if it can still be read.
        try:
            with open_index(path) as index:
                journals |= {journal for journal in index.journals() if Path(journal).exists()}
        except Damaged as bad_index:
            tell(_("{problem}; it is replaced").format(problem=told(bad_index.message)))
    show = sys.stderr.isatty()

    def reading(journal: Path) -> None:
        if show:
            print(_("reading {file}").format(file=visible(journal.name)), file=sys.stderr)

    count, bad = rebuild(path, [Path(journal) for journal in sorted(journals)], own_keys(folder), reading)
    if show:
        print(_("{n} tables from {journals} journals").format(n=count, journals=len(journals)), file=sys.stderr)
    for journal, problem in bad:
        left_out = _("{journal} is left out: {problem}")
        tell(left_out.format(journal=journal, problem=told(problem.message)), problem.hint)
    return BAD_FILE if bad else FINE


def _unread(index: Index) -> list[Path]:
    known = index.journals()
    return [path for path in sorted((home() / "tables").glob("*.p2puno")) if str(path) not in known]


def _data(past: Past) -> dict[str, Any]:
    return {
        "table": past.table,
        "ended": past.ended,
        "variant": past.variant,
        "standing": past.standing.value,
        "winner_seat": past.winner,
        "winner": past.chairs[past.winner].name if 0 <= past.winner < len(past.chairs) else None,
        "turns": past.turns,
        "steps": past.steps,
        "journal": past.journal,
        "seats": [
            {
                "name": chair.name,
                "key": chair.key,
                "bot": chair.bot,
                "hero": chair.hero or None,
                "mine": chair.mine,
                "score": chair.score,
                "left": chair.gone,
                "cheated": chair.cheated,
            }
            for chair in past.chairs
        ],
        "hands": [{"winner_seat": hand.winner, "ending": hand.ending, "points": hand.points} for hand in past.hands],
    }
