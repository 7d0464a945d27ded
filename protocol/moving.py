"""The steps in which a seat decides: moves, and words in an UNO window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from p2puno.happenings import Happening
from p2puno.moves import Accept, Burn, Challenge, Draw, Keep, Move, Order, Pick, Play, Swap, Wish, WishFor
from p2puno.needs import Ask, Decide, Said, Say, Window
from p2puno.said import said
from protocol.deck import Form, Known, Stock
from protocol.payloads import BurnCards, Choose, MakeWish, PickOne, PlayCard, PutBack, Speak
from protocol.proofs.batch import BadProof, Equation
from protocol.proofs.dleq import ShareProof, check_shares, shares_from_bytes
from protocol.proofs.encoding import deck_from_bytes
from protocol.step import Step, Taken
from protocol.steps import handed_over

if TYPE_CHECKING:
    from protocol.table import Table

WORDS: dict[str, Move] = {"draw": Draw(), "keep": Keep(), "challenge": Challenge(), "accept": Accept()}
"""Moves that a `Choose` says by a word."""


class DecideStep(Step):
    """One seat moves; a played card is opened by its holder with the move."""

    what = said("move")
    takes = (PlayCard, Choose, PickOne, BurnCards, PutBack, MakeWish)
    automatic = False

    def __init__(self, table: Table, need: Decide) -> None:
        super().__init__(table, (need.seat,), need)

    def take(self, seat: int, payload: PlayCard | Choose | PickOne | BurnCards | PutBack | MakeWish) -> Taken:
        match payload:
            case Choose(word):
                if word not in WORDS:
                    raise BadProof(said("no such word"))
                return (WORDS[word], {}), ()
            case PickOne(value):
                return (Pick(value), {}), ()
            case PlayCard():
                slots, faces = (payload.slot,), (payload.face,)
                opened = self._opened(seat, "play", slots, faces, payload.share, payload.proof)
                return (Play(payload.slot, payload.face, payload.colour, payload.uno), known(slots, faces)), opened
            case BurnCards(slots, faces):
                if len(slots) != len(faces) or len(set(slots)) != len(slots):
                    raise BadProof(said("not one face for each slot"))
                if not slots:
                    return (Burn(()), {}), ()
                opened = self._opened(seat, "burn", slots, faces, payload.shares, payload.proof)
                return (Burn(tuple(zip(slots, faces, strict=True))), known(slots, faces)), opened
            case PutBack():
                return self._put_back(seat, payload)
            case MakeWish():
                return self._wish(seat, payload)

    def _opened(
        self, seat: int, why: str, slots: Sequence[int], faces: Sequence[int], data: bytes, proof: bytes
    ) -> list[Equation]:
        """Cards of the own hand, opened by their holder, must be what it says they are (C21, C22)."""
        held = [self.cards.held(seat, slot) for slot in slots]
        shares = shares_from_bytes(data, len(slots))
        for slot, card, face, share in zip(slots, held, faces, shares, strict=True):
            if self.cards.face_of(card, share) != face:
                raise BadProof(said("slot {slot} is another card than it says", slot=slot))
        context = self.table.context(seat, why)
        firsts = [a for a, _ in held]
        return check_shares(context, self.cards.key(seat), firsts, shares, ShareProof.from_bytes(proof))

    def returning(self, order: Sequence[int]) -> tuple[Move, tuple[int, ...]]:
        """The move that ends a look with this order, and the slots whose cards go back under the joint key.

        :raises BadProof: this is no end of a look
        """
        assert isinstance(self.need, Decide)
        if self.need.ask is Ask.ORDER:
            return Order(tuple(order)), self.need.options
        if self.need.ask is Ask.SWAP and len(order) < 2:
            return Swap(order[0] if order else -1), tuple(order) or (self.need.slot,)
        raise BadProof(said("nothing is to be put back"))

    def _put_back(self, seat: int, payload: PutBack) -> Taken:
        move, slots = self.returning(payload.order)
        new = deck_from_bytes(payload.cards, len(slots))
        if len(payload.proofs) != len(slots):
            raise BadProof(said("not one proof for each card that goes back"))
        equations: list[Equation] = []
        for slot, card, data in zip(slots, new, payload.proofs, strict=True):
            equations += handed_over(self, seat, "putback", f"back {slot}", slot, self.cards.joint, card, data)
        return (move, {slot: Stock(*card) for slot, card in zip(slots, new, strict=True)}), equations

    def _wish(self, seat: int, wish: MakeWish) -> Taken:
        move = Wish(wish.colour, WishFor(wish.wish), wish.target, wish.slot, wish.face, wish.card_colour, wish.uno)
        if wish.slot < 0:
            if wish.share or wish.proof or wish.face >= 0:
                raise BadProof(said("no card is played with this wish"))
            return (move, {}), ()
        slots, faces = (wish.slot,), (wish.face,)
        return (move, known(slots, faces)), self._opened(seat, "play", slots, faces, wish.share, wish.proof)

    def lacking(self, seat: int) -> list[int]:
        assert isinstance(self.need, Decide)
        need, game = self.need, self.table.game
        assert game is not None
        if need.ask is Ask.BURN:  # the lowest place first, until there are enough
            self.reveal(slot for slot in self.helped if slot not in self.opened)
            unseen = [slot for slot in sorted(game.hands[seat]) if slot not in self.opened]
            return unseen[:1] if len(self._burnt(need)) < need.count else []
        slots = need.options if need.ask is Ask.ORDER else (need.slot,) if need.ask is Ask.SWAP else ()
        return [slot for slot in slots if slot not in self.helped]

    def _burnt(self, need: Decide) -> list[tuple[int, int]]:
        cards = sorted(self.opened.items())
        return [(slot, face) for slot, face in cards if not need.options or face in need.options][: need.count]

    def _default(self) -> tuple[Move, dict[int, Form]]:
        """What is done for an absent seat (R57): hidden cards that it must burn or put back are opened to all."""
        assert isinstance(self.need, Decide)
        game = self.table.game
        assert game is not None
        if self.need.ask is Ask.BURN:
            cards = self._burnt(self.need)
            return Burn(tuple(cards)), {slot: Known(face) for slot, face in cards}
        move = game.default(self.need)
        assert isinstance(move, Move)
        if isinstance(move, Play):  # a card that all have seen (`force_play`)
            return move, {move.slot: Known(move.face)}
        faces = self.reveal(self.helped)
        return move, {slot: Known(face) for slot, face in faces.items()}

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        move, forms = next(iter(taken.values()), None) or self._default()
        happenings = self.apply(move)
        for slot, form in forms.items():
            self.cards.put(slot, form)
        return happenings


def known(slots: Sequence[int], faces: Sequence[int]) -> dict[int, Form]:
    """The forms of slots that were opened to all."""
    return {slot: Known(face) for slot, face in zip(slots, faces, strict=True)}


class WindowStep(Step):
    """An undeclared UNO: every seat of the window says its word (R59-R61)."""

    what = said("uno window")
    takes = (Speak,)
    automatic = False

    def __init__(self, table: Table, need: Window) -> None:
        super().__init__(table, need.seats, need)
        self.about = need.about

    def take(self, seat: int, payload: Speak) -> Taken:
        words = (Say.CALL, Say.SILENT) if seat == self.about else (Say.CATCH, Say.PASS)
        if payload.word not in words:
            raise BadProof(said("no word of this window"))
        return Say(payload.word), ()

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        for seat in self.authors:  # an absent one says nothing
            taken.setdefault(seat, Say.SILENT if seat == self.about else Say.PASS)
        return self.apply(Said(tuple((seat, taken[seat]) for seat in self.authors)))
