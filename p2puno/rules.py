"""The agreed rules of a table: a game, its heroes and its options, fixed before the first card and signed by all."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from p2puno.card import Kind
from p2puno.cast import GAMES, Cast, cast_of
from p2puno.hero import Hero
from p2puno.hero_file import built_in_heroes
from p2puno.options import OPTIONS, Option, RulesError, Value, show_value
from p2puno.own_heroes import MissingPacks, playable, read_named
from p2puno.pack import ALIASES, Deck, Pack, find_variant, variants
from p2puno.said import said

__all__ = ["OPTIONS", "MissingPacks", "Option", "Rules", "RulesError", "Value", "games", "show_value"]

_HEAD: Final = "p2puno rules 1"
_NO_HEROES: Final = "none"
_BY_NAME: Final[Mapping[str, Option]] = {option.name: option for option in OPTIONS}


def games() -> tuple[str, ...]:
    """The ids of all games: those with one deck, then those with heroes."""
    return (*variants(), *GAMES)


@dataclass(frozen=True, slots=True)
class Rules:
    """The game and every option. Build it with `Rules.make`, which checks the values.

    `heroes`: ids by seat, () before seats are taken and in games without heroes. `own`: heroes from players' own packs
    that this table may play, in the order of their ids. Options that do not concern the game keep their values here.
    """

    variant: str
    starter: str = "random"
    hand_size: int = 7
    mix_sets: bool = True
    draw_on_skipped: str = "cards"
    play_after_draw: bool = True
    force_play: bool = False
    draw_until_playable: bool = False
    stacking: bool = False
    seven_zero: bool = False
    challenge: bool = True
    challenge_shows: str = "challenger"
    signal_skips: bool = False
    wish_draw_skips: bool = False
    score_target: int = 0
    hands: int = 1
    match_wins: int = 1
    ask_optional: bool = False
    uno_penalty: int = 2
    uno_window: int = 3
    turn_seconds: int = 60
    bank_seconds: int = 60
    grace_seconds: int = 90
    drop_outs: int = 1
    watchers: bool = False
    chat: str = "all"
    heroes: tuple[str, ...] = ()
    own: tuple[Hero, ...] = ()

    @classmethod
    def make(cls, variant: str, /, *, heroes: Sequence[str] = (), own: Iterable[Hero] = (), **options: Value) -> Rules:
        """Rules of a game; options by name, as values or as their text. Raises RulesError with a hint.

        `heroes`: by seat, if they are taken already (see `seated`). `own`: heroes beside those of the game; those of a
        set that this table does not play are left out.
        """
        variant = ALIASES.get(variant, variant)
        if variant not in games():
            near = get_close_matches(variant.lower(), games(), 1, 0.4)
            raise RulesError(
                said("no game is called {variant!r}", variant=variant),
                said("did you mean {word!r}?", word=near[0])
                if near
                else said("there are: {words}", words=", ".join(games())),
            )
        family = "ultimate" if variant in GAMES else "classic"
        mine = {option.name: option for option in OPTIONS if option.concerns(family, variant)}
        chosen: dict[str, Value] = {o.name: o.usual[family] for o in mine.values() if family in o.usual}
        for name, value in options.items():
            if name not in mine:
                raise _no_option(name, variant, mine)
            chosen[name] = mine[name].read(value)
        rules = cls(variant, **chosen)  # type: ignore[arg-type]  # read() gave each its type
        rules._check()
        if family == "classic":
            if heroes or own:
                raise _no_heroes(rules)
            return rules
        rules = replace(rules, own=playable(own, variant, rules.mix_sets))
        return rules.seated(heroes) if heroes else rules

    def _check(self) -> None:
        """Refuse values that do not go together."""
        if self.force_play and not self.play_after_draw:
            raise RulesError(said("force_play needs the card just taken to be played"), said("turn play_after_draw on"))
        if self.draw_until_playable and (self.force_play or not self.play_after_draw):
            raise RulesError(
                said("draw_until_playable needs the card just taken to be played at will"),
                said("turn play_after_draw on and force_play off"),
            )
        if self.match_wins > 1 and (self.score_target or self.hands > 1):
            raise RulesError(
                said("a match has one aim: score_target, hands or match_wins"),
                said("leave the other two out: score_target 0, hands 1, match_wins 1"),
            )
        if self.starter.isdigit() and int(self.starter) not in range(1, self.players[-1] + 1):
            raise RulesError(
                said("there is no seat {starter} in {game}", starter=self.starter, game=self.name),
                said("seats are 1 to {most}", most=self.players[-1]),
            )

    @property
    def family(self) -> str:
        """ "classic": one deck for all; "ultimate": every player has a hero with a deck."""
        return "ultimate" if self.variant in GAMES else "classic"

    @property
    def pack(self) -> Pack:
        """The cards; in UNO Ultimate those of the heroes in their seats, none before."""
        return self.cast.pack if self.variant in GAMES else find_variant(self.variant)

    @property
    def name(self) -> str:
        """What the game is called."""
        return GAMES[self.variant][0] if self.variant in GAMES else self.pack.name

    @property
    def players(self) -> range:
        """How many can play."""
        return self.pack.players

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """All kinds of cards; a face is an index into it."""
        return self.pack.kinds

    @property
    def faces(self) -> Mapping[str, int]:
        """The face of each card by its id."""
        return self.pack.faces

    @property
    def slots(self) -> int:
        """How many cards the table has."""
        return len(self.pack.deck)

    def deck(self) -> tuple[int, ...]:
        """The face in each slot before the first shuffle: known to all."""
        return self.pack.deck

    def decks(self) -> tuple[Deck, ...]:
        """What is shuffled apart from each other, in the order of the slots: "draw"; in UNO Ultimate a deck for each
        seat, named after its hero, then "danger"."""
        if self.family == "ultimate":
            return self.cast.decks
        return (Deck("draw", range(self.slots), tuple(range(len(self.kinds)))),)

    # --- heroes ---------------------------------------------------------------------------------------------------

    @property
    def cast(self) -> Cast:
        """The heroes in their seats and their cards. Raises RulesError in a game without heroes."""
        return _cast(self)

    def offered(self) -> tuple[str, ...]:
        """The heroes that this table may play: those of its set, then others if sets may meet, then own ones."""
        if self.variant not in GAMES:
            return ()
        first = GAMES[self.variant][1]
        others = [ident for game in GAMES.values() for ident in game[1] if ident not in first] if self.mix_sets else []
        return (*first, *others, *(hero.id for hero in self.own))

    def free_heroes(self, taken: Iterable[str]) -> list[str]:
        """The heroes that nobody has taken yet (each is at a table at most once, R1)."""
        gone = set(taken)
        return [ident for ident in self.offered() if ident not in gone]

    def hero(self, ident: str) -> Hero:
        """A hero that this table may play. Raises RulesError."""
        if ident not in self.offered():
            if not self.offered():
                raise _no_heroes(self)
            if ident in built_in_heroes():
                raise RulesError(
                    said("{hero} is of another set", hero=ident),
                    said("turn mix_sets on to let heroes of both sets meet"),
                )
            near = get_close_matches(ident, self.offered(), 1, 0.5)
            raise RulesError(
                said("no hero is called {hero!r}", hero=ident),
                said("did you mean {word}?", word=near[0])
                if near
                else said("heroes: {heroes}", heroes=", ".join(self.offered())),
            )
        return next((hero for hero in self.own if hero.id == ident), None) or built_in_heroes()[ident]

    def seated(self, heroes: Sequence[str]) -> Rules:
        """These rules with a hero in every seat. Own heroes that nobody plays are left out. Raises RulesError (R1)."""
        for seat, ident in enumerate(heroes):
            self.hero(ident)
            if ident in heroes[:seat]:
                free = ", ".join(self.free_heroes(heroes)[:3])
                raise RulesError(
                    said("{hero} is taken twice, but each hero can be at a table once", hero=ident),
                    said("free: {free}", free=free),
                )
        if len(heroes) not in self.players:
            raise RulesError(
                said(
                    "{game} is for {fewest} to {most} players, not {count}",
                    game=self.name,
                    fewest=self.players[0],
                    most=self.players[-1],
                    count=len(heroes),
                ),
                said("each seat takes one hero"),
            )
        if self.starter.isdigit() and int(self.starter) > len(heroes):
            raise RulesError(
                said("seat {starter} cannot begin: there are {count}", starter=self.starter, count=len(heroes)),
                said("choose another starter"),
            )
        return replace(self, heroes=tuple(heroes), own=tuple(hero for hero in self.own if hero.id in heroes))

    def own_packs(self) -> dict[str, bytes]:
        """The files of the own heroes by id: what `decode` needs where they are not known."""
        return {hero.id: hero.data for hero in self.own}

    # --- options and bytes ----------------------------------------------------------------------------------------

    def own_options(self) -> tuple[Option, ...]:
        """The options that this game has, of `starter` with the seats that it can have (R2)."""
        seats = self.players[-1]
        own = (option for option in OPTIONS if option.concerns(self.family, self.variant))
        return tuple(option.up_to(seats) if option.name == "starter" else option for option in own)

    def options(self) -> dict[str, Value]:
        """Every option that this game has and its value, in the order of `OPTIONS`."""
        return {option.name: getattr(self, option.name) for option in self.own_options()}

    def encode(self) -> bytes:
        """Canonical bytes: lines of UTF-8, every option named (a `later` one if it is not usual), with the digests of
        the cards. UNO Ultimate: the heroes by seat, and the digest of each pack in use (before seats are taken: of each
        that may be)."""
        lines = [_HEAD, f"game {self.variant}"]
        if self.family == "ultimate":
            lines.append(f"heroes {' '.join(self.heroes) or _NO_HEROES}")
            lines += [f"pack {ident} {self.hero(ident).digest.hex()}" for ident in self.heroes or self.offered()]
        else:
            lines.append(f"cards {self.pack.digest.hex()}")
        lines += [f"{name} {show_value(value)}" for name, value in self.options().items() if not _unsaid(name, value)]
        return "".join(line + "\n" for line in lines).encode()

    @classmethod
    def decode(cls, data: bytes, packs: Mapping[str, bytes] | None = None) -> Rules:
        """The rules of which `data` is the encoding. `packs`: files of own heroes by id; only those that the rules name
        are read. Raises MissingPacks if one is not there, RulesError for anything that `encode` would not write."""
        try:
            lines = data.decode("ascii").split("\n")
            pairs = [line.split(" ", 1) for line in lines[1:-1]]
            keys = dict(pair for pair in pairs if len(pair) == 2 and pair[0] != "pack")
            named = [(ident, bytes.fromhex(digest)) for ident, digest in
                     (pair[1].split(" ") for pair in pairs if pair[0] == "pack")]  # fmt: skip
        except (UnicodeDecodeError, ValueError, IndexError) as error:
            raise RulesError(said("these are no rules of p2puno")) from error
        if lines[0] != _HEAD or "game" not in keys:
            raise RulesError(said("these are no rules of p2puno"), said("both sides need the same version"))
        heroes = tuple(keys.get("heroes", _NO_HEROES).split(" "))
        options: dict[str, Value] = {k: v for k, v in keys.items() if k not in ("game", "cards", "heroes")}
        unknown = options.keys() - _BY_NAME.keys()
        if unknown:
            raise RulesError(
                said("there is no option {name!r}", name=min(unknown)), said("both sides need the same version")
            )
        own = read_named(named, packs or {}) if keys["game"] in GAMES else ()
        rules = cls.make(keys["game"], heroes=() if heroes == (_NO_HEROES,) else heroes, own=own, **options)
        if rules.family == "classic" and keys.get("cards") != rules.pack.digest.hex():
            raise RulesError(
                said("the cards of {game} differ", game=keys["game"]), said("both sides need the same version")
            )
        if rules.encode() != data:
            raise RulesError(said("these rules are not written in their one form"))
        return rules

    def digest(self) -> bytes:
        """SHA-256 of `encode()`: 32 bytes."""
        return hashlib.sha256(self.encode()).digest()

    def describe(self) -> list[str]:
        """The rules for people, one line each."""
        few, many = self.players[0], self.players[-1]
        cards: str = said("{game}, {cards} cards", game=self.name, cards=self.slots) if self.slots else self.name
        lines: list[str] = [said("{game}, {fewest} to {most} players", game=cards, fewest=few, most=many)]
        if self.family == "ultimate":
            names = ", ".join(self.hero(ident).name for ident in self.heroes or self.offered())
            by_seat, offered = said("heroes by seat: {heroes}", heroes=names), said("heroes: {heroes}", heroes=names)
            lines.append(by_seat if self.heroes else offered)
        usual = Rules.make(self.variant)
        for option in self.own_options():
            value, default = getattr(self, option.name), getattr(usual, option.name)
            now, meaning = show_value(value), option.meaning
            if value == default:
                lines.append(said("{name} {value}: {meaning}", name=option.name, value=now, meaning=meaning))
            else:
                lines.append(said("{name} {value} (usual: {usual}): {meaning}", name=option.name, value=now,
                                  usual=show_value(default), meaning=meaning))  # fmt: skip
        return lines


_USUAL: Final[Mapping[str, object]] = {each.name: each.default for each in fields(Rules)}


def _unsaid(name: str, value: Value) -> bool:
    """Whether the bytes of rules leave an option out."""
    return _BY_NAME[name].later and value == _USUAL[name]


def _no_heroes(rules: Rules) -> RulesError:
    return RulesError(
        said("{game} has no heroes", game=rules.name), said("games with heroes: {games}", games=", ".join(GAMES))
    )


@lru_cache(maxsize=64)
def _cast(rules: Rules) -> Cast:
    if rules.variant not in GAMES:
        raise _no_heroes(rules)
    return cast_of(rules.variant, tuple(rules.hero(ident) for ident in rules.heroes))


def _no_option(name: str, variant: str, mine: Mapping[str, Option]) -> RulesError:
    if name in _BY_NAME:
        where = ", ".join(_BY_NAME[name].games)
        return RulesError(
            said("{name} does not concern {variant}", name=name, variant=variant),
            said("it is an option of: {where}", where=where),
        )
    near = get_close_matches(name, mine, 1, 0.5)
    hint = said("did you mean {word}?", word=near[0]) if near else said("options: {words}", words=", ".join(mine))
    return RulesError(said("there is no option {name}", name=name), hint)


if {field.name for field in fields(Rules)} != {"variant", "heroes", "own", *_BY_NAME}:  # a new option needs both lines
    raise AssertionError("OPTIONS and the fields of Rules differ")
