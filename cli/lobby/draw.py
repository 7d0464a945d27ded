"""The lobby drawn into rows of exactly the terminal's size; pure, as the table is (`cli.draw`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.announced import Entry
from cli.canvas import Piece, Row, filled
from cli.draw import FULL, LEAST, Screen, key_row, stack, too_small
from cli.lan import CAUSES
from cli.language import N_, _
from cli.lobby.form import Form
from cli.lobby.model import ACTIONS, HERE, NOTHING_FOUND, TYPED, Action, Lobby
from cli.lobby.pager import Pager
from cli.table.buttons import CLOSE, Button
from cli.text import cut, pad, width, wrap
from cli.theme import Glyphs
from protocol.known import Standing

HELP_KEY: Final = Button("?", N_("help"), True)
LIST_KEYS: Final = (
    Button("enter", N_("do it")),
    Button("h", N_("host")),
    Button("j", N_("join")),
    Button("p", N_("practice")),
    Button("i", N_("details"), True),
    HELP_KEY,
    Button("q", N_("quit"), True),
)
FORM_KEYS: Final = (
    Button("up", N_("before")),
    Button("down", N_("next")),
    Button("left", N_("less")),
    Button("right", N_("more")),
    Button("enter", N_("take it")),
    Button("escape", N_("back")),
)
PAGE_KEYS: Final = (Button("up", N_("before")), Button("down", N_("next")), CLOSE)
CHOICE_KEYS: Final = (Button("enter", N_("do it")), *PAGE_KEYS)
ASKED_KEYS: Final = (Button("y", N_("yes")), Button("n", N_("no")))
LOOKING: Final = N_("Looking for tables on your network ...")


def draw(lobby: Lobby, columns: int, rows: int, glyphs: Glyphs) -> Screen:
    """The whole screen as `rows` rows of `columns` cells each."""
    if columns < 1 or rows < 1:
        return Screen([])
    if columns < LEAST[0] or rows < LEAST[1]:
        return Screen(too_small(columns, rows))
    full = columns >= FULL[0] and rows >= FULL[1]
    top = [_title(lobby, columns, full)]
    foot = _foot(lobby, columns, full)
    room = rows - len(top) - len(foot)
    lobby.rows = max(1, room - 1)
    match lobby.page:
        case Form():
            body = _form(lobby.page, columns, room, glyphs)
        case Pager():
            body = _pager(lobby.page, columns, room)
        case _:
            body = _list(lobby, columns, room, full, glyphs)
    return Screen(stack(top, body, foot, columns, rows))


def _title(lobby: Lobby, columns: int, full: bool) -> Row:
    page = lobby.page
    where = _("the lobby") if page is None else _(page.title)
    left = f" p2puno  {where}" if full else f" {where}"
    me = f"{lobby.me}: {lobby.words} " if full else f"{lobby.me} "
    left = cut(left, max(8, columns - width(me) - 1))
    return [Piece("title", pad(pad(left, columns - width(me)) + me, columns))]


# -- the list


def _list(lobby: Lobby, columns: int, height: int, full: bool, glyphs: Glyphs) -> list[Row]:
    """How this machine is joined, always; below it the tables and what else there is to do, around the cursor."""
    fixed: list[Row] = []
    here = lobby.here[: 2 if full else 1]
    heading = _(HERE)
    inline = f" {heading} {here[0]}" if here else ""
    if full and len(here) == 1 and width(inline) < columns:
        fixed.append([Piece("", f" {heading} "), Piece("strong", here[0])])
    elif here:
        fixed += [[Piece("", f" {line}")] for line in wrap(heading, columns - 1)]
        fixed += [[Piece("strong", f" {line}")] for text in here for line in wrap(text, columns - 2)]
    if lobby.trouble:
        fixed += [[Piece("alert", f" {line}")] for line in wrap(lobby.trouble, columns - 2, "")[:2]]
    fixed.append([Piece("rule", glyphs.line * columns)])
    room = max(1, height - len(fixed))
    rows, at = _lines(lobby, columns, room, full)
    return [*fixed, *_around(rows, at, room)]


def _around(rows: list[Row], at: range, room: int) -> list[Row]:
    """At most `room` of these rows, those of `at` among them, and those before it if there is room."""
    first = max(0, min(len(rows) - room, at.stop + (room - len(at)) // 2 - room if at.stop > room // 2 else 0))
    return rows[first : first + room]


def _lines(lobby: Lobby, columns: int, room: int, full: bool) -> tuple[list[Row], range]:
    """All rows of the list, and which of them are the cursor's. What else there is to do stands in several columns
    where there is no room for a row each."""
    many = f" ({len(lobby.entries)})" if lobby.entries else ""
    rows: list[Row] = [[Piece("strong", f" {_('Tables on your network')}{many}")]]
    at = range(1)
    for number, one in enumerate(lobby.entries, 1):
        here = one.ident == lobby.cursor
        mine = _entry(one, number, here, columns) if full else [_short(one, number, here, columns)]
        at = range(len(rows), len(rows) + len(mine)) if here else at
        rows += mine
    if not lobby.entries:
        rows += _nothing(lobby, columns, full)
    rows += [[]] if full else []
    wide = max(width(lobby.label(action)) for action in ACTIONS) + 6
    beside = max(1, columns // wide) if full and len(rows) + len(ACTIONS) > room else 1
    beside = min(beside, 4)
    for first in range(0, len(ACTIONS), beside):
        row: Row = []
        for action in ACTIONS[first : first + beside]:
            here = action.key == lobby.cursor
            at = range(len(rows), len(rows) + 1) if here else at
            row += _action(action, lobby.label(action), here, wide if full else 0)
            if full and beside == 1:
                row.append(Piece("dim", _(action.meaning), f"place {action.key}"))
        rows.append(row)
    return rows, at


def _action(action: Action, label: str, here: bool, cells: int) -> Row:
    click = f"place {action.key}"
    row = [Piece("strong" if here else "", f" {'>' if here else ' '}", click), Piece("key", f"{action.key} ", click)]
    row.append(Piece("title" if here else "", f" {label} ", click))
    return [*row, Piece("", " " * max(0, cells - 6 - width(label)), click)]


def _nothing(lobby: Lobby, columns: int, full: bool) -> list[Row]:
    if not lobby.searched:
        return [[Piece("dim", f"   {_(LOOKING)}")]]
    texts = [_(NOTHING_FOUND), *(f"- {_(cause)}" for cause in CAUSES), _(TYPED)]
    if not full:
        texts = [_("none so far; ? tells why that may be")]
    return [[Piece("dim", f"   {line}")] for text in texts for line in wrap(text, columns - 5)]


def _entry(one: Entry, number: int, here: bool, columns: int) -> list[Row]:
    """A table in two rows: who, what, how full; then the safety words, what is to be known before going
    there, and in what its rules differ."""
    click, grey = f"place {one.ident}", "away" if one.stale else ""
    style = "title" if here else grey
    head = [Piece("strong" if here else "dim", f" {'>' if here else ' '}{_digit(number)} ", click)]
    head.append(Piece(style, pad(f" {one.name}", 18), click))
    said = ", ".join([one.game, one.seating])
    head.append(Piece(style, f" {cut(said, columns - 24)} ", click))
    row = [Piece("", "     ", click), Piece(grey or "strong", one.words, click)]
    if one.standing is Standing.KNOWN:
        row.append(Piece("good", one.known, click))
    elif one.caution:
        row.append(Piece("alert", f" {_('CAUTION: known with another key')}", click))
    more = ", ".join([*one.marks, *(one.brief or [_("official rules")])])
    left = columns - sum(width(piece.text) for piece in row) - 2
    return [head, [*row, Piece("dim", f"  {cut(more, left)}", click)]]


def _short(one: Entry, number: int, here: bool, columns: int) -> Row:
    """A table in one row; the line above the keys has its safety words."""
    click = f"place {one.ident}"
    warned = "!" if one.caution else ""
    seats = _("running") if one.running else f"{one.taken}/{one.seats}"
    said = ", ".join([f"{warned}{one.name}", seats, *one.marks, one.game.removeprefix("UNO: ")])
    style = "title" if here else "away" if one.stale else "alert" if one.caution else ""
    mark = Piece("strong" if here else "dim", f" {'>' if here else ' '}{_digit(number)} ", click)
    return [mark, Piece(style, cut(said, columns - 5), click)]


def _digit(number: int) -> str:
    return str(number) if number < 10 else " "


# -- forms and pages


def _form(form: Form, columns: int, height: int, glyphs: Glyphs) -> list[Row]:
    """The button, always; below it the fields around the cursor; at the end what the field under it means."""
    fields, under = form.fields(), form.field
    click = "key enter" if under is None else "key home"
    button = [Piece("strong" if under is None else "", f" {'>' if under is None else ' '} ", click)]
    text = cut(form.does() or _(form.button), columns - 6)
    button.append(Piece("title" if under is None else "key", f" {text} ", click))
    wide = min(max((width(field.label) for field in fields), default=0), columns // 2)
    rows: list[Row] = []
    for place, field in enumerate(fields):
        here = place == form.at
        click = f"field {place}"
        row = [Piece("strong" if here else "", f" {'>' if here else ' '} ", click)]
        row += [Piece("", f"{pad(field.label, wide)}  ", click)]
        text = cut(form.text(field, here), columns - wide - 8)
        row.append(Piece("title" if here else "strong", f" {text} ", click))
        if field.option and form.value(field) != field.usual and not here:
            row.append(Piece("dim", f"  {_('(usual: {value})').format(value=field.shown(field.usual))}", click))
        rows.append(row)
    about: list[Row] = []
    if under is not None:
        text = (
            under.meaning if under.typed else _("{meaning}; {span}").format(meaning=under.meaning, span=under.may_be())
        )
        about = [[Piece("dim", f" {line}")] for line in wrap(text, columns - 2, "")[:3]]
    room = max(1, height - 2 - len(about) - 1)
    at = max(0, form.at)
    shown = _around(rows, range(at, at + 1), room)
    shown += [[] for y in range(room - len(shown))]
    return [[], button, *shown, [Piece("rule", glyphs.line * columns)], *about]


def _pager(page: Pager, columns: int, height: int) -> list[Row]:
    """The blocks of a page, around the chosen one or from the row to which it is scrolled."""
    rows: list[Row] = [[]]
    at = range(1)
    for place, block in enumerate(page.blocks):
        here = place == page.at
        click = f"block {place}" if block.intent is not None else ""
        mark = ("> " if here else "  ") if page.at >= 0 else ""
        mine: list[Row] = []
        for number, text in enumerate(block.lines):
            for part, line in enumerate(_broken(text, columns - 4)):
                first = not number and not part
                style = "title" if here and first else "strong" if first and len(block.lines) > 1 else ""
                mine.append(
                    [Piece("strong", f" {mark if first else ' ' * len(mark)}", click), Piece(style, line, click)]
                )
        at = range(len(rows), len(rows) + min(len(mine), height)) if here else at
        rows += mine
    if page.at >= 0:
        return _around(rows, at, height)
    page.scroll = min(page.scroll, max(0, len(rows) - height))
    return rows[page.scroll : page.scroll + height]


def _broken(text: str, cells: int) -> list[str]:
    """A text in lines; further ones stand below its own beginning."""
    lead = text[: len(text) - len(text.lstrip())]
    return [lead + line for line in wrap(text.strip(), cells - len(lead))] or [""]


# -- the foot


def _foot(lobby: Lobby, columns: int, full: bool) -> list[Row]:
    said = lobby.says()
    changes = isinstance(lobby.page, Form) and lobby.page.field is not None
    click = "key enter" if said and lobby.question is None and not changes else ""
    warns = lobby.question is not None or (lobby.page is None and (one := lobby.entry()) is not None and one.caution)
    notes = wrap(lobby.note, columns - 2, "")[:3]
    lines = wrap(said, columns - 2, "")[: 3 if warns else 1 if lobby.note and not full else 2] or [""]
    rows: list[Row] = [[Piece("alarm" if warns else "preview", pad(f" {line}", columns), click)] for line in lines]
    rows[:0] = [filled("error", f" {line}", columns) for line in notes]
    return [*rows, key_row(_keys(lobby), columns)]


def _keys(lobby: Lobby) -> Sequence[Button]:
    if lobby.question is not None:
        return ASKED_KEYS
    match lobby.page:
        case Form():
            return FORM_KEYS
        case Pager():
            return CHOICE_KEYS if lobby.page.at >= 0 else PAGE_KEYS
    return LIST_KEYS
