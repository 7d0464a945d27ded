"""What a seat says by itself, without asking its player: the half of a node that looks at table and clock."""

from __future__ import annotations

import math

from p2puno.moves import Move
from p2puno.needs import Say
from p2puno.view import View, legal, view
from protocol.chains import Chains
from protocol.events import Phase
from protocol.keeper import Keeper
from protocol.messages import Entry
from protocol.moving import DecideStep, WindowStep
from protocol.patience import Patience
from protocol.payloads import Absent, Back, Depart, Leave, Payload, Remove, Welcome
from protocol.table import Table


class Duties:
    """A seat at a table, as far as it needs no player. `Node` feeds it with what comes in."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table = table
        self.seat = seat
        self._chains = Chains(len(table.seats))
        self._keeper: Keeper | None = None
        self._patience = Patience(table.seats, seat)
        self._voted: set[tuple[int, int, bytes]] = set()  # (seat, step, row) that we called absent
        self._returned = -1  # since when we were absent when we last said that we are back
        self._asked = -1  # the step for which the player was asked
        self._window_ends = 0.0
        self._rising = math.inf  # when the player, who wants to get up, goes at the latest

    def view(self) -> View | None:
        """What this seat may see of the running hand; None before its keys are made."""
        return view(self.table.game, self.seat) if self.table.game else None

    def _due(self, now: float) -> Payload | None:
        """What this seat has to say now without asking its player."""
        table = self.table
        departures = table.departures
        if self.seat in departures.gone:
            return None
        if self.seat in table.absence.since:
            since = table.absence.since[self.seat]
            if self._returned == since:
                return None
            self._returned = since
            return Back(since, max(0, self._chains.last_answer(self.seat)))
        if self.seat not in table.present:
            return None
        heard = self.seat in table.heard
        if self._rising < math.inf and not heard and departures.settled(self.seat):
            return self._keeper.leave() if self._keeper else Leave((), b"", b"", ())
        if departures.clerk == self.seat and (leave := self._leaving()) is not None:
            return Depart(leave.raw)
        overdue = self._overdue(now)
        if overdue is not None:
            return Absent(overdue)
        if self.seat not in table.waiting:
            return None
        return self._prelude(now) or self._automatic(now)

    def _leaving(self) -> Entry | None:
        """The leave by which the running step must end, if it is for us to say. What the leaver owes must not be known
        or taken for absent: that is for all to decide."""
        table = self.table
        for seat in table.departures.owing:
            leave, _ = table.departures.leaves[seat]
            open_otherwise = (seat, table.number) in table.disputed or (seat, table.number, table.row) in self._voted
            if not open_otherwise and not table.departures.has_said(self.seat, table.number, leave):
                return leave
        return None

    def _overdue(self, now: float) -> int | None:
        """A seat whose contribution is overdue by our clock, if it matters that we say so."""
        table = self.table
        if table.phase is Phase.AGREE or self.seat not in table.present:
            return None
        pair = len(table.present) == 2 and table.number >= table.cards_since
        if not (table.quorum.tolerates or pair or table.quorum.restarts):
            return None
        if any((seat, table.number, table.row) in self._voted for seat in table.waiting):
            return None  # two at once could each be called absent by all, and nobody would know who is
        for seat in table.waiting:
            late = seat != self.seat
            if late and now >= self._patience.limit(table, seat):
                return seat
        return None

    def _prelude(self, now: float) -> Payload | None:
        """Before our move: who is to be removed, and who is back."""
        table = self.table
        if not isinstance(table.step, DecideStep):
            return None
        back = [entry for entry in table.absence.returning(table.number) if entry.body.seat not in table.convicted]
        returning = {entry.body.seat for entry in back} | table.quorum.welcomed.keys()  # who is here in time stays
        for seat in table.present:
            away = seat not in returning and self._patience.removable(table, seat, now)
            if seat != self.seat and (seat in table.convicted or away) and table.quorum.removable(seat):
                return Remove(seat)
        for entry in back:
            if entry.body.seat not in table.quorum.welcomed:
                return Welcome(entry.raw)
        return None

    def _automatic(self, now: float) -> Payload | None:
        step = self.table.step
        if self._keeper is None:
            return None
        if step.automatic:
            return self._keeper.contribute(step)
        if isinstance(step, DecideStep) and now >= self._patience.own_limit(self.table, self.seat):
            return self._keeper.move(self._default())
        if not isinstance(step, WindowStep) or self._asked != self.table.number:
            return None
        # A call or a catch settles it; else the window's time does (R61).
        settled = {Say.CALL, Say.CATCH} & set(self.table.heard.values())
        if not settled and now < self._window_ends:
            return None
        return Keeper.say(Say.SILENT if step.about == self.seat else Say.PASS)

    def _default(self) -> Move:
        """What is done for a player whose time is over: what would be done if it was absent, or the first legal move
        where that would open hidden cards."""
        game, seen = self.table.game, self.view()
        assert game is not None
        assert seen is not None
        try:
            move = game.default(game.need)
        except LookupError:
            return legal(seen)[0]
        assert isinstance(move, Move)
        return move
