"""The hero of docs/packs.md, to be changed by tests."""

from __future__ import annotations

import re
from pathlib import Path

from p2puno.hero import Hero
from p2puno.hero_file import read_own

GUIDE = (Path(__file__).parents[2] / "docs" / "packs.md").read_text("utf-8")
TEXT = re.search(r"```toml\n(.*?)```", GUIDE, re.S)[1]  # type: ignore[index]  # a test fails at once without it
DC = TEXT.replace('set = "marvel"', 'set = "dc"')


def changed(old: str, new: str, text: str = TEXT) -> bytes:
    """The file with one place changed."""
    assert old in text, old
    return text.replace(old, new, 1).encode()


def named(ident: str, group: str = "marvel") -> Hero:
    """The example under another id."""
    text = TEXT.replace('id = "lamplighter"', f'id = "{ident}"').replace('set = "marvel"', f'set = "{group}"')
    return read_own(f"{ident}.toml", text.encode(), "test")
