"""A seat tells one part of the table one thing and the rest another (C18, C25): the others find out, agree on which of
the two stands, and whoever had built on the other one goes back; the table ends."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from p2puno.view import legal
from protocol.messages import Body
from protocol.moving import DecideStep
from protocol.payloads import Commit, Payload, Shuffling
from protocol.quorum import NEITHER
from protocol.step import Step
from protocol.steps import CommitStep, OpenStep, RevealStep, ShuffleStep
from tests.protocol.cheats import CHEAT, Cheater, cheater, convicted, play, replace


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
