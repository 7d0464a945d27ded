"""A cheating program: an honest node of which one contribution is replaced. It signs with its real key, so that only
what it says is wrong."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import replace

from p2puno.bots import sensible
from p2puno.rules import Rules
from protocol import events as tell
from protocol.chains import Equivocation
from protocol.deck import Held
from protocol.errors import CheatProven
from protocol.group import Q, group
from protocol.keeper import Keeper
from protocol.messages import ENTRY_DOMAIN, Body, Carry, Signed, encode, sign_entry
from protocol.node import LINGER, Node
from protocol.offences import Cheat
from protocol.payloads import Payload
from protocol.proofs import handover
from protocol.proofs.encoding import Card, some
from protocol.proofs.handover import HandoverProof, Kind
from protocol.signals import Close, Effect, Send
from protocol.step import Step
from protocol.verdict import Verdict
from tests.protocol.readings import audit
from tests.protocol.simulator import Simulation

CHEAT = 1
"""The seat that cheats."""
RULES = Rules.make("batman", hand_size=5)

StepKind = TypeVar("StepKind", bound=Step)
Sent: TypeAlias = Sequence[tuple[int | None, bytes]]
"""Entries to sign off with: (to whom, None: all; bytes)."""
Trick: TypeAlias = Callable[["Cheater", Body], Payload | Body | Sent | None]
"""What a cheating program makes of the contribution that it is about to sign: another payload, another body, entries
to send instead of it (after which it is silent), or None to go on honestly for now."""
Intrusion: TypeAlias = Callable[["Cheater"], Payload | None]
"""What it says although nothing is asked of it."""


class Cheater(Node):
    """A node that plays honestly until its trick can be done, once."""

    trick: Trick = staticmethod(lambda node, body: None)
    intrusion: Intrusion = staticmethod(lambda node: None)
    lets_others_first: type[Step] | None = None  # in such steps it speaks last
    goes_on = False  # after its intrusion it plays as if nothing had been
    lingers = LINGER  # seconds for which it keeps its links when it is done
    cheated_at = -1

    @property
    def keeper(self) -> Keeper:
        """Its secrets."""
        assert self._keeper is not None
        return self._keeper

    def body(self, payload: Payload) -> Body:
        """What it would sign now."""
        table, head = self.table, self._chains.head(self.seat)
        return Body(table.id, self.seat, head.seq, head.hash, table.row, table.state(), table.number, payload)

    def sign(self, body: Body) -> bytes:
        """An entry of its own."""
        return sign_entry(self._identity, body).raw

    def sign_raw(self, body: bytes) -> bytes:
        """An entry of its own that says any bytes."""
        return encode(Signed(self._identity.public, body, self._identity.sign(ENTRY_DOMAIN + body)))

    def _contribute(self, payload: Payload, now: float) -> None:
        body = self.body(payload)
        result = None if self.cheated_at >= 0 else self.trick(self, body)
        if result is None:
            super()._contribute(payload, now)
            return
        self.cheated_at = body.step
        if isinstance(result, Body):
            self._publish([(None, self.sign(result))], now)
        elif isinstance(result, Sequence):
            self._publish(result, now)
        else:
            super()._contribute(result, now)

    def heard_from(self, seat: int) -> Payload:
        """What another seat said last."""
        return self._chains._entries[seat][-1].body.payload

    def _go_on(self, now: float) -> list[Effect]:
        if self.cheated_at < 0 and self._keeper is not None and not self._over and self.seat not in self.table.waiting:
            payload = self.intrusion(self)
            if payload is not None:
                self.cheated_at = self.table.number
                if self.goes_on:
                    super()._contribute(payload, now)
                else:
                    self._publish([(None, self.sign(self.body(payload)))], now)
        return super()._go_on(now)

    def _automatic(self, now: float) -> Payload | None:
        step = self.table.step
        last = len(self.table.heard) == len(step.authors) - 1
        if self.lets_others_first and isinstance(step, self.lets_others_first) and not last:
            return None
        return super()._automatic(now)

    def _may_close(self, now: float) -> bool:
        return now >= self._closed_at + self.lingers

    def _publish(self, entries: Sent, now: float) -> None:
        """Send these entries, say nothing more, and be gone when they have arrived."""
        for to, raw in entries:
            self._effects.append(Send(to, encode(Carry(raw))))
        self._over = True
        self._closed_at = now
        if self.lingers < math.inf:
            self._wake(now + self.lingers)


class Innocent(Cheater):
    """The cheat's own node has no view on its own entry: it goes on as if it was good."""

    def _accuse(self, cheat: Cheat, now: float) -> None:
        self._effects.append(Close())
        self._over = True


