"""The keys of the full screen: what prompt_toolkit calls them, and what they are called here."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from typing import Final

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.bindings.mouse import load_mouse_bindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.mouse_events import MouseEventType

KEYS: Final = {
    Keys.Left: "left",
    Keys.Right: "right",
    Keys.Up: "up",
    Keys.Down: "down",
    Keys.Home: "home",
    Keys.End: "end",
    Keys.Enter: "enter",
    Keys.Escape: "escape",
    Keys.PageUp: "pageup",
    Keys.PageDown: "pagedown",
    Keys.Backspace: "backspace",
    Keys.Delete: "delete",
    Keys.Tab: "tab",
    Keys.BackTab: "backtab",
}
MOUSE: Final = re.compile(r"\x1b\[(<?\d+;\d+;\d+[mM]|M...)", re.DOTALL)
"""What a terminal says of its mouse. prompt_toolkit takes more for that, such as a colour code, and fails at it."""
WHEEL: Final = {MouseEventType.SCROLL_UP: "wheelup", MouseEventType.SCROLL_DOWN: "wheeldown"}


def bindings(press: Callable[[str], None], write: Callable[[str], bool], stop: Callable[[int], None]) -> KeyBindings:
    """What keys do. `press`: takes a key by its name here, or its character; `write`: takes what was typed or pasted
    while a line of text is open, whether it was; `stop`: takes the signal that Ctrl-C stands for."""
    keys = KeyBindings()

    @keys.add("c-l")
    def _(event: KeyPressEvent) -> None:
        event.app.renderer.clear()

    @keys.add("c-c")
    @keys.add("<sigint>")
    def _(event: KeyPressEvent) -> None:
        stop(int(signal.SIGINT))

    for key, name in KEYS.items():

        @keys.add(key)
        def _(event: KeyPressEvent, name: str = name) -> None:
            press(name)

    mouse = load_mouse_bindings().get_bindings_for_keys((Keys.Vt100MouseEvent,))[0]

    @keys.add(Keys.Vt100MouseEvent)
    def _(event: KeyPressEvent) -> object:
        return mouse.handler(event) if MOUSE.fullmatch(event.data) else NotImplemented

    @keys.add(Keys.Any)
    def _(event: KeyPressEvent) -> None:
        if not write(event.data) and len(event.data) == 1 and event.data.isprintable():
            press(event.data)

    @keys.add(Keys.BracketedPaste)
    def _(event: KeyPressEvent) -> None:
        write(event.data)  # where no line is open, a text is no keys

    return keys
