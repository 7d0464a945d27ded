"""A table set up by hand for examples: which cards lie where, then moves by their short notation."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from p2puno.card import parse_face, parse_move
from p2puno.dealer import OpenDealer
from p2puno.engine import Game
from p2puno.happenings import Happening, What
from p2puno.needs import ALL, Attest, Decide, Give, Mix, Open, Over, Said, Say, Shuffle, Window
from p2puno.outcome import Outcome
from p2puno.rules import Rules
from p2puno.state import HIDDEN
from p2puno.view import view


class Fixed:
    """Dice that leave everything as it lies."""

    def shuffle(self, x: object, /) -> None:
        """Nothing moves."""

    def randrange(self, stop: int, /) -> int:
        """Always the first."""
        return 0


class Seeded:
    """Dice from a hash: the same on every Python, for golden values."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rolls = 0

    def randrange(self, stop: int, /) -> int:
        """A number below `stop`."""
        self.rolls += 1
        return int.from_bytes(sha256(b"%d/%d" % (self.seed, self.rolls)).digest()[:8], "big") % stop

    def shuffle(self, x: Any, /) -> None:
        """Fisher and Yates."""
        for place in range(len(x) - 1, 0, -1):
            other = self.randrange(place + 1)
            x[place], x[other] = x[other], x[place]


class Table:
    """Seats with the given hands ("R7 G+2 W"), a card on the pile, and the next cards of the draw pile.

    Seat `turn` is to move. Cards that are not named lie below in the draw pile or, with `buried`, in the discard under
    the top card. The game is `variant`, the rest are options of its rules.
    """

    def __init__(
        self,
        *hands: str,
        top: str = "R5",
        draw: str = "",
        buried: bool = False,
        turn: int = 0,
        variant: str = "batman",
        **options: bool | int | str,
    ) -> None:
        self.rules = Rules.make(variant, **options)
        seats = len(hands)
        game = self.game = Game(self.rules, seats, (turn - 1) % seats)
        self.dealer = OpenDealer(self.rules, seats, Fixed())
        faces = [[parse_face(self.rules, text) for text in hand.split()] for hand in hands]
        pile, coming = parse_face(self.rules, top), [parse_face(self.rules, text) for text in draw.split()]
        rest = Counter(self.rules.deck())
        rest.subtract([face for hand in faces for face in hand] + coming + [pile])
        assert min(rest.values()) >= 0, "more copies than the deck has"
        slots = iter(range(self.rules.slots))
        truth = self.dealer.truth

        def lay(face: int) -> int:
            slot = next(slots)
            truth[slot] = face
            return slot

        game.public = bytearray([HIDDEN]) * self.rules.slots
        for seat, hand in enumerate(faces):
            game.hands[seat] = [lay(face) for face in hand]
            for slot, face in zip(game.hands[seat], hand, strict=True):
                game.learn(seat, slot, face)
        top_slot = lay(pile)
        game.public[top_slot] = pile
        stock = [lay(face) for face in coming]
        others = [lay(face) for face in rest.elements()]
        if buried:
            for slot in others:
                game.public[slot] = truth[slot]
        game.piles = {
            "discard": [*(others if buried else []), top_slot],
            "draw": [*([] if buried else others[::-1]), *stock[::-1]],
        }
        game.colour, game.turn = self.rules.kinds[pile].colour, (turn - 1) % seats
        game.agenda = [("next",)]
        self.log: list[Happening] = game._run(None)
        self.log.clear()
        self.dealer.check(game)

    @property
    def need(self) -> object:
        """What the game waits for."""
        return self.game.need

    @property
    def outcome(self) -> Outcome:
        """How the hand ended."""
        assert isinstance(self.game.need, Over)
        return self.game.need.outcome

    def serve(self) -> list[Happening]:
        """The dealer answers one need."""
        happenings = self.dealer.serve(self.game)
        self.dealer.check(self.game)
        self.log += happenings
        return happenings

    def go(self, *moves: str) -> list[Happening]:
        """Moves one after the other, each by the seat that must decide; in a window "catch 2", "call" or "pass".

        The dealer serves what comes before, between and after them. Returns all that happened.
        """
        start = len(self.log)
        self._settle()
        for text in moves:
            need = self.game.need
            if isinstance(need, Window):
                self.log += self.game.apply(says(need, text))
            else:
                assert isinstance(need, Decide), need
                self.log += self.game.apply(parse_move(view(self.game, need.seat), text))
            self.dealer.check(self.game)
            self._settle()
        return self.log[start:]

    def _settle(self) -> None:
        while isinstance(self.game.need, Open | Shuffle | Mix | Attest | Give):
            self.serve()

    def stop_at(self, kind: type, *moves: str) -> None:
        """Make the moves, but serve the dealer's needs only until one of this kind comes."""
        for text in moves:
            need = self.game.need
            assert isinstance(need, Decide), need
            self.log += self.game.apply(parse_move(view(self.game, need.seat), text))
        while not isinstance(self.game.need, kind):
            self.serve()

    def hand(self, seat: int) -> list[str]:
        """What a seat truly holds."""
        return sorted(self.rules.kinds[self.dealer.truth[slot]].id for slot in self.game.hands[seat])

    def counts(self) -> list[int]:
        """Cards in each hand."""
        return [len(hand) for hand in self.game.hands]


def says(need: Window, text: str) -> Said:
    """The words in a window: "catch 2", "catch 1 call", "call", or "pass" for silence all round."""
    words = text.split()
    catchers = {int(word) for word in words if word.isdigit()}
    own = Say.CALL if "call" in words else Say.SILENT
    return Said(
        tuple((seat, own if seat == need.about else Say.CATCH if seat in catchers else Say.PASS) for seat in need.seats)
    )


def told(happenings: Sequence[Happening]) -> list[What]:
    """Only what kinds of things happened, turns left out."""
    return [happening.what for happening in happenings if happening.what is not What.TURN]


def turn_of(table: Table) -> int:
    """Whose decision the game waits for."""
    assert isinstance(table.game.need, Decide)
    return table.game.need.seat


def fresh(
    players: int = 4, dealer: int = 0, seed: int = 1, variant: str = "batman", **options: bool | int | str
) -> tuple[Game, OpenDealer]:
    """A new hand and its dealer, nothing answered yet."""
    rules = Rules.make(variant, **options)
    return Game(rules, players, dealer), OpenDealer(rules, players, random.Random(seed))


def dealt(
    players: int = 4, dealer: int = 0, seed: int = 1, variant: str = "batman", **options: bool | int | str
) -> tuple[Game, OpenDealer]:
    """A hand at its first decision."""
    game, open_dealer = fresh(players, dealer, seed, variant, **options)
    while not isinstance(game.need, Decide):
        open_dealer.serve(game)
    return game, open_dealer


__all__ = ["ALL", "Fixed", "Seeded", "Table", "dealt", "fresh", "says", "told", "turn_of"]
