"""What a hero pack is refused for: each fault with the file, the card and a sentence that helps its author."""

from __future__ import annotations

import re

import pytest

from p2puno.hero_file import MAX_BYTES, read_hero, read_own
from p2puno.reading import PackError
from tests.packs.example import DC, TEXT, changed

FLARE = 'do = [{burn=2, who="choose"}, {add=1, who="it", if="enemy"}]'
MOTH = '[{burn="enemies"}]'
START = '[{on="start", do=[{burn=1}]}]'
NIGHT = '[{on="play", kind="yellow", do=[{recover=1}]}]'
OIL = '{mod="burn", n=-1, from="enemy"}'
MORNING = "do = [{defeat=1}, {recover=2}]"
BRIDGE = '{on="colour", do=[{burn=1}]}'
WILD_1, POWER = r"\[\[wild\]\] 1 \(Gas Flare\) do step", r"\[power\] \(Night Round\) abilities 1"

CASES = [
    # the file and its tables
    ('id = "lamplighter"', 'id = "Lamp Lighter"', "'id' is 'Lamp Lighter', but an id has a small letter first"),
    ('id = "lamplighter"', 'id = "danger"', "'id' cannot be 'danger'"),
    ('id = "lamplighter"', 'id = "thor"', "the id 'thor' belongs to a hero of the game"),
    ('id = "lamplighter"', "", "'id' is missing"),
    ('name = "The Lamplighter"', "name = 3", "'name' must be str, not 3"),
    ('name = "The Lamplighter"', 'name = "?!"', "'name' is '\\?!', but it needs a letter a-z or a digit"),
    ('name = "The Lamplighter"', f'name = "{"x" * 41}"', "'name' has more than 40 characters"),
    ('set = "marvel"', 'set = "manga"', "'set' must be one of dc, marvel, not 'manga'"),
    ('set = "marvel"', 'set = "marvel"\ncolour = 1', "unknown 'colour'"),
    ('[power]\nname = "Night Round"', '[power]\nname = "Night Round"\nrange = 1', r"\[power\].*unknown 'range'"),
    ('id = "lamplighter"', 'id = = "x"', "it is not TOML in UTF-8"),
    ('id = "lamplighter"', f"id = {'[' * 5000}", "nested too deeply|not TOML"),
    ('id = "lamplighter"', f"id = {'9' * 5000}", "not TOML in UTF-8"),
    ('id = "lamplighter"', "id" + ".id" * 65 + " = 1", "a line has more than 64 dots"),
    ('defeat = ["blue", "action"]', f"defeat = [{'[' * 9}{']' * 9}]", r"unknown kind \[\[…\]\] in 'defeat'"),
    ('id = "lamplighter"', f"id = 0x{'f' * 5000}", "must be str, not a very large number"),
    ('id = "lamplighter"', "id = 2020-01-01", "'id' must be str, not a date"),
    # the deck
    ("draw2 = 1 ", "draw2 = 2 ", "the deck has 51 cards \\(40 coloured and 11 Wilds\\), not 47"),
    ("numbers = [1, 2, 3, 4, 5, 6]", "numbers = [1, 2, 3, 4, 5]", "the deck has 43 cards"),
    ("numbers = [1, 2, 3, 4, 5, 6]", "numbers = [1, 1, 2]", r"\[deck\]: 'numbers' must be rising"),
    ("icons = [2, 4]", "icons = [2, 9]", r"\[deck\]: 'icons' names 9, which is not among 'numbers'"),
    ("icons = [2, 4]", "icons = []", r"\[deck\]: 'icons' must be rising whole numbers"),
    ("skip = 1", "skip = true", r"\[deck\]: 'skip' must be int, not true"),
    ("copies = 3", "copies = 0", r"\[\[wild\]\] 1 \(Gas Flare\): 'copies' must be 1-9, not 0"),
    ("copies = 3", "copies = 4", "the deck has 48 cards"),
    # names and texts
    ('name = "Long Shadow"', 'name = "Gas flare"', "two Wilds are written alike"),
    ('name = "Blackout"', 'name = "Gas Flare"', "a Wild and a Danger card \\(event\\) have the same name"),
    ('name = "Morning"', 'name = "Night Round"', "the power and a Danger card \\(event\\) have the same name"),
    ('text = "Start of your turn: burn 1."', f'text = "{"burn " * 26}"', r"\[\[danger\]\] 1 \(The Moth\).*25 words"),
    ('flipped_text = "Add 1."', f'flipped_text = "{"add " * 26}"', r"\(Draught\).*'flipped_text' has more than 25"),
    ('text = "Start of your turn: burn 1."', f'text = "{"x" * 201}"', "more than 200 characters"),
    ('text = "Start of your turn: burn 1."', r'text = "\u001b[2J"', "a character that cannot be shown"),
    ('mark = "house"', 'mark = "sure"', r"\[power\]: 'mark' must be one of house, partial, public, seed, not 'sure'"),
    # steps
    (FLARE, "do = [{brun=2}]", rf"{WILD_1} 1: unknown verb 'brun'"),
    (FLARE, 'do = [{who="next"}]', rf"{WILD_1} 1: a step needs a verb"),
    (FLARE, "do = [{burn=2, add=1}]", "a step has one verb, not burn and add"),
    (FLARE, "do = []", r"\(Gas Flare\) do: an effect is an array of steps"),
    (FLARE, "do = [{burn=1}, 3]", rf"{WILD_1} 2: must be a table"),
    (FLARE, "do = [" + "{burn=1}," * 13 + "]", "at most 12 steps, not 13"),
    (FLARE, "do = " + "[{cost=[{burn=1}], do=" * 6 + "[{burn=1}]" + "}]" * 6, "nested more than 4 deep"),
    (FLARE, "do = [{burn=10}]", "'burn' must be 0-9, a counter or"),
    (FLARE, "do = [{burn=true}]", "'burn' must be 0-9, a counter or"),
    (FLARE, 'do = [{burn="2+friends"}]', "'burn' must be 0-9, a counter or"),
    (FLARE, "do = [{burn=2, cap=3}]", "'cap' limits a counter"),
    (FLARE, 'do = [{burn="items", cap=0}]', "'cap' must be 1-47"),
    (FLARE, "do = [{burn=2, times=3}]", "unknown 'times'"),
    (FLARE, "do = [{burn=2, may=false}]", "'may' can only be true"),
    (FLARE, "do = [{lose_turn=2}]", "'lose_turn' must be 1, not 2"),
    (FLARE, "do = [{reverse=false}]", "'reverse' can only be true"),
    (FLARE, 'do = [{colour="pink"}]', "'colour' must be true or one of"),
    (FLARE, 'do = [{destroy="hand"}]', "destroy cannot be 'hand'"),
    (FLARE, 'do = [{flip_until="event"}]', "flip_until cannot be 'event'"),
    (FLARE, 'do = [{look=3, then="keep"}]', "'then' cannot be 'keep'"),
    (FLARE, 'do = [{look=3, then="swap"}]', "only one card can be swapped"),
    (FLARE, "do = [{look=3}]", "'then' is missing"),
    (FLARE, 'do = [{show_hand="all"}]', "show_hand cannot be 'all'"),
    (FLARE, 'do = [{show_hand="self"}]', "nobody needs to be shown the own hand"),
    # targets
    (FLARE, 'do = [{burn=2, who="everyone"}]', "unknown target 'everyone' in 'who'"),
    (FLARE, 'do = [{burn=2, who="them"}]', "'them' is the player who fired a trigger"),
    (FLARE, 'do = [{burn=2, who="it"}, {add=1, who="choose"}]', "'it' is the player chosen last, and no step before"),
    (FLARE, 'do = [{one_of=[[{burn=1, who="choose"}], [{add=1}]]}, {add=1, who="it"}]', "'it' is the player"),
    (FLARE, 'do = [{colour=true, who="next"}]', "colour has no target, so 'who' must go"),
    (FLARE, 'do = [{destroy="location", who="next"}]', "the Location belongs to nobody"),
    (FLARE, "do = [{take_item=true}]", "take_item needs 'who'"),
    (FLARE, 'do = [{move_enemy=true, who="all"}]', "move_enemy is done on one other player, not on all"),
    # conditions, costs, choices
    (FLARE, 'do = [{burn=1, if="sunny"}]', "unknown condition 'sunny' in 'if'"),
    (FLARE, 'do = [{burn=1, if="location:aquamen"}]', "'if' names a hero 'aquamen' that does not exist"),
    (FLARE, "do = [{cost=[], do=[{add=1}]}]", "'cost' is empty"),
    (FLARE, "do = [{cost=[{add=1}], do=[{add=1}]}]", "a cost is {burn=n} or {destroy_self=true}, each once"),
    (FLARE, "do = [{cost=[{burn=1},{burn=1}], do=[{add=1}]}]", "a cost is"),
    (FLARE, "do = [{cost=[{destroy_self=true}], do=[{add=1}]}]", "only an Item can destroy itself"),
    (FLARE, "do = [{cost=[{burn=1}]}]", "'do' is missing"),
    (FLARE, "do = [{one_of=[[{add=1}]]}]", "'one_of' holds 2 to 4 effects, not 1"),
    # R55: every game ends
    (NIGHT, '[{on="play", do=[{burn_hand=1}, {add=1}]}]', rf"{POWER} do step 1: burn_hand cannot stand in an ability"),
    (FLARE, 'do = [{arm="play", do=[{burn_hand=1}, {add=1}]}]', "burn_hand cannot stand in an ability"),
    (FLARE, "do = [{burn_hand=1}]", "after burn_hand the same player must add at least as many"),
    (FLARE, "do = [{burn_hand=3}, {add=2}]", "after burn_hand the same player must add"),
    (FLARE, 'do = [{burn_hand=1, who="next"}, {add=1}]', "after burn_hand the same player must add"),
    (FLARE, 'do = [{burn_hand="items"}, {add="items"}]', "after burn_hand the same player must add"),
    (FLARE, 'do = [{burn_hand=1}, {add=1, if="enemy"}]', "after burn_hand the same player must add"),
    (FLARE, 'do = [{burn_hand=1, pick="me"}, {add=1}]', "'pick' can only be \"you\""),
    (FLARE, 'do = [{burn_hand=1, pick="you"}, {add=1}]', "nobody needs to be shown the own hand"),
    # abilities and modifiers
    (NIGHT, "[]", r"\(Night Round\) abilities: must be an array of abilities"),
    (NIGHT, "[{do=[{recover=1}]}]", "an ability needs 'on' or 'mod'"),
    (NIGHT, '[{on="dusk", do=[{recover=1}]}]', rf"{POWER}: unknown trigger 'dusk'"),
    (NIGHT, '[{on="end", kind="red", do=[{recover=1}]}]', "the trigger end takes no 'kind'"),
    (NIGHT, '[{on="play", kind="purple", do=[{recover=1}]}]', "unknown kind 'purple'"),
    (NIGHT, '[{on="flip", kind="wild", do=[{recover=1}]}]', "unknown kind 'wild'"),
    (NIGHT, '[{on="play", by="friend", do=[{recover=1}]}]', "unknown 'by' 'friend'"),
    (NIGHT, '[{on="play", do=[{recover=1}], when=1}]', "unknown 'when'"),
    (NIGHT, '[{mod="shield"}]', "unknown modifier 'shield'"),
    (NIGHT, '[{mod="ban"}]', "'kind' is missing"),
    (NIGHT, '[{mod="blank", who="next"}]', "'who' of a standing modifier cannot be 'next'"),
    (OIL, '{mod="burn", n=0}', "'n' is 0"),
    (OIL, '{mod="burn", n=-1, from="self"}', "'from' must be one of enemy, player, not 'self'"),
    (OIL, '{mod="deal", n=-1}', "'n' must be 0-9, not -1"),
    (OIL, '{mod="no_recover", n=1}', "unknown 'n'"),
    (BRIDGE, '{on="colour", by="any", do=[{burn=1}]}', "at a Location \"you\" is whoever did the deed"),
    (BRIDGE, '{mod="ban", kind="wild", who="all"}', "a Location acts on everybody"),
    # Danger cards
    ('kind = "event"', 'kind = "feast"', r"\(Blackout\): 'kind' must be one of enemy, event, item, location"),
    (MORNING, 'do = [{defeat=1}]\nflipped = [{add=1}]', r"\(Morning\): unknown 'flipped'"),
    ('flipped_text = "Add 1."\n', "", r"\(Draught\): 'flipped_text' is missing"),
    ('defeat = ["danger"]', "defeat = []", r"\(The Watchman\): 'defeat' names each kind of card"),
    ('defeat = ["danger"]', 'defeat = ["danger", "danger"]', "'defeat' names each kind of card"),
    ('defeat = ["danger"]', 'defeat = ["dangr"]', "unknown kind 'dangr' in 'defeat'"),
    ('defeat = ["danger"]', "defeat = [[1]]", r"unknown kind \[1\] in 'defeat'"),
    ('defeat = ["blue", "action"]', 'defeat = ["yellow"]', r"\(Draught\): its own bans leave no card"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "says"), CASES)
