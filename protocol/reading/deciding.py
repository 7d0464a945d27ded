"""What one seat decides: a play, a word, a choice; and the words of an UNO window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from p2puno.moves import Accept, Burn, Challenge, Draw, Keep, Move, Order, Pick, Play, Swap, Wish, WishFor
from p2puno.needs import Ask, Decide, Said, Say, Window
from p2puno.said import said
from protocol.exhibits import ASKED, seat_in_words
from protocol.group import Point, group
from protocol.payloads import BurnCards, Choose, MakeWish, PickOne, PlayCard, PutBack, Remove, Speak
from protocol.proofs.encoding import Card, deck_from_bytes
from protocol.proofs.handover import HandoverProof, Kind, check_handover
from protocol.reading.cards import Held, Known, Stock
from protocol.reading.opening import HelpQuestion
from protocol.reading.question import Claim, Question, Then
from protocol.reading.standing import Standing
from protocol.reading.trouble import Wrong

_WORDS: Final[Mapping[str, Move]] = {
    "draw": Draw(), "keep": Keep(), "challenge": Challenge(), "accept": Accept(),
}  # fmt: skip


class DecideQuestion(Question):
    """One seat says its move."""

    what = said("move")
    kinds = (PlayCard, Choose, PickOne, BurnCards, PutBack, MakeWish, Remove)

    def __init__(self, table: Standing, need: Decide) -> None:
        super().__init__(table, (need.seat,))
        self.need = need

    def check(self, seat: int, answer: Any) -> list[Claim]:
        move, claims = self.read(seat, answer)
        assert self.table.game is not None
        self.table.game.judge(self.need, move)
        return claims

    def read(self, seat: int, answer: Any) -> tuple[Move, list[Claim]]:
        """The move that an answer says, and the proofs that its cards are what it says.

        :raises Wrong: it says something untrue, or nothing
        :raises BadProof: it is malformed
        """
        match answer:
            case PlayCard(slot, face, colour, uno, share, proof):
                claims = self._faces(seat, [slot], [face], share, proof, "play")
                return Play(slot, face, colour, uno), claims
            case Choose(word):
                if word not in _WORDS:
                    raise Wrong(said("no such word"))
                return _WORDS[word], []
            case PickOne(value):
                return Pick(value), []
            case BurnCards(slots, faces, shares, proof):
                if len(slots) != len(faces):
                    raise Wrong(said("not one face for each slot"))
                claims = self._faces(seat, slots, faces, shares, proof, "burn")
                return Burn(tuple(zip(slots, faces, strict=True))), claims
            case PutBack(order):
                claims = self._puts_back(seat, answer)
                return (Swap(order[0] if order else -1) if self.need.ask is Ask.SWAP else Order(order)), claims
            case MakeWish(colour, wish, target, slot, face, card_colour, uno, share, proof):
                if slot >= 0:
                    claims = self._faces(seat, [slot], [face], share, proof, "play")
                elif share or proof:
                    raise Wrong(said("no card is played with this wish"))
                else:
                    claims = []
                return Wish(colour, WishFor(wish), target, slot, face, card_colour, uno), claims
            case _:
                raise Wrong(said("no such word"))

    def _faces(
        self, seat: int, slots: Sequence[int], faces: Sequence[int], shares: bytes, proof: bytes, deck: str
    ) -> list[Claim]:
        """The cards of a hand that an answer opens are those that it says."""
        cards = self.table.cards
        assert cards is not None
        held = [cards.held(slot, seat) for slot in slots]
        points, claims = self.shares(seat, slots, shares, proof, deck)
        for slot, face, card, share in zip(slots, faces, held, points, strict=True):
            if face >= len(cards.points) or not group.equal(group.sub(card.b, share), cards.points[face]):
                raise Wrong(said("slot {slot} is another card than it says", slot=slot))
        return claims

    def _puts_back(self, seat: int, answer: PutBack) -> list[Claim]:
        """What was looked at goes back as stock."""
        if self.need.ask not in (Ask.ORDER, Ask.SWAP):
            raise Wrong(said("nothing is to be put back"))
        slots = self._back(answer)
        if len(answer.proofs) != len(slots):
            raise Wrong(said("not one proof for each card that goes back"))
        assert self.table.cards is not None
        joint = self.table.cards.joint
        return [
            handover_claim(self, seat, slot, "putback", f"back {slot}", joint, new, proof)
            for slot, new, proof in zip(slots, deck_from_bytes(answer.cards, len(slots)), answer.proofs, strict=True)
        ]

    def _back(self, answer: PutBack) -> tuple[int, ...]:
        """The slots of which cards go back."""
        if self.need.ask is Ask.SWAP:
            return answer.order[:1] or (self.need.slot,)
        return self.need.options

    def after(self, given: Mapping[int, Any]) -> Question | Then:
        table = self.table
        assert table.cards is not None
        assert table.game is not None
        seat = self.need.seat
        if seat not in given:
            return self._default()
        answer = given[seat]
        move, _ = self.read(seat, answer)
        match move:
            case Play(slot, face) | Wish(slot=slot, face=face) if slot >= 0:
                self._lie_open([(slot, face)])
            case Burn(burned):
                self._lie_open(burned)
            case Order() | Swap():
                slots = self._back(answer)
                for slot, (a, b) in zip(slots, deck_from_bytes(answer.cards, len(slots)), strict=True):
                    table.cards.lay(slot, Stock(a, b))
        return self._do(move)

    def _do(self, move: Move) -> Then:
        assert self.table.game is not None
        self.table.tell(self.table.game.apply(move))
        return Then.PLAY_ON

    def _default(self) -> Question | Then:
        """The seat is absent: what the rules say then (docs/absence.md)."""
        assert self.table.game is not None
        need = self.need
        match need.ask:
            case Ask.BURN:
                return self._burn(sorted(self.table.game.hands[need.seat]), [])
            case Ask.ORDER:
                return self._back_as_they_were(need.options, Order(need.options))
            case Ask.SWAP:
                return self._back_as_they_were((need.slot,), Swap())
            case _:
                move = self.table.game.default(need)
                if isinstance(move, Play):  # of a card that all have seen (`force_play`)
                    self._lie_open([(move.slot, move.face)])
                assert isinstance(move, Move), "the default of a Decide is a move"
                return self._do(move)

    def _back_as_they_were(self, slots: Sequence[int], move: Move) -> Question | Then:
        """Cards that an absent seat looked at go back open to all."""

        def put_back(faces: Mapping[int, int]) -> Then:
            self._lie_open(faces.items())
            return self._do(move)

        return opened_for(self.table, self.need.seat, slots, put_back)

    def _lie_open(self, faces: Iterable[tuple[int, int]]) -> None:
        assert self.table.cards is not None
        for slot, face in faces:
            self.table.cards.lay(slot, Known(face))

    def _burn(self, hand: list[int], found: list[tuple[int, int]]) -> Question | Then:
        """The hand is opened slot by slot until enough cards fit."""
        if len(found) == self.need.count or not hand:
            self._lie_open(found)
            return self._do(Burn(tuple(found)))
        slot, rest = hand[0], hand[1:]

        def go_on(faces: Mapping[int, int]) -> Question | Then:
            fits = not self.need.options or faces[slot] in self.need.options
            return self._burn(rest, [*found, (slot, faces[slot])] if fits else found)

        return opened_for(self.table, self.need.seat, (slot,), go_on)

    def asked(self, seat: int) -> str:
        return said(
            "seat {seat} was to say {ask}, {key}",
            seat=seat_in_words(self.need.seat),
            ask=ASKED[self.need.ask],
            key=self.own(seat),
        )


class WindowQuestion(Question):
    """Everybody says a word about an undeclared UNO."""

    what = said("uno window")
    kinds = (Speak,)

    def __init__(self, table: Standing, need: Window) -> None:
        super().__init__(table, need.seats)
        self.need = need

    def check(self, seat: int, answer: Speak) -> list[Claim]:
        words = (Say.CALL, Say.SILENT) if seat == self.need.about else (Say.CATCH, Say.PASS)
        if answer.word not in words:
            raise Wrong(said("no word of this window"))
        return []

    def after(self, given: Mapping[int, Speak]) -> Question | Then:
        assert self.table.game is not None
        silent = self.table.game.default(self.need)
        assert isinstance(silent, Said)
        says = [(seat, Say(given[seat].word) if seat in given else say) for seat, say in silent.says]
        self.table.tell(self.table.game.apply(Said(tuple(says))))
        return Then.PLAY_ON

    def asked(self, seat: int) -> str:
        return said("about seat {seat}", seat=seat_in_words(self.need.about))


def opened_for(
    table: Standing, absent: int, slots: Sequence[int], then: Callable[[dict[int, int]], Question | Then]
) -> Question | Then:
    """What lies in slots of an absent seat is told to all by the others; `then` gets the faces by slot. The cards stay
    as they are."""
    cards = table.cards
    assert cards is not None
    faces = {slot: lying.face for slot in slots if isinstance(lying := cards.lying[slot], Known)}
    hidden = [slot for slot in slots if slot not in faces]
    if not hidden:
        return then(faces)

    def look(shares: Mapping[int, Point]) -> Question | Then:
        for slot, share in shares.items():
            lying = cards.lying[slot]
            assert isinstance(lying, Held)
            faces[slot] = cards.face(slot, group.sub(lying.b, share))
        return then(faces)

    return HelpQuestion(table, absent, hidden, look)


def handover_claim(
    question: Question, seat: int, slot: int, kind: Kind, deck: str, receiver: Point, new: Card, proof: bytes
) -> Claim:
    """That `new` is the card that `seat` holds in this slot, under the key of the receiver.

    :raises Wrong: it does not hold it
    :raises BadProof: the proof is malformed
    """
    cards = question.table.cards
    assert cards is not None
    held = cards.held(slot, seat)
    decoded = HandoverProof.from_bytes(proof)
    context = question.table.context(seat, deck)
    own = cards.keys[seat]
    return Claim(lambda: check_handover(context, kind, own, (held.a, held.b), receiver, new, decoded))
