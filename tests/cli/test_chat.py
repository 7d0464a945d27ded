"""The chat in every face: keys, lists and typed lines; what it looks like; words that want to pass for ours (C44)."""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace
from pathlib import Path

import pytest

from cli.canvas import plain, row_width
from cli.draw import draw
from cli.manner import Manner
from cli.plain import LineTable
from cli.speak import Speech
from cli.table.board import Board
from cli.table.chat_words import remark_lines
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
from tests.cli.fakes import NAMES, FakeSession, playing
from tests.cli.looks import face, my_turn, some_log, waiting_for
from tests.cli.test_plain import Script, lines_of
from tests.cli.test_screen import Rig, with_screen

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


# -- on the full screen


def test_a_remark_is_typed_and_said_while_the_table_asks() -> None:
    """Capitals and keys of the game are letters while a line is open; afterwards they are keys again."""

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        rig.type("t")
        await rig.shows("Say:")
        rig.type("Hi, Di\x7fd it?\x1b[D\x1b[D\x1b[DX")
        await rig.shows("Hi, Dd Xit?")
        assert rig.session.decided == []
        rig.type("\r")
        await rig.shows("Chat: Mia: Hi, Dd Xit?")
        assert rig.session.chatted == ["Hi, Dd Xit?"]
        assert rig.screen.board.talk.line.text == ""
        assert not rig.screen.chooser.sent  # the move is still ours to make
        rig.type("p")
        await rig.shows("A quick phrase")
        rig.type("2")
        await rig.shows("Chat: Mia: Good game!")
        rig.type("?")
        await rig.shows("talk to all")

    rig = with_screen(test, session=with_people("Mia", "Bo", "Cy"))
    assert rig.session.chatted == ["Hi, Dd Xit?", 2]


def test_pasted_text_is_one_line_of_a_remark_and_nothing_else() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        rig.type("\x1b[200~q\rq\r\x1b[201~")  # not while no line is open: it would be keys
        rig.type("t\x1b[200~two\nlines\r\x1b]52;c;aGk=\x07\x1b[201~")
        await rig.shows("two lines ]52;c;aGk=")
        assert rig.screen.chooser.question is None
        rig.type("\r")
        await rig.shows("Chat: Mia: two lines")

    with_screen(test, session=with_people("Mia", "Bo", "Cy"))


def test_what_was_not_said_is_kept_and_told_why() -> None:
    session = with_people("Mia", "Bo", "Cy")
    session.refuses = NotSaid("that was a lot at once", "wait a few seconds")

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        rig.type("tonce more\r")
        await rig.shows("that was a lot at once: wait a few seconds")
        session.refuses = None
        rig.type("t\r")
        await rig.shows("Chat: Mia: once more")

    with_screen(test, session=session)


def test_somebody_is_muted_and_heard_again() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        rig.type("m")
        await rig.shows("Whom you do not want to hear")
        rig.type("2")
        await rig.shows("Cy (muted)")
        assert rig.session.muted == (2,)
        rig.type("\r")
        await until_gone(rig, "(muted)")
        assert rig.session.muted == ()
        rig.type("\x1b")
        await until_gone(rig, "Whom you do not")

    with_screen(test, session=with_people("Mia", "Bo", "Cy"))


async def until_gone(rig: Rig, text: str) -> None:
    for _ in range(3000):
        if text not in rig.terminal.text:
            return
        await asyncio.sleep(0.001)
    raise AssertionError(rig.terminal.text)


@pytest.mark.parametrize(
    ("session", "manner", "why"),
    [
        (FakeSession(3, 1), Manner(), NOBODY),  # only bots
        (FakeSession(3, 1, chat="off"), Manner(), NO_CHAT),
        (FakeSession(3, 1), Manner(chat=False), "chat is turned off here"),
    ],
)
def test_where_there_is_no_chat_its_keys_say_so(session: FakeSession, manner: Manner, why: str) -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        assert "t talk" not in rig.terminal.text
        rig.type("t")
        await rig.shows(why)

    with_screen(test, session=session, manner=manner)


