"""What all seats must agree on when a step begins, in one hash: it is in every entry of the step."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from protocol.table import Table


def public_state(table: Table, silent: Sequence[int]) -> bytes:
    """SHA-256 over the engine's state, every ciphertext, all keys, the scores, the escrow, who is here, and who was
    absent (`silent`) when the running step began."""
    parts = (
        table.phase.value.encode(),
        table.hand.to_bytes(4, "big"),
        b"".join(score.to_bytes(4, "big") for score in table.scores),
        table.game.state_hash() if table.game else b"",
        table.cards.digest() if table.cards else b"",
        table.escrow.digest() if table.escrow else b"",
        bytes(table.present),
        bytes(silent),
    )
    return hashlib.sha256(
        b"p2puno/1 state\x00" + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    ).digest()
