"""Cheats with cards of a hand that change their place or are given up: mixing, handing over, burning, putting back,
wishes (C10-C13, C16, C21-C23, C54); and with what is owed for a seat that is away (C16)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2puno.needs import Ask, Decide
from p2puno.rules import Rules
from protocol import events as tell
from protocol.dealing import HelpStep, InsteadStep, StripStep
from protocol.group import group
from protocol.moving import DecideStep
from protocol.payloads import BurnCards, Gifts, Help, MakeWish, PickOne, PutBack, Shuffling
from protocol.proofs.encoding import deck_bytes
from protocol.proofs.handover import prove_handover
from protocol.proofs.shuffle import masked, prove_shuffle, shuffle
from protocol.proofs.transcript import Context
from protocol.showing import GiveStep
from protocol.steps import MixStep
from tests.protocol.cheats import CHEAT, Cheater, cheater, convicted, flipped, oracle, play, replace, trick_on
from tests.protocol.readings import audit
from tests.protocol.simulator import Simulation

SWAPS = Rules.make("dbz", hand_size=5, seven_zero=True)
HEROES = Rules.make("dc", heroes=("aquaman", "green_lantern", "superman"))
CAPTAIN = Rules.make("marvel", heroes=("aquaman", "captain_america", "black_widow"))
BURNS = Rules.make("marvel", heroes=("captain_america", "wonder_woman", "shuri"))
SHURI = Rules.make("marvel", heroes=("aquaman", "shuri", "thor"))
# Seeds with which the cheat soon looks at cards that go back, is to burn one, may exchange the top card.
PEEKS, BURNING, EXCHANGES = 10, 1, 3

# -- mixing one's own hand --------------------------------------------------------------------------------------------


def mixing(change: Callable[[Cheater, MixStep, Context, Any, Any], tuple[Any, Any, Any]]) -> Any:
    """A trick that mixes otherwise: `change` gives (context, output deck, witness) for the proof."""

    def trick(node: Cheater, step: MixStep, payload: Shuffling) -> Shuffling:
        keeper, deck = node.keeper, step.decks[node.seat]
        context = node.table.context(node.seat, "mix")
        out, witness = shuffle(context, keeper._nonces, keeper._key, deck)
        context, out, witness = change(node, step, context, out, witness)
        proof = prove_shuffle(context, keeper._nonces, keeper._key, deck, out, witness)
        (only,) = payload.piles
        return Shuffling((replace(only, deck=deck_bytes(out), proof=proof.to_bytes()),))

    return trick


def a_better_card(node: Cheater, step: MixStep, context: Context, out: Any, witness: Any) -> tuple[Any, Any, Any]:
    """C10: one card of the hand becomes a Wild."""
    b = group.add(step.cards.faces.points[-1], group.mul(node.keeper._key, 7))
    return context, [(group.mulg(7), b), *out[1:]], witness


def one_card_twice(node: Cheater, step: MixStep, context: Context, out: Any, witness: Any) -> tuple[Any, Any, Any]:
    """C11: masked anew, so that it does not show."""
    witness = type(witness)([witness.order[1], *witness.order[1:]], witness.masks)
    return context, masked(node.keeper._key, step.decks[node.seat], witness), witness


def in_another_step(node: Cheater, step: MixStep, context: Context, out: Any, witness: Any) -> tuple[Any, Any, Any]:
    """C12."""
    other = Context(context.sid, context.prover, context.deck, context.epoch, context.position - 1)
    return other, out, witness


def for_the_joint_key(node: Cheater, step: MixStep, context: Context, out: Any, witness: Any) -> tuple[Any, Any, Any]:
    """C13: cards that it could not be made to open."""
    return context, masked(step.cards.joint, step.decks[node.seat], witness), witness


@pytest.mark.parametrize("change", [a_better_card, one_card_twice, in_another_step, for_the_joint_key])
def test_c10_c13_mixing(change: Any, tmp_path: Path) -> None:
    """C10, C11, C12, C13, in a hand of one's own."""
    program = cheater(trick_on(MixStep, mixing(change)))
    convicted(play(program, occasion="mixing"), tmp_path, "the proof does not hold")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda only: (replace(only, deck=only.deck[:-66]),), "bytes where"),
        (lambda only: (replace(only, deck=only.deck + only.deck[:66]),), "bytes where"),
        (lambda only: (only, only), "one hand is mixed"),
        (lambda only: (), "signed what is no entry"),
    ],
    ids=["shorter", "longer", "twice", "not at all"],
)
def test_c11_mixing_another_number_of_cards(change: Any, reason: str, tmp_path: Path) -> None:
    trick = trick_on(MixStep, lambda node, step, payload: Shuffling(change(payload.piles[0])))
    convicted(play(cheater(trick), occasion="mixing"), tmp_path, reason)


# -- handing over -----------------------------------------------------------------------------------------------------


