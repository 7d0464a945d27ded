"""A peer at a table, without sockets, clock or tasks: `handle(event, now)` gives effects (signals.py).

The node checks and orders what comes in (`Chains`), offers it to the `Table`, and contributes for its own seat by the
`Keeper`. Every entry is stored before it is sent. Times are seconds of any one clock.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterable, Mapping

from p2puno.happenings import What
from p2puno.moves import Move, MoveError, Play
from p2puno.needs import Decide, Say, Window
from protocol import events as tell
from protocol.chains import Equivocation
from protocol.duties import Duties
from protocol.events import Phase
from protocol.identity import Identity
from protocol.keeper import Keeper
from protocol.messages import (
    Body,
    Carry,
    Charter,
    Entry,
    Head,
    Heads,
    Malformed,
    NotCanonical,
    decode_frame,
    encode,
    open_entry,
    sign_entry,
)
from protocol.moving import WindowStep
from protocol.offences import Cheat, OtherRow
from protocol.payloads import BESIDE, Absent, Agree, Back, Have, Leave, Payload, Stands
from protocol.quorum import NEITHER
from protocol.signals import (
    Close,
    Decided,
    Effect,
    Event,
    Forget,
    LinkDown,
    LinkUp,
    Received,
    Remember,
    Rising,
    Send,
    Spoken,
    Store,
    Tell,
    Tick,
    Wake,
    Waste,
)
from protocol.table import Done, Table

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
MOST_AHEAD = 512
"""Entries for a step so far ahead are dropped and asked for again later: nobody can be so far ahead without us."""
MOST_AHEAD_BYTES = 8_000_000
"""So much of one author is kept for later steps."""
MOST_OFFENCES = 64
"""So many offences of one seat are kept and told the others."""
MOST_AT_ONCE = 4_000_000
"""Bytes of entries after which an answer to heads breaks off; whoever wants more asks again."""


class Node(Duties):
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
            raise ValueError("this identity has no seat at the table")
        super().__init__(table, seat)
        self._identity = identity
        self._random_bytes = random_bytes
        self._seeds = dict(seeds or {})
        self._known: set[bytes] = set()  # raw entries seen, so that a repeated one costs no signature check
        self._ahead: dict[int, list[Entry]] = {}
        self._twins: dict[tuple[int, int], dict[bytes, Entry]] = {}  # two contributions of one seat to one step
        self._stood: set[tuple[int, int]] = set()  # ... on which we have said our word
        self._had: set[tuple[int, int]] = set()  # ... and that we said to have
        self._taken_up: set[tuple[int, int]] = set()  # ... late, but others have built on them
        self._late: dict[tuple[int, int], Entry] = {}  # contributions that we called absent before they came
        self._offences: dict[int, int] = {}  # by seat, how many we have met
        self._effects: list[Effect] = []
        self._quiet = False  # while old entries are read again
        self._listening = False  # started again, and not yet sure to know all that we signed
        self._rejoin = 0.0  # when that is over
        self._shown: tuple[int, tuple[int, ...]] = (-1, ())  # the last Progress told
        self._told_absent: set[int] = set()
        self._told_phase = b""  # the session whose beginning was told
        self._moved = 0.0  # when the table last made progress
        self._stall_at = 0.0  # when to look whether it did
        self._look_at = math.inf  # when to look next whether somebody is overdue
        self._reach: dict[int, tuple[Head, ...]] = {}  # the last heads that each seat told
        self._over = False
        self._closed_at = 0.0
        self._told_hands = 0
        self.turns = 0
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

    def recall(self, entries: Iterable[bytes]) -> None:
        """Read the journal of an earlier run: the long half of `resume`, which needs no clock."""
        self._quiet = True
        for raw in entries:
            self._entry(raw, 0.0)
        self._quiet = False
        self._rebuild(0.0)

    def rejoin(self, now: float) -> list[Effect]:
        """Go on after `recall`. Nothing is signed before the others had time to tell how far they know our own entries
        (ARCHITECTURE section 3)."""
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
            self._reach[seat] = message.heads
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

    def _entry(self, raw: bytes, now: float) -> bool:
        """Take an entry; whether it was fit to be looked at."""
        if raw in self._known or self._over:
            return True
        try:
            entry = open_entry(raw)
        except NotCanonical as bad:
            seat = self._seat_of(bad.author)
            if seat is None or self._is_notorious(seat):
                return False
            self._known.add(raw)
            self._expose(raw)
            self._accuse(Cheat(seat, f"signed what is no entry: {bad}", self.table.number), now)
            return True
        except Malformed:
            return False
        seat = self._seat_of(entry.author)
        if seat is None or entry.body.table != self.table.id:
            return False
        if entry.body.seat != seat:
            if self._is_notorious(seat):
                return False
            self._known.add(raw)
            self._expose(raw)
            self._accuse(Cheat(seat, "signed for another seat", entry.body.step), now)
            return True
        if self._chains.too_early(entry) or self._chains.too_much(entry) or self._is_far(entry):
            return False
        self._known.add(raw)
        try:
            for new in self._chains.add(entry):
                if not self._quiet:  # else it is stored already, and is read again with all others
                    self._effects.append(Store(new.raw))
                    self._offer(new, now)
        except Equivocation as two:
            if self._is_notorious(seat):
                self._known.discard(raw)
                return False
            self._convict(two, now)
        return True

    def _is_far(self, entry: Entry) -> bool:
        """Whether an entry is not kept, as its step is far ahead or its author has said much already."""
        seat, ahead = entry.body.seat, entry.body.step - self.table.number
        if ahead <= 1:
            return False
        held = sum(len(one.raw) for step in self._ahead.values() for one in step if one.body.seat == seat)
        return ahead > MOST_AHEAD or held + len(entry.raw) > MOST_AHEAD_BYTES

    def _is_notorious(self, seat: int) -> bool:
        """A seat has committed an offence: whether so many of it are kept that one more proves nothing new (C45)."""
        self._offences[seat] = self._offences.get(seat, 0) + 1
        return self._offences[seat] > MOST_OFFENCES

    def _convict(self, two: Equivocation, now: float) -> None:
        self._expose(two.first.raw, two.second.raw)
        self._dispute(two, now)
        self._accuse(Cheat(two.second.body.seat, str(two), two.second.body.step), now)

    def _expose(self, *evidence: bytes) -> None:
        """Keep entries that no chain holds, and pass them on: the others must be able to judge for themselves."""
        for raw in evidence:
            if not self._quiet:
                self._effects.append(Store(raw))
                self._send(Carry(raw), None)

    def _dispute(self, two: Equivocation, now: float) -> None:
        """A seat answered one step twice: say on which answer we have built, if on any."""
        first, second = two.first.body, two.second.body
        same = (first.step, first.row) == (second.step, second.row)
        beside = isinstance(first.payload, BESIDE) or isinstance(second.payload, BESIDE)
        if first.seat == self.seat or not same or beside:
            return
        place = first.seat, first.step
        self._twins.setdefault(place, {}).update({two.first.hash: two.first, two.second.hash: two.second})
        self.table.disputed.add(place)
        mine = first.step < len(self.table.rows) and self.table.rows[first.step] == first.row
        if not self._quiet and mine and place not in self._stood and self.seat in self.table.helpers(first.seat):
            self._contribute(Stands(*place, self.table.used(*place) or NEITHER), now)

    def _seat_of(self, author: bytes) -> int | None:
        return next((i for i, place in enumerate(self.table.roster) if place.key == author), None)

    def _offer(self, entry: Entry, now: float) -> None:
        """Hand an entry to the table now, or when its step comes."""
        body = entry.body
        if body.seat == self.seat and isinstance(body.payload, Absent):
            self._voted.add((body.payload.seat, body.step, body.row))
        if body.seat == self.seat and isinstance(body.payload, Stands):
            self._stood.add((body.payload.seat, body.payload.owed))
        if body.seat == self.seat and isinstance(body.payload, Have):
            self._had.add((body.payload.seat, body.payload.owed))
        if isinstance(body.payload, Have | Stands | Back):  # they stand for themselves, whatever the step
            self._took(entry, now)
        elif body.step > self.table.number:
            self._ahead.setdefault(body.step, []).append(entry)
        else:
            self._took(entry, now)
            self._catch_up(now)

    def _catch_up(self, now: float) -> None:
        while not self._over and (waiting := self._ahead.pop(self.table.number, None)):
            for held in waiting:
                self._took(held, now)

    def _took(self, entry: Entry, now: float) -> None:
        body = entry.body
        if self._is_late(entry):
            self._late[body.seat, body.step] = entry
            return
        try:
            done = self.table.offer(entry)
        except OtherRow:
            # Somebody told two stories; the heads of all chains show who (ARCHITECTURE: blame only on one's own row).
            # Who is absent may have gone on alone for a while.
            if body.seat not in self.table.absence.since:
                self._send(self._heads(), None)
            return
        except Cheat as cheat:
            self._accuse(cheat, now)
            return
        self._completed(done)
        found, self.table.found = self.table.found, []
        for each in found:
            self._accuse(each, now)
        if isinstance(body.payload, Absent):
            self._answer(body.payload.seat, body.step, now)
        elif isinstance(body.payload, Have):
            late = self._late.pop((body.payload.seat, body.payload.owed), None)
            if late is not None:
                self._offer(late, now)
        elif isinstance(body.payload, Stands) and not self._quiet:
            self._settle(body.payload.seat, body.payload.owed, now)
        elif not isinstance(body.payload, BESIDE) and self.table.absence.voters(body.seat, body.step, body.row):
            self._answer(body.seat, body.step, now)  # somebody had called it absent before it came
        self._release(now)

    def _release(self, now: float) -> None:
        """A contribution that we called absent stands as soon as another seat has built on it: that says that it has
        it as well as a `Have` does."""
        table = self.table
        for (seat, step), entry in list(self._late.items()):
            if step == table.number and (row := table.row_with(seat, entry.hash)) is not None:
                voters = table.absence.voters(seat, step, table.row)
                builders = {held.body.seat for held in self._ahead.get(step + 1, ()) if held.body.row == row}
                if self._can_stand(seat, step, table.row, builders - voters):
                    del self._late[seat, step]
                    self._taken_up.add((seat, step))
                    self._offer(entry, now)

    def _settle(self, seat: int, step: int, now: float) -> None:
        """All have said on which of two answers they have built: go on with the one that stands."""
        chosen = self.table.quorum.chosen(seat, step)
        entry = self._twins.get((seat, step), {}).get(chosen or NEITHER)
        if chosen is None or step > self.table.number or self.table.used(seat, step) == chosen:
            return
        if self.table.used(seat, step) is not None or step < self.table.number:
            self._rebuild(now)
        elif entry is not None:
            self._offer(entry, now)

    def _is_late(self, entry: Entry) -> bool:
        """Whether this is a contribution that we called absent, and nobody else has said to have it."""
        body = entry.body
        place = body.seat, body.step
        if (*place, body.row) not in self._voted or place in self._taken_up or isinstance(body.payload, BESIDE):
            return False
        return not self._can_stand(body.seat, body.step, body.row, self.table.absence.holders(*place))

    def _can_stand(self, seat: int, step: int, row: bytes, holders: Iterable[int]) -> bool:
        """Whether what we called absent is sure to stand: another seat has it, or has left without calling it absent,
        so that not all will."""
        judges = self.table.departures.leaves.keys() & set(self.table.helpers(seat))
        left = judges - self.table.absence.voters(seat, step, row)
        return bool((left | set(holders)) - {seat, self.seat})

    def _answer(self, seat: int, step: int, now: float) -> None:
        """Somebody calls a seat absent: say so if we hold what it owed."""
        table, place = self.table, (seat, step)
        entry = self._chains.answer(seat, step, table.rows[step]) if step < len(table.rows) else None
        if entry is None or self._quiet or place in self._had or place in table.absence.missed:
            return
        if (seat, step, entry.body.row) in self._voted:
            return
        taken = step < table.number or (seat in table.heard and table.sound(seat))
        if taken and seat != self.seat:
            self._contribute(Have(seat, step, entry.hash), now)
            self._send(Carry(entry.raw), None)

    def _completed(self, done: Iterable[Done]) -> None:
        for step in done:
            self._learn(step)
        self._sit()

    def _learn(self, done: Done) -> None:
        if self._keeper is not None:
            self._keeper.learn(done)
        if done.happenings:
            self.turns += sum(happening.what is What.TURN for happening in done.happenings)
            self._tell(tell.Happened(done.happenings))

    def _sit(self) -> None:
        """Have the keeper of the running hand."""
        table = self.table
        if table.phase is not Phase.COMMIT or (self._keeper is not None and self._keeper.sid == table.sid):
            return
        self._keeper = None
        if self.seat not in table.present:
            return
        if table.sid not in self._seeds:
            if self._quiet:  # an earlier hand, whose secrets are deleted
                return
            self._seeds = {table.sid: self._random_bytes(64)}
            self._effects.append(Remember(table.sid, self._seeds[table.sid]))
        self._keeper = Keeper(table, self.seat, self._seeds[table.sid])

    def _rebuild(self, now: float) -> None:
        """Read all entries again, knowing from the start who was called absent by all: what we had contributed too late
        did not count for the others."""
        convicted = self.table.convicted
        self.table = Table(self.table.charter)
        entries = self._chains.all()
        known = {entry.hash for entry in entries}
        entries += [entry for twins in self._twins.values() for entry in twins.values() if entry.hash not in known]
        entries.sort(key=lambda entry: entry.body.step)
        self.table.absence.preload(entries)
        self.table.disputed |= self._twins.keys()
        self._ahead, self._late, self._keeper = {}, {}, None
        self.turns = 0
        quiet, self._quiet = self._quiet, True
        for entry in entries:
            self._offer(entry, now)
        for cheat in convicted.values():
            self._completed(self.table.quorum.convict(cheat))
        self._quiet = quiet
        self._sit()
        self._asked = -1

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
                self._offer(own, now)
        except Equivocation as two:  # somebody else has our key (C51)
            self._convict(two, now)

    def _go_on(self, now: float) -> list[Effect]:
        """Contribute whatever needs no choice, ask the player for what does, and look at the clock."""
        self._listening = self._listening and now < self._rejoin and not self._heard_all()
        while not self._over:
            table = self.table
            if any(seat == self.seat for seat, _ in table.absence.overruled):
                self._rebuild(now)
                continue
            if self._patience.look(table, now):
                self._moved = now
                self._tell_absences()
            if table.phase is Phase.COMMIT and self._told_phase != table.sid:
                self._told_phase = table.sid
                self._sit()
                self._hand_over()
                self._tell(tell.PhaseChanged(Phase.COMMIT, table.hand))
            if table.closed:
                self._hand_over()
                assert table.match is not None
                self._finish(now, tell.MatchOver(table.match.winner, table.scores))
            elif table.abandoned:
                names = " and ".join(table.names[seat] for seat in table.abandoned)
                self._finish(now, tell.Abandoned(f"{names} left the table", table.abandoned))
            elif not self._listening and (payload := self._due(now)) is not None:
                self._contribute(payload, now)
                if isinstance(payload, Leave):
                    self._finish(now, tell.Abandoned("you left the table"))
                continue
            elif now >= self._rising:  # there was no good moment to leave
                self._finish(now, tell.Abandoned("you left the table"))
            break
        self._ask(now)
        self._watch(now)
        if self._over and self._may_close(now):
            self._effects.append(Close())
        effects, self._effects = self._effects, []
        return effects

    def _heard_all(self) -> bool:
        """Whether every other seat told how far it knows our entries, and none knows more of them than we do."""
        others = [seat for seat in self.table.present if seat != self.seat]
        mine = ([head for head in self._reach.get(seat, ()) if head.seat == self.seat] for seat in others)
        return all(heads and not self._chains.news(heads) for heads in mine)

    def _ask(self, now: float) -> None:
        if self._over:
            return
        table = self.table
        if not self.setup_seconds and isinstance(table.step.need, Decide):
            self.setup_seconds = now - self.began
        progress = (table.number, table.waiting)
        if progress != self._shown:
            self._shown = progress
            total = len(table.step.authors)
            self._tell(tell.Progress(table.step.what, total - len(table.waiting), total, table.waiting))
        if self._asked == table.number or not self.my_turn:
            return
        self._asked = table.number
        if isinstance(table.step, WindowStep):
            self._window_ends = now + table.rules.uno_window
            self._wake(self._window_ends)
        self._tell(tell.YourTurn())

    # -- the clock ----------------------------------------------------------------------------------------------------

    def _tell_absences(self) -> None:
        absent = set(self.table.absence.since)
        for seat in sorted(absent ^ self._told_absent):
            self._tell(tell.AbsenceChanged(seat, seat in absent))
        self._told_absent = absent

    def _watch(self, now: float) -> None:
        """End the table where nothing can bring it on; else have ourselves woken when the next seat is overdue."""
        table = self.table
        if self._over or table.closed:
            return
        lost = self._patience.lost(table, now)
        if lost is not None:
            self._finish(now, tell.Abandoned(f"{table.names[lost]} did not come back", (lost,)))
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

    def _hand_over(self) -> None:
        """Tell the face of hands that were scored since."""
        told = self.table.hand - (0 if self.table.closed else 1)
        for hand, scored in enumerate(self.table.scored[:told], 1):
            if hand > self._told_hands:
                self._told_hands = hand
                self._tell(tell.HandOver(scored.outcome, scored.scores, hand))

    def _accuse(self, cheat: Cheat, now: float) -> None:
        if self._over or cheat.seat in self.table.convicted:
            return
        if self._quiet:
            self._completed(self.table.quorum.convict(cheat))
            return
        self._tell(tell.Accused(cheat.seat, cheat.reason, cheat.step))
        if cheat.seat == self.seat or not self.table.goes_on_without(cheat.seat):
            self.table.convicted[cheat.seat] = cheat
            self._finish(now, tell.Abandoned(f"{self.table.names[cheat.seat]} cheated", (cheat.seat,)))
            return
        self._completed(self.table.quorum.convict(cheat))
        self._catch_up(now)

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
        linked = [seat for seat in self.table.seats if seat != self.seat and seat not in self._patience.down]
        return now >= self._closed_at + LINGER or all(self._chains.covers(self._reach.get(seat, ())) for seat in linked)

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
