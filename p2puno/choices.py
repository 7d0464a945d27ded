"""Lists of moves: what can be said at each question of a classic game. `view.legal` is the way in.

Where a call of UNO would count, each move is listed with the call first and then without (R60, R62).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2puno.judge import may_challenge
from p2puno.moves import Accept, Challenge, Draw, Keep, Move, Pick, Play, Wish, WishFor
from p2puno.needs import Ask, Decide

if TYPE_CHECKING:
    from p2puno.engine import Game

DRAW: Move = Draw()
KEEP: Move = Keep()
ACCEPT: Move = Accept()
CHALLENGE: Move = Challenge()


class _Plays(dict[int, tuple[Play, ...]]):
    """All plays of one card by slot and face, made when first asked for. `calls`: each with the call UNO, then
    without."""

    def __init__(self, calls: bool) -> None:
        super().__init__()
        self.calls = (True, False) if calls else (False,)

    def __missing__(self, key: int) -> tuple[Play, ...]:
        names, slot, face = key >> 16, key >> 8 & 255, key & 255
        colours = range(4) if names else (-1,)
        plays = tuple(Play(slot, face, colour, uno) for uno in self.calls for colour in colours)
        self[key] = plays
        return plays


PLAIN = _Plays(calls=False)
CALLING = _Plays(calls=True)


def card_moves(game: Game, need: Decide) -> list[Move]:
    """A turn, or a card just taken: the plays, then what else there is."""
    pack, seat = game.pack, need.seat
    fits = pack.fits[game.colour][game.public[game.piles["discard"][-1]]]
    known, hand = game.known[seat], game.hands[seat]
    plays = CALLING if len(hand) == 2 and game.rules.uno_penalty else PLAIN
    naming = pack.naming
    moves: list[Move] = []
    turn = need.ask is Ask.TURN
    for slot in hand if turn else (need.slot,):
        face = known[slot]
        if face in fits:
            moves += plays[naming[face] << 16 | slot << 8 | face]
    if turn:
        moves.append(DRAW)
    elif not game.rules.force_play:
        moves.append(DRAW if game.rules.draw_until_playable and game.can_take() else KEEP)
    return moves


def other_moves(game: Game, need: Decide) -> list[Move]:
    """The answers to a Wild Draw Four or a stack, to a Wish, and to a 7."""
    if need.ask is Ask.WISH:
        return _wishes(game, need)
    if need.ask is Ask.HANDS:
        return [Pick(seat) for seat in need.options]
    moves: list[Move] = []
    if need.ask is Ask.STACK:
        known, hand = game.known[need.seat], game.hands[need.seat]
        plays = CALLING if len(hand) == 2 and game.rules.uno_penalty else PLAIN
        for slot in hand:
            if known[slot] in need.options:
                moves += plays[game.pack.naming[known[slot]] << 16 | slot << 8 | known[slot]]
    moves.append(ACCEPT)
    if may_challenge(game, need):
        moves.append(CHALLENGE)
    return moves


def _wishes(game: Game, need: Decide) -> list[Move]:
    """R74-R77: every colour with every wish that is granted."""
    seat, pack = need.seat, game.pack
    known, hand = game.known[seat], game.hands[seat]
    called = bool(game.agenda[-1][2]) or not game.rules.uno_penalty
    calls = (False,) if called or len(hand) != 1 else (True, False)
    others = [other for other in range(game.players) if other != seat and game.plays(other)]
    moves: list[Move] = []
    for colour in range(4):
        if not need.options:
            moves += [Wish(colour, uno=uno) for uno in calls]
            continue
        for wish in (WishFor.DRAW, WishFor.REVERSE):
            moves += [Wish(colour, wish, uno=uno) for uno in calls]
        moves += [Wish(colour, WishFor.SKIP, other, uno=uno) for other in others for uno in calls]
        plays = CALLING if len(hand) == 2 and game.rules.uno_penalty else PLAIN
        for slot in hand:
            face = known[slot]
            if face not in pack.matches[colour]:
                continue
            for play in plays[pack.naming[face] << 16 | slot << 8 | face]:
                for uno in calls:
                    moves.append(Wish(colour, WishFor.PLAY, -1, slot, face, play.colour, uno or play.uno))
    return moves
