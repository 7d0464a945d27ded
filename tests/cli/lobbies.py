"""Lobbies drawn by hand, so that a golden screen depends on nothing but the face.

`python -m tests.cli.lobbies` prints the screen that is in docs/lobby.md.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from cli.canvas import plain
from cli.lobby.draw import draw
from cli.lobby.intent import Replay, Resume
from cli.lobby.model import Lobby
from cli.lobby.pager import Block, Pager
from cli.theme import UNICODE
from p2puno.rules import Rules
from protocol.identity import words
from protocol.known import Acquaintance
from protocol.net.advert import Advert, digest, unusual_options
from protocol.net.discovery import Found, Sight

HERE = ("p2puno join 192.168.1.7:4242",)
NAMES = ("Ann", "Bo", "Cy", "Dot", "Eli")


def key(name: str) -> bytes:
    """A key that is always the same for a name."""
    return sha256(name.encode()).digest()


def found(name: str, rules: Rules | None = None, taken: int = 1, seats: int = 4, **more: object) -> Found:
    """A table of somebody; `stale` and what an advert has can be said."""
    rules = rules or Rules.make("batman")
    stale = bool(more.pop("stale", False))
    advert = Advert(
        key(name), name, rules.variant, taken, seats, digest(rules), False, False, rules.watchers,
        unusual_options(rules),
    )  # fmt: skip
    host = f"192.168.1.{10 + len(name) + ord(name[0]) % 50}"
    return Found(replace(advert, **more), ((host, 4242),), stale)  # type: ignore[arg-type]


def acquainted(name: str, whose: str = "") -> Acquaintance:
    """Somebody we know, by the key of `whose` name."""
    return Acquaintance(key(whose or name).hex(), name, "2026-01-01", "2026-01-02", 3, True)


KNOWN = [acquainted("Bo"), acquainted("Eli", "another Eli")]
TABLES = (
    found("Ann", Rules.make("batman", stacking=True, hand_size=5), taken=2),
    found("Bo", Rules.make("dc"), private=True),
    found("Cy", Rules.make("marvel", watchers=True), taken=3, seats=3, running=True),
    found("Dot", Rules.make("dbz"), stale=True),
    found("Eli", Rules.make("batman"), taken=3),
)


def a_page(name: str) -> Pager:
    """What the files say."""
    if name == "resume":
        lines = ("2026-11-30 09:40  UNO: Batman Special Edition, cut off: Mia, Ada, Bo", "  /home/mia/tables/a.p2puno")
        blocks = tuple(Block(lines, Resume(Path(f"{n}.p2puno"))) for n in range(3))
        return Pager("resume", blocks, "Enter: go on at this table")
    if name == "history":
        table = ("player     tables  tables won  hands  points", "Mia (you)       3           2      9     420")
        standing = Block(("Mia (you): 2 of 3 tables won, 4 of 9 hands, 420 points",), table=table)
        past = ("2026-11-30 09:40  UNO: Batman Special Edition, 2 players", "  won by Mia", "  Mia (you) 310, Bo 20")
        tables = (Block(past, Replay(Path(f"{n}.p2puno"))) for n in range(8))
        return Pager("history and standings", (standing, Block(("",)), *tables), "Enter: show this table again")
    return Pager("known players", (Block((f"Bo: {words(key('Bo'))} (3 tables, last on 2026-01-02)",)),))


def a_lobby(*keys: str, tables: tuple[Found, ...] = TABLES, trouble: str = "", searched: bool = True) -> Lobby:
    """A lobby that has seen these tables, after some keys."""
    lobby = Lobby("Mia", words(key("Mia")), HERE, a_page, searched=searched)
    lobby.see(Sight(tables, trouble), KNOWN)
    for each in keys:
        lobby.press(each)
    return lobby


if __name__ == "__main__":
    print("\n".join(plain(draw(a_lobby("home"), 80, 24, UNICODE).rows)))
