"""The catalogues: they have every text that is said and no other, each with a translation that fits into its place."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest
from babel.messages.catalog import Catalog, Message

from cli.language import ENGLISH, FACE, GAME, languages
from tests.catalogues import (
    ROOT,
    Text,
    Unreadable,
    as_mo,
    as_po,
    in_pack,
    in_source,
    marked,
    po_path,
    renewed,
    translated,
)

CATALOGUES = [(language, domain) for language in languages() if language != ENGLISH for domain in (FACE, GAME)]
anew = cache(renewed)  # every source is read for it
RENEW = "a text has changed: `make catalogues`, and translate what is new"


@cache
def texts(domain: str) -> set[tuple[str | tuple[str, str], str | None]]:
    """The texts of a domain as a catalogue has them."""
    return {(text.id, text.context or None) for text in marked(domain)}


def messages(language: str, domain: str) -> list[Message]:
    """The texts of a catalogue without its head."""
    return [message for message in translated(language, domain) if message.id]


def pairs(message: Message) -> list[tuple[str, str]]:
    """The texts of a message beside their translations: for one, and for many where it depends on a number."""
    ids = [message.id] if isinstance(message.id, str) else list(message.id)
    strings = [message.string] if isinstance(message.string, str) else list(message.string)
    return [(ids[min(i, len(ids) - 1)], string) for i, string in enumerate(strings)]


def places(text: str) -> list[str]:
    return sorted(re.findall(r"\{[^{}]*\}", text))


def test_there_is_a_second_language() -> None:
    assert languages()[:2] == ["en", "de"]


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
class TestCatalogue:
    def test_it_has_exactly_the_texts_that_are_said(self, language: str, domain: str) -> None:
        there = {(message.id, message.context) for message in messages(language, domain)}
        assert texts(domain) - there == set(), RENEW
        assert there - texts(domain) == set(), RENEW

    def test_making_it_anew_changes_nothing(self, language: str, domain: str) -> None:
        assert as_po(anew(language, domain)) == po_path(language, domain).read_bytes(), RENEW

    def test_what_the_program_reads_is_what_was_translated(self, language: str, domain: str) -> None:
        compiled = po_path(language, domain).with_suffix(".mo").read_bytes()
        assert compiled == as_mo(anew(language, domain)), RENEW

    def test_every_text_is_translated(self, language: str, domain: str) -> None:
        for message in messages(language, domain):
            assert all(string for _, string in pairs(message)), message.id
            assert not message.fuzzy, message.id

    def test_translations_have_the_places_of_their_texts(self, language: str, domain: str) -> None:
        for message in messages(language, domain):
            for text, string in pairs(message):
                assert places(string) == places(text), text

    def test_translations_keep_the_gaps_and_lines_of_their_texts(self, language: str, domain: str) -> None:
        """What is put together from several texts would run together otherwise."""
        for message in messages(language, domain):
            for text, string in pairs(message):
                gaps = r"\A\s*|\s*\Z|\n+|\x08"
                assert re.findall(gaps, string) == re.findall(gaps, text), text

    def test_what_is_typed_stays(self, language: str, domain: str) -> None:
        """Commands, options, addresses and variables are not translated."""
        for message in messages(language, domain):
            for text, string in pairs(message):
                typed = r"`p2puno[^`]*`|--[a-z][a-z-]+|P2PUNO_[A-Z]+|HOST(?:\[:PORT\])?|\b[RYGBW][0-9S+]\d?\b"
                assert set(re.findall(typed, text)) <= set(re.findall(typed, string)), text

    def test_nothing_in_it_is_of_a_day_or_a_machine(self, language: str, domain: str) -> None:
        head = po_path(language, domain).read_text("utf-8").partition("#:")[0]
        assert re.findall(r'^"([\w-]+):', head, re.MULTILINE) == [
            "Language", "MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Plural-Forms",
        ]  # fmt: skip


SOURCE = '''
A = N_("one")
B = _("two " "halves") if A else _("three")
C = _(A)
D = ngettext("{n} card", "{n} cards", 2)
E = pgettext("here", "four")
F = said("five {x}", x=1)

@group.command(epilog="six")
@option("--x", help="seven")
def run():
    """Eight.

    Nine.
    """

def other():
    """Not said."""
'''


def test_texts_are_found_in_sources() -> None:
    assert list(in_source(SOURCE, FACE, "a.py")) == [
        Text("one"), Text("two halves"), Text("three"), Text("{n} card", "{n} cards"), Text("four", context="here"),
        Text("six"), Text("seven"), Text("Eight.\n\nNine."),
    ]  # fmt: skip
    assert list(in_source(SOURCE, GAME, "a.py")) == [Text("five {x}")]


@pytest.mark.parametrize("source", ['_(f"a {b}")', '_("a " + b)', 'said("a %s" % b)'])
def test_texts_that_are_put_together_are_refused(source: str) -> None:
    domain = GAME if source.startswith("said") else FACE
    with pytest.raises(Unreadable, match=r"a\.py:1: .* put together"):
        list(in_source(source, domain, "a.py"))


SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{2,}|[a-z]{3,}: ?$")
MARKED = {"_", "N_", "ngettext", "pgettext", "said", "option", "argument", "command", "executescript", "execute"}
NO_SENTENCES = re.compile(
    r"(bold|italic|bg:|ansi|#|^class:)"  # styles
    r"|^(key|page|place|field|block) [a-z]"  # what a click is for
    r"|CREATE TABLE|^SELECT |^INSERT |^DELETE "  # of the history
    r"|my hand|where am i|by lot"  # typed
    r"|^No such command |^Got unexpected |^does not take a value$"  # click's, by which `cli.usage` knows what it means
    r"|^sudo |^ ?--|^p2puno |^ is no way to end$"  # of shells, and a fault of ours
)
ENGLISH_ONLY = ("cli/shell.py",)
"""The manual page is English in every language."""
FOR_PROGRAMS = ("cheating proven", "all bots")
"""What `--json` says; people read the same from the catalogue."""


def _unmarked(source: str) -> list[str]:
    """Sentences in a source that no catalogue will ever have."""
    found: list[str] = []

    def look(node: ast.AST) -> None:
        called = node.func if isinstance(node, ast.Call) else None
        name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
        if name in MARKED or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            return  # marked, or a docstring
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            if SENTENCE.search(text) and not NO_SENTENCES.search(text) and text not in FOR_PROGRAMS:
                found.append(text)
        for below in ast.iter_child_nodes(node):
            look(below)

    look(ast.parse(source))
    return found


def test_every_sentence_of_the_face_is_marked() -> None:
    assert _unmarked('def f():\n    """Not this."""\n    g(f"so {x} it is told", _("marked it is"))') == [" it is told"]
    for path in sorted((ROOT / "cli").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        assert name in ENGLISH_ONLY or _unmarked(path.read_text("utf-8")) == [], name


def test_texts_are_found_in_packs() -> None:
    classic = {"family": "classic", "name": "UNO", "action": [{"symbol": "S", "name": "Skip", "text": "Lose."}]}
    assert list(in_pack(classic)) == ["Skip", "Lose."]
    hero = {"id": "hulk", "name": "Hulk", "danger": [{"name": "Loki", "flipped_text": "Burn 1.", "text": "Burn 2."}]}
    assert list(in_pack(hero)) == ["Burn 1.", "Burn 2."]


def test_a_new_text_waits_for_its_translation_and_an_old_one_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    old = Catalog("de")
    old.add("kept", "behalten")
    old.add("gone", "weg")
    old.add(("{n} day", "{n} days"), ("{n} Tag", "{n} Tage"))
    monkeypatch.setattr("tests.catalogues.translated", lambda language, domain: old)
    said = {Text("kept"): ["a.py"], Text("new"): ["a.py"], Text("{n} day", "{n} days"): ["b.py"]}
    monkeypatch.setattr("tests.catalogues.marked", lambda domain: said)
    made = {message.id: message.string for message in renewed("de", FACE) if message.id}
    assert made == {"kept": "behalten", "new": "", ("{n} day", "{n} days"): ("{n} Tag", "{n} Tage")}
