"""Tables on the network, the own key and known players, as commands. Loopback only, under service names of our own."""

from __future__ import annotations

import io
import json
import secrets
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest
import trio

from cli import lan
from cli.lan import choose, list_lines
from cli.main import run
from cli.reach import join_lines
from cli.seat import Seating
from cli.tables import memory
from p2puno.rules import Rules
from protocol.errors import Unreachable, Usage
from protocol.identity import Identity, words
from protocol.known import Acquaintance, KnownPlayers, Standing
from protocol.net import discovery
from protocol.net.advert import Advert, digest
from protocol.net.discovery import Found, Sight
from protocol.net.gathering import open_host

HOST = "127.0.0.1"
RULES = Rules.make("batman")
ANN, BOB = Identity.fresh(), Identity.fresh()


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))
    monkeypatch.delenv("P2PUNO_CODE", raising=False)
    monkeypatch.setattr(discovery, "SERVICE", f"_p2t{secrets.token_hex(5)}._tcp.local.")


@contextmanager
def table(folder: Path, identity: Identity = ANN, name: str = "Ann", code: str = "") -> Iterator[str]:
    """A table on loopback in a thread of its own, as another program has it; its address."""
    address: list[str] = []
    up = threading.Event()
    stop: list[Callable[[], None]] = []

    async def main() -> None:
        async with open_host(
            identity, name, RULES, host=HOST, port=0, journal_dir=folder, announce=True, code=code
        ) as session:
            over = trio.Event()
            token = trio.lowlevel.current_trio_token()
            stop.append(lambda: token.run_sync_soon(over.set))
            address.extend(session.addresses)
            up.set()
            await over.wait()

    thread = threading.Thread(target=trio.run, args=(main,))
    thread.start()
    assert up.wait(20)
    try:
        yield address[0]
    finally:
        stop[0]()
        thread.join(20)


def found(identity: Identity = ANN, name: str = "Ann", private: bool = False, stale: bool = False) -> Found:
    advert = Advert(identity.public, name, "batman", 1, 4, digest(RULES), private)
    return Found(advert, (("192.168.1.9", 4242),), stale)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Found]:
    """What a look at the network gives."""
    tables: list[Found] = []

    async def look(seconds: float, on: str | None, enough: object = None) -> Sight:
        return Sight(tuple(tables), "")

    monkeypatch.setattr(lan, "look", look)
    return tables


