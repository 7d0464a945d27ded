"""Watchers: whoever is told what the seats have signed sees the table that they play, and never more than that."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from p2puno.rules import Rules
from p2puno.view import view
from protocol import events as tell
from protocol.identity import Identity
from protocol.journal import Journal
from protocol.messages import Body, Charter, Head, sign_entry
from protocol.moving import DecideStep
from protocol.onlooker import OTHERWISE, Onlooker
from protocol.payloads import Agree
from protocol.signals import Close, Store, Tell
from protocol.steps import OpenStep
from tests.protocol.cheats import CHEAT, cheater, play, trick_on
from tests.protocol.readings import audit
from tests.protocol.simulator import Simulation
from tests.protocol.test_cheats_play import wrong_share
from tests.protocol.test_two_stories import program, two_commits, two_moves, two_shuffles

RULES = Rules.make("batman", hand_size=5, watchers=True)

Told = TypeVar("Told", bound=tell.Event)


class Watch:
    """Somebody who watches, with the journal that it keeps and what its face is told."""

    def __init__(self, charter: Charter) -> None:
        self.charter = charter
        self.onlooker = Onlooker(charter)
        self.journal: list[bytes] = []
        self.told: list[tell.Event] = []
        self.closed = False

    def arrive(self, heads: Sequence[Head]) -> None:
        self._do(self.onlooker.arrive(heads, 0.0))

    def read(self, entries: Iterable[bytes], now: float = 0.0) -> Watch:
        for raw in entries:
            fit, effects = self.onlooker.take(raw, now)
            assert fit
            self._do(effects)
        return self

    def conclude(self) -> Watch:
        self._do(self.onlooker.conclude(0.0))
        return self

    def _do(self, effects: Iterable[object]) -> None:
        for effect in effects:
            assert isinstance(effect, Store | Tell | Close), "it has nothing to send"
            if isinstance(effect, Store):
                self.journal.append(effect.entry)
            elif isinstance(effect, Tell):
                self.told.append(effect.event)
            else:
                self.closed = True

    def heard(self, kind: type[Told]) -> list[Told]:
        return [event for event in self.told if isinstance(event, kind)]

    def verdict(self, path: Path):  # type: ignore[no-untyped-def]
        journal = Journal(path, self.charter)
        for entry in self.journal:
            journal.append(entry)
        journal.close()
        return audit(path)


def orders(table: Simulation, seats: Sequence[int], seed: int = 0) -> list[list[bytes]]:
    """Ways in which a watcher may hear the table: by each seat, by one and then another, by several at once."""
    journals = [list(table.peers[seat].journal) for seat in seats]
    half = [*journals[0][: len(journals[0]) // 2], *journals[-1]]
    dice, left, mixed = random.Random(seed), [journal[::-1] for journal in journals], []
    while any(left):
        mixed.append(dice.choice([journal for journal in left if journal]).pop())
    return [*journals, half, mixed]


def sees_the_same(table: Simulation, folder: Path, seats: Sequence[int]) -> list[Watch]:
    """However a watcher hears the table, it ends as for these seats; what it keeps is a journal like theirs."""
    first = table.peers[seats[0]]
    theirs = audit(table.write(seats[0], folder / "theirs.p2puno"))
    watches = []
    for order in orders(table, seats):
        watch = Watch(table.charter).read(order).conclude()
        mine = watch.onlooker.table
        assert mine.number == first.node.table.number
        assert (mine.row, mine.state()) == (first.node.table.row, first.node.table.state())
        assert watch.closed
        assert {cheat.seat for cheat in watch.heard(tell.Accused)} == {c.seat for c in first.heard(tell.Accused)}
        assert watch.heard(tell.MatchOver) == first.heard(tell.MatchOver)
        assert watch.heard(tell.HandOver) == first.heard(tell.HandOver)
        watches.append(watch)
    verdict = watches[-1].verdict(folder / "watch.p2puno")  # of the most confused one
    assert (verdict.exit_code, verdict.state_hash) == (theirs.exit_code, theirs.state_hash)
    return watches


@pytest.mark.parametrize(("variant", "players"), [("batman", 2), ("dbz", 3), ("dc", 2)])
def test_a_watcher_sees_the_table_that_is_played(variant: str, players: int, tmp_path: Path) -> None:
    heroes = ("aquaman", "superman") if variant == "dc" else ()
    table = Simulation(1, players, Rules.make(variant, heroes=heroes, hand_size=5, watchers=True))
    table.run()
    for watch in sees_the_same(table, tmp_path, range(players)):
        assert watch.heard(tell.MatchOver)
        assert len(watch.heard(tell.Watching)) == 1
        assert not watch.heard(tell.YourTurn)


def test_a_watcher_sees_no_hidden_card() -> None:
    """At every moment it knows of a hand what all players know of it, and of its own there is none."""
    table = Simulation(2, 3, RULES)
    watch = Watch(table.charter)
    table.start()
    seen, hidden = 0, 0

    def follow() -> bool:
        nonlocal seen, hidden
        watch.read(table.peers[0].journal[seen:])
        seen = len(table.peers[0].journal)
        games = [peer.node.table.game for peer in table.peers]
        mine, stranger = watch.onlooker.table.game, watch.onlooker.view()
        if mine is not None and stranger is not None:
            assert stranger.hand == ()
            here = [game for game in games if game is not None and game.state_hash() == mine.state_hash()]
            for seat in range(3):
                for slot, face in view(mine, seat).hand:
                    hidden += face < 0
                    assert face < 0 or all((slot, face) in view(game, seat).hand for game in here)
        return table.peers[0].closed

    table.run_until(follow)
    assert hidden > 100


def test_who_comes_late_is_told_results_and_then_what_happens() -> None:
    """Not every move of the past, but whoever came before it."""
    table = Simulation(3, 3, Rules.make("batman", hand_size=5, hands=2, watchers=True))
    table.start()
    node = table.peers[0].node
    table.run_until(lambda: node.table.hand == 2 and node.turns > node.table.number / 100 and node.table.dealt)
    past = list(table.peers[0].journal)
    heads = node._chains.heads()
    watch = Watch(table.charter)
    watch.arrive(heads)
    watch.read(past)
    assert len(watch.heard(tell.HandOver)) == 1
    assert not watch.heard(tell.Happened)
    assert [event.turns for event in watch.heard(tell.Watching)] == [node.turns]
    table.run_until(lambda: table.peers[0].closed)
    watch.read(table.peers[0].journal[len(past) :]).conclude()
    assert watch.heard(tell.Happened)
    assert len(watch.heard(tell.HandOver)) == 2
    assert watch.onlooker.table.state() == node.table.state()


def test_a_watcher_counts_a_turn_as_the_players_do_or_not_at_all() -> None:
    """R57: with what is left of the bank in this hand, and no time is shown by who has not seen all of it used."""
    rules = Rules.make("batman", hand_size=5, hands=2, turn_seconds=15, bank_seconds=600, watchers=True)
    table = Simulation(4, 3, rules, pace=30.0)
    table.start()
    peer = table.peers[0]
    early, late, cut_off = watches = [Watch(table.charter) for _ in range(3)]
    read = dict.fromkeys(range(3), 0)
    counted: dict[int, list[int]] = {number: [] for number in range(3)}
    reduced = 0
    there: set[int] = set()

    def comes(number: int) -> bool:
        """Whether a watcher is there: one comes late to a hand, one misses some of it by a broken link."""
        turns = peer.node.turns
        return number == 0 or turns >= 3 if number != 2 else not 3 <= turns < 6

    def follow() -> bool:
        nonlocal reduced
        node = peer.node
        for number, watch in enumerate(watches):
            if not comes(number):
                continue
            if number not in there:
                there.add(number)
                watch.arrive(node._chains.heads())
            watch.read(peer.journal[read[number] :], table.now)
            read[number] = len(peer.journal)
            if watch.onlooker.deadline < math.inf:
                assert watch.onlooker.deadline == pytest.approx(node.deadline)
                counted[number].append(node.table.hand)
                reduced += node.deadline - table.now < 600
        there.intersection_update(number for number in range(3) if comes(number))
        return peer.closed

    table.run_until(follow)
    assert {number: set(hands) for number, hands in counted.items()} == {0: {1, 2}, 1: {2}, 2: {1, 2}}
    assert reduced > 20
    first = [sum(hand == 1 for hand in hands) for hands in counted.values()]
    assert 0 < first[2] < first[0] / 2, "not after the broken link"
    assert early.onlooker.turns == late.onlooker.turns == cut_off.onlooker.turns


def test_who_was_told_too_much_of_the_past_waits_no_longer_when_told_so() -> None:
    table = Simulation(3, 2, RULES)
    table.start()
    table.run_until(lambda: table.peers[0].node.table.number > 10)
    watch = Watch(table.charter)
    watch.arrive([Head(0, 10_000, bytes(32))])
    watch.read(table.peers[0].journal)
    assert watch.onlooker.catching_up
    watch._do(watch.onlooker.hurry(1.0))
    assert not watch.onlooker.catching_up
    assert watch.heard(tell.Watching)


def test_a_seat_that_drops_out_and_comes_back(tmp_path: Path) -> None:
    """C40: what it signed alone meanwhile reaches the watcher by its own journal, and does not count."""
    table = Simulation(1, 3, RULES)
    table.start()
    table.run_until(lambda: table.peers[2].node.turns > 3)
    for other in range(2):
        table.cut(other, 2)
    table.run_until(lambda: bool(table.peers[0].node.table.absence.since))
    table.run_until(lambda: table.peers[0].node.turns > 8)
    alone = Watch(table.charter).read(table.peers[2].journal)
    for other in range(2):
        table.link(other, 2)
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    watches = sees_the_same(table, tmp_path, range(3))
    assert all(2 in {seat for seat, _ in watch.onlooker.table.absence.missed} for watch in watches)
    alone.read(table.peers[0].journal)  # it has changed over to another seat
    assert alone.onlooker.table.state() == table.peers[0].node.table.state()


def test_a_contribution_that_all_others_called_absent_is_taken_back() -> None:
    """The watcher hears it first, by a seat that had it too late; then come the votes of all."""
    table = Simulation(5, 3, RULES)
    table.start()
    late = table.peers[2]
    table.run_until(lambda: late.node.turns > 2 and late.node.my_turn and isinstance(late.node.table.step, DecideStep))
    before = len(table.peers[0].journal)
    for other in range(2):
        table.cut(other, 2)
    table.run_until(lambda: len(late.journal) > before and late.node.table.number > table.peers[0].node.table.number)
    watch = Watch(table.charter).read(late.journal)
    went_on = watch.onlooker.table.number
    table.run_until(lambda: 2 in table.peers[0].node.table.absence.since)
    table.run_until(lambda: table.peers[0].node.table.number > went_on)
    watch.read(table.peers[0].journal)
    assert watch.onlooker.table.row == table.peers[0].node.table.row
    assert [event.message for event in watch.heard(tell.Notice)] == [OTHERWISE]


@pytest.mark.parametrize("pair", [two_moves, two_shuffles, two_commits])
def test_c25_a_watcher_follows_the_one_of_two_stories_that_stands(pair, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    table = play(program(pair, {0}, 3))
    sees_the_same(table, tmp_path, [0, 2])


def test_c16_a_watcher_sees_who_cheats(tmp_path: Path) -> None:
    table = play(cheater(trick_on(OpenStep, wrong_share)))
    for watch in sees_the_same(table, tmp_path, [0, 2]):
        assert [event.seat for event in watch.heard(tell.Accused)] == [CHEAT]


def test_what_no_seat_has_signed_is_of_no_use_to_a_watcher() -> None:
    table = Simulation(6, 3, RULES)
    stranger = Identity.fresh()
    body = Body(table.charter.table, 0, 0, bytes(32), bytes(32), bytes(32), 0, Agree(bytes(32)))
    for raw in (b"", b"junk", sign_entry(stranger, body).raw):
        onlooker = Onlooker(table.charter)
        fit, effects = onlooker.take(raw, 0.0)
        assert not fit
        assert not [effect for effect in effects if isinstance(effect, Store)]


def test_a_watcher_ends_with_a_table_that_is_left(tmp_path: Path) -> None:
    table = Simulation(7, 2, RULES)
    table.start()
    table.run_until(lambda: table.peers[0].node.turns > 2)
    table.rise(1)
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    watch = Watch(table.charter).read(table.peers[0].journal).conclude()
    assert watch.closed
    assert watch.heard(tell.MatchOver) == table.peers[0].heard(tell.MatchOver)
