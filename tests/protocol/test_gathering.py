"""Lobbies over TLS on loopback: who is let in, who stands in between, what the others and the network are told."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from p2puno.rules import Rules
from protocol import events as tell
from protocol.errors import Damaged, Refused
from protocol.events import Phase
from protocol.identity import Identity
from protocol.invite import WRONG, fresh_code
from protocol.known import Standing
from protocol.messages import PROTOCOL, Hello, Lobby, decode_frame, encode
from protocol.net import creator, discovery
from protocol.net.advert import digest
from protocol.net.discovery import browsing
from protocol.net.doorman import PRIVATE
from protocol.net.driver import Session
from protocol.net.gathering import open_host, open_join
from protocol.net.link import UNWANTED
from protocol.net.mesh import Mesh, open_mesh
from tests.in_time import in_time

HOST = "127.0.0.1"
RULES = Rules.make("batman", hand_size=5)
CODE, OTHER = "zudaro-pimebi", "zudaro-pimebo"
ANN, BOB, EVE = (Identity.fresh() for _ in range(3))


@asynccontextmanager
async def hosting(folder: Path, seats: int = 3, code: str = CODE) -> AsyncIterator[Session]:
    async with open_host(
        ANN, "Ann", RULES, seats=seats, host=HOST, port=0, journal_dir=folder / "ann", code=code
    ) as session:
        yield session


async def refused(session: Session, folder: Path, code: str = "", address: str = "", who: Identity = BOB) -> str:
    """Why somebody who tries to join with a code is refused, and that the table stays as it was."""
    with pytest.raises(Refused) as caught:
        async with open_join(who, "Bob", address or session.addresses[0], journal_dir=folder / "bob", code=code):
            raise AssertionError("told of a table that refuses")
    return caught.value.message


async def until(session: Session, kind: type[tell.Event]) -> tell.Event:
    async for event in session.events:
        if isinstance(event, kind):
            return event
    raise AssertionError("the table is over")


@in_time
async def test_a_private_table_opens_to_its_code(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path, seats=2) as host,
        open_join(BOB, "Bob", host.addresses[0], journal_dir=tmp_path / "bob", code=CODE) as guest,
    ):
        shown = await until(host, tell.LobbyChanged)
        assert isinstance(shown, tell.LobbyChanged)
        assert shown.code == CODE
        for session in (host, guest):
            async for event in session.events:
                if isinstance(event, tell.PhaseChanged) and event.phase is Phase.COMMIT:
                    break


@in_time
async def test_strangers_get_nowhere(tmp_path: Path) -> None:
    """C48: without the code, with another one, and by talking past the door."""
    async with hosting(tmp_path) as host:
        assert await refused(host, tmp_path) == PRIVATE
        assert await refused(host, tmp_path, OTHER) == WRONG
        assert await refused(host, tmp_path, OTHER) == "too soon after a failed try: wait 1 s"
        notice = await until(host, tell.Notice)
        assert isinstance(notice, tell.Notice)
        assert notice.message == "a wrong invite code came from 127.0.0.1"
        assert [player.name for player in host.players] == ["Ann"]


@in_time
async def test_a_stranger_is_told_nothing_of_a_private_table(tmp_path: Path) -> None:
    """C48: not who sits there, nor what is played, whatever else happens in the lobby."""
    heard: list[bytes] = []
    over = trio.Event()
    async with (
        hosting(tmp_path) as host,
        open_mesh(
            EVE,
            on_frame=lambda _, frame: heard.append(frame),
            on_up=lambda _: None,
            on_down=lambda *_: over.set(),
        ) as mesh,
    ):
        address, _, port = host.addresses[0].rpartition(":")
        creator = await mesh.dial(address, int(port))
        async with open_join(BOB, "Bob", host.addresses[0], journal_dir=tmp_path / "bob", code=CODE):
            while len(host.players) < 2:
                await host.events.receive()
            assert heard == []
            mesh.send(creator, encode(Hello(PROTOCOL, "Eve", False, "", 0, 4242)))
            await over.wait()
            assert all(not isinstance(decode_frame(frame), Lobby) for frame in heard)
            assert [player.name for player in host.players] == ["Ann", "Bob"]


@asynccontextmanager
async def in_between(address: str) -> AsyncIterator[int]:
    """Eve: dials the table, lets the guest dial her, and passes on every frame; the port to be found at."""
    meshes: list[Mesh] = []

    def pass_on(to: int, frame: bytes) -> None:
        for peer in meshes[to].peers:
            meshes[to].send(peer, frame)

    async with (
        open_mesh(
            EVE, on_frame=lambda _, frame: pass_on(1, frame), on_up=lambda _: None, on_down=lambda *_: None
        ) as outer,
        open_mesh(
            EVE, on_frame=lambda _, frame: pass_on(0, frame), on_up=lambda _: None, on_down=lambda *_: None
        ) as inner,
    ):
        meshes += [outer, inner]
        host, _, port = address.rpartition(":")
        await outer.dial(host, int(port))
        ((_, own),) = await inner.listen(HOST, 0)
        yield own


@in_time
async def test_a_code_detects_who_stands_in_between(tmp_path: Path) -> None:
    """C47: both know the code, every frame is passed on unchanged, and still nobody gets in."""
    async with hosting(tmp_path) as host, in_between(host.addresses[0]) as port:
        assert await refused(host, tmp_path, CODE, f"{HOST}:{port}") == WRONG
        assert len(host.players) == 1
        notice = await until(host, tell.Notice)
        assert isinstance(notice, tell.Notice)
        assert "a wrong invite code" in notice.message


@in_time
async def test_without_a_code_who_stands_in_between_must_show_a_key_of_her_own(tmp_path: Path) -> None:
    """C47: so at a first meeting the safety words differ; passing on another's words and keys is noticed at once."""
    async with hosting(tmp_path, code="") as host, in_between(host.addresses[0]) as port:
        message = await refused(host, tmp_path, "", f"{HOST}:{port}")
        assert message == "the list of seats begins with another key than the one that we have reached"
        assert BOB.public not in [player.key for player in host.players]


