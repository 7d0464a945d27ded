"""Happenings become lines in a player's words, with the victim and the count in them (P23)."""

from __future__ import annotations

import pytest

from cli.table.lines import Teller
from cli.table.narrator import Narrator, progress_line
from p2puno.happenings import Happening, What
from p2puno.moves import WishFor
from p2puno.outcome import Ending, Outcome
from p2puno.rules import Rules
from protocol.events import (
    Abandoned,
    AbsenceChanged,
    Accused,
    GotUp,
    HandOver,
    Happened,
    LinkChanged,
    LobbyChanged,
    MatchOver,
    Notice,
    Player,
    Progress,
    Redial,
    Refused,
)
from protocol.identity import words
from protocol.known import Standing
from tests.cli.looks import CARD, NAMES, RULES, face


def told(*happenings: Happening, me: int = 0) -> list[str]:
    return [line.text for line in Teller(NAMES, CARD, me).tell(happenings)]


@pytest.mark.parametrize(
    ("happenings", "lines"),
    [
        ([Happening(What.PLAYED, 1, face=face("R7"), n=3)], ["Bo plays R7"]),
        ([Happening(What.PLAYED, 0, face=face("R7"), n=3)], ["You play R7"]),
        ([Happening(What.PLAYED, 1, face=face("W4"), colour=3, n=3)], ["Bo plays W4 as blue"]),
        ([Happening(What.PLAYED, 1, face=face("WS"), colour=0, n=3)], ["Bo plays WS (Bat Signal) as red"]),
        (
            [Happening(What.PLAYED, 1, face=face("RR"), n=1), Happening(What.CALLED, 1), Happening(What.REVERSED, 1)],
            ["Bo plays RR, calls UNO and reverses the direction"],
        ),
        ([Happening(What.DREW, 1, n=4), Happening(What.SKIPPED, 1)], ["Bo draws 4 and loses the turn"]),
        ([Happening(What.DREW, 0, n=4), Happening(What.SKIPPED, 0)], ["You draw 4 and lose the turn"]),
        ([Happening(What.DREW, 1, n=0)], ["Bo finds no card left to draw"]),
        ([Happening(What.FORGOT, 1)], ["Bo has one card and has not called UNO"]),
        ([Happening(What.FORGOT, 0)], ["You have one card and have not called UNO"]),
        (
            [Happening(What.CAUGHT, 1, 0, n=2), Happening(What.DREW, 1, n=2)],
            ["Bo is caught by you without UNO and draws 2"],
        ),
        ([Happening(What.CHALLENGED, 1, 0)], ["Bo challenges your Wild Draw Four"]),
        ([Happening(What.CHALLENGED, 0, 1)], ["You challenge Bo's Wild Draw Four"]),
        (
            [Happening(What.SHOWED, 2, 1), Happening(What.INNOCENT, 2, 1), Happening(What.DREW, 1, n=6)],
            ["Cy shows the hand to Bo and had no match: not guilty", "Bo draws 6"],
        ),
        ([Happening(What.GUILTY, 2), Happening(What.DREW, 2, n=4)], ["Cy had a match: guilty and draws 4"]),
        ([Happening(What.SIGNAL, 0, n=1)], ["The Bat Signal stops after 1 card for you"]),
        ([Happening(What.FLIPPED, face=face("YS"))], ["YS is turned up and passed over"]),
        ([Happening(What.FLIPPED, face=face("Y0"))], ["Y0 is turned up"]),
        ([Happening(What.REVEALED, 1, face=face("R7"), n=1)], ["Bo flips R7: a wish is granted"]),
        (
            [Happening(What.WISHED, 1, 0, colour=3, n=WishFor.SKIP)],
            ["Bo names blue, wishing for a lost turn for you"],
        ),
        ([Happening(What.WISHED, 0, colour=3)], ["You name blue"]),
        ([Happening(What.OPENED, 1, face=face("R7"))], ["Bo shows the card taken: R7"]),
        ([Happening(What.STACKED, 1, n=4)], ["Bo passes it on: 4 cards wait for the next player"]),
        ([Happening(What.SWAPPED, 1, 0)], ["Bo swaps hands with you"]),
        ([Happening(What.BLOCKED)], ["Nobody can go on: the hand is blocked"]),
        ([Happening(What.TURN, 1)], []),
    ],
)
def test_a_happening_names_who_what_and_how_many(happenings: list[Happening], lines: list[str]) -> None:
    assert told(*happenings) == lines


