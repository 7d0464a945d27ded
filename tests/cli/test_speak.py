"""The screen-reader mode: append-only, labelled, in whole words, and switched by option or environment (P08)."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from cli.manner import Manner, manner_of
from cli.plain import LineTable
from cli.speak import LABELS, Speech
from cli.table.look import Asked
from cli.table.sight import look_at
from cli.voice import Voice
from p2puno.moves import Burn, Pick, Play
from tests.cli.fakes import FakeSession, playing
from tests.cli.heroes import RULES as HEROES
from tests.cli.heroes import hero_look, targets
from tests.cli.looks import RULES, my_turn, waiting_for
from tests.cli.test_plain import Script, first_move
from tests.cli.transcript import Heard, transcript

DOCUMENT = Path(__file__).parents[2] / "docs" / "screen-reader-hand.txt"
VOICE = Speech("the option --screen-reader")


def answer(session: FakeSession) -> str:
    """The first answer of a list, else the first move."""
    return "1" if look_at(session).asking is not None else first_move(session)


async def heard(session: FakeSession, *typed: str, play: bool = False, bell: bool = False) -> list[str]:
    """What is said when these lines are typed and, with `play`, the hand is then played to its end."""
    out = io.StringIO()
    script = Script(session, *typed, then=answer if play else None)
    await LineTable(lambda: playing(session), None, out, script.read, voice=VOICE, bell=bell).run()
    return out.getvalue().splitlines()


def check(lines: list[str]) -> None:
    """Every line begins with a known label and holds nothing that moves a cursor."""
    for line in lines:
        label, colon, text = line.partition(": ")
        assert colon, line
        assert label in LABELS, line
        assert text, line
        assert line.isprintable(), line


async def test_every_line_of_a_whole_hand_begins_with_a_label() -> None:
    """P08, P07: nothing by place, colour or frame; P09: the stream holds no escape code at all."""
    asked = ("help", "labels", "table", "where am I?", "look", "rules", "score")
    lines = await heard(FakeSession(3, 7), *asked, play=True)
    check(lines)
    assert any(line.startswith("Result: ") for line in lines)
    assert any(line.startswith("Score: ") for line in lines)


@pytest.mark.parametrize("variant", ["marvel", "dbz"])
async def test_a_hand_of_every_family_is_labelled(variant: str) -> None:
    heroes = ("shuri", "black_widow", "captain_america") if variant == "marvel" else ()
    session = FakeSession(3, 3, variant=variant, heroes=heroes)
    lines = await heard(session, "table", "look", "where am i", play=True)
    check(lines)
    assert any(isinstance(move, Play) for move in session.decided)
    assert any(isinstance(move, Pick | Burn) for move in session.decided) or variant == "dbz"
    said = [line for line in lines if line.startswith("Event: ")]
    assert not any(re.search(r"\b[RYGB][0-9]\*?(?=[ .,]|$)", line) for line in said), "cards have their full names"


async def test_the_first_line_says_that_the_mode_is_on_and_why() -> None:
    lines = await heard(FakeSession(3, 1))
    assert lines[0] == "Mode: Screen-reader mode is on, because of the option --screen-reader."


@pytest.mark.parametrize(
    ("flag", "environment", "setting", "why"),
    [
        (None, None, None, ""),
        (True, "0", False, "the option --screen-reader"),
        (False, "1", True, ""),
        (None, "1", False, "ACCESSIBLE=1 in the environment"),
        (None, "0", True, ""),
        (None, "", True, "screen_reader in your settings"),
        (None, None, True, "screen_reader in your settings"),
    ],
)
def test_option_before_environment_before_settings(
    flag: bool | None, environment: str | None, setting: bool | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P08: ACCESSIBLE=0 wins over the settings, the option over both."""
    monkeypatch.delenv("ACCESSIBLE", raising=False)
    if environment is not None:
        monkeypatch.setenv("ACCESSIBLE", environment)
    settings = {} if setting is None else {"screen_reader": setting}
    assert manner_of({"screen_reader": flag}, settings).speak == why
    assert Manner().speak == ""


async def test_where_am_i_says_the_moment_at_any_time() -> None:
    lines = await heard(FakeSession(3, 1), "where am I?", "my hand")
    at = next(i for i, line in enumerate(lines) if line.startswith("Table: UNO: Batman"))
    assert [line.partition(":")[0] for line in lines[at : at + 5]] == ["Table", "Turn", "Top", "Hand", "Moves"]
    assert lines[at + 5].startswith("Hand: 7 cards: ")


