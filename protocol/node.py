"""A peer at a table, without sockets, clock or tasks: `handle(event, now)` gives effects (signals.py).

The node checks and orders what comes in (`Chains`), offers it to the `Table`, and contributes for its own seat by the
`Keeper`. Every entry is stored before it is sent. Times are seconds of any one clock.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterable, Mapping

from p2puno.moves import Move, MoveError, Play
from p2puno.needs import Decide, Say, Window
from p2puno.said import AND, joined, said
from protocol import events as tell
from protocol.chains import Equivocation
from protocol.ending import Ending
from protocol.events import Phase
from protocol.identity import Identity
from protocol.intake import Intake
from protocol.keeper import Keeper
from protocol.messages import (
    Body,
    Carry,
    Charter,
    Heads,
    Malformed,
    decode_frame,
    encode,
    sign_entry,
)
from protocol.moving import WindowStep
from protocol.payloads import Agree, Leave, Payload
from protocol.signals import (
    Close,
    Decided,
    Effect,
    Event,
    Forget,
    LinkDown,
    LinkUp,
    Received,
    Rising,
    Send,
    Spoken,
    Store,
    Tell,
    Tick,
    Wake,
    Waste,
)
from protocol.table import Table

LINGER = 3.0
"""Seconds that a closed table waits for the others to have everything."""
PATIENCE = 4.0
"""Seconds that somebody who gets up waits for a good moment."""
STALL = 5.0
"""Seconds without progress after which a node tells how far it knows all chains: what one pair of seats cannot bring
across comes by the others."""
BRIDGE = 0.5
"""The same while it waits for a seat to which it has no link."""
REJOIN = 3.0
"""Seconds in which a node that starts again asks for its own last entries before it signs anything; less, if all others
have told."""
VOID = said("the hand cannot go on, as nobody can stand in for a seat: it counts for nothing and begins anew")
"""What is told when a hand that was dealt begins anew."""
MOST_AT_ONCE = 4_000_000
"""Bytes of entries after which an answer to heads breaks off; whoever wants more asks again."""


class Node(Intake):
    """One seat's peer at one table."""

    def __init__(
        self,
        identity: Identity,
        charter: Charter,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        seeds: Mapping[bytes, bytes] | None = None,
    ) -> None:
        """`random_bytes`: where all secrets come from; another source than the system's is for simulations only.
        `seeds`: what an earlier run `Remember`ed, by session id.

        :raises ValueError: the identity has no seat in the charter, or its rules are unknown here
        """
        table = Table(charter)
        seat = next((i for i, place in enumerate(charter.roster) if place.key == identity.public), -1)
        if seat < 0:
            raise ValueError(said("this identity has no seat at the table"))
        super().__init__(table, seat, random_bytes, seeds or {})
        self._identity = identity
        self._listening = False  # started again, and not yet sure to know all that we signed
        self._rejoin = 0.0  # when that is over
        self._told_phase = b""  # the session whose beginning was told
        self._dealt = 0  # the hand whose cards are dealt
        self._moved = 0.0  # when the table last made progress
        self._stall_at = 0.0  # when to look whether it did
        self._look_at = math.inf  # when to look next whether somebody is overdue
        self._ending = Ending(seat)
        self._closed_at = 0.0
        self.began = 0.0
        self.setup_seconds = 0.0  # from the start to the first move of the first hand

    # -- for the face -------------------------------------------------------------------------------------------------

    @property
    def my_turn(self) -> bool:
        """Whether the player has something to decide or to say now."""
        waited_for = not self._over and self.seat in self.table.waiting and not self.table.step.automatic
        return waited_for and not self._listening

    @property
    def deadline(self) -> float:
        """When the time of the seat that must decide is over, on the clock of `handle`; inf without a limit."""
        return self._patience.own_limit(self.table, min(self.table.waiting, default=-1))

    # -- events -------------------------------------------------------------------------------------------------------

    def start(self, now: float) -> list[Effect]:
        """Sign the charter and begin. Others that are not linked yet count as absent from now on."""
        self._begin(now)
        self._tell(tell.PhaseChanged(Phase.AGREE))
        self._contribute(Agree(self._random_bytes(32)), now)
        return self._go_on(now)

    def resume(self, entries: Iterable[bytes], now: float) -> list[Effect]:
        """Begin where an earlier run ended, with the entries of its journal."""
        self.recall(entries)
        return self.rejoin(now)

    def recall(self, entries: Iterable[bytes]) -> int:
        """Read the journal of an earlier run: the long half of `resume`, which needs no clock. Returns how many entries
        it has before what is none of this table, as the file was damaged there."""
        self._quiet = True
        good = 0
        for raw in entries:
            if not self._entry(raw, 0.0):
                break
            good += 1
        self._quiet = False
        self._rebuild(0.0)
        return good

    def rejoin(self, now: float) -> list[Effect]:
        """Go on after `recall`. Nothing is signed before the others had time to tell how far they know our own entries:
        what we forgot we would sign again, and otherwise."""
        self._begin(now)
        self._listening, self._rejoin = True, now + REJOIN
        if not any(entry.body.seat == self.seat for entry in self._chains.all()):
            self._contribute(Agree(self._random_bytes(32)), now)
        self._wake(self._rejoin)
        self._tell(tell.PhaseChanged(self.table.phase, self.table.hand, back=True))
        return self._go_on(now)

    def _begin(self, now: float) -> None:
        self.began = self._moved = self._patience.began = now
        self._patience.down = dict.fromkeys(self._patience.down, now)
        self._stall_at = now + STALL
        self._wake(self._stall_at)

    def handle(self, event: Event, now: float) -> list[Effect]:
        """Take an event at time `now`; returns the effects in the order in which they must be done.

        :raises MoveError: a `Decided` or `Spoken` that cannot stand; nothing was signed
        """
        match event:
            case Received(seat, frame):
                self._received(seat, frame, now)
            case LinkUp(seat):
                self._patience.down.pop(seat, None)
                self._tell(tell.LinkChanged(seat, True))
                self._send(self._heads(), seat)
                for raw in self._exposed if seat not in self.table.convicted else ():
                    self._send(Carry(raw), seat)
            case LinkDown(seat, reason):
                self._patience.down.setdefault(seat, now)
                self._stall_at = min(self._stall_at, now + BRIDGE)
                self._wake(self._stall_at)
                self._tell(tell.LinkChanged(seat, False, reason))
            case Decided(move):
                self._decided(move, now)
            case Spoken(say):
                self._spoken(say, now)
            case Rising():
                self._rising = min(self._rising, now + PATIENCE)
                self._wake(self._rising)
            case Tick():
                self._stalled(now)
        return self._go_on(now)

    def _received(self, seat: int, frame: bytes, now: float) -> None:
        try:
            message = decode_frame(frame)
        except Malformed:
            self._effects.append(Waste(seat, len(frame)))
            return
        if isinstance(message, Heads) and message.table == self.table.id:
            self._ending.reach[seat] = message.heads
            size = 0
            for entry in self._chains.lacking(message.heads):
                if size > MOST_AT_ONCE:  # our heads make it ask for the rest
                    self._send(self._heads(), seat)
                    break
                self._send(Carry(entry.raw), seat)
                size += len(entry.raw)
            if self._chains.news(message.heads, self.table.convicted) and not self._over:
                self._send(self._heads(), seat)
        elif isinstance(message, Carry) and not self._entry(message.entry, now):
            self._effects.append(Waste(seat, len(frame)))

    # -- the player ---------------------------------------------------------------------------------------------------

    def _decided(self, move: Move, now: float) -> None:
        need = self.table.step.need
        if not isinstance(need, Decide) or not self.my_turn or self._keeper is None:
            raise MoveError(said("it is not your turn"), "R11")
        seen = self.view()
        assert seen is not None
        # A trial on a copy: what the engine refuses is never signed.
        assert self.table.game is not None
        self.table.game.copy().apply(move)
        if isinstance(move, Play) and (move.slot, move.face) not in seen.hand:
            raise MoveError(said("you do not hold that card"), "R11")
        self._contribute(self._keeper.move(move), now)

    def _spoken(self, say: Say, now: float) -> None:
        need = self.table.step.need
        if not isinstance(need, Window) or not self.my_turn:
            raise MoveError(said("there is no UNO to call or to catch now"), "R61")
        if say not in ((Say.CALL, Say.SILENT) if need.about == self.seat else (Say.CATCH, Say.PASS)):
            raise MoveError(said("that is not yours to say"), "R60")
        self._contribute(Keeper.say(say), now)

    # -- own contributions --------------------------------------------------------------------------------------------

    def _contribute(self, payload: Payload, now: float) -> None:
        table = self.table
        head = self._chains.head(self.seat)
        body = Body(table.id, self.seat, head.seq, head.hash, table.row, table.state(), table.number, payload)
        entry = sign_entry(self._identity, body)
        self._known.add(entry.raw)
        self._effects.append(Store(entry.raw))
        self._send(Carry(entry.raw), None)
        try:
            for own in self._chains.add(entry):
                self._offer(own, now)
        except Equivocation as two:  # somebody else has our key (C51)
            self._convict(two, now)

    def _go_on(self, now: float) -> list[Effect]:
        """Contribute whatever needs no choice, ask the player for what does, and look at the clock."""
        self._listening = self._listening and now < self._rejoin and not self._heard_all()
        while not self._over:
            table = self.table
            if self._overruled() or any(seat == self.seat for seat, _ in table.absence.overruled):
                self._rebuild(now)
                continue
            self._forget_past()
            if self._patience.look(table, now):
                self._moved = now
                self._telling.absences(table)
            if table.phase is Phase.COMMIT and self._told_phase != table.sid:
                self._told_phase = table.sid
                self._sit()
                self._telling.results(table)
                if self._dealt == table.hand:
                    self._tell(tell.Notice(VOID))
                self._tell(tell.PhaseChanged(Phase.COMMIT, table.hand))
            self._dealt = table.hand if table.dealt else 0
            if self._ending.look(table, self._chains, now):
                self._send(self._heads(), None)
                self._wake(self._ending.limit)
            if table.closed:
                if self._is_final(now):
                    self._telling.results(table)
                    assert table.match is not None
                    self._finish(now, tell.MatchOver(table.match.winner, table.scores))
            elif gone := table.departures.abandoned:
                names = joined((table.names[seat] for seat in gone), AND)
                self._finish(now, tell.Abandoned(said("{names} left the table", names=names), gone))
            elif not self._listening and (payload := self._due(now)) is not None:
                self._contribute(payload, now)
                if isinstance(payload, Leave):
                    self._finish(now, tell.Abandoned(said("you left the table")))
                continue
            elif now >= self._rising:  # there was no good moment to leave
                self._finish(now, tell.Abandoned(said("you left the table")))
            break
        self._ask(now)
        self._watch(now)
        if self._over and self._may_close(now):
            self._effects.append(Close())
        effects, self._effects = self._effects, []
        return effects

    def _is_final(self, now: float) -> bool:
        """Whether the end that we know is the result, so that nobody takes us back behind it."""
        if now >= min(self._rising, self._ending.limit):
            return True
        return not self._listening and not self._unsure()

    def _unsure(self) -> tuple[int, ...]:
        return self._ending.unsure(self.table, self._chains, self._in_doubt()) if self.table.closed else ()

    def _heard_all(self) -> bool:
        """Whether every other seat told how far it knows our entries, and none knows more of them than we do."""
        others = [seat for seat in self.table.present if seat != self.seat]
        mine = ([head for head in self._ending.reach.get(seat, ()) if head.seat == self.seat] for seat in others)
        return all(heads and not self._chains.news(heads) for heads in mine)

    def _ask(self, now: float) -> None:
        if self._over:
            return
        table = self.table
        if not self.setup_seconds and isinstance(table.step.need, Decide):
            self.setup_seconds = now - self.began
        self._telling.progress(table, self._unsure())
        if self._asked == table.number or not self.my_turn:
            return
        self._asked = table.number
        if isinstance(table.step, WindowStep):
            self._window_ends = now + table.rules.uno_window
            self._wake(self._window_ends)
        self._tell(tell.YourTurn())

    # -- the clock ----------------------------------------------------------------------------------------------------

    def _watch(self, now: float) -> None:
        """End the table where nothing can bring it on; else have ourselves woken when the next seat is overdue."""
        table = self.table
        if self._over or table.closed:
            return
        lost = self._patience.lost(table, now)
        if lost is not None:
            self._finish(now, tell.Abandoned(said("{name} did not come back", name=table.names[lost]), (lost,)))
            return
        soon = self._patience.next_look(table, now)
        if soon < math.inf and (soon < self._look_at or self._look_at <= now):
            self._look_at = soon
            self._wake(soon)

    def _stalled(self, now: float) -> None:
        if self._over or now < self._stall_at:
            return
        apart = self._patience.down.keys() & set(self.table.present)
        if now >= self._moved + (BRIDGE if apart & set(self.table.waiting) else STALL):
            self._moved = now
            self._send(self._heads(), None)
        self._stall_at = now + BRIDGE if apart else self._moved + STALL
        self._wake(self._stall_at)

    # -- the end ------------------------------------------------------------------------------------------------------

    def _finish(self, now: float, event: tell.Event) -> None:
        if self._over:
            return
        self._over = True
        self._closed_at = now
        if self.table.closed or self.seat in self.table.departures.leaves:  # else the table may be resumed
            self._effects.append(Forget())
        self._send(self._heads(), None)
        self._wake(now + LINGER)
        self._tell(event)
        self._tell(tell.PhaseChanged(Phase.CLOSED, self.table.hand))

    def _may_close(self, now: float) -> bool:
        """Whether all who can need it know the end: those with a link, and those who may have one again in a moment."""
        away = self.table.absence.since.keys() | self.table.convicted.keys()
        needed = {seat for seat in self.table.seats if seat not in self._patience.down} | set(self.table.present) - away
        known = (self._chains.covers(self._ending.reach.get(seat, ())) for seat in needed - {self.seat})
        return now >= self._closed_at + LINGER or all(known)

    def _heads(self) -> Heads:
        return Heads(self.table.id, self._chains.heads())

    def _send(self, message: Carry | Heads, seat: int | None) -> None:
        if not self._quiet:
            self._effects.append(Send(seat, encode(message)))

    def _tell(self, event: tell.Event) -> None:
        if not self._quiet:
            self._effects.append(Tell(event))

    def _wake(self, at: float) -> None:
        self._effects.append(Wake(at))
