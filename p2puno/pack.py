"""Packs: the cards of a game, as data. A pack file is read strictly: every error names file, card and field.

A classic pack (`packs/*.toml`) holds `[numbers]`, `[[action]]` (once in each colour) and `[[wild]]`; with a Wish also
`[icon]`: the numbers that grant one, with a text and a mark of their own. The cards of the deck are numbered red,
yellow, green, blue, in each the numbers rising, then the actions in file order; then the Wilds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Any, Final

from p2puno.card import LETTERS, NO_COLOUR, WILD, Kind, coloured_name
from p2puno.reading import MARKS, PackError, Table, read_toml, refused
from p2puno.said import Said, said

EFFECTS: Final = frozenset({"", "draw_two", "reverse", "skip", "wild_draw_four", "bat_signal", "wish"})
"""The names of effects that a card may bear; the engine has one piece for each."""


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards that are shuffled together: `slots` of the table, `faces`: the kinds that lie in them, rising."""

    name: str
    slots: range
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """The cards of one game and what the engine looks up about them.

    `deck`: the face in each slot before the first shuffle. `stop`: the faces that end a Bat Signal (R71), `icon`: those
    that grant a Wish (R73), rising. `fits[colour in force][top face]`: the faces that may be played (R10).
    `matches[colour]`: the faces of a colour and all Wilds (R67, R76). `bearing[effect]`: the faces that bear it.
    `naming[face]`: whether a colour is named with the play (R15): with a Wish it is named later (R74).
    """

    id: str
    name: str
    family: str
    players: range
    kinds: tuple[Kind, ...]
    stop: tuple[int, ...]
    digest: bytes
    icon: tuple[int, ...] = ()
    deck: tuple[int, ...] = field(init=False)
    colour: tuple[int, ...] = field(init=False)
    effect: tuple[str, ...] = field(init=False)
    faces: Mapping[str, int] = field(init=False)
    fits: tuple[tuple[frozenset[int], ...], ...] = field(init=False)
    matches: tuple[tuple[int, ...], ...] = field(init=False)
    bearing: Mapping[str, tuple[int, ...]] = field(init=False)
    naming: tuple[bool, ...] = field(init=False)

    def __post_init__(self) -> None:
        kinds = self.kinds
        every = range(len(kinds))
        derived = {
            "deck": tuple(face for face in every for _ in range(kinds[face].copies)),
            "colour": tuple(kind.colour for kind in kinds),
            "effect": tuple(kind.effect for kind in kinds),
            "faces": {kind.id: face for face, kind in enumerate(kinds)},
            "fits": _fits(kinds),
            "matches": tuple(tuple(f for f in every if kinds[f].colour in (colour, WILD)) for colour in range(4)),
            "bearing": {effect: tuple(f for f in every if kinds[f].effect == effect) for effect in EFFECTS},
            "naming": tuple(kind.wild and kind.effect != "wish" for kind in kinds),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)  # the way to set a derived field of a frozen dataclass


def _fits(kinds: tuple[Kind, ...]) -> tuple[tuple[frozenset[int], ...], ...]:
    """R10: a card fits by the colour in force, by number or symbol of the top card; a Wild on anything. A Danger card
    fits nowhere."""
    played = [(face, kind) for face, kind in enumerate(kinds) if kind.colour != NO_COLOUR]
    wilds = frozenset(face for face, kind in played if kind.wild)
    coloured = [wilds.union(face for face, kind in played if kind.colour == colour) for colour in range(4)]
    alike: dict[str, set[int]] = {kind.symbol: set() for kind in kinds}
    for face, kind in played:
        alike[kind.symbol].add(face)
    fitting = [{symbol: coloured[colour] | same for symbol, same in alike.items()} for colour in range(4)]
    return tuple(tuple([fitting[colour][kind.symbol] for kind in kinds]) for colour in range(4))


