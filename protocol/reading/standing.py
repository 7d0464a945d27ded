"""How a table stands while it is read: everything that the next step depends on, and what a public state hashes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from p2puno.engine import Game, new_game
from p2puno.happenings import Happening, What
from p2puno.match import Match
from p2puno.needs import Over
from p2puno.outcome import Outcome
from p2puno.rules import Rules
from protocol.group import Point, group
from protocol.messages import Charter
from protocol.names import NAME_CELLS, clean
from protocol.proofs.transcript import Context
from protocol.reading.cards import Cards
from protocol.reading.ledger import Ledger
from protocol.verdict import Departure, Hand

_SESSION: Final = b"p2puno/1 session\0"
_JOINT: Final = b"p2puno/1 joint\0"
_STATE: Final = b"p2puno/1 state\0"
LEAST_ESCROW: Final = 3
"""Seats of a hand for which there can be an escrow."""


@dataclass(frozen=True, slots=True)
class Escrow:
    """What all others can do for one seat. `dealers`: by dealer A_0 … A_t."""

    epoch: int
    dealers: Mapping[int, Sequence[Point]]

    def share_key(self, dealer: int, seat: int) -> Point | None:
        """X_{i,k}: the key under which `seat` helps out for `dealer`; None for the identity."""
        powers = [pow(seat + 1, power) for power in range(len(self.dealers[dealer]))]
        return group.msm(powers, self.dealers[dealer])

    def spelled(self) -> bytes:
        """As the public state has it."""
        parts = [self.epoch.to_bytes(4, "big")]
        for dealer in sorted(self.dealers):
            parts += (bytes([dealer]), *(point.encoded for point in self.dealers[dealer]))
        return b"".join(parts)


class Standing:
    """The table between two steps.

    `number`, `row`: of the step that runs. `taking`: who takes part in the hand. `gone`: who has departed. `absent`: by
    seat, the step from which it is absent. `clumsy`: whose shuffles failed in this hand. `dealt`: whether the hands of
    this deal are out.
    """

    def __init__(self, charter: Charter, rules: Rules, ledger: Ledger) -> None:
        self.charter = charter
        self.rules = rules
        self.ledger = ledger
        self.seats = len(charter.roster)
        self.names = tuple(clean(place.name, NAME_CELLS) for place in charter.roster)
        self.id = charter.table
        self.number = 0
        self.row = self.id
        self.phase = "agree"
        self.hand = 0
        self.nonces: dict[int, bytes] = {}
        self.entropies: dict[int, bytes] = {}
        self.sid = bytes(32)
        self.taking: tuple[int, ...] = tuple(range(self.seats))
        self.gone: set[int] = set()
        self.absent: dict[int, int] = {}
        self.clumsy: set[int] = set()
        self.match: Match | None = None
        self.game: Game | None = None
        self.cards: Cards | None = None
        self.escrow: Escrow | None = None
        self.epoch = 0
        self.dealt = False
        self.hands: list[Hand] = []
        self.departures: list[Departure] = []
        self.seen: Counter[str] = Counter()
        self.turns = 0

    # -- who is there -------------------------------------------------------------------------------------------------

    @property
    def present(self) -> tuple[int, ...]:
        """Who has not departed."""
        return tuple(seat for seat in range(self.seats) if seat not in self.gone)

    @property
    def here(self) -> tuple[int, ...]:
        """Who has not departed and is not absent."""
        return tuple(seat for seat in self.present if seat not in self.absent)

    def judges(self, seat: int) -> set[int]:
        """Who votes about a seat: all others that take part in the hand and are not absent. Who came back in the middle
        of a hand in which it has no part has no vote."""
        return {other for other in self.taking if other != seat and other not in self.absent}

    @property
    def escrowed(self) -> bool:
        """Whether those who take part make an escrow."""
        return self.rules.drop_outs == 1 and len(self.taking) >= LEAST_ESCROW

    # -- what is true -------------------------------------------------------------------------------------------------

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by seat."""
        return tuple(self.match.scores) if self.match is not None else (0,) * self.seats

    def state(self) -> bytes:
        """The hash of the public state (docs/wire.md, section 6)."""
        parts = (
            self.phase.encode(),
            self.hand.to_bytes(4, "big"),
            b"".join(score.to_bytes(4, "big") for score in self.scores),
            self.game.state_hash() if self.game is not None else b"",
            self.cards.digest() if self.cards is not None else b"",
            self.escrow.spelled() if self.escrow is not None else b"",
            bytes(self.taking),
            bytes(sorted(self.absent)),
        )
        return hashlib.sha256(_STATE + b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()

    def context(self, prover: int, deck: str) -> Context:
        """Where a proof of the running step belongs."""
        return Context(self.sid, prover, deck, 0, self.number)

    # -- hands --------------------------------------------------------------------------------------------------------

    def new_hand(self) -> None:
        """Begin a hand with everybody who is here: what the one before held is over."""
        self.phase = "commit"
        self.hand = len(self.hands) + 1
        self.taking = self.here
        nonces = b"".join(self.nonces[seat] for seat in sorted(self.nonces))
        self.sid = hashlib.sha256(_SESSION + self.id + self.number.to_bytes(4, "big") + nonces).digest()
        self.game = self.cards = self.escrow = None
        self.epoch = 0
        self.clumsy.clear()
        self.dealt = False

    def deal(self, keys: Mapping[int, Point], entropies: Mapping[int, bytes]) -> None:
        """The keys are open: the deck is made, and the rules begin."""
        self.cards = Cards(self.rules, keys, self.seats)
        joint = hashlib.sha256(_JOINT + self.sid + b"".join(entropies[seat] for seat in sorted(entropies))).digest()
        if self.match is None:
            self.match = Match(self.rules, self.seats, self.first_dealer(int.from_bytes(joint, "big")))
            for seat in sorted(self.gone):
                self.match.leave(seat)
        away = [seat for seat in range(self.seats) if seat not in self.taking]
        dealer = self.match.next_dealer
        while dealer in away:
            dealer = (dealer + 1) % self.seats
        self.game = new_game(self.rules, self.seats, dealer, away)

    def first_dealer(self, lot: int) -> int:
        """R2: the seat that is named, or drawn among all, or among the youngest of those who told an age."""
        if self.rules.starter.isdigit():
            return (int(self.rules.starter) - 1) % self.seats
        ages = {seat: place.age for seat, place in enumerate(self.charter.roster) if place.age}
        among = list(range(self.seats))
        if self.rules.starter == "youngest" and ages:
            among = [seat for seat, age in ages.items() if age == min(ages.values())]
        return among[lot % len(among)]

    def tell(self, happenings: Iterable[Happening]) -> None:
        """Count what happens."""
        for happening in happenings:
            self.seen[happening.what.value] += 1
            self.turns += happening.what is What.TURN

    def score(self, outcome: Outcome) -> bool:
        """Count a hand that has ended; whether the match is over."""
        assert self.match is not None
        self.match.finish(outcome)
        for seat in sorted(self.gone):
            self.match.leave(seat)
        kinds = self.rules.kinds
        left = tuple(tuple(kinds[face].short for face in hand) for hand in outcome.hands)
        self.hands.append(Hand(outcome.winner, outcome.ending, outcome.points, self.scores, left))
        return self.match.over

    def depart(self, seat: int, how: str) -> None:
        """A seat is taken off the table for good."""
        self.departures.append(Departure(seat, self.number, how))
        self.gone.add(seat)
        self.absent.pop(seat, None)
        self.taking = tuple(other for other in self.taking if other != seat)
        self.escrow = None
        if self.game is not None and self.dealt and self.game.plays(seat) and not isinstance(self.game.need, Over):
            self.tell(self.game.leave(seat))
            if isinstance(self.game.need, Over):
                return  # the hand is counted first
        if self.match is not None:
            self.match.leave(seat)
