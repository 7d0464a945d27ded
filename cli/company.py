"""The bots at a table that we open: those that come with it, and those that take free seats later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from cli.children import NAMES, bot_names
from p2puno.said import said
from protocol.events import Event, Notice, Player, Refused

NO_FREE_SEAT: Final = said("no seat is free for another bot")
COMING: Final = said("a bot is still on its way: try again in a moment")


class Opened(Protocol):
    """The part of a session that this needs."""

    on_bot: Callable[[], None]
    on_start: Callable[[], None]

    @property
    def players(self) -> tuple[Player, ...]:
        """Who sits here."""

    def tell(self, event: Event) -> None:
        """Tell the face."""


class Company:
    """`start` starts a bot by name; `runs` says whether the bot of that name is on its way or sits here; `remember`
    hears of the names whenever there is one more."""

    def __init__(
        self,
        session: Opened,
        names: Sequence[str],
        own: str,
        seats: int,
        start: Callable[[str], None],
        runs: Callable[[str], bool],
        remember: Callable[[Sequence[str]], None],
    ) -> None:
        self._session, self._own, self._seats = session, own, seats
        self._start, self._runs, self._remember = start, runs, remember
        self._names = list(names)
        self._begin = session.on_start
        session.on_bot, session.on_start = self.add, self.begin
        for name in names:
            start(name)

    def add(self) -> None:
        """One more bot for a free seat, if one is left beside those that are on their way."""
        taken = [player.name for player in self._session.players]
        free = [name for name in bot_names(len(NAMES), self._own) if name not in {*taken, *self._names}]
        if len(taken) + len(self._coming()) >= self._seats or not free:
            self._session.tell(Refused(NO_FREE_SEAT))
            return
        self._names.append(free[0])
        self._remember(self._names)
        self._start(free[0])

    def begin(self) -> None:
        """Begin without the free seats, but not without a bot that we have sent for."""
        if self._coming():
            self._session.tell(Refused(COMING))
        else:
            self._begin()

    def missed(self, why: str) -> None:
        """A bot has found no seat: somebody was quicker."""
        self._session.tell(Notice(said("a bot has not come: {why}", why=why)))

    def _coming(self) -> list[str]:
        taken = [player.name for player in self._session.players]
        return [name for name in self._names if name not in taken and self._runs(name)]
