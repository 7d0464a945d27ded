"""What players have done at all tables together, by their keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from cli.history.past import Past, Standing


@dataclass(slots=True)
class Tally:
    """One key, or all bots together (`key` ""). `names`: how often it was called what; `heroes`: hands with each.

    `tables` counts those that came to an end, `won` the matches won of them; `hands`, `hands_won` and `points` count
    every scored hand; `forfeits` the tables that it left before their end.
    """

    key: str
    mine: bool = False
    tables: int = 0
    won: int = 0
    hands: int = 0
    hands_won: int = 0
    points: int = 0
    forfeits: int = 0
    cheated: int = 0
    names: list[str] = field(default_factory=list)  # the latest first
    heroes: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        """What it was called last."""
        return self.names[0] if self.names else "all bots"

    def as_json(self) -> dict[str, Any]:
        """For a program to read."""
        return {
            "key": self.key or None,
            "name": self.name,
            "names": self.names,
            "bots": not self.key,
            "mine": self.mine,
            "tables": self.tables,
            "won": self.won,
            "hands": self.hands,
            "hands_won": self.hands_won,
            "points": self.points,
            "forfeits": self.forfeits,
            "cheated": self.cheated,
            "heroes": dict(self.heroes.most_common()),
        }


def tallies(pasts: Iterable[Past]) -> list[Tally]:
    """One tally for each key, who won most hands first; the bots, whose keys live for one table only, together last.

    `pasts`: the newest first.
    """
    found: dict[str, Tally] = {}
    for past in pasts:
        for seat, chair in enumerate(past.chairs):
            key = "" if chair.bot and not chair.mine else chair.key
            tally = found.setdefault(key, Tally(key, chair.mine))
            if key and chair.name not in tally.names:
                tally.names.append(chair.name)
            if past.standing in (Standing.FINISHED, Standing.FORFEIT):
                tally.tables += 1
                tally.won += past.winner == seat
            tally.forfeits += chair.gone
            tally.cheated += chair.cheated
            tally.hands += len(past.hands)
            if chair.hero:
                tally.heroes[chair.hero] += len(past.hands)
            for hand in past.hands:
                if hand.winner == seat:
                    tally.hands_won += 1
                    tally.points += hand.points
    return sorted(found.values(), key=lambda tally: (not tally.key, -tally.hands_won, tally.hands, tally.key))
