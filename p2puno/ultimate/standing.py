"""What holds because of the cards in play: who answers to what, and the modifiers in force (R38-R41, R46).

It is looked up when something on the table has changed, and worked out from parts that come again and again: `Held` for
each seat with the Enemy and the Items that it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from p2puno.effects import By, Mod, Modifier, On
from p2puno.state import Piece
from p2puno.ultimate.book import Book, ban_mask

Listener = tuple[int, int, By, int]
"""An ability that waits for its trigger: (number in the book, kinds as a mask, by, source)."""

InForce = tuple[Modifier, int, int]
"""A modifier in force: (what, bearers as bits, source)."""


@dataclass(slots=True, eq=False)
class Held:
    """What comes of the power of a seat, then of the Enemy and the Items it holds; or of a Location, with seat -1.

    `ready`: abilities by trigger. `heard`: by trigger, the kinds that they answer to, as a mask. `standing`: (modifier,
    source) of the cards; `power`: those of the power. What the start of a turn fires of them (R9), in the order of an
    agenda: `enemy`, `own` (the power), at the start of the own turn; `items`: whether Items act then; `others`:
    abilities that act at the start of others' turns."""

    ready: dict[str, list[Listener]] = field(default_factory=dict)
    heard: dict[str, int] = field(default_factory=dict)
    standing: tuple[tuple[Modifier, int], ...] = ()
    power: tuple[Modifier, ...] = ()
    enemy: tuple[Piece, ...] = ()
    own: tuple[Piece, ...] = ()
    items: bool = False
    others: tuple[int, ...] = ()


@dataclass(slots=True)
class Standing:
    """What is worked out from the cards in play. Hands in which they lie alike share it, so it never changes.

    `held`: by seat. `place`: of the Location. `heard`: by trigger, the kinds that any card in play answers to. `late`:
    seats with abilities that act at the start of others' turns. `blank` and `no_recover`: seats as bits. `bans`: per
    seat, the kinds it cannot play. `burn`: (seats as bits, how many more, from where). `deal`: (seat, how many more,
    may be declined, source)."""

    held: tuple[Held, ...]
    place: Held
    heard: dict[str, int]
    late: tuple[int, ...]
    bans: tuple[int, ...]
    blank: int = 0
    no_recover: int = 0
    burn: tuple[tuple[int, int, str], ...] = ()
    deal: tuple[tuple[int, int, bool, int], ...] = ()


NOTHING = Held()
"""Of a seat that is out; of no Location."""


@lru_cache(maxsize=2048)
def held_by(book: Book, seat: int, enemy: int, items: tuple[int, ...]) -> Held:
    """What comes of a seat's power, its Enemy (a face, -1 without) and its Items (faces)."""
    held = Held(power=book.standing[book.power(seat)])
    _listen(book, held, book.power(seat))
    held.own = _fires(book, seat, book.power(seat))
    if enemy >= 0:
        _listen(book, held, enemy)
        held.enemy = _fires(book, seat, enemy)
    for item in items:
        _listen(book, held, item)
        held.items |= bool(_fires(book, seat, item))
    cards = (enemy, *items) if enemy >= 0 else items
    held.standing = tuple((modifier, source) for source in cards for modifier in book.standing[source])
    held.others = tuple(number for number, _, by, _ in held.ready.get(On.START, ()) if by is not By.SELF)
    return held


@lru_cache(maxsize=256)
def placed(book: Book, location: int) -> Held:
    """What comes of a Location (a face): it has no owner."""
    held = Held(standing=tuple((modifier, location) for modifier in book.standing[location]))
    _listen(book, held, location)
    return held


def _listen(book: Book, held: Held, source: int) -> None:
    for on, numbers in book.by_trigger[source].items():
        for number in numbers:
            ability = book.abilities[number]
            held.ready.setdefault(on, []).append((number, ability.kind, ability.by, source))
            held.heard[on] = held.heard.get(on, 0) | ability.kind


def _fires(book: Book, seat: int, source: int) -> tuple[Piece, ...]:
    numbers = book.by_trigger[source].get(On.START, ())
    return tuple(("begin", n, seat, seat) for n in reversed(numbers) if book.abilities[n].by is not By.OTHER)


@lru_cache(maxsize=2048)
def stand(
    book: Book, living: int, held: tuple[Held, ...], place: Held, mods: tuple[tuple[int, int, int], ...]
) -> Standing:
    """What holds while these seats live (as bits). `mods`: what is set until somebody's next turn: (bearer, number in
    the book, owner)."""
    heard = dict(place.heard)
    standing = bool(mods or place.standing or book.powers_modify)
    for one in held:
        standing |= bool(one.standing)
        for on, kinds in one.heard.items():
            heard[on] = heard.get(on, 0) | kinds
    late = tuple([seat for seat, one in enumerate(held) if one.others])
    found = Standing(held, place, heard, late, (0,) * len(held))
    if standing:
        _modify(book, living, found, mods)
    return found


def _modify(book: Book, living: int, standing: Standing, mods: Sequence[tuple[int, int, int]]) -> None:
    bans = list(standing.bans)
    burn: list[tuple[int, int, str]] = []
    deal: list[tuple[int, int, bool, int]] = []
    for modifier, bearers, source in _modifiers(book, living, standing, mods):
        if modifier.mod is Mod.BLANK:
            standing.blank |= bearers
        elif modifier.mod is Mod.NO_RECOVER:
            standing.no_recover |= bearers
        elif modifier.mod is Mod.BAN:
            bans = [kinds | ban_mask(modifier) * (bearers >> seat & 1) for seat, kinds in enumerate(bans)]
        elif modifier.mod is Mod.BURN:
            burn.append((bearers, modifier.n, modifier.source))
        else:
            deal += [(seat, modifier.n, modifier.may, source) for seat in range(len(bans)) if bearers >> seat & 1]
    standing.bans, standing.burn, standing.deal = tuple(bans), tuple(burn), tuple(deal)


def _modifiers(book: Book, living: int, standing: Standing, mods: Sequence[tuple[int, int, int]]) -> list[InForce]:
    """Every modifier in force: of Enemies and Items, of the Location, those set until somebody's next turn, then those
    of powers that nothing of this blanks."""
    found = [
        (modifier, _bearers(modifier.who, seat, living), source)
        for seat, held in enumerate(standing.held)
        for modifier, source in held.standing
    ]
    found += [(modifier, living, place) for modifier, place in standing.place.standing]
    found += [(book.modifiers[number], 1 << bearer, -1) for bearer, number, _ in mods]
    blank = 0
    for modifier, bearers, _ in found:
        blank |= bearers * (modifier.mod is Mod.BLANK)
    for seat, held in enumerate(standing.held):
        if not blank >> seat & 1:
            power = book.power(seat)
            found += [(modifier, _bearers(modifier.who, seat, living), power) for modifier in held.power]
    return found


def _bearers(who: str, seat: int, living: int) -> int:
    """The seats, as bits, that bear a standing modifier of `seat`."""
    if who == "self":
        return 1 << seat
    return living if who == "all" else living & ~(1 << seat)
