"""The register of pieces, and what several of them share: events that wait, seats that go out, the end.

The agenda works as in the classic games (p2puno/pieces.py): a stack of tuples `(name, ...)`; a piece does its part, may
push further ones, and returns None or the need at which the game now waits; then the last piece gets the answer.

    turns.py     set-up, the five steps of a turn, taking and playing cards, UNO, the end
    events.py    triggers and the abilities that answer to them (R39)
    steps.py     effects: conditions, questions, amounts (1.2-1.4); targets.py: on whom (1.3)
    verbs.py     what a step does: cards that come, burn and return, turns, colour
    dangers.py   Danger cards: flips, searches, Enemies, Items, Location
    hands.py     hands that are shown or burned, cards that are looked at
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from p2puno.agenda import Register, happening
from p2puno.effects import On
from p2puno.happenings import Happening, What
from p2puno.needs import Need, Over
from p2puno.outcome import Ending, Outcome
from p2puno.state import Piece

if TYPE_CHECKING:
    from p2puno.engine import Answer
    from p2puno.ultimate.engine import UltimateGame

Run = Callable[["UltimateGame", Piece, "Answer | None", list[Happening]], Need | None]

REGISTER: Final = Register[Run]()
named = REGISTER.named

MAX_EVENTS: Final = 200
"""Events of one move; later ones are dropped (R39)."""


def event(game: UltimateGame, on: On, seat: int, kind: int, source: int = -1) -> None:
    """Something happened to `seat`, with a card of these kinds (a mask), from the flip of `source`. It waits in the
    queue if any card at this table answers to it (R39)."""
    if game.book.heard[on] & kind and game.events < MAX_EVENTS:
        game.events += 1
        game.queue.append((on, seat, kind, source))


def go_out(game: UltimateGame, seat: int, out: list[Happening]) -> None:
    """A seat is out (R48): its Enemy and Items go to the discard, its traps and what it has set until its next turn
    end (R49, R25). The last seat that is left wins (R50)."""
    bit = 1 << seat
    game.living &= ~bit
    game.alive -= 1
    game.lost &= ~bit
    game.extra &= ~bit
    game.touched &= ~bit
    game.fresh &= ~bit
    out.append(happening(What.OUT, seat))
    if game.enemies[seat] >= 0:
        game.spent.append(game.enemies[seat])
        game.enemies[seat] = -1
    game.spent += game.items[seat]
    game.items[seat].clear()
    game.mods = [mod for mod in game.mods if seat not in (mod[0], mod[2])]
    game.traps = [trap for trap in game.traps if trap[0] != seat]
    game.changed(seat)
    game.standing = None
    if game.alive == 1:
        game.agenda[:] = [("won", game.living.bit_length() - 1, 1)]
        game.queue.clear()


@named("won")
def _won(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The hand is decided: (name, winner, by being the last one). Nobody's cards are opened (R49, R58)."""
    _, winner, last = piece
    game.agenda.clear()
    game.queue.clear()
    out.append(Happening(What.WON, winner))
    ending = Ending.LAST_STANDING if last else Ending.EMPTY_HAND
    return Over(Outcome(ending, winner, 0, ((),) * game.players))
