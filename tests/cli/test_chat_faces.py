"""The chat at the table: typed on the full screen and in lines, muted, hidden, hostile (C44)."""

from __future__ import annotations

import asyncio
import io

import pytest

from cli.manner import Manner
from cli.plain import LineTable
from cli.speak import Speech
from cli.table.chat_words import remark_lines
from cli.table.talk import NO_CHAT, NOBODY
from cli.text import width
from p2puno.happenings import Happening, What
from protocol.errors import NotSaid
from protocol.events import Chatted, Happened
from tests.cli.fakes import NAMES, FakeSession, playing
from tests.cli.terminal import until
from tests.cli.test_chat import HOSTILE, SPOOF, with_people
from tests.cli.test_plain import Script, lines_of
from tests.cli.test_screen import Rig, with_screen


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


def test_a_key_that_means_nothing_in_a_list_is_answered() -> None:
    async def test(rig: Rig) -> None:
        await rig.shows("YOUR TURN")
        rig.type("p")
        await rig.shows("Hello!")
        rig.type("x")
        await rig.shows("x does nothing here")
        rig.type("\x1b[B")
        await until(lambda: "does nothing" not in rig.terminal.text, "the hint to go")

    with_screen(test, session=with_people("Mia", "Bo", "Cy"))


async def test_bots_neither_read_nor_speak() -> None:
    session = FakeSession(3, 1)
    lines = await typed(session, "say hello", "phrase 1", "mute Zoe", "mute Bo")
    assert lines.count("Nobody is here who reads it: bots do not.") == 3
    assert lines.count("Bo is a bot: bots say nothing, so there is nothing to mute.") == 1
    assert session.chatted == []


async def test_who_is_muted_is_said_by_name_or_by_seat() -> None:
    session = with_people("Mia", "Bo", "Cy")
    assert "You hear no more of Cy." in await typed(session, "mute 3")
    assert session.muted == (2,)


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
