"""The table of UNO Ultimate, drawn: heroes with deck, Burn Pile, Enemy and Items; top card, Location, Danger Deck."""

from __future__ import annotations

from cli.canvas import Piece, Row, beside, row_width
from cli.draw_hand import TOP, top_style
from cli.draw_text import label, log, log_and_chat, result, seat_style
from cli.language import _, pgettext
from cli.table.board import Board
from cli.table.look import Look, Seat
from cli.text import cut, pad, width
from cli.theme import Glyphs, colour_style

LOG = 28
"""Cells that the event log has at least."""


def table_full(look: Look, board: Board, columns: int, height: int, glyphs: Glyphs) -> list[Row]:
    """Seats on the left, two lines each where there is room; the log, or how the hand ended, on the right."""
    left = min(54, columns - LOG)
    right = columns - left
    # Where a list of choices takes the room, only seats of which something is to be told have a second line.
    both = height >= 2 * len(look.seats) + 3
    spare = height - len(look.seats) - 2
    rows: list[Row] = []
    names = left - 17
    heads = f"{cut(_('cards'), 6):>6} {cut(_('deck'), 4):>4} {cut(_('burnt'), 5):>5}"
    rows.append([Piece("dim", pad(f"   {_('player')}", names) + heads)])
    for seat in look.seats:
        rows.append(_seat(look, seat, names, glyphs))
        if both or (spare > 0 and _noted(seat)):
            rows.append(_notes(seat, left))
            spare -= 1
    if spare > 0:
        rows.append(_place(look, left))
    rows.append(_top(look, left, glyphs))
    side = result(board, right, height) if board.result else log_and_chat(board, right, height)
    return beside(((rows, left), (side, right)), height)


def _seat(look: Look, seat: Seat, names: int, glyphs: Glyphs) -> Row:
    mark = glyphs.turn if seat.turn else " "
    who = pad(f" {mark} {cut(label(seat), 16)}", min(19, names - 12))
    if seat.heroics is None or seat.out:
        return [Piece("away", f"{pad(f'{who} {seat.hero}', names)}   {_('out')}")]
    heroics = seat.heroics
    numbers = f"{look.moving.count(seat.seat):<3}{seat.cards:>3} {heroics.deck:>4} {heroics.burn:>5}"
    click, style = f"page power {seat.seat}", seat_style(look, seat)
    counted = "moving" if look.moving.count(seat.seat) else style
    hero, burnt = Piece(style, pad(f"{who} {heroics.hero}", names), click), f"page burn {seat.seat}"
    return [
        hero,
        Piece(counted, numbers[:6], click),
        Piece(style, numbers[6:11], click),
        Piece(style, numbers[11:], burnt),
    ]


def _noted(seat: Seat) -> bool:
    heroics = seat.heroics
    return seat.exposed or seat.called or not seat.here or bool(heroics is not None and heroics.notes())


def _notes(seat: Seat, columns: int) -> Row:
    """What is to be known of a seat beside its numbers; a forgotten UNO first."""
    row: Row = [Piece("", "   ")]
    if seat.exposed:
        row.append(Piece("alarm", " UNO? "))
    elif seat.called:
        row.append(Piece("good", " UNO "))
    if not seat.here:
        row.append(Piece("away", f" {_('not connected')} "))
    if seat.heroics is None or seat.out:
        return row
    notes = seat.heroics.notes()
    row.append(Piece("alert" if seat.heroics.enemy is not None else "", f" {'; '.join(notes)}", _danger(seat)))
    return row


def _danger(seat: Seat) -> str:
    """What a click on what stands before a hero is for: the Enemy, else the first Item."""
    if seat.heroics is None:
        return ""
    if seat.heroics.enemy is not None:
        return f"page enemy {seat.seat}"
    return f"page item {seat.seat}" if seat.heroics.items else ""


def _place(look: Look, columns: int) -> Row:
    place = look.location.name if look.location is not None else pgettext("Location", "none")
    location = _("Location: {place}").format(place=place)
    danger = _("Danger deck {n}").format(n=look.danger_deck)
    text = f"   {pad(location, columns - width(danger) - 6)} {danger}"
    return [Piece("", text, "page location")]


def _top(look: Look, columns: int, glyphs: Glyphs) -> Row:
    """The top card, the colour in force, the direction of play."""
    row: Row = [Piece("", f"   {_('top')} ")]
    if look.top is not None:
        row.append(Piece(top_style(look), f" {look.top.text} ", TOP))
    else:
        row.append(Piece("dim", _("none yet")))
    row += _colour(look)
    down = look.direction > 0
    long = _("play goes {arrow} down the list") if down else _("play goes {arrow} up the list")
    short = _("play goes {arrow} down") if down else _("play goes {arrow} up")
    arrow = glyphs.down if down else glyphs.up
    way = f"  {long.format(arrow=arrow)}"
    way = way if row_width(row) + width(way) < columns else f"  {short.format(arrow=arrow)}"
    row.append(Piece("dim", way))
    return row


def _colour(look: Look) -> Row:
    if not 0 <= look.colour < 4:
        return []
    name = f"  {look.colour_name.upper()}  "
    return [Piece("", " "), Piece(colour_style(look.colour, ground=True), name)]


def table_compact(look: Look, board: Board, columns: int, height: int, glyphs: Glyphs) -> list[Row]:
    """One line for each seat: cards/deck/burnt and its Enemy; then the piles; then the log."""
    rows = [_line(look, seat, glyphs) for seat in look.seats]
    state: Row = [Piece("", f" {_('top')} ")]
    if look.top is not None:
        state.append(Piece(top_style(look), f" {look.top.text} ", TOP))
    state += _colour(look)
    place = f" @{cut(look.location.name, 12)}" if look.location is not None else ""
    state.append(Piece("", f" {_('danger {n}').format(n=look.danger_deck)}{place}"))
    state.append(Piece("dim", " >>" if look.direction > 0 else " <<"))
    rows.append(state)
    rest = max(0, height - len(rows))
    return rows + (result(board, columns, rest) if board.result else log(board, columns, rest))


def _line(look: Look, seat: Seat, glyphs: Glyphs) -> Row:
    name = _("you") if seat.me else cut(seat.name, 6)
    mark = glyphs.turn if seat.turn else " "
    if seat.heroics is None or seat.out:
        return [Piece("away", f" {mark}{pad(name, 6)} {cut(seat.hero, 8)} {_('out')}")]
    heroics = seat.heroics
    call = "?!" if seat.exposed else "!" if seat.called else ""
    numbers = f"{seat.cards}{call}/{heroics.deck}/{heroics.burn}"
    style = "alarm" if seat.exposed else "moving" if look.moving.count(seat.seat) else seat_style(look, seat)
    row = [Piece(style, f" {mark}{pad(name, 6)} {pad(heroics.hero, 8)} {numbers}")]
    marks = [f"x{cut(heroics.enemy.name, 10)}"] if heroics.enemy is not None else []
    marks += [f"i{len(heroics.items)}"] if heroics.items else []
    marks += [_("blank")] if heroics.blank else []
    marks += [_("lost")] if heroics.lost else []
    row.append(Piece("alert" if heroics.enemy is not None else "", f" {' '.join(marks)}", _danger(seat)))
    return row
