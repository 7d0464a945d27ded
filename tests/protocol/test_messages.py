"""Messages: what comes in is exactly what would go out, and nothing but Malformed comes of anything else."""

from __future__ import annotations

import re
import tracemalloc
import typing
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2puno.said import said
from protocol.identity import Identity
from protocol.messages import (
    ENTRY_DOMAIN,
    Body,
    Bye,
    Carry,
    Charter,
    Declined,
    Entry,
    Forged,
    Frame,
    Head,
    Heads,
    Hello,
    Lobby,
    Malformed,
    NotCanonical,
    Place,
    Prepare,
    Propose,
    Signed,
    Sitter,
    decode,
    decode_frame,
    encode,
    entry_hash,
    open_entry,
    sign_entry,
)
from protocol.payloads import MAX_FRAME, Commit, Payload

ME = Identity.fresh()
BODY = Body(bytes(32), 1, 2, bytes(32), bytes(32), bytes(32), 3, Commit(bytes(32), ()))


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Everything that a field of this type may hold, by its own limits (long bytes kept short)."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        inner, meta = arguments[0], arguments[1]
        if inner is bytes:
            least, most = meta.min_length or 0, meta.max_length
            return st.binary(min_size=least, max_size=min(most, max(least, 80)))
        if inner is str:
            return st.text(st.characters(codec="utf-8"), max_size=meta.max_length)
        if inner is int:
            most = meta.le if meta.le is not None else meta.lt - 1
            return st.integers(meta.ge, most) | st.sampled_from([meta.ge, most])
        (item, _) = typing.get_args(inner)
        return st.lists(values(item), min_size=meta.min_length or 0, max_size=min(meta.max_length, 4)).map(tuple)
    if kind is bool:
        return st.booleans()
    if kind is bytes:
        return st.binary(max_size=80)
    if origin is not None:  # a union
        return st.one_of([structs(member) for member in arguments])
    return structs(kind)


def structs(kind: Any) -> st.SearchStrategy[Any]:
    """Any struct of this kind."""
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = [values(hints[name]) for name in kind.__struct_fields__]
    return st.tuples(*fields).map(lambda parts: kind(*parts))


FRAMES = st.one_of([structs(kind) for kind in typing.get_args(Frame)])
PAYLOADS = st.one_of([structs(kind) for kind in typing.get_args(Payload)])


@given(FRAMES)
@settings(max_examples=150, deadline=None)
def test_frames_come_back_as_they_were(frame: Frame) -> None:
    data = encode(frame)
    assert decode_frame(data) == frame
    assert encode(decode_frame(data)) == data


@given(PAYLOADS)
@settings(max_examples=150, deadline=None)
def test_entries_come_back_as_they_were(payload: Payload) -> None:
    body = Body(bytes(32), 9, 2**32 - 1, bytes(32), bytes(32), bytes(32), 0, payload)
    entry = sign_entry(ME, body)
    again = open_entry(entry.raw)
    assert (again.author, again.body, again.raw, again.hash) == (ME.public, body, entry.raw, entry_hash(entry.raw))


@given(st.binary(max_size=300))
@settings(max_examples=500, deadline=None)
def test_random_bytes_are_malformed(data: bytes) -> None:
    with pytest.raises(Malformed):
        open_entry(data)
    only_malformed(data)


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.binary(max_size=70)
    | st.text(max_size=70),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=20,
)


@given(st.integers(0, 20), st.lists(PLAIN, max_size=8))
@settings(max_examples=500, deadline=None)
def test_msgpack_of_other_things_is_malformed_or_canonical(tag: int, fields: list[Any]) -> None:
    only_malformed(msgpack.packb([tag, *fields]))


@given(FRAMES, st.data())
@settings(max_examples=300, deadline=None)
def test_changed_frames_are_malformed_or_canonical(frame: Frame, data: st.DataObject) -> None:
    raw = bytearray(encode(frame))
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    only_malformed(bytes(raw))


def only_malformed(data: bytes) -> None:
    """Nothing but Malformed is raised, and what is taken is canonical."""
    for kind in (Frame, Body, Charter, Signed):
        try:
            message: Any = decode(data, kind)  # type: ignore[arg-type]
        except Malformed:
            continue
        assert encode(message) == data


# -- forms that msgpack allows and we do not ---------------------------------------------------------------------------

