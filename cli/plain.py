"""The line mode: everything in full, one line after the other, nothing that moves a cursor (P05, P08).

For --plain, TERM=dumb, pipes and screen readers. Moves are typed in the notation; what cannot be read is answered with
what can be typed now.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, TextIO

import trio

from cli.pilot import Pilot
from cli.reach import reachable
from cli.record import Record
from cli.table.asking import Asking, Picker
from cli.table.explain import look_lines
from cli.table.look import Asked, Look
from cli.table.narrator import Narrator, progress_line, score_line
from cli.table.session import GOODBYE, OpenTable, Session
from cli.table.sight import forced, look_at, seen, unusual
from cli.table.words import FORCED, NOT_NOW, choice_lines, hand_line, odds_words, prompt, table_lines, teach
from cli.text import visible
from p2puno.card import parse_move
from p2puno.moves import Challenge, Move, MoveError, Play, Wish
from p2puno.needs import Ask, Decide, Need, Say
from protocol.events import Event, HandOver, Happened, LobbyChanged, PacksOffered, PhaseChanged, Progress, YourTurn

HELP: Final = (
    "a card            R7 plays red 7, G+2 green Draw Two, YS yellow Skip, BR blue Reverse; R7! calls UNO with it",
    "a Wild            W>B plays a Wild as blue; W4>R a Wild Draw Four as red; WS>G the Wild of this game as green",
    "draw, keep        take a card; keep the card just taken",
    "challenge, accept the answer to a Wild Draw Four",
    "uno, catch, pass  call UNO that you forgot; catch who forgot it; let it pass",
    "a number or letter  answers a list; back goes one question back; nothing is sent before the last answer",
    "look, look CARD, look HERO  what a card or a hero says (house: our own design); look alone: all that is in play",
    "hand, table, score, rules   show it again",
    "quit              leave the table",
)
SURE_LEAVE: Final = "Leave the table? Type quit again to leave, anything else to stay."
SURE_PACKS: Final = "Play with these heroes? Type yes, or no to leave."
SURE_CHALLENGE: Final = "Challenge {who}{odds}? Type challenge again, or accept."
NO_CALL: Final = "Nobody is open to a catch now. To call UNO end your last play but one with !, as in R7!"
FORGOT_MYSELF: Final = "You forgot UNO yourself: type uno."
FORGOT_OTHER: Final = "Type catch or pass; only the one who forgot can call."
NOT_YET: Final = "One moment: the table is not there yet."
GONE: Final = "You leave the table."

WRITTEN: Final = (Ask.WISH, Ask.STACK, Ask.HANDS)
"""Lists whose answers can be written in the notation of moves as well."""

LONGEST: Final = 1000  # bytes kept of a line

ReadLine = Callable[[], Awaitable[str]]


async def stdin_line() -> str:
    """One line from stdin with its end, "" at the end of the file. Cancelling it leaves the reading thread behind.

    The thread reads the descriptor, not `sys.stdin`: a thread that is left behind must hold no lock of the interpreter.
    """
    return await trio.to_thread.run_sync(_read_line, abandon_on_cancel=True)


def _read_line() -> str:
    data = b""
    while not data.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            break
        data = data[-LONGEST:] + byte
    return data.decode("utf-8", "replace")


class LineTable:
    """One player at one table, in lines.

    `pilot` plays instead of a person, and stdin is not read; with `until_eof` the end of stdin still means to leave.
    """

    def __init__(
        self,
        open_table: OpenTable,
        pilot: Pilot | None = None,
        out: TextIO | None = None,
        read: ReadLine = stdin_line,
        until_eof: bool = False,
        accept_packs: bool = False,
    ) -> None:
        self.record = Record()
        self.session: Session | None = None
        self.signal = 0
        self._open_table, self._pilot, self._read, self._until_eof = open_table, pilot, read, until_eof
        self._out = out if out is not None else sys.stdout
        self._narrator = Narrator()
        self._progress = ""
        self._sure = ""  # what waits for a second yes
        self._accept_packs, self._offered = accept_packs, False
        self._picker = Picker()
        self._sent = False
        self._scope = trio.CancelScope()

    async def run(self) -> Record:
        """Tell the table until it is over, or the player leaves, or stdin ends."""
        async with trio.open_nursery() as nursery:
            self._scope = nursery.cancel_scope
            nursery.start_soon(self._signals)
            if self._pilot is None or self._until_eof:
                nursery.start_soon(self._listen)
            async with self._open_table() as session:
                self.session = session
                await self._follow(session, nursery)
            self._scope.cancel()
        return self.record

    async def _follow(self, session: Session, nursery: trio.Nursery) -> None:
        async for event in session.events:
            self._take(event, session)
            if self._pilot is not None and isinstance(event, YourTurn):
                nursery.start_soon(self._pilot.answer, session)
        if session.journal is not None:
            self._say(f"Journal: {session.journal}")

    def _say(self, text: str) -> None:
        print(visible(text), file=self._out, flush=True)

    # -- what the table tells

    def _take(self, event: Event, session: Session) -> None:
        players = session.players or (event.players if isinstance(event, LobbyChanged) else self._narrator.players)
        self._narrator.at(players, session.seat, session.rules)
        self.record.take(event)
        if not (isinstance(event, PacksOffered) and self._offered):
            for line in self._narrator.tell(event):
                self._say(line.text)
        match event:
            case Happened():
                for line in seen(session, event):
                    self._say(line.text)
            case PacksOffered():
                self._packs(session)
            case LobbyChanged(addresses=addresses) if addresses and self._progress != "lobby":
                self._progress = "lobby"
                for option in unusual(session.rules):
                    self._say(f"This table differs from the official rules: {option}")
                self._say("Others join with: " + " or ".join(f"p2puno join {a}" for a in reachable(addresses)))
            case Progress() if event.done < event.total and (session.view is None or not session.view.hand):
                self._tell_progress(progress_line(event, self._narrator.names))
            case PhaseChanged():
                self._progress = ""
            case HandOver():
                self._say("")
            case YourTurn():
                self._asked(session)

    def _packs(self, session: Session) -> None:
        """Heroes of somebody's own making are offered: ask once, unless the answer is known."""
        if self._accept_packs or self._pilot is not None:
            session.accept_packs(True)
        elif not self._offered:
            self._say(SURE_PACKS)
            self._sure = "packs"
        self._offered = True

    def _tell_progress(self, text: str) -> None:
        """Only a step that begins to wait is told, not every share that comes in."""
        what = text.split(" ")[0]
        if self._pilot is None and what != self._progress:
            self._progress = what
            self._say(f"({text})")

    def _asked(self, session: Session) -> None:
        self._sent = False
        self._picker.reset()
        if self._sure == "challenge":
            self._sure = ""
        if self._pilot is not None:
            return
        look = look_at(session)
        move = forced(look)
        if move is not None:
            self._say(FORCED[0].upper() + FORCED[1:])
            self._decide(session, move)
        else:
            for line in prompt(look, session.rules) if session.rules is not None else ():
                self._say(line)

    # -- what the player types

    async def _listen(self) -> None:
        while line := await self._read():
            said = " ".join(visible(line).split())
            if self._pilot is None and said and self._leaves(said):
                break
        await self._go()

    def _leaves(self, said: str) -> bool:
        """Do what a line says; whether it was the second "quit"."""
        sure, self._sure = self._sure, ""
        if sure == "packs" and self.session is not None:
            return self._answer_packs(said.lower(), self.session)
        if said.lower() in ("quit", "q", "leave", "exit"):
            if sure == "quit":
                return True
            self._sure = "quit"
            self._say(SURE_LEAVE)
        elif self.session is None:
            self._say(NOT_YET)
        else:
            self._obey(said, sure, self.session)
        return False

    def _answer_packs(self, said: str, session: Session) -> bool:
        """Whether the player leaves rather than play with the packs offered."""
        if said in ("no", "n", "quit", "q"):
            return True
        if said in ("yes", "y"):
            session.accept_packs(True)
        else:
            self._sure = "packs"
            self._say(SURE_PACKS)
        return False

    async def _go(self) -> None:
        """Leave politely, but not for longer than a second (N02)."""
        self.record.left = True
        self._say(GONE)
        if self.session is not None:
            self.session.leave()
            await trio.sleep(GOODBYE)
        self._scope.cancel()

    async def _signals(self) -> None:
        names = ("SIGINT", "SIGTERM", "SIGHUP")
        with trio.open_signal_receiver(*(getattr(signal, name) for name in names if hasattr(signal, name))) as received:
            async for number in received:
                self.signal = int(number)
                await self._go()

    def _obey(self, said: str, sure: str, session: Session) -> None:
        look = look_at(session, self._narrator.players)
        word = said.lower()
        if look.asking is not None and word in {option.key for option in self._picker.stage(look.asking).options}:
            # A letter of the list comes before a word that it would be short for.
            for line in self._move(word, sure, look, session):
                self._say(line)
            return
        match word:
            case "help" | "h" | "?":
                lines = list(HELP)
            case "hand":
                lines = [hand_line(look)]
            case "table" | "t":
                lines = table_lines(look)
            case _ if word == "look" or word.startswith("look "):
                lines = look_lines(look, session.rules, said[len("look") :].strip())
            case "score" | "scores" | "s":
                lines = [score_line(session.scores, self._narrator.names)]
            case "rules":
                lines = session.rules.describe() if session.rules is not None else ["No rules are agreed yet."]
            case "uno" | "catch" | "pass" if look.asked in (Asked.CALL, Asked.CATCH):
                lines = self._speak(word, look, session)
            case "uno" | "catch":
                lines = [NO_CALL]
            case _:
                lines = self._move(word, sure, look, session)
        for line in lines:
            self._say(line)

    def _speak(self, word: str, look: Look, session: Session) -> list[str]:
        mine = look.asked is Asked.CALL
        if mine != (word == "uno"):
            return [FORGOT_MYSELF if mine else FORGOT_OTHER]
        try:
            session.say({"uno": Say.CALL, "catch": Say.CATCH, "pass": Say.PASS}[word])
        except MoveError as problem:
            return teach(problem)
        return []

    def _move(self, word: str, sure: str, look: Look, session: Session) -> list[str]:
        view = session.view
        if view is None or look.asked is Asked.NOTHING or self._sent:
            return [NOT_NOW]
        if look.asked in (Asked.CATCH, Asked.CALL):
            return prompt(look, view.rules)
        if look.asking is not None:
            listed = self._answer(word, look.asking, session)
            if listed is not None:
                return listed
        try:
            move = parse_move(view, word)
        except MoveError as problem:
            return teach(problem)
        if isinstance(move, Challenge) and look.asked in (Asked.CHALLENGE, Asked.CHOICE) and sure != "challenge":
            self._sure = "challenge"
            return [SURE_CHALLENGE.format(who=look.name(look.about), odds=odds_words(look))]
        return self._decide(session, move)

    def _answer(self, word: str, asking: Asking, session: Session) -> list[str] | None:
        """Take a number, a letter or "back" at a list; None for what is none of them but a move in the notation."""
        options = self._picker.stage(asking).options
        uno = word.endswith("!")
        word = word.removesuffix("!")
        if word == "back":
            self._picker.back(asking)
            return choice_lines(asking, self._picker)
        places = [i for i, o in enumerate(options, 1) if word in (str(i), o.key, o.label.lower())]
        if not places:
            need: Need | None = session.view.need if session.view is not None else None
            return None if isinstance(need, Decide) and need.ask in WRITTEN else choice_lines(asking, self._picker)
        self._picker.at = places[0] - 1
        move = self._picker.take(asking)
        if uno and isinstance(move, Play | Wish):
            move = replace(move, uno=True)
        return choice_lines(asking, self._picker) if move is None else self._decide(session, move)

    def _decide(self, session: Session, move: Move) -> list[str]:
        try:
            session.decide(move)
        except MoveError as problem:
            return teach(problem)
        self._sent = True
        return []
