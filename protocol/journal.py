"""The file of a table: everything that was signed at it, in the order in which it came in.

    magic line | record(charter) | record(entry) | record(entry) | …
    record = length (4 bytes, big-endian) | check (first 4 bytes of SHA-256 over "p2puno record" and the length) | bytes

The check tells a record that was cut off (a program killed while it wrote: the rest is good) from a length that was
altered (the file is damaged). Nothing in the file is secret. An entry is written before any byte of it is sent
(docs/wire.md).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from p2puno.said import message_of, said, system_says
from protocol.errors import Damaged, ForeignFile, InUse
from protocol.messages import FORMAT, Charter, Malformed, decode, encode
from protocol.payloads import MAX_FRAME

MAGIC = b"p2puno journal %d\n" % FORMAT
HEAD = 8
PIECE = 65_536
"""Bytes that are read at a time."""


def _check(length: bytes) -> bytes:
    return hashlib.sha256(b"p2puno record" + length).digest()[:4]


def record(data: bytes) -> bytes:
    """The bytes of `data` as one record."""
    length = len(data).to_bytes(4, "big")
    return length + _check(length) + data


class Journal:
    """A journal being written. One process only: the file is locked where the system can."""

    def __init__(self, path: Path, charter: Charter) -> None:
        """Begin a journal at `path`.

        :raises FileExistsError: there is one already; it is never overwritten
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_WRONLY, 0o644)
        _lock(self._fd, path)
        self._write(MAGIC + record(encode(charter)))

    @classmethod
    def reopen(cls, path: Path) -> tuple[Journal, Charter, list[bytes]]:
        """Go on with the journal at `path`: (the journal, its charter, its entries so far). A last record that was cut
        off, as a kill in the middle of a write leaves it, is taken away: nothing of it was sent.

        :raises Damaged: it cannot be opened, or the bounds of its records are broken elsewhere than at its end
        :raises ForeignFile: not a journal, or one of another format
        :raises InUse: another process writes it
        """
        journal = cls.__new__(cls)
        journal.path = path
        try:
            journal._fd = os.open(path, os.O_APPEND | os.O_RDWR)
        except OSError as bad:
            raise Damaged(
                said("cannot open {path}: {reason}", path=path, reason=system_says(bad)),
                said("check the path and its permissions"),
            ) from None
        try:
            _lock(journal._fd, path, tries=5)
            reader = Reader(path)
            entries = [data for _, _, data in reader.entries()]
            if reader.cut_at is not None:
                os.ftruncate(journal._fd, reader.cut_at)
        except BaseException:
            os.close(journal._fd)
            raise
        return journal, reader.charter, entries

    def cut_after(self, count: int) -> Path:
        """Keep that many entries of a journal whose next one is damaged; what follows is known to the others. What the
        file was before is kept beside it, at the path returned.

        :raises OSError: it cannot be written; the file is as it was
        """
        end = next(offset for number, offset, _ in Reader(self.path).entries() if number == count + 1)
        before = self.path.with_name(f"{self.path.name}.damaged")
        before.write_bytes(self.path.read_bytes())
        os.ftruncate(self._fd, end)
        return before

    def append(self, entry: bytes) -> None:
        """Write one entry. On return it has left this process, so a kill of it loses nothing."""
        self._write(record(entry))

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._fd, data) :]

    def close(self) -> None:
        """Flush to the disk and close."""
        if self._fd >= 0:
            with contextlib.suppress(OSError):  # some file systems cannot sync; the bytes are written all the same
                os.fsync(self._fd)
            os.close(self._fd)
            self._fd = -1


def _lock(fd: int, path: Path, tries: int = 1) -> None:
    """
    :raises InUse: another process has it
    """
    with contextlib.suppress(ImportError):  # no fcntl on Windows
        import fcntl

        for left in reversed(range(tries)):
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if not left:
                    raise InUse(said("another process has the table of {file} open", file=path.name)) from None
            time.sleep(0.02)  # somebody who only looks whether it is in use has it for a moment


def in_use(path: Path) -> bool:
    """Whether a process writes the journal at `path` now; False where the system has no locks."""
    try:
        fd = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        _lock(fd, path)
    except InUse:
        return True
    finally:
        os.close(fd)
    return False


def _records(file: BinaryIO) -> bytes:
    """What follows the magic line, up to the first length that is damaged: of a file that only begins like a journal no
    more is read, however long it is. What is only announced takes no memory (C45)."""
    data = bytearray()
    while (head := file.read(HEAD))[4:] == _check(head[:4]):
        data += head
        left = min(int.from_bytes(head[:4], "big"), MAX_FRAME)
        while left and (piece := file.read(min(left, PIECE))):
            data += piece
            left -= len(piece)
    return bytes(data + head)


class Reader:
    """A journal read back: its charter, then (number, offset, bytes) of every entry, counted from 1."""

    def __init__(self, path: Path) -> None:
        """
        :raises Damaged: the file cannot be read, or its charter is broken
        :raises ForeignFile: not a journal, or one of another format
        """
        try:
            with path.open("rb") as file:
                self._data = file.read(len(MAGIC))
                if self._data == MAGIC:
                    self._data += _records(file)
        except OSError as bad:
            raise Damaged(
                said("cannot read {path}: {reason}", path=path, reason=system_says(bad)),
                said("check the path and its permissions"),
            ) from None
        if not self._data.startswith(MAGIC):
            if self._data.startswith(b"p2puno journal "):
                raise ForeignFile(
                    said("{path} is a journal of another format", path=path),
                    said("read it with the version of p2puno that wrote it"),
                )
            raise ForeignFile(
                said("{path} is not a p2puno journal", path=path),
                said("give the path that p2puno printed for the table"),
            )
        self.cut_at: int | None = None  # where a last record was cut off, in bytes
        self._at = len(MAGIC)
        data = self._next(said("the charter"))
        if data is None:
            raise Damaged(
                said("the journal ends inside its charter"), said("the file was cut; nothing in it can be read")
            )
        try:
            self.charter = decode(data, Charter)
        except Malformed as bad:
            raise Damaged(
                said("the charter at byte {offset} is broken: {reason}", offset=len(MAGIC), reason=message_of(bad))
            ) from None

    def _next(self, what: str) -> bytes | None:
        head = self._data[self._at : self._at + HEAD]
        if len(head) < HEAD:
            self.cut_at = self._at if head else None
            return None
        length = int.from_bytes(head[:4], "big")
        if head[4:] != _check(head[:4]) or length > MAX_FRAME:
            raise Damaged(said("the length of {what} at byte {offset} is damaged", what=what, offset=self._at))
        data = self._data[self._at + HEAD : self._at + HEAD + length]
        if len(data) < length:
            self.cut_at = self._at
            return None
        self._at += HEAD + length
        return data

    def entries(self) -> Iterator[tuple[int, int, bytes]]:
        """
        :raises Damaged: at the first record whose length was altered
        """
        number = 1
        while True:
            offset = self._at
            data = self._next(said("entry {number}", number=number))
            if data is None:
                return
            yield number, offset, data
            number += 1

    def raw(self) -> Iterator[bytes]:
        """The bytes of every entry, as far as they can be read."""
        with contextlib.suppress(Damaged):
            for _, _, data in self.entries():
                yield data
