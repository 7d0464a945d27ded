"""A page of text, of which some blocks can be chosen: unfinished tables, what a hero says; in lines the history too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cli.lobby.intent import Intent

MOVES: Final = ("up", "down", "pageup", "pagedown", "wheelup", "wheeldown", "home", "end")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together, the first one their heading; `intent`: what Enter on them does, None for mere text;
    `table`: the same in columns, for whoever reads lines with the eyes."""

    lines: tuple[str, ...]
    intent: Intent | None = None
    table: tuple[str, ...] = ()


@dataclass(slots=True)
class Pager:
    """`does`: what Enter does with a chosen block. `at`: the block under the cursor, -1 if none can be chosen;
    `scroll`: rows above the first one that is shown, where none can; the drawing tells how far it goes."""

    title: str
    blocks: tuple[Block, ...]
    does: str = ""
    at: int = -1
    scroll: int = 0

    def __post_init__(self) -> None:
        self.at = next(iter(self.choices), -1)

    @property
    def choices(self) -> list[int]:
        """The blocks that can be chosen."""
        return [place for place, block in enumerate(self.blocks) if block.intent is not None]

    def knows(self, key: str) -> bool:
        """Whether a key means something here."""
        return key in MOVES or (key == "enter" and self.at >= 0)

    def press(self, key: str, page: int = 10) -> Intent | None:
        """Take a key; what is wanted if it was Enter on a block. `page`: rows that are shown at once."""
        choices = self.choices
        if not choices:
            steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page, "wheelup": -3, "wheeldown": 3}
            steps |= {"home": -self.scroll, "end": 100_000}
            self.scroll = max(0, self.scroll + steps.get(key, 0))
            return None
        if key == "enter":
            return self.blocks[self.at].intent
        steps = {"up": -1, "down": 1, "wheelup": -1, "wheeldown": 1, "pageup": -5, "pagedown": 5}
        steps |= {"home": -len(choices), "end": len(choices)}
        place = choices.index(self.at) + steps.get(key, 0)
        self.at = choices[min(max(place, 0), len(choices) - 1)]
        return None
