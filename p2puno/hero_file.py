"""Reading hero packs: the nine that come with the game (`packs/heroes/*.toml`) and those of a player's own folder.

docs/packs.md explains the format. A pack is data; nothing in it is carried out. What it may cost is bounded: 64 KB a
file, 32 files a folder.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from p2puno.card import LETTERS, WILD, Kind, coloured_name
from p2puno.clauses import Scope
from p2puno.effects import CARD_KINDS, Ability, Mod, Modifier, Who
from p2puno.grammar import read_abilities, read_effect
from p2puno.hero import BUILT_IN, DANGERS, DECK, Danger, Hero, Power, Wild, card_kinds
from p2puno.reading import MARKS, Table, nearest, read_toml, refused, show
from p2puno.said import OR, joined, said, system_says

MAX_BYTES: Final = 64 * 1024
MAX_FILES: Final = 32
MAX_NAME: Final = 40
SETS: Final = frozenset({"dc", "marvel"})
WILDS: Final = 4

_ID: Final = re.compile(r"[a-z][a-z0-9_]{0,23}")
_RESERVED: Final = frozenset({"danger", "draw", "discard", "none"})
_DECK_MARK: Final = "house"
"""How well the common deck is known: numbers, copies and icon cards are our own."""

_ACTIONS: Final = (
    ("draw2", "+2", said("Draw Two"), "draw_two", said("The next player draws 2 cards and loses the turn.")),
    ("reverse", "R", said("Reverse"), "reverse",
     said("The direction of play turns round. Of two players the other one loses it.")),
    ("skip", "S", said("Skip"), "skip", said("The next player loses the turn.")),
)  # fmt: skip


def read_hero(file: str, data: bytes, source: str) -> Hero:
    """Read one hero pack. `file` is its name in messages. Raises PackError, naming file, card and field."""
    top = Table(file, _toml(file, data))
    digest_of = dict(top.data)
    ident = _ident(top)
    name = _name(top)
    group = top.choice("set", SETS)
    scope = Scope(built_in_ids() | {ident})
    coloured = _coloured(Table(f"{file} [deck]", top.take("deck", dict)), ident)
    power = _power(Table(f"{file} [power]", top.take("power", dict)), scope)
    wilds = _wilds(file, top.take("wild", list), ident, scope)
    dangers = _dangers(file, top.take("danger", list), ident, group, scope)
    top.done()
    kinds = (*coloured, *(_wild_kind(wild, ident) for wild in wilds))
    _count(file, coloured, wilds)
    _names_differ(file, [(said("the power"), power.name), *((said("a Wild"), w.name) for w in wilds),
                         *((said("a Danger card ({type})", type=d.type), d.name) for d in dangers)])  # fmt: skip
    deck = tuple(face for face, kind in enumerate(kinds) for _ in range(kind.copies))
    canonical = json.dumps(digest_of, sort_keys=True, separators=(",", ":")).encode()
    return Hero(
        ident, name, group, kinds, deck, power, wilds, dangers, hashlib.sha256(canonical).digest(), source, data
    )


def _toml(file: str, data: bytes) -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        raise refused(
            file, said("a pack has at most {most} KB, not {size}", most=MAX_BYTES // 1024, size=-(-len(data) // 1024))
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise refused(file, said("it is not TOML in UTF-8")) from None
    return read_toml(file, text)


def _ident(table: Table) -> str:
    ident = table.text("id")
    if not _ID.fullmatch(ident):
        table.refuse(
            said(
                "'id' is {id}, but an id has a small letter first, then small letters, digits and _, at most 24",
                id=show(ident),
            ),
            said("write it like green_lantern"),
        )
    if ident in _RESERVED:
        table.refuse(said("'id' cannot be {id}: the table uses that word", id=show(ident)), said("choose another one"))
    return ident


def slug(name: str) -> str:
    """The name of a card as part of its id: small letters and digits, apostrophes dropped, other gaps as `_`."""
    plain = unicodedata.normalize("NFKD", name.replace("'", "").replace("’", "")).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")


def _name(table: Table) -> str:
    name = table.text("name")
    if len(name) > MAX_NAME:
        table.refuse(said("'name' has more than {most} characters", most=MAX_NAME))
    if not slug(name):
        table.refuse(said("'name' is {name}, but it needs a letter a-z or a digit", name=show(name)))
    return name


def _coloured(table: Table, ident: str) -> tuple[Kind, ...]:
    """The kinds of red, yellow, green and blue: the numbers rising, then Draw Two, Reverse, Skip."""
    numbers = table.numbers("numbers", 0, 9)
    actions = [(action, table.number(action[0], 0, 9)) for action in _ACTIONS]
    icons = table.numbers("icons", 0, 9)
    strangers = [n for n in icons if n not in numbers]
    if strangers:
        table.refuse(said("'icons' names {number}, which is not among 'numbers'", number=strangers[0]))
    table.done()
    kinds = []
    for colour, letter in enumerate(LETTERS):
        for n in numbers:
            text = said("Play it on its colour or its number.")
            if n in icons:
                text = said("Play it on its colour or its number. Danger icon: then flip a Danger card.")
            kinds.append(Kind(f"{ident}/{letter}{n}", colour, str(n), n, 0, 1, coloured_name(colour, str(n)), text,
                              _DECK_MARK, "", ident, n in icons, f"{letter}{n}" + "*" * (n in icons)))  # fmt: skip
        for (_, symbol, name, effect, text), copies in actions:
            if copies:
                kinds.append(Kind(f"{ident}/{letter}{symbol}", colour, symbol, -1, 0, copies,
                                  coloured_name(colour, name), text, _DECK_MARK, effect, ident, False,
                                  letter + symbol))  # fmt: skip
    return tuple(kinds)


def _power(table: Table, scope: Scope) -> Power:
    name, mark, text = _name(table), table.choice("mark", MARKS), table.sentence("text")
    abilities = read_abilities(f"{table.where} ({name}) abilities", table.take("abilities", list), scope)
    table.done()
    return Power(name, mark, text, abilities)


def _wilds(file: str, entries: list[Any], ident: str, scope: Scope) -> tuple[Wild, ...]:
    if len(entries) != WILDS:
        raise refused(file, said("a hero has {most} [[wild]] tables, not {count}", most=WILDS, count=len(entries)))
    tables = [Table(f"{file} [[wild]] {n}", entry) for n, entry in enumerate(entries, 1)]
    names = [_name(table) for table in tables]
    codes = _codes(file, names)
    wilds = []
    for table, name, code in zip(tables, names, codes, strict=True):
        table.where += f" ({name})"
        copies, mark, text = table.number("copies", 1, 9), table.choice("mark", MARKS), table.sentence("text")
        do = read_effect(f"{table.where} do", table.take("do", list), _fresh(scope))
        table.done()
        wilds.append(Wild(f"{ident}/{slug(name)}", code, name, copies, mark, text, do))
    return tuple(wilds)


def _fresh(scope: Scope, item: bool = False) -> Scope:
    return Scope(scope.heroes, item=item)


def _codes(file: str, names: Sequence[str]) -> list[str]:
    """W and the initials of each name; where two are alike, more letters of each word until they differ."""
    codes: list[str] = []
    for letters in range(1, MAX_NAME):
        codes = ["W" + "".join(word[:letters] for word in slug(name).split("_")).upper() for name in names]
        if len(set(codes)) == len(codes):
            return codes
    raise refused(
        file,
        said(
            "two Wilds are written alike: {list}",
            list=", ".join(sorted(c for c in codes if codes.count(c) > 1)),
        ),
    )


def _wild_kind(wild: Wild, ident: str) -> Kind:
    return Kind(
        wild.id, WILD, "W", -1, 0, wild.copies, wild.name, wild.text, wild.mark, "text", ident, False, wild.code
    )


def _dangers(file: str, entries: list[Any], ident: str, group: str, scope: Scope) -> tuple[Danger, ...]:
    if len(entries) != DANGERS:
        raise refused(file, said("a hero has {most} [[danger]] tables, not {count}", most=DANGERS, count=len(entries)))
    return tuple(
        _danger(Table(f"{file} [[danger]] {n}", entry), ident, group, scope) for n, entry in enumerate(entries, 1)
    )


def _danger(table: Table, ident: str, group: str, scope: Scope) -> Danger:
    name = _name(table)
    table.where += f" ({name})"
    kind = table.choice("kind", frozenset({"enemy", "event", "location", "item"}))
    mark, text = table.choice("mark", MARKS), table.sentence("text")
    if kind == "item" and group == "dc":
        table.refuse(said("the DC heroes have no Items"), said("make it an Event, or set the hero to marvel"))
    card = Danger(f"{ident}/{slug(name)}", kind, name, mark, text)
    if kind == "event":
        do = read_effect(f"{table.where} do", table.take("do", list), _fresh(scope))
        table.done()
        return Danger(card.id, kind, name, mark, text, do=do)
    abilities = read_abilities(
        f"{table.where} abilities", table.take("abilities", list), _fresh(scope, kind == "item"), kind == "location"
    )
    if kind != "enemy":
        table.done()
        return Danger(card.id, kind, name, mark, text, abilities=abilities)
    flipped_text = table.sentence("flipped_text")
    flipped = read_effect(f"{table.where} flipped", table.take("flipped", list), _fresh(scope))
    defeat = _defeat(table, group, abilities)
    table.done()
    return Danger(card.id, kind, name, mark, text, flipped_text, flipped, (), abilities, defeat)


def _defeat(table: Table, group: str, abilities: tuple[Ability | Modifier, ...]) -> tuple[str, ...]:
    """The icons that beat an Enemy: at least one must be left playable by the Enemy's own bans."""
    icons = table.take("defeat", list)
    for icon in icons:
        if icon not in CARD_KINDS:
            table.refuse(said("unknown kind {kind} in 'defeat'", kind=show(icon)), nearest(icon, CARD_KINDS))
    if not icons or len(set(icons)) != len(icons):
        table.refuse(said("'defeat' names each kind of card that beats the Enemy once, at least one"))
    if group == "dc" and "number" in icons:
        table.refuse(
            said("the DC heroes have no icon 'number' in 'defeat'"), said("name colours, action, wild or danger")
        )
    bans = {
        entry.kind
        for entry in abilities
        if isinstance(entry, Modifier) and entry.mod is Mod.BAN and entry.who in (Who.SELF, Who.ALL)
    }
    if not any(card & set(icons) and not card & bans for card in _EVERY_CARD):
        table.refuse(
            said("its own bans leave no card that could beat it"),
            said("'defeat' needs a kind that is not {kinds}", kinds=joined(sorted(bans), OR)),
        )
    return tuple(icons)


