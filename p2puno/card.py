"""Colours, kinds of cards, and the short notation in which cards and moves are written.

    cards   R7 red 7, G+2 green Draw Two, YS yellow Skip, BR blue Reverse, W Wild, W4 Wild Draw Four, WS the special
    wishes  wish>B, wish>B draw, wish>B reverse, wish>B skip 3, wish>B play B7; with seven_zero: swap 3 (wish_words.py)
    moves   R7, R7! with the call "UNO", W>B Wild that names blue, W4>B!, draw, keep, challenge, accept
    heroes  R5* with the Danger icon; each hero's Wilds by their initials: WDSA>G Deep Sea Allies that names green

`print_move` and `parse_move` round-trip, up to the slot of two equal cards. Reading is forgiving (`r7`, `red 7`, `7`
where only one card in hand is a 7, `w blue`); what it cannot read it answers with a hint that teaches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from p2puno.moves import Accept, AmbiguousMove, Challenge, Draw, InvalidMove, Keep, Move, Pick, Play, Wish
from p2puno.needs import Ask, Decide
from p2puno.said import Said, said
from p2puno.wish_words import parse_special, print_wish

if TYPE_CHECKING:
    from p2puno.rules import Rules
    from p2puno.view import View

RED: Final = 0
YELLOW: Final = 1
GREEN: Final = 2
BLUE: Final = 3
WILD: Final = 4
"""The colour of a card that has none."""

NO_COLOUR: Final = 5
"""The colour of a Danger card, which is never played from a hand."""

COLOURS: Final[tuple[str, ...]] = (said("red"), said("yellow"), said("green"), said("blue"))
LETTERS: Final = "RYGB"
_COLOURED: Final = (said("Red {name}"), said("Yellow {name}"), said("Green {name}"), said("Blue {name}"))


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of card. A *face* is the index of a kind in `Rules.kinds`.

    `symbol` is what matches across colours (R10): "0".."9", "+2", "R", "S"; of a Wild "W", "W4", "WS".
    `value`: the number on it, -1 if none. `effect`: the name of the engine's piece that carries it out, "" if none.
    `mark`: how well the printed card is known: seed, public, partial or house.

    `icon`: it bears the icon of the game: a Dragon Ball (R73), or in UNO Ultimate the Danger icon.

    UNO Ultimate: `hero`, whose card it is, is part of the id ("aquaman/R5"); `code`: how its player writes it ("R5*",
    "WDSA"). The effect of a Wild is "text", that of a Danger card its type.
    """

    id: str
    colour: int
    symbol: str
    value: int
    points: int
    copies: int
    name: str
    text: str
    mark: str
    effect: str = ""
    hero: str = ""
    icon: bool = False
    code: str = ""

    @property
    def short(self) -> str:
        """How it is written in moves."""
        return self.code or self.id

    @property
    def wild(self) -> bool:
        """Whether the card has no colour of its own, so that one must be named (R15)."""
        return self.colour == WILD


def coloured_name(colour: int, name: str) -> Said:
    """What a card of this colour is called: "Red Skip"."""
    return Said(_COLOURED[colour].template, name=Said(name))


def print_face(rules: Rules, face: int) -> str:
    """The short notation of a face, such as "R7" or "W4"; of a Danger card its name."""
    return rules.kinds[face].short


def parse_face(rules: Rules, text: str, hero: str = "") -> int:
    """The face that `text` writes, in the deck of `hero` where heroes play; without one, "aquaman/R5" says whose.

    Raises InvalidMove, and AmbiguousMove for a card that several heroes at the table have.
    """
    owner, slash, card = text.strip().rpartition("/")
    hero = owner.lower() if slash else hero
    found = sorted({
        face for word in (_plain(card), card.strip().upper().rstrip("*"))
        for one in ([hero] if hero or not rules.heroes else rules.heroes)
        if (face := _deck(rules, one).get(word, -1)) >= 0
    })  # fmt: skip
    if len(found) > 1:
        which = ", ".join(rules.kinds[face].id for face in found)
        raise AmbiguousMove(
            said("several heroes have {card!r}", card=card.strip()), hint=said("say whose: {which}", which=which)
        )
    if not found:
        like = "R7, G+2, YS, BR, " + ", ".join(_wilds(rules, hero))
        raise InvalidMove(
            said("no card is written {text!r}", text=text.strip()),
            hint=said("cards are written like {like}", like=like),
        )
    return found[0]


