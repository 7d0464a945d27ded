"""Tables of heroes: who may play, which options there are, which decks lie where (R1, R4), one form of bytes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from p2puno.card import NO_COLOUR
from p2puno.options import OPTIONS
from p2puno.rules import Rules, RulesError, games

DC = ("aquaman", "green_lantern", "superman", "wonder_woman")
MARVEL = ("shuri", "black_widow", "hulk", "captain_america", "thor")


def test_games_are_those_with_one_deck_and_those_with_heroes():
    assert {"batman", "dc", "marvel"} <= set(games())
    assert Rules.make("batman").family == "classic"
    assert Rules.make("dc").family == Rules.make("marvel").family == "ultimate"
    assert Rules.make("dc").name == "UNO Ultimate: DC"


def test_r1_who_may_play():
    assert Rules.make("dc").offered() == (*DC, *MARVEL)
    assert Rules.make("marvel").offered() == (*MARVEL, *DC)
    assert Rules.make("dc", mix_sets=False).offered() == DC
    assert Rules.make("marvel", mix_sets="off").offered() == MARVEL
    assert Rules.make("dc", mix_sets=False).free_heroes(["aquaman", "superman"]) == ["green_lantern", "wonder_woman"]
    assert Rules.make("batman").offered() == ()


def test_r1_two_to_four_players_each_hero_once():
    rules = Rules.make("dc")
    assert rules.seated(["thor", "aquaman"]).heroes == ("thor", "aquaman")
    assert Rules.make("dc", heroes=DC).heroes == DC
    for heroes, says, hint in (
        (["thor"], "2 to 4 players, not 1", "each seat"),
        ([*MARVEL], "2 to 4 players, not 5", "each seat"),
        (["thor", "thor"], "thor is taken twice", "free: aquaman"),
        (["thor", "superman", "qqq"], "no hero is called 'qqq'", "heroes: aquaman"),
        (["thor", "supermann"], "no hero is called 'supermann'", "did you mean superman?"),
    ):
        with pytest.raises(RulesError, match=says) as refused:
            rules.seated(heroes)
        assert hint in refused.value.hint
    with pytest.raises(RulesError, match="thor is of another set") as refused:
        Rules.make("dc", mix_sets=False, heroes=["aquaman", "thor"])
    assert "mix_sets on" in refused.value.hint
    with pytest.raises(RulesError, match="has no heroes") as refused:
        Rules.make("batman", heroes=["thor", "hulk"])
    assert "dc, marvel" in refused.value.hint
    with pytest.raises(RulesError, match="has no heroes"):
        Rules.make("batman").seated(["thor", "hulk"])


def test_before_seats_are_taken_there_are_no_cards():
    rules = Rules.make("marvel")
    assert (rules.slots, rules.kinds, rules.deck(), rules.decks()) == (0, (), (), ())
    assert rules.players == range(2, 5)


@pytest.mark.parametrize("heroes", [("thor", "aquaman"), DC, ("hulk", "superman", "shuri")])
def test_r4_a_deck_for_each_seat_then_the_danger_cards_of_all(heroes):
    rules = Rules.make("dc", heroes=heroes)
    decks = rules.decks()
    assert [deck.name for deck in decks] == [*heroes, "danger"]
    assert [slot for deck in decks for slot in deck.slots] == list(range(rules.slots))
    assert [face for deck in decks for face in deck.faces] == list(range(len(rules.kinds)))
    assert [len(deck.slots) for deck in decks] == [47] * len(heroes) + [8 * len(heroes)]
    whole = rules.deck()
    for deck in decks:
        assert {whole[slot] for slot in deck.slots} == set(deck.faces)
    for seat, (deck, ident) in enumerate(zip(decks, heroes, strict=False)):
        hero = rules.hero(ident)
        assert rules.cast.heroes[seat] is hero
        assert [rules.kinds[face] for face in deck.faces] == list(hero.kinds)
        assert [whole[slot] - deck.faces[0] for slot in deck.slots] == list(hero.deck)
    named = [card.id for ident in heroes for card in rules.hero(ident).danger]
    assert [rules.kinds[whole[slot]].id for slot in decks[-1].slots] == named
    assert all(rules.kinds[face].colour == NO_COLOUR for face in decks[-1].faces)


def test_every_table_of_four_fits_into_bytes():
    for heroes in combinations((*DC, *MARVEL), 4):
        rules = Rules.make("dc", heroes=heroes)
        assert len(rules.kinds) == len(rules.faces) == 4 * 40 + 32 < 255
        assert rules.slots == 4 * 47 + 32 < 256


def test_the_classic_deck_is_one_deck():
    rules = Rules.make("batman")
    (deck,) = rules.decks()
    assert (deck.name, deck.slots, deck.faces) == ("draw", range(112), tuple(range(55)))


def test_r10_what_fits_on_what_between_decks():
    rules = Rules.make("dc", heroes=("aquaman", "thor"))
    faces, fits = rules.faces, rules.pack.fits
    on = fits[0][faces["aquaman/R5"]]  # red, a 5 on top
    assert faces["thor/B5"] in on
    assert faces["thor/R+2"] in on
    assert faces["thor/asgard_assault"] in on
    assert faces["thor/B4"] not in on
    assert faces["thor/malekith"] not in on
    wild = fits[2][faces["aquaman/riptide_strike"]]  # a Wild that named green
    assert {rules.kinds[face].colour for face in wild} == {2, 4}


OWN = {
    "starter", "hand_size", "mix_sets", "draw_on_skipped", "play_after_draw", "force_play", "match_wins",
    "uno_penalty", "uno_window", "drop_outs", "ask_optional", "turn_seconds", "bank_seconds", "grace_seconds",
    "watchers", "chat",
}  # fmt: skip


def test_options_of_ultimate_are_there_and_others_are_refused_with_a_hint():
    rules = Rules.make("dc")
    assert set(rules.options()) == OWN
    assert rules.draw_on_skipped == "ignore"  # R21
    for option in OPTIONS:
        if option.name in OWN:
            Rules.make("marvel", **{option.name: option.values[0]})
        else:
            with pytest.raises(RulesError, match=f"{option.name} does not concern dc") as refused:
                Rules.make("dc", **{option.name: option.values[-1]})
            assert option.games[0] in refused.value.hint
    with pytest.raises(RulesError, match="mix_sets does not concern batman"):
        Rules.make("batman", mix_sets=True)
    with pytest.raises(RulesError, match="there is no option handsize"):
        Rules.make("dc", handsize=5)


def test_values_that_do_not_go_together_are_refused():
    with pytest.raises(RulesError, match="force_play"):
        Rules.make("dc", force_play=True, play_after_draw=False)
    with pytest.raises(RulesError, match="no seat 5"):
        Rules.make("dc", starter="5")
    with pytest.raises(RulesError, match="seat 4 cannot begin: there are 3"):
        Rules.make("dc", starter="4").seated(DC[:3])
    assert Rules.make("dc", starter="youngest").seated(DC[:3]).starter == "youngest"


@pytest.mark.parametrize("heroes", [(), ("thor", "aquaman"), DC])
def test_rules_of_heroes_encode_to_one_form_and_back(heroes):
    rules = Rules.make("dc", heroes=heroes, match_wins=3, ask_optional=True)
    data = rules.encode()
    assert Rules.decode(data) == rules
    assert len(rules.digest()) == 32
    for ident in heroes or rules.offered():
        assert rules.hero(ident).digest.hex().encode() in data
    assert rules.digest() != Rules.make("dc", heroes=heroes).digest()


def test_other_seats_are_other_rules():
    digests = {Rules.make("dc", heroes=pair).digest() for pair in combinations((*DC, *MARVEL), 2)}
    digests |= {Rules.make("dc", heroes=pair[::-1]).digest() for pair in combinations((*DC, *MARVEL), 2)}
    assert len(digests) == 9 * 8


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"heroes thor aquaman", b"heroes aquaman thor"),
        lambda data: data.replace(b"heroes thor aquaman", b"heroes thor thor"),
        lambda data: data.replace(b"heroes thor aquaman", b"heroes thor"),
        lambda data: data.replace(b"heroes thor aquaman\n", b""),
        lambda data: data.replace(b"heroes thor aquaman", b"heroes none"),
        lambda data: data.replace(b"heroes thor aquaman", b"heroes  thor aquaman"),
        lambda data: data.replace(b"pack thor ", b"pack thor 00"),
        lambda data: data.replace(b"pack thor ", b"pack hulk "),
        lambda data: data.replace(b"pack thor ", b"pack "),
        lambda data: data.replace(b"pack ", b"pack  ", 1),
        lambda data: data.replace(b"game dc", b"game batman"),
        lambda data: data.replace(b"game dc", b"cards 00\ngame dc"),
        lambda data: data.replace(b"mix_sets on\n", b""),
        lambda data: data.replace(b"mix_sets on", b"mix_sets off"),
        lambda data: data + b"own x\n",
        lambda data: data + b"variant dc\n",
        lambda data: data + b"challenge on\n",
        lambda data: data + b"pack\n",
        lambda data: data + b"".join(b"pack x%d 00\n" % n for n in range(99)),
    ],
)
def test_rules_of_heroes_that_encode_would_not_write_are_refused(change):
    data = Rules.make("dc", heroes=("thor", "aquaman")).encode()
    assert change(data) != data
    with pytest.raises(RulesError):
        Rules.decode(change(data))


def test_describe_names_heroes_and_what_is_unusual():
    lines = Rules.make("marvel", heroes=("hulk", "thor"), draw_on_skipped="cards").describe()
    assert lines[:2] == ["UNO Ultimate: Marvel, 110 cards, 2 to 4 players", "heroes by seat: Hulk, Thor"]
    assert any(line.startswith("draw_on_skipped cards (usual: ignore)") for line in lines)
    assert Counter(line.split()[0] for line in lines[2:]) == Counter(OWN)
    assert "heroes: Shuri, Black Widow, Hulk, Captain America, Thor" in Rules.make("marvel", mix_sets=False).describe()
