"""Seeded tables of nodes on a heap: links with delay that break and heal, players that are bots, no sockets and no
real time. The same seed gives the same table, frame by frame."""

from __future__ import annotations

import hashlib
import heapq
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2puno.bots import Bot, random_legal, sensible
from p2puno.moves import Challenge, Move, MoveError, Play
from p2puno.needs import Decide, Say, Window
from p2puno.rules import Rules
from p2puno.view import View, legal
from protocol import events as tell
from protocol.identity import Identity
from protocol.journal import Journal
from protocol.lobby import pack_files
from protocol.messages import FORMAT, Charter, Place
from protocol.node import Node
from protocol.signals import (
    Close,
    Decided,
    Effect,
    Event,
    Forget,
    LinkDown,
    LinkUp,
    Received,
    Remember,
    Rising,
    Send,
    Spoken,
    Store,
    Tell,
    Tick,
    Wake,
)


class Daring:
    """A player that plays a Wild Draw Four or a Bat Signal whenever it can, and challenges every Wild Draw Four."""

    def __init__(self, dice: random.Random) -> None:
        self.other = random_legal(dice)

    def __call__(self, view: View, /) -> Move:
        kinds = view.rules.pack.kinds
        for move in legal(view):
            if isinstance(move, Challenge):
                return move
            if isinstance(move, Play) and kinds[move.face].effect in ("wild_draw_four", "bat_signal"):
                return move
        return self.other(view)

    def say(self, view: View, /) -> Say:
        return self.other.say(view)


Told = TypeVar("Told", bound=tell.Event)
MakeNode = Callable[[Identity, Charter, Callable[[int], bytes]], Node]


@dataclass
class Peer:
    """One seat in the simulation: its node, its journal, and what its face was told."""

    node: Node
    bot: Bot
    journal: list[bytes] = field(default_factory=list)
    told: list[tell.Event] = field(default_factory=list)
    closed: bool = False
    seeds: dict[bytes, bytes] = field(default_factory=dict)  # the secrets on its disk
    dead: bool = False  # its process is killed
    lives: int = 0  # how often it was started again

    def heard(self, kind: type[Told]) -> list[Told]:
        """What the face was told of one kind."""
        return [event for event in self.told if isinstance(event, kind)]


