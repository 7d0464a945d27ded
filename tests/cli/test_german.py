"""What the rules, the packs and the trust say, in German: cards, refused moves and rules, what a journal proves."""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.language import GAME, speak, told
from cli.main import run
from cli.table.words import teach
from p2puno.bots import Bot, random_legal
from p2puno.card import COLOURS, parse_move
from p2puno.clauses import Scope
from p2puno.dealer import OpenDealer, play_hand
from p2puno.engine import new_game
from p2puno.grammar import read_effect
from p2puno.hero import Hero
from p2puno.hero_file import built_in_heroes
from p2puno.moves import Accept, Burn, Challenge, Draw, Keep, Move, MoveError, Order, Pick, Play, Swap, Wish
from p2puno.needs import Say
from p2puno.pack import find_variant, variants
from p2puno.reading import PackError
from p2puno.rules import Rules, RulesError
from p2puno.said import AND, COMMA, OR, Said, joined, message_of, said
from p2puno.view import View, check
from protocol.audit import audit
from protocol.lobby import BEGUN
from protocol.messages import Bye, encode
from protocol.net.meeting import given
from tests.catalogues import ROOT, translated
from tests.testkit.card import FOLDER

HEROES = sorted(built_in_heroes())
CATALOGUE = {str(message.id): str(message.string) for message in translated("de", GAME) if message.id}
PLACE = re.compile(r"{[^{}]*}")


@pytest.fixture(autouse=True)
def _german() -> None:
    speak("de")


