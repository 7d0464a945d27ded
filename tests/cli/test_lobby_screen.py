"""The lobby on the full screen: keys through a pipe, the screen through pyte; with a real network on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
import trio
from prompt_toolkit.input import PipeInput, create_pipe_input

from cli import faces
from cli.children import Children
from cli.history import browse
from cli.lobby import program
from cli.lobby.intent import Go, Intent, Open, Quit
from cli.lobby.program import Program
from cli.lobby.screen import LobbyScreen
from cli.manner import Manner
from cli.pilot import Pilot
from cli.seat import Seating
from cli.tables import Place, hosted
from cli.theme import ASCII
from cli.trouble import Interrupted
from p2puno.bots import sensible
from p2puno.rules import Rules
from protocol.events import YourTurn
from protocol.net import discovery
from protocol.net.discovery import Sight
from tests.cli.lobbies import HERE, KNOWN, TABLES, a_lobby, found, key
from tests.cli.terminal import Terminal, until
from tests.cli.test_mouse import click
from tests.cli.test_theme import codes

PATIENCE = 20.0


class Network:
    """What is seen on the network, shown whenever a test wants it."""

    def __init__(self) -> None:
        self._send, self._seen = trio.open_memory_channel[Sight | Exception](100)
        self.closed = False

    def show(self, *tables: discovery.Found, trouble: str = "") -> None:
        self._send.send_nowait(Sight(tables, trouble))

    def fail(self, problem: Exception) -> None:
        self._send.send_nowait(problem)

    @asynccontextmanager
    async def browsing(self) -> AsyncIterator[AsyncIterator[Sight]]:
        async def seen() -> AsyncIterator[Sight]:
            async for one in self._seen:
                if isinstance(one, Exception):
                    raise one
                yield one

        each = seen()
        try:
            yield each
        finally:
            self.closed = True
            await each.aclose()  # type: ignore[attr-defined]


class Rig:
    """A lobby, its terminal, its keyboard and the network around it."""

    def __init__(self, terminal: Terminal, keyboard: PipeInput, manner: Manner) -> None:
        self.terminal, self.keyboard, self.network = terminal, keyboard, Network()
        self.screen = LobbyScreen(
            a_lobby(tables=(), searched=False), self.network.browsing, lambda: KNOWN, lambda: HERE, ASCII, manner,
            keyboard, terminal.output(),
        )  # type: ignore[arg-type]  # fmt: skip
        self.running: asyncio.Task[Intent] = asyncio.create_task(self.screen.run())

    async def shows(self, text: str) -> None:
        await until(lambda: text in self.terminal.text or self.running.done(), text)
        assert text in self.terminal.text, self.terminal.text

    def type(self, text: str) -> None:
        self.keyboard.send_text(text)

    async def wants(self) -> Intent:
        return await asyncio.wait_for(self.running, 5)


def with_lobby(
    test: Callable[[Rig], Awaitable[None]], columns: int = 80, rows: int = 24, manner: Manner | None = None
) -> Rig:
    """Run a test in a lobby."""
    rigs = []

    async def go() -> None:
        with create_pipe_input() as keyboard:
            rig = Rig(Terminal(columns, rows), keyboard, manner or Manner())
            rigs.append(rig)
            await test(rig)
            if not rig.running.done():
                rig.type("\x03")
                await rig.wants()

    asyncio.run(go())
    assert rigs[0].network.closed
    return rigs[0]


def test_tables_come_and_go_while_one_looks() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("Looking for tables")
        rig.network.show(found("Ann", taken=2))
        await rig.shows("2 of 4 seats taken")
        rig.network.show(found("Ann", taken=3), trouble="the wind")
        await rig.shows("3 of 4 seats taken")
        await rig.shows("the wind")
        rig.network.show()
        await until(lambda: "Ann" not in rig.terminal.text, "Ann goes")
        rig.type("q")
        assert await rig.wants() == Quit()

    rig = with_lobby(test)
    assert "\x1b[?1049l" in rig.terminal.raw  # the normal screen is back
    assert "\x1b[6n" not in rig.terminal.raw


def test_keys_arrows_and_a_paste_are_taken() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("host a table")
        rig.type("q" * 0 + "j")
        await rig.shows("type here: address")
        rig.type("\x1b[200~192.168.1.9:5000\x1b[201~")
        await rig.shows("192.168.1.9:5000_")
        rig.type("\x7f1\t\x1b[B")
        await rig.shows(">  join the table at 192.168.1.9:5001")
        rig.type("\r")
        assert await rig.wants() == Go("192.168.1.9:5001")

    with_lobby(test)

    async def paste(rig: Rig) -> None:
        await rig.shows("host a table")
        rig.type("\x1b[200~quit\x1b[201~")  # where no text is typed a paste is none
        rig.type("p")
        await rig.shows("bots play")
        rig.type("\x1b")
        await rig.shows("known players")
        rig.type("p\r")
        assert isinstance(await rig.wants(), Open)

    with_lobby(paste)


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
def test_a_table_is_joined_with_the_mouse_alone(size: tuple[int, int]) -> None:
    async def test(rig: Rig) -> None:
        rig.network.show(*TABLES[:2])
        await rig.shows("1 Ann" if size[0] < 72 else "1  Ann")
        y = next(y for y, line in enumerate(rig.terminal.screen.display) if "Ann" in line)
        click(rig, 8, y)  # type: ignore[arg-type]
        await rig.shows("Enter: join Ann")
        click(rig, 8, y)  # type: ignore[arg-type]
        wanted = await rig.wants()
        assert isinstance(wanted, Go)
        assert wanted.key == key("Ann")

    with_lobby(test, *size)


def test_it_is_resized_at_any_moment() -> None:
    """P12, N01."""

    async def test(rig: Rig) -> None:
        rig.network.show(*TABLES)
        for columns, rows in ((40, 15), (20, 5), (200, 60), (1, 1), (80, 24)):
            rig.terminal.resize(columns, rows)
            rig.screen.app._on_resize()
            await asyncio.sleep(0)
        rig.type("\x0c")
        await rig.shows("known with another key")

    with_lobby(test)


@pytest.mark.parametrize("depth", ["none", "16", "24bit"])
def test_colours_are_those_that_are_wanted(depth: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """P09, P11."""
    monkeypatch.delenv("NO_COLOR", raising=False)

    async def test(rig: Rig) -> None:
        rig.network.show(*TABLES)
        await rig.shows("known with another key")

    used = codes(with_lobby(test, manner=Manner(colours=depth)).terminal.raw)
    assert bool(used) == (depth != "none")


def test_hostile_names_never_reach_the_terminal_raw() -> None:
    """P16."""

    async def test(rig: Rig) -> None:
        rig.network.show(found("\x1b]52;c;AAAA\x07Bo\u202e"))
        await rig.shows("Bo")

    assert "]52;" not in with_lobby(test).terminal.raw.replace("\x1b]2;", "").replace("]52;c;AAAABo", "")


def test_a_signal_closes_the_lobby_and_says_which() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("host a table")
        os.kill(os.getpid(), signal.SIGTERM)
        await rig.wants()
        assert rig.screen.signal == signal.SIGTERM

    with_lobby(test)

    async def ctrl_c(rig: Rig) -> None:
        await rig.shows("host a table")
        rig.type("\x03")
        await rig.wants()
        assert rig.screen.signal == signal.SIGINT

    with_lobby(ctrl_c)


def test_a_fault_of_the_look_comes_out_and_the_terminal_is_restored() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("host a table")
        rig.network.fail(ZeroDivisionError("a fault"))
        with pytest.raises(BaseExceptionGroup) as caught:
            await rig.wants()
        assert caught.group_contains(ZeroDivisionError)

    assert "\x1b[?1049l" in with_lobby(test).terminal.raw


# -- the whole program, with a table of another one on loopback


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[threading.Thread]:
    """Ann's table for two in a thread of its own, as another program has it; a bot plays for her."""
    seating = Seating("Ann", tmp_path / "ann", profile="ann", bot=True)
    place = Place("127.0.0.1", 0, announce=True)

    async def play() -> None:
        pilot = Pilot(sensible(Random(1)), 0)
        with Children() as children:
            table = hosted(Rules.make("batman", hand_size=5), 2, place, seating, [], children)
            async with table() as session, trio.open_nursery() as nursery:
                async for event in session.events:
                    if isinstance(event, YourTurn):
                        nursery.start_soon(pilot.answer, session)

    thread = threading.Thread(target=trio.run, args=(play,))
    yield thread
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_a_table_is_found_joined_and_played_to_its_end_and_one_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ann: threading.Thread
) -> None:
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))
    monkeypatch.setattr(discovery, "SERVICE", f"_p2t{secrets.token_hex(5)}._tcp.local.")
    terminal, failed = Terminal(), list[str]()
    with create_pipe_input() as keyboard:
        monkeypatch.setattr(faces, "full_screen_fits", lambda: True)
        for module in (program, faces, browse):
            monkeypatch.setattr(module, "console", lambda: (keyboard, terminal.output()))

        def sit_there() -> None:
            """What the person does: look, then press. In real time, as the program with its tables and bots is real."""
            for look, press in (
                ("Looking for tables", ""),
                ("hand_size 5", "1"),
                ("Enter: join Ann", "\r"),
                ("wins the match", "\r"),
                ("the lobby", "s"),
                ("won by", "s"),
                ("STANDINGS", "q"),
                ("host a table", "k"),
                ("Nobody yet", "\x1b"),  # bots are not remembered
                ("host a table", "q"),
            ):
                if not terminal.shows(look, PATIENCE):
                    failed.append(f"{look!r} never came:\n{terminal.text}")
                    press = "\x03"
                keyboard.send_text(press)
                if failed:
                    return

        person = threading.Thread(target=sit_there)
        ann.start()
        person.start()
        seating = Seating("Mia", tmp_path / "tables", bot=True, pace=0.0, manner=Manner(ascii=True))
        code = -1
        with contextlib.suppress(Interrupted):
            code = Program(seating, ["127.0.0.1"], {}).run()
        person.join(PATIENCE)
        assert (code, failed) == (0, [])
