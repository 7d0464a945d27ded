"""What stands in the testkit: the scenarios, and where the journal of each comes from.

A cheat is taken from the test that plays it, so that there is one description of it; its journal is cut down to the
evidence. Tables without a cheat, and files that somebody meddled with, are made here and kept whole.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from p2puno.bots import sensible
from p2puno.rules import Rules
from protocol.moving import DecideStep
from tests.packs.example import named
from tests.protocol.simulator import Simulation

HEROES = ("aquaman", "green_lantern", "superman", "wonder_woman")
SHORT = Rules.make("batman", hand_size=5)


class Keep(Enum):
    """How much of the journal of a test is kept."""

    EVIDENCE = 1  # what it takes to convict
    SEQUEL = 2  # up to where it shows whom the others call absent, and who is removed
    WHOLE = 3


@dataclass(frozen=True)
class Played:
    """A scenario that a test plays. `test`: its id under tests/protocol. `keep`: how much of its journal."""

    name: str
    test: str
    why: str
    keep: Keep = Keep.EVIDENCE


@dataclass(frozen=True)
class Made:
    """A scenario that is played here: `make` gives the table, of which seat 0 keeps the journal."""

    name: str
    make: Callable[[], Simulation]
    why: str


@dataclass(frozen=True)
class Altered:
    """A file that somebody meddled with: `change` makes it from the records (charter first) of two tables."""

    name: str
    change: Callable[[list[bytes], list[bytes]], list[bytes] | bytes]
    why: str


SETUP = "test_cheats_setup.py::test_"
ESCROW = "test_cheats_escrow.py::test_"
PLAY = "test_cheats_play.py::test_"
ATTEST = "test_cheats_attest.py::test_"
HANDS = "test_cheats_hands.py::test_"
JOURNAL = "test_cheats_journal.py::test_"
ABSENCE = "test_cheats_absence.py::test_"
LEAVING = "test_cheats_leaving.py::test_"

PLAYED = (
    Played("c01-key-without-proof", SETUP + "c01_key_without_a_valid_proof", "C01: a key share with a broken proof"),
    Played("c01-other-entropy", SETUP + "c01_proof_for_other_entropy", "C01: the proof was made for other entropy"),
    Played("c02-rogue-key", SETUP + "c02_rogue_key_from_the_keys_of_the_others", "C02: the others' keys taken off"),
    Played("c03-copied-reveal", SETUP + "c03_reveal_of_another_seat_copied", "C03: another seat's reveal"),
    Played("c03-copied-all", SETUP + "c03_commitment_and_reveal_of_another_seat_copied", "C03: commitment copied, too"),
    Played("c04-wrong-opening", SETUP + "c04_reveal_that_does_not_open_its_commitment",
           "C04: not what it committed to"),
    Played("c05-one-key-twice", SETUP + "c05_two_seats_with_one_key[1-3]", "C05: two seats with one key share"),
    Played("c05-off-the-curve", SETUP + "c05_malformed_key[off the curve]", "C05: a key that is no point"),
    Played("c06-silent-in-setup", ESCROW + "c06_silent_while_the_hand_is_set_up[RevealStep-3]",
           "C06: silent after it saw the others' reveals: the hand begins anew without it", Keep.SEQUEL),
    Played("c07-bad-share", ESCROW + "c07_bad_share_for_one_receiver[another_number-3]",
           "C07: a share that does not fit the commitments; the receiver opens it to all"),
    Played("c08-too-few-commitments", ESCROW + "c08_wrong_number_of_commitments[cut]", "C08: a commitment left out"),
    Played("c09-good-share-called-bad", ESCROW + "c09_good_share_called_bad[own_key-complains of a good share]",
           "C09: complains of a good share"),
    Played("c10-another-kind", SETUP + "c10_c13_shuffles[C10 another kind]", "C10: a card exchanged for a Wild"),
    Played("c11-one-card-twice", SETUP + "c10_c13_shuffles[C11 repeated source]", "C11: one card twice, one dropped"),
    Played("c12-other-session", SETUP + "c10_c13_shuffles[C12 session]", "C12: a proof made for another hand"),
    Played("c13-wrong-key", SETUP + "c10_c13_shuffles[C13 key]", "C13: masked under another key than the joint one"),
    Played("c14-out-of-turn", SETUP + "c14_shuffle_out_of_turn", "C14: shuffles when another seat is to"),
    Played("c15-pile-in-its-order", SETUP + "c15_leaves_the_pile_in_its_order",
           "C15: shuffles without moving a card: valid, nobody is blamed", Keep.WHOLE),
    Played("c16-wrong-share", PLAY + "c16_shares[wrong_share-the proof does not hold]",
           "C16: a wrong share; the table goes on without the seat", Keep.WHOLE),
    Played("c17-unasked-share", PLAY + "c17_share_of_a_card_that_nobody_asked_for",
           "C17: shares that nobody asked for"),
    Played("c18-two-shares", PLAY + "c18_different_shares_to_different_peers", "C18: two entries with one number"),
    Played("c19-silent-shares", ESCROW + "c19_c43_silent_when_shares_are_due[a_draw]",
           "C19: silent when a share is due: absent, nobody is blamed", Keep.SEQUEL),
    Played("c20-out-of-turn", PLAY + "c20_moves_out_of_turn[draw]", "C20: moves when another seat is to"),
    Played("c20-for-another-seat", PLAY + "c20_for_another_seat", "C20: signs in the name of another seat"),
    Played("c21-not-its-card", PLAY + "c21_plays_a_card_of_somebody_else", "C21: plays a slot of another hand"),
    Played("c22-another-face", PLAY + "c22_claims_another_face", "C22: says another face than the share opens"),
    Played("c23-does-not-fit", PLAY + "c23_a_card_that_does_not_fit", "C23: a card that does not fit the pile"),
    Played("c24-no-such-word", PLAY + "c24_words_outside_the_closed_set[\\x1b[2J]",
           "C24, C44: a word outside the closed set, which would clear the screen"),
    Played("c24-no-such-colour", PLAY + "c24_colour_that_does_not_exist[4]", "C24: a colour that does not exist"),
    Played("c25-two-moves", "test_two_stories.py::test_c25_the_others_agree_on_one_of_two_stories[two_moves-3]",
           "C25: two moves for one step; the others agree on one of them and go on", Keep.SEQUEL),
    Played("c26-denies-a-match", ATTEST + "c26_denies_a_matching_card", "C26: denies that it held a card that matched"),
    Played("c27-shows-fewer", ATTEST + "c27_c28_c54_shows[C27 fewer]", "C27: shows fewer cards than it holds"),
    Played("c28-for-another-key", ATTEST + "c27_c28_c54_shows[C28 to nobody]", "C28: shows what nobody can read"),
    Played("c29-signal-lie", ATTEST + "c29_says_that_a_drawn_card_is_a_signal_or_that_it_is_none[goes on]",
           "C29: says the opposite of a drawn card"),
    Played("c30-call-for-a-move", PLAY + "c30_call_instead_of_a_move", "C30: calls UNO where no window is open"),
    Played("c31-two-answers", PLAY + "c31_two_answers_to_one_window", "C31: two answers to one window"),
    Played("c32-catches-after-the-call", PLAY + "c32_catches_although_it_has_heard_the_call",
           "C32: catches although it has heard the call: valid, nobody is blamed", Keep.WHOLE),
    Played("c33-old-step-anew", JOURNAL + "c33_answers_an_old_step_anew", "C33: answers a step that it had answered"),
    Played("c34-wrong-predecessor", JOURNAL + "c34_wrong_hash_of_the_entry_before",
           "C34: follows an entry it never signed"),
    Played("c34-one-number-twice", JOURNAL + "c34_one_number_twice", "C34: two entries with one number"),
    Played("c35-wrong-state", JOURNAL + "c35_wrong_state_on_the_own_row",
           "C35: a public state that is not the table's"),
    Played("c35-invented-row", JOURNAL + "c35_an_invented_row_blames_nobody",
           "C35: a row that nobody has: nobody is blamed", Keep.SEQUEL),
    Played("c36-unknown-kind", JOURNAL + "c36_signed_but_no_entry[unknown_kind]", "C36: a kind that does not exist"),
    Played("c36-not-shortest", JOURNAL + "c36_signed_but_no_entry[non_minimal]",
           "C36: an integer not in its shortest form"),
    Played("c36-too-deep", JOURNAL + "c36_signed_but_no_entry[deep]", "C36: arrays in arrays, three thousand deep"),
    Played("c38-has-and-has-not", ABSENCE + "c38_says_that_it_has_it_and_that_it_has_not[Absent]",
           "C38: calls a seat absent and has what it owed"),
    Played("c39-welcomes-nobody", ABSENCE + "c39_welcomes_nobody[no_entry]",
           "C39: welcomes a seat by what is no entry"),
    Played("c40-too-late", ABSENCE + "c40_late_contribution",
           "C40: comes too late: does not count, nobody is blamed", Keep.WHOLE),
    Played("c41-wrong-leave", "test_leaving.py::test_c41_wrong_shares_when_leaving[wrong proof]",
           "C41: leaves with shares that are not proven", Keep.SEQUEL),
    Played("c41-lets-depart", LEAVING + "c41_lets_somebody_depart_who_owes_nothing",
           "C41: ends a step by the departure of a seat that owes nothing"),
    Played("c41-lets-depart-by-nothing", LEAVING + "c41_lets_somebody_depart_by_what_is_no_leave[foreign_leave]",
           "C41: ends a step by the leave of a seat that has not got up"),
    Played("c41-leaves-for-some", LEAVING + "c41_leaves_for_the_clerk_and_moves_for_the_other",
           "C41: leaves for one seat and moves for another; the clerk's word decides", Keep.SEQUEL),
    Played("c41-two-leaves", "test_two_stories.py::test_c41_the_others_agree_whether_it_left[None-False-3]",
           "C41: two leaves with one number, each shown to some", Keep.SEQUEL),
    Played("c43-hides-its-hand", ESCROW + "c19_c43_silent_when_shares_are_due[own_hand_at_the_end]",
           "C43: does not open its hand at the end: absent, the others open it out of escrow", Keep.WHOLE),
    Played("c51-two-machines", ABSENCE + "c51_the_same_key_at_two_machines",
           "C51: one key at two machines, which sign two entries with one number"),
    Played("c54-oracle", ATTEST + "c27_c28_c54_shows[C54 oracle]", "C54: shows a card under the first half of another"),
    Played("c54-gift", HANDS + "c54_gifts[first_half]", "C54: hands over a card under the first half of another"),
    Played("c55-vanishes", ABSENCE + "c55_of_two_the_one_who_vanishes_forfeits[1]",
           "C55: of two the one that vanishes forfeits", Keep.WHOLE),
    Played("c56-late-second-story", "test_two_stories.py::test_c56_what_all_others_have_built_on_is_not_opened_again",
           "C56: a second old entry is evidence and opens nothing again"),
    Played("c57-restored-backup", ABSENCE + "c57_a_restored_backup_is_no_cheat[5]",
           "C57: a seat that goes on from an older copy of its journal", Keep.WHOLE),
)  # fmt: skip


def whole(seed: int, players: int, rules: Rules = SHORT) -> Callable[[], Simulation]:
    """A table that is played to its end without any trouble: the shortest of a few."""

    def make() -> Simulation:
        tables = [Simulation(10 * seed + more, players, rules) for more in range(4)]
        for table in tables:
            table.run()
        return min(tables, key=lambda table: len(table.peers[0].journal))

    return make


def away(returns: bool) -> Simulation:
    """Seat 2 vanishes in the middle of a hand, and comes back or is removed."""
    table = Simulation(5, 3, Rules.make("batman", hand_size=5, grace_seconds=15), pace=0.2 if returns else 5.0)
    table.start()
    own = table.peers[0].node
    table.run_until(lambda: own.turns >= 3)
    table.crash(2)
    if returns:
        table.run_until(lambda: 2 in own.table.absence.since)
        table.restart(2)
    table.run_until(lambda: all(peer.closed for seat, peer in enumerate(table.peers) if seat != 2 or returns), 1e5)
    return table


def left(players: int, rules: Rules = SHORT, turns: int = 2) -> Callable[[], Simulation]:
    """The last seat gets up in the middle of a hand."""

    def make() -> Simulation:
        table = Simulation(5, players, rules)
        table.start()
        table.run_until(lambda: table.peers[0].node.turns >= turns)
        table.rise(players - 1)
        table.run_until(lambda: all(peer.closed for peer in table.peers))
        return table

    return make


def hostile_names() -> Simulation:
    """C44: names that steer a screen; the table is cut after the first move."""
    names = ("\x1b[31mEve\x1b[2J\x07", "\u202eboB\u200b\u200b", "A" + "\u0301" * 15)
    table = Simulation(4, 3, SHORT, names=names)
    table.start()
    table.run_until(lambda: table.peers[0].node.table.step.what == "reveal")
    return table


def unfinished() -> Simulation:
    """A table of which nothing is known after the deal."""
    table = Simulation(4, 2, SHORT)
    table.start()
    table.run_until(lambda: isinstance(table.peers[0].node.table.step, DecideStep))
    return table


def two_hands() -> Simulation:
    table = Simulation(0, 2, Rules.make("batman", hand_size=5, hands=2))
    for seat, peer in enumerate(table.peers):
        peer.bot = sensible(random.Random(seat))
    table.run()
    return table


OWN_PACK = Rules.make("marvel", own=[named("anna")], heroes=("anna", "thor"))

MADE = (
    Made("good-batman", whole(1, 3), "one hand of Batman"),
    Made("good-dragon-ball-z", whole(2, 3, Rules.make("dbz", hand_size=5)), "one hand of Dragon Ball Z"),
    Made("good-dc", whole(3, 2, Rules.make("dc", heroes=HEROES[:2])), "one game of UNO Ultimate DC"),
    Made("good-marvel-own-pack", whole(5, 2, OWN_PACK), "one game of UNO Ultimate Marvel; a pack is in the charter"),
    Made("good-no-escrow", whole(6, 3, Rules.make("batman", hand_size=5, drop_outs=0)), "nobody may drop out"),
    Made("good-two-hands", two_hands, "a match of two hands"),
    Made("good-returns", lambda: away(True), "absent for a while, and back"),
    Made("good-removed", lambda: away(False), "absent for good, and removed"),
    Made("good-leaves", left(3), "leaves politely in the middle of a hand"),
    Made("good-forfeit", left(2), "of two the one that leaves forfeits"),
    Made("open-unfinished", unfinished, "ends after the deal: no result, nobody at fault"),
    Made("open-names", hostile_names, "C44: names that steer a screen are in the charter, and on no screen"),
)


def flipped(record: bytes) -> bytes:
    """One bit changed in the middle."""
    at = len(record) // 2
    return record[:at] + bytes((record[at] ^ 1,)) + record[at + 1 :]


ALTERED = (
    Altered("bad-bit", lambda own, other: [*own[:3], flipped(own[3]), *own[4:]], "C49: a bit changed in entry 3"),
    Altered("bad-left-out", lambda own, other: [*own[:3], *own[4:]], "C49: an entry taken out"),
    Altered("bad-merged", lambda own, other: [*own[:4], other[1], *own[4:]], "C49: an entry of another table"),
    Altered("bad-charter", lambda own, other: [other[0], *own[1:]], "C49: the charter of another table"),
    Altered("bad-format", lambda own, other: b"p2puno journal 65535\n", "C50: a format that is not known"),
    Altered("bad-no-journal", lambda own, other: b"\x89PNG\r\n\x1a\n", "C50: no journal"),
)
