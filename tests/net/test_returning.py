"""Coming back to a table over real links, in one process: a program stops, and has nothing but journal and secrets."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from p2puno.rules import Rules
from protocol import events as tell
from protocol.audit import audit
from protocol.errors import Damaged, InUse
from protocol.events import Phase
from protocol.identity import Identity
from protocol.journal import HEAD, Reader, in_use
from protocol.net.driver import Session
from protocol.net.gathering import open_host, open_join
from protocol.net.returning import open_resume
from protocol.vault import Vault, read_secrets, secret_path
from tests.protocol.test_driver import Player

HOST = "127.0.0.1"
RULES = Rules.make("batman", hand_size=5)
ENOUGH = 60.0  # seconds after which a test is not slow but stuck
SEATS = 3


class Seat:
    """One player and the sessions that it has one after the other."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.identity = Identity.fresh()
        self.players: list[Player] = []
        self.scope = trio.CancelScope()
        self.over = trio.Event()

    @property
    def last(self) -> Player:
        return self.players[-1]

    @property
    def journal(self) -> Path:
        path = self.last.session.journal
        assert path is not None
        return path

    async def sit(
        self,
        open_table: Callable[[], AbstractAsyncContextManager[Session]],
        task_status: trio.TaskStatus[Session] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Play until the table is over, or the scope is cancelled: then nothing is said to anybody."""
        with trio.CancelScope() as self.scope:
            async with open_table() as session:
                self.players.append(Player(session, self.number))
                task_status.started(session)
                await self.last.play()
            self.over.set()


async def table(nursery: trio.Nursery, folder: Path) -> list[Seat]:
    """A host and its joiners, playing."""
    seats = [Seat(number) for number in range(SEATS)]

    def host() -> AbstractAsyncContextManager[Session]:
        where = folder / "0"
        return open_host(
            seats[0].identity, "Mia", RULES, seats=SEATS, host=HOST, port=0, journal_dir=where, note=b"a note"
        )

    session = await nursery.start(seats[0].sit, host)
    for seat in seats[1:]:

        def join(seat: Seat = seat) -> AbstractAsyncContextManager[Session]:
            where = folder / str(seat.number)
            return open_join(seat.identity, f"Bot {seat.number}", session.addresses[0], journal_dir=where, bot=True)

        await nursery.start(seat.sit, join)
    return seats


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await trio.sleep(0.01)


@pytest.mark.parametrize("victim", [0, SEATS - 1])
@pytest.mark.parametrize("steps", [3, 20])
async def test_a_seat_comes_back_and_the_hand_goes_on(tmp_path: Path, victim: int, steps: int) -> None:
    """The creator or a joiner, in the set-up or in play: same seat, same hand, same port."""
    with trio.fail_after(ENOUGH):
        async with trio.open_nursery() as nursery:
            seats = await table(nursery, tmp_path)
            seat = seats[victim]
            await until(lambda: seat.last.session.steps >= steps)
            before = seat.last.session
            seat.scope.cancel()
            await until(lambda: not in_use(seat.journal))
            secrets = read_secrets(secret_path(seat.journal))
            assert not secrets.aside
            assert secrets.seed
            again = await nursery.start(seat.sit, lambda: open_resume(seat.journal))
            assert (again.seat, again.name, again.identity.public) == (victim, before.name, seat.identity.public)
            assert again.note == (b"a note" if victim == 0 else b"")
            assert any(address.endswith(f":{secrets.port}") for address in again.addresses)
            with pytest.raises(InUse):
                async with open_resume(seat.journal):
                    pass
            for each in seats:
                await each.over.wait()
        verdicts = [audit(each.journal) for each in seats]
    assert [verdict.problem for verdict in verdicts] == [""] * SEATS
    assert len({verdict.state_hash for verdict in verdicts}) == 1
    assert again.phase is Phase.CLOSED
    for each in seats:
        assert each.last.heard(tell.HandOver)
        assert not secret_path(each.journal).exists()
        assert not each.last.session.resumable


async def test_a_damaged_journal_is_cut_there_and_told_and_the_rest_comes_from_the_others(tmp_path: Path) -> None:
    """The others have them whole; what the file was before is kept."""
    with trio.fail_after(ENOUGH):
        async with trio.open_nursery() as nursery:
            seats = await table(nursery, tmp_path)
            seat = seats[0]
            await until(lambda: seat.last.session.steps >= 6)
            seat.scope.cancel()
            await until(lambda: not in_use(seat.journal))
            places = {number: (offset, len(raw)) for number, offset, raw in Reader(seat.journal).entries()}
            data = bytearray(seat.journal.read_bytes())
            for number in (9, 12):
                offset, length = places[number]
                data[offset + HEAD + length // 2] ^= 1
            seat.journal.write_bytes(data)
            assert audit(seat.journal).exit_code == Damaged.exit_code
            await nursery.start(seat.sit, lambda: open_resume(seat.journal))
            for each in seats:
                await each.over.wait()
    (notice,) = [event for event in seat.last.heard(tell.Notice) if "damaged" in event.message]
    assert "at entry 9;" in notice.message
    kept = seat.journal.with_name(f"{seat.journal.name}.damaged")
    assert str(kept) in notice.hint
    assert kept.read_bytes() == bytes(data)
    assert [audit(each.journal).problem for each in seats] == [""] * SEATS


async def test_another_program_has_our_port(tmp_path: Path) -> None:
    """Then we dial everybody, instead of the later seats dialling us."""
    with trio.fail_after(ENOUGH):
        async with trio.open_nursery() as nursery:
            seats = await table(nursery, tmp_path)
            await until(lambda: seats[0].last.session.steps >= 5)
            port = read_secrets(secret_path(seats[0].journal)).port
            seats[0].scope.cancel()
            await until(lambda: not in_use(seats[0].journal))
            thief = (await trio.open_tcp_listeners(port, host=HOST))[0]
            again = await nursery.start(seats[0].sit, lambda: open_resume(seats[0].journal))
            assert again.addresses == ()
            for each in seats:
                await each.over.wait()
            await thief.aclose()
        assert [audit(each.journal).problem for each in seats] == [""] * SEATS


async def test_who_leaves_has_nothing_to_come_back_to(tmp_path: Path) -> None:
    with trio.fail_after(ENOUGH):
        async with trio.open_nursery() as nursery:
            seats = await table(nursery, tmp_path)
            await until(lambda: seats[1].last.session.turns >= 2)
            seats[1].last.session.leave()
            assert not seats[1].last.session.resumable
            for each in seats:
                await each.over.wait()
    assert not secret_path(seats[1].journal).exists()


async def test_files_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        seats = await table(nursery, tmp_path)
        await until(lambda: all(seat.last.session.steps >= 1 for seat in seats))
        nursery.cancel_scope.cancel()
    mine = seats[0].journal
    good = read_secrets(secret_path(mine))

    async def refused(match: str, identity: Identity | None = None) -> None:
        before = mine.read_bytes()
        with pytest.raises(Damaged, match=match) as told:
            async with open_resume(mine, identity):
                pass
        assert told.value.hint
        assert mine.read_bytes() == before

    Vault(mine, replace(good, table=b"x" * 32)).store()
    await refused("belong to another table")
    Vault(mine, replace(good, key=b"")).store()
    await refused("hold no key")
    await refused("has no seat", Identity.fresh())
    Vault(mine, replace(good, key=Identity.fresh().private)).store()
    await refused("has no seat")
    os.unlink(secret_path(mine))
    await refused("cannot read")
