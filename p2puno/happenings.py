"""What people at a table would see happen: the one source of screens, line mode, replays and sounds."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class What(StrEnum):
    """The kinds of happenings. The comment names the fields of `Happening` that are filled beside `seat`."""

    SHUFFLED = "shuffled"  # seat -1; n cards are in the pile
    DEALT = "dealt"  # seat -1; n cards to every seat
    FLIPPED = "flipped"  # seat -1; face: the opening card, or one passed over (R6)
    STARTS = "starts"  # seat: plays first
    PLAYED = "played"  # face; colour where one was named; n cards are left in the hand
    CALLED = "called"  # seat calls UNO, with the play or in its window
    FORGOT = "forgot"  # seat stands at one card undeclared: the window opens
    CAUGHT = "caught"  # other: the one who caught seat; n cards as penalty
    DREW = "drew"  # n cards; 0 where none were left
    KEPT = "kept"  # seat keeps the card just taken, the turn ends
    SKIPPED = "skipped"  # seat loses the turn
    SPARED = "spared"  # what costs cards and the turn does nothing: seat loses the turn already (R21)
    REVERSED = "reversed"  # direction of play flipped by seat
    CHALLENGED = "challenged"  # seat challenges other
    SHOWED = "showed"  # seat shows its hand to other (-1: to all)
    GUILTY = "guilty"  # seat had a match: it draws
    INNOCENT = "innocent"  # seat had none: the challenger (other) draws
    ACCEPTED = "accepted"  # seat takes the Wild Draw Four
    SIGNAL = "signal"  # the Bat Signal stops after n cards drawn by seat (n = all that there were, if it ran dry: R72)
    REVEALED = "revealed"  # seat flips face under its Wish; n = 1 if it bears the icon
    WISHED = "wished"  # seat names colour; n: what it wishes for (moves.WishFor); other: the player who loses a turn
    OPENED = "opened"  # seat shows the card that it took: face (option force_play)
    STACKED = "stacked"  # seat answers a Draw Two or Wild Draw Four: n cards wait for the next player
    SWAPPED = "swapped"  # seat and other swap hands
    ROTATED = "rotated"  # seat has all hands move one seat
    # UNO Ultimate. A power is named by its seat, any other source by its face.
    ADDED = "added"  # seat adds n cards
    BURNT = "burnt"  # seat burns face, from its deck or its hand
    RECOVERED = "recovered"  # seat recovers n cards
    COLOUR = "colour"  # seat makes it colour, by an effect
    DANGER = "danger"  # seat flips face and it acts
    PASSED_OVER = "passed over"  # seat flips face in a search: it is not what is looked for (R31)
    ENEMY = "enemy"  # face now attacks seat
    DEFEATED = "defeated"  # seat defeats face, which attacked other
    LOCATION = "location"  # face, flipped by seat, is the Location
    ITEM = "item"  # seat gains face
    TOOK = "took"  # seat takes face from other
    DESTROYED = "destroyed"  # face goes: the Location (seat -1) or an Item of seat
    POWER = "power"  # the power of seat acts
    ABILITY = "ability"  # an ability of face acts for seat
    TRAP = "trap"  # seat sets a trap (face, or -1: its power)
    SPRUNG = "sprung"  # other walks into the trap of seat (face, or -1: its power)
    NONE = "none"  # seat has proven that it holds no card of the kind (R43)
    LOOKED = "looked"  # seat looks at n cards of its deck
    PUT_BACK = "put back"  # seat puts n cards back on its deck
    EXCHANGED = "exchanged"  # seat exchanges the card it looked at with one of its hand
    PASSED = "passed"  # the turn of seat is passed over as lost (R23)
    EXTRA = "extra"  # seat takes another turn (R24)
    CANCELLED = "cancelled"  # seat had both a lost and another turn: neither happens (R24)
    OUT = "out"  # seat is out: its deck has run dry, or it left (R48)
    LEFT = "left"  # seat leaves the hand
    BLOCKED = "blocked"  # nobody can go on (R65)
    WON = "won"  # seat wins the hand; n points
    TURN = "turn"  # it is seat's turn


class Happening(NamedTuple):
    """One thing that happened. Unused fields are -1 (n: 0)."""

    what: What
    seat: int = -1
    other: int = -1
    face: int = -1
    colour: int = -1
    n: int = 0
