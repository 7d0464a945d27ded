"""Tables that ended in every way, played by the simulator, as a face saw them end and as their journals tell it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

from cli.record import Record
from cli.table.session import Session
from p2puno.rules import Rules
from protocol.events import Abandoned
from protocol.lobby import players
from protocol.moving import DecideStep
from protocol.payloads import Choose
from tests.protocol.cheats import CHEAT, Cheater, cheater, trick_on
from tests.protocol.simulator import Simulation

QUICK: Final = Rules.make("batman", hand_size=5)


@dataclass
class Ended:
    """A table that is over: what seat 0 saw, and its journal."""

    table: Simulation
    record: Record
    session: Session
    journal: Path


def play(
    folder: Path,
    seats: int = 2,
    rules: Rules = QUICK,
    seed: int = 0,
    bot: str = "sensible",
    names: tuple[str, ...] = (),
) -> Ended:
    """A table played to its end."""
    return ended(_played(seats, rules, seed, bot, names), folder)


def left(
    folder: Path, stage: str, leaver: int, seats: int = 2, rules: Rules = QUICK, hand: int = 1, seed: int = 3
) -> Ended:
    """A table at which somebody gets up in a step of that name."""
    return ended(_left(stage, leaver, seats, rules, hand, seed), folder)


def both_left(folder: Path) -> Ended:
    """A table of two at which one gets up while the other one must move, who then gets up instead."""
    return ended(_both_left(), folder)


def cheated(folder: Path) -> Ended:
    """A table at which a player draws a card and tells the two others two different stories of it."""
    return ended(_cheated(), folder)


# Each table is played once in a test process: nobody changes one that is over.


@cache
def _played(seats: int, rules: Rules, seed: int, bot: str, names: tuple[str, ...]) -> Simulation:
    table = Simulation(seed, seats, rules, bot, names=names)
    table.run()
    return table


@cache
def _left(stage: str, leaver: int, seats: int, rules: Rules, hand: int, seed: int) -> Simulation:
    table = Simulation(seed, seats, rules)
    table.start()
    node = table.peers[leaver].node
    table.run_until(lambda: node.table.step.what == stage and node.table.hand == hand)
    table.rise(leaver)
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    return table


@cache
def _both_left() -> Simulation:
    table = Simulation(3, 2, QUICK)
    table.start()
    node = table.peers[0].node
    table.run_until(lambda: node.my_turn and node.table.step.what == "move")
    table.rise(1)
    table.run_until(lambda: 1 in node.table.departures.leaves)
    table.rise(0)
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    return table


@cache
def _cheated() -> Simulation:
    def two(node: Cheater, step: DecideStep, payload: Any) -> Any:
        if payload != Choose("draw"):
            return None
        return [(0, node.sign(node.body(payload))), (2, node.sign(node.body(Choose("keep"))))]

    table = Simulation(2, 3, QUICK, nodes={CHEAT: cheater(trick_on(DecideStep, two))})
    table.run()
    return table


def ended(table: Simulation, folder: Path, seat: int = 0) -> Ended:
    """What a seat has of a table now."""
    peer = table.peers[seat]
    record = Record()
    for event in peer.told:
        record.take(event)
    record.left = any(isinstance(event, Abandoned) and "you left" in event.reason for event in peer.told)
    folder.mkdir(parents=True, exist_ok=True)
    journal = table.write(seat, folder / f"{table.charter.table.hex()[:8]}-{seat}.p2puno")
    node = peer.node
    session = SimpleNamespace(
        journal=journal,
        rules=node.table.rules,
        seat=seat,
        players=players(table.charter.roster),
        scores=node.table.scores,
        turns=node.turns,
        steps=node.table.number,
        leavers=tuple(node.table.departures.leaves),
        view=node.view(),
        hand=node.table.hand,
    )
    return Ended(table, record, cast(Session, session), journal)