def test_a_pack_is_refused_with_file_card_and_reason(old, new, says):
    with pytest.raises(PackError, match=says) as refused:
        read_own("lamp.toml", changed(old, new), "test")
    assert str(refused.value).startswith("lamp.toml")
    assert len(str(refused.value)) < 300
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("bans", "defeat"),
    [
        ('{mod="ban", kind="number"}', '"danger"'),  # the icon stands on numbers only
        ('{mod="ban", kind="action"}', '"skip", "draw2"'),
        ('{mod="ban", kind="wild"}', '"wild"'),
        ('{mod="ban", kind="red", who="all"}', '"red"'),
        (", ".join(f'{{mod="ban", kind="{c}"}}' for c in ("red", "yellow", "green", "blue")), '"number", "reverse"'),
    ],
)
def test_an_enemy_that_its_own_bans_make_unbeatable_is_refused(bans, defeat):
    text = changed('{mod="ban", kind="yellow"}', bans).decode()
    with pytest.raises(PackError, match="its own bans leave no card"):
        read_own("lamp.toml", changed('defeat = ["blue", "action"]', f"defeat = [{defeat}]", text), "test")
    read_own("lamp.toml", changed('defeat = ["blue", "action"]', f'defeat = [{defeat}, "wild", "blue"]', text)
             if "wild" not in bans else text.encode(), "test")  # fmt: skip


