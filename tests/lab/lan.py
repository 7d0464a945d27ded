"""A LAN of real hosts on one Linux machine: network namespaces joined by `switch.py`.

Everything lives in namespaces of one `unshare` (network, mounts, processes), so nothing of it is seen outside, and
whatever happens to the test, nothing stays behind. Each host runs the real program with a home of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PORT = 4242
USER = [] if not hasattr(os, "geteuid") or os.geteuid() == 0 else ["--user"]


def why_not() -> str:
    """Why there can be no lab here; "" if there can."""
    if sys.platform != "linux":
        return "network namespaces need Linux"
    for tool in ("unshare", "nsenter", "ip", "mount"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed (util-linux, iproute2)"
    tried = subprocess.run([*_unshare(), "ip", "link", "add", "lab0", "type", "veth", "peer", "name", "lab1"],
                           capture_output=True, text=True)  # fmt: skip
    return f"cannot make a network: {tried.stderr.strip()}" if tried.returncode else ""


def _unshare() -> list[str]:
    user = ["--user", "--map-root-user"] if USER else []
    return ["unshare", *user, "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]


class Program:
    """A command that runs on a host. `said`: what it wrote to stderr, once it has ended."""

    def __init__(self, name: str, command: Sequence[str], environment: dict[str, str]) -> None:
        self.name = name
        self.said = ""
        self.process = subprocess.Popen(
            command, env=environment, cwd=ROOT, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program itself; what we have started only waits for it."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        for child in children.read_text().split():
            os.kill(int(child), number)

    def kill(self) -> None:
        """kill -9."""
        self.signal(signal.SIGKILL)
        self.process.communicate()

    def end(self, patience: float) -> tuple[int, str]:
        """(exit code, stdout), after at most so many seconds.

        :raises AssertionError: it goes on
        """
        try:
            out, self.said = self.process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} does not end") from None
        return self.process.returncode, out

    def document(self, patience: float) -> dict[str, Any]:
        """The JSON document of a program that must end well."""
        code, out = self.end(patience)
        assert code == 0, f"{self.name} ends with {code}: {self.said}"
        document: dict[str, Any] = json.loads(out)
        return document


class Lan:
    """So many hosts, numbered from 1, each with one interface `eth<number>`. Made by `open_lan`."""

    def __init__(self, hosts: int, folder: Path, seed: int, four: bool, six: bool) -> None:
        self.hosts = range(1, hosts + 1)
        self.folder = folder
        self.programs: list[Program] = []
        ports = [f"p{host}" for host in self.hosts]
        script = ["set -e", "mount -t tmpfs lab /run", "mkdir -p /run/netns", "ip link set lo up"]
        for host in self.hosts:
            eth = f"eth{host}"
            script += [
                f"ip netns add h{host}",
                f"ip link add p{host} type veth peer name {eth} netns h{host}",
                f"echo 1 > /proc/sys/net/ipv6/conf/p{host}/disable_ipv6",
                f"ip link set p{host} up",
                f"ip -n h{host} link set lo up",
                f"ip netns exec h{host} {sys.executable} -S {HERE / 'plain_frames.py'} {eth}",
                f"ip netns exec h{host} sh -c 'echo 0 > /proc/sys/net/ipv6/conf/{eth}/accept_dad'",
            ]
            if four:
                script.append(f"ip -n h{host} addr add {self.four(host)}/24 brd + dev {eth}")
            if six:
                script.append(f"ip -n h{host} addr add fd77::{host}/64 dev {eth} nodad")
            script.append(f"ip -n h{host} link set {eth} up")
        script.append(f"exec {sys.executable} -S {HERE / 'switch.py'} {seed} {' '.join(ports)}")
        self._switch = subprocess.Popen(
            [*_unshare(), "sh", "-c", "\n".join(script)],
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert self._switch.stdout is not None
        if self._switch.stdout.readline() != "ready\n":
            raise RuntimeError("the lab does not start")
        children = Path(f"/proc/{self._switch.pid}/task/{self._switch.pid}/children")
        self._inside = children.read_text().split()[0]

    # -- addresses

    @staticmethod
    def four(host: int) -> str:
        """The IPv4 address of a host."""
        return f"10.77.0.{host}"

    def link_local(self, host: int, seen_from: int) -> str:
        """The IPv6 address that a host has by itself, as it is written on another one."""
        words = self._ip(f"-n h{host} -o -6 addr show dev eth{host} scope link").split()
        return f"{words[words.index('inet6') + 1].partition('/')[0]}%eth{seen_from}"

    # -- weather

    def _order(self, **order: object) -> dict[str, Any]:
        assert self._switch.stdin is not None
        assert self._switch.stdout is not None
        self._switch.stdin.write(json.dumps(order) + "\n")
        self._switch.stdin.flush()
        answer: dict[str, Any] = json.loads(self._switch.stdout.readline())
        return answer

    def shape(self, pairs: Iterable[tuple[int, int]] | None = None, **to: object) -> None:
        """Set `delay`, `jitter` (seconds), `loss` (0 to 1) or `up` for directed pairs, or for all, which forgets what
        was set for pairs."""
        self._order(op="set", pairs=None if pairs is None else list(pairs), to=to)

    def part(self, *groups: Sequence[int]) -> None:
        """Nothing passes between these groups of hosts any more."""
        for one in groups:
            for other in groups:
                if one is not other:
                    self.shape([(a, b) for a in one for b in other], up=False)

    def heal(self) -> None:
        """All hosts reach each other again."""
        self.shape(up=True)

    def multicast(self, on: bool) -> None:
        """Whether multicast passes, apart from what IPv6 needs to find its neighbours."""
        self._order(op="multicast", on=on)

    def stats(self) -> dict[str, Any]:
        """What the switch has done: frames `passed`, `lost`, `cut`, their `bytes`, frames by pair of hosts (`talk`)."""
        return self._order(op="stats")

    def pull(self, host: int) -> None:
        """Pull the plug of a host: its interface has no carrier."""
        self._ip(f"link set p{host} down")

    def plug(self, host: int) -> None:
        """Put it in again."""
        self._ip(f"link set p{host} up")

    def readdress(self, host: int, new: str) -> None:
        """A host loses its IPv4 address and gets another one."""
        self._ip(f"-n h{host} addr del {self.four(host)}/24 dev eth{host}")
        self._ip(f"-n h{host} addr add {new}/24 brd + dev eth{host}")

    def _enter(self) -> list[str]:
        user = ["--user", "--preserve-credentials"] if USER else []
        return ["nsenter", "--target", self._inside, *user, "--net", "--mount", "--pid"]

    def _ip(self, words: str) -> str:
        done = subprocess.run([*self._enter(), "ip", *words.split()], capture_output=True, text=True)
        assert done.returncode == 0, f"ip {words}: {done.stderr}"
        return done.stdout

    # -- programs

    def home(self, host: int) -> Path:
        """The home of the program on a host."""
        return self.folder / f"home{host}"

    def python(self, host: int, *words: str) -> Program:
        """Start Python on a host."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("P2PUNO")}
        environment |= {"P2PUNO_HOME": str(self.home(host)), "PYTHONPATH": str(ROOT)}
        command = [*self._enter(), "ip", "netns", "exec", f"h{host}", sys.executable, *words]
        program = Program(f"host {host}: {' '.join(words[:3])}", command, environment)
        self.programs.append(program)
        return program

    def p2puno(self, host: int, *words: str) -> Program:
        """Start the program on a host."""
        return self.python(host, "-m", "cli.main", *words)

    def journal(self, host: int) -> Path:
        """The one journal of a host."""
        (journal,) = self.home(host).rglob("*.p2puno")
        return journal

    def sitting(self, host: int) -> bool:
        """Whether a table has begun on a host."""
        return any(self.home(host).rglob("*.p2puno"))

    def listens(self, host: int, program: Program, port: int = PORT) -> bool:
        """Whether a program listens on a host.

        :raises AssertionError: it has ended
        """
        assert program.running, f"{program.name} has ended: {program.end(1)} {program.said}"
        listening = f":{port:04X}"
        for line in self._read_listeners(host):
            words = line.split()
            if len(words) > 3 and words[1].endswith(listening) and words[3] == "0A":
                return True
        return False

    def _read_listeners(self, host: int) -> list[str]:
        command = [*self._enter(), "ip", "netns", "exec", f"h{host}", "cat", "/proc/net/tcp", "/proc/net/tcp6"]
        return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()

    def close(self) -> None:
        """End everything."""
        self._switch.kill()  # its child is the init of the process namespace: all programs die with it
        self._switch.communicate()
        for program in self.programs:
            program.process.kill()
            for pipe in (program.process.stdout, program.process.stderr):
                if pipe is not None:
                    pipe.close()
            program.process.wait()


def until(seconds: float, what: str, true: Any) -> float:
    """Wait until a function gives something true; the seconds that it took.

    :raises AssertionError: it does not
    """
    began = time.monotonic()
    while not true():
        assert time.monotonic() < began + seconds, f"not within {seconds:.0f} seconds: {what}"
        time.sleep(0.02)
    return time.monotonic() - began


@contextmanager
def open_lan(hosts: int, folder: Path, seed: int = 1, four: bool = True, six: bool = True) -> Iterator[Lan]:
    """A `Lan` inside the block. `four`, `six`: with IPv4 addresses, with IPv6 ones beside the link-local ones.

    There is no default route and no name server.
    """
    lan = Lan(hosts, folder, seed, four, six)
    try:
        yield lan
    finally:
        lan.close()
