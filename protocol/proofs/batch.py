"""Checking many proofs at once: every check is a sum of multiples of points that must be the identity.

The sums are merged with random weights (Bellare, Garay, Rabin 1998, small exponents), so all proofs of all peers cost
one multi-scalar multiplication, and a point that occurs in several proofs is multiplied once.
"""

from __future__ import annotations

import secrets
from collections.abc import Hashable, Iterable, Sequence

from p2puno.said import said
from protocol.group import Point, group

Equation = Sequence[tuple[int, Point]]
"""Pairs (k, P); the equation holds if the sum of k·P is the identity. Scalars are any ints, taken mod Q."""

_WEIGHTS = 2**128


class BadProof(ValueError):
    """A proof that is malformed or does not prove its statement."""


class Batch:
    """Equations of several proofs, each under a tag that names whoever answers for it.

    Fill it completely, then call `verify`: weights must not be known before the last proof is fixed, so they are drawn
    from the operating system inside the call, one for every equation.
    """

    def __init__(self) -> None:
        self._entries: list[tuple[Hashable, Equation]] = []

    def add(self, tag: Hashable, equations: Iterable[Equation]) -> None:
        """Put the equations of one proof into the batch."""
        self._entries.extend((tag, equation) for equation in equations)

    def drop(self, tag: Hashable) -> None:
        """Take the equations under a tag out again."""
        self._entries = [entry for entry in self._entries if entry[0] != tag]

    def verify(self) -> bool:
        """Whether all equations hold; a false one passes with probability 2^-128 at most."""
        return _holds([equation for _, equation in self._entries])

    def culprits(self) -> list[Hashable]:
        """The tags of which some equation does not hold, in the order in which they were added."""
        equations: dict[Hashable, list[Equation]] = {}
        for tag, equation in self._entries:
            equations.setdefault(tag, []).append(equation)
        return [tag for tag, own in equations.items() if not _holds(own)]


def require(equations: Iterable[Equation]) -> None:
    """Check the equations of one proof alone; raises BadProof."""
    if not _holds(list(equations)):
        raise BadProof(said("the equations of the proof do not hold"))


def _holds(equations: list[Equation]) -> bool:
    points: dict[bytes, Point] = {}
    totals: dict[bytes, int] = {}
    for equation in equations:
        weight = 1 + secrets.randbelow(_WEIGHTS - 1)
        for scalar, point in equation:
            encoded = point.encoded
            if encoded in totals:
                totals[encoded] += weight * scalar
            else:
                totals[encoded] = weight * scalar
                points[encoded] = point
    return group.msm(list(totals.values()), list(points.values())) is None
