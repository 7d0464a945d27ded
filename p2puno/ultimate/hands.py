"""Hands that are shown or burned, and cards that are looked at: steps at which secrets are touched (1.5).

A step names several players at most as a list of turns, one piece each, so that each is asked or shown by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from p2puno.agenda import decide, happening, open_one
from p2puno.effects import Verb
from p2puno.happenings import Happening, What
from p2puno.moves import Burn, Order, Pick, Swap
from p2puno.needs import ALL, Ask, Attest, Attested, Need, Open, Opened, Show
from p2puno.state import HIDDEN, Piece
from p2puno.ultimate.book import Op
from p2puno.ultimate.machine import named
from p2puno.ultimate.verbs import to_burn_pile

if TYPE_CHECKING:
    from p2puno.engine import Answer
    from p2puno.ultimate.engine import UltimateGame


# --- show_hand ------------------------------------------------------------------------------------------------------


def _show_hand(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
               out: list[Happening]) -> Need | None:  # fmt: skip
    game.agenda += [("show", seat, owner if op.what == "self" else -1) for seat in reversed(targets)]
    return None


@named("show")
def _show(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A seat shows the hand of this moment (R47): (name, seat, to whom; -1: to the player after it)."""
    _, seat, to = piece
    if to < 0 and game.living >> seat & 1:
        to = game.after_any(seat, 1)
    if to == seat or not game.living >> seat & game.living >> to & 1 or not game.hands[seat]:
        return None
    game.agenda.append(("showed", seat, to))
    return Show(seat, tuple(game.hands[seat]), to)


