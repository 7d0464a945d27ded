"""How a player comes back to a table after its program was killed: from the journal and the secrets beside it.

async with open_resume(journal, identity) as session:
    async for event in session.events: ...
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from p2puno.rules import RulesError
from p2puno.said import message_of, said
from protocol.errors import Damaged, ForeignFile, PortTaken
from protocol.events import Notice
from protocol.identity import Identity
from protocol.journal import Journal
from protocol.messages import Charter
from protocol.net.address import Address, format_address
from protocol.net.doorman import Doorman
from protocol.net.driver import Session, mesh_of, running
from protocol.net.herald import heralding
from protocol.node import Node
from protocol.vault import Secrets, Vault, read_secrets, secret_path

OTHER_TABLE = said("move one of the two files away; they were written by different tables")


@asynccontextmanager
async def open_resume(path: Path, identity: Identity | None = None, announce: bool = False) -> AsyncIterator[Session]:
    """Take up the table of the journal at `path`. `identity`: ours, where the secrets do not hold its key. `announce`:
    let the network know of it, if it may be watched.

    We listen at the port that the roster names, unless another program has taken it meanwhile, and dial all others.

    :raises Damaged: journal or secrets are missing or broken, or do not belong together or to this identity
    :raises ForeignFile: one of them is of another format, or the rules are not known here
    :raises InUse: another process sits at this table
    """
    journal, charter, entries = Journal.reopen(path)
    try:
        secrets = read_secrets(secret_path(path))
        own = _own(path, charter, secrets, identity)
        try:
            node = Node(own, charter, seeds=secrets.seeds)
        except (RulesError, ValueError) as bad:
            raise ForeignFile(
                said("{path} was played by rules that are not known here: {reason}", path=path, reason=message_of(bad))
            ) from None
        session = Session(own, secrets.name, secrets.bot, path.parent)
        session.note = secrets.note
        # Whoever dials a seat on the creator's machine needs a host for it: the creator is on that machine itself.
        session.host_address = secrets.creator or "localhost"
        # In a thread: it takes as long as an audit, and the screen is to live meanwhile.
        good = await trio.to_thread.run_sync(node.recall, entries)
        if good < len(entries):
            entries = entries[:good]
            _mend(session, journal, good)
        async with mesh_of(session) as mesh:
            session.mesh = mesh
            session.doorman = Doorman(mesh, own.public, secrets.code, session.tell)
            bound: list[Address] = []
            with contextlib.suppress(PortTaken):  # then nobody can dial us, but we dial all
                bound = await mesh.listen(secrets.host or None, secrets.port)
                session.addresses = tuple(format_address(*address) for address in bound)
            vault = Vault(path, secrets)
            vault.resumed()
            session.take_up(journal, vault, node, entries)
            creator = not secrets.creator
            async with running(session), heralding(session, bound, creator=creator, wanted=announce):
                yield session
    finally:
        journal.close()


def _mend(session: Session, journal: Journal, good: int) -> None:
    """After so many entries the journal is damaged: go on from there, and say so."""
    before = journal.cut_after(good)
    session.tell(
        Notice(
            said("the journal was damaged at entry {number}; what follows comes from the others", number=good + 1),
            said("the damaged file is kept as {file}", file=before),
        )
    )


def _own(path: Path, charter: Charter, secrets: Secrets, identity: Identity | None) -> Identity:
    """The identity that has the seat."""
    if secrets.table != charter.table:
        raise Damaged(said("the secrets beside {path} belong to another table", path=path), OTHER_TABLE)
    if secrets.key:
        identity = Identity.restored(secrets.key)
    if identity is None:
        raise Damaged(
            said("the secrets beside {path} hold no key", path=path),
            said("take up the table with the identity that began it"),
        )
    if all(place.key != identity.public for place in charter.roster):
        raise Damaged(
            said("this identity has no seat at the table of {path}", path=path),
            said("choose the profile that you played with"),
        )
    return identity
