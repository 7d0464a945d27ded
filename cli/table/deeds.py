"""What happens in UNO Ultimate, in a player's words: one clause for each happening, to follow the name of its seat."""

from __future__ import annotations

from typing import Final, Protocol

from cli.language import N_, _
from cli.table.cards import Card, colour_name
from p2puno.happenings import Happening, What

FLIPPED: Final = {
    "enemy": N_("the Enemy"), "event": N_("the Event"), "location": N_("the Location"), "item": N_("the Item"),
}  # fmt: skip
"""What is flipped, by the type of the Danger card: with its article, which other languages choose by it."""


class Words(Protocol):
    """What a clause is made with: `lines.Teller` has it."""

    def clause(self, h: Happening, mine: str, theirs: str, at_me: str = "", **places: object) -> str:
        """What follows the name of the seat: said to the reader whose seat it is, or of somebody else."""

    def card(self, face: int) -> Card:
        """The card with this face."""

    def power(self, seat: int) -> str:
        """What the power of a seat is called."""


def deed(h: Happening, words: Words) -> str:
    """The clause for a happening of UNO Ultimate; "" for one that is told otherwise."""
    card, say = words.card(h.face), words.clause
    match h.what:
        case What.ADDED:
            return say(h, N_("add {n}"), N_("adds {n}"), n=h.n)
        case What.RECOVERED:
            return say(h, N_("recover {n}"), N_("recovers {n}"), n=h.n)
        case What.SPARED:
            mine = N_("have lost a turn already: nothing to draw")
            return say(h, mine, N_("has lost a turn already: nothing to draw"))
        case What.COLOUR:
            colour = colour_name(h.colour) or _("another one")
            return say(h, N_("make the colour {colour}"), N_("makes the colour {colour}"), colour=colour)
        case What.DANGER:
            named = {"what": _(FLIPPED.get(card.type, N_("the card"))), "card": card.name}
            if not card.now:
                return say(h, N_("flip {what} {card}"), N_("flips {what} {card}"), **named)
            now = f"{card.now}{card.house}"
            return say(h, N_("flip {what} {card}: {now}"), N_("flips {what} {card}: {now}"), now=now, **named)
        case What.PASSED_OVER:
            mine, theirs = N_("flip {card} and pass it over"), N_("flips {card} and passes it over")
            return say(h, mine, theirs, card=card.name)
        case What.ENEMY if card.beaten:
            mine = N_("are attacked by {card}: {cards} beats it")
            return say(h, mine, N_("is attacked by {card}: {cards} beats it"), card=card.name, cards=card.beaten)
        case What.ENEMY:
            return say(h, N_("are attacked by {card}"), N_("is attacked by {card}"), card=card.name)
        case What.DEFEATED if h.other in (h.seat, -1):
            return say(h, N_("defeat {card}"), N_("defeats {card}"), card=card.name)
        case What.DEFEATED:
            mine, theirs = N_("defeat {card} before {other}"), N_("defeats {card} before {other}")
            return say(h, mine, theirs, N_("defeats {card} before you"), card=card.name)
        case What.LOCATION:
            mine, theirs = N_("bring the Location {card} into play"), N_("brings the Location {card} into play")
            return say(h, mine, theirs, card=card.name)
        case What.ITEM:
            return say(h, N_("gain the Item {card}"), N_("gains the Item {card}"), card=card.name)
        case What.TOOK:
            mine, theirs = N_("take {card} from {other}"), N_("takes {card} from {other}")
            return say(h, mine, theirs, N_("takes {card} from you"), card=card.name)
        case What.DESTROYED if h.seat >= 0:
            return say(h, N_("lose the Item {card}"), N_("loses the Item {card}"), card=card.name)
        case What.POWER:
            return say(h, N_("use {power}"), N_("uses {power}"), power=words.power(h.seat))
        case What.ABILITY:
            return say(h, N_("meet {card}"), N_("meets {card}"), card=card.name)
        case What.TRAP:
            trap = card.name if h.face >= 0 else words.power(h.seat)
            return say(h, N_("set a trap with {trap}"), N_("sets a trap with {trap}"), trap=trap)
        case What.SPRUNG:
            trap = card.name if h.face >= 0 else words.power(h.seat)
            mine, theirs = N_("catch {other} in the trap of {trap}"), N_("catches {other} in the trap of {trap}")
            return say(h, mine, theirs, N_("catches you in the trap of {trap}"), trap=trap)
        case What.NONE:
            mine = N_("prove that there is no such card in the hand")
            return say(h, mine, N_("proves that there is no such card in the hand"))
        case What.LOOKED if h.n == 1:
            return say(h, N_("look at the top card of your deck"), N_("looks at the top card of the deck"))
        case What.LOOKED:
            mine, theirs = N_("look at the top {n} cards of your deck"), N_("looks at the top {n} cards of the deck")
            return say(h, mine, theirs, n=h.n)
        case What.PUT_BACK if h.n == 1:
            return say(h, N_("put it back"), N_("puts it back"))
        case What.PUT_BACK:
            return say(h, N_("put them back"), N_("puts them back"))
        case What.EXCHANGED:
            return say(h, N_("exchange it with a card of the hand"), N_("exchanges it with a card of the hand"))
        case What.PASSED:
            return say(h, N_("are passed over"), N_("is passed over"))
        case What.SKIPPED:
            return say(h, N_("lose the next turn"), N_("loses the next turn"))
        case What.EXTRA:
            return say(h, N_("take another turn"), N_("takes another turn"))
        case What.CANCELLED:
            return say(h, N_("lose the extra turn to the lost one"), N_("loses the extra turn to the lost one"))
        case What.OUT:
            return say(h, N_("are out"), N_("is out"))
        case _:
            return ""
