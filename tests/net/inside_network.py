"""Run by test_discovery in a network namespace of its own: a table announced and found on every interface there."""

import subprocess
import sys

import trio

from p2puno.rules import Rules
from protocol.identity import Identity
from protocol.net import discovery
from protocol.net.advert import Advert, digest
from protocol.net.discovery import announcing, browsing
from protocol.net.mesh import open_mesh

discovery.LOOK_EVERY = 0.2  # type: ignore[misc]


def ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True)


def bring_up(address: str) -> None:
    """A pair of interfaces that ends in itself: what is sent at one end is heard at the other."""
    ip("link add lan0 type veth peer name lan1")
    ip(f"addr add {address} dev lan0 {'nodad' if ':' in address else ''}")
    ip("link set lan0 up")
    ip("link set lan1 up")


async def main(scene: str) -> None:
    if scene != "nothing":
        ip("link set lo up")
    if scene == "six":
        bring_up("fd77::1/64")
    late = scene == "late"
    ann = Identity.fresh()
    troubles: list[str] = []
    async with open_mesh(ann, on_frame=lambda *_: None, on_up=lambda *_: None, on_down=lambda *_: None) as mesh:
        bound = await mesh.listen("::" if scene == "six" else None, 0)
        async with browsing() as browser, announcing(bound, troubles.append) as announcer:
            announcer.show(Advert(ann.public, "Ann", "batman", 1, 4, digest(Rules.make("batman")), False))
            wanted = {"loopback": "127.0.0.1", "late": "10.77.0.1", "six": "fd77::1"}.get(scene)
            with trio.fail_after(20):
                while True:
                    sight = browser.sight
                    hosts = [host for table in sight.tables if not table.stale for host, _ in table.addresses]
                    if wanted in hosts or (wanted is None and sight.trouble and troubles):
                        print("ok")
                        return
                    if late and hosts:
                        late = False
                        bring_up("10.77.0.1/24")
                    await trio.sleep(0.1)


trio.run(main, sys.argv[1])
