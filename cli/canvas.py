"""Lines of styled text in terminal cells: joined, cut and filled without ever running over the edge."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from cli.text import cut, pad, width


class Piece(NamedTuple):
    """Some text in one named style; `click`: what a click on it is for, "" for nothing: `card 3` of the hand,
    `option 2` of a list, `key enter`, `page top` of the inspector."""

    style: str
    text: str
    click: str = ""


Row: TypeAlias = list[Piece]


def row_width(row: Iterable[Piece]) -> int:
    """Cells that a row takes."""
    return sum(width(piece.text) for piece in row)


def fit(row: Iterable[Piece], cells: int) -> Row:
    """The row in exactly `cells` cells: cut, or filled with spaces."""
    out: Row = []
    left = cells
    for piece in row:
        w = width(piece.text)
        if w > left:
            if left > 0:
                text = cut(piece.text, left)
                out.append(piece._replace(text=text))
                left -= width(text)
            break
        out.append(piece)
        left -= w
    if left > 0:
        out.append(Piece("", " " * left))
    return out


def filled(style: str, text: str, cells: int) -> Row:
    """One piece in exactly `cells` cells."""
    return [Piece(style, pad(text, cells))] if cells > 0 else []


def beside(columns: Iterable[tuple[list[Row], int]], height: int) -> list[Row]:
    """Blocks of rows side by side, each (rows, cells), as `height` rows."""
    out: list[Row] = [[] for _ in range(height)]
    for rows, cells in columns:
        for y in range(height):
            out[y] += fit(rows[y] if y < len(rows) else [], cells)
    return out


def plain(rows: Iterable[Row]) -> list[str]:
    """The text alone, without trailing spaces."""
    return ["".join(piece.text for piece in row).rstrip() for row in rows]
