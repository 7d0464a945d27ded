"""The steps of a table: who must contribute, what is checked, and what follows.

Here are the steps of a set-up, and those in which nobody chooses anything; `moving` has the
steps in which a seat decides, `showing` those in which it shows or hands over cards.

One need of the engine is one step, except that a shuffle is one step a seat. A step decodes and checks each
contribution when it comes in (`take`: what it decoded, and the equations still to be verified), and applies them all
when the last one is in (`finish`). The keeper makes an honest seat's contribution to the same step.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from p2puno.engine import new_game
from p2puno.happenings import Happening
from p2puno.match import Match
from p2puno.needs import (
    Mix,
    Mixed,
    Open,
    Opened,
    Over,
    Shuffle,
    Shuffled,
)
from p2puno.said import message_of, said
from protocol.dealing import Blame, PledgeStep, read_boxes, read_deal
from protocol.deck import Cards, Form
from protocol.escrow import Escrow
from protocol.group import BadPoint, Point, group
from protocol.payloads import Agree, Commit, Reordered, Reveal, Shares, Shuffling
from protocol.proofs.batch import BadProof, Equation
from protocol.proofs.dleq import ShareProof, check_shares, shares_from_bytes
from protocol.proofs.encoding import Card, deck_from_bytes
from protocol.proofs.handover import HandoverProof, Kind, check_handover
from protocol.proofs.schnorr import KeyProof, check_key
from protocol.proofs.shuffle import ShuffleProof, check_shuffle
from protocol.proofs.transcript import Context
from protocol.step import Step, Taken

if TYPE_CHECKING:
    from protocol.table import Table


def point(data: bytes) -> Point:
    """A point from a message.

    :raises BadProof: not canonical
    """
    try:
        return group.dec(data)
    except BadPoint as bad:
        raise BadProof(message_of(bad)) from None


class AgreeStep(Step):
    """All sign the charter and give their part of the session id."""

    what = said("agreement")
    takes = (Agree,)

    def __init__(self, table: Table) -> None:
        super().__init__(table, table.seats)

    def take(self, seat: int, payload: Agree) -> Taken:
        return payload.nonce, ()

    def finish(self, taken: dict[int, Any]) -> None:
        self.table.nonces = tuple(taken[seat] for seat in self.authors)


def commitment(sid: bytes, seat: int, reveal: Reveal) -> bytes:
    """The hash that commits a seat to its reveal, all but the proof (docs/wire.md, section 4); 32 bytes."""
    return hashlib.sha256(
        b"p2puno/1 commit\x00"
        + sid
        + seat.to_bytes(1, "big")
        + reveal.key
        + reveal.entropy
        + reveal.opening
        + reveal.deal.coefficients
    ).digest()


class CommitStep(Step):
    """All commit to key share and entropy before any is revealed (C02, C06)."""

    what = said("commit")
    takes = (Commit,)

    def __init__(self, table: Table) -> None:
        super().__init__(table, table.present)

    def take(self, seat: int, payload: Commit) -> Taken:
        return (payload.hash, read_boxes(self, seat, payload.boxes)), ()

    def finish(self, taken: dict[int, Any]) -> None:
        self.follow = RevealStep(self.table, taken)


class RevealStep(Step):
    """All reveal; the keys make the joint key, the entropy the hand's joint random number."""

    what = said("reveal")
    takes = (Reveal,)

    def __init__(self, table: Table, commits: dict[int, tuple[bytes, dict[int, bytes]]]) -> None:
        super().__init__(table, table.present)
        self.commits = {seat: commit for seat, (commit, _) in commits.items()}
        self.boxes = {seat: boxes for seat, (_, boxes) in commits.items()}
        self._keys: dict[bytes, int] = {}  # whose they are

    def take(self, seat: int, payload: Reveal) -> Taken:
        if commitment(self.table.sid, seat, payload) != self.commits[seat]:
            raise BadProof(said("the reveal does not open the commitment"))
        owner = self._keys.setdefault(payload.key, seat)  # a seat may reveal again, if of two answers the first falls
        if owner != seat:  # the two are one player: which of them came first differs from seat to seat
            raise Blame(max(seat, owner), said("the key share of another seat"))
        key = point(payload.key)
        proof = KeyProof.from_bytes(payload.proof)
        deal = read_deal(self, seat, key, payload.deal)
        return (key, payload.entropy, deal), check_key(self.table.context(seat, "key"), key, payload.entropy, proof)

    def finish(self, taken: dict[int, Any]) -> None:
        table = self.table
        table.joint = hashlib.sha256(
            b"p2puno/1 joint\x00" + table.sid + b"".join(taken[seat][1] for seat in self.authors)
        ).digest()
        players = len(table.seats)
        escrow = None
        if self.boxes[self.authors[0]]:
            escrow = Escrow(0, self.boxes, {seat: taken[seat][2] for seat in self.authors})
        if table.match is None:
            ages = [place.age for place in table.roster]
            table.match = Match(table.rules, players, first_seat(table.rules.starter, table.joint, ages))
            for seat in sorted(table.departures.gone):
                table.match.leave(seat)
        first, away = table.match.next_dealer, {seat for seat in table.seats if seat not in table.present}
        while first in away:  # who is only absent keeps its place in the match
            first = (first + 1) % players
        table.game = new_game(table.rules, players, first, away)
        keys = [taken[seat][0] if seat in taken else None for seat in table.seats]
        table.cards = Cards(table.faces, table.rules.deck(), keys)
        if escrow is not None:
            self.follow = PledgeStep(table, escrow)