def output(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> tuple[str, str]:
    """What this command line prints in German, on both streams; it ends with this code."""
    assert run(["--lang", "de", *arguments]) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


# --- the catalogue --------------------------------------------------------------------------------------------------


def test_every_sentence_is_translated_with_its_places() -> None:
    for english, german in CATALOGUE.items():
        assert german, english
        assert sorted(PLACE.findall(german)) == sorted(PLACE.findall(english)), english
        assert len(german) - len(german.lstrip()) == len(english) - len(english.lstrip()), "an indented line stays so"


def unmarked(path: Path) -> Iterator[str]:
    """The errors for people in a source whose sentence is not marked."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FOR_PEOPLE:
            for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                text = argument.value if isinstance(argument, ast.Constant) else None
                if isinstance(argument, ast.JoinedStr | ast.BinOp) or (isinstance(text, str) and " " in text):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}"


FOR_PEOPLE = {
    "InvalidMove", "IllegalMove", "AmbiguousMove", "MoveError", "RulesError", "PackError", "refused", "Cheat", "Blame",
    "BadProof", "BadPoint", "Malformed", "Usage", "Damaged", "ForeignFile", "InUse", "Unfinished", "CheatProven",
    "Unreachable", "PortTaken", "NotP2puno", "Refused", "Notice", "Abandoned",
}  # fmt: skip


def test_no_error_for_people_is_said_without_its_mark() -> None:
    sources = [path for folder in ("p2puno", "protocol") for path in (ROOT / folder).rglob("*.py")]
    assert [place for path in sources for place in unmarked(path)] == []


# --- cards and rules ------------------------------------------------------------------------------------------------


def texts(hero: Hero) -> Iterator[str]:
    """What the power, the Wilds and the Danger cards of a hero do."""
    yield hero.power.text
    yield from (wild.text for wild in hero.wilds)
    for danger in hero.danger:
        yield danger.text
        if danger.flipped_text:
            yield danger.flipped_text


@pytest.mark.parametrize("ident", HEROES)
def test_the_cards_of_each_hero(ident: str, capsys: pytest.CaptureFixture[str]) -> None:
    hero = built_in_heroes()[ident]
    out, err = output(capsys, 0, "cards", ident)
    assert not err
    for text in texts(hero):
        assert told(text) in out
        assert told(text) != str(text)
        assert f" {text}\n" not in out
    for name in (hero.name, hero.power.name, *(wild.name for wild in hero.wilds), *(card.name for card in hero.danger)):
        assert name in out, "names stay as they are printed"
    assert "\nKraft: " in out
    assert "Feind: " in out
    assert "in jeder Farbe: " in out
    assert " oder eine Karte mit dem Gefahrensymbol\n" in out or "besiegt durch: " in out


@pytest.mark.parametrize("variant", variants())
def test_the_cards_of_one_deck(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = output(capsys, 0, "cards", "--variant", variant)
    for line in ("Rot 7", "Grün Zieh Zwei", "Gelb Aussetzen", "Blau Richtungswechsel", "Farbwahl", "Zieh Vier"):
        assert f"{line}\n" in out or f"{line} " in out
    for kind in find_variant(variant).kinds:
        assert told(kind.text) != str(kind.text)
    out, _ = output(capsys, 0, "cards", "W4", "--variant", variant)
    assert out.startswith("W4  Zieh Vier, 4 im Stapel, 50 Punkte [")


def test_what_programs_read_stays_english(capsys: pytest.CaptureFixture[str]) -> None:
    journal = str(FOLDER / "c16-wrong-share.p2puno")
    for arguments in (["cards", "thor", "--json"], ["rules", "dc", "--json"], ["verify", journal, "--json"]):
        german = run(["--lang", "de", *arguments]), capsys.readouterr().out
        assert german == (run(["--lang", "en", *arguments]), capsys.readouterr().out)
        json.loads(german[1])


@pytest.mark.parametrize("variant", ["batman", "dbz", "dc", "marvel"])
def test_the_rules_of_a_table(variant: str) -> None:
    rules = Rules.make(variant, hand_size=5)
    lines = [told(line) for line in rules.describe()]
    assert re.search(r" 2 bis \d+ Spieler$", lines[0])
    assert "hand_size 5 (üblich: 7): Karten, die jeder bekommt (R3)" in lines
    assert all(told(option.meaning) != option.meaning for option in rules.own_options())


@pytest.mark.parametrize(
    ("arguments", "error", "hint"),
    [
        (["rules", "btman"], "kein Spiel heißt 'btman'", "meinst du 'batman'?"),
        (["rules", "--option", "hand_size=99"], "hand_size kann nicht 99 sein", "hand_size kann 5 bis 9 sein"),
        (["rules", "--option", "stacking=maybe"], "stacking kann nicht maybe sein", "stacking kann off oder on sein"),
        (["rules", "--option", "hnds=2"], "es gibt keine Option hnds", "meinst du hands?"),
    ],
)
def test_rules_that_there_are_not(
    arguments: list[str], error: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, err = output(capsys, 2, *arguments)
    assert error in err.splitlines()[0]
    assert hint in err.splitlines()[1]


def test_a_pack_that_cannot_be_read_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text('id = "mine"\nname = "Mine"\nset = "ours"\n')
    _, err = output(capsys, 4, "cards", "--packs", str(tmp_path), "--variant", "dc")
    assert "mine.toml: 'set' muss eines von dc, marvel sein, nicht 'ours'" in err
    with pytest.raises(PackError) as bad:
        read_effect("x.toml", [{"one_of": [[{"burn": 1}], [{"brn": 1}]]}], Scope(frozenset()))
    assert told(message_of(bad.value)) == "x.toml Schritt 1 Wahl 2 Schritt 1: unbekanntes Verb 'brn'"
    assert told(bad.value.hint) == "meinst du 'burn'?"


# --- moves ----------------------------------------------------------------------------------------------------------

WORDS = ("R7", "g+2", "W", "W>B", "W>X", "W4>G!", "9", "S", "swap 3", "swap 99", "wish>B", "wish>Q", "wish>B skip 77",
         "wish>G play R7", "wish>B sing", "hello there", "R7>B", "*", "", "WDSA", "thor/R5")  # fmt: skip


class Stumbler:
    """A player that tries what is wrong before it plays, and keeps what it is told."""

    def __init__(self, player: Bot, dice: random.Random, sentences: dict[str, str]) -> None:
        self.player, self.dice, self.sentences = player, dice, sentences

    def __call__(self, view: View, /) -> Move:
        for move in self.wrong(view):
            try:
                check(view, move)
            except MoveError as problem:
                self.keep(problem)
        for words in WORDS:
            try:
                parse_move(view, words)
            except MoveError as problem:
                self.keep(problem)
        return self.player(view)

    def say(self, view: View, /) -> Say:
        return self.player.say(view)

    def keep(self, problem: MoveError) -> None:
        for sentence in (message_of(problem), problem.hint):
            if sentence:
                assert isinstance(sentence, Said), sentence
                self.sentences.setdefault(sentence.template, told(sentence))

    def wrong(self, view: View) -> Iterator[Move]:
        """Moves of every kind with whatever numbers; few of them stand."""
        roll = self.dice.randrange
        slots = [slot for slot, _ in view.hand] or [0]
        for _ in range(4):
            slot = self.dice.choice([*slots, roll(view.rules.slots)])
            yield Play(slot, roll(len(view.rules.kinds)), roll(6) - 1)
        for slot, face in view.hand:
            yield Play(slot, face, -1)
            yield Play(slot, face, 0)
        yield from (Draw(), Keep(), Challenge(), Accept(), Pick(roll(12)), Swap(roll(99)), Order((roll(9), roll(9))))
        yield Burn(((slots[0], 0),))
        yield Burn(tuple((slot, roll(99)) for slot in slots))
        yield Wish(roll(5) - 1, roll(5), roll(6) - 1, roll(9) - 1, roll(9) - 1, roll(6) - 1)  # type: ignore[arg-type]


CLASSIC = [{}, {"stacking": True, "seven_zero": True}, {"force_play": True}, {"draw_until_playable": True}]


@pytest.mark.parametrize(
    "rules",
    [*(Rules.make(variant, **options) for variant in ("batman", "dbz") for options in CLASSIC),
     Rules.make("dc", heroes=("aquaman", "superman", "wonder_woman"), ask_optional=True),
     Rules.make("marvel", heroes=("black_widow", "shuri", "captain_america"), force_play=True)],
    ids=lambda rules: f"{rules.variant}-{rules.options()!r:.40}",
)  # fmt: skip
def test_whatever_is_refused_in_a_game_has_german_words(rules: Rules) -> None:
    told_so: dict[str, str] = {}
    for seed in range(2):
        dice = random.Random(seed)
        player = Stumbler(random_legal(dice), dice, told_so)
        play_hand(new_game(rules, 3, seed), OpenDealer(rules, 3, dice), [player] * 3)
    assert len(told_so) > 20
    assert set(told_so) <= set(CATALOGUE)
    same = [template for template, german in told_so.items() if german == template]
    assert same == []


def test_a_refused_move_as_it_is_shown() -> None:
    rules = Rules.make("batman")
    dice = random.Random(3)
    game = new_game(rules, 2, 0)
    shown: list[list[str]] = []

    class Teacher(Stumbler):
        def keep(self, problem: MoveError) -> None:
            shown.append(teach(problem))

    play_hand(game, OpenDealer(rules, 2, dice), [Teacher(random_legal(dice), dice, {})] * 2)
    colours = "|".join(told(colour) for colour in COLOURS)
    fits = rf"sie muss ({colours})(, [0-9RS+]+)? oder eine Farbwahl sein"
    refused = [lines for lines in shown if " passt nicht auf " in lines[0]]
    assert refused
    assert all(lines[0].endswith(" (R10)") and re.fullmatch(fits, lines[1]) for lines in refused)
    assert teach(MoveError(said("only a Wild names a colour"), "R15")) == ["nur eine Farbwahl nennt eine Farbe (R15)"]


# --- trust ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("good-leaves", 0, ["gegangen: P2 in Schritt ", "gültig: ", "jede Unterschrift und jeder Beweis geprüft"]),
        ("good-removed", 0, ["abwesend: P2 in Schritten ", "entfernt: P2 in Schritt ", " (leere Hand), "]),
        ("good-forfeit", 0, [" gewinnt (kampflos), 0 Punkte"]),
        ("c18-two-shares", 3, ["P1 hat betrogen: hat zwei verschiedene Einträge mit der Nummer "]),
        ("c16-wrong-share", 3, ["wegen Betrugs entfernt: P1 ", ": Anteile: der Beweis hält nicht"]),
        ("c23-does-not-fit", 3, [" passt nicht auf ", " (R10)"]),
        ("bad-bit", 4, ["ein Eintrag ist beschädigt: die Unterschrift passt nicht (Eintrag 3 bei Byte "]),
        ("open-names", 5, ["der Tisch ist nicht zu Ende: er wartet auf Offenlegung von "]),
    ],
)
def test_verdicts(name: str, code: int, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    out, err = output(capsys, code, "verify", str(FOLDER / f"{name}.p2puno"))
    for text in words:
        assert text in out + err


CHEATS = sorted(path.name for path in FOLDER.glob("*.p2puno") if re.match(r"c\d", path.name))


@pytest.mark.parametrize("name", CHEATS)
def test_the_reason_and_the_proof_of_every_cheat(name: str) -> None:
    verdict = audit(FOLDER / name)
    for line in (*verdict.lines(), *verdict.blame_lines(), verdict.wrong, verdict.hint):
        assert set(templates(line)) <= set(CATALOGUE)
    for offence in verdict.offences:
        assert told(offence.reason) != offence.reason
        assert told(offence.why) != offence.why


AS_IT_IS = {
    "name", "names", "who", "word", "words", "totals", "game", "card", "cards", "top", "rule", "kind", "value", "key",
    "commitment", "start", "hash", "reason",
}  # fmt: skip
"""The places in a verdict for what no language changes: names, cards, numbers of rulings, words of the format, bytes,
and what the library that decodes says of its types."""


@pytest.mark.parametrize("name", CHEATS)
def test_no_english_word_hides_in_a_german_sentence(name: str) -> None:
    verdict = audit(FOLDER / name)
    for line in (*verdict.lines(), *verdict.blame_lines(), verdict.wrong, verdict.hint):
        assert set(plain_places(line)) <= AS_IT_IS, line


def plain_places(text: str) -> Iterator[str]:
    """The places of a sentence, and of the sentences in them, where a text stands that is no sentence."""
    for place, value in text.values.items() if isinstance(text, Said) else ():
        if isinstance(value, Said):
            yield from plain_places(value)
        elif isinstance(value, str) and re.search("[a-z]{2}", value):
            yield place


def templates(text: str) -> Iterator[str]:
    """The templates of a sentence and of the sentences in its places."""
    if isinstance(text, Said):
        if text.template:
            yield text.template
        for value in text.values.values():
            if isinstance(value, str):
                yield from templates(value)


# --- sentences ------------------------------------------------------------------------------------------------------


def test_c44_a_name_stays_a_name_even_if_it_is_a_word_of_the_game() -> None:
    for name in ("red", "Skip", "nobody", "{step}", "{0.__class__}"):
        sentence = said("{name} cheated", name=name)
        assert sentence == f"{name} cheated"
        assert told(sentence) == f"{name} hat betrogen"


def test_a_sentence_that_was_sent_is_known_by_its_english_words() -> None:
    assert encode(Bye(BEGUN)) == encode(Bye(str(BEGUN)))
    assert told(str(BEGUN)) == "der Tisch hat begonnen"
    assert told(said("ended by the other side: {reason}", reason=Said(str(BEGUN)))) == (
        "von der anderen Seite beendet: der Tisch hat begonnen"
    )
    assert told("what nobody has ever said {here}") == "what nobody has ever said {here}"


def test_a_sentence_with_places_that_was_sent_is_recognised() -> None:
    sent = said("that hero is not free; free are {heroes}", heroes="thor, hulk")
    assert given(str(sent)) == sent
    assert told(given(str(sent))) == "dieser Held ist nicht frei; frei sind thor, hulk"
    assert told(given("too soon after a failed try: wait 5 s")) == "zu früh nach einem falschen Versuch: warte 5 s"
    assert told(given("that hero is not free; free are {x} a Wild")) == (
        "dieser Held ist nicht frei; frei sind {x} a Wild"
    ), "what stands in a place is no sentence"
    assert given("\x1b[2Jwait (1 s)") == "wait (1 s)"
    assert told(given("wait {here}")) == "wait {here}"


def test_lists_of_words() -> None:
    red, wild = said("a red card"), said("a Wild")
    assert [joined(words, OR) for words in ((), (red,), (red, wild))] == ["", "a red card", "a red card or a Wild"]
    assert told(joined((joined((red, red), COMMA), wild), AND)) == "eine rote Karte, eine rote Karte und eine Farbwahl"


def test_what_an_error_says() -> None:
    assert isinstance(message_of(RulesError(said("the table is full"))), Said)
    assert message_of(OSError(2, "No such file")) == "[Errno 2] No such file"
    assert message_of(ValueError()) == ""
    with pytest.raises(KeyError):
        said("{name} cheated", nome="Ada")
