"""The line mode: everything in full, one line after the other, nothing that moves a cursor (P05, P08).

For --plain, TERM=dumb, pipes and screen readers. Moves are typed in the notation; what cannot be read is answered with
what can be typed now.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Final, TextIO

import trio

from cli.pilot import Pilot
from cli.record import Record
from cli.screen import FORCED, GOODBYE, OpenTable
from cli.table.cards import COLOUR_NAMES
from cli.table.look import Asked, Look, fits
from cli.table.narrator import Narrator, progress_line, score_line
from cli.table.session import Session
from cli.table.sight import forced, look_at
from cli.text import visible
from p2puno.card import parse_move, print_move
from p2puno.moves import Challenge, MoveError, Play
from p2puno.needs import Say
from protocol.events import Event, HandOver, LobbyChanged, PhaseChanged, Progress, YourTurn

HELP: Final = (
    "a card            R7 plays red 7, G+2 green Draw Two, YS yellow Skip, BR blue Reverse; end with ! to call UNO: R7!",
    "a Wild            W>B plays a Wild as blue; W4>R a Wild Draw Four as red; WS>G the Wild of this game as green",
    "draw, keep        take a card; keep the card just taken",
    "challenge, accept the answer to a Wild Draw Four",
    "uno, catch, pass  call UNO that you forgot; catch who forgot it; let it pass",
    "hand, table, score, rules   show it again",
    "quit              leave the table",
)
SURE_LEAVE: Final = "Leave the table? Type quit again to leave, anything else to stay."
SURE_CHALLENGE: Final = "Challenge {who}{odds}? Type challenge again, or accept."
NOT_NOW: Final = "It is not your turn. hand, table, score, rules, help and quit work at any time."
NO_CALL: Final = "Nobody is open to a catch now. To call UNO end your last play but one with !, as in R7!"
GONE: Final = "You leave the table."

ReadLine = Callable[[], Awaitable[str]]


async def stdin_line() -> str:
    """One line from stdin with its end, "" at the end of the file. Cancelling it leaves the reading thread behind.

    The thread reads the descriptor, not `sys.stdin`: a thread that is left behind must hold no lock of the interpreter.
    """
    return await trio.to_thread.run_sync(_read_line, abandon_on_cancel=True)


def _read_line() -> str:
    data = bytearray()
    while not data.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            break
        data += byte
    return data.decode("utf-8", "replace")


class LineTable:
    """One player at one table, in lines. `pilot` plays instead and stdin is not read."""

    def __init__(
        self,
        open_table: OpenTable,
        pilot: Pilot | None = None,
        out: TextIO | None = None,
        read: ReadLine = stdin_line,
    ) -> None:
        self.record = Record()
        self.signal = 0
        self._open_table, self._pilot, self._read = open_table, pilot, read
        self._out = out if out is not None else sys.stdout
        self._narrator = Narrator()
        self._progress = ""
        self._sure = ""  # what waits for a second yes
        self._sent = False

    async def run(self) -> Record:
        """Tell the table until it is over, or the player leaves, or stdin ends."""
        async with self._open_table() as session, trio.open_nursery() as nursery:
            nursery.start_soon(self._signals, session)
            if self._pilot is None:
                nursery.start_soon(self._listen, session)
            async for event in session.events:
                self._take(event, session)
                if self._pilot is not None and isinstance(event, YourTurn):
                    nursery.start_soon(self._pilot.answer, session)
            nursery.cancel_scope.cancel()
            if session.journal is not None:
                self._say(f"Journal: {session.journal}")
        return self.record

    def _say(self, text: str) -> None:
        print(visible(text), file=self._out, flush=True)

    # -- what the table tells

    def _take(self, event: Event, session: Session) -> None:
        players = session.players or (event.players if isinstance(event, LobbyChanged) else self._narrator.players)
        self._narrator.at(players, session.seat, session.rules)
        self.record.take(event)
        for line in self._narrator.tell(event):
            self._say(line.text)
        match event:
            case LobbyChanged(addresses=addresses) if addresses and self._progress != "lobby":
                self._progress = "lobby"
                self._say("Others join with: " + " or ".join(f"p2puno join {address}" for address in addresses))
            case Progress() if event.done < event.total:
                self._tell_progress(progress_line(event, self._narrator.names))
            case PhaseChanged():
                self._progress = ""
            case HandOver():
                self._say("")
            case YourTurn():
                self._asked(session)

    def _tell_progress(self, text: str) -> None:
        """Only a step that begins to wait is told, not every share that comes in."""
        what = text.split(" ")[0]
        if self._pilot is None and what != self._progress:
            self._progress = what
            self._say(f"({text})")

    def _asked(self, session: Session) -> None:
        self._sent, self._sure = False, ""
        if self._pilot is not None:
            return
        look = look_at(session)
        move = forced(look)
        if move is not None:
            self._say(FORCED[0].upper() + FORCED[1:])
            self._decide(session, move)
        else:
            for line in prompt(look, session):
                self._say(line)

    # -- what the player types

    async def _listen(self, session: Session) -> None:
        while True:
            line = await self._read()
            if not line:
                await self._go(session)
                return
            said = " ".join(visible(line).split())
            if not said:
                continue
            if said.lower() in ("quit", "q", "leave", "exit"):
                if self._sure == "quit":
                    await self._go(session)
                    return
                self._sure = "quit"
                self._say(SURE_LEAVE)
                continue
            sure, self._sure = self._sure, ""
            self._obey(said, sure, session)

    async def _go(self, session: Session) -> None:
        """Leave politely, but not for longer than a second (N02)."""
        self.record.left = True
        self._say(GONE)
        session.leave()
        await trio.sleep(GOODBYE)
        raise Gone

    async def _signals(self, session: Session) -> None:
        names = ("SIGINT", "SIGTERM", "SIGHUP")
        with trio.open_signal_receiver(*(getattr(signal, name) for name in names if hasattr(signal, name))) as received:
            async for number in received:
                self.signal = int(number)
                await self._go(session)

    def _obey(self, said: str, sure: str, session: Session) -> None:
        look = look_at(session, self._narrator.players)
        word = said.lower()
        match word:
            case "help" | "h" | "?":
                lines = list(HELP)
            case "hand":
                lines = [hand_line(look)]
            case "table" | "t":
                lines = table_lines(look)
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
            return ["You forgot UNO yourself: type uno." if mine else "Type catch or pass; only the one who forgot can call."]
        session.say({"uno": Say.CALL, "catch": Say.CATCH, "pass": Say.PASS}[word])
        return []

    def _move(self, word: str, sure: str, look: Look, session: Session) -> list[str]:
        view = session.view
        if view is None or look.asked is Asked.NOTHING or self._sent:
            return [NOT_NOW]
        if look.asked in (Asked.CATCH, Asked.CALL):
            return prompt(look, session)
        try:
            move = parse_move(view, word)
        except MoveError as problem:
            return teach(problem)
        if isinstance(move, Challenge) and look.asked is Asked.CHALLENGE and sure != "challenge":
            self._sure = "challenge"
            return [SURE_CHALLENGE.format(who=look.name(look.about), odds=odds_words(look))]
        return self._decide(session, move)

    def _decide(self, session: Session, move: object) -> list[str]:
        try:
            session.decide(move)  # type: ignore[arg-type]  # a Move, by parse_move or forced
        except MoveError as problem:
            return teach(problem)
        self._sent = True
        return []


class Gone(Exception):
    """The player left and the table did not end by itself in time."""


def teach(problem: MoveError) -> list[str]:
    """Why a move does not stand, and what could be typed instead."""
    rule = f" ({problem.rule})" if problem.rule else ""
    return [f"{problem}{rule}"] + ([problem.hint] if problem.hint else [])


def odds_words(look: Look) -> str:
    """", about 62 % by the cards you have not seen", or nothing."""
    return f", about {round(100 * look.odds)} % by the cards you have not seen" if look.odds >= 0 else ""


def hand_line(look: Look) -> str:
    """The hand grouped by colour: "Your hand: R: 6 8  Y: 1  Wild: W4" (P14)."""
    groups: dict[int, list[str]] = {}
    for held in look.hand:
        groups.setdefault(held.card.colour, []).append(held.card.mark)
    if not groups:
        return "Your hand is empty."
    words = [f"{COLOUR_NAMES[c][0].upper() if c >= 0 else 'Wild'}: {' '.join(marks)}" for c, marks in groups.items()]
    return "Your hand: " + "  ".join(words)


def table_lines(look: Look) -> list[str]:
    """Everybody's cards and points, the piles, what fits."""
    if not look.seats:
        return ["Nobody is here yet."]
    lines = []
    for seat in look.seats:
        marks = [word for word, on in (("you", seat.me), ("bot", seat.bot), ("not connected", not seat.here)) if on]
        marks += [word for word, on in (("UNO not called", seat.exposed), ("out", seat.out), ("acts now", seat.turn)) if on]
        lines.append(f"{seat.name}: {seat.cards} cards, {seat.score} points" + (f" ({', '.join(marks)})" if marks else ""))
    if look.top is not None:
        way = "down" if look.direction > 0 else "up"
        lines.append(f"{top_line(look)} {look.draw_pile} cards to draw. Play goes {way} this list.")
    return lines


