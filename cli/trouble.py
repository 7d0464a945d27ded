"""Errors as people read them: one `error:` line, one `hint:` line, an exit code by class, never a traceback.

What trio raises may be a group of errors in groups; what a user did wrong is one sentence (N04, N05, N07).
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import click

from cli.language import N_, _, told
from cli.stdin import HANGUP
from cli.text import visible
from cli.usage import misread, sentence
from p2puno.reading import PackError
from p2puno.rules import RulesError
from p2puno.said import Said, message_of, said, system_says
from protocol.errors import P2punoError, Usage

FINE: Final = 0
FAILED: Final = 1
USAGE: Final = 2
CHEATING: Final = 3
BAD_FILE: Final = 4
UNFINISHED: Final = 5
UNREACHABLE: Final = 6
INTERRUPTED: Final = 130

PACK_HINT: Final = N_("mend the pack, or take its file out of the folder")
UNEXPECTED: Final = N_("this is a fault of p2puno: run again with P2PUNO_DEBUG=1 and report what it prints")


class Interrupted(P2punoError):
    """A signal ended the program: 128 + its number is the exit code."""

    def __init__(self, number: int) -> None:
        super().__init__(_("interrupted"), "")
        self.exit_code = 128 + number


class SeatLost(P2punoError):
    """A helper process that should hold a seat could not."""

    exit_code = FAILED
    default_hint = ""


def leaves(problem: BaseException) -> Iterator[BaseException]:
    """The single errors in a (nested) group, in order; the error itself if it is no group."""
    if isinstance(problem, BaseExceptionGroup):
        for inner in problem.exceptions:
            yield from leaves(inner)
    else:
        yield problem


def main_cause(problem: BaseException) -> BaseException:
    """The one error of a group to tell: a `P2punoError` first, then an interrupt, then what is unexpected."""
    singles = list(leaves(problem))
    for kind in (P2punoError, RulesError, PackError, click.ClickException, KeyboardInterrupt, SystemExit, click.Abort):
        for single in singles:
            if isinstance(single, kind):
                return single
    return singles[0]


def report(problem: BaseException) -> int:
    """Tell `problem` on stderr in at most two lines; the exit code to end with."""
    cause = main_cause(problem)
    match cause:
        case SystemExit():
            return cause.code if isinstance(cause.code, int) else FAILED
        case KeyboardInterrupt() | click.Abort():
            tell(_("interrupted"))
            return INTERRUPTED
        case P2punoError():
            tell(cause.message, cause.hint)
            return cause.exit_code
        case RulesError():
            tell(message_of(cause), cause.hint or Usage.default_hint)
            return USAGE
        case PackError():
            tell(message_of(cause), cause.hint or _(PACK_HINT))
            return BAD_FILE
        case click.UsageError():
            tell(*misread(cause))
            return USAGE
        case click.ClickException():
            tell(sentence(cause.format_message()), Usage.default_hint)
            return USAGE
        case BrokenPipeError():
            # Whoever read our output has gone: nobody is left to tell, and the last flush must not fail either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            return FAILED
        case OSError(errno=errno.EIO, filename=None):  # what is shown is no file: the terminal has gone
            tell(_("interrupted"))
            return 128 + HANGUP
        case OSError():
            tell(refused_by_system(cause), _("check the path and who may write there"))
            return FAILED
    tell(f"{type(cause).__name__}: {cause}", _(UNEXPECTED))
    return FAILED


def tell(message: str, hint: str = "") -> None:
    """One `error:` line and, if there is one, one `hint:` line on stderr, with nothing in them that steers a screen."""
    with suppress(OSError):  # a terminal that has gone has nobody to tell
        print(_("error: {text}").format(text=visible(told(message))), file=sys.stderr)
        if hint:
            print(_("hint: {text}").format(text=visible(told(hint))), file=sys.stderr)


def in_one_line(message: str, hint: str = "") -> str:
    """The same where only a line is free, as on the full screen."""
    return visible(": ".join(filter(None, (told(message), told(hint)))))


def refused_by_system(problem: OSError) -> Said:
    """What the system would not do, and with which file."""
    reason = Said(system_says(problem).lower())
    return said("{place}: {reason}", place=problem.filename, reason=reason) if problem.filename else reason
