"""The secrets of a running table on the disk: what a restart needs beside the journal, readable by the user alone.

    magic line | SHA-256 over the rest (32 bytes) | canonical msgpack of `Secrets`

It lies beside its journal under the same name with the ending `.secret`. Every change replaces the file as a whole, so
a kill leaves the old or the new one; it is gone as soon as nothing of the table can be needed again. Who writes it
holds the lock of the journal, so there is one writer.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from p2puno.said import message_of, said, system_says
from protocol.errors import Damaged, ForeignFile
from protocol.messages import Malformed, decode, encode
from protocol.payloads import B32, Text

MAGIC = b"p2puno secrets 1\n"
SUFFIX = ".secret"
DIGEST = 32
LONGEST = 16_384
"""Bytes that no such file has: so much is read at most."""


class Secrets(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What is in the file.

    `table`: its id. `sid`, `seed`: session id and 64 secret bytes of the running hand, empty between hands; `past_sid`,
    `past_seed`: of the hand before, as long as not all have begun the running one. `key`: the
    32 private bytes of our identity, empty if another file keeps them. `host`, `port`: where we listened ("": at every
    interface). `creator`: the host at which we dialled the table's creator ("": we are). `aside`: our program ended in
    good order, so only who asks for it takes the table up again. `note`: bytes of whoever opened the table. `code`: the
    invite code of a private table.
    """

    table: B32
    sid: Annotated[bytes, Meta(max_length=32)]
    seed: Annotated[bytes, Meta(max_length=64)]
    key: Annotated[bytes, Meta(max_length=32)]
    host: Annotated[str, Meta(max_length=256)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    creator: Annotated[str, Meta(max_length=256)]
    name: Text
    bot: bool
    aside: bool
    note: Annotated[bytes, Meta(max_length=8192)]
    code: Text = ""
    past_sid: Annotated[bytes, Meta(max_length=32)] = b""
    past_seed: Annotated[bytes, Meta(max_length=64)] = b""

    @property
    def seeds(self) -> dict[bytes, bytes]:
        """The seeds by session id, the newest last, as a `Node` wants them."""
        both = (self.past_sid, self.past_seed), (self.sid, self.seed)
        return {sid: seed for sid, seed in both if seed}


def secret_path(journal: Path) -> Path:
    """Where the secrets of this journal's table are."""
    return journal.with_suffix(SUFFIX)


def read_secrets(path: Path) -> Secrets:
    """
    :raises Damaged: it cannot be read, or is not what was written
    :raises ForeignFile: not a file of secrets, or one of another format
    """
    hint = said("without it the table cannot be taken up here; delete the file, the journal stays good")
    try:
        with path.open("rb") as file:
            data = file.read(LONGEST + 1)
    except OSError as bad:
        raise Damaged(
            said("cannot read {path}: {reason}", path=path, reason=system_says(bad)),
            said("check the path and its permissions"),
        ) from None
    if not data.startswith(MAGIC):
        raise ForeignFile(said("{path} holds no secrets of a table that this version can read", path=path), hint)
    digest, body = data[len(MAGIC) : len(MAGIC) + DIGEST], data[len(MAGIC) + DIGEST :]
    if hashlib.sha256(body).digest() != digest:
        raise Damaged(said("the secrets in {path} are damaged", path=path), hint)
    try:
        secrets = decode(body, Secrets)
    except Malformed as bad:
        raise Damaged(
            said("the secrets in {path} are damaged: {reason}", path=path, reason=message_of(bad)), hint
        ) from None
    lengths = {(len(secrets.sid), len(secrets.seed)), (len(secrets.past_sid), len(secrets.past_seed))}
    if lengths - {(0, 0), (32, 64)} or len(secrets.key) not in (0, 32):
        raise Damaged(said("the secrets in {path} are damaged: a key has a wrong length", path=path), hint)
    return secrets


class Vault:
    """The secrets of one table, in memory and on the disk."""

    def __init__(self, journal: Path, secrets: Secrets) -> None:
        """Nothing is written yet."""
        self.path = secret_path(journal)
        self.secrets = secrets

    @property
    def kept(self) -> bool:
        """Whether the secrets are still there."""
        return self.path.exists()

    def store(self) -> None:
        """Write the file. On return it is on the disk, whole.

        :raises OSError: it cannot be written; what was there before stays
        """
        body = encode(self.secrets)
        # One writer, so one name for the draft: what a kill leaves of it is overwritten by the next, or forgotten.
        draft = self._draft
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(MAGIC + hashlib.sha256(body).digest() + body)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path)
        if os.name == "posix":  # the new name of the file is to outlive a power cut too
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def remember(self, seeds: Mapping[bytes, bytes]) -> None:
        """Keep the secrets of these hands, one or two with the newest last, in place of earlier ones."""
        past_sid, past_seed, sid, seed = b"", b"", b"", b""
        for each in seeds:
            past_sid, past_seed, sid, seed = sid, seed, each, seeds[each]
        self.secrets = replace(self.secrets, sid=sid, seed=seed, past_sid=past_sid, past_seed=past_seed)
        self.store()

    def set_aside(self) -> None:
        """Note that our program ends in good order."""
        if self.kept and not self.secrets.aside:
            self.secrets = replace(self.secrets, aside=True)
            self.store()

    def resumed(self) -> None:
        """Note that our program sits at the table again."""
        if self.secrets.aside:
            self.secrets = replace(self.secrets, aside=False)
            self.store()

    def forget(self) -> None:
        """Delete the file."""
        self.path.unlink(missing_ok=True)
        self._draft.unlink(missing_ok=True)

    @property
    def _draft(self) -> Path:
        return self.path.with_name(f".{self.path.name}.new")
