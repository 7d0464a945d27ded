"""Replay: what a watcher would have seen, step by step, from a journal that the audit has read (P17, P20, M28)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.canvas import plain
from cli.main import run
from cli.replay.draw import draw
from cli.replay.film import Film, matches, shoot
from cli.replay.lines import document, lines
from cli.replay.viewer import Viewer
from cli.table.narrator import Narrator
from cli.theme import ASCII
from p2puno.happenings import What
from p2puno.rules import Rules
from protocol.events import HandOver, Happened, MatchOver, Phase, PhaseChanged
from tests.cli.past_tables import Ended, cheated, left, play

MARVEL = Rules.make("marvel", heroes=("hulk", "thor"))


def told_live(ended: Ended) -> list[str]:
    """What the screen of seat 0 told, as nobody in particular."""
    narrator = Narrator()
    narrator.at(tuple(ended.session.players), -1, ended.session.rules)
    out = []
    for event in ended.table.peers[0].told:
        begins = isinstance(event, PhaseChanged) and event.phase is Phase.COMMIT
        if begins or isinstance(event, Happened | HandOver | MatchOver):
            out += [line.text for line in narrator.tell(event)]
    return out


def told(film: Film) -> list[str]:
    return [one.line.text for frame in film.frames for one in frame.told]


def test_the_replay_tells_what_the_table_told(table: Ended, film: Film) -> None:
    """Line by line, through two hands and their results."""
    assert sorted(told(film)[1:]) == sorted(told_live(table))
    live = [text for text in told_live(table) if "wins" in text or "plays" in text]
    assert [text for text in told(film) if "wins" in text or "plays" in text] == live
    assert film.verdict.exit_code == 0
    assert film.turns == film.verdict.turns == table.session.turns


def test_every_frame_is_what_a_watcher_sees(table: Ended, film: Film) -> None:
    """Nobody's hand is in a frame but for cards that all have seen (R47: shown to all; R80: opened at the end)."""
    for frame in film.frames:
        assert frame.look.me == -1
        assert frame.look.hand == ()
        if frame.look.dealt and not frame.result:
            assert tuple(map(len, frame.faces)) == tuple(seat.cards for seat in frame.look.seats)
    known = [
        (i, seat) for i, frame in enumerate(film.frames) for seat in range(3) if any(f >= 0 for f in frame.faces[seat])
    ]
    shows = [h.seat for frame in film.frames for _, h in frame.happened if h.what is What.SHOWED]
    assert shows
    assert known
    ends = [i for i, frame in enumerate(film.frames) if frame.result]
    assert len(ends) == 2
    assert film.frames[ends[-1]].faces == table.record.hands[-1].outcome.hands
    # Before the first card is shown to all, nothing is known of any hand.
    first = next(i for i, frame in enumerate(film.frames) if any(h.what is What.SHOWED for _, h in frame.happened))
    assert all(i >= min(first, ends[0]) for i, _ in known)


def test_the_last_frame_is_the_table_as_it_ended(table: Ended, film: Film) -> None:
    look, game = film.frames[-1].look, table.table.peers[0].node.table.game
    assert game is not None
    assert look.seats[0].score == table.session.scores[0]
    assert film.frames[-1].step == table.session.steps
    assert [seat.cards for seat in look.seats] == [len(hand) for hand in game.hands]


