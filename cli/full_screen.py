"""A terminal filled with rows: what the table, the lobby, the history and the replay have in common there.

prompt_toolkit owns the loop; what happens on the network lives beside it as a trio guest.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output

from cli.draw import Screen
from cli.guest import run_trio_guest
from cli.keys import WHEEL, bindings
from cli.manner import Manner
from cli.stdin import HANGUP
from cli.theme import colour_depth

REDRAW: Final = 1 / 30
"""Seconds between two drawings at least (P03)."""
ESCAPE: Final = 0.05
"""Seconds that Esc is kept waiting for the rest of an arrow key."""


class FullScreen(ABC):
    """What is drawn, and the keys and clicks that it takes. `mouse`: whether the terminal tells of the mouse."""

    def __init__(self, manner: Manner, input: Input | None, output: Output | None, mouse: bool = True) -> None:
        self.signal = 0  # the signal that asked us to go
        self.drawn = Screen([])
        depth = colour_depth(manner.colours)
        self.app: Application[None] = Application(
            layout=Layout(Window(_Rows(self._text, self._mouse))),
            key_bindings=bindings(self._press, self._write, self._stop),
            style=manner.theme.style(depth),
            color_depth=depth,
            full_screen=True,
            mouse_support=mouse,
            min_redraw_interval=REDRAW,
            input=input,
            output=output,
        )
        self.app.ttimeoutlen = ESCAPE

    # -- what each screen says of itself

    @abstractmethod
    def _draw(self, columns: int, rows: int) -> Screen:
        """The whole screen as `rows` rows of `columns` cells each."""

    @abstractmethod
    def _press(self, key: str) -> None:
        """Take a key: by its name in `cli.keys`, or the character as it was typed."""

    def _click(self, what: str, which: str) -> None:
        """Take a click on what was drawn, the two words of `Piece.click`; one on a button is its key."""
        if what == "key":
            self._press(which)

    def _write(self, text: str) -> bool:
        """Take what is typed or pasted while a line of text is open; whether one is."""
        return False

    def _stop(self, number: int) -> None:
        """Take the signal that Ctrl-C stands for, or that came from outside."""
        self.app.exit(exception=KeyboardInterrupt())

    # -- how it is shown

    async def show_beside(self, guest: Callable[[], Awaitable[None]]) -> None:
        """Show it until it is closed, with `guest` in trio beside it; what ends the guest otherwise comes out."""
        loop = asyncio.get_running_loop()
        signals = [s for s in ("SIGTERM", "SIGHUP") if sys.platform != "win32" and hasattr(signal, s)]
        for name in signals:
            number = getattr(signal, name)
            loop.add_signal_handler(number, self._stop, int(number))
        beside = asyncio.create_task(run_trio_guest(guest))
        try:
            await self.app.run_async()
        except EOFError:  # the terminal has gone before its signal came
            self.signal = self.signal or HANGUP
        finally:
            beside.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await beside  # an error of the guest comes out here
            for name in signals:
                loop.remove_signal_handler(getattr(signal, name))

    def close(self) -> None:
        """Show it no longer."""
        if self.app.is_running:
            self.app.exit()

    def _text(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        self.drawn = self._draw(size.columns, size.rows)
        out: StyleAndTextTuples = []
        for y, row in enumerate(self.drawn.rows):
            if y:
                out.append(("", "\n"))
            out += [(f"class:{piece.style}" if piece.style else "", piece.text) for piece in row]
        return out

    def _mouse(self, event: MouseEvent) -> None:
        if event.event_type in WHEEL:
            self._press(WHEEL[event.event_type])
        elif event.event_type is MouseEventType.MOUSE_UP:
            self._click(*self.drawn.at(event.position.x, event.position.y).partition(" ")[::2])


class _Rows(FormattedTextControl):
    """The rows as prompt_toolkit wants them; `mouse` takes every event of the mouse with its place in them."""

    def __init__(self, text: Callable[[], StyleAndTextTuples], mouse: Callable[[MouseEvent], None]) -> None:
        super().__init__(text, focusable=True, show_cursor=False)
        self._mouse = mouse

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        self._mouse(mouse_event)
