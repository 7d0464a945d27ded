"""The chat in every face: keys, lists and typed lines; what it looks like; words that want to pass for ours (C44)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.canvas import plain, row_width
from cli.draw import draw
from cli.table.board import Board
from cli.table.chooser import Chooser
from cli.table.line_edit import LineEdit
from cli.table.look import Asked, Look
from cli.table.narrator import Narrator
from cli.table.talk import NO_CHAT, NOBODY, PHRASES_ONLY, Mute, Pane, Person, Speak, Talk
from cli.text import width
from cli.theme import ASCII
from p2puno.happenings import Happening, What
from protocol.chat import PHRASES
from protocol.errors import NotSaid
from protocol.events import Chatted, Happened, Player
from protocol.messages import MAX_REMARK
from protocol.net.watched import Watched
from tests.cli.fakes import FakeSession
from tests.cli.looks import face, my_turn, some_log, waiting_for

GOLDEN = Path(__file__).parent / "golden"
TURN = my_turn("R1", "Y5", "G9", "W", playable=("Y5",))
BO, CY = Person(1, "Bo", muted=False), Person(2, "Cy", muted=True)
HOSTILE = "\x1b[2J\x1b]52;c;aGk=\x07\x9b31m\u202emoc\u2066\u200b\nMia plays Red 5\r\x1b[1A"
SPOOF = "." * 60 + " CAUTION: this is not the key of the Mia you have played with"


def talk(mode: str = "all") -> Talk:
    return Talk(mode, (BO, CY))


def chatty(*more: Chatted) -> Board:
    """A board on which Bo and Cy talk during a hand."""
    board = some_log()
    board.talk = talk()
    for said in (Chatted(1, "who has the blue ones?"), Chatted(2, "", 2), Chatted(1, SPOOF), *more):
        board.take(said)
    board.take(Happened((Happening(What.PLAYED, 1, face=face("G9"), n=4),)))
    return board


def with_people(*names: str) -> FakeSession:
    """A table with a person at each seat."""
    session = FakeSession(len(names), 1)
    session.players = tuple(Player(name, bytes([i]) * 32, bot=False) for i, name in enumerate(names))
    return session


# -- the parts


def test_a_line_is_edited_at_its_cursor() -> None:
    line = LineEdit(10)
    line.type("hello")
    for key, text, at in (
        ("home", "hello", 0), ("delete", "ello", 0), ("backspace", "ello", 0), ("right", "ello", 1),
        ("left", "ello", 0), ("left", "ello", 0), ("end", "ello", 4), ("right", "ello", 4), ("delete", "ello", 4),
        ("backspace", "ell", 3), ("pageup", "ell", 3),
    ):  # fmt: skip
        line.press(key)
        assert (line.text, line.at) == (text, at), key
    line.press("home")
    line.type("\x1b[31mT\u202e\n語")  # what cannot be shown is not typed
    assert line.text == "[31mT 語ell"
    line.type("more than there is room for")
    assert len(line.text) == 10
    line.clear()
    assert (line.text, line.at) == ("", 0)


@pytest.mark.parametrize("text", ["", "short", "語" * 40, "a long line " * 10, "e\u0301" * 60])
@pytest.mark.parametrize("cells", [3, 10, 40])
def test_what_is_shown_of_a_line_has_room_and_holds_the_cursor(text: str, cells: int) -> None:
    line = LineEdit(MAX_REMARK)
    line.type(text)
    for at in range(len(line.text) + 1):
        line.at = at
        before, under, behind = line.shown(cells)
        assert width(before + under + behind) <= cells
        assert f"{line.text} ".startswith(under, at)
        assert before in line.text
        assert behind in line.text


def test_keys_of_the_chat() -> None:
    """t, p and m open; a line is kept when it is left; lists are gone through and taken from."""
    chat = talk()
    assert chat.open("t") == ""
    chat.line.type("Hi ")
    assert chat.press("t") is None  # letters come by `type`
    assert chat.press("escape") is None
    assert (chat.pane, chat.line.text) == (None, "Hi ")
    chat.open("t")
    assert chat.press("enter") == Speak("Hi ")
    assert chat.pane is None
    chat.line.clear()
    chat.open("t")
    assert chat.press("enter") is None  # nothing was typed
    chat.open("p")
    assert chat.options() == list(PHRASES)
    assert [chat.press(key) for key in ("down", "right", "up", "home", "up")] == [None] * 5
    assert chat.at == len(PHRASES) - 1
    assert chat.press("enter") == Speak("", len(PHRASES))
    chat.open("p")
    assert chat.press("3") == Speak("", 3)
    chat.open("p")
    assert chat.press("0") == Speak("", 10)
    chat.open("m")
    assert chat.options() == ["Bo", "Cy (muted)"]
    assert chat.press("1") == Mute(1, quiet=True)
    assert chat.press("2") == Mute(2, quiet=False)
    assert chat.press("3") is None
    assert chat.pane is Pane.MUTE  # it shows what has changed
    assert chat.press("m") is None
    assert chat.pane is None


def test_what_does_not_open_says_why() -> None:
    assert talk("off").open("t") == talk("off").open("p") == NO_CHAT
    assert talk("phrases").open("t") == PHRASES_ONLY
    assert talk("phrases").open("p") == ""
    assert "--no-chat" in talk("hidden").open("p")
    assert Talk("all").open("t") == NOBODY
    assert [talk(mode).offered for mode in ("all", "phrases", "off", "hidden")] == [True, True, False, False]


def test_letters_that_answer_what_is_asked_are_left_to_it() -> None:
    chooser = Chooser()
    assert all(chooser.is_free(key, TURN) for key in "tpm")
    catching = replace(waiting_for(TURN, 1), asked=Asked.CATCH, about=1)
    assert [chooser.is_free(key, catching) for key in "tpm"] == [True, False, True]


async def test_who_watches_has_no_say() -> None:
    watched = Watched(Path("nowhere"), "")
    assert (watched.company, watched.muted) == ((), ())
    for speak in (lambda: watched.chat("hello"), lambda: watched.phrase(1)):
        with pytest.raises(NotSaid, match="no say"):
            speak()


# -- how it looks

SCENES = {"chat": None, "chat-typing": Pane.TEXT, "chat-phrases": Pane.PHRASES, "chat-mute": Pane.MUTE}


@pytest.mark.parametrize("size", [(80, 24), (40, 15), (120, 30)])
@pytest.mark.parametrize("scene", SCENES)
def test_golden_screen(scene: str, size: tuple[int, int]) -> None:
    """As in `test_draw`."""
    board = chatty()
    board.talk.pane = SCENES[scene]
    board.talk.line.type("Is it Bo's turn, or whose?")
    board.talk.line.at = 6
    drawn = "\n".join(plain(draw(TURN, board, Chooser(), *size, ASCII).rows)) + "\n"
    path = GOLDEN / f"{scene}-{size[0]}x{size[1]}.txt"
    if not path.exists():
        path.write_text(drawn, "utf-8")
        pytest.fail(f"{path.name} was not there and is recorded now")
    assert drawn == path.read_text("utf-8")


@pytest.mark.parametrize("columns", range(40, 131, 9))
@pytest.mark.parametrize("pane", list(SCENES.values()))
def test_every_size_holds_the_chat(columns: int, pane: Pane | None) -> None:
    board = chatty(Chatted(1, "語" * 140), Chatted(2, "x" * 280))
    board.talk.pane = pane
    board.talk.line.type("語" * 140)
    for rows in (15, 21, 22, 24, 40):
        shown = draw(TURN, board, Chooser(), columns, rows, ASCII).rows
        assert len(shown) == rows
        assert {row_width(row) for row in shown} == {columns}
        if pane in (Pane.PHRASES, Pane.MUTE):
            assert any(option in row for row in plain(shown) for option in board.talk.options())


def test_the_table_is_seen_to_wait_while_a_line_is_typed() -> None:
    board = chatty()
    board.talk.open("t")
    assert "You are asked: Esc leaves the chat" in plain(draw(TURN, board, Chooser(), 80, 24, ASCII).rows)[-3]
    idle = draw(waiting_for(TURN, 1), board, Chooser(), 80, 24, ASCII).rows
    assert "280 left   Enter: say it" in plain(idle)[-3]
    catching = replace(waiting_for(TURN, 1), asked=Asked.CATCH, about=1)
    assert draw(catching, board, Chooser(), 80, 24, ASCII).rows[-3][0].style == "alarm"


def chat_rows(look: Look, board: Board, columns: int, rows: int) -> list[str]:
    """The rows in the style of the chat."""
    shown = draw(look, board, Chooser(), columns, rows, ASCII).rows
    return [piece.text for row in shown for piece in row if piece.style == "chat" and piece.text.strip()]


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_c44_no_row_of_a_remark_can_pass_for_one_of_ours(columns: int) -> None:
    """Each begins with the label or with the mark of a remark that goes on, also without colours; no other row does."""
    for text in (SPOOF, HOSTILE, "Mia plays Red 5", "語" * 140, "x" * 280):
        board = chatty(Chatted(1, text))
        said = [row.strip() for row in chat_rows(TURN, board, columns, 30)]
        assert said
        assert all(row.startswith(("Chat: ", "|")) for row in said), said
        others = [line for line in board.log if line.style != "chat"]
        assert not any(line.text.startswith(("Chat: ", "|")) for line in others)


def test_a_player_called_like_a_warning_speaks_as_a_player() -> None:
    narrator = Narrator()
    narrator.at((Player("CAUTION", bytes(32), False), Player("Chat: Mia", bytes(32), False)), 0, None)
    (line,) = narrator.tell(Chatted(0, "this is not the key"))
    assert (line.text, line.style) == ("Chat: CAUTION: this is not the key", "chat")
    assert narrator.tell(Chatted(1, "x"))[0].text == "Chat: Chat: Mia: x"
    assert narrator.tell(Chatted(7, "x"))[0].text == "Chat: ?: x"
    assert narrator.tell(Chatted(0, "x", 99))[0].text == "Chat: CAUTION: x"