def first_gift(node: Cheater, step: GiveStep, payload: Gifts, slot: int, key: Any) -> Gifts:
    """The first gift is this card under that key instead, proven as well as it can be."""
    keeper = node.keeper
    asked, _ = step.gifts[node.seat][0]
    context = node.table.context(node.seat, f"gift {asked}")
    held = step.cards.held(node.seat, slot)
    new, proof = prove_handover(context, keeper._nonces, "gift", keeper._x, keeper._key, held, key)
    return Gifts(deck_bytes([new]) + payload.cards[66:], (proof.to_bytes(), *payload.proofs[1:]))


def first_half(node: Cheater, step: GiveStep, payload: Gifts) -> Gifts:
    """C54: the gift has the first half of another card that its receiver holds; whoever plays the gift would open that
    one."""
    new, proof = oracle(node, "gift", *step.gifts[node.seat][0])
    return Gifts(deck_bytes([new]) + payload.cards[66:], (proof, *payload.proofs[1:]))


def keeps_it(node: Cheater, step: GiveStep, payload: Gifts) -> Gifts:
    """As it holds it, under its own key: the receiver could never play it."""
    held = step.cards.held(node.seat, step.gifts[node.seat][0][0])
    return replace(payload, cards=deck_bytes([held]) + payload.cards[66:])


def for_the_third(node: Cheater, step: GiveStep, payload: Gifts) -> Gifts:
    """Under the key of a seat that is not to have it."""
    slot, receiver = step.gifts[node.seat][0]
    third = ({0, 1, 2} - {CHEAT, receiver}).pop()
    return first_gift(node, step, payload, slot, step.cards.key(third))


def another_card(node: Cheater, step: GiveStep, payload: Gifts) -> Gifts:
    """Another card of its own hand in place of the one that is owed."""
    (_, receiver), (other, _) = step.gifts[node.seat][:2]
    return first_gift(node, step, payload, other, step.cards.key(receiver))


@pytest.mark.parametrize("make", [first_half, keeps_it, for_the_third, another_card])
def test_c54_gifts(make: Any, tmp_path: Path) -> None:
    trick = trick_on(GiveStep, lambda node, step, payload: make(node, step, payload) if several(step) else None)
    convicted(play(cheater(trick), rules=SWAPS, occasion="gifts"), tmp_path, "the proof does not hold")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda gifts: replace(gifts, cards=gifts.cards[66:]), "bytes where"),
        (lambda gifts: replace(gifts, proofs=gifts.proofs[1:]), "not one proof for each card"),
        (lambda gifts: replace(gifts, proofs=(*gifts.proofs, gifts.proofs[0])), "not one proof for each card"),
        (lambda gifts: Gifts(b"", ()), "bytes where"),
    ],
    ids=["a card short", "a proof short", "a proof too many", "nothing"],
)
def test_c54_gifts_left_out(change: Any, reason: str, tmp_path: Path) -> None:
    trick = trick_on(GiveStep, lambda node, step, payload: change(payload) if several(step) else None)
    convicted(play(cheater(trick), rules=SWAPS, occasion="gifts"), tmp_path, reason)


def several(step: GiveStep) -> bool:
    return len(step.gifts[CHEAT]) > 1


# -- choices of the other games ---------------------------------------------------------------------------------------


def when_asked(ask: Ask, change: Callable[[Decide, Any], Any]) -> type[Cheater]:
    """A program that answers otherwise when it is asked this."""

    def trick(node: Cheater, step: DecideStep, payload: Any) -> Any:
        need = step.need
        assert isinstance(need, Decide)
        return change(need, payload) if need.ask is ask else None

    return cheater(trick_on(DecideStep, trick))


@pytest.mark.parametrize(
    ("ask", "value", "rules"),
    [
        (Ask.HANDS, CHEAT, SWAPS),
        (Ask.HANDS, 3, SWAPS),
        (Ask.TARGET, CHEAT, CAPTAIN),
        (Ask.TARGET, 3, CAPTAIN),
        (Ask.OPTION, 9, CAPTAIN),
        (Ask.MAY, 2, HEROES),
    ],
    ids=lambda value: value.variant if isinstance(value, Rules) else str(value),
)
def test_c23_a_target_or_choice_that_is_not_offered(ask: Ask, value: int, rules: Rules, tmp_path: Path) -> None:
    """Itself, a seat that is not there, an effect that does not exist, neither yes nor no."""
    program = when_asked(ask, lambda need, payload: PickOne(value) if value not in need.options else None)
    convicted(play(program, range(12), rules=rules, occasion=f"{ask} {rules.variant}"), tmp_path, "(R")


def another_face(need: Decide, payload: BurnCards) -> BurnCards | None:
    return replace(payload, faces=((payload.faces[0] + 1) % 40, *payload.faces[1:])) if payload.slots else None


def unproven(need: Decide, payload: Any) -> Any:
    return replace(payload, proof=flipped(payload.proof)) if payload.slots else None


def nothing(need: Decide, payload: BurnCards) -> BurnCards | None:
    return BurnCards((), (), b"", b"") if payload.slots and not need.options else None


