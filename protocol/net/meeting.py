"""What the creator of a table and its joiners share until the table begins: whom they know, and how they sit down."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from p2puno.said import Said, message_of, recognised, said
from protocol.errors import P2punoError
from protocol.events import Notice, Player
from protocol.invite import TOO_SOON
from protocol.known import Standing
from protocol.lobby import HERO_GONE, OTHER_VERSION, players, sitting
from protocol.messages import Charter, Sitter
from protocol.names import clean
from protocol.net.driver import Session

ASK: Final = said("ask whoever created the table")
REASON_CELLS: Final = 200
"""Width at which what the lobby says in words is cut."""

Judge: TypeAlias = Callable[[str, bytes], Standing]
"""What we know of a name with a key."""


Meet: TypeAlias = Callable[[Sequence[tuple[str, bytes]]], None]
"""Remember the people, (name, key), of a table that begins. May raise P2punoError and OSError."""


def given(reason: str) -> Said:
    """The reason that the other side gives, in English and perhaps of no good will: cleaned (C44), and one of our own
    sentences where it is one."""
    return recognised(clean(reason, REASON_CELLS), (OTHER_VERSION, HERO_GONE, TOO_SOON))


def nobody_known(name: str, key: bytes) -> Standing:
    """The judge of those who remember nobody."""
    return Standing.UNASKED


def nobody_met(people: Sequence[tuple[str, bytes]]) -> None:
    """What those do who remember nobody."""


def begin(session: Session, charter: Charter, meet: Meet, early: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """Everybody sits: play, and remember with whom. A memory that fails is told and spoils nothing. `early`: what was
    heard of seats that play already, (key, frame)."""
    session.begin(charter, early)
    own = session.identity.public
    people = [(player.name, player.key) for player in players(charter.roster) if player.key != own and not player.bot]
    try:
        meet(people)
    except (P2punoError, OSError) as problem:
        unkept = said("the players are not remembered: {reason}", reason=message_of(problem))
        session.tell(Notice(unkept, getattr(problem, "hint", "")))


def judged(sitters: Sequence[Sitter], own: bytes, judge: Judge) -> tuple[Player, ...]:
    """Who sits in the lobby, by seat, with what we know of the people that they say they are."""
    return tuple(
        player if player.bot or player.key == own else replace(player, standing=judge(player.name, player.key))
        for player in sitting(sitters)
    )


def is_loopback(host: str) -> bool:
    """Whether a host, as typed or as seen, can only be this machine."""
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"


def seen(host: str) -> str:
    """The host to tell others of a peer seen at `host`, without a scope of ours; "" if it is on our own machine."""
    mapped = host.removeprefix("::ffff:").partition("%")[0]
    return "" if is_loopback(mapped) else mapped
