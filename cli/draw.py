"""The table drawn into rows of exactly the terminal's size; pure, so a golden file can hold a screen.

Two layouts: `full` from 72x22 on, `compact` from 40x15 on; below that one line says so (P12).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cli.canvas import Piece, Row, beside, filled, fit, row_width
from cli.table.board import Board
from cli.table.cards import COLOUR_NAMES, Card
from cli.table.chooser import Chooser
from cli.table.look import Asked, Held, Look, Seat
from cli.text import cut, pad, width, wrap
from cli.theme import Glyphs, colour_style
from protocol.events import Phase

LEAST: Final = (40, 15)
FULL: Final = (72, 22)

KEYS_FULL: Final = "arrows choose  Enter play  d draw  k keep  u UNO  c catch  ? help  q leave"
KEYS_COMPACT: Final = "Enter d k u c  ? help  q leave"
KEYS_LOBBY: Final = "? help  q leave"
HELP: Final = (
    "left right, 1-9, click   choose a card",
    "Enter                    play it",
    "r y g b                  name the colour of a Wild",
    "d                        draw a card",
    "k                        keep the card just drawn",
    "u                        call UNO with the play that leaves",
    "                         one card; or at once if you forgot",
    "c  p                     catch who forgot UNO; pass",
    "c  a                     challenge a Wild Draw Four; accept",
    "Esc                      take back what is not played yet",
    "Ctrl-L                   draw the screen anew",
    "q                        leave the table",
)
HELP_COMPACT: Final = (
    "left right 1-9   choose a card",
    "Enter            play it",
    "r y g b          colour of a Wild",
    "d / k            draw / keep the card",
    "u                UNO: last but one card",
    "c / p            catch / pass",
    "c / a            challenge / accept",
    "Esc              take back",
    "Ctrl-L           draw anew",
    "q                leave",
)
ENDED: Final = "Enter or q: close"
TOO_SMALL: Final = "too small: needs {0}x{1}, has {2}x{3}"


@dataclass(frozen=True, slots=True)
class Screen:
    """What was drawn: the rows, and how many cards stand beside each other (for the keys up and down)."""

    rows: list[Row]
    columns: int = 10


def draw(look: Look, board: Board, chooser: Chooser, columns: int, rows: int, glyphs: Glyphs) -> Screen:
    """The whole screen as `rows` rows of `columns` cells each."""
    if columns < 1 or rows < 1:
        return Screen([])
    if columns < LEAST[0] or rows < LEAST[1]:
        text = wrap(TOO_SMALL.format(*LEAST, columns, rows), columns, "")
        return Screen([filled("", text[y] if y < len(text) else "", columns) for y in range(rows)])
    full = columns >= FULL[0] and rows >= FULL[1]
    top = [_title(look, board, columns)]
    foot = _foot(look, board, chooser, columns, full)
    if chooser.help:
        body = _help(columns, rows - len(top) - len(foot), full)
        return Screen(_stack(top, body, foot, columns, rows))
    if not look.dealt and not board.result:
        body = _lobby(look, board, columns, rows - len(top) - len(foot))
        return Screen(_stack(top, body, foot, columns, rows))
    hand, per_row = (_hand_full if full else _hand_compact)(look, chooser, columns, glyphs)
    height = rows - len(top) - len(foot) - len(hand)
    body = (_table_full if full else _table_compact)(look, board, columns, height, glyphs)
    return Screen(_stack(top, body, hand + foot, columns, rows), per_row)


def _stack(top: list[Row], body: list[Row], foot: list[Row], columns: int, rows: int) -> list[Row]:
    """Top and foot in their places, the body cut or filled between them."""
    height = max(0, rows - len(top) - len(foot))
    body = body[:height] + [[]] * (height - len(body))
    return [fit(row, columns) for row in (top + body + foot)[:rows]]


def _title(look: Look, board: Board, columns: int) -> Row:
    left = " p2puno" if columns >= FULL[0] else ""
    if look.variant and columns < FULL[0]:
        left += f" {look.variant.removeprefix('UNO: ')}"
    elif look.variant:
        left += f"  {look.variant}"
    if look.hand_number:
        left += f"  hand {look.hand_number}"
    right = _status(look, board) + " "
    left = cut(left, max(8, columns - width(right) - 1))
    return [Piece("title", pad(pad(left, columns - width(right)) + right, columns))]


def _status(look: Look, board: Board) -> str:
    if board.ended:
        return "the table is closed"
    if look.asked in (Asked.TURN, Asked.DRAWN):
        return "YOUR TURN"
    if look.asked is not Asked.NOTHING:
        return "YOUR ANSWER"
    for seat in look.seats:
        if seat.turn and look.dealt:
            return "your turn" if seat.me else f"{seat.name}'s turn"
    return {Phase.LOBBY: "lobby", Phase.HAND_OVER: "hand over"}.get(board.phase, "setting up")


# -- the foot: a note, what Enter will do, the keys


def _foot(look: Look, board: Board, chooser: Chooser, columns: int, full: bool) -> list[Row]:
    keys = (KEYS_FULL if full else KEYS_COMPACT) if look.dealt else KEYS_LOBBY
    if board.ended and chooser.question is None:
        preview = ENDED
    elif not look.dealt and chooser.question is None:
        preview = board.progress or ("" if board.phase is Phase.LOBBY else "one moment")
    else:
        preview = chooser.preview(look)
    urgent = look.asked in (Asked.CALL, Asked.CATCH) and chooser.question is None and not chooser.sent
    lines = wrap(preview, columns - 2, "")[: 1 if full else 2] or [""]
    rows = [filled("alarm" if urgent else "preview", f" {line}", columns) for line in lines]
    if full:
        rows.insert(0, filled("error", f" {chooser.note}", columns))
    elif chooser.note:
        rows = [filled("error", f" {cut(chooser.note, columns - 2)}", columns), rows[0]]
    return [*rows, filled("dim", "" if board.ended else f" {keys}", columns)]


def _help(columns: int, height: int, full: bool) -> list[Row]:
    lines = HELP if full else HELP_COMPACT
    return [[], *([Piece("", f" {cut(line, columns - 2)}")] for line in lines[: max(0, height - 1)])]


def _lobby(look: Look, board: Board, columns: int, height: int) -> list[Row]:
    """Before the cards: who is here, how others join, what is being made."""
    rows: list[Row] = [[]]
    if board.phase is Phase.LOBBY and board.wanted:
        rows.append([Piece("strong", f" {len(look.seats)} of {board.wanted} seats taken")])
    for seat in look.seats:
        rows.append([Piece("mine" if seat.me else "", f"   {_label(seat)}")])
    if board.phase is Phase.LOBBY and board.addresses:
        rows += [[], [Piece("", " others join with one of")]]
        rows += [[Piece("strong", f"   p2puno join {address}")] for address in board.addresses]
    rest = height - len(rows) - 1
    return [*rows, [], *_log(board, columns - 1, rest)] if rest > 0 else rows


def _label(seat: Seat) -> str:
    return cut(seat.name, 10 if seat.me or seat.bot else 16) + (" (you)" if seat.me else " (bot)" if seat.bot else "")


def _log(board: Board, columns: int, height: int) -> list[Row]:
    """The newest lines of the log that have room, oldest first."""
    rows: list[Row] = []
    for line in reversed(board.log):
        if len(rows) >= height:
            break
        for text in reversed(wrap(line.text, columns - 1)):
            rows.append([Piece(line.style, f" {text}")])
    return list(reversed(rows[:height])) if height > 0 else []


# -- the full layout


def _table_full(look: Look, board: Board, columns: int, height: int, glyphs: Glyphs) -> list[Row]:
    left, middle = 34, 17
    right = columns - left - middle
    if board.result:
        wide = columns - left
        return beside(((_seats(look, left, glyphs), left), (_result(board, wide), wide)), height)
    blocks = ((_seats(look, left, glyphs), left), (_piles(look, glyphs), middle), (_log(board, right, height), right))
    return beside(blocks, height)


def _result(board: Board, columns: int) -> list[Row]:
    rows: list[Row] = [[]]
    for line in board.result:
        rows += [[Piece(line.style, f" {text}")] for text in wrap(line.text, columns - 2, "    ")]
    return rows


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
        row = [Piece(style, f" {mark} {pad(_label(seat), names - 3)} {number:>3}")]
        row += filled("alarm" if seat.exposed else "good" if seat.called else "away", call, 6)
        rows.append([*row, Piece("", f"{seat.score:>4}" if scored else "")])
    arrow = f"{glyphs.down} down" if look.direction > 0 else f"{glyphs.up} up"
    rows.append([Piece("dim", f"   play goes {arrow} the list")])
    return rows


def _piles(look: Look, glyphs: Glyphs) -> list[Row]:
    back = _box(glyphs, "dim", f"{look.draw_pile:^5}", " draw", "     ")
    front = _box(glyphs, "dim", "     ", "     ", "     ") if look.top is None else _big(look.top, glyphs)
    rows: list[Row] = [[Piece("dim", " pile     top")]]
    rows += [[Piece("", " "), *a, Piece("", " "), *b] for a, b in zip(back, front, strict=True)]
    rows.append([])
    if 0 <= look.colour < 4:
        name = COLOUR_NAMES[look.colour].upper()
        style = colour_style(look.colour, ground=True)
        for text in ("", f"{name[0]}   {name}", ""):
            rows.append([Piece("", " "), Piece(style, f"{text:^16}")])
    return rows


def _box(glyphs: Glyphs, style: str, *lines: str) -> list[Row]:
    """A card of 7x5 cells."""
    a, b, c, d = glyphs.corners
    edge = glyphs.line * 5
    inner = [[Piece(style, glyphs.bar + line + glyphs.bar)] for line in lines]
    return [[Piece(style, a + edge + b)], *inner, [Piece(style, c + edge + d)]]


def _big(card: Card, glyphs: Glyphs) -> list[Row]:
    letter = card.text[0]
    mark = card.mark
    return _box(glyphs, colour_style(card.colour, ground=True), f"{letter:<5}", f"{mark:^5}", f"{letter:>5}")


def _hand_full(look: Look, chooser: Chooser, columns: int, glyphs: Glyphs) -> tuple[list[Row], int]:
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
        letter, symbol = (held.card.text[0], held.card.mark) if not held.card.wild else ("W", held.card.mark)
        for row, text in (
            (top, a + glyphs.line * 3 + b),
            (upper, f"{glyphs.bar}{letter:<3}{glyphs.bar}"),
            (lower, f"{glyphs.bar}{symbol:>3}{glyphs.bar}"),
            (bottom, c + glyphs.line * 3 + d),
        ):
            row += [Piece(style, text, i), Piece("", " ")]
        name, chosen = str((i + 1) % 10) if i < 10 else " ", i == chooser.cursor
        number.append(Piece("strong" if chosen else "dim", f"{f'[{name}]' if chosen else name:^6}"))
        mark.append(Piece("good", f"{_marks(held):^6}"))
    return [rule, top, upper, lower, bottom, number, mark], per_row


def _marks(held: Held) -> str:
    """What is known about a card of the hand, in letters: fits, was just drawn."""
    if held.drawn:
        return "drawn" if not held.playable else "new ok"
    return "ok" if held.playable else ""


def _chips(look: Look, chooser: Chooser, columns: int, height: int, glyphs: Glyphs) -> tuple[list[Row], int]:
    """Small cards in rows; where they do not fit into `height` rows, the ones around the cursor."""
    across = max(1, (columns - 1) // 6)
    rows: list[Row] = []
    for start in range(0, len(look.hand), across):
        row: Row = [Piece("", " ")]
        for i, held in enumerate(look.hand[start : start + across], start):
            chosen = i == chooser.cursor
            text = f"[{held.card.text}]" if chosen else f" {held.card.text} "
            row.append(Piece(colour_style(held.card.colour, ground=chosen), text, i))
            row.append(Piece("good", pad(glyphs.mark if held.playable else "", 6 - width(text))))
        rows.append(row)
    first = min(max(0, chooser.cursor // across - height // 2), max(0, len(rows) - height))
    shown = rows[first : first + height]
    if len(rows) > height:
        hidden = len(rows) - height
        shown[-1] = [*fit(shown[-1], columns - 8), Piece("dim", f" +{hidden} rows"[:8])]
    return shown, across


# -- the compact layout


def _hand_compact(look: Look, chooser: Chooser, columns: int, glyphs: Glyphs) -> tuple[list[Row], int]:
    rows, across = _chips(look, chooser, columns, 3, glyphs)
    return rows, across


def _table_compact(look: Look, board: Board, columns: int, height: int, glyphs: Glyphs) -> list[Row]:
    rows = _seats_compact(look, columns, glyphs)
    state: Row = [Piece("", f" pile {look.draw_pile}  top ")]
    if look.top is not None:
        state.append(Piece(colour_style(look.top.colour, ground=True), f" {look.top.text} "))
    if 0 <= look.colour < 4:
        name = COLOUR_NAMES[look.colour].upper()
        state += [Piece("", "  "), Piece(colour_style(look.colour, ground=True), f" {name} ")]
    rows.append(state)
    rest = height - len(rows)
    if board.result:
        return rows + _result(board, columns)[1:][: max(0, rest)]
    return rows + _log(board, columns, rest)


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
