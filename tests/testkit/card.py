"""The card beside each journal of the testkit: what a reader must find in it (docs/testkit.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from protocol.exhibits import NO_ENTRY
from protocol.verdict import Verdict

FORMAT = 1
FOLDER = Path(__file__).parents[2] / "testkit"


@dataclass
class Card:
    """`blame`: seat and step, or None as the step where the entry that convicts cannot be read; empty if nobody is at
    fault. `at`: the byte at which the entry that convicts, or the damage, begins; -1 without. `absent`: by seat, the
    steps. `departed`: (seat, step, how). `seat` and `key`: whose journal it is, and its private key."""

    why: str
    expect: int
    seat: int = -1
    key: bytes = b""
    blame: tuple[int, int | None] | None = None
    at: int = -1
    steps: int = 0
    state: str = ""
    winner: int = -1
    scores: tuple[int, ...] = ()
    absent: dict[int, tuple[int, ...]] = field(default_factory=dict)
    departed: list[tuple[int, int, str]] = field(default_factory=list)

    def says(self) -> dict[str, Any]:
        """What the journal must say: everything but whose it is."""
        return {name: value for name, value in vars(self).items() if name not in ("why", "seat", "key")}

    def text(self) -> str:
        """The card as a file."""
        lines = [f"format: {FORMAT}", f"why: {self.why}", f"expect: {self.expect}"]
        lines += [f"seat: {self.seat}", f"key: {self.key.hex()}"]
        if self.blame is not None:
            seat, step = self.blame
            lines.append(f"blame: {seat} {'any' if step is None else step}")
        if self.at >= 0:
            lines.append(f"at: {self.at}")
        if self.state:
            lines += [f"steps: {self.steps}", f"state: {self.state}", f"scores: {' '.join(map(str, self.scores))}"]
        if self.winner >= 0:
            lines.append(f"winner: {self.winner}")
        lines += [f"absent: {seat} {' '.join(map(str, steps))}" for seat, steps in self.absent.items()]
        lines += [f"departed: {seat} {step} {how}" for seat, step, how in self.departed]
        return "\n".join(lines) + "\n"

    @classmethod
    def read(cls, text: str) -> Card:
        """The card in a file.

        :raises ValueError: it is of another format, or broken
        """
        card, formats = cls("", -1), []
        for line in text.splitlines():
            name, value = line.split(": ", 1)
            words = value.split()
            match name:
                case "format":
                    formats.append(int(value))
                case "why":
                    card.why = value
                case "key":
                    card.key = bytes.fromhex(value)
                case "expect" | "seat" | "at" | "steps" | "winner":
                    setattr(card, name, int(value))
                case "state":
                    card.state = value
                case "scores":
                    card.scores = tuple(map(int, words))
                case "blame":
                    card.blame = int(words[0]), None if words[1] == "any" else int(words[1])
                case "absent":
                    card.absent[int(words[0])] = tuple(map(int, words[1:]))
                case "departed":
                    card.departed.append((int(words[0]), int(words[1]), " ".join(words[2:])))
                case _:
                    raise ValueError(f"no field of a card: {name}")
        if formats != [FORMAT]:
            raise ValueError(f"a card of another format: {formats}")
        return card


def card_of(verdict: Verdict, why: str = "") -> Card:
    """What the audit says, as a card."""
    card = Card(why, verdict.exit_code)
    place = re.search(r"byte (\d+)", verdict.where if verdict.exit_code in (3, 4) else "")
    card.at = int(place[1]) if place else -1
    if verdict.exit_code == 4:
        return card
    if verdict.offences:
        first = verdict.offences[0]
        card.blame = first.seat, None if first.why == NO_ENTRY else first.step
    card.steps, card.state, card.scores = verdict.steps, verdict.state_hash, verdict.scores
    card.winner = verdict.winner
    card.absent = dict(verdict.missed)
    card.departed = [(each.seat, each.step, each.how) for each in verdict.departures]
    return card
