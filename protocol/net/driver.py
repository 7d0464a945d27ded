"""A seat at a table over real links: the thin trio driver around the node.

It carries bytes between the mesh and the node, does what the node says, and keeps the time. Nothing is decided here.
How people come to a table, before there is a node, is in `protocol.net.gathering`.
"""

from __future__ import annotations

import contextlib
import math
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import trio

from p2puno.moves import Move
from p2puno.needs import Say
from p2puno.said import said
from protocol.chat import is_chat
from protocol.errors import Refused
from protocol.events import GotUp, LinkChanged, Notice, Phase, Redial
from protocol.identity import Identity
from protocol.journal import Journal
from protocol.messages import Carry, Charter, Heads, Malformed, decode_frame
from protocol.net.address import Address
from protocol.net.alarm import Alarm
from protocol.net.doorman import Doorman
from protocol.net.files import new_journal
from protocol.net.gallery import Gallery
from protocol.net.interfaces import addresses_of, interfaces
from protocol.net.mesh import Mesh, open_mesh
from protocol.net.preparing import Preparing
from protocol.net.questions import LOOK_AGAIN, Questions, is_question
from protocol.net.talking import Talking
from protocol.node import Node
from protocol.signals import (
    Close,
    Decided,
    Effect,
    Forget,
    LinkDown,
    LinkUp,
    Received,
    Remember,
    Rising,
    Send,
    Spoken,
    Store,
    Tell,
    Tick,
    Wake,
    Waste,
)
from protocol.signals import Event as NodeEvent
from protocol.vault import Secrets, Vault

PATIENCE = 3.0
"""Seconds that a seat has to dial us, if it is in charge of our link, before we dial it: its way to us may be gone."""
FAREWELL = 0.35
"""Seconds that our player waits at most for a moment in which it can leave (N02, N03)."""
ELSEWHERE = 10.0
"""Seconds without any seat's link, at least one of them replaced, after which another program has our seat (C51)."""


