"""Changes of bytes: a list of edits, drawn by hypothesis or by dice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

Edit = tuple[int, int, int, bytes]
"""(which change, where, how much, with what); any numbers do."""

LONGEST: Final = 200_000
KINDS: Final = 7


def mutate(data: bytes, edits: Sequence[Edit]) -> bytes:
    """The bytes after all edits, at most LONGEST."""
    for kind, place, size, new in edits:
        at = place % (len(data) + 1)
        end = at + size % 64
        match kind % KINDS:
            case 0:  # other bytes in their place
                data = data[:at] + new + data[at + len(new) :]
            case 1:
                data = data[:at] + new + data[at:]
            case 2:
                data = data[:at] + data[end:]
            case 3:  # a part again and again
                data = data[:at] + data[at:end] * (size % 200) + data[end:]
            case 4:
                data = data[:at] + new * (size % 5000) + data[at:]
            case 5:
                data = data[:at]
            case _:
                flipped = bytes([data[at] ^ 1 << size % 8]) if at < len(data) else b""
                data = data[:at] + flipped + data[at + 1 :]
    return data[:LONGEST]


def roll(dice: random.Random, words: Sequence[bytes]) -> list[Edit]:
    """Some edits by dice."""

    def new() -> bytes:
        return dice.choice(words) if words and dice.random() < 0.5 else dice.randbytes(dice.choice((1, 1, 2, 5, 40)))

    return [
        (dice.randrange(KINDS), dice.randrange(2**20), dice.randrange(2**14), new()) for _ in range(dice.randint(1, 4))
    ]
