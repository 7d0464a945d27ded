"""What an entry says, in words: for whoever wants to see why a seat is blamed. Both readings of journals show it so.

Bytes are shortened, and text of strangers is cleaned (C44): nothing here steers a screen. Seats are counted from 1, as
everywhere that people read of them; in entries and in documents for programs the first is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from p2puno.needs import Ask
from p2puno.said import COMMA, Said, joined, said
from protocol.group import Point
from protocol.messages import Entry
from protocol.names import clean
from protocol.verdict import Exhibit

SHOWN_BYTES = 6
SHOWN_ITEMS = 12
TEXT_CELLS = 40
SEATS = ("seat", "dealer")
"""Fields of entries that name a seat."""

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
    whole = said("seat {seat}, its number {number}", seat=seat_in_words(body.seat), number=body.seq)
    if says:
        whole = said("{entry}; {fields}", entry=whole, fields=says)
    return Exhibit(number, offset, body.seat if seat < 0 else seat, body.step, kind, whole, entry.raw)


def unread(seat: int, raw: bytes, number: int, offset: int) -> Exhibit:
    """Signed bytes that are no entry, as they are shown."""
    return Exhibit(number, offset, seat, -1, said("no entry"), short(raw), raw)


def _fields(value: Struct) -> str:
    """Every field of a message by its name in the format, with what stands in it; "" for none."""
    fields = ((name, _field(name, getattr(value, name))) for name in value.__struct_fields__)
    return joined((said("{name} {value}", name=name, value=text) for name, text in fields), COMMA)


def _field(name: str, value: Any) -> str:
    return seat_in_words(value) if name in SEATS else short(value)


def seat_in_words(seat: int) -> str:
    """The number of a seat for people."""
    return str(seat + 1)


def short(value: Any) -> str:
    """A value of an entry, shortened."""
    if isinstance(value, bytes):
        start = value[:SHOWN_BYTES].hex() + ("..." if len(value) > SHOWN_BYTES else "")
        return said("{start} ({count} bytes)", start=start, count=len(value))
    if isinstance(value, str):
        return f'"{clean(value, TEXT_CELLS)}"'
    if isinstance(value, Struct):
        return said("({items})", items=_fields(value))
    if isinstance(value, Sequence):
        texts = [short(item) for item in value[:SHOWN_ITEMS]]
        more = [said("and {n} more", n=len(value) - SHOWN_ITEMS)] if len(value) > SHOWN_ITEMS else []
        return said("[{items}]", items=joined([*texts, *more], COMMA))
    return str(value)


def key_in_words(key: Point | None) -> str:
    """A key, shortened."""
    return key.encoded.hex()[: 2 * SHOWN_BYTES] + "..." if key is not None else said("none")


def slots_in_words(slots: Sequence[int]) -> str:
    """Slots, the first of many."""
    shown = " ".join(map(str, slots[:SHOWN_ITEMS])) + (" ..." if len(slots) > SHOWN_ITEMS else "")
    return said("slots {slots}", slots=shown) if slots else said("no slot")
