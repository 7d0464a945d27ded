"""The greeting of a link, over memory streams and a virtual clock: who is let in, and who pretends."""

from contextlib import suppress

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from protocol.errors import NetworkProblem, NotP2puno, Refused, Unreachable
from protocol.identity import Identity
from protocol.net.contexts import MAX_ANCHORS, context_for
from protocol.net.link import (
    HANDSHAKE_LIMIT,
    HELLO,
    MAGIC,
    VERSION,
    secure,
)
from tests.net.conformance import ANN, BOB, anybody, greet
from tests.net.test_link import memory


async def test_both_sides_learn_the_proved_key_of_the_other(autojump_clock: MockClock) -> None:
    came = await greet(memory)
    assert came["dialler"][1] == BOB.public  # type: ignore[index]
    assert came["listener"][1] == ANN.public  # type: ignore[index]


async def test_a_key_that_the_listener_does_not_want_is_refused_and_told_so(autojump_clock: MockClock) -> None:
    came = await greet(memory, allowed=lambda peer: peer != ANN.public)
    assert isinstance(came["listener"], Refused)
    assert isinstance(came["dialler"], Refused)
    assert "nobody new is let in" in came["dialler"].message
    assert came["dialler"].hint


async def test_a_key_that_the_dialler_does_not_want_is_refused(autojump_clock: MockClock) -> None:
    """C46: another peer at an announced address is found out."""
    came = await greet(memory, wanted=lambda peer: peer != BOB.public)
    assert isinstance(came["dialler"], Refused)
    assert isinstance(came["listener"], NetworkProblem)


async def test_our_own_key_at_the_other_end_is_refused(autojump_clock: MockClock) -> None:
    came = await greet(memory, dialler=ANN, listener=ANN)
    assert isinstance(came["dialler"], Refused)
    assert isinstance(came["listener"], Refused)


class Impostor(Identity):
    """Shows Ann's certificate in the greeting but holds a key of its own."""

    certificate = ANN.certificate


class Copycat(Identity):
    """Has a certificate of its own key that copies all names of Ann's, and shows Ann's in the greeting."""

    certificate = ANN.certificate

    def _certificate(self):  # type: ignore[no-untyped-def]
        own, self.public = self.public, ANN.public  # the name is made of the public key
        try:
            return super()._certificate()
        finally:
            self.public = own


@pytest.mark.parametrize("kind", [Impostor, Copycat])
@pytest.mark.parametrize("dials", [True, False])
async def test_nobody_can_use_a_certificate_without_its_key(
    autojump_clock: MockClock, kind: type[Identity], dials: bool
) -> None:
    """C46: not even with the same names in the certificate."""
    thief = kind(Identity.fresh()._key)
    came = await (greet(memory, dialler=thief) if dials else greet(memory, listener=thief))
    assert isinstance(came["listener" if dials else "dialler"], Refused)
    assert isinstance(came["dialler" if dials else "listener"], NetworkProblem)


@pytest.mark.parametrize("dials", [True, False])
async def test_who_is_trusted_as_one_cannot_be_another(autojump_clock: MockClock, dials: bool) -> None:
    """C46: a certificate that was proved before, and that OpenSSL therefore trusts, counts for its own key alone."""
    key = Identity.fresh()._key
    known, thief = Identity(key), Impostor(key)
    for dialler, listener in ((known, BOB), (BOB, known)):
        assert isinstance((await greet(memory, dialler, listener))["listener"], tuple)
    came = await (greet(memory, dialler=thief) if dials else greet(memory, dialler=BOB, listener=thief))
    problem = came["listener" if dials else "dialler"]
    assert isinstance(problem, Refused)
    assert "changed its key" in problem.message


