"""How the table is shown: which face, which theme, bell and title; by option, else environment, else settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cli.language import _
from cli.theme import DEPTHS, STANDARD, Theme, theme_of
from protocol.errors import Usage

ACCESSIBLE: Final = "ACCESSIBLE"
"""The environment variable that asks programs for a mode fit for screen readers; 0 says no."""

_NO: Final = ("0", "no", "off", "false")


@dataclass(frozen=True, slots=True)
class Manner:
    """`speak`: what turned the screen-reader mode on, "" if it is off; `lines`: the line mode; `colours`: one of
    `theme.DEPTHS`, "" for what fits the terminal."""

    speak: str = ""
    lines: bool = False
    ascii: bool = False
    bell: bool = True
    title: bool = True
    chat: bool = True
    motion: bool = True
    theme: Theme = STANDARD
    colours: str = ""


def manner_of(options: Mapping[str, Any], settings: Mapping[str, Any] | None = None) -> Manner:
    """What the options say; where they say nothing the environment, then the player's settings (P08).

    Raises Usage for a theme or a number of colours that there is not, Damaged for a file that is no theme.
    """
    saved = settings or {}
    colours = _first(options.get("colours"), saved.get("colours"), "")
    if colours and colours not in DEPTHS:
        cannot = _("{name} cannot be {value!r}").format(name="colours", value=colours)
        raise Usage(cannot, _("it may be {values}").format(values=", ".join(DEPTHS)))
    if options.get("colours") is None and os.environ.get("NO_COLOR"):
        colours = "none"  # the environment goes before the settings
    return Manner(
        speak=_speak(options.get("screen_reader"), saved.get("screen_reader")),
        lines=_first(options.get("plain"), saved.get("plain"), False),
        ascii=_first(options.get("ascii_only"), saved.get("ascii"), False),
        bell=_first(options.get("bell"), saved.get("bell"), True),
        title=_first(options.get("title"), saved.get("title"), True),
        chat=_first(options.get("chat"), saved.get("chat"), True),
        motion=_first(options.get("motion"), saved.get("motion"), True),
        theme=theme_of(_first(options.get("theme"), saved.get("theme"), STANDARD.name)),
        colours=colours,
    )


def _speak(option: bool | None, setting: bool | None) -> str:
    """Why the screen-reader mode is on; "" if it is not."""
    if option is not None:
        return _("the option --screen-reader") if option else ""
    said = os.environ.get(ACCESSIBLE, "")
    if said:
        return "" if said.lower() in _NO else _("{variable} in the environment").format(variable=f"{ACCESSIBLE}={said}")
    return _("screen_reader in your settings") if setting else ""


def _first(*values: Any) -> Any:
    """The first value that is said."""
    return next(value for value in values if value is not None)
