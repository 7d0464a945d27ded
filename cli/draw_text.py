"""Blocks of text beside the cards: names, the event log, the result of a hand."""

from __future__ import annotations

from cli.canvas import Piece, Row
from cli.table.board import Board
from cli.table.look import Seat
from cli.text import cut, wrap


def label(seat: Seat) -> str:
    """The name of a seat, and whose it is."""
    return cut(seat.name, 10 if seat.me or seat.bot else 16) + (" (you)" if seat.me else " (bot)" if seat.bot else "")


def log(board: Board, columns: int, height: int) -> list[Row]:
    """The lines of the log that have room, oldest first, up to the newest or to where the player has scrolled."""
    if height <= 0:
        return []
    lines, newer = board.read()
    rows: list[Row] = []
    if newer:
        rows.append([Piece("strong", cut(f" -- {newer} newer: PgDn --", columns), "key pagedown")])
    for line in reversed(lines):
        if len(rows) >= height:
            break
        for text in reversed(wrap(line.text, columns - 1)):
            rows.append([Piece(line.style, f" {text}")])
    return list(reversed(rows[:height]))


def result(board: Board, columns: int) -> list[Row]:
    """How the last hand, or the table, ended."""
    rows: list[Row] = [[]]
    for line in board.result:
        rows += [[Piece(line.style, f" {text}")] for text in wrap(line.text, columns - 2, "    ")]
    return rows
