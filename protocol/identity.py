"""Who somebody is: an Ed25519 key pair, and nothing else.

The 32 bytes of the public key are the identity everywhere: on links (as a self-signed certificate, see docs/links.md),
as author of journal entries, in rosters.  Names are decoration.  Two people who want to be sure of each other compare
the safety words of their keys by voice.
"""

import os
import secrets
import warnings
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.utils import CryptographyDeprecationWarning
from cryptography.x509.oid import NameOID

from p2puno.said import said, system_says
from protocol.errors import Damaged

PUBLIC_SIZE: Final = 32
SIGNATURE_SIZE: Final = 64

# Clocks on a LAN are often wrong, so the certificate holds at any date that a machine may believe in.
_NOT_BEFORE: Final = datetime(2000, 1, 1, tzinfo=UTC)
_NOT_AFTER: Final = datetime(2099, 12, 31, tzinfo=UTC)

_WORDS_DOMAIN: Final = b"p2puno/1 safety words\x00"
# Letters that are hard to confuse by voice: no c, h, q, x, y.
_SYLLABLES: Final = tuple(consonant + vowel for consonant in "bdfgjklmnprstvwz" for vowel in "aeiou")


class Identity:
    """A key pair that can sign.  ``public``: the 32 bytes by which others know it.  ``filed``: whether a file of
    its own keeps the key."""

    def __init__(self, key: Ed25519PrivateKey, filed: bool = False) -> None:
        self._key = key
        self.filed = filed
        self.public: bytes = key.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return f"<Identity {short(self.public)}>"

    @classmethod
    def fresh(cls) -> "Identity":
        """A new identity that lives in memory only: for bots and tests."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def restored(cls, private: bytes) -> "Identity":
        """The identity with these 32 private bytes."""
        return cls(Ed25519PrivateKey.from_private_bytes(private))

    @property
    def private(self) -> bytes:
        """The 32 bytes that must stay secret: for a file that the user alone can read."""
        return self._key.private_bytes_raw()

    @classmethod
    def load_or_create(cls, path: Path) -> "Identity":
        """The identity stored at ``path`` (unencrypted PKCS#8 PEM, readable by the user alone); made if there is none.

        Two processes that start at the same moment get the same identity.  Raises Damaged when the file is there but
        holds no Ed25519 key, or when it cannot be read or written.
        """
        try:
            if not path.exists():
                _store_new(path)
            if os.name == "posix":
                path.chmod(0o600)
            data = path.read_bytes()
        except OSError as problem:
            raise Damaged(
                said(
                    "the identity file {path} cannot be used: {reason}",
                    path=path,
                    reason=system_says(problem),
                ),
                said("check who owns the file and its folder"),
            ) from None
        try:
            key = load_pem_private_key(data, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm):  # TypeError: the key is encrypted
            key = None
        if not isinstance(key, Ed25519PrivateKey):
            raise Damaged(
                said("the identity file {path} holds no usable key", path=path),
                said(
                    "restore it from a backup, or move it away: a new identity is then made, "
                    "which the other players will not recognise as you"
                ),
            )
        return cls(key, filed=True)

    def sign(self, data: bytes) -> bytes:
        """The 64-byte Ed25519 signature of ``data`` (RFC 8032).  The caller puts a domain prefix into ``data``."""
        return self._key.sign(data)

    @cached_property
    def certificate(self) -> bytes:
        """The self-signed X.509 certificate of this key, DER.  Always the same bytes, as Ed25519 signs without dice."""
        return self._certificate().public_bytes(Encoding.DER)

    @cached_property
    def tls_chain(self) -> tuple[bytes, bytes]:
        """(PEM, password): private key and certificate for ``ssl.SSLContext.load_cert_chain``.

        That function reads files only.  The key is encrypted under a password that lives in memory only, so that no
        usable key is left behind whatever becomes of the file.
        """
        password = secrets.token_hex(32).encode()
        key = self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password))
        return key + self._certificate().public_bytes(Encoding.PEM), password

    def _certificate(self) -> x509.Certificate:
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, self.public.hex())])
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(self._key.public_key())
            .serial_number(1)
            .not_valid_before(_NOT_BEFORE)
            .not_valid_after(_NOT_AFTER)
            .sign(self._key, algorithm=None)
        )


def verify(public: bytes, data: bytes, signature: bytes) -> bool:
    """Whether ``signature`` is ``public``'s Ed25519 signature of ``data``.  False for anything malformed as well."""
    if len(public) != PUBLIC_SIZE or len(signature) != SIGNATURE_SIZE:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def certified_key(certificate: bytes) -> bytes:
    """The 32-byte Ed25519 key in a DER certificate.  Raises ValueError if there is none, or another kind of key.

    This reads the key only; that its owner is at the other end is TLS's to show.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", CryptographyDeprecationWarning)  # none of ours has such flaws
            key = x509.load_der_x509_certificate(certificate).public_key()
    except (UnsupportedAlgorithm, x509.InvalidVersion, CryptographyDeprecationWarning) as problem:
        raise ValueError(str(problem)) from None
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("not an Ed25519 key")
    return key.public_bytes_raw()


def words(public: bytes) -> str:
    """Four safety words for ``public``, to be compared by voice: three syllables each, 75 bits of a SHA-256 in all."""
    return " ".join(spell(int.from_bytes(sha256(_WORDS_DOMAIN + public).digest(), "big"), 4))


def spell(number: int, count: int) -> list[str]:
    """The lowest digits of ``number`` as ``count`` words of three syllables each, 512 000 different ones a word."""
    syllables = []
    for _ in range(3 * count):
        number, index = divmod(number, len(_SYLLABLES))
        syllables.append(_SYLLABLES[index])
    return ["".join(syllables[i : i + 3]) for i in range(0, 3 * count, 3)]


def short(public: bytes) -> str:
    """The first 8 hex digits of ``public``, to tell keys apart on a screen.  Easily imitated: never decide by it."""
    return public.hex()[:8]


def _store_new(path: Path) -> None:
    """Write a new key so that ``path`` is either absent or complete, whoever else does the same at this moment."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)  # unlike a rename, this never replaces the key of another process
        except FileExistsError:
            return
    finally:
        draft.unlink(missing_ok=True)