def first_seat(starter: str, joint: bytes, ages: Sequence[int]) -> int:
    """R2: who deals (classic) or leads (Ultimate) first: the seat that the option names (counted from 1), the youngest
    by their own word, or drawn by the joint random number, which is so large that its remainder favours nobody."""
    if starter.isdigit():
        return (int(starter) - 1) % len(ages)
    told = [age for age in ages if age]
    drawn = list(range(len(ages)))
    if starter == "youngest" and told:
        drawn = [seat for seat, age in enumerate(ages) if age == min(told)]
    return drawn[int.from_bytes(joint, "big") % len(drawn)]


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile in its turn: its name, slots and ciphertexts before."""

    name: str
    slots: tuple[int, ...]
    deck: list[Card]


class ShuffleStep(Step):
    """One round of shuffling: each pile goes through every seat, beginning at another one, so that all work at once.
    The proofs of all rounds are verified when the last one is in."""

    what = said("shuffle")
    takes = (Shuffling,)
    deferred = True

    def __init__(self, table: Table, need: Shuffle, turn: int, before: dict[int, Form] | None = None) -> None:
        """`before`: the forms of all slots of the piles before the first round."""
        self.turn = turn
        self.turns: dict[int, list[Pile]] = {}  # by seat, the piles that are its in this round
        super().__init__(table, (), need)
        if before is None:
            before = {slot: self.cards.forms[slot] for _, slots in need.piles for slot in slots}
        self.before = before
        shufflers = [seat for seat in table.present if seat not in table.barred]
        self.rounds = len(shufflers)
        # A pile of one card or none is its own shuffle (docs/deck-protocol.md, section 4).
        for index, (name, slots) in enumerate(need.piles):
            if len(slots) > 1:
                seat = shufflers[(index + turn) % len(shufflers)]
                self.turns.setdefault(seat, []).append(Pile(name, slots, self.cards.pile(slots)))
        self.authors = tuple(sorted(self.turns))

    @property
    def round(self) -> int:
        return self.turn + 1

    @property
    def piles(self) -> tuple[tuple[str, int], ...]:
        return tuple((pile.name, seat) for seat in self.authors for pile in self.turns[seat])

    def take(self, seat: int, payload: Shuffling) -> Taken:
        piles = self.turns[seat]
        if len(payload.piles) != len(piles):
            raise BadProof(said("{got} piles shuffled, not {count}", got=len(payload.piles), count=len(piles)))
        decks, equations = [], []
        for pile, new in zip(piles, payload.piles, strict=True):
            context = self.table.context(seat, pile.name)
            deck, own = reordered(context, self.cards.joint, pile.deck, new)
            decks.append(deck)
            equations += own
        return decks, equations

    def finish(self, taken: dict[int, Any]) -> list[Happening] | None:
        for seat, decks in taken.items():
            for pile, deck in zip(self.turns[seat], decks, strict=True):
                self.cards.reorder(pile.slots, deck)
        assert isinstance(self.need, Shuffle)
        if self.authors and self.turn + 1 < self.rounds:
            self.follow = ShuffleStep(self.table, self.need, self.turn + 1, self.before)
            return None
        if not self.table.verify_pile():
            self.restore()
            self.follow = ShuffleStep(self.table, self.need, 0, self.before)
            return None
        return self.apply(Shuffled())

    def restore(self) -> None:
        """Put the piles back as they were before the first round."""
        for slot, form in self.before.items():
            self.cards.put(slot, form)


def reordered(context: Context, key: Point, before: list[Card], new: Reordered) -> tuple[list[Card], list[Equation]]:
    """A deck in its new order and the equations that show that it is the same one.

    :raises BadProof: they do not fit
    """
    deck = deck_from_bytes(new.deck, len(before))
    proof = ShuffleProof.from_bytes(new.proof, len(before))
    return deck, check_shuffle(context, key, before, deck, proof)


class OpenStep(Step):
    """Shares for the slots that open; each seat's with one proof."""

    what = said("shares")
    takes = (Shares,)

    def __init__(self, table: Table, need: Open) -> None:
        assert table.cards is not None
        self.owed = {seat: owed for seat in table.present if (owed := table.cards.owed(need.to, seat))}
        super().__init__(table, tuple(self.owed), need)
        self.to = need.to

    def take(self, seat: int, payload: Shares) -> Taken:
        owed = self.owed[seat]
        shares = shares_from_bytes(payload.shares, len(owed))
        proof = ShareProof.from_bytes(payload.proof)
        equations = check_shares(
            self.table.context(seat, "open"), self.cards.key(seat), [a for _, a in owed], shares, proof
        )
        return {slot: share for (slot, _), share in zip(owed, shares, strict=True)}, equations

    def lacking(self, seat: int) -> list[int]:
        return [slot for slot, _ in self.owed.get(seat, ()) if slot not in self.helped]

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        self.table.dealt = True
        self.table.cards_since = min(self.table.cards_since, self.table.number + 1)
        for seat in self.owed:
            if seat not in taken:
                taken = {**taken, seat: self.helped}
        opened = self.cards.open(self.to, taken)
        happenings = self.apply(Opened(tuple(opened)))
        self._keep_in_hand([slot for slot, _ in opened])
        return happenings

    def _keep_in_hand(self, opened: list[int]) -> None:
        """A card that was shown to all but stays in a hand (`force_play`) is held there again, so that it can be mixed
        among the others. Not in the hand of a seat that has left meanwhile, which has no key any more."""
        game = self.table.game
        assert game is not None
        if not isinstance(game.need, Over):
            for slot in opened:
                for seat, hand in enumerate(game.hands):
                    if slot in hand and seat in self.table.present:
                        self.cards.hold(slot, seat)


