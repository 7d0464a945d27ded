"""The seats of a classic game around the piles, as players sit around a table; ours is in front."""

from __future__ import annotations

from typing import Final

from cli.canvas import Piece, Row, beside, filled, fit
from cli.draw_hand import piles
from cli.draw_text import drawn, label, seat_style
from cli.language import _
from cli.table.look import Look, Seat
from cli.text import pad
from cli.theme import Glyphs

SIDE: Final = 17
"""Cells of each of the three columns: seats, piles between seats, seats."""
ROUND: Final = 13
"""Rows of the whole: two of seats, eight of piles, one for the direction, two of seats."""

_PLACES: Final = {
    "T1": (0, 0), "T2": (1, 0), "T3": (2, 0),
    "L1": (0, 3), "R1": (2, 3),
    "L2": (0, 6), "R2": (2, 6),
    "B1": (0, 11), "B2": (1, 11), "B3": (2, 11),
}  # fmt: skip
"""Where somebody can sit: column and first row; B2 is in front."""
_TAKEN: Final = (
    "", "T2", "T1 T3", "L1 T2 R1", "L1 T1 T3 R1", "L1 T1 T2 T3 R1", "L2 L1 T1 T3 R1 R2", "L2 L1 T1 T2 T3 R1 R2",
    "B1 L2 L1 T1 T3 R1 R2 B3", "B1 L2 L1 T1 T2 T3 R1 R2 B3",
)  # fmt: skip
"""By the number of the others: their places, clockwise from the left of the one in front."""


def around(look: Look, glyphs: Glyphs) -> list[Row]:
    """Everybody's name, cards, call and points around the piles; which way play goes. 51 cells wide."""
    blocks: list[list[Row]] = [[[] for _ in range(ROUND)] for _ in range(3)]
    front = max(look.me, 0)
    others = [look.seats[(front + step) % len(look.seats)] for step in range(1, len(look.seats))]
    places = ["B2", *_TAKEN[len(others)].split()]
    scored = any(seat.score for seat in look.seats)
    for place, seat in zip(places, [*look.seats[front : front + 1], *others], strict=True):
        column, row = _PLACES[place]
        blocks[column][row : row + 2] = _seat(look, seat, scored, glyphs)
    middle = piles(look, glyphs)
    blocks[1][2 : 2 + len(middle)] = middle
    rows = beside([(block, SIDE) for block in blocks], ROUND)
    rows[10] = fit([Piece("", " " * (SIDE + 1)), Piece("dim", _way(look))], 3 * SIDE)
    return rows


def _way(look: Look) -> str:
    return f"{_('play goes clockwise')} >>" if look.direction > 0 else f"<< {_('play goes anticlockwise')}"


def _seat(look: Look, seat: Seat, scored: bool, glyphs: Glyphs) -> list[Row]:
    """A seat in two rows: whose it is; its cards, its call, its points."""
    # "UNO" stands for one card called, "UNO?" for one that was not: a catch is open.
    call = " UNO?" if seat.exposed else " UNO" if seat.called else "" if seat.here else f" {_('off')}"
    cards = str(seat.cards) if call or seat.cards == 1 else _("{n} cards").format(n=seat.cards)
    number = _("out") if seat.out else cards
    points = _("{n} p").format(n=seat.score) if scored else ""
    first = Piece(seat_style(look, seat), pad(f"{glyphs.turn if seat.turn else ' '}{label(seat)}", SIDE))
    state = f" {number}"
    free = SIDE - 1 - len(state) - len(call) - len(points)
    second = [Piece(first.style, state)]
    second += filled("alarm" if seat.exposed else "good" if seat.called else "away", call, len(call))
    return [[first], [*second, *drawn(look, seat, max(0, free)), Piece("", points)]]
