"""The table drawn into rows of exactly the terminal's size; pure, so a golden file can hold a screen.

Two layouts: `full` from 72x22 on, `compact` from 40x15 on; below that one line says so (P12).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cli import draw_classic, draw_heroes
from cli.canvas import Piece, Row, filled, fit, row_width
from cli.draw_hand import hand_compact, hand_full
from cli.draw_help import help_page
from cli.draw_lists import inspected, options
from cli.draw_talk import BUTTONS as TALK_BUTTONS
from cli.draw_talk import talk_foot, talk_list
from cli.draw_text import label, log, result
from cli.language import N_, _
from cli.setup.draw import making_rows, pane_rows, seat_rows, setup_buttons, table_rows
from cli.table.board import Board
from cli.table.buttons import ALWAYS, CLOSE, INSPECT, PHRASE, TALK, Button, buttons
from cli.table.chooser import Chooser
from cli.table.key_words import NAMED
from cli.table.look import Asked, Look
from cli.table.talk import Pane
from cli.table.timer import WARNING
from cli.text import cut, pad, width, wrap
from cli.theme import Glyphs
from protocol.events import Phase

LEAST: Final = (40, 15)
FULL: Final = (72, 22)

ENDED: Final = N_("Enter or q: close")
CONNECTING: Final = N_("Waiting for the table to answer ... (q gives up)")
READING: Final = N_("The log: PgUp and PgDn, arrows, Home and End go through it")
READING_BUTTONS: Final = (Button("pageup", N_("older")), Button("pagedown", N_("newer")), CLOSE)
CLOSED: Final = (Button("enter", N_("close")), INSPECT, *ALWAYS[:2])
TOO_SMALL: Final = N_("too small: needs {least}, has {size}; Ctrl-C leaves")


@dataclass(frozen=True, slots=True)
class Screen:
    """What was drawn: the rows, and how many cards stand beside each other (for the keys up and down)."""

    rows: list[Row]
    columns: int = 10

    def at(self, character: int, row: int) -> str:
        """What a click on this character (not cell) of this row is for; "" for nothing."""
        before = 0
        for piece in self.rows[row] if row < len(self.rows) else ():
            before += len(piece.text)
            if character < before:
                return piece.click
        return ""


def draw(look: Look, board: Board, chooser: Chooser, columns: int, rows: int, glyphs: Glyphs) -> Screen:
    """The whole screen as `rows` rows of `columns` cells each."""
    if columns < 1 or rows < 1:
        return Screen([])
    if columns < LEAST[0] or rows < LEAST[1]:
        return Screen(too_small(columns, rows))
    full, setup = columns >= FULL[0] and rows >= FULL[1], board.setup
    top = [_title(look, board, columns, chooser.watching)]
    foot = _foot(look, board, chooser, columns, full)
    room = rows - len(top) - len(foot)
    if chooser.help:
        return Screen(stack(top, help_page(look, setup, chooser, columns, room, full), foot, columns, rows))
    if chooser.inspected >= 0:
        return Screen(stack(top, inspected(look, chooser, columns, room), foot, columns, rows))
    if board.scroll.open:
        return Screen(stack(top, log(board, columns, room), foot, columns, rows))
    if board.talk.pane in (Pane.PHRASES, Pane.MUTE):
        return Screen(stack(top, talk_list(board.talk, columns, room), foot, columns, rows))
    if setup.opened:
        return Screen(stack(top, pane_rows(setup, columns, room), foot, columns, rows))
    if not look.dealt and not board.result:
        return Screen(stack(top, gathering(look, board, columns, room), foot, columns, rows))
    if board.result and not full:
        return Screen(stack(top, result(board, columns, room), foot, columns, rows))
    hand, per_row = (hand_full if full else hand_compact)(look, chooser, columns, glyphs)
    if chooser.watching:  # no hand
        hand = hand[:1] if full else []
    height = room - len(hand)
    least = (len(look.seats) + 2 if look.heroes else 7) if full else 1
    asked = options(look, chooser, columns, height - least) if look.asked is Asked.CHOICE else []
    table = TABLES[look.heroes, full](look, board, columns, height - len(asked), glyphs)
    body = last_rows(table, height - len(asked)) + asked
    return Screen(stack(top, body, hand + foot, columns, rows), per_row)


TABLES: Final = {
    (False, False): draw_classic.table_compact,
    (False, True): draw_classic.table_full,
    (True, False): draw_heroes.table_compact,
    (True, True): draw_heroes.table_full,
}
"""The table by whether there are heroes and whether the layout is the full one."""


def too_small(columns: int, rows: int) -> list[Row]:
    """That this terminal has no room for a table."""
    needs = _(TOO_SMALL).format(least=f"{LEAST[0]}x{LEAST[1]}", size=f"{columns}x{rows}")
    text = wrap(needs, columns, "")
    return [filled("", text[y] if y < len(text) else "", columns) for y in range(rows)]


def last_rows(rows: list[Row], height: int) -> list[Row]:
    """Exactly so many rows: the last ones (piles and log) stay where not all have room."""
    return rows[-height:] + [[]] * (height - len(rows)) if height > 0 else []


def stack(top: list[Row], body: list[Row], foot: list[Row], columns: int, rows: int) -> list[Row]:
    """Top and foot in their places, the body cut or filled between them."""
    height = max(0, rows - len(top) - len(foot))
    body = body[:height] + [[]] * (height - len(body))
    return [fit(row, columns) for row in (top + body + foot)[:rows]]


def _title(look: Look, board: Board, columns: int, watching: bool) -> Row:
    left = " p2puno" if columns >= FULL[0] else ""
    left += f" {_('WATCHING')}" if watching else ""
    if look.variant and columns < FULL[0]:
        left += f" {look.variant.removeprefix('UNO: ')}"
    elif look.variant:
        left += f"  {look.variant}"
    right = _status(look, board) + " "
    room = max(8, columns - width(right) - 1)
    hand = "  " + _("hand {n}").format(n=look.hand_number) if look.hand_number else ""
    left = left + hand if width(left + hand) <= room else cut(left, room)  # half a number tells nothing
    mine = look.asked is not Asked.NOTHING and not board.ended
    hurry = mine and 0 <= look.left <= WARNING
    right = pad(right, columns - width(pad(left, columns - width(right))))
    return [Piece("title", pad(left, columns - width(right))), Piece("alarm" if hurry else "title", right)]


def _status(look: Look, board: Board) -> str:
    if board.ended:
        return _("the table is closed")
    left = f" {look.left // 60}:{look.left % 60:02}" if look.left >= 0 else ""
    if look.asked in (Asked.TURN, Asked.DRAWN):
        return _("YOUR TURN") + left
    if look.asked is not Asked.NOTHING:
        return _("YOUR ANSWER") + left
    for seat in look.seats:
        if seat.turn and look.dealt:
            return (_("your turn") if seat.me else _("{who}'s turn").format(who=seat.name)) + left
    return _({Phase.LOBBY: N_("before the start"), Phase.HAND_OVER: N_("hand over")}.get(board.phase, N_("setting up")))


# -- the foot: a note, what Enter will do, the keys


def _foot(look: Look, board: Board, chooser: Chooser, columns: int, full: bool) -> list[Row]:
    if board.talk.pane is not None:
        return [*talk_foot(board.talk, look, chooser.note, columns), key_row(TALK_BUTTONS[board.talk.pane], columns)]
    if board.scroll.open:
        preview = _(READING)
    elif (chooser.help or chooser.inspected >= 0) and chooser.question is None:
        preview = chooser.preview(look)
    elif board.ended and chooser.question is None:
        preview = _(ENDED)
    elif board.setup.gathering and chooser.question is None:
        preview = board.setup.preview()
    elif not look.dealt and chooser.question is None:
        preview = board.progress or (_(CONNECTING) if board.phase is Phase.LOBBY else _("one moment"))
    else:
        preview = chooser.preview(look)
    note = chooser.note or board.setup.note
    urgent = look.asked in (Asked.CALL, Asked.CATCH) and chooser.question is None and not chooser.sent
    lines = wrap(preview, columns - 2, "")[: 1 if full and note else 2] or [""]
    click = "key enter" if preview.startswith(NAMED["enter"]) else ""
    rows: list[Row] = [[Piece("alarm" if urgent else "preview", pad(f" {line}", columns), click)] for line in lines]
    if full and len(rows) < 2:
        rows.insert(0, filled("error", f" {note}", columns))
    elif note and not full:
        rows = [filled("error", f" {cut(note, columns - 2)}", columns), rows[0]]
    reads = chooser.help > 0 or chooser.inspected >= 0
    seats = board.setup.gathering and chooser.question is None and not reads
    now = buttons(look, chooser)
    if board.scroll.open:
        now = READING_BUTTONS
    elif board.ended and not reads:
        now = CLOSED
    if seats and now not in (READING_BUTTONS, CLOSED):
        now = setup_buttons(board.setup)
    talk = PHRASE if board.talk.mode == "phrases" else TALK
    if board.talk.offered and now[-1] == ALWAYS[-1] and not board.ended and all(talk.key != b.key for b in now):
        now = (*now[: -len(ALWAYS)], talk, *ALWAYS)
    return [*rows, key_row(now, columns)]


def key_row(shown: Sequence[Button], columns: int) -> Row:
    """The buttons in a row; where they have no room, those that are always there without a word, then all."""
    for level in range(3):
        row: Row = []
        for button in shown:
            worded = level == 0 or (level == 1 and (not button.always or button.key == "?"))
            name = NAMED.get(button.key, button.key)
            text = f"{name} {_(button.label)}" if worded else name
            row += [Piece("", "  " if row and level < 2 else " "), Piece("dim", text, f"key {button.key}")]
        if row_width(row) < columns:
            break
    return row


def gathering(look: Look, board: Board, columns: int, height: int) -> list[Row]:
    """Before the cards: who sits where, or what is being made; then what is played, how others join, and the log."""
    setup = board.setup
    if setup.gathering:
        rows = [[], *seat_rows(setup, columns), *table_rows(setup, columns)]
    elif setup.making.begun:
        rows = [[], *making_rows(setup, board.narrator.names, columns)]
    else:  # a replay knows the seats alone
        seats = (f"   {pad(label(seat), 22)}{seat.hero}".rstrip() for seat in look.seats)
        rows = [[], *([Piece("", cut(text, columns))] for text in seats)]
    rest = height - len(rows) - 1
    return [*rows, [], *log(board, columns - 1, rest)] if rest > 0 else rows
