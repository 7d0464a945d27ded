"""Replay: what a watcher would have seen, step by step, from a journal that the audit has read (P17, P20, M28)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input

from cli.canvas import plain, row_width
from cli.main import run
from cli.manner import Manner
from cli.replay.draw import draw
from cli.replay.film import Film, matches, shoot
from cli.replay.lines import document, lines
from cli.replay.screen import ReplayScreen
from cli.replay.viewer import Viewer
from cli.table.narrator import Narrator
from cli.theme import ASCII
from p2puno.happenings import What
from p2puno.rules import Rules
from protocol.events import HandOver, Happened, MatchOver, Phase, PhaseChanged
from tests.cli.past_tables import Ended, cheated, left, play
from tests.cli.terminal import Terminal

GOLDEN = Path(__file__).parent / "golden"
TWO_HANDS = Rules.make("batman", hand_size=5, hands=2, challenge_shows="all")
MARVEL = Rules.make("marvel", heroes=("hulk", "thor"))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    return play(tmp_path_factory.mktemp("replay"), 3, TWO_HANDS, seed=4, bot="daring")


@pytest.fixture(scope="module")
def film(table: Ended) -> Film:
    return shoot(table.journal)


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


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
def test_golden_screen(film: Film, size: tuple[int, int]) -> None:
    """To renew a golden screen after a change that is meant, delete its file and run this twice."""
    screen = "\n".join(plain(draw(Viewer(film, len(film.frames) // 2), *size, ASCII))) + "\n"
    path = GOLDEN / f"replay-{size[0]}x{size[1]}.txt"
    if not path.exists():
        path.write_text(screen, encoding="utf-8")
        pytest.fail(f"{path.name} was missing and has been written: look at it")
    assert screen == path.read_text(encoding="utf-8")


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


# -- the viewer


def test_steps_and_turns(film: Film) -> None:
    viewer = Viewer(film)
    assert not viewer.press("left")
    assert viewer.note == "this is the beginning"
    viewer.press("right")
    assert (viewer.at, viewer.note) == (1, "")
    viewer.press("down")
    assert viewer.frame.turn == 1
    viewer.press("down")
    assert viewer.frame.turn >= 2
    viewer.press("end")
    assert viewer.at == viewer.last
    viewer.press("right")
    assert (viewer.at, viewer.note) == (viewer.last, "this is the end")
    viewer.press("up")  # to the beginning of the last turn
    begin = viewer.at
    assert begin < viewer.last
    assert viewer.frame.turn == film.turns
    viewer.press("up")
    assert viewer.at < begin
    viewer.press("home")
    assert viewer.at == 0


def test_jump_to_a_turn(film: Film) -> None:
    viewer = Viewer(film)
    for key in ("1", "2", "enter"):
        viewer.press(key)
    assert viewer.at == film.at_turn(12)
    assert film.frames[viewer.at - 1].turn < 12 <= viewer.frame.turn
    for key in ("t", "9", "9", "x", "9", "backspace"):
        viewer.press(key)
    assert "Turn: 99_" in viewer.prompt()
    viewer.press("9")
    viewer.press("enter")
    assert (viewer.at, viewer.note) == (viewer.last, f"there are {film.turns} turns")
    viewer.press("3")
    viewer.press("escape")
    assert viewer.at == viewer.last


@pytest.mark.parametrize(
    ("wanted", "shows"),
    [
        ("P2", lambda h, film: 2 in (h.seat, h.other)),
        ("seat 2", lambda h, film: 1 in (h.seat, h.other)),
        ("w4", lambda h, film: h.face >= 0 and film.rules.kinds[h.face].id == "W4"),
        ("Wild Draw Four", lambda h, film: h.face >= 0 and film.rules.kinds[h.face].id == "W4"),
        ("challenges", lambda h, film: h.what is What.CHALLENGED),
    ],
)
def test_search_by_seat_card_or_word(wanted: str, shows, film: Film) -> None:  # type: ignore[no-untyped-def]
    """Every frame that has it is met going on, and the same ones going back."""
    expected = [
        i for i, frame in enumerate(film.frames)
        if any(shows(h, film) and h.what is not What.TURN for _, h in frame.happened)
    ]  # fmt: skip
    viewer = Viewer(film)
    for key in ("/", *wanted, "enter"):
        assert not viewer.press(key)
    met = [viewer.at]
    while not viewer.note:
        met.append(viewer.at)
        viewer.press("n")
    assert met[1:] == expected
    assert viewer.note == "nothing more of that after this"
    viewer.press("p")
    assert viewer.at == expected[-2]


def test_search_for_what_is_not_there(film: Film) -> None:
    viewer = Viewer(film, 5)
    viewer.press("n")
    assert viewer.note.startswith("nothing is searched for yet")
    for key in ("/", *"zebra", "enter"):
        viewer.press(key)
    assert (viewer.at, viewer.note) == (5, "nothing more of that after this")
    assert not matches(film, 5, "  ")


def test_no_key_plays(film: Film) -> None:
    """P20: the keys of a live table do nothing here, and it is said."""
    viewer = Viewer(film, 20)
    for key in "dkucar":
        assert not viewer.press(key)
        assert "nothing can be played" in viewer.note
        assert viewer.at == 20
    assert viewer.press("q")
    assert Viewer(film).press("escape")


def test_cards_of_a_seat_as_far_as_all_have_seen_them(film: Film) -> None:
    viewer = Viewer(film, next(i for i, f in enumerate(film.frames) if f.look.dealt and not f.result))
    viewer.press("s")
    hand = viewer.look().hand
    assert len(hand) == viewer.frame.look.seats[0].cards
    assert {held.card.text for held in hand} == {"?"}
    assert viewer.where()[-1] == "cards of P0"
    viewer.press("end")
    loser = next(seat for seat in range(3) if viewer.frame.faces[seat])
    viewer.seat = loser
    assert "?" not in {held.card.text for held in viewer.look().hand}
    for _ in range(3 - loser):
        viewer.press("s")
    assert viewer.seat == -1


def test_help_and_inspector_close_with_any_key(film: Film) -> None:
    viewer = Viewer(film, film.at_turn(3))
    viewer.press("?")
    assert "nothing can be played here" in "\n".join(plain(draw(viewer, 80, 24, ASCII)))
    assert not viewer.press("q")
    viewer.press("i")
    assert "Top card" in "\n".join(plain(draw(viewer, 80, 24, ASCII)))
    assert not viewer.press("escape")
    assert "Top card" not in "\n".join(plain(draw(viewer, 80, 24, ASCII)))


# -- drawn


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (72, 22), (40, 15), (39, 15), (20, 5), (1, 1), (200, 60)])
def test_every_frame_fits_every_terminal(columns: int, rows: int, film: Film) -> None:
    """P12."""
    viewer = Viewer(film)
    for at in range(0, len(film.frames), 7):
        for seat in (-1, 1):
            viewer.at, viewer.seat = at, seat
            drawn = draw(viewer, columns, rows, ASCII)
            assert len(drawn) == rows
            assert {row_width(row) for row in drawn} == {columns}


def test_the_screen_says_that_it_is_a_replay(film: Film) -> None:
    for columns, rows in ((80, 24), (40, 15)):
        for at in (0, film.at_turn(5), len(film.frames) - 1):
            text = plain(draw(Viewer(film, at), columns, rows, ASCII))
            assert "REPLAY" in text[0]
            assert f"{film.frames[at].turn}/{film.turns}" in text[0]


def test_the_screen_end_to_end(film: Film) -> None:
    """Keys through a pipe, the screen through pyte."""
    terminal = Terminal()
    with create_pipe_input() as keyboard:
        keyboard.send_text("\x1b[C\x1b[B5\r/w4\rsq")
        viewer = Viewer(film)
        ReplayScreen(viewer, ASCII, Manner(colours="none"), keyboard, terminal.output()).run()
    assert viewer.wanted == "w4"
    assert viewer.seat == 0
    assert matches(film, viewer.at, "w4")
    assert "REPLAY" in terminal.raw
    assert "\x1b[?1049l" in terminal.raw  # the normal screen is back
    with create_pipe_input() as keyboard:
        keyboard.send_text("\x03")
        screen = ReplayScreen(viewer, ASCII, Manner(colours="none"), keyboard, Terminal().output())
        with pytest.raises(KeyboardInterrupt):
            screen.run()
