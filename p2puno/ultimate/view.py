"""What a seat may see of a hand of UNO Ultimate: the second half of the gate of p2puno/view.py."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Final

from p2puno.choices import CALLING, DRAW, KEEP, PLAIN
from p2puno.effects import CARD_KINDS
from p2puno.moves import Burn, Move, Order, Pick, Swap
from p2puno.needs import Ask, Decide
from p2puno.state import HIDDEN
from p2puno.ultimate.judge import PICKS
from p2puno.view import View

if TYPE_CHECKING:
    from p2puno.hero import Hero
    from p2puno.ultimate.engine import UltimateGame


class UltimateView(View):
    """A hand of UNO Ultimate as one seat sees it; everything of `View`, and what only this game has. Tuples are by
    seat; cards are faces."""

    __slots__ = ()
    _game: UltimateGame

    @property
    def heroes(self) -> tuple[Hero, ...]:
        """Who plays which hero."""
        return self._game.rules.cast.heroes

    @property
    def discard(self) -> tuple[int, ...]:
        """The central pile, the top last."""
        return tuple(self._game.public[slot] for slot in self._game.pile)

    @property
    def draw_size(self) -> int:
        """Cards in the deck of this seat; 0 for a watcher."""
        return 0 if self.seat is None else len(self._game.decks[self.seat])

    @property
    def decks(self) -> tuple[int, ...]:
        """Cards in each deck."""
        return tuple(map(len, self._game.decks))

    @property
    def burns(self) -> tuple[tuple[int, ...], ...]:
        """The Burn Piles, the top last."""
        return tuple(tuple(self._game.public[slot] for slot in pile) for pile in self._game.burns)

    @property
    def danger_size(self) -> int:
        """Cards in the Danger Deck."""
        return len(self._game.danger)

    @property
    def enemies(self) -> tuple[int, ...]:
        """Who is attacked by which Enemy; -1: by none."""
        return tuple(self._game.card(slot) for slot in self._game.enemies)

    @property
    def fresh(self) -> tuple[bool, ...]:
        """Whose Enemy came in this turn, so that it cannot be defeated (R26)."""
        return self._seats(self._game.fresh)

    @property
    def items(self) -> tuple[tuple[int, ...], ...]:
        """The Items of each player, in order of gain."""
        return tuple(tuple(self._game.public[slot] for slot in held) for held in self._game.items)

    @property
    def location(self) -> int:
        """The Location in play, -1 without."""
        return self._game.card(self._game.location)

    @property
    def blank(self) -> tuple[bool, ...]:
        """Whose power does nothing now (R40)."""
        return self._seats(self._game.in_force().blank)

    @property
    def banned(self) -> tuple[tuple[str, ...], ...]:
        """The kinds of cards that each player cannot play now (R46)."""
        return tuple(
            tuple(name for place, name in enumerate(CARD_KINDS) if mask >> place & 1)
            for mask in self._game.in_force().bans[: self._game.players]
        )

    @property
    def lost(self) -> tuple[bool, ...]:
        """Who loses the next turn."""
        return self._seats(self._game.lost)

    @property
    def extra(self) -> tuple[bool, ...]:
        """Who takes another turn after this one (R24)."""
        return self._seats(self._game.extra)

    @property
    def burnt(self) -> tuple[int, ...]:
        """The counter `burnt` of each player: cards burnt off the deck since the start of the last own turn."""
        return tuple(self._game.burnt)

    @property
    def modifiers(self) -> tuple[tuple[int, str, int], ...]:
        """What is in force until somebody's next turn: (bearer, name of the modifier, whose next turn)."""
        game = self._game
        return tuple((bearer, str(game.book.modifiers[number].mod), owner) for bearer, number, owner in game.mods)

    @property
    def traps(self) -> tuple[tuple[int, int, str], ...]:
        """Traps that are set: (owner, face or -1 for the power, trigger)."""
        game, kinds = self._game, len(self._game.book.kinds)
        return tuple(
            (owner, source if source < kinds else -1, str(game.book.abilities[number].on))
            for owner, source, number in game.traps
        )

    @property
    def bottom(self) -> tuple[tuple[int, ...], ...]:
        """Cards in each deck that everybody knows, from the bottom up (R36); -1 for a hidden one between them."""
        found = []
        for deck in self._game.decks:
            faces = [self._known_to_all(slot) for slot in deck]
            while faces and faces[-1] < 0:
                faces.pop()
            found.append(tuple(faces))
        return tuple(found)

    @property
    def peeked(self) -> tuple[int, ...]:
        """The top cards of the own deck that this seat has looked at, from the top down, as far as it knows them."""
        if self.seat is None:
            return ()
        faces = []
        for slot in reversed(self._game.decks[self.seat]):
            face = self._game.known[self.seat][slot]
            if face < 0:
                break
            faces.append(face)
        return tuple(faces)

    @property
    def shown(self) -> dict[int, tuple[int, ...]]:
        """Cards of others that this seat knows they surely hold: shown to it (R47), or known to all (R36)."""
        game, mine = self._game, self.seat
        seen: dict[int, tuple[int, ...]] = {}
        for seat, hand in enumerate(game.hands):
            if seat == mine:
                continue
            faces = [self._face(slot) for slot in hand]
            faces = [face for face in faces if face >= 0]
            remembered = game.memory.get((mine, seat), []) if mine is not None else []
            for face in set(remembered):
                faces += [face] * (remembered.count(face) - faces.count(face))
            if faces:
                seen[seat] = tuple(sorted(faces))
        return seen

    def face_of(self, slot: int) -> int:
        """What lies in a slot that a need names, as far as this seat knows: a card it was shown or looked at, an open
        Danger card; -1 if it does not know."""
        return self._face(slot)

    def claim(self) -> None:
        """There is no Wild Draw Four to challenge."""

    def moves(self) -> list[Move]:
        """Every move of the seat now; empty if it need not decide. Plays first, then Draw or Keep."""
        game, seat = self._game, self.seat
        need = game.need
        if type(need) is not Decide or need.seat != seat:
            return []
        ask, known = need.ask, game.known[seat]
        if ask is _TURN:
            moves = self._plays(game.hands[seat], known)
            moves.append(DRAW)
            return moves
        if ask is _DRAWN:
            moves = self._plays([need.slot], known)
            return moves if game.rules.force_play else [*moves, KEEP]
        if ask in PICKS:
            return list(_picks(need.options))
        if ask is Ask.BURN:
            return self._burns(need, game.hands[seat], known)
        if ask is Ask.ORDER:
            return [Order(slots) for slots in permutations(need.options)]
        return [Swap(), *(Swap(slot) for slot in game.hands[seat])]

    def _plays(self, slots: list[int], known: list[int]) -> list[Move]:
        game, seat = self._game, self.seat
        assert seat is not None
        book = game.book
        pile = game.pile
        fits = book.fits[game.colour][game.public[pile[-1]] if pile else -1]
        banned = (game.standing or game.in_force()).bans[seat]
        plays = CALLING if len(game.hands[seat]) == 2 and game.rules.uno_penalty else PLAIN
        naming = book.naming
        moves: list[Move] = []
        for slot in slots:
            face = known[slot]
            if face in fits and not (banned and book.mask[face] & banned):
                moves += plays[naming[face] << 16 | slot << 8 | face]
        return moves

    def _burns(self, need: Decide, slots: list[int], known: list[int]) -> list[Move]:
        """As many cards as asked; with a kind as many as there are, which may be none (R43)."""
        cards = [(slot, known[slot]) for slot in slots if not need.options or known[slot] in need.options]
        return [Burn(chosen) for chosen in combinations(cards, min(need.count, len(cards)))]

    def _seats(self, bits: int) -> tuple[bool, ...]:
        return tuple(bool(bits >> seat & 1) for seat in range(self._game.players))

    def _known_to_all(self, slot: int) -> int:
        face = self._game.public[slot]
        return -1 if face == HIDDEN else face

    def _face(self, slot: int) -> int:
        face = self._known_to_all(slot)
        return face if face >= 0 or self.seat is None else self._game.known[self.seat][slot]


_TURN: Final = Ask.TURN
_DRAWN: Final = Ask.DRAWN


@lru_cache(maxsize=1024)
def _picks(options: tuple[int, ...]) -> tuple[Pick, ...]:
    return tuple(map(Pick, options))
