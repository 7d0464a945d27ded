"""The steps of a table: who must contribute, what is checked, and what follows.

One need of the engine is one step, except that a shuffle is one step a seat. A step decodes and checks each
contribution when it comes in (`take`: what it decoded, and the equations still to be verified), and applies them all
when the last one is in (`finish`). The keeper makes an honest seat's contribution to the same step.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from p2puno.engine import Game
from p2puno.happenings import Happening
from p2puno.match import Match
from p2puno.moves import Accept, Burn, Challenge, Draw, Keep, Move, Order, Pick, Play, Swap
from p2puno.needs import (
    ALL,
    NOBODY,
    Ask,
    Attest,
    Attested,
    Conceded,
    Decide,
    Mix,
    Mixed,
    Need,
    Open,
    Opened,
    Said,
    Say,
    Show,
    Shown,
    Shuffle,
    Shuffled,
    Window,
)
from protocol.deck import Cards, Form, Known, Stock
from protocol.group import BadPoint, Point, group
from protocol.messages import (
    Agree,
    Attestation,
    BurnCards,
    Choose,
    Commit,
    Payload,
    PickOne,
    PlayCard,
    PutBack,
    Reordered,
    Reveal,
    Shares,
    Shuffling,
    Speak,
)
from protocol.proofs.batch import BadProof, Equation
from protocol.proofs.dleq import ShareProof, check_shares, shares_from_bytes
from protocol.proofs.encoding import Card, deck_from_bytes
from protocol.proofs.handover import HandoverProof, check_handover
from protocol.proofs.membership import MemberProof, check_member
from protocol.proofs.schnorr import KeyProof, check_key
from protocol.proofs.shuffle import ShuffleProof, check_shuffle
from protocol.proofs.transcript import Context

if TYPE_CHECKING:
    from protocol.table import Table

WORDS: dict[str, Move] = {"draw": Draw(), "keep": Keep(), "challenge": Challenge(), "accept": Accept()}
"""Moves that a `Choose` says by a word."""

Taken = tuple[Any, Sequence[Equation]]


def point(data: bytes) -> Point:
    """A point from a message.

    :raises BadProof: not canonical
    """
    try:
        return group.dec(data)
    except BadPoint as bad:
        raise BadProof(str(bad)) from None


class Step(ABC):
    """One step. `authors`: seats that must contribute, in the order of the row. `what`: a word for people.
    `takes`: kinds of payload. `deferred`: its proofs are verified with the whole pile. `follow`: the step that must
    come next, if not the engine says. `automatic`: nobody has to choose anything."""

    what: str
    takes: tuple[type[Payload], ...]
    deferred = False
    automatic = True

    def __init__(self, table: Table, authors: Sequence[int], need: Need | None = None) -> None:
        self.table = table
        self.authors = tuple(authors)
        self.need = need
        self.follow: Step | None = None

    @property
    def cards(self) -> Cards:
        """The cards of the running hand."""
        assert self.table.cards is not None
        return self.table.cards

    def apply(self, answer: Any) -> list[Happening]:
        """Give the engine its answer."""
        assert self.table.game is not None
        return self.table.game.apply(answer)

    @abstractmethod
    def take(self, seat: int, payload: Any) -> Taken:
        """Decode and check one contribution.

        :raises BadProof: it cannot come from an honest seat
        """

    @abstractmethod
    def finish(self, taken: dict[int, Any]) -> list[Happening] | None:
        """Apply all contributions; None where the engine was not answered yet."""


class AgreeStep(Step):
    """All sign the charter and give their part of the session id."""

    what = "agreement"
    takes = (Agree,)

    def __init__(self, table: Table) -> None:
        super().__init__(table, table.seats)

    def take(self, seat: int, payload: Agree) -> Taken:
        return payload.nonce, ()

    def finish(self, taken: dict[int, Any]) -> None:
        self.table.nonces = tuple(taken[seat] for seat in self.authors)


def commitment(sid: bytes, seat: int, reveal: Reveal) -> bytes:
    """The hash that commits a seat to its reveal, all but the proof (CRYPTO 5.3); 32 bytes."""
    return hashlib.sha256(
        b"p2puno/1 commit\x00" + sid + seat.to_bytes(1, "big") + reveal.key + reveal.entropy + reveal.opening
    ).digest()


class CommitStep(Step):
    """All commit to key share and entropy before any is revealed (C02, C06)."""

    what = "commit"
    takes = (Commit,)

    def __init__(self, table: Table) -> None:
        super().__init__(table, table.seats)

    def take(self, seat: int, payload: Commit) -> Taken:
        return payload.hash, ()

    def finish(self, taken: dict[int, Any]) -> None:
        self.follow = RevealStep(self.table, taken)


class RevealStep(Step):
    """All reveal; the keys make the joint key, the entropy the hand's joint random number."""

    what = "reveal"
    takes = (Reveal,)

    def __init__(self, table: Table, commits: dict[int, bytes]) -> None:
        super().__init__(table, table.seats)
        self.commits = commits
        self._keys: set[bytes] = set()

    def take(self, seat: int, payload: Reveal) -> Taken:
        if commitment(self.table.sid, seat, payload) != self.commits[seat]:
            raise BadProof("the reveal does not open the commitment")
        if payload.key in self._keys:
            raise BadProof("the key share of another seat")
        self._keys.add(payload.key)
        key = point(payload.key)
        proof = KeyProof.from_bytes(payload.proof)
        return (key, payload.entropy), check_key(self.table.context(seat, "key"), key, payload.entropy, proof)

    def finish(self, taken: dict[int, Any]) -> None:
        table = self.table
        table.joint = hashlib.sha256(
            b"p2puno/1 joint\x00" + table.sid + b"".join(taken[seat][1] for seat in self.authors)
        ).digest()
        players = len(table.seats)
        if table.match is None:
            ages = [place.age for place in table.roster]
            table.match = Match(table.rules, players, first_seat(table.rules.starter, table.joint, ages))
        table.game = Game(table.rules, players, table.match.next_dealer)
        table.cards = Cards(table.faces, table.rules.deck(), [taken[seat][0] for seat in self.authors])


