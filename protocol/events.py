"""What a node tells the face at a table, as plain data.

The face never looks into the node: it gets these events, reads `Session.view` and friends, and answers with moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from p2puno.happenings import Happening
from p2puno.outcome import Outcome
from protocol.known import Standing


class Phase(StrEnum):
    """Where a table stands. A hand goes COMMIT to PLAY; HAND_OVER leads to the next COMMIT or to CLOSED."""

    LOBBY = "lobby"  # seats fill
    AGREE = "agree"  # every seat signs the same rules and roster
    COMMIT = "commit"  # every seat commits to its key share and entropy
    REVEAL = "reveal"  # ... and reveals them
    PLAY = "play"  # shuffles, deal and play: the engine's needs
    HAND_OVER = "hand over"  # the hand is scored
    CLOSED = "closed"  # match over, table abandoned, or a cheat proven


@dataclass(frozen=True, slots=True)
class Player:
    """A player at a table: cleaned name, identity key, whether a program plays, whether linked to us now; its hero's
    id where the game has heroes ("": not chosen yet); in the lobby, what we know of the name with this key, which seat
    it has taken (elsewhere -1) and whether it is ready."""

    name: str
    key: bytes
    bot: bool
    here: bool = True
    hero: str = ""
    standing: Standing = Standing.UNASKED
    seat: int = -1
    ready: bool = False


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """Somebody took or left a seat before the start, or changed hero, seat or mind: the table begins when `wanted`
    seats are taken and everybody is ready."""

    players: tuple[Player, ...]  # in the order of the seats
    wanted: int
    addresses: tuple[str, ...] = ()  # what others may type to join, host only
    code: str = ""  # the invite code of a private table, host only
    me: int = -1  # our place among the players
    creator: bool = False  # whether the table is ours


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that people should know and that changes nothing at the table: a sentence, and what to do about it."""

    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class PacksOffered:
    """The table may play heroes from a player's own packs (their names): `Session.accept_packs` says yes or no."""

    heroes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """A phase began, or we came `back` in the middle of one. In PLAY the set-up goes on (see Progress) until the first
    Decide."""

    phase: Phase
    hand: int = 0  # counted from 1
    back: bool = False


@dataclass(frozen=True, slots=True)
class Watching:
    """We have no seat, and from now on see what happens: after so many turns."""

    turns: int


@dataclass(frozen=True, slots=True)
class Progress:
    """A step waits for these seats' contributions; `what` is a short word such as "shuffle", "shares", "reveal"."""

    what: str
    done: int
    total: int
    waiting: tuple[int, ...]
    round: int = 1  # of so many steps of this kind that belong together
    rounds: int = 1
    piles: tuple[tuple[str, int], ...] = ()  # the piles that are worked on, each with the seat whose turn it is
    proofs: int = 0  # contributions whose proofs were verified so far, in all hands


@dataclass(frozen=True, slots=True)
class Happened:
    """Things that people at the table see, in order."""

    happenings: tuple[Happening, ...]


@dataclass(frozen=True, slots=True)
class YourTurn:
    """The engine needs something only this player can decide: `Session.view.need` says what, `legal(view)` the moves.
    Sent again after a refused move."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A move of ours was not taken; nothing was signed."""

    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand ended; `scores` are the totals of the match after it."""

    outcome: Outcome
    scores: tuple[int, ...]
    hand: int


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match ended; winner is a seat, or -1 for a tie."""

    winner: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The link to a seat went up or down; `detail` is for people."""

    seat: int
    up: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class AbsenceChanged:
    """A seat counts as absent, or is back: meanwhile the rules' defaults are made for it."""

    seat: int
    absent: bool


@dataclass(frozen=True, slots=True)
class GotUp:
    """A seat has got up. Its hand goes as soon as the table waits for it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Redial:
    """There is no link to a seat, for a reason; it is tried again in so many seconds."""

    seat: int
    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class Chatted:
    """A seat (its place in `Session.players` now) says something beside the game: a cleaned `text`, or, where that is
    empty, one of the quick phrases (`protocol.chat.PHRASES`), counted from 1. Our own remarks come back like this."""

    seat: int
    text: str
    phrase: int = 0


@dataclass(frozen=True, slots=True)
class Accused:
    """Seat was caught cheating, with proof in the journal. Where the others cannot go on without it, `Abandoned`
    follows."""

    seat: int
    reason: str
    step: int


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The table ended without a result: `reason` for people."""

    reason: str
    waiting: tuple[int, ...] = field(default=())


Event: TypeAlias = (
    LobbyChanged
    | Notice
    | PacksOffered
    | PhaseChanged
    | Watching
    | Progress
    | Happened
    | YourTurn
    | Refused
    | HandOver
    | MatchOver
    | LinkChanged
    | AbsenceChanged
    | GotUp
    | Redial
    | Chatted
    | Accused
    | Abandoned
)
