"""The rules engine: one `Game` is one hand.

A game stands at one *need* (needs.py), takes the answer to it and tells what happened. It never acts by itself, knows
no clock and no randomness, and computes its public state from public answers only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final, TypeAlias

import p2puno.swaps
import p2puno.taking
import p2puno.wilds
import p2puno.wishes  # noqa: F401  # their pieces enter themselves in REGISTER
from p2puno.happenings import Happening, What
from p2puno.judge import check_move
from p2puno.moves import Accept, Draw, IllegalMove, InvalidMove, Keep, Move, Pick, Play, Wish, WishFor
from p2puno.needs import (
    ALL,
    Ask,
    Attest,
    Attested,
    Conceded,
    Decide,
    Give,
    Given,
    Mix,
    Mixed,
    Need,
    Open,
    Opened,
    Over,
    Said,
    Say,
    Show,
    Shown,
    Shuffle,
    Shuffled,
    Window,
)
from p2puno.outcome import Ending, Outcome
from p2puno.pieces import REGISTER
from p2puno.rules import Rules
from p2puno.said import said
from p2puno.state import HIDDEN, State
from p2puno.swaps import gifts, rotation

Answer: TypeAlias = Move | Said | Shuffled | Opened | Mixed | Attested | Shown | Given | Conceded


class Game(State):
    """One hand of a game.

    `Game(rules, players, dealer)`: seats 0 to players - 1; `away`: seats of the table that take no part in this hand.
    Raises ValueError for a number of players that the game does not allow.

    >>> game = Game(Rules.make("batman"), players=3, dealer=0)
    >>> [(name, len(slots)) for name, slots in game.need.piles]
    [('draw', 112)]
    """

    __slots__ = ()
    _pieces: ClassVar[Mapping[str, Callable[..., Need | None]]] = REGISTER.pieces

    def __init__(self, rules: Rules, players: int, dealer: int, away: Iterable[int] = ()) -> None:
        super().__init__(rules, players, dealer, away)

    def apply(self, answer: Answer) -> list[Happening]:
        """Take the answer to the need and go on to the next one.

        Raises MoveError (InvalidMove, IllegalMove), with `.rule`, and then leaves the state as it was. What single
        seats learn by it (drawn cards, mixed hands, shown cards) is taught afterwards with `learn`.
        """
        need = self.need
        if type(need) is Decide:
            self.judge(need, answer)  # type: ignore[arg-type]  # it refuses what is no move
        elif type(need) is Open and type(answer) is Opened:
            self._check_opened(need, answer)
        else:
            self._check(answer)
            if type(need) is Mix:
                self._forget(need)
        return self._run(answer)

    def judge(self, need: Decide, move: Move) -> None:
        """Raise MoveError, with the ruling that is broken, if the move does not answer the need."""
        check_move(self, need, move)

    def _run(self, answer: Answer | None) -> list[Happening]:
        """Do pieces until the game waits again. The first one gets the answer."""
        out: list[Happening] = []
        agenda, pieces = self.agenda, self._pieces
        piece = agenda.pop()
        need = pieces[piece[0]](self, piece, answer, out)
        while need is None:
            piece = agenda.pop()
            need = pieces[piece[0]](self, piece, None, out)
        self.need = need
        return out

    def learn(self, seat: int, slot: int, face: int) -> None:
        """Teach a seat what lies in a slot: a card it drew, its own mixed hand, a card it was shown.

        To be done right after the answer by which it learns it. Raises ValueError for a face that does not exist.
        """
        if not 0 <= face < len(self.pack.colour):
            raise ValueError(f"there is no face {face}")
        self.known[seat][slot] = face
        if slot not in self.hands[seat]:
            self._seen(seat, slot)

    def learn_hand(self, seat: int, slots: Iterable[int], faces: Sequence[int]) -> None:
        """Teach a seat its own mixed hand: what lies in these slots, by `faces` of all slots. Raises ValueError as
        `learn`."""
        known, kinds = self.known[seat], len(self.pack.colour)
        for slot in slots:
            face = faces[slot]
            if not 0 <= face < kinds:
                raise ValueError(f"there is no face {face}")
            known[slot] = face

    def _seen(self, seat: int, slot: int) -> None:
        """A seat knows a card that is not in its own hand."""
        self.shown = 1

    def _forget(self, need: Mix) -> None:
        """A mixed hand is new to all. What others had seen of it they keep as a memory without places (R47)."""
        for holder, slots in need.hands:
            own = self.known[holder]
            for slot in slots:
                own[slot] = -1
            if self.shown:
                for slot in slots:
                    self.public[slot] = HIDDEN
                for viewer, known in enumerate(self.known):
                    if max(map(known.__getitem__, slots), default=-1) >= 0:
                        self._remember(viewer, holder, slots)

    def _remember(self, viewer: int, holder: int, slots: tuple[int, ...]) -> None:
        """The memory of a hand becomes the larger, face by face, of what was remembered and what was just seen."""
        known = self.known[viewer]
        seen = [known[slot] for slot in slots if known[slot] >= 0]
        for slot in slots:
            known[slot] = -1
        faces = self.memory.setdefault((viewer, holder), [])
        for face in set(seen):
            faces.extend([face] * (seen.count(face) - faces.count(face)))
        faces.sort()

    def default(self, need: Need) -> Answer:
        """What happens when the one who owes the answer is absent, by public facts only (R57).

        For a `Window` these are the words of seats that say nothing. Raises LookupError where there is no default: the
        game has ended, a face must become known to all, or a hidden card must be attested (it is opened by escrow).
        """
        match need:
            case Decide(ask=Ask.TURN):
                return Draw()
            case Decide(ask=Ask.DRAWN, slot=slot):
                return self._default_after_taking(slot)
            case Decide(ask=Ask.WISH, options=options):
                return Wish(self.colour, WishFor(options[0]) if options else WishFor.NOTHING)
            case Decide(ask=Ask.HANDS, options=options):
                return Pick(options[0])
            case Decide():
                return Accept()
            case Window(seats, about):
                return Said(tuple((seat, Say.SILENT if seat == about else Say.PASS) for seat in seats))
            case Shuffle():
                return Shuffled()
            case Mix():
                return Mixed()
            case Open(to) if all(receiver != ALL for _, receiver in to):
                return Opened(())
            case Attest(may_concede=True):
                return Conceded()
        raise LookupError(f"there is no default for {type(need).__name__}")

    def _default_after_taking(self, slot: int) -> Move:
        """Keep the card where the options allow it; a card that all have seen is played, without a new colour."""
        rules, face = self.rules, self.public[slot]
        if rules.force_play:
            return Play(slot, face, self.colour if self.pack.naming[face] else -1)
        return Draw() if rules.draw_until_playable and self.can_take() else Keep()

    def leave(self, seat: int) -> list[Happening]:
        """A seat leaves the hand, at any need (R56). Its cards are set aside unopened until the hands are counted.

        What waits for it lapses, and so do effects of its cards that have not begun (R51); cards on their way to it go
        aside with its hand. The cyclic order of the others stays as it is. The last seat wins by forfeit.
        Raises ValueError if the seat is not in the hand or the hand is over.
        """
        if not self.plays(seat) or isinstance(self.need, Over):
            raise ValueError(f"seat {seat} is not in the hand")
        out = [Happening(What.LEFT, seat)]
        self.living &= ~(1 << seat)
        self.lost &= ~(1 << seat)
        self.touched &= ~(1 << seat)
        self.alive -= 1
        if self.alive == 1:
            winner = self.living.bit_length() - 1
            self.agenda.clear()
            self.need = Over(Outcome(Ending.FORFEIT, winner, 0, ((),) * self.players))
            return [*out, Happening(What.WON, winner)]
        waiting, about = self.agenda[-1], REGISTER.about
        self.agenda[:] = [piece for piece in self.agenda if all(piece[place] != seat for place in about[piece[0]])]
        goes_on = self._leave_need(seat)
        if self.agenda and self.agenda[-1] is waiting and goes_on:
            return out
        return out + self._run(None)

    def _leave_need(self, seat: int) -> bool:
        """Take a seat out of the need; whether anything is left to be answered."""
        match self.need:
            case Window(seats, about):
                self.need = Window(tuple(other for other in seats if other != seat), about)
            case Mix(hands):
                self.need = Mix(tuple(hand for hand in hands if hand[0] != seat))
                return bool(self.need.hands)
            case Open(to):
                coming = [slot for slot, receiver in to if receiver == seat]
                draw = self.piles["draw"]
                self.piles["draw"] = [slot for slot in draw if slot not in coming]
                self.hands[seat] += coming
                self.need = Open(tuple(pair for pair in to if pair[1] != seat))
                return bool(self.need.to)
            case Decide(ask=Ask.HANDS) as swap:
                self.need = replace(swap, options=tuple(other for other in swap.options if other != seat))
            case Give() if self.agenda[-1][0] == "rotated":
                self.need = Give(gifts(self, rotation(self)))
            case _:
                pass
        return True

    def copy(self) -> Game:
        """An independent copy, private knowledge included."""
        twin = Game.__new__(Game)
        self.copy_to(twin)
        return twin

    def _check(self, answer: Answer) -> None:
        """Refuse an answer that does not fit a need other than `Decide`."""
        need = self.need
        if type(answer) is not _ANSWER[type(need)]:
            self._refuse(answer)
        if isinstance(answer, Attested) and isinstance(need, Attest):
            if len(answer.inside) != len(need.slots):
                raise InvalidMove(said("each card is attested once"), "R71")
            if need.all_outside and any(answer.inside):
                raise IllegalMove(
                    said("only that every card is outside can be proven here"), "R68", said("else concede")
                )
        elif isinstance(answer, Said) and isinstance(need, Window):
            if tuple(seat for seat, _ in answer.says) != need.seats:
                raise InvalidMove(said("each seat of the window says one thing"), "R61")
            for seat, say in answer.says:
                if say not in ((Say.CALL, Say.SILENT) if seat == need.about else (Say.CATCH, Say.PASS)):
                    raise IllegalMove(
                        said("seat {seat} cannot say {say} in this window", seat=seat + 1, say=say), "R61"
                    )

    def _check_opened(self, need: Open, answer: Opened) -> None:
        """Refuse faces unless they are those of the cards that are opened to all, in their order."""
        faces, place = answer.faces, 0
        for slot, receiver in need.to:
            if receiver == ALL:
                if place == len(faces) or faces[place][0] != slot:
                    raise InvalidMove(_NAMED)
                if not 0 <= faces[place][1] < len(self.pack.kinds):
                    raise InvalidMove(said("there is no such card"))
                place += 1
        if place != len(faces):
            raise InvalidMove(_NAMED)

    def _refuse(self, answer: Answer) -> None:
        """Raise what is wrong with an answer of another kind, but let a concession pass where it is offered."""
        need = self.need
        if isinstance(need, Attest) and need.may_concede and isinstance(answer, Conceded):
            return
        if isinstance(need, Over):
            raise IllegalMove(said("the hand is over"))
        if isinstance(answer, Move):
            raise IllegalMove(said("it is nobody's turn to move now"), "R7", said("wait until this step is done"))
        given, asked = type(answer).__name__, type(need).__name__
        raise InvalidMove(said("{given} does not answer {asked}", given=given, asked=asked))


def new_game(rules: Rules, players: int, first: int, away: Iterable[int] = ()) -> Game:
    """A hand of the game that the rules name. `first`: who deals, in UNO Ultimate who leads (R2); `away` as in `Game`.
    Raises ValueError for a number of players that the game does not allow."""
    if rules.family == "ultimate":
        from p2puno.ultimate.engine import UltimateGame  # built upon this module, so it cannot be found before

        return UltimateGame(rules, players, first, away)
    return Game(rules, players, first, away)


_NAMED: Final = said("exactly the cards that are opened to all must be named")
_ANSWER: Final[dict[type[Need], type | None]] = {
    Window: Said,
    Shuffle: Shuffled,
    Open: Opened,
    Mix: Mixed,
    Attest: Attested,
    Show: Shown,
    Give: Given,
    Over: None,
}
