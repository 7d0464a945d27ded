"""One seeded table with faults: links that break, seats that are cut off, killed and started again, that leave, or that
never come back. One seat at a time is at fault, as the table promises to survive (docs/absence.md)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from p2puno.outcome import Ending
from p2puno.rules import Rules
from protocol import audit as machine
from protocol import events as tell
from protocol.onlooker import Onlooker
from protocol.signals import Effect
from tests.protocol.readings import audit
from tests.protocol.simulator import MakeNode, Simulation

HEROES = {
    "dc": ("aquaman", "green_lantern", "superman", "wonder_woman"),
    "marvel": ("shuri", "black_widow", "hulk", "captain_america"),
}
OFTEN = (12, 25, 15, 5, 1, 1, 1, 1, 1)
"""How often a table has 2 to 10 seats, where the game allows it: one of ten costs as much as ten of three."""
LONG = 300.0
"""Seconds after which a fault has either healed or ended in a removal."""


@dataclass
class Report:
    """What happened at one table."""

    variant: str
    players: int
    faults: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    absences: int = 0
    endings: Counter[str] = field(default_factory=Counter)


class Storm(Simulation):
    """A simulated table under the weather of its seed."""

    def __init__(
        self,
        seed: int,
        most: int = 10,
        fewest: int = 2,
        villain: Callable[[random.Random, int], tuple[int, MakeNode]] | None = None,
        **options: int,
    ) -> None:
        """`villain`: of the dice and the number of players, a seat that runs another program. `options`: more rules."""
        self.dice = dice = random.Random(f"storm {seed}")
        variant = dice.choice(("batman", "dbz", "dc", "marvel"))
        if variant in HEROES:
            players = min(most, max(fewest, dice.randint(2, 4)))
            rules = Rules.make(variant, heroes=dice.sample(HEROES[variant], players), **options)
        else:
            players = min(most, max(fewest, dice.choices(range(2, 11), OFTEN)[0]))
            rules = Rules.make(
                variant,
                hand_size=dice.choice((5, 7)),
                hands=dice.choice((1, 1, 2)),
                stacking=dice.random() < 0.2,
                seven_zero=dice.random() < 0.2,
                force_play=dice.random() < 0.2,
                grace_seconds=dice.choice((15, 90)),
                **options,
            )
        super().__init__(
            seed,
            players,
            rules,
            bot=dice.choice(("sensible", "random", "daring")),
            delay=dice.choice((0.005, 0.05, 0.4)),
            burst=dice.choice((0.0, 0.0, 0.3)),
            twice=dice.choice((0.0, 0.05)),
            nodes=dict([villain(dice, players)]) if villain is not None else None,
        )
        self.report = Report(variant, players)
        self.left: set[int] = set()  # seats that got up, or died for good
        self.shaken: set[int] = set()  # seats that were at fault at some time
        self._faulty = -1
        self._until = 0.0
        self._doom: dict[int, int] = {}  # by seat, after how many more effects it is killed

    # -- faults -------------------------------------------------------------------------------------------------------

    @property
    def calm(self) -> bool:
        """Whether a new fault would be the only one: nobody is absent, or about to be, and an escrow holds."""
        if self._faulty >= 0 and self.now < self._until:
            return False
        here = [peer for seat, peer in enumerate(self.peers) if not peer.closed and seat not in self.left]
        tables = [peer.node.table for peer in here]
        if any(peer.dead or peer.node._listening for peer in here):
            return False
        if len({len(table.present) for table in tables}) > 1:
            return False
        return all(
            not table.absence.since
            and not table.departures.leaves.keys() & set(table.present)
            and (table.escrow is not None or not table.escrowed)
            and table.number + 3 >= max(other.number for other in tables)
            for table in tables
        )

    def trouble(self) -> None:
        """Bring a fault about if the table is calm, and come again."""
        if all(peer.closed or peer.dead for peer in self.peers):
            return
        self.at(self.now + self.dice.expovariate(1 / 4), self.trouble)
        if not self.calm:
            return
        self._faulty = -1
        kind = self.dice.choice(("pair", "pair", "isolate", "crash", "crash", "die", "leave", "flap"))
        here = [seat for seat, peer in enumerate(self.peers) if not peer.closed and seat not in self.left]
        if len(here) < 3 and kind in ("die", "leave", "isolate"):
            kind = "pair"
        if kind in ("die", "leave") and self.dice.random() < 0.6:
            kind = "crash"
        if not here or (len(here) < 3 and kind == "pair" and len(here) < 2):
            return
        seat = self.dice.choice(here)
        if kind in ("isolate", "crash", "die", "leave") and not self._linked(set(here) - {seat}):
            return  # another one would be cut off, too
        self.report.faults[kind] += 1
        getattr(self, f"_{kind}")(seat, here)

    def _linked(self, seats: set[int]) -> bool:
        """Whether each of these seats reaches all others of them over their links."""
        reached, left = set(), seats
        new = {min(seats)} if seats else set()
        while new:
            reached, left = reached | new, left - new
            new = {seat for seat in left for other in reached if (min(seat, other), max(seat, other)) in self._up}
        return not left

    def _pair(self, seat: int, here: list[int]) -> None:
        """Two seats lose their link for a while; the others bridge it."""
        other = self.dice.choice([other for other in range(len(self.peers)) if other != seat])
        self.cut(seat, other)
        seconds = self.dice.choice((0.2, 3.0, 40.0)) if len(here) > 2 else self.dice.choice((0.2, 3.0))
        if len(here) < 4:  # nobody is left to bridge it if another one is silent
            self._faulty, self._until = seat, self.now + seconds + 10.0
        self.at(self.now + seconds, lambda: self._mend(seat, other))

    def _flap(self, seat: int, here: list[int]) -> None:
        for other in here:
            if other != seat:
                self.cut(seat, other)
                self._mend(seat, other)

    def _mend(self, seat: int, other: int) -> None:
        peers = self.peers[seat], self.peers[other]
        if not any(peer.dead or peer.closed for peer in peers) and (min(seat, other), max(seat, other)) not in self._up:
            self.link(seat, other)

    def _isolate(self, seat: int, here: list[int]) -> None:
        """A seat loses all its links for a while."""
        seconds = self.dice.choice((1.0, 12.0, 30.0, 150.0))
        self._at_fault(seat, seconds)
        for other in range(len(self.peers)):
            if other != seat:
                self.cut(seat, other)
                self.at(self.now + seconds, lambda other=other: self._mend(seat, other))  # type: ignore[misc]

    def _crash(self, seat: int, here: list[int]) -> None:
        """A process is killed after some more of its effects, and started again."""
        seconds = self.dice.choice((0.1, 2.0, 8.0, 30.0, 120.0))
        self._at_fault(seat, seconds + 30.0)
        self._doom[seat] = self.dice.randrange(12)
        self.at(self.now + seconds + 15.0, lambda: self._revive(seat))

    def _revive(self, seat: int) -> None:
        if self._doom.pop(seat, None) is not None:  # it had nothing to do meanwhile
            return
        self.restart(seat)

    def _die(self, seat: int, here: list[int]) -> None:
        self.left.add(seat)
        self._at_fault(seat, LONG)
        self._doom[seat] = self.dice.randrange(12)

    def _leave(self, seat: int, here: list[int]) -> None:
        self.left.add(seat)
        self._at_fault(seat, 20.0)
        self.rise(seat)

    def _at_fault(self, seat: int, seconds: float) -> None:
        self._faulty, self._until = seat, self.now + seconds
        self.shaken.add(seat)

    def perform(self, seat: int, effects: list[Effect]) -> None:
        """As the simulation does it, but a doomed process is killed in the middle."""
        for effect in effects:
            if self.peers[seat].dead:
                return
            if seat in self._doom:
                self._doom[seat] -= 1
                if self._doom[seat] < 0:
                    del self._doom[seat]
                    self.crash(seat)
                    return
            super().perform(seat, [effect])

    # -- the whole table ----------------------------------------------------------------------------------------------

    def weather(self, folder: Path, look: Callable[[Storm], None] = lambda storm: None) -> Report:
        """Run the table to its end and judge it.

        :raises AssertionError: it is stuck, somebody honest is blamed, seats disagree, or something signed was lost
        """
        self.play()
        look(self)
        assert self._ended(), "the table is stuck"
        self.judge(folder)
        return self.report

    def play(self) -> None:
        """Run the table to its end, or until nothing happens any more."""
        self.at(self.dice.random() * 3, self.trouble)
        self.start()
        while self._heap and not self._ended():
            self.step(5_000.0)

    def _forfeit(self, seat: int) -> bool:
        scored = self.peers[seat].node.table.scored
        return bool(scored) and scored[-1].outcome.ending is Ending.FORFEIT

    def _ended(self) -> bool:
        return all(peer.closed or (peer.dead and seat in self.left) for seat, peer in enumerate(self.peers))

    def judge(self, folder: Path) -> None:
        """What must hold when a table has ended."""
        states: set[str] = set()
        results: set[object] = set()
        finished = 0
        twice = self.dice.randrange(len(self.peers))  # whose journal both readings look at
        read = {twice} | self.shaken
        for seat, peer in enumerate(self.peers):
            assert not peer.heard(tell.Accused), f"seat {seat} blames {peer.heard(tell.Accused)}"
            # Of two, each may say that the other did not come back.
            if peer.heard(tell.MatchOver) and not self._forfeit(seat):
                result = peer.heard(tell.MatchOver)[-1]  # who starts again hears it again
                if seat not in self.shaken:  # who lost its links at the end may not know that it was called absent
                    results.add((result.winner, result.scores))
                    states.add(peer.node.table.state().hex())
            if seat not in read:  # a stranger reads some of the journals, and all that had trouble
                assert peer.heard(tell.MatchOver) or len(peer.node.table.present) < 3
                continue
            reads = audit if seat == twice else machine.audit
            verdict = reads(self.write(seat, folder / f"{self.seed}-{seat}.p2puno"))
            over = bool(peer.heard(tell.MatchOver))
            finished += over
            self.report.endings["finished" if over else "unfinished"] += 1
            ends = {0} if over else {5, 0} if peer.dead else {5}  # who was killed may have had everything
            assert verdict.exit_code in ends, f"seat {seat}: {verdict.problem} ({verdict.where})"
            if over:
                assert verdict.state_hash == peer.node.table.state().hex(), f"seat {seat} differs from its journal"
                self.report.absences = max(self.report.absences, len(verdict.absences))
            elif seat not in self.shaken:  # who never had trouble ends with a result, if three sat there
                table = peer.node.table
                assert len(table.present) < 3, f"seat {seat}: {peer.heard(tell.Abandoned)}"
            self.report.steps = max(self.report.steps, peer.node.table.number)
        assert len(states) <= 1, "the seats have ended in different states"
        assert len(results) <= 1, "the seats have ended with different results"
        calm = [seat for seat, peer in enumerate(self.peers) if seat not in self.shaken and not self._forfeit(seat)]
        ended = [seat for seat in calm if self.peers[seat].heard(tell.MatchOver)]
        if ended:
            self._watch(self.dice.choice(ended))

    def _watch(self, seat: int) -> None:
        """Who watched by some seat, and when that was gone by this one, has seen the same table."""
        first = self.peers[self.dice.randrange(len(self.peers))].journal
        if any(map(self._forfeit, range(len(self.peers)))):
            return  # of two, each may say that the other did not come back: two ends
        onlooker = Onlooker(self.charter)
        for raw in [*first[: self.dice.randrange(len(first) + 1)], *self.peers[seat].journal]:
            onlooker.take(raw, 0.0)
        onlooker.conclude(0.0)
        table = self.peers[seat].node.table
        assert not onlooker.table.convicted, "a watcher blames somebody"
        assert (onlooker.table.row, onlooker.table.state()) == (table.row, table.state()), (
            "a watcher sees another table"
        )
