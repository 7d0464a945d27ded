"""Cheats with votes, returns and removals, and what a seat may do that is out or was away (C38-C41, C51, C55, C57)."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2puno.needs import ALL
from p2puno.rules import Rules
from protocol import events as tell
from protocol.dealing import StripStep
from protocol.identity import Identity
from protocol.messages import Carry, encode, entry_hash, open_entry, sign_entry
from protocol.moving import DecideStep
from protocol.payloads import Absent, Back, Choose, Have, Remove, Reveal, Stands, Welcome
from protocol.signals import Effect, Received, Send
from protocol.step import Step
from protocol.steps import OpenStep
from tests.protocol.cheats import (
    CHEAT,
    RULES,
    Cheater,
    cheater,
    convicted,
    finish,
    nobody_accused,
    only_absent,
    play,
    replace,
    together,
    trick_on,
)
from tests.protocol.readings import audit
from tests.protocol.simulator import Simulation
from tests.protocol.test_cheats_play import wrong_share


def at_a_move(make: Callable[[Cheater], Any], **more: Any) -> type[Cheater]:
    """A program that says something more while another seat moves."""

    def intrude(node: Cheater) -> Any:
        moving = isinstance(node.table.step, DecideStep) and node.table.waiting == (0,)
        return make(node) if moving else None

    return cheater(intrusion=intrude, **more)


def instead_of_a_move(make: Callable[[Cheater], Any]) -> type[Cheater]:
    return cheater(trick_on(DecideStep, lambda node, step, payload: make(node)))


# -- votes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [Absent, Have])
def test_c38_says_that_it_has_it_and_that_it_has_not(first: type, tmp_path: Path) -> None:
    def both(node: Cheater, step: DecideStep, payload: Any) -> Any:
        said = [Absent(0), Have(0, node.table.number, bytes(32))]
        one = node.body(said[first is Have])
        raw = node.sign(one)
        other = replace(one, seq=one.seq + 1, prev=entry_hash(raw), payload=said[first is not Have])
        return [(None, raw), (None, node.sign(other))]

    convicted(play(cheater(trick_on(DecideStep, both))), tmp_path, "and that it has not")


def test_c38_whoever_said_what_stands_may_say_both(tmp_path: Path) -> None:
    """Of two answers to a step the one that a seat had may fall, and then it calls their author absent in that step. A
    cheat can say so, too; the others hold the answer, so it comes to nothing."""

    def three(node: Cheater, step: DecideStep, payload: Any) -> Any:
        owed = node.table.number
        entries, body = [], node.body(payload)
        for more in (Have(0, owed, bytes(32)), Stands(0, owed, bytes(32)), Absent(0)):
            entries.append(node.sign(replace(body, payload=more)))
            body = replace(body, seq=body.seq + 1, prev=entry_hash(entries[-1]))
        return [(None, raw) for raw in entries]

    table = play(cheater(trick_on(DecideStep, three)))
    nobody_accused(table)
    together(table, tmp_path, (0, 2))


def test_c38_calls_absent_what_had_arrived(tmp_path: Path) -> None:
    """Below the quorum it does nothing: the others hold the contribution."""
    called: list[int] = []

    class Liar(cheater()):  # type: ignore[misc]
        """Calls every seat absent at once, in every step."""

        def _overdue(self, now: float) -> int | None:
            table = self.table
            for seat in table.heard if table.dealt else ():
                if seat != self.seat and (seat, table.number, table.row) not in self._voted:
                    called.append(seat)
                    return int(seat)
            return None

    table = Simulation(5, 3, RULES, nodes={CHEAT: Liar})
    table.start()
    finish(table)
    nobody_accused(table)
    assert len(called) > 5
    verdicts = together(table, tmp_path, range(3))
    assert all((verdict.exit_code, verdict.absences) == (0, ()) for verdict in verdicts)


def test_c38_of_two_nothing_comes_of_it_before_there_were_cards(tmp_path: Path) -> None:
    """The other one's voice is all voices. If what had arrived did not count because of it, its author would sign
    another answer to the same step, and be to blame."""
    called: list[int] = []

    class Liar(cheater(lets_others_first=Step)):  # type: ignore[misc]
        def _go_on(self, now: float) -> list[Effect]:
            table = self.table
            if 0 in table.heard and not table.dealt and table.number not in called:
                called.append(table.number)
                self._contribute(Absent(0), now)
            return super()._go_on(now)  # type: ignore[no-any-return]

    table = Simulation(5, 2, RULES, nodes={CHEAT: Liar})
    table.start()
    finish(table)
    nobody_accused(table)
    assert called[:2] == [1, 2]
    verdicts = together(table, tmp_path, range(2))
    assert all((verdict.exit_code, verdict.absences) == (0, ()) for verdict in verdicts)


def test_c38_whose_answer_a_cheat_made_void_was_not_absent(tmp_path: Path) -> None:
    """The cheat calls seat 0 absent and reveals wrongly before seat 0 knows all commitments. So seat 0 first calls the
    cheat absent and then reveals, when seat 2 has ended the step: it missed nothing, whatever the cheat has said."""

    class Hasty(cheater()):  # type: ignore[misc]
        def _contribute(self, payload: Any, now: float) -> None:
            if not isinstance(payload, Reveal):
                super()._contribute(payload, now)
                return
            self.cheated_at = self.table.number
            vote = self.body(Absent(0))
            wrong = replace(vote, seq=vote.seq + 1, prev=entry_hash(self.sign(vote)))
            wrong = replace(wrong, payload=replace(payload, entropy=bytes(32)))
            self._publish([(None, self.sign(vote)), (None, self.sign(wrong))], now)

    table = Simulation(1, 3, nodes={CHEAT: Hasty})
    table.start()
    table.cut(0, 2)
    table.run_until(lambda: CHEAT in table.peers[2].node.table.convicted)
    table.link(0, 2)
    finish(table)
    verdict = convicted(table, tmp_path, "the reveal does not open the commitment")
    assert verdict.absences == (CHEAT,)


def test_c38_calls_absent_whoever_has_not_spoken_yet(tmp_path: Path) -> None:
    """One voice is no quorum, and whoever holds the contribution of the one that was called answers by it: the liar
    goes on when it hears that."""

    class Hasty(cheater()):  # type: ignore[misc]
        def _overdue(self, now: float) -> int | None:
            table = self.table
            for seat in table.waiting if table.dealt else ():
                if seat != self.seat and (seat, table.number, table.row) not in self._voted:
                    return int(seat)
            return None

    table = Simulation(5, 4, RULES, nodes={CHEAT: Hasty})
    table.start()
    finish(table)
    nobody_accused(table)
    together(table, tmp_path, (0, 2, 3))


@pytest.mark.parametrize("seat", [CHEAT, 9])
@pytest.mark.parametrize("kind", ["absent", "have"])
def test_c39_votes_about_itself_or_nobody(kind: str, seat: int, tmp_path: Path) -> None:
    vote = Absent(seat) if kind == "absent" else Have(seat, 3, bytes(32))
    convicted(play(at_a_move(lambda node: vote)), tmp_path, "votes about no other seat")


def test_c39_votes_of_strangers_count_for_nothing(tmp_path: Path) -> None:
    """Somebody who is not at the table votes in every name: refused, as all that is signed by nobody (C37)."""
    stranger = Identity.fresh()

    def noise(sender: int, receiver: int, frame: bytes) -> list[bytes]:
        step = table.peers[receiver].node.table
        extra = []
        for seat in range(3):
            body = replace(like, seat=seat, step=step.number, row=step.row, payload=Absent((seat + 1) % 3))
            extra.append(encode(Carry(sign_entry(stranger, body).raw)))
        return [*extra, frame]

    table = Simulation(5, 3, RULES)
    table.start()
    table.run_until(lambda: table.peers[0].node.turns >= 2)
    like = open_entry(table.peers[0].journal[-1]).body
    table.tamper = noise
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    nobody_accused(table)
    for verdict in together(table, tmp_path, range(3)):
        assert (verdict.exit_code, verdict.absences) == (0, ())


# -- returning and removing -------------------------------------------------------------------------------------------


def no_entry(node: Cheater) -> Welcome:
    return Welcome(b"x")


def another_entry(node: Cheater) -> Welcome:
    return Welcome(node._chains.of(0)[0].raw)


def back_of_somebody_who_was_never_away(node: Cheater) -> Welcome:
    return Welcome(node.sign(node.body(Back(0, 0))))


def back_signed_by_a_stranger(node: Cheater) -> Welcome:
    return Welcome(sign_entry(Identity.fresh(), replace(node.body(Back(0, 0)), seat=2)).raw)


@pytest.mark.parametrize(
    "make", [no_entry, another_entry, back_of_somebody_who_was_never_away, back_signed_by_a_stranger]
)
def test_c39_welcomes_nobody(make: Any, tmp_path: Path) -> None:
    convicted(play(instead_of_a_move(make)), tmp_path, "welcomes")


@pytest.mark.parametrize("seat", [CHEAT, 9])
def test_c39_removes_itself_or_nobody(seat: int, tmp_path: Path) -> None:
    convicted(play(instead_of_a_move(lambda node: Remove(seat))), tmp_path, "removes nobody who can be removed")


@pytest.mark.parametrize("players", [3, 4])
def test_c39_removes_somebody_who_did_nothing(players: int, tmp_path: Path) -> None:
    """It may know of a cheat that the others have not heard of yet, so it is not blamed; but as it shows none, its
    move does not come, and it is absent when its time is over."""
    program = instead_of_a_move(lambda node: [(None, node.sign(node.body(Remove(0))))])
    table = play(program, players=players)
    only_absent(table, tmp_path)
    assert 0 in table.peers[2].node.table.present


def test_c39_removes_when_nobody_can_be_removed(tmp_path: Path) -> None:
    """In the middle of a step that is no move of its own."""
    program = cheater(trick_on(OpenStep, lambda node, step, payload: Remove(0)))
    convicted(play(program), tmp_path, "Remove is no answer to shares")


def test_c39_the_return_from_an_earlier_absence(tmp_path: Path) -> None:
    """Seat 2 was away, came back, and is away again; its word of then does not bring it back now."""
    kept: list[bytes] = []

    def replay(node: Cheater, step: DecideStep, payload: Any) -> Any:
        since = node.table.absence.since.get(2)
        back = node.table.absence.backs.get(2)
        if back is not None and back.raw not in kept:
            kept.append(back.raw)
        return Welcome(kept[0]) if kept and since is not None and away == 2 else None

    away = 0
    table = Simulation(5, 4, Rules.make("batman", hand_size=9), nodes={CHEAT: cheater(trick_on(DecideStep, replay))})
    table.start()
    node = table.peers[0].node
    for away in (1, 2):
        table.run_until(lambda: 2 not in node.table.absence.since and node.turns >= 2 * away)  # noqa: B023
        table.crash(2)
        table.run_until(lambda: 2 in node.table.absence.since)
        if away == 1:
            table.restart(2)
    cheat = table.peers[CHEAT].node
    assert isinstance(cheat, Cheater)
    table.run_until(lambda: cheat.cheated_at >= 0)
    limit = table.now + 600
    table.run_until(lambda: all(table.peers[seat].closed for seat in (0, 3)), limit)
    for seat in (0, 3):
        (accused,) = table.peers[seat].heard(tell.Accused)
        assert (accused.seat, accused.step) == (CHEAT, cheat.cheated_at)
        assert "welcomes nobody who is back" in accused.reason
        verdict = audit(table.write(seat, tmp_path / f"{seat}.p2puno"))
        assert (verdict.exit_code, verdict.blame) == (3, CHEAT)


# -- too late ---------------------------------------------------------------------------------------------------------


def test_c40_late_contribution(tmp_path: Path) -> None:
    """Its shares come when all others have called it absent: refused, and no cheat."""
    late: list[bytes] = []

    def hold(node: Cheater, step: OpenStep, payload: Any) -> Any:
        if not node.table.dealt or step.to[0][1] in (ALL, CHEAT):
            return None
        late.append(node.sign(node.body(payload)))
        return []

    table = Simulation(3, 3, RULES, nodes={CHEAT: cheater(trick_on(OpenStep, hold), lingers=math.inf)})
    table.start()
    others = [table.peers[seat].node for seat in (0, 2)]
    table.run_until(lambda: all(CHEAT in node.table.absence.since for node in others))
    numbers = [node.table.number for node in others]
    table.perform(CHEAT, [Send(None, encode(Carry(late[0])))])
    until = table.now + 0.05
    table.run_until(lambda: table.now > until)
    assert all(CHEAT in node.table.absence.since for node in others)
    assert min(node.table.number for node in others) >= min(numbers)
    assert all(late[0] in table.peers[seat].journal for seat in (0, 2))
    finish(table)
    only_absent(table, tmp_path)


def test_c41_acts_after_it_was_removed(tmp_path: Path) -> None:
    """Caught and removed, it goes on signing: nothing of that counts, and it is blamed once."""
    program = cheater(trick_on(OpenStep, lambda node, step, payload: shares(node, step, payload)), lingers=math.inf)

    def shares(node: Cheater, step: OpenStep, payload: Any) -> Any:
        return [(None, node.sign(node.body(wrong_share(node, step, payload))))] if a_draw(node, step) else None

    def a_draw(node: Cheater, step: OpenStep) -> bool:
        return node.table.dealt and step.to[0][1] not in (ALL, CHEAT)

    table = Simulation(3, 4, RULES, nodes={CHEAT: program})
    table.start()
    honest = table.peers[0].node
    cheat = table.peers[CHEAT].node
    assert isinstance(cheat, Cheater)
    table.run_until(lambda: CHEAT in honest.table.departures.gone)
    body = open_entry(next(raw for raw in reversed(table.peers[0].journal) if open_entry(raw).body.seat == CHEAT)).body
    before = entry_hash(cheat.sign(body))
    for number, payload in enumerate((Choose("draw"), Absent(0), Back(3, 3), Have(0, 3, bytes(32)))):
        said = replace(
            body, seq=body.seq + 1 + number, prev=before, row=honest.table.row, state=honest.table.state(),
            step=honest.table.number, payload=payload,
        )  # fmt: skip
        raw = cheat.sign(said)
        before = entry_hash(raw)
        table.perform(CHEAT, [Send(None, encode(Carry(raw)))])
    finish(table)
    convicted(table, tmp_path, "the proof does not hold")
    assert raw in table.peers[2].journal


def without_a_seat(intrude: Callable[[Cheater], Any], reached: Callable[[Simulation], bool], gone: int) -> Simulation:
    """A table of four where seat 2 or 3 is killed at some point, and comes back a minute later."""
    table = Simulation(3, 4, RULES, nodes={CHEAT: cheater(intrusion=intrude)})
    table.start()
    table.run_until(lambda: reached(table))
    table.crash(gone)
    table.at(table.now + 60, lambda: table.restart(gone))
    finish(table)
    return table


def test_a_cheat_is_not_removed_while_another_seat_is_away(tmp_path: Path) -> None:
    """All others together can stand in for one seat. As long as one of them is absent, the cheat stays where it is; the
    table may have to wait, and in the end nobody blames anybody else."""

    def out_of_turn(node: Cheater) -> Any:
        return Choose("keep") if node.table.absence.since and isinstance(node.table.step, DecideStep) else None

    table = without_a_seat(out_of_turn, lambda table: table.peers[0].node.turns >= 2, 2)
    for seat in (0, 2, 3):
        peer = table.peers[seat]
        assert [event.seat for event in peer.heard(tell.Accused)] == [CHEAT]
        assert peer.heard(tell.MatchOver) or peer.heard(tell.Abandoned)
        assert audit(table.write(seat, tmp_path / f"{seat}.p2puno")).blame == CHEAT


def test_a_helper_vanishes_while_the_cheat_is_removed(tmp_path: Path) -> None:
    """Its part is waited for: with fewer parts the shares of the cheat would come out wrong."""

    def out_of_turn(node: Cheater) -> Any:
        return Choose("keep") if node.turns >= 2 and isinstance(node.table.step, DecideStep) else None

    def stripping(table: Simulation) -> bool:
        node = table.peers[0].node
        return isinstance(node.table.step, StripStep) and 3 in node.table.waiting

    table = without_a_seat(out_of_turn, stripping, 3)
    convicted(table, tmp_path, "out of turn")


# -- two seats --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hands", [1, 3])
def test_c55_of_two_the_one_who_vanishes_forfeits(hands: int, tmp_path: Path) -> None:
    """It sees its cards and is gone: no new deal, the other one wins, in a series the whole match, and history shows
    it."""
    table = Simulation(4, 2, Rules.make("batman", hand_size=5, hands=hands))
    table.start()
    table.run_until(lambda: isinstance(table.peers[0].node.table.step, DecideStep))
    table.crash(CHEAT)
    finish(table)
    verdict = only_absent(table, tmp_path)
    assert (verdict.winner, [hand.ending for hand in verdict.hands]) == (0, ["forfeit"])


def test_two_seats_stop_where_one_cheats(tmp_path: Path) -> None:
    """Nobody is left to play with."""
    table = play(cheater(trick_on(OpenStep, wrong_share)), players=2)
    convicted(table, tmp_path, "the proof does not hold", stops=True)


def test_drop_outs_0_stops_where_one_cheats(tmp_path: Path) -> None:
    """Without an escrow the others cannot read on."""

    def later(node: Cheater, step: OpenStep, payload: Any) -> Any:
        return wrong_share(node, step, payload) if node.table.dealt else None

    rules = Rules.make("batman", hand_size=5, drop_outs=0)
    table = play(cheater(trick_on(OpenStep, later)), rules=rules)
    convicted(table, tmp_path, "the proof does not hold", stops=True)


# -- one key, two programs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lost", [1, 5, 20])
def test_c57_a_restored_backup_is_no_cheat(lost: int, tmp_path: Path) -> None:
    """A seat starts again from a journal that lacks its last entries: it asks the others for them before it signs."""
    table = Simulation(6, 3, RULES)
    table.start()
    table.run_until(lambda: table.peers[0].node.turns >= 6)
    table.crash(CHEAT, after=len(table.peers[CHEAT].journal) - lost)
    table.at(table.now + 2, lambda: table.restart(CHEAT))
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    nobody_accused(table)
    for verdict in together(table, tmp_path, range(3)):
        assert verdict.exit_code == 0


def test_c51_the_same_key_at_two_machines(tmp_path: Path) -> None:
    """The second one, that knows nothing of the first, signs entries with numbers that are taken: equivocation."""
    table = Simulation(6, 3, RULES)
    table.start()
    table.run_until(lambda: table.peers[0].node.turns >= 2)
    own = next(open_entry(raw).body for raw in table.peers[CHEAT].journal if open_entry(raw).body.seat == CHEAT)
    other = sign_entry(table.identities[CHEAT], replace(own, payload=replace(own.payload, nonce=bytes(32))))
    table.crash(CHEAT)
    table.feed(0, Received(2, encode(Carry(other.raw))))
    finish(table)
    convicted(table, tmp_path, "two different entries numbered 0", step=0)
