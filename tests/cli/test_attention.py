"""Bell, title and clock: what calls a player who looks elsewhere, and what does not (P18, T12)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from cli.bell import Bell
from cli.canvas import plain
from cli.draw import draw
from cli.manner import Manner
from cli.screen import TITLES
from cli.table.board import Board
from cli.table.look import Asked
from cli.table.timer import Countdown, limit
from cli.theme import ASCII
from p2puno.happenings import Happening, What
from p2puno.moves import Draw
from p2puno.needs import Decide, Window
from p2puno.outcome import Ending, Outcome
from p2puno.rules import Rules
from protocol.events import HandOver, Happened, MatchOver, Player
from tests.cli.fakes import NAMES as TEN
from tests.cli.fakes import FakeSession
from tests.cli.looks import my_turn, some_log
from tests.cli.terminal import until
from tests.cli.test_draw import at, over
from tests.cli.test_screen import Rig, play_until, with_screen

TURN = Happened((Happening(What.TURN, 0),))


def test_the_bell_rings_once_in_a_turn_and_at_every_window() -> None:
    """P18: the questions that follow in the same turn do not ring."""
    bell = Bell()
    bell.take(TURN)
    assert bell.rings(Asked.TURN)
    assert not bell.rings(Asked.DRAWN)
    assert not bell.rings(Asked.CHOICE)
    assert bell.rings(Asked.CATCH)
    assert bell.rings(Asked.CALL)
    bell.take(Happened((Happening(What.DREW, 1, n=1),)))
    assert not bell.rings(Asked.TURN), "asked again after a refusal"
    bell.take(TURN)
    assert not bell.rings(Asked.NOTHING)


def test_another_players_turn_does_not_ring_but_a_question_in_it_does() -> None:
    bell = Bell()
    bell.take(Happened((Happening(What.TURN, 2),)))
    assert bell.rings(Asked.CHALLENGE)


def test_a_new_hand_may_ring_again() -> None:
    bell = Bell()
    assert bell.rings(Asked.TURN)
    bell.take(HandOver(Outcome(Ending.EMPTY_HAND, 1, 0, ((), ())), (0, 0), 1))
    assert bell.rings(Asked.TURN)


def test_a_whole_hand_rings_once_for_each_turn_of_ours() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        await play_until(rig, lambda: rig.screen.board.ended)

    rig = with_screen(test, seats=3, seed=5)
    turns = sum(1 for move in rig.session.decided if not isinstance(move, Draw))
    assert 0 < rig.terminal.bells <= len(rig.session.decided) + len(rig.session.said)
    assert rig.terminal.bells >= turns // 2


@pytest.mark.parametrize("manner", [Manner(bell=False, title=False)])
def test_bell_and_title_can_be_turned_off(manner: Manner) -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")

    raw = with_screen(test, seats=4, seed=2, manner=manner).terminal.raw
    assert "\x07" not in raw
    assert "\x1b]2;" not in raw
    assert TITLES[0] not in raw


def test_the_title_tells_my_turn_and_is_given_back() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        assert "\x1b]2;p2puno: your turn\x07" in rig.terminal.raw
        rig.type("d")
        await until(lambda: "]2;p2puno\x07" in rig.terminal.raw, "the title of a table that waits for others")

    raw = with_screen(test, seats=4, seed=2).terminal.raw
    assert raw.index(TITLES[0]) < raw.index("]2;p2puno") < raw.index(TITLES[1])


def test_the_clock_counts_from_when_the_table_began_to_wait() -> None:
    """R57, R61, T19: a new need begins a new count, and what is no decision of a player is not counted."""
    session = FakeSession(2, 1, turn_seconds=30)
    game = session.deal()
    count = Countdown()
    count.see(session.view, 100.0, 30.0)
    assert isinstance(game.need, Decide) == (count.left(100.0) >= 0)
    while not isinstance(game.need, Decide):
        assert session._dealer is not None
        session._dealer.serve(game)
    assert limit(session.view, session.time_left) == 30
    assert limit(session.view, 47.6) == 48, "the bank counts"
    assert limit(session.view, None) == 0, "who watches may not know how much of the bank is left"
    count.see(session.view, 200.0, 30.0)
    assert count.left(200.0) == 30
    count.see(session.view, 215.0, 15.0)
    assert count.left(219.5) == 11
    assert count.left(1000.0) == 0
    count.see(session.view, 220.0, 90.0, gone=True)
    assert count.left(220.0) == 10, "a turn is not longer because the link is down"
    count.see(session.view, 222.0, 88.0)
    assert count.left(222.0) == 88, "the link is there again"
    count.see(session.view, 230.0, 80.0, gone=True)
    count.see(session.view, 240.0, 70.0, gone=True)
    assert count.left(240.0) == 20, "thirty seconds from when the link went down"
    game.need = Window((0,), 1)
    count.see(session.view, 300.0, None)
    assert count.left(300.0) == session.rules.uno_window  # type: ignore[union-attr]
    count.see(None, 301.0, None)
    assert count.left(301.0) == -1


def test_the_time_left_of_everybody_is_in_the_title_and_mine_is_urgent_at_the_end() -> None:
    """T12: shown to all."""
    look = replace(my_turn("Y5", playable=("Y5",)), left=42)
    assert plain(draw(look, some_log(), at(look), 80, 24, ASCII).rows)[0].endswith("YOUR TURN 0:42")
    late = replace(look, left=9)
    title = draw(late, some_log(), at(late), 80, 24, ASCII).rows[0]
    assert title[-1].style == "alarm"
    other = replace(late, asked=Asked.NOTHING, seats=tuple(replace(s, turn=s.seat == 1) for s in late.seats))
    title = draw(other, some_log(), at(other), 40, 15, ASCII).rows[0]
    assert "".join(piece.text for piece in title).endswith("Bo's turn 0:09 ")
    assert title[-1].style == "title"


def test_ten_seconds_before_the_end_the_bell_rings_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """T12, with the clock turned forward."""
    ahead = 0.0
    monkeypatch.setattr("cli.screen.clock", lambda: ahead)
    monkeypatch.setattr("cli.screen.SECOND", 0.005)

    async def test(rig: Rig) -> None:
        nonlocal ahead
        await rig.shows("YOUR TURN 1:00")
        assert rig.terminal.bells == 1
        ahead = 20.0
        await rig.shows("YOUR TURN 0:40")
        assert rig.terminal.bells == 1
        ahead = 50.0
        await rig.shows("YOUR TURN 0:10")
        await until(lambda: rig.terminal.bells == 2, "the warning")
        ahead = 51.0
        await rig.shows("YOUR TURN 0:09")
        await asyncio.sleep(0.02)
        assert rig.terminal.bells == 2

    with_screen(test, seats=4, seed=2)


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
def test_the_end_of_a_hand_of_ten_names_the_winner_and_has_the_rest_in_the_log(size: tuple[int, int]) -> None:
    """P22: points for every loser, however many there are."""
    rules = Rules.make("batman", score_target=500)
    players = tuple(Player(name, bytes([i]) * 32, i > 0) for i, name in enumerate(TEN))
    held = tuple(() if i == 1 else tuple(range(i, i + 9)) for i in range(10))
    board_of_ten = Board()
    board_of_ten.narrator.at(players, 0, rules)
    board_of_ten.take(HandOver(Outcome(Ending.EMPTY_HAND, 1, 510, held), (0, 510, *(7,) * 8), 3))
    board_of_ten.take(MatchOver(1, (0, 510, *(7,) * 8)))
    look = my_turn("Y5", seats=10)
    text = "\n".join(plain(draw(look, board_of_ten, at(look), *size, ASCII).rows))
    assert "Bo wins hand 3 with 510 points" in text
    assert "Bo wins the match" in text
    if size == (80, 24):
        assert all(f"{name} held" in text for name in TEN if name != "Bo")
    else:
        assert "more: l" in text
    board_of_ten.press("l", 5)
    seen = ""
    for _ in range(30):
        seen += "\n".join(plain(draw(look, board_of_ten, at(look), *size, ASCII).rows))
        board_of_ten.press("pageup", 3)
    everything = " ".join(seen.split())
    for name in TEN:
        assert name == "Bo" or f"{name} held" in everything
    assert "500 points win the match" in everything


def test_the_end_of_a_hand_stands_until_the_next_question() -> None:
    """P22: winner, cards and points of every loser, totals."""
    look = my_turn("Y5", playable=("Y5",))
    text = "\n".join(plain(draw(look, over(), at(look), 80, 24, ASCII).rows))
    for line in ("Bo wins hand 3 with 79 points", "Mia held R9 W4: 59", "Score: Bo 79", "Bo wins the match"):
        assert line in text
