"""What people say to each other beside the game: who may say how much, what was heard already. Sans-IO, like the node.

A remark is signed by its author and goes over the links, but into no journal: it is no part of the hand, nothing that
is computed depends on it, and it is no evidence (docs/chat.md). Whoever hears one for the first time passes it on, so
it also reaches those who have no link to its author. Times are seconds of any one clock.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from p2puno.said import said
from protocol.errors import NotSaid
from protocol.identity import Identity
from protocol.messages import (
    MAX_PHRASES,
    MAX_REMARK,
    Chat,
    Malformed,
    Remark,
    decode,
    encode,
    lobby_room,
    open_remark,
    sign_remark,
)
from protocol.names import clean

PHRASES: Final = (
    said("Hello!"),
    said("Good game!"),
    said("Nice move!"),
    said("Well played!"),
    said("Thanks!"),
    said("Sorry!"),
    said("Oh no!"),
    said("UNO is near!"),
    said("Is it your turn?"),
    said("One moment, please."),
)
"""The quick phrases: their numbers travel, from 1, and each reader sees them in its own language."""
if len(PHRASES) != MAX_PHRASES:
    raise AssertionError("the wire knows another number of phrases")

RATE: Final = 0.5
"""Remarks a second of one author, in the long run ..."""
BURST: Final = 5
"""... and so many at once: to this we hold ourselves."""
HEARD_BURST: Final = 8
"""So many at once are heard of others: a link that stood still delivers what was said meanwhile in one go."""
REMEMBERED: Final = 128
"""Numbers of one author that are remembered; below them all are taken for heard."""
AUTHORS: Final = 64
"""Authors that are remembered: more than seats, as people come and go in a lobby."""

_BEGINNING: Final = encode(Chat(bytes(32), b"", bytes(64)))[:2]  # of every chat frame: an array of four, the tag


def is_chat(frame: bytes) -> bool:
    """Whether a frame has the form of a remark."""
    return frame.startswith(_BEGINNING)


class Unwelcome(ValueError):
    """A remark of no use, such as no honest peer sends in number (C45). `floods`: the author who for the first time
    goes over its pace; empty for other reasons."""

    def __init__(self, message: str, floods: bytes = b"") -> None:
        super().__init__(message)
        self.floods = floods


@dataclass(frozen=True, slots=True)
class Heard:
    """A remark heard for the first time: its author's key, and a cleaned text or, where that is empty, a phrase."""

    author: bytes
    text: str
    phrase: int


class _Pace:
    """A bucket of remarks, `burst` at most, that fills by `RATE`."""

    def __init__(self, burst: int) -> None:
        self._burst, self._level, self._at = burst, float(burst), 0.0

    def take(self, now: float) -> bool:
        """Take one, if there is one; whether there was."""
        self._level = min(self._burst, self._level + max(0.0, now - self._at) * RATE)
        self._at = now
        if self._level < 1:
            return False
        self._level -= 1
        return True


@dataclass(slots=True)
class _Author:
    """What we remember of an author. `heard`: by number, from whom; up to `old` all are taken for heard."""

    heard: dict[int, set[bytes]] = field(default_factory=dict)
    old: int = -1
    pace: _Pace = field(default_factory=lambda: _Pace(HEARD_BURST))
    flooded: bool = False


