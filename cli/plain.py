"""The line mode: everything in full, one line after the other, nothing that moves a cursor (P05, P08).

For --plain, TERM=dumb and pipes; with the voice of `cli.speak` it is the screen-reader mode. Moves are typed in the
notation; what cannot be read is answered with what can be typed now.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from shutil import get_terminal_size
from typing import Final, Protocol

import trio

from cli.answers import Answers
from cli.bell import Bell
from cli.language import N_, _
from cli.pilot import Pilot
from cli.record import Record
from cli.setup.model import Setup, ask_table
from cli.setup.typed import obey
from cli.setup.words import begin_lines, making_lines
from cli.stdin import HANGUP, stdin_line
from cli.table import chat_words
from cli.table.chat_words import remark_lines
from cli.table.explain import look_lines
from cli.table.look import Asked, Look
from cli.table.narrator import Narrator, progress_line, score_line
from cli.table.session import OpenTable, Session
from cli.table.sight import forced, look_at, seen
from cli.table.timer import WARNING, limit
from cli.table.words import (
    FORCED,
    NO_LONGER,
    NO_SEAT,
    WATCH_HELP,
    rule_lines,
)
from cli.text import broken, visible
from cli.voice import RECENT, Told, Voice, label_of
from protocol.events import (
    Chatted,
    Event,
    HandOver,
    Happened,
    LobbyChanged,
    PacksOffered,
    PhaseChanged,
    Progress,
    YourTurn,
)

SURE_LEAVE: Final = N_("Leave the table? Type quit again to leave, anything else to stay.")
SURE_PACKS: Final = N_("Play with these heroes? Type yes, or no to leave.")
NO_CALL: Final = N_("Nobody is open to a catch now. To call UNO end your last play but one with !, as in R7!")
SOON: Final = 1.0
"""Seconds in which nearly every table answers."""
NOT_YET: Final = N_("One moment: the table is not there yet.")
GONE: Final = N_("You leave the table.")

LEAVE: Final = "leave"
"""The line by which the program that started a bot tells it to leave."""

ReadLine = Callable[[], Awaitable[str]]


class Writer(Protocol):
    """What lines are printed to."""

    def write(self, text: str, /) -> object:
        """Take some text."""

    def flush(self) -> None:
        """Let it be seen."""


class LineTable:
    """One player at one table, in lines.

    `pilot` plays instead of a person, and stdin is not read; with `until_eof` it is: the line `LEAVE` means to leave,
    its end to stop without a word, as whoever started us was killed and may come back to the table.
    `watching`: there is no seat, so nothing can be played, and who goes is not asked twice.
    `chat`: whether what players write to each other is told. `voice`: what is said and how. `bell`: ring at our turn
    and when somebody can be caught.
    """

    def __init__(
        self,
        open_table: OpenTable,
        pilot: Pilot | None = None,
        out: Writer | None = None,
        read: ReadLine | None = None,
        *,
        until_eof: bool = False,
        accept_packs: bool = False,
        voice: Voice | None = None,
        bell: bool = False,
        watching: bool = False,
        chat: bool = True,
    ) -> None:
        self.record = Record()
        self.session: Session | None = None
        self.signal = 0
        self.out: Writer = out if out is not None else sys.stdout
        self.read: ReadLine = read or stdin_line
        self._open_table, self._pilot, self._until_eof = open_table, pilot, until_eof
        self.voice = voice or Voice()
        self._narrator, self._setup = Narrator(self.voice.cards), Setup()
        self._log: deque[Told] = deque(maxlen=RECENT)
        self._bell = Bell() if bell else None
        self._watching = watching
        self._chat = chat
        self.listens = pilot is None or until_eof  # whether stdin is read
        self._terminal = os.isatty(0)
        self.edited = False  # a person ends what is typed by a key, and so wants to go
        self.breaks = False  # whether lines are broken before words: on a terminal, for who reads them
        self._timer = trio.CancelScope()
        self._progress = ""
        self._sure = ""  # what waits for a second yes
        self._accept_packs, self._offered = accept_packs, False
        self.answers = Answers(self.voice, self._answered)
        self._opened = trio.Event()  # the table is there
        self._scope = trio.CancelScope()
        self._nursery: trio.Nursery | None = None

    async def run(self) -> Record:
        """Tell the table until it is over, or the player leaves, or stdin ends."""
        async with trio.open_nursery() as nursery:
            self._scope, self._nursery = nursery.cancel_scope, nursery
            opening = self.voice.opening()[: 1 if self._watching else None]  # then come words about a hand
            self._tell(one for one in opening if one.label == "Mode" or self._pilot is None)
            nursery.start_soon(self._signals)
            nursery.start_soon(self._say_patience)
            if self.listens:
                nursery.start_soon(self._listen)
            async with self._open_table() as session:
                self.session = session
                self._opened.set()
                await self._follow(session, nursery)
            self._scope.cancel()
        return self.record

    async def _say_patience(self) -> None:
        """Say that nobody has answered yet, where that takes a while."""
        await trio.sleep(SOON)
        if not self._opened.is_set():
            self._say("Setup", _("Waiting for the table to answer ..."))

    async def _follow(self, session: Session, nursery: trio.Nursery) -> None:
        async for event in session.events:
            self._take(event, session)
            if self._pilot is not None and isinstance(event, YourTurn):
                nursery.start_soon(self._pilot.answer, session)
        self._timer.cancel()
        if session.journal is not None:
            self._say("Journal", _("Journal: {path}").format(path=session.journal))

    def _say(self, label: str, text: str) -> None:
        self._tell([Told(label, text)])

    def _tell(self, lines: Iterable[Told]) -> None:
        for told in lines:
            line = self.voice.line(told)
            columns = get_terminal_size().columns
            if line is None:
                continue
            if told.label == "Chat":
                parts = remark_lines(line, self.voice.further(), columns)
            else:
                parts = broken(visible(line), columns) if self.breaks else [line]
            for part in parts:
                print(visible(part), file=self.out, flush=True)

    def look(self) -> Look:
        """The table as it stands, with cards called as the voice calls them."""
        if self.session is None:
            return Look()
        return look_at(self.session, self._narrator.players, self.voice.cards)

    # -- what the table tells

    def _take(self, event: Event, session: Session) -> None:
        if isinstance(event, Chatted) and not self._chat:
            return
        players = session.players or (event.players if isinstance(event, LobbyChanged) else self._narrator.players)
        self._narrator.at(players, session.seat, session.rules)
        self._setup.making.now = trio.current_time()
        self._setup.take(event, session.rules)
        self.record.take(event)
        if self._bell is not None:
            self._bell.take(event)
        if not (isinstance(event, PacksOffered) and self._offered):
            self._hear(Told(label_of(event, line), line.text) for line in self._narrator.tell(event))
        match event:
            case Happened():
                self._hear(Told("Event", line.text) for line in seen(session, event, self.voice.cards))
            case PacksOffered():
                self._packs(session)
            case LobbyChanged() if self._progress != "lobby":
                self._progress = "lobby"
                self._tell(begin_lines(self._setup, asks=self._pilot is None))
            case Progress() if event.done < event.total and not self._plays(session):
                self._tell_progress(event)
            case PhaseChanged():
                self._progress = ""
            case HandOver():
                self._tell([Told("", "")])
            case YourTurn():
                self._asked(session)

    def _plays(self, session: Session) -> bool:
        """Whether there is more to be told than what is waited for: a hand, or one to watch."""
        return session.view is not None and (bool(session.view.hand) or self._watching)

    def _hear(self, lines: Iterable[Told]) -> None:
        """Say what happened, and remember it for `log`."""
        for told in lines:
            self._log.append(told)
            self._tell([told])

    def _packs(self, session: Session) -> None:
        """Heroes of somebody's own making are offered: ask once, unless the answer is known."""
        if self._accept_packs or self._pilot is not None:
            session.accept_packs(True)
        elif not self._offered:
            self._say("Ask", _(SURE_PACKS))
            self._sure = "packs"
        self._offered = True

    def _tell_progress(self, event: Progress) -> None:
        """Only a step that begins to wait is told, not every share that comes in."""
        if self._pilot is None and event.what != self._progress:
            self._progress = event.what
            self._say("Setup", f"({progress_line(event, self._narrator.names)})")

    def _asked(self, session: Session) -> None:
        self.answers.asked_anew()
        if self._pilot is not None:
            return
        look = self.look()
        move = forced(look)
        if move is not None:
            self._say("Event", _(FORCED)[0].upper() + _(FORCED)[1:])
            self.answers.decide(session, move)
        elif session.rules is not None:
            if self._bell is not None and self._bell.rings(look.asked):
                print("\a", end="", file=self.out, flush=True)
            self._tell(self.voice.prompt(look, session.rules))
            self._tell_time(limit(session.view, session.time_left))

    def _tell_time(self, seconds: int) -> None:
        """The time for an answer in two lines: how long it is, and when it is nearly over (T12)."""
        self._timer.cancel()
        self._tell(self.voice.time(seconds))
        if seconds > WARNING:
            self._timer = trio.CancelScope()
            assert self._nursery is not None
            self._nursery.start_soon(self._warn, self._timer, seconds - WARNING)

    def _answered(self) -> None:
        """An answer of ours is on its way: no time is counted for it any more."""
        self._timer.cancel()

    async def _warn(self, scope: trio.CancelScope, wait: float) -> None:
        with scope:
            await trio.sleep(wait)
            self._say("Timer", _("{n} seconds left.").format(n=round(WARNING)))

    # -- what the player types

    async def _listen(self) -> None:
        while line := await self.read():
            said = " ".join(visible(line).split())
            if said == LEAVE if self._until_eof else self._pilot is None and said and self._leaves(said):
                break
        if not line and self._terminal and not os.isatty(0):  # it has gone before its signal came
            self.signal = self.signal or HANGUP
            self._scope.cancel()
        elif line or not self._until_eof:
            # The end of a pipe is nobody's wish to go: where there is no table, that is to be told.
            if not line and not self.edited and not self._terminal:
                await self._opened.wait()
            await self._go()
        else:
            self._scope.cancel()

    def _leaves(self, said: str) -> bool:
        """Do what a line says; whether it was the second "quit"."""
        sure, self._sure = self._sure, ""
        challenged, self.answers.unsure = self.answers.unsure, False
        if sure == "packs" and self.session is not None:
            return self._answer_packs(said.lower(), self.session)
        if said.lower() in ("quit", "q", "leave", "exit"):
            if sure == "quit" or self._watching:
                return True
            self._sure = "quit"
            self._say("Ask", _(SURE_LEAVE))
        elif self.session is None:
            self._say("Error", _(NOT_YET))
        else:
            self._obey(said, challenged, self.session)
        return False

    def _watch(self, word: str, said: str, look: Look, session: Session) -> list[Told]:
        """What a line answers where there is no seat."""
        if word in ("help", "?"):
            return [Told("Help", _(line)) for line in WATCH_HELP]
        hands = word in ("hand", "h", "my hand", "uno", "catch", "pass")
        told = None if hands else self._words(word, said, look, session)
        return [one for one in told if one.label != "Hand"] if told is not None else [Told("Error", _(NO_SEAT))]

    def _answer_packs(self, said: str, session: Session) -> bool:
        """Whether the player leaves rather than play with the packs offered."""
        if said in ("no", "n", "quit", "q"):
            return True
        if said in ("yes", "y"):
            session.accept_packs(True)
        else:
            self._sure = "packs"
            self._say("Ask", _(SURE_PACKS))
        return False

    async def _go(self) -> None:
        """Leave politely; the session sees to it that it is soon over (N02, N03)."""
        self.record.left = True
        self._say("End", _(NO_LONGER if self._watching else GONE))
        if self.session is None:
            self._scope.cancel()
        else:
            self.session.leave()

    async def _signals(self) -> None:
        wanted = [signal.SIGINT, signal.SIGTERM]
        if HANGUP and signal.getsignal(HANGUP) is not signal.SIG_IGN:  # a program under nohup stays deaf to it
            wanted.append(signal.Signals(HANGUP))
        with trio.open_signal_receiver(*wanted) as received:
            async for number in received:
                self.signal = int(number)
                if number == HANGUP:
                    self._scope.cancel()
                else:
                    await self._go()

    def _obey(self, said: str, challenged: bool, session: Session) -> None:
        look = self.look()
        word = said.lower().rstrip("?.") or "help"
        before = obey(said, self._setup) if self._setup.gathering else None
        if before is not None:
            lines, change = before
            self._tell(lines)
            if change is not None:
                ask_table(change, session)
        elif self._watching:
            self._tell(self._watch(word, said, look, session))
        elif (answer := chat_words.obey(said, session, self._chat)) is not None:
            self._tell(answer)
        elif look.asking is not None and word in self.answers.letters(look.asking):
            # A letter of the list comes before a word that it would be short for.
            self._tell(self.answers.move(word, challenged, look, session))
        else:
            told = self._words(word, said, look, session)
            self._tell(told or self.answers.move(said.lower(), challenged, look, session))

    def _words(self, word: str, said: str, look: Look, session: Session) -> list[Told] | None:
        """What a word answers that works at any time; None for any other word."""
        voice, rules = self.voice, session.rules
        match word:
            case "help" | "?":
                return voice.help()
            case "labels":
                return voice.labels()
            case "hand" | "h" | "my hand":
                return voice.hand(look, rules)
            case "table" | "t":
                return voice.table(look)
            case "where" | "w" | "where am i" if said != "W":  # that is a Wild without its colour
                return [*voice.where(look, rules), *self._made(look)]
            case "log" | "l":
                return list(self._log) or [Told("Event", _("Nothing has happened yet."))]
            case _ if word == "look" or word.startswith("look "):
                return [Told("Card", line) for line in look_lines(look, rules, said[len("look") :].strip())]
            case "score" | "scores" | "s":
                return [Told("Score", score_line(session.scores, self._narrator.names))]
            case "rules":
                return [Told("Rule", line) for line in rule_lines(rules)]
            case "uno" | "catch" | "pass" if look.asked in (Asked.CALL, Asked.CATCH):
                return self.answers.speak(word, look, session)
            case "uno" | "catch":
                return [Told("Error", _(NO_CALL))]
        return None

    def _made(self, look: Look) -> list[Told]:
        """What the players make together, as long as no card is dealt."""
        if look.dealt or not self._setup.making.begun:
            return []
        self._setup.making.now = trio.current_time()
        return [Told("Setup", line) for line in making_lines(self._setup, self._narrator.names)]
