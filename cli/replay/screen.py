"""The replay on the full screen."""

from __future__ import annotations

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from cli.draw import Screen
from cli.full_screen import FullScreen
from cli.manner import Manner
from cli.replay.draw import draw
from cli.replay.viewer import Viewer
from cli.theme import Glyphs


class ReplayScreen(FullScreen):
    """A film and whoever looks at it."""

    def __init__(
        self,
        viewer: Viewer,
        glyphs: Glyphs,
        manner: Manner,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.viewer, self._glyphs = viewer, glyphs
        super().__init__(manner, input, output, mouse=False)

    def run(self) -> None:
        """Show the film until it is closed. Raises KeyboardInterrupt for Ctrl-C."""
        self.app.run()

    def _draw(self, columns: int, rows: int) -> Screen:
        return Screen(draw(self.viewer, columns, rows, self._glyphs))

    def _press(self, key: str) -> None:
        if self.viewer.press(key):
            self.close()
        else:
            self.app.invalidate()
