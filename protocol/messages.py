"""Every message on the wire and in the journal: its schema, its limits, and the one gate for decoding.

Bytes are canonical msgpack: arrays only, integers in their shortest form, nothing that does not re-encode to the same
bytes (docs/wire.md). `decode` is the only way from bytes to a message; whatever is wrong with them comes out as
`Malformed`. Points and proofs travel as plain bytes and are decoded by `protocol.group` and `protocol.proofs`.

An *entry* is what a seat signs: (author key, body bytes, signature over ENTRY_DOMAIN + body). A *frame* is what goes
over a link, one of `Frame`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeVar

import msgpack
import msgspec
from msgspec import Meta, Struct

from p2puno.said import Said, message_of, said
from protocol.identity import Identity, verify
from protocol.payloads import B32, B33, B64, MAX_FRAME, MAX_PLAYERS, Age, Blob, Count, Payload, Seat, Text

PROTOCOL = 2
"""Version of what is said over links: who speaks another one gets no seat (C50)."""
FORMAT = 1
"""Version of what is signed and kept: charter, entries and journal. Frames may change, and old journals stay good."""

ENTRY_DOMAIN = b"p2puno/1 entry\x00"
CHAT_DOMAIN = b"p2puno/1 chat\x00"
LOBBY_DOMAIN = b"p2puno/1 lobby room\x00"

MAX_REMARK = 280
"""Code points of a remark."""
MAX_PHRASES = 10
"""Quick phrases there are, numbered from 1."""


class Malformed(ValueError):
    """Bytes that are no message of ours: too long, not msgpack, not of the schema, or not canonical."""


# -- what is at a table -----------------------------------------------------------------------------------------------


class Place(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One seat of the roster: identity key, name, whether a program plays, its hero and declared age where the game
    asks for them ("" and 0 where not), and where it can be dialled (`host:port`; an empty host means: the machine of
    the table's creator)."""

    key: B32
    name: Text
    bot: bool
    hero: Text
    age: Age
    addresses: Annotated[tuple[Text, ...], Meta(max_length=8)]