def trick_on(kind: type[StepKind], make: Callable[[Cheater, StepKind, Any], Any]) -> Trick:
    """A trick in steps of one kind: make(node, step, honest payload)."""

    def trick(node: Cheater, body: Body) -> Any:
        step = node.table.step
        return make(node, step, body.payload) if isinstance(step, kind) else None

    return trick


def cheater(
    trick: Trick | None = None,
    intrusion: Intrusion | None = None,
    lets_others_first: type[Step] | None = None,
    goes_on: bool = False,
    lingers: float = LINGER,
) -> type[Cheater]:
    """A program with this trick."""
    members: dict[str, Any] = {"lets_others_first": lets_others_first, "goes_on": goes_on, "lingers": lingers}
    if trick is not None:
        members["trick"] = staticmethod(trick)
    if intrusion is not None:
        members["intrusion"] = staticmethod(intrusion)
    return type("Program", (Innocent,), members)


_seeds: dict[str, int] = {}  # by occasion: the first seed that offers it


def play(
    program: type[Cheater],
    seeds: Iterable[int] = range(60),
    bot: str = "random",
    players: int = 3,
    occasion: str = "",
    **more: Any,
) -> Simulation:
    """A table with this program at seat `CHEAT`, of the first seed at which it finds an occasion to cheat. Tricks that
    need the same `occasion` are done at the same table."""
    if occasion in _seeds:
        seeds = [_seeds[occasion]]
    elif bot == "daring":
        seeds = range(4, 60)  # before, no Wild Draw Four comes soon
    for seed in seeds:
        more = {"rules": RULES, "bot_options": {"forgets": True} if bot == "random" else None, **more}
        table = Simulation(seed, players, bot=bot, nodes={CHEAT: program}, **more)
        table.start()
        node = table.peers[CHEAT].node
        assert isinstance(node, Cheater)
        patience = 15 if bot == "daring" else 1000
        table.run_until(lambda: node.cheated_at >= 0 or table.peers[0].closed or node.turns > patience)  # noqa: B023
        if node.cheated_at >= 0:
            if occasion:
                _seeds[occasion] = seed
            finish(table)
            return table
    raise AssertionError("there was no occasion to cheat")


def finish(table: Simulation, limit: float = 2000.0) -> None:
    """Play on until every honest seat is done, without detours."""
    for seat, peer in enumerate(table.peers):
        peer.bot = sensible(random.Random(seat))
    honest = [peer for seat, peer in enumerate(table.peers) if seat != CHEAT]
    table.run_until(lambda: all(peer.closed for peer in honest), table.now + limit)


def together(table: Simulation, folder: Path, honest: Iterable[int]) -> list[Verdict]:
    """All honest seats end the match with one state; a stranger reads the same from every journal of theirs. Returns
    what the journals say."""
    seats = list(honest)
    first = table.peers[seats[0]]
    (over,) = first.heard(tell.MatchOver)
    verdicts = []
    for seat in seats:
        peer = table.peers[seat]
        assert peer.heard(tell.MatchOver) == [over]
        assert not peer.heard(tell.Abandoned)
        assert peer.node.table.state() == first.node.table.state()
        assert peer.node.table.row == first.node.table.row
        verdict = audit(table.write(seat, folder / f"{seat}.p2puno"))
        assert verdict.state_hash == first.node.table.state().hex()
        assert (verdict.winner, verdict.scores) == (over.winner, over.scores)
        verdicts.append(verdict)
    return verdicts


