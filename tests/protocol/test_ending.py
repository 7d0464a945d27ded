"""The end of a match is the result only when the others have told that they know the same (docs/absence.md): a cheat
can tell two stories of the very move that ends it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from p2puno.rules import Rules
from p2puno.view import legal
from protocol import events as tell
from protocol.messages import Body
from protocol.moving import DecideStep
from protocol.node import PATIENCE
from protocol.patience import AUTOMATIC
from protocol.step import Step
from protocol.telling import THE_END
from tests.protocol.cheats import CHEAT, Cheater, cheater, replace, together
from tests.protocol.simulator import Peer, Simulation
from tests.protocol.test_onlooker import Watch

BATMAN = Rules.make("batman", hand_size=5)
DC = Rules.make("dc", heroes=("aquaman", "superman", "wonder_woman"))


@cache
def ends(variant: str, players: int) -> tuple[int, int]:
    """A seed at which the cheat's seat, being honest, contributes to the last step of the match; and that step."""
    for seed in range(100):
        table = Simulation(seed, players, BATMAN if variant == "batman" else DC)
        table.run()
        ended = table.peers[0].node
        last = ended.table.number - 1
        if ended.chains.answer(CHEAT, last, ended.table.rows[last]):
            return seed, last
    raise AssertionError("no match ended with a contribution of its")


def table_of(variant: str, players: int, tell_some: Callable[[Cheater, Body], Body], some: set[int]) -> Simulation:
    """A table whose cheat tells some seats something else than its answer to the last step."""
    seed, last = ends(variant, players)

    def trick(node: Cheater, body: Body) -> Any:
        if body.step < last:
            return None
        honest, other = node.sign(body), node.sign(tell_some(node, body))
        return [(seat, other if seat in some else honest) for seat in range(players) if seat != CHEAT]

    table = Simulation(
        seed, players, BATMAN if variant == "batman" else DC, nodes={CHEAT: cheater(trick, lets_others_first=Step)}
    )
    table.start()
    return table


def play_on(table: Simulation) -> list[int]:
    """Play to the end; the honest seats."""
    honest = [seat for seat in range(len(table.peers)) if seat != CHEAT]
    table.run_until(lambda: all(table.peers[seat].closed for seat in honest))
    return honest


def leaves(node: Cheater, body: Body) -> Body:
    """It gets up."""
    return replace(body, payload=node.keeper.leave())


def moves_otherwise(node: Cheater, body: Body) -> Body:
    """Another legal move than the one that wins."""
    seen = node.view()
    assert isinstance(node.table.step, DecideStep)
    assert seen is not None
    others = [move for move in map(node.keeper.move, legal(seen)) if move != body.payload]
    return replace(body, payload=others[0])


def knows_an_end(peer: Peer) -> bool:
    return peer.node.table.closed


@pytest.mark.parametrize("players", [3, 4])
def test_c41_the_clerk_takes_the_others_back_behind_the_end(players: int, tmp_path: Path) -> None:
    """It tells the clerk that it leaves, and the others the answer that ends the match. They wait for the clerk's word
    before that is the result."""
    table = table_of("batman", players, leaves, {0})
    other = table.peers[2]
    table.run_until(lambda: knows_an_end(other))
    assert table.peers[0].node.table.row != other.node.table.row
    assert not other.heard(tell.MatchOver)
    for verdict in together(table, tmp_path, play_on(table)):
        assert [(each.seat, each.how) for each in verdict.departures] == [(CHEAT, "left")]
        assert verdict.blame == CHEAT


@pytest.mark.parametrize("wins_for", [0, 2])
def test_c25_of_two_last_moves_one_stands_for_all(wins_for: int, tmp_path: Path) -> None:
    """Whoever was told the move that wins the match has not ended when the other one says what it was told."""
    table = table_of("dc", 3, moves_otherwise, {2 - wins_for})
    table.run_until(lambda: knows_an_end(table.peers[wins_for]))
    for verdict in together(table, tmp_path, play_on(table)):
        assert verdict.blame == CHEAT


@pytest.mark.parametrize("seed", range(6))
def test_nobody_has_the_result_before_all_know_the_end(seed: int) -> None:
    table = Simulation(seed, 3 + seed % 2, BATMAN, delay=0.4)
    table.start()
    table.run_until(lambda: any(peer.heard(tell.MatchOver) for peer in table.peers))
    assert all(map(knows_an_end, table.peers))
    table.run_until(lambda: all(peer.closed for peer in table.peers))


def test_c55_of_two_nobody_waits_for_the_word_of_who_has_lost() -> None:
    """It would have the time to call the winner absent, which of two is a forfeit."""
    table = Simulation(1, 2, BATMAN)
    table.start()
    table.run_until(lambda: any(map(knows_an_end, table.peers)))
    assert all(peer.heard(tell.MatchOver) for peer in table.peers if knows_an_end(peer))


def test_who_is_silent_at_the_end_is_waited_for_as_long_as_any_program() -> None:
    table = Simulation(1, 3, BATMAN)
    table.start()
    table.run_until(lambda: any(map(knows_an_end, table.peers)))
    since = table.now
    first = next(seat for seat, peer in enumerate(table.peers) if knows_an_end(peer))
    silent = (first + 1) % 3
    table.crash(silent)
    peer = table.peers[first]
    table.run_until(lambda: bool(peer.heard(tell.MatchOver)))
    assert table.now == pytest.approx(since + AUTOMATIC)
    told = [event for event in peer.heard(tell.Progress) if event.what == THE_END]
    assert told[-1].waiting == (silent,)


def test_who_gets_up_at_the_end_waits_no_longer() -> None:
    table = Simulation(1, 3, BATMAN)
    table.start()
    table.run_until(lambda: any(map(knows_an_end, table.peers)))
    first = next(seat for seat, peer in enumerate(table.peers) if knows_an_end(peer))
    table.crash((first + 1) % 3)
    since = table.now
    table.rise(first)
    peer = table.peers[first]
    table.run_until(lambda: bool(peer.heard(tell.MatchOver)))
    assert table.now == pytest.approx(since + PATIENCE)
    assert not peer.heard(tell.Abandoned)


def test_c41_a_watcher_has_the_result_when_its_seat_has(tmp_path: Path) -> None:
    """Its seat knows an end, and then goes back behind it; so does who watches by it."""
    table = table_of("batman", 3, leaves, {0})
    source = table.peers[2]
    table.run_until(lambda: knows_an_end(source))
    watch = Watch(table.charter).read(source.journal)
    assert watch.onlooker.table.closed
    read = len(source.journal)
    play_on(table)
    assert not watch.heard(tell.MatchOver)
    watch.read(source.journal[read:]).conclude()
    assert watch.heard(tell.MatchOver) == source.heard(tell.MatchOver)
    assert watch.onlooker.table.state() == source.node.table.state()


def test_a_watcher_whose_seat_says_nothing_more_waits_no_longer_than_a_seat() -> None:
    table = Simulation(1, 3, BATMAN)
    table.run()
    watch = Watch(table.charter)
    *most, last = table.peers[0].journal
    watch.read(most)
    watch.read([last], now=5.0)
    assert watch.onlooker.ends_at <= 5.0 + AUTOMATIC
    assert not watch.closed
    watch.read([last], now=watch.onlooker.ends_at)
    assert watch.closed
    assert watch.heard(tell.MatchOver) == table.peers[0].heard(tell.MatchOver)
