"""Cheats with the escrow of key shares, and silence while a hand is set up (C06-C09, C19)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2puno.needs import ALL
from p2puno.rules import Rules
from protocol import events as tell
from protocol.dealing import BoxStep, PledgeStep, RedealStep
from protocol.deck import Held
from protocol.escrow import lagrange, others, seal
from protocol.group import Q, group
from protocol.node import VOID
from protocol.payloads import Commit, Complaint, Deal, Pledge, Redeal, Reveal
from protocol.steps import CommitStep, OpenStep, RevealStep
from tests.protocol.cheats import (
    CHEAT,
    Cheater,
    cheater,
    convicted,
    finish,
    flipped,
    nobody_accused,
    only_absent,
    play,
    replace,
    trick_on,
)
from tests.protocol.readings import audit
from tests.protocol.simulator import Simulation
from tests.protocol.test_cheats_setup import committed


def silent(node: Cheater, step: Any, payload: Any) -> Any:
    """Says nothing any more."""
    return []


# -- silence ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "players"), [(CommitStep, 3), (RevealStep, 4), (PledgeStep, 3)])
def test_c06_silent_while_the_hand_is_set_up(kind: Any, players: int, tmp_path: Path) -> None:
    """The hand begins anew without it."""
    table = play(cheater(trick_on(kind, silent)), players=players)
    only_absent(table, tmp_path)
    assert table.peers[0].node.table.present == [seat for seat in range(players) if seat != CHEAT]


def test_c06_nothing_that_it_saw_decides_anything(tmp_path: Path) -> None:
    """Keys, entropy and session of the hand that it ended are used no more."""
    seen: list[bytes] = []

    def look(node: Cheater, step: RevealStep, payload: Reveal) -> Any:
        for key, entropy, _ in node.table.heard.values():
            seen.extend((key.encoded, entropy))
        seen.append(node.table.sid)
        return []

    table = play(cheater(trick_on(RevealStep, look), lets_others_first=RevealStep))
    only_absent(table, tmp_path)
    assert len(seen) == 5
    own = table.peers[0].node.table
    assert own.cards is not None
    used = {key.encoded for key in own.cards.keys if key is not None} | {own.sid}
    for seat in (0, 2):
        keeper = table.peers[seat].node._keeper
        assert keeper is not None
        used.add(keeper._entropy)
    assert len(used) == 5
    assert not used & set(seen)


def first_deal(node: Cheater, step: OpenStep) -> bool:
    return not node.table.dealt


def own_hand_at_the_end(node: Cheater, step: OpenStep) -> bool:
    forms = step.cards.forms
    mine = (slot for slot, to in step.to if to == ALL and isinstance(forms[slot], Held))
    return any(forms[slot].seat == CHEAT for slot in mine)  # type: ignore[union-attr]


def a_draw(node: Cheater, step: OpenStep) -> bool:
    return node.table.dealt and len(step.to) == 1 and step.to[0][1] not in (ALL, CHEAT)


@pytest.mark.parametrize("when", [first_deal, a_draw, own_hand_at_the_end])
def test_c19_c43_silent_when_shares_are_due(when: Callable[[Cheater, OpenStep], bool], tmp_path: Path) -> None:
    """The others compute its shares out of escrow: cards are dealt and drawn, and its hand is opened and counted."""
    program = trick_on(OpenStep, lambda node, step, payload: [] if when(node, step) else None)
    table = play(cheater(program))
    verdict = only_absent(table, tmp_path)
    if when is own_hand_at_the_end:
        assert verdict.hands[0].left[CHEAT]
        worth = {kind.id: kind.points for kind in table.peers[0].node.table.rules.kinds}
        assert verdict.hands[0].points == sum(worth[card] for hand in verdict.hands[0].left for card in hand)


def test_c19_without_an_escrow_nobody_can_stand_in() -> None:
    """`drop_outs` 0: the table waits for whoever is silent, and ends when it does not come back."""
    rules = Rules.make("batman", hand_size=5, drop_outs=0)
    table = play(
        cheater(trick_on(OpenStep, lambda node, step, payload: [] if a_draw(node, step) else None)), rules=rules
    )
    nobody_accused(table)
    for seat in (0, 2):
        assert [event.waiting for event in table.peers[seat].heard(tell.Abandoned)] == [(CHEAT,)]


# -- dealing ----------------------------------------------------------------------------------------------------------


def garbage(node: Cheater, step: RevealStep, deal: Deal) -> Deal:
    return replace(deal, sealed=(flipped(deal.sealed[0]), *deal.sealed[1:]))


def another_number(node: Cheater, step: RevealStep, deal: Deal) -> Deal:
    """Sealed as it should be, but not f(k)."""
    receiver = others(step.authors, node.seat)[0]
    sealed = seal(node.table.sid, 0, node.seat, receiver, step.boxes[receiver][node.seat], 4711)
    return replace(deal, sealed=(sealed, *deal.sealed[1:]))


def exchanged(node: Cheater, step: RevealStep, deal: Deal) -> Deal:
    """Two receivers get each other's: neither can open what it got."""
    return replace(deal, sealed=(deal.sealed[1], deal.sealed[0], *deal.sealed[2:]))


