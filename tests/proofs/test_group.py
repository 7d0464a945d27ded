"""Both backends are the same group, to the byte, and refuse the same bytes."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from protocol.group import BadPoint, Group, Point, Q, reference
from tests.proofs.table import scalar

native = pytest.importorskip("protocol.group.native")

FIELD = 2**256 - 2**32 - 977
EDGES = [1, 2, Q // 2, Q - 2, Q - 1]
BACKENDS: list[Group] = [native, reference]


def pair(*name: object) -> tuple[Point, Point]:
    """The same point in both backends."""
    data = repr(name).encode()
    return native.h2g(data), reference.h2g(data)


def test_the_generator_is_the_published_one() -> None:
    assert native.G.encoded == reference.G.encoded
    assert native.mulg(1) == native.G
    assert reference.mulg(1) == reference.G


@pytest.mark.parametrize("s", [*EDGES, *(scalar("random", k) for k in range(30))])
def test_every_operation_agrees(s: int) -> None:
    plain, other = pair("P", s)
    two, other_two = pair("R", s)
    assert native.mulg(s).encoded == reference.mulg(s).encoded
    assert native.mul(plain, s).encoded == native.mulv(plain, s).encoded == reference.mul(other, s).encoded
    assert native.mulv(plain, s) == reference.mulv(other, s)
    assert native.neg(plain).encoded == reference.neg(other).encoded
    assert native.add(plain, two) == reference.add(other, other_two)
    assert native.sub(plain, two) == reference.sub(other, other_two)
    assert native.add(plain, plain) == reference.add(other, other) == reference.mul(other, 2)
    three = [s, Q - s, 3]
    assert native.msm(three, [plain, two, native.G]) == reference.msm(three, [other, other_two, reference.G])
    assert native.dec(plain.encoded) == reference.dec(other.encoded) == plain


@pytest.mark.parametrize("group", BACKENDS, ids=lambda group: group.NAME)
class TestOneBackend:
    """What holds in each backend by itself."""

    @pytest.mark.parametrize("s", [0, -1, Q, Q + 1, 2**256])
    def test_a_multiplier_lies_in_1_to_q_minus_1(self, group: Group, s: int) -> None:
        for multiply in (group.mul, group.mulv):
            with pytest.raises(ValueError, match="multiplier"):
                multiply(group.G, s)
        with pytest.raises(ValueError, match="multiplier"):
            group.mulg(s)

    def test_none_is_the_identity(self, group: Group) -> None:
        P = group.mulg(5)
        assert group.add(None, None) is group.sub(None, None) is group.sum([]) is group.sum([None]) is None
        assert group.add(P, None) == group.add(None, P) == group.sub(P, None) == P
        assert group.sub(None, P) == group.neg(P)
        assert group.equal(P, P)
        assert group.equal(None, None)
        assert not group.equal(P, None)

    def test_sums_that_vanish(self, group: Group) -> None:
        P, R = group.mulg(5), group.mulg(7)
        assert group.sub(P, P) is None
        assert group.sum([P, R, None, group.neg(P), group.neg(R)]) is None
        assert group.mulg(Q - 1) == group.neg(group.G)
        assert group.msm([], []) is None
        assert group.msm([0, Q, 2 * Q], [P, R, P]) is None
        assert group.msm([7, -5], [P, R]) is None
        assert group.msm([Q + 1], [P]) == P

    def test_msm_is_the_sum_of_multiples(self, group: Group) -> None:
        points = [group.mulg(k + 1) for k in range(8)]
        scalars = [*EDGES, -1, 0, 2**300]
        expected = sum(s * (k + 1) for k, s in enumerate(scalars)) % Q
        assert group.msm(scalars, points) == group.mulg(expected)
        with pytest.raises(ValueError, match="zip"):
            group.msm([1], points)

    def test_malformed_encodings(self, group: Group) -> None:
        """Each of nine ways to write a point wrongly is refused."""
        good = group.mulg(3).encoded
        x = good[1:]
        off_curve = next(
            data
            for data in (b"\x02" + k.to_bytes(32, "big") for k in range(1, 99))
            if pow(int.from_bytes(data[1:], "big") ** 3 + 7, (FIELD - 1) // 2, FIELD) != 1
        )
        above = b"\x02" + (FIELD + 1).to_bytes(32, "big")  # x = 1 is on the curve, its long form is not canonical
        assert group.dec(b"\x02" + (1).to_bytes(32, "big"))
        for wrong in (
            b"\x00" + x, b"\x04" + x, b"\x06" + x, above, off_curve, good[:-1], good + b"\0", b"", b"\x04" + x * 2,
        ):  # fmt: skip
            with pytest.raises(BadPoint):
                group.dec(wrong)

    def test_points_compare_and_hash_by_their_bytes(self, group: Group) -> None:
        assert {group.mulg(9), group.mul(group.mulg(3), 3), group.dec(group.mulg(9).encoded)} == {group.mulg(9)}
        assert group.mulg(9) != 9
        assert group.enc(group.mulg(9)).hex() in repr(group.mulg(9))

    def test_parts_of_a_hash_are_framed(self, group: Group) -> None:
        """Moving a byte from one part to the next gives another point."""
        assert len({group.h2g(b"ab", b"c"), group.h2g(b"a", b"bc"), group.h2g(b"abc"), group.h2g(b"abc", b"")}) == 4


@pytest.mark.parametrize("count", [449, 450, 900])
def test_buckets_agree_with_single_multiples(count: int) -> None:
    """Pippenger against naive, on random and edge scalars and on small ones of both signs."""
    dice = random.Random(count)
    logs = [dice.randrange(1, Q) for _ in range(count)]
    points = [native.mulg(log) for log in logs]
    scalars = [dice.choice([dice.randrange(Q), dice.choice(EDGES), -dice.randrange(2**128)]) for _ in logs]
    expected = native.mulg(sum(s * log for s, log in zip(scalars, logs, strict=True)) % Q)
    assert native.msm(scalars, points) == expected
    assert native.msm([*scalars, -1], [*points, expected]) is None


def test_buckets_cancel_in_the_middle() -> None:
    """Equal and opposite points in one bucket, so that partial sums are the identity."""
    points = [native.mulg(k % 3 + 1) for k in range(300)]
    assert native.msm([7] * 600, points + [native.neg(P) for P in points]) is None
    assert native.msm([7] * 600 + [1], [*points, *(native.neg(P) for P in points), native.G]) == native.G


def test_the_reference_uses_large_windows_too() -> None:
    logs = [scalar("log", k) for k in range(120)]
    points = [reference.mulg(log) for log in logs]
    expected = reference.mulg(sum(log * log for log in logs) % Q)
    assert reference.msm(logs, points) == expected


@pytest.mark.parametrize(("wish", "name"), [("", "native"), ("native", "native"), ("reference", "reference")])
def test_the_environment_chooses_the_backend(wish: str, name: str) -> None:
    assert _backend(wish) == name


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        _backend("fast")


def _backend(wish: str) -> str:
    command = [sys.executable, "-c", "from protocol.group import group; print(group.NAME)"]
    environment = {**os.environ, "P2PUNO_GROUP": wish}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()
