"""Shuffles are fair and hide what they did."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from protocol.group import group
from protocol.proofs.batch import Batch
from protocol.proofs.encoding import deck_bytes
from protocol.proofs.handover import prove_handover
from protocol.proofs.shuffle import Witness, check_shuffle, masked, prove_shuffle, shuffle
from protocol.proofs.transcript import Nonces, opened
from tests.proofs.table import CTX, HELD, RECEIVER, X, Y, encrypted, face, nonces, scalar, x
from tests.proofs.table import opened as decrypted

CARDS = 6
SHUFFLES = 300
FACES = {face(k): k for k in range(CARDS)}
JOINT = scalar("joint")


def test_one_honest_shuffler_makes_every_place_equally_likely() -> None:
    """C15: the first seat leaves the deck in its order (with a valid proof), the second is honest: over many verified
    shuffles the chi-square of card against place, with 25 degrees of freedom, lies between its 0.1 % ends."""
    deck = [encrypted(k, Y) for k in range(CARDS)]
    still = Witness(range(CARDS), [scalar("still", k) for k in range(CARDS)])
    kept = masked(Y, deck, still)
    first = prove_shuffle(CTX, nonces(), Y, deck, kept, still)
    batch = Batch()
    batch.add("first", check_shuffle(CTX, Y, deck, kept, first))
    seen: Counter[tuple[int, int]] = Counter()
    for game in range(SHUFFLES):
        out, witness = shuffle(CTX, nonces(("game", game)), Y, kept)
        proof = prove_shuffle(CTX, nonces(("game", game)), Y, kept, out, witness)
        batch.add(game, check_shuffle(CTX, Y, kept, out, proof))
        seen.update((FACES[decrypted(card, JOINT)], place) for place, card in enumerate(out))
    assert batch.verify()
    expected = SHUFFLES / CARDS
    statistic = sum((seen[k, place] - expected) ** 2 / expected for k in range(CARDS) for place in range(CARDS))
    assert 8.65 < statistic < 52.62


def test_permutations_are_uniform() -> None:
    """All 24 orders of four things, 23 degrees of freedom."""
    counts: Counter[tuple[int, ...]] = Counter()
    stream = nonces("orders").stream(opened(CTX, "test", X, 4))
    for _ in range(4800):
        counts[tuple(stream.permutation(4))] += 1
    assert len(counts) == 24
    assert 7.53 < sum((count - 200) ** 2 / 200 for count in counts.values()) < 49.73


def test_equal_cards_never_show_equal_bytes() -> None:
    """M14: a pile of eight equal cards, shuffled twice, shows no half of any card a second time."""
    deck = [encrypted(1, Y, r) for r in range(1, 9)]
    once, _ = shuffle(CTX, nonces(), Y, deck)
    twice, _ = shuffle(CTX, nonces("next"), Y, once)
    halves = [half.encoded for pile in (deck, once, twice) for card in pile for half in card]
    assert len(set(halves)) == len(halves) == 48
    assert {decrypted(card, JOINT) for card in twice} == {face(1)}


def test_the_same_card_handed_over_twice_looks_different() -> None:
    """M14 for gifts and shows: another step or another kind gives other bytes."""
    cards = {
        half.encoded
        for ctx in (CTX, replace(CTX, position=CTX.position + 1))
        for kind in ("gift", "show", "putback")
        for half in prove_handover(ctx, nonces(), kind, x, X, HELD, RECEIVER)[0]  # type: ignore[arg-type]
    }
    assert len(cards) == 12


def test_nonces_depend_on_secret_context_kind_and_statement() -> None:
    def seen(source: Nonces, ctx: object = CTX, kind: str = "k", statement: bytes = b"s") -> int:
        transcript = opened(ctx, kind, X, 1)  # type: ignore[arg-type]
        transcript.put("statement", statement)
        return source.stream(transcript).scalar()

    source = nonces()
    values = [
        seen(source),
        seen(nonces("other")),
        seen(source, kind="l"),
        seen(source, statement=b"t"),
        seen(source, replace(CTX, sid=bytes(32))),
        seen(source, replace(CTX, prover=3)),
        seen(source, replace(CTX, deck="x")),
        seen(source, replace(CTX, epoch=2)),
        seen(source, replace(CTX, position=18)),
    ]
    assert len(set(values)) == len(values)
    assert seen(nonces()) == values[0]


def test_a_shuffle_repeats_itself_and_depends_on_the_deck() -> None:
    deck = [encrypted(k, Y) for k in range(CARDS)]
    other = [*deck[:-1], encrypted(9, Y)]
    out, witness = shuffle(CTX, nonces(), Y, deck)
    assert deck_bytes(shuffle(CTX, nonces(), Y, deck)[0]) == deck_bytes(out)
    assert shuffle(CTX, nonces(), Y, other)[1].masks != witness.masks
    assert group.G not in [half for card in out for half in card]


def test_a_witness_does_not_print_its_secrets() -> None:
    witness = Witness([1, 0], [5, 7])
    assert repr(witness) == "Witness()"