def test_every_kind_of_happening_is_told_or_is_a_mark_on_the_screen() -> None:
    """A new kind must not vanish silently."""
    silent = {What.TURN}
    for what in What:
        lines = told(Happening(what, 1, 2, face("R7"), 0, 3))
        assert bool(lines) != (what in silent), what


def test_without_a_seat_of_ones_own_everybody_has_a_name() -> None:
    assert told(Happening(What.PLAYED, 0, face=face("R7")), me=-1) == ["Mia plays R7"]


def narrator(*names: str) -> Narrator:
    out = Narrator()
    out.at(tuple(Player(name, bytes(32), False) for name in names or NAMES), 0, RULES)
    return out


def texts(narrator: Narrator, event: object) -> list[str]:
    return [line.text for line in narrator.tell(event)]  # type: ignore[arg-type]


def test_the_end_of_a_hand_lists_cards_and_points_per_loser() -> None:
    """P22, R80."""
    outcome = Outcome(Ending.EMPTY_HAND, 1, 79, ((face("W4"), face("R9")), (), (face("G+2"),), ()))
    assert texts(narrator(), HandOver(outcome, (0, 79, 10, 0), 3)) == [
        "Bo wins hand 3 with 79 points",
        "Mia held R9 W4: 59",
        "Cy held G+2: 20",
        "Dot held nothing: 0",
        "Score: Bo 79, Cy 10, Mia 0, Dot 0",
    ]


def test_a_blocked_hand_may_be_tied() -> None:
    """R65."""
    outcome = Outcome(Ending.BLOCKED, -1, 0, ((), (), (), ()))
    assert texts(narrator(), HandOver(outcome, (0,) * 4, 1))[0] == "Hand 1 is blocked and tied: nobody scores"


def test_the_match_is_told_with_its_margin() -> None:
    assert texts(narrator(), MatchOver(2, (10, 0, 300, 250))) == ["Cy wins the match, 50 points ahead"]
    assert texts(narrator(), MatchOver(-1, (0, 0, 0, 0))) == ["The match is tied"]


def test_the_lobby_tells_who_comes_and_goes_once() -> None:
    n = Narrator()
    mia, bo = Player("Mia", bytes(32), False), Player("Bo", bytes(32), True)
    assert texts(n, LobbyChanged((mia,), 2)) == ["Mia sits down", "1 of 2 seats taken"]
    assert texts(n, LobbyChanged((mia,), 2)) == []
    assert texts(n, LobbyChanged((mia, bo), 2)) == ["Bo (bot) sits down", "2 of 2 seats taken"]
    assert texts(n, LobbyChanged((bo,), 2)) == ["Mia leaves", "1 of 2 seats taken"]


def test_a_known_name_with_another_key_is_flagged_and_a_new_one_introduced_once() -> None:
    """C46, C47."""
    n = Narrator()
    mia, bo = Player("Mia", bytes(32), False), Player("Bo", bytes([1] * 32), False, standing=Standing.OTHER_KEY)
    cy = Player("Cy", bytes([2] * 32), False, standing=Standing.NEW)
    assert texts(n, LobbyChanged((mia, bo), 4)) == [
        "Mia sits down",
        "Bo sits down",
        "CAUTION: this is not the key of the Bo you have played with",
        f"ask Bo in person to read out the safety words: {words(bo.key)}",
        "2 of 4 seats taken",
    ]
    assert texts(n, LobbyChanged((mia, bo, cy), 4)) == [
        "Cy sits down",
        f"Cy is new to you; the safety words are {words(cy.key)}",
        "3 of 4 seats taken",
    ]
    assert texts(n, Notice("no network\x1b[2J", "wait")) == ["no network[2J", "wait"]


