"""What a seat contributes to a step, and what it says beside that: the payloads of entries (docs/wire.md).

Plain data with limits; `protocol.messages` is the one gate that makes them from bytes. Points and proofs travel as
bytes and are decoded by `protocol.group` and `protocol.proofs`.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

MAX_FRAME = 1_000_000
"""Largest frame or journal record in bytes. A shuffle has 40 KB at most; only the attestation over a huge hand is
larger: 111 cards with one membership proof and one hand-over each are 530 KB."""
MAX_PLAYERS = 10
MAX_PILES = 5
"""Piles of a table at most: four heroes and the Danger Deck."""
MAX_ITEMS = 256
"""No array of a message is longer: a leave names every slot of the largest table."""
MAX_HAND = 128
"""No step carries more slots than this."""

B32 = Annotated[bytes, Meta(min_length=32, max_length=32)]
B33 = Annotated[bytes, Meta(min_length=33, max_length=33)]
B64 = Annotated[bytes, Meta(min_length=64, max_length=64)]
Blob = Annotated[bytes, Meta(max_length=MAX_FRAME)]
Cards = Annotated[bytes, Meta(max_length=66 * 256)]
Proof = Annotated[bytes, Meta(max_length=40_000)]
Text = Annotated[str, Meta(max_length=64)]
Seat = Annotated[int, Meta(ge=0, lt=MAX_PLAYERS)]
Slot = Annotated[int, Meta(ge=0, lt=1024)]
Boxes = Annotated[tuple[B32, ...], Meta(max_length=MAX_PLAYERS)]
Sealed = Annotated[bytes, Meta(min_length=80, max_length=80)]
Age = Annotated[int, Meta(ge=0, le=150)]
Count = Annotated[int, Meta(ge=0, lt=2**32)]


class Agree(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=1):
    """I sit at this table under this charter; my part of the session id."""

    nonce: B32


class Commit(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=2):
    """Hash of what my `Reveal` will hold (docs/wire.md, section 4), and where there is an escrow one fresh X25519
    key for every other seat as a dealer, in the order of the seats."""

    hash: B32
    boxes: Boxes


class Deal(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One dealer's part of an escrow (docs/deck-protocol.md, section 7): A_1 … A_t of its polynomial (A_0 is its
    key share), and for every other seat its share, sealed to that seat's box key. Both empty where there is none."""

    coefficients: Annotated[bytes, Meta(max_length=33 * MAX_PLAYERS)]
    sealed: Annotated[tuple[Sealed, ...], Meta(max_length=MAX_PLAYERS)]


class Reveal(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=3):
    """My key share X_i with proof of knowledge, my entropy, the opening of my `Commit`, and my deal."""

    key: B33
    entropy: B32
    opening: B32
    proof: Proof
    deal: Deal


class PlayCard(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=4):
    """Answer to a Decide: play a slot of my hand. `share` is x_j·a of the slot, proven: it *is* that face."""

    slot: Slot
    face: Slot
    colour: Annotated[int, Meta(ge=-1, le=3)]
    uno: bool
    share: B33
    proof: Proof


class Choose(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=5):
    """Answer to a Decide by a plain word: draw, keep, challenge or accept."""

    word: Text


class PickOne(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=11):
    """Answer to a Decide: one of the options that the need lists."""

    value: Slot


class BurnCards(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=12):
    """Answer to a Decide: burn these cards of my hand. `shares` open them, under one DLEQ; no cards: "I have none"."""

    slots: Annotated[tuple[Slot, ...], Meta(max_length=MAX_HAND)]
    faces: Annotated[tuple[Slot, ...], Meta(max_length=MAX_HAND)]
    shares: Cards
    proof: Proof


class PutBack(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=13):
    """Answer to a Decide that ends a look. `order`: the looked-at slots in their new order, or for a swap the slot of
    the hand (none: no swap). `cards`: what goes back, anew under the joint key (66 bytes each, in the order of the
    looked-at slots; in a swap the one card), with one hand-over proof each."""

    order: Annotated[tuple[Slot, ...], Meta(max_length=MAX_HAND)]
    cards: Cards
    proofs: Annotated[tuple[Proof, ...], Meta(max_length=MAX_HAND)]


class MakeWish(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=14):
    """Answer to a Decide: the colour and the wish, with the card that it plays, if it plays one (`slot`, `face` -1 and
    `share`, `proof` empty if not)."""

    colour: Annotated[int, Meta(ge=0, le=3)]
    wish: Annotated[int, Meta(ge=0, le=4)]
    target: Annotated[int, Meta(ge=-1, lt=MAX_PLAYERS)]
    slot: Annotated[int, Meta(ge=-1, lt=1024)]
    face: Annotated[int, Meta(ge=-1, lt=1024)]
    card_colour: Annotated[int, Meta(ge=-1, le=3)]
    uno: bool
    share: Annotated[bytes, Meta(max_length=33)]
    proof: Proof


