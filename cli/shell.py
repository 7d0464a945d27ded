"""What a shell and `man` want to know of the commands: completion scripts and the manual page, both from click."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import Final

import click
from click.shell_completion import get_completion_class

from cli.config import SETTINGS
from cli.help import speak_help
from cli.language import ENGLISH, speak
from cli.trouble import FINE
from cli.usage import OneOf

SHELLS: Final = ("bash", "zsh", "fish")

EXIT_CODES: Final = (
    ("0", "fine, also when you left the table yourself"),
    ("1", "something else went wrong"),
    ("2", "the command was written wrongly"),
    ("3", "somebody is proven to have cheated"),
    ("4", "a file is damaged, or not one of ours"),
    ("5", "the table or journal has no end"),
    ("6", "the other side cannot be reached, or does not want us"),
    ("130, 143, 129", "ended by Ctrl-C, SIGTERM, SIGHUP (the terminal has gone)"),
)
VARIABLES: Final = (
    ("P2PUNO_HOME", "where identities, journals, history and settings are kept"),
    ("P2PUNO_CODE", "the invite code of a private table"),
    ("P2PUNO_DEBUG", "shows where an error came from"),
    ("LANGUAGE, LC_ALL, LC_MESSAGES, LANG", "the language, unless a setting says one"),
    ("NO_COLOR", "no colours"),
    ("ACCESSIBLE", "1: the screen-reader mode; 0: not in any case"),
)
FILES: Final = (
    ("~/.local/share/p2puno", "identities, journals and the history, on Linux"),
    ("~/.config/p2puno/config.toml", "the settings, on Linux"),
)


@click.command(
    epilog="\b\n"
    "To have it in every new shell:\n"
    '  bash: eval "$(p2puno completion bash)"  in ~/.bashrc\n'
    '  zsh: eval "$(p2puno completion zsh)"  in ~/.zshrc, after compinit\n'
    "  fish: p2puno completion fish > ~/.config/fish/completions/p2puno.fish"
)
@click.argument("shell", type=OneOf(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print what makes SHELL complete commands, options and files of p2puno."""
    kind = get_completion_class(shell)
    assert kind is not None  # click has all three
    click.echo(kind(context.find_root().command, {}, "p2puno", "_P2PUNO_COMPLETE").source())
    return FINE


@click.command()
@click.pass_context
def manual(context: click.Context) -> int:
    """Print the manual page: p2puno manual > p2puno.1"""
    command = context.find_root().command
    speak(ENGLISH)  # as the page in docs, whoever prints it
    speak_help(command)
    click.echo(page(command), nl=False)
    return FINE


def page(command: click.Command) -> str:
    """The manual page of a command with all that is below it, in the man macros of roff."""
    root = click.Context(command, info_name="p2puno", **command.context_settings)
    first, *rest = _paragraphs(command)
    lines = [
        f'.TH P2PUNO 1 "" "p2puno {_roff(version("p2puno"))}"',
        ".SH NAME", f"p2puno \\- {_roff(first)}",
        ".SH SYNOPSIS", ".B p2puno", "COMMAND [OPTIONS] [ARGUMENTS]",
        *(line for paragraph in rest for line in (".PP", *map(_roff, paragraph.splitlines()))),
        ".SH COMMANDS", *_commands(command, root),
        ".PP", "Each of them has", ".BR \\-h .",
        ".SH SETTINGS", "They are kept in a file by", '.BR "p2puno config" .',
        "A variable goes before the file, an option before both.",
    ]  # fmt: skip
    for known in SETTINGS.values():
        lines += _item(f"{known.name}, {known.variable}", f"{known.meaning}; {known.may_be} (usual: {known.usual})")
    for title, rows in (("EXIT STATUS", EXIT_CODES), ("ENVIRONMENT", VARIABLES), ("FILES", FILES)):
        lines.append(f".SH {title}")
        for head, text in rows:
            lines += _item(head, text)
    return "\n".join(lines) + "\n"


def _commands(command: click.Command, context: click.Context) -> Iterator[str]:
    """Every command below this one with its options, subcommands after their group."""
    if not isinstance(command, click.Group):
        return
    for name, sub in sorted(command.commands.items()):
        if sub.hidden:
            continue
        below = click.Context(sub, info_name=name, parent=context)
        usage = " ".join([below.command_path, *sub.collect_usage_pieces(below)])
        yield f'.SS "{_roff(usage)}"'
        for number, paragraph in enumerate(_paragraphs(sub)):
            yield from ([".PP"] if number else [])
            yield from map(_roff, paragraph.splitlines())
        for parameter in sub.get_params(below):
            if set(parameter.opts) & set(below.help_option_names) or not isinstance(parameter, click.Option):
                continue
            record = parameter.get_help_record(below)
            if record is not None:
                yield from _item(*record)
        if sub.epilog:
            yield ".PP"
            yield ".nf"
            yield from map(_roff, sub.epilog.replace("\b\n", "").splitlines())
            yield ".fi"
        yield from _commands(sub, below)


def _paragraphs(command: click.Command) -> list[str]:
    """The help of a command; lines that belong together joined, but for those that click leaves alone, too."""
    paragraphs = []
    for paragraph in (command.help or "").split("\n\n"):
        alone = paragraph.lstrip().startswith("\b")
        lines = [line.strip() for line in paragraph.replace("\b", "").strip().splitlines()]
        paragraphs.append("\n".join((".nf", *lines, ".fi")) if alone else " ".join(lines))
    return paragraphs


def _item(head: str, text: str) -> list[str]:
    return [".TP", f".B {_roff(head)}", _roff(text) or "\\&"]


def _roff(text: str) -> str:
    """Text of ours so that roff shows it as it is."""
    if text in (".nf", ".fi"):
        return text
    text = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{text}" if text.startswith((".", "'")) else text
