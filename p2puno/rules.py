"""The agreed rules of a table: a game and its options, fixed before the first card and signed by all."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Final

from p2puno.card import Kind
from p2puno.pack import Pack, find_variant
from p2puno.reading import PackError

Value = bool | int | str

_HEAD: Final = "p2puno rules 1"


class RulesError(ValueError):
    """Rules that do not exist. `hint` says what does."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a table may choose. `values`: all that may be chosen, of one type (starter: words)."""

    name: str
    values: tuple[Value, ...]
    meaning: str

    def read(self, text: Value) -> Value:
        """A value of this option from itself or from its text ("on", "off", "7"). Raises RulesError."""
        for value in self.values:
            if type(text) is type(value) and text == value:
                return value
            if isinstance(text, str) and text.strip().lower() == show_value(value):
                return value
        raise RulesError(
            f"{self.name} cannot be {text if isinstance(text, str) else show_value(text)}",
            f"{self.name} may be {self.span()}",
        )

    def span(self) -> str:
        """The values, for people: "on or off", "5 to 9"."""
        words = [show_value(value) for value in self.values]
        numbers = [value for value in self.values if type(value) is int]
        runs = len(numbers) == len(words) and len(words) > 2
        if runs and numbers == list(range(numbers[0], numbers[-1] + 1)):
            return f"{words[0]} to {words[-1]}"
        if runs and numbers[1:] == list(range(numbers[1], numbers[-1] + 1)):
            return f"{words[0]} or {words[1]} to {words[-1]}"
        return ", ".join(words[:-1]) + " or " + words[-1]


def show_value(value: Value) -> str:
    """A value as people write it."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


_SWITCH: Final[tuple[Value, ...]] = (False, True)
OPTIONS: Final[tuple[Option, ...]] = (
    Option("starter", ("random", "youngest", *map(str, range(1, 11))), "who deals first (R2)"),
    Option("hand_size", tuple(range(5, 10)), "cards dealt to each player (R3)"),
    Option("play_after_draw", _SWITCH, "the card just taken may be played at once (R11)"),
    Option("challenge", _SWITCH, "a Wild Draw Four may be challenged (R68)"),
    Option("challenge_shows", ("challenger", "all"), "who sees the hand of a player who proves right (R68)"),
    Option("signal_skips", _SWITCH, "the victim of the Bat Signal loses the turn as well (R72)"),
    Option("score_target", (0, *range(100, 1001)), "points that win the match; 0: a fixed number of hands (R80)"),
    Option("hands", tuple(range(1, 21)), "hands in a match without a score target"),
    Option("uno_penalty", tuple(range(5)), "cards for being caught without the call UNO; 0: no calls (R62)"),
    Option("uno_window", tuple(range(1, 11)), "seconds in which an undeclared UNO can be caught (R61)"),
    Option("turn_seconds", (0, *range(15, 301)), "seconds for a move; 0: no limit (R57)"),
    Option("grace_seconds", tuple(range(15, 601)), "seconds after which an absent player may be removed (R57)"),
    Option("drop_outs", (0, 1), "players who may be silent at once without stopping the table (two players: none)"),
)  # fmt: skip
_BY_NAME: Final[Mapping[str, Option]] = {option.name: option for option in OPTIONS}


@dataclass(frozen=True, slots=True)
class Rules:
    """The game and every option. Build it with `Rules.make`, which checks the values."""

    variant: str
    starter: str = "random"
    hand_size: int = 7
    play_after_draw: bool = True
    challenge: bool = True
    challenge_shows: str = "challenger"
    signal_skips: bool = False
    score_target: int = 0
    hands: int = 1
    uno_penalty: int = 2
    uno_window: int = 3
    turn_seconds: int = 60
    grace_seconds: int = 90
    drop_outs: int = 1

    @classmethod
    def make(cls, variant: str, **options: Value) -> Rules:
        """Rules of a game; options by name, as values or as their text. Raises RulesError with a hint."""
        try:
            find_variant(variant)
        except PackError as error:
            raise RulesError(*_split(str(error))) from error
        chosen: dict[str, Value] = {}
        for name, value in options.items():
            if name not in _BY_NAME:
                near = get_close_matches(name, _BY_NAME, 1, 0.5)
                raise RulesError(
                    f"there is no option {name}",
                    f"did you mean {near[0]}?" if near else "options: " + ", ".join(_BY_NAME),
                )
            chosen[name] = _BY_NAME[name].read(value)
        return cls(variant, **chosen)  # type: ignore[arg-type]  # read() gave each its type

    @property
    def pack(self) -> Pack:
        """The cards."""
        return find_variant(self.variant)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """All kinds of cards; a face is an index into it."""
        return self.pack.kinds

    @property
    def faces(self) -> Mapping[str, int]:
        """The face of each card by its short notation."""
        return self.pack.faces

    @property
    def slots(self) -> int:
        """How many cards the deck has."""
        return len(self.pack.deck)

    def deck(self) -> tuple[int, ...]:
        """The face in each slot before the first shuffle: known to all."""
        return self.pack.deck

    def options(self) -> dict[str, Value]:
        """Every option and its value, in the order of `OPTIONS`."""
        return {option.name: getattr(self, option.name) for option in OPTIONS}

    def encode(self) -> bytes:
        """Canonical bytes: lines of UTF-8, every option named, with the digest of the cards."""
        lines = [_HEAD, f"game {self.variant}", f"cards {self.pack.digest.hex()}"]
        lines += [f"{name} {show_value(value)}" for name, value in self.options().items()]
        return "".join(line + "\n" for line in lines).encode()

    @classmethod
    def decode(cls, data: bytes) -> Rules:
        """The rules of which `data` is the encoding. Raises RulesError for anything that `encode` would not write."""
        try:
            lines = data.decode("ascii").split("\n")
            pairs = [line.split(" ", 1) for line in lines[1:-1]]
            keys = dict(pair for pair in pairs if len(pair) == 2)
        except (UnicodeDecodeError, ValueError) as error:
            raise RulesError("these are no rules of p2puno") from error
        if lines[0] != _HEAD or "game" not in keys or "cards" not in keys:
            raise RulesError("these are no rules of p2puno", "both sides need the same version")
        options: dict[str, Value] = {key: value for key, value in keys.items() if key not in ("game", "cards")}
        rules = cls.make(keys["game"], **options)
        if keys["cards"] != rules.pack.digest.hex():
            raise RulesError(f"the cards of {keys['game']} differ", "both sides need the same version")
        if rules.encode() != data:
            raise RulesError("these rules are not written in their one form")
        return rules

    def digest(self) -> bytes:
        """SHA-256 of `encode()`: 32 bytes."""
        return hashlib.sha256(self.encode()).digest()

    def describe(self) -> list[str]:
        """The rules for people, one line each."""
        pack = self.pack
        lines = [f"{pack.name}, {len(pack.deck)} cards, {pack.players[0]} to {pack.players[-1]} players"]
        for option in OPTIONS:
            value, default = getattr(self, option.name), getattr(_DEFAULTS, option.name)
            changed = "" if value == default else f" (usual: {show_value(default)})"
            lines.append(f"{option.name} {show_value(value)}{changed}: {option.meaning}")
        return lines


def _split(message: str) -> tuple[str, str]:
    said, _, hint = message.partition("; ")
    return said, hint


_DEFAULTS: Final = Rules("batman")
if {field.name for field in fields(Rules)} != {"variant", *_BY_NAME}:  # a new option needs both lines
    raise AssertionError("OPTIONS and the fields of Rules differ")
