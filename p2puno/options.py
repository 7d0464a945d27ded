"""What a table may choose beside the game: options, their values and the games that they concern."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from p2puno.said import OR, joined, said

Value = bool | int | str


class RulesError(ValueError):
    """Rules that do not exist. `hint` says what does."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a table may choose. `values`: all that may be chosen, of one type (starter: words).

    `games`: the families ("classic", "ultimate") or games that it concerns; none: all of them. `usual`: the value that
    a family begins with, where it is another one than that of the field of `Rules`. `later`: it came when there were
    journals already, so the bytes of rules name it only where it is not usual, and old journals stay good.
    """

    name: str
    values: tuple[Value, ...]
    meaning: str
    games: tuple[str, ...] = ()
    usual: Mapping[str, Value] = field(default_factory=dict, hash=False)
    later: bool = False

    def concerns(self, family: str, game: str) -> bool:
        """Whether this game has the option."""
        return not self.games or family in self.games or game in self.games

    def up_to(self, most: int) -> Option:
        """The same without the numbers above `most`, which its values may be as texts."""
        return replace(self, values=tuple(v for v in self.values if not str(v).isdigit() or int(v) <= most))

    def read(self, text: Value) -> Value:
        """A value of this option from itself or from its text ("on", "off", "7"). Raises RulesError."""
        for value in self.values:
            if type(text) is type(value) and text == value:
                return value
            if isinstance(text, str) and text.strip().lower() == show_value(value):
                return value
        raise RulesError(
            said(
                "{option} cannot be {value}",
                option=self.name,
                value=text if isinstance(text, str) else show_value(text),
            ),
            said("{option} may be {values}", option=self.name, values=self.span()),
        )

    def span(self) -> str:
        """The values, for people: "on or off", "5 to 9"."""
        words = [show_value(value) for value in self.values]
        numbers = [value for value in self.values if type(value) is int]
        runs = len(numbers) == len(words) and len(words) > 2
        if runs and numbers == list(range(numbers[0], numbers[-1] + 1)):
            return said("{low} to {high}", low=words[0], high=words[-1])
        if runs and numbers[1:] == list(range(numbers[1], numbers[-1] + 1)):
            return said("{word} or {low} to {high}", word=words[0], low=words[1], high=words[-1])
        return joined((", ".join(words[:-1]), words[-1]), OR)


def show_value(value: Value) -> str:
    """A value as people write it."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


_SWITCH: Final[tuple[Value, ...]] = (False, True)
_CLASSIC: Final = ("classic",)
BESIDE: Final = ("watchers", "chat")
"""The options that are no rules of the game: who looks on, and who talks."""
_ULTIMATE: Final = ("ultimate",)
OPTIONS: Final[tuple[Option, ...]] = (
    Option("starter", ("random", "youngest", *map(str, range(1, 11))), said("who deals or begins first (R2)")),
    Option("hand_size", tuple(range(5, 10)), said("cards dealt to each player (R3)")),
    Option("mix_sets", _SWITCH, said("heroes of both sets may meet (R1)"), _ULTIMATE),
    Option("draw_on_skipped", ("ignore", "cards"),
           said("what a draw does to a player whose next turn is lost already: nothing, or only its cards (R21)"),
           usual={"ultimate": "ignore"}),
    Option("play_after_draw", _SWITCH, said("the card just taken may be played at once (R11)")),
    Option("force_play", _SWITCH, said("the card taken is shown to all and is played if it fits (R11)")),
    Option("draw_until_playable", _SWITCH, said("cards are taken until the one just taken is played (R11)"), _CLASSIC),
    Option("stacking", _SWITCH,
           said(
               "a Draw Two is answered with a Draw Two, a Wild Draw Four with a Wild Draw Four; the sum moves on (R79)"
           ),
           _CLASSIC),
    Option("seven_zero", _SWITCH, said("a 7 swaps two hands, a 0 moves all hands one seat (R79)"), _CLASSIC),
    Option("challenge", _SWITCH, said("a Wild Draw Four may be challenged (R68)"), _CLASSIC),
    Option("challenge_shows", ("challenger", "all"), said("who sees the hand of a player who proves right (R68)"),
           _CLASSIC),
    Option("signal_skips", _SWITCH, said("the victim of the Bat Signal loses the turn as well (R72)"), ("batman",)),
    Option("wish_draw_skips", _SWITCH, said("the player who draws for a Wish loses the turn as well (R75)"), ("dbz",)),
    Option("score_target", (0, *range(100, 1001)), said("points that win the match; 0: a fixed number of hands (R80)"),
           _CLASSIC),
    Option("hands", tuple(range(1, 21)), said("hands in a match without a score target"), _CLASSIC),
    Option("match_wins", tuple(range(1, 6)), said("games to win for the match (R58)")),
    Option("ask_optional", _SWITCH, said("optional bonuses are asked for each time instead of taken (R42)"), _ULTIMATE),
    Option("uno_penalty", tuple(range(5)), said("cards for being caught without the call UNO; 0: no calls (R62)")),
    Option("uno_window", tuple(range(1, 11)), said("seconds in which an undeclared UNO can be caught (R61)")),
    Option("turn_seconds", (0, *range(15, 301)), said("seconds for a move; 0: no limit (R57)")),
    Option("bank_seconds", tuple(range(601)), said("seconds beyond those that a player may use up in a hand (R57)")),
    Option("grace_seconds", tuple(range(15, 601)), said("seconds after which an absent player may be removed (R57)")),
    Option("drop_outs", (0, 1),
           said("players who may be silent at once without stopping the table (two players: none)")),
    Option("watchers", _SWITCH, said("others may watch: they see what all players see, and no hidden card"),
           later=True),
    Option("chat", ("all", "phrases", "off"),
           said("players may write to each other: anything, only quick phrases, nothing"), later=True),
)  # fmt: skip
