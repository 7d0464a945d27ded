"""The table of a classic game, drawn: seats, piles, the colour in force."""

from __future__ import annotations

from cli.canvas import Piece, Row, beside, filled, row_width
from cli.draw_hand import TOP, piles, top_style
from cli.draw_round import ROUND, around
from cli.draw_text import drawn, label, log, log_and_chat, result, seat_style
from cli.language import _
from cli.table.board import Board
from cli.table.look import Look
from cli.text import cut, pad, width
from cli.theme import Glyphs, colour_style

LEFT, MIDDLE = 34, 17
NAMED = 6
"""The row of the piles in which the colour in force is named."""


def table_full(look: Look, board: Board, columns: int, height: int, glyphs: Glyphs) -> list[Row]:
    """Seats around the piles, the log beside them. Where a list of choices takes the room, the seats stand as a list;
    how the hand ended stands in place of the piles."""
    left, middle, right = LEFT, MIDDLE, columns - LEFT - MIDDLE
    if board.result:
        wide = columns - left
        return beside(((_seats(look, left, glyphs), left), (result(board, wide, height), wide)), height)
    if height >= ROUND:
        return beside(((around(look, glyphs), left + middle), (log_and_chat(board, right, height), right)), height)
    seats, cards = _seats(look, left, glyphs), piles(look, glyphs)
    if height < len(cards) > NAMED:  # the colour in force before the frames of the cards
        cards = [cards[NAMED], *cards[:NAMED]]
    return beside(((seats, left), (cards, middle), (log_and_chat(board, right, height), right)), height)


def _seats(look: Look, columns: int, glyphs: Glyphs) -> list[Row]:
    scored = any(seat.score for seat in look.seats)
    names = columns - 15
    head = pad(f"   {_('player')}", names) + pad(_("cards"), 5) + (f"{cut(_('pts'), 9):>10}" if scored else "")
    rows: list[Row] = [[Piece("dim", head)]]
    for seat in look.seats:
        mark = glyphs.turn if seat.turn else " "
        number = cut(_("out"), 3) if seat.out else str(seat.cards)
        # "UNO" stands for one card called, "UNO?" for one that was not: a catch is open.
        call = " UNO?" if seat.exposed else " UNO" if seat.called else "" if seat.here else f" {_('off')}"
        row = [Piece(seat_style(look, seat), f" {mark} {pad(label(seat), names - 3)} {number:>3}")]
        style = "alarm" if seat.exposed else "good" if seat.called else "away"
        row += filled(style, call, 6) if call else drawn(look, seat, 6)
        rows.append([*row, Piece("", f"{seat.score:>4}" if scored else "")])
    way = _("play goes {arrow} down the list") if look.direction > 0 else _("play goes {arrow} up the list")
    arrow = glyphs.down if look.direction > 0 else glyphs.up
    rows.append([Piece("dim", f"   {way.format(arrow=arrow)}")])
    return rows


def table_compact(look: Look, board: Board, columns: int, height: int, glyphs: Glyphs) -> list[Row]:
    """Seats in short pieces, the piles in a line, then the log."""
    rows = _seats_compact(look, columns, glyphs)
    state: Row = [Piece("", f" {_('pile {n}  top').format(n=look.draw_pile)} ")]
    if look.top is not None:
        state.append(Piece(top_style(look), f" {look.top.text} ", TOP))
    if 0 <= look.colour < 4:
        named = f" {look.colour_name.upper()} "
        state += [Piece("", "  "), Piece(colour_style(look.colour, ground=True), named)]
    rows.append(state)
    rest = height - len(rows)
    if board.result:
        return rows + result(board, columns, rest)
    return rows + log(board, columns, rest)


def _seats_compact(look: Look, columns: int, glyphs: Glyphs) -> list[Row]:
    """The seats as short pieces in the order of play, as many in a row as fit."""
    rows: list[Row] = [[]]
    for seat in look.seats:
        name = _("you") if seat.me else cut(seat.name, 8)
        call = "?!" if seat.exposed else "!" if seat.called else ""
        text = f" {glyphs.turn if seat.turn else ' '}{name} {_('out') if seat.out else seat.cards}{call}"
        style = "alarm" if seat.exposed else "moving" if look.moving.count(seat.seat) else seat_style(look, seat)
        if row_width(rows[-1]) + width(text) > columns - 4:
            rows.append([])
        rows[-1].append(Piece(style, text))
    rows[-1].append(Piece("dim", " >>" if look.direction > 0 else " <<"))
    return rows