@named("showed", about=(1, 2))
def _showed(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The hand was seen; it is mixed at the end of the turn."""
    _, seat, to = piece
    game.touched |= 1 << seat
    out.append(happening(What.SHOWED, seat, to))
    return None


# --- burn_hand ------------------------------------------------------------------------------------------------------


def _burn_hand(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
               out: list[Happening]) -> Need | None:  # fmt: skip
    if op.pick:
        game.agenda += [("seen", seat, owner, amount, source, op.faces) for seat in reversed(targets)]
    else:
        game.agenda += [("hand", seat, amount, source, op.faces) for seat in reversed(targets)]
    return None


@named("hand")
def _hand(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A seat burns cards of its hand, of its own choice: (name, seat, count, source, faces that count). Where there is
    no choice they are opened at once."""
    _, seat, count, source, faces = piece
    hand = game.hands[seat]
    count = min(count, len(hand))
    if not count or not game.living >> seat & 1:
        return None
    if count == len(hand) and not faces:
        game.agenda.append(("gave", seat))
        return Open(tuple((slot, ALL) for slot in hand))
    game.agenda.append(("burns", seat, count, faces))
    return decide(seat, Ask.BURN, -1, faces, count, source)


@named("burns", about=(1,))
def _burns(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The seat burns what it chose. Who burns fewer than asked proves that the hand holds no more of the kind (R43)."""
    assert isinstance(answer, Burn)
    _, seat, count, faces = piece
    for slot, face in answer.cards:
        _burn_card(game, seat, slot, face, out)
    if len(answer.cards) < count and game.hands[seat]:
        game.agenda.append(("proved", seat))
        return Attest(seat, tuple(game.hands[seat]), faces, all_outside=True)
    return None


@named("proved", about=(1,))
def _proved(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """It was proven that there is no such card (R43)."""
    out.append(happening(What.NONE, piece[1]))
    return None


@named("gave", about=(1,))
def _gave(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The cards that had to be burned lie open."""
    assert isinstance(answer, Opened)
    for slot, face in answer.faces:
        _burn_card(game, piece[1], slot, face, out)
    return None


def _burn_card(game: UltimateGame, seat: int, slot: int, face: int, out: list[Happening]) -> None:
    """A card of the hand is burned. It may be the last one (R53)."""
    game.hands[seat].remove(slot)
    if game.shown >> seat & 1:
        game.forget_card(seat, face)
    to_burn_pile(game, seat, slot, face, out)
    game.emptied |= not game.hands[seat]


@named("seen")
def _seen(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A hand is shown to the owner of the effect, who chooses from it: (name, seat, owner, count, source, faces). If
    only some kind may be chosen, the seat proves of each card whether it is of it."""
    _, seat, owner, count, _, faces = piece
    hand = tuple(game.hands[seat])
    if not hand or not count or seat == owner or not game.living >> seat & game.living >> owner & 1:
        return None
    game.agenda.append(("sees", *piece[1:]))
    return Attest(seat, hand, faces, owner) if faces else Show(seat, hand, owner)


@named("sees", about=(1, 2))
def _sees(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The hand was seen: now cards are picked from it."""
    _, seat, owner, count, source, _ = piece
    game.touched |= 1 << seat
    out.append(happening(What.SHOWED, seat, owner))
    hand = tuple(game.hands[seat])
    if isinstance(answer, Attested):
        hand = tuple(slot for slot, inside in zip(hand, answer.inside, strict=True) if inside)
    if not hand:
        out.append(happening(What.NONE, seat))
    game.agenda.append(("pick", seat, owner, min(count, len(hand)), source, hand))
    return None


@named("pick", about=(1, 2))
def _pick(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """One card after the other is picked and opened: (name, seat, owner, still to pick, source, slots)."""
    _, seat, owner, count, source, slots = piece
    if not count or not game.living >> seat & game.living >> owner & 1:
        return None
    if isinstance(answer, Pick):
        rest = tuple(slot for slot in slots if slot != answer.value)
        game.agenda += (("pick", seat, owner, count - 1, source, rest), ("gave", seat))
        return open_one(answer.value, ALL)
    if count == len(slots):
        game.agenda.append(("gave", seat))
        return Open(tuple((slot, ALL) for slot in slots))
    game.agenda.append(piece)
    return decide(owner, Ask.PEEKED, -1, slots, count, source)


# --- look -----------------------------------------------------------------------------------------------------------


def _look(game: UltimateGame, op: Op, owner: int, source: int, targets: tuple[int, ...], amount: int,
          out: list[Happening]) -> Need | None:  # fmt: skip
    """The owner sees its top cards; they stay where they are until it has put them back."""
    top = tuple(game.decks[owner][: -amount - 1 : -1])
    game.agenda.append(("looked", owner, op.what, source, top))
    return Open(tuple((slot, owner) for slot in top))


@named("looked", about=(1,))
def _looked(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The cards were seen: (name, seat, what then, source, slots from the top down)."""
    _, seat, then, source, top = piece
    out.append(happening(What.LOOKED, seat, -1, -1, -1, len(top)))
    game.agenda.append(("puts_back", seat))
    if then == "swap":
        return decide(seat, Ask.SWAP, top[0], (), 0, source)
    return decide(seat, Ask.ORDER, -1, top, 0, source)


@named("puts_back", about=(1,))
def _puts_back(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The slots change places as the seat said: all see how, nobody else sees what they are."""
    seat = piece[1]
    deck = game.decks[seat]
    if isinstance(answer, Order):
        deck[-len(answer.slots) :] = reversed(answer.slots)
        out.append(happening(What.PUT_BACK, seat, -1, -1, -1, len(answer.slots)))
    elif isinstance(answer, Swap) and answer.slot >= 0:
        hand = game.hands[seat]
        hand[hand.index(answer.slot)] = deck[-1]
        if game.public[deck[-1]] != HIDDEN:
            game.shown |= 1 << seat
        deck[-1] = answer.slot
        game.touched |= 1 << seat
        game.forget_hidden(seat, answer.slot)
        out.append(happening(What.EXCHANGED, seat))
    else:
        out.append(happening(What.PUT_BACK, seat, -1, -1, -1, 1))
    return None


HAND_VERBS: Final[
    dict[str, Callable[[UltimateGame, Op, int, int, tuple[int, ...], int, list[Happening]], Need | None]]
] = {
    Verb.SHOW_HAND: _show_hand,
    Verb.BURN_HAND: _burn_hand,
    Verb.LOOK: _look,
}
"""Every verb that touches hands or looks at cards."""
