"""The steps before the cards: agreement, keys, escrow (docs/wire.md, section 4; docs/deck-protocol.md, section 7)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from p2puno.said import said
from protocol.exhibits import short
from protocol.group import POINT_BYTES, Point, Q, group
from protocol.payloads import Agree, BoxKeys, Commit, Complaint, Deal, Pledge, Redeal, Reveal
from protocol.proofs.encoding import Reader
from protocol.proofs.schnorr import KeyProof, check_key
from protocol.reading.question import Claim, Question, Then
from protocol.reading.standing import Escrow, Standing
from protocol.reading.trouble import Wrong

_COMMIT: Final = b"p2puno/1 commit\0"
_ESCROW: Final = b"p2puno/1 escrow\0"
_SUITE: Final = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)


class AgreeQuestion(Question):
    """Everybody signs the charter."""

    what = said("agreement")
    kinds = (Agree,)

    def check(self, seat: int, answer: Agree) -> list[Claim]:
        return []

    def after(self, given: Mapping[int, Agree]) -> Question | Then:
        self.table.nonces = {seat: agree.nonce for seat, agree in given.items()}
        return Then.NEW_HAND


class CommitQuestion(Question):
    """Everybody seals its key, and gives box keys where there will be an escrow."""

    what = said("commit")
    kinds = (Commit,)

    def __init__(self, table: Standing) -> None:
        super().__init__(table, table.taking)

    def check(self, seat: int, answer: Commit) -> list[Claim]:
        check_boxes(self.table, answer.boxes)
        return []

    def after(self, given: Mapping[int, Commit]) -> Question | Then:
        self.table.phase = "reveal"
        return RevealQuestion(self.table, given)


class RevealQuestion(Question):
    """Everybody opens what it sealed."""

    what = said("reveal")
    kinds = (Reveal,)

    def __init__(self, table: Standing, commits: Mapping[int, Commit]) -> None:
        super().__init__(table, table.taking)
        self.commits = commits

    def check(self, seat: int, answer: Reveal) -> list[Claim]:
        deal = answer.deal
        sealed = _COMMIT + self.table.sid + bytes([seat]) + answer.key + answer.entropy + answer.opening
        if hashlib.sha256(sealed + deal.coefficients).digest() != self.commits[seat].hash:
            raise Wrong(said("the reveal does not open the commitment"))
        key = Reader(answer.key, POINT_BYTES).point()
        check_deal(self.table, deal)
        proof = KeyProof.from_bytes(answer.proof)
        context = self.table.context(seat, "key")
        return [Claim(lambda: check_key(context, key, answer.entropy, proof))]

    def twins(self, given: Mapping[int, Reveal]) -> list[int]:
        """Who shows a key that a seat before it shows, too."""
        seats = sorted(given)
        return [seat for seat in seats if any(given[seat].key == given[other].key for other in seats if other < seat)]

    def after(self, given: Mapping[int, Reveal]) -> Question | Then:
        keys = {seat: group.dec(reveal.key) for seat, reveal in given.items()}
        self.table.deal(keys, {seat: reveal.entropy for seat, reveal in given.items()})
        if not self.table.escrowed:
            return Then.PLAY_ON
        boxes = {seat: commit.boxes for seat, commit in self.commits.items()}
        return PledgeQuestion(self.table, boxes, {seat: reveal.deal for seat, reveal in given.items()})

    def asked(self, seat: int) -> str:
        commit = self.commits.get(seat)
        if commit is None:
            return ""
        return said("the commitment {commitment}", commitment=short(commit.hash))


class PledgeQuestion(Question):
    """Everybody has good shares of all dealers, or complains."""

    what = said("escrow")
    kinds = (Pledge,)

    def __init__(self, table: Standing, boxes: Mapping[int, Sequence[bytes]], deals: Mapping[int, Deal]) -> None:
        super().__init__(table, table.taking)
        assert table.cards is not None
        self.boxes = boxes
        self.deals = deals
        self.dealers = {seat: (table.cards.keys[seat], *_points(deal.coefficients)) for seat, deal in deals.items()}

    def check(self, seat: int, answer: Pledge) -> list[Claim]:
        for complaint in answer.complaints:
            if self._holds(seat, complaint) is None:
                raise Wrong(said("complains of a good share"))
        return []

    def accused(self, seat: int, answer: Pledge) -> list[tuple[int, str]]:
        """Of which dealers a seat complains rightly, and the reasons for their blame."""
        name = self.table.names[seat]
        return [
            (complaint.dealer, said("dealt {name} a share that does not fit", name=name))
            for complaint in answer.complaints
        ]

    def _holds(self, seat: int, complaint: Complaint) -> bytes | None:
        """The share that was complained of, if it is bad; None if it fits.

        :raises Wrong: it is no complaint at all
        """
        dealer = complaint.dealer
        secret = X25519PrivateKey.from_private_bytes(complaint.secret)
        of_no_dealer = dealer == seat or dealer not in self.deals
        if of_no_dealer or secret.public_key().public_bytes_raw() != self.boxes[seat][self._place(seat, dealer)]:
            raise Wrong(said("complains with another key than it had published"))
        sealed = self.deals[dealer].sealed[self._place(dealer, seat)]
        info = _ESCROW + self.table.sid + self.table.epoch.to_bytes(4, "big") + bytes([dealer, seat])
        try:
            share = _SUITE.decrypt(sealed, secret, info=info)
        except (InvalidTag, ValueError):
            return sealed
        return None if self._fits(share, dealer, seat) else sealed

    def _place(self, own: int, other: int) -> int:
        """Where `other` stands in a list with one place for each seat but `own`, rising."""
        return [seat for seat in self.authors if seat != own].index(other)

    def _fits(self, share: bytes, dealer: int, seat: int) -> bool:
        """s·G = Σ (k + 1)^l · A_l, for a share of 32 bytes below Q."""
        number = int.from_bytes(share, "big")
        if len(share) != 32 or not 0 < number < Q:
            return False
        return group.equal(group.mulg(number), Escrow(0, self.dealers).share_key(dealer, seat))

    def after(self, given: Mapping[int, Pledge]) -> Question | Then:
        self.table.escrow = Escrow(self.table.epoch, self.dealers)
        return Then.PLAY_ON

    def asked(self, seat: int) -> str:
        return said("the commitments of the dealers")


class BoxKeysQuestion(Question):
    """After a departure: fresh box keys for another escrow."""

    what = said("escrow")
    kinds = (BoxKeys,)

    def __init__(self, table: Standing) -> None:
        super().__init__(table, table.taking)
        table.epoch += 1

    def check(self, seat: int, answer: BoxKeys) -> list[Claim]:
        check_boxes(self.table, answer.boxes)
        return []

    def after(self, given: Mapping[int, BoxKeys]) -> Question | Then:
        return RedealQuestion(self.table, {seat: boxes.boxes for seat, boxes in given.items()})


class RedealQuestion(Question):
    """After a departure: everybody deals its key share anew."""

    what = said("escrow")
    kinds = (Redeal,)

    def __init__(self, table: Standing, boxes: Mapping[int, Sequence[bytes]]) -> None:
        super().__init__(table, table.taking)
        self.boxes = boxes

    def check(self, seat: int, answer: Redeal) -> list[Claim]:
        check_deal(self.table, answer.deal)
        return []

    def after(self, given: Mapping[int, Redeal]) -> Question | Then:
        return PledgeQuestion(self.table, self.boxes, {seat: redeal.deal for seat, redeal in given.items()})

    def asked(self, seat: int) -> str:
        return said("the commitments of the dealers")


def check_boxes(table: Standing, boxes: Sequence[bytes]) -> None:
    """
    :raises Wrong: there are not as many as dealers, or to one of them nothing can be sealed
    """
    if len(boxes) != (len(table.taking) - 1 if table.escrowed else 0):
        raise Wrong(said("not one box key for each dealer"))
    for box in boxes:
        try:
            X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(box))
        except ValueError:  # of low order
            raise Wrong(said("a box key that nothing can be sealed to")) from None


def check_deal(table: Standing, deal: Deal) -> None:
    """
    :raises Wrong: it has not as many commitments and sealed shares as must be
    :raises BadProof: a commitment is malformed
    """
    others = len(table.taking) - 1 if table.escrowed else 0
    if len(deal.sealed) != others:
        raise Wrong(said("not one sealed share for each seat"))
    if len(deal.coefficients) != POINT_BYTES * max(0, others - 1):
        raise Wrong(said("the commitments of the escrow are not as many as must be"))
    Reader(deal.coefficients, len(deal.coefficients)).points(len(deal.coefficients) // POINT_BYTES)


def _points(data: bytes) -> list[Point]:
    return [group.dec(data[at : at + POINT_BYTES]) for at in range(0, len(data), POINT_BYTES)]
