"""The lobby in the face that fits, and the tables that are played from it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import trio

from cli.children import Children, bot_names
from cli.faces import Face, console, in_lines, shown
from cli.history.browse import browse, show_again
from cli.lobby.intent import Browse, Go, Intent, Open, Quit, Replay, Resume
from cli.lobby.lines import LineLobby
from cli.lobby.model import Lobby
from cli.lobby.pages import page
from cli.reach import anywhere, join_lines
from cli.seat import Seating, known_path, played
from cli.speak import Speech
from cli.tables import Place, hosted, joined, resumed
from cli.text import visible
from cli.theme import glyphs
from cli.trouble import FINE, Interrupted, in_one_line, main_cause
from cli.unfinished import read_unfinished, unfinished
from cli.voice import Voice
from cli.watch import watched
from p2puno.hero import Hero
from p2puno.options import Value
from p2puno.rules import RulesError
from protocol.errors import P2punoError
from protocol.identity import words
from protocol.invite import fresh_code
from protocol.known import Acquaintance, KnownPlayers
from protocol.net.address import DEFAULT_PORT
from protocol.net.discovery import Browser, browsing


@dataclass(slots=True)
class Program:
    """The lobby in the face that fits, and the tables that are played from it. `where`: the interfaces to look on, None
    for all; `begin`: what the forms begin with; `own`: heroes of our own."""

    seating: Seating
    where: list[str] | None
    begin: dict[str, Value]
    own: Sequence[Hero] = ()

    def run(self) -> int:
        """Until somebody quits: the exit code. Raises Interrupted for a signal that ends the program, Damaged for a
        file of ours that cannot be read."""
        mine = words(self.seating.identity().public)
        load = partial(page, profile=self.seating.profile, folder=self.seating.journal_dir, words=mine)
        self.known()  # a file that cannot be read is told before anything is shown
        lobby = Lobby(visible(self.seating.name), mine, join_lines(anywhere(DEFAULT_PORT)), load, self.begin, self.own)
        ask = self._face(lobby)
        while True:
            lobby.cut_off = len(unfinished(self.seating.journal_dir))
            number, wanted = ask()
            if number:
                raise Interrupted(number)
            if isinstance(wanted, Quit):
                return FINE
            lobby.question = lobby.page = None
            try:
                lobby.note = self.carry_out(wanted)
            except (Exception, KeyboardInterrupt, BaseExceptionGroup) as problem:
                cause = main_cause(problem)
                if isinstance(cause, P2punoError | RulesError | OSError) and not isinstance(cause, Interrupted):
                    lobby.complain(cause)
                elif not isinstance(cause, KeyboardInterrupt):  # that leaves a table or a replay, not the lobby
                    raise

    def _face(self, lobby: Lobby) -> Callable[[], tuple[int, Intent]]:
        """What shows the lobby once: the signal that ended it, 0 for none, and what is wanted."""
        manner = self.seating.manner

        def here() -> tuple[str, ...]:
            return join_lines(anywhere(lobby.port)) if lobby.port else ()

        if in_lines(manner) or console() is None:
            voice = Speech(manner.speak) if manner.speak else Voice()
            lines = LineLobby(lobby, voice, self.look, self.known, here)

            def say() -> tuple[int, Intent]:
                return trio.run(lines.run)

            return say

        from cli.lobby.screen import LobbyScreen  # prompt_toolkit is slow to load, and lines never need it

        async def show() -> tuple[int, Intent]:
            terminal = console()
            assert terminal is not None  # there was one a moment ago
            screen = LobbyScreen(lobby, self.look, self.known, here, glyphs(manner.ascii), manner, *terminal)
            wanted = await screen.run()
            return screen.signal, wanted

        return lambda: asyncio.run(show())

    # -- the network, as the lobby sees it

    def look(self) -> AbstractAsyncContextManager[Browser]:
        """Look for tables."""
        return browsing(self.where)

    def known(self) -> Sequence[Acquaintance]:
        """Whom we have played with by now."""
        return KnownPlayers(known_path(self.seating.profile)).all()

    # -- what is wanted

    def carry_out(self, wanted: Intent) -> str:
        """Do it, up to the end of the table; what is to be told of that, "" if nothing. Raises what ends it
        otherwise."""
        match wanted:
            case Open():
                return self._open(wanted)
            case Go(watch=True):
                return self._watch(wanted)
            case Go():
                table = joined(wanted.address, self.seating, wanted.code, wanted.key, gathers=wanted.listed)
                return _told(played(table, self.seating))
            case Resume():
                return self._resume(wanted.journal)
            case Replay():
                return show_again(wanted.journal, self.seating.manner)
            case Browse():
                browse(self.seating.manner)
        return ""

    def _open(self, wanted: Open) -> str:
        ready = self.seating.ready or wanted.practice  # among bots there is nobody to wait for
        seating = replace(self.seating, level=wanted.level, hero=wanted.hero, age=wanted.age, new=True, ready=ready)
        place = Place("127.0.0.1", 0)
        if not wanted.practice:
            place = Place(None, wanted.port, wanted.announce, fresh_code() if wanted.private else "")
        with Children() as children:
            names = bot_names(wanted.bots, seating.name)
            return _told(played(hosted(wanted.rules, wanted.seats, place, seating, names, children), seating))

    def _watch(self, wanted: Go) -> str:
        table = watched(wanted.address, wanted.code, wanted.key)
        return _told(shown(table, self.seating.manner, watching=True))

    def _resume(self, journal: Path) -> str:
        old = read_unfinished(journal)
        seating = replace(
            self.seating,
            name=old.secrets.name,
            profile=old.note.profile,
            bot=self.seating.bot or old.secrets.bot,
        )
        with Children() as children:
            return _told(played(resumed(old, seating, children), seating))


def _told(face: Face) -> str:
    """What is to be told of a table that is over. Raises Interrupted for a signal that ends the program: Ctrl-C only
    leaves the table."""
    if face.signal and face.signal != signal.SIGINT:
        raise Interrupted(face.signal)
    return in_one_line(*face.record.complaint(face.session)) if face.session is not None else ""