@pytest.mark.parametrize(("make", "players"), [(garbage, 3), (another_number, 4), (exchanged, 3)])
def test_c07_bad_share_for_one_receiver(make: Any, players: int, tmp_path: Path) -> None:
    """The receiver opens it to all, and all see that the dealer is to blame."""

    def deal(node: Cheater, step: RevealStep, reveal: Reveal) -> Reveal:
        return replace(reveal, deal=make(node, step, reveal.deal))

    table = play(cheater(trick_on(RevealStep, deal)), players=players)
    node = table.peers[CHEAT].node
    assert isinstance(node, Cheater)
    convicted(table, tmp_path, "a share that does not fit", node.cheated_at + 1)


def leaves_and_plays(program: type[Cheater], seed: int = 4) -> Simulation:
    """A table of four at which seat 3 gets up in the middle of the first hand, so that the escrow is dealt anew."""
    rules = Rules.make("batman", hand_size=5, grace_seconds=15)
    table = Simulation(seed, 4, rules, bot="random", nodes={CHEAT: program})
    table.start()
    table.run_until(lambda: table.peers[0].node.turns >= 3)
    table.rise(3)
    finish(table)
    return table


@pytest.mark.parametrize("make", [garbage, exchanged])
def test_c07_bad_share_in_an_escrow_dealt_anew(make: Any, tmp_path: Path) -> None:
    """No escrow holds, so nobody can stand in for the cheat: the hand begins anew without it."""

    def deal(node: Cheater, step: RedealStep, redeal: Redeal) -> Redeal:
        return replace(redeal, deal=make(node, step, redeal.deal))

    table = leaves_and_plays(cheater(trick_on(RedealStep, deal)))
    begins_anew(table)
    cheat = table.peers[CHEAT].node
    assert isinstance(cheat, Cheater)
    for seat in (0, 2):
        (accused,) = table.peers[seat].heard(tell.Accused)
        assert (accused.seat, accused.step) == (CHEAT, cheat.cheated_at + 1)
        verdict = audit(table.write(seat, tmp_path / f"{seat}.p2puno"))
        assert (verdict.exit_code, verdict.blame) == (3, CHEAT)


@pytest.mark.parametrize("kind", [BoxStep, RedealStep, PledgeStep])
def test_c19_silent_while_the_escrow_is_dealt_anew(kind: Any, tmp_path: Path) -> None:
    """Nobody is blamed; the others wait for the grace, and begin the hand anew."""
    table = leaves_and_plays(cheater(trick_on(kind, lambda node, step, payload: [] if node.table.dealt else None)))
    nobody_accused(table)
    begins_anew(table)
    for seat in (0, 2):
        assert audit(table.write(seat, tmp_path / f"{seat}.p2puno")).exit_code == 0


def begins_anew(table: Simulation) -> None:
    """Seats 0 and 2 play the first hand twice, the second time alone, and end the match with one result."""
    states = set()
    for seat in (0, 2):
        peer = table.peers[seat]
        assert [event.message for event in peer.heard(tell.Notice)] == [VOID]
        assert [event.hand for event in peer.heard(tell.HandOver)] == [1]
        assert peer.heard(tell.MatchOver)
        assert len(peer.node.table.scored) == 1
        states.add(peer.node.table.state())
    assert len(states) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda deal: replace(deal, coefficients=b""),
        lambda deal: replace(deal, coefficients=deal.coefficients[:-1]),
        lambda deal: replace(deal, coefficients=deal.coefficients + deal.coefficients[:33]),
        lambda deal: replace(deal, coefficients=bytes(33)),
        lambda deal: replace(deal, sealed=deal.sealed[:-1]),
        lambda deal: replace(deal, sealed=(*deal.sealed, bytes(80))),
        lambda deal: Deal(b"", ()),
    ],
    ids=["none", "cut", "one more", "no point", "a receiver left out", "a receiver too many", "no deal"],
)
def test_c08_wrong_number_of_commitments(change: Any, tmp_path: Path) -> None:
    """A_0 is the key share itself, so that nothing else can be said of it; all others must be there, and be points."""
    table = play(committed(lambda node, reveal: replace(reveal, deal=change(reveal.deal))))
    convicted(table, tmp_path, "reveal")


