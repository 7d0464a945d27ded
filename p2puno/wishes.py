"""The pieces of Shenron's Wish (R73-R77).

wish, revealed, wished              flip a card; it shows; colour and wish are named
wish_draw, wish_skip, wish_play     what was wished for acts (a Reverse is that of the card)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2puno.agenda import happening, open_one
from p2puno.happenings import Happening, What
from p2puno.moves import Play, Wish, WishFor
from p2puno.needs import ALL, Ask, Decide, Need, Opened
from p2puno.pieces import CARDS, named, play_card, spared
from p2puno.state import Piece
from p2puno.taking import costs, refill_need

if TYPE_CHECKING:
    from p2puno.engine import Answer, Game

WISHES: Final = (WishFor.DRAW, WishFor.REVERSE, WishFor.SKIP, WishFor.PLAY)
"""What can be wished for, in the order in which it is offered."""


@named("wish", about=(1,))
def _wish(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Flip the top card of the draw pile, if there is one: (name, seat, whether UNO was called) (R73)."""
    _, seat, called = piece
    draw = game.piles["draw"]
    if draw:
        game.agenda.append(("revealed", seat, called))
        return open_one(draw[-1], ALL)
    if game.can_take():
        game.agenda.append(piece)
        return refill_need(game)
    game.agenda.append(("wished", seat, called))
    return Decide(seat, Ask.WISH)


@named("revealed")
def _revealed(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The card lies face up under the Wish; only its icon counts (R73). It is flipped even if the player left."""
    _, seat, called = piece
    assert isinstance(answer, Opened)
    slot, face = answer.faces[0]
    game.piles["draw"].pop()
    game.piles["discard"].insert(-1, slot)
    game.public[slot] = face
    granted = face in game.pack.icon
    out.append(Happening(What.REVEALED, seat, face=face, n=int(granted)))
    if not game.plays(seat):
        return None
    game.agenda.append(("wished", seat, called))
    return Decide(seat, Ask.WISH, slot, WISHES if granted else ())


@named("wished", about=(1,))
def _wished(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Colour and wish are named (R74); before the wish acts the UNO window opens if it must (R77)."""
    _, seat, called = piece
    assert isinstance(answer, Wish)
    wish, last = answer.wish, len(game.hands[seat]) == 1
    game.colour = answer.colour
    out.append(Happening(What.WISHED, seat, answer.target, colour=answer.colour, n=int(wish)))
    if wish == WishFor.DRAW:
        game.agenda.append(("wish_draw", seat))
    elif wish == WishFor.REVERSE:
        game.agenda.append(("reverse", seat))
    elif wish == WishFor.SKIP:
        game.agenda.append(("wish_skip", seat, answer.target))
    elif wish == WishFor.PLAY:
        game.public[answer.slot] = answer.face  # it is shown with the wish, though it is played only afterwards
        uno = int(answer.uno and not last)
        game.agenda.append(("wish_play", seat, answer.slot, answer.face, answer.card_colour, uno))
    if last and not called:
        if answer.uno:
            out.append(happening(What.CALLED, seat))
        elif game.rules.uno_penalty:
            game.agenda.append(("forgot", seat))
    return None


@named("wish_draw", about=(1,))
def _wish_draw(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The next player draws 2 and keeps the turn (R75)."""
    victim = game.after(piece[1])
    if game.rules.wish_draw_skips:
        if not spared(game, victim, out):
            costs(game, victim, CARDS["draw_two"])
    else:
        game.agenda.append(("take", victim, CARDS["draw_two"], 0))
    return None


@named("wish_skip", about=(1, 2))
def _wish_skip(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A player loses the next turn (R75)."""
    game.agenda.append(("lose", piece[2]))
    return None


@named("wish_play", about=(1,))
def _wish_play(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Another card is played and acts in full (R76)."""
    _, seat, slot, face, colour, uno = piece
    play_card(game, seat, Play(slot, face, colour, bool(uno)), out)
    return None
