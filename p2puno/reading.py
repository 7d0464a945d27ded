"""Strict reading of pack files: what is missing, of the wrong type or left over is an error that names its place."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final, NoReturn

from p2puno.said import Said, said

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


def refused(where: str, message: str, hint: str = "") -> PackError:
    """The error that says what is wrong at a place of a pack file."""
    return PackError(said("{where}: {problem}", where=where, problem=message), hint)


def nearest(word: object, words: Iterable[str]) -> str:
    """A hint: the word that was perhaps meant, or all there are."""
    words = [str(word) for word in words]
    near = get_close_matches(word[:40], words, 1, 0.6) if isinstance(word, str) else []
    return said("did you mean {word!r}?", word=near[0]) if near else said("there are: {words}", words=", ".join(words))


def show(value: object) -> str:
    """A value of a pack file for an error message: short, in one line, without control characters."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**9 else said("a very large number")
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:39] + "…")
    if isinstance(value, list):
        items = ["[…]" if isinstance(item, list) else show(item) for item in value[:6]]
        return "[" + ", ".join(items) + (", …]" if len(value) > 6 else "]")
    return said("a table") if isinstance(value, dict) else said("a {type}", type=type(value).__name__)


def read_toml(file: str, text: str) -> dict[str, Any]:
    """The tables of a pack file. Raises PackError."""
    if any(line.count(".") > MAX_DOTS for line in text.split("\n")):
        raise refused(file, said("a line has more than {most} dots", most=MAX_DOTS))
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise refused(file, said("it is nested too deeply")) from None
    except ValueError as error:  # no TOML, or a number with thousands of digits
        fault = show(str(error))[1:-1] if isinstance(error, tomllib.TOMLDecodeError) else type(error).__name__
        raise refused(file, said("it is not TOML in UTF-8 ({fault})", fault=fault)) from None


class Table:
    """One table of a pack file, read key by key. Every method raises PackError."""

    def __init__(self, where: str, data: object) -> None:
        if not isinstance(data, dict):
            raise refused(where, said("must be a table"))
        self.where = where
        self.data: dict[str, Any] = dict(data)

    def refuse(self, message: str, hint: str = "") -> NoReturn:
        """Raise PackError about this table."""
        raise refused(self.where, message, hint)

    def take(self, key: str, kind: type) -> Any:
        """The value of `key`, which must be there and exactly of this type."""
        if key not in self.data:
            self.refuse(said("{key!r} is missing", key=key))
        value = self.data.pop(key)
        if type(value) is not kind:
            self.refuse(said("{key!r} must be {kind}, not {value}", key=key, kind=kind.__name__, value=show(value)))
        return value

    def number(self, key: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        value: int = self.take(key, int)
        if not low <= value <= high:
            span = f"{low}-{high}" if low < high else f"{low}"
            self.refuse(said("{key!r} must be {span}, not {value}", key=key, span=span, value=show(value)))
        return value

    def true(self, key: str) -> bool:
        """True; whoever means false leaves the key out."""
        if not self.take(key, bool):
            self.refuse(said("{key!r} can only be true", key=key), said("leave it out otherwise"))
        return True

    def text(self, key: str) -> str:
        """A text in one line that a terminal can show: at most 25 words and 200 characters."""
        value: str = self.take(key, str)
        if len(value.split()) > MAX_WORDS:
            self.refuse(said("{key!r} has more than {most} words", key=key, most=MAX_WORDS))
        if len(value) > MAX_TEXT:
            self.refuse(said("{key!r} has more than {most} characters", key=key, most=MAX_TEXT))
        if not value.isprintable():
            self.refuse(said("{key!r} holds a character that cannot be shown, such as a line break", key=key))
        return value

    def sentence(self, key: str) -> Said:
        """A text as `text` reads it, that people read in their own language."""
        return Said(self.text(key))

    def choice(self, key: str, allowed: frozenset[str]) -> str:
        """One of these words."""
        value: str = self.take(key, str)
        if value not in allowed:
            self.refuse(
                said(
                    "{key!r} must be one of {words}, not {value}",
                    key=key,
                    words=", ".join(sorted(filter(None, allowed))),
                    value=show(value),
                )
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
            self.refuse(
                said(
                    "{key!r} must be rising whole numbers {low}-{high}, not {value}",
                    key=key,
                    low=low,
                    high=high,
                    value=show(values),
                )
            )
        return list(values)

    def done(self) -> None:
        """Nothing may be left over."""
        if self.data:
            self.refuse(said("unknown {keys}", keys=", ".join(show(key) for key in sorted(self.data)[:5])))
