"""Cards that become known to all or to one seat, by the shares of all others; and what stands in for an absent one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from p2puno.needs import ALL, Open, Opened
from p2puno.said import said
from protocol.exhibits import seat_in_words, slots_in_words
from protocol.group import Point, Q, group
from protocol.payloads import Help, Shares
from protocol.proofs.dleq import shares_from_bytes
from protocol.reading.cards import Known, Stock
from protocol.reading.question import Claim, Question, Then
from protocol.reading.standing import Standing

Given: TypeAlias = Mapping[int, Mapping[int, Point]]
"""Shares by slot and seat."""


class OpenQuestion(Question):
    """Whoever owes a share of a slot gives it."""

    what = said("shares")
    kinds = (Shares,)

    def __init__(self, table: Standing, need: Open) -> None:
        assert table.cards is not None
        self.need = need
        everybody = tuple(sorted(table.cards.keys))
        self.owed: dict[int, list[int]] = {}
        for slot, receiver in need.to:
            for seat in table.cards.owing(slot, receiver, everybody):
                self.owed.setdefault(seat, []).append(slot)
        super().__init__(table, tuple(self.owed))

    def check(self, seat: int, answer: Shares) -> list[Claim]:
        return self.shares(seat, self.owed[seat], answer.shares, answer.proof, "open")[1]

    def after(self, given: Mapping[int, Shares]) -> Question | Then:
        shares: dict[int, dict[int, Point]] = {slot: {} for slot, _ in self.need.to}
        for seat, answer in given.items():
            slots = self.owed[seat]
            for slot, point in zip(slots, shares_from_bytes(answer.shares, len(slots)), strict=True):
                shares[slot][seat] = point
        missing = self.missing(given)
        if not missing:
            return self._open(shares)
        (absent,) = missing

        def helped(points: Mapping[int, Point]) -> Question | Then:
            for slot, point in points.items():
                shares[slot][absent] = point
            return self._open(shares)

        return HelpQuestion(self.table, absent, self.owed[absent], helped)

    def _open(self, shares: Given) -> Then:
        table = self.table
        assert table.cards is not None
        assert table.game is not None
        faces: list[tuple[int, int]] = []
        for slot, receiver in self.need.to:
            points = shares[slot].values()
            if receiver == ALL:
                faces.append((slot, table.cards.open(slot, points)))
            elif isinstance(table.cards.lying[slot], Stock | Known):
                table.cards.deal(slot, receiver, points)
        table.tell(table.game.apply(Opened(tuple(faces))))
        table.dealt = True
        return Then.PLAY_ON

    def asked(self, seat: int) -> str:
        return self.slots_and_key(self.owed.get(seat, ()), seat)


class HelpQuestion(Question):
    """All others give, out of escrow, what a seat owes of these slots. `then`: what is done with its shares by slot."""

    what = said("helping out")
    kinds = (Help,)

    def __init__(
        self,
        table: Standing,
        absent: int,
        slots: Sequence[int],
        then: Callable[[Mapping[int, Point]], Question | Then],
        helped: Mapping[int, Mapping[int, Point]] | None = None,
    ) -> None:
        """`helped`: parts by seat and slot that are in already (of one that left politely)."""
        self.absent = absent
        self.slots = tuple(sorted(slots))
        self.then = then
        self.helped = dict(helped or {})
        super().__init__(table, [seat for seat in table.taking if seat != absent] if slots else ())

    def check(self, seat: int, answer: Help) -> list[Claim]:
        return help_claim(self, seat, self.absent, self.slots, answer)[1]

    def after(self, given: Mapping[int, Help]) -> Question | Then:
        parts: dict[int, Mapping[int, Point]] = dict(self.helped)
        for seat, answer in given.items():
            parts[seat] = dict(zip(self.slots, shares_from_bytes(answer.shares, len(self.slots)), strict=True))
        return self.then({slot: combined({seat: part[slot] for seat, part in parts.items()}) for slot in self.slots})

    def asked(self, seat: int) -> str:
        return said(
            "{slots} for seat {seat}, out of escrow", slots=slots_in_words(self.slots), seat=seat_in_words(self.absent)
        )


class RemoveQuestion(HelpQuestion):
    """A seat is taken off the table: all others open what it had a part in."""

    what = said("removing a seat")


def help_claim(
    question: Question, seat: int, absent: int, slots: Sequence[int], answer: Any
) -> tuple[list[Point], list[Claim]]:
    """The part of one helper, and its proof.

    :raises BadProof: it is malformed
    """
    escrow = question.table.escrow
    assert escrow is not None
    key = escrow.share_key(absent, seat)
    return question.shares(seat, slots, answer.shares, answer.proof, f"help {escrow.epoch} {absent}", key)


def combined(parts: Mapping[int, Point]) -> Point:
    """x·a of the parts of all others: Σ λ_k · D_k with λ_k = Π (m + 1) / (m - k) over the other helpers m."""
    weights = []
    for seat in parts:
        weight = 1
        for other in parts:
            if other != seat:
                weight = weight * (other + 1) * pow(other - seat, -1, Q) % Q
        weights.append(weight)
    total = group.msm(weights, list(parts.values()))
    assert total is not None
    return total
