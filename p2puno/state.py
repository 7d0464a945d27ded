"""The state of one hand: where every card lies and what is still to be done, with canonical bytes, copies and hashes.

Cards are *slots*: numbers from 0 that never change. What lies in a slot is its *face*. The public state says which
slots lie where and which faces are known to all; what single seats know is kept beside it in `known` and `memory` and
is in no hash. Only view.py hands it out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from p2puno.needs import Need, Shuffle
from p2puno.rules import Rules

HIDDEN: Final = 255
"""In `public`: the face in this slot is not known to all."""

MOST_REFILLS: Final = 25
"""How often the discard becomes the draw pile in one hand (R64): so a hand ends in bounded steps. People need five."""

Piece = tuple[Any, ...]
"""A step on the agenda: the name of its piece (pieces.py), then seats, slots and counts: ints and tuples of ints."""


class State:
    """Everything that is true of one hand. `Game` adds the rules of how it changes.

    `piles`: slots by name, the top last. `hands[seat]`: slots in the order in which they came. `public[slot]`: the
    face, or HIDDEN. `living`, `touched`, `lost`: sets of seats as bits: in the hand; took or showed cards in this turn;
    lose the next turn. `colour`: the colour in force, -1 before there is one. `passes`: turns in a row that could take
    nothing (R65). `refills`: how often the discard became the draw pile (R64). `winner`: who emptied the hand, -1
    before. `agenda`: pieces still to be done, the next one last. While the game waits, the last piece is the one that
    the answer goes to.
    """

    __slots__ = (
        "agenda", "alive", "colour", "dealer", "direction", "hands", "known", "living", "lost", "memory", "need",
        "pack", "passes", "piles", "players", "public", "refills", "rules", "shown", "touched", "turn", "winner",
    )  # fmt: skip

    def __init__(self, rules: Rules, players: int, dealer: int, away: Iterable[int] = ()) -> None:
        pack = rules.pack
        gone = frozenset(away)
        if players not in pack.players:
            raise ValueError(f"{pack.name} is for {pack.players[0]} to {pack.players[-1]} players, not {players}")
        if not gone <= frozenset(range(players)) or dealer not in range(players) or players - len(gone) < 2:
            raise ValueError("the dealer must be a seat, and at least two seats must play")
        self.rules = rules
        self.pack = pack
        self.players = players
        self.dealer = dealer
        self.turn = -1
        self.direction = 1
        self.colour = -1
        self.living = sum(1 << seat for seat in range(players) if seat not in gone)
        self.alive = players - len(gone)
        self.touched = 0
        self.lost = 0
        self.passes = 0
        self.refills = 0
        self.winner = -1
        slots = len(pack.deck)
        self.piles: dict[str, list[int]] = {"draw": list(range(slots - 1, -1, -1)), "discard": []}
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.public = bytearray(pack.deck)
        self.known: list[list[int]] = [[-1] * slots for _ in range(players)]
        # memory[viewer][holder]: faces that the holder surely has, seen before a mix (R47); `shown`: any such knowledge
        self.memory: dict[tuple[int, int], list[int]] = {}
        self.shown = 0
        self.agenda: list[Piece] = [("deal",)]
        self.need: Need = Shuffle((("draw", tuple(range(slots))),))

    @property
    def top(self) -> int:
        """The face on top of the discard pile; -1 before one lies there."""
        pile = self.piles["discard"]
        return self.public[pile[-1]] if pile else -1

    def face(self, slot: int) -> int:
        """The face in a slot as all know it, or -1."""
        face = self.public[slot]
        return -1 if face == HIDDEN else face

    def plays(self, seat: int) -> bool:
        """Whether the seat is still in the hand."""
        return bool(self.living >> seat & 1)

    def after(self, seat: int) -> int:
        """The nearest living seat after `seat` in the direction of play."""
        players, direction, living = self.players, self.direction, self.living
        seat = (seat + direction) % players
        while not living >> seat & 1:
            seat = (seat + direction) % players
        return seat

    def seats_from(self, seat: int) -> list[int]:
        """All living seats in the direction of play, `seat` first if it is living."""
        order = [(seat + step * self.direction) % self.players for step in range(self.players)]
        return [other for other in order if self.living >> other & 1]

    def can_take(self) -> bool:
        """Whether any card can still be taken: from the draw pile or, below the top card, the discard (R64)."""
        return bool(self.piles["draw"]) or (len(self.piles["discard"]) > 1 and self.refills < MOST_REFILLS)

    def places(self) -> list[list[int]]:
        """Every place where a card can lie: each slot is in exactly one of these lists."""
        return [*self.piles.values(), *self.hands]

    def copy_to(self, other: State) -> None:
        """Write this state into `other`; afterwards nothing that can change is shared."""
        for name in State.__slots__:
            setattr(other, name, getattr(self, name))
        other.piles = {name: pile[:] for name, pile in self.piles.items()}
        other.hands = [hand[:] for hand in self.hands]
        other.public = self.public[:]
        other.known = [known[:] for known in self.known]
        other.memory = {key: faces[:] for key, faces in self.memory.items()}
        other.agenda = self.agenda[:]

    def public_bytes(self) -> bytes:
        """Canonical bytes of the public state: the same on every machine for the same rules and answers.

        Layout: a byte for each of players, dealer, turn + 1, direction + 1, colour + 1, passes, refills, winner + 1;
        two bytes each for lost, touched and living; every pile (rising by name) and every hand as a count and its
        slots, a byte each; the public face of each slot; then, as JSON without spaces, the agenda and the need (name
        and fields).
        """
        piles = self.piles
        numbers = [self.players, self.dealer, self.turn + 1, self.direction + 1, self.colour + 1, self.passes]
        numbers += (self.refills, self.winner + 1)
        numbers += (self.living | self.touched << 16 | self.lost << 32).to_bytes(6, "big")
        for name in sorted(piles):
            numbers.append(len(piles[name]))
            numbers += piles[name]
        for hand in self.hands:
            numbers.append(len(hand))
            numbers += hand
        return bytes(numbers) + self.public + needs_as_json((self.agenda, self.need)).encode()

    def state_hash(self) -> bytes:
        """SHA-256 over the digest of the rules and the public bytes: 32 bytes."""
        return hashlib.sha256(_rules_digest(self.rules) + self.public_bytes()).digest()


_rules_digest = cache(Rules.digest)


def _fields(need: Any) -> list[object]:
    return [type(need).__name__, *[getattr(need, name) for name in need.__slots__]]


needs_as_json = json.JSONEncoder(separators=(",", ":"), default=_fields).encode
"""JSON without spaces, in which a need is a list: its name, then its fields."""
