"""Before the start: what keys and lines mean, what is shown, and a table that two people make ready over real links."""

from __future__ import annotations

import pytest

from cli.canvas import plain, row_width
from cli.draw import draw
from cli.setup.draw import seat_rows, table_rows
from cli.setup.making import ORDER, Making, State
from cli.setup.model import Creator, Pane, Prepare, Setup
from cli.setup.typed import obey
from cli.setup.words import begin_lines, beside_lines, making_lines, unusual_lines
from cli.speak import LABELS
from cli.table.board import Board
from cli.table.chooser import Chooser
from cli.table.look import Look
from cli.theme import UNICODE
from cli.voice import Told
from p2puno.rules import Rules
from protocol.events import LobbyChanged, Phase, PhaseChanged, Player, Progress, Refused

HEROES = Rules.make("marvel")
CLASSIC = Rules.make("batman", hand_size=5)


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


def test_what_was_declined_is_gone_from_the_screen_once_it_is_granted() -> None:
    board = Board()
    for event in (LobbyChanged(people(False), 4, me=0), Refused("not everybody is ready", "wait")):
        board.narrator.at((), 0, CLASSIC)
        board.take(event)
    assert board.setup.note == "not everybody is ready: wait"
    board.take(LobbyChanged(people(True), 4, me=0))
    shown = "\n".join(plain(draw(Look(), board, Chooser(), 80, 24, UNICODE).rows))
    assert "not everybody is ready" not in shown
    assert not any("not taken" in line.text for line in board.log)


def test_who_looks_on_and_who_talks_are_no_rules_but_said() -> None:
    rules = Rules.make("batman", watchers=True, chat="off")
    setup = gathered(people(False), 4, rules)
    assert unusual_lines(rules) == []
    assert [line.split(":")[0] for line in beside_lines(rules)] == ["watchers on", "chat off"]
    told = [line.text for line in begin_lines(setup, asks=False)]
    assert told == beside_lines(rules)
    shown = "\n".join("".join(piece.text for piece in row) for row in table_rows(setup, 80))
    assert "official rules" in shown
    assert "differs" not in shown
    assert "watchers on: others may watch" in shown
    assert beside_lines(Rules.make("batman")) == []


def test_nobody_is_told_how_to_join_where_nobody_can() -> None:
    setup = gathered(people(True), 4, CLASSIC)
    assert begin_lines(setup, asks=False) == [Told("Rule", begin_lines(setup, asks=False)[0].text)]
    setup.take(LobbyChanged(people(True), 4, ("192.168.1.7:4242",), me=0), CLASSIC)
    assert begin_lines(setup, asks=False)[-1].text == "Others join with: p2puno join 192.168.1.7:4242"


def test_keys_that_mean_nothing_in_a_list_are_answered() -> None:
    setup = gathered(people(False))
    for pane in ("h", "o"):
        press(setup, pane, "z")
        assert setup.note == "z does nothing here"
        press(setup, "escape")


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


@pytest.mark.parametrize("columns", [40, 80])
def test_a_long_name_leaves_room_for_whose_seat_it_is(columns: int) -> None:
    """P06: the name is cut, not the word that says that the seat is ours."""
    setup = Setup()
    player = Player("花子はなこ王女様", bytes(32), False, seat=0)
    setup.take(LobbyChanged((player,), 2, me=0), None)
    rows = plain(seat_rows(setup, columns))
    assert any("(you)" in row for row in rows), rows