class Session(Talking, Preparing):
    """One player's place at one table, for the face. Made by `gathering.open_host`, `gathering.open_join` and
    `returning.open_resume`.

    `events` ends when the table is over. Everything else may be read at any time.
    """

    def __init__(self, identity: Identity, name: str, bot: bool, journal_dir: Path) -> None:
        super().__init__(identity)
        self.name = name
        self.bot = bot
        self.journal: Path | None = None
        self.addresses: tuple[str, ...] = ()
        self._journal_dir = journal_dir
        self._journal: Journal | None = None
        self._vault: Vault | None = None
        self._alarm = Alarm()
        self._events: deque[NodeEvent] = deque()
        self._busy = False
        self._questions = Questions()
        self.gallery = Gallery()
        self.doorman: Doorman | None = None
        # What the gathering sets and hears, until there is a node.
        self.failure: Exception | None = None  # why the table ended, if by no effect of the node
        self.host_address = ""  # where the creator answers, as a joiner dialled it
        self.listening: Address = "", 0  # where we answer; no host: at every interface
        self.note = b""  # what whoever opened the table wants to read again after a restart
        self.left = False  # our player wants to go
        self._parting = trio.Event()
        self._goes_at = math.inf  # when our player goes, whoever knows by then
        self._lost_at = math.inf  # when a link to a seat was last lost
        self._risen: set[int] = set()  # the others that got up

    # -- what the face does -------------------------------------------------------------------------------------------

    def decide(self, move: Move) -> None:
        """Make a move; nothing happens once our player has got up.

        :raises MoveError: it cannot stand; nothing was signed
        """
        if not self.left:
            self._act(Decided(move))

    def say(self, say: Say) -> None:
        """Say a word in a window; nothing happens once our player has got up.

        :raises MoveError: it cannot be said now; nothing was signed
        """
        if not self.left:
            self._act(Spoken(say))

    async def ended(self) -> None:
        """Wait until the table is over for us."""
        await self._closed.wait()

    async def parting(self) -> None:
        """Wait until our player gets up, or the table is over for us."""
        await self._parting.wait()

    @property
    def resumable(self) -> bool:
        """Whether the table can be taken up again here: it has no end yet, and our player did not leave it."""
        return not self.left and self._vault is not None and self._vault.kept

    def leave(self) -> None:
        """Get up from the table, as soon as there is a moment for it: within `FAREWELL` seconds, and at once where
        nobody is linked. The links end when the others have read that we leave, or soon."""
        self.left = True
        self._parting.set()
        if self._vault is not None:
            self._vault.set_aside()  # if there is no good moment to leave, the table waits to be asked for
        if self._node is None or self.mesh is None:
            self.close()
            return
        self._goes_at = min(self._goes_at, trio.current_time() + FAREWELL)
        self._alarm.set(self._goes_at)
        self._act(Rising())
        self._see_leavers()
        if all(self._seat_of(peer) is None for peer in self.mesh.peers):
            self.close()

    def _act(self, event: NodeEvent) -> None:
        if self._node is not None and not self._closed.is_set():
            self._perform(self._node.handle(event, trio.current_time()))

    # -- the node's hands ---------------------------------------------------------------------------------------------

    def _feed(self, event: NodeEvent) -> None:
        """Hand an event to the node; one at a time, in order."""
        self._events.append(event)
        if self._busy or self._node is None:
            return
        self._busy = True
        try:
            while self._events and not self._closed.is_set():
                self._perform(self._node.handle(self._events.popleft(), trio.current_time()))
                self._see_leavers()
        except Exception as failure:  # a fault of ours must not look like a silent table
            self.failure = failure
            self.close()
        finally:
            self._busy = False

    def _perform(self, effects: list[Effect]) -> None:
        assert self.mesh is not None
        for effect in effects:
            match effect:
                case Store(entry):
                    assert self._journal is not None
                    self._journal.append(entry)
                    self.gallery.stored(entry)
                case Remember(seeds):
                    assert self._vault is not None
                    self._vault.remember(seeds)
                case Forget():
                    assert self._vault is not None
                    self._vault.forget()
                case Send(None, frame):
                    for place in self._places:  # and not to whoever watches
                        self.mesh.send(place.key, frame)
                case Send(seat, frame) if seat is not None:
                    self.mesh.send(self._places[seat].key, frame)
                case Tell(event):
                    if isinstance(event, LinkChanged):
                        (self._down.discard if event.up else self._down.add)(event.seat)
                    self.tell(event)
                case Wake(at):
                    self._alarm.set(at)
                case Waste(seat, size):
                    self.mesh.wasted(self._places[seat].key, size)
                case Close():
                    assert self._vault is not None
                    self._vault.set_aside()
                    self.close()

    def _see_leavers(self) -> None:
        """Tell who has got up, also where the table goes on only when somebody else has moved (R56), and no longer try
        to reach them. If it is our own player, that was all there was to do."""
        assert self._node is not None
        assert self.mesh is not None
        leaves = self._node.table.departures.leaves.keys()
        if self.left and self._node.seat in leaves:
            self.close()
        for seat in sorted(leaves - self._risen - {self._node.seat}):
            self._risen.add(seat)
            self.mesh.forget(self._places[seat].key)
            if seat not in self._node.table.departures.gone:
                self.tell(GotUp(seat))

    def close(self) -> None:
        if self._closed.is_set():
            return
        self._finished = trio.current_time()
        self._closed.set()
        self._parting.set()
        if self.mesh is not None:
            for place in self._places:
                self.mesh.drop(place.key)  # now, so that the farewell takes no time of its own
        self.gallery.end(whole=self._node is not None and self._node.table.closed)
        if self._journal is not None:
            self._journal.close()
        self._send_event.close()

    async def _clock(self) -> None:
        while True:
            now = await self._alarm.ring()
            if now >= self._goes_at:
                self.close()
            if now >= self._lost_at + ELSEWHERE:
                self._look_elsewhere()
            self._put_questions()
            self._feed(Tick())

    def _look_elsewhere(self) -> None:
        """End if our links are with another program that has our key: the seat is in its hands (C51, C57). Whoever says
        falsely that it has another link with us reaches no more than by having none."""
        assert self.mesh is not None
        others = {place.key for place in self._places}
        over = self._closed.is_set() or self._node is None or self._node.table.closed
        if over or others.intersection(self.mesh.peers) or not others & self.mesh.replaced:
            return
        self.failure = Refused(
            said("this seat is played by another program with your key"),
            said(
                "go on there, or close it and use `p2puno resume`; if it is not yours, somebody has a copy of your key"
            ),
        )
        assert self._vault is not None
        self._vault.set_aside()
        self.close()

    # -- the mesh's callbacks -----------------------------------------------------------------------------------------

    def _allowed(self, peer: bytes) -> bool:
        if not self._places:
            return self.admits(peer)
        return self._seat_of(peer) is not None or self.gallery.admits(peer)

    def _seat_of(self, peer: bytes) -> int | None:
        return next((seat for seat, place in enumerate(self._places) if place.key == peer), None)

    def _on_frame(self, peer: bytes, frame: bytes) -> None:
        seat = self._seat_of(peer)
        if is_chat(frame) and peer in self.talk.people:
            self.heard_chat(peer, frame)
        elif self._node is None:
            self.on_lobby_frame(peer, frame)
        elif seat is None:
            self.gallery.heard(peer, frame)
        elif is_question(frame):
            self._questions.ask(seat, frame)
            self._put_questions()
        elif self._is_late(seat, frame):
            self.on_lobby_frame(peer, frame)
        else:
            self._feed(Received(seat, frame))

    def _is_late(self, seat: int, frame: bytes) -> bool:
        """Whether a seat that has not agreed yet speaks as in the lobby: it was cut off before it had the charter."""
        table = self._node.table if self._node is not None else None
        if table is None or table.phase is not Phase.AGREE or seat in table.heard:
            return False
        with contextlib.suppress(Malformed):
            return not isinstance(decode_frame(frame), Carry | Heads)
        return False

    def _put_questions(self) -> None:
        """Hand the heads to the node that may be answered now."""
        mesh = self.mesh
        assert mesh is not None
        for seat, frame in self._questions.due(lambda seat: mesh.queued(self._places[seat].key)):
            self._feed(Received(seat, frame))
        if self._questions:
            self._alarm.set(trio.current_time() + LOOK_AGAIN)

    def _on_up(self, peer: bytes) -> None:
        seat = self._seat_of(peer)
        if self._node is not None and seat is not None:
            self._feed(LinkUp(seat))
        elif self._node is not None:
            self.gallery.came(peer)

    def _on_down(self, peer: bytes, reason: str) -> None:
        seat = self._seat_of(peer)
        if self._node is None:
            self.on_lobby_down(peer, reason)
        elif seat is not None:
            self._lost_at = trio.current_time()
            self._alarm.set(self._lost_at + ELSEWHERE)
            self._feed(LinkDown(seat, reason))
        else:
            self.gallery.went(peer)

    def _on_retry(self, peer: bytes, seconds: float, reason: str) -> None:
        seat = self._seat_of(peer)
        if seat is not None:
            self.tell(Redial(seat, seconds, reason))

    def _on_excess(self, peer: bytes | None, reason: str) -> None:
        seat = self._seat_of(peer) if peer else None
        if peer is None:
            self.tell(Notice(reason, said("those who sit here are not affected")))
        elif seat is not None:
            name = self.players[seat].name
            self.tell(
                Notice(
                    said("{name} is cut off for a while: {reason}", name=name, reason=reason),
                    said("ask {name} what its program does", name=name),
                )
            )

    # -- from lobby to table ------------------------------------------------------------------------------------------

    def begin(self, charter: Charter, early: Iterable[tuple[bytes, bytes]] = ()) -> None:
        """Sit down under the charter. `early`: (key, frame) of seats that had done so before us."""
        try:
            self._sit_down(charter)
            for peer, frame in early:
                self._on_frame(peer, frame)
        except Exception as failure:  # such as a journal that cannot be written
            self.failure = failure
            self.close()

    def _sit_down(self, charter: Charter) -> None:
        """Journal, secrets, node, links to all others."""
        node = Node(self.identity, charter)
        self._journal = new_journal(self._journal_dir, charter, node.table.rules.variant, f"seat{node.seat + 1}")
        key = b"" if self.identity.filed else self.identity.private
        host, port = self.listening
        code = self.doorman.code if self.doorman is not None else ""
        seat = key, host, port, self.host_address, self.name, self.bot
        vault = Vault(self._journal.path, Secrets(charter.table, b"", b"", *seat, False, self.note, code))
        vault.store()
        self._enter(node, vault)
        self._perform(node.start(trio.current_time()))
        # All say their first word over the links that there are, and who has not begun yet keeps it. So nobody needs to
        # ask: at ten seats the answers, which cross the words themselves, would be most of what is read until then.
        for peer in self.mesh.peers if self.mesh is not None else ():
            if (linked := self._seat_of(peer)) is not None:
                effects = node.handle(LinkUp(linked), trio.current_time())
                self._perform([one for one in effects if not (isinstance(one, Send) and is_question(one.frame))])

    def take_up(self, journal: Journal, vault: Vault, node: Node, entries: Sequence[bytes]) -> None:
        """Go on at a table, with a node that has recalled the entries of its journal."""
        self._journal = journal
        self._enter(node, vault, entries, back=True)
        self._perform(node.rejoin(trio.current_time()))
        for peer in self.mesh.peers if self.mesh is not None else ():
            self._on_up(peer)

    def _enter(self, node: Node, vault: Vault, entries: Sequence[bytes] = (), back: bool = False) -> None:
        assert self.mesh is not None
        assert self._journal is not None
        self._vault = vault
        self._sit_with(node)
        self.rules = node.table.rules
        self.journal = self._journal.path
        self.enter_table(node.table.id)
        for peer in self.mesh.peers:
            if self._seat_of(peer) is None:
                self.mesh.drop(peer, said("the table has begun"))
        if self.rules.watchers and self.doorman is not None:
            self.gallery.open(self.mesh, self.doorman, node.table.charter, node.chains, entries)
        own, creator = interfaces(), self.host_address or "localhost"  # no host: we are the creator
        for seat, place in enumerate(self._places):
            if seat != node.seat:
                # The later seat dials the earlier one, so each pair has one that is in charge of the link. Who comes
                # back dials all: others may wait before they try again, and perhaps another program has our port now.
                patience = 0.0 if back or seat < node.seat else PATIENCE
                self.mesh.keep(place.key, addresses_of(place, creator, own), patience, mutual=back)
        self._down = {seat for seat in range(len(self._places)) if seat != node.seat}
        self._see_leavers()


def mesh_of(session: Session) -> AbstractAsyncContextManager[Mesh]:
    """The mesh whose callbacks are the session's."""
    return open_mesh(
        session.identity,
        on_frame=session._on_frame,
        on_up=session._on_up,
        on_down=session._on_down,
        on_retry=session._on_retry,
        on_excess=session._on_excess,
        allowed=session._allowed,
    )


@asynccontextmanager
async def running(session: Session) -> AsyncIterator[None]:
    """The session's background work around the body; afterwards a fault of ours comes out."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(session._clock)
        nursery.start_soon(session.gallery.serve)
        try:
            yield
        finally:
            session.close()
            session.gallery.finish()
            nursery.cancel_scope.cancel()
    if session.failure is not None:
        raise session.failure
