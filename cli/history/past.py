"""What became of one table, told the same whether its end was seen or its journal is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from cli.language import _
from cli.record import Record
from cli.table.session import Session
from p2puno.happenings import What
from p2puno.match import Match
from p2puno.outcome import Ending, Outcome
from p2puno.rules import Rules
from protocol.errors import Damaged, Unfinished
from protocol.identity import Identity
from protocol.journal import Reader

TIME: Final = "%Y-%m-%dT%H:%M:%SZ"


class Standing(StrEnum):
    """How a table ended."""

    FINISHED = "finished"
    FORFEIT = "forfeit"  # finished, because all others left
    UNFINISHED = "unfinished"
    CHEATING = "cheating proven"


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat of a table: its key in hex, who sat there. `mine`: the key is one of this machine's; `gone`: left before
    the end, or was waited for in vain."""

    key: str
    name: str
    bot: bool
    hero: str
    mine: bool
    score: int
    gone: bool
    cheated: bool


@dataclass(frozen=True, slots=True)
class HandWon:
    """One scored hand; `winner` is a seat, -1 for none."""

    winner: int
    ending: str
    points: int


@dataclass(frozen=True, slots=True)
class Past:
    """One table. `table`: its id in hex; `winner`: of the match, a seat or -1; `ended`: the time of the last entry, UTC
    as in 2026-11-30T09:40:12Z."""

    table: str
    variant: str
    standing: Standing
    winner: int
    turns: int
    steps: int
    ended: str
    journal: str
    chairs: tuple[Chair, ...]
    hands: tuple[HandWon, ...]

    @property
    def reach(self) -> tuple[bool, int]:
        """Which of two journals of one table tells more of it: the greater one."""
        return self.standing is not Standing.UNFINISHED, self.steps


def own_keys(home: Path) -> frozenset[bytes]:
    """The keys of the identities in this folder; one whose file is broken is left out."""
    keys = set()
    for path in sorted(home.glob("identity-*.pem")):
        try:
            keys.add(Identity.load_or_create(path).public)
        except Damaged:  # it can be nobody at any table; who plays with it is told
            continue
    return frozenset(keys)


def past_of_session(record: Record, session: Session, own: frozenset[bytes]) -> Past | None:
    """The table that has just ended for us; None if it had not begun."""
    if session.journal is None or session.rules is None or session.seat < 0:
        return None
    gone = set(record.gone)
    gone |= set(session.leavers)
    if record.left and record.match is None:
        gone.add(session.seat)
    if record.abandoned is not None:
        gone |= set(record.abandoned.waiting)
    standing = Standing.UNFINISHED
    if record.accused is not None:
        standing = Standing.CHEATING
    elif record.match is not None:
        standing = _finished(session.rules, len(session.players), [hand.outcome for hand in record.hands])
    winner = record.match.winner if record.match is not None else -1
    begun = session.view is not None or session.hand > 1
    alone = gone == {session.seat}  # of two who both got up nobody has won
    if standing is Standing.UNFINISHED and record.left and begun and alone and len(session.players) == 2:
        standing, winner = Standing.FORFEIT, 1 - session.seat
    blame = record.accused.seat if record.accused is not None else -1
    heroes = session.rules.heroes or ("",) * len(session.players)
    return Past(
        table=Reader(session.journal).charter.table.hex(),
        variant=session.rules.variant,
        standing=standing,
        winner=winner,
        turns=session.turns,
        steps=session.steps,
        ended=_time(session.journal),
        journal=str(session.journal),
        chairs=tuple(
            Chair(player.key.hex(), player.name, player.bot, hero, player.key in own, score, i in gone, i == blame)
            for i, (player, hero, score) in enumerate(zip(session.players, heroes, session.scores, strict=True))
        ),
        hands=tuple(HandWon(h.outcome.winner, str(h.outcome.ending), h.outcome.points) for h in record.hands),
    )


def past_of_journal(path: Path, own: frozenset[bytes]) -> Past:
    """The table of a journal, audited from its first byte to its last.

    :raises FileProblem: it is no journal, a damaged one, or of rules that are not known here
    :raises Unfinished: nothing was agreed in it
    """
    from protocol.audit import audit  # loads the whole deck protocol
    from protocol.step import Done
    from protocol.table import Table

    gone: set[int] = set()
    seen: list[Table] = []

    def watch(table: Table, done: list[Done]) -> None:
        seen[:] = [table]
        gone.update(h.seat for step in done for h in step.happenings if h.what is What.LEFT)

    verdict = audit(path, watch)
    if verdict.exit_code == Damaged.exit_code:
        raise Damaged(verdict.wrong, verdict.hint)
    if not seen:
        raise Unfinished(_("the table had not begun"))
    table = seen[0]
    standing = Standing.UNFINISHED
    if verdict.blame >= 0:
        standing = Standing.CHEATING
    elif verdict.exit_code == 0:
        outcomes = [scored.outcome for scored in table.scored]
        standing = _finished(table.rules, len(table.seats), outcomes)
    winner = verdict.winner
    leavers = set(table.departures.leaves)
    if standing is Standing.UNFINISHED and len(leavers) == 1 and table.match is not None and len(table.seats) == 2:
        # Our own leave: the other one's word for it, which ends the match, is in the other one's journal only.
        standing, winner = Standing.FORFEIT, 1 - min(leavers)
    gone |= leavers
    heroes = table.rules.heroes or ("",) * len(table.roster)
    return Past(
        table=table.id.hex(),
        variant=verdict.variant,
        standing=standing,
        winner=winner,
        turns=verdict.turns,
        steps=verdict.steps,
        ended=_time(path),
        journal=str(path),
        chairs=tuple(
            Chair(place.key.hex(), name, place.bot, hero, place.key in own, score, i in gone, i == verdict.blame)
            for i, (place, name, hero, score) in enumerate(
                zip(table.roster, table.names, heroes, verdict.scores, strict=True)
            )
        ),
        hands=tuple(HandWon(hand.winner, hand.ending, hand.points) for hand in verdict.hands),
    )


def _finished(rules: Rules, players: int, outcomes: Sequence[Outcome]) -> Standing:
    """Whether a match that is over was won by these hands, or because everybody else left (R56)."""
    match = Match(rules, players, 0)
    for outcome in outcomes:
        match.finish(outcome)
    last = outcomes[-1].ending if outcomes else Ending.FORFEIT
    return Standing.FINISHED if match.over and last is not Ending.FORFEIT else Standing.FORFEIT


def _time(path: Path) -> str:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime(TIME)
