"""Seeded tables of nodes on a heap: links with delay, players that are bots, no sockets and no real time."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2puno.bots import Bot, random_legal, sensible
from p2puno.moves import MoveError
from p2puno.needs import Decide, Window
from p2puno.rules import Rules
from protocol import events as tell
from protocol.identity import Identity
from protocol.messages import PROTOCOL, Charter, Place
from protocol.node import Close, Decided, Effect, Event, LinkUp, Node, Received, Send, Spoken, Store, Tell, Tick, Wake


@dataclass
class Peer:
    """One seat in the simulation: its node, its journal, and what its face was told."""

    node: Node
    bot: Bot
    journal: list[bytes] = field(default_factory=list)
    told: list[tell.Event] = field(default_factory=list)
    closed: bool = False


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
    ) -> None:
        """`tamper(from, to, frame)` may replace a frame on its way: what a cheating program would send."""
        self.rng = random.Random(seed)
        self.now = 0.0
        self.pace = pace
        self.tamper = tamper or (lambda sender, receiver, frame: [frame])
        self.frames = 0
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._arrival: dict[tuple[int, int], float] = {}
        rules = rules or Rules.make("batman")
        identities = [Identity(Ed25519PrivateKey.from_private_bytes(self.rng.randbytes(32))) for _ in range(players)]
        places = tuple(Place(identity.public, f"P{i}", True, "", 0, ()) for i, identity in enumerate(identities))
        self.charter = Charter(PROTOCOL, rules.encode(), places, self.rng.randbytes(32))
        make = {"sensible": sensible, "random": random_legal}[bot]
        self.identities = identities
        self.peers = [
            Peer(Node(identity, self.charter, random.Random(f"{seed}/{i}").randbytes), make(random.Random(f"{seed}:{i}"), **(bot_options or {})))
            for i, identity in enumerate(identities)
        ]

    def at(self, time: float, action: Callable[[], None]) -> None:
        """Do something at a time."""
        self._count += 1
        heapq.heappush(self._heap, (time, self._count, action))

    def run(self, limit: float = 1e5) -> None:
        """Run until every node has closed.

        :raises AssertionError: it does not come to an end
        """
        for seat, peer in enumerate(self.peers):
            self.perform(seat, peer.node.start(0.0))
            for other in range(len(self.peers)):
                if other != seat:
                    self.feed(seat, LinkUp(other))
        while self._heap and not all(peer.closed for peer in self.peers):
            self.now, _, action = heapq.heappop(self._heap)
            assert self.now < limit, "the table does not end"
            action()
        assert all(peer.closed for peer in self.peers), "the table is stuck"

    def feed(self, seat: int, event: Event) -> None:
        """Give a node an event."""
        peer = self.peers[seat]
        if not peer.closed:
            self.perform(seat, peer.node.handle(event, self.now))

    def perform(self, seat: int, effects: list[Effect]) -> None:
        """Do what a node says."""
        peer = self.peers[seat]
        for effect in effects:
            match effect:
                case Store(entry):
                    peer.journal.append(entry)
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
                    self.at(at, lambda: self.feed(seat, Tick()))
                case Close():
                    peer.closed = True

    def _carry(self, sender: int, receiver: int, frame: bytes) -> None:
        self.frames += 1
        arrival = self.now + 0.001 + 0.01 * self.rng.random()
        arrival = max(arrival, self._arrival.get((sender, receiver), 0.0) + 1e-6)  # a link keeps its order
        self._arrival[sender, receiver] = arrival
        self.at(arrival, lambda: self.feed(receiver, Received(sender, frame)))

    def _play(self, seat: int, step: int) -> None:
        peer = self.peers[seat]
        node = peer.node
        if peer.closed or node.table.number != step or not node.my_turn:
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
