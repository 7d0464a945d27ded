"""Cheats with entries themselves, and what anybody on a link can do (C33-C37, C41, C44)."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest

from p2puno.rules import Rules
from protocol import events as tell
from protocol.chains import MOST_EARLY, Chains, Equivocation
from protocol.errors import CheatProven, Damaged
from protocol.events import Phase
from protocol.identity import Identity
from protocol.messages import Body, Carry, Entry, Head, Heads, decode_frame, encode, open_entry, sign_entry
from protocol.moving import DecideStep
from protocol.payloads import MAX_FRAME, Choose, Commit, Leave
from protocol.signals import Received
from tests.protocol.cheats import (
    CHEAT,
    Cheater,
    cheater,
    convicted,
    flipped,
    nobody_accused,
    only_absent,
    play,
    replace,
    trick_on,
)
from tests.protocol.readings import audit, judge
from tests.protocol.simulator import Simulation

NOTHING_LEFT = Leave((), b"", b"", ())


def on_move(make: Any) -> type[Cheater]:
    """A program that signs something else in place of its first move."""
    return cheater(trick_on(DecideStep, lambda node, step, payload: make(node, node.body(payload))))


# -- well-signed entries that no honest seat makes ---------------------------------------------------------------------


def test_c33_answers_an_old_step_anew(tmp_path: Path) -> None:
    """Newly signed for a wrong place of its own row."""

    steps: list[int] = []

    def again(node: Cheater, body: Body) -> Body:
        steps.append(node._chains._entries[node.seat][-1].body.step)
        return replace(body, step=steps[0], row=node.table.rows[steps[0]])

    table = play(on_move(again))
    convicted(table, tmp_path, f"answers step {steps[0]} twice", steps[0])


def test_c33_answers_an_old_step_that_was_not_its_own(tmp_path: Path) -> None:
    """It has said nothing there, so that only a table can judge."""

    def late(node: Cheater, body: Body) -> Body | None:
        step = body.step - 1
        if step in [own.body.step for own in node._chains.of(node.seat)]:
            return None
        old = next((own.body for own in node._chains.of(0) if own.body.step == step), None)
        return replace(body, step=step, row=old.row, state=old.state) if old else None

    table = play(on_move(late))
    node = table.peers[CHEAT].node
    assert isinstance(node, Cheater)
    convicted(table, tmp_path, "which was complete", node.cheated_at - 1)


def test_c33_entry_of_another_table_is_refused(tmp_path: Path) -> None:
    """Signed by a seat, but for another table: no offence here, and the table goes on."""
    table = Simulation(4, 3)
    foreign = sign_entry(
        table.identities[1], Body(bytes(32), 1, 0, bytes(32), bytes(32), bytes(32), 0, Commit(bytes(32), ()))
    )
    table.tamper = lambda sender, receiver, frame: [encode(Carry(foreign.raw)), frame]
    table.run()
    nobody_accused(table)
    assert all(peer.node.table.phase is Phase.CLOSED for peer in table.peers)
    assert all(foreign.raw not in peer.journal for peer in table.peers)


def test_c33_old_entries_come_again(tmp_path: Path) -> None:
    """Of this hand or the one before, from anybody: known, so nothing happens and nothing is written."""
    rules = Rules.make("batman", hand_size=5, hands=2)
    dice, sent = random.Random(1), []

    def again(sender: int, receiver: int, frame: bytes) -> list[bytes]:
        if isinstance(decode_frame(frame), Carry):
            sent.append(frame)
        return [frame, dice.choice(sent)] if sent else [frame]

    table = Simulation(4, 3, rules, tamper=again)
    table.run()
    nobody_accused(table)
    assert len(table.peers[0].node.table.scored) == 2
    for seat, peer in enumerate(table.peers):
        assert len(peer.journal) == len(set(peer.journal))
        assert audit(table.write(seat, tmp_path / f"{seat}.p2puno")).exit_code == 0


@pytest.mark.parametrize(
    "followed",
    [
        lambda node: bytes(32),
        lambda node: node.chains.of(CHEAT)[-2].hash,
        lambda node: node.chains.head(0).hash,
    ],
    ids=["nothing", "an earlier one", "another seat's"],
)
def test_c34_wrong_hash_of_the_entry_before(followed: Callable[[Cheater], bytes], tmp_path: Path) -> None:
    table = play(on_move(lambda node, body: replace(body, prev=followed(node))))
    convicted(table, tmp_path, "as following another entry")


@pytest.mark.parametrize("alone", [True, False])
def test_c34_a_first_entry_follows_nothing(alone: bool) -> None:
    """Not even where what its author signed later follows the entry that it should have been."""
    table = Simulation(3, 2)
    table.run()
    journal = [*table.peers[0].journal]
    at, first = next((at, one) for at, one in enumerate(map(open_entry, journal)) if one.body.seat == CHEAT)
    other = open_entry(journal[0] if at else journal[1])
    journal[at] = sign_entry(table.identities[CHEAT], replace(first.body, prev=other.hash)).raw
    records = [(number, number, raw) for number, raw in enumerate(journal[: at + 1] if alone else journal, 1)]
    verdict = judge(table.charter, records)
    (offence,) = verdict.offences
    assert (offence.seat, offence.step) == (CHEAT, 0)
    assert offence.reason == "signed entry 0 as following another entry"


def test_c34_one_number_twice(tmp_path: Path) -> None:
    """The number of the entry before, for a new one."""

    def again(node: Cheater, body: Body) -> Body:
        before = node._chains._entries[node.seat][-1].body
        return replace(body, seq=before.seq, prev=before.prev)

    convicted(play(on_move(again)), tmp_path, "two different entries")


def test_c34_a_gap_is_no_offence(tmp_path: Path) -> None:
    """What follows waits for what is missing, and nothing of it is taken: nobody is blamed, but its author is absent
    when its time is over."""
    only_absent(play(on_move(lambda node, body: replace(body, seq=body.seq + 1)), [2]), tmp_path)


def test_c35_wrong_state_on_the_own_row(tmp_path: Path) -> None:
    convicted(play(on_move(lambda node, body: replace(body, state=flipped(body.state)))), tmp_path, "public state")


def test_c35_an_invented_row_blames_nobody(tmp_path: Path) -> None:
    """Another row is no offence by itself; where no second story comes to light, it is silence."""
    only_absent(play(on_move(lambda node, body: replace(body, row=flipped(body.row))), [2]), tmp_path)


def non_minimal(node: Cheater, body: Body) -> bytes:
    """The seat as a 16-bit integer."""
    data = encode(body)
    at = 1 + 34
    assert data[at] == body.seat
    return data[:at] + b"\xcd\x00" + data[at:]


def unknown_kind(node: Cheater, body: Body) -> bytes:
    plain = msgpack.unpackb(encode(body))
    plain[-1] = [99, b"x"]
    return msgpack.packb(plain)  # type: ignore[no-any-return]


def a_field_too_many(node: Cheater, body: Body) -> bytes:
    return msgpack.packb([*msgpack.unpackb(encode(body)), 0])  # type: ignore[no-any-return]


def a_map(node: Cheater, body: Body) -> bytes:
    return msgpack.packb({"table": body.table})  # type: ignore[no-any-return]


def deep(node: Cheater, body: Body) -> bytes:
    return b"\x91" * 3000 + b"\xc0"


def huge_header(node: Cheater, body: Body) -> bytes:
    return b"\xdd\xff\xff\xff\xff"


def long_word(node: Cheater, body: Body) -> bytes:
    return encode(replace(body, payload=Choose("x" * 10_000)))


def oversize(node: Cheater, body: Body) -> bytes:
    return bytes(MAX_FRAME - 300)


@pytest.mark.parametrize(
    "make", [non_minimal, unknown_kind, a_field_too_many, a_map, deep, huge_header, long_word, oversize]
)
def test_c36_signed_but_no_entry(make: Any, tmp_path: Path) -> None:
    """It cannot say for which step it is, so the judge's own is named."""
    program = on_move(lambda node, body: [(None, node.sign_raw(make(node, body)))])
    convicted(play(program), tmp_path, "signed what is no entry")


