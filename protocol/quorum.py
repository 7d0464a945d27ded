"""What the seats decide about each other: who is absent, who is back, who is taken off the table, who departs.

Each of these needs the word of all, of the seat that must move, or of the clerk, so that all seats do it in the same
step. `Absence` keeps the votes, `Departures` does what a departure takes.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from p2puno.said import message_of, said
from protocol.dealing import StripStep
from protocol.escrow import FEWEST
from protocol.events import Phase
from protocol.messages import Entry, Malformed, open_entry
from protocol.offences import Cheat
from protocol.payloads import Absent, Have, Remove, Stands, Welcome
from protocol.proofs.batch import BadProof

if TYPE_CHECKING:
    from protocol.departures import Word
    from protocol.step import Done
    from protocol.table import Table


NEITHER = bytes(32)
"""The hash that stands for no entry."""


class Quorum:
    """The decisions of one table about its seats."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.welcomed: dict[int, bytes] = {}  # who is back with the end of the running step: by which entry
        self.final = False  # whether no word can come any more: who reads a file goes by those that are in it
        self._removals: list[Entry] = []  # of seats that the others know to have cheated

    # -- whom the others can do without --------------------------------------------------------------------------------

    @property
    def tolerates(self) -> bool:
        """Whether a silent seat can become absent now: an escrow holds, and nobody else here is absent."""
        return self.table.escrow is not None and not self.table.absence.since.keys() & set(self.table.present)

    @property
    def restarts(self) -> bool:
        """Whether the hand begins anew without a seat that falls silent or cheats now: nobody has seen a card yet, or
        after a departure no escrow holds until the last new pledge, so that its cards could not be opened."""
        table = self.table
        setting_up = not table.dealt and table.phase is not Phase.AGREE
        return len(table.present) >= FEWEST and table.escrow is None and (setting_up or table.escrowed)

    def helpers(self, seat: int) -> tuple[int, ...]:
        """The seats that help out for another one."""
        table = self.table
        return tuple(other for other in table.present if other != seat and other not in table.absence.since)

    def goes_on_without(self, seat: int) -> bool:
        """Whether the others can end the hand without a seat that was caught cheating."""
        table = self.table
        if seat in table.departures.gone:
            return True
        others = [other for other in table.present if other != seat]
        free = not table.dealt or table.escrow is not None or self.restarts or seat not in table.present
        return len(others) >= FEWEST - 1 and free

    # -- who is absent ------------------------------------------------------------------------------------------------

    def vote(self, entry: Entry) -> list[Done]:
        """Take the word of a seat that another one is absent.

        :raises Cheat: no honest seat can say that
        """
        table, body = self.table, entry.body
        assert isinstance(body.payload, Absent)
        table.absence.vote(entry)
        self.check(entry)
        seat = body.payload.seat
        if body.step < table.number or seat in table.heard:
            if (seat, body.step) not in table.absence.missed and self.certain(seat, body.step):
                table.absence.overruled.add((seat, body.step))
            return []
        return [*table.advance(), *self.depart()] if body.step == table.number else []

    def check(self, entry: Entry) -> None:
        """Whether an honest seat can sign this vote or have.

        :raises Cheat: it cannot
        """
        table, body = self.table, entry.body
        assert isinstance(body.payload, Absent | Have)
        seat = body.payload.seat
        if seat == body.seat or seat not in table.seats:
            raise Cheat(body.seat, said("votes about no other seat"), body.step)
        if table.absence.both(entry, table.rows):
            raise Cheat(
                body.seat,
                said("says that it has what {name} owed, and that it has not", name=table.names[seat]),
                body.step,
            )

    def certain(self, seat: int, step: int, foreseen: bool = False) -> bool:
        """Whether all who can judge call a seat absent in a step, or are known to do so later; never in the agreement,
        and of two not before there were cards to run away from."""
        table = self.table
        if not step or (len(table.present) < FEWEST and step < table.cards_since):
            return False
        if table.absence.since.keys() & set(table.present) - {seat}:
            return False  # one at a time
        voters = table.absence.voters(seat, step, table.rows[step], foreseen)
        judges = self.helpers(seat) if voters else ()
        return bool(judges) and set(judges) <= voters

    def silence(self, done: list[Done]) -> bool:
        """Do what follows from a full set of votes about a seat that the running step waits for; whether anything
        did."""
        table = self.table
        for seat in table.waiting:
            if not self.certain(seat, table.number):
                continue
            if self.tolerates:
                table.absence.since[seat] = table.number
                return True
            if len(table.present) < FEWEST:  # of two, the one who owes forfeits
                table.absence.forfeits.add((seat, table.number))
                happenings = table.departures.without(seat)
                done.append(table.cut([absence_hash(seat)], table.departures.after, happenings))
                return True
            if self.restarts:  # C06
                table.absence.since[seat] = table.number
                done.append(table.cut([absence_hash(seat)], lambda: table.begin_hand(table.hand)))
                return True
        return False

    def welcome(self, entry: Entry) -> list[Done]:
        """Before its move a seat says who is back.

        :raises Cheat: nobody is, by that entry (C39)
        """
        table = self.table
        assert isinstance(entry.body.payload, Welcome)
        try:
            back = open_entry(entry.body.payload.entry)
        except Malformed as bad:
            raise Cheat(
                entry.body.seat, said("welcomes what is no entry: {reason}", reason=message_of(bad)), table.number
            ) from None
        seat = back.body.seat
        known = seat in table.seats and back.author == table.roster[seat].key and back.body.table == table.id
        if not known or not table.absence.is_back(back, table.number):
            raise Cheat(entry.body.seat, said("welcomes nobody who is back"), table.number)
        self.welcomed[seat] = entry.hash
        return []

    def words(self) -> list[bytes]:
        """What the welcomes add to the row."""
        return [self.welcomed[seat] for seat in sorted(self.welcomed)]

    def settle(self) -> list[bytes]:
        """With the end of a step: whoever was welcomed is no longer absent. What that adds to the row."""
        words = self.words()
        for seat in self.welcomed:
            self.table.absence.since.pop(seat, None)
        self.welcomed = {}
        return words

    # -- what stands --------------------------------------------------------------------------------------------------

    def chosen(self, seat: int, step: int) -> bytes | None:
        """Of several contributions of a seat to one step the one that stands, by the word of all others (C18, C25):
        most have built on it, of equals the one with the lowest hash; 32 zero bytes if none has, or if it departed in
        that step. None while that is open."""
        if (seat, step) in self.table.departures.parted:
            return NEITHER
        words = self.table.absence.standing(seat, step)
        judges = self.helpers(seat)
        if not judges or not (set(judges) <= words.keys() or (words and self.final)):
            return None
        counts = Counter(word for judge in judges if (word := words.get(judge, NEITHER)) != NEITHER)
        return min(counts, key=lambda entry: (-counts[entry], entry), default=NEITHER)

    def stand(self, entry: Entry) -> None:
        """Take the word of a seat which of two contributions it has built on.

        :raises Cheat: no honest seat can say that
        """
        table, payload = self.table, entry.body.payload
        assert isinstance(payload, Stands)
        if payload.seat == entry.body.seat or payload.seat not in table.seats:
            raise Cheat(entry.body.seat, said("votes about no other seat"), entry.body.step)
        table.absence.stand(entry)

    def expose(self, cheat: Cheat) -> list[Done]:
        """A complaint has shown that a seat dealt badly (C07). Who complains has done its part; the hand begins anew
        without the dealer."""
        table = self.table
        table.found.append(cheat)
        if not self.restarts:
            return []
        table.absence.since[cheat.seat] = table.number
        return [table.cut([absence_hash(cheat.seat)], lambda: table.begin_hand(table.hand)), *table.advance()]

    # -- who goes -----------------------------------------------------------------------------------------------------

    def convict(self, cheat: Cheat) -> list[Done]:
        """Know that a seat cheated: whoever must decide may remove it now."""
        self.table.convicted.setdefault(cheat.seat, cheat)
        waiting, self._removals = self._removals, []
        for entry in waiting:
            if entry.body.step == self.table.number:
                return self.remove(entry)
        return []

    def removable(self, seat: int) -> bool:
        """Whether enough seats are here to compute the shares of this one out of escrow: all others."""
        table = self.table
        away = table.absence.since.keys() & set(table.present)
        return seat in table.present and table.escrow is not None and away <= {seat}

    def remove(self, entry: Entry) -> list[Done]:
        """Instead of its move a seat has another one removed.

        :raises Cheat: that one cannot be removed
        """
        table = self.table
        assert isinstance(entry.body.payload, Remove)
        seat = entry.body.payload.seat
        if seat == entry.body.seat or not self.removable(seat):
            raise Cheat(entry.body.seat, said("removes nobody who can be removed"), table.number)
        if seat not in table.absence.since and seat not in table.convicted:
            self._removals.append(entry)  # its author must serve what proves it (docs/absence.md)
            return []
        table.absence.since.setdefault(seat, table.number)  # all others are needed now, so none of them can be absent
        done = table.cut([entry.hash], lambda: StripStep(table, seat, table.departures.slots(seat)))
        return [done, *table.advance()]

    def let_go(self, word: Word) -> list[Done]:
        """Do what the clerk's word that somebody departs comes to.

        :raises Cheat: no honest clerk can say that
        """
        table, body, seat = self.table, word.entry.body, word.leave.body.seat
        if body.step < table.number:
            if table.used(seat, body.step) is not None:
                table.departures.overruled.add(word.entry.hash)
            return []
        if table.departures.word() is word and seat not in table.step.authors:
            nothing = said("lets {name} depart, which owes nothing", name=table.names[seat])
            raise Cheat(body.seat, nothing, table.number)
        return self.depart()

    def depart(self) -> list[Done]:
        """End the running step by the departure that the clerk named, if its word is here."""
        table, departures = self.table, self.table.departures
        word = departures.due()
        if word is None:
            return []
        seat = word.leave.body.seat
        try:
            happenings, follow = departures.depart(word)
        except BadProof as bad:  # it stays, as one that was caught
            wrongly = said("leaves wrongly: {reason}", reason=message_of(bad))
            table.found.append(Cheat(seat, wrongly, word.leave.body.step))
            return []
        table.forget(seat)
        hashes = [word.leave.hash, word.entry.hash]
        return [table.cut(hashes, lambda: follow or departures.after(), happenings), *table.advance()]


def absence_hash(seat: int) -> bytes:
    """What stands in the row in the place of an entry that did not come."""
    return hashlib.sha256(b"p2puno/1 absent\x00" + bytes((seat,))).digest()
