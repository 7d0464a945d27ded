"""`p2puno whoami` and `p2puno players`: the own key, and those of the people that we have played with."""

from __future__ import annotations

import json

import click

from cli.language import _, ngettext
from cli.options import as_json_option
from cli.seat import identity_path, known_path
from cli.text import visible
from cli.trouble import FINE
from protocol.errors import Usage
from protocol.identity import Identity, words
from protocol.known import Acquaintance, KnownPlayers

profile_option = click.option("--profile", default="default", show_default=True, help="Which of your identities.")


@click.command()
@profile_option
@as_json_option
def whoami(profile: str, as_json: bool) -> int:
    """Show your key: the safety words by which others know you, and where it lies. Made at the first start."""
    path = identity_path(profile)
    new = not path.exists()
    identity = Identity.load_or_create(path)
    if as_json:
        document = {"profile": profile, "key": identity.public.hex(), "words": words(identity.public), "new": new}
        click.echo(json.dumps({**document, "file": str(path)}))
        return FINE
    click.echo(_("Safety words: {words}").format(words=words(identity.public)))
    click.echo(_("Key: {key}").format(key=identity.public.hex()))
    click.echo(visible((_("File: {path} (made now)") if new else _("File: {path}")).format(path=path)))
    click.echo(_("Others see the same words for you. Who has the file can play as you."))
    return FINE


@click.command()
@click.option("--forget", metavar="WHO", help="Forget whoever has this name, these safety words or this key.")
@click.option("--trust", metavar="WORDS", help="This other key of a known name is right.")
@profile_option
@as_json_option
def players(forget: str | None, trust: str | None, profile: str, as_json: bool) -> int:
    """List the people that you have played with, by the keys that they had."""
    known = KnownPlayers(known_path(profile))
    if forget is not None and trust is not None:
        raise Usage(_("--forget and --trust do not go together"), _("say one after the other"))
    if forget is not None:
        shown = known.forget(forget)
    elif trust is not None:
        shown = [known.trust(trust)]
    else:
        shown = known.all()
    if as_json:
        people = [
            {"name": one.name, "key": one.key, "words": one.words, "first": one.first, "last": one.last,
             "tables": one.tables, "confirmed": one.confirmed}
            for one in shown
        ]  # fmt: skip
        click.echo(json.dumps({"players": people}, ensure_ascii=False))
        return FINE
    if not shown:
        click.echo(_("Nobody yet: people are remembered at the first table together."))
    for one in shown:
        done = _("forgotten: {who}") if forget is not None else _("trusted: {who}") if trust is not None else "{who}"
        click.echo(visible(done.format(who=known_line(one))))
    return FINE


def known_line(one: Acquaintance) -> str:
    """Somebody we have played with, in one line."""
    mark = "" if one.confirmed else "  " + _("NOT CONFIRMED: the name was known with another key")
    met = ngettext("{n} table, last on {day}", "{n} tables, last on {day}", one.tables)
    return f"{one.name}: {one.words} ({met.format(n=one.tables, day=one.last)}){mark}"
