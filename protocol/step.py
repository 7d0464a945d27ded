"""What all steps of a table have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from p2puno.happenings import Happening
from p2puno.needs import Need
from protocol.deck import Cards, Held
from protocol.group import Point
from protocol.payloads import Payload
from protocol.proofs.batch import Equation

if TYPE_CHECKING:
    from protocol.table import Table

Taken = tuple[Any, Sequence[Equation]]
"""What a step makes of a contribution: what it decoded, and the equations that must hold if it is honest."""


class Step(ABC):
    """One step. `authors`: seats that must contribute, in the order of the row. `what`: a word for people.
    `takes`: kinds of payload. `deferred`: its proofs are verified with the whole pile. `follow`: the step that must
    come next, if not the engine says. `automatic`: nobody has to choose anything."""

    what: str
    takes: tuple[type[Payload], ...]
    rounds = 1
    deferred = False
    automatic = True

    def __init__(self, table: Table, authors: Sequence[int], need: Need | None = None) -> None:
        self.table = table
        self.authors = tuple(authors)
        self.need = need
        self.follow: Step | None = None
        self.helped: dict[int, Point] = {}  # by slot, the share of an absent author, out of escrow
        self.opened: dict[int, int] = {}  # faces of hidden cards that all know since, because their holder is absent

    @property
    def round(self) -> int:
        """Which one of the `rounds` that belong together this step is, counted from 1."""
        return 1

    @property
    def piles(self) -> tuple[tuple[str, int], ...]:
        """The piles that are worked on, by name, each with the seat whose turn it is."""
        return ()

    def lacking(self, seat: int) -> list[int]:
        """The slots whose shares of an absent author must still come out of escrow before the step can end."""
        return []

    @property
    def origin(self) -> Step:
        """The step that answers the need: this one, unless it only helps another one along."""
        return self

    def reveal(self, slots: Iterable[int]) -> dict[int, int]:
        """The faces of held slots whose holder's share came out of escrow."""
        for slot in slots:
            form = self.cards.forms[slot]
            assert isinstance(form, Held)
            face = self.cards.face_of((form.a, form.b), self.helped[slot])
            assert face is not None, "a proven card opens to a face"
            self.opened[slot] = face
        return self.opened

    @property
    def cards(self) -> Cards:
        """The cards of the running hand."""
        assert self.table.cards is not None
        return self.table.cards

    def apply(self, answer: Any) -> list[Happening]:
        """Give the engine its answer."""
        assert self.table.game is not None
        return self.table.game.apply(answer)

    @abstractmethod
    def take(self, seat: int, payload: Any) -> Taken:
        """Decode and check one contribution.

        :raises BadProof: it cannot come from an honest seat
        """

    @abstractmethod
    def finish(self, taken: dict[int, Any]) -> list[Happening] | None:
        """Apply all contributions; None where the engine was not answered yet."""


@dataclass(frozen=True, slots=True)
class Done:
    """A step was completed: the engine's need that it answered (None in set-up) and what people saw."""

    step: Step
    need: Need | None
    happenings: tuple[Happening, ...]
