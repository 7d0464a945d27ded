"""The file of secrets: nobody else reads it, it is whole or not there, and what is damaged is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from protocol.errors import Damaged, ForeignFile
from protocol.messages import encode
from protocol.vault import LONGEST, MAGIC, Secrets, Vault, read_secrets, secret_path

SECRETS = Secrets(b"t" * 32, b"", b"", b"k" * 32, "", 4242, "10.0.0.7", "Mia", False, False, b"note")


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    vault = Vault(tmp_path / "a.p2puno", SECRETS)
    vault.store()
    return vault


def test_what_is_remembered_is_read_again(vault: Vault) -> None:
    assert read_secrets(vault.path) == SECRETS
    assert read_secrets(vault.path).seeds == {}
    vault.remember({b"1" * 32: b"a" * 64})
    both = {b"1" * 32: b"a" * 64, b"2" * 32: b"b" * 64}
    vault.remember(both)
    assert list(read_secrets(vault.path).seeds.items()) == list(both.items())
    vault.remember({b"2" * 32: b"b" * 64})
    assert read_secrets(vault.path).seeds == {b"2" * 32: b"b" * 64}


@pytest.mark.skipif(os.name != "posix", reason="modes as POSIX has them")
def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        vault = Vault(tmp_path / "a.p2puno", SECRETS)
        vault.store()
        vault.remember({b"1" * 32: b"a" * 64})
    finally:
        os.umask(before)
    assert vault.path.stat().st_mode & 0o777 == 0o600


def test_forgetting_leaves_nothing_not_even_a_draft(vault: Vault) -> None:
    draft = vault.path.with_name(f".{vault.path.name}.new")
    draft.write_bytes(b"what a kill in the middle of a write left")
    vault.remember({b"1" * 32: b"a" * 64})
    assert read_secrets(vault.path).seed == b"a" * 64
    draft.write_bytes(b"again")
    vault.forget()
    assert list(vault.path.parent.iterdir()) == []
    vault.forget()
    vault.set_aside()
    assert not vault.kept


def test_a_failed_write_leaves_what_was_there(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        vault.remember({b"1" * 32: b"a" * 64})
    assert read_secrets(vault.path) == SECRETS


def test_it_is_noted_who_ended_in_good_order(vault: Vault) -> None:
    vault.set_aside()
    assert read_secrets(vault.path).aside
    vault.resumed()
    assert read_secrets(vault.path) == SECRETS


def test_every_changed_byte_is_found(vault: Vault) -> None:
    good = vault.path.read_bytes()
    for place in range(len(good)):
        vault.path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        with pytest.raises((Damaged, ForeignFile)):
            read_secrets(vault.path)
    for size in range(len(good)):
        vault.path.write_bytes(good[:size])
        with pytest.raises((Damaged, ForeignFile)):
            read_secrets(vault.path)


@pytest.mark.parametrize(
    "wrong",
    [
        Secrets(b"t" * 32, b"s" * 32, b"", b"", "", 1, "", "", False, False, b""),
        Secrets(b"t" * 32, b"s" * 31, b"a" * 64, b"", "", 1, "", "", False, False, b""),
        Secrets(b"t" * 32, b"", b"", b"k" * 31, "", 1, "", "", False, False, b""),
        Secrets(b"t" * 31, b"", b"", b"", "", 1, "", "", False, False, b""),
        Secrets(b"t" * 32, b"", b"", b"", "", 0, "", "", False, False, b""),
        Secrets(b"t" * 32, b"", b"", b"", "", 1, "", "", False, False, b"n" * 8193),
    ],
)
def test_other_contents_are_refused(tmp_path: Path, wrong: Secrets) -> None:
    vault = Vault(tmp_path / "a.p2puno", wrong)
    vault.store()
    with pytest.raises(Damaged, match="damaged"):
        read_secrets(vault.path)


def test_errors_say_what_to_do(tmp_path: Path) -> None:
    path = secret_path(tmp_path / "a.p2puno")
    with pytest.raises(Damaged, match="cannot read"):
        read_secrets(path)
    path.write_bytes(b"p2puno secrets 2\n" + encode(SECRETS))
    with pytest.raises(ForeignFile) as told:
        read_secrets(path)
    assert "journal stays good" in told.value.hint
    path.write_bytes(MAGIC + b"x" * (2 * LONGEST))
    with pytest.raises(Damaged):
        read_secrets(path)
