"""A seat tells one part of the table one thing and the rest another (C18, C25): the others find out, agree on which of
the two stands, and whoever had built on the other one goes back; the table ends."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from p2puno.rules import Rules
from p2puno.view import legal
from protocol import events as tell
from protocol.messages import Body, Carry, encode, entry_hash, open_entry, sign_entry
from protocol.moving import DecideStep
from protocol.payloads import Choose, Commit, Leave, Payload, Reveal, Shuffling
from protocol.quorum import NEITHER
from protocol.signals import Effect, Received, Store
from protocol.step import Step
from protocol.steps import CommitStep, OpenStep, RevealStep, ShuffleStep
from tests.protocol.cheats import CHEAT, Cheater, cheater, convicted, finish, play, replace, together
from tests.protocol.readings import audit
from tests.protocol.simulator import Simulation
from tests.storm.villains import TwoFaced


def two_moves(node: Cheater, body: Body) -> tuple[Payload, Payload] | None:
    """Two moves that are both legal, in mid-hand."""
    seen = node.view()
    if not isinstance(node.table.step, DecideStep) or node.turns < 4 or seen is None:
        return None
    moves = legal(seen)
    return (node.keeper.move(moves[0]), node.keeper.move(moves[-1])) if len(moves) > 1 else None


def two_shuffles(node: Cheater, body: Body) -> tuple[Payload, Payload] | None:
    """Two good shuffles of one pile: each keeps all cards, together they would be two decks."""
    step = node.table.step
    if not isinstance(step, ShuffleStep):
        return None
    context = node.table.context(node.seat, step.turns[node.seat][0].name)
    other = type(node.keeper)(node.table, node.seat, bytes(64))
    piles = (other._reorder(context, step.cards.joint, pile.deck) for pile in step.turns[node.seat])
    return body.payload, Shuffling(tuple(piles))


def two_commits(node: Cheater, body: Body) -> tuple[Payload, Payload] | None:
    """Two commitments, of which it opens none."""
    payload = body.payload
    return (payload, replace(payload, hash=bytes(32))) if isinstance(payload, Commit) else None


def program(pair: Any, one_side: set[int], players: int) -> type[Cheater]:
    """Says the first thing to some seats and the second to all others."""

    def trick(node: Cheater, body: Body) -> Any:
        told = pair(node, body)
        if told is None:
            return None
        first, second = (node.sign(replace(body, payload=payload)) for payload in told)
        others = [seat for seat in range(players) if seat != CHEAT]
        return [(seat, first if seat in one_side else second) for seat in others]

    return cheater(trick)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("pair", [two_moves, two_shuffles, two_commits])
def test_c25_the_others_agree_on_one_of_two_stories(pair: Any, players: int, tmp_path: Path) -> None:
    dice = random.Random(players)
    others = [seat for seat in range(players) if seat != CHEAT]
    side = set(dice.sample(others, dice.randrange(1, players - 1)))
    table = play(program(pair, side, players), players=players)
    convicted(table, tmp_path, "signed two different entries")
    node = table.peers[CHEAT].node
    assert isinstance(node, Cheater)
    place = CHEAT, node.cheated_at
    words = [table.peers[seat].node.table.absence.standing(*place) for seat in others]
    assert all(word == words[0] for word in words)
    assert len(set(words[0].values()) - {NEITHER}) == 2, "they had really built on different entries"
    assert len({table.peers[seat].node.table.used(*place) for seat in others}) == 1


@pytest.mark.parametrize("lower", [False, True])
def test_c25_what_proves_nothing_does_not_stand(lower: bool, tmp_path: Path) -> None:
    """While seat 3 draws, seat 0 is told a share with a wrong proof, which it does not verify before it has that of
    seat 2, to which it has no link; the others come to know a good one. Whichever has the lower hash: seat 0 does not
    say to have built on the wrong one, which might then be chosen."""

    def trick(node: Cheater, body: Body) -> Any:
        step = node.table.step
        if not isinstance(step, OpenStep) or set(step.authors) != {0, CHEAT, 2}:
            return None
        good, proof = node.sign(body), body.payload.proof
        for last in range(256):
            wrong = node.sign(replace(body, payload=replace(body.payload, proof=proof[:-1] + bytes([last]))))
            if last != proof[-1] and (entry_hash(wrong) < entry_hash(good)) == lower:
                return [(0, wrong), (3, good)]
        return None

    table = play(cheater(trick), players=4, unlinked=frozenset({(0, 2)}))
    convicted(table, tmp_path, "signed two different entries")
    node = table.peers[CHEAT].node
    assert isinstance(node, Cheater)
    words = table.peers[0].node.table.absence.standing(CHEAT, node.cheated_at)
    assert words[0] == NEITHER
    assert words[2] == words[3] != NEITHER


def test_c25_of_two_reveals_the_good_one_is_no_copy_of_the_other(tmp_path: Path) -> None:
    """Both open the commitment, so they have one key; the one that seats 0 and 2 are told has a wrong proof. They go on
    with the other one, which seat 3 has built on: they had taken it for a copy, and seat 3 had stayed alone."""

    def trick(node: Cheater, body: Body) -> Any:
        if not isinstance(body.payload, Reveal):
            return None
        good, bad = node.sign(body), node.sign(replace(body, payload=replace(body.payload, proof=bytes(65))))
        return [(0, bad), (2, bad), (3, good)]

    table = play(cheater(trick), players=4)
    for seat in (0, 2, 3):
        assert {accused.seat for accused in table.peers[seat].heard(tell.Accused)} == {CHEAT}
        assert table.peers[seat].node.table.absence.since.keys() <= {CHEAT}
    for verdict in together(table, tmp_path, (0, 2, 3)):
        assert verdict.blame == CHEAT


def test_c25_the_one_that_stands_comes_after_the_word_of_all(tmp_path: Path) -> None:
    """Seat 0 is told good shares, the others none. Seat 2 loses its links and hears from seat 0 what it missed, by step
    and author: how all have voted before the answer of seat 3 that has the most votes. It had waited for ever."""
    last = 3

    def trick(node: Cheater, body: Body) -> Any:
        step = node.table.step
        if not isinstance(step, OpenStep) or last not in step.authors or node.turns < 1:
            return None
        bad = node.sign(replace(body, payload=replace(body.payload, shares=b"")))
        return [(0, node.sign(body)), (1, bad), (2, bad)]

    table = Simulation(0, 4, nodes={last: cheater(trick)})
    nodes = [peer.node for peer in table.peers]
    table.start()
    table.run_until(lambda: last in nodes[2].table.convicted)
    place = last, nodes[2].table.convicted[last].step
    table.cut(0, 2)
    table.cut(1, 2)
    table.run_until(lambda: {0, 1} <= nodes[0].table.absence.standing(*place).keys())
    table.link(0, 2)
    table.run_until(lambda: all(table.peers[seat].closed for seat in range(last)))
    assert len({node.table.used(*place) for node in nodes[:last]}) == 1
    for seat in range(last):
        assert {accused.seat for accused in table.peers[seat].heard(tell.Accused)} == {last}
    for verdict in together(table, tmp_path, range(last)):
        assert verdict.blame == last


def test_c25_what_shows_a_cheat_reaches_whoever_had_no_link(tmp_path: Path) -> None:
    """Seats 2 and 3 are told something in the name of seat 0, which they pass on when seat 0 has no link with them.
    It is in no chain, so seat 0 would never ask for it, and would not know why they remove somebody."""

    def trick(node: Cheater, body: Body) -> Any:
        if not isinstance(node.table.step, DecideStep) or node.turns < 2:
            return None
        forged = node.sign(replace(body, seat=0))
        return [(2, forged), (3, forged)]

    table = Simulation(0, 4, nodes={CHEAT: cheater(trick)})
    nodes = [peer.node for peer in table.peers]
    cheat = nodes[CHEAT]
    assert isinstance(cheat, Cheater)
    table.start()
    table.run_until(lambda: cheat.cheated_at >= 0)
    table.cut(0, 2)
    table.cut(0, 3)
    table.run_until(lambda: all(CHEAT in nodes[seat].table.convicted for seat in (2, 3)))
    table.link(0, 2)
    table.link(0, 3)
    finish(table)
    convicted(table, tmp_path, "signed for another seat")


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 3, 2, 1), (0, 2, 3, 1)])
def test_c41_who_heard_that_it_leaves_hears_of_all_that_it_did_instead(order: tuple[int, ...]) -> None:
    """Whatever of it comes first: every answer of the other story is in dispute, also the third, which follows none
    that fits the chain."""
    table = Simulation(0, 4)
    table.start()
    node = table.peers[3].node
    table.run_until(lambda: node.turns >= 2)
    last = node.chains.all()[-1].body
    head, identity = node.chains.head(CHEAT), table.identities[CHEAT]
    body = replace(last, seat=CHEAT, seq=head.seq, prev=head.hash, step=node.table.number, payload=Choose("draw"))
    said = [sign_entry(identity, replace(body, payload=Leave((), b"", b"", ()))), sign_entry(identity, body)]
    for _ in range(2):
        before = said[-1]
        following = replace(before.body, seq=before.body.seq + 1, prev=before.hash, step=before.body.step + 1)
        said.append(sign_entry(identity, following))
    for number in order:
        node.handle(Received(CHEAT, encode(Carry(said[number].raw))), table.now)
    assert {(CHEAT, entry.body.step) for entry in said} <= node.table.disputed


def test_c25_killed_before_it_has_said_which_one_stands(tmp_path: Path) -> None:
    """Seat 2 has the good one of two answers, has gone on and has said so. It is killed when it has stored the other
    one, too, and starts again: it still knows on which it had built, and does not call the cheat absent."""

    def trick(node: Cheater, body: Body) -> Any:
        step = node.table.step
        if not isinstance(step, OpenStep) or CHEAT not in step.authors or node.turns < 1:
            return None
        bad = node.sign(replace(body, payload=replace(body.payload, proof=bytes(len(body.payload.proof)))))
        return [(0, bad), (2, node.sign(body)), (3, bad)]

    class Killing(Simulation):
        killed = False

        def perform(self, seat: int, effects: list[Effect]) -> None:
            for effect in effects:
                if self.peers[seat].dead:
                    return
                super().perform(seat, [effect])
                if seat == 2 and not self.killed and isinstance(effect, Store) and self._twice():
                    self.killed = True
                    self.crash(2)
                    self.at(self.now + 1.0, lambda: self.restart(2))

        def _twice(self) -> bool:
            """Whether two entries of the cheat with one number are in the journal of seat 2."""
            entries = {raw: open_entry(raw).body for raw in self.peers[2].journal}
            numbers = [body.seq for body in entries.values() if body.seat == CHEAT]
            return len(numbers) > len(set(numbers))

    table = Killing(0, 4, nodes={CHEAT: cheater(trick)})
    table.start()
    finish(table)
    assert table.killed
    for seat in (0, 2, 3):
        assert {accused.seat for accused in table.peers[seat].heard(tell.Accused)} <= {CHEAT}
    for verdict in together(table, tmp_path, (0, 2, 3)):
        assert verdict.blame == CHEAT


def test_c56_what_all_others_have_built_on_is_not_opened_again(tmp_path: Path) -> None:
    """The second story comes when the first has long been used: it is evidence and nothing else."""

    class Late(cheater()):  # type: ignore[misc]
        other = b""
        told_at = -1
        cheated_at = -1

        def _contribute(self, payload: Any, now: float) -> None:
            told = two_moves(self, self.body(payload))
            if told is not None and not self.other and payload in told:
                self.other = self.sign(replace(self.body(payload), payload=told[told[0] == payload]))
                self.told_at = self.table.number
            elif self.other and self.cheated_at < 0 and self.table.number > self.told_at + 6:
                self.cheated_at = self.told_at
                self._publish([(None, self.other)], now)
                return
            super()._contribute(payload, now)

    table = play(Late, players=3)
    convicted(table, tmp_path, "signed two different entries")
    node = table.peers[CHEAT].node
    assert isinstance(node, Late)
    for seat in (0, 2):
        said = table.peers[seat].node.table.absence.standing(CHEAT, node.told_at)
        assert len(said) == 2
        assert len(set(said.values())) == 1


Signed: TypeAlias = tuple[Body, Body]


def leave_and_answer(kind: type[Step]) -> Callable[[Cheater, Body], Signed | None]:
    """A leave, and what it owes to a step of this kind."""

    def pair(node: Cheater, body: Body) -> Signed | None:
        leaves = isinstance(node.table.step, kind) and node._keeper is not None
        return (replace(body, payload=node.keeper.leave()), body) if leaves else None

    return pair


def two_leaves(node: Cheater, body: Body) -> Signed | None:
    """Two leaves that are both good: the proofs of the shares differ."""
    if not isinstance(node.table.step, DecideStep) or node.turns < 4:
        return None
    first = node.keeper.leave()
    node.keeper._nonces = type(node.keeper)(node.table, node.seat, bytes(64))._nonces
    return replace(body, payload=first), replace(body, payload=node.keeper.leave())


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("kind", [DecideStep, OpenStep, CommitStep, RevealStep, None])
def test_c41_the_others_agree_whether_it_left(
    kind: type[Step] | None, turned: bool, players: int, tmp_path: Path
) -> None:
    """It tells some that it leaves, and others its contribution or another leave: the clerk's word decides."""
    pair = leave_and_answer(kind) if kind else two_leaves
    dice = random.Random(players)
    others = [seat for seat in range(players) if seat != CHEAT]
    side = set(dice.sample(others, dice.randrange(1, players - 1)))

    def trick(node: Cheater, body: Body) -> Any:
        told = pair(node, body)
        if told is None:
            return None
        first, second = (node.sign(each) for each in (reversed(told) if turned else told))
        return [(seat, first if seat in side else second) for seat in others]

    table = play(cheater(trick), players=players)
    convicted(table, tmp_path, "signed two different entries")