def test_dc_heroes_have_no_items_and_no_number_icon():
    with pytest.raises(PackError, match=r"\(Brass Ladder\): the DC heroes have no Items"):
        read_own("lamp.toml", DC.encode(), "test")
    events = re.sub(r'kind = "item"(.*?)abilities = .*?\n', r'kind = "event"\1do = [{burn=1}]\n', DC, flags=re.S)
    read_own("lamp.toml", events.encode(), "test")
    with pytest.raises(PackError, match=r"\(The Watchman\): the DC heroes have no icon 'number'"):
        read_own("lamp.toml", changed('defeat = ["danger"]', 'defeat = ["number"]', events), "test")


def test_four_wilds_and_eight_danger_cards():
    head, _, tail = TEXT.partition("[[danger]]")
    seven = head + tail[tail.index("[[danger]]") :]
    with pytest.raises(PackError, match=r"a hero has 8 .*danger.* tables, not 7"):
        read_own("lamp.toml", seven.encode(), "test")
    fifth = '[[wild]]\nname = "Fifth"\ncopies = 1\nmark = "house"\ntext = "Burn 1."\ndo = [{burn=1}]\n\n'
    with pytest.raises(PackError, match=r"a hero has 4 .*wild.* tables, not 5"):
        read_own("lamp.toml", changed("[[danger]]", fifth + "[[danger]]"), "test")


