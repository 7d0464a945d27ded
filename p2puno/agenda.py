"""What the turn machines of all games share: pieces that are found by name, and what they make again and again.

How an agenda works is told in p2puno/pieces.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Generic, TypeVar

from p2puno.happenings import Happening
from p2puno.needs import Decide, Open

R = TypeVar("R")


class Register(Generic[R]):
    """The pieces of one kind of game: functions of type `R`.

    `pieces`: every piece by its name. `about`: where a piece names the seats without which it lapses (R51, R56).
    """

    def __init__(self) -> None:
        self.pieces: dict[str, R] = {}
        self.about: dict[str, tuple[int, ...]] = {}

    def named(self, name: str, about: tuple[int, ...] = ()) -> Callable[[R], R]:
        """Enter a piece under its name; `about`: the places in its tuple that name seats without which it lapses."""

        def enter(run: R) -> R:
            self.pieces[name] = run
            self.about[name] = about
            return run

        return enter


# Needs and happenings that come again and again are made once.
decide = cache(Decide)
open_one = cache(lambda slot, to: Open(((slot, to),)))
happening = cache(Happening)
