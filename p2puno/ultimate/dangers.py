"""Danger cards: flips and searches (R29-R31, R34), Enemies (R26, R27), the Location (R28), Items (R33)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from p2puno.agenda import decide, happening, open_one
from p2puno.effects import On, Verb
from p2puno.happenings import Happening, What
from p2puno.moves import Pick
from p2puno.needs import ALL, Ask, Need, Opened, Shuffle
from p2puno.state import HIDDEN, Piece
from p2puno.ultimate.book import ENEMY, EVERY, ITEM, LOCATION, Op
from p2puno.ultimate.machine import event, named

if TYPE_CHECKING:
    from p2puno.engine import Answer
    from p2puno.ultimate.engine import UltimateGame

MAX_FLIPS: Final = 10
"""Danger cards resolved in one move (R34)."""

MAX_ITEMS: Final = 3
"""Items of one player (R33)."""

# To look a member up on its class takes long before Python 3.12.
_DANGER: Final = What.DANGER
_ENEMY: Final = What.ENEMY
_FLIP: Final = On.FLIP


# --- flipping -------------------------------------------------------------------------------------------------------


def flip(game: UltimateGame, seat: int, out: list[Happening]) -> Need | None:
    """A seat flips one Danger card and resolves it; none if there is none left, or ten were resolved (R30, R34)."""
    if game.flips >= MAX_FLIPS or not (game.danger or game.spent):
        return None
    return _turn_over(game, ("flipped", seat))


def _turn_over(game: UltimateGame, then: Piece) -> Need:
    """The top Danger card is opened to all; `then` gets it. An empty deck is refilled first (R30)."""
    game.agenda.append(then)
    if game.danger:
        return open_one(game.danger[-1], ALL)
    game.agenda.append(("refill",))
    return Shuffle(((game.rules.decks()[-1].name, tuple(reversed(game.spent))),))


@named("refill")
def _refill(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The discard is the new Danger Deck: nobody knows its order."""
    game.danger, game.spent = game.spent, []
    for slot in game.danger:
        game.public[slot] = HIDDEN
    out.append(Happening(What.SHUFFLED, n=len(game.danger)))
    return open_one(game.danger[-1], ALL)


