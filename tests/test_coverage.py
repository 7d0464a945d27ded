"""Every card, piece, ability, verb, modifier, question and outcome of the four games is met in seeded hands."""

from __future__ import annotations

import pytest

from tests.coverage import Tally, count_classic, count_ultimate, main, tally


def test_seeded_hands_meet_every_card_ability_verb_and_question_of_the_nine_packs(monkeypatch):
    assert count_ultimate(400, monkeypatch.setitem).missing() == []


@pytest.mark.parametrize("variant", ["batman", "dbz"])
def test_seeded_hands_meet_every_card_piece_and_outcome_of_the_classic_games(variant, monkeypatch):
    assert count_classic(variant, 300, monkeypatch.setitem).missing() == []


@pytest.mark.soak
def test_many_hands_meet_every_card_often(monkeypatch):
    found = count_ultimate(6000, monkeypatch.setitem)
    assert found.missing() == []
    assert min(found.met["cards"].values()) > 50


def test_what_was_never_met_stands_out_and_fails_the_run(monkeypatch, capsys):
    found: Tally = tally("game", {"cards": ["R1", "R2"]})
    found.met["cards"]["R2"] += 3
    assert found.missing() == ["cards: R1"]
    assert list(found.lines()) == ["game, cards: 1 of 2 met", "     NEVER R1", "         3 R2"]
    monkeypatch.setattr("tests.coverage.count_ultimate", lambda hands, patch: found)
    monkeypatch.setattr("tests.coverage.count_classic", lambda variant, hands, patch: tally(variant, {}))
    assert main(1) == 1
    assert capsys.readouterr().out.endswith("never met: 1\n")
    found.met["cards"]["R1"] += 1
    assert main(1) == 0
