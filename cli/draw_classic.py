"""The table of a classic game, drawn: seats, piles, the colour in force."""

from __future__ import annotations

from cli.canvas import Piece, Row, beside, filled, row_width
from cli.draw_hand import TOP, big, box
from cli.draw_text import label, log, result
from cli.table.board import Board
from cli.table.cards import COLOUR_NAMES
from cli.table.look import Look
from cli.text import cut, pad, width
from cli.theme import Glyphs, colour_style

LEFT, MIDDLE = 34, 17


def table_full(look: Look, board: Board, columns: int, height: int, glyphs: Glyphs) -> list[Row]:
    """Seats, piles and the log beside each other; how the hand ended in place of the piles."""
    left, middle, right = LEFT, MIDDLE, columns - LEFT - MIDDLE
    if board.result:
        wide = columns - left
        return beside(((_seats(look, left, glyphs), left), (result(board, wide, height), wide)), height)
    seats, piles = _seats(look, left, glyphs), _piles(look, height, glyphs)
    return beside(((seats, left), (piles, middle), (log(board, right, height), right)), height)


def _seats(look: Look, columns: int, glyphs: Glyphs) -> list[Row]:
    scored = any(seat.score for seat in look.seats)
    names = columns - 15
    rows: list[Row] = [[Piece("dim", pad("   player", names) + "cards" + ("       pts" if scored else ""))]]
    for seat in look.seats:
        mark = glyphs.turn if seat.turn else " "
        style = "turn" if seat.turn else "mine" if seat.me else "" if seat.here else "away"
        number = "out" if seat.out else str(seat.cards)
        # "UNO" stands for one card called, "UNO?" for one that was not: a catch is open.
        call = " UNO?" if seat.exposed else " UNO" if seat.called else " off" if not seat.here else ""
        row = [Piece(style, f" {mark} {pad(label(seat), names - 3)} {number:>3}")]
        row += filled("alarm" if seat.exposed else "good" if seat.called else "away", call, 6)
        rows.append([*row, Piece("", f"{seat.score:>4}" if scored else "")])
    arrow = f"{glyphs.down} down" if look.direction > 0 else f"{glyphs.up} up"
    rows.append([Piece("dim", f"   play goes {arrow} the list")])
    return rows


def _piles(look: Look, height: int, glyphs: Glyphs) -> list[Row]:
    back = box(glyphs, "dim", f"{look.draw_pile:^5}", " draw", "     ")
    front = box(glyphs, "dim", "     ", "     ", "     ") if look.top is None else big(look.top, glyphs, TOP)
    rows: list[Row] = [[Piece("dim", " pile     top")]]
    rows += [[Piece("", " "), *a, Piece("", " "), *b] for a, b in zip(back, front, strict=True)]
    if not 0 <= look.colour < 4:
        return rows
    name = COLOUR_NAMES[look.colour].upper()
    style = colour_style(look.colour, ground=True)
    if height < 10:  # a list of choices takes the room
        rows[0] = [Piece("", " "), Piece(style, f"{name[0]}   {name}".center(16))]
    else:
        rows.append([])
        for text in ("", f"{name[0]}   {name}", ""):
            rows.append([Piece("", " "), Piece(style, f"{text:^16}")])
    return rows


def table_compact(look: Look, board: Board, columns: int, height: int, glyphs: Glyphs) -> list[Row]:
    """Seats in short pieces, the piles in a line, then the log."""
    rows = _seats_compact(look, columns, glyphs)
    state: Row = [Piece("", f" pile {look.draw_pile}  top ")]
    if look.top is not None:
        state.append(Piece(colour_style(look.top.colour, ground=True), f" {look.top.text} ", TOP))
    if 0 <= look.colour < 4:
        name = COLOUR_NAMES[look.colour].upper()
        state += [Piece("", "  "), Piece(colour_style(look.colour, ground=True), f" {name} ")]
    rows.append(state)
    rest = height - len(rows)
    if board.result:
        return rows + result(board, columns, rest)
    return rows + log(board, columns, rest)


def _seats_compact(look: Look, columns: int, glyphs: Glyphs) -> list[Row]:
    """The seats as short pieces in the order of play, as many in a row as fit."""
    rows: list[Row] = [[]]
    for seat in look.seats:
        name = "you" if seat.me else cut(seat.name, 8)
        call = "?!" if seat.exposed else "!" if seat.called else ""
        text = f" {glyphs.turn if seat.turn else ' '}{name} {'out' if seat.out else seat.cards}{call}"
        style = "alarm" if seat.exposed else "turn" if seat.turn else "mine" if seat.me else "" if seat.here else "away"
        if row_width(rows[-1]) + width(text) > columns - 4:
            rows.append([])
        rows[-1].append(Piece(style, text))
    rows[-1].append(Piece("dim", " >>" if look.direction > 0 else " <<"))
    return rows
