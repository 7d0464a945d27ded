"""Getting up from a table: the others go on with the same hidden cards (R56; docs/wire.md), two seats forfeit (C55)."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from p2puno.bots import sensible
from p2puno.happenings import What
from p2puno.rules import Rules
from protocol import events as tell
from protocol.deck import Cards, Held
from protocol.messages import Body
from protocol.payloads import Choose, Helping, Leave, Shares
from protocol.proofs.dleq import prove_shares, shares_bytes
from protocol.steps import ShuffleStep
from protocol.verdict import Verdict
from tests.protocol.cheats import CHEAT, Cheater, cheater, convicted, flipped, play, replace
from tests.protocol.readings import audit
from tests.protocol.simulator import Simulation

HEROES = ("aquaman", "green_lantern", "superman", "wonder_woman")
STAGES = ("agreement", "commit", "reveal", "shuffle", "shares", "move", "mixing hands")


def hand(cards: Cards | None, seat: int) -> list[int]:
    """The slots that a seat holds."""
    assert cards is not None
    return [slot for slot, form in enumerate(cards.forms) if isinstance(form, Held) and form.seat == seat]


def ended(table: Simulation, leavers: set[int], folder: Path) -> Verdict:
    """Run to the end; all who stay must agree with each other and with the audit of every journal of theirs."""
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    stay = [seat for seat in range(len(table.peers)) if seat not in leavers]
    verdicts = []
    for seat in stay:
        peer = table.peers[seat]
        assert not peer.heard(tell.Accused)
        verdict = audit(table.write(seat, folder / f"{seat}.p2puno"))
        verdicts.append(verdict)
        assert verdict.state_hash == peer.node.table.state().hex()
        assert [over.winner for over in peer.heard(tell.MatchOver)] == [verdict.winner] * (verdict.exit_code == 0)
    assert len({verdict.state_hash for verdict in verdicts}) == 1
    assert all(verdict.winner not in leavers for verdict in verdicts)
    return verdicts[0]


@pytest.mark.parametrize(("stage", "leaver"), [(stage, 2 * (at % 2)) for at, stage in enumerate(STAGES)])
def test_r56_the_others_go_on(stage: str, leaver: int, tmp_path: Path) -> None:
    """In whatever step somebody gets up; only before the agreement is signed by all is there no table to go on."""
    hands = 2 if stage == "move" else 1
    table = Simulation(3, 4, Rules.make("batman", hand_size=5, hands=hands))
    table.start()
    table.run_until(lambda: table.peers[leaver].node.table.step.what == stage)
    table.rise(leaver)
    verdict = ended(table, {leaver}, tmp_path)
    if stage == "agreement" and verdict.exit_code == 5:
        assert "left" in verdict.problem
        return
    assert verdict.exit_code == 0
    assert len(verdict.hands) == hands
    assert verdict.scores[leaver] == 0


def test_r56_the_hand_set_aside_is_counted(tmp_path: Path) -> None:
    """A leaver in mid-hand is told to all, keeps nobody waiting, and its cards count for the winner."""
    table = Simulation(5, 3)
    table.start()
    table.run_until(lambda: table.peers[0].node.turns >= 4)
    table.rise(1)
    verdict = ended(table, {1}, tmp_path)
    told = [happening.what for event in table.peers[0].heard(tell.Happened) for happening in event.happenings]
    assert told.count(What.LEFT) == 1
    assert verdict.hands[0].left[1], "the hand of the one who left was opened"
    worth = {kind.id: kind.points for kind in table.peers[0].node.table.rules.kinds}
    assert verdict.hands[0].points == sum(worth[card] for hand in verdict.hands[0].left for card in hand)


def test_r56_while_the_card_that_it_took_is_shown_to_all(tmp_path: Path) -> None:
    """With `force_play` the card taken is opened to all, and goes into the hand if it does not fit: not into that of
    somebody who has left in that very step, who has no key any more."""

    drew: list[int] = []  # the steps in which it drew a card

    def leaves(node: Cheater, body: Body) -> Any:
        if body.payload == Choose("draw"):
            drew.append(body.step)
        shown = isinstance(body.payload, Shares) and body.step - 1 in drew
        return [(None, node.sign(node.body(node.keeper.leave())))] if shown else None

    table = play(cheater(leaves), rules=Rules.make("batman", force_play=True, hand_size=5))
    verdict = ended(table, {CHEAT}, tmp_path)
    assert (verdict.exit_code, [gone.seat for gone in verdict.departures]) == (0, [CHEAT])


def test_c55_of_two_the_one_who_leaves_forfeits_the_match(tmp_path: Path) -> None:
    table = Simulation(7, 2, Rules.make("batman", score_target=500))
    table.start()
    table.run_until(lambda: table.peers[0].node.turns >= 3)
    table.rise(0)
    verdict = ended(table, {0}, tmp_path)
    assert (verdict.exit_code, verdict.winner, verdict.hands[-1].ending) == (0, 1, "forfeit")


def test_r56_two_may_leave_at_once(tmp_path: Path) -> None:
    for seed in range(2):
        table = Simulation(seed, 5, Rules.make("batman", hand_size=5))
        table.start()
        table.run_until(lambda table=table: table.peers[4].node.turns >= 2 + seed)  # noqa: B023
        table.rise(0)
        table.rise(3)
        folder = tmp_path / str(seed)
        folder.mkdir()
        assert ended(table, {0, 3}, folder).exit_code == 0


def test_r49_the_hand_of_a_hero_who_leaves_stays_unseen(tmp_path: Path) -> None:
    table = Simulation(2, 4, Rules.make("dc", heroes=HEROES))
    table.start()
    table.run_until(lambda: table.peers[0].node.turns >= 5)
    hidden = hand(table.peers[2].node.table.cards, 2)
    table.rise(2)
    assert ended(table, {2}, tmp_path).exit_code == 0
    (leave,) = [leave for seat, (_, leave) in table.peers[0].node.table.departures.leaves.items() if seat == 2]
    cards = table.peers[0].node.table.cards
    assert cards is not None
    assert hidden
    assert not set(hand(cards, 2)) & set(leave.slots), "no share of a card in its hand was given"


def test_r49_there_may_be_nothing_to_give(tmp_path: Path) -> None:
    """All cards are in hands that stay unseen, or lie open: a leave without shares, also for somebody absent."""
    table = Simulation(3, 3, Rules.make("dc", heroes=("aquaman", "superman", "wonder_woman")), bot="random")
    table.start()
    node = table.peers[1].node
    table.run_until(lambda: node.my_turn and node.table.dealt and not node.table.departures.slots(1))
    assert node._keeper is not None
    node.table.absence.since[2] = node.table.number
    assert node._keeper.leave() == Leave((), b"", b"", (Helping(2, (), b"", b""),))
    del node.table.absence.since[2]
    table.rise(1)
    assert ended(table, {1}, tmp_path).exit_code == 0


def test_nobody_leaves_in_the_middle_of_a_shuffle(tmp_path: Path) -> None:
    """The shares of a pile in turn are not settled: the node waits for a better moment, and leaves then."""
    table = Simulation(9, 10, Rules.make("batman", hand_size=9))
    table.start()
    node = table.peers[1].node
    table.run_until(lambda: node.table.dealt and isinstance(node.table.step, ShuffleStep))
    table.rise(1)
    for peer in table.peers:
        peer.bot = sensible(random.Random(1))  # enough wandering: the rest may be short
    assert not table.peers[1].heard(tell.Abandoned)
    assert ended(table, {1}, tmp_path).exit_code == 0


def leaving_with(change: Any) -> Any:
    """A program whose leave is changed before it is signed."""

    def trick(node: Any, body: Any) -> Any:
        return change(body.payload) if isinstance(body.payload, Leave) and body.payload.slots else None

    return cheater(trick)


@pytest.mark.parametrize(
    "change",
    [
        lambda leave: replace(leave, slots=leave.slots[1:], shares=leave.shares[33:]),
        lambda leave: replace(leave, slots=(), shares=b"", proof=b""),
        lambda leave: replace(leave, shares=leave.shares[33:66] + leave.shares[33:]),
        lambda leave: replace(leave, proof=flipped(leave.proof)),
        lambda leave: replace(leave, slots=(leave.slots[1], *leave.slots[1:])),
    ],
    ids=["one slot short", "nothing given", "wrong share", "wrong proof", "a slot twice"],
)
def test_c41_wrong_shares_when_leaving(change: Any, tmp_path: Path) -> None:
    table = Simulation(4, 3, nodes={CHEAT: leaving_with(change)})
    table.start()
    table.run_until(lambda: table.peers[0].node.turns >= 3)
    table.rise(CHEAT)
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    convicted(table, tmp_path, "leaves wrongly")


def its_own_hand_too(node: Any, leave: Leave) -> Leave:
    """Where the rules leave its hand unseen (R49)."""
    table, keeper = node.table, node.keeper
    slots = (*leave.slots, *hand(table.cards, node.seat))
    firsts = [table.cards.first(slot) for slot in slots]
    shares, proof = prove_shares(table.context(node.seat, "leave"), keeper._nonces, keeper._x, keeper._key, firsts)
    return replace(leave, slots=slots, shares=shares_bytes(shares), proof=proof.to_bytes())


def help_for_nobody(node: Any, leave: Leave) -> Leave:
    """For a seat that is there, by shares of nothing."""
    return replace(leave, help=(Helping(2, leave.slots[:1], leave.shares[:33], leave.proof),))


@pytest.mark.parametrize("change", [its_own_hand_too, help_for_nobody])
def test_c41_whoever_brings_more_than_it_must_spoils_no_journal(change: Any, tmp_path: Path) -> None:
    """It harms nobody but itself, so the others play on, and both readings of their journals say so."""

    def trick(node: Any, body: Any) -> Any:
        return change(node, body.payload) if isinstance(body.payload, Leave) and body.payload.slots else None

    table = Simulation(4, 3, Rules.make("dc", heroes=HEROES[:3]), nodes={CHEAT: cheater(trick, goes_on=True)})
    table.start()
    table.run_until(lambda: table.peers[0].node.turns >= 3)
    table.rise(CHEAT)
    assert ended(table, {CHEAT}, tmp_path).exit_code == 0


def test_c41_a_leave_before_the_deal_has_nothing_to_give(tmp_path: Path) -> None:
    """What it brings along counts for nothing."""

    def trick(node: Any, body: Any) -> Any:
        leave = body.payload
        return replace(leave, slots=(3,), shares=bytes(33), proof=b"x") if isinstance(leave, Leave) else None

    table = Simulation(4, 3, Rules.make("batman", hand_size=5), nodes={CHEAT: cheater(trick)})
    table.start()
    table.run_until(lambda: table.peers[CHEAT].node.table.step.what == "reveal")
    table.rise(CHEAT)
    assert ended(table, {CHEAT}, tmp_path).exit_code == 0
