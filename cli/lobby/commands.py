"""`p2puno lobby`, and `p2puno` alone: find tables, open some, play, and be back here afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli.config import saved
from cli.options import face_options, packs_option, seating_of, together
from cli.seat import USUAL_LEVEL
from cli.usage import Decimal
from p2puno.hero_file import load_folder
from protocol.net.address import parse_address

who_options = together(
    click.option("--name", help="Your name at the table.  [default: your user name]"),
    click.option("--profile", default="default", show_default=True, help="Which of your identities plays."),
    click.option("--journal-dir", type=click.Path(path_type=Path), help="Where the journal of the table is written."),
    click.option("--pace", type=Decimal(0, 60), metavar="SECONDS", help="How long bots wait before a move."),
    click.option("--on", metavar="HOST", help="Look on the interface with this address only."),
)


@click.command()
@who_options
@packs_option
@face_options
def lobby(on: str | None, packs: Path | None, **options: Any) -> int:
    """Find tables, open one, practice, and come back here: what `p2puno` alone does as well."""
    from cli.lobby.program import Program  # the other commands, and every bot, do not need what it loads

    usual = {"hero": "", "age": 0, "new": False, "as_json": False, "bot_level": USUAL_LEVEL}
    seating = seating_of(options | usual)
    where = None if on is None else [parse_address(on)[0]]
    names = {"variant": "variant", "bots": "bots", "bot_level": "level"}  # of settings and of fields
    begin = {names[name]: value for name, value in saved().items() if name in names}
    return Program(seating, where, begin, load_folder(packs) if packs else ()).run()
