"""A second reading of journals, made from the documents alone: docs/wire.md, docs/deck-protocol.md, docs/absence.md.

It shares with the players' programs what turns bytes into messages, the proofs and the rules, and nothing else: no
module of the table that they run. A fault there would show as a difference (docs/architecture.md).
"""

from protocol.reading.reader import Read, judge, read, read_whole

__all__ = ["Read", "judge", "read", "read_whole"]
