"""Taking up a table that was cut off: which one a command means, and whole tables of `play` after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.children import Children
from cli.main import run
from cli.seat import Seating
from cli.tables import Place, hosted, joined, rejoined
from cli.unfinished import RECENT, Note, claim_of, same_command, unfinished
from p2puno.rules import Rules
from protocol.errors import InUse
from protocol.identity import Identity
from protocol.journal import Journal
from protocol.lobby import HostLobby
from protocol.messages import PROTOCOL, Hello
from protocol.messages import Place as Seat
from protocol.vault import Secrets, Vault, read_secrets, secret_path

RULES = Rules.make("batman")
CLAIM = claim_of("host", RULES, 2)
PATIENCE = 60.0
COMMAND = (sys.executable, "-m", "cli.main")

posix_only = pytest.mark.skipif(os.name != "posix", reason="signals and locks as POSIX has them")


def cut_off(folder: Path, name: str, claim: bytes = CLAIM, aside: bool = False, ago: float = 0.0) -> Path:
    """A table of Mia and Bo that a kill ended at once; its journal."""
    key = Identity.fresh()
    lobby = HostLobby(Seat(key.public, "Mia", False, "", 0, (":4242",)), RULES, 2)
    lobby.enter(Identity.fresh().public, "", Hello(PROTOCOL, "Bo", True, "", 0, 1))
    charter = lobby.propose()
    assert charter is not None
    journal = folder / f"{name}.p2puno"
    Journal(journal, charter).close()
    note = Note(claim, "default", (), "").encode()
    vault = Vault(journal, Secrets(charter.table, b"", b"", key.private, "", 4242, "", "Mia", False, aside, note))
    vault.store()
    os.utime(vault.path, (time.time() - ago,) * 2)
    return journal


# -- which table is meant


def test_the_newest_table_of_the_same_words_is_meant(tmp_path: Path) -> None:
    cut_off(tmp_path, "old", ago=100)
    new = cut_off(tmp_path, "new", ago=10)
    cut_off(tmp_path, "other", claim_of("host", RULES, 3))
    found = same_command(CLAIM, tmp_path)
    assert found is not None
    assert found.journal == new
    assert [table.journal.stem for table in unfinished(tmp_path)] == ["other", "new", "old"]
    assert same_command(claim_of("host", Rules.make("dbz"), 2), tmp_path) is None
    assert same_command(CLAIM, tmp_path / "nowhere") is None


def test_what_ended_in_good_order_or_long_ago_is_not_meant_but_can_be_asked_for(tmp_path: Path) -> None:
    cut_off(tmp_path, "aside", aside=True)
    cut_off(tmp_path, "yesterday", ago=RECENT + 1)
    assert same_command(CLAIM, tmp_path) is None
    assert len(unfinished(tmp_path)) == 2


@posix_only
def test_a_table_that_somebody_sits_at_is_not_meant(tmp_path: Path) -> None:
    journal, _, _ = Journal.reopen(cut_off(tmp_path, "busy"))
    assert same_command(CLAIM, tmp_path) is None
    assert same_command(CLAIM, tmp_path, patience=0.1) is None
    assert unfinished(tmp_path) == []
    journal.close()
    assert same_command(CLAIM, tmp_path) is not None


def test_files_that_cannot_be_read_stop_nobody(tmp_path: Path) -> None:
    good = cut_off(tmp_path, "good", ago=10)
    secret_path(cut_off(tmp_path, "bad")).write_bytes(b"nonsense")
    cut_off(tmp_path, "gone").unlink()
    found = same_command(CLAIM, tmp_path)
    assert found is not None
    assert found.journal == good


def test_new_puts_the_old_tables_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))
    seating = Seating("Mia", tmp_path, bot=True)
    claim = claim_of("host", RULES, 2, "127.0.0.1", 0, (), "Mia", "default", "", 0, True)
    old = [cut_off(tmp_path, name, claim) for name in ("a", "b")]
    with Children() as children:
        hosted(RULES, 2, Place("127.0.0.1", 0), seating, (), children)
        assert not any(read_secrets(secret_path(journal)).aside for journal in old)
        again = Seating("Mia", tmp_path, bot=True, new=True)
        hosted(RULES, 2, Place("127.0.0.1", 0), again, (), children)
    assert all(read_secrets(secret_path(journal)).aside for journal in old)


@posix_only
def test_the_same_command_twice_at_once_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C51: one key cannot sit down twice; bots have a key each, another profile has another one."""
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))
    here = "127.0.0.1:4242"
    path = cut_off(tmp_path, "a", claim_of("join", here, "Mia", "default", "", 0, False))
    journal, _, _ = Journal.reopen(path)
    with pytest.raises(InUse, match=r"another p2puno of yours sits at 127\.0\.0\.1:4242 already, with a\.p2puno"):
        joined(here, Seating("Mia", tmp_path), typed=here)
    joined(here, Seating("Mia", tmp_path, new=True), typed=here)
    joined(here, Seating("Mia", tmp_path, profile="two"), typed=here)
    joined(here, Seating("Mia", tmp_path, bot=True), typed=here)
    joined(here, Seating("Mia", tmp_path), typed="table ")
    journal.close()
    joined(here, Seating("Mia", tmp_path), typed=here)  # goes on at it


