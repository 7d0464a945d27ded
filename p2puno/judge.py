"""Which moves stand: one check for `Game.apply`, for screens before anything is signed, and for bots.

It looks at public facts only: that the slot is in the hand and that the claimed face fits. That the slot holds this
face is proven by the dealer or the deck.
"""

from __future__ import annotations

from typing import NoReturn

from p2puno.card import COLOURS, Kind
from p2puno.moves import Accept, Challenge, Draw, IllegalMove, InvalidMove, Keep, Move, Pick, Play, Wish, WishFor
from p2puno.needs import Ask, Decide
from p2puno.said import Said, said
from p2puno.state import State


def check_move(state: State, need: Decide, move: Move) -> None:
    """Raise IllegalMove or InvalidMove, with the ruling that is broken, if the move does not answer the need."""
    if type(move) is not Play:
        return _check_word(state, need, move)
    if need.ask is not Ask.TURN and not _plays_on(state, need, move):
        return None
    face, pack = move.face, state.pack
    _check_card(state, need.seat, move.slot, face, move.colour)
    top = state.public[state.piles["discard"][-1]]
    if face not in pack.fits[state.colour][top]:
        kind = pack.kinds[top]
        hint = must_be(state.colour, kind)
        raise IllegalMove(said("{card} does not fit on {top}", card=pack.kinds[face].id, top=kind.id), "R10", hint)
    return None


def must_be(colour: int, top: Kind) -> Said:
    """What fits on a pile with this card on top and this colour in force (R10)."""
    if top.wild:
        return said("it must be {colour}, or a Wild", colour=COLOURS[colour])
    return said("it must be {colour} or {symbol}, or a Wild", colour=COLOURS[colour], symbol=top.symbol)


def _plays_on(state: State, need: Decide, move: Play) -> bool:
    """Whether this play, out of turn or of a card just taken, must fit on the pile."""
    if need.ask is Ask.STACK:
        _check_card(state, need.seat, move.slot, move.face, move.colour)
        if move.face not in need.options:
            _refuse(state, need)
    elif need.ask is not Ask.DRAWN:
        _refuse(state, need)
    elif move.slot != need.slot and move.slot in state.hands[need.seat]:
        raise IllegalMove(
            said("after taking a card only that card may be played"), "R11", said("leave the others for later")
        )
    return need.ask is Ask.DRAWN


def _check_card(state: State, seat: int, slot: int, face: int, colour: int) -> None:
    """The card is in the hand, and its play names a colour if it must."""
    pack = state.pack
    if slot not in state.hands[seat]:
        raise InvalidMove(said("that card is not in your hand"), "R11")
    if not 0 <= face < len(pack.colour):
        raise InvalidMove(said("there is no such card"), "R10")
    if pack.naming[face]:
        if not 0 <= colour <= 3:
            raise InvalidMove(
                said("{card} needs a colour", card=pack.kinds[face].id), "R15", said("name red, yellow, green or blue")
            )
    elif colour != -1:
        if pack.effect[face] == "wish":
            raise InvalidMove(
                said("the colour of a Wish is named after the flip"), "R74", said("play it without a colour")
            )
        raise InvalidMove(
            said("{card} has its own colour", card=pack.kinds[face].id), "R15", said("only a Wild names a colour")
        )


def _check_word(state: State, need: Decide, move: Move) -> None:
    """What is no play."""
    kind, ask = type(move), need.ask
    if ask is Ask.TURN:
        if kind is not Draw:
            _refuse_on_turn(move)
    elif ask is Ask.DRAWN:
        _check_after_taking(state, need, move)
    elif ask is Ask.WISH and isinstance(move, Wish):
        _check_wish(state, need, move)
    elif ask is Ask.HANDS and isinstance(move, Pick):
        if move.value not in need.options:
            raise IllegalMove(
                said("no such player is there to swap with"), "R79", said("name another player who is in the hand")
            )
    elif not (kind is Accept or (kind is Challenge and may_challenge(state, need))) or ask in (Ask.WISH, Ask.HANDS):
        _refuse(state, need)


def may_challenge(state: State, need: Decide) -> bool:
    """Whether the one who must answer a Wild Draw Four, or a stack, may challenge (R68, R79)."""
    if need.ask is Ask.STACK:
        return state.rules.challenge and need.options == state.pack.bearing["wild_draw_four"]
    return need.ask is Ask.CHALLENGE


