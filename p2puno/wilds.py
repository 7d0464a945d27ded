"""The pieces of cards that make others draw: Draw Two (R66), Wild Draw Four with its challenge (R67-R70), both with
`stacking` (R79), and the Bat Signal (R71, R72).

draw_two, wild_draw_four, answered, judged    played; answered, accepted or challenged; the verdict
bat_signal, signal, lit, told                 played; one more card; it came; inside or outside the family
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2puno.agenda import decide, happening, open_one
from p2puno.happenings import Happening, What
from p2puno.moves import Challenge, Play
from p2puno.needs import ALL, Ask, Attest, Attested, Conceded, Need
from p2puno.pieces import CARDS, named, play_card, spared
from p2puno.state import Piece
from p2puno.taking import costs, refill_need, to_hand

if TYPE_CHECKING:
    from p2puno.engine import Answer, Game


@named("draw_two", about=(1,))
def _draw_two(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The next player draws 2 and loses the turn (R66): (name, seat, cards that wait already)."""
    _, seat, owed = piece
    victim, owed = game.after(seat), owed + CARDS["draw_two"]
    if spared(game, victim, out):
        return None
    if _may_answer(game, victim):
        game.agenda.append(("answered", seat, victim, owed, -1, ()))
        return decide(victim, Ask.STACK, -1, game.pack.bearing["draw_two"], owed)
    costs(game, victim, owed)
    return None


def _may_answer(game: Game, victim: int) -> bool:
    """With `stacking` the victim may answer with a card of the same kind, unless its turn is lost already (R79)."""
    return game.rules.stacking and not game.lost >> victim & 1


@named("wild_draw_four", about=(1,))
def _wild_draw_four(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The next player decides before anything else goes on: (name, seat, cards that wait already, colour before, hand
    at the play) (R68)."""
    _, seat, owed, before, hand = piece
    victim, owed = game.after(seat), owed + CARDS["wild_draw_four"]
    if spared(game, victim, out):
        return None  # it costs nobody anything, so there is nothing to challenge
    stacks = _may_answer(game, victim)
    if not stacks and not game.rules.challenge:
        costs(game, victim, owed)
        return None
    game.agenda.append(("answered", seat, victim, owed, before, hand))
    if stacks:
        return decide(victim, Ask.STACK, -1, game.pack.bearing["wild_draw_four"], owed)
    return decide(victim, Ask.CHALLENGE)


@named("answered", about=(1, 2))
def _answered(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """(name, seat, victim, cards that wait, colour before or -1 for a Draw Two, hand at the play). Answered with a
    card: that is the victim's turn, and the sum moves on (R79). Accepted: the cards and the turn. Challenged: the hand
    at the play is judged by the colour before it (R67)."""
    _, seat, victim, owed, before, hand = piece
    if isinstance(answer, Play):
        game.turn = victim
        out.append(happening(What.TURN, victim))
        play_card(game, victim, answer, out, owed)
        out.append(Happening(What.STACKED, victim, n=owed + CARDS[game.pack.effect[answer.face]]))
        return None
    if isinstance(answer, Challenge):
        out.append(Happening(What.CHALLENGED, victim, seat))
        game.agenda.append(("judged", seat, victim, owed))
        show_to = ALL if game.rules.challenge_shows == "all" else victim
        return Attest(seat, hand, game.pack.matches[before], show_to, may_concede=True, all_outside=True)
    if before >= 0:
        out.append(Happening(What.ACCEPTED, victim))
    costs(game, victim, owed)
    return None


@named("judged", about=(1, 2))
def _judged(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Guilty: the player draws what waited and the challenger plays on. Not guilty: the challenger draws two more and
    loses the turn (R69)."""
    _, seat, victim, owed = piece
    if isinstance(answer, Conceded):
        out.append(Happening(What.GUILTY, seat))
        game.agenda.append(("take", seat, owed, 0))
        return None
    game.touched |= 1 << seat
    out.append(Happening(What.SHOWED, seat, -1 if game.rules.challenge_shows == "all" else victim))
    out.append(Happening(What.INNOCENT, seat, victim))
    costs(game, victim, owed + 2)
    return None


# --- Bat Signal -----------------------------------------------------------------------------------------------------


@named("bat_signal", about=(1,))
def _bat_signal(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The next player draws until a card of the family comes, and keeps the turn (R72)."""
    victim = game.after(piece[1])
    if game.rules.signal_skips:
        if spared(game, victim, out):
            return None
        game.agenda.append(("lose", victim))
    game.agenda.append(("signal", victim, 0))
    return None


@named("signal", about=(1,))
def _signal(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """One more card, if there is one: (name, victim, drawn so far) (R71)."""
    _, victim, drawn = piece
    draw = game.piles["draw"]
    if draw:
        game.agenda.append(("lit", victim, drawn))
        return open_one(draw[-1], victim)
    if game.can_take():
        game.agenda.append(piece)
        return refill_need(game)
    out.append(Happening(What.SIGNAL, victim, n=drawn))
    return None


@named("lit", about=(1,))
def _lit(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The card came; its holder proves whether it is one of the family (R71)."""
    _, victim, drawn = piece
    to_hand(game, victim, 1)
    out.append(happening(What.DREW, victim, -1, -1, -1, 1))
    game.agenda.append(("told", victim, drawn + 1))
    return Attest(victim, (game.hands[victim][-1],), game.pack.stop)


@named("told", about=(1,))
def _told(game: Game, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Inside: the Signal stops. Outside: on with it."""
    _, victim, drawn = piece
    assert isinstance(answer, Attested)
    if answer.inside[0]:
        out.append(Happening(What.SIGNAL, victim, n=drawn))
    else:
        game.agenda.append(("signal", victim, drawn))
    return None