def test_tables_lists_what_is_open_and_join_finds_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The whole way: announced, listed, joined by name; a stranger without the code gets exit code 6."""
    with table(tmp_path, code="zudaro-pimebi") as address:
        assert run(["tables", "--on", HOST, "--seconds", "3", "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        (one,) = document["tables"]
        assert (one["name"], one["key"], one["addresses"]) == ("Ann", ANN.public.hex(), [address])
        assert (one["private"], one["answers"], one["taken"], one["known"]) == (True, True, 1, "new")
        assert document["here"]
        arguments = ["join", "--table", "ann", "--on", HOST, "--autoplay", "--plain", "--seconds", "10"]
        assert run(arguments) == 2
        assert "it wants an invite code" in capsys.readouterr().err
        assert run([*arguments, "--code", "zudaro-pimebo"]) == 6
        assert "error: the invite code is wrong" in capsys.readouterr().err
        assert run(["join", address, "--autoplay", "--plain"]) == 6
        assert "hint: ask for it, and add --code CODE" in capsys.readouterr().err
    assert run(["tables", "--on", HOST, "--seconds", "0.1"]) == 0
    assert "No table was found. The usual causes:" in capsys.readouterr().out


def test_the_list_says_what_matters() -> None:
    """C46, D04, D14: safety words, a known name with another key, what does not answer, how to join."""
    known = [Acquaintance(BOB.public.hex(), "Ann", "2026-01-01", "2026-01-01", 1, True)]
    lines = "\n".join(list_lines(Sight((found(private=True), found(BOB, "Bo", stale=True)), "the wind"), known))
    assert "1. Ann: UNO: Batman Special Edition, 1 of 4 seats taken, official rules, needs a code" in lines
    assert f"{words(ANN.public)} (CAUTION: not the key of the Ann you have played with)" in lines
    assert "p2puno join 192.168.1.9:4242 --code CODE" in lines
    assert "2. Bo: UNO: Batman Special Edition, 1 of 4 seats taken, official rules, does not answer" in lines
    assert f"{words(BOB.public)} (known)" in lines
    assert "the wind" in lines
    strange = Found(Advert(ANN.public, "Ann", "chess", 1, 2, bytes(8), False), (("10.0.0.1", 1),), False)
    assert (
        "1. Ann: chess, 1 of 2 seats taken, a game that is not known here" in list_lines(Sight((strange,), ""), [])[0]
    )


def test_the_only_table_is_joined_and_its_key_expected(seen: list[Found]) -> None:
    seen += [found(), found(BOB, "Bob", stale=True)]
    choice = choose(None, 1.0, None, "default")
    assert (choice.address, choice.key, choice.private) == ("192.168.1.9:4242", ANN.public, False)


def test_a_table_under_a_known_name_with_another_key_is_asked_about(
    tmp_path: Path, seen: list[Found], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """C46: before the seat is taken, as the table may begin at once."""
    KnownPlayers(tmp_path / "known-default.json").meet([("Ann", BOB.public)], "2026-01-02")
    seen.append(found())
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    with pytest.raises(click.Abort):
        choose(None, 1.0, None, "default")
    assert "CAUTION: not the key of the Ann you have played with" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    assert choose(None, 1.0, None, "default").key == ANN.public


@pytest.mark.parametrize("said", ["bob", words(BOB.public), words(BOB.public).split()[0].upper()], ids=range(3))
def test_a_table_is_named_by_name_or_safety_words(said: str, seen: list[Found]) -> None:
    seen += [found(), found(BOB, "Bob", private=True)]
    choice = choose(said, 1.0, None, "default")
    assert (choice.key, choice.private) == (BOB.public, True)
    with pytest.raises(Unreachable, match="no table of 'Cy'"):
        choose("Cy", 1.0, None, "default")


def test_several_tables_are_asked_about_or_named(seen: list[Found], monkeypatch: pytest.MonkeyPatch) -> None:
    """D13: the prompt takes a number, a name, safety words or an address, and asks again otherwise."""
    seen += [found(), found(BOB, "Bob")]
    with pytest.raises(Usage, match="there are 2 tables"):
        choose(None, 1.0, None, "default")
    for said, key, address in (
        ("2", BOB.public, "192.168.1.9:4242"),
        ("bob", BOB.public, "192.168.1.9:4242"),
        ("3\n\n[::1\n10.0.0.9", None, "10.0.0.9:4242"),
        ("[fe80::1%eth0]:77", None, "[fe80::1%eth0]:77"),
    ):
        monkeypatch.setattr(sys, "stdin", Terminal(f"{said}\n"))
        choice = choose(None, 1.0, None, "default")
        assert (choice.key, choice.address) == (key, address)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_no_table_is_exit_code_6(seen: list[Found], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["join", "--plain"]) == 6
    assert capsys.readouterr().err.startswith("error: no table was found\nhint: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["join", "10.0.0.1", "--table", "x"], "an address and --table do not go together"),
        (["join", "127.0.0.1:1", "--code", "hello"], "that is no invite code"),
        (["tables", "--on", "a:b:c"], "'a:b:c' is not an address"),
        (["players", "--forget", "a", "--trust", "b"], "--forget and --trust do not go together"),
        (["players", "--forget", "nobody"], "nobody is known as 'nobody'"),
        (["whoami", "--profile", "../x"], "'../x' is no profile name"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert capsys.readouterr().err.startswith(f"error: {message}")


def test_whoami_makes_a_key_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["whoami"]) == 0
    first = capsys.readouterr().out
    assert f"{tmp_path / 'identity-default.pem'} (made now)" in first
    assert run(["whoami", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert f"Safety words: {document['words']}\n" in first
    assert document["words"] == words(bytes.fromhex(document["key"]))
    assert not document["new"]
    (tmp_path / "identity-default.pem").write_text("x")
    assert run(["whoami"]) == 4


def test_players_are_listed_trusted_and_forgotten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """C46."""
    assert run(["players"]) == 0
    assert "Nobody yet" in capsys.readouterr().out
    known = KnownPlayers(tmp_path / "known-default.json")
    known.meet([("Bob", BOB.public)], "2026-01-02")
    known.meet([("Bob", ANN.public)], "2026-01-03")
    assert run(["players"]) == 0
    out = capsys.readouterr().out
    assert f"Bob: {words(BOB.public)} (1 table, last on 2026-01-02)\n" in out
    assert f"Bob: {words(ANN.public)} (1 table, last on 2026-01-03)  NOT CONFIRMED" in out
    assert run(["players", "--trust", words(ANN.public)]) == 0
    capsys.readouterr()
    assert run(["players", "--json"]) == 0
    assert [one["confirmed"] for one in json.loads(capsys.readouterr().out)["players"]] == [True, True]
    assert run(["players", "--forget", words(BOB.public)]) == 0
    assert [one.key for one in known.all()] == [ANN.public.hex()]
    (tmp_path / "known-default.json").write_text("{}")
    assert run(["players"]) == 4


def test_bots_of_a_table_know_nobody_and_remember_nobody(tmp_path: Path) -> None:
    seating = Seating("Ada", tmp_path, until_eof=True)
    judge, meet = memory(seating)
    meet([("Bob", BOB.public)])
    assert judge("Bob", ANN.public) is Standing.UNASKED
    judge, meet = memory(Seating("Ann", tmp_path))
    meet([("Bob", BOB.public)])
    assert judge("Bob", BOB.public) is Standing.NEW  # as it was when the table was opened
    assert memory(Seating("Ann", tmp_path))[0]("Bob", ANN.public) is Standing.OTHER_KEY


def test_the_lobby_shows_the_code_with_the_addresses() -> None:
    assert join_lines(["192.168.1.5:4242"], "zudaro-pimebi") == ("p2puno join 192.168.1.5:4242 --code zudaro-pimebi",)
