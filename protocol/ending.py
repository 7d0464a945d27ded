"""When the end of a match is final (docs/absence.md, "The end").

A cheat can tell two stories of the very move that ends the match. So nobody takes the end that it knows for the result
before the others have told that they know the same: what any of them still signs could overrule it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from protocol.chains import Chains
from protocol.escrow import FEWEST
from protocol.messages import Head
from protocol.patience import AUTOMATIC
from protocol.table import Table


class Ending:
    """What the others have told of the end that a seat knows.

    `reach`: by seat, how far it last told to know all chains.
    """

    def __init__(self, own: int) -> None:
        self.reach: dict[int, Sequence[Head]] = {}
        self._own = own
        self._known_at = math.inf  # since when we know an end
        self._told: Sequence[Head] = ()  # how far we knew all chains when we last told so at the end

    def look(self, table: Table, chains: Chains, now: float) -> bool:
        """Take note of whether the table has come to its end; whether there is something new to tell the others."""
        if not table.closed:
            self._known_at, self._told = math.inf, ()
            return False
        self._known_at = min(self._known_at, now)
        before, self._told = self._told, chains.heads()
        return self._told != before

    @property
    def limit(self) -> float:
        """When we wait no longer for what the others say; inf while there is no end."""
        return self._known_at + AUTOMATIC

    def unsure(self, table: Table, chains: Chains, disputed: Iterable[tuple[int, int]]) -> tuple[int, ...]:
        """The seats that may not know the end as we do, rising: of all who count, but those that were caught.

        `disputed`: (seat, step) of answers on our row that contradict something else of their author. As long as a
        seat has not said on which it has built, it may have gone on otherwise. Of two nobody waits: there is nobody
        who could be told another story, and who has lost would have the time to say that the other one is absent.
        """
        if len(table.present) < FEWEST:
            return ()
        others = set(table.quorum.helpers(self._own))
        unsure = {seat for seat in others if not self._knows(seat, table, chains)}
        for liar, step in disputed:
            if table.quorum.chosen(liar, step) is None:
                unsure |= set(table.quorum.helpers(liar)) - table.absence.standing(liar, step).keys()
        return tuple(sorted(unsure - {self._own} - table.convicted.keys()))

    def _knows(self, seat: int, table: Table, chains: Chains) -> bool:
        """Whether a seat has told that it has all of our course, and of nobody anything that we lack."""
        heads = self.reach.get(seat, ())
        return chains.covers(heads, table.number, table.convicted) and not chains.news(heads, table.convicted)
