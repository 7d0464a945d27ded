"""What a seat may see: the one gate for secrets.

Bots, screens, logs and watchers get a `View` and nothing else. It reads through to the game, so it is always of this
moment, and every property says only what its seat (or, without a seat, anybody) may know.
"""

from __future__ import annotations

from math import comb

from p2puno.choices import card_moves, other_moves
from p2puno.engine import Game
from p2puno.judge import may_challenge
from p2puno.moves import IllegalMove, Move
from p2puno.needs import Ask, Decide, Need, Window
from p2puno.rules import Rules
from p2puno.said import said


class View:
    """A hand as one seat sees it; `seat` None: as a watcher sees it. Make it with `view`."""

    __slots__ = ("_game", "seat")

    def __init__(self, game: Game, seat: int | None) -> None:
        self._game = game
        self.seat = seat

    @property
    def rules(self) -> Rules:
        """The agreed rules."""
        return self._game.rules

    @property
    def players(self) -> int:
        """How many seats the table has."""
        return self._game.players

    @property
    def living(self) -> tuple[bool, ...]:
        """Per seat, whether it is still in the hand."""
        return tuple(self._game.plays(seat) for seat in range(self._game.players))

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self._game.dealer

    @property
    def need(self) -> Need:
        """What the game waits for."""
        return self._game.need

    @property
    def turn(self) -> int:
        """Whose turn it is; -1 before the first."""
        return self._game.turn

    @property
    def direction(self) -> int:
        """1: seats play in rising order, -1: in falling order."""
        return self._game.direction

    @property
    def top(self) -> int:
        """The face on top of the discard; -1 before there is one."""
        return self._game.top

    @property
    def colour(self) -> int:
        """The colour in force (named with a Wild, else of the top card); -1 before there is one."""
        return self._game.colour

    @property
    def hand(self) -> tuple[tuple[int, int], ...]:
        """The own cards as (slot, face), in the order of their places; face -1 where it is not known yet."""
        if self.seat is None:
            return ()
        known = self._game.known[self.seat]
        return tuple([(slot, known[slot]) for slot in self._game.hands[self.seat]])

    @property
    def counts(self) -> tuple[int, ...]:
        """Cards in each hand; a seat that left keeps its count until the end (R56)."""
        return tuple(len(hand) for hand in self._game.hands)

    @property
    def discard(self) -> tuple[int, ...]:
        """The faces of the discard pile, the top last."""
        return tuple(self._game.public[slot] for slot in self._game.piles["discard"])

    @property
    def draw_size(self) -> int:
        """Cards in the draw pile."""
        return len(self._game.piles["draw"])

    @property
    def uncalled(self) -> int:
        """The seat that stands at one card undeclared while the window is open (R59); else -1."""
        need = self._game.need
        return need.about if isinstance(need, Window) else -1

    @property
    def drawn(self) -> int:
        """The slot of the card just taken, while its seat may play or keep it (R11); else -1."""
        need = self._game.need
        return need.slot if isinstance(need, Decide) else -1

    @property
    def shown(self) -> dict[int, tuple[int, ...]]:
        """Cards of others that this seat has been shown and that they surely still hold (R47): faces by seat."""
        game, mine = self._game, self.seat
        if mine is None or not game.shown:
            return {}
        seen: dict[int, tuple[int, ...]] = {}
        for seat, hand in enumerate(game.hands):
            if seat != mine:
                faces = [game.known[mine][slot] for slot in hand if game.known[mine][slot] >= 0]
                for face in set(remembered := game.memory.get((mine, seat), [])):
                    faces += [face] * (remembered.count(face) - faces.count(face))
                if faces:
                    seen[seat] = tuple(sorted(faces))
        return seen

    def after(self, seat: int) -> int:
        """The nearest living seat after `seat` in the direction of play."""
        return self._game.after(seat)

    def before(self, seat: int) -> int:
        """The nearest living seat before `seat` in the direction of play."""
        order = self._game.seats_from(seat)
        return order[-1]

    def moves(self) -> list[Move]:
        """Every move of the seat now: what `legal` lists."""
        return legal(self)

    def claim(self) -> tuple[int, int, int] | None:
        """While a Wild Draw Four that may be challenged waits for its answer (R68): (who played it, cards in the hand
        at the play, colour before)."""
        game = self._game
        if isinstance(game.need, Decide) and may_challenge(game, game.need):
            _, accused, _, _, before, hand = game.agenda[-1]
            return accused, len(hand), before
        return None

    @property
    def owed(self) -> int:
        """Cards that wait for who must answer a Draw Two or Wild Draw Four; else 0 (R79)."""
        need = self._game.need
        return self._game.agenda[-1][3] if isinstance(need, Decide) and need.ask in (Ask.CHALLENGE, Ask.STACK) else 0


def view(game: Game, seat: int | None) -> View:
    """The hand as `seat` sees it, or as a watcher sees it (None). In UNO Ultimate it is an `UltimateView`."""
    if type(game) is Game:
        return View(game, seat)
    from p2puno.ultimate.view import UltimateView  # built upon this module, so it cannot be found before

    return UltimateView(game, seat)


def legal(view: View) -> list[Move]:
    """Every move of the view's seat now; empty if it need not decide. Plays first, then what else there is.

    A play that leaves one card is listed with the call UNO first and then without, where UNO is called at all (R62).
    With other hand sizes a call does nothing (R60): such plays stand too, but are not listed.
    """
    if type(view) is not View:
        return view.moves()
    game = view._game
    need, seat = game.need, view.seat
    if type(need) is not Decide or need.seat != seat:
        return []
    if need.ask is Ask.TURN or need.ask is Ask.DRAWN:
        return card_moves(game, need)
    return other_moves(game, need)


def check(view: View, move: Move) -> None:
    """Raise IllegalMove or InvalidMove if the view's seat may not make this move now. A screen asks before it signs."""
    need = view._game.need
    if not isinstance(need, Decide) or need.seat != view.seat:
        raise IllegalMove(said("it is not your turn"), "R7", said("wait until it is"))
    view._game.judge(need, move)


def odds(view: View) -> float:
    """The chance that the Wild Draw Four that now waits for an answer was wrong (R67), as far as the seat can know.

    The accused's cards at the play are taken for a random part of all cards that the seat has not seen (it sees its own
    hand, the discard and what it was shown); how people choose their plays is left out. 0.0 if nothing waits.
    """
    claim = view.claim()
    if claim is None:
        return 0.0
    accused, count, before = claim
    matches = frozenset(view.rules.pack.matches[before])
    shown = view.shown.get(accused, ())
    if any(face in matches for face in shown):
        return 1.0
    seen = [face for _, face in view.hand if face >= 0] + list(view.discard)
    seen += [face for faces in view.shown.values() for face in faces]
    unseen = view.rules.slots - len(seen)
    right = unseen - (sum(face in matches for face in view.rules.deck()) - sum(face in matches for face in seen))
    hidden = max(0, count - len(shown))
    return 1.0 - comb(right, hidden) / comb(unseen, hidden)