# -- the command


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))
    monkeypatch.delenv("P2PUNO_DEBUG", raising=False)
    (tmp_path / "tables").mkdir()
    return tmp_path / "tables"


def test_nothing_to_take_up(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resume", "--plain"]) == 2
    assert "error: there is no table to take up\nhint: " in capsys.readouterr().err
    assert run(["resume", "--list"]) == 0
    assert capsys.readouterr().out == "there is no table to take up\n"


def test_the_list_tells_game_players_and_file(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = cut_off(home, "a", ago=5)
    cut_off(home, "b", aside=True)
    assert run(["resume", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("UNO: Batman Special Edition, ended before its end: Mia, Bo")
    assert lines[2].endswith("UNO: Batman Special Edition, cut off: Mia, Bo")
    assert lines[3] == f"  {journal}"


def test_what_cannot_be_taken_up_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = cut_off(home, "a")
    secret = secret_path(journal).read_bytes()
    secret_path(journal).write_bytes(secret[:-1] + bytes([secret[-1] ^ 1]))
    assert run(["resume", str(journal), "--plain"]) == 4
    assert "are damaged\nhint: without it the table cannot be taken up here" in capsys.readouterr().err
    secret_path(journal).unlink()
    assert run(["resume", str(journal), "--plain"]) == 4
    assert "there are no secrets beside the journal" in capsys.readouterr().err
    assert run(["resume", str(home / "none.p2puno"), "--plain"]) == 4
    assert f"error: there is no journal {home / 'none.p2puno'}\nhint: `p2puno resume --list`" in capsys.readouterr().err


@posix_only
def test_a_table_in_another_process_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = cut_off(home, "a")
    journal, _, _ = Journal.reopen(path)
    assert run(["resume", str(path), "--plain", "--autoplay", "--json"]) == 4
    journal.close()
    assert "another process has the table of a.p2puno open\nhint: close the other p2puno" in capsys.readouterr().err


# -- whole tables


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts `p2puno` with a folder of its own; what still runs at the end is killed."""
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        running.append(
            subprocess.Popen(
                [*COMMAND, *arguments], env={**os.environ, "P2PUNO_HOME": str(tmp_path)}, text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )
        )  # fmt: skip
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.communicate()


def wait_for(condition: Callable[[], object]) -> None:
    """Look again and again: what real processes write into files has no clock that a test could turn."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.02)


def begun(folder: Path, seats: int) -> bool:
    """Whether all seats are past the first steps of a hand."""
    secrets = list(folder.rglob("*.secret"))
    return len(secrets) == seats and all(path.with_suffix(".p2puno").stat().st_size > 20_000 for path in secrets)


def children_of(process: subprocess.Popen[str]) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def gone(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rsplit(")", 1)[1].split()[0] == "Z"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes where Linux shows them")
def test_play_goes_on_after_kills_of_a_bot_and_of_itself(
    tmp_path: Path, played: Callable[..., subprocess.Popen[str]]
) -> None:
    """A bot that dies is started again; bots do not outlive their table; the same command takes up all of it."""
    words = ("play", "--bots", "2", "--autoplay", "--json", "--name", "Mia", "--option", "hand_size=9")
    first = played(*words, "--pace", "0.1")
    wait_for(lambda: begun(tmp_path, 3))
    bots = children_of(first)
    assert len(bots) == 2
    os.kill(bots[0], signal.SIGKILL)
    wait_for(lambda: len([pid for pid in children_of(first) if pid != bots[0]]) == 2)
    bots += children_of(first)
    first.kill()
    first.wait()
    wait_for(lambda: all(gone(pid) for pid in bots))
    (journal,) = (tmp_path / "tables").glob("*.p2puno")
    again = played(*words, "--pace", "0")
    out, err = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, err
    assert err == f"Going on at the table of {journal}. (--new begins another one.)\n"
    document = json.loads(out)
    assert document["journal"] == str(journal)
    assert document["winner"] is not None
    assert [path.name for path in (tmp_path / "tables").iterdir()] == [journal.name]
    assert run(["verify", str(journal)]) == 0


def test_join_without_an_address_means_the_table_that_it_joined(home: Path) -> None:
    """A table that runs is no longer announced, so who comes back must not look for it on the network."""
    seating = Seating("Mia", home, bot=False)
    who = ("Mia", "default", "", 0, False)
    cut_off(home, "found", claim_of("join", "table ", *who))
    cut_off(home, "named", claim_of("join", "table Bo", *who))
    assert rejoined("table ", seating) is not None
    assert rejoined("table Bo", seating) is not None
    assert rejoined("table Cy", seating) is None
