"""The commands of p2puno."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import click

from cli.catalogue import cards, rules
from cli.children import Children, bot_names
from cli.config import defaults, language
from cli.config_commands import config
from cli.doctor import doctor
from cli.help import asked_language, speak_help, take_language
from cli.history.commands import history, stats
from cli.lan import Choice, asked_code, choose, look_options, tables
from cli.language import _, speak
from cli.lobby.commands import lobby
from cli.options import accept_option, code_option, face_options, rules_of, rules_options, seat_options, seating_of
from cli.people import players, whoami
from cli.replay.commands import replay
from cli.resume import resume
from cli.seat import sit
from cli.shell import completion, manual
from cli.tables import Place, hosted, joined, rejoined
from cli.trouble import FAILED, FINE, report
from cli.usage import Whole
from cli.verify import verify
from cli.watch import watch
from protocol.errors import Usage
from protocol.invite import fresh_code
from protocol.net.address import DEFAULT_PORT


class Commands(click.Group):
    """The commands; without one it is the lobby."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take `p2puno` and `p2puno --plain` for `p2puno lobby` and `p2puno lobby --plain`."""
        own = {*ctx.help_option_names, "--version"}
        alone = all(arg not in own and arg not in self.commands for arg in args)
        if not ctx.resilient_parsing and alone and (not args or args[0].startswith("-")):
            args = [lobby.name or "", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("p2puno"), message="p2puno %(version)s")
@click.pass_context
def p2puno(context: click.Context) -> None:
    """UNO with friends in the terminal: no server, no referee, every deck shuffled by its players.

    \b
    p2puno                   the lobby: all of this by keys
    p2puno play              you and three bots, on this machine
    p2puno host              open a table on your network
    p2puno join              sit down at a friend's table that is found there, or
    p2puno join ADDRESS      at one that is not
    p2puno watch             watch a table that allows it
    p2puno resume            go on at a table that was cut off
    """
    if context.invoked_subcommand is not None:
        context.default_map = {context.invoked_subcommand: defaults(context.invoked_subcommand)}


@p2puno.command()
@click.option("--bots", type=Whole(1, 9), default=3, show_default=True, help="How many bots.")
@rules_options
@seat_options
@face_options
def play(bots: int, **options: Any) -> int:
    """Play here against bots, each a full peer of its own."""
    agreed, seating = rules_of(options), replace(seating_of(options), ready=True)
    with Children() as children:
        names = bot_names(bots, seating.name)
        return sit(hosted(agreed, bots + 1, Place("127.0.0.1", 0), seating, names, children), seating)


@p2puno.command()
@click.option("--seats", type=Whole(2, 10), default=4, show_default=True, help="Players at the table.")
@click.option("--bots", type=Whole(0, 9), default=0, show_default=True, help="So many of them are bots.")
@click.option("--port", type=Whole(0, 65535), default=DEFAULT_PORT, show_default=True)
@click.option("--bind", metavar="HOST", help="Listen at this address only.  [default: every interface]")
@click.option("--no-announce", is_flag=True, help="Do not tell the network of the table.")
@click.option("--invite/--open", help="Make an invite code: only who knows it gets in.  [default: open to all]")
@rules_options
@seat_options
@face_options
def host(seats: int, bots: int, port: int, bind: str | None, no_announce: bool, invite: bool, **options: Any) -> int:
    """Open a table that others join."""
    agreed, seating = rules_of(options), seating_of(options)
    place = Place(bind, port, not no_announce, fresh_code() if invite else "")
    with Children() as children:
        names = bot_names(bots, seating.name)
        return sit(hosted(agreed, seats, place, seating, names, children), seating)


@p2puno.command()
@click.argument("address", metavar="[HOST[:PORT]]", required=False)
@click.option("--table", metavar="WORDS", help="The table of this name, or of these safety words.")
@code_option
@look_options
@seat_options
@face_options
@accept_option
def join(address: str | None, table: str | None, code: str, seconds: float, on: str | None, **options: Any) -> int:
    """Sit down at the table at HOST[:PORT], or at one that is found on this network."""
    seating = seating_of(options)
    if address is not None and table is not None:
        raise Usage(_("an address and --table do not go together"), _("say one of them"))
    typed = address or f"table {table or ''}"
    if address is None and (again := rejoined(typed, seating)):  # it is no longer announced, so it is not looked for
        return sit(again, seating)
    choice = Choice(address) if address is not None else choose(table, seconds, on, seating.profile)
    return sit(joined(choice.address, seating, code or asked_code(choice), choice.key, typed), seating)


@p2puno.command()
@click.argument("address", metavar="HOST[:PORT]")
@code_option
@seat_options
@click.option("--until-eof", is_flag=True, hidden=True, help="Leave at a line of stdin, stop at its end.")
@click.option("--everywhere", is_flag=True, hidden=True, help="Others come from the network.")
def bot(address: str, code: str, until_eof: bool, everywhere: bool, **options: Any) -> int:
    """Let a bot sit down at the table at HOST[:PORT]."""
    options |= {"autoplay": True, "plain": True}
    seating = seating_of(options, until_eof)
    return sit(joined(address, seating, code, everywhere=everywhere), seating)


p2puno.add_command(lobby)
p2puno.add_command(watch)
p2puno.add_command(resume)
p2puno.add_command(verify)
p2puno.add_command(tables)
p2puno.add_command(doctor)
p2puno.add_command(whoami)
p2puno.add_command(players)
p2puno.add_command(rules)
p2puno.add_command(cards)
p2puno.add_command(history)
p2puno.add_command(stats)
p2puno.add_command(replay)
p2puno.add_command(config)
p2puno.add_command(completion)
p2puno.add_command(manual)
take_language(p2puno)


def run(arguments: list[str] | None = None) -> int:
    """Carry out a command line; the exit code. Every error becomes one sentence (N04, N05, N07)."""
    wish = os.environ.get("LANGUAGE", "")
    try:
        speak(asked_language(sys.argv[1:] if arguments is None else arguments) or language())
        speak_help(p2puno)
        return p2puno.main(arguments, prog_name="p2puno", standalone_mode=False) or FINE
    except (Exception, KeyboardInterrupt, SystemExit, BaseExceptionGroup) as problem:
        if os.environ.get("P2PUNO_DEBUG"):
            raise
        return report(problem)
    finally:
        os.environ["LANGUAGE"] = wish  # `speak` has changed it


def main() -> None:
    """The console script. It ends at once: everything is closed by now, and to take apart all that was loaded and
    played, as Python would, takes longer than a whole farewell (N03)."""
    code = run()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # whoever read it has gone
        code = FAILED
    os._exit(code)


if __name__ == "__main__":
    main()
