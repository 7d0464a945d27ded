"""What one seat alone knows and does in a hand: its key, its nonce secret, its faces; its honest contributions.

Fresh for every hand. Everything secret is derived from one seed, which is on disk before anything that depends on it is
sent, and the same statement gives the same bytes: who starts again tells the same story
(docs/deck-protocol.md, section 3).
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence

from p2puno.moves import Accept, Burn, Challenge, Draw, Keep, Move, Order, Pick, Play, Swap, Wish
from p2puno.needs import ALL, NOBODY, Attest, Give, Mix, Open, Say, Show
from protocol.dealing import BoxStep, HelpStep, PledgeStep, RedealStep, help_deck
from protocol.deck import Cards, Known
from protocol.escrow import Escrow, box_public, coefficients, evaluate, others, seal, unseal
from protocol.group import Point, Q, group
from protocol.moving import DecideStep
from protocol.payloads import (
    Attestation,
    BoxKeys,
    BurnCards,
    Choose,
    Commit,
    Complaint,
    Deal,
    Gifts,
    Help,
    Helping,
    Leave,
    MakeWish,
    Payload,
    PickOne,
    PlayCard,
    Pledge,
    PutBack,
    Redeal,
    Reordered,
    Reveal,
    Shares,
    Shuffling,
    Speak,
)
from protocol.proofs.batch import BadProof, require
from protocol.proofs.dleq import prove_shares, shares_bytes
from protocol.proofs.encoding import Card, deck_bytes, points_bytes
from protocol.proofs.handover import Kind, prove_handover
from protocol.proofs.membership import prove_member
from protocol.proofs.schnorr import prove_key
from protocol.proofs.shuffle import prove_shuffle, shuffle
from protocol.proofs.transcript import Context, Nonces
from protocol.showing import AttestStep, GiveStep, ShowStep
from protocol.step import Done, Step
from protocol.steps import CommitStep, MixStep, OpenStep, RevealStep, ShuffleStep, commitment
from protocol.table import Table

_WORDS: dict[type[Move], str] = {Draw: "draw", Keep: "keep", Challenge: "challenge", Accept: "accept"}


class Keeper:
    """The secrets of one seat for one hand."""

    def __init__(self, table: Table, seat: int, seed: bytes) -> None:
        """`seed`: 64 secret bytes of this hand alone."""
        self.table = table
        self.seat = seat
        self.sid = table.sid
        self._seed = seed
        self._x = self._scalar("key")
        self._key = group.mulg(self._x)
        self._nonces = Nonces(self._derived("nonces"))
        self._entropy = self._derived("entropy")[:32]
        self._opening = self._derived("opening")[:32]
        self._kept: dict[tuple[int, int], int | None] = {}  # by (epoch, dealer), the share that we keep
        self._given: dict[bytes, int] = {}  # first halves whose share is public already, and for whom it opened them

    def _derived(self, label: str) -> bytes:
        """64 bytes for one purpose."""
        return hmac.digest(self._seed, b"p2puno/1 keeper\x00" + self.sid + label.encode(), "sha512")

    def _scalar(self, label: str) -> int:
        return 1 + int.from_bytes(self._derived(label), "big") % (Q - 1)

    def contribute(self, step: Step) -> Payload:
        """This seat's contribution to a step in which it has nothing to choose."""
        match step:
            case CommitStep():
                unsealed = self._reveal(self._deal(step, 0, {}))
                return Commit(commitment(self.table.sid, self.seat, unsealed), self._boxes(step, 0))
            case RevealStep():
                return self._reveal(self._deal(step, 0, step.boxes))
            case BoxStep():
                return BoxKeys(self._boxes(step, step.epoch))
            case RedealStep():
                return Redeal(self._deal(step, step.epoch, step.boxes))
            case PledgeStep():
                return Pledge(self._complaints(step.escrow))
            case HelpStep():
                return Help(*self._help(step.seat, step.firsts))
            case ShuffleStep():
                joint = step.cards.joint
                piles = step.turns[self.seat]
                return Shuffling(tuple(self._reorder(self._context(pile.name), joint, pile.deck) for pile in piles))
            case MixStep():
                return Shuffling((self._reorder(self._context("mix"), self._key, step.decks[self.seat]),))
            case OpenStep():
                return self._shares(step)
            case AttestStep():
                return self._attest(step)
            case ShowStep():
                return Attestation(b"", (), *self._show(step))
            case GiveStep():
                cards = self._cards
                gifts = [
                    self._hand_over("gift", f"gift {slot}", slot, cards.key(receiver))
                    for slot, receiver in step.gifts[self.seat]
                ]
                return Gifts(deck_bytes([card for card, _ in gifts]), tuple(proof for _, proof in gifts))
        raise ValueError(f"{step.what} is not automatic")

    def move(self, move: Move) -> Payload:
        """The payload that says this move; a played card is opened with it."""
        match move:
            case Play(slot, face, colour, uno):
                shares, proof = self._opened("play", [slot])
                return PlayCard(slot, face, colour, uno, shares, proof)
            case Pick(value):
                return PickOne(value)
            case Burn(cards):
                slots = tuple(slot for slot, _ in cards)
                shares, proof = self._opened("burn", slots) if slots else (b"", b"")
                return BurnCards(slots, tuple(face for _, face in cards), shares, proof)
            case Order(slots):
                return self._put_back(slots)
            case Swap(slot):
                return self._put_back(() if slot < 0 else (slot,))
            case Wish(slot=slot):
                shares, proof = self._opened("play", [slot]) if slot >= 0 else (b"", b"")
                said = (move.colour, int(move.wish), move.target, slot, move.face, move.card_colour, move.uno)
                return MakeWish(*said, shares, proof)
        return Choose(_WORDS[type(move)])

    def _opened(self, why: str, slots: Sequence[int]) -> tuple[bytes, bytes]:
        return self._proven(why, [self._cards.held(self.seat, slot)[0] for slot in slots])

    def _proven(self, why: str, firsts: Sequence[Point]) -> tuple[bytes, bytes]:
        shares, proof = prove_shares(self._context(why), self._nonces, self._x, self._key, firsts)
        return shares_bytes(shares), proof.to_bytes()

    def _put_back(self, order: tuple[int, ...]) -> PutBack:
        step = self.table.step
        assert isinstance(step, DecideStep)
        cards, proofs = [], []
        for slot in step.returning(order)[1]:
            card, proof = self._hand_over("putback", f"back {slot}", slot, self._cards.joint)
            cards.append(card)
            proofs.append(proof)
        return PutBack(order, deck_bytes(cards), tuple(proofs))

    def _hand_over(self, kind: Kind, deck: str, slot: int, receiver: Point) -> tuple[Card, bytes]:
        held = self._cards.held(self.seat, slot)
        card, proof = prove_handover(self._context(deck), self._nonces, kind, self._x, self._key, held, receiver)
        return card, proof.to_bytes()

    def leave(self) -> Leave:
        """What makes the others independent of this seat's key; nothing while no cards are dealt."""
        table = self.table
        if not table.dealt:
            return Leave((), b"", b"", ())
        slots = table.departures.slots(self.seat)  # none, where all cards are in hands that stay unseen
        shares, proof = self._proven("leave", table.departures.firsts(self.seat)) if slots else (b"", b"")
        helping = []
        for seat in table.present:
            if seat in table.absence.since and seat != self.seat and table.escrow is not None:
                theirs = table.departures.slots(seat)
                given = self._help(seat, table.departures.firsts(seat)) if theirs else (b"", b"")
                helping.append(Helping(seat, tuple(theirs), *given))
        return Leave(tuple(slots), shares, proof, tuple(helping))

    @staticmethod
    def say(say: Say) -> Payload:
        """The payload that says this word in a window."""
        return Speak(say.value)

    # -- reading ------------------------------------------------------------------------------------------------------

    def learn(self, done: Done) -> None:
        """After a completed step, teach the engine the faces that this seat alone can read now."""
        game = self.table.game
        for slot, face in done.step.opened.items():
            assert game is not None
            game.learn(self.seat, slot, face)
        match done.need:
            case Open(to=to):
                slots = [slot for slot, receiver in to if receiver == self.seat]
            case Mix(hands=hands):
                slots = [slot for seat, own in hands if seat == self.seat for slot in own]
            case Give(gifts=gifts):
                slots = [slot for slot, _, receiver in gifts if receiver == self.seat]
            case Attest(seat=holder, show_to=to) | Show(seat=holder, to=to) if to in (self.seat, ALL):
                assert isinstance(done.step, AttestStep | ShowStep)
                if holder == self.seat or not done.step.shown:  # an absent holder shows nothing
                    return
                assert game is not None
                for slot, face in self._shown(done.step).items():
                    game.learn(self.seat, slot, face)
                return
            case _:
                return
        for slot in slots:
            assert game is not None
            game.learn(self.seat, slot, self._read(slot))

    def _read(self, slot: int) -> int:
        form = self._cards.forms[slot]
        if isinstance(form, Known):
            return form.face
        a, b = self._cards.held(self.seat, slot)
        return self._face(group.sub(b, group.mul(a, self._x)))

    def _shown(self, step: AttestStep | ShowStep) -> dict[int, int]:
        faces = {}
        for slot, card, shown in zip(step.ask.slots, step.held, step.shown.values(), strict=True):
            if isinstance(shown, Point):
                faces[slot] = self._face(group.sub(card[1], shown))
            else:
                faces[slot] = self._face(group.sub(shown[1], group.mul(shown[0], self._x)))
        return faces

    def _face(self, point: Point | None) -> int:
        face = self._cards.faces.face(point)
        assert face is not None, "a proven card opens to a face"
        return face

    # -- contributions ------------------------------------------------------------------------------------------------

    @property
    def _cards(self) -> Cards:
        assert self.table.cards is not None
        return self.table.cards

    def _context(self, deck: str) -> Context:
        return self.table.context(self.seat, deck)

    def _reveal(self, deal: Deal) -> Reveal:
        proof = prove_key(self._context("key"), self._nonces, self._x, self._key, self._entropy)
        return Reveal(self._key.encoded, self._entropy, self._opening, proof.to_bytes(), deal)

    def _box(self, epoch: int, dealer: int) -> bytes:
        return self._derived(f"box {epoch} {dealer}")[:32]

    def _boxes(self, step: Step, epoch: int) -> tuple[bytes, ...]:
        if not self.table.escrowed:
            return ()
        return tuple(box_public(self._box(epoch, dealer)) for dealer in others(step.authors, self.seat))

    def _deal(self, step: Step, epoch: int, boxes: Mapping[int, Mapping[int, bytes]]) -> Deal:
        """Our deal of an escrow; without the box keys of the others its coefficients alone."""
        if not self.table.escrowed:
            return Deal(b"", ())
        count = coefficients(len(step.authors))
        polynomial = [self._x, *(self._scalar(f"escrow {epoch} {power}") for power in range(1, count))]
        sealed = tuple(
            seal(self.sid, epoch, self.seat, seat, boxes[seat][self.seat], evaluate(polynomial, seat))
            for seat in others(step.authors, self.seat)
            if seat in boxes
        )
        return Deal(points_bytes(group.mulg(scalar) for scalar in polynomial[1:]), sealed)

    def _share_of(self, escrow: Escrow, dealer: int) -> int | None:
        """f_i(k): the share of this dealer that we keep; None if it does not fit its commitments."""
        place = escrow.epoch, dealer
        if place not in self._kept:
            sealed = escrow.sealed[dealer][self.seat]
            share = unseal(self.sid, escrow.epoch, dealer, self.seat, self._box(*place), sealed)
            try:
                if share is not None:
                    require([escrow.fits(dealer, self.seat, share)])
            except BadProof:
                share = None
            self._kept[place] = share
        return self._kept[place]

    def _complaints(self, escrow: Escrow) -> tuple[Complaint, ...]:
        bad = (dealer for dealer in others(escrow.seats, self.seat) if self._share_of(escrow, dealer) is None)
        return tuple(Complaint(dealer, self._box(escrow.epoch, dealer)) for dealer in bad)

    def _help(self, seat: int, firsts: Sequence[Point]) -> tuple[bytes, bytes]:
        escrow = self.table.escrow
        assert escrow is not None
        share = self._share_of(escrow, seat)
        assert share is not None, "who pledged keeps a share that fits"
        context = self._context(help_deck(escrow, seat))
        shares, proof = prove_shares(context, self._nonces, share, escrow.key(seat, self.seat), firsts)
        return shares_bytes(shares), proof.to_bytes()

    def _reorder(self, context: Context, key: Point, deck: Sequence[Card]) -> Reordered:
        out, witness = shuffle(context, self._nonces, key, deck)
        proof = prove_shuffle(context, self._nonces, key, deck, out, witness)
        return Reordered(deck_bytes(out), proof.to_bytes())

    def _shares(self, step: OpenStep) -> Shares:
        # A share, once public, opens its ciphertext for ever: the same one is never owed for somebody else, but for the
        # same seat where a departure made the step begin anew. That of the generator, the first half of a
        # card all know, is the public key itself.
        receivers = dict(step.to)
        firsts = [a for _, a in step.owed[self.seat]]
        for slot, a in step.owed[self.seat]:
            if self._given.setdefault(a.encoded, receivers[slot]) != receivers[slot] and a != group.G:
                raise RuntimeError("a share of this ciphertext was given before")
        return Shares(*self._proven("open", firsts))

    def _attest(self, step: AttestStep) -> Attestation:
        ask = step.ask
        faces = [self._read(slot) for slot in ask.slots]
        shown, shown_proofs = self._show(step)
        inside = [face in ask.faces for face in faces]
        if ask.all_outside and any(inside):
            return Attestation(b"", (), shown, shown_proofs)
        proofs = []
        for slot, card, face, flag in zip(ask.slots, step.held, faces, inside, strict=True):
            index = step.faces(flag).index(face)
            context = self._context(f"attest {slot}")
            proof = prove_member(context, self._nonces, self._x, self._key, card, step.points(flag), index)
            proofs.append(proof.to_bytes())
        return Attestation(bytes(inside), tuple(proofs), shown, shown_proofs)

    def _show(self, step: AttestStep | ShowStep) -> tuple[bytes, tuple[bytes, ...]]:
        to = step.ask.show_to if isinstance(step, AttestStep) else step.ask.to
        slots = step.ask.slots
        if to == NOBODY or not slots:
            return b"", ()
        if to == ALL:
            shares, proof = self._opened("show", slots)
            return shares, (proof,)
        receiver = self._cards.key(to)
        shown = [self._hand_over("show", f"show {slot}", slot, receiver) for slot in slots]
        return deck_bytes([card for card, _ in shown]), tuple(proof for _, proof in shown)
