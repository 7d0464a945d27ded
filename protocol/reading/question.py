"""What a step asks: who must answer, how an answer is checked, and what follows when all are in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar

from p2puno.moves import MoveError
from p2puno.said import COMMA, joined, message_of, said
from protocol.exhibits import key_in_words, slots_in_words
from protocol.group import Point
from protocol.payloads import Payload
from protocol.proofs.batch import BadProof, Equation
from protocol.proofs.dleq import ShareProof, check_shares, shares_from_bytes
from protocol.reading.standing import Standing


class Then(Enum):
    """What follows a step, where that is no question of its own."""

    NEW_HAND = 1  # a hand begins, or begins anew
    PLAY_ON = 2  # the need of the rules is asked
    ESCROW = 3  # a seat has departed: where enough are left they make an escrow, then the need is asked


@dataclass(frozen=True, slots=True)
class Claim:
    """A proof that came with an answer: `make` gives its equations or raises BadProof."""

    make: Callable[[], list[Equation]]


class Question(ABC):
    """One step. `authors`: who must answer, absent or not. `kinds`: what an answer can be."""

    what: ClassVar[str]
    kinds: ClassVar[tuple[type[Any], ...]]

    def __init__(self, table: Standing, authors: Sequence[int]) -> None:
        self.table = table
        self.authors = tuple(sorted(authors))

    @abstractmethod
    def check(self, seat: int, answer: Any) -> list[Claim]:
        """The proofs of an answer.

        :raises Wrong: it is none, whatever its proofs are
        :raises BadProof: it is malformed
        :raises MoveError: it breaks a rule
        """

    @abstractmethod
    def after(self, given: Mapping[int, Any]) -> Question | Then:
        """All answers are in, but of the absent: do what follows. What comes next."""

    def asked(self, seat: int) -> str:
        """Against what the answer of a seat is checked, in words."""
        return ""

    def missing(self, given: Mapping[int, Payload]) -> list[int]:
        """Of the authors those who gave nothing: they are absent."""
        return [seat for seat in self.authors if seat not in given]

    # -- for several kinds --------------------------------------------------------------------------------------------

    def shares(self, seat: int, slots: Sequence[int], data: bytes, proof: bytes, deck: str,
               key: Point | None = None) -> tuple[list[Point], list[Claim]]:  # fmt: skip
        """Proven shares of hidden slots: the points, and the proof. Without slots there is nothing to be said.

        :raises BadProof: they are malformed
        """
        if not slots:
            if data or proof:
                raise BadProof(said("{size} bytes where {length} belong", size=len(data) + len(proof), length=0))
            return [], []
        cards = self.table.cards
        assert cards is not None
        points = shares_from_bytes(data, len(slots))
        decoded = ShareProof.from_bytes(proof)
        halves = [cards.a(slot) for slot in slots]
        under = cards.keys[seat] if key is None else key
        context = self.table.context(seat, deck)
        return points, [Claim(lambda: check_shares(context, under, halves, points, decoded))]

    def undo(self) -> None:  # noqa: B027 - most questions have nothing to undo
        """Cards that were changed by earlier steps of this one piece of work lie as before it: somebody departs."""

    def undone(self) -> AbstractContextManager[None]:
        """For so long it is as after `undo`."""
        return nullcontext()

    def slots_and_key(self, slots: Sequence[int], seat: int) -> str:
        """The slots in question and the key of a seat, in words."""
        return joined((slots_in_words(slots), self.own(seat)), COMMA)

    def own(self, seat: int) -> str:
        """The key of a seat, in words."""
        keys = self.table.cards.keys if self.table.cards is not None else {}
        return said("key {key}", key=key_in_words(keys.get(seat)))


def reason_of(question: Question, problem: Exception) -> str:
    """Why an answer is wrong, as the blame says it."""
    if isinstance(problem, MoveError):
        reason = message_of(problem)
        return said("{reason} ({rule})", reason=reason, rule=problem.rule) if problem.rule else reason
    return said("{step}: {reason}", step=question.what, reason=message_of(problem))
