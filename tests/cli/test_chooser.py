"""Keys become intents, and nothing is sent by accident (P19, P21, R09)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.table.asking import Option, pick
from cli.table.chooser import SIGNS, Chooser, Leave, Question
from cli.table.look import Asked, Look
from p2puno.moves import Accept, Challenge, Draw, Keep, Pick, Play
from p2puno.needs import Say
from tests.cli.looks import face, hand, my_turn, plays, waiting_for

TURN = my_turn("R1", "Y5", "G9", "W", playable=("Y5", "G9", "W"))


def keys(chooser: Chooser, look: Look, *pressed: str) -> object:
    """Press keys, the last one's intent."""
    intent = None
    for key in pressed:
        intent = chooser.press(key, look)
    return intent


def fresh(look: Look) -> Chooser:
    chooser = Chooser()
    chooser.asked_anew(look)
    return chooser


def test_the_cursor_starts_on_a_card_that_fits_and_the_preview_says_what_enter_does() -> None:
    chooser = fresh(TURN)
    assert chooser.preview(TURN) == "Enter: play Y5"
    assert keys(chooser, TURN, "enter") == Play(1, face("Y5"))


def test_arrows_and_digits_choose() -> None:
    chooser = fresh(TURN)
    assert keys(chooser, TURN, "right", "enter") == Play(2, face("G9"))
    assert keys(chooser, TURN, "2", "enter") == Play(1, face("Y5"))
    assert keys(chooser, TURN, "end", "right") is None
    assert chooser.cursor == 0


def test_letters_choose_a_card_of_their_colour_and_a_wild() -> None:
    look = my_turn("R1", "R2", "G9", "W", playable=("G9", "W"))
    chooser = fresh(look)
    places = []
    for key in ("r", "r", "r", "g", "w"):
        keys(chooser, look, key)
        places.append(chooser.cursor)
    assert places == [0, 1, 0, 2, 3]
    keys(chooser, look, "r")
    assert (chooser.cursor, chooser.preview(look)) == (3, "Enter: play W as red"), "on a Wild they name its colour"
    chooser.move_to(look, 0)
    keys(chooser, look, "y")
    assert (chooser.cursor, chooser.note) == (0, "you have no card in yellow")
    wildless = my_turn("R1", "G9", playable=("G9",))
    assert keys(fresh(wildless), wildless, "w") is None
    empty = my_turn()
    for key in "rygbw":
        assert keys(fresh(empty), empty, key) is None


def test_a_card_that_does_not_fit_is_explained_not_sent() -> None:
    chooser = fresh(TURN)
    assert keys(chooser, TURN, "1", "enter") is None
    assert chooser.note == "R1 does not fit: needs green, 5 or a Wild"


def test_a_wild_is_sent_only_with_a_colour_and_escape_takes_it_back() -> None:
    """R09, R11: the colour is part of the move."""
    chooser = fresh(TURN)
    assert keys(chooser, TURN, "4", "enter") is None
    assert "name the colour" in chooser.note
    assert keys(chooser, TURN, "b") is None
    assert chooser.preview(TURN) == "Enter: play W as blue"
    assert keys(chooser, TURN, "escape", "enter") is None
    assert keys(chooser, TURN, "g", "enter") == Play(3, face("W"), 2)


def test_uno_is_toggled_on_the_play_that_leaves_one_card() -> None:
    """R60."""
    two = my_turn("Y5", "W", playable=("Y5", "W"))
    chooser = fresh(two)
    assert "u call UNO" in chooser.preview(two)
    keys(chooser, two, "2", "b", "u")
    assert chooser.preview(two) == "Enter: play W as blue and call UNO"
    assert keys(chooser, two, "enter") == Play(1, face("W"), 3, True)
    three = fresh(TURN)
    assert keys(three, TURN, "u") is None
    assert not three.uno
    assert "UNO counts only" in three.note


def test_draw_keep_and_what_is_not_possible() -> None:
    assert keys(fresh(TURN), TURN, "d") == Draw()
    held = hand("R1", "G2", playable=("G2",), drawn="G2")
    drawn = replace(TURN, hand=held, asked=Asked.DRAWN, moves=(*plays(held), Keep()))
    chooser = fresh(drawn)
    assert chooser.preview(drawn) == "Enter: play G2"
    assert keys(chooser, drawn, "d") is None
    assert "drawn already" in chooser.note
    assert keys(chooser, drawn, "k") == Keep()
    assert keys(chooser, drawn, "1", "enter") is None
    assert "only the card just drawn" in chooser.note


