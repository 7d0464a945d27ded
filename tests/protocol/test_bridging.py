"""Seats without a link to each other, journals that come in pieces, and what a node keeps of an author that says too
much (C45)."""

from __future__ import annotations

import pytest

from p2puno.rules import Rules
from protocol import chains as chaining
from protocol import node as nodes
from protocol.chains import Chains
from protocol.messages import Body, Carry, Entry, Head, Heads, decode_frame, encode, open_entry, sign_entry
from protocol.payloads import Agree, Back
from protocol.signals import Effect, Received, Send, Waste
from tests.protocol.simulator import Simulation

RULES = Rules.make("batman", hand_size=5)


def test_one_pair_without_a_link_costs_half_a_second_a_step_at_most() -> None:
    """What one of them says comes to the other by a third."""
    times = []
    for unlinked in (frozenset[tuple[int, int]](), frozenset({(0, 1)})):
        table = Simulation(3, 3, RULES, unlinked=unlinked)
        table.start()
        table.run_until(lambda table=table: all(peer.node.table.number > 40 for peer in table.peers))  # type: ignore[misc]
        assert len({peer.node.table.rows[40] for peer in table.peers}) == 1
        times.append(table.now)
    whole, bridged = times
    assert bridged < whole + 40 * (nodes.BRIDGE + 0.1) + nodes.STALL


def sent(effects: list[Effect]) -> list[Carry | Heads]:
    return [decode_frame(effect.frame) for effect in effects if isinstance(effect, Send)]  # type: ignore[misc]


def test_a_long_journal_is_told_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who lacks all of it asks, gets a piece, asks again, and so has all in the end; no queue holds more than that."""
    table = Simulation(4, 3, RULES)
    table.start()
    table.run_until(lambda: table.peers[0].node.table.number > 30)
    monkeypatch.setattr(nodes, "MOST_AT_ONCE", 20_000)
    old = table.peers[0].node
    known = Chains(3)
    rounds = 0
    while not old._chains.covers(known.heads()):
        answer = sent(old.handle(Received(1, encode(Heads(old.table.id, known.heads()))), table.now))
        entries = [message.entry for message in answer if isinstance(message, Carry)]
        assert entries
        assert sum(map(len, entries[:-1])) <= 20_000
        for raw in entries:
            for _ in known.add(open_entry(raw)):
                pass
        rounds += 1
        assert rounds < 100
        if not old._chains.covers(known.heads()):
            assert any(isinstance(message, Heads) for message in answer), "nothing says that there is more"
    assert rounds > 3


def lone() -> tuple[Simulation, nodes.Node]:
    """A table whose seats have no links, and its first node."""
    table = Simulation(5, 3, RULES, unlinked=frozenset({(0, 1), (0, 2), (1, 2)}))
    table.start()
    return table, table.peers[0].node


def entry(table: Simulation, seq: int, prev: bytes, payload: Agree | Back, step: int = 0) -> Entry:
    body = Body(table.charter.table, 1, seq, prev, bytes(32), bytes(32), step, payload)
    return sign_entry(table.identities[1], body)


@pytest.mark.parametrize("what", ["no frame", "forged", "another table", "far ahead", "no seat's"])
def test_what_is_of_no_use_is_charged_to_who_sent_it(what: str) -> None:
    table, node = lone()
    raw = entry(table, 0, bytes(32), Agree(bytes(32))).raw
    if what == "forged":
        raw = raw[:-1] + bytes([raw[-1] ^ 1])
    elif what == "another table":
        raw = sign_entry(table.identities[1], Body(bytes(32), 1, 0, *[bytes(32)] * 3, 0, Agree(bytes(32)))).raw
    elif what == "far ahead":
        raw = entry(table, 100_000, bytes(32), Agree(bytes(32))).raw
    elif what == "no seat's":
        stranger = Simulation(6, 2, RULES).identities[0]
        raw = sign_entry(stranger, Body(table.charter.table, 1, 0, *[bytes(32)] * 3, 0, Agree(bytes(32)))).raw
    frame = b"junk" if what == "no frame" else encode(Carry(raw))
    for _ in range(3):  # however often it comes
        assert Waste(2, len(frame)) in node.handle(Received(2, frame), 1.0)
    assert len(node._known) == 1  # our own
    assert not table.peers[0].told[1:] or node.table.convicted == {}


def test_honest_frames_are_never_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither at a table in order, nor to those who bring a lost seat up to date, each with the whole journal."""
    charged: list[int] = []
    wasted = Waste.__init__
    monkeypatch.setattr(Waste, "__init__", lambda self, seat, size: (charged.append(seat), wasted(self, seat, size))[0])
    table = Simulation(7, 4, Rules.make("batman", hand_size=9))
    table.start()
    table.run_until(lambda: table.peers[0].node.table.number > 20)
    for other in range(3):
        table.cut(other, 3)
    lost = table.peers[3].node
    table.run_until(lambda: table.peers[0].node.table.number > lost.table.number + 5)
    assert table.peers[0].node.table.absence.since
    for other in range(3):
        table.link(other, 3)
    goal = table.peers[0].node.table.number + 3
    table.run_until(lambda: all(peer.node.table.number > goal for peer in table.peers))
    assert charged == []


def test_an_author_cannot_fill_the_memory_with_what_comes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries that may be of use when a gap is closed are kept up to a number, and up to so many bytes."""
    table, _ = lone()
    chains = Chains(3)
    one = entry(table, 1, bytes(32), Agree(bytes(32)))
    monkeypatch.setattr(chaining, "MOST_EARLY_BYTES", 10 * len(one.raw) + 20)
    for seq in range(1, 400):
        list(chains.add(entry(table, seq, bytes(32), Agree(bytes(32)))))
    assert len(chains._early[1]) == 10
    assert chains.too_early(entry(table, 400, bytes(32), Agree(bytes(32))))


def test_an_author_cannot_talk_for_ever_beside_its_contributions() -> None:
    """The same limit at every seat, as it counts what the author signed: what follows is taken by nobody."""
    table, _ = lone()
    chains, prev, seq = Chains(3), bytes(32), 0
    limit = chaining.MOST_BESIDE * 3
    while True:
        said = entry(table, seq, prev, Back(0, 0))
        if not list(chains.add(said)):
            break
        prev, seq = said.hash, seq + 1
    assert seq == limit
    assert chains.too_much(said)
    # A contribution is still taken, and then there is room again.
    done = entry(table, seq, prev, Agree(bytes(32)))
    assert list(chains.add(done)) == [done]
    assert list(chains.add(entry(table, seq + 1, done.hash, Back(0, 0))))
    assert chains.head(1) == Head(1, seq + 2, chains.of(1)[-1].hash)
