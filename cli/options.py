"""The options that several commands share, and what they mean: rules and a seat."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from cli.completing import game_names, hero_names, words
from cli.config import saved
from cli.language import _
from cli.manner import manner_of
from cli.seat import LEVELS, USUAL_LEVEL, Seating, default_name, home
from cli.theme import DEPTHS, THEMES
from cli.usage import Decimal, Number, OneOf, Whole
from p2puno.hero_file import load_folder
from p2puno.rules import Rules, games, show_value
from protocol.errors import Usage
from protocol.names import NAME_CELLS, clean

F = TypeVar("F", bound=Callable[..., Any])

USUAL_VARIANT: Final = "batman"


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, shown in this order."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def variant_option(default: str | None) -> Callable[[F], F]:
    """Which game."""
    return click.option(
        "--variant",
        default=default,
        show_default=default is not None,
        metavar="|".join(games()),
        help="Which game.",
        shell_complete=game_names,
    )


as_json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document at the end, nothing else."
)
code_option = click.option(
    "--code", default="", envvar="P2PUNO_CODE", metavar="CODE", help="The invite code of a private table."
)
packs_option = click.option(
    "--packs", type=click.Path(path_type=Path), metavar="FOLDER", help="Heroes of your own: the folder of their packs."
)
table_option = click.option(
    "--option",
    "options",
    metavar="KEY=VALUE",
    multiple=True,
    help="Any other table option; `p2puno rules VARIANT` lists them.",
)
rules_options = together(
    variant_option(USUAL_VARIANT),
    click.option("--score-to", type=Number(), metavar="N", help="Play hands until somebody has N points."),
    click.option("--hands", type=Number(), metavar="N", help="Play N hands.  [default: 1]"),
    click.option("--watchers", is_flag=True, help="Let others watch: what all players see, no hidden card."),
    table_option,
    packs_option,
)
seat_options = together(
    click.option("--name", help="Your name at the table.  [default: your user name]"),
    click.option(
        "--hero",
        default="",
        metavar="HERO",
        help="Who you play in UNO Ultimate.  [default: by lot]",
        shell_complete=hero_names,
    ),
    click.option("--ready", is_flag=True, help="Do not wait for your word: the table may begin."),
    click.option("--age", type=Whole(0, 150), default=0, help="Your age, where the youngest begins."),
    click.option("--profile", default="default", show_default=True, help="Which of your identities plays."),
    click.option("--journal-dir", type=click.Path(path_type=Path), help="Where the journal of the table is written."),
    click.option("--bot-level", type=OneOf(list(LEVELS)), default=USUAL_LEVEL, show_default=True),
    click.option("--new", is_flag=True, help="Another table, even if this command left one unfinished."),
    click.option("--pace", type=Decimal(0, 60), metavar="SECONDS", help="How long bots wait before a move."),
    as_json_option,
)
look_options = together(
    click.option("--ascii/--no-ascii", "ascii_only", default=None, help="Frames in ASCII."),
    click.option(
        "--theme",
        metavar="NAME|FILE",
        help="How it looks: standard, high-contrast, colour-blind, or a file of yours.",
        shell_complete=words(lambda context: THEMES),
    ),
    click.option("--colours", type=OneOf(list(DEPTHS)), help="How many colours.  [default: 16]"),
)
lines_options = together(
    click.option("--plain/--no-plain", default=None, help="Lines instead of a full screen."),
    click.option(
        "--screen-reader/--no-screen-reader", default=None, help="Whole words in labelled lines, or not in any case."
    ),
    look_options,
)
motion_option = click.option(
    "--motion/--no-motion", default=None, help="Cards that are played or drawn light up.  [default: on]"
)
face_options = together(
    click.option("--autoplay", is_flag=True, help="A bot plays your seat."),
    lines_options,
    click.option("--bell/--no-bell", default=None, help="A bell when it is your turn.  [default: on]"),
    click.option("--chat/--no-chat", default=None, help="What players write to each other.  [default: on]"),
    click.option("--title/--no-title", default=None, help="Your turn in the terminal's title.  [default: on]"),
    motion_option,
)
accept_option = click.option(
    "--accept-packs", is_flag=True, help="Say yes to heroes of somebody's own making without being asked."
)


def rules_of(options: dict[str, Any]) -> Rules:
    """The rules that these options choose. Raises Usage, RulesError and PackError."""
    chosen: dict[str, Any] = {}
    for pair in options.get("options") or ():
        key, equals, value = pair.partition("=")
        if not equals:
            wrong = _("{option!r} is no table option").format(option=pair)
            raise Usage(wrong, _("write it as key=value, for example uno_window=5"))
        key = key.strip()
        if key in ("heroes", "own"):
            wrong = _("there is no table option {name}").format(name=key)
            raise Usage(wrong, _("choose your hero with --hero, own heroes with --packs"))
        chosen[key] = value
    for key, value in (("score_target", options.get("score_to")), ("hands", options.get("hands"))):
        if value is not None:
            chosen[key] = show_value(value)
    if options.get("watchers"):
        chosen["watchers"] = True
    folder = options.get("packs")
    return Rules.make(options["variant"], own=load_folder(folder) if folder else (), **chosen)


def seating_of(options: dict[str, Any], until_eof: bool = False) -> Seating:
    """How the seat is taken that these options describe."""
    name = options["name"]
    asked = not until_eof and sys.stdin.isatty() and not options["autoplay"] and not options["as_json"]
    return Seating(
        name=clean(name, NAME_CELLS) if name is not None else default_name(),
        journal_dir=options["journal_dir"] or home() / "tables",
        profile=options["profile"],
        bot=options["autoplay"],
        level=options["bot_level"],
        pace=options["pace"],
        manner=manner_of(options, {} if until_eof else saved()),
        json=options["as_json"],
        until_eof=until_eof,
        hero="_".join(options["hero"].lower().replace("'", "").split()),
        age=options["age"],
        accept_packs=options.get("accept_packs", False),
        new=options["new"],
        ready=options.get("ready", False) or not asked,  # a program, or a pipe, says no word
    )
