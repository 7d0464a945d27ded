"""Hidden cards of a hand: proven to be in or out, shown, handed over."""

from __future__ import annotations

from collections.abc import Mapping

from p2puno.needs import ALL, NOBODY, Attest, Attested, Conceded, Give, Given, Show, Shown
from p2puno.said import COMMA, joined, said
from protocol.exhibits import seat_in_words, slots_in_words
from protocol.group import group
from protocol.payloads import Attestation, Gifts
from protocol.proofs.encoding import deck_from_bytes
from protocol.proofs.membership import MemberProof, check_member
from protocol.reading.cards import Held, Known
from protocol.reading.deciding import handover_claim, opened_for
from protocol.reading.question import Claim, Question, Then
from protocol.reading.standing import Standing
from protocol.reading.trouble import Wrong


class AttestQuestion(Question):
    """A seat proves of hidden cards whether they are among some faces, and shows them where that is asked."""

    what = said("attestation")
    kinds = (Attestation,)

    def __init__(self, table: Standing, need: Attest) -> None:
        super().__init__(table, (need.seat,))
        self.need = need

    def check(self, seat: int, answer: Attestation) -> list[Claim]:
        need = self.need
        if not answer.inside and need.slots:
            if not need.may_concede:
                raise Wrong(said("this cannot be conceded"))
            if answer.proofs:
                raise Wrong(said("not one proof for each slot"))
            return shown_claims(self, seat, need.slots, need.show_to, answer)
        if len(answer.inside) != len(need.slots) or len(answer.proofs) != len(need.slots):
            raise Wrong(said("not one proof for each slot"))
        if any(inside > 1 for inside in answer.inside) or (need.all_outside and any(answer.inside)):
            raise Wrong(said("not what was asked"))
        claims = [
            self._member(seat, slot, bool(inside), proof)
            for slot, inside, proof in zip(need.slots, answer.inside, answer.proofs, strict=True)
        ]
        return claims + shown_claims(self, seat, need.slots, need.show_to, answer)

    def _member(self, seat: int, slot: int, inside: bool, proof: bytes) -> Claim:
        cards = self.table.cards
        assert cards is not None
        asked = set(self.need.faces)
        faces = [point for face, point in enumerate(cards.points) if (face in asked) is inside]
        held = cards.held(slot, seat)
        decoded = MemberProof.from_bytes(proof, len(faces))
        context = self.table.context(seat, f"attest {slot}")
        own = cards.keys[seat]
        return Claim(lambda: check_member(context, own, (held.a, held.b), faces, decoded))

    def after(self, given: Mapping[int, Attestation]) -> Question | Then:
        need = self.need
        if need.seat not in given:
            if need.may_concede:
                return self._conceded()
            return opened_for(self.table, need.seat, need.slots, self._seen)
        inside = given[need.seat].inside
        return self._attested(tuple(map(bool, inside))) if len(inside) == len(need.slots) else self._conceded()

    def _seen(self, faces: Mapping[int, int]) -> Then:
        """All know the cards of an absent seat."""
        return self._attested(tuple(faces[slot] in self.need.faces for slot in self.need.slots))

    def _conceded(self) -> Then:
        assert self.table.game is not None
        self.table.tell(self.table.game.apply(Conceded()))
        return Then.PLAY_ON

    def _attested(self, inside: tuple[bool, ...]) -> Then:
        assert self.table.game is not None
        self.table.tell(self.table.game.apply(Attested(inside)))
        return Then.PLAY_ON

    def asked(self, seat: int) -> str:
        return self.slots_and_key(self.need.slots, seat)


class ShowQuestion(Question):
    """A seat shows cards of its hand."""

    what = said("showing cards")
    kinds = (Attestation,)

    def __init__(self, table: Standing, need: Show) -> None:
        super().__init__(table, (need.seat,))
        self.need = need

    def check(self, seat: int, answer: Attestation) -> list[Claim]:
        if answer.inside or answer.proofs:
            raise Wrong(said("nothing is asked about these cards"))
        return shown_claims(self, seat, self.need.slots, self.need.to, answer)

    def after(self, given: Mapping[int, Attestation]) -> Question | Then:
        need = self.need
        if need.seat not in given:
            return opened_for(self.table, need.seat, need.slots, lambda _: self._shown())
        return self._shown()

    def _shown(self) -> Then:
        assert self.table.game is not None
        self.table.tell(self.table.game.apply(Shown()))
        return Then.PLAY_ON

    def asked(self, seat: int) -> str:
        return self.slots_and_key(self.need.slots, seat)


