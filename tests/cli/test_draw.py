"""What the screen looks like: golden screens, every size, no wide or hostile text over an edge (P06, P12)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.canvas import plain, row_width
from cli.draw import draw
from cli.table.asking import Asking, Option, Stage, pick
from cli.table.board import Board
from cli.table.cards import _card, _danger
from cli.table.chooser import Chooser
from cli.table.inspector import pages
from cli.table.look import Asked, Held, Look
from cli.theme import ASCII, STYLES, UNICODE
from p2puno.moves import Pick
from p2puno.outcome import Ending, Outcome
from p2puno.rules import Rules
from protocol.events import HandOver, LobbyChanged, MatchOver, Phase, PhaseChanged, Player, Progress
from protocol.known import Standing
from tests.cli.heroes import RULES, hero_board, hero_look, named, targets
from tests.cli.looks import face, my_turn, some_log, waiting_for

GOLDEN = Path(__file__).parent / "golden"
HAND = ("R1", "R+2", "Y5", "G9", "BS", "W", "W4")
TURN = my_turn(*HAND, playable=("Y5", "G9", "W", "W4"))
LONG = my_turn(*(HAND * 4), playable=("G9",), seats=10)


def at(look: Look) -> Chooser:
    chooser = Chooser()
    chooser.asked_anew(look)
    return chooser


def lobby() -> tuple[Look, Board]:
    board = Board()
    board.narrator.at((), -1, Rules.make("batman"))
    mia = Player("Mia", bytes(32), False, seat=0)
    board.take(LobbyChanged((mia,), 4, ("192.168.1.5:4242",), me=0, creator=True))
    return Look(), board


def over() -> Board:
    board = some_log()
    outcome = Outcome(Ending.EMPTY_HAND, 1, 79, ((face("W4"), face("R9")), (), (face("G+2"),), ()))
    board.take(HandOver(outcome, (0, 79, 10, 0), 3))
    board.take(MatchOver(1, (0, 79, 10, 0)))
    return board


def uncalled() -> Look:
    look = replace(waiting_for(TURN, 1), asked=Asked.CATCH, about=1)
    return replace(look, seats=tuple(replace(s, cards=1, exposed=True) if s.seat == 1 else s for s in look.seats))


def heroes_over() -> Board:
    board = hero_board()
    board.take(HandOver(Outcome(Ending.LAST_STANDING, 1, 0, ((),) * 4), (0,) * 4, 1))
    board.take(MatchOver(1, (0,) * 4))
    return board


def heroes_lobby(bo: str = "") -> tuple[Look, Board]:
    board = Board()
    board.narrator.at((), -1, Rules.make("marvel", hand_size=5, mix_sets=False))
    mia = Player("Mia", bytes(32), False, hero="hulk", seat=0)
    other = Player("Bo", bytes([1]) * 32, False, hero=bo, standing=Standing.NEW, seat=2, ready=True)
    ada = Player("Ada", bytes([2]) * 32, True, seat=3, ready=True)
    board.take(LobbyChanged((mia, other, ada), 4, me=0))
    board.setup.press("down")
    board.setup.press("down")
    return Look("UNO Ultimate: Marvel"), board


def choosing() -> tuple[Look, Board]:
    """The list of heroes, open at the one that somebody else has taken."""
    look, board = heroes_lobby(bo="thor")
    for key in ("h", "down", "down", "enter"):
        board.setup.press(key)
    return look, board


def options_shown() -> tuple[Look, Board]:
    look, board = heroes_lobby()
    board.setup.press("o")
    return look, board


def making() -> tuple[Look, Board]:
    """Between the charter and the cards: Bo is awaited in the second round of shuffling, since seven seconds."""
    board = Board()
    heroes = ("hulk", "thor", "shuri")
    players = tuple(
        Player(name, bytes([seat]) * 32, False, hero=heroes[seat], seat=seat, ready=True)
        for seat, name in enumerate(("Mia", "Bo", "Cy"))
    )
    board.narrator.at(players, 0, Rules.make("marvel", heroes=heroes))
    board.setup.making.now = 100.0
    for event in (
        LobbyChanged(players, 3, me=0),
        PhaseChanged(Phase.AGREE),
        Progress("agreement", 2, 3, (1,)),
        PhaseChanged(Phase.COMMIT, 1),
        Progress("commit", 1, 3, (1, 2)),
        Progress("reveal", 1, 3, (1, 2)),
        Progress("escrow", 1, 3, (1, 2), proofs=3),
        Progress("shuffle", 2, 3, (1,), 2, 3, (("hulk", 0), ("thor", 1), ("danger", 2)), 3),
    ):
        board.take(event)
    board.setup.making.now = 107.5
    return Look("UNO Ultimate: Marvel", hand_number=1), board


def wish() -> Look:
    """The second question of a granted Wish."""
    options = [Option("The next player draws 2", "wish that the next player draws 2", Pick(1), key="d"),
               Option("The direction of play turns", "wish that the direction turns", Pick(2), key="t"),
               Option("A player loses the next turn", "choose who loses the next turn", None, (0, 3), "s"),
               Option("Play another card", "choose the card to play", None, (0, 4), "p")]  # fmt: skip
    asking = Asking(None, lambda path: Stage("What do you wish for?", tuple(options)), "The flipped card grants a wish")
    look = waiting_for(my_turn("R1", "Y5", "G9", "W", seats=3), 0)
    return replace(look, variant="UNO: Dragon Ball Z", asked=Asked.CHOICE, asking=asking)


HERO = hero_look()
SCENES: dict[str, tuple[Look, Board]] = {
    "heroes": (HERO, hero_board()),
    "heroes-two": (hero_look(2), hero_board()),
    "heroes-three-location": (hero_look(3, location=named("Abomination"), hand=HERO.hand * 3), hero_board()),
    "heroes-target": (replace(HERO, asked=Asked.CHOICE, asking=targets(), moves=()), hero_board()),
    "heroes-choosing": choosing(),
    "options": options_shown(),
    "making": making(),
    "heroes-lobby": heroes_lobby(),
    "heroes-over": (replace(HERO, asked=Asked.NOTHING, moves=()), heroes_over()),
    "wish": (wish(), some_log()),
    "turn": (TURN, some_log()),
    "catch": (uncalled(), some_log()),
    "long": (LONG, some_log()),
    "lobby": lobby(),
    "over": (TURN, over()),
}


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
@pytest.mark.parametrize("scene", SCENES)
def test_golden_screen(scene: str, size: tuple[int, int]) -> None:
    """To renew a golden screen after a change that is meant, delete its file and run this twice."""
    look, board = SCENES[scene]
    screen = "\n".join(plain(draw(look, board, at(look), *size, ASCII).rows)) + "\n"
    path = GOLDEN / f"{scene}-{size[0]}x{size[1]}.txt"
    if not path.exists():
        path.write_text(screen, encoding="utf-8")
        pytest.fail(f"{path.name} was missing and has been written: look at it")
    assert screen == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("scene", SCENES)
def test_every_size_is_filled_exactly_and_never_raises(scene: str) -> None:
    look, board = SCENES[scene]
    for columns in (1, 20, 39, 40, 41, 71, 72, 80, 133, 300):
        for rows in (1, 14, 15, 16, 21, 22, 24, 60):
            for glyphs in (ASCII, UNICODE):
                drawn = draw(look, board, at(look), columns, rows, glyphs).rows
                assert len(drawn) == rows
                assert {row_width(row) for row in drawn} == {columns}


def test_too_small_says_what_is_needed() -> None:
    assert plain(draw(TURN, some_log(), at(TURN), 30, 10, ASCII).rows)[0] == "too small: needs 40x15, has"


def test_every_card_of_a_long_hand_can_be_reached_and_seen() -> None:
    for size in ((80, 24), (40, 15)):
        chooser = at(LONG)
        for index, held in enumerate(LONG.hand):
            chooser.move_to(LONG, index)
            screen = draw(LONG, some_log(), chooser, *size, ASCII)
            chosen = [piece for row in screen.rows for piece in row if piece.click == f"card {index}"]
            assert chosen
            assert f"[{held.card.text}]" in chosen[0].text


def test_the_colour_in_force_is_written_not_only_coloured() -> None:
    """P15: with no colour at all the screen still says everything."""
    for size in ((80, 24), (40, 15)):
        assert "GREEN" in "\n".join(plain(draw(TURN, some_log(), at(TURN), *size, ASCII).rows))


STRANGE = [
    "漢字漢字漢字漢字漢字",
    "👨‍👩‍👧‍👦" * 2,
    "e\u0301\u0301\u0301clair",
    "שלום עולם",
    "x" * 60,
]


@pytest.mark.parametrize("name", STRANGE)
def test_strange_names_break_no_line(name: str) -> None:
    """P06: names are measured and cut by cell width."""
    look = replace(TURN, seats=tuple(replace(seat, name=name) for seat in TURN.seats))
    for size in ((80, 24), (40, 15)):
        assert {row_width(row) for row in draw(look, some_log(), at(look), *size, ASCII).rows} == {size[0]}


def test_every_style_used_is_in_the_table() -> None:
    for look, board in SCENES.values():
        for size in ((80, 24), (40, 15)):
            for row in draw(look, board, at(look), *size, ASCII).rows:
                assert {piece.style for piece in row} <= {"", *STYLES}


def test_help_shows_every_key_in_both_layouts() -> None:
    chooser = at(TURN)
    chooser.help = True
    for size in ((80, 24), (40, 15)):
        text = "\n".join(plain(draw(TURN, some_log(), chooser, *size, ASCII).rows))
        for word in ("Enter", "draw", "keep", "UNO", "catch", "challenge", "Esc", "Ctrl-L"):
            assert word in text, (size, word)


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
def test_the_inspector_shows_every_card_in_play(size: tuple[int, int]) -> None:
    """Card, top card, Enemies, Items, Location and powers: each with its text and its mark, which is explained."""
    look = hero_look(location=named("Backlash"))
    chooser = at(look)
    seen = []
    for _ in pages(look, 0):
        chooser.press("i", look)
        seen.append("\n".join(plain(draw(look, hero_board(), chooser, *size, ASCII).rows)))
    everything = " ".join(" ".join(seen).split())
    for text in (
        "Your card", "B1* Blue 1 (house)", "Top card", "Enemy of you, fresh", "Abomination (enemy, house)",
        "Beaten by a green card or a red card.", "Item of Cy", "Kinetic Claws", "Location", "Your power (Hulk)",
        "Getting Angry", "Power of Bo (Thor), blank now", "house: our own design, because the printed card is not",
        "seed: stated in the rules texts",
    ):  # fmt: skip
        assert text in everything, text
    chooser.press("escape", look)
    assert chooser.inspected < 0


@pytest.mark.parametrize("scene", SCENES)
def test_the_inspector_works_in_every_state_and_size(scene: str) -> None:
    look, board = SCENES[scene]
    chooser = at(look)
    for _ in range(12):
        chooser.press("i", look)
        chooser.press("down", look)
        for size in ((40, 15), (72, 22), (80, 24), (200, 60)):
            assert {row_width(row) for row in draw(look, board, chooser, *size, ASCII).rows} == {size[0]}
    assert chooser.press("q", look) is None
    assert chooser.inspected < 0


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
def test_the_hand_stays_in_sight_while_one_chooses(size: tuple[int, int]) -> None:
    for scene in ("heroes-target", "wish"):
        look, board = SCENES[scene]
        text = "\n".join(plain(draw(look, board, at(look), *size, ASCII).rows))
        assert look.asking is not None
        for option in look.asking.stage(()).options:
            assert option.label[:24] in text
        if size == (40, 15):
            assert all(held.card.text in text for held in look.hand)
        else:
            assert all(held.card.mark[:3] in text for held in look.hand)


def test_long_lists_show_what_is_around_the_cursor() -> None:
    options = [Option(f"Card {n}", f"burn {n}", Pick(n)) for n in range(30)]
    look = replace(HERO, asked=Asked.CHOICE, asking=pick(named("Smash"), "Which card?", options), moves=())
    chooser = at(look)
    for size in ((80, 24), (40, 15)):
        for place in range(30):
            chooser.picker.at = place
            rows = plain(draw(look, hero_board(), chooser, *size, ASCII).rows)
            assert any(f"Card {place} " in f"{row} " for row in rows)


def test_hostile_names_of_cards_never_reach_the_screen() -> None:
    """Own packs come from others. What reads them refuses such texts; this is the second lock."""
    bad = "Evil\x1b]52;c;aGk=\x07 \u202eeman\x9b2J"
    kind = replace(RULES.kinds[0], name=bad, text=bad, code="R1" + bad)
    danger = replace(RULES.hero("hulk").danger[0], name=bad, text=bad, flipped_text=bad)
    for card in (_card(0, kind, False), _danger(1, danger)):
        for text in (card.text, card.mark, card.name, card.said, card.now, card.title, *card.lines):
            assert text == "" or text.isprintable()
        look = replace(HERO, top=card, location=card, hand=(Held(0, card),))
        chooser = at(look)
        chooser.press("i", look)
        for pressed in ("", "i", "escape"):
            chooser.press(pressed, look)
            for row in plain(draw(look, hero_board(), chooser, 80, 24, ASCII).rows):
                assert row == "" or row.isprintable()