def _plain(name: str) -> str:
    """A name as people may type it: small letters, single gaps, no apostrophes."""
    return " ".join(name.lower().replace("'", "").split())


@lru_cache(maxsize=64)
def _deck(rules: Rules, hero: str) -> dict[str, int]:
    """The faces of one deck by all their writings: short form, end of the id, and for Wilds and Danger cards the
    name."""
    faces: dict[str, int] = {}
    for face, kind in enumerate(rules.kinds):
        if kind.hero == hero:
            faces[kind.id.rpartition("/")[2]] = face
            if kind.colour >= WILD:
                faces[_plain(kind.name)] = face
            if kind.colour != NO_COLOUR:
                faces[kind.short.rstrip("*")] = face
    return faces


def _wilds(rules: Rules, hero: str) -> list[str]:
    """The Wilds of a deck as they are written; of all heroes if none is given."""
    return [kind.short for kind in rules.kinds if kind.wild and (not hero or kind.hero == hero)]


_WORDS: Final[dict[type[Move], str]] = {Draw: "draw", Keep: "keep", Challenge: "challenge", Accept: "accept"}


def print_move(rules: Rules, move: Move) -> str:
    """The short notation of a move."""
    if isinstance(move, Wish):
        card = print_move(rules, Play(move.slot, move.face, move.card_colour)) if move.slot >= 0 else ""
        return print_wish(move, LETTERS[move.colour], card)
    if isinstance(move, Pick) and not rules.heroes:
        return f"swap {move.value + 1}"
    if not isinstance(move, Play):
        return _WORDS[type(move)]
    colour = f">{LETTERS[move.colour]}" if move.colour >= 0 else ""
    return rules.kinds[move.face].short + colour + ("!" if move.uno else "")


_MOVES: Final[dict[str, Move]] = {
    "draw": Draw(), "d": Draw(), "take": Draw(), "keep": Keep(), "k": Keep(), "pass": Keep(),
    "challenge": Challenge(), "c": Challenge(), "accept": Accept(), "a": Accept(),
}  # fmt: skip
_NAMES: Final = {
    "draw two": "+2", "skip": "S", "reverse": "R", "wild draw four": "W4", "draw four": "W4", "wild": "W",
    "bat signal": "WS", "signal": "WS", "shenrons wish": "WS", "wish": "WS",
}  # fmt: skip
_COLOUR: Final = dict(zip(COLOURS, LETTERS, strict=True))
_COLOURS: Final = {name: n for n, colour in enumerate(COLOURS) for name in (colour, LETTERS[n].lower())}


def parse_move(view: View, text: str) -> Move:
    """The move that `text` means for the seat of `view`.

    It says what is meant, not whether it is allowed now: that is `check(view, move)`. Raises InvalidMove (cannot be
    read, not in hand, no colour named) and AmbiguousMove (fits several cards), each with a hint.
    """
    typed = " ".join(text.lower().split())
    if typed in _MOVES:
        stacked = isinstance(view.need, Decide) and view.need.ask is Ask.STACK
        return Accept() if stacked and typed in ("draw", "d", "take") else _MOVES[typed]
    if not view.rules.heroes:
        special = parse_special(view, typed, _COLOURS, lambda card: _parse_play(view, card))
        if special is not None:
            return special
    return _parse_play(view, typed)