def _every_card() -> frozenset[frozenset[str]]:
    """The kinds of every card that there can be in any deck."""
    cards = [
        Kind("", colour, symbol, value, 0, 1, "", "", "", icon=icon)
        for colour in range(4)
        for symbol, value, icon in (
            ("1", 1, True),
            ("1", 1, False),
            ("+2", -1, False),
            ("R", -1, False),
            ("S", -1, False),
        )
    ]
    return frozenset(map(card_kinds, cards)) | {frozenset({"wild"})}


_EVERY_CARD: Final = _every_card()


def _count(file: str, coloured: tuple[Kind, ...], wilds: tuple[Wild, ...]) -> None:
    colours, special = sum(kind.copies for kind in coloured), sum(wild.copies for wild in wilds)
    if colours + special != DECK:
        raise refused(
            file,
            said(
                "the deck has {count} cards ({coloured} coloured and {wilds} Wilds), not {deck}",
                count=colours + special,
                coloured=colours,
                wilds=special,
                deck=DECK,
            ),
            said(
                "change 'numbers', 'draw2', 'reverse', 'skip' (each counts once in each colour) "
                "or the copies of the Wilds"
            ),
        )


def _names_differ(file: str, names: list[tuple[str, str]]) -> None:
    seen: dict[str, str] = {}
    for what, name in names:
        if slug(name) in seen:
            raise refused(
                file,
                said(
                    "{first} and {what} have the same name {name}", first=seen[slug(name)], what=what, name=show(name)
                ),
                said("rename one of them"),
            )
        seen[slug(name)] = what


