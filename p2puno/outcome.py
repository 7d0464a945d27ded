"""How and why a hand ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Ending(StrEnum):
    """Why a hand is over."""

    EMPTY_HAND = "empty hand"  # somebody played the last card (R13, R78)
    BLOCKED = "blocked"  # nobody can take or plays a card (R65)
    LAST_STANDING = "last standing"  # all other decks have run dry (R50)
    FORFEIT = "forfeit"  # of two seats one left (R56)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of one hand.

    `winner`: a seat, or -1 (a blocked hand that stays tied, R65).
    `points`: what the winner scores for the hand (R80).
    `hands`: per seat the faces it still held, as opened at the end; empty for the winner.
    """

    ending: Ending
    winner: int
    points: int
    hands: tuple[tuple[int, ...], ...]
