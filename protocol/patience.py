"""How long a seat waits for the others, by its own clock alone (R57; docs/absence.md).

No time of any clock enters the journal: each seat judges by itself when to call another one absent, and the rule that
all must agree makes up for clocks and links that differ.
"""

from __future__ import annotations

import math

from p2puno.needs import Decide
from protocol.moving import WindowStep
from protocol.table import Table

AUTOMATIC = 10.0
"""Seconds for what a program contributes without its player."""
AWAY = 30.0
"""Seconds that a player has to choose while there is no link to its program."""
SETUP = 20.0
"""The same while a hand is set up, where whoever is silent misses the hand."""


class Patience:
    """When the running step began here, whose links are down since when, and who has used up how much of its bank."""

    def __init__(self, seats: tuple[int, ...], own: int) -> None:
        self.own = own
        self.began = 0.0
        self.down: dict[int, float] = {seat: 0.0 for seat in seats if seat != own}
        self.absent_at: dict[int, float] = {}
        self._spent: dict[int, float] = {}
        self._hand = 0
        self._step = -1
        self._decides = -1

    def look(self, table: Table, now: float) -> bool:
        """Take note of where the table stands; whether that is a new step."""
        for seat in table.absence.since:
            self.absent_at.setdefault(seat, now)
        for seat in [*self.absent_at]:
            if seat not in table.absence.since:
                del self.absent_at[seat]
        if table.number == self._step:
            return False
        if self._decides >= 0:
            over = now - self.began - table.rules.turn_seconds
            self._spent[self._decides] = self._spent.get(self._decides, 0.0) + max(0.0, over)
        if table.hand != self._hand:
            self._hand, self._spent = table.hand, {}
        need = table.step.need
        self._decides = need.seat if isinstance(need, Decide) else -1
        self._step, self.began = table.number, now
        return True

    def own_limit(self, table: Table, seat: int) -> float:
        """When the time of a seat that must decide is over; inf without a limit."""
        turn = table.rules.turn_seconds
        if not turn or not isinstance(table.step.need, Decide):
            return math.inf
        bank = max(0.0, table.rules.bank_seconds - self._spent.get(seat, 0.0))
        return self.began + turn + bank

    def limit(self, table: Table, seat: int) -> float:
        """When this seat's contribution to the running step is overdue; inf while it may take as long as it likes."""
        grace = float(table.rules.grace_seconds)
        gone = max(self.down[seat], self.began) if seat in self.down else math.inf
        if seat in table.convicted:
            return self.began
        if len(table.present) == 2:  # nobody can judge between two: only a lost link counts
            return gone + grace
        if table.dealt and table.quorum.restarts:  # the hand is worth waiting for
            return self.began + max(grace, AUTOMATIC)
        if table.step.automatic:
            return self.began + (AUTOMATIC if table.dealt else SETUP)
        if isinstance(table.step, WindowStep):
            return self.began + table.rules.uno_window + AUTOMATIC
        return min(gone + AWAY, self.own_limit(table, seat) + AUTOMATIC)

    def removable(self, table: Table, seat: int, now: float) -> bool:
        """Whether an absent seat has been so for the whole grace."""
        return now >= self.absent_at.get(seat, math.inf) + table.rules.grace_seconds

    def lost(self, table: Table, now: float) -> int | None:
        """A seat without which the table cannot go on, and that has been away too long."""
        grace = table.rules.grace_seconds
        judged = table.quorum.tolerates or table.quorum.restarts
        for seat in table.waiting:
            away = now - max(self.down[seat], self.began) if seat in self.down else 0.0
            if seat != self.own and away >= grace * (3 if judged else 1):
                return seat
        return None

    def next_look(self, table: Table, now: float) -> float:
        """When somebody's time is over next; inf if nobody's."""
        grace = float(table.rules.grace_seconds)
        times = [self.began + grace, *(at + grace for at in self.absent_at.values())]
        for seat in table.waiting:
            since = max(self.down[seat], self.began) if seat in self.down else math.inf
            times += [self.own_limit(table, seat), self.limit(table, seat), since + grace, since + 3 * grace]
        return min((at for at in times if at > now), default=math.inf)
