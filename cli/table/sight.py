"""From the session to the plain data that the faces draw: `look_at`, and what no player needs to be asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from cli.language import _, chosen
from cli.table.cards import Namer, hero_name, hero_says, hidden, namer, power_card, texts
from cli.table.lines import Line
from cli.table.look import Asked, Held, Heroics, Look, Seat
from cli.table.questions import question
from cli.table.session import Scene, Session
from cli.text import visible
from p2puno.happenings import What
from p2puno.moves import Keep, Move, Play
from p2puno.needs import Ask, Decide, Over, Window
from p2puno.rules import Rules
from p2puno.ultimate.view import UltimateView
from p2puno.view import View, legal, odds
from protocol.events import Happened, Player

_ASKED = {Ask.TURN: Asked.TURN, Ask.DRAWN: Asked.DRAWN, Ask.CHALLENGE: Asked.CHALLENGE}


CardsOf: TypeAlias = Callable[[Rules | None], Namer]
"""What gives the namer for some rules: how this face calls the cards."""


def look_at(session: Scene, seated: tuple[Player, ...] = (), cards: CardsOf = namer) -> Look:
    """The table as this player sees it now. `seated`: who sits there, as long as no seats are agreed."""
    rules, view = session.rules, session.view
    variant = rules.name if rules is not None else ""
    if view is None:
        players = session.players or seated
        seats = tuple(_seat(session, i, player) for i, player in enumerate(players))
        heroes = rules is not None and bool(rules.offered())
        return Look(variant, session.hand, seats, session.seat, heroes=heroes)
    card = cards(view.rules)
    asked, about = what_is_asked(view)
    names = [visible(player.name) for player in session.players]
    asking = question(view, names, card) if asked is Asked.CHOICE else None
    # A list has its moves in it; to make them all would be slow where cards are put in any order.
    moves = tuple(legal(view)) if asking is None or _may_call(view) else ()
    playable = {move.slot for move in moves if isinstance(move, Play)}
    hand = sorted(view.hand, key=lambda held: (held[1] < 0, held[1], held[0]))
    drawn = view.drawn if asked is Asked.DRAWN else -1
    heroic = view if isinstance(view, UltimateView) else None
    return Look(
        variant=variant,
        hand_number=session.hand,
        seats=tuple(_seat(session, i, player, view, card) for i, player in enumerate(session.players)),
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
        asking=asking,
        heroes=heroic is not None,
        location=card(heroic.location) if heroic is not None and heroic.location >= 0 else None,
        danger_deck=heroic.danger_size if heroic is not None else 0,
        banned=heroic.banned[session.seat] if heroic is not None and session.seat >= 0 else (),
        peeked=tuple(map(card, heroic.peeked)) if heroic is not None else (),
    )


def _may_call(view: View) -> bool:
    """Whether UNO can be called with an answer from a list: those that play a card."""
    need = view.need
    return isinstance(need, Decide) and need.ask in (Ask.WISH, Ask.STACK)


def what_is_asked(view: View) -> tuple[Asked, int]:
    """What the table wants from the seat of this view, and which seat it is about (-1: none)."""
    need, seat = view.need, view.seat
    if isinstance(need, Decide) and need.seat == seat:
        claim = view.claim()
        return _ASKED.get(need.ask, Asked.CHOICE), claim[0] if claim else -1
    if isinstance(need, Window) and seat in need.seats:
        return (Asked.CALL if need.about == seat else Asked.CATCH), need.about
    return Asked.NOTHING, -1


def waits_for_us(view: View) -> bool:
    """Whether the table wants something from the seat of this view."""
    return what_is_asked(view)[0] is not Asked.NOTHING


def seen(session: Session, event: Happened, cards: CardsOf = namer) -> list[Line]:
    """The hands that these happenings have shown to us, in words."""
    view, lines = session.view, []
    for h in event.happenings:
        if h.what is What.SHOWED and view is not None and h.other in (session.seat, -1) and h.seat != session.seat:
            card, name = cards(view.rules), visible(session.players[h.seat].name)
            faces = view.shown.get(h.seat, ())
            if faces:
                holds = _("{who} holds {cards}").format(who=name, cards=texts(map(card, faces)))
                lines.append(Line(holds, "strong", h.seat))
    return lines


def forced(look: Look) -> Move | None:
    """The move to make without asking: a card just drawn that does not fit can only be kept (P24)."""
    if look.asked is Asked.DRAWN and look.moves == (Keep(),):
        return Keep()
    return None


def _seat(session: Scene, seat: int, player: Player, view: View | None = None, card: Namer = hidden) -> Seat:
    score = session.scores[seat] if seat < len(session.scores) else 0
    me = seat == session.seat and seat >= 0
    hero = hero_name(session.rules, player.hero)
    if view is None:
        return Seat(seat, visible(player.name), player.bot, player.here, me, score=score, hero=hero)
    need = view.need
    acting = need.seat if isinstance(need, Decide) else view.turn
    cards = view.counts[seat]
    exposed = view.uncalled == seat
    heroics = _heroics(view, seat, card) if isinstance(view, UltimateView) else None
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
        hero=heroics.hero if heroics is not None else hero,
        heroics=heroics,
        known=tuple(card(face) for face in view.shown.get(seat, ())),
    )


def _heroics(view: UltimateView, seat: int, card: Namer) -> Heroics:
    hero, enemy, burnt = view.heroes[seat], view.enemies[seat], view.burns[seat]
    return Heroics(
        hero=visible(hero.name),
        deck=view.decks[seat],
        burn=len(burnt),
        burnt=card(burnt[-1]) if burnt else None,
        power=power_card(view.rules, hero.id),
        blank=view.blank[seat],
        enemy=card(enemy) if enemy >= 0 else None,
        fresh=view.fresh[seat],
        items=tuple(card(face) for face in view.items[seat]),
        lost=view.lost[seat],
        extra=view.extra[seat],
        pile=tuple(card(face) for face in reversed(burnt)),
        says=hero_says(view.rules, hero.id, chosen()),
    )