def test_c36_told_to_one_seat_only(tmp_path: Path) -> None:
    """No chain holds it, so whoever gets it passes it on."""
    program = on_move(lambda node, body: [(0, node.sign_raw(unknown_kind(node, body)))])
    convicted(play(program), tmp_path, "signed what is no entry")


# -- what anybody can do ----------------------------------------------------------------------------------------------


def test_c37_bytes_without_a_good_signature(tmp_path: Path) -> None:
    """Every frame comes with broken copies and an entry in another's name; nobody is blamed, the table goes on."""
    dice = random.Random(1)
    stranger = Identity.fresh()

    def noise(sender: int, receiver: int, frame: bytes) -> list[bytes]:
        extra = [dice.randbytes(20), flipped(frame, dice.randrange(len(frame))), frame[: len(frame) // 2], frame + b"x"]
        message = decode_frame(frame)
        if isinstance(message, Carry):
            entry = open_entry(message.entry)
            outsider = sign_entry(stranger, entry.body)
            forged = message.entry[:-64] + dice.randbytes(64)
            extra += [encode(Carry(outsider.raw)), encode(Carry(forged)), encode(Carry(b""))]
        return [*extra, frame]

    table = Simulation(4, 3, tamper=noise)
    table.run()
    nobody_accused(table)
    assert len({peer.node.table.state() for peer in table.peers}) == 1
    for seat, peer in enumerate(table.peers):
        assert peer.heard(tell.MatchOver)
        assert audit(table.write(seat, tmp_path / f"{seat}.p2puno")).exit_code == 0


def test_c37_heads_that_are_not_true() -> None:
    """Heads are unsigned hints: wrong ones cost an answer and nothing else."""
    table = Simulation(4, 3)

    def lies(sender: int, receiver: int, frame: bytes) -> list[bytes]:
        wrong = Heads(table.charter.table, tuple(Head(seat, 2**32 - 1, bytes(32)) for seat in range(10)))
        if sender == CHEAT and not isinstance(decode_frame(frame), Heads):
            return [encode(wrong), encode(Heads(bytes(32), ())), frame]
        return [frame]

    table.tamper = lies
    table.run()
    nobody_accused(table)
    assert all(peer.heard(tell.MatchOver) for peer in table.peers)


def test_c44_names_are_cleaned_everywhere(tmp_path: Path) -> None:
    """Escape sequences, bidi overrides and floods of marks stay in the signed bytes and reach no screen."""
    names = ("\x1b[31mEve\x1b[2J\x07", "\u202eboB\u200b\u200b", "A" + "\u0301" * 60)
    table = Simulation(4, 3, names=names)
    table.run()
    verdict = audit(table.write(0, tmp_path / "0.p2puno"))
    assert verdict.exit_code == 0
    for shown in (table.peers[1].node.table.names, verdict.names):
        assert shown == ("Eve", "boB", "Á\u0301\u0301"[: len(shown[2])])
    assert not set("\x1b\u202e\u200b\x07") & set("".join(verdict.lines()))


def test_c45_entries_far_ahead_fill_nothing() -> None:
    """A seat that signs for steps and numbers far ahead gets neither memory nor a place in the journal for them."""
    table = Simulation(4, 3)
    table.start()
    table.run_until(lambda: table.peers[0].node.turns >= 1)
    node = table.peers[0].node
    before = len(table.peers[0].journal), len(node._known)
    head = node._chains.head(1)
    for number in range(200):
        for step, seq in ((10_000 + number, head.seq), (node.table.number + 1, head.seq + 5000 + number)):
            body = Body(table.charter.table, 1, seq, head.hash, bytes(32), bytes(32), step, Choose("draw"))
            entry = sign_entry(table.identities[1], body)
            table.feed(0, Received(1, encode(Carry(entry.raw))))
    assert (len(table.peers[0].journal), len(node._known)) == before
    assert not table.peers[0].heard(tell.Accused)


# -- chains alone -----------------------------------------------------------------------------------------------------


class Author:
    """Signs entries of seat 0, one after the other."""

    def __init__(self) -> None:
        self.identity = Identity.fresh()
        self.entries: list[Entry] = []

    def says(self, payload: Any = None, step: int | None = None) -> Entry:
        last = self.entries[-1] if self.entries else None
        number = len(self.entries)
        body = Body(
            bytes(32), 0, number, last.hash if last else bytes(32), bytes(32), bytes(32),
            number if step is None else step, payload or Commit(bytes(32), ()),
        )  # fmt: skip
        self.entries.append(sign_entry(self.identity, body))
        return self.entries[-1]


def test_c34_chains_hold_entries_until_the_gap_closes() -> None:
    author, chains = Author(), Chains(1)
    first, second, third = author.says(), author.says(), author.says()
    assert list(chains.add(third)) == []
    assert list(chains.add(second)) == []
    assert chains.missing(0)
    assert list(chains.add(first)) == [first, second, third]
    assert not chains.missing(0)
    assert list(chains.add(second)) == []
    assert chains.head(0) == Head(0, 3, third.hash)


def test_c34_chains_find_two_early_entries_with_one_number() -> None:
    author, chains = Author(), Chains(1)
    author.says()
    second = author.says()
    other = sign_entry(author.identity, replace(second.body, step=7))
    assert list(chains.add(second)) == []
    with pytest.raises(Equivocation, match="two different entries numbered 1") as two:
        list(chains.add(other))
    assert (two.value.first, two.value.second) == (second, other)


def test_c34_chains_drop_what_is_too_early() -> None:
    author, chains = Author(), Chains(1)
    entries = [author.says() for _ in range(MOST_EARLY + 2)]
    assert not chains.too_early(entries[MOST_EARLY])
    assert chains.too_early(entries[-1])
    assert list(chains.add(entries[-1])) == []
    assert not chains.missing(0)


def test_c41_nothing_follows_a_leave() -> None:
    author, chains = Author(), Chains(1)
    for payload, step in ((None, 0), (NOTHING_LEFT, 0)):
        assert len(list(chains.add(author.says(payload, step)))) == 1
    with pytest.raises(Equivocation, match="after leaving"):
        list(chains.add(author.says(None, 1)))


def test_c31_no_step_is_answered_twice() -> None:
    author, chains = Author(), Chains(1)
    list(chains.add(author.says(None, 3)))
    with pytest.raises(Equivocation, match="answers step 3 twice"):
        list(chains.add(author.says(Choose("draw"), 3)))


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 1, 0), (0, 2, 1)])
def test_c41_the_other_story_is_known_to_its_end(order: tuple[int, ...]) -> None:
    """Whoever was told that the author leaves hears later what it went on to tell others: none of that is kept as too
    early, whatever comes first. Somebody may have built on all of it."""
    author, other, chains = Author(), Author(), Chains(1)
    list(chains.add(author.says(None, 0)))
    other.identity, other.entries = author.identity, [*author.entries]
    leave = author.says(NOTHING_LEFT, 1)
    list(chains.add(leave))
    story = [other.says(Choose("draw"), step) for step in (1, 2, 3)]
    found = []
    for number in order:
        waiting: Entry | None = story[number]
        while waiting is not None:
            try:
                assert list(chains.add(waiting)) == []
                waiting = None
            except Equivocation as two:
                found.append(two.second)
                waiting = chains.unhitch(two.second)
    assert sorted(found, key=lambda entry: entry.body.seq) == story
    assert chains.all()[-1] == leave
    assert not chains.missing(0)


