"""The finished tables on the full screen."""

from __future__ import annotations

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from cli.draw import Screen
from cli.full_screen import FullScreen
from cli.history.archive import Archive
from cli.history.draw import draw
from cli.manner import Manner
from cli.theme import Glyphs


class HistoryScreen(FullScreen):
    """The archive and whoever goes through it."""

    def __init__(
        self,
        archive: Archive,
        glyphs: Glyphs,
        manner: Manner,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.archive, self._glyphs = archive, glyphs
        super().__init__(manner, input, output)

    def run(self) -> None:
        """Show the archive until it is closed or a table is chosen. Raises KeyboardInterrupt for Ctrl-C."""
        self.app.run()

    def _draw(self, columns: int, rows: int) -> Screen:
        return draw(self.archive, columns, rows, self._glyphs)

    def _press(self, key: str) -> None:
        self._done(self.archive.press(key.lower()))

    def _click(self, what: str, which: str) -> None:
        if what == "line":
            self._done(self.archive.click(int(which)))
        else:
            super()._click(what, which)

    def _done(self, leaves: bool) -> None:
        if leaves:
            self.close()
        else:
            self.app.invalidate()
