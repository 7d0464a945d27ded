"""A table that is watched, as the face reads it: like a session at a seat, except that nothing can be done."""

from __future__ import annotations

import contextlib
import math
from dataclasses import replace
from pathlib import Path
from typing import Final

import trio

from p2puno.moves import Move, MoveError
from p2puno.needs import Say
from p2puno.rules import Rules
from p2puno.said import said
from p2puno.view import View
from protocol.errors import NotSaid
from protocol.events import Event, Phase, Player
from protocol.journal import Journal
from protocol.lobby import players
from protocol.net.files import new_journal
from protocol.net.preparing import Preparing
from protocol.onlooker import NOBODY, Onlooker
from protocol.signals import Close, Effect, Store, Tell

NO_SEAT: Final = said("you watch this table: nothing can be played")


class Watched(Preparing):
    """What an onlooker makes of the table, its journal, and the events for the face, which end with the table. Before
    the start there is nothing to watch, so nothing can be prepared."""

    seat = NOBODY
    company: tuple[int, ...] = ()  # nobody talks with us
    muted: tuple[int, ...] = ()
    setup_seconds = 0.0
    my_turn = False

    def __init__(self, journal_dir: Path, mark: str) -> None:
        super().__init__()
        """`mark`: tells our journal from that of another one who watches the same table."""
        self._send_event, self.events = trio.open_memory_channel[Event](math.inf)
        self.journal: Path | None = None
        self.failure: Exception | None = None  # a fault of ours that ended it
        self._journal_dir, self._mark = journal_dir, mark
        self._onlooker: Onlooker | None = None
        self._journal: Journal | None = None
        self._began = trio.current_time()
        self._finished = 0.0
        self._closed = trio.Event()

    @property
    def view(self) -> View | None:
        """The running hand as everybody sees it; None before its keys are made."""
        return self._onlooker.view() if self._onlooker else None

    @property
    def rules(self) -> Rules | None:
        """The agreed rules."""
        return self._onlooker.table.rules if self._onlooker else None

    @property
    def players(self) -> tuple[Player, ...]:
        """Everybody at the table by seat; whoever is absent is not here."""
        if self._onlooker is None:
            return ()
        table = self._onlooker.table
        return tuple(
            replace(player, here=seat not in table.absence.since) for seat, player in enumerate(players(table.roster))
        )

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of the match so far, by seat."""
        return self._onlooker.table.scores if self._onlooker else ()

    @property
    def hand(self) -> int:
        """The running hand, counted from 1; 0 before the first."""
        return self._onlooker.table.hand if self._onlooker else 0

    @property
    def time_left(self) -> float | None:
        """Seconds until the one who must decide is out of time, the bank included, by our own clock; None if that is
        not known here."""
        left = self._onlooker.deadline - trio.current_time() if self._onlooker else math.inf
        return left if left < math.inf else None

    @property
    def phase(self) -> Phase:
        """Where the table stands."""
        return self._onlooker.table.phase if self._onlooker else Phase.LOBBY

    @property
    def turns(self) -> int:
        """Turns begun so far, all hands."""
        return self._onlooker.turns if self._onlooker else 0

    @property
    def leavers(self) -> tuple[int, ...]:
        """The seats that got up, as far as is known here."""
        return tuple(sorted(self._onlooker.table.departures.leaves)) if self._onlooker else ()

    @property
    def steps(self) -> int:
        """Steps completed so far, all hands."""
        return self._onlooker.table.number if self._onlooker else 0

    @property
    def seconds(self) -> float:
        """How long we have been watching."""
        return (self._finished or trio.current_time()) - self._began

    @property
    def state_hash(self) -> str:
        """The public state at the running step, in hex; the same as at every seat."""
        return self._onlooker.table.state().hex() if self._onlooker else ""

    def decide(self, move: Move) -> None:
        """:raises MoveError: always"""
        raise MoveError(NO_SEAT)

    def say(self, say: Say) -> None:
        """:raises MoveError: always"""
        raise MoveError(NO_SEAT)

    def chat(self, text: str) -> None:
        """Who watches does not speak. Raises NotSaid."""
        raise NotSaid(said("who watches has no say"), said("sit down at a table to talk"))

    def phrase(self, number: int) -> None:
        """As `chat`. Raises NotSaid."""
        self.chat("")

    def mute(self, seat: int, quiet: bool = True) -> None:
        """Nobody is heard here."""

    def leave(self) -> None:
        """Watch no longer."""
        self.close()

    def close(self) -> None:
        """End the events and the journal."""
        if not self._closed.is_set():
            self._closed.set()
            self._finished = trio.current_time()
            if self._journal is not None:
                self._journal.close()
            self._send_event.close()

    # -- the onlooker's hands -----------------------------------------------------------------------------------------

    def _watch(self, onlooker: Onlooker) -> None:
        """Begin the journal of this table.

        :raises OSError: it cannot be written
        """
        table = onlooker.table
        self._journal = new_journal(self._journal_dir, table.charter, table.rules.variant, f"watched-{self._mark}")
        self.journal = self._journal.path
        self._onlooker = onlooker

    def _perform(self, effects: list[Effect]) -> None:
        """Do what the onlooker says."""
        try:
            for effect in effects:
                if isinstance(effect, Store):
                    assert self._journal is not None
                    self._journal.append(effect.entry)
                elif isinstance(effect, Tell):
                    self._tell(effect.event)
                elif isinstance(effect, Close):
                    self.close()
        except OSError as failure:  # such as a full disk
            self._fail(failure)

    def _fail(self, failure: Exception) -> None:
        """End it, with what went wrong here."""
        self.failure = failure
        self.close()

    def _tell(self, event: Event) -> None:
        with contextlib.suppress(trio.ClosedResourceError, trio.BrokenResourceError):
            self._send_event.send_nowait(event)
