"""The forms of the lobby: a table that others join, a hand against bots, somebody's address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from cli.announced import game_name
from cli.language import N_, _, ngettext
from cli.lobby.form import Field, Form, option_field
from cli.lobby.intent import Go, Intent, Open
from cli.seat import LEVELS, USUAL_LEVEL
from cli.table.cards import hero_name
from cli.text import visible
from p2puno.hero import Hero
from p2puno.options import Value
from p2puno.rules import Rules, games
from protocol.invite import read_code
from protocol.net.address import DEFAULT_PORT, parse_address

USUAL_GAME: Final = "batman"
_SWITCH: Final = (False, True)
_PORTS: Final = (0, *range(1024, 65536))
PORT_SPAN: Final = "0, 1024 - 65535"
_LONG: Final = 60
"""Characters of an address or a code that can be typed."""


class TableForm(Form):
    """What a new table needs, on this machine alone or on the network."""

    practice = True
    title = N_("practice against bots")
    button = N_("begin")

    def __init__(self, begin: Mapping[str, Value] | None = None, own: Sequence[Hero] = ()) -> None:
        super().__init__(begin)
        self._own = tuple(own)

    def fields(self) -> tuple[Field, ...]:
        usual = self.usual()
        found = [
            Field("variant", _("game"), _("which of the four games"), USUAL_GAME, games(), _game),
            *self._seats(usual),
            Field("level", _("bots play"), _("how well bots play"), USUAL_LEVEL, tuple(LEVELS)),
        ]
        if usual.offered():
            heroes = ("", *self._offered(usual))
            shown = partial(_hero_word, usual)
            found.insert(1, Field("hero", _("hero"), _("whom you play; i shows all cards"), "", heroes, shown))
        return (*found, *self._more(usual))

    def usual(self) -> Rules:
        """The official rules of the game that is chosen, with our own heroes if it has any."""
        variant = self.chosen.get("variant")
        rules = Rules.make(variant if isinstance(variant, str) and variant in games() else USUAL_GAME)
        return Rules.make(rules.variant, own=self._own) if rules.offered() else rules

    def _seats(self, usual: Rules) -> list[Field]:
        most = usual.players[-1] - 1
        return [_count("bots", _("bots"), _("how many bots play with you"), 3, range(1, most + 1))]

    def _more(self, usual: Rules) -> list[Field]:
        return []

    def _offered(self, usual: Rules) -> tuple[str, ...]:
        mixed = self.chosen.get("mix_sets", usual.mix_sets)
        return Rules.make(usual.variant, own=self._own, mix_sets=mixed).offered()

    def rules(self) -> Rules:
        """The rules that are chosen. Raises RulesError for options that do not go together."""
        fields = self.fields()
        options: dict[str, Any] = {field.name: self.value(field) for field in fields if field.option}
        return Rules.make(str(self.get("variant")), own=self.usual().own, **options)

    def hero(self) -> str:
        """The hero that is chosen, "" for none yet."""
        return str(self.get("hero")) if any(field.name == "hero" for field in self.fields()) else ""

    def does(self) -> str:
        bots = int(self.get("bots"))
        many = ngettext("{n} bot", "{n} bots", bots).format(n=bots)
        return _("play {game} against {bots}").format(game=_game(self.get("variant")), bots=many)

    def submit(self) -> Intent:
        bots = int(self.get("bots"))
        level = str(self.get("level"))
        return Open(self.rules(), bots + 1, bots, level, self.hero(), announce=False, practice=True)


class HostForm(TableForm):
    """A table on the network."""

    practice = False
    title = N_("host a table")
    button = N_("open the table")

    def _seats(self, usual: Rules) -> list[Field]:
        seats = _count("seats", _("seats"), _("players at the table"), 4, usual.players)
        bots = range(int(self.value(seats)))
        return [seats, _count("bots", _("bots"), _("how many of the players are bots"), 0, bots)]

    def _more(self, usual: Rules) -> list[Field]:
        found = [
            Field("announce", _("announced"), _("tell the network of the table"), True, _SWITCH),
            Field("invite", _("invite code"), _("make one: only who knows it gets in"), False, _SWITCH),
            *(option_field(option, False, extra=False) for option in usual.own_options() if option.name == "watchers"),
            Field(
                "port",
                _("port"),
                _("where the table listens (TCP); 0: at any free one"),
                DEFAULT_PORT,
                _PORTS,
                span=PORT_SPAN,
            ),
        ]
        for option in usual.own_options():
            if option.name != "watchers":
                found.append(option_field(option, usual.options()[option.name]))
            if option.name == "starter" and self.chosen.get("starter") == "youngest":
                found.append(_count("age", _("your age"), _("the youngest begins; 0: not told"), 0, range(151)))
        return found

    def does(self) -> str:
        seats, bots = int(self.get("seats")), int(self.get("bots"))
        free = seats - bots - 1
        if not free:
            return _("open a table of {game}, all others are bots").format(game=_game(self.get("variant")))
        many = ngettext("{n} seat is free", "{n} seats are free", free).format(n=free)
        return _("open a table of {game}, {free}").format(game=_game(self.get("variant")), free=many)

    def submit(self) -> Intent:
        rules, hero = self.rules(), self.hero()
        age = int(self.get("age")) if self.get("starter") == "youngest" else 0
        return Open(
            rules, int(self.get("seats")), int(self.get("bots")), str(self.get("level")), hero, age,
            bool(self.get("announce")), bool(self.get("invite")), int(self.get("port")),
        )  # fmt: skip


class AddressForm(Form):
    """Somebody's address, and the invite code if there is one; of a `listed` table only the code."""

    asks = N_("there is no address yet")

    def __init__(self, listed: Go | None = None, watch: bool = False) -> None:
        super().__init__()
        self.at = 0
        self._listed, self.watch = listed, watch if listed is None else listed.watch
        by_address = N_("watch by address") if self.watch else N_("join by address")
        self.title = by_address if listed is None else N_("a private table")
        self.button = N_("watch") if self.watch else N_("join")

    def fields(self) -> tuple[Field, ...]:
        code = Field("code", _("invite code"), _("of a private table; else leave it empty"), "", most=_LONG)
        if self._listed is not None:
            return (code,)
        meaning = _("HOST or HOST:PORT, as the other screen shows it")
        return (Field("address", _("address"), meaning, "", most=_LONG), code)

    def does(self) -> str:
        where = self._listed.address if self._listed is not None else visible(str(self.get("address")))
        if not where:
            return ""
        text = _("watch the table at {address}") if self.watch else _("join the table at {address}")
        return text.format(address=where)

    def submit(self) -> Intent:
        code = str(self.get("code")).strip()
        code = read_code(code) if code else ""
        if self._listed is not None:
            return Go(self._listed.address, self.watch, self._listed.key, code, self._listed.listed)
        address = str(self.get("address")).strip()
        parse_address(address)
        return Go(address, self.watch, code=code)


def _count(name: str, label: str, meaning: str, usual: int, numbers: range) -> Field:
    last = numbers[-1] if numbers else numbers.start
    values = tuple(numbers) or (numbers.start,)
    span = _("{first} to {last}").format(first=values[0], last=last)
    return Field(name, label, meaning, min(usual, last), values, span=span)


def _game(value: Value) -> str:
    return game_name(str(value))


def _hero_word(usual: Rules, value: Value) -> str:
    return hero_name(usual, str(value)) or _("by lot")
