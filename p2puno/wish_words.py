"""Wishes and swaps in the notation of moves (see card.py).

    wish>B   wish>B draw   wish>B reverse   wish>B skip 3   wish>B play B7!   wish>B play W>G   swap 3

Seats are counted from 1. While a Wish waits, "wish" may be left out and the colour said in full: "blue skip 3".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from p2puno.moves import InvalidMove, Move, Pick, Play, Wish, WishFor
from p2puno.needs import Ask, Decide
from p2puno.said import said

if TYPE_CHECKING:
    from p2puno.view import View

_WISHES: Final = {wish.name.lower(): wish for wish in WishFor if wish}
_LIKE: Final = said("wish>B draw, wish>B reverse, wish>B skip 3, wish>B play B7; without a Dragon Ball wish>B")


def print_wish(move: Wish, letter: str, card: str) -> str:
    """A wish as it is written. `letter`: of its colour; `card`: the card that it plays, "" if none."""
    words = [f"wish>{letter}"]
    if move.wish != WishFor.NOTHING:
        words.append(WishFor(move.wish).name.lower())
    if move.target >= 0:
        words.append(str(move.target + 1))
    return " ".join(words + [card] * bool(card)) + ("!" if move.uno else "")


def parse_special(view: View, typed: str, colours: dict[str, int], card: Callable[[str], Play]) -> Move | None:
    """The wish or swap that the words mean, None if they are neither. `colours`: by letter and by name, in small
    letters. `card`: reads the card that is played. Raises InvalidMove with a hint."""
    need = view.need
    ask = need.ask if isinstance(need, Decide) else None
    words = typed.removesuffix("!").removesuffix(" uno").replace(">", " ").split()
    if words[:1] == ["swap"] or (ask is Ask.HANDS and len(words) == 1):
        return Pick(_seat(view, words[-1]))
    if words[:1] == ["wish"] and len(words) > 1:
        words = words[1:]
    elif ask is not Ask.WISH:
        return None
    if not words or words[0] not in colours:
        raise InvalidMove(said("a Wish names a colour first"), "R74", _LIKE)
    colour, uno = colours[words[0]], typed.endswith(("!", " uno"))
    if len(words) == 1:
        return Wish(colour, uno=uno)
    wish = _WISHES.get(words[1])
    if wish is None or (len(words) > 2) != (wish in (WishFor.SKIP, WishFor.PLAY)):
        raise InvalidMove(said("{words!r} is no wish", words=" ".join(words[1:])), "R75", _LIKE)
    if wish is WishFor.SKIP:
        return Wish(colour, wish, _seat(view, " ".join(words[2:])), uno=uno)
    if wish is WishFor.PLAY:
        play = card(typed.partition("play")[2].strip())
        return Wish(colour, wish, -1, play.slot, play.face, play.colour, play.uno)
    return Wish(colour, wish, uno=uno)


def _seat(view: View, word: str) -> int:
    if not word.isdecimal() or len(word) > 2 or not 1 <= int(word) <= view.players:
        raise InvalidMove(
            said("{word!r} is no seat", word=word[:40]),
            hint=said("seats are counted from 1 to {most}", most=view.players),
        )
    return int(word) - 1
