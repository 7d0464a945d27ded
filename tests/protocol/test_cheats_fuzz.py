"""Moves that make no sense, well signed and well proven, at every decision of every game: each is refused with a
reason; none makes an honest program fall over (C20-C24)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from p2puno.moves import (
    Accept,
    Burn,
    Challenge,
    Draw,
    Keep,
    Move,
    MoveError,
    Order,
    Pick,
    Play,
    Swap,
    Wish,
    WishFor,
)
from p2puno.needs import Decide
from p2puno.rules import Rules
from protocol.keeper import Keeper
from protocol.messages import Body, Malformed, decode, encode
from protocol.moving import DecideStep
from protocol.node import Node
from protocol.payloads import (
    Agree,
    Attestation,
    BurnCards,
    Choose,
    Commit,
    Deal,
    Depart,
    Gifts,
    MakeWish,
    Payload,
    PickOne,
    PlayCard,
    PutBack,
    Reordered,
    Reveal,
    Shares,
    Shuffling,
    Speak,
)
from protocol.proofs.batch import BadProof
from tests.protocol.simulator import Simulation

HEROES = ("aquaman", "green_lantern", "superman", "wonder_woman")
GAMES = {
    "batman": (Rules.make("batman", hand_size=5), 3),
    "dbz": (Rules.make("dbz", hand_size=5, seven_zero=True), 3),
    "dc": (Rules.make("dc", heroes=HEROES), 4),
}


def some_move(dice: random.Random, node: Node, need: Decide) -> Move:
    """Any move, often with cards that the seat really holds and options that the need really offers."""
    seen = node.view()
    assert seen is not None
    own = list(seen.hand) or [(0, 0)]
    slots = len(node.table.rules.deck())

    def slot() -> int:
        return dice.choice([dice.choice(own)[0], dice.randrange(slots), need.slot, *need.options, 0])

    def card() -> tuple[int, int]:
        return dice.choice([dice.choice(own), (slot(), dice.randrange(60))])

    def several(one: Any) -> tuple[Any, ...]:
        return tuple(one() for _ in range(dice.choice((0, 1, 2, need.count, len(need.options)))))

    at, face = card()
    colour = dice.randint(-1, 3)
    return dice.choice(
        [
            Play(at, face, colour, dice.random() < 0.5),
            Pick(dice.choice([*need.options, dice.randrange(300)])),
            Burn(several(card)),
            Burn(tuple(dice.sample(own, min(len(own), max(need.count, 1))))),
            Order(several(slot)),
            Order(tuple(dice.sample(need.options, len(need.options)))),
            Swap(dice.choice([-1, slot()])),
            Wish(max(colour, 0), dice.choice(list(WishFor)), dice.randint(-1, 9), -1, -1, -1, False),
            Wish(max(colour, 0), dice.choice(list(WishFor)), dice.randint(-1, 9), at, face, colour, True),
            Draw(),
            Keep(),
            Accept(),
            Challenge(),
        ]
    )


def some_payload(dice: random.Random) -> Payload:
    """A payload of any kind with numbers that could be anything and proofs that are nothing."""

    def some() -> bytes:
        return dice.randbytes(dice.choice((0, 33, 66, 98)))

    def number(most: int = 1023) -> int:
        return dice.choice((0, 1, 5, most, dice.randint(0, most)))

    return dice.choice(
        [
            Agree(bytes(32)),
            Commit(bytes(32), ()),
            Reveal(dice.randbytes(33), bytes(32), bytes(32), some(), Deal(b"", ())),
            PlayCard(number(), number(), dice.randint(-1, 3), True, dice.randbytes(33), some()),
            Choose(dice.choice(("draw", "keep", "accept", "challenge", "?"))),
            Speak(dice.choice(("call", "catch", "pass", "silent", "?"))),
            PickOne(number()),
            BurnCards((number(), number()), (number(),), some(), some()),
            BurnCards((number(),), (number(),), some(), some()),
            PutBack((number(),), some(), (some(),)),
            PutBack((), b"", ()),
            MakeWish(0, number(4), -1, number(), number(), 0, False, some()[:33], some()),
            Shuffling((Reordered(some(), some()),)),
            Shares(some(), some()),
            Attestation(some(), (some(),), some(), (some(),)),
            Attestation(b"", (), b"", ()),
            Gifts(some(), (some(),)),
            Depart(some()),
        ]
    )


class Fuzzed(Node):
    """Tries payloads on the step that the table stands at, whenever that is a new one."""

    peers: Any = ()
    tried = 0
    refused = 0

    def _ask(self, now: float) -> None:
        table, step = self.table, self.table.step
        if self.peers and not self._over and table.number != getattr(self, "_fuzzed", -1):
            self._fuzzed = table.number
            dice = random.Random(table.number)
            for _ in range(4):
                self.attempt(step, dice.choice(step.authors), some_payload(dice))
            if isinstance(step, DecideStep):
                self.moves(step, dice)
        super()._ask(now)

    def moves(self, step: DecideStep, dice: random.Random) -> None:
        need = step.need
        assert isinstance(need, Decide)
        node = self.peers[need.seat].node
        if node.table.row != self.table.row:
            return  # it has not come so far
        keeper: Keeper = node._keeper
        for _ in range(6):
            try:
                payload = keeper.move(some_move(dice, node, need))
            except Exception:  # its own program cannot even say it
                continue
            self.attempt(step, need.seat, payload)

    def attempt(self, step: Any, seat: int, payload: Payload) -> None:
        """As `Table.offer` does it: refused by a reason, or a move that stands."""
        body = Body(bytes(32), seat, 0, bytes(32), bytes(32), bytes(32), 0, payload)
        try:
            decode(encode(body), Body)
        except Malformed:  # it would not come so far
            return
        if not isinstance(payload, step.takes):
            return
        self.tried += 1
        try:
            decoded, _ = step.take(seat, payload)
            if isinstance(step, DecideStep):
                assert self.table.game is not None
                self.table.game.copy().apply(decoded[0])
        except (BadProof, MoveError) as refusal:
            self.refused += bool(str(refusal))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_moves_without_sense(game: str) -> None:
    rules, players = GAMES[game]
    table = Simulation(7, players, rules, nodes={0: Fuzzed})
    node = table.peers[0].node
    assert isinstance(node, Fuzzed)
    node.peers = table.peers
    table.run()
    assert node.tried > 50
    assert node.refused > node.tried // 3


@pytest.mark.soak
@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seed", range(30))
def test_many_moves_without_sense(game: str, seed: int) -> None:
    rules, players = GAMES[game]
    table = Simulation(seed, players, rules, nodes={0: Fuzzed})
    table.peers[0].node.peers = table.peers  # type: ignore[attr-defined]
    table.run()
