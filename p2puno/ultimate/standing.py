"""What holds because of the cards in play: who answers to what, and the modifiers in force (R38-R41, R46).

It is looked up when something on the table has changed, and worked out from parts that come again and again: `Held` for
each seat with the Enemy and the Items that it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from p2puno.effects import By, Mod, Modifier, On
from p2puno.state import Piece
from p2puno.ultimate.book import SEATS, WIDTH, Book, ban_mask

Listener = tuple[int, int, By, int]
"""An ability that waits for its trigger: (number in the book, kinds as a mask, by, source)."""

InForce = tuple[Modifier, int, int]
"""A modifier in force: (what, bearers as bits, source)."""

HEARD_AT: Final[dict[tuple[str, int], int]] = {
    (on, seat): (place * SEATS + seat) * WIDTH for place, on in enumerate(On) for seat in range(SEATS)
}
"""Where, in the bits of `heard`, the kinds begin that are answered to when a trigger happens to a seat."""


@dataclass(slots=True, eq=False)
class Held:
    """What comes of the power of a seat, then of the Enemy and the Items it holds; or of a Location, with seat -1.

    `ready`: abilities by trigger. `heard`: what they answer to, as bits (`HEARD_AT`). `standing`: modifiers of the
    cards; `power`: those of the power. What the start of a turn fires of them (R9): at the own one `enemy`, and `own`
    (power and Items), in the order of an agenda; `fires`: both, where no Location comes between them. `others`:
    abilities that act at the start of others' turns."""

    ready: dict[str, list[Listener]] = field(default_factory=dict)
    heard: int = 0
    standing: tuple[InForce, ...] = ()
    power: tuple[InForce, ...] = ()
    enemy: tuple[Piece, ...] = ()
    own: tuple[Piece, ...] = ()
    fires: tuple[Piece, ...] = ()
    others: tuple[int, ...] = ()


@dataclass(slots=True)
class Standing:
    """What is worked out from the cards in play. Hands in which they lie alike share it, so it never changes.

    `held`: by seat. `place`: of the Location. `heard`: what any card in play answers to, as bits. `late`: whether there
    are abilities that act at the start of others' turns. `blank` and `no_recover`: seats as bits. `bans`: per seat, the
    kinds it cannot play. `burn`: (seats as bits, how many more, from where). `deal`: (seat, how many more, may be
    declined, source)."""

    held: tuple[Held, ...]
    place: Held
    heard: int
    late: bool
    bans: tuple[int, ...]
    blank: int = 0
    no_recover: int = 0
    burn: tuple[tuple[int, int, str], ...] = ()
    deal: tuple[tuple[int, int, bool, int], ...] = ()


NOTHING = Held()
"""Of a seat that is out; of no Location."""


@lru_cache(maxsize=2048)
def held_by(book: Book, seat: int, living: int, enemy: int, items: tuple[int, ...]) -> Held:
    """What comes of a seat's power, its Enemy (a face, -1 without) and its Items (faces), while these seats live (as
    bits)."""
    power = book.power(seat)
    cards = (enemy, *items) if enemy >= 0 else items
    held = Held(
        standing=tuple(_modifiers(book, seat, living, cards)), power=tuple(_modifiers(book, seat, living, (power,)))
    )
    _listen(book, held, power, seat)
    held.own = _fires(book, seat, power)
    if enemy >= 0:
        _listen(book, held, enemy, seat)
        held.enemy = _fires(book, seat, enemy)
    for item in items:
        _listen(book, held, item, seat)
    if any(_fires(book, seat, item) for item in items):
        held.own += (("order", seat, ()),)
    held.fires = held.own + held.enemy
    held.others = tuple(number for number, _, by, _ in held.ready.get(On.START, ()) if by is not By.SELF)
    return held


@lru_cache(maxsize=256)
def placed(book: Book, living: int, location: int) -> Held:
    """What comes of a Location (a face): it has no owner."""
    held = Held(standing=tuple((modifier, living, location) for modifier in book.standing[location]))
    _listen(book, held, location, -1)
    return held


@cache
def heard_by(by: By, on: str, kind: int, seat: int) -> int:
    """What an ability of a seat (-1: of the Location) answers to, as bits."""
    heard = 0
    for other in range(SEATS):
        if seat < 0 or by is By.ANY or (by is By.SELF) == (other == seat):
            heard |= kind << HEARD_AT[on, other]
    return heard


def _listen(book: Book, held: Held, source: int, seat: int) -> None:
    for on, numbers in book.by_trigger[source].items():
        for number in numbers:
            ability = book.abilities[number]
            held.ready.setdefault(on, []).append((number, ability.kind, ability.by, source))
            held.heard |= heard_by(ability.by, on, ability.kind, seat)


def _fires(book: Book, seat: int, source: int) -> tuple[Piece, ...]:
    numbers = book.by_trigger[source].get(On.START, ())
    return tuple(("begin", n, seat, seat) for n in reversed(numbers) if book.abilities[n].by is not By.OTHER)


def _modifiers(book: Book, seat: int, living: int, sources: Sequence[int]) -> list[InForce]:
    bearers = {"self": 1 << seat, "all": living, "others": living & ~(1 << seat)}
    return [(modifier, bearers[modifier.who], source) for source in sources for modifier in book.standing[source]]


@lru_cache(maxsize=2048)
def stand(book: Book, held: tuple[Held, ...], place: Held, mods: tuple[tuple[int, int, int], ...]) -> Standing:
    """What holds together. `mods`: what is set until somebody's next turn: (bearer, number in the book, owner)."""
    heard, late = place.heard, False
    modifiers: list[InForce] = []
    for one in held:
        heard |= one.heard
        late |= bool(one.others)
        modifiers += one.standing
    modifiers += place.standing
    modifiers += [(book.modifiers[number], 1 << bearer, -1) for bearer, number, _ in mods]
    found = Standing(held, place, heard, late, (0,) * len(held))
    if modifiers:
        _modify(found, modifiers)
    if book.powers_modify:
        _modify(found, [power for seat, one in enumerate(held) if not found.blank >> seat & 1 for power in one.power])
    return found


def _modify(standing: Standing, modifiers: Sequence[InForce]) -> None:
    for modifier, bearers, source in modifiers:
        if modifier.mod is Mod.BLANK:
            standing.blank |= bearers
        elif modifier.mod is Mod.NO_RECOVER:
            standing.no_recover |= bearers
        elif modifier.mod is Mod.BAN:
            ban = ban_mask(modifier)
            standing.bans = tuple([
                kinds | ban if bearers >> seat & 1 else kinds for seat, kinds in enumerate(standing.bans)
            ])  # fmt: skip
        elif modifier.mod is Mod.BURN:
            standing.burn += ((bearers, modifier.n, modifier.source),)
        else:
            standing.deal += tuple([
                (seat, modifier.n, modifier.may, source) for seat in range(SEATS) if bearers >> seat & 1
            ])  # fmt: skip
