"""Finding tables on the LAN by multicast DNS: a table announces itself, and whoever looks sees it.

    async with announcing(session_addresses, on_trouble) as announcer:
        announcer.show(advert)

    async with browsing() as browser:
        async for sight in browser: ...

What is found is a hint and no more (docs/discovery.md).  What zeroconf hears in its threads comes over into
trio before anything is done with it.  Whatever fails here is told and tried again, and never ends a table.
"""

import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

import trio
from zeroconf import (
    InterfaceChoice,
    NonUniqueNameException,
    ServiceBrowser,
    ServiceInfo,
    ServiceStateChange,
    Zeroconf,
)

from p2puno.said import said
from protocol.errors import NetworkProblem
from protocol.net.address import Address
from protocol.net.advert import Advert
from protocol.net.interfaces import interfaces, nearest, own_hosts, scoped
from protocol.net.multicast import FAILURES, Interfaces, close_multicast, in_thread, open_multicast, reason_of
from protocol.net.probe import shown_key

SERVICE: Final = "_p2puno._tcp.local."
LOOK_EVERY: Final = 5.0  # seconds between two looks at our interfaces, and between two probes of a table
STAGGER: Final = 0.1  # seconds between probes of one table: the likeliest address is listed, not the quickest
RESOLVE_LIMIT: Final = 3.0  # seconds for the details of an instance to come in
MISSES: Final = 3  # probes in a row after which a table is no longer listed
ANNOUNCED: Final = said("the table is announced now")  # to be told after a trouble
MAX_INSTANCES: Final = 64
MAX_NAMESAKES: Final = 9  # tables of one key that are told apart

_log = logging.getLogger("p2puno.net")