def _parse_play(view: View, typed: str) -> Play:
    """The card that the words play, and the colour that it names. Raises InvalidMove and AmbiguousMove."""
    uno = typed.endswith(("!", " uno"))
    typed = typed.removesuffix("!").removesuffix(" uno").strip()
    card, arrow, named = typed.partition(">")
    if not arrow:  # "w blue", "w4 b", "deep sea allies green"
        first, _, last = card.rpartition(" ")
        if (last in _COLOUR or last.upper() in LETTERS) and _is_wild(view, first):
            card, arrow, named = first, ">", last
    face = _face_in_hand(view, card.strip())
    wild = view.rules.kinds[face].wild
    names = view.rules.pack.naming[face]
    colour = -1
    if arrow:
        letter = _COLOUR.get(named.strip(), named.strip().upper())
        if not wild:
            raise InvalidMove(
                said("{card} has its own colour", card=print_face(view.rules, face)),
                "R15",
                said("only a Wild names a colour"),
            )
        if not names:
            raise InvalidMove(
                said("the colour of a Wish is named after the flip"),
                "R74",
                said("say {card} only", card=card.strip().upper()),
            )
        if len(letter) != 1 or letter not in LETTERS:
            raise InvalidMove(
                said("{colour!r} is no colour", colour=named.strip()),
                "R15",
                said("the colours are red, yellow, green, blue (R Y G B)"),
            )
        colour = LETTERS.index(letter)
    elif names:
        raise InvalidMove(said("{card} needs a colour", card=print_face(view.rules, face)), "R15",
                          _name_colour(print_face(view.rules, face)))  # fmt: skip
    return Play(_slot_of(view, face), face, colour, uno)


def _name_colour(wild: str) -> Said:
    return said("name a colour: {wild}>R red, {wild}>Y yellow, {wild}>G green or {wild}>B blue", wild=wild)


def _hero(view: View) -> str:
    """The hero of the view's seat; "" where there are none."""
    heroes = view.rules.heroes
    return heroes[view.seat] if heroes and view.seat is not None else ""


def _is_wild(view: View, typed: str) -> bool:
    """Whether these words can only mean a Wild."""
    symbol = next((symbol for name, symbol in _NAMES.items() if typed == name), typed.upper())
    kinds = view.rules.kinds
    face = _deck(view.rules, _hero(view)).get(_plain(typed), -1)
    return (face >= 0 and kinds[face].wild) or any(k.wild and symbol in (k.symbol, k.short) for k in kinds)


def _face_in_hand(view: View, typed: str) -> int:
    kinds = view.rules.kinds
    held = sorted({face for _, face in view.hand if face >= 0})
    mine = " ".join(kinds[face].short for face in held) or said("none")
    deck = _deck(view.rules, _hero(view))
    face = deck.get(_plain(typed), -1)
    if face >= 0 and kinds[face].wild:
        typed = kinds[face].short
    for name, symbol in _NAMES.items():
        if typed == name or typed.endswith(" " + name):
            typed = typed.removesuffix(name) + symbol
            break
    first, _, rest = typed.partition(" ")
    written = (_COLOUR.get(first, first) + rest.replace(" ", "")).upper().rstrip("*")
    face = deck.get(written, -1)
    if face in held:
        return face
    if face < 0:
        fits = [f for f in held if written in _parts(kinds[f])]
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise AmbiguousMove(
                said("{typed!r} fits several of your cards", typed=typed),
                hint=said("say which: {cards}", cards=", ".join(kinds[f].short for f in fits)),
            )
        if not any(written in _parts(kind) for kind in kinds if kind.colour != NO_COLOUR):
            wild = _wilds(view.rules, _hero(view))[0]
            words = said("draw or keep") if view.rules.heroes else said("draw, keep, challenge or accept")
            raise InvalidMove(
                said("{typed!r} is no move", typed=typed),
                hint=said("say a card (R7, G+2, {wild}>B), {words}", wild=wild, words=words),
            )
        raise InvalidMove(
            said("you hold no such card: {typed!r}", typed=typed), hint=said("your cards: {mine}", mine=mine)
        )
    raise InvalidMove(
        said("you do not hold {card}", card=kinds[face].short), hint=said("your cards: {mine}", mine=mine)
    )


def _parts(kind: Kind) -> tuple[str, str]:
    """What a card may be called for short: its symbol, or its colour letter (W for a Wild)."""
    return kind.symbol, kind.short[0]


def _slot_of(view: View, face: int) -> int:
    slots = [slot for slot, held in view.hand if held == face]
    need = view.need
    if isinstance(need, Decide) and need.ask is Ask.DRAWN and need.slot in slots:
        return need.slot
    return slots[0]
