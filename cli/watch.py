"""`p2puno watch`: see a table that allows it, without a seat."""

from __future__ import annotations

import json
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import click

from cli.config import saved
from cli.faces import shown
from cli.lan import Choice, asked_code, choose, look_options
from cli.language import _
from cli.manner import manner_of
from cli.options import as_json_option, code_option, lines_options, motion_option
from cli.seat import home
from cli.table.session import OpenTable, Session
from cli.trouble import Interrupted, tell
from protocol.errors import Usage
from protocol.invite import read_code
from protocol.net.address import parse_address
from protocol.net.watching import open_watch


@click.command()
@click.argument("address", metavar="[HOST[:PORT]]", required=False)
@click.option("--table", metavar="WORDS", help="The table of this name, or of these safety words.")
@code_option
@look_options
@click.option("--profile", default="default", show_default=True, help="Whose known players to compare with.")
@click.option("--journal-dir", type=click.Path(path_type=Path), help="Where the journal of the table is written.")
@lines_options
@motion_option
@as_json_option
def watch(
    address: str | None,
    table: str | None,
    code: str,
    seconds: float,
    on: str | None,
    profile: str,
    journal_dir: Path | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Watch the table that a seat at HOST[:PORT] plays, or one that is found on this network."""
    if address is not None and table is not None:
        raise Usage(_("an address and --table do not go together"), _("say one of them"))
    choice = Choice(address) if address is not None else choose(table, seconds, on, profile, watch=True)
    open_table = watched(choice.address, code or asked_code(choice), choice.key, journal_dir)
    face = shown(open_table, manner_of(options, saved()), silent=as_json, watching=True)
    if face.signal:
        raise Interrupted(face.signal)
    if face.session is not None:
        if as_json:
            click.echo(json.dumps(face.record.document(face.session), ensure_ascii=False))
        message, hint = face.record.complaint(face.session)
        if message:
            tell(message, hint)
    return face.record.exit_code


def watched(address: str, code: str = "", expect: bytes | None = None, journal_dir: Path | None = None) -> OpenTable:
    """The table that a seat at `address` plays, where the key `expect` has to answer, to be watched.

    Raises Usage for what is no address or no invite code.
    """
    parse_address(address)
    code = read_code(code) if code else ""

    def table() -> AbstractAsyncContextManager[Session]:
        return open_watch(address, journal_dir=journal_dir or home() / "watched", expect=expect, code=code)

    return table
