"""Commands: exit codes, one error line and one hint line, one JSON document."""

from __future__ import annotations

import errno
import json
import signal
from importlib import resources
from pathlib import Path

import click
import pytest
import trio

from cli.main import p2puno, run
from cli.plain import LineTable
from cli.reach import anywhere, join_lines, reachable
from cli.trouble import Interrupted, main_cause, report
from p2puno.rules import games
from protocol.errors import CheatProven, P2punoError, Unfinished, Unreachable
from protocol.events import Abandoned, Accused
from tests.cli.fakes import FakeSession, playing
from tests.cli.test_plain import Script, first_move


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))
    monkeypatch.delenv("P2PUNO_DEBUG", raising=False)


WRONG = [
    (["jion"], "there is no command 'jion'\nhint: did you mean join?"),
    (["--plain", "jion"], "there is no command 'jion'\nhint: did you mean join?"),
    (["config", "frob"], "there is no command 'frob'\nhint: there are: get, path, set"),
    (["play", "--bots"], "--bots needs a value"),
    (["play", "--bots", "12"], "--bots cannot be '12'\nhint: it may be 1 to 9"),
    (["play", "--hands", "x"], "--hands cannot be 'x'\nhint: it may be a whole number"),
    (["play", "--pace", "-1"], "--pace cannot be '-1'\nhint: it may be 0 to 60"),
    (["play", "--bot-level", "wild"], "--bot-level cannot be 'wild'\nhint: it may be random, sensible"),
    (["play", "--bell=loud"], "--bell takes no value"),
    (["play", "--motoin"], "there is no option --motoin\nhint: did you mean --motion?"),
    (["play", "--zzz"], "there is no option --zzz\nhint: `p2puno play --help` shows how it is written"),
    (["play", "on", "then"], "too many words: on then"),
    (["history", "--limit", "-1"], "--limit cannot be '-1'\nhint: it may be 0 or more"),
    (["verify"], "FILE is missing\nhint: `p2puno verify --help` shows how it is written"),
    (["play", "--variant", "uno"], "no game is called 'uno'"),
    (["play", "--option", "uno_window"], "'uno_window' is no table option"),
    (["play", "--option", "uno_window=99"], "uno_window cannot be 99"),
    (["play", "--option", "window=3"], "there is no option window"),
    (["play", "--option", "own=x"], "there is no table option own"),
    (["play", "--option", "heroes=x"], "there is no table option heroes"),
    (["play", "--option", "variant=x"], "there is no option variant"),
    (["play", "--option", "cls=x"], "there is no option cls"),
    (["play", "--score-to", "7"], "score_target cannot be 7"),
    (["play", "--json"], "--json needs a program at the seat"),
    (["play", "--profile", "../x", "--plain"], "'../x' is no profile name"),
    (["host", "--seats", "2", "--bots", "2"], "2 bots and you do not fit at 2 seats"),
    (["join", "a:b:c", "--plain"], "'a:b:c' is not an address"),
    (["join", "host:99999", "--plain"], "'99999' is not a port"),
    (["rules", "chess"], "no game is called 'chess'"),
    (["cards", "X9"], "no card or hero is called 'X9'"),
    (["cards", "--variant", "dbz", "hulk"], "no card or hero is called 'hulk'"),
    (["play", "--variant", "dc", "--bots", "4"], "UNO Ultimate: DC is for 2 to 4 players, not 5"),
    (["play", "--variant", "dc", "--hero", "hlk"], "no hero is called 'hlk'"),
    (["play", "--variant", "dc", "--hero", "hulk", "--option", "mix_sets=off"], "hulk is of another set"),
    (["play", "--hero", "hulk"], "UNO: Batman Special Edition has no heroes"),
    (["play", "--variant", "dc", "--option", "stacking=on"], "stacking does not concern dc"),
    (["play", "--age", "200"], "--age cannot be '200'"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[" ".join(a) for a, _ in WRONG])
def test_wrong_usage_is_one_error_and_one_hint(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {message}")
    lines = err.splitlines()
    assert lines[1].startswith("hint: ")
    assert len(lines) == 2


def test_a_new_table_is_open_unless_it_is_said_to_be_private() -> None:
    """Of two that contradict each other the last word counts, so that what an alias says can be taken back."""
    for words, private in (([], False), (["--open"], False), (["--invite"], True), (["--invite", "--open"], False)):
        assert bool(p2puno.commands["host"].make_context("host", words).params["invite"]) is private


def test_an_unknown_game_is_answered_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    run(["play", "--variant", "uno"])
    assert "hint: there are: batman, dbz, dc, marvel" in capsys.readouterr().err


def test_nobody_at_an_address_is_exit_code_6(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bot", "127.0.0.1:1"]) == 6
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.parametrize(
    ("problem", "code"),
    [
        (CheatProven("x"), 3),
        (Unfinished("x"), 5),
        (Unreachable("x"), 6),
        (KeyboardInterrupt(), 130),
        (Interrupted(signal.SIGTERM), 143),
        (SystemExit(4), 4),
        (OSError(errno.EIO, "Input/output error"), 129),
        (OSError(errno.EIO, "Input/output error", "a.p2puno"), 1),
        (click.UsageError("x"), 2),
        (ZeroDivisionError("x"), 1),
    ],
)
def test_errors_come_out_of_groups_as_one_sentence(
    problem: BaseException, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """N04, N05, N07."""
    group = BaseExceptionGroup("Exceptions from Trio nursery", [BaseExceptionGroup("inner", [problem])])
    assert report(group) == code
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert "Trio" not in err


def test_a_users_error_is_told_before_a_fault() -> None:
    group = ExceptionGroup("g", [ValueError("x"), ExceptionGroup("h", [Unreachable("nobody")])])
    assert isinstance(main_cause(group), P2punoError)


def test_errors_carry_nothing_that_steers_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    report(Unreachable("nobody at \x1b[2J\u202ehost\n", "ask\x07"))
    err = capsys.readouterr().err
    assert all(line.isprintable() for line in err.splitlines())


def test_help_version_and_the_short_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("p2puno ")
    for arguments in (["--help"], ["-h"]):
        assert run(arguments) == 0
        assert "p2puno play" in capsys.readouterr().out
    for arguments in (["play", "--help"], ["play", "-h"]):
        assert run(arguments) == 0
        assert "--bots" in capsys.readouterr().out


def test_rules_and_cards_are_shown_and_are_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "--option", "uno_window=5"]) == 0
    assert "uno_window 5 (usual: 3)" in capsys.readouterr().out
    assert run(["rules", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["options"]["hand_size"]["value"] == 7
    assert run(["cards", "ws"]) == 0
    assert "Bat Signal" in capsys.readouterr().out
    assert run(["cards", "--json"]) == 0
    cards = json.loads(capsys.readouterr().out)["cards"]
    assert sum(card["copies"] for card in cards) == 112


KEYS = {
    "variant", "seats", "seat", "winner", "winner_seat", "points", "scores", "hands", "ending", "turns", "steps",
    "setup_seconds", "seconds", "journal", "state_hash",
}  # fmt: skip


def finished(session: FakeSession, *lines: str, play: bool = False) -> LineTable:
    script = Script(session, *lines, then=first_move if play else None)
    with open("/dev/null", "w", encoding="utf-8") as nowhere:
        table = LineTable(lambda: playing(session), None, nowhere, script.read)
        trio.run(table.run)
    return table


def test_the_json_document_of_a_finished_match() -> None:
    session = FakeSession(3, 7)
    document = finished(session, play=True).record.document(session)
    assert set(document) == KEYS
    winner = document["winner_seat"]
    assert document["winner"] == document["seats"][winner]["name"]
    assert document["seats"][winner] == {
        "name": session.players[winner].name,
        "hero": None,
        "bot": winner > 0,
        "cards_left": 0,
        "score": document["points"],
    }
    assert document["scores"][winner] == document["points"]
    assert (document["hands"], document["ending"]) == (1, "empty hand")
    assert json.loads(json.dumps(document)) == document


def test_the_json_document_of_a_table_that_was_left() -> None:
    session = FakeSession(3, 1)
    table = finished(session)
    document = table.record.document(session)
    assert set(document) == KEYS
    assert (document["winner"], document["winner_seat"], document["ending"]) == (None, -1, "left")
    assert table.record.exit_code == 0


def test_the_exit_code_says_how_the_table_ended() -> None:
    session = FakeSession(2, 1)
    record = LineTable(lambda: playing(session)).record
    assert record.exit_code == 5
    record.take(Abandoned("silence", (1,)))
    assert record.exit_code == 5
    assert record.complaint(session)[0] == "the table ended without a result: silence"
    record.take(Accused(1, "a card is another one", 3))
    assert record.exit_code == 3
    assert record.complaint(session)[0] == "Bo cheated at step 3: a card is another one"


def test_addresses_that_others_can_type() -> None:
    assert reachable(["192.168.1.5:4242"]) == ("192.168.1.5:4242",)
    assert reachable(["127.0.0.1:4242"]) == ("127.0.0.1:4242",)
    for address in reachable(["0.0.0.0:4242", "[::]:4242"]):
        assert address.endswith(":4242")
        assert not address.startswith(("0.0.0.0", "[::]"))


def test_what_to_type_is_fit_for_any_shell() -> None:
    """To zsh brackets are a pattern of file names."""
    assert join_lines(["[fd00::5]:4242"]) == ('p2puno join "[fd00::5]:4242"',)


def test_a_machine_on_no_network_promises_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who types the loopback address elsewhere would reach their own machine."""
    monkeypatch.setattr("cli.reach.own_hosts", lambda bound: ("127.0.0.1", "::1"))
    assert join_lines(anywhere(7)) == ("p2puno join 127.0.0.1:7 (from this machine only: it is on no network)",)
    assert join_lines(["127.0.0.1:7"])[0] == "p2puno join 127.0.0.1:7"  # it was asked for


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with a hero of one's own, made from one of the game."""
    folder = tmp_path / "mine"
    folder.mkdir()
    text = (resources.files("p2puno") / "packs" / "heroes" / "hulk.toml").read_text("utf-8")
    text = text.replace('id = "hulk"', 'id = "mole"').replace('name = "Hulk"', 'name = "Dr Mole"')
    (folder / "mole.toml").write_text(text, encoding="utf-8")
    return folder


def test_heroes_and_their_cards_are_shown_with_their_marks(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, expected in (
        (["cards", "hulk"], "Hulk (marvel, built in)"),
        (["cards", "Captain America"], "Captain America (marvel, built in)"),
        (["cards", "Heat Vision"], "Choose a player to burn 6."),
        (["cards", "bizarro"], "Enemy: Bizarro (seed)"),
        (["cards", "aquaman/r5"], "Danger icon"),
        (["cards", "--variant", "dc"], "house: our own design"),
        (["cards", "--variant", "dbz", "WS"], "Shenron's Wish"),
    ):
        assert run(arguments) == 0, arguments
        assert expected in capsys.readouterr().out, arguments


def test_the_rules_of_every_game_are_told_in_words_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    for variant in games():
        assert run(["rules", variant]) == 0
        out = capsys.readouterr().out
        assert "Whoever has played the last card wins" in out.replace("\n  ", " ")
        assert "hand_size 7: cards dealt to each player (R3); may be 5 to 9" in out
        assert run(["rules", variant, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["options"]["hand_size"] == {
            "value": 7, "usual": 7, "may_be": "5 to 9", "meaning": "cards dealt to each player (R3)",
        }  # fmt: skip
    assert run(["cards", "thor", "--json"]) == 0
    (thor,) = json.loads(capsys.readouterr().out)["cards"]
    assert (thor["hero"], len(thor["danger"])) == ("thor", 8)
    assert sum(card["copies"] for card in thor["cards"]) == 47


def test_own_heroes_are_shown_and_can_be_played(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cards", "--packs", str(own), "Dr Mole"]) == 0
    assert "Dr Mole (marvel, " in capsys.readouterr().out
    assert run(["rules", "marvel", "--packs", str(own)]) == 0
    assert ", mole (" in capsys.readouterr().out
    assert run(["play", "--variant", "dc", "--option", "mix_sets=off", "--packs", str(own), "--hero", "mole"]) == 2
    assert "no hero is called 'mole'" in capsys.readouterr().err


HOSTILE = [
    ('name = "Dr Mole"', 'name = "Dr \\u001b[2JMole"'),
    ('name = "Smash"', 'name = "Sm\\u202eash"'),
    ('text = "Burn 3. Then take another turn."', 'text = "Burn \\u009b31m3."'),
    ('mark = "house"', 'mark = "ho\\u0007use"'),
    ('id = "mole"', 'id = "m\\u001b]0;x\\u0007"'),
    ('numbers = [1,2,3,4,5,6]', 'numbers = [1,2,3,4,5,"\\u001b[2J"]'),
    ('[deck]', '["de\\u001b[2Jck"]'),
]  # fmt: skip


@pytest.mark.parametrize(("good", "bad"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_broken_pack_is_one_clean_error_and_one_hint(
    good: str, bad: str, own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Packs come from others: what steers a terminal is refused, and not even the refusal repeats it. Exit code 4."""
    pack = own / "mole.toml"
    text = pack.read_text("utf-8")
    assert good in text
    pack.write_text(text.replace(good, bad), encoding="utf-8")
    for arguments in (["cards", "--packs", str(own)], ["play", "--variant", "marvel", "--packs", str(own), "--plain"]):
        assert run([*arguments]) in (2, 4)
        out, err = capsys.readouterr()
        assert out == "" or "--packs" in arguments
        lines = err.splitlines()
        assert lines
        assert lines[0].startswith("error: ")
        assert all(line.isprintable() for line in lines)


def test_a_folder_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--variant", "dc", "--packs", "/nowhere/at/all", "--plain"]) == 4
    assert "there is no such folder" in capsys.readouterr().err
    assert run(["play", "--packs", "/nowhere/at/all", "--plain"]) == 4
    capsys.readouterr()
