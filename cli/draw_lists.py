"""Lists that are gone through: the options of a question, the pages of the inspector."""

from __future__ import annotations

from cli.canvas import Piece, Row
from cli.language import _
from cli.table.chooser import Chooser
from cli.table.inspector import pages
from cli.table.look import Look
from cli.text import cut, wrap
from cli.theme import colour_style


def options(look: Look, chooser: Chooser, columns: int, height: int) -> list[Row]:
    """What is asked and its answers, in at most `height` rows; the options around the cursor if not all fit."""
    if look.asking is None or height < 2:
        return []
    stage = chooser.picker.stage(look.asking)
    count = len(stage.options)
    least = min(count, 3)
    why = wrap(look.asking.why, columns - 2, "") if look.asking.why else []
    title = wrap(stage.title, columns - 2, "")[: height - 1]
    room = max(0, min(3, height - len(title) - least))
    if len(why) > room > 0:
        why[room - 1] = cut(why[room - 1], columns - 6) + " ..."  # the inspector has it in full
    why = why[:room]
    rows: list[Row] = [[Piece("", f" {line}")] for line in why]
    rows += [[Piece("strong", f" {line}")] for line in title]
    shown = max(1, height - len(rows))
    first = min(max(0, chooser.picker.at - shown // 2), max(0, count - shown))
    for place in range(first, min(count, first + shown)):
        option = stage.options[place]
        chosen = place == chooser.picker.at
        style = colour_style(option.colour, ground=chosen) if option.colour >= 0 else "title" if chosen else ""
        name = option.key or (str((place + 1) % 10) if place < 10 else " ")
        more = place == first + shown - 1 and first + shown < count
        text = cut(option.label, columns - (16 if more else 7))
        row = [Piece("strong" if chosen else "dim", f" {'>' if chosen else ' '}{name} ", f"option {place}")]
        row.append(Piece(style, f" {text} ", f"option {place}"))
        if more:
            row.append(Piece("dim", " " + _("+{n} more").format(n=count - first - shown)))
        rows.append(row)
    return rows


def inspected(look: Look, chooser: Chooser, columns: int, height: int) -> list[Row]:
    """The open page of the inspector, from the line to which it is scrolled."""
    page = pages(look, chooser.cursor)[chooser.page(look)]
    rows: list[Row] = [[]]
    if page.where:
        rows.append([Piece("dim", f" {page.where}")])
    rows += [[Piece("strong", f" {line}")] for line in wrap(page.title, columns - 2, "")]
    for text in page.lines:
        rows += [[Piece("", f" {line}")] for line in wrap(text, columns - 2)]
    if page.mark:
        rows += [[Piece("dim", f" {line}")] for line in wrap(page.mark, columns - 2)]
    for text in ("", *page.more) if page.more else ():
        rows += [[Piece("", f" {line}")] for line in wrap(text, columns - 2, "    ")]
    chooser.scroll = first = min(chooser.scroll, max(0, len(rows) - height))
    shown = rows[first : first + height]
    if len(rows) > first + height and shown:
        shown[-1] = [Piece("dim", " " + _("-- more: down --"), "key down")]
    return shown