def first_seat(starter: str, joint: bytes, ages: Sequence[int]) -> int:
    """R2: who deals (classic) or leads (Ultimate) first: the seat that the option names (counted from 1), the youngest
    by their own word, or drawn by the joint random number, which is so large that its remainder favours nobody."""
    if starter.isdigit():
        return (int(starter) - 1) % len(ages)
    told = [age for age in ages if age]
    drawn = list(range(len(ages)))
    if starter == "youngest" and told:
        drawn = [seat for seat, age in enumerate(ages) if age == min(told)]
    return drawn[int.from_bytes(joint, "big") % len(drawn)]


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile in its turn: its name, slots and ciphertexts before."""

    name: str
    slots: tuple[int, ...]
    deck: list[Card]


class ShuffleStep(Step):
    """One round of shuffling: each pile goes through every seat, beginning at another one, so that all work at once.
    The proofs of all rounds are verified when the last one is in."""

    what = "shuffle"
    takes = (Shuffling,)
    deferred = True

    def __init__(self, table: Table, need: Shuffle, turn: int) -> None:
        self.turn = turn
        self.turns: dict[int, list[Pile]] = {}  # by seat, the piles that are its in this round
        super().__init__(table, (), need)
        # A pile of one card or none is its own shuffle (CRYPTO 5.5).
        for index, (name, slots) in enumerate(need.piles):
            if len(slots) > 1:
                seat = (index + turn) % len(table.seats)
                self.turns.setdefault(seat, []).append(Pile(name, slots, self.cards.pile(slots)))
        self.authors = tuple(sorted(self.turns))

    def take(self, seat: int, payload: Shuffling) -> Taken:
        piles = self.turns[seat]
        if len(payload.piles) != len(piles):
            raise BadProof(f"{len(payload.piles)} piles shuffled, not {len(piles)}")
        decks, equations = [], []
        for pile, new in zip(piles, payload.piles, strict=True):
            context = self.table.context(seat, pile.name)
            deck, own = reordered(context, self.cards.joint, pile.deck, new)
            decks.append(deck)
            equations += own
        return decks, equations

    def finish(self, taken: dict[int, Any]) -> list[Happening] | None:
        for seat, decks in taken.items():
            for pile, deck in zip(self.turns[seat], decks, strict=True):
                self.cards.reorder(pile.slots, deck)
        assert isinstance(self.need, Shuffle)
        if self.authors and self.turn + 1 < len(self.table.seats):
            self.follow = ShuffleStep(self.table, self.need, self.turn + 1)
            return None
        self.table.verify_pile()
        return self.apply(Shuffled())


def reordered(context: Context, key: Point, before: list[Card], new: Reordered) -> tuple[list[Card], list[Equation]]:
    """A deck in its new order and the equations that show that it is the same one.

    :raises BadProof: they do not fit
    """
    deck = deck_from_bytes(new.deck, len(before))
    proof = ShuffleProof.from_bytes(new.proof, len(before))
    return deck, check_shuffle(context, key, before, deck, proof)


class OpenStep(Step):
    """Shares for the slots that open; each seat's with one proof."""

    what = "shares"
    takes = (Shares,)

    def __init__(self, table: Table, need: Open) -> None:
        assert table.cards is not None
        self.owed = {seat: owed for seat in table.seats if (owed := table.cards.owed(need.to, seat))}
        super().__init__(table, tuple(self.owed), need)
        self.to = need.to

    def take(self, seat: int, payload: Shares) -> Taken:
        owed = self.owed[seat]
        shares = shares_from_bytes(payload.shares, len(owed))
        proof = ShareProof.from_bytes(payload.proof)
        equations = check_shares(
            self.table.context(seat, "open"), self.cards.keys[seat], [a for _, a in owed], shares, proof
        )
        return {slot: share for (slot, _), share in zip(owed, shares, strict=True)}, equations

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        return self.apply(Opened(tuple(self.cards.open(self.to, taken))))


