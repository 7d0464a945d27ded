"""Finished tables and standings on the full screen: keys, golden screens, every size, and the way to the replay."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input

from cli.canvas import plain, row_width
from cli.history import browse as browsing
from cli.history.archive import Archive, View
from cli.history.browse import browse
from cli.history.draw import draw
from cli.history.index import index_path, open_index
from cli.history.past import Chair, HandWon, Past, Standing
from cli.history.screen import HistoryScreen
from cli.manner import Manner
from cli.theme import ASCII, UNICODE
from p2puno.outcome import Ending
from protocol.errors import Damaged
from tests.cli.terminal import Terminal, until

GOLDEN = Path(__file__).parent / "golden"
MIA, BO = "01" * 32, "02" * 32


def chair(key: str, name: str, hero: str = "", score: int = 0, **more: bool) -> Chair:
    known = {"bot": False, "mine": key == MIA, "gone": False, "cheated": False} | more
    return Chair(key, name, known["bot"], hero, known["mine"], score, known["gone"], known["cheated"])


def past(number: int, variant: str, standing: Standing, winner: int, *chairs: Chair, ending: Ending) -> Past:
    hands = (HandWon(winner, ending.value, 42),) if standing is not Standing.UNFINISHED else ()
    return Past(
        f"{number:02}" * 32, variant, standing, winner, 17 + number, 99, f"2026-11-{number:02}T12:00:00Z",
        f"/games/{number}.p2puno", chairs, hands,
    )  # fmt: skip


def pasts() -> list[Past]:
    """Three tables, the newest first."""
    ada = chair("0a" * 32, "Ada", "Shuri", bot=True)
    return [
        past(3, "marvel", Standing.FINISHED, 1, chair(MIA, "Mia", "Hulk"), chair(BO, "Bo", "Thor"), ada,
             ending=Ending.LAST_STANDING),
        past(2, "batman", Standing.FORFEIT, 0, chair(MIA, "Mia", score=42), chair(BO, "Bobby", gone=True),
             ending=Ending.FORFEIT),
        past(1, "dbz", Standing.UNFINISHED, -1, chair(MIA, "Mia"), chair(BO, "Bobby", gone=True),
             ending=Ending.BLOCKED),
    ]  # fmt: skip


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of day does not depend on where the test runs."""
    monkeypatch.setattr("cli.history.words.local", lambda ended: ended[:16].replace("T", " "))
    monkeypatch.setattr("cli.history.draw.local", lambda ended: ended[:16].replace("T", " "))


def press(archive: Archive, *keys: str) -> bool:
    """Whether the last key leaves the screen."""
    return [archive.press(key) for key in keys][-1]


def test_a_table_is_chosen_and_shown_again() -> None:
    archive = Archive(pasts())
    assert not press(archive, "down", "down", "down")
    assert (archive.at, archive.past) == (2, pasts()[2])
    assert press(archive, "home", "down", "enter")
    assert archive.wanted == Path("/games/2.p2puno")
    assert press(archive, "q")
    assert archive.wanted is None


def test_standings_are_by_key_and_keep_their_place() -> None:
    archive = Archive(pasts())
    assert not press(archive, "down", "s", "end")
    assert archive.view is View.STANDINGS
    assert (archive.past, archive.player) == (None, archive.players[-1])
    assert not press(archive, "enter")
    assert archive.wanted is None
    bo = next(player for player in archive.players if player.key == BO)
    assert (bo.names, bo.tables, bo.won, bo.hands_won, bo.forfeits) == (["Bo", "Bobby"], 2, 1, 1, 2)
    press(archive, "s")
    assert archive.at == 1


def test_a_key_that_means_nothing_is_answered() -> None:
    archive = Archive(pasts())
    assert not press(archive, "x")
    assert archive.note == "x does nothing here: ? shows the keys"
    press(archive, "down")
    assert archive.note == ""


def test_a_second_click_is_enter() -> None:
    archive = Archive(pasts())
    assert not archive.click(2)
    assert archive.click(2)
    assert archive.wanted == Path("/games/1.p2puno")
    assert not archive.click(99)
    assert archive.at == 2


