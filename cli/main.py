"""The commands of p2puno."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

import click

from cli.children import Children, bot_names
from cli.seat import LEVELS, USUAL_LEVEL, Seating, default_name, home, sit
from cli.tables import Place, hosted, joined
from cli.text import pad, visible
from cli.trouble import FINE, report, tell
from p2puno.card import Kind, parse_face
from p2puno.moves import MoveError
from p2puno.pack import variants
from p2puno.rules import Rules, RulesError, show_value
from protocol.errors import Usage
from protocol.names import NAME_CELLS, clean
from protocol.net.address import DEFAULT_PORT

F = TypeVar("F", bound=Callable[..., Any])

USUAL_VARIANT: Final = "batman"
LONELY: Final = "a table needs at least one more player: --bots 1"


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("p2puno"), message="p2puno %(version)s")
@click.pass_context
def p2puno(context: click.Context) -> None:
    """UNO with friends in the terminal: no server, no referee, every deck shuffled by its players.

    \b
    p2puno play              you and three bots, on this machine
    p2puno host              open a table on your network
    p2puno join ADDRESS      sit down at a friend's table
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _decorated(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


_as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document at the end, nothing else.")
_option = click.option(
    "--option",
    "options",
    metavar="KEY=VALUE",
    multiple=True,
    help="Any other table option; `p2puno rules` lists them.",
)
_rules_options = _decorated(
    click.option("--variant", default=USUAL_VARIANT, show_default=True, help="Which game."),
    click.option("--score-to", type=int, metavar="N", help="Play hands until somebody has N points."),
    click.option("--hands", type=int, metavar="N", help="Play N hands.  [default: 1]"),
    _option,
)
_seat_options = _decorated(
    click.option("--name", help="Your name at the table.  [default: your user name]"),
    click.option("--profile", default="default", show_default=True, help="Which of your identities plays."),
    click.option("--journal-dir", type=click.Path(path_type=Path), help="Where the journal of the table is written."),
    click.option("--bot-level", type=click.Choice(list(LEVELS)), default=USUAL_LEVEL, show_default=True),
    click.option("--pace", type=click.FloatRange(0, 60), metavar="SECONDS", help="How long bots wait before a move."),
    _as_json,
)
_face_options = _decorated(
    click.option("--autoplay", is_flag=True, help="A bot plays your seat."),
    click.option("--plain", is_flag=True, help="Lines instead of a full screen."),
    click.option("--ascii", "ascii_only", is_flag=True, help="Frames in ASCII."),
    click.option("--no-bell", is_flag=True, help="No bell when it is your turn."),
)


@p2puno.command()
@click.option("--bots", type=click.IntRange(1, 9), default=3, show_default=True, help="How many bots.")
@_rules_options
@_seat_options
@_face_options
def play(bots: int, **options: Any) -> int:
    """Play here against bots, each a full peer of its own."""
    rules, seating = _rules(options), _seating(options)
    with Children() as children:
        names = bot_names(bots, seating.name)
        return sit(hosted(rules, bots + 1, Place("127.0.0.1", 0), seating, names, children), seating)


@p2puno.command()
@click.option("--seats", type=click.IntRange(2, 10), default=4, show_default=True, help="Players at the table.")
@click.option("--bots", type=click.IntRange(0, 9), default=0, show_default=True, help="So many of them are bots.")
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True)
@click.option("--bind", metavar="HOST", help="Listen at this address only.  [default: every interface]")
@_rules_options
@_seat_options
@_face_options
def host(seats: int, bots: int, port: int, bind: str | None, **options: Any) -> int:
    """Open a table that others join."""
    rules, seating = _rules(options), _seating(options)
    with Children() as children:
        names = bot_names(bots, seating.name)
        return sit(hosted(rules, seats, Place(bind, port), seating, names, children), seating)


@p2puno.command()
@click.argument("address", metavar="HOST[:PORT]")
@_seat_options
@_face_options
def join(address: str, **options: Any) -> int:
    """Sit down at the table at HOST[:PORT]."""
    seating = _seating(options)
    return sit(joined(address, seating), seating)


@p2puno.command()
@click.argument("address", metavar="HOST[:PORT]")
@_seat_options
@click.option("--until-eof", is_flag=True, hidden=True, help="Leave when stdin ends.")
def bot(address: str, until_eof: bool, **options: Any) -> int:
    """Let a bot sit down at the table at HOST[:PORT]."""
    options |= {"autoplay": True, "plain": True}
    if not until_eof:
        seating = _seating(options)
        return sit(joined(address, seating), seating)
    # Started by a table of ours: that table's journal says the same, so this one goes when the bot goes.
    with TemporaryDirectory(prefix="p2puno-bot-") as folder:
        seating = _seating({**options, "journal_dir": Path(folder)}, until_eof)
        return sit(joined(address, seating), seating)


