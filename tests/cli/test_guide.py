"""The guide and the help say all that there is: every option, every key, every table option."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from cli.draw_help import HELP, HELP_COMPACT
from cli.main import p2puno
from cli.theme import DEPTHS, STYLES, THEMES
from cli.voice import HELP as LINES
from p2puno.options import OPTIONS
from p2puno.rules import games

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "guide.md").read_text("utf-8")
PAGES = ("config.md", "lan.md", "lobby.md", "past.md", "watching.md")
"""Commands that have a page of their own; the guide points to it."""
README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


@pytest.mark.parametrize("name", sorted(p2puno.commands))
def test_every_command_and_option_is_in_the_guide(name: str) -> None:
    command = p2puno.commands[name]
    assert f"`p2puno {name}" in GUIDE
    told = GUIDE + "".join((DOCS / page).read_text("utf-8") for page in PAGES)
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            for flag in (*parameter.opts, *parameter.secondary_opts):
                assert f"`{flag}" in told, (name, flag)


def test_the_guide_points_to_every_page() -> None:
    for page in PAGES:
        assert f"]({page})" in GUIDE


def test_every_table_option_is_in_the_guide_with_its_meaning() -> None:
    for option in OPTIONS:
        lines = [line for line in GUIDE.splitlines() if line.startswith(f"| `{option.name}` |")]
        assert any(option.meaning in line for line in lines), option.name


def test_every_game_and_what_is_house_is_told() -> None:
    for game in games():
        assert f"`{game}`" in GUIDE
        assert f"`{game}`" in README
    assert "`house`" in README
    assert "`house`" in GUIDE


def test_every_key_is_in_the_help_and_the_guide() -> None:
    for key in ("Enter", "Esc", "Ctrl-L", "u", "d", "k", "i", "l", "q", "c", "p", "a", "?"):
        assert f"`{key}`" in GUIDE or f"| {key} |" in GUIDE, key
    for page in (HELP, HELP_COMPACT):
        keys = " ".join(line[:24] for line in page).replace("/", " ").split()
        assert {"Enter", "r", "y", "g", "b", "d", "k", "u", "c", "p", "a", "i", "Esc", "Ctrl-L", "q"} <= set(keys)


def test_the_help_of_the_line_mode_names_every_word() -> None:
    text = " ".join(LINES)
    for word in ("draw", "keep", "challenge", "accept", "uno", "catch", "pass", "hand", "table", "score", "rules",
                 "look", "back", "where", "log", "quit"):  # fmt: skip
        assert word in text
        assert f"`{word}" in GUIDE, word


def test_every_theme_style_and_depth_is_in_the_guide() -> None:
    for name in (*THEMES, *STYLES, *DEPTHS):
        assert f"`{name}`" in GUIDE, name
