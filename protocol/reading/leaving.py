"""Who leaves the table, by itself or by the others (docs/wire.md, "Getting up"; docs/absence.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from p2puno.needs import Over
from p2puno.said import said
from protocol.group import Point
from protocol.payloads import Leave
from protocol.reading.opening import RemoveQuestion, help_claim
from protocol.reading.question import Claim, Question, Then
from protocol.reading.standing import Standing
from protocol.reading.trouble import Wrong


@dataclass(frozen=True, slots=True)
class Given:
    """What a leave brings along: shares by slot, each with the half of the card that it is a share of; and, out of
    escrow, shares for the seat that was absent (-1: none)."""

    shares: Mapping[int, tuple[Point, Point]]
    absent: int
    help: Mapping[int, Point]


TOO_LITTLE: Final = said("it does not give its shares of every card")


def wanted(table: Standing, seat: int) -> list[int]:
    """The slots of which a seat gives its shares when it goes: the stock and, where the rules count it, its hand."""
    cards = table.cards
    if cards is None or not table.dealt or seat not in table.taking:
        return []
    counted = table.rules.family == "classic"
    return sorted(cards.stock() + (cards.hand(seat) if counted else []))


def read_leave(table: Standing, seat: int, leave: Leave, question: Question) -> tuple[Given, list[Claim]]:
    """What a leave gives, and its proofs; `question` is what was asked when it was signed.

    :raises Wrong: it gives too little, or what nobody asked for
    :raises BadProof: it is malformed
    """
    cards = table.cards
    if cards is None or not table.dealt or seat not in table.taking:
        return Given({}, -1, {}), []  # there is nothing to give yet, and what it brings along counts for nothing
    _check_slots(table, seat, leave.slots)
    if len(set(leave.slots)) != len(leave.slots) or not set(wanted(table, seat)) <= set(leave.slots):
        raise Wrong(TOO_LITTLE)
    points, claims = question.shares(seat, leave.slots, leave.shares, leave.proof, "leave")
    shares = {slot: (cards.a(slot), point) for slot, point in zip(leave.slots, points, strict=True)} if points else {}
    for help_ in leave.help:
        if help_.seat in table.absent and help_.slots and table.escrow is not None:
            _check_slots(table, help_.seat, help_.slots)
            helped, more = help_claim(question, seat, help_.seat, help_.slots, help_)
            return Given(shares, help_.seat, dict(zip(help_.slots, helped, strict=True))), claims + more
    return Given(shares, -1, {}), claims


def gives_enough(table: Standing, seat: int, given: Given) -> bool:
    """Whether a leave still gives what is wanted when its seat departs: the cards are those of which it gave shares."""
    cards = table.cards
    needed = wanted(table, seat)
    return not needed or all(
        slot in given.shares and cards is not None and given.shares[slot][0] == cards.a(slot) for slot in needed
    )


def _check_slots(table: Standing, seat: int, slots: Sequence[int]) -> None:
    """A seat may give more shares than it must, of what is in its own hand; of nothing else.

    :raises Wrong: there is another slot among them
    """
    assert table.cards is not None
    own = {*table.cards.stock(), *table.cards.hand(seat)}
    for slot in slots:
        if slot not in own:
            raise Wrong(said("no share of slot {slot} is due", slot=slot))


def left(table: Standing, seat: int, given: Given) -> Question | Then:
    """A seat has got up: its shares come off, and the others go on without it."""
    if not table.dealt or seat not in table.taking:
        table.depart(seat, said("left"))
        return Then.NEW_HAND if not table.dealt else Then.PLAY_ON
    assert table.cards is not None
    assert table.game is not None
    escrow = table.escrow
    table.cards.strip(seat, {slot: share for slot, (a, share) in given.shares.items() if table.cards.a(slot) == a})
    table.depart(seat, said("left"))
    absent = next((other for other in table.taking if other in table.absent), -1)
    if absent < 0 or isinstance(table.game.need, Over):
        return Then.ESCROW
    helped = given.help if given.absent == absent else {}
    if not set(wanted(table, absent)) <= helped.keys():
        del table.absent[absent]  # it fell silent after the leave was signed: nobody can stand in, so it is waited for
        return Then.ESCROW
    table.escrow = escrow
    return removing(table, absent, said("removed"), {seat: helped})


def removing(
    table: Standing, seat: int, how: str, helped: Mapping[int, Mapping[int, Point]] | None = None
) -> Question | Then:
    """All others take a seat off the table."""
    slots = wanted(table, seat)

    def strip(shares: Mapping[int, Point]) -> Then:
        assert table.cards is not None
        table.cards.strip(seat, shares)
        table.depart(seat, how)
        return Then.ESCROW

    return RemoveQuestion(table, seat, slots, strip, helped)
