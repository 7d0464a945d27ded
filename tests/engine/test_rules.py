"""Packs and rules: strict reading, canonical bytes, options with hints."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from p2puno.engine import REGISTER  # the engine has all files of pieces read
from p2puno.pack import EFFECTS, PackError, find_variant, read_pack, variants
from p2puno.rules import OPTIONS, Rules, RulesError, show_value

TEXT = (resources.files("p2puno") / "packs" / "batman.toml").read_text("utf-8")


def test_the_batman_deck_has_its_112_cards():
    pack = find_variant("batman")
    assert len(pack.deck) == 112
    assert sum(kind.copies for kind in pack.kinds if kind.value >= 0) == 76
    assert [pack.kinds[face].id for face in pack.deck[:4]] == ["R0", "R1", "R1", "R2"]
    assert [pack.kinds[face].id for face in pack.deck[-12::4]] == ["W", "W4", "WS"]
    assert {pack.kinds[face].id for face in pack.stop} == {c + n for c in "RYGB" for n in "1234"}
    assert sum(pack.deck.count(face) for face in pack.stop) == 32


@pytest.mark.parametrize("variant", ["batman", "dbz"])
def test_points_are_face_value_twenty_and_fifty(variant):
    for kind in find_variant(variant).kinds:
        assert kind.points == (50 if kind.wild else kind.value if kind.value >= 0 else 20)


def test_every_effect_is_a_piece_of_the_engine():
    assert EFFECTS - {""} <= set(REGISTER.pieces)


@pytest.mark.parametrize("variant", ["batman", "dbz"])
def test_every_kind_says_what_it_does_and_how_well_it_is_known(variant):
    for kind in find_variant(variant).kinds:
        assert kind.name
        assert kind.text
        assert kind.mark in ("seed", "partial")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('id = "batman"', "", "'id' is missing"),
        ('id = "batman"', "id = 3", "'id' must be str"),
        ("players = [2, 10]", "players = [2]", "'players' must be"),
        ("players = [2, 10]", "players = [2, 10]\nfoo = 1", "unknown 'foo'"),
        ('family = "classic"', 'family = "modern"', "'family' must be one of classic"),
        ("others = 2", "others = 0", r"\[numbers\]: 'others' must be 1-9, not 0"),
        ("others = 2", "others = true", r"\[numbers\]: 'others' must be int"),
        ('effect = "skip"', 'effect = "hop"', r"\[\[action\]\] 3 \(S\): 'effect' must be one of"),
        ('symbol = "S"', 'symbol = "R"', "written alike"),
        ("stop = [1, 2, 3, 4]", "", "'stop' belongs to"),
        ("stop = [1, 2, 3, 4]", "stop = [4, 1]", r"\[\[wild\]\] 3.*'stop' must be rising"),
        ('mark = "seed"', 'mark = "sure"', "'mark' must be one of"),
        ('text = "Name a colour."', f'text = "{"word " * 26}"', r"\(W\): 'text' has more than 25 words"),
        ('1 = "Batman"', 'x = "Batman"', r"'names' must give texts"),
        ("zeros = 1 ", "zeros = = 1", "batman.toml"),
        ("zeros = 1 ", "zeros = 2020-01-01\n", "'zeros' must be int, not a date"),
        ("zeros = 1 ", f"zeros = {'9' * 5000}\n", "not TOML in UTF-8"),
        ("zeros = 1 ", f"zeros = {'[' * 5000}\n", "nested too deeply"),
        ("zeros = 1 ", f"zeros{'.a' * 65} = 1\n", "more than 64 dots"),
    ],
)
def test_errors_of_a_pack_name_file_card_and_field(old, new, says):
    assert old in TEXT
    with pytest.raises(PackError, match=says) as refused:
        read_pack("batman.toml", TEXT.replace(old, new, 1))
    assert str(refused.value).startswith("batman.toml")


WISH = (resources.files("p2puno") / "packs" / "dbz.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("numbers = [1, 2, 3, 4, 5, 6, 7]", "numbers = [7, 1]", r"\[icon\]: 'numbers' must be rising"),
        ("numbers = [1, 2, 3, 4, 5, 6, 7]", "numbers = [10]", r"\[icon\]: 'numbers' must be rising whole numbers 0-9"),
        ('mark = "house"', 'mark = "own"', r"\[icon\]: 'mark' must be one of"),
        ('mark = "house"', 'mark = "house"\nname = "x"', r"\[icon\]: unknown 'name'"),
        ('effect = "wish"', 'effect = ""', "'icon' belongs to the effect wish"),
        ("[icon]\nnumbers = [1, 2, 3, 4, 5, 6, 7]", "", "dbz.toml"),
    ],
)
def test_errors_of_the_icon_name_file_and_field(old, new, says):
    assert old in WISH
    with pytest.raises(PackError, match=says):
        read_pack("dbz.toml", WISH.replace(old, new, 1))


def test_the_digest_of_a_pack_is_of_its_content_not_of_its_comments():
    digest = find_variant("batman").digest
    assert read_pack("b.toml", "# hello\n" + TEXT).digest == digest
    assert read_pack("b.toml", TEXT.replace("zeros = 1 ", "zeros = 2 ")).digest != digest


def test_find_variant_knows_the_nearest_name():
    assert "batman" in variants()
    with pytest.raises(PackError, match="did you mean 'batman'"):
        find_variant("Batmen")


def test_rules_encode_to_one_form_and_back():
    rules = Rules.make("batman", hand_size=9, challenge=False, starter="3")
    assert Rules.decode(rules.encode()) == rules
    assert rules.encode() == Rules.make("batman", starter="3", challenge="off", hand_size="9").encode()
    assert rules.digest() != Rules.make("batman").digest()
    assert len(rules.digest()) == 32


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data + b"\n",
        lambda data: data.replace(b"hand_size 7", b"hand_size 07"),
        lambda data: data.replace(b"hand_size 7", b"hand_size 99"),
        lambda data: data.replace(b"hands 1\n", b""),
        lambda data: data.replace(b"challenge on", b"challenge ON"),
        lambda data: data.replace(b"hands 1", b"hands 1\nhands 1"),
        lambda data: data.replace(b"game batman", b"game robin"),
        lambda data: data.replace(b"cards ", b"cards 00"),
        lambda data: data.replace(b"p2puno", b"p3puno"),
        lambda data: data + b"\xff",
        lambda data: data + b"more 1\n",
    ],
)
def test_rules_decode_refuses_what_encode_would_not_write(change):
    with pytest.raises(RulesError):
        Rules.decode(change(Rules.make("batman").encode()))


@pytest.mark.parametrize(
    ("options", "says", "hint"),
    [
        ({"hand_siz": 7}, "no option hand_siz", "hand_size"),
        ({"qqq": 7}, "no option qqq", "options: starter"),
        ({"hand_size": 4}, "hand_size cannot be 4", "5 to 9"),
        ({"hand_size": True}, "hand_size cannot be on", "5 to 9"),
        ({"challenge": 1}, "challenge cannot be 1", "off or on"),
        ({"challenge_shows": "nobody"}, "cannot be nobody", "challenger or all"),
        ({"score_target": 50}, "cannot be 50", "0 or 100 to 1000"),
        ({"turn_seconds": 14}, "cannot be 14", "0 or 15 to 300"),
    ],
)
def test_unknown_options_and_values_are_refused_with_a_hint(options, says, hint):
    with pytest.raises(RulesError, match=says) as refused:
        Rules.make("batman", **options)
    assert hint in refused.value.hint


def test_an_unknown_game_is_refused_with_a_hint():
    with pytest.raises(RulesError, match="no game is called") as refused:
        Rules.make("batmann")
    assert "batman" in refused.value.hint


def test_every_value_of_every_option_is_read_from_its_text():
    for option in OPTIONS:
        for value in option.values:
            assert option.read(show_value(value)) == value
            assert type(option.read(show_value(value))) is type(value)


@pytest.mark.parametrize(("variant", "most"), [("batman", 10), ("dc", 4)])
def test_r02_only_a_seat_that_there_is_may_begin(variant, most):
    (starter,) = [option for option in Rules.make(variant).own_options() if option.name == "starter"]
    assert starter.values == ("random", "youngest", *map(str, range(1, most + 1)))
    assert Rules.make(variant, starter=str(most)).starter == str(most)
    with pytest.raises(RulesError) as refused:
        Rules.make(variant, starter=str(most + 1))
    assert str(most) in refused.value.hint


def test_rules_describe_every_option_and_what_is_unusual():
    lines = Rules.make("batman", hand_size=5).describe()
    assert "112 cards, 2 to 10 players" in lines[0]
    for option in Rules.make("batman").own_options():
        assert any(line.startswith(option.name + " ") for line in lines)
    assert any("hand_size 5 (usual: 7)" in line for line in lines)


def test_the_documents_list_every_card_text_and_option():
    docs = Path(__file__).parents[2] / "docs"
    cards, rulings = (docs / "cards.md").read_text("utf-8"), (docs / "rules.md").read_text("utf-8")
    for variant in ("batman", "dbz"):
        for kind in find_variant(variant).kinds:
            assert f"| {kind.text} | {kind.mark} |" in cards
    for option in OPTIONS:
        assert f"| `{option.name}` |" in rulings


def test_every_ruling_that_an_error_or_test_names_is_in_the_document():
    root = Path(__file__).parents[2]
    rulings = (root / "docs" / "rules.md").read_text("utf-8")
    named = set()
    for file in (*(root / "p2puno").rglob("*.py"), *Path(__file__).parent.glob("*.py")):
        named |= set(re.findall(r"\b([RVT]\d\d?)\b", file.read_text("utf-8")))
    faces = {kind.id for kind in find_variant("batman").kinds}
    listed = set(re.findall(r"\b[RVT]\d\d?\b", rulings))
    elsewhere = {f"R{n}" for n in (4, 5, 8, 9, 14, 16, 17, 18, *range(23, 59))} - {
        "R47",
        "R51",
        "R56",
        "R57",
    }
    assert named - faces - elsewhere - listed == set()