@in_time
async def test_a_code_for_an_open_table_is_refused(tmp_path: Path) -> None:
    async with hosting(tmp_path, code="") as host:
        assert await refused(host, tmp_path, CODE) == "this table has no invite code: join without one"


@in_time
async def test_another_key_than_the_listed_one_gets_no_guest(tmp_path: Path) -> None:
    """C46."""
    async with hosting(tmp_path, code="") as host:
        with pytest.raises(Refused, match="another key than the wanted one"):
            async with open_join(BOB, "Bob", host.addresses[0], journal_dir=tmp_path, expect=EVE.public):
                raise AssertionError("joined a stranger's table")


@in_time
@pytest.mark.parametrize("who", [BOB, ANN], ids=["guest", "creator"])
async def test_the_same_identity_twice_is_refused(tmp_path: Path, who: Identity) -> None:
    """C51: and whoever sits there with it stays."""
    async with (
        hosting(tmp_path, code="") as host,
        open_join(BOB, "Bob", host.addresses[0], journal_dir=tmp_path) as guest,
    ):
        message = await refused(host, tmp_path, who=who)
        assert message.partition(": ")[2] in (
            f"the other side refuses: {UNWANTED}",
            "the other side has our own key",
        )
        async with open_join(EVE, "Eve", host.addresses[0], journal_dir=tmp_path / "eve"):
            async for event in guest.events:
                if isinstance(event, tell.PhaseChanged):
                    break