def test_bytes_that_are_no_text_or_too_many_are_refused():
    with pytest.raises(PackError, match="not TOML in UTF-8"):
        read_hero("x.toml", b"\xff\xfe" + TEXT.encode(), "test")
    with pytest.raises(PackError, match="at most 64 KB, not 65"):
        read_hero("x.toml", b"#" * (MAX_BYTES + 1), "test")
    read_hero("x.toml", TEXT.encode() + b"#" * (MAX_BYTES - len(TEXT.encode())), "test")


@pytest.mark.parametrize("deep", [100, *range(300, 520, 4)])
@pytest.mark.parametrize("old", ["numbers = [1, 2, 3, 4, 5, 6]", 'defeat = ["blue", "action"]', FLARE])
def test_what_is_nested_deeply_is_refused_however_deep_it_is(old, deep):
    """Some depths are just few enough to be read and too many to be shown in the message about them."""
    with pytest.raises(PackError) as refused:
        read_own("lamp.toml", changed(old, f"{old.split()[0]} = {'[' * deep}{']' * deep}"), "test")
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        (FLARE, "do = [{brun=2}]", "did you mean 'burn'?"),
        (FLARE, 'do = [{burn=2, who="chose"}]', "did you mean 'choose'?"),
        (NIGHT, '[{on="plays", do=[{recover=1}]}]', "did you mean 'play'?"),
        (NIGHT, '[{mod="norecover"}]', "did you mean 'no_recover'?"),
        (FLARE, 'do = [{burn=1, if="location:aquamen"}]', "did you mean 'aquaman'?"),
        (FLARE, 'do = [{burn="2+friends"}]', "counters: enemies, items, players, burnt"),
        (FLARE, 'do = [{burn_hand=2, who="choose"}]', 'let {add=2, who="it"} follow'),
        ("draw2 = 1 ", "draw2 = 2 ", "change 'numbers', 'draw2'"),
    ],
)
def test_hints_say_what_to_write(old, new, hint):
    with pytest.raises(PackError) as refused:
        read_own("lamp.toml", changed(old, new), "test")
    assert hint in refused.value.hint


