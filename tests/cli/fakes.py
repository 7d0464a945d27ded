"""A table without a network: the real rules with the open dealer, and bots that play the other seats.

`FakeSession` has what `cli.table.session.Session` asks for; `run` plays the hands and feeds its events.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import trio

from cli.setup.model import Change, Creator, Prepare
from p2puno.bots import random_legal
from p2puno.dealer import OpenDealer
from p2puno.dealer import Player as Bot
from p2puno.engine import Game, new_game
from p2puno.match import Match
from p2puno.moves import Move
from p2puno.needs import Decide, Over, Said, Say, Window
from p2puno.rules import Rules
from p2puno.view import View, check, view
from protocol.errors import NotSaid
from protocol.events import (
    Chatted,
    Event,
    HandOver,
    Happened,
    LobbyChanged,
    MatchOver,
    Phase,
    PhaseChanged,
    Player,
    YourTurn,
)

NAMES = ("Mia", "Bo", "Cy", "Dot", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jo")


def people(count: int, names: tuple[str, ...] = NAMES, heroes: tuple[str, ...] = ()) -> tuple[Player, ...]:
    """Seat 0 is a person, the others are bots."""
    played = heroes or ("",) * count
    return tuple(Player(names[i], bytes([i]) * 32, bot=i > 0, hero=played[i]) for i in range(count))


class FakeSession:
    """Seat 0 of a table that one process plays alone, with a seed."""

    def __init__(
        self,
        seats: int = 3,
        seed: int = 1,
        names: tuple[str, ...] = NAMES,
        forgetful: bool = False,
        variant: str = "batman",
        heroes: tuple[str, ...] = (),
        **options: int | bool | str,
    ) -> None:
        self.rules: Rules | None = Rules.make(variant, heroes=heroes, **options)
        self.seat = 0
        self.players = people(seats, names, heroes)
        self.scores: tuple[int, ...] = (0,) * seats
        self.hand = 1
        self.phase = Phase.LOBBY
        self.journal: Path | None = None
        self.turns = self.steps = 0
        self.leavers: tuple[int, ...] = ()
        self.setup_seconds = self.seconds = 0.0
        self.time_left: float | None = self.rules.turn_seconds or None
        self.state_hash = "ab" * 32
        self.decided: list[Move] = []
        self.said: list[Say] = []
        self.chatted: list[str | int] = []
        self.muted: tuple[int, ...] = ()
        self.refuses: NotSaid | None = None  # what is answered to who wants to talk
        self.left = False
        self.changes: list[Change] = []  # asked for before the start
        self.accepted: bool | None = None
        self.asking = False  # whether the table waits for an answer of ours
        self.asks = 0  # how often it did
        self._send, self.events = trio.open_memory_channel[Event](1000)
        self._answers, self._wanted = trio.open_memory_channel[Move | Say](10)
        self._dice = Random(seed)
        self._match = Match(self.rules, seats, 0)
        self._game: Game | None = None
        self._dealer: OpenDealer | None = None
        self._bots: list[Bot] = [random_legal(self._dice, forgets=forgetful) for _ in range(seats)]
        self._leaving = trio.Event()

    @property
    def my_turn(self) -> bool:
        return self.asking

    @property
    def view(self) -> View | None:
        return view(self._game, 0) if self._game is not None else None

    def decide(self, move: Move) -> None:
        assert self._game is not None
        check(view(self._game, 0), move)
        self.asking = False
        self.decided.append(move)
        self._answers.send_nowait(move)

    def say(self, say: Say) -> None:
        self.asking = False
        self.said.append(say)
        self._answers.send_nowait(say)

    @property
    def company(self) -> tuple[int, ...]:
        return tuple(n for n, player in enumerate(self.players) if not player.bot and n != self.seat)

    def chat(self, text: str) -> None:
        self._talk(text, Chatted(self.seat, text))

    def phrase(self, number: int) -> None:
        self._talk(number, Chatted(self.seat, "", number))

    def _talk(self, what: str | int, heard: Chatted) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.chatted.append(what)
        self.show(heard)

    def mute(self, seat: int, quiet: bool = True) -> None:
        self.muted = tuple(sorted({*self.muted, seat} if quiet else {*self.muted} - {seat}))

    def accept_packs(self, yes: bool) -> None:
        self.accepted = yes

    def prepare(self, hero: str | None = None, seat: int | None = None, ready: bool | None = None) -> None:
        self.changes.append(Prepare(hero, seat, ready))

    def start(self) -> None:
        self.changes.append(Creator.START)

    def add_bot(self) -> None:
        self.changes.append(Creator.BOT)

    def leave(self) -> None:
        self.left = True
        self._leaving.set()

    def show(self, event: Event) -> None:
        self._send.send_nowait(event)

    def deal(self) -> Game:
        """A game at its first decision."""
        assert self.rules is not None
        self._game = new_game(self.rules, len(self.players), self._match.next_dealer)
        self._dealer = OpenDealer(self.rules, len(self.players), self._dice)
        return self._game

    async def run(self) -> None:
        """Play the match; the events end with it or when the player leaves."""
        async with self._send, trio.open_nursery() as nursery:
            nursery.start_soon(self._play, nursery.cancel_scope)
            await self._leaving.wait()
            nursery.cancel_scope.cancel()

    async def _play(self, scope: trio.CancelScope) -> None:
        self.show(LobbyChanged(self.players, len(self.players), ("127.0.0.1:4242",)))
        while not self._match.over:
            self.hand = self._match.hands_played + 1
            self.phase = Phase.PLAY
            self.show(PhaseChanged(Phase.PLAY, self.hand))
            game = self.deal()
            while not isinstance(game.need, Over):
                await trio.lowlevel.checkpoint()
                self.show(Happened(tuple(await self._step(game))))
                self.steps += 1
            self.phase = Phase.HAND_OVER
            self._match.finish(game.need.outcome)
            self.scores = tuple(self._match.scores)
            self.show(PhaseChanged(Phase.HAND_OVER, self.hand))
            self.show(HandOver(game.need.outcome, self.scores, self.hand))
        self.phase = Phase.CLOSED
        self.show(MatchOver(self._match.winner, self.scores))
        self.show(PhaseChanged(Phase.CLOSED, self.hand))
        scope.cancel()

    async def _ask(self) -> Move | Say:
        self.asking = True
        self.asks += 1
        self.show(YourTurn())
        return await self._wanted.receive()

    async def _step(self, game: Game):  # type: ignore[no-untyped-def]
        assert self._dealer is not None
        need = game.need
        if isinstance(need, Decide):
            if need.seat:
                return game.apply(self._bots[need.seat](view(game, need.seat)))
            self.turns += 1
            answer = await self._ask()
            assert not isinstance(answer, Say)
            return game.apply(answer)
        if isinstance(need, Window):
            says = {seat: self._bots[seat].say(view(game, seat)) for seat in need.seats if seat}
            if 0 in need.seats:
                answer = await self._ask()
                assert isinstance(answer, Say)
                says[0] = answer
            return game.apply(Said(tuple((seat, says[seat]) for seat in need.seats)))
        return self._dealer.serve(game)


@asynccontextmanager
async def playing(session: FakeSession) -> AsyncIterator[FakeSession]:
    """The session with its table running in the background, as `open_host` gives it."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(session.run)
        yield session
        nursery.cancel_scope.cancel()
