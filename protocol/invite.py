"""Invite codes: a private table opens to those alone who know its code, and nobody stands between them and it.

Creator and guest run SPAKE2 (Abdalla and Pointcheval, CT-RSA 2005; group and constants of the package `spake2`), the
code being the password and their two identity keys, which the certificates of the link have proved, the names.  Whoever
relays between two links has another key on one of them, so the two sides get different results (C47).  One run is one
guess, nothing can be tried without the creator, and the creator counts and slows the tries (C48).

    guest                                  creator
    Knock(message)                   ->
                                     <-    Answer(message)
    Confirm(proof)                   ->                        the guest first: who cannot prove it learns nothing
                                     <-    Confirm(proof)

Sans-IO, like the node: the gathering carries the frames.
"""

import hmac
import math
import re
import secrets
from dataclasses import dataclass
from typing import Final

from spake2 import SPAKE2_A, SPAKE2_B, SPAKEError
from spake2.ed25519_basic import NotOnCurve

from p2puno.said import Said, said
from protocol.errors import Usage
from protocol.identity import spell

WORDS: Final = 2
"""Words of a code: 38 bits, each try a guess at all of them."""
MAX_RUNS: Final = 16
"""Runs that wait for their proof at once; bots and several guests come together."""
MAX_FAILURES: Final = 100
"""Failed tries after which nobody new gets in: so many guesses hit the code of one table in 2.6 thousand million."""
SLOWEST: Final = 60.0
"""Seconds that one address has to wait at most after a failed try; the first wait is one second, then it doubles."""

TOO_SOON: Final = said("too soon after a failed try: wait {seconds} s")
WRONG: Final = said("the invite code is wrong, or somebody stands between you and the table")
_CODE: Final = re.compile("-".join([r"([bdfgjklmnprstvwz][aeiou]){3}"] * WORDS))
_BAD_ELEMENT: Final = (SPAKEError, NotOnCurve, ValueError)


def fresh_code() -> str:
    """A new code, such as "zudaro-pimebi"."""
    return "-".join(spell(secrets.randbits(128), WORDS))


def read_code(text: str) -> str:
    """The code that somebody typed, whatever stands between its words.  Raises Usage if it can be none."""
    code = "-".join(re.findall(r"[a-z]+", text.lower()))
    if not _CODE.fullmatch(code):
        raise Usage(
            said("that is no invite code"),
            said("a code has {words} words of six letters, such as zudaro-pimebi", words=WORDS),
        )
    return code


class Guest:
    """The side that wants to enter.  ``message``: 33 bytes for the Knock."""

    def __init__(self, code: str, own: bytes, creator: bytes) -> None:
        self._run = SPAKE2_A(code.encode(), idA=_guest(own), idB=_creator(creator))
        self._key = b""
        self.message: bytes = self._run.start()

    def answered(self, message: bytes) -> bytes:
        """The proof to send, 32 bytes; b"" if the Answer is none, or a second one."""
        try:
            self._key = self._run.finish(message)
        except _BAD_ELEMENT:
            return b""
        return _proof(self._key, b"guest")

    def confirmed(self, proof: bytes) -> bool:
        """Whether the other side knows the code and has the key that we see."""
        return bool(self._key) and hmac.compare_digest(proof, _proof(self._key, b"creator"))


@dataclass(slots=True)
class _Tries:
    """Failed tries from one address."""

    failed: int = 0
    again: float = 0.0  # not before this time


class Door:
    """The creator's side: who has proved to know the code, and how often others have failed."""

    def __init__(self, code: str, own: bytes) -> None:
        self._code, self._own = code, own
        self._runs: dict[bytes, tuple[str, bytes]] = {}  # by guest: address, key of the run
        self._inside: set[bytes] = set()
        self._tries: dict[str, _Tries] = {}
        self.failures = 0

    def inside(self, guest: bytes) -> bool:
        """Whether this key has proved to know the code."""
        return guest in self._inside

    def knock(self, guest: bytes, host: str, message: bytes, now: float) -> tuple[bytes, str]:
        """(33 bytes for the Answer, "") to a guest seen at an address, or (b"", why not)."""
        if self.failures >= MAX_FAILURES:
            return b"", said("too many wrong codes were tried: nobody new gets in")
        if guest in self._runs:
            self._fail(guest, now)
        wait = self._tries[host].again - now if host in self._tries else 0.0
        if wait > 0:
            return b"", Said(TOO_SOON.template, seconds=math.ceil(wait))
        if len(self._runs) >= MAX_RUNS:
            return b"", said("too many knock at once: try again in a moment")
        run = SPAKE2_B(self._code.encode(), idA=_guest(guest), idB=_creator(self._own))
        answer: bytes = run.start()
        try:
            key = run.finish(message)
        except _BAD_ELEMENT:
            key = secrets.token_bytes(32)  # it goes on like any other failure
        self._runs[guest] = (host, key)
        return answer, ""

    def confirm(self, guest: bytes, proof: bytes, now: float) -> bytes:
        """Our proof, 32 bytes, to a guest whose proof is right; b"" if it is wrong, which counts as a failed try."""
        if guest not in self._runs:
            return b""
        key = self._runs[guest][1]
        if not hmac.compare_digest(proof, _proof(key, b"guest")):
            self._fail(guest, now)
            return b""
        del self._runs[guest]
        self._inside.add(guest)
        return _proof(key, b"creator")

    def gone(self, guest: bytes, now: float) -> bool:
        """The link to a guest is down; whether that is a failed try: who goes without a proof has guessed as well."""
        self._inside.discard(guest)
        if guest not in self._runs:
            return False
        self._fail(guest, now)
        return True

    def _fail(self, guest: bytes, now: float) -> None:
        host, _ = self._runs.pop(guest)
        tries = self._tries.setdefault(host, _Tries())
        tries.again = now + min(2.0**tries.failed, SLOWEST)
        tries.failed += 1
        self.failures += 1


def _guest(key: bytes) -> bytes:
    return b"p2puno/1 guest\x00" + key


def _creator(key: bytes) -> bytes:
    return b"p2puno/1 creator\x00" + key


def _proof(key: bytes, side: bytes) -> bytes:
    return hmac.digest(key, b"p2puno/1 invite\x00" + side, "sha256")
