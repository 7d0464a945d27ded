"""What the commands say of themselves, in the language chosen; and `--lang`, which every command takes."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc
from itertools import pairwise
from typing import Final

import click

from cli.completing import words
from cli.config import SETTINGS, value_of
from cli.language import N_, _, language_of, languages

LANG: Final = "--lang"
SHOW_HELP: Final = N_("Show this message and exit.")

CLICK: Final = (
    N_("Show the version and exit."),
    N_("Usage:"), N_("Options"), N_("Commands"),
    N_("default: {default}"), N_("env var: {var}"), N_("required"),
)  # fmt: skip
"""What click says in a help, by the gettext of the process: it looks these up in our catalogue (`cli.language.speak`).
Of what is typed wrongly we speak ourselves (`cli.usage`)."""

_english: dict[click.Command | click.Parameter, str | None] = {}


def speak_help(command: click.Command, above: click.Context | None = None) -> None:
    """Put the help of a command and of all below it into the language chosen."""
    # The context says how the help option is written, and click asks for that once only.
    context = click.Context(command, above, **command.context_settings)
    option = command.get_help_option(context)
    if option is not None:
        option.help = _(SHOW_HELP)
    command.help = _in_language(command, command.help)
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            parameter.help = _in_language(parameter, parameter.help)
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        speak_help(below, context)


def _in_language(whose: click.Command | click.Parameter, text: str | None) -> str | None:
    english = _english.setdefault(whose, text)
    return _(cleandoc(english)) if english else english


def asked_language(arguments: Sequence[str]) -> str:
    """The language that `--lang` asks for, read before all else: what is wrong with the others is said in it; "" where
    there is none that we speak."""
    codes = [word.partition("=")[2] for word in arguments if word.startswith(f"{LANG}=")]
    codes += [code for word, code in pairwise(arguments) if word == LANG]
    return next(filter(None, map(language_of, codes)), "")


def _check_language(context: click.Context, parameter: click.Parameter, code: str | None) -> None:
    if code:
        value_of(SETTINGS["language"], code)


def take_language(command: click.Command, hidden: bool = False) -> None:
    """Give `--lang` to a command and to all below it, where its help need not speak of it again. It raises Usage for a
    language that there is not; which one is spoken is known by then."""
    command.params.append(
        click.Option(
            [LANG],
            metavar="CODE",
            help=N_("The language, as every command takes it: en, de.  [default: that of the system]"),
            is_eager=True,
            expose_value=False,
            hidden=hidden,
            callback=_check_language,
            shell_complete=words(lambda context: languages()),
        )
    )
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        take_language(below, True)
