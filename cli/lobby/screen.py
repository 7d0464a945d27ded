"""The lobby on the full screen, with the look at the network beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, TypeAlias

import trio
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from cli.draw import Screen
from cli.full_screen import FullScreen
from cli.lan import SECONDS
from cli.lobby.draw import draw
from cli.lobby.intent import Intent, Quit
from cli.lobby.model import Lobby
from cli.manner import Manner
from cli.theme import Glyphs
from protocol.known import Acquaintance
from protocol.net.discovery import Browser

FRESH: Final = 5.0
"""Seconds after which the own addresses are looked up anew."""

Browsing: TypeAlias = Callable[[], AbstractAsyncContextManager[Browser]]


class LobbyScreen(FullScreen):
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
        self._wanted: Intent = Quit()
        super().__init__(manner, input, output)

    async def run(self) -> Intent:
        """Show the lobby until something is wanted; raises what a fault in looking is."""
        await self.show_beside(self._look)
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
            self.close()
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

    def _draw(self, columns: int, rows: int) -> Screen:
        return draw(self.lobby, columns, rows, self._glyphs)

    def _write(self, text: str) -> bool:
        if not self.lobby.typing:
            return False
        for character in text:  # an address or a code
            if character.isprintable():
                self._press(character)
        return True

    def _press(self, key: str) -> None:
        self._take(self.lobby.press(key))

    def _click(self, what: str, which: str) -> None:
        self._take(self.lobby.click(what, which))

    def _take(self, wanted: Intent | None) -> None:
        if wanted is not None:
            self._wanted = wanted
            self.close()
        self.app.invalidate()

    def _stop(self, number: int) -> None:
        self.signal = self.signal or number
        self.close()
