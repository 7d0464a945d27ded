"""A seat that is killed and starts again from its own files tells no second story (C57)."""

from __future__ import annotations

import pytest

from p2puno.rules import Rules
from protocol import events as tell
from protocol import intake
from protocol.events import Phase
from protocol.messages import Body, Carry, encode
from protocol.payloads import Absent, Welcome
from protocol.signals import Received
from tests.protocol.simulator import Simulation


def test_c57_it_knows_all_that_it_signed_however_long_the_table_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """What others send may lie too far ahead to be kept; what is in our own journal never does."""
    table = Simulation(5, 3, Rules.make("batman", hand_size=5))
    table.start()
    table.run_until(lambda: table.peers[1].node.turns >= 6)
    signed = [entry.hash for entry in table.peers[1].node._chains.of(1)]
    table.crash(1)
    monkeypatch.setattr(intake, "MOST_AHEAD", 3)
    table.restart(1)
    node = table.peers[1].node
    assert [entry.hash for entry in node._chains.of(1)] == signed
    monkeypatch.undo()
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    for peer in table.peers:
        assert not peer.heard(tell.Accused)
        assert peer.heard(tell.MatchOver)


def test_a_match_that_only_its_own_journal_knows_is_not_told_before_the_others_could_speak() -> None:
    """Killed between storing its last move and sending it, then started again: it listens first."""
    table = Simulation(8, 3, Rules.make("batman", hand_size=5))
    table.start()
    table.run_until(lambda: table.peers[0].node.table.closed)
    table.crash(0)
    told = len(table.peers[0].told)
    table.peers[0].closed = False
    table.restart(0)
    assert not any(isinstance(event, tell.MatchOver) for event in table.peers[0].told[told:])
    table.run_until(lambda: table.peers[0].closed)
    assert isinstance(table.peers[0].heard(tell.MatchOver)[-1], tell.MatchOver)


def test_r57_who_is_back_before_the_grace_is_over_is_not_removed() -> None:
    """The seat that must move lets it in and then thinks until the grace is over: it stays all the same."""
    table = Simulation(3, 3, Rules.make("batman", hand_size=5, grace_seconds=15, turn_seconds=300))
    table.start()
    table.run_until(lambda: table.peers[1].node.my_turn)
    table.crash(1)
    table.run_until(lambda: 1 in table.peers[0].node.table.absence.since)
    table.pace = 60.0
    table.restart(1)
    since = table.now
    table.run_until(lambda: table.now > since + 40)
    welcomes = [entry for entry in table.peers[0].node._chains.all() if isinstance(entry.body.payload, Welcome)]
    assert welcomes
    table.pace = 0.2
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    assert table.peers[1].heard(tell.MatchOver)
    for peer in table.peers:
        assert 1 in peer.node.table.present


def test_the_secret_of_a_hand_is_kept_until_all_have_begun_the_next() -> None:
    """A clerk's word may lead back into it till then; afterwards it is gone from the disk."""
    table = Simulation(1, 3, Rules.make("batman", hand_size=5, hands=2))
    table.start()
    peer = table.peers[0]
    table.run_until(lambda: peer.node.table.hand == 2)
    assert peer.node.table.phase is Phase.COMMIT
    assert len(peer.seeds) == 2
    table.run_until(lambda: peer.node.table.phase is Phase.PLAY)
    assert [*peer.seeds] == [peer.node.table.sid]


def test_c57_whom_it_called_absent_before_it_was_killed_stays_late() -> None:
    """The contribution came after its vote and before the others' votes: if it went on by it after the start, it would
    be alone when all have voted."""
    silent: set[int] = set()
    table = Simulation(
        4,
        3,
        Rules.make("batman", hand_size=5),
        tamper=lambda sender, receiver, frame: [] if sender in silent else [frame],
    )
    table.start()
    first = table.peers[0].node
    table.run_until(lambda: first.turns > 2)
    silent.add(0)

    def votes() -> list[Body]:
        last = [table.peers[seat].node.chains.of(seat)[-1].body for seat in (1, 2)]
        return [body for body in last if body.payload == Absent(0)]

    table.run_until(lambda: bool(votes()))
    (vote,) = votes()
    seat, step = vote.seat, vote.step
    late = first.chains.answer(0, step, first.table.rows[step])
    assert late is not None
    table.feed(seat, Received(0, encode(Carry(late.raw))))
    assert 0 not in table.peers[seat].node.table.heard
    table.crash(seat)
    table.restart(seat)
    node = table.peers[seat].node
    assert node.table.number == step
    assert 0 not in node.table.heard
    silent.clear()
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    assert len({peer.node.table.state() for peer in table.peers}) == 1
    assert all(peer.heard(tell.MatchOver) for peer in table.peers)
