"""The own hand and single cards, drawn."""

from __future__ import annotations

from typing import Final

from cli.canvas import Piece, Row, fit
from cli.language import _
from cli.table.cards import Card
from cli.table.chooser import Chooser
from cli.table.look import Held, Look
from cli.table.motion import FRAMES
from cli.text import cut, pad, width
from cli.theme import Glyphs, colour_style
from p2puno.card import LETTERS

TOP: Final = "page top"
"""What a click on the top card is for."""


def box(glyphs: Glyphs, style: str, *lines: str, click: str = "") -> list[Row]:
    """A card of 7x5 cells."""
    a, b, c, d = glyphs.corners
    edge = glyphs.line * 5
    inner = [glyphs.bar + line + glyphs.bar for line in lines]
    return [[Piece(style, text, click)] for text in (a + edge + b, *inner, c + edge + d)]


def big(card: Card, style: str, glyphs: Glyphs, click: str = "") -> list[Row]:
    """A card as it lies on the pile."""
    letter = card.text[0]
    mark = cut(card.mark, 5)
    lines = (f"{letter:<5}", f"{mark:^5}", f"{letter:>5}")
    return box(glyphs, style, *lines, click=click)


def top_style(look: Look) -> str:
    """How the top card is written: in its colour, once it has landed."""
    if look.top is None:
        return "dim"
    if 2 * look.moving.landing > FRAMES:
        return "moving"
    return colour_style(look.top.colour, ground=not look.moving.landing)


def piles(look: Look, glyphs: Glyphs) -> list[Row]:
    """The draw pile and the top card in five rows, the colour in force in one or more; 17 cells wide."""
    back = box(glyphs, "dim", f"{look.draw_pile:^5}", f"{cut(_('draw'), 5):>5}", "     ")
    front = (
        box(glyphs, "dim", "     ", "     ", "     ")
        if look.top is None
        else big(look.top, top_style(look), glyphs, TOP)
    )
    rows: list[Row] = [[Piece("", " "), *a, Piece("", " "), *b] for a, b in zip(back, front, strict=True)]
    if not 0 <= look.colour < 4:
        return rows
    for text in ("", f"{LETTERS[look.colour]}   {look.colour_name.upper()}", ""):
        rows.append([Piece("", " "), Piece(colour_style(look.colour, ground=True), f"{text:^16}")])
    return rows


def hand_full(look: Look, chooser: Chooser, columns: int, glyphs: Glyphs) -> tuple[list[Row], int]:
    """The hand in six rows: cards with frames while they have room, else small ones in rows."""
    rule = [Piece("rule", glyphs.line * columns)]
    per_row = (columns - 1) // 6
    if len(look.hand) > per_row:
        rows, across = _chips(look, chooser, columns, 6, glyphs)
        return [rule, *rows], across
    top, upper, lower, bottom, number, mark = ([Piece("", " ")] for _ in range(6))
    a, b, c, d = glyphs.corners
    for i, held in enumerate(look.hand):
        style = colour_style(held.card.colour, ground=i == chooser.cursor)
        letter, symbol = held.card.text[0], cut(held.card.mark, 3)
        for row, text in (
            (top, a + glyphs.line * 3 + b),
            (upper, f"{glyphs.bar}{letter:<3}{glyphs.bar}"),
            (lower, f"{glyphs.bar}{symbol:>3}{glyphs.bar}"),
            (bottom, c + glyphs.line * 3 + d),
        ):
            row += [Piece(style, text, f"card {i}"), Piece("", " ")]
        name, chosen = str((i + 1) % 10) if i < 10 else " ", i == chooser.cursor
        number.append(Piece("strong" if chosen else "dim", f"{f'[{name}]' if chosen else name:^6}"))
        mark.append(Piece("good", f"{cut(_marks(held), 6):^6}"))
    return [rule, top, upper, lower, bottom, number, mark], per_row


def _marks(held: Held) -> str:
    """What is known about a card of the hand, in letters: fits, was just drawn."""
    if held.drawn:
        return _("new ok") if held.playable else _("drawn")
    return _("ok") if held.playable else ""


def _chips(look: Look, chooser: Chooser, columns: int, height: int, glyphs: Glyphs) -> tuple[list[Row], int]:
    """Small cards in rows; where they do not fit into `height` rows, the ones around the cursor."""
    cell = max(6, *(width(held.card.text) + 3 for held in look.hand)) if look.hand else 6
    across = max(1, (columns - 1) // cell)
    rows: list[Row] = []
    for start in range(0, len(look.hand), across):
        row: Row = [Piece("", " ")]
        for i, held in enumerate(look.hand[start : start + across], start):
            chosen = i == chooser.cursor
            text = f"[{held.card.text}]" if chosen else f" {held.card.text} "
            row.append(Piece(colour_style(held.card.colour, ground=chosen), text, f"card {i}"))
            row.append(Piece("good", pad(glyphs.mark if held.playable else "", cell - width(text))))
        rows.append(row)
    first = min(max(0, chooser.cursor // across - height // 2), max(0, len(rows) - height))
    shown = rows[first : first + height]
    if len(rows) > height:
        hidden = len(rows) - height
        shown[-1] = [*fit(shown[-1], columns - 8), Piece("dim", cut(" " + _("+{n} rows").format(n=hidden), 8))]
    return shown, across


def hand_compact(look: Look, chooser: Chooser, columns: int, glyphs: Glyphs) -> tuple[list[Row], int]:
    rows, across = _chips(look, chooser, columns, 3, glyphs)
    return rows, across
