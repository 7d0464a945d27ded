"""Leaving as a weapon: whoever gets up, honestly or not, gets nobody else blamed (C18, C41)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2puno.needs import Ask, Decide
from p2puno.rules import Rules
from protocol import events as tell
from protocol.messages import Body, entry_hash, open_entry
from protocol.moving import DecideStep, WindowStep
from protocol.payloads import Absent, Choose, Depart, Leave
from tests.protocol.cheats import CHEAT, Cheater, cheater, convicted, nobody_accused, play, replace, trick_on
from tests.protocol.readings import audit, judge
from tests.protocol.simulator import Simulation

HEROES = ("aquaman", "green_lantern", "superman", "wonder_woman")
LOOKING, OUT = 11, 3  # seeds with which some hero is soon looking at cards, and some hero soon out


def test_c41_leaves_for_the_clerk_and_moves_for_the_other(tmp_path: Path) -> None:
    """The clerk ends the step by the departure, the other completed it by the move: both are honest, and the two
    entries with one number convict their author. The clerk's word stands; the other goes back."""

    def two(node: Cheater, step: DecideStep, payload: Any) -> Any:
        if payload != Choose("draw"):
            return None
        return [(0, node.sign(node.body(node.keeper.leave()))), (2, node.sign(node.body(payload)))]

    convicted(play(cheater(trick_on(DecideStep, two))), tmp_path, "two different entries")


@pytest.mark.parametrize("what", ["a move", "a vote"])
def test_c41_acts_after_having_left(what: str, tmp_path: Path) -> None:
    """No honest program signs anything after its leave, so whatever follows it convicts by itself."""

    def both(node: Cheater, step: DecideStep, payload: Any) -> Any:
        leaving = node.body(node.keeper.leave())
        leave = node.sign(leaving)
        said = payload if what == "a move" else Absent(0)
        after = replace(leaving, seq=leaving.seq + 1, prev=entry_hash(leave), payload=said)
        return [(None, leave), (None, node.sign(after))]

    convicted(play(cheater(trick_on(DecideStep, both))), tmp_path, "after leaving")


def test_c41_a_wrong_leave_that_the_clerk_brought_first(tmp_path: Path) -> None:
    """The clerk's word brings the leave along, so a journal may have the word before the leave."""

    def nothing(node: Cheater, step: DecideStep, payload: Any) -> Any:
        return Leave((), b"", b"", ()) if node.turns > 2 else None

    table = play(cheater(trick_on(DecideStep, nothing)))
    convicted(table, tmp_path, "leaves wrongly")
    peer = table.peers[2]
    entries = [open_entry(raw) for raw in peer.journal]
    (word,) = (entry for entry in entries if isinstance(entry.body.payload, Depart))
    (leave,) = (entry for entry in entries if isinstance(entry.body.payload, Leave))
    turned = [other.raw for entry in entries for other in ((word, leave) if entry is leave else (entry,))
              if entry is not word]  # fmt: skip
    verdict = judge(table.charter, [(number, 0, raw) for number, raw in enumerate(turned, 1)])
    assert (verdict.blame, verdict.offences[0].exhibits[0].raw) == (CHEAT, leave.raw)


def own_leave(node: Cheater) -> bytes:
    """It lets itself go."""
    return node.sign(node.body(node.keeper.leave()))


def foreign_leave(node: Cheater) -> bytes:
    """It wrote the leave of another seat itself."""
    return node.sign(replace(node.body(node.keeper.leave()), seat=2))


@pytest.mark.parametrize("brings", [own_leave, foreign_leave, lambda node: b"no entry"])
def test_c41_lets_somebody_depart_by_what_is_no_leave(brings: Callable[[Cheater], bytes], tmp_path: Path) -> None:
    """A clerk's word brings the leave along, so nobody can say it of one who has not got up."""

    def word(node: Cheater) -> Depart | None:
        return Depart(brings(node)) if isinstance(node.table.step, DecideStep) else None

    convicted(play(cheater(intrusion=word)), tmp_path, "lets somebody depart by what is no")


def spoken_for(times: int) -> Simulation:
    """A table of four at which seat 2 gets up, and the cheat, which is not the clerk, says so many times that it may
    depart."""

    class Eager(cheater()):  # type: ignore[misc]
        said = 0

        def _go_on(self, now: float) -> Any:
            owing = self.table.departures.owing
            while owing and self.said < times:
                self.said += 1
                self.cheated_at = self.table.number
                self._contribute(Depart(self.table.departures.leaves[owing[0]][0].raw), now)
            return super()._go_on(now)

    table = Simulation(3, 4, nodes={CHEAT: Eager})
    table.start()
    table.run_until(lambda: isinstance(table.peers[0].node.table.step, DecideStep))
    table.rise(2)
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    return table


def test_c41_lets_somebody_depart_twice(tmp_path: Path) -> None:
    """One word is enough; each brings a leave along, so many would fill a disk."""
    table = spoken_for(2)
    cheat = table.peers[CHEAT].node
    assert isinstance(cheat, Cheater)
    for seat in (0, 3):
        (accused,) = table.peers[seat].heard(tell.Accused)
        assert (accused.seat, accused.step, accused.reason) == (CHEAT, cheat.cheated_at, "lets somebody depart twice")
        assert audit(table.write(seat, tmp_path / f"{seat}.p2puno")).blame == CHEAT


