"""`p2puno resume`: go on at a table whose program was killed, or that others did not come back to."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import click

from cli.children import Children
from cli.language import N_, _, ngettext, told
from cli.options import as_json_option, face_options, seating_of
from cli.seat import LEVELS, USUAL_LEVEL, home, sit
from cli.tables import resumed
from cli.text import visible
from cli.trouble import FINE
from cli.unfinished import Unfinished, read_unfinished, unfinished
from cli.usage import Decimal, OneOf
from p2puno.rules import RulesError
from p2puno.said import message_of
from protocol.errors import Damaged, FileProblem, Usage
from protocol.journal import Reader
from protocol.lobby import players, read_rules
from protocol.vault import secret_path

NOTHING: Final = N_("there is no table to take up")
BEGIN: Final = N_("`p2puno play` and `p2puno host` open a table, `p2puno history` shows those that are over")


@click.command()
@click.argument("journal", required=False, type=click.Path(path_type=Path))
@click.option("--list", "only_list", is_flag=True, help="Show the tables that can be taken up.")
@click.option("--journal-dir", type=click.Path(path_type=Path), help="Where the journals of your tables are.")
@click.option("--bot-level", type=OneOf(list(LEVELS)), default=USUAL_LEVEL, show_default=True)
@click.option("--pace", type=Decimal(0, 60), metavar="SECONDS", help="How long bots wait before a move.")
@as_json_option
@face_options
def resume(journal: Path | None, only_list: bool, **options: Any) -> int:
    """Go on at a table that was cut off: that of JOURNAL, or the newest one."""
    folder = options["journal_dir"] or home() / "tables"
    if only_list:
        return _show(unfinished(folder))
    old = _named(journal) if journal is not None else _newest(folder)
    options |= {"name": old.secrets.name, "hero": "", "age": 0, "profile": old.note.profile, "new": False}
    seating = replace(seating_of(options), bot=options["autoplay"] or old.secrets.bot)
    with Children() as children:
        return sit(resumed(old, seating, children), seating)


def _named(journal: Path) -> Unfinished:
    if not journal.exists() and not secret_path(journal).exists():
        missing = _("there is no journal {journal}").format(journal=journal)
        raise Damaged(missing, _("`p2puno resume --list` shows the tables that can be taken up"))
    if journal.exists() and not secret_path(journal).exists():
        raise Damaged(
            _("the table of {journal} cannot be taken up: there are no secrets beside the journal").format(
                journal=journal
            ),
            _("it is over for you, or was played on another machine; `p2puno verify` tells how far it went"),
        )
    return read_unfinished(journal)


def _newest(folder: Path) -> Unfinished:
    tables = unfinished(folder)
    if not tables:
        raise Usage(_(NOTHING), _(BEGIN))
    if len(tables) > 1:
        also = ngettext(
            "Going on at {journal}; an older table is unfinished too (`p2puno resume --list`).",
            "Going on at {journal}; {n} older tables are unfinished too (`p2puno resume --list`).",
            len(tables) - 1,
        )
        click.echo(also.format(journal=tables[0].journal, n=len(tables) - 1), err=True)
    return tables[0]


def _show(tables: list[Unfinished]) -> int:
    for table in tables:
        for line in unfinished_lines(table):
            click.echo(visible(line))
    if not tables:
        click.echo(_(NOTHING))
    return FINE


def unfinished_lines(table: Unfinished) -> list[str]:
    """A table that can be taken up, in two lines: when it was cut off, what it is and who sits there; its journal."""
    when = datetime.fromtimestamp(table.touched).strftime("%Y-%m-%d %H:%M")
    try:
        charter = Reader(table.journal).charter
        game = read_rules(charter).name
        names = ", ".join(player.name for player in players(charter.roster))
    except (FileProblem, RulesError, ValueError) as bad:
        cannot = _("cannot be read: {why}").format(why=told(message_of(bad)))
        return [f"{when}  {cannot}", f"  {table.journal}"]
    how = _("ended before its end") if table.secrets.aside else _("cut off")
    return [f"{when}  {game}, {how}: {names}", f"  {table.journal}"]
