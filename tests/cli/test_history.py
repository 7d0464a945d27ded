"""History and standings: what a table left behind is the same whether its end was seen or its journal is read."""

from __future__ import annotations

import json
import signal
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.history.index import index_path, open_index, rebuild
from cli.history.past import Past, Standing, past_of_journal, past_of_session
from cli.history.stats import tallies
from cli.history.words import past_lines, player_lines
from cli.main import run
from cli.seat import Seating, remember, sit
from cli.trouble import Interrupted
from p2puno.rules import Rules
from protocol.errors import Damaged
from tests.cli.past_tables import Ended, both_left, cheated, left, play

NOBODY: frozenset[bytes] = frozenset()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("P2PUNO_HOME", str(folder))
    return folder


def own(ended: Ended) -> frozenset[bytes]:
    return frozenset({ended.table.identities[0].public})


def seen(ended: Ended) -> Past:
    past = past_of_session(ended.record, ended.session, own(ended))
    assert past is not None
    return past


TWO_HANDS = Rules.make("batman", hand_size=5, hands=2)
ENDINGS: list[tuple[str, Callable[[Path], Ended], Standing, tuple[bool, ...]]] = [
    ("played to its end", lambda at: play(at, 3), Standing.FINISHED, (False, False, False)),
    ("two seats, one leaves in play: C55", lambda at: left(at, "move", 1), Standing.FORFEIT, (False, True)),
    ("two seats, told by the one who left: C55", lambda at: left(at, "move", 0), Standing.FORFEIT, (True, False)),
    ("one leaves before the second deal", lambda at: left(at, "commit", 1, rules=TWO_HANDS, hand=2),
     Standing.FORFEIT, (False, True)),
    ("one of three leaves: R56", lambda at: left(at, "move", 2, 3), Standing.FINISHED, (False, False, True)),
    ("left before any deal", lambda at: left(at, "commit", 1), Standing.UNFINISHED, (False, True)),
    ("of two both leave", both_left, Standing.UNFINISHED, (True, True)),
    ("two stories: C16", cheated, Standing.CHEATING, (False, True, False)),
]  # fmt: skip


@pytest.mark.parametrize(("make", "standing", "gone"), [e[1:] for e in ENDINGS], ids=[e[0] for e in ENDINGS])
def test_seen_and_read_are_the_same(
    make: Callable[[Path], Ended], standing: Standing, gone: tuple[bool, ...], tmp_path: Path
) -> None:
    ended = make(tmp_path)
    past = seen(ended)
    assert past.standing is standing
    assert tuple(chair.cheated for chair in past.chairs) == tuple(
        standing is Standing.CHEATING and seat == 1 for seat in range(len(gone))
    )
    read = past_of_journal(ended.journal, own(ended))
    assert tuple(chair.gone for chair in read.chairs) == gone
    assert read == past
    assert [chair.mine for chair in past.chairs] == [True] + [False] * (len(gone) - 1)


def test_the_index_gives_back_what_was_put_in(home: Path, tmp_path: Path) -> None:
    pasts = [seen(play(tmp_path)), seen(cheated(tmp_path)), seen(left(tmp_path, "move", 1))]
    with open_index(index_path(home)) as index:
        for past in pasts:
            index.add(past)
    with open_index(index_path(home)) as index:
        assert sorted(index.pasts(), key=str) == sorted(pasts, key=str)
        assert len(index.pasts(2)) == 2
        assert index.journals() == {past.journal for past in pasts}


def test_of_two_journals_of_a_table_the_longer_one_counts(home: Path, tmp_path: Path) -> None:
    past = seen(play(tmp_path))
    short = replace(past, standing=Standing.UNFINISHED, steps=past.steps - 9, journal="cut", hands=())
    for order in ([past, short], [short, past]):
        index_path(home).unlink(missing_ok=True)
        with open_index(index_path(home)) as index:
            for one in order:
                index.add(one)
            assert index.pasts() == [past]
            assert index.journals() == {past.journal, "cut"}