@cache
def built_in_ids() -> frozenset[str]:
    """The ids of the heroes that come with the game."""
    files = (resources.files("p2puno") / "packs" / "heroes").iterdir()
    return frozenset(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


@cache
def built_in_heroes() -> Mapping[str, Hero]:
    """The heroes that come with the game, by id, in alphabetical order."""
    heroes = {}
    for ident in sorted(built_in_ids()):
        file = f"{ident}.toml"
        hero = read_hero(file, (resources.files("p2puno") / "packs" / "heroes" / file).read_bytes(), BUILT_IN)
        if hero.id != ident:
            raise refused(file, said("'id' must be {hero!r}, not {id!r}", hero=ident, id=hero.id))
        heroes[ident] = hero
    return MappingProxyType(heroes)


def read_own(file: str, data: bytes, source: str) -> Hero:
    """A hero of a player's own making: as `read_hero`, but the ids of the built-in heroes are taken."""
    hero = read_hero(file, data, source)
    if hero.id in built_in_ids():
        raise refused(
            file,
            said("the id {id!r} belongs to a hero of the game", id=hero.id),
            said("give your hero an id of its own"),
        )
    return hero


def load_folder(path: str | Path) -> tuple[Hero, ...]:
    """The heroes of every `*.toml` in a folder, in the order of their ids. Raises PackError."""
    folder = Path(path)
    if not folder.is_dir():
        raise refused(
            str(folder),
            said("there is no such folder"),
            said("name the folder that holds the .toml files of your heroes"),
        )
    files = sorted(file for file in folder.iterdir() if file.suffix == ".toml" and file.is_file())
    if len(files) > MAX_FILES:
        raise refused(
            str(folder),
            said(
                "a folder holds at most {most} packs, not {count}",
                most=MAX_FILES,
                count=len(files),
            ),
        )
    found: dict[str, Hero] = {}
    for file in files:
        try:
            with file.open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except OSError as error:
            raise refused(file.name, said("it cannot be read ({reason})", reason=system_says(error))) from error
        hero = read_own(file.name, data, str(file))
        if hero.id in found:
            raise refused(
                file.name,
                said("the id {id!r} is that of {other} too", id=hero.id, other=Path(found[hero.id].source).name),
                said("give each hero an id of its own"),
            )
        found[hero.id] = hero
    return tuple(found[ident] for ident in sorted(found))
