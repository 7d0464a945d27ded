"""Cheats in a running hand: shares, moves, UNO windows (C16-C25, C30-C32)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from p2puno.card import WILD
from p2puno.happenings import What
from p2puno.moves import Play
from p2puno.needs import Ask, Decide, Open, Say
from protocol.deck import Held
from protocol.group import group
from protocol.messages import entry_hash
from protocol.moving import DecideStep, WindowStep
from protocol.payloads import Choose, PlayCard, Shares, Speak
from protocol.proofs.dleq import prove_shares, shares_bytes
from protocol.proofs.transcript import Nonces
from protocol.steps import OpenStep
from tests.protocol.cheats import RULES, Cheater, cheater, convicted, only_absent, play, replace, trick_on

# -- shares -----------------------------------------------------------------------------------------------------------


def wrong_share(node: Cheater, step: OpenStep, payload: Shares) -> Shares:
    return replace(payload, shares=group.mulg(77).encoded + payload.shares[33:])


def no_proof(node: Cheater, step: OpenStep, payload: Shares) -> Shares:
    return replace(payload, proof=b"")


def under_another_key(node: Cheater, step: OpenStep, payload: Shares) -> Shares:
    """Consistent in itself, made with a key that is not its own."""
    firsts = [a for _, a in step.owed[node.seat]]
    context = node.table.context(node.seat, "open")
    shares, proof = prove_shares(context, node.keeper._nonces, 99, group.mulg(99), firsts)
    return Shares(shares_bytes(shares), proof.to_bytes())


def as_another_seat(node: Cheater, step: OpenStep, payload: Shares) -> Shares:
    """The proof of another seat, replayed."""
    firsts = [a for _, a in step.owed[node.seat]]
    keeper = node.keeper
    context = node.table.context(0, "open")
    shares, proof = prove_shares(context, keeper._nonces, keeper._x, keeper._key, firsts)
    return Shares(shares_bytes(shares), proof.to_bytes())


def fewer(node: Cheater, step: OpenStep, payload: Shares) -> Shares:
    return replace(payload, shares=payload.shares[:-33])


def more(node: Cheater, step: OpenStep, payload: Shares) -> Shares:
    """C17: a share of its own first card as well."""
    return replace(payload, shares=payload.shares + payload.shares[:33])


@pytest.mark.parametrize(
    ("trick", "reason"),
    [
        (wrong_share, "the proof does not hold"),
        (no_proof, "bytes where"),
        (under_another_key, "the proof does not hold"),
        (as_another_seat, "the proof does not hold"),
        (fewer, "bytes where"),
        (more, "bytes where"),
    ],
)
def test_c16_shares(trick: Any, reason: str, tmp_path: Path) -> None:
    convicted(play(cheater(trick_on(OpenStep, trick))), tmp_path, reason)


def test_c16_share_and_proof_of_another_slot(tmp_path: Path) -> None:
    """What was right for the card drawn before is wrong for this one."""
    old: list[Shares] = []

    def replay(node: Cheater, step: OpenStep, payload: Shares) -> Shares | None:
        if len(payload.shares) != 33:
            return None
        old.append(payload)
        return old[0] if len(old) > 1 else None

    convicted(play(cheater(trick_on(OpenStep, replay))), tmp_path, "the proof does not hold")


def test_c17_share_of_a_card_that_nobody_asked_for(tmp_path: Path) -> None:
    """At another's move it publishes its share of the next card of the stock."""

    def intrude(node: Cheater) -> Shares | None:
        table = node.table
        if not isinstance(table.step, DecideStep) or table.cards is None:
            return None
        slot = table.step.table.game.piles["draw"][-1]  # type: ignore[union-attr]
        form = table.cards.forms[slot]
        keeper = node.keeper
        shares, proof = prove_shares(
            table.context(node.seat, "open"),
            keeper._nonces,
            keeper._x,
            keeper._key,
            [form.a],  # type: ignore[union-attr]
        )
        return Shares(shares_bytes(shares), proof.to_bytes())

    convicted(play(cheater(intrusion=intrude)), tmp_path, "out of turn")


def test_c17_an_honest_seat_gives_no_share_twice() -> None:
    """A share of a stock card, once public, must never serve another receiver: the keeper refuses."""
    table = play(cheater(trick_on(OpenStep, wrong_share)))
    node = table.peers[0].node
    keeper, step = node._keeper, node.table.step
    assert keeper is not None
    assert isinstance(step, OpenStep)
    assert isinstance(step.need, Open)
    step.to = tuple((slot, (receiver + 1) % 3) for slot, receiver in step.to)
    with pytest.raises(RuntimeError, match="given before"):
        keeper.contribute(step)