def test_ctrl_c_leaves_a_table_behind_in_the_history(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """N02: whoever leaves by a signal has left, and the history says so as after `quit`."""
    one = left(tmp_path, "move", 0, seats=3)
    face = SimpleNamespace(signal=int(signal.SIGINT), session=one.session, record=one.record)
    monkeypatch.setattr("cli.seat.shown", lambda *_, **__: face)
    with pytest.raises(Interrupted) as ended:
        sit(cast(Any, None), Seating("Mia", tmp_path))
    assert ended.value.exit_code == 130
    with open_index(index_path(home)) as index:
        (past,) = index.pasts()
    assert past.table == one.table.charter.table.hex()
    assert past.chairs[one.session.seat].gone


def test_a_relative_home_is_the_same_home(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The history knows journals by their paths: one that is in it is not called unread."""
    with open_index(index_path(home)) as index:
        index.add(seen(play(home / "tables")))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("P2PUNO_HOME", home.name)
    assert run(["history"]) == 0
    assert "cut off" not in capsys.readouterr().out


def test_the_history_is_made_anew_from_journals(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = home / "tables"
    ended = [play(tables), left(tables, "move", 1)]
    (tables / "broken.p2puno").write_bytes(ended[0].journal.read_bytes()[:200])
    other = play(tmp_path / "elsewhere", seed=2)
    with open_index(index_path(home)) as index:
        index.add(seen(other))  # its journal lies elsewhere, the index knows where
    assert run(["history"]) == 0
    assert "3 journals are of a table that goes on or was cut off" in capsys.readouterr().out
    assert run(["history", "--rebuild", "--json"]) == 4
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert {table["table"] for table in document["tables"]} == {
        one.table.charter.table.hex() for one in (*ended, other)
    }
    assert document["journals_not_read"] == [str(tables / "broken.p2puno")]
    assert "broken.p2puno is left out: the journal ends inside its charter" in err


def test_a_broken_history_is_told_and_replaced(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ended = play(home / "tables")
    index_path(home).write_bytes(b"no database at all, but long enough to be looked at" * 20)
    assert run(["history"]) == 4
    err = capsys.readouterr().err
    assert "file is not a database" in err
    assert "hint: `p2puno history --rebuild`" in err
    assert run(["history", "--rebuild"]) == 0
    assert str(ended.journal) in capsys.readouterr().out
    assert [path.name for path in home.iterdir() if "history" in path.name] == ["history.sqlite"]


def test_a_rebuild_that_fails_leaves_the_old_history(home: Path, tmp_path: Path) -> None:
    ended = play(tmp_path)
    with open_index(index_path(home)) as index:
        index.add(seen(ended))

    def interrupted(journal: Path) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild(index_path(home), [ended.journal], NOBODY, interrupted)
    with open_index(index_path(home)) as index:
        assert len(index.pasts()) == 1


@pytest.mark.parametrize("change", ["PRAGMA user_version = 99", "UPDATE tables SET standing = 'glorious'"])
def test_an_index_of_another_kind_is_refused(change: str, home: Path, tmp_path: Path) -> None:
    with open_index(index_path(home)) as index:
        index.add(seen(play(tmp_path)))
    base = sqlite3.connect(index_path(home))
    base.execute(change)
    base.commit()
    base.close()
    with pytest.raises(Damaged), open_index(index_path(home)) as index:
        index.pasts()


HOSTILE = ("\x1b[2JMia\x07", "Bo\u202e\nhint: pay")


def test_hostile_names_never_reach_the_terminal(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """P16, P17: not from a journal, and not from an index that somebody has changed."""
    past = past_of_journal(play(home / "tables", names=HOSTILE).journal, NOBODY)
    chairs = tuple(replace(chair, name=name, hero=name) for chair, name in zip(past.chairs, HOSTILE, strict=True))
    for evil in (past, replace(past, chairs=chairs, variant="\x1b[31m", journal="/tmp/\x1b]0;x\x07", ended="\x1b[H")):
        index_path(home).unlink(missing_ok=True)
        with open_index(index_path(home)) as index:
            index.add(evil)
        for command in (["history"], ["stats"], ["history", "--json"], ["stats", "--json"]):
            assert run(command) == 0
            out = capsys.readouterr().out
            assert out
            assert all(line.isprintable() for line in out.splitlines()), out
            assert not any(line.startswith("hint") for line in out.splitlines())


def test_endings_are_told_as_such(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_index(index_path(home)) as index:
        for ended in (left(tmp_path, "move", 1), left(tmp_path, "commit", 1, seed=4), cheated(tmp_path)):
            index.add(past_of_journal(ended.journal, NOBODY))
    assert run(["history"]) == 0
    out = capsys.readouterr().out
    assert "won by P0 by forfeit: P1 left" in out
    assert "unfinished: P1 left" in out
    assert "stopped: P1 cheated, the proof is in the journal" in out


def test_stats_count_by_key(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One key is one player, whatever it calls itself; bots, whose keys are thrown away, are one line."""
    ended = play(tmp_path, rules=TWO_HANDS)
    past = past_of_journal(ended.journal, own(ended))
    renamed = replace(past, table="00", chairs=tuple(replace(chair, name="Max") for chair in past.chairs))
    forfeit = past_of_journal(left(tmp_path, "move", 1).journal, NOBODY)
    me, bots = tallies([renamed, past])
    wins = [hand for hand in past.hands if hand.winner == 0]
    assert (me.key, me.mine, me.names) == (past.chairs[0].key, True, ["Max", "P0"])
    assert (me.tables, me.hands, me.hands_won) == (2, 4, 2 * len(wins))
    assert me.points == 2 * sum(hand.points for hand in wins)
    assert (bots.key, bots.name, bots.hands) == ("", "all bots", 4)
    assert me.hands_won + bots.hands_won == 4
    person = replace(forfeit, chairs=tuple(replace(chair, bot=False, hero="hulk") for chair in forfeit.chairs))
    winner, leaver = tallies([person])
    assert (winner.won, winner.forfeits, leaver.won, leaver.forfeits) == (1, 0, 0, 1)
    assert leaver.heroes == {"hulk": len(forfeit.hands)}
    assert f"hands with each hero: Hulk ({len(forfeit.hands)})" in player_lines(leaver)  # by name, not by id
    assert any("as Hulk" in line for line in past_lines(person))
    with open_index(index_path(home)) as index:
        index.add(past)
    assert run(["stats"]) == 0
    head, mine, rest = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["player", "key", "tables"]
    assert mine.startswith("P0 (you)  ")
    assert rest.startswith("all bots  ")
    assert run(["stats", "--json"]) == 0
    assert [player["bots"] for player in json.loads(capsys.readouterr().out)["players"]] == [False, True]


def test_nothing_yet(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("history", "stats"):
        assert run([command]) == 0
        assert capsys.readouterr().out == "No table has ended yet.\n"


def test_a_table_that_ends_goes_into_the_history(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = play(tmp_path)
    remember(ended.record, ended.session)
    with open_index(index_path(home)) as index:
        assert index.pasts() == [past_of_journal(ended.journal, NOBODY)]
    index_path(home).write_bytes(b"no database at all, but long enough to be looked at" * 20)
    capsys.readouterr()
    remember(ended.record, ended.session)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: the table is not in the history: ")
    assert "hint: `p2puno history --rebuild`" in err
