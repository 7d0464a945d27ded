"""A hand in the screen-reader mode as it is heard, from the first line to the last.

`python -m tests.cli.transcript > docs/screen-reader-hand.txt` records the one in the documents.
"""

from __future__ import annotations

import io
from typing import Final

import trio

from cli.plain import LineTable
from cli.speak import Speech
from p2puno.card import print_move
from p2puno.moves import Draw, Play
from p2puno.view import legal
from tests.cli.fakes import FakeSession, playing
from tests.cli.test_plain import Script

SEATS: Final = 3
SEED: Final = 7
ASKED: Final = ("help", "labels", "where am I?", "my hand", "table", "look ws", "purple 7")
"""What the player asks before the first move; the last one is a slip."""


class Heard(io.StringIO):
    """What is said; what is typed stands between it behind a prompt."""

    def type(self, line: str) -> str:
        self.write(f"> {line}")
        return line


def answer(session: FakeSession) -> str:
    """Play like somebody who keeps the Wilds and never forgets UNO."""
    view = session.view
    assert view is not None
    if view.uncalled >= 0:
        return "uno" if view.uncalled == 0 else "catch"
    moves = list(legal(view))
    plays = [move for move in moves if isinstance(move, Play) and (move.uno or len(view.hand) != 2)]
    best = min(plays, key=lambda move: (move.colour >= 0, move.face, move.slot), default=None)
    return print_move(view.rules, best or next((m for m in moves if isinstance(m, Draw)), moves[0]))


def transcript(seats: int = SEATS, seed: int = SEED, asked: tuple[str, ...] = ASKED) -> str:
    """The hand with this seed, with everything that is typed."""
    session = FakeSession(seats, seed)
    heard = Heard()
    script = Script(session, *asked, then=answer)

    async def read() -> str:
        return heard.type(await script.read())

    async def hand() -> None:
        table = LineTable(lambda: playing(session), None, heard, read, voice=Speech("the option --screen-reader"))
        await table.run()

    trio.run(hand)
    return heard.getvalue()


if __name__ == "__main__":
    print(transcript(), end="")
