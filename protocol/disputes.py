"""What a seat does about another one that tells two stories (C18, C25, C41; docs/absence.md).

It keeps both and passes them on, says on which of two answers it has built, and goes on with the one that stands.
"""

from __future__ import annotations

from abc import abstractmethod

from p2puno.said import message_of
from protocol.chains import Equivocation
from protocol.duties import Duties
from protocol.messages import Carry, Entry, Heads
from protocol.offences import Cheat
from protocol.payloads import BESIDE, Payload, Stands
from protocol.quorum import NEITHER
from protocol.signals import Effect, Store
from protocol.table import Table


class Disputes(Duties):
    """A seat's table, and what is in doubt there."""

    def __init__(self, table: Table, seat: int) -> None:
        super().__init__(table, seat)
        self._twins: dict[tuple[int, int], dict[bytes, Entry]] = {}  # two contributions of one seat to one step
        self._stood: set[tuple[int, int]] = set()  # ... on which we have said our word
        self._exposed: list[bytes] = []  # what shows offences: whoever had no link with us then hears it later
        self._effects: list[Effect] = []
        self._quiet = False  # while old entries are read again
        self._over = False

    @abstractmethod
    def _contribute(self, payload: Payload, now: float) -> None:
        """Sign, store, send and take in an entry of our own."""

    @abstractmethod
    def _send(self, message: Carry | Heads, seat: int | None) -> None:
        """Send to a seat, or to all."""

    @abstractmethod
    def _offer(self, entry: Entry, now: float) -> None:
        """Hand an entry to the table."""

    @abstractmethod
    def _accuse(self, cheat: Cheat, now: float) -> None:
        """Somebody was caught."""

    @abstractmethod
    def _rebuild(self, now: float) -> None:
        """Read all entries again."""

    def _convict(self, two: Equivocation, now: float) -> None:
        # Our word first: whoever is killed in between and reads both in its journal would not know on which it built.
        self._dispute(two, now)
        self._expose(two.first.raw, two.second.raw)
        self._accuse(Cheat(two.second.body.seat, message_of(two), two.second.body.step), now)

    def _expose(self, *evidence: bytes) -> None:
        """Keep entries that no chain holds, and pass them on: the others must be able to judge for themselves."""
        self._exposed += [raw for raw in evidence if raw not in self._exposed]
        for raw in evidence:
            if not self._quiet:
                self._effects.append(Store(raw))
                self._send(Carry(raw), None)

    def _dispute(self, two: Equivocation, now: float) -> None:
        """A seat said two things with one number, to one step or to several, or beside any: say of each answer among
        them whether we have built on it."""
        if two.second.body.seat == self.seat:
            return
        answers = [entry for entry in (two.first, two.second) if not isinstance(entry.body.payload, BESIDE)]
        for entry in answers:
            place = entry.body.seat, entry.body.step
            self._twins.setdefault(place, {})[entry.hash] = entry
            self.table.disputed.add(place)
        self._stand_by(now)
        for entry in () if self._quiet else answers:  # all may have had their say before we had the one that stands
            self._settle(entry.body.seat, entry.body.step, now)

    def _stand_by(self, now: float) -> None:
        """Say of every disputed answer whose step has come, if it is on our row, which one we have built on."""
        for seat, step in self._in_doubt():
            self._stand(seat, step, now)

    def _in_doubt(self) -> list[tuple[int, int]]:
        """The disputed answers, by (seat, step), whose step has come and that are on our row."""
        rows = self.table.rows
        return [
            (seat, step)
            for (seat, step), twins in self._twins.items()
            if step < len(rows) and any(rows[step] == twin.body.row for twin in twins.values())
        ]

    def _stand(self, seat: int, step: int, now: float) -> None:
        place, table = (seat, step), self.table
        if not self._quiet and place not in self._stood and self.seat in table.quorum.helpers(seat):
            sound = step < table.number or table.proofs.sound(*place)  # else it will not stand
            self._contribute(Stands(*place, (sound and table.used(*place)) or NEITHER), now)

    def _settle(self, seat: int, step: int, now: float) -> None:
        """All have said on which of two answers they have built: go on with the one that stands."""
        if self._over:
            return  # our result has been told
        chosen = self.table.quorum.chosen(seat, step)
        entry = self._twins.get((seat, step), {}).get(chosen or NEITHER)
        if chosen is None or step > self.table.number or (self.table.used(seat, step) or NEITHER) == chosen:
            return
        if self.table.used(seat, step) is not None or step < self.table.number:
            self._rebuild(now)
        elif entry is not None:
            self._offer(entry, now)
