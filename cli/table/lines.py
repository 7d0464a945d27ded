"""Happenings in a player's words: "Bo draws 4 and loses the turn" (P23).

One happening is one clause; clauses that belong together become one line, so that a line names who, what and how many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cli.language import N_, _, pgettext
from cli.table.cards import Card, Namer, colour_name, texts
from cli.table.deeds import deed
from cli.text import listed, some_cards, some_points, visible
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
ENDING = frozenset({What.DANGER, What.ENEMY})
"""What ends with the words of a card: nothing that follows joins it, or it would seem to be said there."""


class Teller:
    """Turns happenings into lines for the player at seat `me` (-1: for nobody in particular, everybody has a name)."""

    def __init__(self, names: Sequence[str], card: Namer, me: int = -1, powers: Sequence[str] = ()) -> None:
        """`powers`: the names of the heroes' powers by seat, where there are any."""
        self._names = [visible(name) for name in names]
        self._powers = [visible(name) for name in powers]
        self._card = card
        self._me = me

    def who(self, seat: int) -> str:
        """ "You" or the name of a seat, as a sentence begins."""
        return _("You") if self.mine(seat) else self._name(seat)

    def _name(self, seat: int) -> str:
        return self._names[seat] if 0 <= seat < len(self._names) else _("Nobody")

    def mine(self, seat: int) -> bool:
        """Whether it is the seat of the player who reads this."""
        return seat == self._me and seat >= 0

    def card(self, face: int) -> Card:
        """The card with this face."""
        return self._card(face)

    def power(self, seat: int) -> str:
        """What the power of a seat is called."""
        return self._powers[seat] if 0 <= seat < len(self._powers) else _("power")

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
                if h.what in ENDING:
                    close()
                continue
            sentence = self._sentence(h)
            if sentence:
                close()
                lines.append(Line(sentence, "", h.seat))
        close()
        return lines

    def clause(self, h: Happening, mine: str, theirs: str, at_me: str = "", **places: object) -> str:
        """What follows the name of `h.seat` in a sentence, a text of the catalogue in which `{other}` is who it is done
        to. `mine`: to the reader whose seat it is; `theirs`: of somebody else; `at_me`: of somebody else who does it to
        the reader."""
        template = mine if self.mine(h.seat) else at_me if at_me and self.mine(h.other) else theirs
        return _(template).format(other=self._name(h.other), **places)

    def _clause(self, h: Happening, faces: Sequence[int] = ()) -> str:
        """What follows the name of `h.seat`; "" where the happening is told otherwise or not at all."""
        say, colour = self.clause, colour_name(h.colour)
        match h.what:
            case What.STARTS:
                return say(h, N_("start"), N_("starts"))
            case What.PLAYED if colour:
                mine, theirs = N_("play {card} as {colour}"), N_("plays {card} as {colour}")
                return say(h, mine, theirs, card=self._card(h.face).said, colour=colour)
            case What.PLAYED:
                return say(h, N_("play {card}"), N_("plays {card}"), card=self._card(h.face).said)
            case What.CALLED:
                return pgettext("you", "call UNO") if self.mine(h.seat) else _("calls UNO")
            case What.FORGOT:
                return say(h, N_("have one card and have not called UNO"), N_("has one card and has not called UNO"))
            case What.CAUGHT if h.other >= 0:
                mine, theirs = N_("are caught by {other} without UNO"), N_("is caught by {other} without UNO")
                return say(h, mine, theirs, N_("is caught by you without UNO"))
            case What.CAUGHT:
                return say(h, N_("are caught without UNO"), N_("is caught without UNO"))
            case What.DREW if h.n:
                return say(h, N_("draw {n}"), N_("draws {n}"), n=h.n)
            case What.DREW:
                return say(h, N_("find no card left to draw"), N_("finds no card left to draw"))
            case What.KEPT:
                return say(h, N_("keep the card"), N_("keeps the card"))
            case What.SKIPPED if not self._powers:
                return say(h, N_("lose the turn"), N_("loses the turn"))
            case What.REVERSED:
                return say(h, N_("reverse the direction"), N_("reverses the direction"))
            case What.CHALLENGED:
                mine, theirs = N_("challenge {other}'s Wild Draw Four"), N_("challenges {other}'s Wild Draw Four")
                return say(h, mine, theirs, N_("challenges your Wild Draw Four"))
            case What.SHOWED if h.other >= 0:
                mine, theirs = N_("show your hand to {other}"), N_("shows the hand to {other}")
                return say(h, mine, theirs, N_("shows the hand to you"))
            case What.SHOWED:
                return say(h, N_("show your hand to everybody"), N_("shows the hand to everybody"))
            case What.GUILTY:
                return pgettext("you", "had a match: guilty") if self.mine(h.seat) else _("had a match: guilty")
            case What.INNOCENT:
                mine = pgettext("you", "had no match: not guilty")
                return mine if self.mine(h.seat) else _("had no match: not guilty")
            case What.ACCEPTED:
                return say(h, N_("accept the Wild Draw Four"), N_("accepts the Wild Draw Four"))
            case What.REVEALED if h.n:
                mine, theirs = N_("flip {card}: a wish is granted"), N_("flips {card}: a wish is granted")
                return say(h, mine, theirs, card=self._card(h.face).text)
            case What.REVEALED:
                mine, theirs = N_("flip {card}: no wish is granted"), N_("flips {card}: no wish is granted")
                return say(h, mine, theirs, card=self._card(h.face).text)
            case What.WISHED:
                return self._wish(h, colour or _("no colour"))
            case What.OPENED:
                mine, theirs = N_("show the card taken: {card}"), N_("shows the card taken: {card}")
                return say(h, mine, theirs, card=self._card(h.face).text)
            case What.STACKED:
                mine = N_("pass it on: {cards} wait for the next player")
                return say(h, mine, N_("passes it on: {cards} wait for the next player"), cards=some_cards(h.n))
            case What.SWAPPED:
                mine, theirs = N_("swap hands with {other}"), N_("swaps hands with {other}")
                return say(h, mine, theirs, N_("swaps hands with you"))
            case What.ROTATED:
                return say(h, N_("move all hands one seat on"), N_("moves all hands one seat on"))
            case What.LEFT:
                return say(h, N_("leave the hand"), N_("leaves the hand"))
            case What.WON if h.n:
                mine, theirs = N_("win the hand with {points}"), N_("wins the hand with {points}")
                return say(h, mine, theirs, points=some_points(h.n))
            case What.WON:
                return say(h, N_("win the hand"), N_("wins the hand"))
            case What.BURNT:
                cards = texts(map(self._card, faces or (h.face,)))
                return say(h, N_("burn {n} ({cards})"), N_("burns {n} ({cards})"), n=max(1, len(faces)), cards=cards)
            case What.TURN | What.SHUFFLED | What.DEALT | What.FLIPPED | What.SIGNAL | What.BLOCKED:
                return ""
            case _:
                return deed(h, self)

    def _wish(self, h: Happening, colour: str) -> str:
        mine, theirs, at_me = N_("name {colour}"), N_("names {colour}"), ""
        match h.n:
            case WishFor.DRAW:
                mine = N_("name {colour}, wishing for two cards for the next player")
                theirs = N_("names {colour}, wishing for two cards for the next player")
            case WishFor.REVERSE:
                mine = N_("name {colour}, wishing for the other direction")
                theirs = N_("names {colour}, wishing for the other direction")
            case WishFor.SKIP:
                mine = N_("name {colour}, wishing for a lost turn for {other}")
                theirs = N_("names {colour}, wishing for a lost turn for {other}")
                at_me = N_("names {colour}, wishing for a lost turn for you")
            case WishFor.PLAY:
                mine = N_("name {colour}, wishing for another play")
                theirs = N_("names {colour}, wishing for another play")
        return self.clause(h, mine, theirs, at_me, colour=colour)

    def _sentence(self, h: Happening) -> str:
        """A whole sentence for what no seat does; "" for what needs none."""
        match h.what:
            case What.SHUFFLED if self.mine(h.seat):
                return _("Your deck is shuffled by everybody")
            case What.SHUFFLED if h.seat >= 0:
                return _("{who}'s deck is shuffled by everybody").format(who=self._name(h.seat))
            case What.SHUFFLED if self._powers:
                return _("The Danger Deck of {cards} is shuffled by everybody").format(cards=some_cards(h.n))
            case What.SHUFFLED:
                return _("Shuffled by everybody: {cards}").format(cards=some_cards(h.n))
            case What.DEALT:
                return _("{cards} to everybody").format(cards=some_cards(h.n))
            case What.FLIPPED:
                card = self._card(h.face)
                turned = _("{card} is turned up") if card.mark.isdigit() else _("{card} is turned up and passed over")
                return turned.format(card=card.text)
            case What.SIGNAL if self.mine(h.seat):
                return _("The Bat Signal stops after {cards} for you").format(cards=some_cards(h.n))
            case What.SIGNAL:
                stops = _("The Bat Signal stops after {cards} for {who}")
                return stops.format(cards=some_cards(h.n), who=self._name(h.seat))
            case What.BLOCKED:
                return _("Nobody can go on: the hand is blocked")
            case What.DESTROYED:
                return _("The Location {card} is destroyed").format(card=self._card(h.face).name)
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
