"""The state of one hand of UNO Ultimate. What both games share (slots, faces, agenda, knowledge) is in p2puno/state.py.

Slots belong for ever to the deck that they began in: seat s owns a run of slots in the order of `Rules.decks()`, the
Danger Deck has the last ones. A card can only lie in places of its own deck, on the central pile, or, swapped by a
peek, change places with another card of the same deck.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from p2puno.effects import Condition
from p2puno.needs import Need, Shuffle
from p2puno.rules import Rules
from p2puno.state import Piece, State, needs_as_json
from p2puno.ultimate.book import SEATS, Book, book_of
from p2puno.ultimate.standing import NOTHING, Held, Standing, held_by, placed, stand


class UltimateState(State):
    """Everything that is true of one hand. Piles are lists of slots, the top last.

    `decks`, `burns`: by seat. `danger`, `spent`: the Danger Deck and its discard. `pile`: the central pile. `aside`:
    Danger cards of seats that take no part. `enemies`: by seat the slot of its Enemy, -1 without; `fresh`: seats whose
    Enemy came in this turn (R26). `items`: by seat, in order of gain. `location`: slot or -1. `extra`: seats that take
    another turn (R24). `burnt`: by seat, the counter of that name. `mods`: (bearer, number in the book, owner), until
    the owner's next turn. `traps`: (owner, source, ability). `queue`: events that wait (R39); `events`, `flips`: how
    many there were in this move (R39, R34). `played`: the face played in this turn, -1 before. `emptied`: some effect
    may have emptied a hand (R53). `shown`: seats, as bits, of whose hand others may know cards. Seats that are out keep
    their cards, which never move again (R49).

    What follows from the cards in play is kept beside them (standing.py): `held` by seat and `place` of the Location,
    with `heard` of all together, by `changed` and `locate`; `standing`: the modifiers in force, None where they must
    be worked out again.
    """

    __slots__ = (
        "aside", "book", "burns", "burnt", "danger", "decks", "emptied", "enemies", "events", "extra", "flips", "fresh",
        "heard", "held", "items", "location", "mods", "pile", "place", "played", "queue", "spent", "standing", "traps",
    )  # fmt: skip

    def __init__(self, rules: Rules, players: int, first: int, away: Iterable[int] = ()) -> None:
        book: Book = book_of(rules)
        gone = frozenset(away)
        if players != len(book.heroes) or not 2 <= players <= 4:
            raise ValueError(f"these rules name {len(book.heroes)} heroes, not {players}")
        if not gone <= frozenset(range(players)) or first not in range(players) or players - len(gone) < 2:
            raise ValueError("the first player must be a seat, and at least two seats must play")
        self.rules = rules
        self.pack = rules.pack
        self.book = book
        self.players = players
        self.dealer = first
        self.turn = -1
        self.direction = 1
        self.colour = -1
        self.living = sum(1 << seat for seat in range(players) if seat not in gone)
        self.alive = players - len(gone)
        self.touched = self.lost = self.extra = self.fresh = 0
        decks = rules.decks()
        whole = rules.deck()
        self.decks = [list(reversed(deck.slots)) for deck in decks[:-1]]
        self.burns: list[list[int]] = [[] for _ in range(players)]
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.items: list[list[int]] = [[] for _ in range(players)]
        self.danger = list(reversed(decks[-1].slots))
        self.aside: list[int] = []
        if gone:
            self.aside = [slot for slot in decks[-1].slots if book.hero[whole[slot]] in gone]
            self.danger = [slot for slot in self.danger if slot not in self.aside]
        self.spent: list[int] = []
        self.pile: list[int] = []
        self.enemies = [-1] * players
        self.location = -1
        self.burnt = [0] * players
        self.mods: list[tuple[int, int, int]] = []
        self.traps: list[tuple[int, int, int]] = []
        self.queue: list[tuple[str, int, int, int]] = []
        self.events = self.flips = 0
        self.played = -1
        self.emptied = False
        self.held = [NOTHING] * players
        self.place = NOTHING
        self.heard = 0
        self.standing: Standing | None = None
        self.public = bytearray(whole)
        self.known: list[list[int]] = [[-1] * len(whole) for _ in range(players)]
        self.memory: dict[tuple[int, int], list[int]] = {}
        self.shown = 0
        self.agenda: list[Piece] = [("deal",)]
        piles = [(decks[seat].name, tuple(decks[seat].slots)) for seat in range(players) if seat not in gone]
        piles.append((decks[-1].name, tuple(reversed(self.danger))))
        self.need: Need = Shuffle(tuple(piles))
        for seat in range(players):
            self.changed(seat)

    @property
    def top(self) -> int:
        """The face on top of the central pile; -1 before a card was played."""
        return self.public[self.pile[-1]] if self.pile else -1

    def owner_of(self, slot: int) -> int:
        """The seat whose deck a slot belongs to; -1 for the Danger Deck."""
        seat = slot // (len(self.public) // self.players - 8)
        return seat if seat < self.players else -1

    def card(self, slot: int) -> int:
        """The face of a card that lies open; -1 for slot -1."""
        return self.public[slot] if slot >= 0 else -1

    def after_any(self, seat: int, steps: int) -> int:
        """The nearest living seat from `seat` on, `steps` 1 in the direction of play, -1 against it."""
        seat = (seat + self.direction * steps) % self.players
        while not self.living >> seat & 1:
            seat = (seat + self.direction * steps) % self.players
        return seat

    def ring(self, seat: int) -> tuple[int, ...]:
        """All living seats in the direction of play, `seat` first if it is living."""
        return _RINGS[self.players][self.direction][self.living][seat]

    def attacked(self) -> int:
        """How many Enemies attack living players."""
        return self.players - self.enemies.count(-1)

    def changed(self, seat: int) -> None:
        """The Enemy or the Items of a seat are others than before, or it is out."""
        held = NOTHING
        if self.living >> seat & 1:
            public, enemy, items = self.public, self.enemies[seat], self.items[seat]
            faces = tuple([public[slot] for slot in items]) if items else ()
            held = held_by(self.book, seat, public[enemy] if enemy >= 0 else -1, faces)
        before, self.held[seat] = self.held[seat], held
        self._follow(before, held)

    def locate(self, slot: int) -> None:
        """The Location is another one; -1: there is none any more."""
        before, self.location = self.place, slot
        self.place = placed(self.book, self.public[slot]) if slot >= 0 else NOTHING
        self._follow(before, self.place)

    def _follow(self, before: Held, after: Held) -> None:
        """What follows for all together: a change that no modifier comes of leaves those in force as they are."""
        if after.heard != before.heard:
            heard = self.place.heard
            for held in self.held:
                heard |= held.heard
            self.heard = heard
        if after.modifying != before.modifying:
            self.standing = None

    def in_force(self) -> Standing:
        """All modifiers in force."""
        standing = self.standing
        if standing is None:
            cards = self.place.modifying
            for held in reversed(self.held):
                cards = held.modifying + cards
            standing = self.standing = stand(self.book, self.living, cards, tuple(self.mods))
        return standing

    def blank(self, seat: int) -> bool:
        """Whether the power of a seat does nothing now (R40)."""
        return bool((self.standing or self.in_force()).blank >> seat & 1)

    def banned(self, seat: int) -> int:
        """The kinds of cards that a seat cannot play (R46)."""
        return (self.standing or self.in_force()).bans[seat]

    def holds(self, cond: Condition, owner: int) -> bool:
        """Whether a `Condition` is true for the owner of an effect (1.4)."""
        test = cond.test
        if test == "location":
            place = self.location
            true = place >= 0
            if true and cond.hero:
                true = self.book.kinds[self.public[place]].hero == cond.hero
        elif test == "enemy":
            true = self.enemies[owner] >= 0
        elif test == "item":
            true = bool(self.items[owner])
        else:
            true = self.burnt[owner] >= cond.least
        return true is not cond.negated

    def places(self) -> list[list[int]]:
        """Every place where a card can lie: each slot is in exactly one of these lists."""
        table = [slot for slot in (*self.enemies, self.location) if slot >= 0]
        piles = [self.danger, self.spent, self.pile, self.aside, table]
        return [*self.decks, *self.burns, *self.hands, *self.items, *piles]

    def copy_to(self, other: State) -> None:
        """Write this state into `other`; afterwards nothing that can change is shared."""
        for name in _ALL_SLOTS:
            setattr(other, name, getattr(self, name))
        for name in _LISTS:
            setattr(other, name, getattr(self, name)[:])
        for name in _NESTED:
            setattr(other, name, [inner[:] for inner in getattr(self, name)])
        other.memory = {key: faces[:] for key, faces in self.memory.items()}

    def public_bytes(self) -> bytes:
        """Canonical bytes of the public state: the same on every machine for the same rules and answers.

        Layout: a byte for each of players, first player, turn + 1, direction + 1, colour + 1, living, touched, lost,
        extra, fresh, events, flips, played + 1, emptied, location + 1; by seat a byte for Enemy + 1, then two for the
        counter of burnt cards; every list of slots (Danger Deck, its discard, the central pile, cards set aside; by
        seat deck, Burn Pile, hand, Items) as a count and its slots, a byte each; the public face of each slot; then, as
        JSON without spaces, modifiers until the next turn, traps, the waiting events, the agenda and the need.
        """
        numbers = [self.players, self.dealer, self.turn + 1, self.direction + 1, self.colour + 1, self.living,
                   self.touched, self.lost, self.extra, self.fresh, self.events, self.flips, self.played + 1,
                   self.emptied, self.location + 1]  # fmt: skip
        numbers += [slot + 1 for slot in self.enemies]
        for count in self.burnt:
            numbers += count.to_bytes(2, "big")
        for pile in (self.danger, self.spent, self.pile, self.aside, *self.decks, *self.burns, *self.hands,
                     *self.items):  # fmt: skip
            numbers.append(len(pile))
            numbers += pile
        rest = needs_as_json((self.mods, self.traps, self.queue, self.agenda, self.need))
        return bytes(numbers) + self.public + rest.encode()


def _ring(players: int, direction: int, living: int, seat: int) -> tuple[int, ...]:
    order = [(seat + step * direction) % players for step in range(players)]
    return tuple([other for other in order if living >> other & 1])


_RINGS: Final = {
    players: {
        direction: [
            [_ring(players, direction, living, seat) for seat in range(players)] for living in range(1 << players)
        ]
        for direction in (1, -1)
    }
    for players in range(2, SEATS + 1)
}
"""Every ring there can be: by players, direction, living seats as bits and the first seat."""


_NESTED = ("burns", "decks", "hands", "items", "known")
_LISTS = ("agenda", "aside", "burnt", "danger", "enemies", "held", "mods", "pile", "public", "queue", "spent", "traps")
_CLASSIC = ("passes", "piles", "refills", "winner")
_ALL_SLOTS = tuple(name for name in (*State.__slots__, *UltimateState.__slots__) if name not in _CLASSIC)
