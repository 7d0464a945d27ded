"""What the screen looks like: golden screens, every size, no wide or hostile text over an edge (P06, P12)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.canvas import plain, row_width
from cli.draw import draw
from cli.language import _ as say
from cli.language import languages, speak
from cli.table.asking import Asking, Option, Stage, pick
from cli.table.board import Board
from cli.table.cards import _card, _danger, hero_says
from cli.table.chooser import KEYS, Chooser
from cli.table.inspector import pages
from cli.table.look import Asked, Held, Look
from cli.theme import ASCII, STYLES, UNICODE
from p2puno.moves import Pick
from p2puno.outcome import Ending, Outcome
from p2puno.rules import Rules
from protocol.events import HandOver, LobbyChanged, MatchOver, Phase, PhaseChanged, Player, Progress
from protocol.known import Standing
from tests.cli.heroes import RULES, card, hero_board, hero_look, heroics, named, targets
from tests.cli.looks import RULES as RULES_CLASSIC
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
    chooser.help = KEYS
    for size in ((80, 24), (40, 15)):
        text = "\n".join(plain(draw(TURN, some_log(), chooser, *size, ASCII).rows))
        for word in ("Enter", "draw", "keep", "UNO", "catch", "challenge", "Esc", "Ctrl-L"):
            assert word in text, (size, word)


@pytest.mark.parametrize("look", [TURN, hero_look()], ids=["classic", "heroes"])
@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
def test_the_second_page_of_the_help_explains_every_sign(look: Look, size: tuple[int, int]) -> None:
    chooser = at(look)
    chooser.press("?", look)
    chooser.press("?", look)
    text = "\n".join(plain(draw(look, some_log(), chooser, *size, ASCII).rows))
    full = size == (80, 24)
    signs = ["ok", "[ ]", ">>", "UNO", "Skip", "W4", *(["UNO?", "off", "out"] if full else ["?!"])]
    if look.heroes:
        signs += ["burnt", "Danger", "house", *([] if full else ["@", "i2"])]
    assert not [sign for sign in signs if sign not in text]
    assert "Enter: play" not in text


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


def test_the_inspector_shows_burn_piles_and_all_cards_of_a_hero() -> None:
    """What is burnt lies open, and so do the cards that a hero can play: the others' too."""
    look = hero_look()
    pile = (card("R6", "thor"), card("Y+2", "thor"))
    burnt = heroics(1, 12, 2, pile=pile, says=hero_says(RULES, "thor", "en"))
    look = replace(look, seats=(look.seats[0], replace(look.seats[1], heroics=burnt), *look.seats[2:]))
    chooser = at(look)

    def read() -> str:
        return "\n".join(plain(draw(look, hero_board(), chooser, 80, 24, ASCII).rows))

    shown = draw(look, hero_board(), chooser, 80, 24, ASCII)
    assert any(piece.click == "page burn 1" for row in shown.rows for piece in row)
    chooser.inspect(look, "burn 1")
    assert "Burn Pile of Bo" in read()
    assert "R6  Red 6" in read()
    assert "Below it, from the top down: Y+2" in read()
    chooser.inspect(look, "power 1")
    seen = read()
    assert "-- more: down --" in seen
    while "-- more: down --" in read():
        chooser.press("down", look)
        seen += read()
    for text in ("Power of Bo (Thor)", "WTP  Thunder Plunder", "Loki"):
        assert text in seen, text


def test_a_long_question_is_whole_on_a_small_screen() -> None:
    """What is asked is never cut: the list under it gives way."""
    asked = "Which goes 3rd from the top? (so far WTP (Thunder Plunder) R5* Y3)"
    asking = pick(None, asked, [Option(f"card {n}", f"card {n}", Pick(n)) for n in range(9)])
    look = hero_look(asked=Asked.CHOICE, asking=asking, moves=())
    for size in ((40, 15), (80, 24)):
        text = " ".join(" ".join(plain(draw(look, hero_board(), at(look), *size, ASCII).rows)).split())
        assert asked in text
        assert "card 0" in text


@pytest.mark.parametrize("size", [(80, 24), (40, 15)], ids=["80x24", "40x15"])
def test_the_points_of_a_loser_are_never_cut_off(size: tuple[int, int]) -> None:
    """P22: where ten hands have no room the cards are cut, not what they count."""
    board = some_log()
    held = tuple(face(text) for text in ("R9", "Y9", "G9", "B9", "W4") * 4)
    names = tuple(f"Player {n}" for n in range(10))
    board.narrator.at(tuple(Player(name, bytes([n]) * 32, False) for n, name in enumerate(names)), 0, RULES_CLASSIC)
    board.take(HandOver(Outcome(Ending.EMPTY_HAND, 1, 9 * 344, (held, (), *[held] * 8)), (0,) * 10, 1))
    rows = plain(draw(LONG, board, at(LONG), *size, ASCII).rows)
    losers = [row for row in rows if " held " in row]
    assert losers
    assert all(row.endswith(": 344") for row in losers), losers


def test_which_way_play_goes_is_whole_in_every_language() -> None:
    for language in languages():
        speak(language)
        for way in (1, -1):
            look = replace(TURN, direction=way)
            rows = plain(draw(look, some_log(), at(look), 80, 24, ASCII).rows)
            words = say("play goes clockwise") if way > 0 else say("play goes anticlockwise")
            assert any(words in row for row in rows), (language, rows)
    speak("en")


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
    for one in (_card(0, kind, False), _danger(1, danger)):
        for text in (one.text, one.mark, one.name, one.said, one.now, one.title, *one.lines):
            assert text == "" or text.isprintable()
        look = replace(HERO, top=one, location=one, hand=(Held(0, one),))
        chooser = at(look)
        chooser.press("i", look)
        for pressed in ("", "i", "escape"):
            chooser.press(pressed, look)
            for row in plain(draw(look, hero_board(), chooser, 80, 24, ASCII).rows):
                assert row == "" or row.isprintable()
