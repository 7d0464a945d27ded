"""What people say to each other: signed, once, of somebody who is here, in this room, not too much (C44, C45)."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.chat import BURST, HEARD_BURST, PHRASES, RATE, REMEMBERED, Heard, Talk, Unwelcome, is_chat
from protocol.errors import NotSaid
from protocol.identity import Identity
from protocol.messages import (
    CHAT_DOMAIN,
    ENTRY_DOMAIN,
    MAX_REMARK,
    Chat,
    Heads,
    Remark,
    decode,
    decode_frame,
    encode,
    sign_remark,
)

ROOM, OTHER = b"r" * 32, b"o" * 32
MIA, BO, CY = (Identity.restored(bytes([number]) * 32) for number in (1, 2, 3))
EVERYBODY = [who.public for who in (MIA, BO, CY)]


def talk(who: Identity, mode: str = "all", room: bytes = ROOM) -> Talk:
    made = Talk(who, 1000)
    made.enter(room, EVERYBODY, mode)
    return made


def remark(text: str = "hello", number: int = 0, room: bytes = ROOM, phrase: int = 0, who: Identity = BO) -> bytes:
    return sign_remark(who, Remark(room, number, phrase, text))


def signed(body: bytes, who: Identity = BO) -> bytes:
    return encode(Chat(who.public, body, who.sign(CHAT_DOMAIN + body)))


def test_a_remark_is_heard_once_whoever_brings_it() -> None:
    bo, mia, cy = talk(BO), talk(MIA), talk(CY)
    own, frame = bo.text("  the blue  one?\n", 0.0)
    assert own == Heard(BO.public, "the blue one?", 0)
    assert is_chat(frame)
    assert mia.hear(BO.public, frame, 0.0) == own
    assert mia.hear(CY.public, frame, 0.0) is None
    assert cy.hear(MIA.public, frame, 0.0) == own  # Cy and Bo have no link
    with pytest.raises(Unwelcome, match="again"):
        mia.hear(CY.public, frame, 0.0)


def test_phrases_travel_as_numbers() -> None:
    _, frame = talk(BO).phrase(2, 0.0)
    assert b"game" not in frame
    heard = talk(MIA).hear(BO.public, frame, 0.0)
    assert heard == Heard(BO.public, "", 2)
    assert PHRASES[heard.phrase - 1] == "Good game!"
    for none in (0, -1, len(PHRASES) + 1):
        with pytest.raises(NotSaid, match="there is no phrase"):
            talk(BO).phrase(none, 0.0)


@pytest.mark.parametrize(
    ("why", "frame"),
    [
        ("signature", encode(Chat(MIA.public, decode(remark(), Chat).body, decode(remark(), Chat).signature))),
        ("signature", remark()[:-1] + bytes([remark()[-1] ^ 1])),
        ("signature", encode(Chat(BO.public, b"x", BO.sign(ENTRY_DOMAIN + b"x")))),
        ("nobody", remark(who=Identity.restored(b"x" * 32))),
        ("nobody", remark(who=CY)),  # our own, which nobody has to tell us
        ("somewhere else", remark(room=OTHER)),
        ("either a text or a phrase", remark("hello", phrase=1)),
        ("either a text or a phrase", remark("")),
        ("not a message", remark("x" * (MAX_REMARK + 1))),
        ("not a message", remark("", phrase=len(PHRASES) + 1)),
        ("not a message", remark(number=2**62)),
        ("not a message", remark(room=b"short")),
        ("not a message", signed(encode(Remark(ROOM, 0, 0, "hello"))[:-5] + b"\xff\xfe\x80lo")),
        ("not a message", signed(encode(Remark(ROOM, 0, 0, "hello"))[:-5] + b"h\xed\xa0\x80o")),  # a lone surrogate
        ("not canonical", signed(encode(Remark(ROOM, 0, 0, "hello"))[:-6] + b"\xd9\x05hello")),
        ("not a message", signed(b"x" * 2000)),
        ("not a message", b"\x94\x08"),
        ("not a message", encode(Heads(ROOM, ()))),
    ],
)
def test_what_is_no_remark_is_unwelcome(why: str, frame: bytes) -> None:
    """Forged, of another table, too long, not UTF-8, not of the form."""
    listener = talk(CY)
    with pytest.raises(Unwelcome, match=why):
        listener.hear(MIA.public, frame, 0.0)
    assert listener.hear(BO.public, remark(number=5), 0.0)  # and it costs nobody anything


@given(st.binary(max_size=120))
def test_any_bytes_are_heard_or_unwelcome(data: bytes) -> None:
    with pytest.raises(Unwelcome):
        talk(CY).hear(MIA.public, b"\x94\x08" + data, 0.0)
    with pytest.raises(Unwelcome):
        talk(CY).hear(MIA.public, signed(data), 0.0)


def test_c44_what_is_heard_is_fit_for_any_screen() -> None:
    hostile = "\x1b]52;c;aGk=\x07\x1b[2J\u202ewin\u200b\u0007 e\u0301\x9b31m\nMia leaves"
    heard = talk(CY).hear(BO.public, remark(hostile), 0.0)
    assert heard is not None
    assert heard.text == "]52;c;aGk=win é Mia leaves"
    nothing = talk(CY).hear(BO.public, remark("\u200b\u202e"), 0.0)
    assert nothing == Heard(BO.public, "?", 0)


def test_what_is_too_long_is_refused_before_it_is_said() -> None:
    bo = talk(BO)
    assert bo.text("x" * MAX_REMARK, 0.0)[0].text == "x" * MAX_REMARK
    for long in ("x" * (MAX_REMARK + 1), "語" * (MAX_REMARK // 2 + 1), "x\u0302\u0301" * MAX_REMARK):
        with pytest.raises(NotSaid, match="at most 280"):
            bo.text(long, 0.0)
    for nothing in ("", " \n\t"):
        with pytest.raises(NotSaid, match="nothing to say"):
            bo.text(nothing, 0.0)
    widest, frame = bo.text("😀" * (MAX_REMARK // 2), 0.0)
    assert talk(CY).hear(BO.public, frame, 0.0) == widest


def test_the_longest_remark_has_room_in_a_frame() -> None:
    frame = remark("\U00010900" * MAX_REMARK, 2**62 - 1)  # four bytes each
    assert isinstance(decode_frame(frame), Chat)
    assert talk(CY).hear(BO.public, frame, 0.0)


def test_who_speaks_keeps_a_pace() -> None:
    bo = talk(BO)
    for number in range(BURST):
        bo.text(f"{number}", 0.0)
    with pytest.raises(NotSaid, match="a lot at once"):
        bo.phrase(1, 0.0)
    bo.text("a moment later", 1 / RATE)
    with pytest.raises(NotSaid):
        bo.text("and again", 1 / RATE)
    for _ in range(BURST):
        bo.text("much later", 1000.0)


def test_c45_what_is_too_much_of_one_is_dropped_and_told_once() -> None:
    cy = talk(CY)
    loud = []
    for number in range(HEARD_BURST):
        assert cy.hear(BO.public, remark(number=number), 0.0)
    for number in range(HEARD_BURST, 3 * HEARD_BURST):
        with pytest.raises(Unwelcome, match="too much") as bad:
            cy.hear(BO.public, remark(number=number), 0.0)
        loud.append(bad.value.floods)
    assert loud == [BO.public] + [b""] * (2 * HEARD_BURST - 1)
    with pytest.raises(Unwelcome, match="again"):  # what was dropped stays dropped
        cy.hear(BO.public, remark(number=2 * HEARD_BURST), 1000.0)
    assert cy.hear(MIA.public, remark(who=MIA), 0.0)  # nobody else pays for it
    assert cy.hear(BO.public, remark(number=100), 1000.0)


def test_no_remark_is_heard_twice_however_long_ago_it_was() -> None:
    """Numbers come in any order and with gaps; what is remembered of them is bounded."""
    cy = talk(CY)
    frames = [remark(number=number) for number in (*range(0, 4 * REMEMBERED, 2), 7)]
    for at, frame in enumerate(frames[:-1]):
        assert cy.hear(BO.public, frame, 100.0 * at)
    assert cy.hear(BO.public, frames[-1], 1e6) is None  # so old that it may have been heard
    assert cy.hear(BO.public, remark(number=4 * REMEMBERED - 3), 1e6)
    assert len(cy._authors[BO.public].heard) <= REMEMBERED
    for frame in frames:
        assert cy.hear(MIA.public, frame, 1e9) is None


def test_the_lobby_is_a_room_of_its_own() -> None:
    """What was said at a table cannot be said again in a lobby, whatever its creator tells; the end of a lobby is
    still heard when the table has begun."""
    bo, cy = talk(BO), talk(CY)
    for each in (bo, cy):
        each.wait(MIA.public, ROOM, EVERYBODY, "all")
    _, early = bo.text("are we complete?", 0.0)
    cy.enter(OTHER, EVERYBODY, "all")
    assert cy.hear(BO.public, early, 0.0)
    for elsewhere in ((BO.public, ROOM), (MIA.public, OTHER)):
        other = Talk(CY, 0)
        other.wait(*elsewhere, EVERYBODY, "all")
        with pytest.raises(Unwelcome, match="somewhere else"):
            other.hear(BO.public, early, 0.0)
    lobby = Talk(CY, 0)
    lobby.wait(MIA.public, ROOM, EVERYBODY, "all")
    with pytest.raises(Unwelcome, match="somewhere else"):
        lobby.hear(BO.public, remark(room=ROOM), 0.0)


def test_the_table_may_allow_phrases_only_or_nothing() -> None:
    with pytest.raises(NotSaid, match="quick phrases only"):
        talk(BO, "phrases").text("hello", 0.0)
    assert talk(CY, "phrases").hear(BO.public, talk(BO, "phrases").phrase(1, 0.0)[1], 0.0)
    with pytest.raises(Unwelcome, match="not allow"):
        talk(CY, "phrases").hear(BO.public, remark(), 0.0)
    with pytest.raises(NotSaid, match="without chat"):
        talk(BO, "off").phrase(1, 0.0)
    with pytest.raises(NotSaid, match="without chat"):
        talk(BO, "off").text("hello", 0.0)
    with pytest.raises(Unwelcome, match="not allow"):
        talk(CY, "off").hear(BO.public, remark("", phrase=1), 0.0)


def test_nobody_speaks_who_has_no_seat() -> None:
    alone = Talk(BO, 0)
    alone.enter(ROOM, [MIA.public], "all")
    with pytest.raises(NotSaid, match="nobody is here"):
        alone.text("hello", 0.0)


def test_who_starts_again_is_heard_again() -> None:
    """Numbers go on above those of the run before, and even with a clock set back what is new is not lost."""
    cy, first = talk(CY), Talk(BO, 1000)
    first.enter(ROOM, EVERYBODY, "all")
    assert cy.hear(BO.public, first.text("before", 0.0)[1], 0.0)
    for clock in (5000, 10):
        again = Talk(BO, clock)
        again.enter(ROOM, EVERYBODY, "all")
        assert cy.hear(BO.public, again.text("after", 0.0)[1], 0.0)


@dataclass
class _Peer:
    talk: Talk
    links: list[int]
    heard: list[str] = field(default_factory=list)


@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 5, 10]))
def test_it_reaches_everybody_whom_links_join_and_comes_to_rest(seed: int, count: int) -> None:
    """A table with broken pairs: each peer hears each remark once, and no frame goes round for ever."""
    dice = random.Random(seed)
    people = [Identity.restored(bytes([number + 1]) * 32) for number in range(count)]
    keys = [who.public for who in people]
    peers = [_Peer(Talk(who, 0), []) for who in people]
    for number, peer in enumerate(peers):
        peer.talk.enter(ROOM, keys, "all")
        for other in range(number):
            if other == number - 1 or dice.random() < 0.5:  # a chain holds them together
                peer.links.append(other)
                peers[other].links.append(number)
    waiting: list[tuple[int, int, bytes]] = []
    for author in range(count):
        heard, frame = peers[author].talk.text(f"of {author}", 0.0)
        peers[author].heard.append(heard.text)
        waiting += [(author, to, frame) for to in peers[author].links]
    carried = 0
    while waiting:
        sender, to, frame = waiting.pop(dice.randrange(len(waiting)))
        carried += 1
        new = peers[to].talk.hear(keys[sender], frame, 0.0)
        if new is not None:
            peers[to].heard.append(new.text)
            waiting += [(to, n, frame) for n in peers[to].links if n != sender and keys[n] != new.author]
    assert all(sorted(peer.heard) == sorted(f"of {n}" for n in range(count)) for peer in peers)
    assert carried <= count * count * count
