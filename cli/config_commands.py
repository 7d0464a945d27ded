"""`p2puno config`: the player's settings, shown and changed."""

from __future__ import annotations

import json

import click

from cli.completing import words
from cli.config import FROM_FILE, SETTINGS, Setting, Value, change, config_path, raw, setting, settings, value_of
from cli.language import _
from cli.options import as_json_option
from cli.text import pad, visible, width
from cli.trouble import FINE

keys = words(lambda context: SETTINGS)
values = words(lambda context: SETTINGS[key].choices if (key := context.params.get("key")) in SETTINGS else ())


@click.group(invoke_without_command=True)
@click.pass_context
def config(context: click.Context) -> int:
    """Show or change your settings: defaults of options, kept in a file.

    An option goes before the environment variable P2PUNO_NAME, P2PUNO_THEME and so on, and that before the file.
    """
    return int(context.invoke(show)) if context.invoked_subcommand is None else FINE


@config.command()
@as_json_option
def show(as_json: bool = False) -> int:
    """Show every setting and where its value comes from."""
    found = settings()
    if as_json:
        document = {
            name: {
                "value": found[name][0] if name in found else None,
                "from": found[name][1] if name in found else None,
                "usual": known.usual,
                "may_be": known.may_be,
                "variable": known.variable,
            }
            for name, known in SETTINGS.items()
        }
        click.echo(json.dumps({"file": str(config_path()), "settings": document}))
        return FINE
    click.echo(_("file: {path}").format(path=visible(str(config_path()))))
    values = {name: _typed(found[name][0]) if name in found else _usual(known) for name, known in SETTINGS.items()}
    wide, cells = max(map(len, SETTINGS)), max(width(value) for value in values.values())
    for name, value in values.items():
        origin = (_("file") if found[name][1] == FROM_FILE else found[name][1]) if name in found else _("unless set")
        meaning = _(SETTINGS[name].meaning)
        click.echo(f"{pad(name, wide)}  {pad(value, cells)}  {pad(origin, 20)}  {meaning}".rstrip())
    return FINE


@config.command()
@click.argument("key", shell_complete=keys)
@as_json_option
def get(key: str, as_json: bool) -> int:
    """Print the value of KEY, nothing if it is not set."""
    known = setting(key)
    value = settings().get(known.name, (None, ""))[0]
    if as_json:
        click.echo(json.dumps(value))
    elif value is not None:
        click.echo(_typed(value))
    return FINE


@config.command("set")
@click.argument("key", shell_complete=keys)
@click.argument("value", shell_complete=values)
def set_(key: str, value: str) -> int:
    """Set KEY to VALUE in the file."""
    known = setting(key)
    meant = value_of(known, value)
    if known.name == "theme":
        from cli.theme import theme_of  # prompt_toolkit is slow to load

        theme_of(str(meant))
    change(config_path(), known.name, meant)
    return FINE


@config.command()
@click.argument("key", shell_complete=keys)
def unset(key: str) -> int:
    """Take KEY out of the file."""
    # A line that means nothing can be taken out as well.
    name = key if key in raw(config_path()) else setting(key).name
    change(config_path(), name, None)
    return FINE


@config.command()
def path() -> int:
    """Print where the file is."""
    click.echo(visible(str(config_path())))
    return FINE


def _usual(known: Setting) -> str:
    """What holds where nothing is set: words that can be typed as they are, others in the language chosen."""
    return known.usual if known.usual in known.choices else _(known.usual)


def _typed(value: Value) -> str:
    """A value as it would be typed."""
    return ("on" if value else "off") if isinstance(value, bool) else visible(str(value))
