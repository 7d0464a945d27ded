"""A table as everybody computes it: the agreed charter, and what follows from the entries signed under it.

`Table` is the replicated machine at the heart of a peer and of the audit alike. It knows no secret, no clock and no
network. It stands at one *step*; the step names the seats that must contribute, `offer` takes one entry after the
other, and when all are in they are verified together and the next step begins. Whatever cannot come from an honest
seat is a `Cheat` that names its author.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from p2puno.engine import Game
from p2puno.happenings import Happening
from p2puno.match import Match
from p2puno.moves import MoveError
from p2puno.needs import Decide, Need, Over
from p2puno.outcome import Outcome
from p2puno.said import message_of, said
from protocol import moving, steps
from protocol.absence import Absence
from protocol.answering import answering
from protocol.dealing import Blame, InsteadStep
from protocol.deck import Cards, FaceTable
from protocol.departures import Departures
from protocol.escrow import FEWEST, Escrow
from protocol.events import Phase
from protocol.lobby import read_rules
from protocol.messages import Charter, Entry
from protocol.names import NAME_CELLS, clean
from protocol.offences import Cheat, OtherRow
from protocol.payloads import Absent, Back, Depart, Have, Leave, Remove, Stands, Welcome
from protocol.proofs.batch import BadProof, Equation, require
from protocol.proofs.transcript import Context
from protocol.proving import Proofs
from protocol.quorum import Quorum, absence_hash
from protocol.state import next_row, public_state
from protocol.step import Done, Step


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
            raise ValueError(said("{game} is not for {count} players", game=self.rules.name, count=len(self.seats)))
        if len({place.key for place in charter.roster}) < len(self.seats):
            raise ValueError(said("one key has two seats"))
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
        self.escrow: Escrow | None = None  # while a drop-out is tolerated
        self.epoch = 0  # of the last escrow dealt in this hand
        self.scored: list[Scored] = []
        self.present = list(self.seats)  # those that take part in the running hand
        self.dealt = False  # whether the running hand has been dealt
        self.cards_since = math.inf  # the first step in which somebody had cards, of a first hand that counts
        self.barred: set[int] = set()  # who shuffled wrongly in this hand shuffles no more
        self.convicted: dict[int, Cheat] = {}  # who was caught, as far as is known here
        self.disputed: set[tuple[int, int]] = set()  # (seat, step) where somebody is known to have said two things
        self.found: list[Cheat] = []  # cheats that a completed step showed, for the caller to take
        self.absence = Absence()
        self.departures = Departures(self)
        self.quorum = Quorum(self)
        self.proofs = Proofs()
        self._cut: set[int] = set()  # steps that ended by a departure: what else was signed for them does not count
        self._state: bytes | None = None
        self._taken: dict[int, tuple[bytes, Any]] = {}
        self._used: dict[tuple[int, int], bytes] = {}  # by (seat, step), the contribution that stands in our row
        self._step: Step = steps.AgreeStep(self)
        self._silent: tuple[int, ...] = ()  # who was absent when the running step began

    # -- what it stands at --------------------------------------------------------------------------------------------

    @property
    def step(self) -> Step:
        """The running step."""
        return self._step

    @property
    def need(self) -> Need | None:
        """What the engine needs; None before a hand's keys are made."""
        return self.game.need if self.game else None

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
        if self.closed:
            return ()
        return tuple(seat for seat in self._step.authors if seat not in self._taken and seat not in self.absence.since)

    @property
    def escrowed(self) -> bool:
        """Whether the seats here have an escrow, so that one of them may drop out."""
        return bool(self.rules.drop_outs) and len(self.present) >= FEWEST

    @property
    def heard(self) -> dict[int, Any]:
        """What the seats contributed to the running step so far, decoded."""
        return {seat: decoded for seat, (_, decoded) in self._taken.items()}

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of the match so far, by seat."""
        return tuple(self.match.scores) if self.match else tuple(0 for _ in self.seats)

    def state(self) -> bytes:
        """The hash of the public state that the running step begins with; 32 bytes (`protocol.state`)."""
        if self._state is None:
            self._state = public_state(self, self._silent)
        return self._state

    def context(self, prover: int, deck: str = "", step: int | None = None) -> Context:
        """The context of a proof by `prover` in a step, the running one if none is named."""
        return Context(self.sid, prover, deck, 0, self.number if step is None else step)

    # -- taking entries -----------------------------------------------------------------------------------------------

    def offer(self, entry: Entry) -> list[Done]:
        """Take a well-signed entry of this table whose step is the running or an earlier one; returns the steps that
        it completed. What a completed step shows of its authors is then in `found`.

        :raises Cheat: no honest seat can have signed it
        :raises OtherRow: it builds on another row
        """
        body = entry.body
        if isinstance(body.payload, Have):
            self.absence.have(entry)
            self.quorum.check(entry)
            return []
        if isinstance(body.payload, Stands):
            self.quorum.stand(entry)
            return []
        if isinstance(body.payload, Back):
            self.absence.backs[body.seat] = entry
            return []
        if body.row != self.rows[body.step]:
            raise OtherRow(said("step {step} builds on another row", step=body.step))
        if body.step == self.number and body.state != self.state():
            raise Cheat(body.seat, said("another public state than its row leads to"), self.number)
        if body.seat in self.departures.gone:
            return []
        match body.payload:
            case Absent():
                return self.quorum.vote(entry)
            case Leave():
                self.departures.leaves[body.seat] = (entry, body.payload)
                return self.quorum.depart()
            case Depart():
                word = self.departures.hear(entry)
                return [] if body.step in self._cut else self.quorum.let_go(word)
        return self._take(entry)

    def _take(self, entry: Entry) -> list[Done]:
        """Take what a seat contributes to a step, on our row.

        :raises Cheat: no honest seat can have signed it
        """
        body = entry.body
        if body.step in self._cut or (body.seat, body.step) in self.absence.missed:
            return []
        place = body.seat, body.step
        if place in self.disputed and self.quorum.chosen(*place) != entry.hash:
            return []  # it said two things, and this one does not stand, or not yet
        if body.step == self.number and self.departures.foretold(body.seat):
            return []
        if self.closed or body.step < self.number:
            raise Cheat(
                body.seat, said("acts out of turn in step {step}, which was complete", step=body.step), body.step
            )
        if body.seat in self.absence.since:
            return []  # too late (C40)
        if body.seat not in self._step.authors or body.seat in self._taken:
            raise Cheat(
                body.seat,
                said("acts out of turn in step {number} ({step})", number=self.number, step=self._step.what),
                self.number,
            )
        if isinstance(body.payload, Welcome | Remove) and isinstance(self._step, moving.DecideStep):
            return self.quorum.welcome(entry) if isinstance(body.payload, Welcome) else self.quorum.remove(entry)
        if not isinstance(body.payload, self._step.takes):
            raise Cheat(
                body.seat,
                said("{kind} is no answer to {step}", kind=type(body.payload).__name__, step=self._step.what),
                self.number,
            )
        try:
            decoded, equations = self._step.take(body.seat, body.payload)
        except Blame as bad:
            return self.quorum.expose(Cheat(bad.seat, self._about_step(bad), self.number))
        except BadProof as bad:
            raise Cheat(body.seat, self._about_step(bad), self.number) from None
        if self.quorum.certain(body.seat, self.number, foreseen=True):  # it does not count, but it may show a cheat
            self._judge(body.seat, decoded, equations)
            return []
        self._taken[body.seat] = (entry.hash, decoded)
        self.proofs.add(body.seat, self.number, equations, self._step.deferred)
        return self.advance()

    def used(self, seat: int, step: int) -> bytes | None:
        """The hash of the contribution of a seat that our row is built on; None if there is none."""
        return self._taken[seat][0] if step == self.number and seat in self._taken else self._used.get((seat, step))

    def forget(self, seat: int) -> None:
        """A seat departs in the running step: what it contributed does not count."""
        self._taken.pop(seat, None)

    def _about_step(self, bad: Exception) -> str:
        return said("{step}: {reason}", step=self._step.what, reason=message_of(bad))

    def _judge(self, seat: int, decoded: Any, equations: Sequence[Equation]) -> None:
        """
        :raises Cheat: a contribution that does not count would not have stood, either
        """
        try:
            require(equations)
            if isinstance(self._step, moving.DecideStep) and self.game is not None:
                self.game.copy().apply(decoded[0])
        except BadProof:
            raise Cheat(seat, said("{step}: the proof does not hold", step=self._step.what), self.number) from None
        except MoveError as bad:
            raise Cheat(seat, _broken(bad), self.number) from None

    def verify_pile(self) -> bool:
        """Verify all shuffle proofs of the running pile at once; whose does not hold is found and shuffles no more."""
        return not self._find(self.proofs.verify_pile())

    def _find(self, cheats: list[Cheat]) -> list[Cheat]:
        self.barred |= {cheat.seat for cheat in cheats}
        self.found += cheats
        return cheats

    def _verified(self) -> bool:
        """Whether all proofs of the running step hold, or all others do and nothing of their authors is waited for."""
        for cheat in self._find(self.proofs.verify_step(self._step.what)):
            self._taken.pop(cheat.seat, None)
        return not self.waiting

    def advance(self) -> list[Done]:
        """Go on from step to step as long as nothing is waited for."""
        done: list[Done] = []
        while not self.closed:
            if self.waiting:
                if not self.quorum.silence(done):
                    break
                continue
            if not self._verified():
                continue
            step, taken = self._step, self._taken
            hashes = self._hashes({seat: own for seat, (own, _) in taken.items()})
            decoded = {seat: decoded for seat, (_, decoded) in taken.items()}
            silent = [seat for seat in step.authors if seat not in taken]
            owed = next(((seat, slots) for seat in silent if (slots := step.lacking(seat))), None)
            if owed is not None:
                self._end_step(hashes)
                done.append(Done(step, None, ()))
                self._step = InsteadStep(step, decoded, *owed)
                continue
            try:
                result = step.finish(decoded)
            except MoveError as bad:
                if not isinstance(step.need, Decide) or silent:  # only a move can break a rule; else the fault is ours
                    raise
                self.found.append(Cheat(step.authors[0], _broken(bad), self.number))
                self._taken = {}
                self.proofs.next_step()
                continue
            self._end_step(hashes)
            done.append(Done(step.origin, step.need if result is not None else None, tuple(result or ())))
            self._step = self._next()
        return done

    def _hashes(self, taken: Mapping[int, bytes]) -> list[bytes]:
        """What the running step adds to the row, if it ends with these entries of its authors."""
        return [taken.get(seat) or absence_hash(seat) for seat in sorted(self._step.authors)]

    def row_with(self, seat: int, entry: bytes) -> bytes | None:
        """The row after the running step, if it ends with this entry of the one seat that it waits for."""
        if self.waiting != (seat,):
            return None
        taken = {author: own for author, (own, _) in self._taken.items()} | {seat: entry}
        return next_row(self.row, self.number, [*self._hashes(taken), *self.quorum.words()])

    def _end_step(self, hashes: list[bytes]) -> None:
        self.absence.missed |= {(seat, self.number) for seat in self._step.authors if seat not in self._taken}
        hashes = [*hashes, *self.quorum.settle()]
        self._used |= {(seat, self.number): entry for seat, (entry, _) in self._taken.items()}
        self.rows.append(next_row(self.row, self.number, hashes))
        self.number += 1
        self._taken = {}
        self.proofs.next_step()
        self._state = None
        self._silent = tuple(sorted(self.absence.since))

    def cut(self, hashes: list[bytes], follow: Callable[[], Step], happenings: Iterable[Happening] = ()) -> Done:
        """End the running step by something else than what it asked for, and go on with another one."""
        step = self._step
        self._cut.add(self.number)
        self._end_step(hashes)
        self._step = follow()
        return Done(step, None, tuple(happenings))

    # -- from step to step --------------------------------------------------------------------------------------------

    def _next(self) -> Step:
        """The step that follows the one just finished; moves the phase on."""
        if self._step.follow is not None:  # reveals after commits, the next seat's turn in shuffling a pile
            if self.phase is Phase.COMMIT:
                self.phase = Phase.REVEAL
                self._state = None
            return self._step.follow
        if self.phase is Phase.AGREE:
            return self.begin_hand(1)
        return self.needed()

    def needed(self) -> Step:
        """The step that the engine's need asks for."""
        self.phase = Phase.PLAY
        self._state = None
        assert self.game is not None
        need = self.game.need
        return self._score(need.outcome) if isinstance(need, Over) else answering(self, need)

    def begin_hand(self, hand: int) -> Step:
        """Begin a hand with all who are here and not absent, or begin it anew where somebody left before it was dealt:
        the session id is new, too."""
        self.hand = hand
        if hand == 1:
            self.cards_since = math.inf
        self.phase = Phase.COMMIT
        self.dealt = False
        self.game = self.cards = self.escrow = None
        self.epoch = 0
        self.barred = set()
        gone = self.departures.gone | self.absence.since.keys()
        self.present = [seat for seat in self.seats if seat not in gone]
        self.proofs.drop_pile()
        self.sid = hashlib.sha256(
            b"p2puno/1 session\x00" + self.id + self.number.to_bytes(4, "big") + b"".join(self.nonces)
        ).digest()
        self._state = None
        return steps.CommitStep(self)

    def close(self) -> None:
        """Nothing more can happen."""
        self.phase = Phase.CLOSED

    def _score(self, outcome: Outcome) -> Step:
        assert self.match is not None
        self.match.finish(outcome)
        self.scored.append(Scored(outcome, self.scores))
        self._state = None
        if self.match.over:
            self.close()
            return self._step
        self.phase = Phase.HAND_OVER
        return self.begin_hand(self.hand + 1)


def _broken(bad: MoveError) -> str:
    """Which rule a move broke."""
    if not bad.rule:
        return message_of(bad)
    return said("{reason} ({rule})", reason=message_of(bad), rule=bad.rule)
