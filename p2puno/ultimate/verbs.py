"""What steps do (1.5): cards that come, burn and return; turns; colour; modifiers and traps.

Cards move one by one, but how many move, from where and who runs dry on the way is public, so one need opens them all.
A plan lists (seat, how many) in the order of R35.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from p2puno.agenda import decide, happening, open_one
from p2puno.effects import On, Verb
from p2puno.happenings import Happening, What
from p2puno.moves import Pick
from p2puno.needs import ALL, Ask, Need, Open, Opened
from p2puno.state import HIDDEN, Piece
from p2puno.ultimate.book import EVERY, Op
from p2puno.ultimate.machine import event, go_out, named

if TYPE_CHECKING:
    from p2puno.engine import Answer
    from p2puno.ultimate.engine import UltimateGame

Do = Callable[["UltimateGame", Op, int, int, tuple[int, ...], int, list[Happening]], Need | None]
"""A verb: the step, the owner and source of the effect, the targets, the amount."""

Plan = tuple[tuple[int, int], ...]


def each(seats: tuple[int, ...], count: int) -> Plan:
    """So many for each of these seats."""
    return ((seats[0], count),) if len(seats) == 1 else tuple([(seat, count) for seat in seats])


def _opening(game: UltimateGame, plan: Plan, to: int) -> Need | None:
    """The need by which cards leave their decks by a plan, each for its receiver (`to`, or its own seat if that is -2).
    Who is out takes nothing; when the last but one runs dry, nothing more leaves a deck (R37, R50)."""
    if len(plan) == 1 and plan[0][1] == 1:  # most often
        seat = plan[0][0]
        return open_one(game.decks[seat][-1], seat if to == -2 else to) if game.living >> seat & 1 else None
    pairs: list[tuple[int, int]] = []
    left, living, decks = game.alive, game.living, game.decks
    for seat, count in plan:
        if left > 1 and count > 0 and living >> seat & 1:
            deck = decks[seat]
            left -= count >= len(deck)
            receiver = seat if to == -2 else to
            pairs += [(slot, receiver) for slot in deck[: -count - 1 : -1]]
    return Open(tuple(pairs)) if pairs else None


# --- add, draw ------------------------------------------------------------------------------------------------------


def add_cards(game: UltimateGame, plan: Plan, lose: int = 0) -> Need | None:
    """Seats add cards; with `lose` they then lose their next turn."""
    game.agenda.append(("added", plan, lose))
    return _opening(game, plan, -2)


@named("added")
def _added(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The cards have come: (name, plan, whether they cost a turn). A deck that ran dry puts its seat out (R48)."""
    _, plan, lose = piece
    for seat, count in plan:
        if game.living >> seat & 1:
            deck = game.decks[seat]
            count = min(count, len(deck))
            if count:
                for _ in range(count):
                    into_hand(game, seat, deck.pop())
                out.append(happening(_ADDED, seat, -1, -1, -1, count))
                if not deck:
                    go_out(game, seat, out)
                    if game.alive == 1:
                        return None
            if lose and game.living >> seat & 1:
                _lose(game, seat, out)
    return None


def into_hand(game: UltimateGame, seat: int, slot: int) -> None:
    """A card comes into a hand, perhaps one that all know (R36): then others know cards of this hand from now on."""
    game.hands[seat].append(slot)
    game.touched |= 1 << seat
    if game.public[slot] != HIDDEN:
        game.shown |= 1 << seat


def _add(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
         out: list[Happening]) -> Need | None:  # fmt: skip
    return add_cards(game, each(targets, amount)) if amount else None


def _draw(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
          out: list[Happening]) -> Need | None:  # fmt: skip
    """R21: nothing at all on a player with a lost turn waiting; by option the cards only."""
    if game.rules.draw_on_skipped == "ignore":
        for seat in targets:
            if game.lost >> seat & 1:
                out.append(happening(What.SPARED, seat))
        targets = tuple(seat for seat in targets if not game.lost >> seat & 1)
    return add_cards(game, each(targets, amount), 1) if targets else None


# --- burn -----------------------------------------------------------------------------------------------------------


def deals(
    game: UltimateGame, owner: int, source: int, targets: tuple[int, ...], optional: bool = False
) -> list[tuple[int, int, bool, int]]:
    """The `deal` modifiers that count in a burn step: of its owner, from cards, power or Items, on others. With
    `optional` only those that can be declined."""
    if not game.book.player_source[source] or targets == (owner,):
        return []
    return [deal for deal in game.in_force().deal if deal[0] == owner and (deal[2] or not optional)]


def _burn(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
          out: list[Happening]) -> Need | None:  # fmt: skip
    """R41: base, `deal` and every `burn` modifier, not below 0. `op.skip` 0 leaves out what was declined."""
    standing = game.standing or game.in_force()
    if not standing.burn and not standing.deal:
        return burn_off_deck(game, each(targets, amount)) if amount > 0 else None
    plan, book, more = [], game.book, 0
    if standing.deal:
        more = sum([n for _, n, may, _ in deals(game, owner, source, targets) if op.skip or not may])
    for seat in targets:
        count = amount + more * (seat != owner)
        for bearers, n, kind in standing.burn:
            if bearers >> seat & 1 and (
                not kind
                or (kind == "enemy" and book.enemy_source[source])
                or (kind == "player" and book.player_source[source] and owner != seat)
            ):
                count += n
        if count > 0:
            plan.append((seat, count))
    return burn_off_deck(game, tuple(plan)) if plan else None


