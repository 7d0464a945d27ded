"""The pieces of taking cards, with the discard as the new pile (R64).

take, took, refill    so many cards; they came; the discards are shuffled
face_up, faced        one card that all see first (`force_play`, R11)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2puno.agenda import happening, open_one
from p2puno.happenings import Happening, What
from p2puno.needs import ALL, Need, Open, Opened, Shuffle
from p2puno.pieces import named
from p2puno.state import HIDDEN, Piece

if TYPE_CHECKING:
    from p2puno.engine import Answer, Game


def costs(game: Game, victim: int, cards: int) -> None:
    """The victim takes cards, then loses the turn."""
    game.agenda += (("lose", victim), ("take", victim, cards, 0))


@named("take", about=(1,))
def _take(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A seat takes cards: (name, seat, still to take, taken). What is there is all there is (R64)."""
    _, seat, left, done = piece
    draw = game.piles["draw"]
    if not draw and game.can_take():
        game.agenda.append(piece)
        return refill_need(game)
    if not draw or not left:
        out.append(Happening(What.DREW, seat, n=done))
        return None
    game.agenda.append(("took", seat, left, done))
    if left == 1:
        return open_one(draw[-1], seat)
    return Open(tuple((slot, seat) for slot in draw[: -left - 1 : -1]))


@named("face_up", about=(1,))
def _face_up(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The top card is opened to all before its taker gets it."""
    draw = game.piles["draw"]
    if not draw:
        game.agenda.append(piece)
        return refill_need(game)
    game.agenda.append(("faced", piece[1]))
    return open_one(draw[-1], ALL)


@named("faced")
def _faced(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """All know the card; now it goes to its taker, or aside with the hand of a taker who left meanwhile."""
    seat = piece[1]
    assert isinstance(answer, Opened)
    slot, face = answer.faces[0]
    game.public[slot] = face
    game.shown = 1
    for known in game.known:
        known[slot] = face
    out.append(Happening(What.OPENED, seat, face=face))
    if game.plays(seat):
        game.agenda.append(("take", seat, 1, 0))
    else:
        game.hands[seat].append(game.piles["draw"].pop())
    return None


@named("took", about=(1,))
def _took(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The cards have come into the hand."""
    _, seat, left, done = piece
    assert isinstance(game.need, Open)
    count = len(game.need.to)
    to_hand(game, seat, count)
    if count < left:
        game.agenda.append(("take", seat, left - count, done + count))
    else:
        out.append(happening(What.DREW, seat, -1, -1, -1, done + count))
    return None


def to_hand(game: Game, seat: int, count: int) -> None:
    """So many cards come from the draw pile into a hand."""
    draw, hand = game.piles["draw"], game.hands[seat]
    for _ in range(count):
        hand.append(draw.pop())
    game.touched |= 1 << seat


def refill_need(game: Game) -> Need:
    """The discard without its top card becomes the draw pile; its slots stay in place (R64)."""
    game.agenda.append(("refill",))
    return Shuffle((("draw", tuple(game.piles["discard"][-2::-1])),))


@named("refill")
def _refill(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The discards are shuffled: nobody knows their faces any more."""
    draw = game.piles["discard"][:-1]
    del game.piles["discard"][:-1]
    game.piles["draw"] = draw
    game.refills += 1
    for slot in draw:
        game.public[slot] = HIDDEN
        for known in game.known:
            known[slot] = -1
    out.append(Happening(What.SHUFFLED, n=len(draw)))
    return None
