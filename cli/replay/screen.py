"""The replay on the full screen."""

from __future__ import annotations

from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from cli.replay.draw import draw
from cli.replay.viewer import Viewer
from cli.theme import Glyphs

KEYS: Final = {
    Keys.Left: "left",
    Keys.Right: "right",
    Keys.Up: "up",
    Keys.Down: "down",
    Keys.PageUp: "pageup",
    Keys.PageDown: "pagedown",
    Keys.Home: "home",
    Keys.End: "end",
    Keys.Enter: "enter",
    Keys.Escape: "escape",
    Keys.Backspace: "backspace",
}


class ReplayScreen:
    """A film and whoever looks at it."""

    def __init__(
        self,
        viewer: Viewer,
        glyphs: Glyphs,
        style: Style,
        depth: ColorDepth,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.viewer, self._glyphs = viewer, glyphs
        self.app: Application[None] = Application(
            layout=Layout(Window(FormattedTextControl(self._text, focusable=True, show_cursor=False))),
            key_bindings=self._bindings(),
            style=style,
            color_depth=depth,
            full_screen=True,
            input=input,
            output=output,
        )
        self.app.ttimeoutlen = 0.05  # so that Esc is not kept waiting for the rest of an arrow key

    def run(self) -> None:
        """Show the film until it is closed. Raises KeyboardInterrupt for Ctrl-C."""
        self.app.run()

    def _text(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        out: StyleAndTextTuples = []
        for y, row in enumerate(draw(self.viewer, size.columns, size.rows, self._glyphs)):
            if y:
                out.append(("", "\n"))
            out += [(f"class:{piece.style}" if piece.style else "", piece.text) for piece in row]
        return out

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
                self._press(event.data)

        return keys

    def _press(self, key: str) -> None:
        if self.viewer.press(key):
            self.app.exit()
        else:
            self.app.invalidate()
