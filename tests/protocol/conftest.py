"""All peers of a simulated table, and the audits of their journals, verify the same proofs and signatures and read the
same points in one process: what was once found to hold is not computed again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache

import pytest

from protocol import messages
from protocol.group import group
from protocol.proofs import batch
from protocol.proofs.batch import Equation

MOST = 65_536
"""So many signatures, and so many points, are remembered at a time: more than a table has."""


def _name(equation: Equation) -> bytes:
    parts = (b"%d %b" % (scalar, point.encoded) for scalar, point in equation)
    return hashlib.sha256(b"|".join(parts)).digest()


@pytest.fixture(autouse=True, scope="session")
def verified_once() -> Iterator[None]:
    holds, known = batch._holds, set()

    def remembering(equations: list[Equation]) -> bool:
        new = {name: equation for equation in equations if (name := _name(equation)) not in known}
        if new and not holds([*new.values()]):
            return False
        known.update(new)
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "_holds", remembering)
        patch.setattr(messages, "verify", lru_cache(MOST)(messages.verify))
        patch.setattr(group, "dec", lru_cache(MOST)(group.dec))
        yield