class DecideStep(Step):
    """One seat moves; a played card is opened by its holder with the move."""

    what = "move"
    takes = (PlayCard, Choose, PickOne, BurnCards, PutBack)
    automatic = False

    def __init__(self, table: Table, need: Decide) -> None:
        super().__init__(table, (need.seat,), need)

    def take(self, seat: int, payload: PlayCard | Choose | PickOne | BurnCards | PutBack) -> Taken:
        match payload:
            case Choose(word):
                if word not in WORDS:
                    raise BadProof("no such word")
                return (WORDS[word], {}), ()
            case PickOne(value):
                return (Pick(value), {}), ()
            case PlayCard():
                slots, faces = (payload.slot,), (payload.face,)
                opened = self._opened(seat, "play", slots, faces, [point(payload.share)], payload.proof)
                return (Play(payload.slot, payload.face, payload.colour, payload.uno), known(slots, faces)), opened
            case BurnCards(slots, faces):
                if len(slots) != len(faces) or len(set(slots)) != len(slots):
                    raise BadProof("not one face for each slot")
                if not slots:
                    return (Burn(()), {}), ()
                shares = shares_from_bytes(payload.shares, len(slots))
                opened = self._opened(seat, "burn", slots, faces, shares, payload.proof)
                return (Burn(tuple(zip(slots, faces, strict=True))), known(slots, faces)), opened
            case PutBack():
                return self._put_back(seat, payload)

    def _opened(
        self, seat: int, why: str, slots: Sequence[int], faces: Sequence[int], shares: Sequence[Point], proof: bytes
    ) -> list[Equation]:
        """Cards of the own hand, opened by their holder, must be what it says they are (C21, C22)."""
        held = [self.cards.held(seat, slot) for slot in slots]
        for slot, card, face, share in zip(slots, held, faces, shares, strict=True):
            if self.cards.face_of(card, share) != face:
                raise BadProof(f"slot {slot} is another card than it says")
        context = self.table.context(seat, why)
        firsts = [a for a, _ in held]
        return check_shares(context, self.cards.keys[seat], firsts, shares, ShareProof.from_bytes(proof))

    def returning(self, order: Sequence[int]) -> tuple[Move, tuple[int, ...]]:
        """The move that ends a look with this order, and the slots whose cards go back under the joint key.

        :raises BadProof: this is no end of a look
        """
        assert isinstance(self.need, Decide)
        if self.need.ask is Ask.ORDER:
            return Order(tuple(order)), self.need.options
        if self.need.ask is Ask.SWAP and len(order) < 2:
            return Swap(order[0] if order else -1), tuple(order) or (self.need.slot,)
        raise BadProof("nothing is to be put back")

    def _put_back(self, seat: int, payload: PutBack) -> Taken:
        move, slots = self.returning(payload.order)
        new = deck_from_bytes(payload.cards, len(slots))
        if len(payload.proofs) != len(slots):
            raise BadProof("not one proof for each card that goes back")
        equations: list[Equation] = []
        for slot, card, data in zip(slots, new, payload.proofs, strict=True):
            equations += check_handover(
                self.table.context(seat, f"back {slot}"),
                "putback",
                self.cards.keys[seat],
                self.cards.held(seat, slot),
                self.cards.joint,
                card,
                HandoverProof.from_bytes(data),
            )
        return (move, {slot: Stock(*card) for slot, card in zip(slots, new, strict=True)}), equations

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        ((move, forms),) = taken.values()
        happenings = self.apply(move)
        for slot, form in forms.items():
            self.cards.put(slot, form)
        return happenings


