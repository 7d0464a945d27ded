"""Strict reading of pack files: what is missing, of the wrong type or left over is an error that names its place."""

from __future__ import annotations

import tomllib
from typing import Any, Final, NoReturn

MARKS: Final = frozenset({"seed", "public", "partial", "house"})
"""How well a printed card is known."""

MAX_WORDS: Final = 25
"""Words in a text on a card."""

MAX_TEXT: Final = 200
"""Characters in a text on a card."""


MAX_DOTS: Final = 64
"""Dots in a line of a pack file. The TOML reader of Python takes room for every beginning of a dotted key: without a
limit 64 KB of dots would take 4 GB."""


class PackError(ValueError):
    """A pack file says something that the game cannot take. The message names file, card and field; `hint` says what
    to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def show(value: object) -> str:
    """A value of a pack file for an error message: short, in one line, without control characters."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**9 else "a very large number"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:39] + "…")
    if isinstance(value, list):
        items = ["[…]" if isinstance(item, list) else show(item) for item in value[:6]]
        return "[" + ", ".join(items) + (", …]" if len(value) > 6 else "]")
    return "a table" if isinstance(value, dict) else f"a {type(value).__name__}"


def read_toml(file: str, text: str) -> dict[str, Any]:
    """The tables of a pack file. Raises PackError."""
    if any(line.count(".") > MAX_DOTS for line in text.split("\n")):
        raise PackError(f"{file}: a line has more than {MAX_DOTS} dots")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise PackError(f"{file}: it is nested too deeply") from None
    except ValueError as error:  # no TOML, or a number with thousands of digits
        said = show(str(error))[1:-1] if isinstance(error, tomllib.TOMLDecodeError) else type(error).__name__
        raise PackError(f"{file}: it is not TOML in UTF-8 ({said})") from None


class Table:
    """One table of a pack file, read key by key. Every method raises PackError."""

    def __init__(self, where: str, data: object) -> None:
        if not isinstance(data, dict):
            raise PackError(f"{where}: must be a table")
        self.where = where
        self.data: dict[str, Any] = dict(data)

    def refuse(self, message: str, hint: str = "") -> NoReturn:
        """Raise PackError about this table."""
        raise PackError(f"{self.where}: {message}", hint)

    def take(self, key: str, kind: type) -> Any:
        """The value of `key`, which must be there and exactly of this type."""
        if key not in self.data:
            raise PackError(f"{self.where}: {key!r} is missing")
        value = self.data.pop(key)
        if type(value) is not kind:
            raise PackError(f"{self.where}: {key!r} must be {kind.__name__}, not {show(value)}")
        return value

    def number(self, key: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        value: int = self.take(key, int)
        if not low <= value <= high:
            span = f"{low}-{high}" if low < high else f"{low}"
            raise PackError(f"{self.where}: {key!r} must be {span}, not {show(value)}")
        return value

    def true(self, key: str) -> bool:
        """True; whoever means false leaves the key out."""
        if not self.take(key, bool):
            self.refuse(f"{key!r} can only be true", "leave it out otherwise")
        return True

    def text(self, key: str) -> str:
        """A text in one line that a terminal can show: at most 25 words and 200 characters."""
        value: str = self.take(key, str)
        if len(value.split()) > MAX_WORDS:
            raise PackError(f"{self.where}: {key!r} has more than {MAX_WORDS} words")
        if len(value) > MAX_TEXT:
            raise PackError(f"{self.where}: {key!r} has more than {MAX_TEXT} characters")
        if not value.isprintable():
            raise PackError(f"{self.where}: {key!r} holds a character that cannot be shown, such as a line break")
        return value

    def choice(self, key: str, allowed: frozenset[str]) -> str:
        """One of these words."""
        value: str = self.take(key, str)
        if value not in allowed:
            raise PackError(
                f"{self.where}: {key!r} must be one of {', '.join(sorted(filter(None, allowed)))}, not {show(value)}"
            )
        return value

    def numbers(self, key: str, low: int, high: int) -> list[int]:
        """Whole numbers from `low` to `high`, each larger than the one before, at least one."""
        values = self.take(key, list)
        if (
            not values
            or any(type(v) is not int or not low <= v <= high for v in values)
            or sorted(set(values)) != values
        ):
            raise PackError(f"{self.where}: {key!r} must be rising whole numbers {low}-{high}, not {show(values)}")
        return list(values)

    def done(self) -> None:
        """Nothing may be left over."""
        if self.data:
            raise PackError(f"{self.where}: unknown {', '.join(show(key) for key in sorted(self.data)[:5])}")
