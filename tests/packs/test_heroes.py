"""The nine heroes that come with the game: counts, ids, order, effects, documents."""

from __future__ import annotations

from collections import Counter

import pytest

from p2puno.card import LETTERS
from p2puno.cast import GAMES
from p2puno.describe import MARK_MEANS, beaten_by, describe, describe_danger, describe_hero
from p2puno.effects import (
    Ability,
    Amount,
    By,
    Condition,
    Cost,
    CostStep,
    Mod,
    Modifier,
    On,
    OneOf,
    Step,
    Verb,
    Who,
)
from p2puno.hero import BUILT_IN, Hero, card_kinds
from p2puno.hero_file import built_in_heroes, read_hero, slug
from tests.packs.document import FILE, heroes_chapter

HEROES = built_in_heroes()

# hero: icon numbers, copies of the Wilds, (Enemy, Event, Location, Item)
TABLE = {
    "aquaman": ((1, 3, 5), (3, 3, 2, 3), (3, 2, 3, 0)),
    "green_lantern": ((1, 3, 5), (3, 3, 3, 2), (4, 2, 2, 0)),
    "superman": ((1, 3, 5), (3, 3, 2, 3), (4, 2, 2, 0)),
    "wonder_woman": ((1, 2, 4, 5), (2, 4, 2, 3), (5, 2, 1, 0)),
    "shuri": ((1, 3, 5), (3, 2, 3, 3), (3, 2, 0, 3)),
    "black_widow": ((1, 3, 5), (3, 3, 3, 2), (3, 2, 0, 3)),
    "hulk": ((1, 2, 4, 5), (2, 3, 3, 3), (4, 3, 0, 1)),
    "captain_america": ((1, 3, 5), (2, 3, 3, 3), (3, 3, 0, 2)),
    "thor": ((1, 3, 5), (3, 2, 3, 3), (4, 4, 0, 0)),
}


def test_the_games_offer_the_nine_heroes():
    assert {ident for _, ids in GAMES.values() for ident in ids} == set(HEROES) == set(TABLE)
    for game, (_, ids) in GAMES.items():
        assert all(HEROES[ident].set == game for ident in ids)
    assert GAMES["marvel"][1][-1] == "thor"


@pytest.mark.parametrize("ident", TABLE)
def test_each_hero_has_47_play_cards_and_8_danger_cards(ident):
    hero = HEROES[ident]
    icons, copies, split = TABLE[ident]
    assert (hero.id, hero.source) == (ident, BUILT_IN)
    assert len(hero.deck) == 47
    assert len(hero.danger) == 8
    assert tuple(wild.copies for wild in hero.wilds) == copies
    types = Counter(card.type for card in hero.danger)
    assert tuple(types[name] for name in ("enemy", "event", "location", "item")) == split
    assert {kind.value for kind in hero.kinds if kind.icon} == set(icons)
    assert sum(hero.kinds[face].icon for face in hero.deck) == 4 * len(icons)
    named = Counter(kind for face in hero.deck for kind in card_kinds(hero.kinds[face]))
    assert (named["number"], named["action"], named["wild"]) == (24, 12, 11)
    assert [named[colour] for colour in ("red", "yellow", "green", "blue")] == [9] * 4
    assert named["draw2"] == named["reverse"] == named["skip"] == 4


@pytest.mark.parametrize("ident", TABLE)
def test_play_cards_lie_in_the_order_of_colours_numbers_actions_and_wilds(ident):
    hero = HEROES[ident]
    coloured = [f"{ident}/{letter}{symbol}" for letter in LETTERS for symbol in (1, 2, 3, 4, 5, 6, "+2", "R", "S")]
    assert [kind.id for kind in hero.kinds] == coloured + [wild.id for wild in hero.wilds]
    assert list(hero.deck) == sorted(hero.deck)
    assert Counter(hero.deck) == {face: kind.copies for face, kind in enumerate(hero.kinds)}
    assert all(kind.hero == ident for kind in hero.kinds)


def test_all_ids_are_different_and_follow_from_the_names():
    ids = [kind.id for hero in HEROES.values() for kind in hero.kinds]
    ids += [card.id for hero in HEROES.values() for card in hero.danger]
    assert len(set(ids)) == len(ids) == 9 * 48
    assert HEROES["black_widow"].wilds[0].id == "black_widow/widows_bite"
    assert slug("Super-Soldier Serum") == "super_soldier_serum"
    assert slug("Mjölnir’s  Rage!") == "mjolnirs_rage"


def test_bans_and_icons_know_the_kinds_of_a_card():
    kinds = {kind.id: card_kinds(kind) for kind in HEROES["aquaman"].kinds}
    assert kinds["aquaman/R1"] == {"red", "number", "danger"}
    assert kinds["aquaman/Y2"] == {"yellow", "number"}
    assert kinds["aquaman/G+2"] == {"green", "action", "draw2"}
    assert kinds["aquaman/BR"] == {"blue", "action", "reverse"}
    assert kinds["aquaman/BS"] == {"blue", "action", "skip"}
    assert kinds["aquaman/sea_of_storms"] == {"wild"}  # no colour, no icon (R17)


def card(hero: Hero, name: str):
    cards = {card.name: card for card in (hero.power, *hero.wilds, *hero.danger)}
    return cards[name]