class Simulation:
    """A table of nodes that talk over delayed, ordered links."""

    def __init__(
        self,
        seed: int,
        players: int,
        rules: Rules | None = None,
        bot: str = "sensible",
        bot_options: dict[str, bool] | None = None,
        pace: float = 0.2,
        tamper: Callable[[int, int, bytes], list[bytes]] | None = None,
        names: tuple[str, ...] = (),
        nodes: Mapping[int, MakeNode] | None = None,
        unlinked: frozenset[tuple[int, int]] = frozenset(),
        delay: float = 0.01,
        burst: float = 0.0,
        twice: float = 0.0,
    ) -> None:
        """`tamper(from, to, frame)` may replace a frame on its way: what anybody on a link could send. `nodes`: seats
        that run another program. `unlinked`: pairs (lower seat first) that never have a link. A frame takes up to
        `delay` seconds; with `burst` a link delivers only so often, with `twice` some frames come again later."""
        self.seed = seed
        self.rng = random.Random(seed)
        self.now = 0.0
        self.pace = pace
        self.tamper = tamper or (lambda sender, receiver, frame: [frame])
        self.delay, self.burst, self.twice = delay, burst, twice
        self.frames = 0
        self._trace = hashlib.sha256()
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._arrival: dict[tuple[int, int], float] = {}
        self._up: dict[tuple[int, int], int] = {}  # by pair: which link it is that they have
        self._links = 0
        self.unlinked = unlinked
        rules = rules or Rules.make("batman")
        names = names or tuple(f"P{i}" for i in range(players))
        self.identities = [
            Identity(Ed25519PrivateKey.from_private_bytes(self.rng.randbytes(32))) for _ in range(players)
        ]
        places = tuple(
            Place(identity.public, name, True, "", 0, ()) for identity, name in zip(self.identities, names, strict=True)
        )
        self.charter = Charter(FORMAT, rules.encode(), pack_files(rules), places, self.rng.randbytes(32))
        bots = {"sensible": sensible, "random": random_legal, "daring": Daring}
        self.peers = []
        for seat, identity in enumerate(self.identities):
            make = (nodes or {}).get(seat, Node)
            node = make(identity, self.charter, random.Random(f"{seed}/{seat}").randbytes)
            player = bots[bot](random.Random(f"{seed}:{seat}"), **(bot_options or {}))
            self.peers.append(Peer(node, player))

    # -- results ------------------------------------------------------------------------------------------------------

    @property
    def trace(self) -> str:
        """A hash over every frame that arrived, with its time and its way."""
        return self._trace.hexdigest()

    def write(self, seat: int, path: Path) -> Path:
        """The journal of a seat as a file."""
        journal = Journal(path, self.charter)
        for entry in self.peers[seat].journal:
            journal.append(entry)
        journal.close()
        return path

    # -- running ------------------------------------------------------------------------------------------------------

    def at(self, time: float, action: Callable[[], None]) -> None:
        """Do something at a time."""
        self._count += 1
        heapq.heappush(self._heap, (time, self._count, action))

    def run(self, limit: float = 5000.0) -> None:
        """Run until every node has closed.

        :raises AssertionError: it does not come to an end in so many seconds of its own clock
        """
        self.start()
        while self._heap and not all(peer.closed or peer.dead for peer in self.peers):
            self.step(limit)
        assert all(peer.closed or peer.dead for peer in self.peers), "the table is stuck"

    def run_until(self, condition: Callable[[], bool], limit: float = 5000.0) -> None:
        """Run on (after `start`) until something holds; raises AssertionError as `run` does."""
        while not condition():
            assert self._heap, "the table is stuck"
            self.step(limit)

    def start(self) -> None:
        """Start all nodes and link them."""
        for seat, peer in enumerate(self.peers):
            self.perform(seat, peer.node.start(0.0))
        for a, b in self._pairs():
            if (a, b) not in self.unlinked:
                self.link(a, b)

    def step(self, limit: float) -> None:
        """Do what comes next."""
        self.now, _, action = heapq.heappop(self._heap)
        assert self.now < limit, "the table does not end"
        action()

    def _pairs(self) -> list[tuple[int, int]]:
        seats = range(len(self.peers))
        return [(a, b) for a in seats for b in seats if a < b]

    def link(self, a: int, b: int) -> None:
        """Two seats have a link from now on, a new one if they had one."""
        self._links += 1
        self._up[min(a, b), max(a, b)] = self._links
        self.feed(a, LinkUp(b))
        self.feed(b, LinkUp(a))

    def cut(self, a: int, b: int) -> None:
        """The link of two seats is gone, and whatever is on its way over it."""
        if self._up.pop((min(a, b), max(a, b)), None) is not None:
            self.feed(a, LinkDown(b, "cut"))
            self.feed(b, LinkDown(a, "cut"))

    def feed(self, seat: int, event: Event) -> None:
        """Give a node an event."""
        peer = self.peers[seat]
        if not peer.closed and not peer.dead:
            self.perform(seat, peer.node.handle(event, self.now))

    def _tick(self, seat: int, life: int) -> None:
        if self.peers[seat].lives == life:
            self.feed(seat, Tick())

    def crash(self, seat: int, after: int | None = None) -> None:
        """Kill the process of a seat: its links break, and of its memory nothing is left. `after`: how many entries of
        its journal are on the disk, if not all."""
        peer = self.peers[seat]
        peer.dead = True
        peer.lives += 1
        if after is not None:
            del peer.journal[after:]
        for other in range(len(self.peers)):
            if other != seat:
                self.cut(seat, other)

    def restart(self, seat: int) -> None:
        """Start a killed seat again from its journal and secrets, and link it to all that live."""
        peer = self.peers[seat]
        if not peer.dead or peer.closed:
            return
        peer.dead = False
        dice = random.Random(f"{self.seed}/{seat}/{peer.lives}")
        peer.node = Node(self.identities[seat], self.charter, dice.randbytes, peer.seeds)
        self.perform(seat, peer.node.resume(list(peer.journal), self.now))
        for other, them in enumerate(self.peers):
            pair = min(seat, other), max(seat, other)
            if other != seat and not (them.dead or them.closed) and pair not in self.unlinked:
                self.link(seat, other)

    def rise(self, seat: int) -> None:
        """The player gets up."""
        self.feed(seat, Rising())

    def perform(self, seat: int, effects: list[Effect]) -> None:
        """Do what a node says."""
        peer = self.peers[seat]
        for effect in effects:
            match effect:
                case Store(entry):
                    peer.journal.append(entry)
                case Remember(seeds):
                    peer.seeds = dict(seeds)
                case Forget():
                    peer.seeds = {}
                case Send(to, frame):
                    for other in range(len(self.peers)):
                        if other != seat and to in (None, other):
                            for sent in self.tamper(seat, other, frame):
                                self._carry(seat, other, sent)
                case Tell(event):
                    peer.told.append(event)
                    if isinstance(event, tell.YourTurn):
                        delay = self.pace * (0.5 + self.rng.random())
                        step = peer.node.table.number
                        self.at(self.now + delay, lambda step=step: self._play(seat, step))  # type: ignore[misc]
                case Wake(at):
                    self.at(at, lambda life=peer.lives: self._tick(seat, life))  # type: ignore[misc]
                case Close():
                    peer.closed = True
                    for other in range(len(self.peers)):  # its program ends
                        if other != seat:
                            self.at(self.now + self.delay, lambda other=other: self.cut(seat, other))  # type: ignore[misc]

    def _carry(self, sender: int, receiver: int, frame: bytes) -> None:
        pair = min(sender, receiver), max(sender, receiver)
        link = self._up.get(pair)
        if link is None:
            return
        self.frames += 1
        times = 2 if self.twice and self.rng.random() < self.twice else 1
        for _ in range(times):
            arrival = self.now + 0.001 + self.delay * self.rng.random()
            if self.burst:
                arrival = self.burst * (1 + arrival // self.burst)
            arrival = max(arrival, self._arrival.get((sender, receiver), 0.0) + 1e-6)  # a link keeps its order
            self._arrival[sender, receiver] = arrival
            self.at(arrival, lambda: self._arrive(sender, receiver, frame, link))

    def _arrive(self, sender: int, receiver: int, frame: bytes, link: int) -> None:
        if self._up.get((min(sender, receiver), max(sender, receiver))) == link:
            self._trace.update(f"{self.now:.6f} {sender} {receiver} ".encode() + frame)
            self.feed(receiver, Received(sender, frame))

    def _play(self, seat: int, step: int) -> None:
        peer = self.peers[seat]
        node = peer.node
        if peer.closed or peer.dead or node.table.number != step or not node.my_turn:
            return
        seen = node.view()
        assert seen is not None
        need = node.table.step.need
        try:
            if isinstance(need, Decide):
                self.feed(seat, Decided(peer.bot(seen)))
            elif isinstance(need, Window):
                self.feed(seat, Spoken(peer.bot.say(seen)))
        except MoveError as bad:
            raise AssertionError(f"a bot made a bad move: {bad}") from bad
