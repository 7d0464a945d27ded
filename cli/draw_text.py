"""Blocks of text beside the cards: names, the event log, the result of a hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.canvas import Piece, Row, filled
from cli.language import _
from cli.table.board import Board
from cli.table.lines import Line
from cli.table.look import Look, Seat
from cli.text import cut, cut_before, wrap

CHAT: Final = "chat"
"""The style of remarks."""
WIDE, HIGH = 50, 12
"""Columns and rows from which on remarks have a pane of their own."""


def label(seat: Seat) -> str:
    """The name of a seat, and whose it is."""
    mark = _("you") if seat.me else _("bot") if seat.bot else ""
    return cut(seat.name, 10) + f" ({mark})" if mark else cut(seat.name, 16)


def seat_style(look: Look, seat: Seat) -> str:
    """How a seat is written: whose turn it is, and since when; which one is ours; who is away."""
    if seat.turn:
        return "moving" if seat.seat == look.moving.turn else "turn"
    return "mine" if seat.me else "" if seat.here else "away"


def drawn(look: Look, seat: Seat, cells: int) -> Row:
    """The cards that a seat is just drawing, as far as they are counted, in so many cells."""
    count = look.moving.count(seat.seat)
    if not count or len(count) >= cells:
        return filled("", "", cells)
    return [Piece("", " "), *filled("moving", count, len(count)), *filled("", "", cells - 1 - len(count))]


def log(board: Board, columns: int, height: int) -> list[Row]:
    """The lines of the log that have room, oldest first, up to the newest or to where the player has scrolled."""
    if height <= 0:
        return []
    lines, newer = board.read()
    if not newer:
        return _last(lines, columns, height)
    text = _("{n} newer: PgDn").format(n=newer)
    more = Piece("strong", cut(f" -- {text} --", columns), "key pagedown")
    return [*_last(lines, columns, height - 1), [more]]


def log_and_chat(board: Board, columns: int, height: int) -> list[Row]:
    """The log; where there is much room the last remarks stand under it, in a pane of their own."""
    lines, newer = board.read()
    said = [line for line in lines if line.style == CHAT]
    if newer or not said or columns < WIDE or height < HIGH:
        return log(board, columns, height)
    pane = _last(said, columns, height // 3)
    above = height - len(pane) - 1
    rows = _last([line for line in lines if line.style != CHAT], columns, above)
    return [*rows, *([[]] * (above - len(rows))), [Piece("dim", f" {_('what was said last')}")], *pane]


def _last(lines: Sequence[Line], columns: int, height: int) -> list[Row]:
    """The last of these lines that have room; a remark has a mark at each further row, so that no part of it stands
    alone where a line of ours could."""
    rows: list[Row] = []
    for line in reversed(lines):
        if len(rows) >= height:
            break
        for text in reversed(wrap(line.text, columns - 1, "  | " if line.style == CHAT else "  ")):
            rows.append([Piece(line.style, f" {text}")])
    return list(reversed(rows[:height]))


def result(board: Board, columns: int, height: int) -> list[Row]:
    """How the last hand, or the table, ended, in at most `height` rows; where not all has room, a row for each loser,
    then as many as there is room for: the log has them all."""
    rows = _ended(board, columns, wrapped=True)
    if len(rows) < height:
        return [[], *rows]
    rows = _ended(board, columns, wrapped=False)
    if len(rows) > height >= 3:
        hidden = len(rows) - height + 1
        text = _("{n} more: l").format(n=hidden)
        rows = [*rows[: height - 2], [Piece("strong", cut(f" -- {text} --", columns), "key l")], rows[-1]]
    return rows


def _ended(board: Board, columns: int, wrapped: bool) -> list[Row]:
    """The lines of the result; those of the losers `wrapped`, or cut to a row each."""
    rows: list[Row] = []
    for line in board.result:
        loser = line.seat >= 0 and not line.style
        points = line.text[line.text.rfind(":") :] if loser else ""
        cells = columns - 2
        texts = wrap(line.text, cells, "    ") if wrapped or not loser else [cut_before(line.text, points, cells)]
        rows += [[Piece(line.style, f" {text}")] for text in texts]
    return rows
