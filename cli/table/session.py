"""What the face needs of a table; `protocol.net.driver` has it, tests have one of their own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol, TypeAlias

import trio

from p2puno.moves import Move
from p2puno.needs import Say
from p2puno.rules import Rules
from p2puno.view import View
from protocol.events import Event, Phase, Player


class Scene(Protocol):
    """What there is to be seen of a table at one moment, live or in a replay."""

    @property
    def view(self) -> View | None:
        """The running hand as our seat (in a replay: a watcher) sees it; None before the deal."""

    @property
    def seat(self) -> int:
        """Our seat, -1 before the roster is agreed."""

    @property
    def players(self) -> tuple[Player, ...]:
        """Who sits where."""

    @property
    def rules(self) -> Rules | None:
        """The rules agreed, or None as long as they are not."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals of the match by seat."""

    @property
    def hand(self) -> int:
        """Which hand is played, counted from 1."""


class Session(Scene, Protocol):
    """One seat at one table."""

    @property
    def events(self) -> trio.MemoryReceiveChannel[Event]:
        """All that happens, in order; the channel ends when the table is closed."""

    @property
    def phase(self) -> Phase:
        """Where the table stands."""

    @property
    def my_turn(self) -> bool:
        """Whether the table waits for an answer of ours now."""

    @property
    def journal(self) -> Path | None:
        """The file that all this is written to."""

    @property
    def turns(self) -> int:
        """Turns begun so far."""

    @property
    def steps(self) -> int:
        """Steps completed so far."""

    @property
    def leavers(self) -> tuple[int, ...]:
        """The seats that got up, as far as is known here: also those without which the table does not go on yet."""

    @property
    def time_left(self) -> float | None:
        """Seconds until the one who must decide is out of time, the bank included; None if that is not known here."""

    @property
    def setup_seconds(self) -> float:
        """From the full table to the first move."""

    @property
    def seconds(self) -> float:
        """From the full table to now or to its end."""

    @property
    def state_hash(self) -> str:
        """Hash of the public state, in hex: the same at every seat; "" before there is one."""

    def decide(self, move: Move) -> None:
        """Make a move. Raises MoveError, and nothing was signed."""

    def say(self, say: Say) -> None:
        """Say something in an UNO window. Raises MoveError, and nothing was signed."""

    @property
    def company(self) -> tuple[int, ...]:
        """The places in `players` of the other people: bots do not talk."""

    @property
    def muted(self) -> tuple[int, ...]:
        """The places in `players` of whom nothing is heard."""

    def chat(self, text: str) -> None:
        """Say a text to everybody here. Raises NotSaid."""

    def phrase(self, number: int) -> None:
        """Say a quick phrase, counted from 1. Raises NotSaid."""

    def mute(self, seat: int, quiet: bool = True) -> None:
        """Hear no more of the player at this place of `players`, or again."""

    def leave(self) -> None:
        """Leave politely: the events end soon."""

    def prepare(self, hero: str | None = None, seat: int | None = None, ready: bool | None = None) -> None:
        """Before the start: ask for another hero or seat, or say whether we are ready."""

    def start(self) -> None:
        """Before the start, the creator: begin without the free seats."""

    def add_bot(self) -> None:
        """Before the start, the creator: let a bot take a free seat."""

    def accept_packs(self, yes: bool) -> None:
        """Answer `PacksOffered`."""


OpenTable: TypeAlias = Callable[[], AbstractAsyncContextManager[Session]]
"""Sits down at a table; leaving the context gets up and closes every link."""
