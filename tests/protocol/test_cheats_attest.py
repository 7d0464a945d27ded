"""Cheats about hidden cards: challenges, shows, the Bat Signal, gifts (C26-C29, C54)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from p2puno.needs import NOBODY
from p2puno.rules import Rules
from protocol.group import group
from protocol.payloads import Attestation
from protocol.proofs.encoding import deck_bytes
from protocol.proofs.handover import prove_handover
from protocol.proofs.membership import prove_member
from protocol.showing import AttestStep
from tests.protocol.cheats import CHEAT, Cheater, cheater, convicted, oracle, play, replace, trick_on


def on_attest(make: Any, fits: Any) -> type[Cheater]:
    def trick(node: Cheater, step: AttestStep, payload: Any) -> Any:
        return make(node, step, payload) if fits(step, payload) else None

    return cheater(trick_on(AttestStep, trick))


def challenged(step: AttestStep, payload: Attestation) -> bool:
    return step.ask.all_outside and len(step.ask.slots) > 1


def guilty(step: AttestStep, payload: Attestation) -> bool:
    return challenged(step, payload) and not payload.inside


def proofs(node: Cheater, step: AttestStep, flags: list[bool]) -> tuple[bytes, ...]:
    """Membership proofs that claim these flags, right or wrong."""
    made = []
    keeper = node.keeper
    for slot, card, flag in zip(step.ask.slots, step.held, flags, strict=True):
        faces = step.faces(flag)
        face = keeper._read(slot)
        index = faces.index(face) if face in faces else 0
        context = node.table.context(node.seat, f"attest {slot}")
        proof = prove_member(context, keeper._nonces, keeper._x, keeper._key, card, step.points(flag), index)
        made.append(proof.to_bytes())
    return tuple(made)


def test_c26_denies_a_matching_card(tmp_path: Path) -> None:
    def deny(node: Cheater, step: AttestStep, payload: Attestation) -> Attestation:
        flags = [False] * len(step.ask.slots)
        return replace(payload, inside=bytes(flags), proofs=proofs(node, step, flags))

    convicted(play(on_attest(deny, guilty), bot="daring", occasion="guilty"), tmp_path, "the proof does not hold")


def test_c26_denies_by_leaving_the_matching_card_out(tmp_path: Path) -> None:
    def deny(node: Cheater, step: AttestStep, payload: Attestation) -> Attestation:
        flags = [node.keeper._read(slot) in step.ask.faces for slot in step.ask.slots]
        made = [proof for proof, bad in zip(proofs(node, step, flags), flags, strict=True) if not bad]
        return replace(payload, inside=bytes(len(made)), proofs=tuple(made))

    convicted(play(on_attest(deny, guilty), bot="daring", occasion="guilty"), tmp_path, "attestation")


def test_c26_says_which_card_matches(tmp_path: Path) -> None:
    """Only "all outside" may be proven there, else one concedes."""

    def tell_all(node: Cheater, step: AttestStep, payload: Attestation) -> Attestation:
        flags = [node.keeper._read(slot) in step.ask.faces for slot in step.ask.slots]
        return replace(payload, inside=bytes(flags), proofs=proofs(node, step, flags))

    convicted(play(on_attest(tell_all, guilty), bot="daring", occasion="guilty"), tmp_path, "not what was asked")


def shown(step: AttestStep, payload: Attestation) -> bool:
    return challenged(step, payload) and step.ask.show_to >= 0


def show_fewer(node: Cheater, step: AttestStep, payload: Attestation) -> Attestation:
    return replace(payload, shown=payload.shown[:-66], shown_proofs=payload.shown_proofs[:-1])


def show_nothing(node: Cheater, step: AttestStep, payload: Attestation) -> Attestation:
    return replace(payload, shown=b"", shown_proofs=())


def show_one_twice(node: Cheater, step: AttestStep, payload: Attestation) -> Attestation:
    """C27: the second card again, with its own proof, in place of the first."""
    return replace(
        payload,
        shown=payload.shown[66:132] + payload.shown[66:],
        shown_proofs=(payload.shown_proofs[1], *payload.shown_proofs[1:]),
    )


def show_to(key: Any, face: Any = None) -> Any:
    """C28: encrypts the first card anew to this key."""

    def make(node: Cheater, step: AttestStep, payload: Attestation) -> Attestation:
        slot, keeper = step.ask.slots[0], node.keeper
        context = node.table.context(node.seat, f"show {slot}")
        receiver = key(node, step)
        new, proof = prove_handover(context, keeper._nonces, "show", keeper._x, keeper._key, step.held[0], receiver)
        return replace(
            payload,
            shown=deck_bytes([new]) + payload.shown[66:],
            shown_proofs=(proof.to_bytes(), *payload.shown_proofs[1:]),
        )

    return make


def third(node: Cheater, step: AttestStep) -> Any:
    return node.table.cards.keys[({0, 1, 2} - {CHEAT, step.ask.show_to}).pop()]  # type: ignore[union-attr]


def first_half(node: Cheater, step: AttestStep, payload: Attestation) -> Attestation:
    """C54: what is shown has the first half of another card that the watcher holds, who would open that one by it."""
    new, proof = oracle(node, "show", step.ask.slots[0], step.ask.show_to)
    return replace(
        payload, shown=deck_bytes([new]) + payload.shown[66:], shown_proofs=(proof, *payload.shown_proofs[1:])
    )


@pytest.mark.parametrize(
    ("trick", "reason"),
    [
        (show_fewer, "bytes where"),
        (show_nothing, "bytes where"),
        (show_one_twice, "the proof does not hold"),
        (show_to(third), "the proof does not hold"),
        (show_to(lambda node, step: group.mulg(3)), "the proof does not hold"),
        (first_half, "the proof does not hold"),
    ],
    ids=["C27 fewer", "C27 nothing", "C27 other", "C28 to the third", "C28 to nobody", "C54 oracle"],
)
def test_c27_c28_c54_shows(trick: Any, reason: str, tmp_path: Path) -> None:
    convicted(play(on_attest(trick, shown), bot="daring", occasion="shown"), tmp_path, reason)


def test_c27_show_to_all_with_a_wrong_share(tmp_path: Path) -> None:
    rules = Rules.make("batman", hand_size=5, challenge_shows="all")

    def wrong(node: Cheater, step: AttestStep, payload: Attestation) -> Attestation:
        return replace(payload, shown=group.mulg(5).encoded + payload.shown[33:])

    convicted(play(on_attest(wrong, challenged), rules=rules, bot="daring"), tmp_path, "the proof does not hold")


@pytest.mark.parametrize("signal", [False, True], ids=["stops early", "goes on"])
def test_c29_says_that_a_drawn_card_is_a_signal_or_that_it_is_none(signal: bool, tmp_path: Path) -> None:
    """Stops drawing early, or goes on after the signal card (`signal`: what it really drew)."""

    def lie(node: Cheater, step: AttestStep, payload: Attestation) -> Attestation:
        flags = [not flag for flag in payload.inside]
        return replace(payload, inside=bytes(flags), proofs=proofs(node, step, flags))

    def drawn(step: AttestStep, payload: Attestation) -> bool:
        return step.ask.show_to == NOBODY and not step.ask.all_outside and any(payload.inside) == signal

    convicted(play(on_attest(lie, drawn), bot="daring"), tmp_path, "the proof does not hold")


def test_c29_does_not_say_it_at_all(tmp_path: Path) -> None:
    program = on_attest(
        lambda node, step, payload: Attestation(b"", (), b"", ()), lambda step, payload: not step.ask.may_concede
    )
    convicted(play(program, bot="daring", occasion="signal"), tmp_path, "cannot be conceded")
