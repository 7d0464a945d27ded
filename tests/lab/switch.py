"""A network switch in user space: frames between the ports of the lab, with the faults that a LAN has.

    python -S switch.py SEED p1 … pN

Runs where the ports are, prints "ready", and takes one JSON object per line on stdin:

    {"op": "set", "pairs": [[1, 2], …] or null for all, "to": {"delay": s, "jitter": s, "loss": 0…1, "up": bool}}
    {"op": "multicast", "on": bool}       {"op": "stats"}

Pairs are directed, (from, to), and every object is answered by one line. Only the standard library, so that it starts
in no time; only AF_PACKET, as kernels come without netem.
"""

from __future__ import annotations

import heapq
import json
import os
import random
import select
import socket
import sys
import time
from typing import Any

ETH_P_ALL = 3
SOL_PACKET, PACKET_IGNORE_OUTGOING = 263, 23
NEIGHBOURS = b"\x33\x33\xff"  # multicast by which IPv6 finds out who has an address: no IPv6 without it


class Switch:
    """Ports are numbered from 1; a policy says how frames get from one to another."""

    def __init__(self, ports: list[str], seed: int) -> None:
        self.rng = random.Random(seed)
        self.ports = {number: _open(name) for number, name in enumerate(ports, 1)}
        self.number_of = {port.fileno(): number for number, port in self.ports.items()}
        self.usual = {"delay": 0.0, "jitter": 0.0, "loss": 0.0, "up": True}
        self.policy: dict[tuple[int, int], dict[str, Any]] = {}
        self.multicast = True
        self.stats: dict[str, Any] = {"passed": 0, "lost": 0, "cut": 0, "bytes": 0, "talk": {}}
        self.where: dict[bytes, int] = {}  # the port behind which a MAC address is
        self.late: list[tuple[float, int, int, bytes]] = []
        self.count = 0

    def run(self) -> None:
        """Until stdin ends."""
        poll = select.epoll()
        for port in self.ports.values():
            poll.register(port, select.EPOLLIN)
        os.set_blocking(0, False)
        poll.register(0, select.EPOLLIN)
        said = b""
        print("ready", flush=True)
        while True:
            now = time.monotonic()
            while self.late and self.late[0][0] <= now:
                self.send(*heapq.heappop(self.late)[2:])
            ready = poll.poll(max(0.0, self.late[0][0] - time.monotonic()) if self.late else None)
            now = time.monotonic()  # read after the wait, or delays come out short
            for file, _ in ready:
                if file:
                    self.take(self.number_of[file], now)
                    continue
                data = os.read(0, 65536)
                if not data:
                    return
                *lines, said = (said + data).split(b"\n")
                for line in lines:
                    print(json.dumps(self.obey(json.loads(line))), flush=True)

    def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        if order["op"] == "multicast":
            self.multicast = order["on"]
        elif order["op"] == "set" and order["pairs"] is None:
            self.usual |= order["to"]
            self.policy.clear()
        elif order["op"] == "set":
            for a, b in order["pairs"]:
                self.policy[a, b] = self.policy.get((a, b), self.usual) | order["to"]
        return self.stats

    def take(self, source: int, now: float) -> None:
        """Frames that have come in at a port."""
        for _ in range(64):
            try:
                frame = self.ports[source].recv(65600)
            except OSError:  # nothing more, or the port is down
                return
            to, sender = frame[:6], frame[6:12]
            self.where[sender] = source
            if to[0] & 1 and to != b"\xff" * 6 and not to.startswith(NEIGHBOURS) and not self.multicast:
                self.stats["cut"] += 1
                continue
            known = self.where.get(to)
            if known is not None and not to[0] & 1:
                pair = f"{min(source, known)}-{max(source, known)}"
                self.stats["talk"][pair] = self.stats["talk"].get(pair, 0) + 1
            for target in self.ports if known is None or to[0] & 1 else (known,):
                if target != source:
                    self.forward(source, target, frame, now)

    def forward(self, source: int, target: int, frame: bytes, now: float) -> None:
        rule = self.policy.get((source, target), self.usual)
        if not rule["up"]:
            self.stats["cut"] += 1
        elif rule["loss"] and self.rng.random() < rule["loss"]:
            self.stats["lost"] += 1
        else:
            wait = rule["delay"] + self.rng.uniform(-rule["jitter"], rule["jitter"])
            if wait <= 0:
                self.send(target, frame)
            else:
                self.count += 1
                heapq.heappush(self.late, (now + wait, self.count, target, frame))

    def send(self, target: int, frame: bytes) -> None:
        try:
            self.ports[target].send(frame)
        except OSError:  # the port is down, or its queue is full
            self.stats["lost"] += 1
        else:
            self.stats["passed"] += 1
            self.stats["bytes"] += len(frame)


def _open(name: str) -> socket.socket:
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    port.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    port.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    port.bind((name, 0))
    port.setblocking(False)
    return port


if __name__ == "__main__":
    Switch(sys.argv[2:], int(sys.argv[1])).run()
