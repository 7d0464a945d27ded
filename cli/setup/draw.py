"""The seats before the start, the heroes to choose from and what all make together, drawn into rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.canvas import Piece, Row
from cli.language import N_, _
from cli.setup.making import State
from cli.setup.model import Chair, Pane, Setup
from cli.setup.words import (
    beside_lines,
    choice_name,
    choice_state,
    making_line,
    name_at,
    pile_word,
    ready_word,
    rules_lines,
    unusual_lines,
    who_line,
)
from cli.table.buttons import ALWAYS, Button
from cli.table.explain import Found, marks
from cli.text import cut, cut_before, pad, wrap

ROOMY: Final = 60
"""Columns from which on names and heroes have their full width."""
STATES: Final = {State.DONE: N_("done"), State.NOW: N_("now"), State.LATER: N_("later")}
STYLES: Final = {State.DONE: "dim", State.NOW: "strong", State.LATER: "dim"}
BAR: Final = 20
"""Cells of a progress bar."""

HELP: Final = (
    N_("r                        say that you are ready, or not after all"),
    N_("up down, click           choose a seat; Enter sits down there, if it"),
    N_("                         is free or a bot's. The seats are the order"),
    N_("                         in which you play."),
    N_("h                        the heroes, what their cards say, and who"),
    N_("                         has them; Enter plays the one chosen"),
    N_("o                        all options of this table, and how others"),
    N_("                         join it"),
    N_("l  PgUp PgDn  wheel      the log on the whole screen; back and forth"),
    N_("t  p  m                  talk to all; a quick phrase; hear somebody no more"),
    N_("q                        leave the table"),
    "",
    N_("The table begins when all seats are taken and everybody is ready."),
)
HELP_COMPACT: Final = (
    N_("r                ready, or not"),
    N_("up down Enter    a seat; sit there"),
    N_("h                heroes, their cards"),
    N_("o                options, how to join"),
    N_("b  g             creator: bot; begin"),
    N_("l PgUp PgDn      the log"),
    N_("q                leave the table"),
)
HELP_CREATOR: Final = (
    "",
    N_("You have created this table, so you can also:"),
    N_("b                        let a bot take a free seat"),
    N_("g                        begin without the free seats, as soon as"),
    N_("                         all others who are here are ready"),
    N_("Once it has begun, the table is as much theirs as it is yours."),
)


def help_rows(setup: Setup, full: bool) -> list[str]:
    """What the keys do before the start; in short where the screen is not `full`."""
    if not full:
        return [_(line) for line in HELP_COMPACT]
    return [_(line) for line in (*HELP, *(HELP_CREATOR if setup.creator else ()))]


def setup_buttons(setup: Setup) -> tuple[Button, ...]:
    """The keys that mean something now."""
    if setup.pane is Pane.RULES:
        return Button("pageup", N_("back")), Button("pagedown", N_("on")), Button("escape", N_("seats"))
    if setup.pane is Pane.HEROES:
        scroll = Button("pageup", N_("back")), Button("pagedown", N_("on"))
        return Button("enter", N_("play it")), *scroll, Button("escape", N_("seats"))
    own = setup.own
    found = [Button("r", N_("not ready") if own is not None and own.ready else N_("ready"))]
    found += [Button("h", N_("hero"))] if setup.has_heroes else []
    chairs = setup.chairs()
    chair = chairs[setup.cursor] if setup.cursor < len(chairs) else Chair(0)
    if not chair.me and (chair.player is None or chair.player.bot):
        found.append(Button("enter", N_("sit here")))
    if setup.creator:
        found += [Button("b", N_("bot"))] if setup.free else []
        found += [Button("g", N_("begin"))] if setup.free else []
    return (*found, Button("o", N_("options")), *ALWAYS)


def pane_rows(setup: Setup, columns: int, height: int) -> list[Row]:
    """What lies over the seats: the heroes, or the options."""
    if setup.pane is Pane.HEROES:
        return _heroes(setup, columns, height)
    texts = [*rules_lines(setup.rules), *(["", _("others join with one of"), *setup.joins] if _open(setup) else [])]
    rows: list[Row] = [[Piece("strong", " " + _("This table"))]]
    for text in texts:
        style = "strong" if text.startswith("* ") else ""
        rows += [[Piece(style, f" {line}")] for line in wrap(text, columns - 2, "    ") or [""]]
    return _from(setup, rows, height)


def seat_rows(setup: Setup, columns: int) -> list[Row]:
    """Every seat in a row, who is at the chosen one, and what differs from the official rules."""
    taken = len(setup.players)
    ready = sum(player.ready for player in setup.players)
    head = _("{taken} of {wanted} seats taken, {ready} ready").format(taken=taken, wanted=setup.wanted, ready=ready)
    rows: list[Row] = [[Piece("strong", cut(f" {head}", columns))]]
    for chair in setup.chairs():
        rows.append(_seat(chair, setup, columns))
    if setup.cursor < len(setup.chairs()) and (who := who_line(setup.chairs()[setup.cursor])):
        rows += [[Piece("dim", f" {line}")] for line in wrap(who, columns - 2)]
    return rows


def _open(setup: Setup) -> bool:
    """Whether somebody can still sit down, and we know how."""
    return bool(setup.joins and setup.free)


def table_rows(setup: Setup, columns: int) -> list[Row]:
    """What is played here, as far as it is unusual, and how others join."""
    rows: list[Row] = []
    unusual = unusual_lines(setup.rules)
    if unusual:
        rows.append([Piece("strong", cut(" " + _("this table differs from the official rules"), columns))])
        rows += [[Piece("", f" {line}")] for text in unusual for line in wrap(f"  {text}", columns - 2, "    ")]
    elif setup.rules is not None:
        rows.append([Piece("dim", cut(" " + _("official rules"), columns))])
    for text in beside_lines(setup.rules):
        rows += [[Piece("", f" {line}")] for line in wrap(text, columns - 2, "    ")]
    if _open(setup):
        rows.append([Piece("", " " + _("others join with one of"))])
        rows += [[Piece("strong", cut(f"   {line}", columns))] for line in setup.joins]
    return rows


def making_rows(setup: Setup, names: Sequence[str], columns: int) -> list[Row]:
    """What all make together before the cards: every stage, and of the running one who is awaited and how long."""
    making = setup.making
    rows: list[Row] = [[Piece("strong", cut(" " + _("All make the deck together"), columns))]]
    for words, state in making.stages(setup.escrow):
        rows.append([Piece(STYLES[state], cut(f"   {pad(_(STATES[state]), 6)} {_(words)}", columns))])
        running = making.running
        if state is State.NOW and running is not None:
            rows.append(_bar(running.done, running.total, running.round, running.rounds))
            rows += [[Piece("", f"          {line}")] for line in wrap(making_line(setup, names), columns - 12, "")]
            if running.piles:
                turns = [(pile_word(setup, pile), name_at(names, seat)) for pile, seat in running.piles]
                text = ", ".join(_("{pile}: {who}").format(pile=pile, who=who) for pile, who in turns)
                rows += [[Piece("dim", f"          {line}")] for line in wrap(text, columns - 12, "")]
    rows.append([])
    text = _("proofs that this program has verified: {count}").format(count=making.proofs)
    rows.append([Piece("", cut(f"   {text}", columns))])
    return rows


def _bar(done: int, total: int, round_: int, rounds: int) -> Row:
    """How far the running stage is."""
    share = (round_ - 1 + done / max(1, total)) / max(1, rounds)
    full = int(BAR * share)
    return [Piece("good", f"          [{'#' * full}{'.' * (BAR - full)}]")]


def _seat(chair: Chair, setup: Setup, columns: int) -> Row:
    chosen = chair.seat == setup.cursor
    click = f"place {chair.seat}"
    names, heroes = (24, 20) if columns >= ROOMY else (16, 10)
    style = "mine" if chair.me else "dim" if chair.player is None else ""
    row = [
        Piece("strong" if chosen else "dim", f" {'>' if chosen else ' '}{chair.seat + 1:>2} ", click),
        Piece(style, pad(cut_before(chair.name, chair.mark, names - 1), names), click),
    ]
    if setup.has_heroes:
        row.append(Piece("", pad(cut(chair.hero or (_("by lot") if chair.player else ""), heroes - 1), heroes), click))
    row.append(Piece("good" if chair.ready else "", ready_word(chair), click))
    return row


def _heroes(setup: Setup, columns: int, height: int) -> list[Row]:
    """The heroes with their owners, and under them what the chosen one's cards say."""
    choices = setup.choices()
    listed = max(3, min(len(choices), height // 2))
    first = min(max(0, setup.cursor - listed // 2), max(0, len(choices) - listed))
    rows: list[Row] = [[Piece("strong", " " + _("Whom do you play?"))]]
    for place, choice in list(enumerate(choices))[first : first + listed]:
        chosen = place == setup.cursor
        name = f" {'>' if chosen else ' '} {pad(cut(choice_name(choice), 22), 23)}"
        state = choice_state(choice)
        style = "title" if chosen else "dim" if choice.taken else ""
        rows.append([Piece(style, name, f"place {place}"), Piece("", f" {cut(state, max(1, columns - 27))}")])
    hero = choices[setup.cursor].hero
    if hero is None:
        texts = [_("A hero that nobody has chosen, drawn when the table begins.")]
    else:
        texts = [*Found(hero).lines(), *marks()]
    lines: list[Row] = [[Piece("", f" {line}")] for text in texts for line in wrap(text, columns - 2, "    ")]
    return [*rows, [], *_from(setup, lines, height - len(rows) - 1)]


def _from(setup: Setup, rows: list[Row], height: int) -> list[Row]:
    """The rows from the one to which the text is scrolled; that is kept where there is still something to read."""
    setup.top = min(setup.top, max(0, len(rows) - max(1, height)))
    shown = rows[setup.top : setup.top + max(0, height)]
    if len(rows) > setup.top + height and shown:
        shown[-1] = [Piece("dim", " " + _("-- more: PgDn --"), "key pagedown")]
    return shown
