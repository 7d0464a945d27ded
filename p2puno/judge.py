"""Which moves stand: one check for `Game.apply`, for screens before anything is signed, and for bots.

It looks at public facts only: that the slot is in the hand and that the claimed face fits. That the slot holds this
face is proven by the dealer or the deck.
"""

from __future__ import annotations

from typing import NoReturn

from p2puno.card import COLOURS
from p2puno.moves import Accept, Challenge, Draw, IllegalMove, InvalidMove, Keep, Move, Pick, Play, Wish, WishFor
from p2puno.needs import Ask, Decide
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
        hint = f"it must be {COLOURS[state.colour]}" + ("" if kind.wild else f" or {kind.symbol}") + ", or a Wild"
        raise IllegalMove(f"{pack.kinds[face].id} does not fit on {kind.id}", "R10", hint)
    return None


def _plays_on(state: State, need: Decide, move: Play) -> bool:
    """Whether this play, out of turn or of a card just taken, must fit on the pile."""
    if need.ask is Ask.STACK:
        _check_card(state, need.seat, move.slot, move.face, move.colour)
        if move.face not in need.options:
            _refuse(state, need)
    elif need.ask is not Ask.DRAWN:
        _refuse(state, need)
    elif move.slot != need.slot and move.slot in state.hands[need.seat]:
        raise IllegalMove("after taking a card only that card may be played", "R11", "leave the others for later")
    return need.ask is Ask.DRAWN


def _check_card(state: State, seat: int, slot: int, face: int, colour: int) -> None:
    """The card is in the hand, and its play names a colour if it must."""
    pack = state.pack
    if slot not in state.hands[seat]:
        raise InvalidMove("that card is not in your hand", "R11")
    if not 0 <= face < len(pack.colour):
        raise InvalidMove("there is no such card", "R10")
    if pack.naming[face]:
        if not 0 <= colour <= 3:
            raise InvalidMove(f"{pack.kinds[face].id} needs a colour", "R15", "name red, yellow, green or blue")
    elif colour != -1:
        if pack.effect[face] == "wish":
            raise InvalidMove("the colour of a Wish is named after the flip", "R74", "play it without a colour")
        raise InvalidMove(f"{pack.kinds[face].id} has its own colour", "R15", "only a Wild names a colour")


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
            raise IllegalMove("no such player is there to swap with", "R79", "name another player who is in the hand")
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
        raise IllegalMove("the Wish waits for its colour", "R74", "name a colour, and a wish if it is granted")
    if need.ask is Ask.HANDS:
        raise IllegalMove("a 7 was played: two hands are swapped", "R79", "say with whom you swap")
    if need.ask is Ask.CHALLENGE:
        raise IllegalMove("a Wild Draw Four was played on you", "R68", "accept it, or challenge it; no card helps")
    card = state.pack.kinds[need.options[0]]
    name = card.name if card.wild else card.name.split(" ", 1)[1]
    also = ", or challenge it" if may_challenge(state, need) else ""
    raise IllegalMove(f"a {name} was played on you", "R79", f"play a {name}, accept {need.count} cards{also}")


def _refuse_on_turn(move: Move) -> None:
    if isinstance(move, Keep):
        raise IllegalMove("nothing was taken that could be kept", "R11", "play a card, or take one first")
    if isinstance(move, Challenge | Accept):
        raise IllegalMove("there is no Wild Draw Four to answer", "R68", "play a card, or take one")
    _refuse_elsewhere(move)


def _refuse_elsewhere(move: Move) -> None:
    if isinstance(move, Wish):
        raise IllegalMove("there is no Wish to be made", "R74", "play Shenron's Wish first")
    if isinstance(move, Pick):
        raise IllegalMove("there is nothing to choose", "R7")
    raise InvalidMove("that is no move", "R11")


def _check_after_taking(state: State, need: Decide, move: Move) -> None:
    rules = state.rules
    if rules.force_play:
        hint = "play it"
        if isinstance(move, Keep):
            raise IllegalMove("the card just taken fits: it must be played (force_play)", "R11", hint)
    elif rules.draw_until_playable and state.can_take():
        hint = "play it if it fits, or take another one"
        if isinstance(move, Draw):
            return
        if isinstance(move, Keep):
            raise IllegalMove("cards are taken until one is played (draw_until_playable)", "R11", hint)
    else:
        hint = "play it if it fits, or keep it"
        if isinstance(move, Keep):
            return
    if isinstance(move, Draw):
        raise IllegalMove("a card was taken already in this turn", "R11", hint)
    if isinstance(move, Challenge | Accept):
        raise IllegalMove("there is no Wild Draw Four to answer", "R68", hint)
    _refuse_elsewhere(move)


def _check_wish(state: State, need: Decide, move: Wish) -> None:
    """R74-R76: a colour, and what is wished for exactly if the flipped card grants it."""
    wish, card = move.wish, (move.slot, move.face, move.card_colour)
    if not 0 <= move.colour <= 3:
        raise InvalidMove("a Wish needs a colour", "R15", "name red, yellow, green or blue")
    if wish != WishFor.NOTHING and wish not in need.options:
        raise IllegalMove("the flipped card grants no wish", "R73", "name the colour only")
    if wish == WishFor.NOTHING and need.options:
        raise IllegalMove("the flipped card grants a wish", "R74", "name one of: draw, reverse, skip, play")
    if wish != WishFor.PLAY and card != (-1, -1, -1):
        raise InvalidMove("this wish plays no card", "R76", "only the wish to play names a card")
    if wish != WishFor.SKIP and move.target != -1:
        raise InvalidMove("this wish is about no player", "R75", "only the wish to skip names a player")
    if wish == WishFor.SKIP and (
        not 0 <= move.target < state.players or move.target == need.seat or not state.plays(move.target)
    ):
        raise IllegalMove("no such player is there to lose a turn", "R75", "name another player who is in the hand")
    if wish == WishFor.PLAY:
        _check_card(state, need.seat, *card)
        if move.face not in state.pack.matches[move.colour]:
            said = state.pack.kinds[move.face].id
            hint = f"it must be {COLOURS[move.colour]} or a Wild; number and symbol play no part"
            raise IllegalMove(f"{said} is not {COLOURS[move.colour]}", "R76", hint)