def test_an_empty_history_says_so_and_can_be_closed() -> None:
    archive = Archive([])
    assert not press(archive, "enter", "down", "s", "up", "s")
    assert "No table has ended yet." in "\n".join(plain(draw(archive, 80, 24, ASCII).rows))
    assert press(archive, "escape")


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
@pytest.mark.parametrize("view", View)
def test_golden_screen(view: View, size: tuple[int, int]) -> None:
    """To renew a golden screen after a change that is meant, delete its file and run this twice."""
    archive = Archive(pasts(), view)
    if view is View.STANDINGS:
        archive.move_to(next(at for at, player in enumerate(archive.players) if player.key == BO))
    screen = "\n".join(plain(draw(archive, *size, ASCII).rows)) + "\n"
    path = GOLDEN / f"history-{view}-{size[0]}x{size[1]}.txt"
    if not path.exists():
        path.write_text(screen, encoding="utf-8")
        pytest.fail(f"{path.name} was missing and has been written: look at it")
    assert screen == path.read_text(encoding="utf-8")


def test_every_size_is_filled_exactly_and_never_raises() -> None:
    """P12, P17: with hostile names, which an index that somebody has written to may hold."""
    bad = [replace(one, chairs=tuple(replace(c, name="\x1b[2J漢字" * 9) for c in one.chairs)) for one in pasts() * 9]
    for tables in (pasts(), bad, []):
        for keys in ((), ("s",), ("end",), ("?",), ("s", "end")):
            archive = Archive(tables)
            for key in keys:
                archive.press(key)
            for columns in (20, 39, 40, 41, 71, 72, 80, 133, 500):
                for rows in (5, 14, 15, 16, 22, 24, 200):
                    drawn = draw(archive, columns, rows, UNICODE).rows
                    assert len(drawn) == rows
                    assert {row_width(row) for row in drawn} == {columns}
                    assert "\x1b" not in "".join(plain(drawn))


def test_keys_and_mouse_on_a_real_screen() -> None:
    """From the list into the standings and back, and out with a second click on a table."""

    async def go() -> Archive:
        with create_pipe_input() as keyboard:
            terminal, archive, manner = Terminal(80, 24), Archive(pasts()), Manner()
            screen = HistoryScreen(archive, ASCII, manner, keyboard, terminal.output())
            running = asyncio.create_task(screen.app.run_async())

            async def shows(text: str) -> None:
                await until(lambda: text in terminal.text or running.done(), text)
                assert text in terminal.text

            await shows("HISTORY")
            keyboard.send_text("s")
            await shows("STANDINGS")
            keyboard.send_text("s")
            await shows("show again")
            lines = terminal.text.split("\n")
            y = next(y for y, line in enumerate(lines) if "2026-11-02" in line)
            for _ in range(2):
                keyboard.send_text(f"\x1b[<0;9;{y + 1}M\x1b[<0;9;{y + 1}m")
            await asyncio.wait_for(running, 5)
            return archive

    assert asyncio.run(go()).wanted == Path("/games/2.p2puno")


def test_a_journal_that_is_gone_is_told_and_one_is_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way of `browse`: the screen, the replay of what was chosen, the screen again with what was wrong."""
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))
    gone = replace(pasts()[0], journal=str(tmp_path / "gone.p2puno"))
    with open_index(index_path(tmp_path)) as index:
        index.add(gone)
    notes: list[str] = []

    class Pressed:
        """A screen at which somebody presses Enter once, and then q."""

        def __init__(self, archive: Archive, *look: object) -> None:
            self.archive = archive

        def run(self) -> None:
            notes.append(self.archive.note)
            assert self.archive.press("q" if len(notes) > 1 else "enter")

    monkeypatch.setattr("cli.history.screen.HistoryScreen", Pressed)
    monkeypatch.setattr("cli.history.browse.console", lambda: (None, None))
    browse(Manner())
    assert len(notes) == 2
    assert "gone.p2puno" in notes[1]


def test_a_history_that_cannot_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))
    index_path(tmp_path).write_bytes(b"this is no index")
    with pytest.raises(Damaged):
        browsing.browse(Manner())
