"""Messages, packs and texts that are right: where fuzzing begins."""

from __future__ import annotations

import typing
from importlib import resources
from typing import Any, Final

from p2puno.hero_file import built_in_heroes
from p2puno.rules import Rules
from protocol import messages, payloads
from protocol.messages import Body, Charter, Frame, PackFile, Place, Signed, encode
from protocol.payloads import Payload
from tests.packs.example import TEXT

PACK: Final = TEXT.encode()
"""A hero of nobody's: a pack that is read."""


def sample(kind: Any, much: bool) -> Any:
    """A value of a field or a whole message of this kind: as little as its limits allow, or rather much."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        inner, meta = arguments[0], arguments[1]
        if inner is int:
            return (meta.le if meta.le is not None else meta.lt - 1) if much else meta.ge
        least = meta.min_length or 0
        size = max(least, min(meta.max_length, 70)) if much else least
        if inner is bytes:
            return bytes(range(size))
        if inner is str:
            return "é" * size
        return tuple(sample(typing.get_args(inner)[0], much) for _ in range(max(least, 2 if much else 0)))
    if kind is bool:
        return much
    if kind in (bytes, str):
        return kind()
    if origin is not None:  # a union
        return sample(arguments[-1 if much else 0], much)
    hints = typing.get_type_hints(kind, {**vars(payloads), **vars(messages)}, include_extras=True)
    return kind(*(sample(hints[name], much) for name in kind.__struct_fields__))


def frames() -> list[bytes]:
    """Every kind of frame, small and large."""
    found = [encode(sample(kind, much)) for kind in typing.get_args(Frame) for much in (False, True)]
    return [*found, encode(messages.Propose(charter())), encode(messages.Carry(entries()[0]))]


def bodies() -> list[bytes]:
    """An entry's body with every kind of payload, small and large."""
    zero = bytes(32)
    return [
        encode(Body(zero, 1, 2, zero, zero, zero, 3, sample(kind, much)))
        for kind in typing.get_args(Payload)
        for much in (False, True)
    ]


def remarks() -> list[bytes]:
    """A text and a phrase, as they are signed."""
    said = [(0, "é\u202e\x1b[2J\U0001f44b"), (3, "")]
    return [encode(messages.Remark(bytes(32), number, *each)) for number, each in enumerate(said)]


def entries() -> list[bytes]:
    """The outer shape of an entry, not signed by anybody."""
    return [encode(Signed(bytes(32), body, bytes(64))) for body in bodies()[:6]]


def charter() -> Charter:
    """What a table with a hero of a player's own agrees on."""
    from p2puno.hero_file import read_own

    hero = read_own("lamplighter.toml", PACK, "a test")
    rules = Rules.make("marvel", heroes=("lamplighter", "thor"), own=[hero])
    places = tuple(
        Place(bytes([seat]) * 32, name, False, hero, 30, ("127.0.0.1:4242",))
        for seat, name, hero in ((1, "Ann", "lamplighter"), (2, "Bob", "thor"))
    )
    return Charter(messages.FORMAT, rules.encode(), (PackFile(hero.id, hero.data),), places, bytes(32))


def charters() -> list[bytes]:
    """Charters of a classic game and of one with an own pack."""
    first = charter()
    return [encode(first), encode(messages.msgspec.structs.replace(first, rules=rules()[0], packs=()))]


def rules() -> list[bytes]:
    """Rules of all four games, before and after heroes take their seats."""
    made = [Rules.make("batman"), Rules.make("dbz", stacking=True), Rules.make("dc"), Rules.make("marvel")]
    return [one.encode() for one in (*made, Rules.make("dc", heroes=("thor", "aquaman")))]


def hero_packs() -> list[bytes]:
    """Hero packs, with ids that are free."""
    heroes = built_in_heroes()
    return [PACK, *(heroes[ident].data.replace(f'"{ident}"'.encode(), b'"mole"') for ident in ("hulk", "aquaman"))]


def classic_packs() -> list[bytes]:
    """The packs of the classic games."""
    return [(resources.files("p2puno") / "packs" / f"{name}.toml").read_bytes() for name in ("batman", "dbz")]
