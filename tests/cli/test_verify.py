"""`p2puno verify`: who won, who was away, who left, who cheated by which entry; the evidence as a file of its own."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from cli.main import run
from p2puno.outcome import Ending
from protocol.audit import audit
from protocol.evidence import extract
from protocol.exhibits import NO_ENTRY
from protocol.journal import Reader
from protocol.reading import judge, read, read_whole
from protocol.verdict import Hand, Verdict
from tests.testkit.card import FOLDER


def journal(name: str) -> str:
    return str(FOLDER / f"{name}.p2puno")


@pytest.mark.parametrize(
    ("name", "code"), [("good-leaves", 0), ("c18-two-shares", 3), ("bad-bit", 4), ("open-names", 5)]
)
def test_exit_codes(name: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", journal(name)]) == code
    out, err = capsys.readouterr()
    assert out or code == 4
    assert bool(err) == bool(code)
    assert err.count("\n") <= 2


def test_the_game_is_called_by_its_name_and_by_its_id_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    run(["verify", journal("good-leaves")])
    assert capsys.readouterr().out.startswith("table: UNO: Batman Special Edition, 3 players: ")
    assert document("good-leaves", capsys)["variant"] == "batman"


def test_r56_who_left_who_was_removed_and_who_was_absent(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for name in ("good-leaves", "good-removed", "good-forfeit"):
        run(["verify", journal(name)])
        said.append(capsys.readouterr().out)
    assert "\nleft: P2 in step " in said[0]
    assert "\nremoved: P2 in step " in said[1]
    assert re.findall(r"\nabsent: (P\d) in steps ", said[1]) == ["P2"], "who removes another seat is not absent"
    assert "wins by forfeit" in said[2]
    assert all("\nwinner: P" in text for text in said)


def test_r58_where_there_are_no_points_none_are_told() -> None:
    hand = Hand(1, Ending.EMPTY_HAND, 0, (0, 0), ((), ()))
    told = {}
    for variant in ("batman", "marvel"):
        verdict = Verdict(variant=variant, names=("A", "B"), hands=[hand], ended=True, winner=1, scores=(0, 0))
        told[variant] = "\n".join(verdict.lines())
    assert "point" in told["batman"]
    assert "scores:" in told["batman"]
    assert "point" not in told["marvel"]
    assert "scores:" not in told["marvel"]
    assert "hand 1: B wins by empty hand\n" in told["marvel"]
    assert "winner: B\n" in told["marvel"] + "\n"


def test_a_table_that_went_on_after_a_proof_has_a_winner_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", journal("c16-wrong-share")]) == 3
    out = capsys.readouterr().out
    assert "\ncheated: P1 in entry " in out
    assert "\nremoved for cheating: P1 in step " in out
    assert "\nwinner: P" in out


def document(name: str, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    run(["verify", "--json", journal(name), *more])
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return said


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    said = document("c16-wrong-share", capsys)
    (offence,) = said["offences"]
    (shown,) = offence["entries"]
    assert (offence["name"], shown["author"], shown["kind"], shown["step"]) == ("P1", "P1", "Shares", offence["step"])
    assert said["departures"] == [
        {"name": "P1", "seat": 1, "step": said["departures"][0]["step"], "how": "removed for cheating"}
    ]
    assert [each["name"] for each in said["absences"]] == ["P1"]
    assert said["winner"]
    assert document("good-batman", capsys)["offences"] == []


def test_blame_shows_both_sides_of_a_contradiction(capsys: pytest.CaptureFixture[str]) -> None:
    run(["verify", "--blame", journal("c18-two-shares")])
    out = capsys.readouterr().out
    assert out.count("signed by P1, Shares") == 2
    assert "  entry 1 at byte " in out
    assert "  entry 2 at byte " in out
    assert "why: the signatures are good" in out
    assert max(map(len, out.splitlines())) < 500


def test_blame_shows_against_what_a_proof_was_checked(capsys: pytest.CaptureFixture[str]) -> None:
    for name, asked in (
        ("c16-wrong-share", r"shares: slots [\d ]+(\.\.\.)?, key [0-9a-f]{12}"),
        ("c10-another-kind", r"shuffle: round \d, draw pile \(112 cards\), joint key [0-9a-f]{12}"),
        ("c21-not-its-card", r"move: seat 2 was to say which card it plays, or that it draws, key [0-9a-f]{12}"),
        ("c04-wrong-opening", r"reveal: the commitment [0-9a-f]{12}"),
    ):
        run(["verify", "--blame", journal(name)])
        assert re.search(f"checked against {asked}", capsys.readouterr().out)


def test_blame_counts_seats_from_1_and_documents_for_programs_from_0(capsys: pytest.CaptureFixture[str]) -> None:
    """As the faces do: seat 2 of 3 is P1, who has and has not what P0 at seat 1 owed."""
    run(["verify", "--blame", journal("c38-has-and-has-not")])
    out = capsys.readouterr().out
    assert re.findall(r"    seat (\d), its number \d; seat (\d)", out) == [("2", "1")] * 2
    run(["verify", "--blame", journal("c09-good-share-called-bad")])
    assert "(dealer 1, secret" in capsys.readouterr().out
    said = document("c38-has-and-has-not", capsys)
    assert (said["blame_seat"], said["offences"][0]["seat"]) == (1, 1)


def test_a_pipe_gives_the_same_verdict_and_the_same_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is read once: a pipe has nothing more to give the second time."""
    reading, writing = os.pipe()
    with open(journal("c18-two-shares"), "rb") as file:  # small enough for a pipe to hold it
        os.write(writing, file.read())
    os.close(writing)
    out = tmp_path / "evidence.p2puno"
    assert run(["verify", f"/dev/fd/{reading}", "--extract", str(out)]) == 3
    assert "evidence: 2 of 2 entries" in capsys.readouterr().out
    assert audit(out).exit_code == 3


