"""A peer at a table, without sockets, clock or tasks: `handle(event, now)` gives effects (signals.py).

The node checks and orders what comes in (`Chains`), offers it to the `Table`, and contributes for its own seat by the
`Keeper`. Every entry is stored before it is sent. Times are seconds of any one clock.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable

from p2puno.happenings import What
from p2puno.moves import Move, MoveError, Play
from p2puno.needs import Decide, Say, Window
from p2puno.view import View, view
from protocol import events as tell
from protocol.chains import Chains, Equivocation
from protocol.events import Phase
from protocol.identity import Identity
from protocol.keeper import Keeper
from protocol.messages import (
    Agree,
    Body,
    Carry,
    Charter,
    Depart,
    Entry,
    Head,
    Heads,
    Leave,
    Malformed,
    NotCanonical,
    Payload,
    decode_frame,
    encode,
    open_entry,
    sign_entry,
)
from protocol.moving import WindowStep
from protocol.signals import (
    Close,
    Decided,
    Effect,
    Event,
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
)
from protocol.table import Cheat, Done, OtherRow, Table

LINGER = 3.0
"""Seconds that a closed table waits for the others to have everything."""
PATIENCE = 4.0
"""Seconds that somebody who gets up waits for a good moment."""
STALL = 5.0
"""Seconds without progress after which a node tells how far it knows all chains: what one pair of seats cannot bring
across comes by the others."""
MOST_AHEAD = 512
"""Entries for a step so far ahead are dropped and asked for again later: nobody can be so far ahead without us."""


class Node:
    """One seat's peer at one table."""

    def __init__(
        self, identity: Identity, charter: Charter, random_bytes: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        """`random_bytes`: where all secrets come from; another source than the system's is for simulations only.

        :raises ValueError: the identity has no seat in the charter, or its rules are unknown here
        """
        self.table = Table(charter)
        self.seat = next((i for i, place in enumerate(charter.roster) if place.key == identity.public), -1)
        if self.seat < 0:
            raise ValueError("this identity has no seat at the table")
        self._identity = identity
        self._random_bytes = random_bytes
        self._chains = Chains(len(charter.roster))
        self._known: set[bytes] = set()  # raw entries seen, so that a repeated one costs no signature check
        self._ahead: dict[int, list[Entry]] = {}
        self._keeper: Keeper | None = None
        self._effects: list[Effect] = []
        self._departing = -1  # the step that our word as clerk ended
        self._asked = -1  # the step for which the player was asked
        self._shown: tuple[int, tuple[int, ...]] = (-1, ())  # the last Progress told
        self._window_ends = 0.0
        self._moved = 0.0  # when the table last made progress
        self._stall_at = 0.0  # when to look whether it did
        self._down: dict[int, float] = {seat: 0.0 for seat in self.table.seats if seat != self.seat}
        self._reach: dict[int, tuple[Head, ...]] = {}  # the last heads that each seat told
        self._over = False
        self._closed_at = 0.0
        self._told_hands = 0
        self._rising = math.inf  # when the player, who wants to get up, goes at the latest
        self.turns = 0
        self.began = 0.0
        self.setup_seconds = 0.0  # from the start to the first move of the first hand

    # -- for the face -------------------------------------------------------------------------------------------------

    def view(self) -> View | None:
        """What this seat may see of the running hand; None before its keys are made."""
        return view(self.table.game, self.seat) if self.table.game else None

    @property
    def my_turn(self) -> bool:
        """Whether the player has something to decide or to say now."""
        return not self._over and self.seat in self.table.waiting and not self.table.step.automatic

    # -- events -------------------------------------------------------------------------------------------------------

    def start(self, now: float) -> list[Effect]:
        """Sign the charter and begin. Others that are not linked yet count as absent from now on."""
        self.began = now
        self._down = dict.fromkeys(self._down, now)
        self._tell(tell.PhaseChanged(Phase.AGREE))
        self._contribute(Agree(self._random_bytes(32)), now)
        self._moved = now
        self._wake(now + self._grace)
        self._stall_at = now + STALL
        self._wake(self._stall_at)
        return self._go_on(now)

    def handle(self, event: Event, now: float) -> list[Effect]:
        """Take an event at time `now`; returns the effects in the order in which they must be done.

        :raises MoveError: a `Decided` or `Spoken` that cannot stand; nothing was signed
        """
        match event:
            case Received(seat, frame):
                self._received(seat, frame, now)
            case LinkUp(seat):
                self._down.pop(seat, None)
                self._tell(tell.LinkChanged(seat, True))
                self._send(self._heads(), seat)
            case LinkDown(seat, reason):
                self._down.setdefault(seat, now)
                self._tell(tell.LinkChanged(seat, False, reason))
                self._wake(now + self._grace)
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
            return
        if isinstance(message, Heads) and message.table == self.table.id:
            self._reach[seat] = message.heads
            for entry in self._chains.lacking(message.heads):
                self._send(Carry(entry.raw), seat)
            if self._chains.news(message.heads) and not self._over:
                self._send(self._heads(), seat)
        elif isinstance(message, Carry):
            self._entry(message.entry, now)

    def _entry(self, raw: bytes, now: float) -> None:
        if raw in self._known or self._over:
            return
        try:
            entry = open_entry(raw)
        except NotCanonical as bad:
            seat = self._seat_of(bad.author)
            if seat is not None:
                self._expose(raw)
                self._accuse(Cheat(seat, f"signed what is no entry: {bad}", self.table.number), now)
            return
        except Malformed:
            return
        seat = self._seat_of(entry.author)
        if seat is None or entry.body.table != self.table.id:
            return
        if entry.body.seat != seat:
            self._expose(raw)
            self._accuse(Cheat(seat, "signed for another seat", entry.body.step), now)
            return
        if self._chains.too_early(entry) or entry.body.step > self.table.number + MOST_AHEAD:
            return
        self._known.add(raw)
        try:
            for new in self._chains.add(entry):
                self._effects.append(Store(new.raw))
                self._offer(new)
        except Equivocation as two:
            self._convict(two, now)
        except Cheat as cheat:
            self._accuse(cheat, now)

    def _convict(self, two: Equivocation, now: float) -> None:
        self._expose(two.first.raw, two.second.raw)
        self._accuse(Cheat(two.second.body.seat, str(two), two.second.body.step), now)

    def _expose(self, *evidence: bytes) -> None:
        """Keep entries that no chain holds, and pass them on: the others must be able to judge for themselves."""
        for raw in evidence:
            self._effects.append(Store(raw))
            self._send(Carry(raw), None)

    def _seat_of(self, author: bytes) -> int | None:
        return next((i for i, place in enumerate(self.table.roster) if place.key == author), None)

    def _offer(self, entry: Entry) -> None:
        """Hand an entry to the table now, or when its step comes.

        :raises Cheat: as the table finds
        """
        step = entry.body.step
        if step > self.table.number:
            self._ahead.setdefault(step, []).append(entry)
            return
        self._took(entry)
        while not self._over and (waiting := self._ahead.pop(self.table.number, None)):
            for held in waiting:
                self._took(held)

    def _took(self, entry: Entry) -> None:
        try:
            done = self.table.offer(entry)
        except OtherRow:
            # Somebody told two stories; the heads of all chains show who (ARCHITECTURE: blame only on one's own row).
            self._send(self._heads(), None)
            return
        for step in done:
            self._learn(step)

    def _learn(self, done: Done) -> None:
        if self._keeper is not None:
            self._keeper.learn(done)
        if done.happenings:
            self.turns += sum(happening.what is What.TURN for happening in done.happenings)
            self._tell(tell.Happened(done.happenings))

    # -- the player ---------------------------------------------------------------------------------------------------

    def _decided(self, move: Move, now: float) -> None:
        need = self.table.step.need
        if not isinstance(need, Decide) or not self.my_turn or self._keeper is None:
            raise MoveError("it is not your turn", "R11")
        seen = self.view()
        assert seen is not None
        # A trial on a copy: what the engine refuses is never signed.
        assert self.table.game is not None
        self.table.game.copy().apply(move)
        if isinstance(move, Play) and (move.slot, move.face) not in seen.hand:
            raise MoveError("you do not hold that card", "R11")
        self._contribute(self._keeper.move(move), now)

    def _spoken(self, say: Say, now: float) -> None:
        need = self.table.step.need
        if not isinstance(need, Window) or not self.my_turn:
            raise MoveError("there is no UNO to call or to catch now", "R61")
        if say not in ((Say.CALL, Say.SILENT) if need.about == self.seat else (Say.CATCH, Say.PASS)):
            raise MoveError("that is not yours to say", "R60")
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
                self._offer(own)
        except Equivocation as two:  # somebody else has our key (C51)
            self._convict(two, now)
        except Cheat as cheat:  # by somebody whose contribution was judged together with ours
            self._accuse(cheat, now)

    def _go_on(self, now: float) -> list[Effect]:
        """Contribute whatever needs no choice, ask the player for what does, and look at the clock."""
        while not self._over:
            table = self.table
            if table.phase is Phase.COMMIT and (self._keeper is None or self._keeper.sid != table.sid):
                self._keeper = Keeper(table, self.seat, self._random_bytes)
                self._hand_over()
                self._tell(tell.PhaseChanged(Phase.COMMIT, table.hand))
            if table.closed:
                self._hand_over()
                assert table.match is not None
                self._finish(now, tell.MatchOver(table.match.winner, table.scores))
            elif self._rising < math.inf and self._get_up(now):
                continue
            elif table.owing and table.clerk == self.seat and self._departing != table.number and not table.abandoned:
                self._departing = table.number
                self._contribute(Depart(min(table.owing)), now)
                continue
            elif table.abandoned:
                names = " and ".join(table.names[seat] for seat in table.abandoned)
                self._finish(now, tell.Abandoned(f"{names} left the table", table.abandoned))
            elif self.seat in table.waiting and (payload := self._automatic(now)) is not None:
                self._contribute(payload, now)
                continue
            break
        self._ask(now)
        self._absences(now)
        if self._over and self._may_close(now):
            self._effects.append(Close())
        effects, self._effects = self._effects, []
        return effects

    def _get_up(self, now: float) -> bool:
        """Leave, if this is a moment for it: not while a step that this seat contributed to is running, nor while the
        cards that it must give its shares of are not settled."""
        table = self.table
        if self.seat not in table.heard and table.settled(self.seat):
            self._contribute(self._keeper.leave() if self._keeper else Leave((), b"", b""), now)
        elif now < self._rising:
            return False
        self._finish(now, tell.Abandoned("you left the table"))
        return True

    def _automatic(self, now: float) -> Payload | None:
        step = self.table.step
        assert self._keeper is not None
        if step.automatic:
            return self._keeper.contribute(step)
        if not isinstance(step, WindowStep) or self._asked != self.table.number:
            return None
        # A call or a catch settles it; else the window's time does (R61).
        settled = {Say.CALL, Say.CATCH} & set(self.table.heard.values())
        if not settled and now < self._window_ends:
            return None
        return Keeper.say(Say.SILENT if step.about == self.seat else Say.PASS)

    def _ask(self, now: float) -> None:
        if self._over:
            return
        table = self.table
        if not self.setup_seconds and isinstance(table.step.need, Decide):
            self.setup_seconds = now - self.began
        progress = (table.number, table.waiting)
        if progress != self._shown:
            self._shown = progress
            self._moved = now
            total = len(table.step.authors)
            self._tell(tell.Progress(table.step.what, total - len(table.waiting), total, table.waiting))
        if self._asked == table.number or not self.my_turn:
            return
        self._asked = table.number
        if isinstance(table.step, WindowStep):
            self._window_ends = now + table.rules.uno_window
            self._wake(self._window_ends)
        self._tell(tell.YourTurn())

    # -- the end ------------------------------------------------------------------------------------------------------

    @property
    def _grace(self) -> float:
        return float(self.table.rules.grace_seconds)

    def _hand_over(self) -> None:
        """Tell the face of hands that were scored since."""
        told = self.table.hand - (0 if self.table.closed else 1)
        for hand, scored in enumerate(self.table.scored[:told], 1):
            if hand > self._told_hands:
                self._told_hands = hand
                self._tell(tell.HandOver(scored.outcome, scored.scores, hand))

    def _absences(self, now: float) -> None:
        for seat, since in self._down.items():
            if not self._over and seat in self.table.waiting and now - since >= self._grace:
                name = self.table.names[seat]
                self._finish(now, tell.Abandoned(f"{name} did not come back", (seat,)))

    def _stalled(self, now: float) -> None:
        if self._over or now < self._stall_at:
            return
        if now >= self._moved + STALL:
            self._moved = now
            self._send(self._heads(), None)
        self._stall_at = self._moved + STALL
        self._wake(self._stall_at)

    def _accuse(self, cheat: Cheat, now: float) -> None:
        self._finish(now, tell.Accused(cheat.seat, cheat.reason, cheat.step))

    def _finish(self, now: float, event: tell.Event) -> None:
        if self._over:
            return
        self._over = True
        self._closed_at = now
        self._send(self._heads(), None)
        self._wake(now + LINGER)
        self._tell(event)
        self._tell(tell.PhaseChanged(Phase.CLOSED, self.table.hand))

    def _may_close(self, now: float) -> bool:
        linked = [seat for seat in self.table.seats if seat != self.seat and seat not in self._down]
        return now >= self._closed_at + LINGER or all(self._chains.covers(self._reach.get(seat, ())) for seat in linked)

    def _heads(self) -> Heads:
        return Heads(self.table.id, self._chains.heads())

    def _send(self, message: Carry | Heads, seat: int | None) -> None:
        self._effects.append(Send(seat, encode(message)))

    def _tell(self, event: tell.Event) -> None:
        self._effects.append(Tell(event))

    def _wake(self, at: float) -> None:
        self._effects.append(Wake(at))
