"""Text in terminal cells: what a string from anywhere may look like, and how wide it is.

Names are cleaned where they are decoded (protocol.names); this is the second lock on the same door, for whatever
reaches a screen, a pipe or an error line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Sequence

from wcwidth import wcwidth

from cli.language import _, ngettext

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

# Characters whose width depends on their neighbours and on the terminal (P06): flags become their two letters, what
# chooses the look of the character before it (variation selectors, skin tones, keycaps) goes.
_SETTLED = (
    {0x1F1E6 + i: chr(ord("A") + i) for i in range(26)}
    | dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x1F3FB, 0x1F400), 0x20E3], "")
    | {ord("\n"): " ", ord("\t"): " ", ord("\r"): " "}
)


def visible(text: str) -> str:
    """`text` without a single character that steers, hides or reverses, or whose width is not known for sure; line ends
    and tabs become spaces (P06, P16)."""
    return "".join(c for c in text.translate(_SETTLED) if unicodedata.category(c) not in _UNSEEN)


def width(text: str) -> int:
    """Terminal cells that `text` takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(max(0, wcwidth(c)) for c in text)


def cut(text: str, cells: int) -> str:
    """`text` in at most `cells` cells, ended by a dot where something was left off."""
    if width(text) <= cells:
        return text
    kept, used = [], 0
    for c in text:
        w = max(0, wcwidth(c))
        if used + w > cells - 1:
            break
        kept.append(c)
        used += w
    return "".join(kept) + "." if cells > 0 else ""


def cut_before(text: str, last: str, cells: int) -> str:
    """`text`, which ends with `last`, in at most `cells` cells: what is before that is cut."""
    return cut(text.removesuffix(last), max(0, cells - width(last))) + last if width(text) > cells else text


def pad(text: str, cells: int) -> str:
    """`text` in exactly `cells` cells: cut or filled with spaces on the right."""
    text = cut(text, cells)
    return text + " " * (cells - width(text))


def wrap(text: str, cells: int, indent: str = "  ") -> list[str]:
    """`text` broken at spaces into lines of at most `cells` cells; further lines begin with `indent`."""
    if cells < 1:
        return []
    if width(text) <= cells:
        return [text]
    lines: list[str] = []
    line = ""
    for word in text.split():
        trial = f"{line} {word}" if line.strip() else line + word
        if width(trial) <= cells:
            line = trial
            continue
        if width(indent + word) <= cells or cells < width(indent) + 2:
            if line.strip():
                lines.append(line)
            line = cut((indent if lines else "") + word, cells)
            continue
        line = f"{line} " if line.strip() else line
        while width(line + word) > cells:  # a word that has no room in any line
            fits = _head(word, cells - width(line))
            lines.append((line + fits).rstrip())
            word, line = word[len(fits) :], indent
        line += word
    if line.strip():
        lines.append(line)
    return lines


def broken(text: str, cells: int) -> list[str]:
    """`text` broken before words, where it has more than `cells` cells: further lines stand below its own beginning,
    two cells further in; what is set apart by several spaces stays so. A word that has no room in any line stays whole,
    so that a path or an address can be copied."""
    lead = text[: len(text) - len(text.lstrip(" "))]
    lines, line = [], lead
    for word in re.findall(r"\S+\s*", text):
        if line.strip() and width(line + word.rstrip()) > cells:
            lines.append(line.rstrip())
            line = f"{lead}  "
        line += word
    return [*lines, line.rstrip()]


def _head(text: str, cells: int) -> str:
    """As much of the beginning of `text` as has room in `cells` cells."""
    used = 0
    for place, c in enumerate(text):
        used += max(0, wcwidth(c))
        if used > cells:
            return text[:place]
    return text


def listed(words: Iterable[str], last: str = "") -> str:
    """ "a", "a and b", "a, b and c"; `last`: what stands for "and"."""
    all_words = list(words)
    if len(all_words) < 2:
        return "".join(all_words)
    return f"{', '.join(all_words[:-1])} {last or _('and')} {all_words[-1]}"


def columns(rows: Sequence[Sequence[str]], right: Container[int] = ()) -> list[str]:
    """Rows of cells as lines, every column as wide as it needs to be, two spaces between them; those in `right` end
    where the column ends."""
    wide = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            " " * (wide[i] - width(cell)) + cell if i in right else pad(cell, wide[i]) for i, cell in enumerate(row)
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def some_cards(n: int) -> str:
    """ "1 card", "3 cards"."""
    return ngettext("{n} card", "{n} cards", n).format(n=n)


def some_points(n: int) -> str:
    """ "1 point", "3 points"."""
    return ngettext("{n} point", "{n} points", n).format(n=n)