def not_its_own(need: Decide, payload: BurnCards) -> BurnCards | None:
    return replace(payload, slots=(0, *payload.slots[1:])) if payload.slots and 0 not in payload.slots else None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (another_face, "another card than it says"),
        (unproven, "the proof does not hold"),
        (nothing, "(R"),
        (not_its_own, "is not in its hand"),
    ],
)
def test_c21_c23_burning(change: Any, reason: str, tmp_path: Path) -> None:
    """Cards of another face (C22), opened wrongly (C16), none at all (C23), one that it does not hold (C21)."""
    convicted(play(when_asked(Ask.BURN, change), [BURNING], rules=BURNS), tmp_path, reason)


def exchanged(need: Decide, payload: PutBack) -> PutBack | None:
    """What goes back is another card than the one that was looked at (C10)."""
    return replace(payload, cards=payload.cards[66:132] + payload.cards[66:]) if len(payload.cards) > 66 else None


def badly_proven(need: Decide, payload: PutBack) -> PutBack | None:
    return replace(payload, proofs=(flipped(payload.proofs[0]), *payload.proofs[1:])) if payload.proofs else None


def one_kept(need: Decide, payload: PutBack) -> PutBack | None:
    """One of the cards that it looked at stays in its hand (C11)."""
    if len(payload.order) < 2:
        return None
    return replace(payload, order=payload.order[1:], cards=payload.cards[66:], proofs=payload.proofs[1:])


@pytest.mark.parametrize(
    ("change", "reason"),
    [(exchanged, "the proof does not hold"), (badly_proven, "the proof does not hold"), (one_kept, "bytes where")],
)
def test_c10_c11_putting_back(change: Any, reason: str, tmp_path: Path) -> None:
    convicted(play(when_asked(Ask.ORDER, change), [PEEKS], rules=HEROES), tmp_path, reason)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda wish: replace(wish, wish=4 - wish.wish, target=9, slot=-1, face=-1, share=b"", proof=b""), "(R"),
        (lambda wish: replace(wish, target=CHEAT), "(R"),
        (
            lambda wish: replace(wish, card_colour=2, slot=0, face=0, share=group.mulg(5).encoded, proof=bytes(98)),
            "another card than it says",
        ),
    ],
    ids=["not offered", "for itself", "a card that it does not hold"],
)
def test_c23_a_wish_that_is_not_offered(change: Any, reason: str, tmp_path: Path) -> None:
    def other(need: Decide, payload: Any) -> Any:
        return change(payload) if isinstance(payload, MakeWish) else None

    rules = Rules.make("dbz", hand_size=5)
    convicted(play(when_asked(Ask.WISH, other), rules=rules, occasion="wish"), tmp_path, reason)


def test_c10_putting_another_card_on_the_pile_than_the_one_that_it_names(tmp_path: Path) -> None:
    """In exchange for the top card, as a ciphertext of its own making."""

    def other(need: Decide, payload: PutBack) -> PutBack | None:
        cards = deck_bytes([(group.mulg(5), group.mulg(6))])
        return replace(payload, cards=cards) if payload.cards else None

    convicted(play(when_asked(Ask.SWAP, other), [EXCHANGES], rules=SHURI), tmp_path, "the proof does not hold")


# -- standing in ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [InsteadStep, StripStep])
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda payload: replace(payload, shares=group.mulg(5).encoded + payload.shares[33:]), "the proof does not"),
        (lambda payload: replace(payload, shares=payload.shares[33:]), "bytes where"),
        (lambda payload: replace(payload, proof=flipped(payload.proof)), "the proof does not hold"),
    ],
    ids=["wrong share", "a share short", "wrong proof"],
)
def test_c16_wrong_help_for_a_seat_that_is_away(kind: Any, change: Any, reason: str, tmp_path: Path) -> None:
    """Whoever helps out wrongly, or while a seat is removed, is named at that step by all others. Nobody can stand in
    for two, so the table waits until the one who was away is back, or ends there."""

    def wrong(node: Cheater, step: HelpStep, payload: Help) -> Help | None:
        return change(payload) if isinstance(step, kind) and payload.shares else None

    rules = Rules.make("batman", hand_size=7, grace_seconds=15 if kind is StripStep else 600)
    table = Simulation(
        4, 4, rules, pace=2.0 if kind is StripStep else 0.2, nodes={CHEAT: cheater(trick_on(HelpStep, wrong))}
    )
    table.start()
    node = table.peers[CHEAT].node
    assert isinstance(node, Cheater)
    table.run_until(lambda: table.peers[0].node.turns >= 2)
    table.crash(3)
    table.run_until(lambda: node.cheated_at >= 0)
    table.restart(3)
    table.run_until(lambda: all(table.peers[seat].closed for seat in (0, 2)), 20_000)
    for seat in (0, 2):
        (accused,) = table.peers[seat].heard(tell.Accused)
        assert (accused.seat, accused.step) == (CHEAT, node.cheated_at)
        assert reason in accused.reason
        verdict = audit(table.write(seat, tmp_path / f"{seat}.p2puno"))
        assert [(offence.seat, offence.step) for offence in verdict.offences] == [(CHEAT, node.cheated_at)]
        assert reason in verdict.problem
