"""How entries come to the table of a seat: in the order of their chains and steps, each judged, each kept.

The half of a node that reads. What it finds it tells the other half by the methods that are abstract here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping

from p2puno.happenings import What
from p2puno.said import message_of, said
from protocol import events as tell
from protocol.chains import Chains, Equivocation
from protocol.disputes import Disputes
from protocol.events import Phase
from protocol.keeper import Keeper
from protocol.messages import Body, Carry, Entry, Heads, Malformed, NotCanonical, open_entry
from protocol.offences import Cheat, OtherRow
from protocol.payloads import BESIDE, Absent, Back, Depart, Have, Stands
from protocol.signals import Remember, Store
from protocol.step import Done
from protocol.table import Table
from protocol.telling import Telling

MOST_AHEAD = 512
"""Entries for a step so far ahead are dropped and asked for again later: nobody can be so far ahead without us."""
MOST_AHEAD_BYTES = 8_000_000
"""So much of one author is kept for later steps."""
MOST_OFFENCES = 64
"""So many offences of one seat are kept and told the others."""


class Intake(Disputes):
    """A seat's table and everything that is known of its entries."""

    def __init__(
        self, table: Table, seat: int, random_bytes: Callable[[int], bytes], seeds: Mapping[bytes, bytes]
    ) -> None:
        super().__init__(table, seat)
        self._random_bytes = random_bytes
        self._seeds = dict(seeds or {})
        self._known: set[bytes] = set()  # raw entries seen, so that a repeated one costs no signature check
        self._ahead: dict[int, list[Entry]] = {}
        self._had: set[tuple[int, int]] = set()  # contributions that we said to have
        self._taken_up: set[tuple[int, int]] = set()  # ... late, but others have built on them
        self._late: dict[tuple[int, int], Entry] = {}  # contributions that we called absent before they came
        self._heeded: set[bytes] = set()  # words of clerks by which we have read everything again
        self._offences: dict[int, int] = {}  # by seat, how many we have met
        self._telling = Telling(self._tell)
        self.turns = 0

    @property
    def chains(self) -> Chains:
        """What is known of every author, to be read only."""
        return self._chains

    @abstractmethod
    def _finish(self, now: float, event: tell.Event) -> None:
        """The table is over for us, with this as the last thing to tell."""

    @abstractmethod
    def _tell(self, event: tell.Event) -> None:
        """Tell the face."""

    @abstractmethod
    def _heads(self) -> Heads:
        """How far we know all chains."""

    def _entry(self, raw: bytes, now: float) -> bool:
        """Take an entry; whether it was fit to be looked at."""
        if raw in self._known:
            return True
        if self._over:
            self._afterwards(raw, now)
            return True
        try:
            entry = open_entry(raw)
        except NotCanonical as bad:
            seat = self._seat_of(bad.author)
            if seat is None or self._is_notorious(seat):
                return False
            self._known.add(raw)
            self._expose(raw)
            self._accuse(
                Cheat(seat, said("signed what is no entry: {reason}", reason=message_of(bad)), self.table.number), now
            )
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
            self._accuse(Cheat(seat, said("signed for another seat"), entry.body.step), now)
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
            if (later := self._chains.unhitch(two.second)) is not None:
                self._known.discard(later.raw)
                self._entry(later.raw, now)
        return True

    def _afterwards(self, raw: bytes, now: float) -> None:
        """The table is over for us, and nothing changes that. But whoever is not so far must hear what we have, and if
        somebody told it another story, on which one the end was built."""
        try:
            entry = open_entry(raw)
        except Malformed:
            return
        body, own = entry.body, self._chains.of(entry.body.seat) if entry.body.seat in self.table.seats else ()
        if not self.table.closed or body.table != self.table.id or self._seat_of(entry.author) != body.seat:
            return
        if isinstance(body.payload, Absent):
            self._answer(body.payload.seat, body.step, now)
        elif isinstance(body.payload, Stands) and any(liar == body.payload.seat for liar, _ in self._twins):
            self._stand(body.payload.seat, body.payload.owed, now)
        elif body.seq < len(own):
            try:
                list(self._chains.add(entry))
            except Equivocation as two:
                if not self._is_notorious(body.seat):
                    self._known.add(raw)
                    self._convict(two, now)

    def _is_far(self, entry: Entry) -> bool:
        """Whether an entry is not kept, as its step is far ahead or its author has said much already."""
        seat, ahead = entry.body.seat, entry.body.step - self.table.number
        if ahead <= 1 or self._quiet:  # of our own journal everything counts: what we forget we would sign again
            return False
        held = sum(len(one.raw) for step in self._ahead.values() for one in step if one.body.seat == seat)
        return ahead > MOST_AHEAD or held + len(entry.raw) > MOST_AHEAD_BYTES

    def _is_notorious(self, seat: int) -> bool:
        """A seat has committed an offence: whether so many of it are kept that one more proves nothing new (C45)."""
        self._offences[seat] = self._offences.get(seat, 0) + 1
        return self._offences[seat] > MOST_OFFENCES

    def _seat_of(self, author: bytes) -> int | None:
        return next((i for i, place in enumerate(self.table.roster) if place.key == author), None)

    def _offer(self, entry: Entry, now: float) -> None:
        """Hand an entry to the table now, or when its step comes."""
        body = entry.body
        if body.seat == self.seat:
            self._promised(body)
        if isinstance(body.payload, Have | Stands | Back):  # they stand for themselves, whatever the step
            self._took(entry, now)
        elif body.step > self.table.number:
            self._ahead.setdefault(body.step, []).append(entry)
            self._release(now)
        else:
            self._took(entry, now)
            self._catch_up(now)

    def _promised(self, own: Body) -> None:
        """Keep in mind what we have said of others."""
        if isinstance(own.payload, Absent):
            self._voted.add((own.payload.seat, own.step, own.row))
        elif isinstance(own.payload, Stands):
            self._stood.add((own.payload.seat, own.payload.owed))
        elif isinstance(own.payload, Have):
            self._had.add((own.payload.seat, own.payload.owed))

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
            # Nobody is blamed on another row: somebody told two stories, and the heads of all chains show who. Who is
            # absent may have gone on alone for a while.
            if body.seat not in self.table.absence.since:
                self._send(self._heads(), None)
            return
        except Cheat as cheat:
            self._accuse(cheat, now)
            return
        self._completed(done)
        if done:
            self._stand_by(now)
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
            seat, step = body.payload.seat, body.payload.owed
            if seat in self.table.convicted and step <= self.table.number:
                self._stand(seat, step, now)  # what follows only one of two stories is in doubt only for some
            self._settle(seat, step, now)
        elif not isinstance(body.payload, BESIDE) and self.table.absence.voters(body.seat, body.step, body.row):
            self._answer(body.seat, body.step, now)  # somebody had called it absent before it came
        self._release(now)
        if isinstance(body.payload, Depart):
            self._entry(body.payload.entry, now)  # to us its author may have said something else

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

    def _is_late(self, entry: Entry) -> bool:
        """Whether this is a contribution that we called absent, and nobody else has said to have it."""
        body = entry.body
        place = body.seat, body.step
        if (*place, body.row) not in self._voted or place in self._taken_up or isinstance(body.payload, BESIDE):
            return False
        if self.table.quorum.certain(*place, foreseen=True):
            return False  # it is sure not to count, so it may be judged: who reads again must find the same cheats
        return not self._can_stand(body.seat, body.step, body.row, self.table.absence.holders(*place))

    def _can_stand(self, seat: int, step: int, row: bytes, holders: Iterable[int]) -> bool:
        """Whether what we called absent is sure to stand: another seat has it, or has left without calling it absent,
        so that not all will."""
        judges = self.table.departures.leaves.keys() & set(self.table.quorum.helpers(seat))
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
        taken = step < table.number or (seat in table.heard and table.proofs.sound(seat, step))
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
            past = [*self._seeds][-1:]
            self._seeds = {**{sid: self._seeds[sid] for sid in past}, table.sid: self._random_bytes(64)}
            self._effects.append(Remember(self._seeds))
        self._keeper = Keeper(table, self.seat, self._seeds[table.sid])

    def _forget_past(self) -> None:
        """All have begun the running hand, so nobody goes back behind it: its secrets are the only ones to keep."""
        table = self.table
        if len(self._seeds) > 1 and table.sid in self._seeds and table.phase is not Phase.COMMIT:
            self._seeds = {table.sid: self._seeds[table.sid]}
            self._effects.append(Remember(self._seeds))

    def _overruled(self) -> bool:
        """Whether a clerk has let somebody depart with whose contribution we had gone on, which is news."""
        unheeded = self.table.departures.overruled - self._heeded
        self._heeded |= unheeded
        return bool(unheeded)

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
        self.table.departures.preload(entries)
        self.table.disputed |= self._twins.keys()
        self._ahead, self._late, self._keeper = {}, {}, None
        self.turns = 0
        quiet, self._quiet = self._quiet, True
        for own in self._chains.of(self.seat) if self.seat in self.table.seats else ():
            self._promised(own.body)  # first: whom we called absent may come before our vote in what follows
        for entry in entries:
            self._offer(entry, now)
        for cheat in convicted.values():
            self._completed(self.table.quorum.convict(cheat))
        self._catch_up(now)
        self._quiet = quiet
        self._sit()
        self._asked = -1

    def _accuse(self, cheat: Cheat, now: float) -> None:
        """Somebody was caught: go on without, if that can be."""
        if self._over or cheat.seat in self.table.convicted:
            return
        if self._quiet:
            self._completed(self.table.quorum.convict(cheat))
            return
        self._tell(tell.Accused(cheat.seat, cheat.reason, cheat.step))
        if cheat.seat == self.seat or not self.table.quorum.goes_on_without(cheat.seat):
            self.table.convicted[cheat.seat] = cheat
            self._finish(now, tell.Abandoned(said("{name} cheated", name=self.table.names[cheat.seat]), (cheat.seat,)))
            return
        self._completed(self.table.quorum.convict(cheat))
        self._catch_up(now)