def test_c18_different_shares_to_different_peers(tmp_path: Path) -> None:
    """Each good for itself: the same shares with two proofs."""

    def two(node: Cheater, step: OpenStep, payload: Shares) -> Any:
        keeper = node.keeper
        firsts = [a for _, a in step.owed[node.seat]]
        context = node.table.context(node.seat, "open")
        shares, proof = prove_shares(context, Nonces(bytes(64)), keeper._x, keeper._key, firsts)
        other = Shares(shares_bytes(shares), proof.to_bytes())
        return [(0, node.sign(node.body(payload))), (2, node.sign(node.body(other)))]

    convicted(play(cheater(trick_on(OpenStep, two))), tmp_path, "two different entries")


def test_c18_a_wrong_share_for_one_peer_only(tmp_path: Path) -> None:
    """That peer finds the share wrong; the other gets it from there and finds two entries with one number."""

    def two(node: Cheater, step: OpenStep, payload: Shares) -> Any:
        wrong = node.sign(node.body(wrong_share(node, step, payload)))
        return [(0, node.sign(node.body(payload))), (2, wrong)]

    convicted(play(cheater(trick_on(OpenStep, two))), tmp_path, "")


# -- moves ------------------------------------------------------------------------------------------------------------


def on_turn(make: Any, ask: Ask = Ask.TURN) -> type[Cheater]:
    """A program that says something else when it is asked for a move of this kind."""

    def trick(node: Cheater, step: DecideStep, payload: Any) -> Any:
        return make(node, payload) if isinstance(step.need, Decide) and step.need.ask is ask else None

    return cheater(trick_on(DecideStep, trick))


def hand(node: Cheater) -> list[tuple[int, int]]:
    seen = node.view()
    assert seen is not None
    return list(seen.hand)


@pytest.mark.parametrize("word", ["draw", "accept"])
def test_c20_moves_out_of_turn(word: str, tmp_path: Path) -> None:
    program = cheater(intrusion=lambda node: Choose(word) if isinstance(node.table.step, DecideStep) else None)
    convicted(play(program), tmp_path, "out of turn")


def test_c20_for_another_seat(tmp_path: Path) -> None:
    """Signed with its own key in the name of seat 0."""

    def as_other(node: Cheater, step: DecideStep, payload: Any) -> Any:
        return replace(node.body(payload), seat=0)

    convicted(play(cheater(trick_on(DecideStep, as_other))), tmp_path, "signed for another seat")


def test_c21_plays_a_card_of_somebody_else(tmp_path: Path) -> None:
    def other(node: Cheater, payload: Any) -> Any:
        if not isinstance(payload, PlayCard):
            return None
        return replace(payload, slot=node.table.game.hands[0][0])  # type: ignore[union-attr]

    convicted(play(on_turn(other)), tmp_path, "is not in its hand")


@pytest.mark.parametrize("slot", [111, 112])
def test_c21_plays_from_the_stock_or_from_nowhere(slot: int, tmp_path: Path) -> None:
    def nowhere(node: Cheater, payload: Any) -> Any:
        at = node.table.game.piles["draw"][0] if slot == 111 else slot  # type: ignore[union-attr]
        return replace(payload, slot=at) if isinstance(payload, PlayCard) else None

    convicted(play(on_turn(nowhere)), tmp_path, "is not in its hand")


def test_c22_claims_another_face(tmp_path: Path) -> None:
    def lie(node: Cheater, payload: Any) -> Any:
        return replace(payload, face=(payload.face + 1) % 40) if isinstance(payload, PlayCard) else None

    convicted(play(on_turn(lie)), tmp_path, "another card than it says")


def test_c22_claims_another_face_with_a_share_that_fits_it(tmp_path: Path) -> None:
    """The share makes the card read as a Wild; that it is none of x·a, the proof cannot hide."""

    def lie(node: Cheater, payload: Any) -> Any:
        if not isinstance(payload, PlayCard):
            return None
        cards = node.table.cards
        assert cards is not None
        face = len(cards.faces.points) - 1
        form = cards.forms[payload.slot]
        assert isinstance(form, Held)
        share = group.sub(form.b, cards.faces.points[face])
        assert share is not None
        return replace(payload, face=face, share=share.encoded, colour=1)

    convicted(play(on_turn(lie)), tmp_path, "the proof does not hold")


def test_c23_a_card_that_does_not_fit(tmp_path: Path) -> None:
    def unfit(node: Cheater, payload: Any) -> Any:
        game = node.table.game
        assert game is not None
        top = game.public[game.piles["discard"][-1]]
        for slot, face in hand(node):
            if face not in game.pack.fits[game.colour][top]:
                return node.keeper.move(Play(slot, face, -1))
        return None

    convicted(play(on_turn(unfit)), tmp_path, "R10")


@pytest.mark.parametrize(("ask", "word"), [(Ask.DRAWN, "draw"), (Ask.TURN, "keep"), (Ask.TURN, "challenge")])
def test_c23_words_at_the_wrong_time(ask: Ask, word: str, tmp_path: Path) -> None:
    """A second draw, a pass without drawing, a challenge of nothing."""
    convicted(play(on_turn(lambda node, payload: Choose(word), ask)), tmp_path, "(R")


