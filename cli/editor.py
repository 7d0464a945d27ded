"""The line mode on a terminal: a line that can be edited, completed with Tab and taken again with the arrows.

What the table says is printed above the line. Where no cursor can be moved, `LineTable` reads stdin instead.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import signal
from collections.abc import Iterable
from typing import Final

import trio
from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.shortcuts import CompleteStyle

from cli.guest import run_trio_guest
from cli.plain import LineTable
from cli.table.typed import words

PAUSE: Final = 0.02
"""Seconds between two pieces of text printed above the line, so that it is not drawn anew for each line."""


class Words(Completer):
    """Completes a line with what the table can be answered now."""

    def __init__(self, table: LineTable) -> None:
        self._table = table

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        before, table = document.text_before_cursor, self._table
        rules = table.session.rules if table.session is not None else None
        for word in words(table.look(), rules, table.answers.picker, before):
            yield Completion(word, start_position=-len(before.lstrip()))


class Editor:
    """Lines typed by a person, for `LineTable.read`."""

    def __init__(self, table: LineTable, source: Input, output: Output) -> None:
        output.enable_cpr = False  # type: ignore[attr-defined]  # the answer would show as litter on some terminals (P04)
        self._table = table
        self._typed, self._lines = trio.open_memory_channel[str](math.inf)
        self.prompt: PromptSession[str] = PromptSession(
            "> ",
            completer=Words(table),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            history=InMemoryHistory(),
            color_depth=ColorDepth.DEPTH_1_BIT,
            input=source,
            output=output,
        )

    async def read(self) -> str:
        """The next line with its end, "" when there are no more."""
        try:
            return await self._lines.receive() + "\n"
        except trio.EndOfChannel:
            return ""

    async def type(self) -> None:
        """Let the person type until Ctrl-D or Ctrl-C; runs on the asyncio side."""
        with self._typed:
            while True:
                try:
                    self._typed.send_nowait(await self.prompt.prompt_async(handle_sigint=False))
                except EOFError:
                    return
                except KeyboardInterrupt:
                    self._table.signal = int(signal.SIGINT)
                    return


class Above:
    """What lines are printed to while a line is edited: they appear above it, some at a time, so that it is not drawn
    anew for each of them."""

    def __init__(self, app: Application[str], output: Output) -> None:
        self._app, self._output = app, output
        self._text = ""
        self._waits = False

    def write(self, text: str, /) -> None:
        self._text += text

    def flush(self) -> None:
        if not self._waits:
            self._waits = True
            asyncio.get_running_loop().call_later(PAUSE, self._appear)

    def _appear(self) -> None:
        self._waits = False
        if self._app.is_running and self._app.context is not None:
            # Takes the line away, prints, draws the line again. Which application that is, is a matter of the context.
            self._app.context.copy().run(run_in_terminal, self.print)
        else:
            self.print()

    def print(self) -> None:
        """Print all that has not appeared yet."""
        text, self._text = self._text, ""
        self._output.enable_autowrap()
        self._output.write(text)
        self._output.flush()


async def edited_lines(table: LineTable, source: Input, output: Output) -> None:
    """Play at the table with an edited line. Raises what ends the table otherwise."""
    editor = Editor(table, source, output)
    above = Above(editor.prompt.app, output)
    table.read, table.out, table.edited = editor.read, above, True
    typing = asyncio.create_task(editor.type())
    try:
        await run_trio_guest(table.run)
    finally:
        typing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await typing
        above.print()
