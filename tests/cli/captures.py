"""`python -m tests.cli.captures > docs/screens.md`: the main screens as they are drawn, for the documents."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from cli.canvas import Row, plain
from cli.draw import draw
from cli.history.archive import Archive, View
from cli.history.draw import draw as draw_history
from cli.replay.draw import draw as draw_replay
from cli.replay.film import shoot
from cli.replay.viewer import Viewer
from cli.theme import UNICODE
from p2puno.rules import Rules
from tests.cli.past_tables import play
from tests.cli.test_archive import pasts
from tests.cli.test_draw import SCENES, at

TABLES = {
    "turn": "Your turn: what fits is marked, the line above the keys says what Enter does",
    "long": "Ten at the table, and a long hand",
    "catch": "Somebody forgot UNO",
    "wish": "A question is a list; the hand stays in sight",
    "over": "The end of a hand: what was left in each hand, and what it counts",
    "heroes": "UNO Ultimate: heroes with decks, Burn Piles, Enemies and Items, the Location, the Danger Deck",
    "heroes-target": "A target is chosen",
    "heroes-lobby": "Before the start: who sits where, who is ready, how others join",
    "heroes-choosing": "A hero is chosen, with its cards in sight",
    "making": "All make the deck together: what is done, who is awaited",
}
"""The scenes of `test_draw` that are shown, and what is to be seen there."""
COMPACT = {"turn": "The same turn on 40x15", "heroes": "Heroes on 40x15"}
HEAD = """# Screens

The main screens as they are drawn, without their colours: every colour has its letter beside it. `python -m
tests.cli.captures > docs/screens.md` makes this page, and a test keeps it as the program draws. The lobby is in
[lobby.md](lobby.md), a hand as a screen reader says it in [screen-reader-hand.txt](screen-reader-hand.txt).
"""


def _shown(title: str, rows: list[Row]) -> str:
    return "\n".join([f"## {title}", "", "```", *plain(rows), "```", ""])


def captures() -> str:
    """The whole page."""
    page = [HEAD]
    for scenes, size in ((TABLES, (80, 24)), (COMPACT, (40, 15))):
        for scene, title in scenes.items():
            look, board = SCENES[scene]
            page.append(_shown(title, draw(look, board, at(look), *size, UNICODE).rows))
    with patch("cli.history.draw.local", lambda ended: ended[:16].replace("T", " ")):
        for view, title in ((View.TABLES, "The history"), (View.STANDINGS, "Standings, by player key")):
            page.append(_shown(title, draw_history(Archive(pasts(), view), 80, 24, UNICODE).rows))
    with TemporaryDirectory() as folder:
        film = shoot(play(Path(folder), 3, Rules.make("batman", hand_size=5), seed=4).journal)
    rows = draw_replay(Viewer(film, len(film.frames) // 2), 80, 24, UNICODE)
    page.append(_shown("A replay: nothing can be played in it", rows))
    return "\n".join(page)


if __name__ == "__main__":
    print(captures(), end="")
