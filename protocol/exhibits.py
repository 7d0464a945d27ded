"""What an entry says, in words: for whoever wants to see why a seat is blamed. Both readings of journals show it so.

Bytes are shortened, and text of strangers is cleaned (C44): nothing here steers a screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from p2puno.said import said
from protocol.group import Point
from protocol.messages import Entry
from protocol.names import clean
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


def exhibit(entry: Entry, number: int, offset: int, seat: int = -1) -> Exhibit:
    """A decoded entry as it is shown. `seat`: its author, where it names another one."""
    body = entry.body
    kind = type(body.payload).__name__
    says = ", ".join(f"{name} {short(getattr(body.payload, name))}" for name in body.payload.__struct_fields__)
    whole = said("seat {seat}, its number {number}", seat=body.seat, number=body.seq)
    if says:
        whole = said("{entry}; {fields}", entry=whole, fields=says)
    return Exhibit(number, offset, body.seat if seat < 0 else seat, body.step, kind, whole, entry.raw)


def unread(seat: int, raw: bytes, number: int, offset: int) -> Exhibit:
    """Signed bytes that are no entry, as they are shown."""
    return Exhibit(number, offset, seat, -1, said("no entry"), short(raw), raw)


def short(value: Any) -> str:
    """A value of an entry, shortened."""
    if isinstance(value, bytes):
        dots = "..." if len(value) > SHOWN_BYTES else ""
        return f"{value[:SHOWN_BYTES].hex()}{dots} ({len(value)} bytes)"
    if isinstance(value, str):
        return f'"{clean(value, TEXT_CELLS)}"'
    if isinstance(value, Struct):
        return "(" + ", ".join(f"{name} {short(getattr(value, name))}" for name in value.__struct_fields__) + ")"
    if isinstance(value, Sequence):
        texts = [short(item) for item in value[:SHOWN_ITEMS]]
        more = [f"and {len(value) - SHOWN_ITEMS} more"] if len(value) > SHOWN_ITEMS else []
        return f"[{', '.join([*texts, *more])}]"
    return str(value)


def key_in_words(key: Point | None) -> str:
    """A key, shortened."""
    return key.encoded.hex()[: 2 * SHOWN_BYTES] + "..." if key is not None else said("none")


def slots_in_words(slots: Sequence[int]) -> str:
    """Slots, the first of many."""
    shown = " ".join(map(str, slots[:SHOWN_ITEMS])) + (" ..." if len(slots) > SHOWN_ITEMS else "")
    return said("slots {slots}", slots=shown) if slots else said("no slot")
