"""The line mode with a scripted stdin: append-only, teaching, polite at the end of its input (P05, P08)."""

from __future__ import annotations

import io
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from cli.pilot import Pilot
from cli.plain import LineTable
from cli.record import Record
from cli.stdin import HANGUP
from cli.table.session import Session
from cli.table.sight import look_at
from cli.table.words import hand_line, prompt, table_lines
from cli.text import broken, width
from cli.trouble import main_cause
from p2puno.bots import random_legal
from p2puno.card import print_move
from p2puno.moves import Draw, Keep
from p2puno.view import legal
from protocol.errors import Unreachable
from tests.cli.fakes import NAMES, FakeSession, playing
from tests.cli.looks import RULES, my_turn, waiting_for


class Script:
    """Types a line whenever the table asks something; then the end of the file."""

    def __init__(self, session: FakeSession, *lines: str, then: Callable[[FakeSession], str] | None = None) -> None:
        self.session, self.lines, self.then = session, list(lines), then

    async def read(self) -> str:
        # Like a person: reads what the table has to say before typing.
        await trio.testing.wait_all_tasks_blocked()
        while not self.session.asking:
            await trio.testing.wait_all_tasks_blocked()
        if self.lines:
            return self.lines.pop(0) + "\n"
        return self.then(self.session) + "\n" if self.then is not None else ""


async def lines_of(session: FakeSession, script: Script | None, pilot: Pilot | None = None) -> tuple[list[str], Record]:
    out = io.StringIO()

    async def nothing() -> str:
        await trio.sleep_forever()
        return ""

    table = LineTable(lambda: playing(session), pilot, out, script.read if script is not None else nothing)
    record = await table.run()
    assert "\x1b" not in out.getvalue()
    assert "\r" not in out.getvalue()
    return out.getvalue().splitlines(), record


def first_move(session: FakeSession) -> str:
    """The first legal move, as it is typed."""
    view = session.view
    assert view is not None
    if view.uncalled >= 0:
        return "uno" if view.uncalled == 0 else "catch"
    return print_move(view.rules, legal(view)[0])


async def test_a_whole_match_is_played_by_typing() -> None:
    session = FakeSession(3, 7, hands=2)
    lines, record = await lines_of(session, Script(session, then=first_move))
    assert record.exit_code == 0
    assert len(record.hands) == 2
    assert any("wins the match" in line or "tied" in line for line in lines)
    assert len(session.decided) > 5


async def test_the_end_of_stdin_does_not_hide_that_nobody_answers() -> None:
    """N05: `p2puno join ADDRESS </dev/null` tells what is wrong, instead of leaving a table that is not there."""

    @asynccontextmanager
    async def nobody() -> AsyncIterator[Session]:
        await trio.testing.wait_all_tasks_blocked()
        raise Unreachable("nobody answers")
        yield

    async def ended() -> str:
        return ""

    out = io.StringIO()
    with pytest.raises(ExceptionGroup) as caught:
        await LineTable(nobody, out=out, read=ended).run()
    assert isinstance(main_cause(caught.value), Unreachable)
    assert "leave" not in out.getvalue()


async def test_a_table_that_lets_us_wait_is_told_of(autojump_clock: trio.testing.MockClock) -> None:
    """A host that drops what is sent to it answers after seconds, if at all; a minute without a word looks like a
    fault."""

    @asynccontextmanager
    async def slow() -> AsyncIterator[Session]:
        await trio.sleep(5)
        raise Unreachable("no answer from 10.0.0.1:4242")
        yield

    out = io.StringIO()
    with pytest.raises(ExceptionGroup):
        await LineTable(slow, out=out, read=trio.sleep_forever).run()
    assert "Waiting for the table to answer ..." in out.getvalue()


async def test_the_end_of_stdin_leaves_politely() -> None:
    session = FakeSession(3, 1)
    lines, record = await lines_of(session, Script(session))
    assert session.left
    assert record.left
    assert record.exit_code == 0
    assert "You leave the table." in lines