BYE = encode(Bye("no"))
HEADS = encode(Heads(bytes(32), (Head(1, 2, bytes(32)),)))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        BYE + b"\xc0",
        BYE[:-1],
        BYE.replace(b"\xa2no", b"\xd9\x02no"),  # the text with a longer header
        BYE.replace(b"\x92\x06", b"\xdc\x00\x02\x06"),  # the array too
        BYE.replace(b"\x92\x06", b"\x92\xcc\x06"),  # the tag as a longer integer
        BYE.replace(b"\x92\x06", b"\x92\xcb\x40\x18\x00\x00\x00\x00\x00\x00"),  # the tag as a float
        BYE.replace(b"\xa2no", b"\xc4\x02no"),  # bytes for text
        BYE.replace(b"\xa2no", b"\xa2\xff\xfe"),  # not UTF-8
        BYE.replace(b"\xa2no", b"\xa3\xed\xa0\x80"),  # a lone surrogate
        BYE.replace(b"\x92\x06", b"\x93\x06") + b"\xc0",  # a field too many
        HEADS.replace(b"\x93\x01\x02", b"\x93\x0a\x02"),  # a seat that cannot be
        HEADS.replace(b"\x93\x01\x02", b"\x93\xff\x02"),
        HEADS.replace(b"\x93\x01\x02", b"\x93\xc3\x02"),  # true is not 1
        b"\x80",
        b"\x81\xa1a\x01",
        b"\x92\x06\x81\xa1a\x01",
        b"\x92\x06\x80",
        b"\xd4\x01\x00",
        b"\xc7\x00\x05",
        b"\x92\x06\xd6\xff\x00\x00\x00\x00",  # a timestamp
        b"\x92\x06\xc7\x00\xff",
        b"\x91" * 5000,
        b"\x91" * 200 + b"\xc0",
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc1",
        bytes(MAX_FRAME + 1),
    ],
)
def test_forms_that_are_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        decode_frame(data)
    with pytest.raises(Malformed):
        open_entry(data)


def test_c45_announced_arrays_cost_nothing() -> None:
    """A decoder that makes room for what a header announces would make room for 8 GB here."""
    header = b"\xdd\x00\x0f\x42\x40"
    places = encode(Heads(bytes(32), ()))[:-1], encode(Lobby(2, b"", (), (), bytes(32)))[:-34], b""
    for bomb in (start + header * ((MAX_FRAME - len(start)) // 5) for start in places):
        tracemalloc.start()
        with pytest.raises(Malformed):
            decode_frame(bomb)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 10_000


@pytest.mark.parametrize(
    "frame",
    [
        Hello(1, "x" * 65, False, "", 0, 1),
        Hello(1, "x", False, "x" * 65, 0, 1),
        Hello(1, "x", False, "", 151, 1),
        Hello(1, "x", False, "", 0, 0),
        Hello(1, "x", False, "", 0, 65536),
        Hello(2**32, "x", False, "", 0, 1),
        Lobby(1, b"", (), (), bytes(32)),
        Lobby(2, b"", (), (Sitter(10, True, Place(bytes(32), "Bo", False, "", 0, ())),), bytes(32)),
        Lobby(2, b"", (), (Sitter(1, True, Place(bytes(32), "Bo", False, "", 0, ())),) * 11, bytes(32)),
        Prepare("x" * 65, 0, True),
        Prepare("", 10, True),
        Prepare("", -1, True),
        Declined("x" * 201),
        Lobby(11, b"", (), (), bytes(32)),
        Lobby(2, bytes(8193), (), (), bytes(32)),
        Bye("x" * 201),
        Heads(bytes(31), ()),
        Heads(bytes(32), (Head(0, 0, bytes(32)),) * 11),
        Propose(Charter(1, b"", (), (), bytes(32))),
        Carry(bytes(MAX_FRAME)),
    ],
)
def test_limits_of_frames(frame: Frame) -> None:
    with pytest.raises(Malformed):
        decode_frame(encode(frame))


def test_a_marked_sentence_travels_as_its_text() -> None:
    assert encode(Bye(said("{who} is full", who="it"))) == encode(Bye("it is full"))


def test_c37_wrong_signatures_are_forged() -> None:
    raw = sign_entry(ME, BODY).raw
    for at in (10, 40, 100, len(raw) - 1):
        changed = bytearray(raw)
        changed[at] ^= 1
        with pytest.raises(Malformed) as bad:
            open_entry(bytes(changed))
        assert not isinstance(bad.value, NotCanonical)
    other = encode(Signed(Identity.fresh().public, encode(BODY), ME.sign(ENTRY_DOMAIN + encode(BODY))))
    with pytest.raises(Forged):
        open_entry(other)
    undomained = encode(Signed(ME.public, encode(BODY), ME.sign(encode(BODY))))
    with pytest.raises(Forged):
        open_entry(undomained)


@pytest.mark.parametrize("body", [b"", b"\xc0", encode(BODY) + b"\xc0", encode(BODY)[:-1], bytes(1000)])
def test_c36_signed_nonsense_names_its_author(body: bytes) -> None:
    raw = encode(Signed(ME.public, body, ME.sign(ENTRY_DOMAIN + body)))
    with pytest.raises(NotCanonical) as bad:
        open_entry(raw)
    assert bad.value.author == ME.public


def test_an_entry_is_named_by_its_bytes() -> None:
    entry = sign_entry(ME, BODY)
    assert isinstance(entry, Entry)
    assert entry.hash == entry_hash(entry.raw)
    assert sign_entry(ME, BODY).raw == entry.raw
    other = Charter(1, b"rules", (), (), bytes(32))
    assert other.table != Charter(1, b"rules", (), (), bytes(31) + b"\x01").table


def test_c42_no_message_can_claim_points() -> None:
    """They are counted from opened hands: nothing that a seat signs has a field for them."""
    fields = {name for kind in typing.get_args(Payload) for name in kind.__struct_fields__}
    assert {"slot", "share", "word"} <= fields
    assert not {name for name in fields if re.search("score|point|winner|total|worth", name)}
