"""What the players make together before a hand: which stage is reached, how far it is, who is awaited and how long."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cli.language import N_
from protocol.events import Event, Phase, PhaseChanged, Progress


class State(StrEnum):
    """Where a stage stands."""

    DONE = "done"
    NOW = "now"
    LATER = "later"


STAGES: Final = (
    ("agreement", N_("sign the rules and the seats")),
    ("commit", N_("seal the keys")),
    ("reveal", N_("open the keys")),
    ("escrow", N_("keep a share for who drops out")),
    ("shuffle", N_("shuffle")),
    ("shares", N_("open the first cards")),
)
"""The stages in their order: a step's word, and what it is for people."""
ORDER: Final = tuple(what for what, _ in STAGES)


@dataclass(slots=True)
class Making:
    """Fed with every event, `now` kept by whoever has a clock (0: no seconds are counted)."""

    now: float = 0.0
    _at: int = -1  # the stage, -1 before the first
    _since: float = 0.0
    _last: Progress | None = None
    _verified: int = 0  # proofs that had been verified before this hand

    def take(self, event: Event) -> None:
        """Remember what this changes."""
        if isinstance(event, PhaseChanged):
            if event.phase is Phase.COMMIT:
                self._begin_hand()
        elif isinstance(event, Progress):
            if event.what in ORDER:
                self._step(event)
            else:  # the hand is played
                self._at = len(ORDER)

    def _begin_hand(self) -> None:
        self._verified = self._last.proofs if self._last is not None else 0
        self._to(ORDER.index("commit"))

    def _step(self, event: Progress) -> None:
        stage = ORDER.index(event.what)
        if stage != self._at or self._last is None or event.round != self._last.round:
            self._to(stage)
        self._last = event

    def _to(self, stage: int) -> None:
        self._at, self._since = stage, self.now

    @property
    def begun(self) -> bool:
        """Whether anything is made yet."""
        return self._at >= 0

    @property
    def proofs(self) -> int:
        """Contributions of this hand whose proofs this program has verified."""
        return self._last.proofs - self._verified if self._last is not None else 0

    @property
    def running(self) -> Progress | None:
        """What is waited for, None for nothing."""
        last = self._last
        current = ORDER[self._at] if 0 <= self._at < len(ORDER) else ""
        return last if last is not None and last.waiting and last.what == current else None

    @property
    def seconds(self) -> int:
        """How long the running stage, or the running round of shuffling, takes already."""
        return int(self.now - self._since) if self.begun and self.now else 0

    def stages(self, escrow: bool) -> list[tuple[str, State]]:
        """Every stage and where it stands. Without an `escrow` there is no share to deposit."""
        return [
            (words, State.DONE if number < self._at else State.NOW if number == self._at else State.LATER)
            for number, (what, words) in enumerate(STAGES)
            if escrow or what != "escrow"
        ]
