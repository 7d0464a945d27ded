"""What one player may see of a table, as plain data that every face draws from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cli.language import N_, _, ngettext
from cli.table.asking import Asking
from cli.table.cards import Card, colour_name
from cli.table.motion import STILL, Moving
from p2puno.moves import Draw, Keep, Move, Play


class Asked(StrEnum):
    """What the table wants from this player now."""

    NOTHING = "nothing"
    TURN = "turn"  # play a card or draw one
    DRAWN = "drawn"  # play the card just drawn, or keep it
    CHALLENGE = "challenge"  # challenge the Wild Draw Four, or accept it
    CATCH = "catch"  # somebody forgot UNO: catch or pass
    CALL = "call"  # I forgot UNO: call it now
    CHOICE = "choice"  # anything else: `Look.asking` lists what can be chosen


@dataclass(frozen=True, slots=True)
class Heroics:
    """What a seat of UNO Ultimate has beside a hand: cards left in the `deck` and burnt (`burn`, with the `burnt` top
    card and all of the `pile` from the top down), who attacks it, what it holds, its power and what has been done to
    it. `says`: what all cards of the hero say."""

    hero: str
    deck: int
    burn: int
    burnt: Card | None
    power: Card
    blank: bool = False
    enemy: Card | None = None
    fresh: bool = False  # the Enemy came in this turn and cannot be beaten in it
    items: tuple[Card, ...] = ()
    lost: bool = False  # loses the next turn
    extra: bool = False  # takes another turn
    pile: tuple[Card, ...] = ()
    says: tuple[str, ...] = ()

    def notes(self) -> list[str]:
        """What is worth a second line, in words."""
        words = []
        if self.enemy is not None:
            enemy = _("Enemy {card} (fresh)") if self.fresh else _("Enemy {card}")
            words.append(enemy.format(card=self.enemy.name))
        words += [_("power blank")] if self.blank else []
        words += [_("loses the next turn")] if self.lost else []
        words += [_("takes another turn")] if self.extra else []
        if self.items:
            items = ngettext("Item {cards}", "Items {cards}", len(self.items))
            words.append(items.format(cards=", ".join(item.name for item in self.items)))
        return words


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat as everybody sees it."""

    seat: int
    name: str
    bot: bool = False
    here: bool = True  # linked to us
    me: bool = False
    cards: int = 0
    score: int = 0
    turn: bool = False
    exposed: bool = False  # stands at one card without having called UNO
    called: bool = False  # stands at one card
    out: bool = False
    hero: str = ""  # its name, where there are heroes
    heroics: Heroics | None = None  # in play, where there are heroes
    known: tuple[Card, ...] = ()  # cards of its hand that we have been shown and that it surely still holds


@dataclass(frozen=True, slots=True)
class Held:
    """One card of the own hand, in the order in which it is shown."""

    slot: int
    card: Card
    playable: bool = False
    drawn: bool = False  # the card just taken


@dataclass(frozen=True, slots=True)
class Look:
    """The table as the player at it sees it now. `hand` is sorted by colour and value, Wilds last.

    `asked` with `about`: the seat that forgot UNO, or whose Wild Draw Four may be challenged. `odds`: how likely the
    challenge wins, as a share of 1, from the cards not seen yet; -1 where nothing can be said. `banned`: kinds of
    cards that we cannot play now.
    """

    variant: str = ""
    hand_number: int = 0
    seats: tuple[Seat, ...] = ()
    me: int = -1
    direction: int = 1
    draw_pile: int = 0
    discard: int = 0
    top: Card | None = None
    colour: int = -1
    hand: tuple[Held, ...] = ()
    asked: Asked = Asked.NOTHING
    about: int = -1
    odds: float = -1.0
    penalty: int = 2
    moves: tuple[Move, ...] = ()
    asking: Asking | None = None
    heroes: bool = False
    location: Card | None = None
    danger_deck: int = 0
    banned: tuple[str, ...] = ()
    left: int = -1  # seconds that whoever acts has left, -1: not counted
    peeked: tuple[Card, ...] = ()  # the top of the own deck as far as we have looked at it, from the top down
    moving: Moving = STILL  # how it is drawn in this moment, nothing else

    @property
    def dealt(self) -> bool:
        """Whether there are cards to show."""
        return self.top is not None or bool(self.hand)

    @property
    def colour_name(self) -> str:
        """The colour in force by name, "" if there is none."""
        return colour_name(self.colour)

    def name(self, seat: int) -> str:
        """The name at a seat, "?" for none."""
        return self.seats[seat].name if 0 <= seat < len(self.seats) else "?"

    @property
    def can_draw(self) -> bool:
        """Whether drawing is a move now."""
        return any(isinstance(move, Draw) for move in self.moves)

    @property
    def can_keep(self) -> bool:
        """Whether keeping the card just drawn is a move now."""
        return any(isinstance(move, Keep) for move in self.moves)

    def plays(self, slot: int) -> tuple[Play, ...]:
        """The plays of this card that are moves now."""
        return tuple(move for move in self.moves if isinstance(move, Play) and move.slot == slot)


def why_not(look: Look, held: Held) -> str:
    """Why this card cannot be played now, in words that help."""
    if look.asked is Asked.DRAWN and not held.drawn:
        return _("after drawing, only the card just drawn may be played")
    if look.asked not in (Asked.TURN, Asked.DRAWN):
        return _("it is not your turn")
    banned = [kind for kind in look.banned if kind in held.card.kinds]
    if banned:
        kind = _(BANS.get(banned[0], banned[0]))
        return _("{card} is banned: you cannot play {cards} now").format(card=held.card.text, cards=kind)
    return _("{card} does not fit: {fits}").format(card=held.card.text, fits=fits(look))


BANS = {
    "red": N_("red cards"), "yellow": N_("yellow cards"), "green": N_("green cards"), "blue": N_("blue cards"),
    "number": N_("number cards"), "action": N_("Action cards"), "wild": N_("Wilds"), "draw2": N_("Draw Two cards"),
    "reverse": N_("Reverse cards"), "skip": N_("Skip cards"), "danger": N_("cards with the Danger icon"),
}  # fmt: skip
"""The kinds of cards, as a ban names them."""


def fits(look: Look) -> str:
    """What fits on the pile now: "needs green, 5 or a Wild"."""
    if look.top is None or not 0 <= look.colour < 4:
        return _("needs another card")
    if look.top.wild:
        return _("needs {colour} or a Wild").format(colour=look.colour_name)
    return _("needs {colour}, {symbol} or a Wild").format(colour=look.colour_name, symbol=look.top.symbol)
