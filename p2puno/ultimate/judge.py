"""Which moves stand in UNO Ultimate: one check for `apply`, for screens before anything is signed, and for bots.

It looks at public facts only. That a slot holds the face that is said is proven by the dealer or the deck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2puno.effects import CARD_KINDS
from p2puno.judge import must_be
from p2puno.moves import (
    Burn,
    Draw,
    IllegalMove,
    InvalidMove,
    Keep,
    Move,
    Order,
    Pick,
    Play,
    Swap,
)
from p2puno.needs import Ask, Decide
from p2puno.said import said
from p2puno.state import HIDDEN

if TYPE_CHECKING:
    from p2puno.ultimate.state import UltimateState

_TURN: Final = Ask.TURN
_DRAWN: Final = Ask.DRAWN
PICKS: Final = frozenset({Ask.TARGET, Ask.OPTION, Ask.MAY, Ask.COLOUR, Ask.ITEM, Ask.PEEKED})
"""What is answered by one of the options."""
_ASKED: Final = {
    Ask.TURN: said("play a card, or take one"),
    Ask.DRAWN: said("play the card just taken, or keep it"),
    Ask.TARGET: said("choose a player"),
    Ask.OPTION: said("choose one of the effects"),
    Ask.MAY: said("say yes or no"),
    Ask.COLOUR: said("name a colour"),
    Ask.ITEM: said("choose an Item"),
    Ask.PEEKED: said("choose one of the cards you were shown"),
    Ask.BURN: said("choose cards of your hand to burn"),
    Ask.ORDER: said("put the cards you looked at back in any order"),
    Ask.SWAP: said("exchange the card you looked at with one of your hand, or leave it"),
}
_BANNED: Final = {
    "red": said("red cards are banned"), "yellow": said("yellow cards are banned"),
    "green": said("green cards are banned"), "blue": said("blue cards are banned"),
    "number": said("number cards are banned"), "action": said("action cards are banned"),
    "wild": said("wild cards are banned"), "draw2": said("draw2 cards are banned"),
    "reverse": said("reverse cards are banned"), "skip": said("skip cards are banned"),
    "danger": said("danger cards are banned"),
}  # fmt: skip
_RULE: Final = {Ask.TURN: "R11", Ask.DRAWN: "R11", Ask.BURN: "R43", Ask.ITEM: "R33"}


def check_move(state: UltimateState, need: Decide, move: Move) -> None:
    """Raise IllegalMove or InvalidMove, with the ruling that is broken, if the move does not answer the need."""
    ask, kind = need.ask, type(move)
    if kind is Play and (ask is _TURN or ask is _DRAWN):
        return check_play(state, need, move)  # type: ignore[arg-type]  # it is a Play
    if kind is Draw and ask is _TURN:
        return None
    if kind is Pick and ask in PICKS:
        value = move.value  # type: ignore[union-attr]  # it is a Pick
        if value not in need.options or type(value) is not int:
            raise IllegalMove(said("that cannot be chosen now"), "R38", _ASKED[ask])
        return None
    match move:
        case Keep() if ask is _DRAWN:
            if state.rules.force_play:
                raise IllegalMove(said("the card taken fits and must be played"), "R11", said("play it"))
            return None
        case Burn(cards) if ask is Ask.BURN:
            return _check_burn(state, need, cards)
        case Order(slots) if ask is Ask.ORDER:
            if not isinstance(slots, tuple) or sorted(slots) != sorted(need.options):
                raise InvalidMove(said("each card that was looked at goes back once"), "R38", _ASKED[ask])
            return None
        case Swap(slot) if ask is Ask.SWAP:
            if slot != -1 and slot not in state.hands[need.seat]:
                raise InvalidMove(said("that card is not in your hand"), "R11", _ASKED[ask])
            return None
    if not isinstance(move, Move):
        raise InvalidMove(said("that is no move"), "", _ASKED[ask])
    raise IllegalMove(said("that is not asked now"), _RULE.get(ask, "R38"), _ASKED[ask])


def check_play(state: UltimateState, need: Decide, move: Play) -> None:
    """Raise if this card cannot be played now (R10, R11, R15, R46)."""
    book, face, seat = state.book, move.face, need.seat
    _check_face(state, seat, move.slot, face)
    if book.naming[face]:
        if move.colour not in (0, 1, 2, 3):
            raise InvalidMove(
                said("{card} needs a colour", card=book.kinds[face].short),
                "R15",
                said("name red, yellow, green or blue"),
            )
    elif move.colour != -1:
        raise InvalidMove(
            said("{card} has its own colour", card=book.kinds[face].short), "R15", said("only a Wild names a colour")
        )
    if need.ask is _DRAWN and move.slot != need.slot:
        raise IllegalMove(
            said("after taking a card only that card may be played"), "R11", said("play it if it fits, or keep it")
        )
    top = state.public[state.pile[-1]] if state.pile else -1
    if face not in book.fits[state.colour][top]:
        above = book.kinds[top]
        hint = must_be(state.colour, above)
        raise IllegalMove(
            said("{card} does not fit on {top}", card=book.kinds[face].short, top=above.short), "R10", hint
        )
    banned = (state.standing or state.in_force()).bans[seat]
    if banned & book.mask[face]:
        banned &= book.mask[face]
        first = next(name for place, name in enumerate(CARD_KINDS) if banned >> place & 1)
        raise IllegalMove(
            said("{card} cannot be played: {ban}", card=book.kinds[face].short, ban=_BANNED[first]),
            "R46",
            said("play another, or draw"),
        )


def _check_face(state: UltimateState, seat: int, slot: int, face: int) -> None:
    if slot not in state.hands[seat]:
        raise InvalidMove(said("that card is not in your hand"), "R11")
    owner = state.book.owner
    if type(face) is not int or not 0 <= face < len(owner) or owner[face] != seat:
        raise InvalidMove(said("there is no such card in this deck"), "R10")
    if state.public[slot] not in (HIDDEN, face):
        raise InvalidMove(said("everybody knows that this is another card"), "R36")


def _check_burn(state: UltimateState, need: Decide, cards: object) -> None:
    """R43: as many as asked, all of the kind; fewer only where a kind is asked for."""
    if not isinstance(cards, tuple) or not all(isinstance(card, tuple) and len(card) == 2 for card in cards):
        raise InvalidMove(said("that is no move"), "R43", _ASKED[Ask.BURN])
    slots = [slot for slot, _ in cards]
    if len(set(slots)) != len(slots) or len(slots) > need.count:
        raise InvalidMove(said("{count} different cards must be burned", count=need.count), "R43", _ASKED[Ask.BURN])
    for slot, face in cards:
        _check_face(state, need.seat, slot, face)
        if need.options and face not in need.options:
            raise IllegalMove(
                said("{card} is not of the kind that must be burned", card=state.book.kinds[face].short), "R43"
            )
    if len(slots) < need.count and not need.options:
        raise IllegalMove(said("{count} cards must be burned", count=need.count), "R38", _ASKED[Ask.BURN])
