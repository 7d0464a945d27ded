"""The lobby without a terminal: what the list says, what a key means, what it looks like (C46, D04, P06, P12, P16)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.announced import entry
from cli.canvas import plain
from cli.lobby.draw import draw
from cli.lobby.form import Form
from cli.lobby.forms import AddressForm, HostForm, TableForm
from cli.lobby.intent import Browse, Go, Open, Quit, Resume
from cli.lobby.model import ACTIONS, Lobby
from cli.lobby.pager import Pager
from cli.theme import ASCII
from p2puno.hero_file import built_in_heroes
from p2puno.rules import Rules, games
from protocol.errors import Damaged, PortTaken
from protocol.identity import words
from protocol.known import Standing
from protocol.net.advert import MORE
from protocol.net.discovery import Sight
from tests.cli.lobbies import KNOWN, TABLES, a_lobby, found, key

SIZES = [(80, 24), (40, 15), (120, 40)]


def form(lobby: Lobby) -> Form:
    assert isinstance(lobby.page, Form)
    return lobby.page


def to(lobby: Lobby, name: str) -> None:
    """Go down to the field of this name."""
    for _press in range(60):
        field = form(lobby).field
        if field is not None and field.name == name:
            return
        lobby.press("down")
    raise AssertionError(name)


# -- the list


def test_a_table_says_what_matters_before_one_goes_there() -> None:
    ann, bo, cy, dot, eli = a_lobby().entries
    assert (ann.name, ann.game, ann.seating) == ("Ann", "UNO: Batman Special Edition", "2 of 4 seats taken")
    assert ann.rules == ("hand_size 5 (usual: 7)", "stacking on (usual: off)")
    assert ann.brief == ("hand_size 5", "stacking on")
    assert (ann.words, ann.standing, ann.marks) == (words(key("Ann")), Standing.NEW, ())
    assert (bo.standing, bo.marks, bo.rules) == (Standing.KNOWN, ("needs a code",), ())
    assert (cy.seating, cy.marks, cy.rules) == ("running", ("can be watched",), ())
    assert dot.marks == ("does not answer",)
    assert eli.caution == "CAUTION: not the key of the Eli you have played with"


def test_rules_that_are_not_told_in_full_are_never_called_official() -> None:
    """C46: what is announced is believed in nothing but its form."""
    for more, told in (
        ({"rules": bytes(8)}, ("rules of its own",)),
        ({"rules": bytes(8), "unusual": ("stacking=on",)}, ("stacking on (usual: off)", "more of its own")),
        ({"rules": bytes(8), "unusual": ("stacking=on", MORE)}, ("stacking on (usual: off)", "more of its own")),
        ({"rules": bytes(8), "unusual": ("own=x",)}, ("rules that are not known here",)),
        ({"rules": bytes(8), "unusual": ("heroes=hulk",)}, ("rules that are not known here",)),
        ({"rules": bytes(8), "unusual": ("stacking=maybe",)}, ("rules that are not known here",)),
        ({"variant": "chess"}, ("a game that is not known here",)),
    ):
        table = found("Ann")
        assert entry(replace(table, advert=replace(table.advert, **more)), []).rules == told


def test_who_looks_on_and_who_talks_are_no_rules_but_said() -> None:
    """The list and the table itself speak of the same thing: see `test_setup`."""
    one = entry(found("Ann", Rules.make("batman", watchers=True, chat="phrases")), [])
    assert (one.rules, one.brief) == ((), ())
    assert one.marks == ("can be watched", "quick phrases only")
    assert ", official rules, can be watched, quick phrases only" in one.lines(1)[0]
    two = entry(found("Ann", Rules.make("batman", watchers=True, stacking=True, chat="off")), [])
    assert (two.rules, two.marks) == (("stacking on (usual: off)",), ("can be watched", "no chat"))


def test_keys_that_mean_nothing_are_answered() -> None:
    lobby = a_lobby("x")
    assert lobby.note == "x does nothing here: ? shows the keys"
    lobby.press("9")
    assert lobby.note == "there is no table 9"
    lobby.press("wheeldown")
    lobby.press("escape")
    assert lobby.note == ""
    for page in ("h", "k"):
        lobby.press(page)
        lobby.press("z")
        assert lobby.note == "z does nothing here"
        lobby.press("down")
        assert lobby.note == ""
        lobby.press("z")
        assert lobby.note == "z does nothing here"
        lobby.press("escape")
    strange = a_lobby("5", "enter")
    strange.press("x")
    assert (strange.note, strange.question is not None) == ("x does nothing here", True)


def test_a_port_that_is_taken_is_changed_in_the_form() -> None:
    lobby = a_lobby("h")
    lobby.complain(PortTaken("port 4242 is used by another program"))
    assert lobby.note == "port 4242 is used by another program: choose another port in the form, or 0 for any free one"
    assert lobby.port == 4242
    form(lobby).put("port", "5000")
    assert lobby.port == 5000
    lobby.press("escape")
    assert lobby.port == 5000, "others would join at the port that the form keeps"


def test_the_cursor_stays_on_its_table_whatever_comes_and_goes() -> None:
    lobby = a_lobby("3")
    assert lobby.entry() is not None
    before = lobby.cursor
    lobby.see(Sight((found("Aaron"), *TABLES[2:]), ""), KNOWN)
    assert lobby.cursor == before
    lobby.see(Sight(TABLES[:2], ""), KNOWN)
    assert lobby.cursor == lobby.entries[0].ident
    gone = lobby.cursor
    lobby.see(Sight((), ""), KNOWN)
    assert lobby.cursor == ACTIONS[0].key
    lobby.see(Sight(TABLES, ""), KNOWN)
    assert lobby.cursor == gone  # it is there again, and nobody has pressed a key
    lobby.see(Sight((), ""), KNOWN)
    lobby.press("down")
    lobby.see(Sight(TABLES, ""), KNOWN)
    assert lobby.cursor == ACTIONS[1].key


def test_arrows_reach_everything_and_enter_does_it() -> None:
    lobby = a_lobby("home")
    seen = []
    for _place in lobby.places():
        seen.append(lobby.cursor)
        assert lobby.says()
        lobby.press("down")
    assert seen == lobby.places()
    assert lobby.cursor == seen[0]
    assert a_lobby("end").press("enter") == Quit()
    assert a_lobby().press("q") == Quit()


def test_enter_on_a_table_joins_it_and_expects_its_key() -> None:
    lobby = a_lobby("1")
    one = lobby.entry()
    assert one is not None
    assert lobby.says() == f"Enter: join Ann, {words(key('Ann'))}, new to you"
    assert lobby.press("enter") == Go(one.address, key=key("Ann"), listed=True)


def test_a_running_table_is_watched() -> None:
    lobby = a_lobby("3")
    assert lobby.says().startswith("Enter: watch Cy")
    for each in ("enter", "w"):
        wanted = lobby.press(each)
        assert wanted == Go(wanted.address if isinstance(wanted, Go) else "", watch=True, key=key("Cy"))


def test_a_private_table_asks_for_its_code() -> None:
    lobby = a_lobby("2")
    assert lobby.press("enter") is None
    for letter in "zudaro pimebi":
        assert lobby.press(letter) is None
    assert lobby.press("enter") is None  # to the button
    assert lobby.press("enter") == Go(lobby.entries[1].address, False, key("Bo"), "zudaro-pimebi", True)
    wrong = a_lobby("2", "enter", *"xyz", "enter", "enter")
    assert wrong.note.startswith("that is no invite code")
    assert isinstance(wrong.page, AddressForm)


def test_a_full_table_is_not_gone_to() -> None:
    lobby = a_lobby(tables=(found("Dot", taken=4),))
    assert lobby.press("1") is None
    assert lobby.press("enter") is None
    assert lobby.note.startswith("all seats of Dot's table are taken")
    assert lobby.page is None


@pytest.mark.parametrize(("number", "why"), [("5", "CAUTION: not the key"), ("4", "does not answer")])
def test_what_is_wrong_with_a_table_is_asked_about_once(number: str, why: str) -> None:
    """C46, D10, P19."""
    lobby = a_lobby(number)
    assert lobby.press("enter") is None
    assert why in lobby.says()
    assert lobby.press("x") is None
    assert lobby.press("n") is None
    assert lobby.question is None
    lobby.press("enter")
    assert isinstance(lobby.press("y"), Go)


def test_a_game_that_is_not_known_here_is_listed_and_not_joined() -> None:
    lobby = a_lobby("1", tables=(found("Ann", variant="chess"),))
    assert lobby.press("enter") is None
    assert "not known here" in lobby.note


# -- forms


def test_practice_is_p_and_enter_and_begins_with_the_settings() -> None:
    lobby = a_lobby("p")
    assert lobby.says() == "Enter: play UNO: Batman Special Edition against 3 bots"
    assert lobby.press("enter") == Open(Rules.make("batman"), 4, 3, announce=False, practice=True)
    lobby = a_lobby()
    lobby.begin = {"variant": "dbz", "bots": 5, "level": "random"}
    lobby.press("p")
    assert lobby.press("enter") == Open(Rules.make("dbz"), 6, 5, "random", announce=False, practice=True)


def test_the_line_above_the_keys_says_what_enter_does_in_a_form() -> None:
    """P21: it opens a table from the button alone."""
    lobby = a_lobby("h")
    assert lobby.says() == "Enter: open a table of UNO: Batman Special Edition, 3 seats are free"
    for name, says in (("variant", "left, right: game"), ("seats", "left, right or digits: seats")):
        to(lobby, name)
        assert lobby.says() == says
        at = form(lobby).at
        assert lobby.press("enter") is None
        assert form(lobby).at == at + 1  # what stands there is taken, not changed
        assert "open a table of" in "\n".join(plain(draw(lobby, 80, 24, ASCII).rows))
    assert form(lobby).get("seats") == 4
    assert a_lobby("j").says() == "type here: address; then Enter"
    assert a_lobby("j", "up").says() == "there is no address yet"


def test_a_form_is_as_it_was_left() -> None:
    lobby = a_lobby("p", "down", "down", "9", "escape", "p")
    assert form(lobby).get("bots") == 9
    assert form(lobby).field is None  # on the button again


def test_every_option_of_every_game_is_in_the_host_form_and_can_be_chosen() -> None:
    for game in games():
        lobby = a_lobby("h")
        form(lobby).put("variant", game)
        rules = Rules.make(game)
        for option in rules.own_options():
            to(lobby, option.name)
            before = form(lobby).get(option.name)
            lobby.press(">")  # as the foot line writes it
            assert form(lobby).get(option.name) != before
            assert option.meaning in " ".join(" ".join(plain(draw(lobby, 300, 60, ASCII).rows)).split())
            lobby.press("left")
            assert form(lobby).get(option.name) == before
        wanted = lobby.press("home") or lobby.press("enter")
        assert isinstance(wanted, Open)
        assert (wanted.rules, wanted.announce, wanted.private, wanted.port) == (rules, True, False, 4242)


def test_numbers_are_typed_and_clamped_by_other_choices() -> None:
    lobby = a_lobby("h")
    to(lobby, "score_target")
    for digit in "500":
        lobby.press(digit)
    assert form(lobby).get("score_target") == 500
    lobby.press("backspace")
    assert "0 or 100 to 1000" in lobby.note
    to(lobby, "seats")
    lobby.press("8")
    to(lobby, "bots")
    lobby.press("7")
    wanted = lobby.press("home") or lobby.press("enter")
    assert isinstance(wanted, Open)
    assert (wanted.seats, wanted.bots, wanted.rules.options()["score_target"]) == (8, 7, 500)
    lobby = a_lobby("h")
    form(lobby).put("seats", "8")
    form(lobby).put("bots", "7")
    form(lobby).put("variant", "dc")
    assert (form(lobby).get("seats"), form(lobby).get("bots")) == (4, 3)


def test_options_that_do_not_go_together_are_refused_with_the_form_still_there() -> None:
    lobby = a_lobby("h")
    form(lobby).put("force_play", "on")
    form(lobby).put("play_after_draw", "off")
    assert lobby.press("enter") is None
    assert lobby.note == "force_play needs the card just taken to be played: turn play_after_draw on"
    assert isinstance(lobby.page, HostForm)


def test_a_private_table_that_is_not_announced_for_the_youngest() -> None:
    lobby = a_lobby("h")
    for name, value in (("invite", "on"), ("announce", "off"), ("watchers", "on"), ("starter", "youngest"),
                        ("age", "9"), ("port", "5000")):  # fmt: skip
        form(lobby).put(name, value)
    wanted = lobby.press("enter")
    assert isinstance(wanted, Open)
    assert (wanted.private, wanted.announce, wanted.age, wanted.port) == (True, False, 9, 5000)
    assert wanted.rules.watchers


def test_a_hero_is_chosen_with_all_its_cards_in_sight() -> None:
    lobby = a_lobby("h")
    form(lobby).put("variant", "marvel")
    to(lobby, "hero")
    lobby.press("i")
    page = lobby.page
    assert isinstance(page, Pager)
    every = "\n".join(line for block in page.blocks for line in block.lines)
    for hero in built_in_heroes().values():
        assert hero.name in every
        assert all(wild.text in every for wild in hero.wilds)
    lobby.press("escape")
    form(lobby).put("hero", "captain america")
    lobby.press("i")
    assert isinstance(lobby.page, Pager)
    assert lobby.page.blocks[0].lines[0].startswith("Captain America")
    lobby.press("escape")
    wanted = lobby.press("home") or lobby.press("enter")
    assert isinstance(wanted, Open)
    assert wanted.hero == "captain_america"
    form_of_two = TableForm({"variant": "dc", "hero": "hulk"})
    assert form_of_two.hero() == "hulk"
    host = HostForm({"variant": "dc", "hero": "hulk", "mix_sets": False})
    assert host.hero() == ""  # of another set


def test_an_address_is_typed_checked_and_gone_to() -> None:
    lobby = a_lobby("j", *"192.168.1.9:5000", "enter", "enter")
    assert lobby.press("enter") == Go("192.168.1.9:5000")
    lobby = a_lobby("w", *"[fe80::1]x", "backspace", "enter", *"zudaro-pimebi", "enter")
    assert lobby.press("enter") == Go("[fe80::1]", watch=True, code="zudaro-pimebi")
    lobby = a_lobby("j", "enter", "enter", "enter")
    assert "is not an address" in lobby.note


def test_what_was_cut_off_is_chosen_from_its_page() -> None:
    lobby = a_lobby("r", "down", "down", "down")
    assert lobby.press("enter") == Resume(Path("2.p2puno"))
    assert a_lobby("r", "escape").page is None
    lobby = a_lobby()
    lobby.cut_off = 3
    lobby.cursor = "r"
    for size in SIZES:
        assert "resume (3)" in "\n".join(plain(draw(lobby, *size, ASCII).rows))


def test_the_history_has_a_screen_of_its_own() -> None:
    lobby = a_lobby("home")
    assert lobby.press("s") == Browse()
    assert (lobby.page, lobby.cursor) == (None, "s")  # where one is back afterwards


def test_a_file_that_cannot_be_read_is_told_and_nothing_else_happens() -> None:
    def bad(name: str) -> Pager:
        raise Damaged("the history is \x1b[2J broken", "rebuild it")

    lobby = a_lobby()
    lobby.load = bad
    assert lobby.press("k") is None
    assert lobby.page is None
    assert lobby.note == "the history is [2J broken: rebuild it"
