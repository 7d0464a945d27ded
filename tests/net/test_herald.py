"""Who tells the network of a running table that may be watched."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2puno.rules import Rules
from protocol.identity import Identity
from protocol.net import discovery
from protocol.net.advert import Advert, digest
from protocol.net.discovery import Browser, Found, Sight, browsing
from protocol.net.gathering import open_host, open_join
from protocol.net.herald import LOOK, TURN, running_advert, stand_in
from protocol.net.returning import open_resume
from tests.net.test_discovery import until

HOST = "127.0.0.1"
RULES = Rules.make("batman", hand_size=5, watchers=True)
KEYS = [Identity.fresh().public for _ in range(3)]


class Air:
    """What is announced on a network where everything is heard at once; which seats begin and stop is noted."""

    def __init__(self) -> None:
        self.adverts: dict[bytes, Advert] = {}
        self.stale = False
        self.since = trio.current_time()

    @property
    def seats(self) -> list[int]:
        """Who announces the table now."""
        return [KEYS.index(key) for key in sorted(self.adverts, key=KEYS.index)]

    @property
    def sight(self) -> Sight:
        return Sight(tuple(Found(advert, (), self.stale) for advert in self.adverts.values()), "")

    def announcer(self, key: bytes) -> Any:
        return SimpleNamespace(show=partial(self.adverts.__setitem__, key), hush=lambda: self.adverts.pop(key, None))

    @asynccontextmanager
    async def look(self) -> AsyncIterator[Air]:
        yield self


def seat(number: int, rules: Rules = RULES) -> Any:
    """A seat at a table of three of which the first one, the creator, is here no more."""
    players = tuple(SimpleNamespace(key=key, name="Bo", here=key != KEYS[0]) for key in KEYS)
    own = SimpleNamespace(public=KEYS[number])
    return SimpleNamespace(seat=number, players=players, leavers=(), rules=rules, identity=own, doorman=None)


def advert_of(number: int) -> Advert:
    return Advert(KEYS[number], "Bo", "batman", 3, 3, digest(RULES), False, True, True)


async def test_the_first_that_is_left_stands_in_for_a_creator_that_is_gone(autojump_clock: MockClock) -> None:
    air = Air()
    async with trio.open_nursery() as nursery:
        for number in (2, 1):
            nursery.start_soon(stand_in, seat(number), air.announcer(KEYS[number]), air.look)
        await trio.sleep(TURN)
        assert air.seats == []  # the creator may be back in a moment
        await trio.sleep(10 * TURN)
        assert air.seats == [1]
        assert air.adverts[KEYS[1]].running
        air.adverts[KEYS[0]] = advert_of(0)  # the creator is back
        await trio.sleep(2 * LOOK)
        assert air.seats == [0]
        del air.adverts[KEYS[0]]
        await trio.sleep(10 * TURN)
        assert air.seats == [1]
        nursery.cancel_scope.cancel()


async def test_two_that_began_at_once_do_not_go_on_both(autojump_clock: MockClock) -> None:
    """As after a partition."""
    air = Air()
    async with trio.open_nursery() as nursery:
        for number in (1, 2):
            air.adverts[KEYS[number]] = advert_of(number)
            nursery.start_soon(stand_in, seat(number), air.announcer(KEYS[number]), air.look)
        await trio.sleep(10 * TURN)
        assert len(air.seats) == 1
        nursery.cancel_scope.cancel()


async def test_who_no_longer_answers_is_no_herald(autojump_clock: MockClock) -> None:
    """A killed program says no farewell: what it announced is heard for a long time."""
    air = Air()
    air.adverts[KEYS[0]], air.stale = advert_of(0), True
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stand_in, seat(1), air.announcer(KEYS[1]), air.look)
        await trio.sleep(10 * TURN)
        assert air.seats == [0, 1]
        nursery.cancel_scope.cancel()


def test_the_rules_are_announced_as_before_the_start() -> None:
    """Who sees the list knows them by the hash of the options; the heroes are in their seats only later."""
    rules = Rules.make("dc", watchers=True)
    running = running_advert(seat(1, rules.seated(rules.offered()[:3])))
    assert running.rules == digest(rules)
    assert running.unusual == ("watchers=on",)
    assert (running.taken, running.seats, running.running, running.watchers) == (3, 3, True, True)


@pytest.mark.parametrize("reason", ["all are here", "nobody may watch"])
async def test_nobody_stands_in_without_a_reason(reason: str, autojump_clock: MockClock) -> None:
    air = Air()
    mine = seat(1) if reason == "all are here" else seat(1, Rules.make("batman", hand_size=5))
    if reason == "all are here":
        for player in mine.players:
            player.here = True
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stand_in, mine, air.announcer(KEYS[1]), air.look)
        await trio.sleep(10 * TURN)
        assert air.seats == []
        nursery.cancel_scope.cancel()


async def test_a_creator_that_comes_back_announces_its_table_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T14: and says farewell when it goes; without the wish nothing is announced."""
    monkeypatch.setattr(discovery, "SERVICE", f"_p2t{secrets.token_hex(5)}._tcp.local.")
    mia = Identity.fresh()

    async def seen(browser: Browser, wanted: bool) -> None:
        await until(browser, lambda sight: any(table.advert.key == mia.public for table in sight.tables) == wanted)

    with trio.fail_after(60):
        async with browsing([HOST]) as browser:
            async with (
                open_host(mia, "Mia", RULES, seats=2, host=HOST, port=0, journal_dir=tmp_path / "0") as host,
                open_join(Identity.fresh(), "Bo", host.addresses[0], journal_dir=tmp_path / "1"),
            ):
                while host.journal is None:
                    await trio.sleep(0.01)
                journal = host.journal
            async with open_resume(journal, mia, announce=True):
                await seen(browser, True)
                assert browser.sight.tables[0].advert.running
            await seen(browser, False)
            async with open_resume(journal, mia):
                await trio.sleep(0.1)
            assert not browser.sight.tables