@in_time
async def test_links_without_a_seat_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C45."""
    monkeypatch.setattr(creator, "SEAT_LIMIT", 0.05)
    over = trio.Event()
    async with (
        hosting(tmp_path, code="") as host,
        open_join(BOB, "Bob", host.addresses[0], journal_dir=tmp_path) as guest,
        open_mesh(EVE, on_frame=lambda *_: None, on_up=lambda _: None, on_down=lambda *_: over.set()) as mesh,
    ):
        address, _, port = host.addresses[0].rpartition(":")
        await mesh.dial(address, int(port))
        await over.wait()
        assert len(guest.players) == 2


@in_time
async def test_what_we_know_of_a_name_comes_with_it(tmp_path: Path) -> None:
    """C46: asked for people with other keys than ours, never for bots."""

    def judge(name: str, key: bytes) -> Standing:
        return Standing.OTHER_KEY if (name, key) == ("Ann", ANN.public) else Standing.NEW

    async with hosting(tmp_path, seats=4, code="") as host:
        address = host.addresses[0]
        async with (
            open_join(EVE, "Eve", address, journal_dir=tmp_path, bot=True),
            open_join(BOB, "Bob", address, journal_dir=tmp_path, judge=judge) as guest,
        ):
            assert {player.name: player.standing for player in guest.players} == {
                "Ann": Standing.OTHER_KEY,
                "Bob": Standing.UNASKED,
                "Eve": Standing.UNASKED,
            }


@in_time
async def test_people_are_remembered_when_the_table_begins_and_bots_are_not(tmp_path: Path) -> None:
    """Trust on first use; a memory that cannot be written is told, and the table goes on."""
    met: list[tuple[str, bytes]] = []

    def broken(people: object) -> None:
        raise Damaged("the list is broken", "move it away")

    async with open_host(
        ANN, "Ann", RULES, seats=3, host=HOST, port=0, journal_dir=tmp_path / "ann", meet=met.extend
    ) as host:
        address = host.addresses[0]
        async with (
            open_join(EVE, "Eve", address, journal_dir=tmp_path / "eve", bot=True),
            open_join(BOB, "Bob", address, journal_dir=tmp_path / "bob", meet=broken) as guest,
        ):
            assert await until(guest, tell.Notice) == tell.Notice(
                "the players are not remembered: the list is broken", "move it away"
            )
            await until(host, tell.PhaseChanged)
            assert met == [("Bob", BOB.public)]
            assert guest.phase is not Phase.CLOSED


@in_time
async def test_a_table_is_announced_as_it_fills_and_no_longer_when_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "SERVICE", f"_p2t{secrets.token_hex(5)}._tcp.local.")
    async with (
        browsing([HOST]) as browser,
        open_host(
            ANN, "Ann", RULES, seats=3, host=HOST, port=0, journal_dir=tmp_path, announce=True, code=fresh_code()
        ) as host,
    ):
        async for sight in browser:
            if sight.tables:
                break
        (table,) = sight.tables
        assert table.addresses == ((HOST, int(host.addresses[0].rpartition(":")[2])),)
        one = table.advert
        assert (one.key, one.name, one.variant) == (ANN.public, "Ann", "batman")
        assert (one.taken, one.seats, one.rules, one.private) == (1, 3, digest(RULES), True)
        code = (await until(host, tell.LobbyChanged)).code  # type: ignore[union-attr]
        async with open_join(BOB, "Bob", host.addresses[0], journal_dir=tmp_path, code=code):
            async for sight in browser:
                if sight.tables[0].advert.taken == 2:
                    break
            async with open_join(EVE, "Eve", host.addresses[0], journal_dir=tmp_path, code=code):
                async for sight in browser:
                    if not sight.tables:
                        break


@in_time
async def test_a_table_that_cannot_be_announced_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(where: object) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr(discovery, "open_multicast", broken)
    async with open_host(ANN, "Ann", RULES, host=HOST, port=0, journal_dir=tmp_path, announce=True) as host:
        notice = await until(host, tell.Notice)
        assert notice == tell.Notice(
            "the table cannot be announced: no such device", "the others can still join by typing an address"
        )
        assert host.phase is Phase.LOBBY


@in_time
async def test_who_waits_for_players_sees_how_to_join_when_the_network_comes_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D11: the addresses that were shown before lead nowhere any more."""
    monkeypatch.setattr(creator, "SEAT_LIMIT", 0.05)
    hosts = ["127.0.0.1"]
    monkeypatch.setattr(creator, "own_hosts", lambda bound: tuple(hosts))
    async with hosting(tmp_path) as host:
        await until(host, tell.LobbyChanged)
        await trio.testing.wait_all_tasks_blocked()  # its own addresses have been looked at
        hosts[:] = ["192.168.1.5"]
        await until(host, tell.LobbyChanged)
