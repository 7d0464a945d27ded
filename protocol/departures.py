"""Seats that leave a table for good: politely, after an absence, or after a proof of cheating (R56, CRYPTO 5.8).

All three are one operation between two needs: the key of the seat comes off the stock, by its own shares or by those of
all others out of escrow, the rules go on without it, and whoever stays deals a new escrow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from p2puno.happenings import Happening
from p2puno.needs import Ask, Decide, Over
from p2puno.said import said
from protocol.dealing import BoxStep, HelpStep, StripStep
from protocol.deck import Held, Stock
from protocol.group import Point
from protocol.messages import Entry
from protocol.offences import Cheat
from protocol.payloads import Depart, Leave
from protocol.proofs.batch import BadProof, require
from protocol.proofs.dleq import ShareProof, check_shares, shares_from_bytes
from protocol.step import Step
from protocol.steps import ShuffleStep

if TYPE_CHECKING:
    from protocol.table import Table


class Departures:
    """Who has got up, who is gone, and what that does to the table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.gone: set[int] = set()
        self.leaves: dict[int, tuple[Entry, Leave]] = {}  # of seats that got up
        self.words: list[Entry] = []  # the clerk's, that came before the leave that they name

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

    def settled(self, seat: int) -> bool:
        """Whether the stock of a dealt hand is sure to stay as it is without this seat: no pile is shuffled, and nobody
        else looks at cards that go back to it."""
        table = self.table
        need = table.step.need
        looking = isinstance(need, Decide) and need.ask in (Ask.ORDER, Ask.SWAP) and need.seat != seat
        unsettled = looking or isinstance(table.step, ShuffleStep | StripStep)
        return not table.dealt or not unsettled

    # -- leaving politely ----------------------------------------------------------------------------------------------

    def due(self) -> tuple[int, Entry] | None:
        """The seat that departs now, with the clerk's word, if both are here.

        :raises Cheat: the clerk names a seat that owes nothing
        """
        for entry in self.words:
            body = entry.body
            assert isinstance(body.payload, Depart)
            seat = body.payload.seat
            if body.seat != self.clerk or seat not in self.leaves:
                continue  # what the clerk knows will come here too
            if seat in self.table.heard:
                continue  # it told the clerk another story than us: no fault of the clerk's
            if seat not in self.owing:
                self.words.remove(entry)
                raise Cheat(
                    body.seat,
                    said("lets {name} depart, which owes nothing", name=self.table.names[seat]),
                    self.table.number,
                )
            return seat, entry
        return None

    def depart(self, seat: int) -> tuple[list[Happening], Step | None]:
        """Go on without a seat that got up; returns what people see, and the step that must follow, if not the one that
        comes after any departure.

        :raises BadProof: its leave does not give what it must (C41); nothing has changed
        """
        table = self.table
        if not table.dealt:
            return self.without(seat), None
        assert table.cards is not None
        shares = self._farewell(seat)
        silent = next((other for other in table.present if other in table.absence.since), -1)
        given = self._help(seat, silent) if silent >= 0 else {}
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

    def _farewell(self, seat: int) -> dict[int, Point]:
        """The verified shares of a leaver by slot.

        :raises BadProof: shares are missing or wrong
        """
        table = self.table
        assert table.cards is not None
        entry, leave = self.leaves[seat]
        if not set(self.slots(seat)) <= set(leave.slots) or len(set(leave.slots)) != len(leave.slots):
            raise BadProof(said("it does not give its shares of every card"))
        if not leave.slots:
            return {}
        firsts = self._firsts(seat, leave.slots)
        shares = shares_from_bytes(leave.shares, len(firsts))
        context = table.context(seat, "leave", entry.body.step)
        require(check_shares(context, table.cards.key(seat), firsts, shares, ShareProof.from_bytes(leave.proof)))
        return dict(zip(leave.slots, shares, strict=True))

    def _firsts(self, seat: int, slots: tuple[int, ...]) -> list[Point]:
        cards = self.table.cards
        assert cards is not None
        firsts = []
        for slot in slots:
            form = cards.forms[slot] if slot < len(cards.forms) else None
            if not (isinstance(form, Stock) or (isinstance(form, Held) and form.seat == seat)):
                raise BadProof(said("no share of slot {slot} is due", slot=slot))
            firsts.append(form.a)
        return firsts

    def _help(self, seat: int, silent: int) -> dict[int, Point]:
        """By slot, the leaver's verified part, out of escrow, of the shares of a silent seat.

        :raises BadProof: it is wrong
        """
        entry, leave = self.leaves[seat]
        for helping in leave.help:
            if helping.seat == silent and helping.slots and self.table.escrow is not None:
                firsts = self._firsts(silent, helping.slots)
                given = HelpStep.check(self.table, seat, silent, firsts, helping.shares, helping.proof, entry.body.step)
                require(given[1])
                return dict(zip(helping.slots, given[0], strict=True))
        return {}

    # -- what all departures have in common ----------------------------------------------------------------------------

    def slots(self, seat: int) -> list[int]:
        """The slots of which a departing seat's shares are needed: the stock, and its hand where the rules count it."""
        table = self.table
        assert table.cards is not None
        counted = table.cards.hand(seat) if table.rules.family == "classic" else []
        return sorted([*table.cards.stock(), *counted])

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
        table.drop_proofs()
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
