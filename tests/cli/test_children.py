"""Bots as processes: real peers that play a real hand, and none that outlives its parent."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from types import SimpleNamespace

import pytest
import trio

from cli.children import PATIENCE as FAREWELL
from cli.children import Children, bot_names
from cli.company import COMING, NO_FREE_SEAT
from cli.seat import Seating
from cli.tables import Place, hosted
from cli.trouble import SeatLost, leaves
from cli.unfinished import Note
from p2puno.rules import Rules
from protocol.events import LobbyChanged, PhaseChanged, Refused
from protocol.messages import decode
from protocol.vault import read_secrets, secret_path

PATIENCE = 30.0  # how long a test waits at most for what should come at once

linux_only = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes as Linux lets one")


@pytest.fixture
def silent_table() -> Iterator[str]:
    """An address that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


@contextmanager
def its_end(pid: int) -> Iterator[int]:
    """A file descriptor of a living process that can be read from once that has ended."""
    descriptor = os.pidfd_open(pid)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def test_children_end_with_the_context(silent_table: str, tmp_path: Path) -> None:
    with Children() as children:
        children.start(silent_table, "Ada", "random", None, tmp_path)
        process = children._children[0].process
        assert process.poll() is None
    assert process.returncode is not None


@pytest.mark.parametrize(("players", "seconds"), [(3, FAREWELL), (2, 0.0)], ids=["with others", "among ourselves"])
def test_who_leaves_with_us_is_told_once_and_has_its_time_from_then_on(
    players: int, seconds: float, silent_table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """N03: where nobody else sits at the table, no time is needed to tell them."""
    monkeypatch.setattr("cli.children.time", SimpleNamespace(monotonic=lambda: 100.0))
    with Children() as children:
        children.start(silent_table, "Ada", "random", None, tmp_path / "bots")
        process = children._children[0].process
        children.leave(players)
        assert children._deadline == 100.0 + seconds
        assert process.stdin is not None
        assert process.stdin.closed
        children._tell(leave=True)
        assert children._deadline == 100.0 + seconds
    assert process.returncode is not None
    assert not (tmp_path / "bots").exists()


async def test_a_bot_that_cannot_sit_down_is_told_in_its_own_words(tmp_path: Path) -> None:
    with Children() as children:
        children.start("127.0.0.1:1", "Ada", "random", None, tmp_path)
        with trio.fail_after(PATIENCE), pytest.raises(SeatLost, match=r"a bot ended: .*127\.0\.0\.1:1"):
            await children.watch()


async def test_a_bot_that_may_miss_the_table_is_gone_then_and_it_is_told_why(tmp_path: Path) -> None:
    with Children() as children:
        told: list[str] = []
        children.on_miss = told.append
        children.start("127.0.0.1:1", "Ada", "random", None, tmp_path, may_miss=True)
        assert children.runs("Ada")
        assert not children.runs("Bo")
        with trio.fail_after(PATIENCE):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(children.watch)
                while not told:
                    await trio.sleep(0.01)
                nursery.cancel_scope.cancel()
        assert "127.0.0.1:1" in told[0]
        assert not children.runs("Ada")


async def test_free_seats_are_filled_with_bots_that_come_back_with_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the creator does it before the start: as many as there are seats, each with a name of its own."""
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))
    rules = Rules.make("batman", hand_size=5)
    seating = Seating("Ada", tmp_path, ready=False, pace=0.0)
    with Children() as children, trio.fail_after(PATIENCE):
        async with hosted(rules, 3, Place("127.0.0.1", 0), seating, (), children)() as session:
            for _ in range(3):
                session.add_bot()
            session.start()
            refused = []
            async for event in session.events:
                if isinstance(event, Refused):
                    refused.append(event.message)
                elif isinstance(event, LobbyChanged) and len(event.players) == 3:
                    assert [player.name for player in event.players if not player.bot] == ["Ada"]
                    assert len({player.name for player in event.players}) == 3
                    session.prepare(ready=True)
                elif isinstance(event, PhaseChanged):
                    break
            assert refused == [NO_FREE_SEAT, COMING]
            assert session.journal is not None
            assert len(decode(read_secrets(secret_path(session.journal)).note, Note).bots) == 2


@linux_only
def test_no_child_outlives_a_parent_that_is_killed(silent_table: str, tmp_path: Path) -> None:
    """The parent has no chance to clean up; the closed pipe tells the child."""
    parent = textwrap.dedent(f"""
        import sys
        from pathlib import Path
        from cli.children import Children
        children = Children()
        children.start({silent_table!r}, "Ada", "random", None, Path({str(tmp_path)!r}))
        print(children._children[0].process.pid, flush=True)
        sys.stdin.read()  # until it is killed
    """)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", parent], text=True, **pipes) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        with its_end(child) as end:
            process.send_signal(signal.SIGKILL)
            process.wait()
            assert select.select([end], [], [], PATIENCE)[0], "the child is still there"


def test_play_is_a_real_table_with_one_json_document(tmp_path: Path) -> None:
    """Three processes, TLS on loopback, a whole hand; the journal is a file that `verify` accepts."""
    environment = {**os.environ, "P2PUNO_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "cli.main"]
    played = subprocess.run(
        [*command, "play", "--autoplay", "--json", "--bots", "2", "--name", "Mia"],
        env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=2 * PATIENCE, check=True,
    )  # fmt: skip
    assert played.stderr == ""
    document = json.loads(played.stdout)
    assert sorted(seat["name"] for seat in document["seats"]) == ["Ada", "Bo", "Mia"]
    assert document["winner"] is not None
    assert document["seats"][document["winner_seat"]]["cards_left"] == 0
    verified = subprocess.run(
        [*command, "verify", "--json", document["journal"]],
        env=environment, capture_output=True, text=True, timeout=2 * PATIENCE, check=True,
    )  # fmt: skip
    verdict = json.loads(verified.stdout)
    for key in ("winner", "points", "steps", "turns", "state_hash"):
        assert verdict[key] == document[key], key


def test_a_table_of_heroes_is_real_too_and_own_packs_travel_to_the_bots(tmp_path: Path) -> None:
    """UNO Ultimate over TLS with a hero of our own, whose pack the bots and the journal get with the rules."""
    environment = {**os.environ, "P2PUNO_HOME": str(tmp_path)}
    pack = (resources.files("p2puno") / "packs" / "heroes" / "hulk.toml").read_text("utf-8")
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "mole.toml").write_text(pack.replace('"hulk"', '"mole"').replace('"Hulk"', '"Dr Mole"'), "utf-8")
    command = [sys.executable, "-m", "cli.main"]
    played = subprocess.run(
        [*command, "play", "--variant", "marvel", "--packs", str(folder), "--hero", "mole", "--bots", "1",
         "--autoplay", "--json", "--name", "Mia"],
        env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=2 * PATIENCE, check=True,
    )  # fmt: skip
    document = json.loads(played.stdout)
    heroes = {seat["name"]: seat["hero"] for seat in document["seats"]}
    assert heroes["Mia"] == "mole"
    assert heroes["Ada"] not in ("mole", None)
    assert document["points"] == 0
    assert document["ending"] in ("empty hand", "last standing")
    verified = subprocess.run(
        [*command, "verify", "--json", document["journal"]],
        env=environment, capture_output=True, text=True, timeout=2 * PATIENCE, check=True,
    )  # fmt: skip
    assert json.loads(verified.stdout)["state_hash"] == document["state_hash"]


def test_bots_never_bear_the_players_name() -> None:
    assert bot_names(3, "bo") == ["Ada", "Cy", "Dot"]
    assert len(set(bot_names(9, "Mia"))) == 9


def test_errors_in_groups_are_found_in_order() -> None:
    first, second = ValueError("1"), ValueError("2")
    assert list(leaves(ExceptionGroup("a", [ExceptionGroup("b", [first]), second]))) == [first, second]
