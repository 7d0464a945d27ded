"""Before the start: what keys and lines mean, what is shown, and a table that two people make ready over real links."""

from __future__ import annotations

import io
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from pathlib import Path
from random import Random

import pytest
import trio
import trio.testing

from cli.canvas import plain, row_width
from cli.draw import draw
from cli.pilot import Pilot
from cli.plain import LineTable
from cli.setup.making import ORDER, Making, State
from cli.setup.model import Creator, Pane, Prepare, Setup
from cli.setup.typed import obey
from cli.setup.words import making_lines
from cli.speak import LABELS, Speech
from cli.table.board import Board
from cli.table.chooser import Chooser
from cli.table.look import Look
from cli.table.session import Session as TableSession
from cli.theme import UNICODE
from cli.voice import Voice
from p2puno.bots import random_legal
from p2puno.rules import Rules
from protocol.events import LobbyChanged, Phase, PhaseChanged, Player, Progress, Refused
from protocol.identity import Identity
from protocol.net.gathering import open_host, open_join
from tests.cli.fakes import playing
from tests.cli.gathering import Gathering
from tests.cli.test_screen import Rig, with_screen

HEROES = Rules.make("marvel")
CLASSIC = Rules.make("batman", hand_size=5)
HOST = "127.0.0.1"


def people(*ready: bool, heroes: tuple[str, ...] = (), bots: tuple[int, ...] = ()) -> tuple[Player, ...]:
    """Mia at seat 1 and others behind her, ready or not."""
    names = ("Mia", "Bo", "Cy", "Dot")
    return tuple(
        Player(names[i], bytes([i]) * 32, i in bots, hero=heroes[i] if heroes else "", seat=i, ready=ready[i])
        for i in range(len(ready))
    )


def gathered(
    players: tuple[Player, ...], wanted: int = 4, rules: Rules = HEROES, creator: bool = True, me: int = 0
) -> Setup:
    setup = Setup()
    setup.take(LobbyChanged(players, wanted, me=me, creator=creator), rules)
    return setup


def press(setup: Setup, *keys: str) -> object:
    """What the last of these keys asks for."""
    change: object = None
    for key in keys:
        meant, change = setup.press(key)
        assert meant, key
    return change


# -- keys


def test_ready_and_not_ready() -> None:
    assert press(gathered(people(False)), "r") == Prepare(ready=True)
    assert press(gathered(people(True)), "r") == Prepare(ready=False)


def test_a_hero_is_chosen_from_the_list() -> None:
    setup = gathered(people(False, False, heroes=("hulk", "shuri")))
    assert press(setup, "h") is None
    assert (setup.pane, setup.choices()[setup.cursor].mine) == (Pane.HEROES, True)
    press(setup, "home", "down")
    assert setup.choices()[setup.cursor].taken == "Bo"
    assert press(setup, "enter") is None
    assert "Bo" in setup.note
    assert press(setup, "down", "enter") == Prepare(hero="black_widow")
    assert setup.pane is Pane.SEATS
    assert press(setup, "h", "home", "enter") == Prepare(hero="")
    assert press(setup, "h", "end", "up", "escape") is None
    assert setup.pane is Pane.SEATS


def test_the_hero_that_one_has_is_asked_for_only_once() -> None:
    assert press(gathered(people(False, heroes=("hulk",))), "h", "enter") is None


def test_a_game_without_heroes_says_so() -> None:
    setup = gathered(people(False), rules=CLASSIC)
    assert press(setup, "h") is None
    assert setup.pane is Pane.SEATS
    assert "no heroes" in setup.note


def test_a_seat_is_chosen_by_arrows_or_by_a_second_click() -> None:
    setup = gathered(people(False, False))
    assert press(setup, "up", "enter") == Prepare(seat=3)
    assert setup.pick(2) is None
    assert setup.pick(2) == Prepare(seat=2)
    assert setup.pick(77) is None
    assert press(setup, "home", "s") == Prepare(seat=0)


def test_only_the_creator_adds_bots_and_begins() -> None:
    setup = gathered(people(True, True))
    assert press(setup, "b") is Creator.BOT
    assert press(setup, "g") is Creator.START
    full = gathered(people(True, True), wanted=2)
    assert press(full, "b") is None
    assert "all seats" in full.note
    guest = gathered(people(True, True), creator=False, me=1)
    for key in ("b", "g"):
        assert press(guest, key) is None
        assert "created" in guest.note


def test_keys_that_are_not_ours_are_left_to_others() -> None:
    setup = gathered(people(False))
    for key in ("q", "?", "l", "x", "pageup"):
        assert setup.press(key) == (False, None)
    setup.take(PhaseChanged(Phase.AGREE), HEROES)
    for key in ("r", "h", "enter"):
        assert setup.press(key) == (False, None)


def test_the_cursor_stays_on_a_seat_when_the_table_shrinks() -> None:
    setup = gathered(people(True, True))
    press(setup, "end")
    setup.take(LobbyChanged(people(True, True), 2, me=0), HEROES)
    assert setup.cursor == 1


def test_what_is_waited_for_is_said() -> None:
    assert gathered(people(True, True), 2).waiting() == "the table begins"
    assert gathered(people(True, True), 3).waiting() == "waiting for 1 more player"
    assert gathered(people(True, False), 2).waiting() == "not ready yet: Bo"
    assert gathered(people(False, False), 4).waiting() == "waiting for 2 more players; not ready yet: you and Bo"


