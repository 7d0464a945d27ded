"""Tables of the past and standings in words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from cli.history.past import TIME, Past, Standing
from cli.history.stats import Tally
from cli.language import N_, _, ngettext
from cli.table.cards import hero_name
from cli.text import columns, listed
from p2puno.outcome import Ending
from p2puno.rules import Rules
from protocol.identity import short

NOTHING: Final = N_("No table has ended yet.")
ENDINGS: Final = {
    Ending.EMPTY_HAND: N_("hand {n}: {who} had no card left"),
    Ending.BLOCKED: N_("hand {n}: blocked, {who} won"),
    Ending.FORFEIT: N_("hand {n}: {who} won by forfeit"),
    Ending.LAST_STANDING: N_("hand {n}: {who} was the last one left"),
}


def past_lines(past: Past) -> list[str]:
    """One table in a few lines: when and what, how it ended, where its journal is."""
    seats = _("{n} players").format(n=len(past.chairs))
    hands = ngettext("{n} hand", "{n} hands", len(past.hands)).format(n=len(past.hands))
    turns = ngettext("{n} turn", "{n} turns", past.turns).format(n=past.turns)
    lines = [f"{local(past.ended)}  {game(past.variant)}, {seats}, {hands}, {turns}"]
    scores = any(chair.score for chair in past.chairs)
    players = [_chair(past, seat, scores) for seat in range(len(past.chairs))]
    return [*lines, f"  {ending(past)}", f"  {', '.join(players)}", f"  {past.journal}"]


def game(variant: str) -> str:
    """What a game is called."""
    try:
        return Rules.make(variant).name
    except ValueError:  # the index may be older than this program
        return variant


def hero(ident: str) -> str:
    """What a hero of the official games is called; the id itself for one of somebody's own making."""
    return hero_name(Rules.make("marvel"), ident)


def local(ended: str) -> str:
    """When a table ended, by the clock here."""
    try:
        time = datetime.strptime(ended, TIME).replace(tzinfo=UTC)
    except ValueError:
        return ended
    return time.astimezone().strftime("%Y-%m-%d %H:%M")


def ending(past: Past) -> str:
    """How a table ended."""
    winner = past.chairs[past.winner].name if 0 <= past.winner < len(past.chairs) else ""
    away = listed(chair.name for chair in past.chairs if chair.gone)
    match past.standing:
        case Standing.FINISHED:
            return _("won by {who}").format(who=winner) if winner else _("tied")
        case Standing.FORFEIT:
            won = _("won by {who} by forfeit: {left} left") if away else _("won by {who} by forfeit")
            return won.format(who=winner or _("nobody"), left=away)
        case Standing.CHEATING:
            cheats = listed(chair.name for chair in past.chairs if chair.cheated)
            return _("stopped: {who} cheated, the proof is in the journal").format(who=cheats)
    return _("unfinished: {who} left").format(who=away) if away else _("unfinished")


def _chair(past: Past, seat: int, scores: bool) -> str:
    chair = past.chairs[seat]
    name = _("{who} as {hero}").format(who=chair.name, hero=hero(chair.hero)) if chair.hero else chair.name
    marks = [mark for mark, on in ((_("you"), chair.mine), (_("bot"), chair.bot), (_("left"), chair.gone)) if on]
    more = f" ({', '.join(marks)})" if marks else ""
    return f"{name}{more}" + (f" {chair.score}" if scores else "")


def hand_lines(past: Past) -> list[str]:
    """How each hand of a table ended."""
    lines = []
    for number, hand in enumerate(past.hands, 1):
        who = past.chairs[hand.winner].name if 0 <= hand.winner < len(past.chairs) else _("nobody")
        known = hand.ending in list(Ending)  # the index may be of a later program
        text = _(ENDINGS[Ending(hand.ending)] if known else N_("hand {n}: {who}")).format(n=number, who=who)
        if hand.points:
            points = ngettext("{n} point", "{n} points", hand.points).format(n=hand.points)
            text = f"{text}, {points}"
        lines.append(text)
    return lines


def player_name(tally: Tally) -> str:
    """What a key was called last, with what is to be known of it."""
    name = tally.name if tally.key else _("all bots")
    return name + (f" ({_('you')})" if tally.mine else "") + (f" ({_('cheated')})" if tally.cheated else "")


def player_lines(tally: Tally) -> list[str]:
    """All that a key has done, in sentences."""
    lines = [
        _("{won} of {tables} tables won, {hands_won} of {hands} hands, {points} points").format(
            won=tally.won,
            tables=tally.tables,
            hands_won=tally.hands_won,
            hands=tally.hands,
            points=tally.points,
        )
    ]
    if len(tally.names) > 1:
        lines.append(_("also called {names}").format(names=listed(tally.names[1:])))
    if tally.heroes:
        text = _("{hero} ({hands})")
        played = [text.format(hero=hero(who), hands=hands) for who, hands in tally.heroes.most_common()]
        lines.append(_("hands with each hero: {heroes}").format(heroes=", ".join(played)))
    if tally.forfeits:
        text = ngettext("left {n} table before its end", "left {n} tables before their end", tally.forfeits)
        lines.append(text.format(n=tally.forfeits))
    if tally.cheated:
        text = ngettext("caught cheating at {n} table", "caught cheating at {n} tables", tally.cheated)
        lines.append(text.format(n=tally.cheated))
    return lines


HEADS: Final = (
    N_("player"), N_("key"), N_("tables"), N_("tables won"), N_("hands"), N_("hands won"), N_("points"), N_("left"),
    N_("heroes"),
)  # fmt: skip


def stats_lines(players: list[Tally]) -> list[str]:
    """The tallies as a table, columns as wide as they need to be."""
    rows = [tuple(_(head) for head in HEADS), *(_row(tally) for tally in players)]
    return columns(rows, range(2, len(HEADS) - 1))


def _row(tally: Tally) -> tuple[str, ...]:
    heroes = ", ".join(f"{hero(who)} {hands}" for who, hands in tally.heroes.most_common(3))
    numbers = (tally.tables, tally.won, tally.hands, tally.hands_won, tally.points, tally.forfeits)
    key = short(bytes.fromhex(tally.key)) if tally.key else ""
    return (player_name(tally), key, *map(str, numbers), heroes)
