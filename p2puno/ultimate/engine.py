"""One hand of UNO Ultimate: needs, answers and happenings as in the classic games (p2puno/engine.py)."""

from __future__ import annotations

from collections.abc import Iterable

import p2puno.ultimate.steps
import p2puno.ultimate.turns  # noqa: F401  # both modules enter their pieces in REGISTER
from p2puno.engine import Answer, Game
from p2puno.happenings import Happening, What
from p2puno.moves import Draw, Keep, Order, Pick, Play, Swap
from p2puno.needs import Ask, Attest, Decide, Mix, Mixed, Need, Open, Opened, Over, Show, Shuffle, Window
from p2puno.outcome import Ending, Outcome
from p2puno.rules import Rules
from p2puno.state import HIDDEN
from p2puno.ultimate.judge import check_move
from p2puno.ultimate.machine import REGISTER, go_out
from p2puno.ultimate.state import UltimateState


class UltimateGame(UltimateState, Game):
    """One hand of UNO Ultimate.

    `UltimateGame(rules, players, first)`: seat s plays the s-th hero of the rules; `first` leads (R2); `away`: seats of
    the table that take no part in this hand. Raises ValueError if the number of players is not that of the heroes.
    """

    __slots__ = ()
    _pieces = REGISTER.pieces

    def __init__(self, rules: Rules, players: int, first: int, away: Iterable[int] = ()) -> None:
        UltimateState.__init__(self, rules, players, first, away)

    judge = check_move  # what is judged is the same from a screen, a bot and `apply`

    def may_play(self, seat: int, face: int) -> bool:
        """Whether this seat may play a card of its deck with this face now (R10, R46)."""
        return face in self.book.fits[self.colour][self.top] and not self.book.mask[face] & self.banned(seat)

    # -- what seats know ----------------------------------------------------------------------------------------------

    def _forget(self, need: Mix) -> None:
        """A mixed hand is new to all. Cards of it that everybody knew (R36) become a memory too (R47)."""
        public = self.public
        for holder, slots in need.hands:
            shown = self.shown >> holder & 1
            if shown:
                for slot in slots:
                    if public[slot] != HIDDEN:
                        for known in self.known:
                            known[slot] = public[slot]
                        public[slot] = HIDDEN
            own = self.known[holder]
            for slot in slots:
                own[slot] = -1
            if shown:
                for viewer, known in enumerate(self.known):
                    if viewer != holder and max(map(known.__getitem__, slots), default=-1) >= 0:
                        self._remember(viewer, holder, slots)

    def _seen(self, seat: int, slot: int) -> None:
        """A seat looked at a card of its own deck, or at the hand of another."""
        owner = self.owner_of(slot)
        if owner not in (seat, -1):
            self.shown |= 1 << owner

    def forget_card(self, holder: int, face: int) -> None:
        """What others remember of a mixed hand shrinks by a card that left it openly (R47)."""
        for (_, other), faces in self.memory.items():
            if other == holder and face in faces:
                faces.remove(face)

    def forget_hidden(self, holder: int, slot: int) -> None:
        """A card left a hand face down: who does not know which one cannot be sure of any that it remembers."""
        for viewer in range(self.players):
            faces = self.memory.get((viewer, holder))
            if faces:
                face = self.known[viewer][slot]
                if face < 0:
                    faces.clear()
                elif face in faces:
                    faces.remove(face)

    # -- absence and departure ----------------------------------------------------------------------------------------

    def default(self, need: Need) -> Answer:
        """What happens when the one who owes the answer is absent, by public facts only (R57).

        Raises LookupError where there is no default: the hand has ended, or a hidden card must become known: to all, to
        a player it is shown to, or to the rules. Such cards are opened by escrow, lowest place first; a `Burn` is then
        the first ones that are allowed.
        """
        match need:
            case Decide(ask=Ask.DRAWN) if self.rules.force_play:
                face = self.public[need.slot]
                return Play(need.slot, face, max(self.colour, 0) if self.book.kinds[face].wild else -1)
            case Decide(ask=Ask.TURN):
                return Draw()
            case Decide(ask=Ask.DRAWN):
                return Keep()
            case Decide(ask=Ask.COLOUR):
                return Pick(self.colour)
            case Decide(ask=Ask.ORDER):
                return Order(need.options)
            case Decide(ask=Ask.SWAP):
                return Swap()
            case Decide(ask=Ask.BURN):
                raise LookupError("the hand is opened, lowest place first, and the first cards allowed are burned")
            case Decide():
                return Pick(need.options[0])
        return super().default(need)

    def leave(self, seat: int) -> list[Happening]:
        """A seat leaves the hand, at any need: it is out (R56, R49), with its deck, and the decks of others stay.

        What waits for it lapses; of its own cards on their way nothing more is opened, a Danger card that is being
        flipped for it goes to the discard. Of two players the other wins by forfeit.
        Raises ValueError if the seat is not in the hand or the hand is over.
        """
        if not self.plays(seat) or isinstance(self.need, Over):
            raise ValueError(f"seat {seat} is not in the hand")
        out = [Happening(What.LEFT, seat)]
        if self.alive == 2:
            self.living &= ~(1 << seat)
            self.alive = 1
            winner = self.living.bit_length() - 1
            self.agenda.clear()
            self.queue.clear()
            self.need = Over(Outcome(Ending.FORFEIT, winner, 0, ((),) * self.players))
            return [*out, Happening(What.WON, winner)]
        go_out(self, seat, out)
        waiting = self.agenda[-1]
        if any(waiting[place] == seat for place in REGISTER.about[waiting[0]]):
            self.agenda.pop()
            return out + self._run(None)
        answer = self._without(seat)
        return out if answer is None else out + self._run(answer)

    def _without(self, seat: int) -> Answer | None:
        """Take a seat out of what is needed. An answer if nothing is left to be answered, or to be chosen (1.3)."""
        need = self.need
        match need:
            case Decide(ask=Ask.TARGET, options=options) if seat in options:
                rest = tuple(option for option in options if option != seat)
                self.need = Decide(need.seat, need.ask, need.slot, rest, need.count, need.source)
                return Pick(rest[0]) if len(rest) == 1 else None
            case Window(seats, about):
                self.need = Window(tuple(other for other in seats if other != seat), about)
            case Mix(hands):
                self.need = Mix(tuple(hand for hand in hands if hand[0] != seat))
                return None if self.need.hands else Mixed()
            case Open(to):
                self.need = Open(tuple(pair for pair in to if self.owner_of(pair[0]) != seat))
                return None if self.need.to else Opened(())
            case Decide() | Attest() | Show() | Shuffle() | Over():
                pass
        return None

    def copy(self) -> UltimateGame:
        """An independent copy, private knowledge included."""
        twin = UltimateGame.__new__(UltimateGame)
        self.copy_to(twin)
        return twin