def known(slots: Sequence[int], faces: Sequence[int]) -> dict[int, Form]:
    """The forms of slots that were opened to all."""
    return {slot: Known(face) for slot, face in zip(slots, faces, strict=True)}


class WindowStep(Step):
    """An undeclared UNO: every seat of the window says its word (R59-R61)."""

    what = "uno window"
    takes = (Speak,)
    automatic = False

    def __init__(self, table: Table, need: Window) -> None:
        super().__init__(table, need.seats, need)
        self.about = need.about

    def take(self, seat: int, payload: Speak) -> Taken:
        words = (Say.CALL, Say.SILENT) if seat == self.about else (Say.CATCH, Say.PASS)
        if payload.word not in words:
            raise BadProof("no word of this window")
        return Say(payload.word), ()

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        return self.apply(Said(tuple((seat, taken[seat]) for seat in self.authors)))


class MixStep(Step):
    """Seats re-order their hands, so that no card can be followed (CRYPTO 5.7)."""

    what = "mixing hands"
    takes = (Shuffling,)

    def __init__(self, table: Table, need: Mix) -> None:
        self.hands = {seat: slots for seat, slots in need.hands if len(slots) > 1}
        super().__init__(table, tuple(self.hands), need)
        self.decks = {seat: [self.cards.held(seat, slot) for slot in slots] for seat, slots in self.hands.items()}

    def take(self, seat: int, payload: Shuffling) -> Taken:
        if len(payload.piles) != 1:
            raise BadProof("one hand is mixed")
        return reordered(self.table.context(seat, "mix"), self.cards.keys[seat], self.decks[seat], payload.piles[0])

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        for seat, deck in taken.items():
            self.cards.reorder(self.hands[seat], deck, seat)
        return self.apply(Mixed())


