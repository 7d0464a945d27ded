"""Watching, as it is shown: no hand, nothing to play, and gone at once; one document for programs."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio

from cli import lan
from cli.draw_help import HELP_WATCHING
from cli.lan import list_lines
from cli.main import run
from cli.plain import LineTable
from cli.speak import LABELS, Speech
from cli.table.chooser import ONLY_WATCHING
from cli.table.words import NO_LONGER, NO_SEAT
from p2puno.needs import Decide, Window
from p2puno.rules import Rules
from p2puno.view import View, view
from protocol.audit import audit
from protocol.errors import Unreachable
from protocol.events import Watching
from protocol.identity import Identity
from protocol.net.advert import Advert, digest
from protocol.net.discovery import Found, Sight
from protocol.net.gathering import open_host, open_join
from tests.cli.fakes import FakeSession, playing
from tests.cli.test_screen import Rig, with_screen
from tests.protocol.test_driver import Player

HOST = "127.0.0.1"
RULES = Rules.make("batman", hand_size=5, watchers=True)
ANN = Identity.fresh()


class Watched(FakeSession):
    """A table at which all seats are played by bots, slowly enough to look at, and we have none."""

    def __init__(self) -> None:
        super().__init__(3, 7)
        self.seat = -1
        self.stopped = trio.Event()

    @property
    def view(self) -> View | None:
        return view(self._game, None) if self._game is not None else None

    async def _play(self, scope: trio.CancelScope) -> None:
        self.show(Watching(0))
        await super()._play(scope)

    async def _ask(self):  # type: ignore[no-untyped-def]
        assert self._game is not None
        need = self._game.need
        if self.turns > 3:
            self.stopped.set()
            await trio.sleep_forever()
        assert isinstance(need, Decide | Window)
        bot, seen = self._bots[0], view(self._game, 0)
        return bot(seen) if isinstance(need, Decide) else bot.say(seen)


def watching(test: Callable[[Rig], Awaitable[None]], columns: int = 80, rows: int = 24) -> Rig:
    """Run a test in front of a screen that watches."""
    rig = with_screen(test, columns, rows, session=Watched())
    assert not rig.session.decided
    return rig


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 15)])
def test_who_watches_sees_the_table_without_a_hand_and_goes_at_once(columns: int, rows: int) -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("WATCHING")
        await rig.shows("waiting for Mia")
        assert "Mia" in rig.terminal.text
        assert "YOUR" not in rig.terminal.text
        assert "[1]" not in rig.terminal.text
        rig.type("q")
        record = await rig.ends()
        assert (record.left, record.exit_code) == (True, 0)

    assert watching(test, columns, rows).screen.signal == 0


def test_ctrl_c_ends_it_as_a_signal() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("waiting for Mia")
        rig.type("\x03")
        await rig.ends()

    assert watching(test).screen.signal == 2


def test_keys_that_would_play_do_nothing() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("waiting for Mia")
        for key in "1dkucpa\r":
            rig.type(key)
        await rig.shows(ONLY_WATCHING)
        rig.type("?")
        await rig.shows(HELP_WATCHING[-1])
        rig.type("x")
        await rig.shows("waiting for Mia")

    watching(test)


async def lines(*typed: str, voice: Speech | None = None) -> tuple[list[str], LineTable]:
    """What is printed when these lines are typed in front of a table that has stopped."""
    session, out, left = Watched(), io.StringIO(), list(typed)

    async def read() -> str:
        await session.stopped.wait()
        return left.pop(0) + "\n"

    table = LineTable(lambda: playing(session), None, out, read, voice=voice, watching=True)
    await table.run()
    assert not session.decided
    assert session.left
    return out.getvalue().splitlines(), table


async def test_lines_tell_the_table_and_take_no_move() -> None:
    said, table = await lines("R7", "hand", "uno", "table", "help", "quit")
    assert said.count(NO_SEAT) == 3
    assert any(line.startswith("You watch Mia, Bo and Cy from the beginning") for line in said)
    assert any(line.startswith("quit ") for line in said)
    assert said[-1] == NO_LONGER  # and nobody was asked whether that is sure
    assert not any("waiting for" in line for line in said)
    assert table.record.exit_code == 0


async def test_the_screen_reader_mode_labels_every_line() -> None:
    said, _ = await lines("R7", "where am i", "table", "log", "quit", voice=Speech("the option --screen-reader"))
    assert all(line.split(": ")[0] in LABELS for line in said)
    assert not any(line.startswith(("Hand: ", "Turn: It is your", "Moves: ")) for line in said)


@contextmanager
def played(folder: Path) -> Iterator[str]:
    """A table of two that begins to play as soon as somebody watches; the address of its second seat."""
    up, addresses = threading.Event(), []

    async def main() -> None:
        async with (
            open_host(
                Identity.fresh(), "Mia", RULES, seats=2, host=HOST, port=0, journal_dir=folder / "0", announce=True
            ) as host,
            open_join(Identity.fresh(), "Bo", host.addresses[0], journal_dir=folder / "1") as guest,
            trio.open_nursery() as nursery,
        ):
            while guest.seat < 0:
                await trio.sleep(0.01)
            addresses.append(f"{HOST}:{guest.listening[1]}")
            up.set()
            with trio.move_on_after(30):
                while not guest.gallery.watchers + host.gallery.watchers:
                    await trio.sleep(0.01)
                for number, session in enumerate((host, guest)):
                    nursery.start_soon(Player(session, number).play)
                await host.ended()
                await guest.ended()

    thread = threading.Thread(target=trio.run, args=(main,))
    thread.start()
    try:
        assert up.wait(20)
        yield addresses[0]
    finally:
        thread.join(40)


@pytest.mark.parametrize("typed", [True, False], ids=["by its address", "found on the network"])
def test_the_json_document_of_a_table_that_was_watched(
    typed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path / "home"))
    with played(tmp_path) as address:
        assert run(["watch", address, "--json"] if typed else ["watch", "--table", "mia", "--on", HOST, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["seat"], document["ending"], document["hands"]) == (-1, "empty hand", 1)
    assert [seat["name"] for seat in document["seats"]] == ["Mia", "Bo"]
    journal = Path(document["journal"])
    assert journal.parent == tmp_path / "home" / "watched"
    verdict = audit(journal)
    assert (verdict.exit_code, verdict.state_hash) == (0, document["state_hash"])


def test_where_nobody_answers_the_exit_code_is_6(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", f"{HOST}:1", "--plain"]) == 6
    assert capsys.readouterr().err.startswith("error: cannot connect")
    assert run(["watch", f"{HOST}:1", "--table", "Ann"]) == 2


def found(running: bool, watchers: bool = True, private: bool = False) -> Found:
    advert = Advert(ANN.public, "Ann", "batman", 4, 4, digest(RULES), private, running, watchers)
    return Found(advert, (("192.168.1.9", 4242),), False)


def test_the_list_says_what_runs_and_how_it_is_watched() -> None:
    first, _, command = list_lines(Sight((found(True, private=True),), ""), [])
    assert first == "1. Ann: UNO: Batman Special Edition, running, rules of its own, needs a code, can be watched"
    assert command == "   p2puno watch 192.168.1.9:4242 --code CODE"
    first, _, command = list_lines(Sight((found(False),), ""), [])
    assert "4 of 4 seats taken, rules of its own, can be watched" in first
    assert command == "   p2puno join 192.168.1.9:4242"


@pytest.mark.parametrize("watch", [False, True])
def test_a_table_that_runs_is_watched_and_one_that_does_not_is_joined(
    watch: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))
    seen: list[Found] = []

    async def look(seconds: float, on: str | None, enough: object = None) -> Sight:
        return Sight(tuple(seen), "")

    monkeypatch.setattr(lan, "look", look)
    seen[:] = [found(not watch)]
    with pytest.raises(Unreachable):
        lan.choose(None, 0.1, None, "default", watch)
    seen[:] = [found(watch)]
    assert lan.choose(None, 0.1, None, "default", watch).key == ANN.public