class Talk:
    """Our side of the talk, in the lobby and at the table."""

    def __init__(self, identity: Identity, first: int) -> None:
        """`first`: the number of our first remark, above those of an earlier run of ours: milliseconds of a calendar
        do, as nobody says a thousand things a second."""
        self._identity, self._number = identity, first
        self._pace = _Pace(BURST)
        self._rooms: list[bytes] = []  # the one we are in, and the one before: a table begins while somebody speaks
        self._authors: OrderedDict[bytes, _Author] = OrderedDict()
        self.mode = "off"
        self.people: frozenset[bytes] = frozenset()
        self.muted: set[bytes] = set()  # whom our player does not want to hear; what they say is passed on all the same

    def enter(self, room: bytes, people: Iterable[bytes], mode: str) -> None:
        """Be in a room with these people, by key; `mode`: what the table option `chat` allows."""
        self._rooms = [room, *(old for old in self._rooms if old != room)][:2]
        self.people, self.mode = frozenset(people), mode

    def wait(self, creator: bytes, room: bytes, people: Iterable[bytes], mode: str) -> None:
        """The same in the lobby of this creator."""
        self.enter(lobby_room(creator, room), people, mode)

    # -- speaking

    def text(self, text: str, now: float) -> tuple[Heard, bytes]:
        """Say a text: what was said, cleaned, and the frame for everybody. Raises NotSaid."""
        if self.mode == "phrases":
            raise NotSaid(said("this table allows quick phrases only"), said("choose one from the list of phrases"))
        if not text.strip():
            raise NotSaid(said("there is nothing to say"), said("write a few words first"))
        cleaned = clean(text, MAX_REMARK)
        if len(cleaned) > MAX_REMARK or clean(text, MAX_REMARK + 2) != cleaned:
            raise NotSaid(said("a remark has at most {most} characters", most=MAX_REMARK), said("say it in two"))
        return self._say(cleaned, 0, now)

    def phrase(self, number: int, now: float) -> tuple[Heard, bytes]:
        """Say a quick phrase, counted from 1. Raises NotSaid."""
        if not 1 <= number <= len(PHRASES):
            raise NotSaid(
                said("there is no phrase {number}", number=number), said("phrases are 1 to {most}", most=len(PHRASES))
            )
        return self._say("", number, now)

    def _say(self, text: str, phrase: int, now: float) -> tuple[Heard, bytes]:
        if self.mode == "off":
            raise NotSaid(said("this table is played without chat"), said("it was chosen so when it was created"))
        if self._identity.public not in self.people:
            raise NotSaid(said("nobody is here yet to hear it"), said("wait until you have a seat"))
        if not self._pace.take(now):
            raise NotSaid(said("that was a lot at once"), said("wait a few seconds, then say it again"))
        remark = Remark(self._rooms[0], self._number, phrase, text)
        self._number += 1
        return Heard(self._identity.public, text, phrase), sign_remark(self._identity, remark)

    # -- hearing

    def hear(self, sender: bytes, frame: bytes, now: float) -> Heard | None:
        """Take a frame from the peer `sender`; what is heard for the first time, which is to be passed on to all but
        the sender, the author and ourselves; None for what has come by another way already.

        :raises Unwelcome: not to be shown and not to be passed on
        """
        try:
            chat = decode(frame, Chat)
            if chat.author not in self.people or chat.author == self._identity.public:
                raise Unwelcome("of nobody whom we listen to")
            remark = open_remark(chat)
        except Malformed as bad:
            raise Unwelcome(str(bad)) from None
        if remark.room not in self._rooms:
            raise Unwelcome("said somewhere else")
        if self.mode == "off" or (remark.text and self.mode == "phrases"):
            raise Unwelcome("this table does not allow it")
        author = self._author(chat.author)
        if not self._is_new(author, remark.number, sender):
            return None
        if not author.pace.take(now):
            first, author.flooded = not author.flooded, True
            raise Unwelcome("too much at once", chat.author if first else b"")
        return Heard(chat.author, clean(remark.text, MAX_REMARK) if remark.text else "", remark.phrase)

    def _author(self, key: bytes) -> _Author:
        author = self._authors.pop(key, None) or _Author()
        self._authors[key] = author
        if len(self._authors) > AUTHORS:
            self._authors.popitem(last=False)
        return author

    def _is_new(self, author: _Author, number: int, sender: bytes) -> bool:
        """Whether this number of an author is heard for the first time. Raises Unwelcome where the sender has brought
        it before: everybody passes on a remark once."""
        if number in author.heard:
            if sender in author.heard[number]:
                raise Unwelcome("said again")
            author.heard[number].add(sender)
            return False
        if number <= author.old:
            return False
        author.heard[number] = {sender}
        if len(author.heard) > REMEMBERED:
            author.old = min(author.heard)
            del author.heard[author.old]
        return True