@p2puno.command()
@click.argument("file", type=click.Path(path_type=Path))
@_as_json
def verify(file: Path, as_json: bool) -> int:
    """Check the journal of a table as a stranger would: every signature, proof and rule."""
    from protocol.audit import audit  # loads the whole deck protocol, which other commands do not need

    verdict = audit(file)
    if as_json:
        click.echo(json.dumps(verdict.as_json(), ensure_ascii=False))
    else:
        for line in verdict.lines():
            click.echo(visible(line))
    if verdict.problem:
        tell(f"{verdict.problem} ({verdict.where})" if verdict.where else verdict.problem, verdict.hint)
    return verdict.exit_code


@p2puno.command()
@click.argument("variant", default=USUAL_VARIANT)
@_option
@_as_json
def rules(variant: str, options: tuple[str, ...], as_json: bool) -> int:
    """Show the rules of a game and every table option."""
    agreed = _rules({"variant": variant, "options": options})
    if as_json:
        own = agreed.own_options()
        table = {o.name: {"value": agreed.options()[o.name], "may_be": o.span(), "meaning": o.meaning} for o in own}
        digest = agreed.digest().hex()
        click.echo(json.dumps({"variant": variant, "name": agreed.pack.name, "digest": digest, "options": table}))
    else:
        for line in agreed.describe():
            click.echo(line)
    return FINE


@p2puno.command()
@click.argument("card", required=False)
@click.option("--variant", default=USUAL_VARIANT, show_default=True, help="Which game.")
@_as_json
def cards(card: str | None, variant: str, as_json: bool) -> int:
    """Show the cards of a game, or what one CARD does (R7, G+2, YS, BR, W, W4, WS)."""
    agreed = _rules({"variant": variant})
    kinds = agreed.kinds
    if card is not None:
        try:
            kinds = (kinds[parse_face(agreed, card)],)
        except MoveError as problem:
            raise Usage(str(problem), problem.hint) from None
    if as_json:
        click.echo(json.dumps({"variant": variant, "cards": [_card_data(kind) for kind in kinds]}))
        return FINE
    if card is not None:
        click.echo(f"{kinds[0].id}  {kinds[0].name}, {kinds[0].copies} in the deck, {kinds[0].points} points")
        click.echo(kinds[0].text)
        return FINE
    click.echo("card  in deck  points  name")
    for kind in kinds:
        click.echo(f"{pad(kind.id, 4)}  {kind.copies:>7}  {kind.points:>6}  {kind.name}")
    return FINE


def _card_data(kind: Kind) -> dict[str, Any]:
    return {"card": kind.id, "name": kind.name, "copies": kind.copies, "points": kind.points, "text": kind.text}


def _rules(options: dict[str, Any]) -> Rules:
    """The rules that these options choose. Raises Usage."""
    chosen: dict[str, Any] = {}
    for pair in options.get("options") or ():
        key, equals, value = pair.partition("=")
        if not equals:
            raise Usage(f"{pair!r} is no table option", "write it as key=value, for example uno_window=5")
        chosen[key.strip()] = value
    for key, value in (("score_target", options.get("score_to")), ("hands", options.get("hands"))):
        if value is not None:
            chosen[key] = show_value(value)
    variant = options["variant"]
    if variant not in variants():
        raise Usage(f"no game is called {variant!r}", f"games: {', '.join(variants())}")
    try:
        return Rules.make(variant, **chosen)
    except RulesError as problem:
        raise Usage(str(problem), problem.hint) from None


def _seating(options: dict[str, Any], until_eof: bool = False) -> Seating:
    name = options["name"]
    return Seating(
        name=clean(name, NAME_CELLS) if name is not None else default_name(),
        journal_dir=options["journal_dir"] or home() / "tables",
        profile=options["profile"],
        bot=options["autoplay"],
        level=options["bot_level"],
        pace=options["pace"],
        lines=options["plain"],
        ascii=options.get("ascii_only", False),
        bell=not options.get("no_bell", False),
        json=options["as_json"],
        until_eof=until_eof,
    )


def run(arguments: list[str] | None = None) -> int:
    """Carry out a command line; the exit code. Every error becomes one sentence (N04, N05, N07)."""
    try:
        return p2puno.main(arguments, prog_name="p2puno", standalone_mode=False) or FINE
    except (Exception, KeyboardInterrupt, SystemExit, BaseExceptionGroup) as problem:
        if os.environ.get("P2PUNO_DEBUG"):
            raise
        return report(problem)


def main() -> None:
    """The console script."""
    sys.exit(run())


if __name__ == "__main__":
    main()
