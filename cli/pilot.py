"""A program at a seat: it asks a bot for its move and takes about as long as a person would.

Where people play, a bot catches a forgotten UNO no sooner than after half the window, so that the one who forgot can
still call and others can be faster (R61).
"""

from __future__ import annotations

from typing import Final

import trio

from cli.table.look import Asked
from cli.table.session import Session
from cli.table.sight import what_is_asked
from p2puno.dealer import Player as Bot

PACE: Final = 0.6


class Pilot:
    """Plays with `bot`; `pace`: seconds before a move, None: `PACE` where a person plays, else none."""

    def __init__(self, bot: Bot, pace: float | None = None) -> None:
        self._bot = bot
        self._pace = pace
        self._asked = 0

    def _wait(self, session: Session) -> float:
        if self._pace is not None:
            return self._pace
        return 0.0 if all(player.bot for player in session.players) else PACE

    async def answer(self, session: Session) -> None:
        """Answer what the table asks of us now, unless it has moved on, or asked again, before we are ready.

        Called once for every `YourTurn`.
        """
        self._asked += 1
        mine = self._asked
        view = session.view
        if view is None:
            return
        asked, about = what_is_asked(view)
        pace = self._wait(session)
        if pace > 0:
            await trio.sleep(max(pace, view.rules.uno_window / 2) if asked is Asked.CATCH else pace)
        view = session.view
        if view is None or mine != self._asked or what_is_asked(view) != (asked, about) or asked is Asked.NOTHING:
            return
        if not session.my_turn:  # somebody is taken off the table first, and then we are asked again (R56)
            return
        if asked in (Asked.CATCH, Asked.CALL):
            session.say(self._bot.say(view))
        else:
            session.decide(self._bot(view))
