"""Cheating provers: each runs the real prover on something that is not so, and is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.group import Point, Q, group
from protocol.proofs import dleq, handover, membership, schnorr, shuffle
from protocol.proofs.batch import BadProof, Batch, require
from protocol.proofs.encoding import Card, deck_bytes, deck_from_bytes
from protocol.proofs.handover import HandoverProof
from tests.proofs.table import (
    CTX,
    DECK,
    FACES,
    HELD,
    RECEIVER,
    X,
    Y,
    encrypted,
    examples,
    face,
    nonces,
    opened,
    present,
    refused,
    scalar,
    x,
)

N = len(DECK)
MASKS = [scalar("mask", k) for k in range(N)]


def shuffle_refused(deck_out: list[Card], witness: shuffle.Witness) -> bool:
    proof = shuffle.prove_shuffle(CTX, nonces(), Y, DECK, deck_out, witness)
    return refused(lambda: shuffle.check_shuffle(CTX, Y, DECK, deck_out, proof))


def test_the_honest_witness_of_these_cheats_is_accepted() -> None:
    witness = shuffle.Witness([3, 1, 4, 0, 2], MASKS)
    assert not shuffle_refused(shuffle.masked(Y, DECK, witness), witness)


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 3], [0, 0, 1, 2, 3], [2, 2, 2, 2, 2]])
def test_a_doubled_card(order: list[int]) -> None:
    """C11: a shuffle that is no permutation: one card twice, another gone."""
    witness = shuffle.Witness(order, MASKS)
    assert shuffle_refused(shuffle.masked(Y, DECK, witness), witness)


@pytest.mark.parametrize("place", range(N))
def test_a_substituted_card(place: int) -> None:
    """C10: a card of the shuffler's choice in place of one of the deck."""
    witness = shuffle.Witness([3, 1, 4, 0, 2], MASKS)
    deck_out = shuffle.masked(Y, DECK, witness)
    deck_out[place] = encrypted(9, Y, MASKS[place])
    assert shuffle_refused(deck_out, witness)


def test_a_dropped_card() -> None:
    """C11: a shorter deck, with a valid proof for the cards that it kept."""
    short, witness = shuffle.shuffle(CTX, nonces(), Y, DECK[:4])
    proof = shuffle.prove_shuffle(CTX, nonces(), Y, DECK[:4], short, witness)
    with pytest.raises(BadProof, match="5 cards became 4"):
        shuffle.check_shuffle(CTX, Y, DECK, short, proof)


def test_a_shuffle_under_the_wrong_joint_key() -> None:
    """C13: a deck masked under another key could never be opened by the table."""
    wrong = group.mulg(scalar("wrong joint"))
    witness = shuffle.Witness([3, 1, 4, 0, 2], MASKS)
    deck_out = shuffle.masked(wrong, DECK, witness)
    assert shuffle_refused(deck_out, witness)
    proof = shuffle.prove_shuffle(CTX, nonces(), wrong, DECK, deck_out, witness)
    assert refused(lambda: shuffle.check_shuffle(CTX, Y, DECK, deck_out, proof))


def test_a_repeated_first_half_is_refused() -> None:
    """Two cards with one first half would both open with one share."""
    deck_out, witness = shuffle.shuffle(CTX, nonces(), Y, DECK)
    proof = shuffle.prove_shuffle(CTX, nonces(), Y, DECK, deck_out, witness)
    deck_out[1] = (deck_out[0][0], deck_out[1][1])
    with pytest.raises(BadProof, match="first half"):
        shuffle.check_shuffle(CTX, Y, DECK, deck_out, proof)


@pytest.mark.parametrize("count", [0, 1, 1025])
def test_a_deck_of_the_wrong_length(count: int) -> None:
    with pytest.raises(BadProof):
        shuffle.shuffle(CTX, nonces(), Y, DECK[:1] * count)
    with pytest.raises(BadProof):
        shuffle.ShuffleProof.from_bytes(bytes(264 + (3 * count + 2) * 32), count)


