"""`p2puno replay`."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.config import saved
from cli.faces import full_screen_fits, in_lines
from cli.language import N_, _
from cli.manner import Manner, manner_of
from cli.options import as_json_option, look_options
from cli.text import listed, visible
from cli.trouble import tell
from cli.usage import Whole
from protocol.errors import Usage

if TYPE_CHECKING:
    from cli.replay.film import Film

READING: Final = N_("checking every signature, proof and rule ...")
"""A long match takes some seconds."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--turn", type=Whole(0), default=0, metavar="N", help="Begin at this turn.")
@click.option("--find", metavar="TEXT", help="Begin where this is found: a player, seat 2, a card, a word.")
@click.option("--seat", metavar="NAME|N", help="Show this player's cards, as far as all have seen them.")
@click.option("--lines/--no-lines", "--plain/--no-plain", "plain", default=None, help="Lines, no full screen.")
@look_options
@as_json_option
def replay(file: Path, turn: int, find: str | None, seat: str | None, as_json: bool, **options: Any) -> int:
    """Show the table of a journal again, step by step: what everybody there could see."""
    # The audit loads the whole deck protocol, which other commands do not need.
    from cli.replay.film import matches, shoot
    from cli.replay.lines import document

    if sys.stderr.isatty() and full_screen_fits():
        print(_(READING), file=sys.stderr)
    film = shoot(file)
    verdict = film.verdict
    if not film.frames:
        tell(verdict.problem, verdict.hint)
        return verdict.exit_code
    manner = manner_of(options, saved())
    chosen = _seat(seat, [visible(player.name) for player in film.players])
    at = film.at_turn(turn)
    if find is not None:
        at = next((i for i in range(at, len(film.frames)) if matches(film, i, find)), -1)
        if at < 0:
            nothing = _("there is no {text!r} in this table").format(text=find)
            raise Usage(nothing, _("look for a player, seat 2, a card as R7, or a word"))
    if as_json:
        click.echo(json.dumps(document(film, turn), ensure_ascii=False))
    else:
        if options["plain"] is False:
            manner = replace(manner, speak="")  # lines are what a screen reader reads, unless the option says otherwise
        show_film(film, manner, at, chosen, film.frames[at].turn if find is not None else turn)
    if verdict.problem:
        tell(verdict.wrong, verdict.hint)
    return verdict.exit_code


def _seat(wanted: str | None, names: list[str]) -> int:
    """The seat that a name or a number (from 1) means; -1 for none. Raises Usage."""
    if wanted is None:
        return -1
    folded = [name.casefold() for name in names]
    if wanted.casefold() in folded:
        return folded.index(wanted.casefold())
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    nobody = _("nobody is called {name!r} at this table").format(name=visible(wanted))
    raise Usage(nobody, _("there are: {words}").format(words=listed(names)))


def show_film(film: Film, manner: Manner, at: int = 0, seat: int = -1, turn: int = 0) -> None:
    """Show it in the face that fits: on the full screen from frame `at` with the cards of a seat, in lines from a turn
    on."""
    from cli.replay.lines import lines

    if in_lines(manner):
        for line in lines(film, turn):
            click.echo(line)
        return
    # prompt_toolkit is slow to load, and lines never need it.
    from cli.replay.screen import ReplayScreen
    from cli.replay.viewer import Viewer
    from cli.theme import glyphs

    ReplayScreen(Viewer(film, at, seat), glyphs(manner.ascii), manner).run()