@named("flipped")
def _flipped(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A Danger card was flipped by a seat: resolve it. Whose flipper has left the game goes to the discard."""
    assert isinstance(answer, Opened)
    ((slot, face),) = answer.faces
    seat = piece[1]
    game.danger.pop()
    game.public[slot] = face
    out.append(happening(_DANGER, seat, -1, face))
    if not game.living >> seat & 1:
        game.spent.append(slot)
        return None
    return _resolve(game, seat, slot, face, out)


def _resolve(game: UltimateGame, seat: int, slot: int, face: int, out: list[Happening]) -> Need | None:
    """Do what the card says, with this seat as its flipper; then it counts as flipped (1.6)."""
    game.flips += 1
    book = game.book
    kind = book.mask[face]
    game.agenda.append(("resolved", seat, face))
    if book.effect[face] >= 0:
        game.agenda.append(("run", book.effect[face], 0, seat, face, seat, -1))
    if kind == ENEMY:
        place_enemy(game, seat, slot, out)
    elif kind == LOCATION:
        if game.location >= 0:
            game.spent.append(game.location)
        game.locate(slot)
        out.append(happening(What.LOCATION, seat, -1, face))
    elif kind == ITEM:
        out.append(happening(What.ITEM, seat, -1, face))
        return gain_item(game, seat, slot)
    else:  # an Event lies on the discard while it acts
        game.spent.append(slot)
    return None


@named("resolved")
def _resolved(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A card was flipped and resolved: (name, flipper, face)."""
    _, seat, face = piece
    if game.living >> seat & 1:
        event(game, _FLIP, seat, game.book.mask[face], face)
    return None


# --- searching ------------------------------------------------------------------------------------------------------


def _flip_until(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
                out: list[Happening]) -> Need | None:  # fmt: skip
    game.agenda += [("search", seat, op.kind) for seat in reversed(targets)]
    return None


@named("search")
def _search(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A seat flips until a type shows: (name, seat, type). Which cards are in deck and discard together is public: if
    none is of the type, nothing is flipped (R31)."""
    _, seat, kind = piece
    if not game.living >> seat & 1 or game.flips >= MAX_FLIPS or not _hidden(game, kind):
        return None
    return _turn_over(game, ("found", seat, kind))


def _hidden(game: UltimateGame, kind: int) -> bool:
    """Whether a Danger card of this type is in the Danger Deck or its discard: those of the seats that play, less the
    ones in play."""
    mask, public = game.book.mask, game.public
    if any(mask[public[slot]] == kind for slot in game.spent):
        return True
    aside = sum(mask[public[slot]] == kind for slot in game.aside)
    if kind == ENEMY:
        shown = game.attacked()
    elif kind == LOCATION:
        shown = int(game.location >= 0)
    else:
        shown = sum(map(len, game.items))
    return game.book.types[kind] > aside + shown


@named("found")
def _found(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A card was flipped in a search: the one looked for is resolved, others go to the discard unresolved (R31)."""
    assert isinstance(answer, Opened)
    ((slot, face),) = answer.faces
    _, seat, kind = piece
    game.danger.pop()
    game.public[slot] = face
    if game.living >> seat & 1 and game.book.mask[face] == kind:
        out.append(happening(_DANGER, seat, -1, face))
        return _resolve(game, seat, slot, face, out)
    out.append(happening(What.PASSED_OVER, seat, -1, face))
    game.spent.append(slot)
    game.agenda.append(("search", seat, kind))
    return None


def _danger(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
            out: list[Happening]) -> Need | None:  # fmt: skip
    game.agenda += [("flips", seat, amount) for seat in reversed(targets)]
    return None


@named("flips")
def _flips(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A seat flips and resolves so many cards more: (name, seat, count)."""
    _, seat, count = piece
    if not count or not game.living >> seat & 1:
        return None
    game.agenda.append(("flips", seat, count - 1))
    return flip(game, seat, out)


# --- Enemies --------------------------------------------------------------------------------------------------------


def place_enemy(game: UltimateGame, seat: int, slot: int, out: list[Happening]) -> None:
    """An Enemy attacks a seat; the one before is discarded, not defeated. It is fresh in this turn (R26, R27)."""
    if game.enemies[seat] >= 0:
        game.spent.append(game.enemies[seat])
    game.enemies[seat] = slot
    game.fresh |= 1 << seat
    game.changed(seat)
    out.append(happening(_ENEMY, seat, -1, game.public[slot]))


def defeat(game: UltimateGame, seat: int, attacked: int, out: list[Happening]) -> None:
    """A seat defeats the Enemy that attacks `attacked`: it goes to the Danger discard (R14)."""
    slot = game.enemies[attacked]
    game.enemies[attacked] = -1
    game.spent.append(slot)
    game.changed(attacked)
    out.append(happening(What.DEFEATED, seat, attacked, game.public[slot]))
    event(game, On.DEFEAT, seat, EVERY)


def _defeat(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
            out: list[Happening]) -> Need | None:  # fmt: skip
    """Fresh Enemies stay (R26)."""
    for seat in targets:
        if game.enemies[seat] >= 0 and not game.fresh >> seat & 1:
            defeat(game, owner, seat, out)
    return None


def _move_enemy(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
                out: list[Happening]) -> Need | None:  # fmt: skip
    """The owner's Enemy turns to the target, without "When Flipped"; it is fresh there."""
    (seat,), slot = targets, game.enemies[owner]
    if slot >= 0 and seat != owner:
        game.enemies[owner] = -1
        game.fresh &= ~(1 << owner)
        game.changed(owner)
        place_enemy(game, seat, slot, out)
    return None


# --- Items and the Location -----------------------------------------------------------------------------------------


def item_slot(game: UltimateGame, seat: int, face: int) -> int:
    """The slot of an Item that a seat holds, by its face; -1 if it does not hold it."""
    return next((slot for slot in game.items[seat] if game.public[slot] == face), -1)


def discard_item(game: UltimateGame, seat: int, slot: int, out: list[Happening]) -> None:
    """An Item of a seat goes to the Danger discard."""
    game.items[seat].remove(slot)
    game.spent.append(slot)
    game.changed(seat)
    out.append(happening(What.DESTROYED, seat, -1, game.public[slot]))


def gain_item(game: UltimateGame, seat: int, slot: int) -> Need | None:
    """An Item comes to a seat. It holds three at most: at the fourth it discards any of the four (R33)."""
    game.items[seat].append(slot)
    game.changed(seat)
    if len(game.items[seat]) <= MAX_ITEMS:
        return None
    game.agenda.append(("destroy_one", seat))
    return decide(seat, Ask.ITEM, -1, tuple(game.items[seat]))


@named("destroy_one", about=(1,))
def _destroy_one(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A seat has chosen which of its Items goes."""
    assert isinstance(answer, Pick)
    discard_item(game, piece[1], answer.value, out)
    return None


def _destroy(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
             out: list[Happening]) -> Need | None:  # fmt: skip
    """The Location, or an Item of each target, goes to the discard; its abilities do not fire."""
    if op.kind == LOCATION:
        if game.location >= 0:
            out.append(happening(What.DESTROYED, -1, -1, game.public[game.location]))
            game.spent.append(game.location)
            game.locate(-1)
        return None
    game.agenda += [("destroy", seat, source) for seat in reversed(targets)]
    return None


@named("destroy")
def _destroy_item(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A seat loses one of its Items, by its own choice: (name, seat, source)."""
    _, seat, source = piece
    items = game.items[seat]
    if len(items) > 1:
        game.agenda.append(("destroy_one", seat))
        return decide(seat, Ask.ITEM, -1, tuple(items), 0, source)
    if items:
        discard_item(game, seat, items[0], out)
    return None


def _take_item(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
               out: list[Happening]) -> Need | None:  # fmt: skip
    """The owner takes one Item of the target, by its own choice."""
    (seat,) = targets
    items = game.items[seat]
    if len(items) > 1 and seat != owner:
        game.agenda.append(("take", owner, seat))
        return decide(owner, Ask.ITEM, -1, tuple(items), 0, source)
    return _take(game, owner, seat, items[0], out) if items and seat != owner else None


@named("take", about=(1, 2))
def _taken(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The Item to take was chosen: (name, taker, holder)."""
    assert isinstance(answer, Pick)
    return _take(game, piece[1], piece[2], answer.value, out)


def _take(game: UltimateGame, seat: int, holder: int, slot: int, out: list[Happening]) -> Need | None:
    game.items[holder].remove(slot)
    game.changed(holder)
    out.append(happening(What.TOOK, seat, holder, game.public[slot]))
    return gain_item(game, seat, slot)


DANGER_VERBS: Final[
    dict[str, Callable[[UltimateGame, Op, int, int, tuple[int, ...], int, list[Happening]], Need | None]]
] = {
    Verb.DESTROY: _destroy,
    Verb.FLIP_UNTIL: _flip_until,
    Verb.DANGER: _danger,
    Verb.DEFEAT: _defeat,
    Verb.MOVE_ENEMY: _move_enemy,
    Verb.TAKE_ITEM: _take_item,
}
"""Every verb about Danger cards."""
