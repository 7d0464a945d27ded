"""What the lobby looks like: golden screens, every size, the mouse, hostile names (P06, P09, P12, P15, P16)."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.canvas import plain, row_width
from cli.draw import Screen
from cli.lobby.draw import draw
from cli.lobby.intent import Go, Open, Resume
from cli.lobby.model import Lobby
from cli.theme import ASCII, STYLES, UNICODE
from tests.cli import lobbies
from tests.cli.lobbies import a_lobby, found
from tests.cli.test_lobby import SIZES, form

GOLDEN = Path(__file__).parent / "golden"
DOCUMENT = Path(__file__).parents[2] / "docs" / "lobby.md"
SCENES: dict[str, Lobby] = {
    "tables": a_lobby("home"),
    "none": a_lobby(tables=()),
    "looking": a_lobby(tables=(), searched=False),
    "trouble": a_lobby(trouble="tables cannot be looked for: no such device"),
    "stranger": a_lobby("5", "enter"),
    "details": a_lobby("1", "i"),
    "host": a_lobby("h", "down", "down", "right"),
    "heroes": a_lobby("p", "down", "right", "right", "down", "i"),
    "address": a_lobby("j", *"192.168.1.x"),
    "wrong": a_lobby("j", *"a:b:c", "enter", "enter", "enter"),
    "resume": a_lobby("r", "down"),
    "help": a_lobby("?"),
}


@pytest.mark.parametrize("size", SIZES[:2], ids=["80x24", "40x15"])
@pytest.mark.parametrize("scene", SCENES)
def test_golden_lobby(scene: str, size: tuple[int, int]) -> None:
    """To renew a golden screen after a change that is meant, delete its file and run this twice."""
    screen = "\n".join(plain(draw(SCENES[scene], *size, ASCII).rows)) + "\n"
    path = GOLDEN / f"lobby-of-{scene}-{size[0]}x{size[1]}.txt"
    if not path.exists():
        path.write_text(screen, encoding="utf-8")
        pytest.fail(f"{path.name} was missing and has been written: look at it")
    assert screen == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("scene", SCENES)
def test_every_size_from_20x5_to_500x200_is_filled_exactly(scene: str) -> None:
    """P12."""
    for columns in (1, 20, 39, 40, 41, 71, 72, 80, 133, 500):
        for rows in (1, 5, 14, 15, 16, 21, 22, 24, 60, 200):
            for glyphs in (ASCII, UNICODE):
                drawn = draw(SCENES[scene], columns, rows, glyphs).rows
                assert len(drawn) == rows
                assert {row_width(row) for row in drawn} == {columns}
    text = " ".join(" ".join(plain(draw(SCENES[scene], 30, 10, ASCII).rows)).split())
    assert text.startswith("too small: needs 40x15, has 30x10")


@pytest.mark.parametrize("scene", SCENES)
def test_every_style_is_one_of_the_themes(scene: str) -> None:
    for size in SIZES:
        used = {piece.style for row in draw(SCENES[scene], *size, ASCII).rows for piece in row}
        assert used <= {*STYLES, ""}


@pytest.mark.parametrize("size", SIZES)
def test_the_cursor_and_how_this_machine_is_joined_are_always_in_sight(size: tuple[int, int]) -> None:
    many = tuple(found(f"P{n}") for n in range(20))
    lobby = a_lobby("home", tables=many)
    for _place in lobby.places():
        screen = draw(lobby, *size, ASCII)
        assert f"place {lobby.cursor}" in {piece.click for row in screen.rows for piece in row}
        assert lobbies.HERE[0] in "\n".join(plain(screen.rows))
        lobby.press("down")


def clicks(screen: Screen) -> list[str]:
    return [piece.click for row in screen.rows for piece in row if piece.click]


def test_a_hand_is_opened_and_a_table_joined_with_the_mouse_alone() -> None:
    def click(lobby: Lobby, what: str) -> object:
        assert what in clicks(draw(lobby, 80, 24, ASCII))
        return lobby.click(*what.partition(" ")[::2])

    lobby = a_lobby()
    click(lobby, "place p")
    click(lobby, "place p")
    click(lobby, "field 1")
    click(lobby, "field 1")
    assert form(lobby).get("bots") == 4
    click(lobby, "key home")
    assert isinstance(click(lobby, "key enter"), Open)
    lobby = a_lobby()
    click(lobby, f"place {lobby.entries[0].ident}")
    assert isinstance(click(lobby, f"place {lobby.entries[0].ident}"), Go)
    lobby = a_lobby("r")
    click(lobby, "block 1")
    assert isinstance(click(lobby, "block 1"), Resume)
    lobby = a_lobby("5", "enter")
    assert isinstance(click(lobby, "key y"), Go)


def test_names_from_the_network_never_reach_the_screen_raw() -> None:
    """P16: even if they were not cleaned where they were read."""
    evil = "\x1b[2J\u202eBo\n\u200d"
    for size in SIZES:
        for keys in (("home",), ("1", "i"), ("1", "enter")):
            lobby = a_lobby(*keys, tables=(found(evil, stale=True),), trouble="x")
            for row in draw(lobby, *size, ASCII).rows:
                assert row_width(row) == size[0]
                assert all(piece.text.isprintable() for piece in row)


def test_without_any_colour_everything_is_still_written() -> None:
    """P09, P15: what colours say is said in words, too."""
    text = "\n".join(plain(draw(SCENES["tables"], 80, 24, ASCII).rows))
    for word in (">1", "(known)", "CAUTION", "does not answer", "needs a code"):
        assert word in text


def test_the_screen_in_the_document_is_what_is_drawn() -> None:
    shown = "\n".join(plain(draw(a_lobby("home"), 80, 24, UNICODE).rows))
    assert f"```\n{shown}\n```" in DOCUMENT.read_text("utf-8")