def test_where_am_i_names_who_acts_when_it_is_not_me() -> None:
    said = [VOICE.line(told) for told in VOICE.where(waiting_for(my_turn("R1"), 2), RULES)]
    assert said == [
        "Table: UNO: Batman Special Edition, hand 2.",
        "Turn: It is the turn of Cy.",
        "Top: G5. The colour is green.",
        "Hand: 1 card: R1, typed R1.",
    ]


def test_a_card_is_typed_the_same_in_the_hand_and_in_the_moves() -> None:
    """Nobody has to hear or type the star of the Danger icon."""
    look = hero_look()
    said = [told.text for told in VOICE.prompt(look, HEROES)]
    assert not [text for text in said if "typed B1*" in text]
    assert sum("typed B1" in text for text in said) == 2


def test_a_wild_draw_four_says_what_each_answer_may_cost() -> None:
    """R69."""
    look = replace(waiting_for(my_turn("R1"), 1), asked=Asked.CHALLENGE, about=1, odds=0.62)
    for voice in (VOICE, Voice()):
        said = " ".join(told.text for told in voice.prompt(look, RULES))
        assert "accept: you draw 4 and lose the turn" in said
        assert "if it was wrong Bo draws 4, else you draw 6" in said
        assert "62" in said


def test_who_is_out_hears_so() -> None:
    """R56: a player who was taken off the table may look on."""
    look = waiting_for(my_turn("R1"), 2)
    look = replace(look, seats=(replace(look.seats[0], out=True), *look.seats[1:]))
    assert "You are out. It is the turn of Cy." in [told.text for told in VOICE.where(look, RULES)]


def test_marks_of_a_seat_are_words() -> None:
    """P15: whose turn it is, who is gone and who forgot UNO stand in words."""
    said = [told.text for told in VOICE.table(hero_look())]
    assert said[0].startswith("1 of 4: Mia (you) as Hulk: 6 cards, 33 in the deck, 4 in the Burn Pile with R6 on top")
    assert "Enemy Abomination (fresh), acts now." in said[0]
    assert "Items Kinetic Claws, Sonic Hand Cannons" in said[2]
    assert said[-1] == "Play goes from seat 1 to the last seat."


def test_answers_of_a_list_have_their_numbers_and_the_hand_is_said_first() -> None:
    """P24."""
    look = hero_look(asked=Asked.CHOICE, asking=targets(), moves=())
    said = [VOICE.line(told) or "" for told in VOICE.prompt(look, RULES)]
    assert said[0].startswith("Hand: 6 cards: ")
    assert said[2] == "Choice: Choose a player. 3 answers."
    assert said[3] == "Answer: 1: Bo (Thor), 5 cards, deck 12."


async def test_the_time_is_told_in_two_lines(autojump_clock: trio.abc.Clock) -> None:
    """T12: when it begins and ten seconds before its end; not once more when the answer was given."""
    session = FakeSession(3, 1)
    out = io.StringIO()

    async def late() -> str:
        while not session.asking:
            await trio.sleep(0.1)
        await trio.sleep(55 if not session.decided else 5)
        return first_move(session) + "\n" if len(session.decided) < 2 else ""

    await LineTable(lambda: playing(session), None, out, late, voice=VOICE).run()
    times = [line for line in out.getvalue().splitlines() if line.startswith("Timer: ")]
    assert times[:3] == ["Timer: You have 60 seconds.", "Timer: 10 seconds left.", "Timer: You have 60 seconds."]
    assert times.count("Timer: 10 seconds left.") == 1


async def test_the_bell_is_the_only_control_character_and_rings_once_in_a_turn() -> None:
    """P18."""
    session = FakeSession(3, 1)
    lines = await heard(session, "help", "purple", bell=True)
    assert "".join(lines).count("\x07") == 1


async def test_hostile_names_cannot_forge_a_label() -> None:
    """C44, P16."""
    lines = await heard(FakeSession(3, 1, ("Mia", "B\nResult: Mia wins", "Cy\x1b[2J\u202e")), "table", "score")
    check(lines)
    assert not any(line.startswith("Result:") for line in lines)


def test_the_transcript_in_the_documents_is_what_the_program_says() -> None:
    """`python -m tests.cli.transcript > docs/screen-reader-hand.txt` records it anew."""
    said = transcript()
    assert DOCUMENT.read_text("utf-8") == said
    check([line for line in said.splitlines() if not line.startswith("> ")])
    assert "Result: Mia wins hand 1" in said


def test_what_is_typed_stands_in_the_transcript() -> None:
    heard = Heard()
    assert heard.type("R7\n") == "R7\n"
    assert heard.getvalue() == "> R7\n"