def two_faced(form: str, starts: int, dice: random.Random) -> type[TwoFaced]:
    """A seat that tells two stories of its first contribution from that step on."""
    return type("Program", (TwoFaced,), {"dice": dice, "starts": starts, "form": form})


@pytest.mark.parametrize("side", range(4))
def test_c41_what_follows_only_one_of_two_stories_is_voted_on_by_all(side: int, tmp_path: Path) -> None:
    """It leaves for some, and plays on with the others: to those nothing of it is in doubt, until one asks. From the
    first shares on it owes something in two steps that follow one another."""
    table = play(two_faced("leave for some, and plays on", 7, random.Random(side)), players=3)
    for seat in (0, 2):
        assert {accused.seat for accused in table.peers[seat].heard(tell.Accused)} == {CHEAT}
        assert table.peers[seat].heard(tell.MatchOver)
        assert audit(table.write(seat, tmp_path / f"{seat}.p2puno")).blame == CHEAT
    assert len({table.peers[seat].node.table.state() for seat in (0, 2)}) == 1


def test_c41_two_stories_of_the_last_step(tmp_path: Path) -> None:
    """Who has ended the table by one of them still says so to who has not; a stranger reads both journals alike."""
    rules = Rules.make("batman", hand_size=5)
    for seed in range(40):
        honest = Simulation(seed, 3, rules)
        honest.start()
        honest.run_until(lambda: all(peer.closed for peer in honest.peers))  # noqa: B023
        ended = honest.peers[0].node
        last = ended.table.number - 1
        if ended.chains.answer(CHEAT, last, ended.table.rows[last]):
            break
    else:
        raise AssertionError("no hand ended with a contribution of its")

    def trick(node: Cheater, body: Body) -> Any:
        if body.step < last:
            return None
        return [(0, node.sign(body)), (2, node.sign(replace(body, payload=node.keeper.leave())))]

    table = Simulation(seed, 3, rules, nodes={CHEAT: cheater(trick)})
    table.start()
    table.run_until(lambda: all(table.peers[seat].closed for seat in (0, 2)))
    states = {audit(table.write(seat, tmp_path / f"{seat}.p2puno")).state_hash for seat in (0, 2)}
    assert states == {table.peers[seat].node.table.state().hex() for seat in (0, 2)}
    assert len(states) == 1
    assert all(table.peers[seat].heard(tell.MatchOver) for seat in (0, 2))
