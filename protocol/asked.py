"""What a step of the table machine asked of a seat, in words."""

from __future__ import annotations

from collections.abc import Sequence

from p2puno.needs import Decide
from p2puno.said import AND, COMMA, joined, said
from protocol.dealing import HelpStep, PledgeStep, RedealStep
from protocol.exhibits import ASKED, PILES, key_in_words, seat_in_words, short, slots_in_words
from protocol.moving import DecideStep, WindowStep
from protocol.showing import AttestStep, GiveStep, ShowStep
from protocol.step import Step
from protocol.steps import MixStep, OpenStep, RevealStep, ShuffleStep


def asked(step: Step, seat: int) -> str:
    """What a step asked of a seat, and the keys and cards against which its answer was checked."""
    match step:
        case RevealStep():
            detail = (
                said("the commitment {commitment}", commitment=short(step.commits[seat]))
                if seat in step.commits
                else ""
            )
        case ShuffleStep():
            piles = [
                said("{name} ({count} cards)", name=PILES.get(pile.name, pile.name), count=len(pile.slots))
                for pile in step.turns.get(seat, ())
            ]
            detail = said(
                "round {turn}, {piles}, joint key {key}",
                turn=step.turn + 1,
                piles=joined(piles, AND) or said("no pile"),
                key=key_in_words(step.cards.joint),
            )
        case OpenStep():
            detail = _slots_and_key([slot for slot, _ in step.owed.get(seat, ())], step, seat)
        case MixStep():
            detail = _slots_and_key(step.hands.get(seat, ()), step, seat)
        case AttestStep() | ShowStep():
            detail = _slots_and_key(step.ask.slots, step, seat)
        case GiveStep():
            gifts = step.gifts.get(seat, ())
            detail = said(
                "{slots} to seats {seats}, {key}",
                slots=slots_in_words([slot for slot, _ in gifts]),
                seats=joined((seat_in_words(to) for _, to in gifts), COMMA),
                key=_own(step, seat),
            )
        case HelpStep():
            detail = said(
                "{slots} for seat {seat}, out of escrow",
                slots=slots_in_words(step.slots),
                seat=seat_in_words(step.seat),
            )
        case PledgeStep() | RedealStep():
            detail = said("the commitments of the dealers")
        case WindowStep():
            detail = said("about seat {seat}", seat=seat_in_words(step.about))
        case DecideStep() if isinstance(step.need, Decide):
            detail = said(
                "seat {seat} was to say {ask}, {key}",
                seat=seat_in_words(step.need.seat),
                ask=ASKED[step.need.ask],
                key=_own(step, seat),
            )
        case _:
            detail = ""
    return said("{step}: {detail}", step=step.what, detail=detail) if detail else step.what


def _own(step: Step, seat: int) -> str:
    keys = step.cards.keys
    return said("key {key}", key=key_in_words(keys[seat] if seat < len(keys) else None))


def _slots_and_key(slots: Sequence[int], step: Step, seat: int) -> str:
    return joined((slots_in_words(slots), _own(step, seat)), COMMA)
