"""The steps of the escrow: dealing it, pledging to keep it, and helping out from it (docs/absence.md).

In set-up the box keys travel with the commitments and the deals with the reveals; after a departure they have steps of
their own. An escrow holds when every seat has pledged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from p2puno.happenings import Happening
from p2puno.said import said
from protocol.escrow import Escrow, box_public, coefficients, combine, others, unseal
from protocol.group import Point
from protocol.payloads import BoxKeys, Deal, Help, Pledge, Redeal
from protocol.proofs.batch import BadProof, Equation, require
from protocol.proofs.dleq import ShareProof, check_shares, shares_from_bytes
from protocol.proofs.encoding import Reader
from protocol.step import Step, Taken

if TYPE_CHECKING:
    from protocol.table import Table

_PROBE = X25519PrivateKey.from_private_bytes(bytes(range(32)))


class Blame(BadProof):
    """What comes in shows that another seat than its author cheated."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat


def read_boxes(step: Step, seat: int, boxes: Sequence[bytes]) -> dict[int, bytes]:
    """The box keys of a seat by dealer; empty where there is no escrow.

    :raises BadProof: not one usable key for each
    """
    dealers = others(step.authors, seat) if step.table.escrowed else []
    if len(boxes) != len(dealers):
        raise BadProof(said("not one box key for each dealer"))
    for box in boxes:
        try:
            _PROBE.exchange(X25519PublicKey.from_public_bytes(box))
        except ValueError:
            raise BadProof(said("a box key that nothing can be sealed to")) from None
    return dict(zip(dealers, boxes, strict=True))


def read_deal(step: Step, seat: int, key: Point, deal: Deal) -> tuple[list[Point], dict[int, bytes]]:
    """A_0 … A_t of a dealer, and the sealed shares by seat; both empty where there is no escrow.

    :raises BadProof: not so many as there must be (C08)
    """
    receivers = others(step.authors, seat) if step.table.escrowed else []
    count = coefficients(len(step.authors)) - 1 if receivers else 0
    if len(deal.sealed) != len(receivers):
        raise BadProof(said("not one sealed share for each seat"))
    size = 33 * count
    if len(deal.coefficients) != size:
        raise BadProof(said("the commitments of the escrow are not as many as must be"))
    points = Reader(deal.coefficients, size).points(count)
    return [key, *points] if receivers else [], dict(zip(receivers, deal.sealed, strict=True))


class PledgeStep(Step):
    """Every seat says that it keeps a good share of every dealer, or shows the dealer's that is bad."""

    what = said("escrow")
    takes = (Pledge,)

    def __init__(self, table: Table, escrow: Escrow) -> None:
        super().__init__(table, table.present)
        self.escrow = escrow

    def take(self, seat: int, payload: Pledge) -> Taken:
        escrow = self.escrow
        for complaint in payload.complaints:
            dealer = complaint.dealer
            if box_public(complaint.secret) != escrow.boxes[seat].get(dealer):
                raise BadProof(said("complains with another key than it had published"))
            sealed = escrow.sealed[dealer][seat]
            share = unseal(self.table.sid, escrow.epoch, dealer, seat, complaint.secret, sealed)
            try:
                if share is None:
                    raise BadProof(said("nothing to be opened"))
                require([escrow.fits(dealer, seat, share)])
            except BadProof:
                raise Blame(
                    dealer, said("dealt {name} a share that does not fit", name=self.table.names[seat])
                ) from None
            raise BadProof(said("complains of a good share"))
        return None, ()

    def finish(self, taken: dict[int, Any]) -> None:
        self.table.escrow = self.escrow


class BoxStep(Step):
    """After a departure: fresh box keys."""

    what = said("escrow")
    takes = (BoxKeys,)

    def __init__(self, table: Table, epoch: int) -> None:
        super().__init__(table, table.present)
        self.epoch = epoch

    def take(self, seat: int, payload: BoxKeys) -> Taken:
        return read_boxes(self, seat, payload.boxes), ()

    def finish(self, taken: dict[int, Any]) -> None:
        self.follow = RedealStep(self.table, self.epoch, taken)


class RedealStep(Step):
    """After a departure: the shares of the new epoch."""

    what = said("escrow")
    takes = (Redeal,)

    def __init__(self, table: Table, epoch: int, boxes: dict[int, dict[int, bytes]]) -> None:
        super().__init__(table, table.present)
        self.epoch, self.boxes = epoch, boxes

    def take(self, seat: int, payload: Redeal) -> Taken:
        return read_deal(self, seat, self.cards.key(seat), payload.deal), ()

    def finish(self, taken: dict[int, Any]) -> None:
        self.follow = PledgeStep(self.table, Escrow(self.epoch, self.boxes, taken))


class HelpStep(Step):
    """All others give, out of escrow, what one seat owes: of these slots, in rising order."""

    what = said("helping out")
    takes = (Help,)

    def __init__(
        self, table: Table, seat: int, slots: Iterable[int], given: Mapping[int, list[Point]] | None = None
    ) -> None:
        """`given`: verified shares of helpers that have left, one for each slot."""
        assert table.cards is not None
        assert table.escrow is not None
        self.seat = seat
        self.slots = sorted(slots)
        self.given = dict(given or {})
        self.firsts = [table.cards.first(slot) for slot in self.slots]
        super().__init__(table, table.quorum.helpers(seat) if self.slots else ())

    def take(self, seat: int, payload: Help) -> Taken:
        return self.check(self.table, seat, self.seat, self.firsts, payload.shares, payload.proof, self.table.number)

    @staticmethod
    def check(
        table: Table, helper: int, seat: int, firsts: Sequence[Point], data: bytes, proof: bytes, step: int
    ) -> tuple[list[Point], list[Equation]]:
        """The helper shares f_i(k)·a for these first halves, and what shows that they are right.

        :raises BadProof: they are malformed
        """
        assert table.escrow is not None
        shares = shares_from_bytes(data, len(firsts))
        context = table.context(helper, help_deck(table.escrow, seat), step)
        key = table.escrow.key(seat, helper)
        return shares, check_shares(context, key, firsts, shares, ShareProof.from_bytes(proof))

    def shares(self, taken: dict[int, Any]) -> dict[int, Point]:
        """By slot, the share of the seat."""
        if not self.slots:
            return {}
        return dict(zip(self.slots, combine({**taken, **self.given}), strict=True))


def help_deck(escrow: Escrow, seat: int) -> str:
    """The name under which a proof of helper shares is made."""
    return f"help {escrow.epoch} {seat}"


class InsteadStep(HelpStep):
    """What an absent author of another step owes to it."""

    def __init__(self, step: Step, taken: dict[int, Any], seat: int, slots: Iterable[int]) -> None:
        super().__init__(step.table, seat, slots)
        self._origin, self.taken = step, taken
        self.need = step.need

    @property
    def origin(self) -> Step:
        return self._origin

    def finish(self, taken: dict[int, Any]) -> list[Happening] | None:
        step = self._origin
        step.helped |= self.shares(taken)
        more = step.lacking(self.seat)
        if more:
            self.follow = InsteadStep(step, self.taken, self.seat, more)
            return None
        happenings = step.finish(self.taken)
        self.follow = step.follow
        return happenings


class StripStep(HelpStep):
    """The shares by which a seat that is gone without a word comes off the stock."""

    what = said("removing a seat")

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        happenings = self.table.departures.stripped(self.seat, self.shares(taken))
        self.follow = self.table.departures.after()
        return happenings