async def test_so_many_certificates_are_trusted_at_once_and_no_more(autojump_clock: MockClock) -> None:
    """C45: who shows ever new keys costs no memory, and all get in as before."""
    ann = Identity.fresh()
    contexts = {context_for(ann, True, Identity.fresh().certificate) for _ in range(2 * MAX_ANCHORS)}
    assert [context.cert_store_stats()["x509"] for context in contexts] == [MAX_ANCHORS, MAX_ANCHORS]
    came = await greet(memory, listener=ann)
    assert came["dialler"][1] == ann.public  # type: ignore[index]


async def say(what: bytes, close: bool = False, server: bool = True) -> Exception | None:
    """What `secure` raises when the other side says ``what`` and nothing else."""
    ours, theirs = memory_stream_pair()
    await theirs.send_all(what)
    if close:
        await theirs.send_eof()
    try:
        await secure(ours, ANN, server, anybody)
    except Exception as problem:
        with pytest.raises(trio.ClosedResourceError):
            await ours.send_all(b"x")  # the stream is closed, nothing leaks
        return problem
    return None


def hello(magic: bytes = MAGIC, version: int = VERSION, certificate: bytes = BOB.certificate) -> bytes:
    return HELLO.pack(magic, version, len(certificate)) + certificate


def spoilt(part: bytes, other: bytes) -> bytes:
    """Bob's certificate with another part in it; his key can still be read."""
    assert part in BOB.certificate
    return BOB.certificate.replace(part, other, 1)


@pytest.mark.parametrize(
    ("what", "close", "expected"),
    [
        (b"SSH-2.0-OpenSSH_9.6\r\n", False, NotP2puno),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", True, NotP2puno),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", False, NotP2puno),
        (b"", True, NotP2puno),
        (b"p2", True, NotP2puno),
        (hello(version=VERSION + 1), False, Refused),
        (hello(certificate=b"")[: HELLO.size], False, Refused),
        (HELLO.pack(MAGIC, VERSION, 65535), False, Refused),
        (hello(certificate=b"\x00" * 300), False, Refused),
        (hello(certificate=spoilt(b"\xa0\x03\x02\x01\x02", b"\xa0\x03\x02\x01\x07")), False, Refused),  # X.509 v8
        (hello(certificate=spoilt(b"\x02\x01\x01", b"\x02\x01\x00")), False, Refused),  # the serial number 0
        (hello(certificate=spoilt(b"\x0c\x40" + BOB.public.hex()[:1].encode(), b"\x0c\x40\xff")), False, Refused),
        (hello()[:-1], True, Unreachable),
        (hello(), True, Unreachable),
        (hello() + b"no TLS here at all", False, Refused),
    ],
)
@pytest.mark.parametrize("server", [True, False])
async def test_garbage_in_the_greeting_is_named(
    autojump_clock: MockClock, what: bytes, close: bool, expected: type[Exception], server: bool
) -> None:
    problem = await say(what, close, server)
    assert isinstance(problem, NetworkProblem)
    assert isinstance(problem, expected), repr(problem)
    assert problem.hint


@pytest.mark.parametrize(
    "what", [b"", b"p2pu", hello()[:100], hello()], ids=["nothing", "a part", "half a hello", "a hello"]
)
async def test_silence_in_the_greeting_is_cut_by_its_deadline(autojump_clock: MockClock, what: bytes) -> None:
    """C45, N03."""
    start = trio.current_time()
    assert isinstance(await say(what), Unreachable)
    assert trio.current_time() - start == pytest.approx(HANDSHAKE_LIMIT)


async def test_a_greeting_that_drips_in_is_cut_by_the_same_deadline(autojump_clock: MockClock) -> None:
    """C45: every byte is progress, but the deadline is for all of them."""
    ours, theirs = memory_stream_pair()

    async def drip() -> None:
        for byte in hello():
            with suppress(trio.BrokenResourceError):  # cut off, as it should be
                await theirs.send_all(bytes([byte]))
            await trio.sleep(0.5)

    start = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(drip)
        with pytest.raises(Unreachable):
            await secure(ours, ANN, True, anybody)
        nursery.cancel_scope.cancel()
    assert trio.current_time() - start == pytest.approx(HANDSHAKE_LIMIT)
