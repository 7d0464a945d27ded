"""When the bell rings: once when it is our turn, once when somebody can be caught, never for others (P18)."""

from __future__ import annotations

from cli.table.look import Asked
from p2puno.happenings import What
from protocol.events import Event, HandOver, Happened


class Bell:
    """Fed with every event of the table, asked at every question to us."""

    def __init__(self) -> None:
        self._rung = False

    def take(self, event: Event) -> None:
        """A turn that begins may ring again; so may a new hand."""
        happenings = event.happenings if isinstance(event, Happened) else ()
        if isinstance(event, HandOver) or any(h.what in (What.TURN, What.STARTS) for h in happenings):
            self._rung = False

    def rings(self, asked: Asked) -> bool:
        """Whether this question rings: the first of a turn, and every UNO window."""
        if asked in (Asked.CATCH, Asked.CALL):
            return True
        rung, self._rung = self._rung, True
        return not rung and asked is not Asked.NOTHING
