"""Every proof holds for its own statement and for nothing else."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from protocol.group import POINT_BYTES, Point, Q
from protocol.proofs.batch import BadProof, require
from tests.proofs.table import CTX, Example, altered, examples

EXAMPLES = examples()


@pytest.fixture(params=EXAMPLES)
def example(request: pytest.FixtureRequest) -> Example:
    return EXAMPLES[request.param]


def test_an_honest_proof_is_accepted(example: Example) -> None:
    require(example.equations())


def test_the_same_statement_gives_the_same_bytes() -> None:
    """A peer that starts again repeats itself and does not equivocate by accident."""
    again = examples()
    assert [again[name].proof.to_bytes() for name in again] == [EXAMPLES[name].proof.to_bytes() for name in EXAMPLES]


def test_every_field_of_the_proof_counts(example: Example) -> None:
    """Each point moved or negated, each scalar changed or not canonical, each list swapped, cut or grown."""
    changes = list(altered(example.proof))
    assert len(changes) >= 4
    assert all(example.refused(change) for change in changes)


def test_every_part_of_the_statement_counts(example: Example) -> None:
    """M07, weak Fiat–Shamir: each public input changed after the proof was made."""
    for name, value in example.statement.items():
        changes = list(altered(value))
        assert changes
        for change in changes:
            assert example.refused(**{name: change}), (name, change)


def test_every_public_input_moves_the_challenges(example: Example) -> None:
    """M07, weak Fiat–Shamir: the numbers of a check come from the proof and the challenges alone, so a public input
    that were left out of the hash would leave them as they are."""

    honest = numbers(example)
    for name, value in example.statement.items():
        for change in altered(value):
            assert numbers(example, **{name: change}) != honest, (name, change)


def test_every_first_message_moves_the_challenges(example: Example) -> None:
    """M07, weak Fiat–Shamir, for what the prover itself says before the last challenge: all points of a proof."""
    honest = numbers(example)
    for part in fields(example.proof):
        points = getattr(example.proof, part.name)
        if isinstance(points, Point) or (isinstance(points, tuple) and any(isinstance(P, Point) for P in points)):
            for change in altered(points):
                changed = replace(example.proof, **{part.name: change})
                assert numbers(example, proof=changed) != honest, part.name


def numbers(example: Example, **changed: object) -> list[int] | None:
    """The scalars of a check; None if it refuses before (another length, or challenges that do not add up)."""
    try:
        return [scalar for equation in example.equations(**changed) for scalar, _ in equation]
    except BadProof:
        return None


@pytest.mark.parametrize("part", ["sid", "prover", "deck", "epoch", "position"])
def test_replay(part: str, example: Example) -> None:
    """C12, C16: a proof of another session, seat, pile, epoch or step is worth nothing."""
    others = dict(zip(CTX.__slots__, altered(CTX), strict=True))
    assert example.refused(ctx=others[part])


def test_bytes_come_back(example: Example) -> None:
    data = example.proof.to_bytes()
    assert example.decode(data) == example.proof


def test_no_other_bytes_decode(example: Example) -> None:
    """Trailing, missing, uncompressed, off the curve: one layout only."""
    data = example.proof.to_bytes()
    bad_x = b"\x02" + b"\xff" * 32
    for wrong in (data + b"\0", data[:-1], b"", b"\x04" + data[1:], bad_x + data[POINT_BYTES:]):
        with pytest.raises(BadProof):
            example.decode(wrong)


def test_a_scalar_of_q_does_not_decode(example: Example) -> None:
    """Every proof ends with a scalar."""
    data = example.proof.to_bytes()
    last = data[:-32] + Q.to_bytes(32, "big")
    with pytest.raises(BadProof):
        example.decode(last)


def test_every_flipped_bit_of_a_short_proof_is_refused() -> None:
    """One bit in every byte of the proof of a share."""
    example = EXAMPLES["shares-1"]
    data = example.proof.to_bytes()
    for at in range(len(data)):
        flipped = data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]
        try:
            proof = example.decode(flipped)
        except BadProof:
            continue
        assert example.refused(proof)