def convicted(
    table: Simulation, folder: Path, reason: str, step: int | None = None, cheat: int = CHEAT, stops: bool = False
) -> Verdict:
    """Every honest seat names the cheat, nobody else, at the step; a stranger with any of their journals agrees. They
    end the match without it, or where nobody can go on (`stops`) the table ends there."""
    node = table.peers[cheat].node
    if step is None:
        assert isinstance(node, Cheater)
        step = node.cheated_at
    honest = [seat for seat in range(len(table.peers)) if seat != cheat]
    folder.mkdir(exist_ok=True)
    for seat in honest:
        (accused,) = table.peers[seat].heard(tell.Accused)
        assert (accused.seat, accused.step) == (cheat, step)
        assert reason in accused.reason
    if stops:
        assert all(table.peers[seat].heard(tell.Abandoned) for seat in honest)
        assert not any(table.peers[seat].heard(tell.MatchOver) for seat in honest)
        verdicts = [audit(table.write(seat, folder / f"{seat}.p2puno")) for seat in honest]
    else:
        verdicts = together(table, folder, honest)
    for verdict in verdicts:
        assert verdict.exit_code == CheatProven.exit_code
        assert verdict.blame == cheat
        assert {(offence.seat, offence.step) for offence in verdict.offences} == {(cheat, step)}
        assert reason in verdict.problem
        assert f"step {step}" in verdict.where
    return verdicts[0]


def only_absent(table: Simulation, folder: Path, absent: tuple[int, ...] = (CHEAT,)) -> Verdict:
    """Nobody is blamed, by anybody or in any journal; the honest seats end the match, `absent` missed something."""
    honest = [seat for seat in range(len(table.peers)) if seat != CHEAT]
    nobody_accused(table)
    folder.mkdir(exist_ok=True)
    verdicts = together(table, folder, honest)
    for verdict in verdicts:
        assert (verdict.exit_code, verdict.problem, verdict.offences) == (0, "", [])
        assert verdict.absences == absent
    return verdicts[0]


def nobody_accused(table: Simulation) -> None:
    """No seat is called a cheat."""
    for peer in table.peers:
        assert not peer.heard(tell.Accused)


def flipped(data: bytes, at: int = -1) -> bytes:
    """The same bytes with one changed."""
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)


__all__ = [
    "CHEAT",
    "RULES",
    "Cheater",
    "Equivocation",
    "cheater",
    "convicted",
    "finish",
    "flipped",
    "nobody_accused",
    "only_absent",
    "play",
    "replace",
    "together",
    "trick_on",
]


def oracle(node: Cheater, kind: Kind, slot: int, receiver: int) -> tuple[Card, bytes]:
    """C54: the card of a slot of ours for a receiver, with the first half of another card that the receiver holds:
    whoever opens the one would open the other. All equations of the proof hold but the one about r."""
    cards, keeper = node.table.cards, node.keeper
    assert cards is not None
    victim = next(form for form in cards.forms if isinstance(form, Held) and form.seat == receiver)
    held, key = cards.held(node.seat, slot), cards.key(receiver)
    face = group.sub(held[1], group.mul(held[0], keeper._x))
    new = victim.a, some(group.add(face, group.mul(key, 77)))
    transcript = handover._statement(node.table.context(node.seat, f"{kind} {slot}"), kind, keeper._key, held, key)
    transcript.put_points("new", *new)
    third = some(group.sub(group.mul(held[0], 11), group.mul(key, 22)))
    points = group.mulg(11), group.mulg(22), third
    c = handover._challenge(transcript, *points)
    return new, HandoverProof(*points, (11 + c * keeper._x) % Q, (22 + c * 77) % Q).to_bytes()
