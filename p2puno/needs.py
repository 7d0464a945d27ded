"""What a hand needs next, and the answers to it.

A `Game` never acts by itself: it stands at one *need*, takes the *answer* to it and goes on to the next need.
Needs and answers hold public facts only, so every peer computes the same state from them, whatever it knows
itself; private faces are taught beside it with `Game.learn`.

    need      answered by                                   answer
    Decide    that seat                                     a move (moves.py)
    Window    several seats, each for itself                Said
    Shuffle   nobody alone: a fresh hidden order            Shuffled
    Open      nobody alone: faces become known              Opened
    Mix       each hand's holder re-orders it unseen        Mixed
    Attest    the holder proves hidden cards in or out      Attested or Conceded
    Show      a holder shows hidden cards to one seat       Shown
    Give      holders hand cards over, unseen by others     Given
    Over      nobody: the hand has ended                    -
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from p2puno.outcome import Outcome

ALL = -1
"""A receiver that means every seat."""

NOBODY = -2
"""A receiver that means no seat at all."""


class Ask(StrEnum):
    """What a `Decide` asks of its seat."""

    TURN = "turn"  # play a card or take one (R11)
    DRAWN = "drawn"  # play the card just taken, or keep it (R11)
    CHALLENGE = "challenge"  # challenge the Wild Draw Four, or accept it (R68)
    WISH = "wish"  # name the colour and, with the icon, what is wished for (R74): Wish; `options`: the WishFor values
    STACK = "stack"  # answer with one of the faces in `options`, or take `count` cards: Play, Accept, Challenge (R79)
    HANDS = "hands"  # whose hand to swap one's own for (R79): Pick of a seat in `options`
    # UNO Ultimate. The first group is answered by a Pick of one of `options`.
    TARGET = "target"  # choose a player: seats
    OPTION = "option"  # choose one of several effects: 0, 1, …
    MAY = "may"  # do it or not: 1, 0
    COLOUR = "colour"  # name the colour: 0-3
    ITEM = "item"  # choose an Item: slots of the Danger Deck
    PEEKED = "peeked"  # choose a card of a hand one was shown: slots
    BURN = "burn"  # burn `count` cards of one's hand, of kinds in `options` if there are any: Burn
    ORDER = "order"  # put the cards one looked at back in any order: Order; `options`: their slots, top first
    SWAP = "swap"  # exchange the top card, in `slot`, with a hand card, or not: Swap


@dataclass(frozen=True, slots=True)
class Decide:
    """One seat must say a move. `slot` is the card just taken where `ask` is DRAWN, the card flipped where it is WISH
    (-1 if there was none), the top card where it is SWAP, else -1.

    `options`: what may be picked, in the order in which it is offered. `count`: how many cards. `source`: the card or
    power that asks (an index into the table's cards, for the face), -1 for the rules themselves.
    """

    seat: int
    ask: Ask
    slot: int = -1
    options: tuple[int, ...] = ()
    count: int = 0
    source: int = -1


@dataclass(frozen=True, slots=True)
class Window:
    """An undeclared UNO of seat `about` (R59-R61). Every seat of `seats` says something: the others CATCH or PASS,
    the offender itself CALL or SILENT. `about` is among `seats`."""

    seats: tuple[int, ...]
    about: int


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Piles need a fresh order that nobody knows: each (name, slots from the top down). The same slots stay in these
    places, what lies in them is new. Several piles are shuffled at once, each beginning at another seat."""

    piles: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Open:
    """Faces become known: each (slot, receiver), receiver a seat or ALL, in the order in which they are taken.
    A slot of a pile that goes to one seat is from then on in that seat's hand; a slot of a hand that is opened to ALL
    is opened by its holder."""

    to: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Mix:
    """Each (seat, slots): the seat re-orders its hidden hand among these same slots: no card can be followed."""

    hands: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Attest:
    """Seat proves for each of the hidden `slots` of its hand whether it is inside `faces` (kind numbers, rising).

    `all_outside`: the only thing that may be proven is that all slots are outside (the Wild Draw Four verdict, R68);
    the alternative is to concede, which `may_concede` allows. Else each slot is proven in one direction (R71).
    `show_to`: the slots are shown to that seat (or ALL) in the same breath, or to NOBODY.
    """

    seat: int
    slots: tuple[int, ...]
    faces: tuple[int, ...]
    show_to: int = NOBODY
    may_concede: bool = False
    all_outside: bool = False


@dataclass(frozen=True, slots=True)
class Show:
    """Seat shows what lies in these slots of its hand to one other seat, or to ALL (R47); the cards stay."""

    seat: int
    slots: tuple[int, ...]
    to: int


@dataclass(frozen=True, slots=True)
class Give:
    """Hidden cards change hands: each (slot, from, to). The giver hands the card over so that the receiver, and nobody
    else, can read it; the giver still knows it. Slots keep their numbers. A receiver learns the faces of its slots."""

    gifts: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Over:
    """The hand has ended."""

    outcome: Outcome


Need: TypeAlias = Decide | Window | Shuffle | Open | Mix | Attest | Show | Give | Over


class Say(StrEnum):
    """What a seat says in a `Window`."""

    CATCH = "catch"
    PASS = "pass"
    CALL = "call"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Said:
    """Answer to a `Window`: one (seat, say) for each of its seats, in the order of the need."""

    says: tuple[tuple[int, Say], ...]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """Answer to a `Shuffle`: done; nothing about the order is said."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Answer to an `Open`: the faces of the slots that went to ALL, as (slot, face) in the order of the need."""

    faces: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Mixed:
    """Answer to a `Mix`: done."""


@dataclass(frozen=True, slots=True)
class Attested:
    """Answer to an `Attest`: for each slot, in order, whether it is inside the faces."""

    inside: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """Answer to a `Show`: done; what the watcher saw is taught beside."""


@dataclass(frozen=True, slots=True)
class Given:
    """Answer to a `Give`: done."""


@dataclass(frozen=True, slots=True)
class Conceded:
    """Answer to an `Attest` that allows it: nothing is proven, the worst is taken to be so."""
