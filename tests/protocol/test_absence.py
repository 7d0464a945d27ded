"""Seats that are silent without any ill will (R56, R57; docs/absence.md)."""

from __future__ import annotations

from p2puno.rules import Rules
from protocol import events as tell
from protocol.payloads import Absent
from protocol.steps import OpenStep
from tests.protocol.simulator import Simulation


def test_r56_after_a_removal_the_escrow_is_dealt_anew_and_another_seat_may_fall_silent() -> None:
    table = Simulation(4, 4, Rules.make("batman", hand_size=7, grace_seconds=15), pace=4.0)
    table.start()
    first = table.peers[0].node
    table.run_until(lambda: first.turns >= 2)
    table.crash(3)
    table.run_until(lambda: 3 in first.table.departures.gone and first.table.escrow is not None)
    escrow = first.table.escrow
    assert escrow is not None
    assert (escrow.epoch, escrow.seats) == (1, (0, 1, 2))
    table.crash(2)
    table.run_until(lambda: table.peers[0].closed and table.peers[1].closed)
    assert all(table.peers[seat].heard(tell.MatchOver) for seat in (0, 1))


def test_r57_one_seat_at_a_time_is_called_absent() -> None:
    """Two silent at once: could both be called so by all, nobody would know who is."""
    table = Simulation(4, 5, Rules.make("batman", hand_size=7))
    table.start()
    first = table.peers[0].node
    # Both owe a share, in a step that also waits for nobody's choice.
    table.run_until(lambda: isinstance(first.table.step, OpenStep) and {1, 2} <= set(first.table.waiting))
    table.crash(1)
    table.crash(2)
    until = table.now + 25
    table.run_until(lambda: table.now > until)
    called = [
        (entry.body.seat, entry.body.step, entry.body.payload.seat)
        for entry in first._chains.all()
        if isinstance(entry.body.payload, Absent)
    ]
    assert {voter for voter, _, _ in called} == {0, 3, 4}
    assert len({seat for _, _, seat in called}) == 1
