"""The finished tables on the full screen."""

from __future__ import annotations

from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from cli.draw import Screen
from cli.history.archive import Archive
from cli.history.draw import draw
from cli.keys import KEYS, WHEEL
from cli.screen import Table
from cli.theme import Glyphs

MOUSE: Final = MouseEventType.MOUSE_UP
"""The event that is a click."""


class HistoryScreen:
    """The archive and whoever goes through it."""

    def __init__(
        self,
        archive: Archive,
        glyphs: Glyphs,
        style: Style,
        depth: ColorDepth,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.archive, self._glyphs, self._drawn = archive, glyphs, Screen([])
        self.app: Application[None] = Application(
            layout=Layout(Window(Table(self._text, self._mouse))),
            key_bindings=self._bindings(),
            style=style,
            color_depth=depth,
            full_screen=True,
            mouse_support=True,
            input=input,
            output=output,
        )
        self.app.ttimeoutlen = 0.05  # so that Esc is not kept waiting for the rest of an arrow key

    def run(self) -> None:
        """Show the archive until it is closed or a table is chosen. Raises KeyboardInterrupt for Ctrl-C."""
        self.app.run()

    def _text(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        self._drawn = draw(self.archive, size.columns, size.rows, self._glyphs)
        out: StyleAndTextTuples = []
        for y, row in enumerate(self._drawn.rows):
            if y:
                out.append(("", "\n"))
            out += [(f"class:{piece.style}" if piece.style else "", piece.text) for piece in row]
        return out

    def _mouse(self, event: MouseEvent) -> None:
        if event.event_type in WHEEL:
            self._press(WHEEL[event.event_type])
        elif event.event_type is MOUSE:
            what, _, which = self._drawn.at(event.position.x, event.position.y).partition(" ")
            if what == "key":
                self._press(which)
            elif what == "line":
                self._done(self.archive.click(int(which)))

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-l")
        def _(event: KeyPressEvent) -> None:
            event.app.renderer.clear()

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _(event: KeyPressEvent) -> None:
            event.app.exit(exception=KeyboardInterrupt())

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
        self._done(self.archive.press(key))

    def _done(self, leave: bool) -> None:
        if leave:
            self.app.exit()
        else:
            self.app.invalidate()