def test_windows_and_challenges() -> None:
    """R61, R68, P19: a challenge asks once, a catch does not."""
    window = replace(waiting_for(TURN, 1), asked=Asked.CATCH, about=1)
    assert keys(fresh(window), window, "c") is Say.CATCH
    assert keys(fresh(window), window, "p") is Say.PASS
    own = replace(waiting_for(TURN, 1), asked=Asked.CALL, about=0)
    assert keys(fresh(own), own, "u") is Say.CALL
    asked = replace(waiting_for(TURN, 1), asked=Asked.CHALLENGE, about=1, odds=0.62)
    chooser = fresh(asked)
    assert keys(chooser, asked, "c") is None
    assert "62 of 100" in chooser.preview(asked)
    assert keys(chooser, asked, "x") is None
    assert chooser.question is None
    assert keys(chooser, asked, "c", "c") == Challenge()
    assert keys(fresh(asked), asked, "a") == Accept()


def test_what_a_question_says_of_its_keys_is_so() -> None:
    """Every key that a question names does that, every other one goes back; a challenge tells what it may cost."""
    asked = replace(waiting_for(TURN, 1), asked=Asked.CHALLENGE, about=1, odds=0.62)
    chooser = fresh(asked)
    assert "a accept (draw 4)" in chooser.preview(asked)
    keys(chooser, asked, "c")
    says = "Enter or c: challenge Bo, wrong with 62 of 100 random hands; if that fails you draw 6   any other key: back"
    assert chooser.preview(asked) == says
    for question, names in (("c", ("enter", "c")), ("q", ("enter", "q"))):
        for key in ("enter", "q", "y", "c", "a", "escape", "left", "1"):
            assert (keys(fresh(asked), asked, question, key) is not None) == (key in names), (question, key)


def test_the_help_has_a_second_page_and_says_what_keys_do_there() -> None:
    chooser = fresh(TURN)
    keys(chooser, TURN, "?")
    assert chooser.preview(TURN) == "?: what the signs mean   else: back", "Enter plays nothing here"
    assert keys(chooser, TURN, "enter") is None
    assert chooser.help == 0
    keys(chooser, TURN, "?", "?")
    assert (chooser.help, chooser.preview(TURN)) == (SIGNS, "any key: back")
    keys(chooser, TURN, "?")
    assert chooser.help == 0


@pytest.mark.parametrize("asked", [Asked.CATCH, Asked.CALL])
def test_a_window_of_seconds_closes_what_is_read(asked: Asked) -> None:
    """R61: who reads a card or the help does not miss it, and its keys work at once."""
    window = replace(waiting_for(TURN, 1), asked=asked, about=1)
    for key in ("?", "i"):
        chooser = fresh(TURN)
        keys(chooser, TURN, key)
        chooser.asked_anew(window)
        assert keys(chooser, window, "c" if asked is Asked.CATCH else "u") in (Say.CATCH, Say.CALL)


def test_any_other_choice_is_a_list_to_go_through() -> None:
    options = [Option(name, f"choose {name}", Pick(seat)) for seat, name in enumerate(("Bo", "Cy", "Dot"), 1)]
    look = replace(TURN, asked=Asked.CHOICE, asking=pick(None, "Choose a player", options))
    chooser = fresh(look)
    assert chooser.preview(look) == "Enter: choose Bo (1/3)"
    assert keys(chooser, look, "right", "enter") == Pick(2)
    assert keys(chooser, look, "left", "left", "enter") == Pick(3)
    assert keys(chooser, look, "2", "enter") == Pick(2)
    assert keys(chooser, look, "9", "enter") == Pick(2)


def test_leaving_asks_once() -> None:
    chooser = fresh(TURN)
    assert keys(chooser, TURN, "q") is None
    assert chooser.question is Question.LEAVE
    assert keys(chooser, TURN, "left") is None
    assert chooser.question is None
    assert keys(chooser, TURN, "q", "enter") is Leave.NOW


def test_an_answer_is_given_once() -> None:
    """Two quick Enters are one move (R27)."""
    chooser = fresh(TURN)
    assert keys(chooser, TURN, "enter") is not None
    chooser.sent = True
    assert keys(chooser, TURN, "enter") is None
    chooser.asked_anew(TURN)
    assert keys(chooser, TURN, "enter") is not None


@pytest.mark.parametrize("asked", list(Asked))
def test_no_key_ever_raises_or_leaves_an_empty_preview(asked: Asked) -> None:
    named = ["enter", "escape", "left", "right", "up", "down", "home", "end"]
    pressed = [*"abcdefghijklmnopqrstuvwxyz0123456789?!", *named]
    for look in (TURN, my_turn()):
        asking = pick(None, "Choose", [Option("Bo", "choose Bo", Pick(1))]) if asked is Asked.CHOICE else None
        look = replace(look, asked=asked, about=1, asking=asking)
        for key in pressed:
            chooser = fresh(look)
            chooser.press(key, look)
            assert chooser.preview(look).strip()


def test_other_peoples_turn_is_named() -> None:
    look = waiting_for(TURN, 2)
    chooser = fresh(look)
    assert chooser.preview(look) == "waiting for Cy"
    removed = replace(look, seats=(replace(look.seats[0], out=True), *look.seats[1:]))
    assert chooser.preview(removed) == "you are out; waiting for Cy"
    assert keys(chooser, look, "enter") is None
    assert chooser.note == "it is not your turn"
