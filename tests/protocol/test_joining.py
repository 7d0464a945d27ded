"""What a joiner believes of a creator: lists of seats and charters that nobody should sign (C44, C50, C51)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from p2puno.rules import Rules
from protocol.joining import JoinerLobby
from protocol.lobby import HostLobby
from protocol.messages import FORMAT, PROTOCOL, Charter, Hello, Lobby, Place, Prepare, Sitter

RULES = Rules.make("marvel")
HOST, ME, CY = (bytes([number]) * 32 for number in (1, 2, 3))


class Seats:
    """A creator's lobby and one joiner that hears of it."""

    def __init__(self, hero: str = "thor", bot: bool = False, rules: Rules = RULES) -> None:
        self.host = HostLobby(Place(HOST, "Mia", False, "", 0, (":4242",)), rules, 3)
        self.joiner = JoinerLobby(ME, HOST, hero, bot)
        assert self.host.enter(ME, "10.0.0.2", Hello(PROTOCOL, "Bo", bot, hero, 0, 5000)) is None
        self.tell()

    def tell(self) -> None:
        assert self.joiner.show(self.host.shown()) == ""

    def ask(self, hero: str | None = None, seat: int | None = None, ready: bool | None = None) -> Prepare:
        wish = self.joiner.ask(hero, seat, ready)
        assert wish is not None
        return wish

    def do(self, hero: str | None = None, seat: int | None = None, ready: bool | None = None) -> str:
        """Ask, and hear what comes of it."""
        refusal = self.host.prepare(ME, self.ask(hero, seat, ready))
        if refusal:
            self.joiner.declined()
        else:
            self.tell()
        return refusal

    def charter(self) -> Charter:
        """The one that the creator proposes when all are ready."""
        if len(self.host.sitters) < 3:
            self.host.enter(CY, "", Hello(PROTOCOL, "Cy", True, "black_widow", 0, 6000))
            self.tell()
        charter = self.host.propose()
        assert charter is not None
        return charter


def test_an_honest_table() -> None:
    for hero in ("thor", ""):
        table = Seats(hero)
        assert table.do(ready=True) == ""
        assert table.joiner.check(table.charter()) == ""


def test_a_bot_is_ready_by_its_hello() -> None:
    table = Seats(bot=True)
    assert table.joiner.check(table.charter()) == ""


def test_nothing_is_asked_before_the_first_list() -> None:
    assert JoinerLobby(ME, HOST, "", False).ask(None, None, True) is None


def test_what_is_not_mentioned_stays_as_it_was_asked_for() -> None:
    table = Seats("")
    assert table.ask(hero="thor") == Prepare("thor", 1, False)
    assert table.ask(ready=True) == Prepare("thor", 1, True)  # though the list still shows neither
    assert table.ask(seat=2) == Prepare("thor", 2, True)


def test_after_a_refusal_we_begin_with_what_is_shown() -> None:
    table = Seats("")
    table.host.prepare(HOST, Prepare("thor", 0, True))
    table.tell()
    assert table.do(hero="thor", ready=True) != ""
    assert table.ask(ready=True) == Prepare("", 1, True)


def test_without_our_word_nothing_begins() -> None:
    """The creator says that we are ready, or begins without asking."""
    table = Seats()
    for ready in (True, False):
        shown = table.host.shown()
        mine = replace(shown.sitters[1], ready=ready)
        lobby = replace(shown, sitters=(shown.sitters[0], mine))
        assert (table.joiner.show(lobby) != "") == ready
    places = tuple(sitter.place for sitter in table.host.sitters)
    played = RULES.seated(["hulk", "thor"])
    taken = (replace(places[0], hero="hulk"), places[1])
    assert "not said that you are ready" in table.joiner.check(Charter(FORMAT, played.encode(), (), taken, bytes(32)))


def test_a_word_taken_back_counts_once_it_is_shown() -> None:
    table = Seats()
    table.do(ready=True)
    table.do(ready=False)
    shown = table.host.shown()
    mine = replace(shown.sitters[1], ready=True)
    again = replace(shown, sitters=(shown.sitters[0], mine))
    assert "what you have not asked for" in table.joiner.show(again)


