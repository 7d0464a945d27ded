"""One bad seat, or a stranger, that sends as much as it can (C45)."""

from __future__ import annotations

import pytest
import trio

from tests.net.floods import MEMBERS, STRANGERS, Measured, table

CUT = ("junk", "forged", "far", "early", "talk", "echo")


@pytest.fixture(scope="module")
def quiet() -> Measured:
    """A table without a flood."""
    measured = trio.run(table, "quiet")
    print(measured)
    assert not measured.told
    return measured


@pytest.mark.soak
@pytest.mark.parametrize("kind", [*MEMBERS, *STRANGERS])
def test_a_flood_does_not_stop_the_table(quiet: Measured, kind: str) -> None:
    """The work for a step at most doubles, the memory is bounded, the player is told, and the hands end."""
    measured = trio.run(table, kind)
    print(measured)
    assert measured.median <= 2 * quiet.median
    assert measured.memory < quiet.memory + 100
    assert bool(measured.told) is (kind in (*CUT, *STRANGERS))
