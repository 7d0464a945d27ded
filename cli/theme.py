"""One table of named styles, and one of the few glyphs that frames are drawn with.

Sixteen colours only, as the terminal's own palette defines them (P10); every colour has its letter beside it, so with
NO_COLOR nothing is lost (P09, P15). All glyphs are one cell wide on every terminal (P06).
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Final

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

STYLES: Final = {
    "": "",
    "title": "reverse",
    "dim": "ansibrightblack",
    "strong": "bold",
    "turn": "bold",
    "mine": "bold",
    "away": "ansibrightblack",
    "alert": "ansired",
    "alarm": "bold ansiwhite bg:ansired",
    "good": "bold ansigreen",
    "preview": "bold",
    "error": "bold ansired",
    "key": "bold",
    "rule": "ansibrightblack",
    # Cards: ink on the terminal's ground for small ones, ground in the colour for what lies on the pile.
    "red": "bold ansired",
    "yellow": "bold ansiyellow",
    "green": "bold ansigreen",
    "blue": "bold ansibrightblue",
    "wild": "bold ansimagenta",
    "on-red": "bold ansiwhite bg:ansired",
    "on-yellow": "bold ansiblack bg:ansiyellow",
    "on-green": "bold ansiblack bg:ansigreen",
    "on-blue": "bold ansiwhite bg:ansiblue",
    "on-wild": "bold ansiwhite bg:ansimagenta",
}
"""Name -> prompt_toolkit style. A fragment names one: ("class:red", "R7")."""

COLOURS: Final = ("red", "yellow", "green", "blue")
"""The style names of the colours 0-3; their first letters are the keys that name them."""


def colour_style(colour: int, ground: bool = False) -> str:
    """The style of a colour 0-3, or of a Wild (-1); `ground`: as a filled surface."""
    name = COLOURS[colour] if 0 <= colour < len(COLOURS) else "wild"
    return f"on-{name}" if ground else name


@dataclass(frozen=True, slots=True)
class Glyphs:
    """What frames and marks are drawn with; each one cell wide."""

    line: str
    bar: str
    corners: tuple[str, str, str, str]  # top left, top right, bottom left, bottom right
    turn: str
    down: str
    up: str
    mark: str


UNICODE: Final = Glyphs(line="─", bar="│", corners=("┌", "┐", "└", "┘"), turn=">", down="↓", up="↑", mark="^")
ASCII: Final = Glyphs(line="-", bar="|", corners=("+", "+", "+", "+"), turn=">", down="v", up="^", mark="^")


def glyphs(ascii_only: bool = False) -> Glyphs:
    """The glyph set for this terminal: ASCII on the Linux console, in a locale without UTF-8 or on wish (P07, P13)."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    if ascii_only or os.environ.get("TERM") == "linux" or encoding != "utf8":
        return ASCII
    return UNICODE


def style() -> Style:
    """The table as prompt_toolkit wants it."""
    return Style.from_dict({name: value for name, value in STYLES.items() if name})


def colour_depth() -> ColorDepth:
    """Sixteen colours; none at all under NO_COLOR (any value but the empty one, as no-color.org has it)."""
    return ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else ColorDepth.DEPTH_4_BIT
