"""The chat on the full screen: the line that is typed, and its two lists."""

from __future__ import annotations

from typing import Final

from cli.canvas import Piece, Row, filled
from cli.language import N_, _
from cli.table.buttons import Button
from cli.table.look import Asked, Look
from cli.table.talk import Pane, Talk
from cli.text import cut, pad, width

TITLES: Final = {
    Pane.PHRASES: N_("A quick phrase for everybody:"),
    Pane.MUTE: N_("Whom you do not want to hear (nobody is told):"),
}
TYPING: Final = N_("{left} left   Enter: say it   Esc: back")
CHOOSING: Final = {
    Pane.PHRASES: N_("arrows and Enter, or a digit, say it"),
    Pane.MUTE: N_("a digit mutes, and hears again"),
}
WAITED_FOR: Final = N_("You are asked: Esc leaves the chat")
BUTTONS: Final = {
    Pane.TEXT: (Button("enter", N_("say it")), Button("escape", N_("back"))),
    Pane.PHRASES: (Button("enter", N_("say it")), Button("escape", N_("back"))),
    Pane.MUTE: (Button("enter", N_("mute, hear")), Button("escape", N_("back"))),
}


def talk_list(talk: Talk, columns: int, height: int) -> list[Row]:
    """The open list; where not all has room, what is around the cursor."""
    assert talk.pane is not None
    options = talk.options()
    rows: list[Row] = [[Piece("strong", f" {cut(_(TITLES[talk.pane]), columns - 2)}")]]
    shown = max(1, height - 1)
    first = min(max(0, talk.at - shown // 2), max(0, len(options) - shown))
    for place in range(first, min(len(options), first + shown)):
        chosen, click = place == talk.at, f"talk {place}"
        number = str((place + 1) % 10) if place < 10 else " "
        row = [Piece("strong" if chosen else "dim", f" {'>' if chosen else ' '}{number} ", click)]
        row.append(Piece("title" if chosen else "", f" {cut(options[place], columns - 7)} ", click))
        rows.append(row)
    return rows


def talk_foot(talk: Talk, look: Look, note: str, columns: int) -> list[Row]:
    """Two rows: what the keys do, or that the table waits; and the line that is typed."""
    assert talk.pane is not None
    if talk.pane is Pane.TEXT:
        keys = _(TYPING).format(left=talk.line.most - len(talk.line.text))
        prompt = f" {_('Say:')} "
        before, under, behind = talk.line.shown(columns - width(prompt) - 1)
        line = [Piece("strong", prompt), Piece("", before), Piece("title", under), Piece("", behind)]
    else:
        keys, line = _(CHOOSING[talk.pane]), filled("error", f" {note}", columns)
    if look.asked is not Asked.NOTHING:
        urgent = look.asked in (Asked.CALL, Asked.CATCH)
        return [[Piece("alarm" if urgent else "preview", pad(f" {_(WAITED_FOR)}", columns))], line]
    return [[Piece("dim", pad(f" {keys}", columns))], line]