def test_who_wants_no_chat_sees_none() -> None:
    session = with_people("Mia", "Bo", "Cy")

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        session.show(Chatted(1, "hello"))
        session.show(Happened((Happening(What.KEPT, 1),)))
        await rig.shows("Bo keeps the card")
        assert "hello" not in rig.terminal.text

    with_screen(test, session=session, manner=Manner(chat=False))


def test_c44_hostile_words_never_reach_the_terminal() -> None:
    """Not even those that nobody has cleaned: the screen is the second lock on the same door."""
    session = with_people("Mia", "Bo\x1b[2J", "Cy")

    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        session.show(Chatted(1, HOSTILE))
        await rig.shows("Chat: Bo")

    rig = with_screen(test, session=session)
    for sign in ("\x1b]52", "\x1b[2J\x1b", "\x9b", "\u202e", "\u2066", "\u200b"):
        assert sign not in rig.terminal.raw


# -- in lines


async def typed(session: FakeSession, *lines: str) -> list[str]:
    return (await lines_of(session, Script(session, *lines)))[0]


async def test_lines_say_phrase_and_mute() -> None:
    session = with_people("Mia", "Bo", "Bob")
    lines = await typed(
        session, "say Hello, BO: are you there?", "phrases", "phrase 3", "phrase", "phrase x", "mute bo", "mute b",
        "mute BOB", "unmute bob", "mute Zoe", "say",
    )  # fmt: skip
    assert session.chatted[:2] == ["Hello, BO: are you there?", 3]
    assert "Chat: Mia: Hello, BO: are you there?" in lines
    assert "Chat: Mia: Nice move!" in lines
    assert lines.count("3: Nice move!") == 2
    assert "Type phrase and a number; phrases lists them." in lines
    assert "You hear no more of Bo." in lines
    assert "You hear no more of Bob." in lines
    assert "You hear Bob again." in lines
    assert session.muted == (1,)
    assert lines.count("There is no such player to mute; here are: Bo, Bob.") == 2
    assert session.decided == []


async def test_what_is_not_said_is_told_with_a_hint() -> None:
    session = with_people("Mia", "Bo", "Cy")
    session.refuses = NotSaid("that was a lot at once", "wait a few seconds")
    lines = await typed(session, "say hello")
    at = lines.index("That was a lot at once.")
    assert lines[at + 1] == "Wait a few seconds."
    assert "Nobody is here who reads it: bots do not." in await typed(FakeSession(3, 1), "mute Bo")


def told(session: FakeSession, voice: Speech | None, chat: bool, *heard: Chatted) -> list[str]:
    out = io.StringIO()
    table = LineTable(lambda: playing(session), None, out, voice=voice, chat=chat)
    for event in heard:
        table._take(event, session)
    return out.getvalue().splitlines()


@pytest.mark.parametrize("text", [SPOOF, HOSTILE, "語" * 140, "x" * 280])
@pytest.mark.parametrize("voice", [None, Speech("a test")])
async def test_c44_every_line_of_a_remark_is_marked_in_lines_too(
    text: str, voice: Speech | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminal breaks none of them, so no part of a remark begins a row."""
    monkeypatch.setenv("COLUMNS", "64")
    lines = told(with_people("Mia", "Bo", "Cy"), voice, True, Chatted(1, text))
    assert lines[0].startswith("Chat: Bo:")
    assert all(line.startswith(("Chat: ... ", "  | ")) for line in lines[1:])
    assert all(width(line) <= 64 and line.isprintable() for line in lines)
    if text == "x" * 280:
        assert sum(line.count("x") for line in lines) == 280
    if text == "語" * 140:
        assert sum(line.count("語") for line in lines) == 140


async def test_no_chat_in_lines() -> None:
    assert told(with_people("Mia", "Bo", "Cy"), None, False, Chatted(1, "hello")) == []
    session = with_people("Mia", "Bo", "Cy")
    out = io.StringIO()
    script = Script(session, "say hello", "phrases")
    await LineTable(lambda: playing(session), None, out, script.read, chat=False).run()
    assert out.getvalue().count("Chat is turned off here, by --no-chat or your settings.") == 2
    assert session.chatted == []


def test_lines_of_a_remark_on_a_tiny_terminal() -> None:
    assert remark_lines("Chat: Bo: hello", "  | ", 3) == ["Chat:", "  | Bo:", "  | hell", "  | o"]
    assert NAMES[1] == "Bo"