def read_pack(file: str, text: str) -> Pack:
    """Read one classic pack. Raises PackError, naming file, card and field."""
    data = read_toml(file, text)
    top = Table(file, data)
    ident, name = top.text("id"), top.text("name")
    family = top.choice("family", frozenset({"classic"}))
    bounds = top.numbers("players", 2, 10)
    if len(bounds) != 2:
        raise refused(file, said("'players' must be [fewest, most], not {bounds!r}", bounds=bounds))
    icon = _Icon(Table(f"{file} [icon]", top.take("icon", dict))) if "icon" in data else None
    coloured = _numbers(Table(f"{file} [numbers]", top.take("numbers", dict)), icon)
    coloured += [_action(Table(f"{file} [[action]] {n}", entry)) for n, entry in enumerate(top.take("action", list), 1)]
    kinds = [_coloured(kind, colour) for colour in range(4) for kind in coloured]
    stops: list[int] = []
    for n, entry in enumerate(top.take("wild", list), 1):
        kinds.append(_wild(Table(f"{file} [[wild]] {n}", entry), stops))
    top.done()
    digest = hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).digest()
    ids = [kind.id for kind in kinds]
    if len(set(ids)) != len(ids):
        raise refused(
            file, said("two cards are written alike: {cards}", cards=sorted(i for i in ids if ids.count(i) > 1))
        )
    if (icon is None) == any(kind.effect == "wish" for kind in kinds):
        raise refused(file, said("'icon' belongs to the effect wish, and it must be there"))
    stop = tuple(face for face, kind in enumerate(kinds) if kind.value in stops)
    granting = tuple(face for face, kind in enumerate(kinds) if kind.icon)
    return Pack(ident, name, family, range(bounds[0], bounds[1] + 1), tuple(kinds), stop, digest, granting)


class _Icon:
    """The numbers whose cards bear the icon, and what their texts say about it, with its mark."""

    def __init__(self, table: Table) -> None:
        self.numbers = table.numbers("numbers", 0, 9)
        self.text, self.mark = table.sentence("text"), table.choice("mark", MARKS)
        table.done()


def _numbers(table: Table, icon: _Icon | None) -> list[Kind]:
    zeros, others = table.number("zeros", 0, 9), table.number("others", 1, 9)
    text, mark = table.sentence("text"), table.choice("mark", MARKS)
    names: dict[str, Any] = table.take("names", dict)
    table.done()
    for key, value in names.items():
        if key not in set("0123456789") or type(value) is not str:
            table.refuse(said("'names' must give texts to the numbers 0-9, not {key!r}", key=key))
    granting = icon.numbers if icon else []
    return [
        Kind(str(n), 0, str(n), n, n, zeros if n == 0 else others, f"{n} {names.get(str(n), '')}".strip(),
             _with_icon(text, icon) if icon and n in granting else text, mark, icon=n in granting)
        for n in range(10)
        if n or zeros
    ]  # fmt: skip


def _with_icon(text: Said, icon: _Icon) -> Said:
    return said("{text} {icon} [{mark}]", text=text, icon=icon.text, mark=icon.mark)


def _action(table: Table) -> Kind:
    symbol = table.text("symbol")
    table.where += f" ({symbol})"
    name, copies, points = table.sentence("name"), table.number("copies", 1, 9), table.number("points", 0, 99)
    kind = Kind(symbol, 0, symbol, -1, points, copies, name, table.sentence("text"), table.choice("mark", MARKS),
                table.choice("effect", EFFECTS))  # fmt: skip
    table.done()
    return kind


def _wild(table: Table, stops: list[int]) -> Kind:
    stop = table.numbers("stop", 0, 9) if "stop" in table.data else []
    kind = _action(table)
    if bool(stop) != (kind.effect == "bat_signal"):
        table.refuse(said("'stop' belongs to the effect bat_signal, and it must be there"))
    stops.extend(stop)
    return Kind(kind.id, WILD, kind.symbol, -1, kind.points, kind.copies, kind.name, kind.text, kind.mark, kind.effect)


def _coloured(kind: Kind, colour: int) -> Kind:
    return replace(kind, id=LETTERS[colour] + kind.symbol, colour=colour,
                   name=coloured_name(colour, kind.name))  # fmt: skip


@cache
def variants() -> tuple[str, ...]:
    """The ids of all games whose pack lies in `p2puno/packs`, in alphabetical order."""
    files = resources.files("p2puno") / "packs"
    return tuple(sorted(file.name.removesuffix(".toml") for file in files.iterdir() if file.name.endswith(".toml")))


ALIASES: Final = {"dragon_ball_z": "dbz"}
"""Other names by which a game is found."""


@cache
def find_variant(name: str) -> Pack:
    """The pack of a game by its id or another name of it. Raises PackError with the nearest name if there is none."""
    name = ALIASES.get(name, name)
    if name not in variants():
        near = get_close_matches(name.lower(), variants(), 1, 0.4)
        hint = (
            said("did you mean {word!r}?", word=near[0])
            if near
            else said("there are: {words}", words=", ".join(variants()))
        )
        raise PackError(said("no game is called {name!r}; {hint}", name=name, hint=hint))
    file = f"{name}.toml"
    pack = read_pack(file, (resources.files("p2puno") / "packs" / file).read_text("utf-8"))
    if pack.id != name:
        raise refused(file, said("'id' must be {name!r}, not {id!r}", name=name, id=pack.id))
    return pack
