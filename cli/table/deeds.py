"""What happens in UNO Ultimate, in a player's words: one clause for each happening, to follow the name of its seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from cli.table.cards import COLOUR_NAMES, Card
from p2puno.happenings import Happening, What


class Words(Protocol):
    """What a clause is made with: `lines.Teller` has it."""

    def whom(self, seat: int) -> str:
        """"you" or the name of a seat, in the middle of a sentence."""

    def whose(self, seat: int) -> str:
        """"your" or "Bo's"."""

    def mine(self, seat: int) -> bool:
        """Whether it is the reader's seat."""

    def card(self, face: int) -> Card:
        """The card with this face."""

    def power(self, seat: int) -> str:
        """What the power of a seat is called."""


def deed(h: Happening, words: Words, verb: Callable[[str], str]) -> str:
    """The clause for a happening of UNO Ultimate. `verb`: a verb in the person of its seat."""
    card = words.card(h.face)
    mine = words.mine(h.seat)
    match h.what:
        case What.ADDED:
            return f"{verb('add')} {h.n}"
        case What.RECOVERED:
            return f"{verb('recover')} {h.n}"
        case What.SPARED:
            return f"{verb('have')} lost a turn already: nothing to draw"
        case What.COLOUR:
            return f"{verb('make')} the colour {COLOUR_NAMES[h.colour] if 0 <= h.colour < 4 else 'another one'}"
        case What.DANGER:
            now = f": {card.now}{card.house}" if card.now else ""
            return f"{verb('flip')} the {(card.type or 'card').capitalize()} {card.name}{now}"
        case What.PASSED_OVER:
            return f"{verb('flip')} {card.name} and {verb('pass')} it over"
        case What.ENEMY:
            beaten = f", beaten by {card.beaten}" if card.beaten else ""
            return f"{verb('are')} attacked by {card.name}{beaten}"
        case What.DEFEATED:
            whose = "" if h.other in (h.seat, -1) else f" before {words.whom(h.other)}"
            return f"{verb('defeat')} {card.name}{whose}"
        case What.LOCATION:
            return f"{verb('bring')} the Location {card.name} into play"
        case What.ITEM:
            return f"{verb('gain')} the Item {card.name}"
        case What.TOOK:
            return f"{verb('take')} {card.name} from {words.whom(h.other)}"
        case What.DESTROYED if h.seat >= 0:
            return f"{verb('lose')} the Item {card.name}"
        case What.POWER:
            return f"{verb('use')} {words.power(h.seat)}"
        case What.ABILITY:
            return f"{verb('meet')} {card.name}"
        case What.TRAP:
            return f"{verb('set')} a trap with {card.name if h.face >= 0 else words.power(h.seat)}"
        case What.SPRUNG:
            trap = card.name if h.face >= 0 else words.power(h.seat)
            return f"{verb('catch')} {words.whom(h.other)} in the trap of {trap}"
        case What.NONE:
            return f"{verb('prove')} that there is no such card in the hand"
        case What.LOOKED:
            cards = "card" if h.n == 1 else f"{h.n} cards"
            return f"{verb('look')} at the top {cards} of {'your' if mine else 'the'} deck"
        case What.PUT_BACK:
            return f"{verb('put')} {'it' if h.n == 1 else 'them'} back"
        case What.EXCHANGED:
            return f"{verb('exchange')} it with a card of the hand"
        case What.PASSED:
            return f"{verb('are')} passed over"
        case What.SKIPPED:
            return f"{verb('lose')} the next turn"
        case What.EXTRA:
            return f"{verb('take')} another turn"
        case What.CANCELLED:
            return f"{verb('lose')} the extra turn to the lost one"
        case What.OUT:
            return f"{verb('are')} out"
        case _:
            return ""