def _refuse(state: State, need: Decide) -> NoReturn:
    """Say what is asked instead."""
    if need.ask is Ask.WISH:
        raise IllegalMove(
            said("the Wish waits for its colour"), "R74", said("name a colour, and a wish if it is granted")
        )
    if need.ask is Ask.HANDS:
        raise IllegalMove(said("a 7 was played: two hands are swapped"), "R79", said("say with whom you swap"))
    if need.ask is Ask.CHALLENGE:
        raise IllegalMove(
            said("a Wild Draw Four was played on you"), "R68", said("accept it, or challenge it; no card helps")
        )
    if not state.pack.kinds[need.options[0]].wild:
        hint = said("play a Draw Two, accept {count} cards", count=need.count)
        raise IllegalMove(said("a Draw Two was played on you"), "R79", hint)
    if may_challenge(state, need):
        hint = said("play a Wild Draw Four, accept {count} cards, or challenge it", count=need.count)
    else:
        hint = said("play a Wild Draw Four, accept {count} cards", count=need.count)
    raise IllegalMove(said("a Wild Draw Four was played on you"), "R79", hint)


def _refuse_on_turn(move: Move) -> None:
    if isinstance(move, Keep):
        raise IllegalMove(said("nothing was taken that could be kept"), "R11", said("play a card, or take one first"))
    if isinstance(move, Challenge | Accept):
        raise IllegalMove(said("there is no Wild Draw Four to answer"), "R68", said("play a card, or take one"))
    _refuse_elsewhere(move)


def _refuse_elsewhere(move: Move) -> None:
    if isinstance(move, Wish):
        raise IllegalMove(said("there is no Wish to be made"), "R74", said("play Shenron's Wish first"))
    if isinstance(move, Pick):
        raise IllegalMove(said("there is nothing to choose"), "R7")
    raise InvalidMove(said("that is no move"), "R11")


def _check_after_taking(state: State, need: Decide, move: Move) -> None:
    rules = state.rules
    if rules.force_play:
        hint = said("play it")
        if isinstance(move, Keep):
            raise IllegalMove(said("the card just taken fits: it must be played (force_play)"), "R11", hint)
    elif rules.draw_until_playable and state.can_take():
        hint = said("play it if it fits, or take another one")
        if isinstance(move, Draw):
            return
        if isinstance(move, Keep):
            raise IllegalMove(said("cards are taken until one is played (draw_until_playable)"), "R11", hint)
    else:
        hint = said("play it if it fits, or keep it")
        if isinstance(move, Keep):
            return
    if isinstance(move, Draw):
        raise IllegalMove(said("a card was taken already in this turn"), "R11", hint)
    if isinstance(move, Challenge | Accept):
        raise IllegalMove(said("there is no Wild Draw Four to answer"), "R68", hint)
    _refuse_elsewhere(move)


def _check_wish(state: State, need: Decide, move: Wish) -> None:
    """R74-R76: a colour, and what is wished for exactly if the flipped card grants it."""
    wish, card = move.wish, (move.slot, move.face, move.card_colour)
    if not 0 <= move.colour <= 3:
        raise InvalidMove(said("a Wish needs a colour"), "R15", said("name red, yellow, green or blue"))
    if wish != WishFor.NOTHING and wish not in need.options:
        raise IllegalMove(said("the flipped card grants no wish"), "R73", said("name the colour only"))
    if wish == WishFor.NOTHING and need.options:
        raise IllegalMove(said("the flipped card grants a wish"), "R74", said("name one of: draw, reverse, skip, play"))
    if wish != WishFor.PLAY and card != (-1, -1, -1):
        raise InvalidMove(said("this wish plays no card"), "R76", said("only the wish to play names a card"))
    if wish != WishFor.SKIP and move.target != -1:
        raise InvalidMove(said("this wish is about no player"), "R75", said("only the wish to skip names a player"))
    if wish == WishFor.SKIP and (
        not 0 <= move.target < state.players or move.target == need.seat or not state.plays(move.target)
    ):
        raise IllegalMove(
            said("no such player is there to lose a turn"), "R75", said("name another player who is in the hand")
        )
    if wish == WishFor.PLAY:
        _check_card(state, need.seat, *card)
        if move.face not in state.pack.matches[move.colour]:
            hint = said("it must be {colour} or a Wild; number and symbol play no part", colour=COLOURS[move.colour])
            raise IllegalMove(
                said("{card} is not {colour}", card=state.pack.kinds[move.face].id, colour=COLOURS[move.colour]),
                "R76",
                hint,
            )