def test_c08_commitments_that_it_had_not_committed_to(tmp_path: Path) -> None:
    """Else it could choose its polynomial after it knows the box keys."""

    def other(node: Cheater, step: RevealStep, reveal: Reveal) -> Reveal:
        return replace(reveal, deal=replace(reveal.deal, coefficients=reveal.key))

    convicted(play(cheater(trick_on(RevealStep, other))), tmp_path, "does not open the commitment")


@pytest.mark.parametrize("boxes", [lambda own: own[:-1], lambda own: (*own, own[0]), lambda own: (bytes(32), *own[1:])])
def test_c08_box_keys_that_nothing_can_be_sealed_to(boxes: Any, tmp_path: Path) -> None:
    """Too few, too many, or one of small order."""

    def wrong(node: Cheater, step: CommitStep, commit: Commit) -> Commit:
        return replace(commit, boxes=boxes(commit.boxes))

    convicted(play(cheater(trick_on(CommitStep, wrong))), tmp_path, "box key")


def complains(secret: Callable[[Cheater, PledgeStep], bytes]) -> Any:
    """Says that the share of seat 0 is bad, and opens it with this key."""

    def pledge(node: Cheater, step: PledgeStep, payload: Pledge) -> Pledge:
        return Pledge((Complaint(0, secret(node, step)),))

    return cheater(trick_on(PledgeStep, pledge))


def own_key(node: Cheater, step: PledgeStep) -> bytes:
    return node.keeper._box(step.escrow.epoch, 0)


def key_for_another_dealer(node: Cheater, step: PledgeStep) -> bytes:
    return node.keeper._box(step.escrow.epoch, 2)


@pytest.mark.parametrize(
    ("secret", "reason"),
    [
        (own_key, "complains of a good share"),
        (key_for_another_dealer, "another key than it had published"),
        (lambda node, step: bytes(32), "another key than it had published"),
    ],
)
def test_c09_good_share_called_bad(secret: Any, reason: str, tmp_path: Path) -> None:
    """Opened, the share turns out to be good; the dealer is never blamed. The opened share is of a hand that is not
    played: the next one has other keys."""
    table = play(complains(secret))
    convicted(table, tmp_path, reason)


@pytest.mark.parametrize("dealer", [CHEAT, 2, 9])
def test_c09_complains_of_itself_or_of_nobody(dealer: int, tmp_path: Path) -> None:
    """Or of a dealer with the key that was meant for another one."""

    def pledge(node: Cheater, step: PledgeStep, payload: Pledge) -> Pledge:
        return Pledge((Complaint(dealer, own_key(node, step)),))

    convicted(play(cheater(trick_on(PledgeStep, pledge))), tmp_path, "another key than it had published")


# -- a limit ----------------------------------------------------------------------------------------------------------


def test_c53_all_others_together_could_read_a_hand_and_fewer_cannot() -> None:
    """What an escrow is for, and its price; without one there is nothing to pool."""
    table = Simulation(2, 4)
    table.start()
    table.run_until(lambda: table.peers[0].node.table.dealt)
    node = table.peers[0].node
    escrow, cards = node.table.escrow, node.table.cards
    assert escrow is not None
    assert cards is not None
    shares = {seat: table.peers[seat].node._keeper._share_of(escrow, 3) for seat in range(3)}  # type: ignore[union-attr]

    def pooled(*seats: int) -> object:
        return group.mulg(sum(weight * (shares[seat] or 0) for seat, weight in lagrange(seats).items()) % Q)

    assert pooled(0, 1, 2) == cards.key(3)
    assert pooled(0, 1) != cards.key(3)
    safe = Simulation(2, 4, Rules.make("batman", drop_outs=0))
    safe.start()
    safe.run_until(lambda: safe.peers[0].node.table.dealt)
    assert safe.peers[0].node.table.escrow is None
