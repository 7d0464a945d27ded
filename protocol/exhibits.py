"""What an entry says and what it was asked, in words: for whoever wants to see why a seat is blamed.

Bytes are shortened, and text of strangers is cleaned (C44): nothing here steers a screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from p2puno.needs import Ask, Decide
from p2puno.said import AND, COMMA, Said, joined, said
from protocol.dealing import HelpStep, PledgeStep, RedealStep
from protocol.group import Point
from protocol.messages import Entry
from protocol.moving import DecideStep, WindowStep
from protocol.names import clean
from protocol.showing import AttestStep, GiveStep, ShowStep
from protocol.step import Step
from protocol.steps import MixStep, OpenStep, RevealStep, ShuffleStep
from protocol.verdict import Exhibit

SHOWN_BYTES = 6
SHOWN_ITEMS = 12
TEXT_CELLS = 40

SIGNED = said("the signatures are good, so nobody else made these bytes")
CONTRADICTION = said("{signed}; no honest program signs both, whatever else was said at the table", signed=SIGNED)
NO_ENTRY = said("the signature is good, so nobody else made these bytes; no program of this format signs them")
OTHER_SEAT = said(
    "the signature is good, so nobody else made these bytes; they speak for a seat that is not its author's"
)

PILES: Final[Mapping[str, Said]] = {"draw": said("draw pile"), "danger": said("Danger Deck")}
"""What a pile is called that is not a hero's."""
ASKED: Final[Mapping[Ask, Said]] = {
    Ask.TURN: said("which card it plays, or that it draws"),
    Ask.DRAWN: said("whether it keeps the card just drawn"),
    Ask.CHALLENGE: said("whether it challenges"),
    Ask.WISH: said("its Wish"),
    Ask.STACK: said("whether it stacks"),
    Ask.HANDS: said("with whom it swaps hands"),
    Ask.TARGET: said("a player"),
    Ask.OPTION: said("one of several effects"),
    Ask.MAY: said("whether it does so"),
    Ask.COLOUR: said("a colour"),
    Ask.ITEM: said("an Item"),
    Ask.PEEKED: said("a card of the hand that it was shown"),
    Ask.BURN: said("what it burns"),
    Ask.ORDER: said("in which order cards go back"),
    Ask.SWAP: said("whether it exchanges the top card"),
}
"""What a seat was to say, by what it was asked."""


def exhibit(entry: Entry, number: int, offset: int, seat: int = -1) -> Exhibit:
    """A decoded entry as it is shown. `seat`: its author, where it names another one."""
    body = entry.body
    kind = type(body.payload).__name__
    says = _fields(body.payload)
    whole = said("seat {seat}, its number {number}", seat=body.seat, number=body.seq)
    if says:
        whole = said("{entry}; {fields}", entry=whole, fields=says)
    return Exhibit(number, offset, body.seat if seat < 0 else seat, body.step, kind, whole, entry.raw)


def unread(seat: int, raw: bytes, number: int, offset: int) -> Exhibit:
    """Signed bytes that are no entry, as they are shown."""
    return Exhibit(number, offset, seat, -1, said("no entry"), _short(raw), raw)


def _fields(value: Struct) -> str:
    """Every field of a message by its name in the format, with what stands in it; "" for none."""
    fields = ((name, _short(getattr(value, name))) for name in value.__struct_fields__)
    return joined((said("{name} {value}", name=name, value=text) for name, text in fields), COMMA)


def _short(value: Any) -> str:
    if isinstance(value, bytes):
        start = value[:SHOWN_BYTES].hex() + ("..." if len(value) > SHOWN_BYTES else "")
        return said("{start} ({count} bytes)", start=start, count=len(value))
    if isinstance(value, str):
        return f'"{clean(value, TEXT_CELLS)}"'
    if isinstance(value, Struct):
        return said("({items})", items=_fields(value))
    if isinstance(value, Sequence):
        texts = [_short(item) for item in value[:SHOWN_ITEMS]]
        more = [said("and {n} more", n=len(value) - SHOWN_ITEMS)] if len(value) > SHOWN_ITEMS else []
        return said("[{items}]", items=joined([*texts, *more], COMMA))
    return str(value)


def asked(step: Step, seat: int) -> str:
    """What a step asked of a seat, and the keys and cards against which its answer was checked."""
    match step:
        case RevealStep():
            detail = (
                said("the commitment {commitment}", commitment=_short(step.commits[seat]))
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
                key=_key(step.cards.joint),
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
                slots=_slots([slot for slot, _ in gifts]),
                seats=[to for _, to in gifts],
                key=_own(step, seat),
            )
        case HelpStep():
            detail = said("{slots} for seat {seat}, out of escrow", slots=_slots(step.slots), seat=step.seat)
        case PledgeStep() | RedealStep():
            detail = said("the commitments of the dealers")
        case WindowStep():
            detail = said("about seat {seat}", seat=step.about)
        case DecideStep() if isinstance(step.need, Decide):
            detail = said(
                "seat {seat} was to say {ask}, {key}",
                seat=step.need.seat,
                ask=ASKED[step.need.ask],
                key=_own(step, seat),
            )
        case _:
            detail = ""
    return said("{step}: {detail}", step=step.what, detail=detail) if detail else step.what


def _key(key: Point | None) -> str:
    return key.encoded.hex()[: 2 * SHOWN_BYTES] + "..." if key is not None else said("none")


def _own(step: Step, seat: int) -> str:
    keys = step.cards.keys
    return said("key {key}", key=_key(keys[seat] if seat < len(keys) else None))


def _slots_and_key(slots: Sequence[int], step: Step, seat: int) -> str:
    return joined((_slots(slots), _own(step, seat)), COMMA)


def _slots(slots: Sequence[int]) -> str:
    shown = " ".join(map(str, slots[:SHOWN_ITEMS])) + (" ..." if len(slots) > SHOWN_ITEMS else "")
    return said("slots {slots}", slots=shown) if slots else said("no slot")
