"""One seeded table with a seat that cheats: it does anything at any time, or tells two stories of one moment. All
others are honest, and go through delays, bursts and repeated frames; where enough sit there, their links break and
their processes are killed."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

from p2puno.view import legal
from protocol import events as tell
from protocol.messages import Carry, encode, entry_hash
from protocol.moving import DecideStep
from protocol.payloads import BESIDE, Payload
from protocol.signals import Send
from tests.protocol.cheats import Cheater, replace
from tests.protocol.readings import audit
from tests.protocol.simulator import MakeNode
from tests.protocol.test_cheats_byzantine import Byzantine, mutated
from tests.storm.weather import Storm

FORMS: Final = ("leave or answer", "two leaves", "answer, then leave", "two answers", "leave for some, and plays on")

Program: TypeAlias = Callable[[random.Random, int], tuple[int, MakeNode]]
"""Of the dice and the number of players, a seat and what runs there."""

BREATH: Final = 60.0
"""Seconds between two kills: whoever starts again waits anew for who is silent, and the others do not wait for ever."""


class TwoFaced(Cheater):
    """From some step on, at the first that it owes something, it tells some of the others one thing and the rest
    another, each well signed."""

    dice: random.Random
    starts: float = 1
    form = FORMS[0]
    moves = False  # whether the second of two answers is another legal move, where it owes a move

    def _contribute(self, payload: Payload, now: float) -> None:
        body = self.body(payload)
        late = self.cheated_at >= 0 or body.step < self.starts or self.seat in self.table.heard
        if late or self._keeper is None or isinstance(payload, BESIDE):
            super()._contribute(payload, now)
            return
        others = [seat for seat in self.table.seats if seat != self.seat]
        some = set(self.dice.sample(others, self.dice.randrange(1, len(others))))
        leaving = replace(body, payload=self.keeper.leave())
        leave, answer = self.sign(leaving), self.sign(body)
        self.cheated_at = body.step
        match self.form:
            case "leave or answer":
                told = [(seat, leave if seat in some else answer) for seat in others]
            case "two leaves":
                self.keeper._nonces = type(self.keeper)(self.table, self.seat, bytes(64))._nonces
                second = self.sign(replace(body, payload=self.keeper.leave()))
                told = [(seat, leave if seat in some else second) for seat in others]
            case "answer, then leave":
                second = self.sign(replace(leaving, seq=body.seq + 1, prev=entry_hash(answer)))
                told = [(seat, leave) for seat in others if seat in some]
                told += [(seat, raw) for seat in others if seat not in some for raw in (answer, second)]
            case "two answers":
                second = self.sign(replace(body, payload=self._another_move(payload)))
                told = [(seat, second if seat in some else answer) for seat in others]
            case _:
                self._effects += [Send(seat, encode(Carry(leave))) for seat in others if seat in some]
                super()._contribute(payload, now)
                return
        self._publish(told, now)

    def _another_move(self, payload: Payload) -> Payload:
        """Another legal move, or at the worst an answer that is no good."""
        seen = self.view()
        moves = legal(seen) if seen is not None and isinstance(self.table.step, DecideStep) else []
        others = [other for move in moves if (other := self.keeper.move(move)) != payload]
        return self.dice.choice(others) if others and self.moves else mutated(self.dice, payload)


def _program(dice: random.Random, players: int) -> tuple[int, MakeNode]:
    starts = dice.choice((1, 1, 8, 20, 40, 80))
    more: dict[str, Any]
    if dice.random() < 0.5:
        more = {"rarely": dice.choice((5, 15, 40))}
        return dice.randrange(players), type("Program", (Byzantine,), {"dice": dice, "starts": starts, **more})
    more = {"form": dice.choice(FORMS)}
    return dice.randrange(players), type("Program", (TwoFaced,), {"dice": dice, "starts": starts, **more})


def _at_last(starts: float) -> Program:
    """A program that tells two stories of the first thing that it owes from that step on."""

    def program(dice: random.Random, players: int) -> tuple[int, MakeNode]:
        more: dict[str, Any] = {"dice": dice, "starts": starts, "form": dice.choice(FORMS), "moves": True}
        return dice.randrange(players), type("Program", (TwoFaced,), more)

    return program


class Villainy(Storm):
    """A table with one cheat."""

    def __init__(self, seed: int, most: int = 10, program: Program = _program) -> None:
        super().__init__(seed, most, 3, program, turn_seconds=15, bank_seconds=0)
        self.cheat = next(seat for seat, peer in enumerate(self.peers) if isinstance(peer.node, Cheater))
        self.honest = [seat for seat in range(len(self.peers)) if seat != self.cheat]
        self.shaken.add(self.cheat)
        self._killed = -BREATH  # when somebody honest was killed last

    def trouble(self) -> None:
        """Links between honest seats break, and their processes are killed and started again at once, where there is
        somebody honest besides."""
        here = [seat for seat in self.honest if not self.peers[seat].closed]
        if len(here) < 3:
            return
        self.at(self.now + self.dice.expovariate(1 / 6), self.trouble)
        one, other = self.dice.sample(here, 2)
        if self.dice.random() < 0.5:
            self.report.faults["pair"] += 1
            self.cut(one, other)
            self.at(self.now + self.dice.choice((0.2, 1.0)), lambda: self._mend(one, other))
        elif self.now >= self._killed + BREATH:
            self.report.faults["crash"] += 1
            self._killed = self.now
            self._doom[one] = self.dice.randrange(6)
            self.at(self.now + self.dice.choice((0.5, 1.0)), lambda: self._revive(one))

    def _ended(self) -> bool:
        return all(self.peers[seat].closed for seat in self.honest)

    def judge(self, folder: Path) -> None:
        """What must hold when the honest seats have ended."""
        first = self.peers[self.honest[0]].node.table
        node = self.peers[self.cheat].node
        assert isinstance(node, Cheater)
        kind = type(node).__mro__[1].__name__
        sins = node.sins if isinstance(node, Byzantine) else int(node.cheated_at >= 0)
        self.report.faults[node.form if isinstance(node, TwoFaced) else "anything"] += sins
        self.report.steps = first.number
        for seat in self.honest:
            peer = self.peers[seat]
            accused = {event.seat for event in peer.heard(tell.Accused)}
            assert accused <= {self.cheat}, f"seat {seat} blames {peer.heard(tell.Accused)}"
            assert peer.heard(tell.MatchOver), f"seat {seat} ({kind}): {peer.heard(tell.Abandoned)}"
            own = peer.node.table.state()
            assert own == first.state(), "the seats have ended in different states"
            verdict = audit(self.write(seat, folder / f"{self.seed}-{seat}.p2puno"))
            assert {offence.seat for offence in verdict.offences} <= {self.cheat}, f"seat {seat}: {verdict.problem}"
            assert verdict.exit_code in ({3} if accused else {0, 3}), f"seat {seat}: {verdict.problem}"
            assert verdict.exit_code == 3 or own == first.state(), f"seat {seat} has no proof of the two stories"
            assert verdict.state_hash == own.hex(), f"seat {seat} differs from its journal"
            self.report.endings["named" if accused else "silent or unseen"] += 1
            self.report.absences = max(self.report.absences, len(verdict.absences))


class Finale(Villainy):
    """A table whose cheat tells two stories of the last thing that it owes: often that is what ends the match."""

    def __init__(self, seed: int, most: int = 10) -> None:
        rehearsal = Villainy(seed, most, _at_last(math.inf))
        rehearsal.play()
        last = rehearsal.peers[rehearsal.cheat].node.chains.last_answer(rehearsal.cheat)
        super().__init__(seed, most, _at_last(last))