def test_a_change_that_crosses_the_start_counts_for_nothing() -> None:
    table = Seats()
    table.do(ready=True)
    charter = table.charter()
    for change in ({"ready": False}, {"hero": "aquaman"}, {"seat": 0}):
        table.ask(**change)  # type: ignore[arg-type]  # on its way when the charter comes
    assert table.joiner.check(charter) == ""


def test_a_hero_that_we_asked_for_long_ago_is_not_ours() -> None:
    table = Seats()
    table.do(hero="captain_america")
    shown = table.host.shown()
    mine = replace(shown.sitters[1], place=replace(shown.sitters[1].place, hero="thor"))
    assert "what you have not asked for" in table.joiner.show(replace(shown, sitters=(shown.sitters[0], mine)))


def test_lists_of_seats_that_nobody_should_believe() -> None:
    table = Seats()
    good = table.host.shown()
    mia, me = good.sitters
    other = Rules.make("marvel", hand_size=5)
    cases: dict[str, Lobby] = {
        "another key": replace(good, sitters=(me, mia)),
        "not known here": replace(good, rules=b"p2puno rules 1\n"),
        "others than were shown": replace(good, rules=other.encode()),
        "you have no seat": replace(good, sitters=(mia,)),
        "what you have not asked for": replace(good, sitters=(mia, replace(me, place=replace(me.place, hero="hulk")))),
    }
    for words, lobby in cases.items():
        assert words in table.joiner.show(lobby)
    for sitters in (
        (mia, replace(me, seat=0)),
        (mia, me, Sitter(2, True, me.place)),
        (mia, replace(me, seat=3)),
    ):
        assert "does not hold" in table.joiner.show(replace(good, sitters=sitters))
    assert "another key" in table.joiner.show(replace(good, sitters=()))
    assert table.joiner.show(good) == ""


def _other_hero(charter: Charter) -> Charter:
    heroes = [place.hero for place in charter.roster]
    heroes[1] = next(hero for hero in RULES.offered() if hero not in heroes)
    roster = tuple(replace(place, hero=hero) for place, hero in zip(charter.roster, heroes, strict=True))
    return replace(charter, roster=roster, rules=RULES.seated(heroes).encode())


def _turned(charter: Charter) -> Charter:
    roster = (charter.roster[0], charter.roster[2], charter.roster[1])
    return replace(charter, roster=roster, rules=RULES.seated([place.hero for place in roster]).encode())


def _fewer(charter: Charter) -> Charter:
    return replace(
        charter, roster=charter.roster[:2], rules=RULES.seated([p.hero for p in charter.roster[:2]]).encode()
    )


def _twice(charter: Charter) -> Charter:
    return replace(
        charter, roster=(charter.roster[0], charter.roster[1], replace(charter.roster[1], hero="black_widow"))
    )


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("version", lambda charter: replace(charter, protocol=FORMAT + 1)),
        ("others than were shown", lambda charter: replace(charter, rules=Rules.make("dc").encode())),
        ("do not hold", lambda charter: replace(charter, roster=(charter.roster[0], *charter.roster[:2]))),
        ("seats of the table", _twice),
        ("seats of the table", _other_hero),
        ("seats of the table", _turned),
        ("seats of the table", _fewer),
        (
            "seats of the table",
            lambda charter: replace(
                charter, roster=(*charter.roster[:2], replace(charter.roster[2], addresses=("10.6.6.6:1",)))
            ),
        ),
    ],
)
def test_charters_that_nobody_should_sign(words: str, change: Callable[[Charter], Charter]) -> None:
    """The creator may propose anything: what was not shown, what cannot be played, what leaves us out."""
    table = Seats()
    table.do(ready=True)
    good = table.charter()
    assert words in table.joiner.check(change(good))
    assert table.joiner.check(good) == ""


def test_a_charter_before_any_list() -> None:
    table = Seats()
    table.do(ready=True)
    assert "before it was shown" in JoinerLobby(ME, HOST, "thor", False).check(table.charter())


def test_the_creator_begins_with_fewer() -> None:
    table = Seats()
    table.do(seat=2, ready=True)
    assert table.host.start() == ""
    table.tell()
    charter = table.host.propose()
    assert charter is not None
    assert table.joiner.check(charter) == ""
    assert [place.name for place in charter.roster] == ["Mia", "Bo"]