class GiveQuestion(Question):
    """Holders hand cards over."""

    what = said("handing over cards")
    kinds = (Gifts,)

    def __init__(self, table: Standing, need: Give) -> None:
        self.need = need
        self.gifts: dict[int, list[tuple[int, int]]] = {}
        for slot, giver, taker in need.gifts:
            self.gifts.setdefault(giver, []).append((slot, taker))
        super().__init__(table, tuple(self.gifts))

    def check(self, seat: int, answer: Gifts) -> list[Claim]:
        gifts = self.gifts[seat]
        if len(answer.proofs) != len(gifts):
            raise Wrong(said("not one proof for each card"))
        assert self.table.cards is not None
        keys = self.table.cards.keys
        return [
            handover_claim(self, seat, slot, "gift", f"gift {slot}", keys[taker], new, proof)
            for (slot, taker), new, proof in zip(
                gifts, deck_from_bytes(answer.cards, len(gifts)), answer.proofs, strict=True
            )
        ]

    def after(self, given: Mapping[int, Gifts]) -> Question | Then:
        missing = self.missing(given)
        if not missing:
            return self._hand_over(given)
        (absent,) = missing
        slots = [slot for slot, _ in self.gifts[absent]]
        return opened_for(self.table, absent, slots, lambda faces: self._hand_over(given, faces))

    def _hand_over(self, given: Mapping[int, Gifts], faces: Mapping[int, int] | None = None) -> Then:
        """`faces`: by slot, what an absent seat hands over, open to all."""
        cards = self.table.cards
        assert cards is not None
        for seat, answer in given.items():
            gifts = self.gifts[seat]
            for (slot, taker), (a, b) in zip(gifts, deck_from_bytes(answer.cards, len(gifts)), strict=True):
                cards.lay(slot, Held(taker, a, b))
        for slot, giver, taker in self.need.gifts:
            if faces and giver not in given:
                cards.lay(slot, Known(faces[slot]))
                cards.deal(slot, taker, ())
        return self._given()

    def _given(self) -> Then:
        assert self.table.game is not None
        self.table.tell(self.table.game.apply(Given()))
        return Then.PLAY_ON

    def asked(self, seat: int) -> str:
        gifts = self.gifts.get(seat, ())
        return said(
            "{slots} to seats {seats}, {key}",
            slots=slots_in_words([slot for slot, _ in gifts]),
            seats=joined((seat_in_words(to) for _, to in gifts), COMMA),
            key=self.own(seat),
        )


def shown_claims(question: Question, seat: int, slots: tuple[int, ...], to: int, answer: Attestation) -> list[Claim]:
    """That what is shown are the cards of these slots.

    :raises Wrong: it is not shown as it must be
    :raises BadProof: it is malformed
    """
    if to == NOBODY or not slots:
        if answer.shown or answer.shown_proofs:
            raise Wrong(said("nothing is to be shown"))
        return []
    cards = question.table.cards
    assert cards is not None
    if to == ALL:
        if len(answer.shown_proofs) != 1:
            raise Wrong(said("not one proof for all that is shown"))
        held = [cards.held(slot, seat) for slot in slots]
        points, claims = question.shares(seat, slots, answer.shown, answer.shown_proofs[0], "show")
        for slot, card, share in zip(slots, held, points, strict=True):
            cards.face(slot, group.sub(card.b, share))
        return claims
    new = deck_from_bytes(answer.shown, len(slots))
    if len(answer.shown_proofs) != len(slots):
        raise Wrong(said("not every slot is shown"))
    return [
        handover_claim(question, seat, slot, "show", f"show {slot}", cards.keys[to], card, proof)
        for slot, card, proof in zip(slots, new, answer.shown_proofs, strict=True)
    ]