class PackFile(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A hero pack of a player's own, as its file: data, never code."""

    id: Text
    data: Annotated[bytes, Meta(max_length=65_536)]


Packs = Annotated[tuple[PackFile, ...], Meta(max_length=8)]


class Charter(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What all seats agree on before anything is dealt; its hash names the table, so every signed entry signs it.
    `packs`: the files of the own packs that the rules name by digest."""

    protocol: Annotated[int, Meta(ge=1, lt=2**16)]
    rules: Annotated[bytes, Meta(max_length=8192)]
    packs: Packs
    roster: Annotated[tuple[Place, ...], Meta(min_length=2, max_length=MAX_PLAYERS)]
    nonce: B32

    @property
    def table(self) -> bytes:
        """SHA-256 over the canonical bytes: the id of the table, 32 bytes."""
        return hashlib.sha256(b"p2puno/1 charter\x00" + encode(self)).digest()


class Body(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What an entry says: where it stands (table, the author's own chain, the row and state it builds on, the step)
    and what it contributes."""

    table: B32
    seat: Seat
    seq: Count
    prev: B32
    row: B32
    state: B32
    step: Count
    payload: Payload


class Signed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The outer shape of an entry."""

    author: B32
    body: Blob
    signature: B64


class Entry:
    """A decoded entry whose signature is good. `raw` is what was signed and is passed on unchanged; `hash` names it."""

    __slots__ = ("author", "body", "hash", "raw")

    def __init__(self, author: bytes, body: Body, raw: bytes) -> None:
        self.author = author
        self.body = body
        self.raw = raw
        self.hash = entry_hash(raw)


class Forged(Malformed):
    """The signature does not fit: anybody can have made these bytes (C37)."""


class NotCanonical(Malformed):
    """Validly signed, yet not of our form: its author is to blame (C36). `author` is the key that signed."""

    def __init__(self, message: str, author: bytes) -> None:
        super().__init__(message)
        self.author = author


def entry_hash(raw: bytes) -> bytes:
    """SHA-256 of an entry's bytes, 32 bytes."""
    return hashlib.sha256(raw).digest()


def sign_entry(identity: Identity, body: Body) -> Entry:
    """Make the entry that says `body`."""
    data = encode(body)
    raw = encode(Signed(identity.public, data, identity.sign(ENTRY_DOMAIN + data)))
    return Entry(identity.public, body, raw)


def sign_remark(identity: Identity, remark: Remark) -> bytes:
    """The frame that says `remark`."""
    data = encode(remark)
    return encode(Chat(identity.public, data, identity.sign(CHAT_DOMAIN + data)))


def open_remark(chat: Chat) -> Remark:
    """What was said, the signature checked.

    :raises Forged: the signature does not fit
    :raises Malformed: signed, but no canonical `Remark`, or a text and a phrase at once
    """
    if not verify(chat.author, CHAT_DOMAIN + chat.body, chat.signature):
        raise Forged(said("the signature does not fit"))
    remark = decode(chat.body, Remark)
    if bool(remark.phrase) == bool(remark.text):
        raise Malformed(said("a remark is either a text or a phrase"))
    return remark


def lobby_room(creator: bytes, room: bytes) -> bytes:
    """The room of a lobby, 32 bytes: of the creator's key and what it drew, so that it is never that of a table."""
    return hashlib.sha256(LOBBY_DOMAIN + creator + room).digest()


def open_entry(raw: bytes) -> Entry:
    """Decode an entry and check its signature.

    :raises Malformed: not the outer shape of an entry
    :raises Forged: the signature does not fit
    :raises NotCanonical: signed, but the body is not a canonical `Body`
    """
    signed = decode(raw, Signed)
    if not verify(signed.author, ENTRY_DOMAIN + signed.body, signed.signature):
        raise Forged(said("the signature does not fit"))
    try:
        body = decode(signed.body, Body)
    except Malformed as bad:
        raise NotCanonical(message_of(bad), signed.author) from None
    return Entry(signed.author, body, raw)


# -- frames: what goes over a link ------------------------------------------------------------------------------------


class Hello(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=1):
    """First frame of a joiner to the table's creator: who wants a seat, which hero ("": any) and how old it says that
    it is (0: does not say), and the port it listens on."""

    protocol: Count
    name: Text
    bot: bool
    hero: Text
    age: Age
    port: Annotated[int, Meta(ge=1, lt=2**16)]


class Sitter(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Who has taken a seat before the start, which seat it is, and whether it wants the table to begin."""

    seat: Seat
    ready: bool
    place: Place


class Lobby(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=2):
    """The creator tells how many seats there are, the rules, the own packs that may be played, and who sits so far:
    itself first, then in the order in which they came. `room`: drawn for this lobby, so that what was said in another
    one cannot be said here again."""

    wanted: Annotated[int, Meta(ge=2, le=MAX_PLAYERS)]
    rules: Annotated[bytes, Meta(max_length=8192)]
    packs: Packs
    sitters: Annotated[tuple[Sitter, ...], Meta(max_length=MAX_PLAYERS)]
    room: B32


class Propose(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=3):
    """All seats are taken and all are ready: this is the charter. Whoever signs an `Agree` entry under it sits."""

    charter: Charter


class Carry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=4):
    """An entry, of any author."""

    entry: Blob


class Head(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Of one author: how many entries are known (the next sequence number) and the hash of the last."""

    seat: Seat
    seq: Count
    hash: B32


class Heads(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=5):
    """What the sender has of every author; the receiver answers with what is lacking. `table` names the table."""

    table: B32
    heads: Annotated[tuple[Head, ...], Meta(max_length=MAX_PLAYERS)]


class Bye(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=6):
    """The lobby says no, or its creator closes it: `reason` for people."""

    reason: Annotated[str, Meta(max_length=200)]


class Watch(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=7):
    """A stranger asks any seat that plays to let it watch: the table that it means (32 zero bytes: whatever is played)
    and what it has of every author."""

    protocol: Count
    table: B32
    heads: Annotated[tuple[Head, ...], Meta(max_length=MAX_PLAYERS)]


class Remark(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What somebody says beside the game: in which room (the table's id, or `lobby_room`), a number that its author
    gives to nothing else there, and a quick phrase (from 1) or, with 0, a text."""

    room: B32
    number: Annotated[int, Meta(ge=0, lt=2**62)]
    phrase: Annotated[int, Meta(ge=0, le=MAX_PHRASES)]
    text: Annotated[str, Meta(max_length=MAX_REMARK)]


class Chat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=8):
    """A `Remark`, signed by its author over CHAT_DOMAIN + body; passed on as it came. Never in a journal."""

    author: B32
    body: Annotated[bytes, Meta(max_length=1280)]
    signature: B64


class Prepare(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=10):
    """A joiner says to the creator how it would sit: which hero ("": any), which seat, and whether it is ready. It
    speaks for itself alone, and the creator grants all three or none."""

    hero: Text
    seat: Seat
    ready: bool


class Declined(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=11):
    """The creator did not grant a `Prepare`; `reason` for people."""

    reason: Annotated[str, Meta(max_length=200)]


class Knock(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=20):
    """A guest at a private table begins to prove that it knows the invite code: its SPAKE2 message."""

    message: B33


class Answer(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=21):
    """The creator's SPAKE2 message to a `Knock`."""

    message: B33


class Confirm(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=22):
    """The sender has got the common key: it knows the code, and nobody stands in between. The guest first."""

    proof: B32


Frame: TypeAlias = (
    Hello | Lobby | Propose | Carry | Heads | Bye | Watch | Chat | Prepare | Declined | Knock | Answer | Confirm
)

T = TypeVar("T")


def encode(message: Struct) -> bytes:
    """Canonical bytes of a message."""
    plain = msgspec.to_builtins(message, builtin_types=(bytes,), enc_hook=_plain)
    data: bytes = msgpack.packb(plain, use_bin_type=True)
    return data


def _plain(value: object) -> str:
    """A marked sentence travels as its English text."""
    if isinstance(value, Said):
        return str(value)
    raise TypeError(f"{type(value)} is no part of a message")


def decode(data: bytes, kind: type[T]) -> T:
    """The message of this kind in `data`.

    :raises Malformed: too long, not msgpack, not of the schema, or not the canonical form
    """
    if len(data) > MAX_FRAME:
        raise Malformed(said("{size} bytes are more than a message can have", size=len(data)))
    try:
        # Read by its schema, not into lists first: what does not belong there is never built, whatever is announced.
        message = _decoder(kind).decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as bad:
        raise Malformed(said("not a message: {reason}", reason=message_of(bad))) from None
    if encode(message) != data:
        raise Malformed(said("not canonical"))
    return message  # type: ignore[no-any-return]  # a decoder of this kind gives no other


_decoder: Callable[[Any], msgspec.msgpack.Decoder[Any]] = cache(msgspec.msgpack.Decoder)


def decode_frame(data: bytes) -> Frame:
    """The frame in `data`.

    :raises Malformed: as `decode`
    """
    return decode(data, Frame)  # type: ignore[arg-type]  # a union is a form of type to msgspec
