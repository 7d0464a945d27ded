"""Named styles, the themes that say how they look, and the few glyphs that frames are drawn with.

Sixteen colours as the terminal's own palette defines them, unless more are asked for (P10, P11); every colour has its
letter beside it, so with NO_COLOR nothing is lost (P09, P15). All glyphs are one cell wide on every terminal (P06).
"""

from __future__ import annotations

import locale
import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Attrs, Style

from cli.language import N_, _
from protocol.errors import Damaged, Usage

# No bright black: on some palettes (Solarized) that is the ground itself (P10). prompt_toolkit has "dim" since 3.0.52.
FAINT: Final = "dim" if "dim" in Attrs._fields else ""

STYLES: Final = {
    "ground": "",
    "title": "reverse",
    "dim": FAINT,
    "strong": "bold",
    "turn": "bold",
    "moving": "bold reverse",
    "mine": "bold",
    "away": FAINT,
    "alert": "ansired",
    "alarm": "bold ansiwhite bg:ansired",
    "good": "bold ansigreen",
    "preview": "bold",
    "error": "bold ansired",
    "key": "bold",
    "rule": FAINT,
    "chat": "italic ansicyan",
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
"""Name -> prompt_toolkit style. A fragment names one: ("class:red", "R7"); `ground` lies under all of them."""


@dataclass(frozen=True, slots=True)
class Theme:
    """How the named styles look: `styles` with sixteen colours, `rich` what is otherwise where 24 bits are shown."""

    name: str
    styles: Mapping[str, str]
    rich: Mapping[str, str] = field(default_factory=dict)

    def table(self, depth: ColorDepth) -> dict[str, str]:
        """Every named style for this depth."""
        more = self.rich if depth in (ColorDepth.DEPTH_24_BIT, ColorDepth.DEPTH_8_BIT) else {}
        return {**STYLES, **self.styles, **more}

    def style(self, depth: ColorDepth) -> Style:
        """The table as prompt_toolkit wants it. Raises ValueError for what is no style."""
        table = self.table(depth)
        return Style([("", table.pop("ground")), *table.items()])


def _cards(red: str, yellow: str, green: str, blue: str, wild: str, ink: Mapping[str, str]) -> dict[str, str]:
    """The ten styles of cards in exact colours; `ink`: the letters on a ground, black where it is not said."""
    colours = {"red": red, "yellow": yellow, "green": green, "blue": blue, "wild": wild}
    small = {name: f"bold {colour}" for name, colour in colours.items()}
    return small | {f"on-{name}": f"bold {ink.get(name, '#000000')} bg:{colour}" for name, colour in colours.items()}


_WHITE: Final = "#ffffff"

STANDARD: Final = Theme(
    "standard",
    {},
    _cards("#e0342f", "#e6b800", "#2e9e44", "#4f8ff0", "#b65fd0", {"red": _WHITE}),
)
# Bright ink on a black ground of our own, whatever the terminal's is; nothing is dimmed.
HIGH_CONTRAST: Final = Theme(
    "high-contrast",
    {
        "ground": "ansiwhite bg:ansiblack",
        "title": "bold reverse",
        "dim": "",
        "away": "underline",
        "rule": "",
        "chat": "italic",
        "alert": "bold underline",
        "alarm": "bold reverse",
        "good": "bold underline",
        "error": "bold reverse",
        "red": "bold ansibrightred",
        "yellow": "bold ansibrightyellow",
        "green": "bold ansibrightgreen",
        "blue": "bold ansibrightcyan",
        "wild": "bold ansiwhite",
        "on-red": "bold ansiblack bg:ansibrightred",
        "on-yellow": "bold ansiblack bg:ansibrightyellow",
        "on-green": "bold ansiblack bg:ansibrightgreen",
        "on-blue": "bold ansiblack bg:ansibrightcyan",
        "on-wild": "bold ansiblack bg:ansiwhite",
    },
    {"ground": "#ffffff bg:#000000", **_cards("#ff8a80", "#ffee00", "#5eff6a", "#80c8ff", "#ffffff", {})},
)
# Told apart by brightness and by blue against yellow, which nearly everybody sees; red and green never are the only
# difference. The exact colours are those that M. Okabe and K. Ito published for this ("Color Universal Design").
COLOUR_BLIND: Final = Theme(
    "colour-blind",
    {
        "alert": "bold underline",
        "alarm": "bold reverse",
        "good": "bold underline",
        "error": "bold underline",
        "yellow": "bold ansibrightyellow",
        "green": "bold ansibrightcyan",
        "blue": "bold ansiblue",
        "on-yellow": "bold ansiblack bg:ansibrightyellow",
        "on-green": "bold ansiblack bg:ansibrightcyan",
    },
    _cards("#d55e00", "#f0e442", "#009e73", "#0072b2", "#cc79a7", {"blue": _WHITE}),
)
THEMES: Final = {theme.name: theme for theme in (STANDARD, HIGH_CONTRAST, COLOUR_BLIND)}

DEPTHS: Final = {
    "none": ColorDepth.DEPTH_1_BIT,
    "16": ColorDepth.DEPTH_4_BIT,
    "256": ColorDepth.DEPTH_8_BIT,
    "24bit": ColorDepth.DEPTH_24_BIT,
}
"""What `--colours` may be."""

THEME_HINT: Final = N_(
    'a theme is a TOML file: base = "standard", then [styles] with lines such as red = "bold ansired"'
)


def theme_of(name: str) -> Theme:
    """The built-in theme of this name, or the one in this file.

    Raises Usage where there is neither, Damaged for a file that is no theme.
    """
    if name in THEMES:
        return THEMES[name]
    path = Path(name).expanduser()
    if not path.is_file():
        there_are = _("there are: {themes}, or a file of your own").format(themes=", ".join(THEMES))
        raise Usage(_("there is no theme {name!r}").format(name=name), there_are)
    try:
        return _read(path.stem, tomllib.loads(path.read_text("utf-8")))
    except (ValueError, TypeError) as problem:  # TOMLDecodeError and UnicodeDecodeError are ValueErrors
        raise Damaged(_("{name} is no theme: {why}").format(name=name, why=problem), _(THEME_HINT)) from problem


def _read(name: str, document: Mapping[str, Any]) -> Theme:
    """The theme that a document describes; raises ValueError with what is wrong."""
    base, styles, rich = document.get("base", "standard"), document.get("styles", {}), document.get("rich", {})
    if strange := set(document) - {"base", "styles", "rich"}:
        raise ValueError(_("it says {word!r}, which means nothing").format(word=sorted(strange)[0]))
    if base not in THEMES:
        raise ValueError(_("its base is {base!r}, not one of {themes}").format(base=base, themes=", ".join(THEMES)))
    for table in (styles, rich):
        if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
            raise ValueError(_("[styles] and [rich] hold texts by name"))
        if strange := set(table) - set(STYLES):
            no_style = _("{word!r} is no style; there are: {styles}")
            raise ValueError(no_style.format(word=sorted(strange)[0], styles=", ".join(STYLES)))
    under = THEMES[base]
    # What a file says for sixteen colours goes before what its base says for more of them.
    theme = Theme(name, {**under.styles, **styles}, {**under.rich, **styles, **rich})
    for depth in DEPTHS.values():
        theme.style(depth)
    return theme


def colour_depth(choice: str = "") -> ColorDepth:
    """The depth chosen, one of `DEPTHS`; "": none under NO_COLOR (any value but the empty one, as no-color.org has it),
    else sixteen colours."""
    if choice:
        return DEPTHS[choice]
    return ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else ColorDepth.DEPTH_4_BIT


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

WIDE_FRAMES: Final = ("zh", "ja", "ko")
"""Languages whose terminals may show frames two cells wide: their East Asian Width is ambiguous (Unicode UAX 11)."""


def glyphs(ascii_only: bool = False) -> Glyphs:
    """The glyph set for this terminal: ASCII on the Linux console, in a locale without UTF-8 or with wide frames, or on
    wish (P06, P07, P13)."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    if ascii_only or os.environ.get("TERM") == "linux" or encoding != "utf8" or _language() in WIDE_FRAMES:
        return ASCII
    return UNICODE


def _language() -> str:
    """The language of the locale for characters, as its first letters: "de", "ja"; "" where none is set."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        if value := os.environ.get(name):
            return value.partition("_")[0].lower()
    return (locale.getlocale()[0] or "").partition("_")[0].lower()
