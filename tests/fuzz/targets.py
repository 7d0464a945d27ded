"""What reads bytes or text of strangers, and what it may do: raise errors of its own, and take memory in proportion.

`times` is the stated multiple: reading n bytes takes at most `times` x n + ROOM bytes beside the bytes themselves, as
`tracemalloc` counts them. Messages are read by their schema, so a small multiple holds. TOML is dearer: the reader of
Python keeps a record of some 300 bytes for each part of a dotted key and of each table; packs have 64 KB at most.
"""

from __future__ import annotations

import contextlib
import ssl
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import trio
from trio.testing import MockClock, memory_stream_pair

from cli.text import visible
from p2puno.card import parse_face, parse_move
from p2puno.clauses import Scope
from p2puno.effects import CARD_KINDS, COUNTERS, By, Mod, On, Verb, Who
from p2puno.grammar import read_abilities, read_effect
from p2puno.hero_file import read_own
from p2puno.moves import MoveError
from p2puno.needs import Decide
from p2puno.pack import read_pack
from p2puno.reading import PackError
from p2puno.rules import Rules, RulesError, games
from p2puno.view import View, view
from protocol.errors import Damaged, ForeignFile, NetworkProblem, Usage
from protocol.identity import Identity, certified_key
from protocol.journal import MAGIC, Reader, record
from protocol.messages import (
    CHAT_DOMAIN,
    ENTRY_DOMAIN,
    MAX_REMARK,
    Body,
    Charter,
    Chat,
    Forged,
    Malformed,
    NotCanonical,
    Signed,
    decode,
    decode_frame,
    encode,
    open_entry,
    open_remark,
)
from protocol.names import NAME_CELLS, clean
from protocol.net import link as links
from protocol.net.address import parse_address
from protocol.net.contexts import context_for
from tests.fuzz import samples

ROOM: Final = 512 * 1024
"""What a reader may take however little it is given: its tables, caches and, for links, the event loop."""

_ME: Final = Identity.fresh()
_OTHER: Final = Identity.fresh()


@dataclass(frozen=True)
class Target:
    """`run` reads bytes and raises nothing but `takes`; `words` are what it knows."""

    name: str
    run: Callable[[bytes], object]
    takes: tuple[type[Exception], ...]
    seeds: Callable[[], list[bytes]]
    times: int = 16
    words: tuple[bytes, ...] = ()


class Greedy(AssertionError):
    """A reader took more memory than it may."""


def check(target: Target, data: bytes) -> bool:
    """Whether the target takes these bytes. Raises Greedy, and whatever the target may not raise."""
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    try:
        target.run(data)
        taken = True
    except target.takes:
        taken = False
    finally:
        _, most = tracemalloc.get_traced_memory()
        if not tracing:
            tracemalloc.stop()
    if most - before > target.times * len(data) + ROOM:
        raise Greedy(f"{target.name}: {most - before} bytes for {len(data)}")
    return taken


# --- messages -------------------------------------------------------------------------------------------------------


def _frame(data: bytes) -> None:
    assert encode(decode_frame(data)) == data


def _entry(data: bytes) -> None:
    """As an entry, and as what somebody signed: then it is a body, or its author is to blame (C36)."""
    raw = encode(Signed(_ME.public, data, _ME.sign(ENTRY_DOMAIN + data)))
    author = _ME.public
    try:
        author = open_entry(raw).author
    except NotCanonical as bad:
        author = bad.author
    except Forged:
        author = b""
    assert author == _ME.public
    open_entry(data)


def _body(data: bytes) -> None:
    assert encode(decode(data, Body)) == data


def _remark(data: bytes) -> None:
    """As what somebody at the table signed, shown as it would be shown."""
    remark = open_remark(Chat(_ME.public, data, _ME.sign(CHAT_DOMAIN + data)))
    assert encode(remark) == data
    assert visible(clean(remark.text, MAX_REMARK)) == clean(remark.text, MAX_REMARK)


def _charter(data: bytes) -> None:
    """The charter, and the rules in it with the packs that it brings."""
    charter = decode(data, Charter)
    Rules.decode(charter.rules, {pack.id: pack.data for pack in charter.packs})


@cache
def _folder() -> Any:
    return tempfile.TemporaryDirectory(prefix="p2puno-fuzz-")


@cache
def _file() -> Path:
    """One path for all runs: Python interns the parts of each, and its table of them grows by megabytes at a time."""
    return Path(_folder().name, "table.p2puno")


