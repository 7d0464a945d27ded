"""Cheats while keys are made and piles shuffled (C01-C05, C10-C15)."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2puno.rules import Rules
from protocol import events as tell
from protocol.group import group
from protocol.node import Node
from protocol.payloads import Commit, Reordered, Reveal, Shuffling
from protocol.proofs.encoding import deck_bytes, deck_from_bytes
from protocol.proofs.schnorr import prove_key
from protocol.proofs.shuffle import masked, prove_shuffle, shuffle
from protocol.proofs.transcript import Context
from protocol.steps import CommitStep, RevealStep, ShuffleStep, commitment
from tests.protocol.cheats import (
    RULES,
    Cheater,
    cheater,
    convicted,
    flipped,
    only_absent,
    play,
    replace,
    together,
    trick_on,
)
from tests.protocol.simulator import Simulation


def committed(change: Callable[[Cheater, Reveal], Reveal]) -> type[Cheater]:
    """A program that commits to a changed reveal and then reveals that."""

    class Program(cheater()):  # type: ignore[misc]
        def _contribute(self, payload: Any, now: float) -> None:
            if isinstance(payload, Commit):
                step = self.table.step
                reveal = change(self, self.keeper._reveal(self.keeper._deal(step, 0, {})))
                payload = replace(payload, hash=commitment(self.table.sid, self.seat, reveal))
            elif isinstance(payload, Reveal):
                self.cheated_at = self.table.number
                payload = change(self, payload)
            super()._contribute(payload, now)

    return Program


def test_c01_key_without_a_valid_proof(tmp_path: Path) -> None:
    for proof in (lambda proof: flipped(proof), lambda proof: b"", lambda proof: proof + b"\x00"):
        program = trick_on(RevealStep, lambda node, step, reveal: replace(reveal, proof=proof(reveal.proof)))  # noqa: B023
        convicted(play(cheater(program)), tmp_path / str(id(proof)), "reveal")


def test_c01_proof_for_other_entropy(tmp_path: Path) -> None:
    program = committed(lambda node, reveal: replace(reveal, entropy=flipped(reveal.entropy)))
    convicted(play(program), tmp_path, "the proof does not hold")


def test_c02_rogue_key_from_the_keys_of_the_others(tmp_path: Path) -> None:
    """By then it is committed to another key."""

    def rogue(node: Cheater, step: RevealStep, reveal: Reveal) -> Reveal:
        others = group.sum([key for key, *_ in node.table.heard.values()])
        key = group.sub(group.mulg(12345), others)
        assert key is not None
        proof = prove_key(node.table.context(node.seat, "key"), node.keeper._nonces, 12345, key, reveal.entropy)
        return replace(reveal, key=key.encoded, proof=proof.to_bytes())

    program = cheater(trick_on(RevealStep, rogue), lets_others_first=RevealStep)
    convicted(play(program), tmp_path, "does not open the commitment")


def test_c02_rogue_key_that_it_had_committed_to(tmp_path: Path) -> None:
    """A key of which it does not know the secret, such as one that takes others off: nobody can prove that it does."""

    def rogue(node: Cheater, reveal: Reveal) -> Reveal:
        key = group.sub(group.mulg(12345), group.mulg(node.keeper._x))
        assert key is not None
        return replace(reveal, key=key.encoded)

    convicted(play(committed(rogue)), tmp_path, "the proof does not hold")


def test_c03_proof_of_another_seat_copied(tmp_path: Path) -> None:
    """For its own key."""
    trick = trick_on(RevealStep, lambda node, step, reveal: replace(reveal, proof=node.heard_from(2).proof))  # type: ignore[union-attr]
    convicted(play(cheater(trick, lets_others_first=RevealStep)), tmp_path, "the proof does not hold")


def test_c03_commitment_of_another_seat_copied(tmp_path: Path) -> None:
    """Its own reveal does not open it."""
    trick = trick_on(CommitStep, lambda node, step, commit: replace(commit, hash=node.heard_from(0).hash))  # type: ignore[union-attr]
    table = play(cheater(trick, lets_others_first=CommitStep, goes_on=True))
    node = table.peers[1].node
    assert isinstance(node, Cheater)
    convicted(table, tmp_path, "does not open the commitment", node.cheated_at + 1)


def test_c03_commitment_and_reveal_of_another_seat_copied(tmp_path: Path) -> None:
    """The seat is in the commitment, so that not even the copied reveal opens the copied commitment."""

    class Copycat(cheater(lets_others_first=CommitStep)):  # type: ignore[misc]
        def _contribute(self, payload: Any, now: float) -> None:
            if isinstance(payload, Commit):
                payload = self.heard_from(0)
                self.lets_others_first = RevealStep
            elif isinstance(payload, Reveal):
                self.cheated_at = self.table.number
                payload = self.heard_from(0)
            super()._contribute(payload, now)

    convicted(play(Copycat), tmp_path, "does not open the commitment")


def test_c03_reveal_of_another_seat_copied(tmp_path: Path) -> None:
    program = cheater(trick_on(RevealStep, lambda node, step, reveal: node.heard_from(2)), lets_others_first=RevealStep)
    convicted(play(program), tmp_path, "does not open the commitment")


def test_c04_reveal_that_does_not_open_its_commitment(tmp_path: Path) -> None:
    for name in ("entropy", "opening"):
        program = trick_on(
            RevealStep,
            lambda node, step, reveal: replace(reveal, **{name: flipped(getattr(reveal, name))}),  # noqa: B023
        )
        convicted(play(cheater(program)), tmp_path / name, "does not open the commitment")


@pytest.mark.parametrize(("seed", "players"), [(1, 3), (3, 4)])
def test_c05_two_seats_with_one_key(seed: int, players: int, tmp_path: Path) -> None:
    """They must be one player with two seats. In whatever order their keys come, the same of them is named, and the
    others play on."""

    def twin(identity: Any, charter: Any, random_bytes: Any) -> Node:
        return Node(identity, charter, random.Random("twins").randbytes)

    table = Simulation(seed, players, RULES, nodes={1: twin, 2: twin})
    table.start()
    honest = [seat for seat in range(players) if seat not in (1, 2)]
    table.run_until(lambda: all(table.peers[seat].closed for seat in honest))
    for seat in honest:
        (accused,) = table.peers[seat].heard(tell.Accused)
        assert accused.seat == 2
        assert "key share of another seat" in accused.reason
    for verdict in together(table, tmp_path, honest):
        assert (verdict.exit_code, verdict.blame) == (3, 2)


@pytest.mark.parametrize(
    "key",
    [
        b"\x00" * 33,
        b"\x04" + b"\x01" * 32,
        b"\x02" + b"\xff" * 32,
        b"\x02" + b"\x00" * 31 + b"\x05",
    ],
    ids=["identity", "uncompressed", "x too large", "off the curve"],
)
def test_c05_malformed_key(key: bytes, tmp_path: Path) -> None:
    convicted(play(committed(lambda node, reveal: replace(reveal, key=key))), tmp_path, "reveal")


# -- shuffles ---------------------------------------------------------------------------------------------------------


def honest(node: Cheater, step: ShuffleStep) -> tuple[Any, Any, Any, Any]:
    """(pile, context, output deck, witness) of its turn."""
    (pile,) = step.turns[node.seat]
    context = node.table.context(node.seat, pile.name)
    out, witness = shuffle(context, node.keeper._nonces, step.cards.joint, pile.deck)
    return pile, context, out, witness


def reshuffled(node: Cheater, step: ShuffleStep, deck: Any, out: Any, witness: Any, context: Context) -> Shuffling:
    proof = prove_shuffle(context, node.keeper._nonces, step.cards.joint, deck, out, witness)
    return Shuffling((Reordered(deck_bytes(out), proof.to_bytes()),))


def another_kind(node: Cheater, step: ShuffleStep, payload: Any) -> Any:
    """C10: the first card becomes a Wild that is not in the deck, with a proof made over the exchanged deck."""
    pile, context, _, witness = honest(node, step)
    wild = node.table.faces.points[-1]
    joint = step.cards.joint
    b = group.add(wild, group.mul(joint, 7))
    assert b is not None
    deck = [(group.mulg(7), b), *pile.deck[1:]]
    return reshuffled(node, step, deck, masked(joint, deck, witness), witness, context)


def exchanged(node: Cheater, step: ShuffleStep, payload: Any) -> Any:
    """C10: one output ciphertext replaced under the honest proof."""
    (only,) = payload.piles
    deck = deck_from_bytes(only.deck, len(only.deck) // 66)
    deck[3] = (group.mulg(5), group.mulg(6))
    return Shuffling((replace(only, deck=deck_bytes(deck)),))


def twice(node: Cheater, step: ShuffleStep, payload: Any) -> Any:
    """C11: one card twice and another dropped; the commitments are made for the order that it pretends."""
    pile, context, out, witness = honest(node, step)
    out = [*out[:-1], out[0]]
    return reshuffled(node, step, pile.deck, out, witness, context)


def repeated_source(node: Cheater, step: ShuffleStep, payload: Any) -> Any:
    """C11: the same input card goes out twice, and the witness says so."""
    pile, context, _, witness = honest(node, step)
    witness = type(witness)([witness.order[1], *witness.order[1:]], witness.masks)
    return reshuffled(node, step, pile.deck, masked(step.cards.joint, pile.deck, witness), witness, context)


def shorter(node: Cheater, step: ShuffleStep, payload: Any) -> Any:
    (only,) = payload.piles
    return Shuffling((replace(only, deck=only.deck[:-66]),))


def longer(node: Cheater, step: ShuffleStep, payload: Any) -> Any:
    (only,) = payload.piles
    return Shuffling((replace(only, deck=only.deck + only.deck[:66]),))


def two_piles(node: Cheater, step: ShuffleStep, payload: Any) -> Any:
    return Shuffling((*payload.piles, *payload.piles))


def elsewhere(**change: Any) -> Any:
    """C12: a proof made in another context."""

    def trick(node: Cheater, step: ShuffleStep, payload: Any) -> Any:
        pile, context, out, witness = honest(node, step)
        fields = {
            "sid": context.sid,
            "prover": context.prover,
            "deck": context.deck,
            "epoch": 0,
            "number": step.table.number,
        }
        values = list({**fields, **change}.values())
        return reshuffled(node, step, pile.deck, out, witness, Context(*values))

    return trick


def wrong_key(node: Cheater, step: ShuffleStep, payload: Any) -> Any:
    """C13: masks under its own key instead of the joint one."""
    pile, context, _, witness = honest(node, step)
    own = node.keeper._key
    out = masked(own, pile.deck, witness)
    proof = prove_shuffle(context, node.keeper._nonces, own, pile.deck, out, witness)
    return Shuffling((Reordered(deck_bytes(out), proof.to_bytes()),))


@pytest.mark.parametrize(
    ("trick", "reason"),
    [
        (another_kind, "the proof does not hold"),
        (exchanged, "the proof does not hold"),
        (twice, "share their first half"),
        (repeated_source, "the proof does not hold"),
        (shorter, "bytes where"),
        (longer, "bytes where"),
        (two_piles, "2 piles"),
        (elsewhere(sid=b"\x01" * 32), "the proof does not hold"),
        (elsewhere(prover=0), "the proof does not hold"),
        (elsewhere(deck="danger"), "the proof does not hold"),
        (elsewhere(number=2), "the proof does not hold"),
        (elsewhere(epoch=1), "the proof does not hold"),
        (wrong_key, "the proof does not hold"),
    ],
    ids=[
        "C10 another kind", "C10 exchanged", "C11 twice", "C11 repeated source", "C11 shorter", "C11 longer",
        "C11 two piles", "C12 session", "C12 seat", "C12 deck", "C12 step", "C12 epoch",
        "C13 key",
    ],
)  # fmt: skip
def test_c10_c13_shuffles(trick: Any, reason: str, tmp_path: Path) -> None:
    """The step named is the one of the bad turn, though the proofs of a pile are verified together after the last."""
    convicted(play(cheater(trick_on(ShuffleStep, trick)), [3]), tmp_path, reason)


def test_c15_leaves_the_pile_in_its_order(tmp_path: Path) -> None:
    """With a valid proof, so nobody can tell, and it gains nothing: every honest seat shuffles, too."""

    def still(node: Cheater, step: ShuffleStep, payload: Any) -> Any:
        pile, context, _, witness = honest(node, step)
        witness = type(witness)(range(len(pile.deck)), witness.masks)
        return reshuffled(node, step, pile.deck, masked(step.cards.joint, pile.deck, witness), witness, context)

    only_absent(play(cheater(trick_on(ShuffleStep, still)), [3]), tmp_path, absent=())


def test_c12_proof_for_the_pile_as_it_was_before(tmp_path: Path) -> None:
    """A good shuffle with a good proof, of what the seat before it got: with that it would undo that one's work, and
    with two friends know the order."""
    before: list[Any] = []

    def look(node: Cheater) -> None:
        step = node.table.step
        if isinstance(step, ShuffleStep) and node.seat not in step.turns and not before:
            ((_, (pile,)),) = step.turns.items()
            before.extend(pile.deck)

    def undo(node: Cheater, step: ShuffleStep, payload: Any) -> Any:
        _, context, _, _ = honest(node, step)
        out, witness = shuffle(context, node.keeper._nonces, step.cards.joint, before)
        proof = prove_shuffle(context, node.keeper._nonces, step.cards.joint, before, out, witness)
        return Shuffling((Reordered(deck_bytes(out), proof.to_bytes()),))

    convicted(play(cheater(trick_on(ShuffleStep, undo), look), [3]), tmp_path, "the proof does not hold")
    assert before


def test_c12_proof_of_an_earlier_hand(tmp_path: Path) -> None:
    """Deck and proof of the first hand in the second: another session, another key."""
    old: list[Any] = []

    def replay(node: Cheater, step: ShuffleStep, payload: Any) -> Any:
        if node.table.hand == 1:
            old.append(payload)
            return None
        return old[0]

    rules = Rules.make("batman", hand_size=5, hands=2)
    table = play(cheater(trick_on(ShuffleStep, replay)), [2], bot="sensible", rules=rules)
    convicted(table, tmp_path, "the proof does not hold")


def test_c14_shuffle_out_of_turn(tmp_path: Path) -> None:
    def intrude(node: Cheater) -> Any:
        step = node.table.step
        if not isinstance(step, ShuffleStep) or node.seat in step.turns:
            return None
        ((_, (pile,)),) = step.turns.items()
        return Shuffling((node.keeper._reorder(node.table.context(node.seat, pile.name), step.cards.joint, pile.deck),))

    convicted(play(cheater(intrusion=intrude)), tmp_path, "out of turn")


def test_c14_shuffles_twice(tmp_path: Path) -> None:
    """Once more in the turn of the seat after it."""

    def intrude(node: Cheater) -> Any:
        step = node.table.step
        if not isinstance(step, ShuffleStep) or step.turns.keys() != {2}:
            return None
        assert isinstance(node.heard_from(node.seat), Shuffling)
        ((_, (pile,)),) = step.turns.items()
        return Shuffling((node.keeper._reorder(node.table.context(node.seat, pile.name), step.cards.joint, pile.deck),))

    convicted(play(cheater(intrusion=intrude)), tmp_path, "out of turn")


def test_c14_shuffle_that_nobody_asked_for(tmp_path: Path) -> None:
    old: list[Any] = []

    def keep(node: Cheater, step: ShuffleStep, payload: Any) -> None:
        old.append(payload)

    def intrude(node: Cheater) -> Any:
        return old[0] if old and node.table.number > 9 and not isinstance(node.table.step, ShuffleStep) else None

    convicted(play(cheater(trick_on(ShuffleStep, keep), intrude)), tmp_path, "out of turn")