def test_c07_blame_shows_the_deal_and_the_complaint(capsys: pytest.CaptureFixture[str]) -> None:
    run(["verify", "--blame", journal("c07-bad-share")])
    out = capsys.readouterr().out
    assert "signed by P1, Reveal" in out
    assert ", Pledge" in out


def test_c44_blame_shows_no_hostile_text(capsys: pytest.CaptureFixture[str]) -> None:
    run(["verify", "--blame", journal("c24-no-such-word")])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert 'word "' in out


@pytest.mark.parametrize(("name", "most"), [("c16-wrong-share", 30), ("c25-two-moves", 2)])
def test_the_evidence_is_small_and_convicts(
    name: str, most: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "evidence.p2puno"
    assert run(["verify", journal(name), "--extract", str(out)]) == 3
    assert "evidence: " in capsys.readouterr().out
    before, after = audit(Path(journal(name))), audit(out)
    assert after.exit_code == 3
    assert [(each.seat, each.step, each.reason) for each in after.offences] == [
        (each.seat, each.step, each.reason) for each in before.offences[:1]
    ]
    assert after.entries <= most < before.entries


CHEATS = sorted(path.stem for path in FOLDER.glob("c*.txt") if "\nexpect: 3\n" in path.read_text("utf-8"))


@pytest.mark.parametrize("name", CHEATS)
def test_the_evidence_convicts_whoever_reads_it(name: str, tmp_path: Path) -> None:
    """Of every cheat, by both readings: the same seat, in the same step, for the same reason; two seats with one key
    (C05) are shown by the reveals of both, a wrong leave (C41) before it takes effect."""
    whole, out = read_whole(Path(journal(name))), tmp_path / "evidence.p2puno"
    assert extract(whole, out)
    first = whole.verdict.offences[0]
    for reader in (audit, read):
        (offence,) = reader(out).offences
        assert (offence.seat, offence.reason) == (first.seat, first.reason)
        assert offence.step == first.step or offence.why == NO_ENTRY


@pytest.mark.parametrize(
    "name", ["c05-one-key-twice", "c07-bad-share", "c16-wrong-share", "c25-two-moves", "c31-two-answers"]
)
def test_nothing_can_be_left_out_of_the_evidence(name: str, tmp_path: Path) -> None:
    whole, out = read_whole(Path(journal(name))), tmp_path / "evidence.p2puno"
    assert extract(whole, out)
    first = whole.verdict.offences[0]
    reader = Reader(out)
    records = list(reader.entries())
    for at in range(len(records)):
        fewer = judge(reader.charter, records[:at] + records[at + 1 :])
        assert (first.seat, first.reason) not in [(each.seat, each.reason) for each in fewer.offences]


def test_nothing_to_extract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is what the journal says, whatever is asked."""
    out = tmp_path / "evidence.p2puno"
    for name, code in (("good-forfeit", 0), ("bad-bit", 4), ("open-names", 5)):
        assert run(["verify", journal(name), "--extract", str(out)]) == code
        assert "nothing in" in capsys.readouterr().err
        assert not out.exists()


def test_evidence_is_written_over_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "mine.txt"
    out.write_text("mine")
    assert run(["verify", journal("c18-two-shares"), "--extract", str(out)]) == 2
    assert out.read_text() == "mine"
    assert "exists already" in capsys.readouterr().err
