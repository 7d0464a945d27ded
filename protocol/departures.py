"""Seats that leave a table for good: politely, after an absence, or after a proof of cheating (R56;
docs/absence.md).

All three are one operation between two needs: the key of the seat comes off the stock, by its own shares or by those of
all others out of escrow, the rules go on without it, and whoever stays deals a new escrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2puno.happenings import Happening
from p2puno.needs import Ask, Decide, Over
from p2puno.said import Said, message_of, said
from protocol.dealing import BoxStep, HelpStep, StripStep
from protocol.deck import Form, Held, Stock
from protocol.events import Phase
from protocol.group import Point
from protocol.messages import Entry, Malformed, open_entry
from protocol.offences import Cheat
from protocol.payloads import Depart, Leave
from protocol.proofs.batch import BadProof, require
from protocol.proofs.dleq import ShareProof, check_shares, shares_from_bytes
from protocol.step import Step
from protocol.steps import ShuffleStep

if TYPE_CHECKING:
    from protocol.table import Table


@dataclass(frozen=True, slots=True)
class Word:
    """A clerk's word (`entry`) that a step ends by a leave, which it brings along."""

    entry: Entry
    leave: Entry
    payload: Leave


class Departures:
    """Who has got up, who is gone, and what that does to the table.

    `overruled`: words for a step that we had completed with what their leaver contributed to it. It told the clerk
    another story than us, and the clerk's word stands: whoever had gone on reads everything again.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.gone: set[int] = set()
        self.parted: set[tuple[int, int]] = set()  # (seat, step) of departures by a leave
        self.leaves: dict[int, tuple[Entry, Leave]] = {}  # of seats that got up
        self.overruled: set[bytes] = set()
        self._words: dict[int, list[Word]] = {}  # by step, as they came
        self._foreseen: dict[int, list[Word]] = {}  # ... in what is read again
        self._rising: dict[int, int] = {}  # seats that get up in what is read again, with the step of their leave
        self._wrong: set[bytes] = set()  # leaves that do not give what they must

    @property
    def clerk(self) -> int:
        """The seat that says who departs: the first that has not got up and is not absent; -1 if there is none. One
        seat's word, so that all take departures in the same order."""
        table = self.table
        here = (seat for seat in table.present if seat not in self.leaves and seat not in table.absence.since)
        return next(here, -1)

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that got up and owe the running step a contribution: it ends by their departure."""
        return tuple(seat for seat in self.table.waiting if seat in self.leaves)

    @property
    def abandoned(self) -> tuple[int, ...]:
        """The seats that owe something and got up before there was a match that could go on or be forfeited."""
        table = self.table
        begun = table.phase is not Phase.AGREE and (table.match is not None or len(table.present) > 2)
        return () if begun and self.clerk >= 0 else self.owing

    def settled(self, seat: int) -> bool:
        """Whether the stock of a dealt hand is sure to stay as it is without this seat: no pile is shuffled, and nobody
        else looks at cards that go back to it."""
        table = self.table
        need = table.step.need
        looking = isinstance(need, Decide) and need.ask in (Ask.ORDER, Ask.SWAP) and need.seat != seat
        unsettled = looking or isinstance(table.step, ShuffleStep | StripStep)
        return not table.dealt or not unsettled

    # -- leaving politely ----------------------------------------------------------------------------------------------

    def hear(self, entry: Entry) -> Word:
        """Take the word of a clerk.

        :raises Cheat: what it brings is no leave of another seat that it could have had (C41), or it says so again
        """
        word, body = self._read(entry), entry.body
        if isinstance(word, Said):
            raise Cheat(body.seat, word, body.step)
        if self.has_said(body.seat, body.step, word.leave):
            raise Cheat(body.seat, said("lets somebody depart twice"), body.step)
        self._words.setdefault(body.step, []).append(word)
        self.leaves.setdefault(word.leave.body.seat, (word.leave, word.payload))
        return word

    def has_said(self, clerk: int, step: int, leave: Entry) -> bool:
        """Whether a seat has said in this step of our row that it ends by this leave."""
        words = self._words.get(step, ())
        return any(word.entry.body.seat == clerk and word.leave.hash == leave.hash for word in words)

    def _read(self, entry: Entry) -> Word | Said:
        """The word in an entry; or what is wrong with it."""
        table, step = self.table, entry.body.step
        assert isinstance(entry.body.payload, Depart)
        try:
            leave = open_entry(entry.body.payload.entry)
        except Malformed as bad:
            return said("lets somebody depart by what is no entry: {reason}", reason=message_of(bad))
        body = leave.body
        known = body.seat in table.seats and leave.author == table.roster[body.seat].key and body.table == table.id
        if not known or body.seat == entry.body.seat or not isinstance(body.payload, Leave):
            return said("lets somebody depart by what is no leave of another seat")
        if body.step > step or (body.step < len(table.rows) and table.rows[body.step] != body.row):
            return said("lets somebody depart by a leave from elsewhere")
        return Word(entry, leave, body.payload)

    def preload(self, entries: Iterable[Entry]) -> None:
        """Know the words before they come: who reads a table again must not go on by what a leaver told only some of
        the others."""
        for entry in entries:
            if isinstance(entry.body.payload, Leave):
                self._rising.setdefault(entry.body.seat, entry.body.step)
            elif isinstance(entry.body.payload, Depart) and isinstance(word := self._read(entry), Word):
                self._foreseen.setdefault(entry.body.step, []).append(word)
                self._rising.setdefault(word.leave.body.seat, word.leave.body.step)

    def word(self, foreseen: bool = False) -> Word | None:
        """The word that ends the running step, of the first seat that can speak; with `foreseen` also one that comes
        later in what is read again. None if that seat has not spoken."""
        table = self.table
        words = self._words.get(table.number, []) + (self._foreseen.get(table.number, []) if foreseen else [])
        if not words:
            return None
        rising = [seat for seat, step in self._rising.items() if foreseen and step <= table.number]
        leavers = {*self.leaves, *rising}
        for seat in table.present:
            for word in words:
                body = word.entry.body
                if body.seat == seat and body.row == table.row and word.leave.hash not in self._wrong:
                    return word
            absent = seat in table.absence.since or (foreseen and table.quorum.certain(seat, table.number, True))
            if seat not in leavers and not absent:
                return None
        return None

    def foretold(self, seat: int) -> bool:
        """Whether the running step is known to end by the departure of a seat, so that its contribution does not
        count."""
        word = self.word(foreseen=True)
        if word is None or word.leave.body.seat != seat:
            return False
        try:
            if self.table.dealt:
                self.farewell(word)
        except BadProof:
            return False
        return True

    def due(self) -> Word | None:
        """The word by which somebody departs now."""
        word = self.word()
        return word if word is not None and word.leave.body.seat in self.table.step.authors else None

    def depart(self, word: Word) -> tuple[list[Happening], Step | None]:
        """Go on without a seat that got up; returns what people see, and the step that must follow, if not the one that
        comes after any departure.

        :raises BadProof: its leave does not give what it must (C41); nothing has changed but that it does not count
        """
        table, seat = self.table, word.leave.body.seat
        if not table.dealt:
            self.parted.add((seat, table.number))
            return self.without(seat), None
        assert table.cards is not None
        try:
            shares = self.farewell(word)
            silent = next((other for other in table.present if other in table.absence.since), -1)
            given = self._help(word, silent) if silent >= 0 else {}
        except BadProof:
            self._wrong.add(word.leave.hash)
            self.leaves.pop(seat, None)
            raise
        self.parted.add((seat, table.number))
        if isinstance(table.step, ShuffleStep):  # it begins anew, without the leaver
            table.step.restore()
        table.cards.strip(seat, shares)
        happenings = self.without(seat)
        if silent < 0 or isinstance(table.need, Over):
            return happenings, None
        slots = self.slots(silent)
        if not set(slots) <= given.keys():  # it became absent since: nobody can stand in for it, so it is waited for
            del table.absence.since[silent]
            return happenings, None
        return happenings, StripStep(table, silent, slots, {seat: [given[slot] for slot in sorted(slots)]})

    def farewell(self, word: Word) -> dict[int, Point]:
        """The verified shares of a leaver by slot.

        :raises BadProof: shares are missing or wrong
        """
        table = self.table
        assert table.cards is not None
        seat, leave = word.leave.body.seat, word.payload
        if not set(self.slots(seat)) <= set(leave.slots) or len(set(leave.slots)) != len(leave.slots):
            raise BadProof(said("it does not give its shares of every card"))
        if not leave.slots:
            return {}
        firsts = self._firsts(seat, leave.slots)
        shares = shares_from_bytes(leave.shares, len(firsts))
        context = table.context(seat, "leave", word.leave.body.step)
        require(check_shares(context, table.cards.key(seat), firsts, shares, ShareProof.from_bytes(leave.proof)))
        return dict(zip(leave.slots, shares, strict=True))

    def _firsts(self, seat: int, slots: tuple[int, ...]) -> list[Point]:
        forms = self._forms()
        firsts = []
        for slot in slots:
            form = forms[slot] if slot < len(forms) else None
            if not (isinstance(form, Stock) or (isinstance(form, Held) and form.seat == seat)):
                raise BadProof(said("no share of slot {slot} is due", slot=slot))
            firsts.append(form.a)
        return firsts

    def _help(self, word: Word, silent: int) -> dict[int, Point]:
        """By slot, the leaver's verified part, out of escrow, of the shares of a silent seat.

        :raises BadProof: it is wrong
        """
        body = word.leave.body
        for helping in word.payload.help:
            if helping.seat == silent and helping.slots and self.table.escrow is not None:
                firsts = self._firsts(silent, helping.slots)
                given = HelpStep.check(self.table, body.seat, silent, firsts, helping.shares, helping.proof, body.step)
                require(given[1])
                return dict(zip(helping.slots, given[0], strict=True))
        return {}

    # -- what all departures have in common ----------------------------------------------------------------------------

    def slots(self, seat: int) -> list[int]:
        """The slots of which a departing seat's shares are needed: the stock, and its hand where the rules count it."""
        counted = seat if self.table.rules.family == "classic" else -1
        return [
            slot
            for slot, form in enumerate(self._forms())
            if isinstance(form, Stock) or (isinstance(form, Held) and form.seat == counted)
        ]

    def firsts(self, seat: int) -> list[Point]:
        """The first halves of these slots."""
        return self._firsts(seat, tuple(self.slots(seat)))

    def _forms(self) -> list[Form]:
        """Every slot in its form; a pile that is being shuffled as it was before, as it will be after a departure."""
        table = self.table
        assert table.cards is not None
        if not isinstance(table.step, ShuffleStep):
            return table.cards.forms
        return [table.step.before.get(slot, form) for slot, form in enumerate(table.cards.forms)]

    def stripped(self, seat: int, shares: Mapping[int, Point]) -> list[Happening]:
        """Take a seat off the table by the shares that the others computed for it."""
        assert self.table.cards is not None
        self.table.cards.strip(seat, shares)
        return self.without(seat)

    def without(self, seat: int) -> list[Happening]:
        """Let the rules and the match go on without a seat."""
        table = self.table
        happenings: list[Happening] = []
        over = isinstance(table.need, Over)
        if seat in table.present:
            table.present.remove(seat)
            if table.game is not None and table.dealt and table.game.plays(seat) and not over:
                happenings = table.game.leave(seat)  # who was eliminated only had shares to give
        self.gone.add(seat)
        table.absence.since.pop(seat, None)
        table.proofs.drop_pile()
        if table.match is not None and not isinstance(table.need, Over):  # else the outcome says who forfeits
            table.match.leave(seat)
        return happenings

    def after(self) -> Step:
        """The step after a departure."""
        table = self.table
        if table.match is not None and table.match.over and not isinstance(table.need, Over):
            table.close()
            return table.step
        if not table.dealt:
            return table.begin_hand(table.hand)
        table.escrow = None
        if table.escrowed and not isinstance(table.need, Over):
            table.epoch += 1
            return BoxStep(table, table.epoch)
        return table.needed()
