"""Heads that wait for their answer (C45).

Whoever tells its heads gets all that it lacks, which may be a whole journal: a short question with a long answer. So
each seat gets a few answers a second, and none while much still waits to be sent to it. An honest seat is never
refused, only made to wait: of several questions the last is kept, as it says all that those before it said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from protocol.messages import Heads, encode
from protocol.net.limits import Bucket

ANSWERS, ANSWERS_BURST = 4.0, 16.0
"""Answers a second, and at once, for each seat."""
ROOM: Final = 1_000_000
"""Bytes that may wait to be sent to a seat that gets an answer."""
LOOK_AGAIN: Final = 0.25
"""Seconds until a question that waits is looked at again."""

_BEGINNING: Final = encode(Heads(bytes(32), ()))[:2]  # of every frame with heads: an array of three, the tag


def is_question(frame: bytes) -> bool:
    """Whether a frame has the form of heads."""
    return frame.startswith(_BEGINNING)


class Questions:
    """The last question of each seat that has not got its answer."""

    def __init__(self) -> None:
        self._waiting: dict[int, bytes] = {}
        self._buckets: dict[int, Bucket] = {}

    def __bool__(self) -> bool:
        """Whether any question waits."""
        return bool(self._waiting)

    def ask(self, seat: int, frame: bytes) -> None:
        """A question comes in."""
        self._waiting[seat] = frame

    def due(self, queued: Callable[[int], int]) -> list[tuple[int, bytes]]:
        """The questions, (seat, frame), that are to be answered now. `queued`: the bytes that wait for a seat."""
        due = []
        for seat, frame in list(self._waiting.items()):
            bucket = self._buckets.setdefault(seat, Bucket(ANSWERS, ANSWERS_BURST))
            if queued(seat) <= ROOM and bucket.take():
                due.append((seat, frame))
                del self._waiting[seat]
        return due
