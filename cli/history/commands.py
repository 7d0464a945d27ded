"""`p2puno history` and `p2puno stats`."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from cli.history.index import Index, index_path, open_index, rebuild
from cli.history.past import TIME, Past, Standing, own_keys
from cli.history.stats import Tally, tallies
from cli.language import N_, _, ngettext, told
from cli.options import as_json_option
from cli.seat import home
from cli.text import columns, listed, visible
from cli.trouble import BAD_FILE, FINE, tell
from p2puno.rules import Rules
from protocol.errors import Damaged
from protocol.identity import short

LIMIT: Final = 20
NOTHING: Final = N_("No table has ended yet.")


@click.command()
@click.option("--limit", type=click.IntRange(0), default=LIMIT, show_default=True, help="So many tables; 0: all.")
@click.option("--rebuild", "anew", is_flag=True, help="Make the history anew from the journals.")
@as_json_option
def history(limit: int, anew: bool, as_json: bool) -> int:
    """Show the tables that you played at, the newest first."""
    code = _rebuild() if anew else FINE
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


def past_lines(past: Past) -> list[str]:
    """One table in a few lines: when and what, how it ended, where its journal is."""
    seats = _("{n} players").format(n=len(past.chairs))
    hands = ngettext("{n} hand", "{n} hands", len(past.hands)).format(n=len(past.hands))
    turns = ngettext("{n} turn", "{n} turns", past.turns).format(n=past.turns)
    lines = [f"{_local(past.ended)}  {_game(past.variant)}, {seats}, {hands}, {turns}"]
    scores = any(chair.score for chair in past.chairs)
    players = [_chair(past, seat, scores) for seat in range(len(past.chairs))]
    return [*lines, f"  {_ending(past)}", f"  {', '.join(players)}", f"  {past.journal}"]


def _game(variant: str) -> str:
    try:
        return Rules.make(variant).name
    except ValueError:  # the index may be older than this program
        return variant


def _local(ended: str) -> str:
    try:
        time = datetime.strptime(ended, TIME).replace(tzinfo=UTC)
    except ValueError:
        return ended
    return time.astimezone().strftime("%Y-%m-%d %H:%M")


def _ending(past: Past) -> str:
    winner = past.chairs[past.winner].name if 0 <= past.winner < len(past.chairs) else ""
    away = listed(chair.name for chair in past.chairs if chair.gone)
    match past.standing:
        case Standing.FINISHED:
            return _("won by {who}").format(who=winner) if winner else _("tied")
        case Standing.FORFEIT:
            won = _("won by {who} by forfeit: {left} left") if away else _("won by {who} by forfeit")
            return won.format(who=winner or _("nobody"), left=away)
        case Standing.CHEATING:
            cheats = listed(chair.name for chair in past.chairs if chair.cheated)
            return _("stopped: {who} cheated, the proof is in the journal").format(who=cheats)
    return _("unfinished: {who} left").format(who=away) if away else _("unfinished")


def _chair(past: Past, seat: int, scores: bool) -> str:
    chair = past.chairs[seat]
    name = _("{who} as {hero}").format(who=chair.name, hero=chair.hero) if chair.hero else chair.name
    marks = [mark for mark, on in ((_("you"), chair.mine), (_("bot"), chair.bot), (_("left"), chair.gone)) if on]
    more = f" ({', '.join(marks)})" if marks else ""
    return f"{name}{more}" + (f" {chair.score}" if scores else "")


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


HEADS: Final = (
    N_("player"), N_("key"), N_("tables"), N_("tables won"), N_("hands"), N_("hands won"), N_("points"), N_("left"),
    N_("heroes"),
)  # fmt: skip


def stats_lines(players: list[Tally]) -> list[str]:
    """The tallies as a table, columns as wide as they need to be."""
    rows = [tuple(_(head) for head in HEADS), *(_row(tally) for tally in players)]
    return columns(rows, range(2, len(HEADS) - 1))


def _row(tally: Tally) -> tuple[str, ...]:
    name = tally.name if tally.key else _("all bots")
    name += (f" ({_('you')})" if tally.mine else "") + (f" ({_('cheated')})" if tally.cheated else "")
    heroes = ", ".join(f"{hero} {hands}" for hero, hands in tally.heroes.most_common(3))
    numbers = (tally.tables, tally.won, tally.hands, tally.hands_won, tally.points, tally.forfeits)
    key = short(bytes.fromhex(tally.key)) if tally.key else ""
    return (name, key, *map(str, numbers), heroes)