def top_line(look: Look) -> str:
    """The card on top and the colour in force."""
    if look.top is None or not 0 <= look.colour < 4:
        return "No card lies open."
    return f"Top card {look.top.text}, colour {COLOUR_NAMES[look.colour]}."


def prompt(look: Look, session: Session) -> list[str]:
    """What is asked now and what may be typed."""
    match look.asked:
        case Asked.TURN | Asked.DRAWN:
            return _turn_prompt(look, session)
        case Asked.CHALLENGE:
            who = look.name(look.about)
            return [f"{who} played a Wild Draw Four on you{odds_words(look)} that it was wrong. Type accept or challenge."]
        case Asked.CATCH:
            return [f"{look.name(look.about)} has one card and has not called UNO. Type catch or pass."]
        case Asked.CALL:
            return ["You have one card and have not called UNO. Type uno before somebody catches you."]
    return [NOT_NOW]


def _turn_prompt(look: Look, session: Session) -> list[str]:
    assert session.rules is not None
    lines = [f"Your turn. {top_line(look)}", hand_line(look)]
    other = "keep" if look.can_keep else "draw"
    plays: list[str] = []
    for move in look.moves:
        if isinstance(move, Play):
            # One entry for a Wild, whatever its colour; and the call is explained once.
            text = print_move(session.rules, move).rstrip("!").split(">")[0]
            text += ">R/Y/G/B" if move.colour >= 0 else ""
            if text not in plays:
                plays.append(text)
    if not plays:
        lines.append(f"No card fits ({fits(look)}). Moves: {other}")
    else:
        lines.append(f"Moves: {' '.join(plays)} {other}")
        if len(look.hand) == 2 and any(isinstance(m, Play) and m.uno for m in look.moves):
            lines.append(f"This play leaves you one card: call UNO with !, as in {plays[0].split('>')[0]}{'>R' if '>' in plays[0] else ''}!")
    return lines
