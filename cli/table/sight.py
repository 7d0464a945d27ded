"""From the session to the plain data that the faces draw: `look_at`, and what no player needs to be asked."""

from __future__ import annotations

from cli.table.cards import namer
from cli.table.look import Asked, Held, Look, Seat
from cli.table.session import Session
from cli.text import visible
from p2puno.card import print_move
from p2puno.moves import Keep, Move, Play
from p2puno.needs import Ask, Decide, Over, Window
from p2puno.view import View, legal, odds
from protocol.events import Player

_ASKED = {Ask.TURN: Asked.TURN, Ask.DRAWN: Asked.DRAWN, Ask.CHALLENGE: Asked.CHALLENGE}


def look_at(session: Session, seated: tuple[Player, ...] = ()) -> Look:
    """The table as this player sees it now. `seated`: who is in the lobby, as long as no seats are agreed."""
    rules, view = session.rules, session.view
    variant = rules.pack.name if rules is not None else ""
    if view is None:
        players = session.players or seated
        seats = tuple(_seat(session, i, player) for i, player in enumerate(players))
        return Look(variant, session.hand, seats, session.seat)
    card = namer(view.rules)
    asked, about = what_is_asked(view)
    moves = tuple(legal(view))
    playable = {move.slot for move in moves if isinstance(move, Play)}
    hand = sorted(view.hand, key=lambda held: (held[1] < 0, held[1], held[0]))
    drawn = view.drawn if asked is Asked.DRAWN else -1
    return Look(
        variant=variant,
        hand_number=session.hand,
        seats=tuple(_seat(session, i, player, view) for i, player in enumerate(session.players)),
        me=session.seat,
        direction=view.direction,
        draw_pile=view.draw_size,
        discard=len(view.discard),
        top=card(view.top) if view.top >= 0 else None,
        colour=view.colour,
        hand=tuple(Held(slot, card(face), slot in playable, slot == drawn) for slot, face in hand),
        asked=asked,
        about=about,
        odds=odds(view) if asked is Asked.CHALLENGE else -1.0,
        penalty=view.rules.uno_penalty,
        moves=moves,
        choices=tuple(print_move(view.rules, move) for move in moves) if asked is Asked.CHOICE else (),
    )


def what_is_asked(view: View) -> tuple[Asked, int]:
    """What the table wants from the seat of this view, and which seat it is about (-1: none)."""
    need, seat = view.need, view.seat
    if isinstance(need, Decide) and need.seat == seat:
        claim = view.claim()
        return _ASKED.get(need.ask, Asked.CHOICE), claim[0] if claim else -1
    if isinstance(need, Window) and seat in need.seats:
        return (Asked.CALL if need.about == seat else Asked.CATCH), need.about
    return Asked.NOTHING, -1


def forced(look: Look) -> Move | None:
    """The move to make without asking: a card just drawn that does not fit can only be kept (P24)."""
    if look.asked is Asked.DRAWN and look.moves == (Keep(),):
        return Keep()
    return None


def _seat(session: Session, seat: int, player: Player, view: View | None = None) -> Seat:
    score = session.scores[seat] if seat < len(session.scores) else 0
    me = seat == session.seat and seat >= 0
    if view is None:
        return Seat(seat, visible(player.name), player.bot, player.here, me, score=score)
    need = view.need
    acting = need.seat if isinstance(need, Decide) else view.turn
    cards = view.counts[seat]
    exposed = view.uncalled == seat
    return Seat(
        seat,
        visible(player.name),
        player.bot,
        player.here,
        me,
        cards=cards,
        score=score,
        turn=seat == acting and not isinstance(need, Over),
        exposed=exposed,
        called=cards == 1 and not exposed,
        out=not view.living[seat],
    )
