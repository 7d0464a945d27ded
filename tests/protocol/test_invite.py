"""Invite codes by themselves: who gets in, and what guessing costs."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import invite
from protocol.errors import Usage
from protocol.invite import Door, Guest, fresh_code, read_code

HOST, GUEST, EVE = (bytes([number] * 32) for number in (1, 2, 3))
CODE, OTHER = "zudaro-pimebi", "zudaro-pimebo"


def enter(door: Door, code: str, guest: bytes = GUEST, address: str = "10.0.0.2", now: float = 0.0) -> bytes:
    """A whole run; the door's proof, b"" if there is none."""
    run = Guest(code, guest, HOST)
    answer, why = door.knock(guest, address, run.message, now)
    if why:
        return b""
    proof = door.confirm(guest, run.answered(answer), now)
    assert run.confirmed(proof) == bool(proof)
    return proof


def test_the_code_opens_the_door() -> None:
    door = Door(CODE, HOST)
    assert not door.inside(GUEST)
    assert enter(door, CODE)
    assert door.inside(GUEST)
    assert (door.inside(EVE), door.failures) == (False, 0)
    assert not door.gone(GUEST, 1.0)
    assert not door.inside(GUEST)


def test_another_code_does_not() -> None:
    """C48."""
    door = Door(CODE, HOST)
    assert not enter(door, OTHER)
    assert not door.inside(GUEST)
    assert door.failures == 1


def test_somebody_in_between_is_detected_by_both_sides() -> None:
    """C47: Eve has a link to each and passes on every message, and still neither side is taken in."""
    door = Door(CODE, HOST)
    run = Guest(CODE, GUEST, EVE)  # the guest's link ends at Eve's key
    answer, _ = door.knock(EVE, "10.0.0.3", run.message, 0.0)  # and so does the creator's
    proof = run.answered(answer)
    assert not door.confirm(EVE, proof, 0.0)
    assert not door.inside(EVE)
    assert not run.confirmed(proof)


def test_a_proof_cannot_be_sent_back_or_used_twice() -> None:
    door = Door(CODE, HOST)
    run = Guest(CODE, GUEST, HOST)
    answer, _ = door.knock(GUEST, "", run.message, 0.0)
    mine = run.answered(answer)
    assert not run.confirmed(mine)
    assert run.answered(answer) == b""
    other = Guest(CODE, GUEST, HOST)
    assert not other.confirmed(mine)  # before any answer
    assert door.confirm(GUEST, mine, 0.0)
    assert not door.confirm(GUEST, mine, 0.0)
    assert not door.confirm(EVE, mine, 0.0)


def test_failed_tries_are_slowed_for_their_address_alone() -> None:
    """C48: 1, 2, 4 … seconds; who lets a guess hang in the air has guessed as well."""
    door = Door(CODE, HOST)
    guess = Guest(OTHER, EVE, HOST).message
    now = 0.0
    for wait in (0, 1, 2, 4, 8, 16, 32, 60, 60):
        if wait:
            assert "too soon" in door.knock(EVE, "10.0.0.3", guess, now + wait - 0.1)[1]
        now += wait
        assert door.knock(EVE, "10.0.0.3", guess, now)[1] == ""
        assert not door.confirm(EVE, bytes(32), now) if wait % 2 else door.gone(EVE, now)
        assert enter(door, CODE, GUEST, "10.0.0.2", now)


def test_after_too_many_failures_nobody_new_gets_in() -> None:
    """C48: fresh keys and fresh addresses do not help."""
    door = Door(CODE, HOST)
    assert enter(door, CODE)
    for number in range(invite.MAX_FAILURES):
        assert not enter(door, OTHER, bytes([number] * 32), f"10.1.0.{number}")
    assert not enter(door, CODE, EVE, "10.2.0.1")
    assert door.inside(GUEST)


def test_runs_at_once_are_bounded_and_a_second_knock_ends_the_first() -> None:
    door = Door(CODE, HOST)
    message = Guest(CODE, GUEST, HOST).message
    for number in range(invite.MAX_RUNS):
        assert door.knock(bytes([number] * 32), f"10.1.0.{number}", message, 0.0)[1] == ""
    assert "too many" in door.knock(b"x" * 32, "10.2.0.1", message, 0.0)[1]
    assert "too soon" in door.knock(bytes(32), "10.1.0.0", message, 0.0)[1]
    assert door.failures == 1


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=33, max_size=33))
def test_what_is_no_element_of_the_group_is_a_failed_try(message: bytes) -> None:
    door = Door(CODE, HOST)
    for sent in (message, b"A" + message[1:], b"A" + bytes(32), b"B" + message[1:], b"S" + message[1:]):
        answer, why = door.knock(GUEST, "", sent, 0.0)
        assert (len(answer), why) == (33, "")
        assert not door.confirm(GUEST, bytes(32), 0.0)
        door._tries.clear()
    assert door.failures == 5
    assert Guest(CODE, GUEST, HOST).answered(b"A" + message[1:]) == b""
    assert Guest(CODE, GUEST, HOST).answered(b"B" + bytes(32)) == b""


def test_codes_are_read_as_people_type_them() -> None:
    for _ in range(50):
        code = fresh_code()
        assert re.fullmatch(r"[a-z]{6}-[a-z]{6}", code)
        first, second = code.split("-")
        for typed in (code, code.upper(), f" {first} {second}\n", f"{first}.{second}"):
            assert read_code(typed) == code
    assert len({fresh_code() for _ in range(50)}) == 50


@pytest.mark.parametrize("typed", ["", "zudaro", "zudaro-pimeb", "zudaro-pimebi-dadada", "zudaro-pimecy", "1234"])
def test_what_cannot_be_a_code_costs_no_try(typed: str) -> None:
    with pytest.raises(Usage):
        read_code(typed)