def test_cheating_links_and_refusals_are_told() -> None:
    n = narrator()
    assert texts(n, Accused(1, "an opened card is another one", 12))[0].startswith("Bo cheated at step 12: an opened")
    assert texts(n, LinkChanged(2, False, "reset")) == ["the link to Cy is down: reset"]
    tries = [texts(n, Redial(2, seconds, "no\x1b answer")) for seconds in (0.5, 2, 8, 8, 8)]
    assert tries[1] == ["no link to Cy yet (no answer): it is tried again and again"]
    assert [len(lines) for lines in tries] == [0, 1, 0, 0, 0]  # once for as long as there is no link
    texts(n, LinkChanged(2, True))
    assert texts(n, Redial(2, 2, ""))
    assert texts(n, Refused("not now", "wait")) == ["not taken: not now", "wait"]
    assert "waited for Dot" in texts(n, Abandoned("silence", (3,)))[0]
    assert progress_line(Progress("shuffle", 1, 4, (1, 2)), n.names) == "shuffle 1/4, waiting for Bo and Cy"
    waits = progress_line(Progress("commit", 3, 4, (1,)), n.names)
    assert waits == "seal the keys 3/4, waiting for Bo"  # in words of people, as on the full screen


def test_who_has_got_up_is_told_at_once() -> None:
    """R56: where the table waits for somebody else's move, nothing happens yet; and a dead link is no news then."""
    n = narrator()
    assert texts(n, GotUp(1)) == ["Bo has left the table: it goes on with the others at the next move"]
    assert texts(n, LinkChanged(1, False, "closed")) == []
    assert texts(n, Happened((Happening(What.LEFT, 2),))) == ["Cy leaves the hand"]
    assert texts(n, LinkChanged(2, False, "closed")) == []
    assert texts(n, GotUp(3)) == ["Dot has left the table: make your move, and the game is over"]


def test_who_is_removed_is_not_back() -> None:
    """R56: a seat that is taken off the table is no longer absent, but nobody must think that it came back."""
    n = narrator()
    assert texts(n, AbsenceChanged(1, True)) == ["Bo does not answer: the table goes on, the seat and the hand stay"]
    assert texts(n, AbsenceChanged(1, False)) == ["Bo is back"]
    texts(n, AbsenceChanged(1, True))
    gone = Happened((Happening(What.LEFT, 1), Happening(What.REVERSED, 2)))
    assert texts(n, gone)[0] == "Bo, who is away, is taken off the table"
    assert texts(n, AbsenceChanged(1, False)) == []
    texts(n, Accused(2, "an opened card is another one", 12))
    assert texts(n, AbsenceChanged(2, True)) == []
    assert texts(n, Happened((Happening(What.LEFT, 2),))) == ["Cy is taken off the table for cheating"]
    assert texts(n, Happened((Happening(What.LEFT, 3),))) == ["Dot leaves the hand"]
    texts(n, AbsenceChanged(0, True))
    assert texts(n, Happened((Happening(What.LEFT, 0),))) == ["You were away, and are taken off the table"]
    assert texts(n, AbsenceChanged(0, False)) == []


HOSTILE = ("a\x1b[2Jb", "c\u202ed", "e\x9b31mf", "g\nh", "\u200bi")


def test_hostile_names_never_reach_a_line_raw() -> None:
    """C44, P16: escapes, C1 controls, bidi overrides and line ends in names."""
    n = narrator(*HOSTILE)
    events = [
        Happened(tuple(Happening(What.PLAYED, seat, face=face("R1")) for seat in range(1, 5))),
        LobbyChanged(n.players, 5),
        Accused(1, "x\x1b]52;c;aGk=\x07", 1),
        Abandoned("y\x1b[0m", (1, 2, 3)),
        MatchOver(3, (0,) * 5),
    ]
    for event in events:
        for text in texts(n, event):
            assert text.isprintable(), repr(text)
            assert "\u202e" not in text


def test_the_lobby_says_who_plays_which_hero() -> None:
    n = Narrator()
    assert texts(n, LobbyChanged((Player("Mia", bytes(32), False, hero="hulk"),), 2)) == [
        "Mia sits down as hulk",
        "1 of 2 seats taken",
    ]
    n.at((), -1, Rules.make("marvel"))
    assert texts(n, LobbyChanged((Player("Bo", bytes(32), False, hero="captain_america"),), 2))[0] == (
        "Bo sits down as Captain America"
    )


def test_cards_that_nobody_opened_are_not_nothing() -> None:
    """R56: a forfeit scores nothing, and the hands of those who are gone stay closed."""
    n = narrator()
    n.at(n.players, 0, RULES)
    over = HandOver(Outcome(Ending.FORFEIT, 0, 0, ((), (), (), ())), (0, 0, 0, 0), 1)
    assert texts(n, over) == ["Hand 1 is forfeited: Mia wins it without points", "Score: Mia 0, Bo 0, Cy 0, Dot 0"]
