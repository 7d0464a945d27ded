"""The finished tables and the standings drawn into rows of exactly the terminal's size."""

from __future__ import annotations

from typing import Final

from cli.canvas import Piece, Row, filled
from cli.draw import FULL, LEAST, Screen, key_row, stack, too_small
from cli.history.archive import Archive, View
from cli.history.past import Past
from cli.history.stats import Tally
from cli.history.words import NOTHING, ending, game, hand_lines, local, past_lines, player_lines, player_name
from cli.language import N_, _
from cli.table.buttons import Button
from cli.text import cut, pad, visible, width, wrap
from cli.theme import Glyphs
from protocol.identity import short

HELP: Final = (
    N_("up down, PgUp PgDn       go through the list; so do Home and End"),
    N_("Enter, second click      show the table again, step by step"),
    N_("s                        the standings by player, and back"),
    N_("Ctrl-L                   draw the screen anew"),
    N_("q, Esc                   close"),
    "",
    N_("Players are counted by their keys: another name makes no other player."),
    N_("The bots, whose keys live for one table only, are one line together."),
)
SHOWS: Final = {View.TABLES: N_("Enter: show this table again"), View.STANDINGS: N_("s: back to the tables")}
BUTTONS: Final = {
    View.TABLES: (Button("enter", N_("show again")), Button("s", N_("standings"))),
    View.STANDINGS: (Button("s", N_("tables")),),
}
ALWAYS: Final = (Button("?", N_("help"), True), Button("q", N_("close"), True))
HEADS: Final = {View.TABLES: N_("HISTORY"), View.STANDINGS: N_("STANDINGS")}


def draw(archive: Archive, columns: int, rows: int, glyphs: Glyphs) -> Screen:
    """The whole screen as `rows` rows of `columns` cells each."""
    if columns < 1 or rows < 1:
        return Screen([])
    if columns < LEAST[0] or rows < LEAST[1]:
        return Screen(too_small(columns, rows))
    full = columns >= FULL[0] and rows >= FULL[1]
    top, foot = [_title(archive, columns, full)], _foot(archive, columns)
    room = rows - len(top) - len(foot)
    if archive.help:
        body: list[Row] = [[], *([Piece("", f" {cut(_(line), columns - 2)}")] for line in HELP)]
    elif not archive.count:
        body = [[], *([Piece("", f" {line}")] for line in wrap(_(NOTHING), columns - 2))]
    else:
        body = _listed(archive, columns, room, glyphs)
    return Screen(stack(top, body, foot, columns, rows))


def _title(archive: Archive, columns: int, full: bool) -> Row:
    left = f"{' p2puno' if full else ''} {_(HEADS[archive.view])}"
    place = f"{archive.at + 1}/{archive.count} " if archive.count else ""
    return [Piece("title", pad(pad(left, columns - width(place)) + place, columns))]


def _foot(archive: Archive, columns: int) -> list[Row]:
    says = "" if archive.help or not archive.count else _(SHOWS[archive.view])
    keys = ALWAYS if archive.help else (*(BUTTONS[archive.view] if archive.count else ()), *ALWAYS)
    return [
        filled("error", f" {cut(archive.note, columns - 2)}", columns),
        [Piece("preview", pad(f" {cut(says, columns - 2)}", columns))],
        key_row(keys, columns),
    ]


def _listed(archive: Archive, columns: int, height: int, glyphs: Glyphs) -> list[Row]:
    """The list, and under it all that is known of the chosen line."""
    lines = _tables(archive, columns) if archive.view is View.TABLES else _standings(archive, columns)
    head, *entries = lines
    room = max(3, min(len(entries), (height - 2) // 2))
    first = min(max(0, archive.at - room // 2), max(0, len(entries) - room))
    rows = [head]
    for place in range(first, min(len(entries), first + room)):
        chosen = place == archive.at
        mark = Piece("strong" if chosen else "", " > " if chosen else "   ", f"line {place}")
        style = "title" if chosen else ""
        rows.append([mark, *(Piece(style, piece.text, f"line {place}") for piece in entries[place])])
    rows.append([Piece("rule", glyphs.line * columns)])
    texts = _past(archive.past) if archive.past is not None else _player(archive.player)
    rows += [[Piece("", f" {line}")] for text in texts for line in wrap(visible(text), columns - 2, "    ")]
    return rows


def _tables(archive: Archive, columns: int) -> list[Row]:
    names = 26 if columns >= FULL[0] else 0  # a narrow screen has the game below
    head = "   " + pad(_("ended"), 18) + pad(_("game") if names else "", names) + _("result")
    rows: list[Row] = [[Piece("dim", head)]]
    for past in archive.pasts:
        name = pad(cut(game(past.variant), max(0, names - 1)), names) if names else ""
        rows.append([Piece("", cut(f"{pad(local(past.ended), 18)}{name}{visible(ending(past))}", columns - 4))])
    return rows


def _standings(archive: Archive, columns: int) -> list[Row]:
    wide = columns >= FULL[0]
    names, cells_each = (24, 10) if wide else (14, 7)
    heads = (_("tables"), _("hands"), _("points"))
    head = pad(_("player"), names) + "".join(pad(word, cells_each) for word in heads)
    rows: list[Row] = [[Piece("dim", "   " + head + (_("left") if wide else ""))]]
    for tally in archive.players:
        cells = (f"{tally.won}/{tally.tables}", f"{tally.hands_won}/{tally.hands}", str(tally.points))
        name = pad(cut(visible(player_name(tally)), names - 1), names)
        text = name + "".join(pad(cell, cells_each) for cell in cells)
        rows.append([Piece("", cut((text + (str(tally.forfeits) if wide else "")).rstrip(), columns - 4))])
    return rows


def _past(past: Past | None) -> list[str]:
    return [*past_lines(past), *hand_lines(past)] if past is not None else []


def _player(tally: Tally | None) -> list[str]:
    if tally is None:
        return []
    key = [_("key {key}").format(key=short(bytes.fromhex(tally.key)))] if tally.key else []
    return [player_name(tally), *key, *player_lines(tally)]