def _journal(data: bytes) -> None:
    path = _file()
    path.write_bytes(data)
    for _, _, raw in Reader(path).entries():
        with suppress(Malformed):
            open_entry(raw)


def _journals() -> list[bytes]:
    start = MAGIC + record(samples.charters()[0])
    return [start, start + b"".join(map(record, samples.entries()))]


# --- packs and rules ------------------------------------------------------------------------------------------------


def _hero(data: bytes) -> None:
    read_own("mole.toml", data, "a stranger")


def _classic(data: bytes) -> None:
    read_pack("game.toml", data.decode("utf-8", "replace"))


def _rules(data: bytes) -> None:
    assert Rules.decode(data).encode() == data


def _options(data: bytes) -> None:
    """Lines: the game, then key=value."""
    game, *lines = data.decode("utf-8", "replace").split("\n")
    pairs = dict(line.partition("=")[::2] for line in lines)
    rules = Rules.make(game, **{key: value for key, value in pairs.items() if key not in ("heroes", "own")})
    assert Rules.decode(rules.encode()) == rules


def _option_texts() -> list[bytes]:
    return ["\n".join([game, *(f"{o.name}={o.span()}" for o in Rules.make(game).own_options())]).encode()
            for game in games()] + [b"batman\nstacking=on\nhand_size=5", b"dc\nstarter=youngest"]  # fmt: skip


_KEYS: Final = (*Verb, "who", "if", "cap", "may", "kind", "pick", "then", "cost", "do", "one_of", "by", "on", "n",
                "from", "destroy_self")  # fmt: skip
_WORDS: Final = (*Who, *On, *By, *Mod, *CARD_KINDS, *COUNTERS, "location", "item", "enemy", "event", "order", "swap",
                 "you", "player", "!location", "location:hulk", "burnt>=3", "2+items", "")  # fmt: skip


def _effect(data: bytes) -> None:
    """An effect that the bytes spell: each byte chooses the next key, word or shape."""
    stream = iter(data)
    flags = next(stream, 0)
    scope = Scope(frozenset({"hulk"}), *(bool(flags >> bit & 1) for bit in range(3)))
    steps = [_table(stream, 4) for _ in range(1 + flags % 3)]
    if flags & 128:
        read_abilities("abilities", steps, scope, bool(flags & 64))
    else:
        read_effect("do", steps, scope)


def _table(stream: Iterator[int], depth: int) -> dict[str, object]:
    size = 1 + next(stream, 0) % 4
    return {str(_KEYS[next(stream, 0) % len(_KEYS)]): _value(stream, depth) for _ in range(size)}