def burn_off_deck(game: UltimateGame, plan: Plan) -> Need | None:
    """Seats burn cards from the top of their decks, face up."""
    game.agenda.append(("burned", plan))
    return _opening(game, plan, ALL)


@named("burned")
def _burned(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The cards lie open: one event each; a deck that ran dry puts its seat out (R48)."""
    if type(answer) is Opened:  # else there was nothing to open
        decks, owner = game.decks, game.book.owner
        for slot, face in answer.faces:  # in the order of the plan, and only of seats that are still there
            seat = owner[face]
            deck = decks[seat]
            deck.pop()
            game.burnt[seat] += 1
            to_burn_pile(game, seat, slot, face, out)
            if not deck:
                go_out(game, seat, out)
                if game.alive == 1:
                    return None
    return None


def to_burn_pile(game: UltimateGame, seat: int, slot: int, face: int, out: list[Happening]) -> None:
    """A card comes to a Burn Pile, face up, which is an event."""
    game.burns[seat].append(slot)
    game.public[slot] = face
    book = game.book
    out.append(book.burnt[face])
    if book.heard[_BURNT] & book.mask[face]:
        event(game, _BURNT, seat, book.mask[face])


# To look a member up on its class takes long before Python 3.12.
_BURNT: Final = On.BURNT
_RECOVER: Final = On.RECOVER
_ADDED: Final = What.ADDED
_RECOVERED: Final = What.RECOVERED
_SKIPPED: Final = What.SKIPPED


# --- recover --------------------------------------------------------------------------------------------------------


def _recover(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
             out: list[Happening]) -> Need | None:  # fmt: skip
    """From the top of the Burn Pile to the bottom of the deck, one by one; all keep knowing them there (R36)."""
    never = (game.standing or game.in_force()).no_recover
    for seat in targets:
        pile = game.burns[seat]
        count = min(amount, len(pile))
        if count and not never >> seat & 1:
            moved = pile[-count:]
            del pile[-count:]
            game.decks[seat][:0] = moved  # the first one taken lies above those that follow it
            out.append(happening(_RECOVERED, seat, -1, -1, -1, count))
            event(game, _RECOVER, seat, EVERY)
    return None


# --- turns, direction, colour ---------------------------------------------------------------------------------------


def _lose(game: UltimateGame, seat: int, out: list[Happening]) -> None:
    """The next turn of a seat is lost; at most one waits (R20, R22)."""
    if not game.lost >> seat & 1:
        game.lost |= 1 << seat
        out.append(happening(_SKIPPED, seat))


def _lose_turn(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
               out: list[Happening]) -> Need | None:  # fmt: skip
    for seat in targets:
        _lose(game, seat, out)
    return None


def _extra_turn(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
                out: list[Happening]) -> Need | None:  # fmt: skip
    """Several granted in one turn count once (R24)."""
    for seat in targets:
        game.extra |= 1 << seat
    return None


def _reverse(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
             out: list[Happening]) -> Need | None:  # fmt: skip
    """The direction turns; of two players the other one loses a turn (R19)."""
    game.direction = -game.direction
    out.append(happening(What.REVERSED, owner))
    if game.alive == 2:
        _lose(game, game.after_any(owner, 1), out)
    return None


def _colour(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
            out: list[Happening]) -> Need | None:  # fmt: skip
    """A colour comes into force; nothing while no card has been played (1.5)."""
    if game.colour < 0:
        return None
    if op.kind >= 0:
        _change(game, owner, op.kind, out)
        return None
    game.agenda.append(("coloured", owner))
    return decide(owner, Ask.COLOUR, -1, (0, 1, 2, 3), 0, source)


@named("coloured", about=(1,))
def _coloured(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The colour was named."""
    assert isinstance(answer, Pick)
    _change(game, piece[1], answer.value, out)
    return None


def _change(game: UltimateGame, seat: int, colour: int, out: list[Happening]) -> None:
    """R16: it is a change only if the colour differs."""
    out.append(happening(What.COLOUR, seat, -1, -1, colour))
    if game.colour != colour:
        game.colour = colour
        event(game, On.COLOUR, seat, EVERY)


# --- modifiers and traps --------------------------------------------------------------------------------------------


def _mod(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
         out: list[Happening]) -> Need | None:  # fmt: skip
    """The targets bear a modifier until the owner's next turn (R25)."""
    game.mods += [(seat, op.modifier, owner) for seat in targets]
    game.standing = None
    return None


def _arm(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
         out: list[Happening]) -> Need | None:  # fmt: skip
    """A trap is set; an older one of the same source and trigger is replaced (R45)."""
    on = game.book.abilities[op.trap].on
    game.traps = [
        trap for trap in game.traps if trap[:2] != (owner, source) or game.book.abilities[trap[2]].on is not on
    ]
    game.traps.append((owner, source, op.trap))
    out.append(happening(What.TRAP, owner, -1, source if source < len(game.book.kinds) else -1))
    return None


VERBS: Final[dict[str, Do]] = {
    Verb.ADD: _add,
    Verb.DRAW: _draw,
    Verb.BURN: _burn,
    Verb.RECOVER: _recover,
    Verb.LOSE_TURN: _lose_turn,
    Verb.EXTRA_TURN: _extra_turn,
    Verb.REVERSE: _reverse,
    Verb.COLOUR: _colour,
    Verb.MOD: _mod,
    Verb.ARM: _arm,
}
"""Every verb that is not about Danger cards or hands."""
