"""A frame drawn into rows of exactly the terminal's size, by the painters of the live table."""

from __future__ import annotations

from typing import Final

from cli.canvas import Piece, Row, filled
from cli.draw import FULL, LEAST, TABLES, gathering, last_rows, stack, too_small
from cli.draw_hand import hand_compact, hand_full
from cli.draw_lists import inspected
from cli.language import N_, _
from cli.replay.viewer import Typing, Viewer
from cli.text import cut, pad, width
from cli.theme import Glyphs

KEYS_FULL: Final = N_("arrows step and turn  t jump  / search  s cards  i card  ? help  q close")
KEYS_COMPACT: Final = N_("arrows  t turn  / search  ? help  q")
HELP: Final = (
    N_("right, Space, Enter      one step on"),
    N_("left, Backspace          one step back"),
    N_("down, PageDown           to the next turn"),
    N_("up, PageUp               to the beginning of the turn, then the one before"),
    N_("Home, End                the beginning, the end"),
    N_("t or a number, Enter     to that turn"),
    N_("/                        search: a player, seat 2, a card (R7, W4), a word"),
    N_("n  p                     the next one, the one before"),
    N_("s                        the cards of a player, as far as all have seen them"),
    N_("i                        what a card says: top card, Enemies, Items, powers"),
    N_("Ctrl-L                   draw the screen anew"),
    N_("q, Esc                   close"),
    "",
    N_("This is a replay: nothing can be played here. Cards that only their player"),
    N_("has seen are not in a journal."),
)
HELP_COMPACT: Final = (
    N_("left right      a step"),
    N_("up down         a turn"),
    N_("Home End        beginning, end"),
    N_("t 12 Enter      turn 12"),
    N_("/ n p           search, next, before"),
    N_("s               cards all have seen"),
    N_("i               what a card says"),
    N_("Ctrl-L          draw anew"),
    N_("q               close"),
)


def draw(viewer: Viewer, columns: int, rows: int, glyphs: Glyphs) -> list[Row]:
    """The whole screen as `rows` rows of `columns` cells each."""
    if columns < 1 or rows < 1:
        return []
    if columns < LEAST[0] or rows < LEAST[1]:
        return too_small(columns, rows)
    full = columns >= FULL[0] and rows >= FULL[1]
    look, board = viewer.look(), viewer.board()
    top = [_title(viewer, columns, full)]
    foot = _foot(viewer, columns, full)
    room = rows - len(top) - len(foot)
    if viewer.help:
        lines = HELP if full else HELP_COMPACT
        body: list[Row] = [[], *([Piece("", f" {cut(_(line), columns - 2)}")] for line in lines)]
        return stack(top, body, foot, columns, rows)
    if viewer.cards.inspected >= 0:
        return stack(top, inspected(viewer.frame.look, viewer.cards, columns, room), foot, columns, rows)
    if not look.dealt and not board.result:
        return stack(top, gathering(look, board, columns, room), foot, columns, rows)
    hand: list[Row] = []
    if viewer.seat >= 0:
        hand = (hand_full if full else hand_compact)(look, viewer.cards, columns, glyphs)[0]
    else:
        hand = [[Piece("rule", glyphs.line * columns)]] if full else []
    height = room - len(hand)
    table = TABLES[look.heroes, full](look, board, columns, height, glyphs)
    return stack(top, last_rows(table, height), hand + foot, columns, rows)


def _title(viewer: Viewer, columns: int, full: bool) -> Row:
    look = viewer.frame.look
    name = look.variant if full else look.variant.removeprefix("UNO: ")
    left = f"{' p2puno' if full else ''} {_('REPLAY')}  {name}"
    if viewer.frame.hand:
        left += "  " + _("hand {n}").format(n=viewer.frame.hand)
    right = _("turn {n}/{turns}").format(n=viewer.frame.turn, turns=viewer.film.turns) + " "
    left = cut(left, max(8, columns - width(right) - 1))
    return [Piece("title", pad(pad(left, columns - width(right)) + right, columns))]


def _foot(viewer: Viewer, columns: int, full: bool) -> list[Row]:
    typing = viewer.typing is not Typing.NOTHING
    said = viewer.cards.preview(viewer.frame.look) if viewer.cards.inspected >= 0 else viewer.prompt()
    style = "preview" if typing or viewer.cards.inspected >= 0 else "error"
    keys = _(KEYS_FULL if full else KEYS_COMPACT)
    if viewer.help:
        keys = _("any key: back")
    elif viewer.cards.inspected >= 0:
        keys = _("< back  > next  Esc close")
    where = "   ".join(viewer.where()[0 if full else 1 :])  # the title has the turn, too
    return [
        filled(style, f" {cut(said, columns - 2)}", columns),
        filled("strong", f" {cut(where, columns - 2)}", columns),
        filled("dim", f" {cut(keys, columns - 2)}", columns),
    ]
