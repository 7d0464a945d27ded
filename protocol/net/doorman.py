"""The door of a private table over real links: who has proved to know the invite code.

The creator has one while the seats fill; at a table that may be watched every seat has one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio

from p2puno.said import said
from protocol.events import Event, Notice
from protocol.invite import MAX_FAILURES, WRONG, Door
from protocol.messages import Answer, Bye, Confirm, Frame, Hello, Knock, Watch, encode
from protocol.net.mesh import Mesh

PRIVATE: Final = said("this table is private: it wants an invite code")
OPEN: Final = said("this table has no invite code: join without one")


class Doorman:
    """Answers those who knock; without a code everybody is inside."""

    def __init__(self, mesh: Mesh, own: bytes, code: str, tell: Callable[[Event], None]) -> None:
        """`own`: our key. `tell`: our player is told of wrong codes."""
        self.code = code
        self._mesh, self._tell = mesh, tell
        self._door = Door(code, own) if code else None

    def inside(self, peer: bytes) -> bool:
        """Whether this peer may be told of the table."""
        return self._door is None or self._door.inside(peer)

    def heard(self, peer: bytes, message: Frame) -> bool:
        """Answer a frame if it is for the door: about the code, or of who should have shown it first; whether it is."""
        if isinstance(message, Knock):
            self._knocked(peer, message)
        elif isinstance(message, Confirm) and self._door is not None:
            if proof := self._door.confirm(peer, message.proof, trio.current_time()):
                self._mesh.send(peer, encode(Confirm(proof)))
            else:
                self.refuse(peer, WRONG)
                self._tell_failure(self._door, peer)
        elif isinstance(message, Hello | Watch) and not self.inside(peer):
            self.refuse(peer, PRIVATE)
        else:
            return False
        return True

    def refuse(self, peer: bytes, why: str) -> None:
        """Say no, and end the link."""
        self._mesh.send(peer, encode(Bye(why)))
        self._mesh.drop(peer, why)

    def gone(self, peer: bytes) -> None:
        """The link to a peer is down."""
        if self._door is not None and self._door.gone(peer, trio.current_time()):
            self._tell_failure(self._door, peer)

    def _knocked(self, peer: bytes, knock: Knock) -> None:
        if self._door is None:
            self.refuse(peer, OPEN)
            return
        answer, why = self._door.knock(peer, self._mesh.host_of(peer), knock.message, trio.current_time())
        if answer:
            self._mesh.send(peer, encode(Answer(answer)))
        else:
            self.refuse(peer, why)

    def _tell_failure(self, door: Door, peer: bytes) -> None:
        if door.failures >= MAX_FAILURES:
            self._tell(
                Notice(
                    said("too many wrong codes were tried: nobody new gets in"),
                    said("open the table anew, with a new code"),
                )
            )
        else:
            where = self._mesh.host_of(peer) or said("somewhere")
            self._tell(Notice(said("a wrong invite code came from {where}", where=where)))
