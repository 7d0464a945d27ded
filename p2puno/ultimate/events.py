"""Triggers: events wait until the running effect is done, then the abilities that answer are done in order (R39)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2puno.effects import By
from p2puno.happenings import Happening, What
from p2puno.needs import Need
from p2puno.state import Piece
from p2puno.ultimate.machine import happening, named

if TYPE_CHECKING:
    from p2puno.engine import Answer
    from p2puno.ultimate.engine import UltimateGame


@named("drain")
def _drain(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Handle the first event that waits; when none is left, a hand that an effect has emptied wins (R53)."""
    queue = game.queue
    while queue:
        found = answers(game, *queue.pop(0))
        if found:
            game.agenda.append(piece)
            game.agenda += reversed(found)
            return None
    if game.emptied:
        game.emptied = False
        for seat in game.ring(game.turn):
            if not game.hands[seat]:
                game.agenda[:] = [("won", seat, 0)]
                break
    return None


def answers(game: UltimateGame, on: str, seat: int, kind: int, source: int) -> list[Piece]:
    """What answers to an event: by player from the active one, each with power, Enemy, Items and traps; at last the
    Location (R39). An ability does not answer the flip of its own card."""
    standing = game.in_force()
    ready = standing.ready.get(on)
    place = standing.place.get(on)
    if not (ready or place or game.traps):
        return []
    abilities = game.book.abilities
    found: list[Piece] = []
    for owner, number in ready or ():
        ability = abilities[number]
        if ability.kind & kind and ability.source != source and _by(ability.by, owner, seat):
            found.append(("fire", number, owner, seat))
    for owner, stands, number in game.traps:
        ability = abilities[number]
        if ability.on == on and ability.kind & kind and _by(ability.by, owner, seat):
            found.append(("spring", number, owner, seat, stands))
    if len(found) > 1:
        found.sort(key=lambda piece: (piece[2] - game.turn) * game.direction % game.players)
    for number in place or ():
        if abilities[number].kind & kind and abilities[number].source != source:
            found.append(("fire", number, seat, seat))
    return found


def _by(by: By, owner: int, seat: int) -> bool:
    return by is By.ANY or (by is By.SELF) == (owner == seat)


def would(game: UltimateGame, number: int, owner: int) -> bool:
    """Whether an ability of this owner would act now: its owner lives, its card is in play there, a power is not blank
    (R40), and its condition holds."""
    ability = game.book.abilities[number]
    source = ability.source
    if not game.living >> owner & 1:
        return False
    if source >= len(game.book.kinds):
        if game.blank(owner):
            return False
    elif not (
        source == game.card(game.location)
        or source == game.card(game.enemies[owner])
        or any(source == game.public[slot] for slot in game.items[owner])
    ):
        return False
    return ability.cond is None or game.holds(ability.cond, owner)


@named("begin")
def _begin(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """An ability acts at the start of a turn: what it triggers is handled before the next one begins (R9, R39)."""
    if would(game, piece[1], piece[2]):
        game.agenda.append(("drain",))
        return _fire(game, piece, None, out)
    return None


@named("fire")
def _fire(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """An ability acts: (name, ability, owner, the seat whose deed it answers)."""
    _, number, owner, them = piece
    if would(game, number, owner):
        ability = game.book.abilities[number]
        if ability.source >= len(game.book.kinds):
            out.append(happening(What.POWER, owner))
        else:
            out.append(happening(What.ABILITY, owner, -1, ability.source))
        game.agenda.append(("run", ability.program, 0, owner, ability.source, them, -1))
    return None


@named("spring")
def _spring(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A trap goes off, once (R45), unless it was set by a power that is blank now (R40)."""
    _, number, owner, them, source = piece
    trap = (owner, source, number)
    if trap in game.traps and not (source >= len(game.book.kinds) and game.blank(owner)):
        game.traps.remove(trap)
        out.append(happening(What.SPRUNG, owner, them, source if source < len(game.book.kinds) else -1))
        game.agenda.append(("run", game.book.abilities[number].program, 0, owner, source, them, -1))
    return None