class Gifts(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=15):
    """One giver's part of a Give: its cards in the order of the need, anew under the receivers' keys (66 bytes each),
    with one hand-over proof each."""

    cards: Cards
    proofs: Annotated[tuple[Proof, ...], Meta(max_length=MAX_HAND)]


class Speak(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=6):
    """Answer to a Window: catch, pass, call or silent."""

    word: Text


class Reordered(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A pile or hand in its new order: N new ciphertexts (66 bytes each) and BG1."""

    deck: Cards
    proof: Proof


class Shuffling(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=7):
    """One seat's turn in shuffling the piles that are its in this round, or the mixing of its own hand."""

    piles: Annotated[tuple[Reordered, ...], Meta(min_length=1, max_length=MAX_PILES)]


class Shares(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=8):
    """Decryption shares (33 bytes each) for the slots of an Open that this seat owes, in the order of the need,
    under one batched DLEQ."""

    shares: Cards
    proof: Proof


class Attestation(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=9):
    """Answer to an Attest or a Show. `inside`: one byte 0 or 1 a slot, with one membership proof each; empty to concede
    or where nothing is asked.
    `shown`: for a show to one seat n ciphertexts of 66 bytes with one hand-over proof each; for a show to all
    n shares of 33 bytes with one DLEQ; empty where nothing is shown."""

    inside: Annotated[bytes, Meta(max_length=MAX_HAND)]
    proofs: Annotated[tuple[Proof, ...], Meta(max_length=MAX_HAND)]
    shown: Annotated[bytes, Meta(max_length=66 * MAX_HAND)]
    shown_proofs: Annotated[tuple[Proof, ...], Meta(max_length=MAX_HAND)]


class Helping(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What one seat gives out of escrow for a silent one: f_i(k)·a of these slots (33 bytes each), under one DLEQ."""

    seat: Seat
    slots: Annotated[tuple[Slot, ...], Meta(max_length=MAX_ITEMS)]
    shares: Cards
    proof: Proof


class Leave(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=10):
    """I get up from the table. Once cards are dealt: my shares of these slots, under one DLEQ, so that the others can
    go on without my key: every slot of the stock, and my hand where the rules count it. Before: nothing.
    `help`: the same for a seat that is absent, out of escrow; it departs with me."""

    slots: Annotated[tuple[Slot, ...], Meta(max_length=MAX_ITEMS)]
    shares: Cards
    proof: Proof
    help: Annotated[tuple[Helping, ...], Meta(max_length=1)]


class Depart(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=16):
    """The clerk's word that the running step ends because the author of this `Leave` owes it."""

    entry: Annotated[bytes, Meta(max_length=65_536)]


class BoxKeys(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=17):
    """After a departure the escrow is dealt anew: my fresh box keys for the other dealers."""

    boxes: Boxes


class Redeal(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=18):
    """After a departure: my part of the new escrow."""

    deal: Deal


class Complaint(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """This dealer's share does not fit its commitments: here is my box key for it, so that all can see (C07, C09)."""

    dealer: Seat
    secret: B32


class Pledge(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=19):
    """I keep a good share of every dealer, but of those that I complain of."""

    complaints: Annotated[tuple[Complaint, ...], Meta(max_length=MAX_PLAYERS)]


class Help(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=20):
    """My part, out of escrow, of what a silent or departing seat owes, in the order of the step's slots."""

    shares: Cards
    proof: Proof


class Absent(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=21):
    """What this seat owes to the running step has not come in time. A promise, too: I take it no more, unless another
    seat has it (R57)."""

    seat: Seat


class Have(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=22):
    """I hold what this seat owed to that step: the entry with this hash. A promise, too: I never call it absent for
    that."""

    seat: Seat
    owed: Count
    hash: B32


class Stands(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=26):
    """That seat said two things to that step: I have built on the entry with this hash (32 zero bytes: on neither)."""

    seat: Seat
    owed: Count
    hash: B32


class Back(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=23):
    """I, who count as absent since that step, am here again; I have signed nothing for a step later than `after`."""

    since: Count
    after: Count


class Welcome(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=24):
    """Before my move: with the end of this step the author of this `Back` is no longer absent."""

    entry: Annotated[bytes, Meta(max_length=1024)]


class Remove(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=25):
    """Instead of my move, for now: this seat, which is absent or has been caught cheating, is taken off the table."""

    seat: Seat


Payload: TypeAlias = (
    Agree
    | Commit
    | Reveal
    | PlayCard
    | Choose
    | Speak
    | Shuffling
    | Shares
    | Attestation
    | Leave
    | PickOne
    | BurnCards
    | PutBack
    | MakeWish
    | Gifts
    | Depart
    | BoxKeys
    | Redeal
    | Pledge
    | Help
    | Absent
    | Have
    | Stands
    | Back
    | Welcome
    | Remove
)

BESIDE = (Leave, Depart, Absent, Have, Stands, Back, Welcome)
"""Payloads that are said beside a seat's contributions; a `Remove` takes the place of one."""
