"""The full screen: prompt_toolkit owns the loop, the table runs beside it as a trio guest.

Nothing is decided here: `chooser` says what a key means, `draw` what it looks like, this module carries both to and
fro.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable
from typing import Any, Final

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output

from cli.canvas import OPTIONS
from cli.draw import draw
from cli.guest import run_trio_guest
from cli.pilot import Pilot
from cli.record import Record
from cli.table.board import Board
from cli.table.chooser import Chooser, Intent, Leave, Packs
from cli.table.look import Asked, Look
from cli.table.session import GOODBYE, OpenTable, Session
from cli.table.sight import forced, look_at, seen
from cli.table.words import FORCED
from cli.theme import Glyphs, colour_depth, style
from p2puno.moves import MoveError
from p2puno.needs import Say
from protocol.events import Event, HandOver, Happened, LobbyChanged, PacksOffered, Refused, YourTurn

KEYS: Final = {
    Keys.Left: "left",
    Keys.Right: "right",
    Keys.Up: "up",
    Keys.Down: "down",
    Keys.Home: "home",
    Keys.End: "end",
    Keys.Enter: "enter",
    Keys.Escape: "escape",
}


class TableScreen:
    """One player at one table on the full screen."""

    def __init__(
        self,
        open_table: OpenTable,
        glyphs: Glyphs,
        bell: bool = True,
        pilot: Pilot | None = None,
        accept_packs: bool = False,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.board, self.chooser, self.record = Board(), Chooser(), Record()
        self.session: Session | None = None
        self.signal = 0  # the signal that asked us to go
        self._open_table, self._glyphs, self._bell, self._pilot = open_table, glyphs, bell, pilot
        self._accept_packs = accept_packs
        self._columns = 10
        self._intents, self._wanted = trio.open_memory_channel[Intent](16)
        self._leaving = trio.Event()
        self.app: Application[None] = Application(
            layout=Layout(Window(FormattedTextControl(self._text, focusable=True, show_cursor=False))),
            key_bindings=self._bindings(),
            style=style(),
            color_depth=colour_depth(),
            full_screen=True,
            mouse_support=True,
            min_redraw_interval=0.05,
            input=input,
            output=output,
        )
        self.app.ttimeoutlen = 0.05  # so that Esc is not kept waiting for the rest of an arrow key

    async def run(self) -> Record:
        """Show the table until it is over and the player has seen it; raises what ends it otherwise."""
        loop = asyncio.get_running_loop()
        signals = [s for s in ("SIGTERM", "SIGHUP") if sys.platform != "win32" and hasattr(signal, s)]
        for name in signals:
            number = getattr(signal, name)
            loop.add_signal_handler(number, self._stop, int(number))
        table = asyncio.create_task(run_trio_guest(self._table))
        try:
            await self.app.run_async()
        finally:
            table.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await table  # an error of the table comes out here
            for name in signals:
                loop.remove_signal_handler(getattr(signal, name))
        return self.record

    # -- the trio side

    async def _table(self) -> None:
        try:
            async with self._open_table() as session, trio.open_nursery() as nursery:
                self.session = session
                nursery.start_soon(self._carry_out)
                nursery.start_soon(self._go)
                async for event in session.events:
                    self._take(event, session)
                    if self._pilot is not None and isinstance(event, YourTurn):
                        nursery.start_soon(self._pilot.answer, session)
                nursery.cancel_scope.cancel()
        except BaseException:
            self._close()
            raise
        self.board.ended = True
        if self._leaving.is_set():
            self._close()
        self.app.invalidate()

    def _close(self) -> None:
        if self.app.is_running:
            self.app.exit()

    async def _go(self) -> None:
        """Leave when told to: politely, but not for longer than a second (N02, N03)."""
        await self._leaving.wait()
        assert self.session is not None
        self.session.leave()
        await trio.sleep(GOODBYE)
        self._close()

    async def _carry_out(self) -> None:
        """Do what the keys ask for, on the trio side."""
        async for intent in self._wanted:
            session = self.session
            if session is None:
                continue
            try:
                if isinstance(intent, Say):
                    session.say(intent)
                elif isinstance(intent, Packs):
                    session.accept_packs(True)
                elif not isinstance(intent, Leave):
                    session.decide(intent)
            except MoveError as problem:
                self.chooser.sent = False
                self.chooser.note = f"{problem}" + (f": {problem.hint}" if problem.hint else "")
            self.app.invalidate()

    def _take(self, event: Event, session: Session) -> None:
        players = session.players or (event.players if isinstance(event, LobbyChanged) else self.board.narrator.players)
        self.board.narrator.at(players, session.seat, session.rules)
        self.board.take(event)
        for line in seen(session, event) if isinstance(event, Happened) else ():
            self.board.add(line)
        self.record.take(event)
        if isinstance(event, YourTurn):
            self._asked(session)
        elif isinstance(event, Refused):
            self.chooser.sent = False
        elif isinstance(event, HandOver):
            self.chooser.note = ""
        elif isinstance(event, PacksOffered):
            self._offered(event.heroes, session)
        self.app.invalidate()

    def _offered(self, heroes: tuple[str, ...], session: Session) -> None:
        if self._accept_packs or self._pilot is not None:
            session.accept_packs(True)
        else:
            self.chooser.offer(heroes)

    def _asked(self, session: Session) -> None:
        look = self._look()
        self.chooser.asked_anew(look)
        if self._pilot is not None:
            return
        move = forced(look)
        if move is not None:
            self._intents.send_nowait(move)
            self.chooser.sent, self.chooser.note = True, FORCED
        elif self._bell and look.asked is not Asked.DRAWN:
            self.app.output.bell()
            self.app.output.flush()

    # -- the screen side

    def _look(self) -> Look:
        return look_at(self.session, self.board.narrator.players) if self.session is not None else Look()

    def _text(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        screen = draw(self._look(), self.board, self.chooser, size.columns, size.rows, self._glyphs)
        self._columns = screen.columns
        out: StyleAndTextTuples = []
        for y, row in enumerate(screen.rows):
            if y:
                out.append(("", "\n"))
            for piece in row:
                name = f"class:{piece.style}" if piece.style else ""
                if piece.click >= 0:
                    out.append((name, piece.text, self._click(piece.click)))
                else:
                    out.append((name, piece.text))
        return out

    def _click(self, index: int) -> Callable[[MouseEvent], Any]:
        def handler(event: MouseEvent) -> None:
            if event.event_type is MouseEventType.MOUSE_UP:
                look = self._look()
                if index >= OPTIONS:
                    self._do(self.chooser.pick(look, index - OPTIONS))
                elif index == self.chooser.cursor:
                    self._press("enter")  # a second click on the chosen card plays it
                else:
                    self.chooser.move_to(look, index)
                self.app.invalidate()

        return handler

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-l")
        def _(event: KeyPressEvent) -> None:
            event.app.renderer.clear()

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _(event: KeyPressEvent) -> None:
            self._stop(int(signal.SIGINT))

        for key, name in KEYS.items():

            @keys.add(key)
            def _(event: KeyPressEvent, name: str = name) -> None:
                self._press(name)

        @keys.add(Keys.Any)
        def _(event: KeyPressEvent) -> None:
            if len(event.data) == 1 and event.data.isprintable():
                self._press(event.data.lower())

        return keys

    def _press(self, key: str) -> None:
        if self.board.ended or self.session is None:
            if self.session is not None and (key == "i" or self.chooser.inspected >= 0):
                self.chooser.press(key, self._look(), self._columns)
            elif key in ("q", "enter", "escape"):
                self._leave()
            self.app.invalidate()
            return
        if key != "i" and self.chooser.inspected < 0:
            self.board.result = ()
        self._do(self.chooser.press(key, self._look(), self._columns))

    def _do(self, intent: Intent | None) -> None:
        """Carry out what the player wants, on the trio side."""
        if isinstance(intent, Leave):
            self._leave()
        elif isinstance(intent, Packs):
            self._intents.send_nowait(intent)
        elif intent is not None and self._pilot is None:
            self.chooser.sent = True
            self._intents.send_nowait(intent)
        self.app.invalidate()

    def _stop(self, number: int) -> None:
        self.signal = self.signal or number
        self._leave()

    def _leave(self) -> None:
        if self.board.ended or self.session is None or self._leaving.is_set():
            self._close()
            return
        self.record.left = True
        self._leaving.set()
