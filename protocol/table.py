"""A table as everybody computes it: the agreed charter, and what follows from the entries signed under it.

`Table` is the replicated machine at the heart of a peer and of the audit alike. It knows no secret, no clock and no
network. It stands at one *step*; the step names the seats that must contribute, `offer` takes one entry after the
other, and when all are in they are verified together and the next step begins. Whatever cannot come from an honest
seat is a `Cheat` that names its author.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from p2puno.engine import Game
from p2puno.happenings import Happening
from p2puno.match import Match
from p2puno.moves import MoveError
from p2puno.needs import Ask, Attest, Decide, Give, Mix, Need, Open, Over, Show, Shuffle, Window
from p2puno.outcome import Outcome
from protocol import moving, showing, steps
from protocol.deck import Cards, FaceTable, Held, Stock
from protocol.events import Phase
from protocol.group import Point
from protocol.lobby import read_rules
from protocol.messages import Charter, Depart, Entry, Leave
from protocol.names import NAME_CELLS, clean
from protocol.proofs.batch import BadProof, Batch, require
from protocol.proofs.dleq import ShareProof, check_shares, shares_from_bytes
from protocol.proofs.transcript import Context

if TYPE_CHECKING:
    from protocol.steps import Step


class Cheat(Exception):
    """A seat did what no honest seat can do; the entries that show it are in the journal."""

    def __init__(self, seat: int, reason: str, step: int) -> None:
        super().__init__(reason)
        self.seat = seat
        self.reason = reason
        self.step = step


class OtherRow(Exception):
    """An entry builds on another row than ours: no offence by itself, somebody must have said two things (C16, C35)."""


@dataclass(frozen=True, slots=True)
class Done:
    """A step was completed: the engine's need that it answered (None in set-up) and what people saw."""

    step: Step
    need: Need | None
    happenings: tuple[Happening, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """A finished hand of the match."""

    outcome: Outcome
    scores: tuple[int, ...]


class Table:
    """The state of a table after the entries offered so far."""

    def __init__(self, charter: Charter) -> None:
        """
        :raises ValueError: the charter's rules are of no game known here, or its roster does not fit them
        """
        self.charter = charter
        self.id = charter.table
        self.roster = charter.roster
        self.names = tuple(clean(place.name, NAME_CELLS) for place in charter.roster)
        self.rules = read_rules(charter)
        self.seats = tuple(range(len(charter.roster)))
        if len(self.seats) not in self.rules.players:
            raise ValueError(f"{self.rules.name} is not for {len(self.seats)} players")
        if len({place.key for place in charter.roster}) < len(self.seats):
            raise ValueError("one key has two seats")
        self.faces = FaceTable([kind.id for kind in self.rules.kinds])
        self.phase = Phase.AGREE
        self.number = 0  # of the running step
        self.rows = [self.id]  # by step, what its entries build upon
        self.hand = 0
        self.nonces: tuple[bytes, ...] = ()
        self.sid = b""
        self.joint = b""  # the hand's joint random bytes
        self.match: Match | None = None
        self.game: Game | None = None
        self.cards: Cards | None = None
        self.scored: list[Scored] = []
        self.pile_batch = Batch()  # shuffle proofs of the running pile, verified together before anything is opened
        self.present = list(self.seats)  # those that have not departed
        self.leaves: dict[int, tuple[Entry, Leave]] = {}  # of seats that got up
        self.dealt = False  # whether the running hand has been dealt
        self._departs: list[Entry] = []  # the clerk's words that came before the leave that they name
        self._cut: set[int] = set()  # steps that ended by a departure: what else was signed for them does not count
        self._state: bytes | None = None
        self._taken: dict[int, tuple[bytes, Any]] = {}
        self._batch = Batch()
        self._step: Step = steps.AgreeStep(self)

    # -- what it stands at --------------------------------------------------------------------------------------------

    @property
    def step(self) -> Step:
        """The running step."""
        return self._step

    @property
    def row(self) -> bytes:
        """The hash chain over all completed steps: what an entry of the running step builds upon; 32 bytes."""
        return self.rows[-1]

    @property
    def closed(self) -> bool:
        """Whether nothing more can be contributed."""
        return self.phase is Phase.CLOSED

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose contribution the running step still lacks."""
        return () if self.closed else tuple(seat for seat in self._step.authors if seat not in self._taken)

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that got up and owe the running step a contribution: it ends by their departure."""
        return tuple(seat for seat in self.waiting if seat in self.leaves)

    def settled(self, seat: int) -> bool:
        """Whether the stock of a dealt hand is sure to stay as it is without this seat: no pile is shuffled, and nobody
        else looks at cards that go back to it."""
        need = self._step.need
        looking = isinstance(need, Decide) and need.ask in (Ask.ORDER, Ask.SWAP) and need.seat != seat
        return not self.dealt or not (looking or isinstance(self._step, steps.ShuffleStep))

    @property
    def clerk(self) -> int:
        """The seat that says who departs: the first that has not got up; -1 if all have. One seat's word, so that all
        take departures in the same order."""
        return next((seat for seat in self.present if seat not in self.leaves), -1)

    @property
    def abandoned(self) -> tuple[int, ...]:
        """The seats that owe something and got up before there was a match that could go on or be forfeited."""
        begun = self.phase is not Phase.AGREE and (self.match is not None or len(self.present) > 2)
        return () if begun and self.clerk >= 0 else self.owing

    @property
    def heard(self) -> dict[int, Any]:
        """What the seats contributed to the running step so far, decoded."""
        return {seat: decoded for seat, (_, decoded) in self._taken.items()}

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of the match so far, by seat."""
        return tuple(self.match.scores) if self.match else tuple(0 for _ in self.seats)

    def state(self) -> bytes:
        """SHA-256 over the public state that the running step begins with: the engine's, every ciphertext, all keys,
        the scores."""
        if self._state is None:
            parts = (
                self.phase.value.encode(),
                self.hand.to_bytes(4, "big"),
                b"".join(score.to_bytes(4, "big") for score in self.scores),
                self.game.state_hash() if self.game else b"",
                self.cards.digest() if self.cards else b"",
            )
            self._state = hashlib.sha256(
                b"p2puno/1 state\x00" + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
            ).digest()
        return self._state

    def context(self, prover: int, deck: str = "") -> Context:
        """The context of a proof by `prover` in the running step."""
        return Context(self.sid, prover, deck, 0, self.number)

    # -- taking entries -----------------------------------------------------------------------------------------------

    def offer(self, entry: Entry) -> list[Done]:
        """Take a well-signed entry of this table whose step is the running or an earlier one; returns the steps that
        it completed.

        :raises Cheat: no honest seat can have signed it, or its completed step shows one who cheated
        :raises OtherRow: it builds on another row
        """
        body = entry.body
        if body.row != self.rows[body.step]:
            raise OtherRow(f"step {body.step} builds on another row")
        if isinstance(body.payload, Leave):
            self.leaves[body.seat] = (entry, body.payload)
            return self._depart()
        if body.step in self._cut:
            return []
        if isinstance(body.payload, Depart):
            if body.step < self.number:  # not the clerk's fault: the leaver told it another story than us
                raise OtherRow(f"step {body.step} ended by a departure elsewhere")
            self._departs.append(entry)
            return self._depart()
        if self.closed or body.step < self.number:
            raise Cheat(body.seat, f"acts out of turn in step {body.step}, which was complete", body.step)
        if body.state != self.state():
            raise Cheat(body.seat, "another public state than its row leads to", self.number)
        if body.seat not in self._step.authors or body.seat in self._taken:
            raise Cheat(body.seat, f"acts out of turn in step {self.number} ({self._step.what})", self.number)
        if not isinstance(body.payload, self._step.takes):
            raise Cheat(body.seat, f"{type(body.payload).__name__} is no answer to {self._step.what}", self.number)
        try:
            decoded, equations = self._step.take(body.seat, body.payload)
        except BadProof as bad:
            raise Cheat(body.seat, f"{self._step.what}: {bad}", self.number) from None
        self._taken[body.seat] = (entry.hash, decoded)
        (self.pile_batch if self._step.deferred else self._batch).add((body.seat, self.number), equations)
        return self._advance() if not self.waiting else []

    def _verify(self, batch: Batch) -> None:
        if not batch.verify():
            culprit = batch.culprits()[0]
            assert isinstance(culprit, tuple)
            seat, step = culprit
            raise Cheat(seat, f"{self._step.what}: the proof does not hold", step)

    def verify_pile(self) -> None:
        """Verify all shuffle proofs of the running pile at once.

        :raises Cheat: names the first shuffler whose proof does not hold
        """
        self._verify(self.pile_batch)
        self.pile_batch = Batch()

    def _advance(self) -> list[Done]:
        done = []
        while not self.waiting and not self.closed:
            self._verify(self._batch)
            step, taken = self._step, self._taken
            try:
                result = step.finish({seat: decoded for seat, (_, decoded) in taken.items()})
            except MoveError as bad:
                if not isinstance(step.need, Decide):  # only a move can break a rule; else the fault is ours
                    raise
                raise Cheat(step.authors[0], f"{bad}" + (f" ({bad.rule})" if bad.rule else ""), self.number) from None
            self._end_step([taken[seat][0] for seat in sorted(taken)])
            done.append(Done(step, step.need if result is not None else None, tuple(result or ())))
            self._step = self._next()
        return done

    def _depart(self) -> list[Done]:
        """End the running step by the departure that the clerk named, if its word and the leave are both here."""
        for entry in self._departs:
            body = entry.body
            assert isinstance(body.payload, Depart)
            seat = body.payload.seat
            if body.seat != self.clerk or seat not in self.leaves:
                continue  # what the clerk knows will come here too
            if seat not in self.owing:
                raise Cheat(body.seat, f"lets {self.names[seat]} depart, which owes nothing", self.number)
            happenings = self._without(seat)
            step = self._step
            self._cut.add(self.number)
            self._end_step([self.leaves[seat][0].hash, entry.hash])
            self._departs = []
            if self.match is not None and self.match.over and not isinstance(self._need, Over):
                self.phase = Phase.CLOSED
            else:
                self._step = self._next() if self.dealt else self._begin_hand(self.hand)
            return [Done(step, None, tuple(happenings)), *self._advance()]
        return []

    @property
    def _need(self) -> Need | None:
        return self.game.need if self.game else None

    def _without(self, seat: int) -> list[Happening]:
        """Go on without a seat (R56, CRYPTO 5.8): its key comes off the stock, or, before cards are dealt, the hand
        begins anew.

        :raises Cheat: its leave does not give what it must (C41)
        """
        happenings: list[Happening] = []
        self.present.remove(seat)
        if self.dealt:
            assert self.game is not None
            assert self.cards is not None
            if isinstance(self._step, steps.ShuffleStep):  # it begins anew, without the leaver
                for slot, form in self._step.before.items():
                    self.cards.put(slot, form)
            try:
                self.cards.strip(seat, self._farewell(seat))
            except BadProof as bad:
                raise Cheat(seat, f"leaves wrongly: {bad}", self.leaves[seat][0].body.step) from None
            if self.game.plays(seat) and not isinstance(self._need, Over):  # who was eliminated only had shares to give
                happenings = self.game.leave(seat)
        self.pile_batch = Batch()
        if self.match is not None and not isinstance(self._need, Over):
            self.match.leave(seat)
        return happenings

    def _farewell(self, seat: int) -> dict[int, Point]:
        """The verified shares of a leaver by slot.

        :raises BadProof: shares are missing or wrong
        """
        assert self.cards is not None
        entry, leave = self.leaves[seat]
        counted = self.cards.hand(seat) if self.rules.family == "classic" else []
        if not {*self.cards.stock(), *counted} <= set(leave.slots) or len(set(leave.slots)) != len(leave.slots):
            raise BadProof("it does not give its shares of every card")
        if not leave.slots:
            return {}
        firsts = []
        for slot in leave.slots:
            form = self.cards.forms[slot] if slot < len(self.cards.forms) else None
            if not (isinstance(form, Stock) or (isinstance(form, Held) and form.seat == seat)):
                raise BadProof(f"no share of slot {slot} is due")
            firsts.append(form.a)
        shares = shares_from_bytes(leave.shares, len(firsts))
        context = Context(self.sid, seat, "leave", 0, entry.body.step)
        require(check_shares(context, self.cards.key(seat), firsts, shares, ShareProof.from_bytes(leave.proof)))
        return dict(zip(leave.slots, shares, strict=True))

    def _end_step(self, hashes: list[bytes]) -> None:
        stands = b"p2puno/1 row\x00" + self.row + self.number.to_bytes(4, "big")
        self.rows.append(hashlib.sha256(stands + b"".join(hashes)).digest())
        self.number += 1
        self._taken = {}
        self._batch = Batch()
        self._departs = []
        self._state = None

    def _next(self) -> Step:
        """The step that follows the one just finished; moves the phase on."""
        if self._step.follow is not None:  # reveals after commits, the next seat's turn in shuffling a pile
            if self.phase is Phase.COMMIT:
                self.phase = Phase.REVEAL
                self._state = None
            return self._step.follow
        if self.phase is Phase.AGREE:
            return self._begin_hand(1)
        self.phase = Phase.PLAY
        assert self.game is not None
        need = self.game.need
        match need:
            case Over():
                return self._score(need.outcome)
            case Shuffle():
                return steps.ShuffleStep(self, need, 0)
            case Open():
                return steps.OpenStep(self, need)
            case Decide():
                return moving.DecideStep(self, need)
            case Window():
                return moving.WindowStep(self, need)
            case Mix():
                return steps.MixStep(self, need)
            case Attest():
                return showing.AttestStep(self, need)
            case Give():
                return showing.GiveStep(self, need)
            case Show():
                return showing.ShowStep(self, need)

    def _begin_hand(self, hand: int) -> Step:
        """Begin a hand, or begin it anew where somebody left before it was dealt: the session id is new, too."""
        self.hand = hand
        self.phase = Phase.COMMIT
        self.dealt = False
        self.game = self.cards = None
        self.sid = hashlib.sha256(
            b"p2puno/1 session\x00" + self.id + self.number.to_bytes(4, "big") + b"".join(self.nonces)
        ).digest()
        self._state = None
        return steps.CommitStep(self)

    def _score(self, outcome: Outcome) -> Step:
        assert self.match is not None
        self.match.finish(outcome)
        self.scored.append(Scored(outcome, self.scores))
        self._state = None
        if self.match.over:
            self.phase = Phase.CLOSED
            return self._step
        self.phase = Phase.HAND_OVER
        return self._begin_hand(self.hand + 1)
