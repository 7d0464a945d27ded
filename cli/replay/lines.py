"""A film as text: line by line for eyes and ears, one JSON document for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cli.language import _
from cli.replay.film import Film
from cli.table.cards import COLOUR_NAMES, namer
from cli.text import listed, visible


def lines(film: Film, turn: int = 0) -> Iterator[str]:
    """One line for everything that happened from this turn on, each with its turn (P20: the first line says that it is
    a replay)."""
    if not film.frames:
        return
    names = listed(visible(player.name) for player in film.players)
    game = film.rules.name if film.rules is not None else ""
    head = _("Replay, nothing can be played here: {game}, {names}, {n} turns")
    yield head.format(game=game, names=names, n=film.turns)
    for frame in film.frames:
        for told in frame.told:
            if told.turn >= turn:
                where = _("turn {n}").format(n=told.turn) if told.turn else _("before turn 1")
                yield f"{where}: {visible(told.line.text)}"


def document(film: Film, turn: int = 0) -> dict[str, Any]:
    """What `verify --json` says, and every happening from this turn on."""
    card = namer(film.rules)
    happenings = [
        {
            "step": frame.step,
            "turn": at,
            "hand": frame.hand,
            "what": h.what.value,
            "seat": h.seat if h.seat >= 0 else None,
            "other": h.other if h.other >= 0 else None,
            "card": card(h.face).text if h.face >= 0 else None,
            "colour": COLOUR_NAMES[h.colour] if 0 <= h.colour < len(COLOUR_NAMES) else None,
            "n": h.n,
        }
        for frame in film.frames
        for at, h in frame.happened
        if at >= turn
    ]
    return {**film.verdict.as_json(), "happenings": happenings}
