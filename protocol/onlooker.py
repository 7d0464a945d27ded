"""Who watches a table without a seat: reads what was signed there, as an audit does, while it is being played.

It knows no secret and signs nothing. Unlike the audit it does not know what comes later: it may go on by a contribution
that all others turn out to have called absent, or by one of two answers that does not stand. Then it reads all entries
again, as a seat does that was overruled (docs/absence.md).
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Sequence

from p2puno.said import AND, joined, said
from p2puno.view import View, view
from protocol import events as tell
from protocol.ending import Ending
from protocol.events import Phase
from protocol.intake import Intake
from protocol.messages import Carry, Charter, Head, Heads
from protocol.patience import Patience
from protocol.payloads import Payload
from protocol.signals import Close, Effect, Tell
from protocol.table import Table

NOBODY = -1
"""The seat of who has none."""
OTHERWISE = said("the table went on otherwise than you have just seen: its players agreed on that")

_PAST = tell.HandOver | tell.MatchOver | tell.Accused | tell.Abandoned
"""What is told of the time before we came."""


class Onlooker(Intake):
    """A stranger at one table. It is fed with entries, best in the order of a seat's journal, and tells the face what
    a player is told; effects are `Store`, `Tell` and at the end `Close`."""

    def __init__(self, charter: Charter) -> None:
        """
        :raises ValueError: the charter's rules are of no game known here, or its roster does not fit them
        """
        super().__init__(Table(charter), NOBODY, secrets.token_bytes, {})
        self._past: Sequence[Head] | None = ()  # what there was when we came, as long as we do not know it yet
        self._told_phase = b""
        self._patience = Patience(self.table.seats, NOBODY)
        self._ending = Ending(NOBODY)
        self._unseen: Sequence[Head] | None = ()  # what was signed while we did not look, as long as we do not know it
        self._timed_from = 0  # the first hand of which we have seen when each turn began

    def view(self) -> View | None:
        """What everybody may see of the running hand; None before its keys are made."""
        return view(self.table.game, None) if self.table.game else None

    @property
    def over(self) -> bool:
        """Whether the table has ended."""
        return self._over

    @property
    def catching_up(self) -> bool:
        """Whether this is still about what there was before we came."""
        return self._past is not None

    @property
    def deadline(self) -> float:
        """When the time of the seat that must decide is over, the bank included, as far as can be judged from here; inf
        without a limit, or where we have not seen how much of its bank was used in this hand (R57)."""
        if self._unseen is not None or self.table.hand < self._timed_from:
            return math.inf
        return self._patience.own_limit(self.table, min(self.table.waiting, default=NOBODY))

    def heads(self) -> tuple[Head, ...]:
        """How far the chains of all seats are known here."""
        return self._chains.heads()

    @property
    def ends_at(self) -> float:
        """When an end that we know is taken for the end of the table, if nobody says so before; inf without one."""
        return self._ending.limit

    def arrive(self, past: Sequence[Head], now: float) -> list[Effect]:
        """Somebody at the table tells how far it knows all chains: what we did not know was not seen in its time,
        and before the first such word only results are told to the face."""
        self._unseen = past
        if self._past is not None:
            self._past = past
        return self._go_on(now)

    def hurry(self, now: float) -> list[Effect]:
        """Wait no longer for what was said to have been before we came."""
        self._past = () if self._past is not None else None
        self._unseen = () if self._unseen is not None else None
        return self._go_on(now)

    def take(self, entry: bytes, now: float) -> tuple[bool, list[Effect]]:
        """Take an entry; whether it was fit to be looked at, and what follows."""
        fit = self._entry(entry, now)
        return fit, self._go_on(now)

    def conclude(self, now: float) -> list[Effect]:
        """Whoever tells us what was signed tells no more: if what we know of the table has an end, it is the end."""
        if self.table.closed and not self._over:
            self._end(now)
        return self._go_on(now)

    def _go_on(self, now: float) -> list[Effect]:
        if not self._over and (self._overruled() or self.table.absence.overruled):
            self._rebuild(now)
        if self._past is not None and self._knows(self._past):
            self._past = None
            self._telling.forget_absences()
            self._effects.append(Tell(tell.Watching(self.turns)))
        if self._unseen is not None and self._knows(self._unseen):
            self._unseen = None
            self._timed_from = self.table.hand + (1 if self.table.dealt else 0)
        if not self._over:
            self._look(now)
        effects, self._effects = self._effects, []
        return effects

    def _look(self, now: float) -> None:
        """Tell the face where the table stands."""
        table = self.table
        if not self.catching_up:
            self._patience.look(table, now)
            self._telling.absences(table)
        if table.phase is Phase.COMMIT and self._told_phase != table.sid:
            self._told_phase = table.sid
            self._telling.results(table)
            self._tell(tell.PhaseChanged(Phase.COMMIT, table.hand))
        self._ending.look(table, self._chains, now)
        if table.closed:
            if now >= self.ends_at:
                self._end(now)
        elif gone := table.departures.abandoned:
            names = joined((table.names[seat] for seat in gone), AND)
            self._finish(now, tell.Abandoned(said("{names} left the table", names=names), gone))
        else:
            self._telling.progress(table)

    def _end(self, now: float) -> None:
        self._telling.results(self.table)
        assert self.table.match is not None
        self._finish(now, tell.MatchOver(self.table.match.winner, self.table.scores))

    def _knows(self, heads: Sequence[Head]) -> bool:
        seats = self.table.seats
        return all(self._chains.head(head.seat).seq >= head.seq for head in heads if head.seat in seats)

    def _rebuild(self, now: float) -> None:
        rows = list(self.table.rows)
        super()._rebuild(now)
        self.table.absence.overruled.clear()
        self._unseen = ()
        self._catch_up(now)
        if self.table.rows[: len(rows)] != rows:
            self._tell(tell.Notice(OTHERWISE))

    def _finish(self, now: float, event: tell.Event) -> None:
        if not self._over:
            self._over = True
            self._past = None
            self._tell(event)
            self._tell(tell.PhaseChanged(Phase.CLOSED, self.table.hand))
            self._effects.append(Close())

    def _tell(self, event: tell.Event) -> None:
        if not self._quiet and (not self.catching_up or isinstance(event, _PAST)):
            self._effects.append(Tell(event))

    def _heads(self) -> Heads:
        return Heads(self.table.id, self._chains.heads())

    def _contribute(self, payload: Payload, now: float) -> None:
        """Nothing: who watches signs nothing."""

    def _send(self, message: Carry | Heads, seat: int | None) -> None:
        """Nothing: who watches is told, and tells nobody."""
