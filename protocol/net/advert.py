"""What a table says of itself on the network, and what of it we believe: nothing, but we may show it.

docs/discovery.md describes the bytes.  Anybody on the network can say anything, so everything is checked for its form
and cleaned here, once; who a table really is shows only the key in the greeting of a link (C46).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from p2puno.rules import Rules, show_value
from protocol.identity import PUBLIC_SIZE, words
from protocol.names import NAME_CELLS, clean
from protocol.payloads import MAX_PLAYERS

VERSION: Final = "1"
DIGEST_SIZE: Final = 8  # bytes: enough to see whether the rules are the usual ones, too few to decide anything by
OPTIONS_SIZE: Final = 100  # bytes for the options that are not usual; the record has to stay small
MORE: Final = "..."
"""Stands behind the options that are announced where there was no room for all."""
_VARIANT: Final = re.compile(r"[a-z_]{1,24}")
_OPTION: Final = re.compile(r"[a-z_]{1,24}=[a-z0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class Advert:
    """A table in a few words.  ``name``: of its creator, fit for a screen; ``rules``: `digest` of its rules;
    ``private``: whether it wants an invite code; ``running``: whether it has begun; ``watchers``: whether it may be
    watched; ``unusual``: the options that are not as usual in its game, each as "stacking=on", `MORE` behind them if
    these are not all."""

    key: bytes
    name: str
    variant: str
    taken: int
    seats: int
    rules: bytes
    private: bool
    running: bool = False
    watchers: bool = False
    unusual: tuple[str, ...] = ()

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
            "options": " ".join(self.unusual),
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
        private, running, watch = (field(name) for name in ("private", "running", "watch"))
        unusual = tuple(field("options").split(" ")) if field("options") else ()  # there were tables that said none
        plain = unusual[:-1] if unusual[-1:] == (MORE,) else unusual
        if not _VARIANT.fullmatch(field("game")) or not {private, running, watch} <= {"0", "1"}:
            raise ValueError("not an advert of a table")
        if len(field("options")) > OPTIONS_SIZE or not all(_OPTION.fullmatch(option) for option in plain):
            raise ValueError("not the options of a table")
        return cls(
            key,
            clean((properties.get(b"name") or b"").decode("utf-8", "replace"), NAME_CELLS),
            field("game"),
            number("taken", 1),
            number("seats", 2),
            rules,
            private == "1",
            running == "1",
            watch == "1",
            unusual,
        )


def digest(rules: Rules) -> bytes:
    """The beginning of a hash over rules, options and heroes, `DIGEST_SIZE` bytes."""
    return sha256(b"p2puno/1 rules\x00" + rules.encode()).digest()[:DIGEST_SIZE]


def unusual_options(rules: Rules) -> tuple[str, ...]:
    """What an advert says of the options of these rules: the first ones that there is room for."""
    usual = Rules.make(rules.variant).options()
    chosen = [f"{name}={show_value(value)}" for name, value in rules.options().items() if value != usual[name]]
    kept = list(chosen)
    while len(" ".join(kept if kept == chosen else [*kept, MORE])) > OPTIONS_SIZE:
        kept.pop()
    return tuple(kept if kept == chosen else [*kept, MORE])
