"""The open dealer: one trusted party that knows every card. For tests, simulation and search; at a real table there
is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, MutableSequence, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Protocol

from p2puno.engine import Answer, Game
from p2puno.happenings import Happening
from p2puno.moves import Burn, InvalidMove, Move, Play, Wish
from p2puno.needs import (
    ALL,
    NOBODY,
    Attest,
    Attested,
    Conceded,
    Decide,
    Give,
    Given,
    Mix,
    Mixed,
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
from p2puno.outcome import Outcome
from p2puno.rules import Rules
from p2puno.said import said
from p2puno.state import HIDDEN
from p2puno.view import View, view


class Dice(Protocol):
    """What the dealer and the bots roll: `random.Random` has it."""

    def shuffle(self, x: MutableSequence[Any], /) -> None:
        """Shuffle in place."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to stop - 1."""


class Player(Protocol):
    """Who plays a seat: a move where one is due, a word in an UNO window."""

    def __call__(self, view: View, /) -> Move:
        """The move; `legal(view)` lists what there is."""

    def say(self, view: View, /) -> Say:
        """CALL or SILENT if the seat itself forgot (`view.uncalled`), else CATCH or PASS."""


class Crooked(AssertionError):
    """Cards were lost, doubled or changed: an error of the engine."""


class OpenDealer:
    """Answers what nobody alone can answer, truthfully. `truth[slot]` is the face in the slot."""

    def __init__(self, rules: Rules, players: int, dice: Dice) -> None:
        self.rules = rules
        self.players = players
        self.dice = dice
        self.truth = list(rules.deck())

    def copy(self, dice: Dice) -> OpenDealer:
        """A dealer with the same cards and other dice."""
        twin = OpenDealer(self.rules, self.players, dice)
        twin.truth = self.truth[:]
        return twin

    def serve(self, game: Game) -> list[Happening]:
        """Answer a Shuffle, Open, Mix, Attest, Show or Give and teach the seats what they learn by it. Raises TypeError
        at other needs."""
        need = game.need
        truth, learn = self.truth, game.learn
        if type(need) is Open:
            pairs = need.to
            if len(pairs) == 1:
                ((slot, to),) = pairs
                if to == ALL:
                    return game.apply(Opened(((slot, truth[slot]),)))
                happenings = game.apply(_OPENED)
                learn(to, slot, truth[slot])
                return happenings
            public = tuple([(slot, truth[slot]) for slot, to in pairs if to == ALL])
            happenings = game.apply(Opened(public) if public else _OPENED)
            if len(public) < len(pairs):
                for slot, to in pairs:
                    if to >= 0:
                        learn(to, slot, truth[slot])
        elif isinstance(need, Mix):
            happenings = game.apply(_MIXED)
            for seat, slots in need.hands:
                self._reorder(slots)
                game.learn_hand(seat, slots, truth)
        elif isinstance(need, Shuffle):
            for _, slots in need.piles:
                self._reorder(slots)
            happenings = game.apply(_SHUFFLED)
        elif isinstance(need, Attest):
            happenings = self._attest(game, need)
        elif isinstance(need, Show):
            happenings = game.apply(Shown())
            self._teach(game, need.slots, need.to)
        elif isinstance(need, Give):
            happenings = game.apply(Given())
            for slot, _, taker in need.gifts:
                learn(taker, slot, truth[slot])
        else:
            raise TypeError(f"the dealer does not answer {type(need).__name__}")
        return happenings

    def _reorder(self, slots: Sequence[int]) -> None:
        truth = self.truth
        faces = [truth[slot] for slot in slots]
        self.dice.shuffle(faces)
        for slot, face in zip(slots, faces, strict=True):
            truth[slot] = face

    def _attest(self, game: Game, need: Attest) -> list[Happening]:
        inside = tuple(self.truth[slot] in need.faces for slot in need.slots)
        answer: Answer = Conceded() if need.all_outside and any(inside) else Attested(inside)
        happenings = game.apply(answer)
        if isinstance(answer, Attested) and need.show_to != NOBODY:
            self._teach(game, need.slots, need.show_to)
        return happenings

    def _teach(self, game: Game, slots: Sequence[int], to: int) -> None:
        for seat in range(self.players) if to == ALL else (to,):
            for slot in slots:
                game.learn(seat, slot, self.truth[slot])

    def believe(self, game: Game, move: Move) -> None:
        """Raise InvalidMove if a move says something untrue about cards: another face, or that there is none of a kind
        where there is one (R43)."""
        if type(move) is Play or type(move) is Wish:
            if move.slot >= 0 and self.truth[move.slot] != move.face:
                raise InvalidMove(said("that card is another one"), "R11")
            return
        if not isinstance(move, Burn):
            return
        burned, need = move.cards, game.need
        if any(self.truth[slot] != face for slot, face in burned):
            raise InvalidMove(said("that card is another one"), "R11")
        if isinstance(need, Decide) and len(burned) < need.count:
            left = set(game.hands[need.seat]) - {slot for slot, _ in burned}
            if any(self.truth[slot] in need.options for slot in left):
                raise InvalidMove(said("there is a card of that kind in the hand"), "R43")

    def check(self, game: Game) -> None:
        """Raise Crooked unless every card is in exactly one place, in its own deck, and what is believed is true."""
        slots = list(chain.from_iterable(game.places()))
        if sorted(slots) != list(range(self.rules.slots)):
            raise Crooked(f"cards are lost or doubled: {Counter(slots) - Counter(range(self.rules.slots))}")
        truth = self.truth
        for name, run, whole in _decks(self.rules):
            if sorted(truth[run]) != whole:
                raise Crooked(f"the deck {name} has changed")
        if isinstance(game.need, Shuffle):
            return  # what is known of these slots is about to end
        if wrong := _untrue(game.public, HIDDEN, truth):
            raise Crooked(f"slot {wrong[0]} is not what all believe")
        for seat, known in enumerate(game.known):
            if wrong := _untrue(known, -1, truth):
                raise Crooked(f"slot {wrong[0]} is not what seat {seat} believes")


