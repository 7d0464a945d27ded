"""What all seats must agree on when a step begins, in two hashes that are in every entry of the step: the public state,
and the row, which is the chain over all that was contributed before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
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


def next_row(row: bytes, number: int, hashes: Iterable[bytes]) -> bytes:
    """The row after step `number`, which began at `row` and ended with these entries (docs/wire.md); 32 bytes."""
    return hashlib.sha256(b"p2puno/1 row\x00" + row + number.to_bytes(4, "big") + b"".join(hashes)).digest()
