"""A frame drawn into rows of exactly the terminal's size, by the painters of the live table."""

from __future__ import annotations

from typing import Final

from cli.canvas import Piece, Row, filled
from cli.draw import FULL, LEAST, TABLES, TOO_SMALL, last_rows, lobby, stack
from cli.draw_hand import hand_compact, hand_full
from cli.draw_lists import inspected
from cli.replay.viewer import Typing, Viewer
from cli.text import cut, pad, width, wrap
from cli.theme import Glyphs

KEYS_FULL: Final = "arrows step and turn  t jump  / search  s cards  i card  ? help  q close"
KEYS_COMPACT: Final = "arrows  t turn  / search  ? help  q"
HELP: Final = (
    "right, Space, Enter      one step on",
    "left, Backspace          one step back",
    "down, PageDown           to the next turn",
    "up, PageUp               to the beginning of the turn, then the one before",
    "Home, End                the beginning, the end",
    "t or a number, Enter     to that turn",
    "/                        search: a player, seat 2, a card (R7, W4), a word",
    "n  p                     the next one, the one before",
    "s                        the cards of a player, as far as all have seen them",
    "i                        what a card says: the top card, Enemies, Items, powers",
    "Ctrl-L                   draw the screen anew",
    "q, Esc                   close",
    "",
    "This is a replay: nothing can be played here. Cards that only their player",
    "has seen are not in a journal.",
)
HELP_COMPACT: Final = (
    "left right      a step",
    "up down         a turn",
    "Home End        beginning, end",
    "t 12 Enter      turn 12",
    "/ n p           search, next, before",
    "s               cards all have seen",
    "i               what a card says",
    "Ctrl-L          draw anew",
    "q               close",
)


def draw(viewer: Viewer, columns: int, rows: int, glyphs: Glyphs) -> list[Row]:
    """The whole screen as `rows` rows of `columns` cells each."""
    if columns < 1 or rows < 1:
        return []
    if columns < LEAST[0] or rows < LEAST[1]:
        text = wrap(TOO_SMALL.format(*LEAST, columns, rows), columns, "")
        return [filled("", text[y] if y < len(text) else "", columns) for y in range(rows)]
    full = columns >= FULL[0] and rows >= FULL[1]
    look, board = viewer.look(), viewer.board()
    top = [_title(viewer, columns, full)]
    foot = _foot(viewer, columns, full)
    room = rows - len(top) - len(foot)
    if viewer.help:
        lines = HELP if full else HELP_COMPACT
        body: list[Row] = [[], *([Piece("", f" {cut(line, columns - 2)}")] for line in lines)]
        return stack(top, body, foot, columns, rows)
    if viewer.cards.inspected >= 0:
        return stack(top, inspected(viewer.frame.look, viewer.cards, columns, room), foot, columns, rows)
    if not look.dealt and not board.result:
        return stack(top, lobby(look, board, columns, room), foot, columns, rows)
    hand: list[Row] = []
    if viewer.seat >= 0:
        hand, _ = (hand_full if full else hand_compact)(look, viewer.cards, columns, glyphs)
    else:
        hand = [[Piece("rule", glyphs.line * columns)]] if full else []
    height = room - len(hand)
    table = TABLES[look.heroes, full](look, board, columns, height, glyphs)
    return stack(top, last_rows(table, height), hand + foot, columns, rows)


def _title(viewer: Viewer, columns: int, full: bool) -> Row:
    look = viewer.frame.look
    name = look.variant if full else look.variant.removeprefix("UNO: ")
    left = f"{' p2puno' if full else ''} REPLAY  {name}"
    if viewer.frame.hand:
        left += f"  hand {viewer.frame.hand}"
    right = f"turn {viewer.frame.turn}/{viewer.film.turns} "
    left = cut(left, max(8, columns - width(right) - 1))
    return [Piece("title", pad(pad(left, columns - width(right)) + right, columns))]


def _foot(viewer: Viewer, columns: int, full: bool) -> list[Row]:
    typing = viewer.typing is not Typing.NOTHING
    said = viewer.cards.preview(viewer.frame.look) if viewer.cards.inspected >= 0 else viewer.prompt()
    style = "preview" if typing or viewer.cards.inspected >= 0 else "error"
    keys = KEYS_FULL if full else KEYS_COMPACT
    where = "   ".join(viewer.where()[0 if full else 1 :])  # the title has the turn, too
    return [
        filled(style, f" {cut(said, columns - 2)}", columns),
        filled("strong", f" {cut(where, columns - 2)}", columns),
        filled("dim", f" {cut(keys, columns - 2)}", columns),
    ]
