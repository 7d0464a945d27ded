"""Whatever bytes come, readers raise errors of their own and take memory in proportion (C36, C44, C45, C49)."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2puno.hero_file import MAX_BYTES
from protocol.journal import MAGIC, record
from protocol.payloads import MAX_FRAME
from tests.fuzz import __main__ as program
from tests.fuzz.mutate import KINDS, mutate
from tests.fuzz.targets import TARGETS, Greedy, Target, check

NUMBERS = st.integers(0, 2**20)


@pytest.mark.parametrize("name", TARGETS)
def test_readers_raise_their_own_errors_only(name):
    target = TARGETS[name]
    seeds = target.seeds()
    new = st.binary(min_size=1, max_size=40) | st.sampled_from(target.words or (b"\xff",))
    edits = st.lists(st.tuples(st.integers(0, KINDS - 1), NUMBERS, NUMBERS, new), max_size=4)

    @settings(max_examples=60, deadline=None, database=None)
    @given(st.sampled_from(seeds), edits)
    def run(seed, changes):
        check(target, mutate(seed, changes))

    run()


@pytest.mark.parametrize("name", TARGETS)
def test_random_bytes_end_in_errors_of_the_readers(name):
    target = TARGETS[name]
    assert target.seeds()  # what is made once is made now

    @settings(max_examples=30, deadline=None, database=None)
    @given(st.binary(max_size=300))
    def run(data):
        check(target, data)

    run()


@pytest.mark.parametrize("name", sorted(TARGETS.keys() - {"entry", "effect", "options", "greeting"}))
def test_what_is_right_is_taken(name):
    """Else the fuzzing would begin outside. (Nobody signed the entries, and nobody is there to greet.)"""
    assert any(check(TARGETS[name], seed) for seed in TARGETS[name].seeds())


def nested(leaf: bytes, most: int) -> bytes:
    """Arrays of 256 arrays of 256 times `leaf`."""
    inner = (b"\xdc\x01\x00" + leaf * 256) * 256
    times = most // len(inner)
    return b"\xdc" + times.to_bytes(2, "big") + (b"\xdc\x01\x00" + inner) * times


BOMBS = {
    "empty arrays": ("frame body charter", nested(b"\x90", MAX_FRAME)),
    "arrays of one": ("frame body charter", nested(b"\x91\xc0", MAX_FRAME)),
    "one array in the other": ("frame body charter entry", b"\x92" * MAX_FRAME),
    "announced arrays": ("frame body charter entry", b"\xdd\xff\xff\xff\xff" * (MAX_FRAME // 5)),
    "announced bytes": ("frame body charter entry", b"\x92\x04\xc6\xff\xff\xff\xff"),
    "announced text": ("frame", b"\x92\x06\xdb\xff\xff\xff\xff"),
    "a long text": ("frame", b"\x92\x06\xdb\x00\x0d\xbb\xa0" + b"\xf0\x9f\x98\x80" * 225_000),
    "many records": ("journal", MAGIC + record(b"") * 20_000),
    "an announced record": ("journal", MAGIC + record(bytes(MAX_FRAME))[:8]),
    "dots": ("hero classic", b"a." * (MAX_BYTES // 2 - 2) + b"a=1"),
    "dots in many lines": ("hero classic", b"".join(b"[k%d%s]\n" % (n, b".a" * 64) for n in range(480))),
    "dots in a header": ("hero classic", b"[" + b"a." * (MAX_BYTES // 2 - 2) + b"a]"),
    "a tree of arrays": ("hero classic", b"id=" + b"[" * 300 + b"[]," * 20_000 + b"]" * 300),
    "arrays of arrays": ("hero classic", b"id=" + (b"[" * 9 + b"]" * 9 + b",") * 3000),
    "tables in tables": ("hero classic", b"id=" + b"{a=" * 20_000),
    "a long number": ("hero classic", b"id=0x" + b"f" * 65_000),
    "a long float": ("hero classic", b"id=1e" + b"1" * 65_000),
    "many options": ("rules", b"p2puno rules 1\n" + b"a b\n" * 20_000),
    "a long game": ("rules options", b"p2puno rules 1\ngame " + b"batman" * 20_000 + b"\n"),
    "marks without end": ("text move", b"a" + "\u0301".encode() * 50_000),
    "escapes": ("text move", b"\x1b[" * 50_000),
    "digits": ("text move", b"1" * 100_000),
    "beats": ("link", b"\x00\x00\x00\x00\x03" * 5000),
    "an announced frame": ("link", b"\xff\xff\xff\xff\x00" + bytes(1000)),
}  # fmt: skip


@pytest.mark.parametrize(("names", "data"), BOMBS.values(), ids=BOMBS)
def test_c45_little_costs_little_whatever_it_announces(names, data):
    for name in names.split():
        check(TARGETS[name], data)


@pytest.mark.parametrize(
    ("name", "data"),
    [("move", b"wish>B >play R7"), ("move", b"wish>B play>R7"), ("move", b"swap " + b"1" * 5000)],
)
def test_what_was_found_stays_mended(name, data):
    assert check(TARGETS[name], data)


# --- the harness itself


def test_a_reader_that_falls_over_or_takes_too_much_is_found(capsys):
    def fall(data: bytes) -> None:
        if b"\x00" in data:
            raise KeyError(data)

    def swell(data: bytes) -> int:
        return len(bytes(10**6 * len(data)))

    assert not check(Target("refuses", fall, (KeyError,), list), b"\x00")
    with pytest.raises(KeyError):
        check(Target("falls", fall, (ValueError,), list), b"\x00")
    with pytest.raises(Greedy):
        check(Target("swells", swell, (), list), b"123")
    assert not program.blind(Target("falls", fall, (), lambda: [b"12345678"]), 60)
    assert "falls: FAILED at run" in capsys.readouterr().out


def test_the_program_tries_the_targets_it_is_told(capsys, monkeypatch):
    monkeypatch.setattr(program, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["fuzz", "--seconds", "0.05", "frame", "text"])
    assert program.main() == 0
    out = capsys.readouterr().out
    assert "frame: " in out
    assert "text: " in out
    monkeypatch.setattr(program, "blind", lambda target, seconds: target.name != "text")
    assert program.main() == 1