class MixStep(Step):
    """Seats re-order their hands, so that no card can be followed (R47)."""

    what = said("mixing hands")
    takes = (Shuffling,)

    def __init__(self, table: Table, need: Mix) -> None:
        self.hands = {seat: slots for seat, slots in need.hands if len(slots) > 1}
        super().__init__(table, tuple(self.hands), need)
        self.decks = {seat: [self.cards.held(seat, slot) for slot in slots] for seat, slots in self.hands.items()}

    def take(self, seat: int, payload: Shuffling) -> Taken:
        if len(payload.piles) != 1:
            raise BadProof(said("one hand is mixed"))
        return reordered(self.table.context(seat, "mix"), self.cards.key(seat), self.decks[seat], payload.piles[0])

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        for seat, deck in taken.items():  # the hand of an absent seat stays in its order
            self.cards.reorder(self.hands[seat], deck, seat)
        return self.apply(Mixed())


def handed_over(
    step: Step, seat: int, kind: Kind, deck: str, slot: int, receiver: Point, new: Card, proof: bytes
) -> list[Equation]:
    """The equations that show that `new` is the card in a slot of the seat's hand, under the receiver's key.

    :raises BadProof: the seat does not hold the slot, or the proof is malformed
    """
    held, key = step.cards.held(seat, slot), step.cards.key(seat)
    context = step.table.context(seat, deck)
    return check_handover(context, kind, key, held, receiver, new, HandoverProof.from_bytes(proof))
