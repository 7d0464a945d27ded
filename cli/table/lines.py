"""Happenings in a player's words: "Bo draws 4 and loses the turn" (P23).

One happening is one clause; clauses that belong together become one line, so that a line names who, what and how many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cli.table.cards import COLOUR_NAMES, Card, Namer, texts
from cli.table.deeds import deed
from cli.text import listed, visible
from p2puno.happenings import Happening, What
from p2puno.moves import WishFor


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the event log; `style` names one of the theme, `seat` who did it (-1: nobody)."""

    text: str
    style: str = ""
    seat: int = -1


ALARMING = frozenset({What.FORGOT, What.CAUGHT, What.OUT})
BEGINNING = frozenset({
    What.PLAYED, What.FORGOT, What.CAUGHT, What.POWER, What.ABILITY, What.DANGER, What.ENEMY, What.LOCATION, What.ITEM,
    What.OUT,
})  # fmt: skip
"""What begins a line of its own; what follows from it for the same seat joins it."""


class Teller:
    """Turns happenings into lines for the player at seat `me` (-1: for nobody in particular, everybody has a name)."""

    def __init__(self, names: Sequence[str], card: Namer, me: int = -1, powers: Sequence[str] = ()) -> None:
        """`powers`: the names of the heroes' powers by seat, where there are any."""
        self._names = [visible(name) for name in names]
        self._powers = [visible(name) for name in powers]
        self._card = card
        self._me = me

    def who(self, seat: int) -> str:
        """"You" or the name of a seat, as a sentence begins."""
        if seat == self._me and seat >= 0:
            return "You"
        return self._names[seat] if 0 <= seat < len(self._names) else "Nobody"

    def whom(self, seat: int) -> str:
        """"you" or the name of a seat, in the middle of a sentence."""
        return "you" if seat == self._me and seat >= 0 else self.who(seat)

    def whose(self, seat: int) -> str:
        """"your" or "Bo's"."""
        return "your" if seat == self._me and seat >= 0 else f"{self.who(seat)}'s"

    def mine(self, seat: int) -> bool:
        """Whether it is the seat of the player who reads this."""
        return seat == self._me and seat >= 0

    def card(self, face: int) -> Card:
        """The card with this face."""
        return self._card(face)

    def power(self, seat: int) -> str:
        """What the power of a seat is called."""
        return self._powers[seat] if 0 <= seat < len(self._powers) else "power"

    def tell(self, happenings: Iterable[Happening]) -> list[Line]:
        """The lines for these happenings, in order."""
        lines: list[Line] = []
        pending: list[str] = []  # clauses of one seat, one after the other
        seat = -1
        style = ""

        def close() -> None:
            nonlocal style
            if pending:
                lines.append(Line(f"{self.who(seat)} {listed(pending)}", style, seat))
            pending.clear()
            style = ""

        for h, faces in _gathered(happenings):
            clause = self._clause(h, faces)
            if clause:
                if h.seat != seat or h.what in BEGINNING:
                    close()
                seat = h.seat
                pending.append(clause)
                if h.what in ALARMING:
                    style = "alarm"
                elif h.what is What.WON:
                    style = "good"
                continue
            sentence = self._sentence(h)
            if sentence:
                close()
                lines.append(Line(sentence, "", h.seat))
        close()
        return lines

    def _clause(self, h: Happening, faces: Sequence[int] = ()) -> str:
        """What follows the name of `h.seat` in a sentence; "" where the happening is told otherwise or not at all."""
        mine = h.seat == self._me and h.seat >= 0

        def verb(base: str) -> str:
            return base if mine else _third_person(base)

        match h.what:
            case What.STARTS:
                return verb("start")
            case What.PLAYED:
                named = f" as {COLOUR_NAMES[h.colour]}" if 0 <= h.colour < 4 else ""
                return f"{verb('play')} {self._card(h.face).said}{named}"
            case What.CALLED:
                return f"{verb('call')} UNO"
            case What.FORGOT:
                return f"{verb('have')} one card and {'have' if mine else 'has'} not called UNO"
            case What.CAUGHT:
                by = f"by {self.whom(h.other)} " if h.other >= 0 else ""
                return f"{'are' if mine else 'is'} caught {by}without UNO"
            case What.DREW:
                return f"{verb('draw')} {h.n}" if h.n else f"{verb('find')} no card left to draw"
            case What.KEPT:
                return f"{verb('keep')} the card"
            case What.SKIPPED if not self._powers:
                return f"{verb('lose')} the turn"
            case What.REVERSED:
                return f"{verb('reverse')} the direction"
            case What.CHALLENGED:
                return f"{verb('challenge')} {self.whose(h.other)} Wild Draw Four"
            case What.SHOWED:
                to = self.whom(h.other) if h.other >= 0 else "everybody"
                return f"{verb('show')} {'your' if mine else 'the'} hand to {to}"
            case What.GUILTY:
                return "had a match: guilty"
            case What.INNOCENT:
                return "had no match: not guilty"
            case What.ACCEPTED:
                return f"{verb('accept')} the Wild Draw Four"
            case What.REVEALED:
                granted = "a wish is granted" if h.n else "no wish is granted"
                return f"{verb('flip')} {self._card(h.face).text}: {granted}"
            case What.WISHED:
                return f"{verb('name')} {COLOUR_NAMES[h.colour] if 0 <= h.colour < 4 else 'no colour'}{self._wish(h)}"
            case What.OPENED:
                return f"{verb('show')} the card taken: {self._card(h.face).text}"
            case What.STACKED:
                return f"{verb('pass')} it on: {_count(h.n, 'card')} wait for the next player"
            case What.SWAPPED:
                return f"{verb('swap')} hands with {self.whom(h.other)}"
            case What.ROTATED:
                return f"{verb('move')} all hands one seat on"
            case What.LEFT:
                return f"{verb('leave')} the hand"
            case What.WON:
                return f"{verb('win')} the hand" + (f" with {_count(h.n, 'point')}" if h.n else "")
            case What.BURNT:
                cards = texts(map(self._card, faces or (h.face,)))
                return f"{verb('burn')} {max(1, len(faces))} ({cards})"
            case What.TURN | What.SHUFFLED | What.DEALT | What.FLIPPED | What.SIGNAL | What.BLOCKED:
                return ""
            case _:
                return deed(h, self, verb)

    def _wish(self, h: Happening) -> str:
        match h.n:
            case WishFor.DRAW:
                wish = "two cards for the next player"
            case WishFor.REVERSE:
                wish = "the other direction"
            case WishFor.SKIP:
                wish = f"a lost turn for {self.whom(h.other)}"
            case WishFor.PLAY:
                wish = "another play"
            case _:
                return ""
        return f", wishing for {wish}"

    def _sentence(self, h: Happening) -> str:
        """A whole sentence for what no seat does; "" for what needs none."""
        match h.what:
            case What.SHUFFLED if h.seat >= 0:
                return f"{'Your' if self.mine(h.seat) else self.whose(h.seat)} deck is shuffled by everybody"
            case What.SHUFFLED if self._powers:
                return f"The Danger Deck of {_count(h.n, 'card')} is shuffled by everybody"
            case What.SHUFFLED:
                return f"Shuffled by everybody: {_count(h.n, 'card')}"
            case What.DEALT:
                return f"{_count(h.n, 'card')} to everybody"
            case What.FLIPPED:
                card = self._card(h.face)
                return f"{card.text} is turned up" + ("" if card.mark.isdigit() else " and passed over")
            case What.SIGNAL:
                return f"The Bat Signal stops after {_count(h.n, 'card')} for {self.whom(h.seat)}"
            case What.BLOCKED:
                return "Nobody can go on: the hand is blocked"
            case What.DESTROYED:
                return f"The Location {self._card(h.face).name} is destroyed"
            case _:
                return ""


def _gathered(happenings: Iterable[Happening]) -> Iterable[tuple[Happening, list[int]]]:
    """The happenings, with cards that one seat burns one after the other as one: its faces."""
    run: list[Happening] = []
    for h in happenings:
        if run and (h.what is not What.BURNT or h.seat != run[0].seat):
            yield run[0], [burnt.face for burnt in run]
            run = []
        if h.what is What.BURNT:
            run.append(h)
        else:
            yield h, []
    if run:
        yield run[0], [burnt.face for burnt in run]


def _third_person(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    return verb + ("es" if verb.endswith(("s", "ch")) else "s")


_IRREGULAR = {"have": "has", "are": "is"}


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