def test_a_deck_travels_as_66_bytes_a_card() -> None:
    data = deck_bytes(DECK)
    assert len(data) == 66 * N
    assert deck_from_bytes(data, N) == DECK
    with pytest.raises(BadProof):
        deck_from_bytes(data[:-1], N)


def test_a_wrong_share() -> None:
    """C16: a share made with another key, alone and among right ones."""
    a = [group.mulg(scalar("a", k)) for k in range(4)]
    for cards in (a[:1], a):
        shares, proof = dleq.prove_shares(CTX, nonces(), x + 1, X, cards)
        assert refused(lambda cards=cards, shares=shares, proof=proof: dleq.check_shares(CTX, X, cards, shares, proof))


def test_two_wrong_shares_that_make_up_for_each_other() -> None:
    """C16: their sum is right, and the real prover proves them; only the weights tell."""
    a = [group.mulg(scalar("a", k)) for k in range(3)]
    right = [group.mul(point, x) for point in a]
    wrong = [present(group.add(right[0], group.G)), present(group.sub(right[1], group.G)), right[2]]

    def forged(D: list[Point]) -> dleq.ShareProof:
        transcript, weights = dleq._statement(CTX, X, a, D)
        w = scalar("w")
        T1, T2 = group.mulg(w), group.mul(present(group.msm(weights, a)), w)
        return dleq.ShareProof(T1, T2, (w + dleq._challenge(transcript, T1, T2) * x) % Q)

    assert not refused(lambda: dleq.check_shares(CTX, X, a, right, forged(right)))
    assert refused(lambda: dleq.check_shares(CTX, X, a, wrong, forged(wrong)))


def test_shares_for_no_card() -> None:
    with pytest.raises(BadProof):
        dleq.prove_shares(CTX, nonces(), x, X, [])


def test_rogue_key() -> None:
    """C02: a key made of the others' keys, so that the joint key would be the cheat's alone: it has no proof."""
    wish = scalar("wish")
    rogue = present(group.sub(group.mulg(wish), X))
    proof = schnorr.prove_key(CTX, nonces(), wish, rogue, b"")
    assert refused(lambda: schnorr.check_key(CTX, rogue, b"", proof))


def test_a_copied_key() -> None:
    """C03: the key of another seat with its proof is refused in one's own name."""
    proof = schnorr.prove_key(CTX, nonces(), x, X, b"")
    require(schnorr.check_key(CTX, X, b"", proof))
    copycat = replace(CTX, prover=CTX.prover + 1)
    with pytest.raises(BadProof):
        require(schnorr.check_key(copycat, X, b"", proof))


@pytest.mark.parametrize("index", range(len(FACES)))
def test_a_false_attestation(index: int) -> None:
    """C26: the card is none of the faces, whichever branch the cheat tries."""
    card = encrypted(9, X, scalar("other"))
    proof = membership.prove_member(CTX, nonces(), x, X, card, FACES, index)
    assert refused(lambda: membership.check_member(CTX, X, card, FACES, proof))


def test_a_proof_in_the_name_of_another_key() -> None:
    """C16, C26: membership and hand-over with one's own secret, said to be that of another public key."""
    member = membership.prove_member(CTX, nonces(), x, Y, HELD, FACES, 1)
    assert refused(lambda: membership.check_member(CTX, Y, HELD, FACES, member))
    new, proof = handover.prove_handover(CTX, nonces(), "gift", x, Y, HELD, RECEIVER)
    assert refused(lambda: handover.check_handover(CTX, "gift", Y, HELD, RECEIVER, new, proof))


def test_a_face_listed_twice() -> None:
    """Else two provers could claim different branches for one card."""
    with pytest.raises(BadProof, match="twice"):
        membership.prove_member(CTX, nonces(), x, X, HELD, [face(3), face(3)], 0)


def test_membership_in_a_single_face_is_a_plain_opening() -> None:
    proof = membership.prove_member(CTX, nonces(), x, X, HELD, [face(3)], 0)
    require(membership.check_member(CTX, X, HELD, [face(3)], proof))
    assert refused(lambda: membership.check_member(CTX, X, HELD, [face(4)], proof))


