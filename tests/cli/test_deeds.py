"""What happens in UNO Ultimate, in a player's words: who, to whom, what and how many (P23)."""

from __future__ import annotations

import pytest

from cli.table.lines import Teller
from p2puno.happenings import Happening, What
from p2puno.outcome import Ending, Outcome
from p2puno.rules import Rules
from protocol.events import HandOver, PacksOffered
from tests.cli.heroes import CARD, HEROES, NAMES, RULES, card, hero_board, moments, named

POWERS = [RULES.hero(ident).power.name for ident in HEROES]


def told(*happenings: Happening, me: int = 0) -> list[str]:
    return [line.text for line in Teller(NAMES, CARD, me, POWERS).tell(happenings)]


@pytest.mark.parametrize(
    ("happenings", "lines"),
    [
        ([Happening(What.ADDED, 1, n=2), Happening(What.SKIPPED, 1)], ["Bo adds 2 and loses the next turn"]),
        ([Happening(What.ADDED, 0, n=1)], ["You add 1"]),
        (
            [Happening(What.BURNT, 2, face=card("Y3").face, n=1), Happening(What.BURNT, 2, face=card("R2*").face, n=1)],
            ["Cy burns 2 (Y3 R2*)"],
        ),
        ([Happening(What.RECOVERED, 1, n=3)], ["Bo recovers 3"]),
        ([Happening(What.SPARED, 0)], ["You have lost a turn already: nothing to draw"]),
        ([Happening(What.COLOUR, 1, colour=2)], ["Bo makes the colour green"]),
        (
            [Happening(What.DANGER, 0, face=named("Abomination").face)],
            ["You flip the Enemy Abomination: Burn 2. (house)"],
        ),
        (
            [Happening(What.DANGER, 1, face=named("Backlash").face)],
            ["Bo flips the Event Backlash: All players add 1, then burn 2."],
        ),
        ([Happening(What.PASSED_OVER, 1, face=named("Backlash").face)], ["Bo flips Backlash and passes it over"]),
        (
            [Happening(What.ENEMY, 1, face=named("Abomination").face)],
            ["Bo is attacked by Abomination: a green card or a red card beats it"],
        ),
        (
            [
                Happening(What.DANGER, 1, face=named("Backlash").face),
                Happening(What.ADDED, 1, n=1),
                Happening(What.ENEMY, 1, face=named("Abomination").face),
                Happening(What.REVERSED, 1),
            ],
            ["Bo flips the Event Backlash: All players add 1, then burn 2.", "Bo adds 1",
             "Bo is attacked by Abomination: a green card or a red card beats it", "Bo reverses the direction"],
        ),
        ([Happening(What.DEFEATED, 1, 1, face=named("Abomination").face)], ["Bo defeats Abomination"]),
        ([Happening(What.DEFEATED, 1, 0, face=named("Abomination").face)], ["Bo defeats Abomination before you"]),
        ([Happening(What.ITEM, 2, face=named("Kinetic Claws").face)], ["Cy gains the Item Kinetic Claws"]),
        ([Happening(What.TOOK, 1, 0, face=named("Kinetic Claws").face)], ["Bo takes Kinetic Claws from you"]),
        ([Happening(What.DESTROYED, 1, face=named("Kinetic Claws").face)], ["Bo loses the Item Kinetic Claws"]),
        ([Happening(What.DESTROYED, face=named("Kinetic Claws").face)], ["The Location Kinetic Claws is destroyed"]),
        ([Happening(What.POWER, 0)], ["You use Getting Angry"]),
        ([Happening(What.ABILITY, 1, face=named("Abomination").face)], ["Bo meets Abomination"]),
        ([Happening(What.TRAP, 1)], ["Bo sets a trap with Lightning Charge"]),
        ([Happening(What.SPRUNG, 1, 0)], ["Bo catches you in the trap of Lightning Charge"]),
        ([Happening(What.NONE, 1)], ["Bo proves that there is no such card in the hand"]),
        (
            [Happening(What.LOOKED, 1, n=3), Happening(What.PUT_BACK, 1, n=3)],
            ["Bo looks at the top 3 cards of the deck and puts them back"],
        ),
        ([Happening(What.LOOKED, 0, n=1), Happening(What.EXCHANGED, 0)],
         ["You look at the top card of your deck and exchange it with a card of the hand"]),
        ([Happening(What.PASSED, 1)], ["Bo is passed over"]),
        ([Happening(What.EXTRA, 0)], ["You take another turn"]),
        ([Happening(What.CANCELLED, 1)], ["Bo loses the extra turn to the lost one"]),
        ([Happening(What.OUT, 1)], ["Bo is out"]),
        ([Happening(What.SHUFFLED, 1, n=47)], ["Bo's deck is shuffled by everybody"]),
        ([Happening(What.SHUFFLED, n=32)], ["The Danger Deck of 32 cards is shuffled by everybody"]),
        (
            [Happening(What.PLAYED, 0, face=named("Smash").face, colour=1, n=4)],
            ["You play WS (Smash) as yellow"],
        ),
    ],
)  # fmt: skip
def test_a_deed_names_who_whom_and_how_many(happenings: list[Happening], lines: list[str]) -> None:
    assert told(*happenings) == lines


def test_every_deed_of_real_hands_is_told() -> None:
    """Nothing that happens in a hand is silent, and nothing has to be guessed."""
    silent = {What.TURN}
    for seed in range(4):
        rules = Rules.make("dc", heroes=("aquaman", "shuri", "black_widow", "superman"))
        for _, _, happened in moments(rules, 4, seed):
            for h in happened:
                lines = Teller(NAMES, CARD, 0, POWERS).tell([h])
                assert bool(lines) != (h.what in silent), h
                assert all(line.text.isprintable() and "hidden card" not in line.text for line in lines)


def test_the_end_of_a_hand_has_no_points() -> None:
    """R58; nobody's cards are shown (R49)."""
    narrator = hero_board().narrator
    for ending, text in (
        (Ending.EMPTY_HAND, "Bo plays the last card and wins hand 2"),
        (Ending.LAST_STANDING, "Bo is the last one whose deck has not run dry and wins hand 2"),
        (Ending.FORFEIT, "Bo wins hand 2 by forfeit"),
    ):
        event = HandOver(Outcome(ending, 1, 0, ((),) * 4), (0,) * 4, 2)
        assert [line.text for line in narrator.tell(event)] == [text]


def test_offered_packs_are_named_and_cleaned() -> None:
    (line,) = hero_board().narrator.tell(PacksOffered(("Doc\x1b[2J", "Mo\u202ele")))
    assert line.text == (
        "This table may play heroes of a player's own making: Doc[2J and Mole. Their packs are data without any code."
    )
