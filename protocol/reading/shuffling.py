"""Piles that all shuffle, hands that their holders mix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from p2puno.needs import Mix, Mixed, Shuffle, Shuffled
from p2puno.said import AND, joined, said
from protocol.exhibits import PILES, key_in_words
from protocol.group import Point
from protocol.payloads import Reordered, Shuffling
from protocol.proofs.batch import Equation
from protocol.proofs.encoding import Card, deck_from_bytes
from protocol.proofs.shuffle import ShuffleProof, check_shuffle
from protocol.proofs.transcript import Context
from protocol.reading.cards import Held, Lying, Stock
from protocol.reading.question import Claim, Question, Then
from protocol.reading.standing import Standing
from protocol.reading.trouble import Wrong

Pile: TypeAlias = tuple[str, tuple[int, ...]]
"""Its name, and its slots from the top down."""


@dataclass(slots=True)
class Rounds:
    """A shuffle from its first round to its last. `piles`: those of more than one card, by their place among all that
    are asked for. `order`: the seats, of which the pile at place k is turned by number k + r in round r. `before`: what
    lay in the slots when it began. `turned`: by seat, the hashes of the entries by which it shuffled."""

    piles: dict[int, Pile]
    order: tuple[int, ...]
    before: dict[int, Lying]
    turned: dict[int, list[bytes]] = field(default_factory=dict)


def begin(table: Standing) -> ShuffleQuestion:
    """The first round of the shuffle that the rules need."""
    assert table.game is not None
    assert table.cards is not None
    need = table.game.need
    assert isinstance(need, Shuffle)
    piles = {place: pile for place, pile in enumerate(need.piles) if len(pile[1]) > 1}
    before = {slot: table.cards.lying[slot] for _, slots in piles.values() for slot in slots}
    order = tuple(seat for seat in table.taking if seat not in table.clumsy)
    return ShuffleQuestion(table, Rounds(piles, order, before), 0)


class ShuffleQuestion(Question):
    """One round."""

    what = said("shuffle")
    kinds = (Shuffling,)

    def __init__(self, table: Standing, rounds: Rounds, turn: int) -> None:
        self.rounds = rounds
        self.turn = turn
        self.turns: dict[int, list[Pile]] = {}
        order = rounds.order
        for place, pile in rounds.piles.items():
            seat = order[(place + turn) % len(order)]
            self.turns.setdefault(seat, []).append(pile)
        super().__init__(table, tuple(self.turns))

    def check(self, seat: int, answer: Shuffling) -> list[Claim]:
        piles = self.turns[seat]
        if len(answer.piles) != len(piles):
            raise Wrong(said("{got} piles shuffled, not {count}", got=len(answer.piles), count=len(piles)))
        assert self.table.cards is not None
        cards = self.table.cards
        return [
            shuffle_claim(self.table.context(seat, name), cards.joint, cards.under(slots), turned)
            for (name, slots), turned in zip(piles, answer.piles, strict=True)
        ]

    def note(self, seat: int, entry: bytes) -> None:
        """An entry by which a seat shuffled was accepted."""
        self.rounds.turned.setdefault(seat, []).append(entry)

    def after(self, given: Mapping[int, Shuffling]) -> Question | Then:
        table, rounds = self.table, self.rounds
        assert table.cards is not None
        for seat, answer in given.items():
            for (_, slots), turned in zip(self.turns[seat], answer.piles, strict=True):
                for slot, (a, b) in zip(slots, deck_from_bytes(turned.deck, len(slots)), strict=True):
                    table.cards.lay(slot, Stock(a, b))
        if rounds.piles and self.turn + 1 < len(rounds.order):
            return ShuffleQuestion(table, rounds, self.turn + 1)
        refuted = table.ledger.refuted
        failed = {seat for seat, entries in rounds.turned.items() if refuted.intersection(entries)}
        if failed:
            table.clumsy |= failed
            self.undo()
            return Then.PLAY_ON
        assert table.game is not None
        for _, slots in rounds.piles.values():  # of which there was nobody to shuffle them
            for slot, (a, b) in zip(slots, table.cards.under(slots), strict=True):
                table.cards.lay(slot, Stock(a, b))
        table.tell(table.game.apply(Shuffled()))
        return Then.PLAY_ON

    def undo(self) -> None:
        self._lay(self.rounds.before)

    @contextmanager
    def undone(self) -> Iterator[None]:
        cards = self.table.cards
        assert cards is not None
        now = {slot: cards.lying[slot] for slot in self.rounds.before}
        self.undo()
        try:
            yield
        finally:
            self._lay(now)

    def _lay(self, piles: Mapping[int, Lying]) -> None:
        assert self.table.cards is not None
        for slot, lying in piles.items():
            self.table.cards.lay(slot, lying)

    def asked(self, seat: int) -> str:
        piles = [
            said("{name} ({count} cards)", name=PILES.get(name, name), count=len(slots))
            for name, slots in self.turns.get(seat, ())
        ]
        assert self.table.cards is not None
        return said(
            "round {turn}, {piles}, joint key {key}",
            turn=self.turn + 1,
            piles=joined(piles, AND) or said("no pile"),
            key=key_in_words(self.table.cards.joint),
        )


class MixQuestion(Question):
    """Holders re-order their hands."""

    what = said("mixing hands")
    kinds = (Shuffling,)

    def __init__(self, table: Standing, need: Mix) -> None:
        self.hands = {seat: slots for seat, slots in need.hands if len(slots) > 1}
        super().__init__(table, tuple(self.hands))

    def check(self, seat: int, answer: Shuffling) -> list[Claim]:
        if len(answer.piles) != 1:
            raise Wrong(said("one hand is mixed"))
        assert self.table.cards is not None
        cards = self.table.cards
        deck = cards.under(self.hands[seat], seat)
        return [shuffle_claim(self.table.context(seat, "mix"), cards.keys[seat], deck, answer.piles[0])]

    def after(self, given: Mapping[int, Shuffling]) -> Question | Then:
        assert self.table.cards is not None
        assert self.table.game is not None
        for seat, answer in given.items():
            slots = self.hands[seat]
            for slot, (a, b) in zip(slots, deck_from_bytes(answer.piles[0].deck, len(slots)), strict=True):
                self.table.cards.lay(slot, Held(seat, a, b))
        self.table.tell(self.table.game.apply(Mixed()))
        return Then.PLAY_ON

    def asked(self, seat: int) -> str:
        return self.slots_and_key(self.hands.get(seat, ()), seat)


def shuffle_claim(context: Context, key: Point, deck: Sequence[Card], turned: Reordered) -> Claim:
    """That the new deck is the old one, re-ordered.

    :raises BadProof: the new deck is malformed
    """
    new = deck_from_bytes(turned.deck, len(deck))

    def make() -> list[Equation]:
        return check_shuffle(context, key, deck, new, ShuffleProof.from_bytes(turned.proof, len(deck)))

    return Claim(make)
