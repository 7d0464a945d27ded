"""What may stand behind an option, and what is said of a command line that cannot be read: in our own words, in every
language. click parses; whatever it says by itself is not for people.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import click
from click.types import IntParamType

from cli.language import _
from protocol.errors import Usage

LOBBY: Final = "lobby"
"""The command that is meant where none is typed; what it cannot take was meant for one."""


class Number(IntParamType):
    """Any whole number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it. Raises Usage."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            _refuse(value, param, _("a whole number"))


class Whole(click.IntRange):
    """A whole number between `min` and `max`, both included, as far as they are said."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it. Raises Usage."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            _refuse(value, param, _span(self.min, self.max))


class Decimal(click.FloatRange):
    """A number between `min` and `max`, both included."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it. Raises Usage."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            _refuse(value, param, _span(self.min, self.max))


class OneOf(click.Choice[str]):
    """One of a few words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it. Raises Usage."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            _refuse(value, param, ", ".join(self.choices))


def _span(first: float | None, last: float | None) -> str:
    if last is None:
        return _("{first} or more").format(first=first)
    return _("{first} to {last}").format(first=first, last=last)


def _refuse(value: Any, param: click.Parameter | None, span: str) -> NoReturn:
    name = param.opts[0] if isinstance(param, click.Option) else _what(param)
    cannot = _("{name} cannot be {value!r}").format(name=name, value=str(value))
    raise Usage(cannot, _("it may be {values}").format(values=span))


def _what(param: click.Parameter | None) -> str:
    """What a word of the command line is called in the help."""
    return (param.metavar or param.human_readable_name).strip("[]") if param is not None else "?"


def misread(problem: click.UsageError) -> tuple[str, str]:
    """(error, hint) for a command line that click could not read."""
    command = problem.ctx.command_path if problem.ctx is not None else "p2puno"
    hint = _("`{command} --help` shows how it is written").format(command=command)
    words = _unexpected(problem.message)
    match problem:
        case click.NoSuchOption():
            return _("there is no option {name}").format(name=problem.option_name), _near(problem) or hint
        case click.BadOptionUsage() if "does not take a value" in problem.message:
            return _("{name} takes no value").format(name=problem.option_name), hint
        case click.BadOptionUsage():
            return _("{name} needs a value").format(name=problem.option_name), hint
        case click.MissingParameter():
            return _("{what} is missing").format(what=_what(problem.param)), hint
        case _ if words and problem.ctx is not None and problem.ctx.info_name == LOBBY:
            return _no_command(words.split()[0], problem.ctx.parent)
        case _ if words:
            return _("too many words: {words}").format(words=words), hint
        case _ if (name := re.fullmatch(r"No such command '(.*)'\.?", problem.message)) is not None:
            return _no_command(name[1], problem.ctx)
    return sentence(problem.format_message()), hint


def sentence(text: str) -> str:
    """What click says, as our errors are written: one line, without a capital and a full stop."""
    text = " ".join(text.split()).rstrip(".")
    return text[:1].lower() + text[1:]


def _unexpected(message: str) -> str:
    """The words that click had no use for; it tells them in no other way."""
    found = re.fullmatch(r"Got unexpected extra arguments? \((.*)\)\.?", message)
    return found[1] if found is not None else ""


def _no_command(name: str, group: click.Context | None) -> tuple[str, str]:
    known: Sequence[str] = sorted(group.command.commands) if group and isinstance(group.command, click.Group) else ()
    near = difflib.get_close_matches(name, known, 1)
    there_are = _("there are: {words}").format(words=", ".join(known))
    return (
        _("there is no command {name!r}").format(name=name),
        _("did you mean {word}?").format(word=near[0]) if near else there_are,
    )


def _near(problem: click.NoSuchOption) -> str:
    known = {option.lstrip("-"): option for option in problem.possibilities or ()}
    near = difflib.get_close_matches(problem.option_name.lstrip("-"), known, 1)
    return _("did you mean {word}?").format(word=known[near[0]]) if near else ""