def test_c41_the_word_of_a_seat_that_is_not_the_clerk_ends_nothing(tmp_path: Path) -> None:
    """What it says too early or in the clerk's place changes nothing, as all wait for the clerk."""
    table = spoken_for(1)
    nobody_accused(table)
    assert table.peers[CHEAT].node.said  # type: ignore[attr-defined]
    assert len({table.peers[seat].node.table.state() for seat in (0, 1, 3)}) == 1
    assert audit(table.write(3, tmp_path / "journal.p2puno")).exit_code == 0


def test_c41_lets_somebody_depart_who_owes_nothing(tmp_path: Path) -> None:
    """Seat 0, the clerk, must wait until the one who got up is needed."""

    def hasty(node: Cheater) -> Any:
        table = node.table
        leaves = 2 in table.departures.leaves and 2 not in table.departures.owing
        return Depart(table.departures.leaves[2][0].raw) if leaves else None

    for seed in range(20):
        table = Simulation(seed, 3, nodes={0: cheater(intrusion=hasty)})
        table.start()
        clerk = table.peers[0].node
        assert isinstance(clerk, Cheater)
        table.run_until(lambda: isinstance(clerk.table.step, DecideStep) and clerk.table.waiting == (1,))  # noqa: B023
        table.rise(2)
        table.run_until(lambda: clerk.cheated_at >= 0 or table.peers[1].closed)  # noqa: B023
        if clerk.cheated_at >= 0:
            table.run_until(lambda: table.peers[1].closed)  # noqa: B023
            (accused,) = table.peers[1].heard(tell.Accused)
            assert (accused.seat, accused.step) == (0, clerk.cheated_at)
            verdict = audit(table.write(1, tmp_path / "1.p2puno"))
            assert (verdict.exit_code, verdict.blame) == (3, 0)
            return
    raise AssertionError("whoever got up was always needed")


def heroes(seed: int, reached: Callable[[Simulation], bool]) -> Simulation | None:
    """A table of heroes that got so far, or None if it ended before."""
    table = Simulation(seed, 4, Rules.make("dc", heroes=HEROES))
    table.start()
    table.run_until(lambda: reached(table) or table.peers[0].closed)
    return None if table.peers[0].closed else table


def goes_on_without(table: Simulation, leaver: int, folder: Path) -> None:
    """The seat gets up; all others end the table with the same state, and nobody is blamed."""
    table.rise(leaver)
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    nobody_accused(table)
    stay = [peer.node.table for seat, peer in enumerate(table.peers) if seat != leaver]
    assert len({own.state() for own in stay}) == 1
    assert audit(table.write((leaver + 1) % 4, folder / "journal.p2puno")).exit_code == 0


def test_r56_leaving_while_another_looks_at_cards(tmp_path: Path) -> None:
    """Cards that are put back after the leave would be stock that it gave no shares of: it waits for a better moment,
    and is no cheat."""

    def looking(table: Simulation) -> bool:
        need = table.peers[0].node.table.step.need
        return isinstance(need, Decide) and need.ask in (Ask.ORDER, Ask.SWAP)

    table = next(table for seed in range(LOOKING, 60) if (table := heroes(seed, looking)))
    need = table.peers[0].node.table.step.need
    assert isinstance(need, Decide)
    goes_on_without(table, (need.seat + 1) % 4, tmp_path)


def test_r56_an_eliminated_seat_leaves(tmp_path: Path) -> None:
    """It had only shares to give; the game knows it as out already."""

    def out(table: Simulation) -> list[int]:
        game = table.peers[0].node.table.game
        return [seat for seat in range(4) if not game.plays(seat)] if game and game.turn >= 0 else []

    table = next(table for seed in range(OUT, 60) if (table := heroes(seed, lambda table: bool(out(table)))))
    goes_on_without(table, out(table)[0], tmp_path)


def test_c41_a_leaver_with_two_stories_frames_no_clerk(tmp_path: Path) -> None:
    """To the clerk it says that it leaves, to the other its word of the window and then that it leaves: the clerk lets
    it depart in good faith. Whatever becomes of the table, nobody blames the clerk."""

    def trick(node: Cheater, body: Body) -> Any:
        step = node.table.step
        if not isinstance(step, WindowStep) or len(step.authors) < 3:
            return None
        word = node.sign(body)
        leaving = replace(body, payload=node.keeper.leave())
        second = node.sign(replace(leaving, seq=body.seq + 1, prev=entry_hash(word)))
        return [(0, node.sign(leaving)), (2, word), (2, second)]

    table = play(cheater(trick), seeds=[5])
    for seat in (0, 2):
        assert {accused.seat for accused in table.peers[seat].heard(tell.Accused)} <= {CHEAT}
        verdict = audit(table.write(seat, tmp_path / f"{seat}.p2puno"))
        assert {offence.seat for offence in verdict.offences} <= {CHEAT}
