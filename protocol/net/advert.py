"""What a table says of itself on the network, and what of it we believe: nothing, but we may show it.

docs/discovery.md describes the bytes.  Anybody on the network can say anything, so everything is checked for its form
and cleaned here, once; who a table really is shows only the key in the greeting of a link (C46).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from p2puno.rules import Rules
from protocol.identity import PUBLIC_SIZE, words
from protocol.names import NAME_CELLS, clean
from protocol.payloads import MAX_PLAYERS

VERSION: Final = "1"
DIGEST_SIZE: Final = 8  # bytes: enough to see whether the rules are the usual ones, too few to decide anything by
_VARIANT: Final = re.compile(r"[a-z_]{1,24}")


@dataclass(frozen=True, slots=True)
class Advert:
    """A table in a few words.  ``name``: of its creator, fit for a screen; ``rules``: `digest` of its rules;
    ``private``: whether it wants an invite code; ``running``: whether it has begun; ``watchers``: whether it may be
    watched."""

    key: bytes
    name: str
    variant: str
    taken: int
    seats: int
    rules: bytes
    private: bool
    running: bool = False
    watchers: bool = False

    @property
    def label(self) -> str:
        """The instance name that belongs to this key; a label of DNS has no room for all of it."""
        return self.key[:16].hex()

    @property
    def words(self) -> str:
        """The safety words of the creator's key."""
        return words(self.key)

    def properties(self) -> dict[str, str]:
        """As it is announced."""
        return {
            "v": VERSION,
            "key": self.key.hex(),
            "name": self.name,
            "game": self.variant,
            "taken": str(self.taken),
            "seats": str(self.seats),
            "rules": self.rules.hex(),
            "private": "1" if self.private else "0",
            "running": "1" if self.running else "0",
            "watch": "1" if self.watchers else "0",
        }

    @classmethod
    def read(cls, properties: Mapping[bytes, bytes | None]) -> "Advert":
        """What was announced.  Raises ValueError for what is none of ours, or of a version unknown here."""

        def field(name: str) -> str:
            return (properties.get(name.encode()) or b"").decode()

        def number(name: str, least: int) -> int:
            text = field(name)
            if not (text.isascii() and text.isdigit() and len(text) < 3 and least <= int(text) <= MAX_PLAYERS):
                raise ValueError(f"no number: {name}")
            return int(text)

        key, rules = bytes.fromhex(field("key")), bytes.fromhex(field("rules"))
        if field("v") != VERSION or len(key) != PUBLIC_SIZE or len(rules) != DIGEST_SIZE:
            raise ValueError("not an advert of this version")
        flags = [field(name) for name in ("private", "running", "watch")]
        if not _VARIANT.fullmatch(field("game")) or not set(flags) <= {"0", "1"}:
            raise ValueError("not an advert of a table")
        return cls(
            key,
            clean((properties.get(b"name") or b"").decode("utf-8", "replace"), NAME_CELLS),
            field("game"),
            number("taken", 1),
            number("seats", 2),
            rules,
            *(flag == "1" for flag in flags),
        )


def digest(rules: Rules) -> bytes:
    """The beginning of a hash over rules, options and heroes, `DIGEST_SIZE` bytes."""
    return sha256(b"p2puno/1 rules\x00" + rules.encode()).digest()[:DIGEST_SIZE]
