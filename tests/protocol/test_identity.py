"""Identities: keys on disk, signatures, certificates, words."""

import os
import stat
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from protocol.errors import Damaged
from protocol.identity import Identity, certified_key, short, verify, words


def test_an_identity_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "folder" / "identity.pem"
    first = Identity.load_or_create(path)
    assert Identity.load_or_create(path).public == first.public
    assert [p.name for p in path.parent.iterdir()] == ["identity.pem"]


@pytest.mark.skipif(os.name != "posix", reason="file modes are a POSIX matter")
def test_the_key_file_is_for_the_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "home" / "identity.pem"
    Identity.load_or_create(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    Identity.load_or_create(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_two_first_starts_at_once_share_one_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "identity.pem"
    other = Identity.load_or_create(path)
    # This process looked before the other one had written its file.
    monkeypatch.setattr(Path, "exists", lambda self: False)
    assert Identity.load_or_create(path).public == other.public
    assert [p.name for p in tmp_path.iterdir()] == ["identity.pem"]


EC_KEY = ec.generate_private_key(ec.SECP256R1())


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a key",
        b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        EC_KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        EC_KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")),
    ],
)
def test_a_damaged_key_file_is_named_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "identity.pem"
    path.write_bytes(content)
    with pytest.raises(Damaged) as caught:
        Identity.load_or_create(path)
    assert str(path) in caught.value.message
    assert caught.value.hint
    assert caught.value.exit_code == 4
    assert path.read_bytes() == content


def test_a_key_file_that_cannot_be_read_is_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(Damaged):
        Identity.load_or_create(tmp_path)  # a folder
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Damaged):
        Identity.load_or_create(tmp_path / "file" / "identity.pem")


def test_a_signature_is_good_for_its_key_and_data_only() -> None:
    ann, bob = Identity.fresh(), Identity.fresh()
    signature = ann.sign(b"play R7")
    assert verify(ann.public, b"play R7", signature)
    assert not verify(bob.public, b"play R7", signature)
    assert not verify(ann.public, b"play R8", signature)
    assert not verify(ann.public, b"play R7", signature[:-1] + bytes([signature[-1] ^ 1]))


@pytest.mark.parametrize(("public", "signature"), [(31, 64), (33, 64), (0, 64), (32, 63), (32, 65), (32, 0)])
def test_malformed_keys_and_signatures_are_false_not_errors(public: int, signature: int) -> None:
    assert verify(bytes(public), b"data", bytes(signature)) is False


def test_the_certificate_shows_the_key_and_holds_at_any_date_a_clock_may_show() -> None:
    ann = Identity.fresh()
    assert certified_key(ann.certificate) == ann.public
    certificate = x509.load_der_x509_certificate(ann.certificate)
    assert certificate.not_valid_before_utc.year == 2000
    assert certificate.not_valid_after_utc.year == 2099
    certificate.verify_directly_issued_by(certificate)


def test_what_tls_reads_from_disk_is_encrypted() -> None:
    ann = Identity.fresh()
    pem, password = ann.tls_chain
    assert b"ENCRYPTED" in pem
    with pytest.raises(TypeError):
        load_pem_private_key(pem, password=None)
    key = load_pem_private_key(pem, password=password)
    assert key.public_key().public_bytes_raw() == ann.public  # type: ignore[union-attr]
    assert Identity(ann._key).tls_chain[1] != password


def test_certificates_of_other_kinds_of_keys_are_refused() -> None:
    name = x509.Name([])
    foreign = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(EC_KEY.public_key())
        .serial_number(1)
        .not_valid_before(x509.load_der_x509_certificate(Identity.fresh().certificate).not_valid_before_utc)
        .not_valid_after(x509.load_der_x509_certificate(Identity.fresh().certificate).not_valid_after_utc)
        .sign(Identity.fresh()._key, algorithm=None)
        .public_bytes(Encoding.DER)
    )
    for bad in (foreign, b"", b"\x30\x03\x02\x01\x01", Identity.fresh().certificate[:-1]):
        with pytest.raises(ValueError):  # noqa: PT011 - the parser's own text is not ours to match
            certified_key(bad)


def test_words_are_the_same_everywhere_and_differ_between_keys() -> None:
    """C47: the words are what two people compare; a fixed vector keeps versions of the program together."""
    assert words(bytes(32)) == WORDS_OF_ZERO
    assert len({words(Identity.fresh().public) for _ in range(50)}) == 50
    assert all(len(word) == 6 and word.isalpha() for word in words(bytes(32)).split())
    assert len(words(bytes(32)).split()) == 4


def test_short_and_repr_show_no_secret() -> None:
    ann = Identity.fresh()
    assert short(ann.public) == ann.public.hex()[:8]
    assert repr(ann) == f"<Identity {short(ann.public)}>"


WORDS_OF_ZERO = "puwiwe biwegi bigide jozejo"