@pytest.mark.parametrize("kind", handover.KINDS)
def test_an_honest_hand_over_gives_the_receiver_the_card(kind: handover.Kind) -> None:
    new, proof = handover.prove_handover(CTX, nonces(), kind, x, X, HELD, RECEIVER)
    require(handover.check_handover(CTX, kind, X, HELD, RECEIVER, new, proof))
    assert opened(new, scalar("receiver")) == face(3)


def forged_handover(new: Card, r: int) -> HandoverProof:
    """What the real prover would say of (HELD, new), taking r for the randomness of the new card."""
    transcript = handover._statement(CTX, "gift", X, HELD, RECEIVER)
    transcript.put_points("new", *new)
    u, v = scalar("u"), scalar("v")
    T1, T2 = group.mulg(u), group.mulg(v)
    T3 = present(group.sub(group.mul(HELD[0], u), group.mul(RECEIVER, v)))
    c = handover._challenge(transcript, T1, T2, T3)
    return HandoverProof(T1, T2, T3, (u + c * x) % Q, (v + c * r) % Q)


def false_equations(new: Card, proof: HandoverProof) -> list[int]:
    """The numbers of the equations that do not hold."""
    equations = handover.check_handover(CTX, "gift", X, HELD, RECEIVER, new, proof)
    batch = Batch()
    for number, equation in enumerate(equations, 1):
        batch.add(number, [equation])
    assert batch.verify() == (not batch.culprits())
    return batch.culprits()  # type: ignore[return-value]


def test_the_forger_of_these_cheats_can_tell_the_truth() -> None:
    r = scalar("r")
    honest = encrypted(3, RECEIVER, r)
    assert false_equations(honest, forged_handover(honest, r)) == []


def test_a_wrong_card_handed_over() -> None:
    """C27: another face than the one held."""
    r = scalar("r")
    wrong = encrypted(4, RECEIVER, r)
    assert false_equations(wrong, forged_handover(wrong, r)) == [3]


def test_a_card_handed_over_under_the_wrong_key() -> None:
    """C28: the receiver could not read it, a third seat could."""
    r = scalar("r")
    wrong = encrypted(3, group.mulg(scalar("a third seat")), r)
    assert false_equations(wrong, forged_handover(wrong, r)) == [3]


def test_oracle_gift() -> None:
    """C54: a gift that reuses the first half of a card of its victim. Playing the gift would publish the share that
    opens that other card. All equations hold but the one that shows that the giver knows r."""
    victims_card = encrypted(1, RECEIVER, scalar("the victim's own randomness"))
    s = scalar("any r that is not the one of the victim's card")
    gift = (victims_card[0], present(group.add(face(3), group.mul(RECEIVER, s))))
    assert false_equations(gift, forged_handover(gift, s)) == [2]


def test_a_hand_over_to_oneself_or_of_no_kind() -> None:
    with pytest.raises(BadProof, match="holds it"):
        handover.prove_handover(CTX, nonces(), "gift", x, X, HELD, X)
    with pytest.raises(BadProof, match="no such"):
        handover.prove_handover(CTX, nonces(), "loan", x, X, HELD, RECEIVER)  # type: ignore[arg-type]


def test_the_batch_names_the_culprit() -> None:
    """One merged check says that something is wrong; proof by proof it says who."""
    batch = Batch()
    for name, example in examples().items():
        batch.add(name, example.equations())
    assert batch.verify()
    assert batch.culprits() == []
    share, deal = examples()["shares-4"], examples()["shuffle-5"]
    batch.add("seat 3", share.equations(replace(share.proof, z=share.proof.z ^ 1)))
    batch.add("seat 5", deal.equations())
    batch.add("seat 7", deal.equations(replace(deal.proof, E1=group.G)))
    assert not batch.verify()
    assert batch.culprits() == ["seat 3", "seat 7"]


def test_two_false_equations_do_not_make_up_for_each_other() -> None:
    """One weight for every equation, not one for the proof."""
    batch = Batch()
    batch.add("a cheat", [[(1, group.G)], [(-1, group.G)]])
    assert not batch.verify()
    assert batch.culprits() == ["a cheat"]


def test_an_empty_batch_holds() -> None:
    assert Batch().verify()
