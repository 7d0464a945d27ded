"""The faces in German: nothing is left in English, screens stay whole, keys and typed words stay the same."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.canvas import plain, row_width
from cli.draw import draw
from cli.draw_help import (
    GOAL,
    GOAL_COMPACT,
    HELP,
    HELP_COMPACT,
    HELP_WATCHING,
    SIGNS_CLASSIC,
    SIGNS_HEROES,
    SIGNS_HEROES_COMPACT,
)
from cli.history.archive import Archive
from cli.history.draw import draw as draw_history
from cli.language import ENGLISH, _, languages, speak
from cli.lobby.draw import draw as draw_lobby
from cli.main import run
from cli.plain import LineTable
from cli.replay import draw as replay
from cli.setup import draw as setup
from cli.speak import LABELS, Speech
from cli.table.board import Board
from cli.table.buttons import buttons
from cli.table.cards import namer
from cli.table.chooser import Chooser
from cli.table.lines import Teller
from cli.table.look import Asked, Look
from cli.table.sight import look_at
from cli.theme import ASCII, UNICODE
from cli.voice import Voice
from p2puno.happenings import Happening, What
from p2puno.rules import Rules
from protocol.events import LobbyChanged, Phase, PhaseChanged, Player, Progress
from tests.cli.fakes import NAMES, FakeSession, playing
from tests.cli.heroes import hero_board, hero_look, targets
from tests.cli.lobbies import a_lobby
from tests.cli.looks import my_turn, some_log
from tests.cli.test_archive import pasts
from tests.cli.test_draw import GOLDEN, HAND, at, heroes_lobby, heroes_over, lobby, making, over, uncalled
from tests.cli.test_plain import Script, first_move

ENGLISH_WORDS = re.compile(
    r"\b(the|you|your|yours|and|is|are|has|have|with|not|cards|turn|plays|draws|takes|points?|waiting|which|what|who"
    r"|nobody|everybody|from|without|match|seats?)\b",
    re.IGNORECASE,
)
"""Words that are in most English sentences, but neither typed at a table nor printed on cards."""


@pytest.fixture(autouse=True)
def _german() -> Iterator[None]:
    speak("de")
    yield
    speak(ENGLISH)


def left_in_english(text: str, rules: Rules | None = None) -> list[str]:
    """The lines that have an English word in them, but for the names on the cards of these rules."""
    heroes = [rules.hero(ident) for ident in rules.heroes] if rules is not None else []
    for name in [card.name for hero in heroes for card in (*hero.kinds, *hero.danger, hero.power)]:
        text = text.replace(name, "")
    return [line for line in text.splitlines() if ENGLISH_WORDS.search(line)]


def scenes() -> dict[str, tuple[Look, Board]]:
    """The tables of the golden screens, told in the language chosen."""
    turn, hero = my_turn(*HAND, playable=("Y5", "G9", "W", "W4")), hero_look()
    return {
        "turn": (turn, some_log()),
        "long": (my_turn(*(HAND * 4), playable=("G9",), seats=10), some_log()),
        "catch": (uncalled(), some_log()),
        "over": (turn, over()),
        "lobby": lobby(),
        "heroes": (hero, hero_board()),
        "heroes-target": (replace(hero, asked=Asked.CHOICE, asking=targets(), moves=()), hero_board()),
        "heroes-over": (replace(hero, asked=Asked.NOTHING, moves=()), heroes_over()),
        "heroes-lobby": heroes_lobby(),
    }


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
@pytest.mark.parametrize("scene", ["turn", "catch", "over", "heroes"])
def test_golden_screen_in_german(scene: str, size: tuple[int, int]) -> None:
    """To renew a golden screen after a change that is meant, delete its file and run this twice."""
    look, board = scenes()[scene]
    screen = "\n".join(plain(draw(look, board, at(look), *size, UNICODE).rows)) + "\n"
    path = GOLDEN / f"german-{scene}-{size[0]}x{size[1]}.txt"
    if not path.exists():
        path.write_text(screen, encoding="utf-8")
        pytest.fail(f"{path.name} was missing and has been written: look at it")
    assert screen == path.read_text(encoding="utf-8")
    assert left_in_english(screen) == []


@pytest.mark.parametrize("language", languages())
def test_every_screen_fills_every_size_in_every_language(language: str) -> None:
    speak(language)
    for look, board in scenes().values():
        for keys in ("", "?", "i", "q"):
            chooser = at(look)
            if keys:
                chooser.press(keys, look)
            for columns in (1, 39, 40, 60, 72, 80, 132):
                for rows in (1, 15, 22, 24, 50):
                    drawn = draw(look, board, chooser, columns, rows, ASCII).rows
                    assert len(drawn) == rows
                    assert {row_width(row) for row in drawn} == {columns}


@pytest.mark.parametrize("keys", ["", "h", "p", "j", "r", "s", "?", "q"])
def test_the_lobby_fills_every_size(keys: str) -> None:
    for columns in (39, 40, 72, 80, 132):
        for rows in (15, 22, 24, 50):
            drawn = draw_lobby(a_lobby(*keys), columns, rows, ASCII).rows
            assert len(drawn) == rows
            assert {row_width(row) for row in drawn} == {columns}


@pytest.mark.parametrize("keys", ["", "i", "h", "p", "j", "w", "?", "hdo"])
def test_the_lobby_is_german(keys: str) -> None:
    for columns, rows in ((80, 24), (40, 15), (100, 80)):
        text = "\n".join(plain(draw_lobby(a_lobby(*keys), columns, rows, ASCII).rows))
        assert left_in_english(re.sub(r"draw_on_skipped +cards", "", text)) == []  # as it is typed


@pytest.mark.parametrize("keys", ["", "?", "s", "s?"])
def test_the_history_is_german(keys: str) -> None:
    for columns, rows in ((80, 24), (40, 15), (120, 60)):
        archive = Archive(pasts())
        for key in keys:
            archive.press(key)
        text = "\n".join(plain(draw_history(archive, columns, rows, ASCII).rows))
        assert left_in_english(text) == []
        assert {row_width(row) for row in draw_history(archive, columns, rows, ASCII).rows} == {columns}


@pytest.mark.parametrize("keys", [(), ("h",), ("h", "down"), ("o",), ("up",)], ids=" ".join)
def test_what_is_before_the_start_is_german(keys: tuple[str, ...]) -> None:
    rules = Rules.make("marvel", hand_size=5, turn_seconds=30)
    players = tuple(Player(name, bytes([n]) * 32, n == 2, seat=n, ready=n == 1) for n, name in enumerate(NAMES[:3]))
    board = Board()
    board.narrator.at(players, 0, rules)
    board.take(LobbyChanged(players, 4, ("10.0.0.1:1",), "zudaro-pimebi", 0, True))
    for key in keys:
        board.setup.press(key)
    for columns, rows in ((80, 24), (40, 15), (100, 60)):
        text = "\n".join(plain(draw(Look(heroes=True), board, Chooser(), columns, rows, ASCII).rows))
        assert left_in_english(text) == []
    board.take(PhaseChanged(Phase.COMMIT, 1))
    board.take(Progress("shuffle", 1, 3, (1, 2), 1, 3, proofs=12))
    text = "\n".join(plain(draw(Look(heroes=True), board, Chooser(), 80, 24, ASCII).rows))
    assert "Beweise, die dieses Programm geprüft hat: 12" in text
    assert left_in_english(text) == []


@pytest.mark.parametrize("language", languages())
def test_what_is_to_be_known_at_once_is_not_cut(language: str) -> None:
    """The state of the table in the title, the colour in force, what Enter does, every key of the help."""
    speak(language)
    look, board = scenes()["turn"]
    for size in ((80, 24), (40, 15)):
        text = "\n".join(plain(draw(look, board, at(look), *size, UNICODE).rows))
        for expected in (_("YOUR TURN"), _("green").upper(), _("Enter: play {card}").format(card="Y5")):
            assert expected in text
    signs = ((GOAL, 78), (SIGNS_CLASSIC, 78), (SIGNS_HEROES, 78), (GOAL_COMPACT, 38), (SIGNS_HEROES_COMPACT, 38))
    pages = (*signs, (HELP, 78), (HELP_WATCHING, 78), (HELP_COMPACT, 38), (replay.HELP, 78), (replay.HELP_COMPACT, 38),
             (setup.HELP, 78), (setup.HELP_CREATOR, 78))  # fmt: skip
    for lines, room in pages:
        assert [line for line in map(_, lines) if len(line) > room] == []


def test_what_the_reader_does_is_said_to_the_reader() -> None:
    """A text that is a button and a part of a sentence in English is two in German."""
    speak("de")
    teller = Teller(("Mia", "Bo"), namer(Rules.make("batman")), 0)
    for seat, called, out in ((0, "Du rufst UNO", "Du scheidest aus"), (1, "Bo ruft UNO", "Bo scheidet aus")):
        assert [line.text for line in teller.tell([Happening(What.CALLED, seat)])] == [called]
        assert [line.text for line in teller.tell([Happening(What.OUT, seat)])] == [out]
    look, board = making()
    text = " ".join(" ".join(plain(draw(look, board, at(look), 80, 24, UNICODE).rows)).split())
    assert "wartet auf Bo" in text
    assert "am Zug" not in text


def test_the_keys_of_the_buttons_stay_the_same() -> None:
    """And each has a word of its own."""
    for look, _board in scenes().values():
        shown = buttons(look, at(look))
        german = [(button.key, _(button.label)) for button in shown]
        speak(ENGLISH)
        assert [key for key, word in german] == [button.key for button in buttons(look, at(look))]
        speak("de")
        assert all(word for key, word in german)
    look = my_turn("R1", "Y5", playable=("Y5",))
    assert ("u", "UNO") in [(button.key, _(button.label)) for button in buttons(look, at(look))]
    chooser = Chooser()
    chooser.asked_anew(look)
    assert chooser.press("u", look) is None
    assert chooser.preview(look) == "Enter: Y5 spielen und UNO rufen"


def answer(session: FakeSession) -> str:
    """The first answer of a list, else the first move."""
    return "1" if look_at(session).asking is not None else first_move(session)


async def told(session: FakeSession, voice: Voice, *typed: str) -> str:
    """All that is said when these lines are typed and the hand is then played to its end."""
    out = io.StringIO()
    await LineTable(lambda: playing(session), None, out, Script(session, *typed, then=answer).read, voice=voice).run()
    return out.getvalue()


ASKED = ("help", "table", "where", "hand", "score", "log", "look", "quit", "xyzzy", "W>Q", "uno")
TABLES: dict[str, Callable[[], FakeSession]] = {
    "batman": lambda: FakeSession(3, 7),
    "stacking": lambda: FakeSession(3, 5, stacking=True, seven_zero=True),
    "dbz": lambda: FakeSession(3, 3, variant="dbz"),
    "marvel": lambda: FakeSession(3, 3, variant="marvel", heroes=("shuri", "black_widow", "captain_america")),
    "dc": lambda: FakeSession(3, 4, variant="dc", heroes=("aquaman", "superman", "green_lantern")),
}


@pytest.mark.parametrize("table", TABLES)
async def test_a_hand_in_lines_is_german_from_its_first_line_to_its_last(table: str) -> None:
    session = TABLES[table]()
    text = await told(session, Voice(), *ASKED)
    assert left_in_english(text, session.rules) == []
    for expected in ("Mia setzt sich", "Du bist am Zug. ", "Deine Hand: ", "Züge: ", "gewinnt Runde 1"):
        assert expected in text


@pytest.mark.parametrize("table", TABLES)
async def test_the_screen_reader_mode_labels_every_line_in_german(table: str) -> None:
    session = TABLES[table]()
    text = await told(session, Speech(_("the option --screen-reader")), *ASKED, "labels")
    assert left_in_english(text, session.rules) == []
    labels = {_(label) for label in LABELS}
    assert len(labels) == len(LABELS)
    for line in text.splitlines():
        label, colon, said = line.partition(": ")
        assert label in labels, line
        assert colon, line
        assert said[:1] == said[:1].upper(), line
    assert text.startswith("Modus: Der Vorlese-Modus ist an, wegen der Option --screen-reader.\n")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))
    monkeypatch.setenv("P2PUNO_LANG", "de")
    return tmp_path


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "arguments",
    [["rules", "batman"], ["rules", "marvel"], ["cards"], ["cards", "hulk"], ["config"], ["history"], ["stats"],
     ["resume", "--list"], ["players"]],
    ids=" ".join,
)  # fmt: skip
def test_programs_read_the_same_in_every_language(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """JSON is for programs; what people read is German."""
    if "--list" not in arguments:
        shown = [*arguments, "show"] if arguments == ["config"] else arguments
        assert run([*shown, "--json"]) == 0
        german = capsys.readouterr().out
        assert run([*shown, "--json", "--lang", "en"]) == 0
        assert json.loads(capsys.readouterr().out) == json.loads(german)
    assert run(arguments) == 0
    text = capsys.readouterr().out
    assert run([*arguments, "--lang", "en"]) == 0
    assert capsys.readouterr().out != text


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["play", "--bots", "12"], "--bots kann nicht '12' sein", "möglich: 1 bis 9"),
        (["play", "--bots", "x"], "--bots kann nicht 'x' sein", "möglich: 1 bis 9"),
        (["play", "--nonsense"], "es gibt keine Option --nonsense", "`p2puno play --help` zeigt,"),
        (["nonsense"], "es gibt keinen Befehl 'nonsense'", "es gibt: bot, cards, "),
        (["completion"], "SHELL fehlt", "`p2puno completion --help` zeigt,"),
        (["config", "set", "colour", "1"], "es gibt keine Einstellung 'colour'", "meinst du colours?"),
        (["cards", "X9"], "keine Karte und kein Held heißt 'X9'", "Helden: aquaman"),
        (["play", "--theme", "neon", "--plain"], "es gibt kein Thema 'neon'", "es gibt: standard"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_errors_are_german_with_the_same_exit_code(
    arguments: list[str], message: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"Fehler: {message}")
    assert second.startswith(f"Tipp: {hint}")


@pytest.mark.usefixtures("home")
def test_what_is_typed_stays_in_the_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["config"]) == 0
    rows = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()}
    assert rows["bell"][:3] == ["on", "nicht", "gesetzt"]
    assert rows["plain"][0] == "off"
    assert rows["name"][:2] == ["dein", "Benutzername"]


@pytest.mark.usefixtures("home")
def test_every_help_page_is_german(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("", "play", "host", "join", "watch", "lobby", "replay", "config", "doctor", "verify"):
        assert run([*command.split(), "--help"]) == 0
        text = capsys.readouterr().out
        assert text.startswith("Aufruf: p2puno")
        assert "Diese Hilfe zeigen." in text
        assert not re.search(r"\b(the|your|of|and|is)\b", text), text


@pytest.mark.usefixtures("home")
def test_the_manual_page_is_english_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["manual"]) == 0
    page = Path(__file__).parents[2] / "docs" / "p2puno.1"
    assert capsys.readouterr().out == page.read_text("utf-8")
