"""The turn machine: what is done, one named piece at a time.

The agenda of a `Game` is a stack of pieces, tuples `(name, ...)`. A piece does its part, may push further pieces, and
returns either None (go on with the next piece) or the need at which the game now waits; the last piece pushed then gets
the answer. No piece calls across a need, so the game can be copied, encoded and hashed whenever it waits.

    deal, dealt, flip, flipped          set-up (R2, R3, R6)
    end, next, move                     a turn and its order (R11, R13)
    drawn, choose                       the card just taken (R11)
    forgot, said                        the UNO window (R59-R63)
    reverse, skip, lose                 cards as printed (R19-R22, R66)
    settle, count                       the end (R65, R78, R80)

Taking cards has its pieces in taking.py, what makes others draw in wilds.py, the Wish in wishes.py, hands that move in
swaps.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from p2puno.agenda import Register, decide, happening, open_one
from p2puno.card import WILD
from p2puno.happenings import Happening, What
from p2puno.moves import Draw, Play
from p2puno.needs import (
    ALL,
    Ask,
    Decide,
    Mix,
    Need,
    Open,
    Opened,
    Over,
    Said,
    Say,
    Window,
)
from p2puno.outcome import Ending, Outcome
from p2puno.state import HIDDEN, Piece

if TYPE_CHECKING:
    from p2puno.engine import Answer, Game

Run = Callable[["Game", Piece, "Answer | None", list[Happening]], Need | None]

REGISTER: Final = Register[Run]()
named = REGISTER.named

_SEATS: Final = range(10)
_TURN: Final = tuple(Happening(What.TURN, seat) for seat in _SEATS)
_ASK_TURN: Final = tuple(Decide(seat, Ask.TURN) for seat in _SEATS)
_A_TURN: Final[tuple[tuple[Piece, ...], ...]] = tuple((("end",), ("move", seat)) for seat in _SEATS)


# --- set-up ---------------------------------------------------------------------------------------------------------


@named("deal")
def _deal(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The first shuffle is done: deal from the seat after the dealer, one card at a time (R3)."""
    draw = game.piles["draw"]
    game.public = bytearray((HIDDEN,)) * len(draw)
    out.append(Happening(What.SHUFFLED, n=len(draw)))
    seats = game.seats_from(game.after(game.dealer))
    cards = reversed(draw[-len(seats) * game.rules.hand_size :])
    game.agenda.append(("dealt",))
    return Open(tuple((slot, seats[n % len(seats)]) for n, slot in enumerate(cards)))


