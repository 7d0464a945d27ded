"""A seat that does anything, at any time: at random steps of a whole table its honest contribution becomes a mutation
of itself, a payload of another kind, a vote, a return, a removal, two stories or silence. No honest program falls over,
none is ever blamed, and a table of four or more ends with one state (docs/threat-model.md)."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict

from p2puno.rules import Rules
from protocol import events as tell
from protocol.messages import Body, decode, encode
from protocol.offences import Cheat
from protocol.payloads import (
    Absent,
    Back,
    BoxKeys,
    Choose,
    Depart,
    Have,
    Help,
    Leave,
    Payload,
    Pledge,
    Remove,
    Speak,
    Stands,
    Welcome,
)
from tests.protocol.cheats import CHEAT, Cheater, replace
from tests.protocol.readings import audit
from tests.protocol.simulator import Simulation

HEROES = ("aquaman", "green_lantern", "superman", "wonder_woman")
GAMES = [
    (Rules.make("batman", hand_size=5, turn_seconds=15, bank_seconds=0), 4),
    (Rules.make("dbz", hand_size=5, seven_zero=True, turn_seconds=15, bank_seconds=0), 5),
    (Rules.make("dc", heroes=HEROES, turn_seconds=15, bank_seconds=0), 4),
]


def mutated(dice: random.Random, payload: Payload) -> Payload:
    """The payload with one field changed in a way that its schema allows."""
    fields = asdict(payload)
    name = dice.choice(list(fields)) if fields else ""
    value = fields.get(name)
    changed: Any = value
    match value:
        case bool():
            changed = not value
        case int():
            changed = value + dice.choice((-1, 1, 7))
        case bytes() if value:
            at = dice.randrange(len(value))
            changed = value[:at] + bytes([value[at] ^ 1 << dice.randrange(8)]) + value[at + 1 :]
            changed = dice.choice((changed, changed, value[:-33], value + value[:33], value[33:66] + value[33:]))
        case tuple() if value:
            changed = dice.choice((value[1:], (*value, value[0]), (value[-1], *value[:-1])))
        case str():
            changed = dice.choice(("draw", "keep", "catch", "call", "accept", ""))
    return replace(payload, **{name: changed}) if fields else payload


class Byzantine(Cheater):
    """Does something that it should not in about one step of `rarely`, and otherwise plays on."""

    dice: random.Random
    rarely = 15
    starts = 1  # before all have agreed, there is no table
    sins = 0

    def _accuse(self, cheat: Cheat, now: float) -> None:
        """It goes on whatever its own program thinks of it."""
        if cheat.seat != self.seat:
            super()._accuse(cheat, now)

    def anything(self) -> Payload:
        """A payload that asks nothing of the step."""
        dice, table = self.dice, self.table
        seat = dice.randrange(len(table.seats) + 1)
        step = max(0, table.number - dice.randrange(4))
        known = dice.choice([entry for entry in self._chains.all() if len(entry.raw) < 1000])
        return dice.choice(
            [
                Absent(seat),
                Absent(seat),
                Have(seat, step, known.hash),
                Stands(seat, step, known.hash),
                Back(step, step),
                Welcome(known.raw),
                Welcome(dice.randbytes(40)),
                Remove(seat),
                Help(dice.randbytes(33), dice.randbytes(98)),
                Pledge(()),
                BoxKeys(tuple(dice.randbytes(32) for _ in range(len(table.seats) - 1))),
                Depart(known.raw),
                Depart(dice.randbytes(40)),
                Leave((), b"", b"", ()),
                Choose("draw"),
                Speak("catch"),
            ]
        )

    def _contribute(self, payload: Payload, now: float) -> None:
        if self.dice.randrange(self.rarely) or self.table.number < self.starts:
            super()._contribute(payload, now)
            return
        self.sins += 1
        body = self.body(payload)
        deed = self.dice.randrange(6)
        if deed == 0:  # silence from now on
            self._publish([], now)
        elif deed == 1:  # two stories
            others = [seat for seat in self.table.seats if seat != self.seat]
            told = [self.sign(body), self.sign(self.sayable(replace(body, payload=mutated(self.dice, payload))))]
            self._publish([(seat, self.dice.choice(told)) for seat in others], now)
        elif deed == 2:  # says something first
            super()._contribute(self.sayable(replace(body, payload=self.anything())).payload, now)
        elif deed == 3:
            field = self.dice.choice(("prev", "row", "state", "step", "seq"))
            value = bytes(32) if field in ("prev", "row", "state") else getattr(body, field) + self.dice.choice((-1, 1))
            self._publish([(None, self.sign(self.sayable(replace(body, **{field: value}))))], now)
        else:
            super()._contribute(self.sayable(replace(body, payload=mutated(self.dice, payload))).payload, now)

    def sayable(self, body: Body) -> Body:
        """The body, if it is one that others can read (C36 has the rest); else its honest neighbour."""
        try:
            return decode(encode(body), Body)
        except ValueError:
            return replace(body, payload=Absent(self.dice.randrange(len(self.table.seats))), step=self.table.number)


def run(seed: int, folder: Path) -> int:
    """One table; returns how often the cheat did something."""
    dice = random.Random(seed)
    rules, players = dice.choice(GAMES)
    program = type("Program", (Byzantine,), {"dice": dice, "starts": dice.choice((1, 1, 8, 20, 40))})
    table = Simulation(seed, players, rules, bot=dice.choice(("sensible", "random")), nodes={CHEAT: program})
    table.start()
    honest = [seat for seat in range(players) if seat != CHEAT]
    table.run_until(lambda: all(table.peers[seat].closed for seat in honest), 20_000)
    first = table.peers[honest[0]].node.table
    for seat in honest:
        peer = table.peers[seat]
        assert {event.seat for event in peer.heard(tell.Accused)} <= {CHEAT}
        assert not peer.heard(tell.Abandoned)
        assert peer.heard(tell.MatchOver)
        assert peer.node.table.state() == first.state()
        verdict = audit(table.write(seat, folder / f"{seed}-{seat}.p2puno"))
        assert verdict.exit_code == (3 if peer.heard(tell.Accused) else 0)
        assert verdict.state_hash == first.state().hex()
        assert {offence.seat for offence in verdict.offences} <= {CHEAT}
    cheat = table.peers[CHEAT].node
    assert isinstance(cheat, Byzantine)
    return cheat.sins


def test_a_seat_that_does_anything(tmp_path: Path) -> None:
    assert sum(run(seed, tmp_path) for seed in range(1, 7)) > 4


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_many_seats_that_do_anything(seed: int, tmp_path: Path) -> None:
    run(seed, tmp_path)
