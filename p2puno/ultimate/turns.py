"""A turn: start, play, Battle, Danger, end (R8), and what stands around it: the deal, UNO, lost and extra turns.

deal, dealt                      set-up (R2-R5)
next, passed                     the turn passes, over lost turns (R20-R25, R52)
begin, order, ordered, act       the start of a turn (R9), then the player's choice
move, took, gained, choose       play a card or take one (R11-R13)
forgot, said                     the UNO window (R59-R63)
played, battle, danger           the card's events, Battle (R14, R17, R26), Danger step (R29)
end, mix                         the end of the turn (R18)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2puno.agenda import decide, happening, open_one
from p2puno.card import WILD
from p2puno.effects import On
from p2puno.happenings import Happening, What
from p2puno.moves import Pick, Play
from p2puno.needs import ALL, Ask, Decide, Mix, Need, Open, Opened, Said, Say, Window
from p2puno.state import HIDDEN, Piece
from p2puno.ultimate.book import EVERY, ICON
from p2puno.ultimate.dangers import defeat, flip
from p2puno.ultimate.events import happens, wake, would
from p2puno.ultimate.machine import event, go_out, named
from p2puno.ultimate.standing import LATE
from p2puno.ultimate.steps import act
from p2puno.ultimate.verbs import add_cards, into_hand

if TYPE_CHECKING:
    from p2puno.engine import Answer
    from p2puno.ultimate.engine import UltimateGame

# What every turn needs is made once.
_SEATS: Final = range(4)
_TURN: Final = tuple(Happening(What.TURN, seat) for seat in _SEATS)
_ASK_TURN: Final = tuple(Decide(seat, Ask.TURN) for seat in _SEATS)
_A_TURN: Final[tuple[tuple[Piece, ...], ...]] = tuple((("end", seat), ("move", seat)) for seat in _SEATS)
_NEXT: Final[Piece] = ("next",)
_MIX: Final[Piece] = ("mix",)
# To look a member up on its class takes long before Python 3.12.
_START, _PLAY, _COLOUR, _PASS, _END, _LOST_TURN = On.START, On.PLAY, On.COLOUR, On.PASS, On.END, On.LOST_TURN
_PLAYED, _DREW, _KEPT, _PASSED, _DRAWN = What.PLAYED, What.DREW, What.KEPT, What.PASSED, Ask.DRAWN


# --- set-up ---------------------------------------------------------------------------------------------------------


@named("deal")
def _deal(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """All decks are shuffled: each seat is dealt from its own, one card at a time, beginning with the first (R3)."""
    aside = {slot: game.public[slot] for slot in game.aside}
    game.public = bytearray((HIDDEN,)) * len(game.public)
    for slot, face in aside.items():
        game.public[slot] = face
    seats = game.ring(game.dealer)
    out += [Happening(What.SHUFFLED, seat, n=len(game.decks[seat])) for seat in seats]
    out.append(Happening(What.SHUFFLED, n=len(game.danger)))
    game.agenda.append(("dealt",))
    return Open(tuple((game.decks[seat][-1 - card], seat) for card in range(game.rules.hand_size) for seat in seats))


@named("dealt")
def _dealt(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The cards are in the hands; the first seat leads (R5)."""
    for seat in game.ring(game.dealer):
        for _ in range(game.rules.hand_size):
            game.hands[seat].append(game.decks[seat].pop())
    out.append(Happening(What.DEALT, n=game.rules.hand_size))
    first = game.ring(game.dealer)[0]
    out.append(Happening(What.STARTS, first))
    return _begin_turn(game, first, out)


# --- whose turn it is -----------------------------------------------------------------------------------------------