@named("dealt")
def _dealt(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The cards are in the hands."""
    assert isinstance(game.need, Open)
    for slot, seat in game.need.to:
        game.hands[seat].append(slot)
    dealt = {slot for slot, _ in game.need.to}
    game.piles["draw"] = [slot for slot in game.piles["draw"] if slot not in dealt]
    out.append(Happening(What.DEALT, n=game.rules.hand_size))
    game.agenda.append(("flip",))
    return None


@named("flip")
def _flip(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Turn the top card of the draw pile over (R6)."""
    game.agenda.append(("flipped",))
    return open_one(game.piles["draw"][-1], ALL)


@named("flipped")
def _flipped(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A number starts the discard; anything else does nothing and stays under it (R6)."""
    assert isinstance(answer, Opened)
    slot, face = answer.faces[0]
    game.piles["discard"].append(game.piles["draw"].pop())
    game.public[slot] = face
    out.append(Happening(What.FLIPPED, face=face))
    kind = game.pack.kinds[face]
    if kind.value < 0:
        game.agenda.append(("flip",))
        return None
    game.colour = kind.colour
    game.turn = game.dealer
    out.append(Happening(What.STARTS, game.after(game.dealer)))
    game.agenda.append(("next",))
    return None


# --- a turn ---------------------------------------------------------------------------------------------------------


@named("end")
def _end(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The end of a turn: who took or showed cards mixes the hand, then the turn passes."""
    if game.touched:
        hands = tuple(
            (seat, tuple(game.hands[seat]))
            for seat in game.seats_from(game.turn)
            if game.touched >> seat & 1 and len(game.hands[seat]) > 1
        )
        game.touched = 0
        if hands:
            game.agenda.append(("next",))
            return Mix(hands)
    return _next(game, piece, answer, out)


@named("next")
def _next(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The turn passes in the direction of play, over who has lost it (R20, R22): play a card or take one (R11)."""
    seat, direction, players, living = game.turn, game.direction, game.players, game.living
    while True:
        seat = (seat + direction) % players
        if living >> seat & 1:
            if not game.lost >> seat & 1:
                break
            game.lost &= ~(1 << seat)
    game.turn = seat
    out.append(_TURN[seat])
    game.agenda += _A_TURN[seat]
    return _ASK_TURN[seat]


@named("move", about=(1,))
def _move(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A seat plays a card, or takes one."""
    if type(answer) is Play:
        play_card(game, game.turn, answer, out)
    else:
        _take_one(game, out)
    return None


def play_card(game: Game, seat: int, play: Play, out: list[Happening], owed: int = 0) -> None:
    """A card is played in the order of R13: card on the pile, empty hand wins, colour, UNO, effect. `owed`: cards that
    wait already for the next player (R79)."""
    slot, face, colour = play.slot, play.face, play.colour
    pack, hand = game.pack, game.hands[seat]
    hand.remove(slot)
    game.piles["discard"].append(slot)
    game.public[slot] = face
    game.passes = 0
    if game.shown:
        _forget_played(game, seat, face)
    left = len(hand)
    before = game.colour
    if colour >= 0:
        game.colour = colour
    elif pack.colour[face] != WILD:
        game.colour = pack.colour[face]
    out.append(happening(What.PLAYED, seat, -1, face, colour, left))
    effect = pack.effect[face]
    if not left:
        _win(game, seat, effect, owed, out)
        return
    if effect:
        if effect == "wild_draw_four":
            game.agenda.append((effect, seat, owed, before, tuple(hand)))
        elif effect == "draw_two":
            game.agenda.append((effect, seat, owed))
        elif effect == "wish":
            game.agenda.append((effect, seat, int(play.uno)))
        else:
            game.agenda.append((effect, seat))
    elif game.rules.seven_zero and pack.kinds[face].value in _NUMBERS:
        game.agenda.append((_NUMBERS[pack.kinds[face].value], seat))
    if left == 1:
        if play.uno:
            out.append(happening(What.CALLED, seat))
        elif game.rules.uno_penalty and effect != "wish":  # that of a Wish comes when all is named (R77)
            game.agenda.append(("forgot", seat))


_NUMBERS: Final = {7: "seven", 0: "zero"}


def _win(game: Game, seat: int, effect: str, owed: int, out: list[Happening]) -> None:
    """The last card wins at once; what the next player must still draw is drawn, for points are counted: no challenge,
    no lost turn, no answer (R78)."""
    game.winner = seat
    game.agenda[:] = (("settle", seat),)
    victim = game.after(seat)
    if effect == "bat_signal" and not (game.rules.signal_skips and spared(game, victim, out)):
        game.agenda.append(("signal", victim, 0))
    elif effect in CARDS and not spared(game, victim, out):
        game.agenda.append(("take", victim, owed + CARDS[effect], 0))


CARDS: Final = {"draw_two": 2, "wild_draw_four": 4}
"""How many cards the next player draws."""


def spared(game: Game, victim: int, out: list[Happening]) -> bool:
    """Whether what costs cards and the turn does nothing to this seat, as it loses its next one already: only with
    `draw_on_skipped` *ignore* (R21)."""
    if game.rules.draw_on_skipped == "cards" or not game.lost >> victim & 1:
        return False
    out.append(happening(What.SPARED, victim))
    return True


def _take_one(game: Game, out: list[Happening]) -> None:
    """One card is taken (R11); if nobody in a row could take one the hand is blocked (R65)."""
    seat = game.turn
    if game.can_take():
        if game.rules.play_after_draw:
            game.agenda.append(("drawn", seat, 1))
        game.agenda.append(("face_up", seat) if game.rules.force_play else ("take", seat, 1, 0))
        return
    game.passes += 1
    out.append(Happening(What.DREW, seat))
    if game.passes >= game.alive:
        out.append(Happening(What.BLOCKED))
        game.agenda[:] = (("settle", -1),)


@named("drawn", about=(1,))
def _drawn(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The card just taken may be played: (name, seat, taken in this turn). With `force_play` all know it, and it is
    kept only if it does not fit (R11)."""
    _, seat, count = piece
    slot = game.hands[seat][-1]
    if game.rules.force_play and game.public[slot] not in game.pack.fits[game.colour][game.top]:
        out.append(happening(What.KEPT, seat))
        return None
    game.agenda.append(("choose", seat, count))
    return decide(seat, Ask.DRAWN, slot)


@named("choose", about=(1,))
def _choose(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The card just taken is played or kept; or one more is taken (`draw_until_playable`)."""
    _, seat, count = piece
    if type(answer) is Play:
        if count == 1:
            game.touched = 0  # the hand is again what it was before the card came: nothing to mix
        play_card(game, seat, answer, out)
    elif type(answer) is Draw:
        game.agenda += (("drawn", seat, count + 1), ("take", seat, 1, 0))
    else:
        out.append(happening(What.KEPT, seat))
    return None


def _forget_played(game: Game, holder: int, face: int) -> None:
    """What others remember of a mixed hand shrinks by the card that was played from it (R47)."""
    for viewer in range(game.players):
        faces = game.memory.get((viewer, holder))
        if faces and face in faces:
            faces.remove(face)


# --- UNO ------------------------------------------------------------------------------------------------------------


@named("forgot", about=(1,))
def _forgot(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """One card left and no call: every living seat may say something (R59, R61)."""
    seat = piece[1]
    out.append(Happening(What.FORGOT, seat))
    game.agenda.append(("said", seat))
    return Window((*(other for other in game.seats_from(seat) if other != seat), seat), seat)


@named("said", about=(1,))
def _said(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Any catch counts, even if the call crossed it: nobody could prove the order. Several are one (R62)."""
    seat = piece[1]
    assert isinstance(answer, Said)
    catchers = [other for other, say in answer.says if say is Say.CATCH]
    penalty = game.rules.uno_penalty
    if catchers:
        out.append(Happening(What.CAUGHT, seat, catchers[0], n=penalty))
        game.agenda.append(("take", seat, penalty, 0))
    elif (seat, Say.CALL) in answer.says:
        out.append(Happening(What.CALLED, seat))
    return None


# --- cards as printed -----------------------------------------------------------------------------------------------


@named("skip", about=(1,))
def _skip(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The next player loses the turn."""
    game.agenda.append(("lose", game.after(piece[1])))
    return None


@named("reverse", about=(1,))
def _reverse(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The direction turns; of two players the other one loses the turn (R19)."""
    game.direction = -game.direction
    out.append(happening(What.REVERSED, piece[1]))
    if game.alive == 2:
        game.agenda.append(("lose", game.after(piece[1])))
    return None


@named("lose", about=(1,))
def _lose(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A seat loses its next turn; at most one waits (R20)."""
    game.lost |= 1 << piece[1]
    out.append(happening(What.SKIPPED, piece[1]))
    return None


# --- the end --------------------------------------------------------------------------------------------------------


@named("settle")
def _settle(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The hand is decided: the hands are opened to all, those of seats that left too (R65, R80, R56)."""
    winner = piece[1]
    game.agenda.append(("count", winner))
    order = [(game.dealer + 1 + step) % game.players for step in range(game.players)]
    return Open(tuple((slot, ALL) for seat in order for slot in game.hands[seat]))


@named("count")
def _count(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The winner scores what the others hold (R80); in a blocked hand the fewest cards win, then the fewest points
    (R65)."""
    assert isinstance(answer, Opened)
    for slot, face in answer.faces:
        game.public[slot] = face
    hands = tuple(tuple(game.public[slot] for slot in hand) for hand in game.hands)
    worth = [sum(game.pack.kinds[face].points for face in hand) for hand in hands]
    winner, ending = piece[1], Ending.EMPTY_HAND
    if winner < 0:
        ending = Ending.BLOCKED
        ranking = sorted((len(hands[seat]), worth[seat], seat) for seat in game.seats_from(0))
        if ranking[0][:2] != ranking[1][:2]:
            winner = ranking[0][2]
    points = sum(worth) - worth[winner] if winner >= 0 else 0
    if winner >= 0:
        out.append(Happening(What.WON, winner, n=points))
    game.agenda.clear()
    return Over(Outcome(ending, winner, points, hands))