def test_a_table_of_heroes(tmp_path: Path) -> None:
    ended = play(tmp_path, 2, MARVEL, seed=1)
    film = shoot(ended.journal)
    assert film.frames[-1].look.heroes
    assert {seat.hero for seat in film.frames[-1].look.seats} == {"Hulk", "Thor"}
    assert sorted(told(film)[1:]) == sorted(told_live(ended))
    rows = draw(Viewer(film, len(film.frames) // 2), 80, 24, ASCII)
    assert "Thor" in "\n".join(plain(rows))


# -- damaged, cut, foreign, cheated


@pytest.fixture
def some(tmp_path: Path) -> Path:
    return tmp_path / "some.p2puno"


def test_a_damaged_file_is_shown_up_to_the_damage(table: Ended, some: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """C50: exit code 4 with the exact place; what stands before it is shown."""
    data = bytearray(table.journal.read_bytes())
    data[len(data) // 2] ^= 1
    some.write_bytes(data)
    assert run(["replay", str(some)]) == 4
    out, err = capsys.readouterr()
    assert "plays" in out
    assert err.startswith("error: an entry is damaged: the signature does not fit (entry ")
    place = err.split("(")[1].split(")")[0]
    assert " at byte " in place
    assert out.splitlines()[-1].endswith(place)


def test_an_unfinished_table_says_so(table: Ended, some: Path, capsys: pytest.CaptureFixture[str]) -> None:
    some.write_bytes(table.journal.read_bytes()[:-30000])
    assert run(["replay", str(some)]) == 5
    out, err = capsys.readouterr()
    assert "error: the table is unfinished: it waits for" in err
    assert "the table is unfinished" in out.splitlines()[-2]


def test_a_cheat_is_the_last_thing_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(cheated(tmp_path).journal)]) == 3
    out, err = capsys.readouterr()
    assert "P1 cheated: signed two different entries" in out.splitlines()[-2]
    assert err.startswith("error: P1 cheated: signed two different entries")


@pytest.mark.parametrize("data", [b"", b"hello\n", b"p2puno journal 99\n"])
def test_another_file_is_exit_code_4(data: bytes, some: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """M28: one sentence, nothing shown."""
    some.write_bytes(data)
    assert run(["replay", str(some)]) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert run(["replay", str(some) + "x"]) == 4


def test_a_seat_that_left(tmp_path: Path) -> None:
    """R56: everything until the forfeit is there, and how it ended."""
    film = shoot(left(tmp_path, "move", 1).journal)
    assert film.verdict.exit_code == 0
    assert any("P1 leaves the hand" in text for text in told(film))
    assert "forfeit" in film.frames[-1].result[0].text


@pytest.mark.parametrize(
    ("kit", "lines"),
    [
        ("good-returns", ["P2 does not answer: the table goes on, the seat and the hand stay", "P2 is back"]),
        (
            "good-removed",
            [
                "P2 does not answer: the table goes on, the seat and the hand stay",
                "P2, who is away, is taken off the table",
            ],
        ),
        (
            "c25-two-moves",
            [
                "P1 cheated at step 15: signed two different entries numbered 9",
                "P1 is taken off the table for cheating",
            ],
        ),
    ],
)
def test_who_was_away_came_back_or_was_removed(kit: str, lines: list[str]) -> None:
    """R56: whoever looks on later sees why cards were drawn for a seat, and why it is no longer there."""
    words = ("does not answer", "is back", "taken off the table", "cheated at", "leaves the hand")
    film = shoot(Path(__file__).parents[2] / "testkit" / f"{kit}.p2puno")
    about = [text for text in told(film) if any(word in text for word in words) and "The proof" not in text]
    assert about == lines


def test_hostile_names_stay_tame(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """P16, P17: replaying renders stored text again, so it is filtered again."""
    journal = play(tmp_path, names=("\x1b[2JMia\x07", "Bo\u202e\nhint: pay")).journal
    for arguments in (["--lines"], ["--json"]):
        assert run(["replay", str(journal), *arguments]) == 0
        out = capsys.readouterr().out
        assert all(line.isprintable() for line in out.splitlines())
    viewer = Viewer(shoot(journal))
    for key in ("home", "s", "end"):
        viewer.press(key)
        assert all(line.isprintable() for line in plain(draw(viewer, 80, 24, ASCII)))


# -- lines and JSON


def test_one_line_a_happening_each_with_its_turn(film: Film) -> None:
    head, *rest = lines(film)
    assert head == f"Replay, nothing can be played here: {film.rules.name}, P0, P1 and P2, {film.turns} turns"  # type: ignore[union-attr]
    assert len(rest) == len(told(film))
    assert rest[0].startswith("before turn 1: ")
    turns = [int(line.split(":")[0].removeprefix("turn ")) for line in rest if line.startswith("turn ")]
    assert turns == sorted(turns)
    assert turns[-1] == film.turns
    assert list(lines(film, 7)) == [head, *rest[-sum(turn >= 7 for turn in turns) :]]


def test_who_plays_in_a_turn_is_whose_turn_it_is(film: Film) -> None:
    starts = {at: h.seat for frame in film.frames for at, h in frame.happened if h.what is What.TURN}
    plays = [(at, h.seat) for frame in film.frames for at, h in frame.happened if h.what is What.PLAYED]
    assert plays
    assert all(starts[turn] == seat for turn, seat in plays)


def test_the_document_has_every_happening(film: Film) -> None:
    found = json.loads(json.dumps(document(film)))
    assert found["valid"] is True
    assert len(found["happenings"]) == sum(len(frame.happened) for frame in film.frames)
    played = next(h for h in found["happenings"] if h["what"] == "played")
    assert set(played) == {"step", "turn", "hand", "what", "seat", "other", "card", "colour", "n"}
    assert played["turn"] >= 1
    assert (played["hand"], played["other"]) == (1, None)
    assert all(h["turn"] >= 9 for h in document(film, 9)["happenings"])


def test_the_command_begins_where_it_is_told(table: Ended, film: Film, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(table.journal), "--turn", "5", "--lines"]) == 0
    assert capsys.readouterr().out.splitlines() == list(lines(film, 5))
    assert run(["replay", str(table.journal), "--find", "W4"]) == 0
    first = next(i for i in range(len(film.frames)) if matches(film, i, "w4"))
    assert capsys.readouterr().out.splitlines() == list(lines(film, film.frames[first].turn))
    for arguments, error in (
        (["--find", "R99"], "there is no 'R99' in this table"),
        (["--seat", "Zoe"], "nobody is called 'Zoe' at this table"),
        (["--seat", "4"], "nobody is called '4' at this table"),
        (["--turn", "x"], "--turn cannot be 'x'"),
    ):
        assert run(["replay", str(table.journal), *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"error: {error}")
        assert "\nhint: " in err
