"""The steps in which a holder proves, shows or hands over hidden cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from p2puno.happenings import Happening
from p2puno.needs import ALL, NOBODY, Attest, Attested, Conceded, Give, Given, Show, Shown
from p2puno.said import said
from protocol.deck import Held, Known
from protocol.group import Point
from protocol.payloads import Attestation, Gifts
from protocol.proofs.batch import BadProof, Equation
from protocol.proofs.dleq import ShareProof, check_shares, shares_from_bytes
from protocol.proofs.encoding import Card, deck_from_bytes
from protocol.proofs.membership import MemberProof, check_member
from protocol.step import Step, Taken
from protocol.steps import handed_over

if TYPE_CHECKING:
    from protocol.table import Table


class AttestStep(Step):
    """A holder proves what its hidden cards are or are not, and shows them where the rules say so (R68, R71)."""

    what = said("attestation")
    takes = (Attestation,)

    def __init__(self, table: Table, need: Attest) -> None:
        super().__init__(table, (need.seat,), need)
        self.ask = need
        self.held = [self.cards.held(need.seat, slot) for slot in need.slots]
        self.shown: dict[int, Card | Point] = {}
        """After the step: per slot its ciphertext under the watcher's key, or for a show to all its share."""

    def faces(self, inside: bool) -> list[int]:
        """The faces of the slots' deck that a slot is proven to be one of, in the order of the proof."""
        slots = self.ask.slots
        deck = next(deck for deck in self.table.rules.decks() if not slots or slots[0] in deck.slots)
        return [face for face in deck.faces if (face in self.ask.faces) == inside]

    def points(self, inside: bool) -> list[Point]:
        """The points of `faces`."""
        return [self.cards.faces.points[face] for face in self.faces(inside)]

    def take(self, seat: int, payload: Attestation) -> Taken:
        equations, shown = check_shown(self, seat, self.ask, self.held, payload)
        if not payload.inside and self.ask.slots:
            if not self.ask.may_concede or payload.proofs:
                raise BadProof(said("this cannot be conceded"))
            return (None, shown), equations
        if len(payload.inside) != len(self.held) or len(payload.proofs) != len(self.held):
            raise BadProof(said("not one proof for each slot"))
        if any(flag > 1 for flag in payload.inside) or (self.ask.all_outside and any(payload.inside)):
            raise BadProof(said("not what was asked"))
        for slot, card, flag, data in zip(self.ask.slots, self.held, payload.inside, payload.proofs, strict=True):
            points = self.points(bool(flag))
            equations += check_member(
                self.table.context(seat, f"attest {slot}"),
                self.cards.key(seat),
                card,
                points,
                MemberProof.from_bytes(data, len(points)),
            )
        return (tuple(bool(flag) for flag in payload.inside), shown), equations

    def lacking(self, seat: int) -> list[int]:
        return [] if self.ask.may_concede else [slot for slot in self.ask.slots if slot not in self.helped]

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        if taken:  # only now are the proofs verified
            ((inside, self.shown),) = taken.values()
        elif self.ask.may_concede:
            inside = None
        else:  # the holder is absent: all see what it would have proven (R57)
            faces = self.reveal(self.ask.slots)
            inside = tuple(faces[slot] in self.ask.faces for slot in self.ask.slots)
        return self.apply(Conceded() if inside is None else Attested(inside))


class ShowStep(Step):
    """A holder shows cards of its hand (R47)."""

    what = said("showing cards")
    takes = (Attestation,)

    def __init__(self, table: Table, need: Show) -> None:
        super().__init__(table, (need.seat,) if need.slots else (), need)
        self.ask = need
        self.held = [self.cards.held(need.seat, slot) for slot in need.slots]
        self.shown: dict[int, Card | Point] = {}

    def take(self, seat: int, payload: Attestation) -> Taken:
        equations, shown = check_shown(self, seat, self.ask, self.held, payload)
        if payload.inside or payload.proofs:
            raise BadProof(said("nothing is asked about these cards"))
        return shown, equations

    def lacking(self, seat: int) -> list[int]:
        return [slot for slot in self.ask.slots if slot not in self.helped]

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        if taken:
            (self.shown,) = taken.values()
        elif self.authors:  # the holder is absent: all see its cards (R57)
            self.reveal(self.ask.slots)
        return self.apply(Shown())


def check_shown(
    step: Step, seat: int, ask: Attest | Show, held: Sequence[Card], payload: Attestation
) -> tuple[list[Equation], dict[int, Card | Point]]:
    """The equations of what is shown with a payload, and per slot what was shown: its ciphertext under the watcher's
    key, or for a show to all its share.

    :raises BadProof: not exactly the slots of the need are shown
    """
    to = ask.show_to if isinstance(ask, Attest) else ask.to
    slots, key = ask.slots, step.cards.key(seat)
    if to == NOBODY or not slots:
        if payload.shown or payload.shown_proofs:
            raise BadProof(said("nothing is to be shown"))
        return [], {}
    if to == ALL:
        shares = shares_from_bytes(payload.shown, len(slots))
        if len(payload.shown_proofs) != 1:
            raise BadProof(said("not one proof for all that is shown"))
        proof = ShareProof.from_bytes(payload.shown_proofs[0])
        context = step.table.context(seat, "show")
        equations = check_shares(context, key, [card[0] for card in held], shares, proof)
        return equations, dict(zip(slots, shares, strict=True))
    shown = deck_from_bytes(payload.shown, len(slots))
    if len(payload.shown_proofs) != len(slots):
        raise BadProof(said("not every slot is shown"))
    equations = []
    receiver = step.cards.key(to)
    for slot, new, data in zip(slots, shown, payload.shown_proofs, strict=True):
        equations += handed_over(step, seat, "show", f"show {slot}", slot, receiver, new, data)
    return equations, dict(zip(slots, shown, strict=True))


class GiveStep(Step):
    """Holders hand cards over to other seats (R79)."""

    what = said("handing over cards")
    takes = (Gifts,)

    def __init__(self, table: Table, need: Give) -> None:
        self.gifts: dict[int, list[tuple[int, int]]] = {}  # by giver: (slot, receiver)
        for slot, giver, receiver in need.gifts:
            self.gifts.setdefault(giver, []).append((slot, receiver))
        super().__init__(table, tuple(sorted(self.gifts)), need)

    def take(self, seat: int, payload: Gifts) -> Taken:
        gifts = self.gifts[seat]
        new = deck_from_bytes(payload.cards, len(gifts))
        if len(payload.proofs) != len(gifts):
            raise BadProof(said("not one proof for each card"))
        equations: list[Equation] = []
        forms = {}
        for (slot, receiver), card, data in zip(gifts, new, payload.proofs, strict=True):
            key = self.cards.key(receiver)
            equations += handed_over(self, seat, "gift", f"gift {slot}", slot, key, card, data)
            forms[slot] = Held(receiver, *card)
        return forms, equations

    def lacking(self, seat: int) -> list[int]:
        return [slot for slot, _ in self.gifts[seat] if slot not in self.helped]

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        for forms in taken.values():
            for slot, form in forms.items():
                self.cards.put(slot, form)
        for seat, gifts in self.gifts.items():
            if seat not in taken:  # the giver is absent: all see what goes over (R57)
                faces = self.reveal(slot for slot, _ in gifts)
                for slot, receiver in gifts:
                    self.cards.put(slot, Known(faces[slot]))
                    self.cards.hold(slot, receiver)
        return self.apply(Given())