@lru_cache(maxsize=32)
def _decks(rules: Rules) -> list[tuple[str, slice, list[int]]]:
    """Each deck of a table: its name, where its slots lie, and its faces, rising."""
    whole = rules.deck()
    runs = [(deck.name, slice(deck.slots[0], deck.slots[-1] + 1)) for deck in rules.decks()]
    return [(name, run, sorted(whole[run])) for name, run in runs]


def _untrue(faces: Sequence[int], unknown: int, truth: Sequence[int]) -> list[int]:
    """The slots of which something is believed that is not so."""
    if len(faces) != len(truth):
        raise Crooked("there are slots that do not exist")
    return [slot for slot, face in enumerate(faces) if face != truth[slot] and face != unknown]


_CLAIMS = (Play, Burn)
_SERVED = frozenset({Open, Mix, Shuffle, Attest, Show, Give})
_OPENED = Opened(())
_MIXED = Mixed()
_SHUFFLED = Shuffled()


def play_hand(
    game: Game,
    dealer: OpenDealer,
    players: Sequence[Player],
    watch: Callable[[list[Happening]], None] | None = None,
) -> Outcome:
    """Play a hand to its end and return how it ended. `watch` is told what happens after every answer."""
    views = [view(game, seat) for seat in range(game.players)]
    while True:
        need = game.need
        if type(need) is Decide:
            move = players[need.seat](views[need.seat])
            if type(move) in _CLAIMS:
                dealer.believe(game, move)
            happenings = game.apply(move)
        elif type(need) in _SERVED:
            happenings = dealer.serve(game)
        elif isinstance(need, Window):
            says = [(seat, players[seat].say(views[seat])) for seat in need.seats]
            happenings = game.apply(Said(tuple(says)))
        else:
            assert isinstance(need, Over)
            return need.outcome
        if watch is not None:
            watch(happenings)