def test_worked_examples_are_read_as_they_are_meant():
    aquaman, superman = HEROES["aquaman"], HEROES["superman"]
    trap = Ability(On.COLOUR, (Step(Verb.BURN, Who.THEM, Amount(2)),), By.OTHER)
    assert aquaman.power.abilities == (Ability(On.COLOUR, (Step(Verb.ARM, trap=trap),)),)
    assert card(aquaman, "Deep Sea Allies").do == (
        Step(Verb.DESTROY, what="location"),
        Step(Verb.FLIP_UNTIL, what="location"),
        Step(Verb.ADD, Who.OTHERS, Amount(1)),
        Step(Verb.BURN, Who.OTHERS, Amount(2)),
    )
    here = Condition("location", hero="aquaman")
    assert card(aquaman, "Titanic Tsunami").do == (
        Step(Verb.EXTRA_TURN, cond=here),
        Step(Verb.LOSE_TURN, Who.CHOOSE, cond=Condition("location", negated=True, hero="aquaman")),
    )
    assert card(aquaman, "Amnesty Bay").abilities == (Modifier(Mod.BAN, kind="draw2"),)
    bizarro = card(superman, "Bizarro")
    assert bizarro.flipped == (Step(Verb.ADD, Who.CHOOSE, Amount(1)),)
    assert bizarro.abilities == (Modifier(Mod.BLANK, Who.ALL),)
    assert bizarro.defeat == ("action", "wild")  # R17


def test_every_shape_of_the_language_is_read():
    smash = card(HEROES["hulk"], "Smash").do[1]
    assert (smash.amount, smash.cap, smash.who) == (Amount(2, "burnt"), 6, Who.CHOOSE)
    assert card(HEROES["thor"], "Bifrost Blow").do[0].amount == Amount(0, "enemies")
    ring = HEROES["green_lantern"].power.abilities[0]
    assert ring == Ability(On.START, (CostStep(Cost(1), (Step(Verb.COLOUR, what="green"),)),))
    baton = card(HEROES["black_widow"], "Taser Baton").abilities[0]
    assert baton.do == (CostStep(Cost(destroy_self=True), (Step(Verb.LOSE_TURN, Who.NEXT),)),)
    cap = HEROES["captain_america"].power.abilities[0].do
    assert cap == (OneOf(((Step(Verb.RECOVER, amount=Amount(2)),), (Step(Verb.BURN, Who.CHOOSE, Amount(3)),))),)
    cover = card(HEROES["black_widow"], "Deep Cover").do[0]
    assert cover == Step(Verb.BURN_HAND, Who.CHOOSE, Amount(1), pick=True)
    assert card(HEROES["thor"], "Malekith").flipped[0].kind == "number"
    claws = card(HEROES["shuri"], "Kinetic Claws").abilities[0]
    assert (claws.cond, claws.do[0].may) == (Condition("enemy"), True)
    assert card(HEROES["shuri"], "Kinetic Force Shield").abilities == (Modifier(Mod.BURN, n=-1, source="enemy"),)
    assert card(HEROES["shuri"], "Sonic Hand Cannons").abilities == (Modifier(Mod.DEAL, n=1, may=True),)
    wall = card(HEROES["captain_america"], "Shield Wall").do[0]
    assert wall == Step(Verb.MOD, modifier=Modifier(Mod.BURN, n=-2))
    assert card(HEROES["green_lantern"], "Emerald Fist").do[1].cond == Condition("burnt", least=1)
    look = card(HEROES["superman"], "Daily Planet Scoop").do[0]
    assert (look.amount, look.what) == (Amount(3), "order")


DIGESTS = {
    "aquaman": "2b470a3696a20c19",
    "black_widow": "9171c396bb4dcbde",
    "captain_america": "e547736a0a30c2fb",
    "green_lantern": "ab971a16e3ab49b7",
    "hulk": "946b8af7c88c5975",
    "shuri": "3163e49cccc06aba",
    "superman": "c42e4c0963b434c1",
    "thor": "b2d6d54bd9cabf38",
    "wonder_woman": "15e3f6f57d30243c",
}


def test_digests_are_stable_and_of_the_content_only():
    assert {ident: hero.digest.hex()[:16] for ident, hero in HEROES.items()} == DIGESTS
    thor = HEROES["thor"]
    again = read_hero("x.toml", b"# a comment\n" + thor.data, "elsewhere")
    assert again.digest == thor.digest
    assert again == thor
    assert hash(again) == hash(thor)
    other = read_hero("x.toml", thor.data.replace(b"Feast in Asgard", b"Feast in Midgard"), BUILT_IN)
    assert other != thor


def test_describe_says_everything_about_a_hero_with_its_marks():
    for hero in HEROES.values():
        lines = describe_hero(hero)
        said = "\n".join(lines)
        for part in (hero.power, *hero.wilds, *hero.danger):
            assert f"{part.name}" in said
            assert part.text in said
            assert part.mark in MARK_MEANS
        assert BUILT_IN in lines[0]
    bizarro = describe_danger(card(HEROES["superman"], "Bizarro"))
    assert bizarro == [
        "Enemy: Bizarro (seed)",
        "when flipped: Choose another player to add 1.",
        "attacking: Every player's power is blank.",
        "beaten by: an Action card or a Wild",
    ]
    assert beaten_by(card(HEROES["aquaman"], "Poseidon")) == "a yellow card, a red card or a blue card"
    allies = describe(next(kind for kind in HEROES["aquaman"].kinds if kind.code == "WDSA"))
    assert allies[0] == "WDSA  Deep Sea Allies, 3 in the deck"
    assert allies[-1] == "mark: seed"


def test_the_document_lists_all_heroes_as_the_packs_have_them():
    assert heroes_chapter() in FILE.read_text("utf-8"), "run: python -m tests.packs.document"
