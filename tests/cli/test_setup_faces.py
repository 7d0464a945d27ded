"""Before the start in every face: keys, mouse, typed lines; and a table that two people make ready over real links."""

from __future__ import annotations

import io
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from pathlib import Path
from random import Random

import trio
import trio.testing

from cli.pilot import Pilot
from cli.plain import LineTable
from cli.setup.model import Creator, Prepare
from cli.speak import LABELS, Speech
from cli.table.session import Session as TableSession
from cli.voice import Voice
from p2puno.bots import random_legal
from protocol.identity import Identity
from protocol.net.gathering import open_host, open_join
from tests.cli.fakes import playing
from tests.cli.gathering import Gathering
from tests.cli.test_screen import Rig, with_screen
from tests.cli.test_setup import HEROES

HOST = "127.0.0.1"


def test_a_table_is_made_ready_on_the_full_screen() -> None:
    """Keys alone: a hero, a seat, a bot, ready, and into the first turn."""
    session = Gathering(3, variant="marvel")

    async def test(rig: Rig) -> None:
        await rig.shows("1 of 3 seats taken, 0 ready")
        rig.type("h")
        await rig.shows("Whom do you play?")
        rig.type("\x1b[B\x1b[B\x1b[B\r")
        await rig.shows("Hulk                not ready")
        rig.type("\x1b[B\r")
        await rig.shows("> 2 Mia (you)")
        rig.type("b")
        await rig.shows("1 Ada (bot)")
        rig.type("\x1b[A\r")  # the bot's seat: they swap
        await rig.shows("> 1 Mia (you)")
        bo = session.comes("Bo")
        await rig.shows("not ready yet: you and Bo")
        rig.type("g")
        await rig.shows("not everybody is ready")
        rig.type("r")
        await rig.shows("not ready yet: Bo")
        session.wants(bo, ready=True)
        await rig.shows("hand 1")

    with_screen(test, session=session)
    assert session.changes[:3] == [Prepare(hero="hulk"), Prepare(seat=1), Creator.BOT]


def test_a_table_is_made_ready_with_the_mouse_alone() -> None:
    session = Gathering(2)

    async def test(rig: Rig) -> None:
        await rig.shows("r ready")

        def click(text: str) -> None:
            lines = rig.terminal.text.split("\n")
            y = next(y for y, line in enumerate(lines) if text in line)
            for end in "Mm":
                rig.type(f"\x1b[<0;{lines[y].index(text) + 2};{y + 1}{end}")

        click("2 free")
        await rig.shows("> 2 free")
        click("2 free")
        await rig.shows("> 2 Mia (you)")
        click("r ready")
        await rig.shows("r not ready")
        session.comes("Ada", bot=True)
        await rig.shows("hand 1")

    with_screen(test, session=session)


def test_leaving_before_the_start_asks_once() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("r ready")
        rig.type("q")
        await rig.shows("Leave the table?")
        rig.type("r")
        await rig.shows("r: say that you are ready")
        assert rig.session.changes == []
        rig.type("qq")
        await rig.ends()
        assert rig.session.left

    with_screen(test, session=Gathering(2))


class Typist:
    """Types a line whenever what it waits for has been printed; then it plays on until the table is over."""

    def __init__(self, out: io.StringIO, *steps: tuple[str, str]) -> None:
        self.out, self.steps = out, list(steps)

    async def read(self) -> str:
        if not self.steps:
            await trio.sleep_forever()
        wanted, line = self.steps.pop(0)
        with trio.fail_after(20):
            while wanted not in self.out.getvalue():
                await trio.sleep(0.01)
        return line + "\n"


async def told_in_lines(voice: Voice, *steps: tuple[str, str]) -> str:
    """What a table says to somebody who types these lines."""
    out = io.StringIO()
    session = Gathering(2, variant="marvel")
    typist = Typist(out, *steps)
    table = LineTable(lambda: playing(session), None, out, typist.read, voice=voice)
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.run)
            while typist.steps:
                await trio.sleep(0.01)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
    return out.getvalue()


async def test_a_table_is_made_ready_in_lines() -> None:
    text = await told_in_lines(
        Voice(),
        ("Type ready", "hero hulk"),
        ("You play Hulk", "seat 2"),
        ("You sit at seat 2 now", "table"),
        ("Waiting for 1 more player", "bot"),
        ("Ada (bot) sits down", "ready"),
        ("You are ready", "hand"),
    )
    assert "seat 2: Mia (you), Hulk, not ready" in text
    assert "making keys" in text or "Your hand" in text


async def test_in_whole_words_every_line_has_its_label() -> None:
    text = await told_in_lines(
        Speech("a test"),
        ("Type ready", "table"),
        ("Seat: Seat 2: free", "heroes"),
        ("Answer: Thor: free", "seat 9"),
        ("Error: ", "rules"),
        ("Rule: ", "help"),
    )
    assert "Start: Type ready when the table may begin" in text
    for line in text.splitlines():
        assert line.split(":")[0] in LABELS


# -- two people and a bot over real links


class Deciding(LineTable):
    """A person who types before the start, and lets a program decide at the table."""

    def _asked(self, session: TableSession) -> None:
        assert self._nursery is not None
        self._nursery.start_soon(Pilot(random_legal(Random(1)), 0.0).answer, session)


async def test_two_people_and_a_bot_make_a_table_ready_and_play(tmp_path: Path) -> None:
    """What is typed before the start at a real table, with what is refused; then the hand is played to its end."""
    ann, bob = io.StringIO(), io.StringIO()
    ann_types = Typist(
        ann,
        ("Bob sits down", "hero thor"),
        ("You play Thor", "start"),
        ("not taken: not everybody is ready", "seat 2"),
        ("not taken: somebody sits there", "ready"),
    )
    bob_types = Typist(
        bob,
        ("Ann plays Thor", "hero thor"),
        ("not taken: that hero is not free", "hero hulk"),
        ("You play Hulk", "seat 3"),
        ("You sit at seat 3 now", "ready"),
    )
    async with open_host(
        Identity.fresh(), "Ann", HEROES, seats=3, host=HOST, port=0, journal_dir=tmp_path / "ann", ready=False
    ) as hosted:

        def at_home() -> AbstractAsyncContextManager[TableSession]:
            return nullcontext(hosted)

        def joined(name: str, bot: bool) -> AbstractAsyncContextManager[TableSession]:
            return open_join(
                Identity.fresh(), name, hosted.addresses[0], journal_dir=tmp_path / name, bot=bot, ready=bot
            )

        tables = [
            Deciding(at_home, None, ann, ann_types.read),
            Deciding(partial(joined, "Bob", False), None, bob, bob_types.read),
            LineTable(partial(joined, "Ada", True), Pilot(random_legal(Random(2)), 0.0), io.StringIO()),
        ]
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(tables[0].run)
                nursery.start_soon(tables[1].run)
                while "You sit at seat 3 now" not in bob.getvalue():
                    await trio.sleep(0.01)
                nursery.start_soon(tables[2].run)
        assert [(player.name, player.hero) for player in hosted.players[::2]] == [("Ann", "thor"), ("Bob", "hulk")]
        winners = {table.record.match.winner for table in tables if table.record.match is not None}
        assert len(winners) == 1
