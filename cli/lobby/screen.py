"""The lobby on the full screen: prompt_toolkit owns the loop, the look at the network is its guest."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, TypeAlias

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output

from cli.draw import Screen
from cli.guest import run_trio_guest
from cli.keys import KEYS as TABLE_KEYS
from cli.keys import WHEEL
from cli.lan import SECONDS
from cli.lobby.draw import draw
from cli.lobby.intent import Intent, Quit
from cli.lobby.model import Lobby
from cli.manner import Manner
from cli.screen import REDRAW, Table
from cli.theme import Glyphs, colour_depth
from protocol.known import Acquaintance
from protocol.net.discovery import Browser

KEYS: Final = {**TABLE_KEYS, Keys.Tab: "tab", Keys.BackTab: "backtab"}
FRESH: Final = 5.0
"""Seconds after which the own addresses are looked up anew."""

Browsing: TypeAlias = Callable[[], AbstractAsyncContextManager[Browser]]


class LobbyScreen:
    """The lobby until something is wanted. `known`: whom we have played with; `here`: the commands by which a table on
    this machine is joined now."""

    def __init__(
        self,
        lobby: Lobby,
        browsing: Browsing,
        known: Callable[[], Sequence[Acquaintance]],
        here: Callable[[], tuple[str, ...]],
        glyphs: Glyphs,
        manner: Manner,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.lobby, self._browsing, self._known, self._here = lobby, browsing, known, here
        self._glyphs = glyphs
        self.signal = 0  # the signal that asked us to go
        self._drawn = Screen([])
        self._wanted: Intent = Quit()
        depth = colour_depth(manner.colours)
        self.app: Application[None] = Application(
            layout=Layout(Window(Table(self._text, self._mouse))),
            key_bindings=self._bindings(),
            style=manner.theme.style(depth),
            color_depth=depth,
            full_screen=True,
            mouse_support=True,
            min_redraw_interval=REDRAW,
            input=input,
            output=output,
        )
        self.app.ttimeoutlen = 0.05  # so that Esc is not kept waiting for the rest of an arrow key

    async def run(self) -> Intent:
        """Show the lobby until something is wanted; raises what a fault in looking is."""
        loop = asyncio.get_running_loop()
        signals = [s for s in ("SIGTERM", "SIGHUP") if sys.platform != "win32" and hasattr(signal, s)]
        for name in signals:
            number = getattr(signal, name)
            loop.add_signal_handler(number, self._stop, int(number))
        looking = asyncio.create_task(run_trio_guest(self._look))
        try:
            await self.app.run_async()
        finally:
            looking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await looking
            for name in signals:
                loop.remove_signal_handler(getattr(signal, name))
        return self._wanted

    # -- the trio side

    async def _look(self) -> None:
        try:
            async with self._browsing() as browser, trio.open_nursery() as nursery:
                nursery.start_soon(self._look_here)
                nursery.start_soon(self._say_nothing)
                async for sight in browser:
                    self.lobby.see(sight, self._known())
                    self.app.invalidate()
        except BaseException:
            self._close()
            raise

    async def _look_here(self) -> None:
        while True:
            self.lobby.here = self._here()
            self.app.invalidate()
            await trio.sleep(FRESH)

    async def _say_nothing(self) -> None:
        """After a while: that nothing was found."""
        await trio.sleep(SECONDS)
        self.lobby.searched = True
        self.app.invalidate()

    # -- the screen side

    def _text(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        self._drawn = draw(self.lobby, size.columns, size.rows, self._glyphs)
        out: StyleAndTextTuples = []
        for y, row in enumerate(self._drawn.rows):
            if y:
                out.append(("", "\n"))
            out += [(f"class:{piece.style}" if piece.style else "", piece.text) for piece in row]
        return out

    def _mouse(self, event: MouseEvent) -> None:
        if event.event_type in WHEEL:
            self._press(WHEEL[event.event_type])
        elif event.event_type is MouseEventType.MOUSE_UP:
            self._take(self.lobby.click(*self._drawn.at(event.position.x, event.position.y).partition(" ")[::2]))

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

        @keys.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            for character in event.data if self.lobby.typing else "":  # an address or a code
                if character.isprintable():
                    self._press(character)

        @keys.add(Keys.Any)
        def _(event: KeyPressEvent) -> None:
            if len(event.data) == 1 and event.data.isprintable():
                self._press(event.data)

        return keys

    def _press(self, key: str) -> None:
        self._take(self.lobby.press(key))

    def _take(self, wanted: Intent | None) -> None:
        if wanted is not None:
            self._wanted = wanted
            self._close()
        self.app.invalidate()

    def _stop(self, number: int) -> None:
        self.signal = self.signal or number
        self._close()

    def _close(self) -> None:
        if self.app.is_running:
            self.app.exit()