def test_c23_another_card_than_the_one_just_drawn(tmp_path: Path) -> None:
    def other(node: Cheater, payload: Any) -> Any:
        need = node.table.step.need
        assert isinstance(need, Decide)
        return node.keeper.move(Play(*next(card for card in hand(node) if card[0] != need.slot)))

    convicted(play(on_turn(other, Ask.DRAWN)), tmp_path, "(R")


@pytest.mark.parametrize("word", ["", "draw ", "\x1b[2J"])
def test_c24_words_outside_the_closed_set(word: str, tmp_path: Path) -> None:
    """C44: what it said is not repeated on anybody's screen."""
    verdict = convicted(play(on_turn(lambda node, payload: Choose(word))), tmp_path, "no such word")
    assert "\x1b" not in "".join(verdict.lines()) + verdict.problem


@pytest.mark.parametrize("colour", [4, -2])
def test_c24_colour_that_does_not_exist(colour: int, tmp_path: Path) -> None:
    def program(node: Cheater, payload: Any) -> Any:
        return replace(payload, colour=colour) if isinstance(payload, PlayCard) else None

    convicted(play(on_turn(program)), tmp_path, "signed what is no entry")


def test_c24_colour_named_for_a_coloured_card_or_not_for_a_wild(tmp_path: Path) -> None:
    for wild in (False, True):

        def program(node: Cheater, payload: Any) -> Any:
            if not isinstance(payload, PlayCard):
                return None
            is_wild = node.table.rules.pack.colour[payload.face] == WILD
            if is_wild != wild:  # noqa: B023  # called in this round of the loop
                return None
            return replace(payload, colour=-1 if is_wild else 2)

        convicted(play(on_turn(program)), tmp_path / str(wild), "R15")


def test_c25_two_moves_for_one_step(tmp_path: Path) -> None:
    """One card to seat 0, a draw to seat 2: who builds on one must show it to who knows the other."""

    def two(node: Cheater, payload: Any) -> Any:
        if not isinstance(payload, PlayCard):
            return None
        return [(0, node.sign(node.body(payload))), (2, node.sign(node.body(Choose("draw"))))]

    convicted(play(on_turn(two)), tmp_path, "two different entries")


def test_c25_a_move_told_to_one_seat_only(tmp_path: Path) -> None:
    """The bad move goes to seat 0 alone; seat 2 gets it from there and judges for itself."""

    def whisper(node: Cheater, payload: Any) -> Any:
        return [(0, node.sign(node.body(Choose("keep"))))]

    convicted(play(on_turn(whisper)), tmp_path, "(R")


# -- UNO --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["catch", "call"])
def test_c31_words_of_a_window_where_there_is_none(word: str, tmp_path: Path) -> None:
    """A catch of somebody who declared, or of nobody; C30: a call afterwards."""
    program = cheater(intrusion=lambda node: Speak(word) if isinstance(node.table.step, DecideStep) else None)
    convicted(play(program), tmp_path, "out of turn")


def test_c30_call_instead_of_a_move(tmp_path: Path) -> None:
    convicted(play(on_turn(lambda node, payload: Speak("call"))), tmp_path, "Speak is no answer to move")


@pytest.mark.parametrize("own", [True, False])
def test_c31_the_words_of_the_other_side(own: bool, tmp_path: Path) -> None:
    """Who forgot cannot catch itself, others cannot call for it."""

    def wrong(node: Cheater, step: WindowStep, payload: Speak) -> Speak | None:
        if (step.about == node.seat) != own:
            return None
        return Speak(Say.CATCH.value if own else Say.CALL.value)

    convicted(play(cheater(trick_on(WindowStep, wrong)), rules=RULES), tmp_path, "no word of this window")


def test_c31_two_answers_to_one_window(tmp_path: Path) -> None:
    """First a pass, and in the next entry of its chain a catch."""

    def twice(node: Cheater, step: WindowStep, payload: Speak) -> Any:
        if step.about == node.seat:
            return None
        first = node.sign(node.body(Speak("pass")))
        body = node.body(Speak("catch"))
        return [(None, first), (None, node.sign(replace(body, seq=body.seq + 1, prev=entry_hash(first))))]

    convicted(play(cheater(trick_on(WindowStep, twice))), tmp_path, "twice")


def test_c32_catches_although_it_has_heard_the_call(tmp_path: Path) -> None:
    """What reached whom first nobody can prove, so the catch counts (R61), and nobody is blamed."""

    def late(node: Cheater, step: WindowStep, payload: Speak) -> Speak | None:
        return Speak(Say.CATCH.value) if node.table.heard.get(step.about) is Say.CALL else None

    table = play(cheater(trick_on(WindowStep, late), lets_others_first=WindowStep))
    verdict = only_absent(table, tmp_path, absent=())
    assert verdict.seen[What.CAUGHT.value] >= 1
