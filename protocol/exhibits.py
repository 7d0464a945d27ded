"""What an entry says and what it was asked, in words: for whoever wants to see why a seat is blamed.

Bytes are shortened, and text of strangers is cleaned (C44): nothing here steers a screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from p2puno.needs import Decide
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

SIGNED = "the signatures are good, so nobody else made these bytes"
CONTRADICTION = f"{SIGNED}; no honest program signs both, whatever else was said at the table"
NO_ENTRY = "the signature is good, so nobody else made these bytes; no program of this format signs them"
OTHER_SEAT = "the signature is good, so nobody else made these bytes; they speak for a seat that is not its author's"


def exhibit(entry: Entry, number: int, offset: int, seat: int = -1) -> Exhibit:
    """A decoded entry as it is shown. `seat`: its author, where it names another one."""
    body = entry.body
    kind = type(body.payload).__name__
    says = ", ".join(f"{name} {_short(getattr(body.payload, name))}" for name in body.payload.__struct_fields__)
    says = f"seat {body.seat}, its number {body.seq}" + (f"; {says}" if says else "")
    return Exhibit(number, offset, body.seat if seat < 0 else seat, body.step, kind, says, entry.raw)


def unread(seat: int, raw: bytes, number: int, offset: int) -> Exhibit:
    """Signed bytes that are no entry, as they are shown."""
    return Exhibit(number, offset, seat, -1, "no entry", _short(raw), raw)


def _short(value: Any) -> str:
    if isinstance(value, bytes):
        dots = "..." if len(value) > SHOWN_BYTES else ""
        return f"{value[:SHOWN_BYTES].hex()}{dots} ({len(value)} bytes)"
    if isinstance(value, str):
        return f'"{clean(value, TEXT_CELLS)}"'
    if isinstance(value, Struct):
        return "(" + ", ".join(f"{name} {_short(getattr(value, name))}" for name in value.__struct_fields__) + ")"
    if isinstance(value, Sequence):
        texts = [_short(item) for item in value[:SHOWN_ITEMS]]
        more = [f"and {len(value) - SHOWN_ITEMS} more"] if len(value) > SHOWN_ITEMS else []
        return f"[{', '.join([*texts, *more])}]"
    return str(value)


def asked(step: Step, seat: int) -> str:
    """What a step asked of a seat, and the keys and cards against which its answer was checked."""
    match step:
        case RevealStep():
            detail = f"the commitment {_short(step.commits[seat])}" if seat in step.commits else ""
        case ShuffleStep():
            piles = [f"{pile.name} ({len(pile.slots)} cards)" for pile in step.turns.get(seat, ())]
            detail = f"round {step.turn + 1}, {' and '.join(piles) or 'no pile'}, joint key {_key(step.cards.joint)}"
        case OpenStep():
            detail = f"{_slots([slot for slot, _ in step.owed.get(seat, ())])}, {_own(step, seat)}"
        case MixStep():
            detail = f"{_slots(step.hands.get(seat, ()))}, {_own(step, seat)}"
        case AttestStep() | ShowStep():
            detail = f"{_slots(step.ask.slots)}, {_own(step, seat)}"
        case GiveStep():
            gifts = step.gifts.get(seat, ())
            detail = f"{_slots([slot for slot, _ in gifts])} to seats {[to for _, to in gifts]}, {_own(step, seat)}"
        case HelpStep():
            detail = f"{_slots(step.slots)} for seat {step.seat}, out of escrow"
        case PledgeStep() | RedealStep():
            detail = "the commitments of the dealers"
        case WindowStep():
            detail = f"about seat {step.about}"
        case DecideStep() if isinstance(step.need, Decide):
            detail = f"seat {step.need.seat} was to answer {step.need.ask.value}, {_own(step, seat)}"
        case _:
            detail = ""
    return f"{step.what}: {detail}" if detail else step.what


def _key(key: Point | None) -> str:
    return key.encoded.hex()[: 2 * SHOWN_BYTES] + "..." if key is not None else "none"


def _own(step: Step, seat: int) -> str:
    keys = step.cards.keys
    return f"key {_key(keys[seat] if seat < len(keys) else None)}"


def _slots(slots: Sequence[int]) -> str:
    shown = " ".join(map(str, slots[:SHOWN_ITEMS])) + (" ..." if len(slots) > SHOWN_ITEMS else "")
    return f"slots {shown}" if slots else "no slot"
