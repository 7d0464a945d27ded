"""What keys are called, and what is said of one that means nothing where it was pressed."""

from __future__ import annotations

from typing import Final

from cli.language import _

NAMED: Final = {"enter": "Enter", "escape": "Esc", "left": "<", "right": ">", "pageup": "PgUp", "pagedown": "PgDn"}
"""How a key is written in any language, where that is not the key itself."""
SILENT: Final = ("escape", "wheelup", "wheeldown")
"""Keys of which nothing is expected where they mean nothing."""


def no_use(key: str, helps: bool = True) -> str:
    """The hint for a key that means nothing here; "" for one that may do so in silence. `helps`: whether `?` would tell
    more."""
    if key in SILENT:
        return ""
    name = NAMED.get(key, key)
    if helps and key != "?":
        return _("{key} does nothing here: ? shows the keys").format(key=name)
    return _("{key} does nothing here").format(key=name)
