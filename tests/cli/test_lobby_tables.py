"""What the lobby does with tables, by real programs: takes one up that was cut off, watches one, refuses another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen

import pytest

from cli import faces
from cli.lobby import program
from cli.lobby.intent import Go, Open
from cli.lobby.program import Program
from cli.main import run
from cli.manner import Manner
from cli.seat import Seating
from p2puno.hero import Hero
from protocol.errors import Unreachable
from tests.cli import test_resume, test_watch
from tests.cli.lobbies import a_lobby
from tests.cli.terminal import typed_stdin
from tests.cli.test_resume import begun, children_of, gone, wait_for
from tests.packs.example import named

started = test_resume.played


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))


@pytest.fixture
def keyboard() -> Iterator[int]:
    """What is written here comes from stdin."""
    with typed_stdin() as writes:
        yield writes


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes where Linux shows them")
def test_a_table_that_was_killed_is_taken_up_and_played_to_its_end(
    tmp_path: Path, started: Callable[..., Popen[str]], keyboard: int, capsys: pytest.CaptureFixture[str]
) -> None:
    first = started("play", "--bots", "1", "--autoplay", "--plain", "--pace", "0.1", "--name", "Mia")
    wait_for(lambda: begun(tmp_path, 2))
    bots = children_of(first)
    first.kill()
    first.wait()
    wait_for(lambda: all(gone(pid) for pid in bots))
    os.write(keyboard, b"resume\nresume 1\nresume\nquit\n")
    assert run(["lobby", "--on", "127.0.0.1", "--autoplay", "--pace", "0"]) == 0
    out = capsys.readouterr().out
    before, after = out.split("Journal: ")
    assert before.count("1 table of yours was cut off: type resume.") == 1
    assert "table of yours was cut off: type" not in after
    assert "cut off: Mia, " in before
    assert "wins the match" in before
    assert "No table of yours was cut off." in after


def test_a_table_is_watched_to_its_end(tmp_path: Path, keyboard: int, capsys: pytest.CaptureFixture[str]) -> None:
    lobby = Program(Seating("Mia", tmp_path / "tables", manner=Manner(lines=True)), ["127.0.0.1"], {})
    with test_watch.played(tmp_path) as address:
        assert lobby.carry_out(Go(address, watch=True)) == ""
    out = capsys.readouterr().out
    assert "You watch Mia and Bo" in out
    assert "wins the match" in out


def test_nobody_at_an_address_is_told_in_the_lobby(tmp_path: Path) -> None:
    lobby = Program(Seating("Mia", tmp_path / "tables", bot=True, manner=Manner(lines=True)), ["127.0.0.1"], {})
    for watch in (False, True):
        with pytest.raises(BaseException) as caught:  # noqa: PT011  a group of one, or the error itself
            lobby.carry_out(Go("127.0.0.1:9", watch=watch))
        assert caught.errisinstance(Unreachable) or caught.group_contains(Unreachable)


def test_own_heroes_can_be_chosen_and_go_with_the_rules() -> None:
    own: tuple[Hero, ...] = (named("lamplighter"), named("second"))
    lobby = a_lobby()
    lobby.own = own
    for key, game, hero in (("h", "marvel", "lamplighter"), ("p", "dc", "second")):
        lobby.press(key)
        form = lobby.page
        assert form is not None
        form.put("variant", game)  # type: ignore[union-attr]
        form.put("hero", hero)  # type: ignore[union-attr]
        wanted = lobby.press("enter")
        assert isinstance(wanted, Open)
        assert wanted.hero == hero
        assert {one.id for one in wanted.rules.own} == {"lamplighter", "second"}
    lobby.press("h")
    lobby.page.put("variant", "batman")  # type: ignore[union-attr]
    wanted = lobby.press("enter")
    assert isinstance(wanted, Open)
    assert wanted.rules.own == ()


def test_a_file_of_known_players_that_is_broken_is_one_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "known-default.json").write_text("nonsense")
    assert run(["lobby", "--on", "127.0.0.1"]) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")


def test_a_terminal_without_a_console_has_the_lobby_in_lines(
    keyboard: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """P01."""
    monkeypatch.setattr(faces, "full_screen_fits", lambda: True)
    monkeypatch.setattr(program, "console", lambda: None)
    os.write(keyboard, b"help\nquit\n")
    assert run(["--on", "127.0.0.1"]) == 0
    assert "quit: leave the lobby." in capsys.readouterr().out