def _value(stream: Iterator[int], depth: int) -> object:
    kind = next(stream, 0)
    match kind % 8:
        case 0 | 1:
            return 1 + kind // 8 % 9
        case 2 | 3:
            return str(_WORDS[next(stream, 0) % len(_WORDS)])
        case 4:
            return bool(kind & 8)
        case 5 if depth:
            return [_table(stream, depth - 1) for _ in range(kind // 8 % 3)]
        case 6 if depth:
            return [[_table(stream, depth - 1)] for _ in range(kind // 8 % 5)]
    return (-1, 10**30, 1.5, [], {}, "x" * 300, [[[[]]]], None)[kind // 8 % 8]


# --- texts of people ------------------------------------------------------------------------------------------------


@cache
def _views() -> list[View]:
    """Some moments at which a move is due."""
    from tests.engine.table import Table, dealt
    from tests.ultimate import table as ultimate

    wish = Table("WS R1 R2", "Y1 Y2", variant="dbz", draw="R3 R4")
    wish.go("WS")
    stack = Table("W4 R1 R2", "W4 Y1 Y2", stacking=True)
    stack.go("W4>G")
    swap = Table("R7 R1 R2", "Y1 Y2", "B1 B2", seven_zero=True)
    swap.go("R7")
    games_at = [wish.game, stack.game, swap.game, dealt()[0], ultimate.Table("hulk", "thor").game]
    return [view(game, game.need.seat) for game in games_at if isinstance(game.need, Decide)]


def _moves() -> list[bytes]:
    assert len(_views()) == 5
    return [b"W>B!", b"wish>B play R7", b"swap 3", b"red 7", b"hulk/R5", b"gamma smash", b"w4 blue uno", b"keep"]


def _move(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for seen in _views():
        with suppress(MoveError):
            parse_move(seen, text)
        with suppress(MoveError):
            parse_face(seen.rules, text)


def _text(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    for cells in (1, NAME_CELLS, 200):
        shown = clean(text, cells)
        assert clean(shown, cells) == shown
        assert shown.isprintable()
    host, port = parse_address(text)
    assert host
    assert 1 <= port <= 65535


# --- links ----------------------------------------------------------------------------------------------------------


def _certificate(data: bytes) -> None:
    """What shows a key may become the anchor of a channel, or is refused."""
    certified_key(data)
    with contextlib.suppress(ssl.SSLError):  # which a greeting tells as a refusal
        context_for(_ME, True, data)


def _anybody(peer: bytes) -> bool:
    return True


def _greeting(data: bytes) -> None:
    async def greet(server: bool) -> None:
        ours, theirs = memory_stream_pair()
        await theirs.send_all(data)
        await theirs.send_eof()
        await links.secure(ours, _ME, server, _anybody)

    for server in (False, True):
        with suppress(NetworkProblem):
            trio.run(greet, server, clock=MockClock(autojump_threshold=0))
            raise AssertionError("nobody was there, and yet the greeting went well")


def _link(data: bytes) -> None:
    """Frames in pieces of 100 bytes, then the end: the link ends and says why, without an error."""

    async def speak() -> None:
        ours, theirs = memory_stream_pair()
        got = 0
        async with links.open_link(ours, bytes(32)) as link, trio.open_nursery() as nursery:
            nursery.start_soon(_send, theirs, data)
            async for frame in link:
                assert len(frame) <= links.MAX_FRAME
                got += len(frame)
        assert link.reason
        assert got <= len(data)

    trio.run(speak, clock=MockClock(autojump_threshold=0))


async def _send(stream: trio.StapledStream[Any, Any], data: bytes) -> None:
    with suppress(trio.BrokenResourceError):  # the link has ended
        for start in range(0, len(data), 4096):
            await stream.send_all(data[start : start + 4096])
        await stream.send_eof()


def _streams() -> list[bytes]:
    frame = links.FRAME
    data = b"".join(frame.pack(len(raw), links.Kind.DATA) + raw for raw in samples.frames()[:5])
    return [data, frame.pack(0, links.Kind.BEAT) * 3 + frame.pack(4, links.Kind.BYE) + b"gone"]


def _greetings() -> list[bytes]:
    certificate = _OTHER.certificate
    return [links.HELLO.pack(links.MAGIC, links.VERSION, len(certificate)) + certificate + b"\x16\x03\x01\x00\x05hello"]


_TOML_WORDS: Final = (
    *(str(word).encode() for word in (*_KEYS, *_WORDS) if word),
    b"[[wild]]\n", b"[[danger]]\n", b"[power]\n", b"[deck]\n", b"{", b"}", b"[", b"]", b" = ", b'"', b",", b".", b"\n",
)  # fmt: skip
_HEADERS: Final = (b"\x90", b"\x91", b"\x98", b"\xc0", b"\xc4\x20", b"\xc4\x21", b"\xd9\x40", b"\xdc\x01\x00",
                   b"\xdd\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"\xce\x00\x01\x00\x00", b"\xcb")  # fmt: skip
_NETWORK: Final = (NetworkProblem, ValueError)

TARGETS: Final = {target.name: target for target in (
    Target("frame", _frame, (Malformed,), samples.frames, words=_HEADERS),
    Target("entry", _entry, (Malformed,), lambda: samples.entries() + samples.bodies(), words=_HEADERS),
    Target("body", _body, (Malformed,), samples.bodies, words=_HEADERS),
    Target("remark", _remark, (Malformed,), samples.remarks, words=_HEADERS),
    Target("charter", _charter, (Malformed, RulesError), samples.charters, 600, _HEADERS),
    Target("journal", _journal, (Damaged, ForeignFile), _journals, words=_HEADERS),
    Target("hero", _hero, (PackError,), samples.hero_packs, 600, _TOML_WORDS),
    Target("classic", _classic, (PackError,), samples.classic_packs, 600, _TOML_WORDS),
    Target("effect", _effect, (PackError,), lambda: [bytes(range(n, 256, 7)) for n in range(12)], 600),
    Target("rules", _rules, (RulesError,), samples.rules, 100),
    Target("options", _options, (RulesError,), _option_texts, 100),
    Target("move", _move, (), _moves, 100),
    Target("text", _text, (Usage,), lambda: [b"[fe80::1%eth0]:4242", b"name:1", "\x1b[2Jé\u202e".encode()], 100),
    Target("certificate", _certificate, _NETWORK, lambda: [_OTHER.certificate], 100),
    Target("greeting", _greeting, (), _greetings, 100),
    Target("link", _link, (), _streams),
)}  # fmt: skip
