"""What can be read of a place at a table, at any time: before there is a node, while it plays, and afterwards."""

from __future__ import annotations

import math
from dataclasses import replace

import trio

from p2puno.view import View
from protocol.events import Phase, Player
from protocol.lobby import players
from protocol.messages import Place
from protocol.node import Node


class Seated:
    """The half of a session that is read; the driver fills it."""

    def __init__(self) -> None:
        super().__init__()
        self._node: Node | None = None
        self._places: tuple[Place, ...] = ()
        self._players: tuple[Player, ...] = ()  # the same as the face shows them, all here
        self._down: set[int] = set()  # seats without a link to us
        self._finished = 0.0
        self.lobby_players: tuple[Player, ...] = ()

    def _sit_with(self, node: Node) -> None:
        """There is a node: its places are those of the table."""
        self._node = node
        self._places = node.table.roster
        self._players = players(self._places)

    @property
    def view(self) -> View | None:
        """The own view of the running hand; None before the first hand's keys are made."""
        return self._node.view() if self._node else None

    @property
    def seat(self) -> int:
        """The own seat; -1 in the lobby."""
        return self._node.seat if self._node else -1

    @property
    def players(self) -> tuple[Player, ...]:
        """Everybody at the table by seat, or in the lobby so far."""
        if self._node is None:
            return self.lobby_players
        return tuple(
            replace(player, here=False) if seat in self._down else player for seat, player in enumerate(self._players)
        )

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of the match so far, by seat."""
        return self._node.table.scores if self._node else ()

    @property
    def hand(self) -> int:
        """The running hand, counted from 1; 0 before the first."""
        return self._node.table.hand if self._node else 0

    @property
    def phase(self) -> Phase:
        """Where the table stands."""
        return self._node.table.phase if self._node else Phase.LOBBY

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose contribution the running step waits for."""
        return self._node.table.waiting if self._node else ()

    @property
    def my_turn(self) -> bool:
        """Whether the player has something to decide or to say now."""
        return self._node is not None and self._node.my_turn

    @property
    def turns(self) -> int:
        """Turns begun so far, all hands."""
        return self._node.turns if self._node else 0

    @property
    def steps(self) -> int:
        """Steps completed so far, all hands."""
        return self._node.table.number if self._node else 0

    @property
    def leavers(self) -> tuple[int, ...]:
        """The seats that got up, as far as is known here: also those without which the table does not go on yet."""
        return tuple(sorted(self._node.table.departures.leaves)) if self._node else ()

    @property
    def time_left(self) -> float | None:
        """Seconds until the one who must decide is out of time, the bank included; None if that is not known here."""
        left = self._node.deadline - trio.current_time() if self._node else math.inf
        return left if left < math.inf else None

    @property
    def setup_seconds(self) -> float:
        """From the charter to the first move of the first hand."""
        return self._node.setup_seconds if self._node else 0.0

    @property
    def seconds(self) -> float:
        """From the charter to now, or to the end."""
        if self._node is None:
            return 0.0
        return (self._finished or trio.current_time()) - self._node.began

    @property
    def state_hash(self) -> str:
        """The public state at the running step, in hex; the same at every seat."""
        return self._node.table.state().hex() if self._node else ""