@dataclass(frozen=True, slots=True)
class Found:
    """A table that somebody announces.  ``addresses``: where it may answer, the likeliest first; ``stale``: nobody
    answers there with its key at the moment."""

    advert: Advert
    addresses: tuple[Address, ...]
    stale: bool


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen at one moment.  ``trouble``: why we may see too little, in a sentence for people, or ""."""

    tables: tuple[Found, ...]
    trouble: str


# -- announcing


class Announcer:
    """Tells the network of one table.  Made by `announcing`."""

    def __init__(
        self, bound: Iterable[Address], on_trouble: Callable[[str], object], where: Interfaces, service: str
    ) -> None:
        self._bound = tuple(bound)
        self._on_trouble = on_trouble
        self._where, self._service = where, service
        self._wanted: Advert | None = None
        self._bell = trio.Event()
        self._zeroconf: Zeroconf | None = None
        self._registered: ServiceInfo | None = None
        self._told: tuple[Advert, tuple[str, ...]] | None = None
        self._trouble = ""

    def show(self, advert: Advert) -> None:
        """Announce this from now on."""
        self._wanted = advert
        self._bell.set()

    def hush(self) -> None:
        """Announce nothing any more; the others are told that the table is no longer to be joined."""
        self._wanted = None
        self._bell.set()

    async def _run(self) -> None:
        while True:
            try:
                await self._bring_up_to_date()
                if self._trouble:
                    self._trouble = ""
                    self._on_trouble("")
            except FAILURES as problem:
                trouble = reason_of(problem)
                if trouble != self._trouble:  # tried again and again, told once
                    self._trouble = trouble
                    self._on_trouble(said("the table cannot be announced: {trouble}", trouble=trouble))
            with trio.move_on_after(LOOK_EVERY):
                await self._bell.wait()
            self._bell = trio.Event()

    async def _bring_up_to_date(self) -> None:
        wanted = self._wanted
        if wanted is None:
            zeroconf, self._zeroconf, self._registered, self._told = self._zeroconf, None, None, None
            await close_multicast(zeroconf)
            return
        if self._zeroconf is None:
            self._zeroconf = await open_multicast(self._where)
        hosts = own_hosts(host for host, _ in self._bound)
        if (wanted, hosts) == self._told:
            return
        if self._told is not None and hosts != self._told[1]:
            await in_thread(self._zeroconf.update_interfaces)
        await self._publish(self._zeroconf, wanted, hosts)
        self._told = (wanted, hosts)

    async def _publish(self, zeroconf: Zeroconf, advert: Advert, hosts: tuple[str, ...]) -> None:
        if self._registered is not None:
            label = self._registered.name.removesuffix(f".{self._service}")
            self._registered = self._info(label, advert, hosts)
            await in_thread(zeroconf.update_service, self._registered)
            return
        for number in range(1, MAX_NAMESAKES + 1):
            # The same key may well have a second table; the listeners tell them apart by their ports.
            info = self._info(advert.label if number == 1 else f"{advert.label}-{number}", advert, hosts)
            try:
                await in_thread(zeroconf.register_service, info)
            except NonUniqueNameException:
                continue
            self._registered = info
            return
        raise RuntimeError(said("too many tables are announced under this key"))

    def _info(self, label: str, advert: Advert, hosts: tuple[str, ...]) -> ServiceInfo:
        # The host name is the label too: two machines with one host name would take each other's addresses away.
        return ServiceInfo(
            self._service,
            f"{label}.{self._service}",
            port=self._bound[0][1],
            properties=advert.properties(),
            server=f"p2puno-{label}.local.",
            parsed_addresses=list(hosts),
        )


@asynccontextmanager
async def announcing(
    bound: Iterable[Address],
    on_trouble: Callable[[str], object],
    where: Interfaces | None = None,
    service: str | None = None,
) -> AsyncIterator[Announcer]:
    """An `Announcer` for a table that is bound to these addresses; nothing is announced before its first `show`.

    ``on_trouble(sentence)``: announcing does not work; it is tried again, and "" comes when it works.  ``where``: by
    default the interfaces that the table is bound to.
    """
    bound = tuple(bound)
    announcer = Announcer(bound, on_trouble, _bound_to(bound) if where is None else where, service or SERVICE)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(announcer._run)
        try:
            yield announcer
        finally:
            nursery.cancel_scope.cancel()
            await close_multicast(announcer._zeroconf)


# -- browsing


class _Instance:
    """One announced instance: what it last said, and how many probes in a row nobody answered."""

    def __init__(self, advert: Advert, addresses: tuple[Address, ...]) -> None:
        self.advert, self.addresses = advert, addresses
        self.misses = 0
        self.answered: Address | None = None  # the first that did


class Browser:
    """The tables on the network, kept up to date.  Made by `browsing`.

    Iterate over it for a `Sight` now and whenever something has changed; it never ends by itself.
    """

    def __init__(self, nursery: trio.Nursery, where: Interfaces, service: str) -> None:
        self._nursery = nursery
        self._where, self._service = where, service
        self._token = trio.lowlevel.current_trio_token()
        self._limiter = trio.CapacityLimiter(8)
        self._instances: dict[str, _Instance | None] = {}  # None: its details are not known yet
        self._asking: set[str] = set()  # their details are being asked for
        self._again: set[str] = set()  # ... and have changed meanwhile
        self._zeroconf: Zeroconf | None = None
        self._trouble = ""
        self._crowded = False
        self._own = interfaces()
        self._bell = trio.Event()
        self._last: Sight | None = None

    @property
    def sight(self) -> Sight:
        """What is seen now: tables by name; those of one key and port are one, wherever they were heard."""
        merged: dict[tuple[bytes, int], list[_Instance]] = defaultdict(list)
        for instance in self._instances.values():
            if instance is not None and instance.misses < MISSES and instance.addresses:
                merged[instance.advert.key, instance.addresses[0][1]].append(instance)
        tables = [
            Found(
                same[-1].advert,
                self._likely(same),
                all(one.misses for one in same),
            )
            for same in merged.values()
        ]
        tables.sort(key=lambda table: (table.advert.name.casefold(), table.advert.key, table.addresses))
        trouble = self._trouble or (said("more is announced here than can be listed") if self._crowded else "")
        return Sight(tuple(tables), trouble)

    def _likely(self, same: list[_Instance]) -> tuple[Address, ...]:
        """All addresses of one table, those that have answered first."""
        addresses = nearest((address for one in same for address in one.addresses), self._own)
        answered = [one.answered for one in same if one.answered in one.addresses]
        return tuple(sorted(addresses, key=lambda address: address not in answered))

    def __aiter__(self) -> "Browser":
        return self

    async def __anext__(self) -> Sight:
        while True:
            sight = self.sight
            if sight != self._last:
                self._last = sight
                return sight
            await self._bell.wait()
            self._bell = trio.Event()

    async def _run(self) -> None:
        while True:
            try:
                await self._look()
                self._trouble = ""
            except FAILURES as problem:
                self._trouble = said("tables cannot be looked for: {reason}", reason=reason_of(problem))
            self._bell.set()
            await trio.sleep(LOOK_EVERY)
            for name in list(self._instances):
                self._nursery.start_soon(self._probe, name)

    async def _look(self) -> None:
        """Start to listen; later, take up interfaces that came and let go those that went."""
        own = interfaces()
        if self._zeroconf is None:
            self._zeroconf = await open_multicast(self._where)
            await in_thread(ServiceBrowser, self._zeroconf, self._service, [self._heard])
        elif own != self._own:
            await in_thread(self._zeroconf.update_interfaces)
        self._own = own

    def _heard(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        """In zeroconf's thread."""
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._changed, name, state_change is ServiceStateChange.Removed)

    def _changed(self, name: str, gone: bool) -> None:
        if gone:
            self._instances.pop(name, None)
            self._again.discard(name)
            self._crowded = False
            self._bell.set()
            return
        if name not in self._instances:
            if len(self._instances) >= MAX_INSTANCES:
                self._crowded = True
                self._bell.set()
                return
            self._instances[name] = None
        if name in self._asking:
            self._again.add(name)
        else:
            self._asking.add(name)
            self._nursery.start_soon(self._ask_until_known, name)

    async def _ask_until_known(self, name: str) -> None:
        """Ask again if it has changed meanwhile: one question at a time, however often somebody announces (C45)."""
        await self._resolve(name)
        await trio.sleep(STAGGER)
        while name in self._again:
            self._again.discard(name)
            self._instances.setdefault(name, None)  # it may have gone and come
            await self._resolve(name)
            await trio.sleep(STAGGER)
        self._asking.discard(name)

    async def _resolve(self, name: str) -> None:
        """Ask for the details of an instance, and believe those that have the right form."""
        zeroconf = self._zeroconf
        if zeroconf is None:
            return
        try:
            info = ServiceInfo(self._service, name)
            complete = await in_thread(info.request, zeroconf, RESOLVE_LIMIT * 1000, limiter=self._limiter)
            if not complete or info.port is None:
                raise ValueError("the details do not come in")
            advert = Advert.read(info.properties)
            if not name.startswith(advert.label):
                raise ValueError("named like another key")
            # Heard over IPv4, a link-local IPv6 address comes without the interface that it is behind.
            hosts = [one for host in info.parsed_scoped_addresses() for one in scoped(host, self._own)]
            addresses = nearest(((host, info.port) for host in hosts), self._own)
        except FAILURES as problem:
            _log.info("an announced table is not listed: %s", problem)
            if self._instances.get(name) is None:
                self._instances.pop(name, None)
            return
        if name not in self._instances:  # gone meanwhile
            return
        instance = self._instances[name]
        if instance is None:
            self._instances[name] = _Instance(advert, addresses)
        else:
            instance.advert, instance.addresses = advert, addresses
        self._bell.set()
        await self._probe(name)

    async def _probe(self, name: str) -> None:
        """Does its key answer at one of its addresses?  A killed program says no farewell."""
        instance = self._instances.get(name)
        if instance is None:
            return
        answered = False

        async def ask(after: float, host: str, port: int) -> None:
            nonlocal answered
            await trio.sleep(after)
            with suppress(NetworkProblem):
                if await shown_key(host, port) == instance.advert.key:
                    answered = True
                    if instance.answered not in instance.addresses:
                        instance.answered = host, port
                    nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            for number, address in enumerate(instance.addresses):
                nursery.start_soon(ask, number * STAGGER, *address)
        instance.misses = 0 if answered else instance.misses + 1
        if not answered:
            instance.answered = None
        self._bell.set()


@asynccontextmanager
async def browsing(where: Interfaces | None = None, service: str | None = None) -> AsyncIterator[Browser]:
    """A `Browser` that looks for tables inside the block.  ``where``: by default every interface."""
    async with trio.open_nursery() as nursery:
        browser = Browser(nursery, InterfaceChoice.All if where is None else where, service or SERVICE)
        nursery.start_soon(browser._run)
        try:
            yield browser
        finally:
            nursery.cancel_scope.cancel()
            await close_multicast(browser._zeroconf)


def _bound_to(bound: tuple[Address, ...]) -> Interfaces:
    hosts = [host for host, _ in bound]
    return InterfaceChoice.All if {"0.0.0.0", "::"} & set(hosts) else hosts
