"""Who is silent, by the word of all others (R57; docs/absence.md).

For what seat A owes to step s every other seat signs at most one of `Absent(A)` and `Have(A, s)`. A contribution and a
full set of `Absent` exclude each other: who signed `Absent` goes on by the contribution only after the `Have` of
another seat, and who has it never signs `Absent`. With one drop-out tolerated the set is full when all others that are
not absent themselves are in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protocol.messages import Entry
from protocol.payloads import Absent, Back, Have, Stands


class Absence:
    """The votes at one table, and whom they made absent. `since`: absent seats, with the step from which they are."""

    def __init__(self) -> None:
        self.since: dict[int, int] = {}
        self.missed: set[tuple[int, int]] = set()  # (seat, step) to which an absent seat owed something
        self.forfeits: set[tuple[int, int]] = set()  # (seat, step) in which one of two had to give up for its silence
        self.overruled: set[tuple[int, int]] = set()  # ... although we had gone on with its contribution
        self.backs: dict[int, Entry] = {}  # the last `Back` of each seat
        self._votes: dict[tuple[int, int], dict[int, Entry]] = {}  # by (seat, step), who calls it absent
        self._haves: dict[tuple[int, int], dict[int, Entry]] = {}  # ... and who holds what it owed
        self._stands: dict[tuple[int, int], dict[int, bytes]] = {}
        self._foreseen: dict[tuple[int, int], dict[int, Entry]] = {}  # votes that stand later in what is read again

    def vote(self, entry: Entry) -> None:
        """Take the vote that a seat owes the step at which the vote was signed."""
        assert isinstance(entry.body.payload, Absent)
        place = entry.body.payload.seat, entry.body.step
        self._votes.setdefault(place, {}).setdefault(entry.body.seat, entry)

    def have(self, entry: Entry) -> None:
        """Take the word of a seat that it holds what another one owed."""
        payload = entry.body.payload
        assert isinstance(payload, Have)
        self._haves.setdefault((payload.seat, payload.owed), {}).setdefault(entry.body.seat, entry)

    def both(self, entry: Entry, rows: Sequence[bytes]) -> bool:
        """Whether the author of a vote or a have has signed the other, too (C38): a vote on one of these rows. Not so
        once it has said what it built on, as of two answers to one step what it held may be the one that falls."""
        body = entry.body
        payload = body.payload
        assert isinstance(payload, Absent | Have)
        place = payload.seat, payload.owed if isinstance(payload, Have) else body.step
        if body.seat in self.standing(*place):
            return False
        if isinstance(payload, Have):
            return payload.owed < len(rows) and body.seat in self.voters(*place, rows[payload.owed])
        return body.seat in self._haves.get(place, {})

    def voters(self, seat: int, step: int, row: bytes, foreseen: bool = False) -> set[int]:
        """Who calls a seat absent in a step of this row, so far, or with `foreseen` in the end."""
        place = seat, step
        votes = {**self._votes.get(place, {}), **(self._foreseen.get(place, {}) if foreseen else {})}
        return {voter for voter, entry in votes.items() if entry.body.row == row}

    def holders(self, seat: int, step: int) -> dict[int, bytes]:
        """Who says that it holds what a seat owed to a step: the hash of it by holder."""
        return {
            holder: entry.body.payload.hash
            for holder, entry in self._haves.get((seat, step), {}).items()
            if isinstance(entry.body.payload, Have)
        }

    def stand(self, entry: Entry) -> None:
        """Take the word of a seat which of two contributions of another one it has built on; its first word counts."""
        payload = entry.body.payload
        assert isinstance(payload, Stands)
        self._stands.setdefault((payload.seat, payload.owed), {}).setdefault(entry.body.seat, payload.hash)

    def standing(self, seat: int, step: int) -> dict[int, bytes]:
        """Who has built on which contribution of a seat that said two things: hashes by voter."""
        return self._stands.get((seat, step), {})

    def preload(self, entries: Iterable[Entry]) -> None:
        """Know the votes before they come: who reads a table again must not go on by a contribution that came too late
        for the others, yet judges it as they did."""
        for entry in entries:
            if isinstance(entry.body.payload, Absent):
                place = entry.body.payload.seat, entry.body.step
                self._foreseen.setdefault(place, {}).setdefault(entry.body.seat, entry)
            elif isinstance(entry.body.payload, Stands):
                self.stand(entry)

    def returning(self, number: int) -> list[Entry]:
        """The `Back` entries of absent seats that may be welcomed at a step: of this absence, and of nobody who has
        signed anything for a later step on another row."""
        return [entry for _, entry in sorted(self.backs.items()) if self.is_back(entry, number)]

    def is_back(self, entry: Entry, number: int) -> bool:
        """Whether this entry brings an absent seat back at the end of a step."""
        back = entry.body.payload
        return isinstance(back, Back) and self.since.get(entry.body.seat) == back.since and back.after <= number