class AttestStep(Step):
    """A holder proves what its hidden cards are or are not, and shows them where the rules say so (R68, R71)."""

    what = "attestation"
    takes = (Attestation,)

    def __init__(self, table: Table, need: Attest) -> None:
        super().__init__(table, (need.seat,), need)
        self.ask = need
        self.held = [self.cards.held(need.seat, slot) for slot in need.slots]
        self.shown: dict[int, Card | Point] = {}
        """After the step: per slot its ciphertext under the watcher's key, or for a show to all its share."""

    def faces(self, inside: bool) -> list[int]:
        """The faces that a slot is proven to be one of, in the order of the proof."""
        return [face for face in range(len(self.cards.faces.points)) if (face in self.ask.faces) == inside]

    def points(self, inside: bool) -> list[Point]:
        """The points of `faces`."""
        return [self.cards.faces.points[face] for face in self.faces(inside)]

    def take(self, seat: int, payload: Attestation) -> Taken:
        equations, self.shown = check_shown(self, seat, self.ask, self.held, payload)
        if not payload.inside and self.ask.slots:
            if not self.ask.may_concede or payload.proofs:
                raise BadProof("this cannot be conceded")
            return None, equations
        if len(payload.inside) != len(self.held) or len(payload.proofs) != len(self.held):
            raise BadProof("not one proof for each slot")
        if any(flag > 1 for flag in payload.inside) or (self.ask.all_outside and any(payload.inside)):
            raise BadProof("not what was asked")
        for slot, card, flag, data in zip(self.ask.slots, self.held, payload.inside, payload.proofs, strict=True):
            points = self.points(bool(flag))
            equations += check_member(
                self.table.context(seat, f"attest {slot}"),
                self.cards.keys[seat],
                card,
                points,
                MemberProof.from_bytes(data, len(points)),
            )
        return tuple(bool(flag) for flag in payload.inside), equations

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        (inside,) = taken.values()
        return self.apply(Conceded() if inside is None else Attested(inside))


class ShowStep(Step):
    """A holder shows cards of its hand (R47)."""

    what = "showing cards"
    takes = (Attestation,)

    def __init__(self, table: Table, need: Show) -> None:
        super().__init__(table, (need.seat,) if need.slots else (), need)
        self.ask = need
        self.held = [self.cards.held(need.seat, slot) for slot in need.slots]
        self.shown: dict[int, Card | Point] = {}

    def take(self, seat: int, payload: Attestation) -> Taken:
        equations, self.shown = check_shown(self, seat, self.ask, self.held, payload)
        if payload.inside or payload.proofs:
            raise BadProof("nothing is asked about these cards")
        return None, equations

    def finish(self, taken: dict[int, Any]) -> list[Happening]:
        return self.apply(Shown())


def check_shown(
    step: Step, seat: int, ask: Attest | Show, held: Sequence[Card], payload: Attestation
) -> tuple[list[Equation], dict[int, Card | Point]]:
    """The equations of what is shown with a payload, and per slot what was shown: its ciphertext under the watcher's
    key, or for a show to all its share.

    :raises BadProof: not exactly the slots of the need are shown
    """
    to = ask.show_to if isinstance(ask, Attest) else ask.to
    slots, key = ask.slots, step.cards.keys[seat]
    if to == NOBODY or not slots:
        if payload.shown or payload.shown_proofs:
            raise BadProof("nothing is to be shown")
        return [], {}
    if to == ALL:
        shares = shares_from_bytes(payload.shown, len(slots))
        if len(payload.shown_proofs) != 1:
            raise BadProof("not one proof for all that is shown")
        proof = ShareProof.from_bytes(payload.shown_proofs[0])
        context = step.table.context(seat, "show")
        equations = check_shares(context, key, [card[0] for card in held], shares, proof)
        return equations, dict(zip(slots, shares, strict=True))
    shown = deck_from_bytes(payload.shown, len(slots))
    if len(payload.shown_proofs) != len(slots):
        raise BadProof("not every slot is shown")
    equations = []
    for slot, card, new, data in zip(slots, held, shown, payload.shown_proofs, strict=True):
        context = step.table.context(seat, f"show {slot}")
        receiver = step.cards.keys[to]
        equations += check_handover(context, "show", key, card, receiver, new, HandoverProof.from_bytes(data))
    return equations, dict(zip(slots, shown, strict=True))