@pytest.mark.parametrize(
    "effect",
    [
        '[{burn="2+items", who="all", cap=4, if="!location"}]',
        '[{burn_hand=1, who="choose", pick="you"}, {add=2, who="it"}]',
        '[{one_of=[[{burn=1, who="choose"}], [{add=1, who="any"}]]}, {add=1, who="it"}]',
        '[{cost=[{burn=1}], do=[{burn=1, who="choose"}]}, {add=1, who="it"}]',
        '[{arm="burnt", kind="wild", by="any", do=[{burn=1, who="them"}]}]',
        '[{mod="deal", n=2, may=true}, {mod="burn", n=-9, from="player", who="others"}]',
        '[{destroy="item", who="next"}, {take_item=true, who="choose"}, {move_enemy=true, who="it"}]',
        '[{danger="enemies", cap=2, may=true}, {colour=true}, {reverse=true}]',
        '[{look=1, then="swap"}, {show_hand="self", who="prev"}, {show_hand="next", who="fewest"}]',
        '[{burn=1, if="location:lamplighter"}, {burn=1, if="!burnt>=12"}, {recover=0}]',
    ],
)
def test_what_the_language_can_say_is_taken(effect):
    read_own("lamp.toml", changed(FLARE, f"do = {effect}"), "test")