@named("next")
def _next(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The turn passes: to the same seat if it takes another turn (R24), else in the direction of play; who has lost
    the turn is passed over (R20, R23)."""
    if game.extra:
        for seat in game.ring(game.turn):
            bit = 1 << seat
            if game.extra & bit:
                game.extra &= ~bit
                if not game.lost & bit:
                    out.append(happening(What.EXTRA, seat))
                    return _begin_turn(game, seat, out)
                game.lost &= ~bit  # R24: both cancel
                out.append(happening(What.CANCELLED, seat))
    seat = game.after(game.turn)
    if not game.lost >> seat & 1:
        return _begin_turn(game, seat, out)
    game.lost &= ~(1 << seat)
    game.turn = seat
    _until_now(game, seat)
    out.append(happening(_PASSED, seat))
    event(game, _LOST_TURN, seat, EVERY)
    return None if wake(game, piece) else _next(game, piece, None, out)


def _until_now(game: UltimateGame, seat: int) -> None:
    """What a seat has set "until your next turn" ends (R25)."""
    if game.mods:
        game.mods = [mod for mod in game.mods if mod[2] != seat]
        game.standing = None
    if game.traps:
        game.traps = [trap for trap in game.traps if trap[0] != seat]


def _begin_turn(game: UltimateGame, seat: int, out: list[Happening]) -> Need | None:
    """R9: effects until this turn end; Enemy, Location, Items, power, then whatever others have; then the choice."""
    game.turn = seat
    if game.mods or game.traps:
        _until_now(game, seat)
    game.burnt[seat] = 0
    game.played = -1
    game.events = game.flips = 0
    out.append(_TURN[seat])
    plain = game.heard < LATE and _START not in game.place.ready
    fires = game.held[seat].fires if plain else _starting(game, seat)
    if not fires:
        game.agenda += _A_TURN[seat]
        return _ASK_TURN[seat]
    game.agenda.append(("act", seat))
    game.agenda += fires
    return None


def _starting(game: UltimateGame, seat: int) -> tuple[Piece, ...]:
    """What the start of a turn fires, in the order of R9, the first one last as on the agenda."""
    held = game.held[seat]
    there = reversed(game.place.ready.get(_START, ()))
    fires = (*held.own, *[("begin", listener[0], seat, seat) for listener in there], *held.enemy)
    for other in game.ring(seat)[1:]:
        late = [("begin", number, other, seat) for number in reversed(game.held[other].others)]
        fires = (*late, *fires)
    return fires


@named("order")
def _order(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Items act in the order that their player chooses (R9, R33): (name, seat, abilities that have acted). Only those
    that would act now are offered."""
    _, seat, done = piece
    ready = {
        slot: number
        for slot in game.items[seat]
        for number in reversed(game.book.by_trigger[game.public[slot]].get(On.START, ()))
        if number not in done and would(game, number, seat)
    }
    if not ready:
        return None
    if len(ready) == 1:
        (number,) = ready.values()
        _use(game, seat, done, number)
        return None
    game.agenda.append(("ordered", seat, done))
    return decide(seat, Ask.ITEM, -1, tuple(ready))


@named("ordered", about=(1,))
def _ordered(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The Item that acts next was chosen."""
    _, seat, done = piece
    assert isinstance(answer, Pick)
    abilities = game.book.by_trigger[game.public[answer.value]][On.START]
    _use(game, seat, done, next(n for n in abilities if n not in done and would(game, n, seat)))
    return None


def _use(game: UltimateGame, seat: int, done: tuple[int, ...], number: int) -> None:
    game.agenda += (("order", seat, (*done, number)), ("begin", number, seat, seat))


@named("act")
def _act(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The start is done: play a card or take one (R11)."""
    seat = piece[1]
    if not game.living >> seat & 1:
        return _finish(game, out)
    game.agenda += _A_TURN[seat]
    return _ASK_TURN[seat]


# --- the play step --------------------------------------------------------------------------------------------------


@named("move", about=(1,))
def _move(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """A seat takes a card, or plays one."""
    seat = piece[1]
    game.events = game.flips = 0
    if type(answer) is Play:
        return _play(game, seat, answer, out)
    slot = game.decks[seat][-1]
    if game.rules.force_play and game.rules.play_after_draw:
        game.agenda.append(("faced", seat))
        return open_one(slot, ALL)
    game.agenda.append(("took", seat))
    return open_one(slot, seat)


@named("faced", about=(1,))
def _faced(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The card taken was shown to all (option force_play); now it goes to its seat."""
    assert isinstance(answer, Opened)
    slot, face = answer.faces[0]
    game.public[slot] = face
    out.append(happening(What.OPENED, piece[1], -1, face))
    game.agenda.append(("took", piece[1]))
    return open_one(slot, piece[1])


@named("took", about=(1,))
def _took(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """One card was taken: it counts as added (R12). Who took the last one is out (R48)."""
    seat = piece[1]
    before = game.touched >> seat & 1
    slot = game.decks[seat].pop()
    into_hand(game, seat, slot)
    out.append(happening(_DREW, seat, -1, -1, -1, 1))
    if not game.decks[seat]:
        go_out(game, seat, out)
        return None
    if not game.rules.play_after_draw or (game.rules.force_play and not game.may_play(seat, game.public[slot])):
        return None
    game.agenda.append(("choose", seat, before))
    return decide(seat, _DRAWN, slot)


@named("choose", about=(1,))
def _choose(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The card just taken is played or kept: (name, seat, whether the hand must be mixed anyway)."""
    _, seat, before = piece
    if isinstance(answer, Play):
        if not before:  # the hand is again what it was before the card came: nothing to mix
            game.touched &= ~(1 << seat)
        return _play(game, seat, answer, out)
    out.append(happening(_KEPT, seat))
    return None


def _play(game: UltimateGame, seat: int, play: Play, out: list[Happening]) -> Need | None:
    """R13: card on the pile; empty hand wins; colour; UNO window; what the card does; then its events."""
    book, face = game.book, play.face
    hand = game.hands[seat]
    hand.remove(play.slot)
    game.pile.append(play.slot)
    game.public[play.slot] = face
    game.played = face
    if game.shown >> seat & 1:
        game.forget_card(seat, face)
    left = len(hand)
    out.append(happening(_PLAYED, seat, -1, face, play.colour, left))
    if not left:
        game.agenda[:] = [("won", seat, 0)]
        return None
    before, game.colour = game.colour, play.colour if book.colour[face] == WILD else book.colour[face]
    if -1 < before != game.colour:
        event(game, _COLOUR, seat, EVERY)
    effect = book.effect[face]
    if left == 1:
        if play.uno:
            out.append(happening(What.CALLED, seat))
        elif game.rules.uno_penalty:
            game.agenda.append(("played", seat, face))
            if effect >= 0:
                game.agenda.append(("run", effect, 0, seat, face, seat, -1))
            return _forgot(game, ("forgot", seat), None, out)
    if effect < 0:
        return _played(game, ("played", seat, face), None, out)
    game.agenda.append(("played", seat, face))
    return act(game, effect, seat, face, seat, out)


@named("forgot")
def _forgot(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """One card left and no call: every living seat may say something (R59, R61)."""
    seat = piece[1]
    out.append(happening(What.FORGOT, seat))
    game.agenda.append(("said", seat))
    return Window((*(other for other in game.ring(seat) if other != seat), seat), seat)


@named("said", about=(1,))
def _said(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """Any catch counts, even if the call crossed it: nobody could prove the order. Several are one (R62)."""
    seat = piece[1]
    assert isinstance(answer, Said)
    catchers = [other for other, say in answer.says if say is Say.CATCH]
    if catchers:
        penalty = game.rules.uno_penalty
        out.append(happening(What.CAUGHT, seat, catchers[0], -1, -1, penalty))
        return add_cards(game, ((seat, penalty),))
    if (seat, Say.CALL) in answer.says:
        out.append(happening(What.CALLED, seat))
    return None


@named("played")
def _played(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The card's effect is done: now what it has triggered, the play itself last (R13, R39)."""
    _, seat, face = piece
    if game.living >> seat & 1:
        kind = game.book.mask[face]
        if not game.queue and not game.emptied and not game.book.heard[_PLAY] & kind:
            return _battle(game, piece, None, out)  # nothing waits and nothing answers
        return None if happens(game, _PLAY, seat, kind, ("battle", seat, face)) else _battle(game, piece, None, out)
    wake(game)
    return None


# --- Battle and Danger ----------------------------------------------------------------------------------------------


@named("battle")
def _battle(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The card just played beats the player's Enemy by its icons, unless that is fresh (R14, R17, R26)."""
    _, seat, face = piece
    book = game.book
    enemy, kind = game.enemies[seat], book.mask[face]
    if enemy >= 0 and book.defeat[game.public[enemy]] & kind and game.living & ~game.fresh & 1 << seat:
        if kind & ICON:
            game.agenda.append(("danger", seat))
        game.agenda.append(("drain",))
        defeat(game, seat, seat, out)
        return None
    return _danger(game, piece, None, out) if kind & ICON else None


@named("danger")
def _danger(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """The card played bears the Danger icon: flip one card (R29, R30)."""
    seat = piece[1]
    if not game.living >> seat & 1:
        return None
    game.agenda.append(("drain",))
    return flip(game, seat, out)


# --- the end --------------------------------------------------------------------------------------------------------


@named("end")
def _end(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """R18: `pass` if no card was played, then `end`; a seat that is out has no end of turn (R48)."""
    seat = piece[1]
    if game.living >> seat & 1:
        if game.played < 0:
            event(game, _PASS, seat, EVERY)
        return None if happens(game, _END, seat, EVERY, _MIX) else _finish(game, out)
    return None if wake(game, _MIX) else _finish(game, out)


@named("mix")
def _mix(game: UltimateGame, piece: Piece, answer: Answer | None, out: list[Happening]) -> Need | None:
    """What the end has triggered is done."""
    return _finish(game, out)


def _finish(game: UltimateGame, out: list[Happening]) -> Need | None:
    """Who took cards, showed the hand or swapped mixes it; Enemies are fresh no more (R26); the turn passes."""
    game.fresh = 0
    if game.touched:
        hands = tuple([
            (seat, tuple(game.hands[seat]))
            for seat in game.ring(game.turn)
            if game.touched >> seat & 1 and len(game.hands[seat]) > 1
        ])  # fmt: skip
        game.touched = 0
        if hands:
            game.agenda.append(_NEXT)
            return Mix(hands)
    return _next(game, _NEXT, None, out)
