"""Triggers: events wait until the running effect is done, then the abilities that answer are done in order (R39)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2puno.agenda import happening
from p2puno.effects import By, On
from p2puno.happenings import Happening, What
from p2puno.needs import Need
from p2puno.state import Piece
from p2puno.ultimate.book import SEATS, Ready
from p2puno.ultimate.machine import MAX_EVENTS, named
from p2puno.ultimate.standing import HEARD_AT, heard_by
from p2puno.ultimate.steps import act

if TYPE_CHECKING:
    from p2puno.engine import Answer
    from p2puno.ultimate.engine import UltimateGame


@named("drain")
def _drain(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Events wait: handle them."""
    if game.queue or game.emptied:
        wake(game)
    return None


def happens(game: UltimateGame, on: On, seat: int, kind: int, then: Piece) -> bool:
    """An event that is handled at once, after those that wait: what `event` and then `wake` do."""
    if game.book.heard[on] & kind and game.events < MAX_EVENTS:
        game.events += 1
        if game.queue or game.traps or game.heard >> HEARD_AT[on][seat] & kind:
            game.queue.append((on, seat, kind, -1))
    return wake(game, then) if game.queue or game.emptied else False


def wake(game: UltimateGame, then: Piece | None = None) -> bool:
    """Handle the events that wait, up to the first one that is answered; when none is left, a hand that an effect has
    emptied wins (R53). True if the agenda has something to do now: after that comes `then`."""
    queue = game.queue
    if queue:
        heard = game.heard
        for owner, _, number in game.traps:
            trap = game.book.abilities[number]
            heard |= heard_by(trap.by, trap.on, trap.kind, owner)
        while queue:
            on, seat, kind, source = queue.pop(0)
            if not heard >> HEARD_AT[on][seat] & kind:
                continue
            found = answers(game, on, seat, kind, source)
            if found:
                agenda = game.agenda
                if then is not None:
                    agenda.append(then)
                agenda.append(_DRAIN)
                agenda += found[::-1]
                return True
    if game.emptied:
        game.emptied = False
        for seat in game.ring(game.turn):
            if not game.hands[seat]:
                game.agenda[:] = [("won", seat, 0)]
                return True
    return False


_DRAIN: Final[Piece] = ("drain",)


def answers(game: UltimateGame, on: str, seat: int, kind: int, source: int) -> list[Piece]:
    """What answers to an event: by player from the active one, each with power, Enemy, Items and traps; at last the
    Location (R39). An ability does not answer the flip of its own card."""
    found: list[Piece] = []
    traps = game.traps
    for owner in game.ring(game.turn):
        held = game.held[owner]
        if on in held.ready:
            for number, kinds, by, stands in held.ready[on]:
                if kinds & kind and stands != source and _by(by, owner, seat):
                    found.append(("fire", number, owner, seat))
        if traps:
            found += [
                ("spring", number, owner, seat, stands)
                for setter, stands, number in traps
                if setter == owner and _springs(game.book.abilities[number], on, seat, kind, owner)
            ]
    there = game.place.ready
    if on in there:
        for number, kinds, _, stands in there[on]:
            if kinds & kind and stands != source:
                found.append(("fire", number, seat, seat))
    return found


def _springs(trap: Ready, on: str, seat: int, kind: int, owner: int) -> bool:
    return trap.on == on and bool(trap.kind & kind) and _by(trap.by, owner, seat)


def _by(by: By, owner: int, seat: int) -> bool:
    return by is _ANY or (by is _SELF) == (owner == seat)


# To look a member up on its class takes long before Python 3.12.
_ABILITY: Final = What.ABILITY
_POWER: Final = tuple(Happening(What.POWER, seat) for seat in range(SEATS))
_ANY: Final = By.ANY
_SELF: Final = By.SELF


def would(game: UltimateGame, number: int, owner: int) -> bool:
    """Whether an ability of this owner would act now: its owner lives, its card is in play there, a power is not blank
    (R40), and its condition holds."""
    ability = game.book.abilities[number]
    source = ability.source
    if not game.living >> owner & 1:
        return False
    if source >= game.book.powers:
        if (game.standing or game.in_force()).blank >> owner & 1:
            return False
    elif source not in game.held[owner].cards and source != game.card(game.location):
        return False
    return ability.cond is None or game.holds(ability.cond, owner)


@named("begin")
def _begin(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """An ability acts at the start of a turn: what it triggers is handled before the next one begins (R9, R39)."""
    if not would(game, piece[1], piece[2]):
        return None
    game.agenda.append(_DRAIN)
    return _acts(game, piece, out)


@named("fire")
def _fire(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """An ability acts: (name, ability, owner, the seat whose deed it answers)."""
    return _acts(game, piece, out) if would(game, piece[1], piece[2]) else None


def _acts(game: UltimateGame, piece: Piece, out: list[Happening]) -> Need | None:
    _, number, owner, them = piece
    ability = game.book.abilities[number]
    if ability.source >= game.book.powers:
        out.append(_POWER[owner])
    else:
        out.append(happening(_ABILITY, owner, -1, ability.source))
    return act(game, ability.program, owner, ability.source, them, out)


@named("spring")
def _spring(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A trap goes off, once (R45), unless it was set by a power that is blank now (R40)."""
    _, number, owner, them, source = piece
    trap = (owner, source, number)
    if trap in game.traps and not (source >= len(game.book.kinds) and game.blank(owner)):
        game.traps.remove(trap)
        out.append(happening(What.SPRUNG, owner, them, source if source < len(game.book.kinds) else -1))
        return act(game, game.book.abilities[number].program, owner, source, them, out)
    return None