def test_what_is_declined_is_shown_until_something_changes() -> None:
    setup = gathered(people(False))
    setup.take(Refused("that hero is not free"), HEROES)
    assert setup.note == "that hero is not free"
    setup.take(LobbyChanged(people(False), 4, me=0), HEROES)
    assert setup.note == ""


def test_every_pane_fills_every_size() -> None:
    """P12: with ten at the table, long texts, and hostile names."""
    rules = Rules.make("batman", hand_size=5, stacking=True)
    ten = tuple(Player(f"\x1b[2J漢字{n}" * 3, bytes([n]) * 32, n > 5, seat=n, ready=n % 2 == 0) for n in range(10))
    for wanted, players, played in ((10, ten, rules), (4, people(False, True, heroes=("thor", "hulk")), HEROES)):
        for keys in ((), ("h", "down"), ("o", "pagedown", "pagedown"), ("up",)):
            board = Board()
            board.narrator.at(players, -1, played)
            board.take(LobbyChanged(players, wanted, ("10.0.0.1:1",), "zudaro-pimebi", 0, True))
            for key in keys:
                board.setup.press(key)
            for columns in (20, 39, 40, 41, 60, 71, 72, 80, 133, 500):
                for rows in (5, 14, 15, 16, 22, 24, 60, 200):
                    drawn = draw(Look(), board, Chooser(), columns, rows, UNICODE).rows
                    assert len(drawn) == rows
                    assert {row_width(row) for row in drawn} == {columns}
                    assert "\x1b" not in "".join(plain(drawn))


@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
@pytest.mark.parametrize("creator", [True, False])
def test_the_help_has_room_and_tells_of_the_creators_keys_to_the_creator_alone(
    size: tuple[int, int], creator: bool
) -> None:
    board, chooser = Board(), Chooser()
    board.narrator.at((), -1, HEROES)
    board.take(LobbyChanged(people(False), 4, me=0, creator=creator))
    chooser.press("?", Look())
    text = "\n".join(plain(draw(Look(), board, chooser, *size, UNICODE).rows))
    for key in ("r  ", "h  ", "o  ", "q  "):
        assert f"\n {key}" in text
    assert ("let a bot take a free seat" in text) == (creator and size == (80, 24))
    assert all(len(line) <= size[0] for line in text.split("\n"))


# -- what all make together


def test_stages_follow_one_another_and_seconds_are_counted() -> None:
    making = Making()
    assert not making.begun
    making.now = 50.0
    making.take(PhaseChanged(Phase.COMMIT, 1))
    making.take(Progress("reveal", 1, 2, (1,), proofs=2))
    making.now = 53.9
    assert [state for _, state in making.stages(escrow=False)] == [
        State.DONE,
        State.DONE,
        State.NOW,
        State.LATER,
        State.LATER,
    ]
    assert (making.seconds, making.proofs) == (3, 2)
    assert len(making.stages(escrow=True)) == len(ORDER)
    making.take(Progress("shuffle", 1, 2, (1,), 1, 2, proofs=2))
    assert making.seconds == 0
    making.now = 60.0
    making.take(Progress("shuffle", 1, 2, (1,), 2, 2, proofs=2))  # the next round begins to count anew
    assert making.seconds == 0
    making.take(Progress("move", 0, 1, (1,), proofs=9))
    assert making.running is None


def test_proofs_are_counted_by_hand() -> None:
    making = Making()
    making.take(PhaseChanged(Phase.COMMIT, 1))
    making.take(Progress("shares", 1, 2, (1,), proofs=12))
    making.take(PhaseChanged(Phase.COMMIT, 2))
    making.take(Progress("reveal", 1, 2, (1,), proofs=15))
    assert making.proofs == 3


def test_the_set_up_is_told_in_lines() -> None:
    setup = gathered(people(True, True, True), 3)
    setup.take(PhaseChanged(Phase.COMMIT, 1), HEROES)
    setup.take(Progress("shuffle", 1, 3, (1, 2), 2, 3, proofs=4), HEROES)
    assert making_lines(setup, ["Mia", "Bo"]) == [
        "stage 5 of 6: shuffle",
        "round 2 of 3, 1 of 3 are done, waiting for Bo and seat 3",
        "proofs that this program has verified: 4",
    ]


# -- lines


@pytest.mark.parametrize(
    ("line", "change"),
    [
        ("ready", Prepare(ready=True)),
        ("Not ready", Prepare(ready=False)),
        ("hero thor", Prepare(hero="thor")),
        ("hero Captain America", Prepare(hero="captain_america")),
        ("hero lot", Prepare(hero="")),
        ("seat 3", Prepare(seat=2)),
        ("bot", Creator.BOT),
        ("start", Creator.START),
        ("hero nobody", None),
        ("seat 9", None),
        ("seat", None),
        ("heroes", None),
        ("table", None),
        ("rules", None),
        ("help", None),
    ],
)
def test_lines_that_are_typed(line: str, change: object) -> None:
    answer = obey(line, gathered(people(False)))
    assert answer is not None
    lines, wanted = answer
    assert wanted == change
    assert bool(lines) == (change is None)
    assert all(one.label in LABELS for one in lines)


def test_lines_that_mean_nothing_before_the_start_are_left_to_others() -> None:
    for line in ("R7", "log", "look thor", "quit", "score"):
        assert obey(line, gathered(people(False))) is None


def test_only_the_creator_types_bot_and_start() -> None:
    for line in ("bot", "start"):
        answer = obey(line, gathered(people(False), creator=False))
        assert answer is not None
        assert (answer[1], answer[0][0].label) == (None, "Error")


# -- the faces


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
