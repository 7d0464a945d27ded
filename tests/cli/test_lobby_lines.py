"""The lobby in lines, plain and for a screen reader: what is told, what is typed, and back after a table (P05, P08)."""

from __future__ import annotations

import io
import os
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from cli.lobby.intent import Go, Intent, Open, Quit, Replay, Resume
from cli.lobby.lines import LineLobby
from cli.lobby.model import Lobby
from cli.main import run
from cli.speak import LABELS, Speech
from cli.voice import Voice
from p2puno.rules import Rules
from protocol.known import Acquaintance
from protocol.net.discovery import Sight
from tests.cli.lobbies import HERE, KNOWN, TABLES, a_lobby, found, key
from tests.cli.terminal import typed_stdin

Browsing = Callable[[], Any]


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))


@asynccontextmanager
async def network(*sights: Sight) -> AsyncIterator[AsyncIterator[Sight]]:
    """What a browser sees, one after the other."""

    async def seen() -> AsyncIterator[Sight]:
        for sight in sights:
            yield sight
            await wait_all_tasks_blocked()
        await trio.sleep_forever()

    one = seen()
    try:
        yield one
    finally:
        await one.aclose()  # type: ignore[attr-defined]


def known() -> Sequence[Acquaintance]:
    return KNOWN


async def told(
    *typed: str, voice: Voice | None = None, lobby: Lobby | None = None, sights: tuple[Sight, ...] | None = None
) -> tuple[list[str], Intent]:
    """What the lobby says, and what is wanted at the end of these lines."""
    out, lines = io.StringIO(), list(typed)

    async def read() -> str:
        for _turn in range(5):
            await wait_all_tasks_blocked()
        return lines.pop(0) + "\n" if lines else ""

    seen = (Sight(TABLES, ""),) if sights is None else sights
    line_lobby = LineLobby(
        lobby or a_lobby(tables=(), searched=False), voice or Voice(), lambda: network(*seen), known,
        lambda: HERE, out, read,
    )  # fmt: skip
    signal, wanted = await line_lobby.run()
    assert signal == 0
    assert "\x1b" not in out.getvalue()
    return out.getvalue().splitlines(), wanted


async def test_tables_are_told_as_they_come_and_keep_their_number(autojump_clock: MockClock) -> None:
    sights = (Sight(TABLES[1:2], ""), Sight((found("Ann", taken=2), *TABLES[1:2]), ""), Sight((found("Ann"),), "x"))
    lines, wanted = await told("list", sights=sights)
    assert wanted == Quit()  # the end of stdin
    listed = [line for line in lines if line[:1].isdigit()]
    assert [line.split(":")[0] for line in listed] == ["1. Bo", "2. Ann", "2. Ann"]
    assert "safety words: ruliro ferebi rutopa lusoje (known)" in listed[0]
    assert "The table of Bo is no longer there." in lines
    assert lines.index("The table of Bo is no longer there.") < lines.index("x")


async def test_how_this_machine_is_joined_is_always_said() -> None:
    lines, _wanted = await told(sights=())
    assert f"If you host a table, others join with: {HERE[0]}" in lines


async def test_nothing_found_is_said_after_a_while_with_its_causes(autojump_clock: MockClock) -> None:
    async def late() -> str:
        await trio.sleep(60)
        return ""

    out = io.StringIO()
    lobby = LineLobby(a_lobby(tables=(), searched=False), Voice(), network, known, lambda: HERE, out, late)
    await lobby.run()
    assert "No table was found so far; list tells the usual causes." in out.getvalue()
    lines, _wanted = await told("list", sights=())
    assert any("firewall" in line for line in lines)


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        (["join 1"], Go(a_lobby().entries[0].address, key=key("Ann"), listed=True)),
        (["watch 3"], Go(a_lobby().entries[2].address, True, key("Cy"))),
        (["join 2 zudaro-pimebi"], Go(a_lobby().entries[1].address, False, key("Bo"), "zudaro-pimebi", True)),
        (["join 2", "zudaro pimebi"], Go(a_lobby().entries[1].address, False, key("Bo"), "zudaro-pimebi", True)),
        (["join 5", "perhaps", "yes"], Go(a_lobby().entries[4].address, key=key("Eli"), listed=True)),
        (["join 5", "no", "quit"], Quit()),
        (["join 10.0.0.1:4000 zudaro-pimebi"], Go("10.0.0.1:4000", code="zudaro-pimebi")),
        (["watch 10.0.0.1"], Go("10.0.0.1", watch=True)),
        (["practice", "begin"], Open(Rules.make("batman"), 4, 3, announce=False, practice=True)),
        (["practice bots=1 variant=dbz"], Open(Rules.make("dbz"), 2, 1, announce=False, practice=True)),
        (["host", "seats 3", "bots=1", "stacking on", "invite on", "port 5000", "open"],
         Open(Rules.make("batman", stacking=True), 3, 1, private=True, port=5000)),
        (["host variant=marvel", "q"], Open(Rules.make("marvel"), 4, 0, port=4242)),
        (["host", "game", "variant dc", "hero wonder woman", "open"],
         Open(Rules.make("dc"), 4, 0, hero="wonder_woman", port=4242)),
        (["resume 2"], Resume(Path("1.p2puno"))),
        (["replay 1"], Replay(Path("0.p2puno"))),
        (["QUIT"], Quit()),
    ],
    ids=lambda value: " / ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
