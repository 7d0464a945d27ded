"""Heroes of a player's own: from a folder to the table, by digest, and to peers who lack the file."""

from __future__ import annotations

import os
import random

import pytest

from p2puno.bots import random_legal
from p2puno.dealer import OpenDealer, play_hand
from p2puno.engine import new_game
from p2puno.hero_file import MAX_BYTES, load_folder, read_own
from p2puno.reading import PackError
from p2puno.rules import MissingPacks, Rules, RulesError
from tests.packs.example import TEXT, changed, named


def test_the_example_of_the_guide_is_a_hero():
    hero = read_own("lamplighter.toml", TEXT.encode(), "docs")
    assert (hero.id, hero.name, len(hero.deck), len(hero.danger)) == ("lamplighter", "The Lamplighter", 47, 8)
    assert [wild.code for wild in hero.wilds] == ["WGF", "WLS", "WSW", "WC"]


def test_a_folder_is_read_in_the_order_of_ids(tmp_path):
    for file, ident in (("z.toml", "anna"), ("a.toml", "zoe")):
        (tmp_path / file).write_bytes(changed('id = "lamplighter"', f'id = "{ident}"'))
    (tmp_path / "notes.txt").write_text("no pack")
    (tmp_path / "folder.toml").mkdir()
    os.mkfifo(tmp_path / "pipe.toml")  # not a file: it would never end
    heroes = load_folder(tmp_path)
    assert [hero.id for hero in heroes] == ["anna", "zoe"]
    assert heroes[0].source == str(tmp_path / "z.toml")
    assert heroes[0].data == (tmp_path / "z.toml").read_bytes()
    assert load_folder(str(tmp_path)) == heroes


def test_a_folder_is_bounded_and_errors_name_the_file(tmp_path):
    with pytest.raises(PackError, match="no such folder"):
        load_folder(tmp_path / "nowhere")
    assert load_folder(tmp_path) == ()
    (tmp_path / "one.toml").write_text(TEXT)
    (tmp_path / "two.toml").write_text(TEXT)
    with pytest.raises(PackError, match=r"two\.toml: the id 'lamplighter' is that of one\.toml too"):
        load_folder(tmp_path)
    (tmp_path / "two.toml").write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(PackError, match=r"two\.toml: a pack has at most 64 KB"):
        load_folder(tmp_path)
    (tmp_path / "two.toml").write_bytes(changed('id = "lamplighter"', 'id = "thor"'))
    with pytest.raises(PackError, match=r"two\.toml: the id 'thor' belongs to a hero of the game"):
        load_folder(tmp_path)
    for n in range(40):
        (tmp_path / f"{n}.toml").write_text("")
    with pytest.raises(PackError, match="at most 32 packs, not 42"):
        load_folder(tmp_path)


def test_own_heroes_play_at_tables_of_their_set_or_where_sets_mix():
    anna, ben = named("anna"), named("ben")
    rules = Rules.make("marvel", own=[ben, anna])
    assert rules.offered()[-2:] == ("anna", "ben")
    assert rules.hero("anna") is anna
    assert Rules.make("dc", mix_sets=False, own=[anna]).offered()[-1] == "wonder_woman"
    seated = rules.seated(["thor", "ben"])
    assert seated.own == (ben,)
    assert seated.decks()[1].name == "ben"
    with pytest.raises(RulesError, match="two heroes have the id anna"):
        Rules.make("marvel", own=[anna, named("anna")])
    with pytest.raises(RulesError, match="has no heroes"):
        Rules.make("batman", own=[anna])
    with pytest.raises(RulesError, match="at most 32 own heroes"):
        Rules.make("marvel", own=[named(f"h{n}") for n in range(33)])


def test_rules_carry_ids_and_digests_and_peers_get_the_files_beside_them():
    rules = Rules.make("marvel", own=[named("anna"), named("ben")])
    for agreed in (rules, rules.seated(["ben", "thor"])):
        data, packs = agreed.encode(), agreed.own_packs()
        assert set(packs) == {hero.id for hero in agreed.own}
        assert len(data) < 4000
        assert Rules.decode(data, packs) == agreed
        assert Rules.decode(data, packs).own[-1].data == packs["ben"]
        with pytest.raises(MissingPacks) as missing:
            Rules.decode(data)
        assert missing.value.packs == tuple((hero.id, hero.digest) for hero in agreed.own)
        assert "ben" in str(missing.value)


def test_a_pack_that_differs_or_is_broken_is_refused():
    data = Rules.make("marvel", own=[named("anna")], heroes=("anna", "thor")).encode()
    for file, says in (
        (named("anna").data.replace(b"Gas Flare", b"Gas Flame"), "the pack of anna differs"),
        (named("ben").data, "the pack of anna differs"),
        (b"no pack", "anna.toml: it is not TOML"),
        (b"#" * (MAX_BYTES + 1), "at most 64 KB"),
    ):
        with pytest.raises(RulesError, match=says):
            Rules.decode(data, {"anna": file})


def test_packs_that_the_rules_do_not_name_are_not_even_read():
    data = Rules.make("marvel", heroes=("hulk", "thor")).encode()
    assert Rules.decode(data, {"evil": b"\xff"}).own == ()


POWER = '[{on="play", kind="yellow", do=[{recover=1}]}]'
HOSTILE = [
    # whoever loses a turn loses the next one as well
    (POWER, '[{on="lost_turn", by="any", do=[{lose_turn=1, who="all"}]}, {on="start", do=[{lose_turn=1, who="all"}]}]'),
    # every recovered card is burnt and every burnt card recovered
    (POWER, '[{on="burnt", by="any", do=[{recover=9, who="all"}]},'
            ' {on="recover", by="any", do=[{burn=1, who="all"}]}]'),
    # Danger cards without end
    (POWER, '[{on="start", do=[{danger=9}]}, {on="flip", by="any", do=[{danger=9}, {extra_turn=1, who="all"}]}]'),
    # traps that set traps, and turns without end
    (POWER, '[{on="start", do=[{extra_turn=1}, {arm="start", by="any", do=[{recover=9}, {extra_turn=1}]}]},'
            ' {on="end", do=[{recover=9, who="all"}, {extra_turn=1}]}]'),
    # everything is forbidden to everybody
    (POWER, "[" + ", ".join(f'{{mod="ban", kind="{kind}", who="all"}}' for kind in ("number", "action", "wild")) + "]"),
    # the direction turns and turns
    (POWER, '[{on="start", by="any", do=[{reverse=true}, {colour=true}]},'
            ' {on="colour", by="any", do=[{colour=true}]}]'),
    # hands are burnt and recovered
    ("do = [{defeat=1}, {recover=2}]", 'do = [{burn_hand=9, who="all"}, {add=9, who="all"}, {danger=9}]'),
]  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("old", "new"), HOSTILE)
def test_r55_no_pack_can_hang_a_table(old, new, seed):
    """A pack made to go round in circles: every hand comes to its end, with all cards accounted for."""
    anna = read_own("anna.toml", changed('id = "lamplighter"', 'id = "anna"', changed(old, new).decode()), "test")
    rules = Rules.make("marvel", own=[anna], heroes=("anna", "hulk", "thor"))
    dice = random.Random(seed)
    game, dealer = new_game(rules, 3, seed % 3), OpenDealer(rules, 3, dice)
    steps = 0

    def watch(happenings):
        nonlocal steps
        steps += 1
        assert steps < 20_000
        dealer.check(game)

    outcome = play_hand(game, dealer, [random_legal(dice, wanders=True) for _ in range(3)], watch)
    assert outcome.winner in range(3)
