"""The table on the full screen, and the session beside it.

Nothing is decided here: `chooser` says what a key means, `draw` what it looks like, this module carries both to and
fro.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from time import monotonic as clock
from typing import Final

import trio
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from cli.bell import Bell
from cli.draw import Screen, draw
from cli.full_screen import FullScreen
from cli.keys import WHEEL
from cli.language import _
from cli.manner import Manner
from cli.pilot import Pilot
from cli.record import Record
from cli.setup.model import Change, Creator, Prepare, ask_table
from cli.stdin import HANGUP
from cli.table.board import Board
from cli.table.chooser import Chooser, Intent, Leave, Packs
from cli.table.key_words import no_use
from cli.table.look import Asked, Look
from cli.table.motion import Motion
from cli.table.session import OpenTable, Session
from cli.table.sight import forced, look_at, seen, waits_for_us
from cli.table.talk import Mute, Pane, Speak, carry_out, people
from cli.table.timer import WARNING, Countdown, decider_gone
from cli.table.words import FORCED
from cli.theme import Glyphs
from cli.trouble import in_one_line
from p2puno.moves import MoveError
from p2puno.needs import Say
from p2puno.said import message_of
from protocol.errors import NotSaid
from protocol.events import Chatted, Event, HandOver, Happened, LobbyChanged, PacksOffered, Refused, YourTurn

SLOW: Final = (Asked.TURN, Asked.DRAWN, Asked.CHALLENGE, Asked.CHOICE)
"""What there is a long time for."""
SECOND: Final = 1.0
"""How often the time that is left is shown anew."""
TITLES: Final = ("\x1b[22;2t", "\x1b[23;2t")
"""xterm's sequences that put the window's title aside and bring it back."""


class TableScreen(FullScreen):
    """One player at one table on the full screen."""

    def __init__(
        self,
        open_table: OpenTable,
        glyphs: Glyphs,
        manner: Manner,
        pilot: Pilot | None = None,
        *,
        accept_packs: bool = False,
        input: Input | None = None,
        output: Output | None = None,
        watching: bool = False,
        over: Callable[[Record, Session], None] | None = None,
    ) -> None:
        """`over`: told when the table is over, which may be long before the player closes it."""
        self._over = over
        self.board, self.chooser, self.record = Board(), Chooser(watching=watching), Record()
        self.session: Session | None = None
        self._open_table, self._glyphs, self._manner, self._pilot = open_table, glyphs, manner, pilot
        self._accept_packs = accept_packs
        self._bell, self._countdown, self._motion = Bell(), Countdown(), Motion(manner.motion)
        self._titled, self._title = manner.title and os.environ.get("TERM") != "linux", ""
        self._intents, self._wanted = trio.open_memory_channel[Intent | Change | Speak | Mute](16)
        self._leaving = trio.Event()
        super().__init__(manner, input, output)

    async def run(self) -> Record:
        """Show the table until it is over and the player has seen it; raises what ends it otherwise."""
        if self._titled:
            self.app.output.write_raw(TITLES[0])
        try:
            await self.show_beside(self._table)
        finally:
            if self._titled:
                self.app.output.write_raw(TITLES[1])
                self.app.output.flush()
        return self.record

    # -- the trio side

    async def _table(self) -> None:
        try:
            async with self._open_table() as session, trio.open_nursery() as nursery:
                self.session = session
                nursery.start_soon(self._carry_out)
                nursery.start_soon(self._go)
                nursery.start_soon(self._tick)
                async for event in session.events:
                    self._take(event, session)
                    if self._motion.take(event, clock()):
                        nursery.start_soon(self._move)
                    if self._pilot is not None and isinstance(event, YourTurn):
                        nursery.start_soon(self._pilot.answer, session)
                nursery.cancel_scope.cancel()
        except BaseException:
            self.close()
            raise
        self.board.ended = True
        if self._over is not None:
            self._over(self.record, session)
        if self._leaving.is_set():
            self.close()
        self.app.invalidate()

    async def _go(self) -> None:
        """Leave when told to; the session sees to it that the farewell is short (N02, N03)."""
        await self._leaving.wait()
        assert self.session is not None
        self.session.leave()

    async def _tick(self) -> None:
        """Show every second that passes while one is counted; ring once when ours are nearly over (T12)."""
        before = -1
        while True:
            left = self._countdown.left(clock())
            if left >= 0 or self._look_is_made():
                self.app.invalidate()
            if 0 <= left <= WARNING < before and self._look().asked in SLOW:
                self._ring()
            before = left
            await trio.sleep(SECOND)

    async def _move(self) -> None:
        """Draw one frame after the other of what moves, until nothing does; nobody waits for this."""
        while (rest := self._motion.rest(clock())) >= 0:
            await trio.sleep(rest)
            self.app.invalidate()

    def _look_is_made(self) -> bool:
        """Whether the players make the deck, and seconds are counted for it."""
        return self.board.setup.making.running is not None and not self._look().dealt

    async def _carry_out(self) -> None:
        """Do what the keys ask for, on the trio side."""
        async for intent in self._wanted:
            session = self.session
            if session is None:
                continue
            try:
                if isinstance(intent, Speak | Mute):
                    self._talk(intent, session)
                elif isinstance(intent, Say):
                    session.say(intent)
                elif isinstance(intent, Packs):
                    session.accept_packs(True)
                elif isinstance(intent, Prepare | Creator):
                    ask_table(intent, session)
                elif not isinstance(intent, Leave):
                    session.decide(intent)
            except MoveError as problem:
                self.chooser.sent = False
                self.chooser.note = in_one_line(message_of(problem), problem.hint)
            self.app.invalidate()

    def _talk(self, wish: Speak | Mute, session: Session) -> None:
        """Say it, or hear somebody no more; what was typed is kept until it is said."""
        try:
            carry_out(wish, session)
        except NotSaid as problem:
            self.chooser.note = in_one_line(problem.message, problem.hint)
        else:
            if isinstance(wish, Speak) and wish.text:
                self.board.talk.line.clear()
        self.board.talk.people = people(session)

    def _take(self, event: Event, session: Session) -> None:
        if isinstance(event, Chatted) and not self._manner.chat:
            return
        players = session.players or (event.players if isinstance(event, LobbyChanged) else self.board.narrator.players)
        self.board.narrator.at(players, session.seat, session.rules)
        self.board.setup.making.now = clock()
        self.board.take(event)
        if self.board.ended:
            self.chooser.question = None
        self._see_people(session)
        for line in seen(session, event) if isinstance(event, Happened) else ():
            self.board.add(line)
        self.record.take(event)
        self._bell.take(event)
        self._countdown.see(session.view, clock(), session.time_left, decider_gone(session))
        if isinstance(event, Happened) and session.view is not None and not waits_for_us(session.view):
            self.chooser.sent = False  # our answer has arrived
        if isinstance(event, YourTurn):
            self._asked(session)
        elif isinstance(event, Refused):
            self.chooser.sent = False
        elif isinstance(event, HandOver):
            self.chooser.note = ""
        elif isinstance(event, PacksOffered):
            self._offered(event.heroes, session)
        self.app.invalidate()

    def _see_people(self, session: Session) -> None:
        """Who can be talked with, and how; with nobody once the table is over."""
        talk = self.board.talk
        talk.mode = session.rules.chat if session.rules is not None else "off"
        talk.mode = talk.mode if self._manner.chat else "hidden"
        talk.people = people(session)
        if self.board.ended:
            talk.pane = None

    def _offered(self, heroes: tuple[str, ...], session: Session) -> None:
        if self._accept_packs or self._pilot is not None:
            session.accept_packs(True)
        else:
            self.chooser.offer(heroes)

    def _asked(self, session: Session) -> None:
        look = self._look()
        self.chooser.asked_anew(look)
        if look.asked in (Asked.CALL, Asked.CATCH):
            self.board.scroll.close()
        if self._pilot is not None:
            return
        move = forced(look)
        if move is not None:
            self._intents.send_nowait(move)
            self.chooser.sent, self.chooser.note = True, _(FORCED)
        elif self._bell.rings(look.asked):
            self._ring()

    def _ring(self) -> None:
        if self._manner.bell and self._pilot is None:
            self.app.output.bell()
            self.app.output.flush()

    # -- the screen side

    def _look(self) -> Look:
        """The table as it stands, without the clock."""
        return look_at(self.session, self.board.narrator.players) if self.session is not None else Look()

    def _draw(self, columns: int, rows: int) -> Screen:
        self.board.setup.making.now = clock()
        look, now = self._look(), clock()
        look = replace(look, left=self._countdown.left(now), moving=self._motion.frame(now)) if self.session else Look()
        self._entitle(look)
        return draw(look, self.board, self.chooser, columns, rows, self._glyphs)

    def _entitle(self, look: Look) -> None:
        """Say in the title of the terminal's window when it is our turn."""
        mine = look.asked is not Asked.NOTHING and not self.chooser.sent and self._pilot is None
        title = _("p2puno: your turn") if mine else "p2puno"
        if self._titled and title != self._title:
            self._title = title
            self.app.output.set_title(title)

    def _click(self, what: str, which: str) -> None:
        """A click on a button, a card, an option or a line."""
        self._motion.stop()
        look = self._look()
        match what:
            case "card" if int(which) == self.chooser.cursor and self.chooser.inspected < 0:
                self._press("enter")  # a second click on the chosen card plays it
            case "card":
                self.chooser.move_to(look, int(which))
            case "option":
                self._do(self.chooser.pick(look, int(which)))
            case "page":
                self.chooser.inspect(look, which)
            case "place":
                self._change(self.board.setup.pick(int(which)))
            case "talk":
                self._do(self.board.talk.pick(int(which)))
            case _:
                super()._click(what, which)
        self.app.invalidate()

    def _write(self, text: str) -> bool:
        """Take what is typed while a remark is written; whether one is."""
        if self.board.talk.pane is not Pane.TEXT:
            return False
        self.board.talk.line.type(text)
        self.app.invalidate()
        return True

    def _talks(self, key: str, apart: bool) -> bool:
        """Take a key that is about the chat; whether it was."""
        talk = self.board.talk
        if talk.pane is not None:
            self.chooser.note = "" if talk.knows(key) else no_use(key, helps=False)
            self._do(talk.press(key))
            return True
        live = self.session is not None and not self.board.ended and not self.chooser.watching
        if key not in tuple(Pane) or apart or self.board.scroll.open or not live:
            return False
        if not self.chooser.is_free(key, self._look()):
            return False
        self.chooser.note = talk.open(key)
        self.app.invalidate()
        return True

    def _press(self, key: str) -> None:
        self._motion.stop()
        key, across = key.lower(), self.drawn.columns
        chooser = self.chooser
        apart = chooser.question is not None or chooser.help > 0 or chooser.inspected >= 0
        if self._talks(key, apart):
            return
        meant, change = (False, None) if apart or self.board.scroll.open else self._prepare(key)
        if meant:
            self._change(change)
        elif not apart and self.board.press(key, max(1, len(self.drawn.rows) // 3)):
            self.app.invalidate()
        elif self.board.ended or self.session is None:
            if self.session is not None and (key in ("i", "?") or apart):
                self.chooser.press(key, self._look(), across)
            elif key in ("q", "enter", "escape"):
                self._leave()
            elif key not in WHEEL.values():
                self.chooser.note = no_use(key, helps=self.session is not None)
            self.app.invalidate()
        elif key not in WHEEL.values():
            if key != "i" and self.chooser.inspected < 0:
                self.board.result = ()
            self._do(self.chooser.press(key, self._look(), across))

    def _prepare(self, key: str) -> tuple[bool, Change | None]:
        """Take a key before the start; whether it means something there."""
        if self.board.ended or self.session is None:
            return False, None
        self.chooser.note = ""
        return self.board.setup.press(key)

    def _change(self, change: Change | None) -> None:
        """Ask the table for it, on the trio side."""
        if change is not None:
            self._intents.send_nowait(change)
        self.app.invalidate()

    def _do(self, intent: Intent | Speak | Mute | None) -> None:
        """Carry out what the player wants, on the trio side."""
        if isinstance(intent, Leave):
            self._leave()
        elif isinstance(intent, Packs | Speak | Mute):
            self._intents.send_nowait(intent)
        elif intent is not None and self._pilot is None:
            self.chooser.sent = True
            self._intents.send_nowait(intent)
        self.app.invalidate()

    def _stop(self, number: int) -> None:
        self.signal = self.signal or number
        if number == HANGUP:
            self.close()  # without a word: the table can be taken up again
        else:
            self._leave()

    def _leave(self) -> None:
        if self.board.ended or self._leaving.is_set():
            self.close()
            return
        self.record.left = True
        if self.session is None:  # nobody has answered yet
            self.close()
            return
        self._leaving.set()