async def test_what_is_typed_is_what_is_wanted(typed: list[str], wanted: Intent) -> None:
    _lines, got = await told(*typed)
    assert got == wanted


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("dance", "dance means nothing here. Type help to see what can be typed."),
        ("join 9", "There is no table 9. Type list to see what there is."),
        ("join a:b:c", "'a:b:c' is not an address"),
        ("join 2\nxyz", "that is no invite code"),
        ("host\nseats 11", "seats cannot be 11: it may be 2 to 10"),
        ("host\nx 1", "there is no field 'x': there are: variant, seats, bots"),
        ("host\nforce_play on\nplay_after_draw off\nopen", "force_play needs the card just taken to be played"),
        ("host\nabout stacking", "it may be off or on"),
        ("host\noptions", "hand_size 7: cards dealt to each player (R3)"),
        ("practice\nvariant dc\nhero superman\ncards", "Superman (dc, built in)"),
        ("about 1", "  stacking on (usual: off)"),
        ("resume", "2. 2026-11-30 09:40  UNO: Batman Special Edition, cut off: Mia, Ada, Bo"),
        ("history", "Mia (you)       3           2      9     420"),
        ("players", "Bo: ruliro ferebi rutopa lusoje (3 tables, last on 2026-01-02)"),
        ("help", "players: whom you have played with. quit: leave the lobby."),
    ],
)
async def test_every_word_is_answered(typed: str, answer: str) -> None:
    lines, wanted = await told(*typed.split("\n"))
    assert wanted == Quit()
    assert any(line.startswith(answer) for line in lines), lines


async def test_with_a_screen_reader_every_line_has_a_label() -> None:
    """P07, P08."""
    typed = ("help", "list", "about 1", "history", "resume", "players", "host", "options", "about seats", "back",
             "practice", "cards", "back", "join 5", "no", "join 2", "back", "dance")  # fmt: skip
    lines, _wanted = await told(*typed, voice=Speech("the option --screen-reader"))
    assert lines[0] == "Mode: Screen-reader mode is on, because of the option --screen-reader."
    assert len(lines) > 80
    for line in lines:
        label, colon, text = line.partition(": ")
        assert label in LABELS, line
        assert colon
        assert text.strip()


async def test_names_from_the_network_cannot_forge_a_line() -> None:
    """P16."""
    sight = Sight((found("Bo\nError: you\x1b[2J\u202e"),), "")
    lines, _wanted = await told("list", "about 1", sights=(sight,), voice=Speech("x"))
    assert not any(line.startswith("Error: you") for line in lines)
    assert all(line.isprintable() for line in lines)


# -- the whole program


@pytest.fixture
def keyboard() -> Iterator[int]:
    """What is written here comes from stdin."""
    with typed_stdin() as writes:
        yield writes


def test_without_a_terminal_a_hand_is_practised_and_one_is_back_in_the_lobby(
    keyboard: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole way: lines from a pipe, bots as processes, the history afterwards."""
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        typed = f"practice bots=1\nhistory\njoin 127.0.0.1:9\nreplay 1\nhost port={port}\nquit\n"
        os.write(keyboard, typed.encode())
        assert run(["--on", "127.0.0.1", "--autoplay", "--name", "Mia", "--profile", "one"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    back = [place for place, line in enumerate(lines) if line.startswith("This is the lobby. You are Mia")]
    assert len(back) == 5
    journal = next(place for place, line in enumerate(lines) if line.startswith("Journal: "))
    assert back[0] < journal < back[1]
    standings = "\n".join(lines[back[1] : back[2]])
    assert "Mia (you)" in standings
    assert "1. 2" in standings  # the table, to be shown again
    assert any("127.0.0.1:9" in line for line in lines[back[2] : back[3]])
    assert any("wins the match" in line for line in lines[back[2] : back[3]])
    assert any(line.startswith(f"port {port} is used by another program") for line in lines[back[4] :])


def test_the_end_of_stdin_is_the_end_of_the_lobby(keyboard: int, capsys: pytest.CaptureFixture[str]) -> None:
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    assert run(["lobby", "--on", "127.0.0.1", "--screen-reader"]) == 0
    assert capsys.readouterr().out.startswith("Mode: Screen-reader mode is on")


@pytest.mark.parametrize("arguments", [["--profile", "../x"], ["--nonsense"], ["-x", "lobby"], ["lobby", "x"]])
def test_a_lobby_that_cannot_be_is_one_error(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert len(err.splitlines()) <= 2
