"""A table that is announced on the network, in the words of the lists: what it says of itself and what we know of it.

Whatever was announced came from a stranger: its form was checked where it was read, and every text here is fit for a
terminal once more (C44, P16).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cli.language import _
from cli.text import visible
from p2puno.options import BESIDE
from p2puno.rules import Rules, RulesError, show_value
from protocol.known import Acquaintance, Standing, standing
from protocol.net.address import format_address
from protocol.net.advert import MORE, Advert, digest
from protocol.net.discovery import Found


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a list of tables. `ident`: the same for as long as it is the same table; `game`: its name, the id
    where it is not known here; `rules`: in what they differ from the official ones, () if in nothing; `brief`: the same
    without what is usual; `address`: the likeliest of several."""

    ident: str
    key: bytes
    name: str
    words: str
    game: str
    rules: tuple[str, ...]
    brief: tuple[str, ...]
    taken: int
    seats: int
    address: str
    standing: Standing
    private: bool = False
    running: bool = False
    watchers: bool = False
    stale: bool = False
    chat: str = ""  # what the table allows of it, "" for all
    playable: bool = True  # its game is known here

    @property
    def seating(self) -> str:
        """Who can still come: "2 of 4 seats taken", "running"."""
        if self.running:
            return _("running")
        return _("{taken} of {seats} seats taken").format(taken=self.taken, seats=self.seats)

    @property
    def full(self) -> bool:
        """Whether all its seats are taken, before the start."""
        return not self.running and self.taken >= self.seats

    @property
    def marks(self) -> tuple[str, ...]:
        """What else is to be known before one goes there."""
        found = (
            (self.private, _("needs a code")),
            (self.watchers, _("can be watched")),
            (self.chat == "off", _("no chat")),
            (self.chat == "phrases", _("quick phrases only")),
            (self.stale, _("does not answer")),
        )
        return tuple(mark for holds, mark in found if holds)

    @property
    def caution(self) -> str:
        """What is wrong with the key, "" if nothing is (C46)."""
        if self.standing is not Standing.OTHER_KEY:
            return ""
        return _("CAUTION: not the key of the {name} you have played with").format(name=self.name)

    @property
    def known(self) -> str:
        """What we know of the key, to stand behind its name; "" where it is new."""
        if self.standing is Standing.KNOWN:
            return f" ({_('known')})"
        return f" ({self.caution})" if self.caution else ""

    def lines(self, number: int) -> list[str]:
        """The table in two lines of text: what it is, and who."""
        rules = ", ".join(self.brief) or _("official rules")
        said = ", ".join([self.game, self.seating, rules, *self.marks])
        who = _("safety words: {words}").format(words=self.words)
        return [f"{number}. {self.name}: {said}", f"{who}{self.known}"]


def entry(table: Found, known: Sequence[Acquaintance]) -> Entry:
    """A table that was found, as it is listed."""
    advert = table.advert
    name = visible(advert.name)
    rules, brief = rules_words(advert)
    return Entry(
        ident=f"{advert.key.hex()}:{table.addresses[0][1]}",
        key=advert.key,
        name=name,
        words=advert.words,
        game=game_name(advert.variant),
        rules=rules,
        brief=brief,
        taken=advert.taken,
        seats=advert.seats,
        address=format_address(*table.addresses[0]),
        standing=standing(list(known), advert.name, advert.key),
        private=advert.private,
        running=advert.running,
        watchers=advert.watchers,
        stale=table.stale,
        chat=next((word.removeprefix("chat=") for word in advert.unusual if word.startswith("chat=")), ""),
        playable=_usual(advert.variant) is not None,
    )


def game_name(variant: str) -> str:
    """What a game is called; its id where it is not known here."""
    usual = _usual(variant)
    return usual.name if usual is not None else visible(variant)


def rules_words(advert: Advert) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """In what the rules of a table differ from the official ones, as far as it says and we understand: with what is
    usual, and without."""
    usual = _usual(advert.variant)
    if usual is None:
        return _twice(_("a game that is not known here"))
    if advert.rules == digest(usual):
        return (), ()
    options: dict[str, Any] = dict(option.split("=", 1) for option in advert.unusual if option != MORE)
    if not set(options) <= {option.name for option in usual.own_options()}:  # `make` takes other names as well
        return _twice(_("rules that are not known here"))
    try:
        rules = Rules.make(advert.variant, **options)
    except RulesError:
        return _twice(_("rules that are not known here"))
    words = _unusual(rules, usual)
    brief = tuple(f"{name} {value}" for name, value in options.items() if name not in BESIDE)
    if digest(rules) == advert.rules:
        return words, brief
    more = _("more of its own") if words else _("rules of its own")
    return (*words, more), (*brief, more)


def _unusual(rules: Rules, usual: Rules) -> tuple[str, ...]:
    """The options that differ from the usual ones: "hand_size 5 (usual: 7)"."""
    official = usual.options()
    text = _("{name} {value} (usual: {usual})")
    return tuple(
        text.format(name=name, value=show_value(value), usual=show_value(official[name]))
        for name, value in rules.options().items()
        if value != official[name] and name not in BESIDE
    )


def _twice(words: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (words,), (words,)


def _usual(variant: str) -> Rules | None:
    try:
        return Rules.make(variant)
    except RulesError:
        return None
