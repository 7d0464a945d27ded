"""Two programs at one seat with one key, such as a folder that was copied and run elsewhere (C51, C57)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from protocol import events as tell
from protocol.errors import Refused
from protocol.events import Phase
from protocol.identity import Identity
from protocol.net import driver
from protocol.net import mesh as meshes
from protocol.net.returning import open_resume
from protocol.vault import read_secrets, secret_path
from tests.net.test_keeping import Dials
from tests.net.test_mesh import HOST, player, two_identities
from tests.net.test_returning import until
from tests.protocol.readings import audit
from tests.protocol.test_driver import ENOUGH, Player, seated


@pytest.mark.parametrize("place", range(3))
async def test_the_newer_program_plays_on_and_the_older_one_is_told(
    place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`place`: which of the keys is ours by size: towards smaller ones the others decide which link stays, towards
    larger ones we do. Nobody is blamed, and the links of the older program do not come back."""
    monkeypatch.setattr(meshes, "SPARE_LIMIT", 0.3)
    monkeypatch.setattr(driver, "ELSEWHERE", 0.5)
    keys = sorted((Identity.fresh() for _ in range(3)), key=lambda one: one.public)
    ours = keys.pop(place)
    keys.append(ours)  # we sit down last
    monkeypatch.setattr(Identity, "fresh", lambda: keys.pop(0))
    copied = tmp_path / "copy"
    with trio.fail_after(ENOUGH):
        async with seated(3, tmp_path) as players:
            *others, older = players
            async with trio.open_nursery() as nursery:
                for other in others:
                    nursery.start_soon(other.play)
                await until(lambda: older.session.my_turn)  # and its player thinks for a long time
                journal = older.session.journal
                assert journal is not None
                shutil.copytree(journal.parent, copied)
                async with open_resume(copied / journal.name) as session:
                    newer = Player(session, 2)
                    await older.session.ended()
                    told, older.session.failure = older.session.failure, None  # it would end all three of them
                    assert session.mesh is not None
                    assert len(session.mesh.peers) == 2
                    await newer.play()
    assert isinstance(told, Refused)
    assert told.exit_code == 6
    assert "played by another program with your key" in told.message
    assert "p2puno resume" in told.hint
    assert read_secrets(secret_path(journal)).aside
    assert session.phase is Phase.CLOSED
    played = [other.session.journal for other in others] + [session.journal]
    verdicts = [audit(path) for path in played if path is not None]
    assert [(verdict.problem, verdict.exit_code) for verdict in verdicts] == [("", 0)] * 3
    assert len({verdict.state_hash for verdict in verdicts}) == 1
    for each in (*others, newer):
        assert each.heard(tell.MatchOver)
        assert not each.heard(tell.Accused)
        assert not each.heard(tell.AbsenceChanged)


async def test_a_spare_link_that_the_other_side_leaves_alone_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two programs have the smaller key, so each knows of its own link only and ends none."""
    one, two = two_identities()
    monkeypatch.setattr(meshes, "SPARE_LIMIT", 0.1)
    async with player(two) as ann, player(one) as older, player(one) as newer:
        await older.meets(ann)
        await newer.mesh.dial(HOST, ann.port)
        await older.hears("down", ann, "ended by the other side: replaced by a newer link")
        assert older.mesh.replaced == {two.public}
        assert newer.mesh.replaced == set()
        ann.mesh.send(one.public, b"to the newer")
        await newer.hears("frame", ann, b"to the newer")
        assert ann.count("down", newer) == 0
        await ann.mesh.dial(HOST, older.port)  # once the newer program has gone, say
        await older.until(lambda: older.mesh.replaced == set())


async def test_the_older_program_is_told_also_where_all_links_end_before() -> None:
    """Such as at the end of the table: it is the newer program's end, and the older one need not wait for it."""
    one, two = two_identities()
    async with player(two) as ann, player(one) as older, player(one) as newer:
        await older.meets(ann)
        await newer.mesh.dial(HOST, ann.port)
        await ann.until(lambda: len(ann.mesh._links[one.public]) == 2)
        ann.mesh.drop(one.public, "the table is over")
        await older.hears("down", ann, "ended by the other side: replaced by a newer link")
        await newer.hears("down", ann, "ended by the other side: the table is over")


async def test_who_was_replaced_dials_no_more_for_a_while(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """Else the two programs would take the links from each other in turns."""
    dials = Dials(monkeypatch)
    replaced = meshes.Mesh.keep

    def keep(self: meshes.Mesh, peer: bytes, *args: object, **kinds: object) -> None:
        self.replaced.add(peer)
        replaced(self, peer, *args, **kinds)  # type: ignore[arg-type]

    monkeypatch.setattr(meshes.Mesh, "keep", keep)
    rest = meshes.REPLACED_REST
    assert await dials.see(rest + 1.0, 0.0) == [pytest.approx(rest)]
    assert dials.told[0] == rest
