"""Tables drawn by hand, so that a golden screen depends on nothing but the face."""

from __future__ import annotations

from dataclasses import replace

from cli.table.board import Board
from cli.table.cards import namer
from cli.table.look import Asked, Held, Look, Seat
from p2puno.card import parse_face
from p2puno.happenings import Happening, What
from p2puno.moves import Draw, Move, Play
from p2puno.rules import Rules
from protocol.events import Happened, Phase, Player

RULES = Rules.make("batman")
CARD = namer(RULES)
NAMES = ("Mia", "Bo", "Cy", "Dot")


def face(text: str) -> int:
    """The face written so."""
    return parse_face(RULES, text)


def hand(*texts: str, playable: tuple[str, ...] = (), drawn: str = "") -> tuple[Held, ...]:
    """Cards in slots 0, 1, 2 … as they are written."""
    return tuple(Held(slot, CARD(face(t)), t in playable, t == drawn) for slot, t in enumerate(texts))


def plays(held: tuple[Held, ...], calls: bool = False) -> tuple[Move, ...]:
    """The plays of the cards marked so, each with every colour and, with `calls`, with UNO called too."""
    moves: list[Move] = []
    for h in held:
        if h.playable:
            for colour in range(4) if h.card.wild else (-1,):
                moves += [Play(h.slot, h.card.face, colour, uno) for uno in ((True, False) if calls else (False,))]
    return tuple(moves)


def seat(i: int) -> Seat:
    """Seat i of a table where seat 0 is ours and plays."""
    name = NAMES[i % 4] + ("" if i < 4 else str(i))
    return Seat(i, name, bot=i > 0, me=i == 0, cards=7 - i % 4, score=40 * (i % 3), turn=i == 0)


def my_turn(*texts: str, playable: tuple[str, ...] = (), seats: int = 4, **more: object) -> Look:
    """Seat 0 is to play on a green 5."""
    held = hand(*texts, playable=playable)
    look = Look(
        variant=RULES.pack.name,
        hand_number=2,
        seats=tuple(seat(i) for i in range(seats)),
        me=0,
        draw_pile=61,
        discard=9,
        top=CARD(face("G5")),
        colour=2,
        hand=held,
        asked=Asked.TURN,
        moves=(*plays(held, calls=len(held) == 2), Draw()),
    )
    return replace(look, **more)  # type: ignore[arg-type]


def waiting_for(look: Look, seat: int) -> Look:
    """The same table with somebody else's turn."""
    seats = tuple(replace(s, turn=s.seat == seat) for s in look.seats)
    held = tuple(replace(h, playable=False) for h in look.hand)
    return replace(look, seats=seats, asked=Asked.NOTHING, moves=(), hand=held)


def board(*happenings: Happening, names: tuple[str, ...] = NAMES) -> Board:
    """A board in play that has seen these things."""
    out = Board(phase=Phase.PLAY)
    out.narrator.at(tuple(Player(name, bytes(32), i > 0) for i, name in enumerate(names)), 0, RULES)
    for happening in happenings:
        out.take(Happened((happening,)))
    return out


def some_log() -> Board:
    """A board with a few turns behind it."""
    return board(
        Happening(What.SHUFFLED, n=112),
        Happening(What.DEALT, n=7),
        Happening(What.FLIPPED, face=face("YS")),
        Happening(What.FLIPPED, face=face("R7")),
        Happening(What.STARTS, 1),
        Happening(What.PLAYED, 1, face=face("R+2"), n=6),
        Happening(What.DREW, 2, n=2),
        Happening(What.SKIPPED, 2),
        Happening(What.PLAYED, 3, face=face("WS"), colour=2, n=6),
        Happening(What.DREW, 0, n=1),
        Happening(What.DREW, 0, n=1),
        Happening(What.SIGNAL, 0, n=2),
        Happening(What.PLAYED, 0, face=face("G5"), n=8),
    )
