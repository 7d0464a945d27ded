"""What holds because of the cards in play: who answers to what, and the modifiers in force (R38-R41, R46).

It is kept by seat (`Held`: of its power, its Enemy and its Items) and looked up again when something of that seat has
changed. The modifiers of all together (`Standing`) are worked out when they are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from p2puno.effects import By, Mod, Modifier, On, Who
from p2puno.state import Piece
from p2puno.ultimate.book import SEATS, WIDTH, Book, ban_mask

Listener = tuple[int, int, By, int]
"""An ability that waits for its trigger: (number in the book, kinds as a mask, by, source)."""

Modifying = tuple[int, int]
"""A source with standing modifiers, and the seat whose it is: -1 for the Location."""

HEARD_AT: Final[dict[str, tuple[int, ...]]] = {
    on: tuple((place * SEATS + seat) * WIDTH for seat in range(SEATS)) for place, on in enumerate(On)
}
"""Where, in the bits of `heard`, the kinds begin that are answered to when a trigger happens: by trigger, by seat."""

LATE: Final = 1 << len(On) * SEATS * WIDTH
"""In `heard`: there are abilities that act at the start of others' turns."""


@dataclass(slots=True, eq=False)
class Held:
    """What comes of the power of a seat, then of the Enemy and the Items it holds; or of a Location. Hands in which
    they lie alike share it, so it never changes.

    `cards`: the faces of Enemy and Items. `ready`: abilities by trigger. `heard`: what they answer to, as bits
    (`HEARD_AT`, `LATE`). `modifying`: the cards with modifiers. What the start of a turn fires of them (R9): at the own
    one `enemy`, and `own` (power and Items), in the order of an agenda; `fires`: both, where no Location comes between
    them. `others`: abilities that act at the start of others' turns."""

    cards: tuple[int, ...] = ()
    ready: dict[str, list[Listener]] = field(default_factory=dict)
    heard: int = 0
    modifying: tuple[Modifying, ...] = ()
    enemy: tuple[Piece, ...] = ()
    own: tuple[Piece, ...] = ()
    fires: tuple[Piece, ...] = ()
    others: tuple[int, ...] = ()


@dataclass(slots=True)
class Standing:
    """The modifiers in force, shared like `Held`.

    `blank` and `no_recover`: seats as bits. `bans`: per seat, the kinds it cannot play. `burn`: (seats as bits, how
    many more, from where). `deal`: (seat, how many more, may be declined, source)."""

    bans: tuple[int, ...] = (0,) * SEATS
    blank: int = 0
    no_recover: int = 0
    burn: tuple[tuple[int, int, str], ...] = ()
    deal: tuple[tuple[int, int, bool, int], ...] = ()


NOTHING: Final = Held()
"""Of a seat that is out; of no Location."""


@lru_cache(maxsize=1 << 14)
def held_by(book: Book, seat: int, enemy: int, items: tuple[int, ...]) -> Held:
    """What comes of a seat's power, its Enemy (a face, -1 without) and its Items (faces). They come again in hand after
    hand; the oldest ones are dropped when many tables have been played."""
    power = book.power(seat)
    cards = (enemy, *items) if enemy >= 0 else items
    held = Held(cards, modifying=tuple([(card, seat) for card in cards if book.standing[card]]))
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
    held.others = tuple([number for number, _, by, _ in held.ready.get(On.START, ()) if by is not By.SELF])
    if held.others:
        held.heard |= LATE
    return held


@lru_cache(maxsize=256)
def placed(book: Book, location: int) -> Held:
    """What comes of a Location (a face): it has no owner."""
    held = Held(modifying=((location, -1),) if book.standing[location] else ())
    _listen(book, held, location, -1)
    return held


@cache
def heard_by(by: By, on: str, kind: int, seat: int) -> int:
    """What an ability of a seat (-1: of the Location) answers to, as bits."""
    heard = 0
    for other in range(SEATS):
        if seat < 0 or by is By.ANY or (by is By.SELF) == (other == seat):
            heard |= kind << HEARD_AT[on][other]
    return heard


def _listen(book: Book, held: Held, source: int, seat: int) -> None:
    for on, numbers in book.by_trigger[source].items():
        for number in numbers:
            ability = book.abilities[number]
            held.ready.setdefault(on, []).append((number, ability.kind, ability.by, source))
            held.heard |= heard_by(ability.by, on, ability.kind, seat)


def _fires(book: Book, seat: int, source: int) -> tuple[Piece, ...]:
    numbers = book.by_trigger[source].get(On.START, ())
    return tuple([("begin", n, seat, seat) for n in reversed(numbers) if book.abilities[n].by is not By.OTHER])


@lru_cache(maxsize=4096)
def stand(book: Book, living: int, cards: tuple[Modifying, ...], mods: tuple[tuple[int, int, int], ...]) -> Standing:
    """What holds together while these seats live (as bits): the modifiers of cards, of what is set until somebody's
    next turn (`mods`: bearer, number in the book, owner), then of the powers that are not blank. Most sets of cards in
    play have the same few modifiers, so they are found again; the oldest are dropped."""
    found = Standing()
    for source, seat in cards:
        _modify(found, book, living, source, seat)
    for bearer, number, _ in mods:
        _bear(found, book.modifiers[number], 1 << bearer, -1)
    if book.powers_modify:
        blank = found.blank
        for seat in range(len(book.heroes)):
            if living >> seat & 1 and not blank >> seat & 1:
                _modify(found, book, living, book.power(seat), seat)
    return found


def _modify(standing: Standing, book: Book, living: int, source: int, seat: int) -> None:
    own = 1 << seat if seat >= 0 else 0  # a Location is nobody's
    for modifier in book.standing[source]:
        if modifier.who is Who.ALL or seat < 0:
            _bear(standing, modifier, living, source)
        else:
            _bear(standing, modifier, own if modifier.who is Who.SELF else living & ~own, source)


def _bear(standing: Standing, modifier: Modifier, bearers: int, source: int) -> None:
    """A modifier is in force for these seats (as bits)."""
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