@pytest.mark.skipif(not HANGUP, reason="no such signal on this system")
@pytest.mark.parametrize("told", [True, False], ids=["by its signal", "before its signal"])
async def test_a_terminal_that_has_gone_is_no_leaving(told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """N02: nobody has said to leave, so the seat can be taken up again; the end of a pipe is another thing."""
    session = FakeSession(3, 1)
    terminal = [True]
    monkeypatch.setattr("cli.plain.os.isatty", lambda descriptor: terminal[0])

    async def read() -> str:
        await trio.testing.wait_all_tasks_blocked()
        terminal[0] = False
        if told:
            os.kill(os.getpid(), HANGUP)
            await trio.sleep_forever()
        return ""

    table = LineTable(lambda: playing(session), out=io.StringIO(), read=read)
    record = await table.run()
    assert not session.left
    assert not record.left
    assert table.signal == HANGUP


@pytest.mark.skipif(not HANGUP, reason="no such signal on this system")
async def test_a_program_that_was_told_to_outlive_the_terminal_does() -> None:
    """As `nohup p2puno bot ADDRESS` is: the end of the signal's way is the system's to say."""
    before = signal.signal(HANGUP, signal.SIG_IGN)
    session = FakeSession(3, 7)
    try:
        read = Script(session, then=first_move).read

        async def hung_up() -> str:
            os.kill(os.getpid(), HANGUP)
            return await read()

        table = LineTable(lambda: playing(session), out=io.StringIO(), read=hung_up)
        record = await table.run()
    finally:
        signal.signal(HANGUP, before)
    assert record.match is not None
    assert table.signal == 0


async def test_lines_are_broken_before_words_where_they_are_read_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    session = FakeSession(3, 1)
    out = io.StringIO()
    table = LineTable(lambda: playing(session), None, out, Script(session, "help").read)
    table.breaks = True
    await table.run()
    lines = out.getvalue().splitlines()
    assert max(width(line) for line in lines if " " in line.strip()) <= 30
    assert any(line.startswith("  ") for line in lines)
    session = FakeSession(3, 1)
    whole, _ = await lines_of(session, Script(session, "help"))
    assert max(map(width, whole)) > 30, "a pipe gets whole lines"


def test_a_line_is_broken_between_words_only() -> None:
    assert broken("Your hand: R: 3 6  Y: 1 8", 40) == ["Your hand: R: 3 6  Y: 1 8"]
    assert broken("Your hand: R: 3 6  Y: 1 8", 20) == ["Your hand: R: 3 6", "  Y: 1 8"]
    assert broken("  a bb ccc", 7) == ["  a bb", "    ccc"]
    assert broken("Journal: /a/long/path/of/a/file", 10) == ["Journal:", "  /a/long/path/of/a/file"]
    assert broken("", 10) == [""]
    assert broken("語語 語語 語", 10) == ["語語 語語", "  語"]


async def test_quit_asks_once() -> None:
    session = FakeSession(3, 1)
    lines, _ = await lines_of(session, Script(session, "quit", "hand", "quit", "quit", "never read"))
    assert lines.count("Leave the table? Type quit again to leave, anything else to stay.") == 2
    assert session.left


async def test_what_cannot_be_read_or_does_not_fit_teaches() -> None:
    session = FakeSession(3, 1)
    lines, _ = await lines_of(session, Script(session, "xyzzy", "w>purple", "uno"))
    text = "\n".join(lines)
    assert "'xyzzy' is no move" in text
    assert "say a card" in text
    assert "end your last play but one with !" in text
    assert session.decided == []


async def test_a_wild_in_capitals_is_no_short_word() -> None:
    """`w` is short for where; who types the W of the hand is told of the colour that it lacks."""
    session = FakeSession(3, 1)
    lines, _ = await lines_of(session, Script(session, "W"))
    assert lines[0] == "Type help to see what can be typed."
    assert not any("cards to draw" in line for line in lines), "the table was not asked for"
    assert any("W" in line and ("colour" in line or "no" in line) for line in lines[-4:])


async def test_words_that_work_at_any_time() -> None:
    session = FakeSession(3, 1)
    lines, _ = await lines_of(session, Script(session, "help", "hand", "table", "score", "rules"))
    text = "\n".join(lines)
    for expected in ("draw, keep", "Your hand: ", "Mia: 7 cards", "Score: ", "uno_window 3"):
        assert expected in text


async def test_where_says_the_table_and_the_question_and_log_what_happened_last() -> None:
    session = FakeSession(3, 1)
    lines, _ = await lines_of(session, Script(session, "where", "log", "my hand"))
    turns = [i for i, line in enumerate(lines) if line.startswith("Your turn. Top card ")]
    assert len(turns) == 2
    assert lines[turns[1] - 1].endswith("Play goes down this list.")
    last = lines[turns[1] + 3 : -2]
    assert last[-1] == next(line for line in reversed(lines[: turns[0]]) if line), "the newest stands last"
    assert len(last) <= 10
    assert lines[-2].startswith("Your hand: ")


async def test_the_turn_names_the_top_card_the_hand_and_the_moves() -> None:
    session = FakeSession(3, 1)
    lines, _ = await lines_of(session, Script(session))
    turn = next(i for i, line in enumerate(lines) if line.startswith("Your turn. Top card "))
    assert lines[turn + 1].startswith("Your hand: ")
    assert lines[turn + 2].startswith(("Moves: ", "No card fits"))


async def test_a_pilot_plays_without_reading_stdin() -> None:
    session = FakeSession(3, 3)
    lines, record = await lines_of(session, None, Pilot(random_legal(session._dice), 0))
    assert record.exit_code == 0
    assert not any("Your turn" in line for line in lines)
    assert any(line.startswith("You play") for line in lines)


async def test_bots_wait_half_the_window_before_they_catch(autojump_clock: trio.abc.Clock) -> None:
    """R61: a person must have a chance to call, or to be first."""
    session = FakeSession(2, 1, forgetful=True, uno_window=4, hands=3)
    pilot = Pilot(random_legal(session._dice, forgets=False), 0.6)
    async with playing(session):
        catches = []
        async for _ in session.events:
            if session.asking:
                start = trio.current_time()
                catching = session.view is not None and session.view.uncalled > 0
                await pilot.answer(session)
                if catching:
                    catches.append(trio.current_time() - start)
                else:
                    assert trio.current_time() - start == pytest.approx(0.6)
    assert catches
    assert all(wait >= 2 for wait in catches)


async def test_a_pilot_whose_moment_has_passed_says_nothing(autojump_clock: trio.abc.Clock) -> None:
    session = FakeSession(2, 1)
    pilot = Pilot(random_legal(session._dice), 1.0)
    async with playing(session), trio.open_nursery() as nursery:
        while not session.asking:
            await session.events.receive()
        nursery.start_soon(pilot.answer, session)
        nursery.start_soon(pilot.answer, session)  # asked again: only the last one answers
        await trio.sleep(5)
        assert len(session.decided) == 1


async def test_a_pilot_waits_while_somebody_is_taken_off_the_table(autojump_clock: trio.abc.Clock) -> None:
    """R56: what was asked of us is asked still, but the table has something to do before; then it asks again."""
    session = FakeSession(2, 1)
    pilot = Pilot(random_legal(session._dice), 1.0)
    async with playing(session), trio.open_nursery() as nursery:
        while not session.asking:
            await session.events.receive()
        nursery.start_soon(pilot.answer, session)
        session.asking = False
        await trio.sleep(5)
        assert not session.decided
        session.asking = True
        await pilot.answer(session)
        assert len(session.decided) == 1


def test_the_hand_is_grouped_by_colour() -> None:
    """P14."""
    look = my_turn("R1", "R+2", "G9", "W", "W4")
    assert hand_line(look) == "Your hand: R: 1 +2  G: 9  Wild: W W4"


def test_the_prompt_lists_moves_in_the_notation() -> None:
    look = my_turn("R1", "G9", "W", playable=("G9", "W"))
    assert prompt(look, RULES)[-1] == "Moves: G9 W>R/Y/G/B draw"
    two = my_turn("G9", "R1", playable=("G9",))
    assert prompt(two, RULES)[-2:] == ["Moves: G9 draw", "This play leaves you one card: call UNO with !, as in G9!"]
    none = my_turn("R1")
    assert prompt(none, RULES)[-1] == "No card fits (needs green, 5 or a Wild). Moves: draw"


def test_the_table_says_whose_turn_it_is_in_words() -> None:
    """P15."""
    lines = table_lines(waiting_for(my_turn("R1"), 2))
    assert lines[2] == "Cy: 5 cards, 80 points (bot, acts now)"
    assert lines[-1] == "Top card G5, colour green. 61 cards to draw. Play goes down this list."


async def test_hostile_names_are_cleaned_in_every_line() -> None:
    """C44."""
    session = FakeSession(3, 1, ("Mia", "B\x1b[2Jo", "C\u202ey"))
    lines, _ = await lines_of(session, Script(session, "table", "score"))
    assert all(line.isprintable() for line in lines)
    assert not any("\u202e" in line for line in lines)


async def test_a_card_drawn_that_does_not_fit_is_kept_without_asking() -> None:
    """P24."""
    session = FakeSession(2, 4)
    lines, _ = await lines_of(session, Script(session, then=first_move))
    assert Draw() in session.decided
    assert Keep() in session.decided
    assert "The card drawn does not fit: you keep it" in lines


async def test_the_view_of_a_table_hides_other_hands() -> None:
    session = FakeSession(3, 1)
    async with playing(session):
        while not session.asking:
            await session.events.receive()
        look = look_at(session)
    assert len(look.hand) == 7
    assert [seat.name for seat in look.seats] == list(NAMES[:3])