@pytest.mark.parametrize("forked", [False, True])
def test_c36_a_file_that_is_told_backwards(forked: bool, tmp_path: Path) -> None:
    """Two thousand entries of one author, the last one first, at the end of a journal: both readings end, and
    name who signed them if they follow another entry than its last one."""
    table = Simulation(1, 3)
    table.start()
    table.run_until(lambda: table.peers[0].node.table.number >= 8)
    own = [entry for entry in map(open_entry, table.peers[0].journal) if entry.body.seat == CHEAT]
    last = own[-2] if forked else own[-1]
    story = [last]
    for _ in range(2_000):
        before = story[-1]
        body = replace(before.body, seq=before.body.seq + 1, prev=before.hash, step=before.body.step + 1)
        story.append(sign_entry(table.identities[CHEAT], replace(body, payload=Choose("draw"))))
    table.peers[0].journal += [entry.raw for entry in reversed(story[1:])]
    verdict = audit(table.write(0, tmp_path / "backwards.p2puno"))
    assert verdict.exit_code == (CheatProven.exit_code if forked else Damaged.exit_code)
    assert (verdict.blame == CHEAT) == forked


def test_heads_bring_what_is_lacking() -> None:
    author, mine, other = Author(), Chains(1), Chains(1)
    entries = [author.says() for _ in range(5)]
    for entry in entries:
        list(mine.add(entry))
    for entry in entries[:2]:
        list(other.add(entry))
    assert mine.lacking(other.heads()) == entries[2:]
    assert other.lacking(mine.heads()) == []
    assert other.news(mine.heads())
    assert not mine.news(other.heads())
    assert mine.covers(mine.heads())
    assert not mine.covers(other.heads())
    forked = Head(0, 2, bytes(32))
    assert mine.lacking((forked,)) == entries
    assert mine.news((forked,))
    assert not mine.news((Head(9, 3, bytes(32)),))
