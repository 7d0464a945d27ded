"""A form: fields that are chosen or typed, and a button that takes it all. Nothing is done before the button.

The same form is filled in with keys on the full screen and with typed lines (`put`) in the line mode.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from cli.language import N_, _, told
from cli.lobby.intent import Intent
from cli.table.chooser import TYPED_ARROWS
from cli.table.key_words import no_use
from cli.text import visible
from p2puno.options import Option, Value, show_value
from protocol.errors import Usage

LEAP: Final = 10
"""So many values further on with PgUp and PgDn."""
NO_FIELD: Final = N_("there is no field {name!r}")
FIELDS: Final = N_("there are: {names}")
CANNOT: Final = N_("{name} cannot be {value}")
MAY_BE: Final = N_("it may be {span}")


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to choose. `name`: as it is typed; `label`: as it stands on the screen; `values`: what it may be, none
    for a free text of at most `most` characters; `shown`: a value in words; `span`: all values in words, "" for what
    `shown` says of each; `option`: it is a table option; `extra`: one that most tables leave as it is."""

    name: str
    label: str
    meaning: str
    usual: Value
    values: tuple[Value, ...] = ()
    shown: Callable[[Value], str] = show_value
    span: str = ""
    most: int = 0
    option: bool = False
    extra: bool = False

    @property
    def typed(self) -> bool:
        """Whether it is a free text."""
        return not self.values

    @property
    def numbers(self) -> bool:
        """Whether it is chosen by its digits as well."""
        return any(type(value) is int for value in self.values)

    def may_be(self) -> str:
        """All that can be chosen, for people."""
        return self.span or ", ".join(self.shown(value) for value in self.values)


def option_field(option: Option, usual: Value, extra: bool = True) -> Field:
    """The field of a table option, which has its name and its meaning."""
    name, meaning, span = option.name, told(option.meaning), told(option.span())
    return Field(name, name, meaning, usual, option.values, span=span, option=True, extra=extra)


class Form(ABC):
    """What is chosen so far. `at`: the field under the cursor, -1 for the button; `note`: what is wrong."""

    title: str
    button: str
    asks = ""
    """What is to be done before the button can do anything."""

    def __init__(self, begin: Mapping[str, Value] | None = None) -> None:
        self.chosen: dict[str, Value] = dict(begin or {})
        self.at = -1
        self.note = ""
        self._digits = ""  # typed of a number

    @abstractmethod
    def fields(self) -> tuple[Field, ...]:
        """The fields that there are as things stand: one choice decides about others."""

    @abstractmethod
    def submit(self) -> Intent:
        """What the button does. Raises Usage or RulesError, and nothing is done."""

    @abstractmethod
    def does(self) -> str:
        """What the button would do, as in "play against 3 bots"; "" as long as it can do nothing."""

    def says(self) -> str:
        """What Enter or other keys do where the cursor stands."""
        field, what = self.field, self.does()
        if field is None:
            return _("Enter: {what}").format(what=what) if what else _(self.asks)
        if field.typed:
            return _("type here: {label}; then Enter").format(label=field.label)
        if field.numbers:
            return _("left, right or digits: {label}").format(label=field.label)
        return _("left, right: {label}").format(label=field.label)

    @property
    def field(self) -> Field | None:
        """The field under the cursor; None on the button."""
        fields = self.fields()
        self.at = min(self.at, len(fields) - 1)  # there may be fewer than there were
        return fields[self.at] if self.at >= 0 else None

    def value(self, field: Field) -> Value:
        """What is chosen of a field: the nearest there is, where other choices have taken it away."""
        chosen = self.chosen.get(field.name, field.usual)
        if field.typed or chosen in field.values:
            return chosen
        if field.numbers and type(chosen) is int:
            return min(field.values, key=lambda value: abs(value - chosen) if type(value) is int else chosen)
        return field.usual if field.usual in field.values else field.values[0]

    def text(self, field: Field, here: bool = False) -> str:
        """What is chosen of a field, in words; of the one under the cursor (`here`) what is being typed."""
        value = self.value(field)
        if here and self._digits:
            return f"{self._digits}_"
        if here and field.typed:
            return f"{visible(str(value))}_"
        return visible(str(value)) if field.typed else field.shown(value)

    def get(self, name: str) -> Value:
        """What is chosen of the field of this name. Raises KeyError where there is none now."""
        return self.value(next(field for field in self.fields() if field.name == name))

    # -- keys

    def press(self, key: str) -> Intent | None:
        """Take a key, as `cli.lobby.model` names it; what is wanted if it was Enter on the button. Raises as
        `submit`."""
        self.note = ""
        fields = self.fields()
        if key not in "0123456789" and key != "backspace":
            self._digits = ""
        match key:
            case "up" | "backtab":
                self.at = self.at - 1 if self.at >= 0 else len(fields) - 1
            case "down" | "tab":
                self.at = self.at + 1 if self.at + 1 < len(fields) else -1
            case "home":
                self.at = -1
            case "end":
                self.at = len(fields) - 1
            case "enter" if self.field is None:
                return self.submit()
            case _:
                self._change(key)
        return None

    def click(self, place: int) -> None:
        """A click on the field at this place: to it, and once there, on to its next value."""
        if self.at == place:
            self._change("right")
        self.at = place

    def _change(self, key: str) -> None:
        field = self.field
        if field is None:
            self.note = no_use(key, helps=False)
            return
        if key == "enter":  # taken as it stands
            self.at = self.at + 1 if self.at + 1 < len(self.fields()) else -1
            return
        if field.typed:
            self._type(field, key)
            return
        key = TYPED_ARROWS.get(key, key)
        steps = {"left": -1, "right": 1, " ": 1, "pageup": -LEAP, "pagedown": LEAP}
        if key in steps:
            self._step(field, steps[key], around=abs(steps[key]) == 1)
        elif field.numbers and (key.isdecimal() or key == "backspace"):
            self._digits = (self._digits + key)[:5] if key != "backspace" else self._digits[:-1]
            number = int(self._digits or -1)
            if number in field.values:
                self.chosen[field.name] = number
            elif self._digits:
                self.note = _(MAY_BE).format(span=field.may_be())
        else:
            self.note = no_use(key, helps=False)

    def _step(self, field: Field, steps: int, around: bool) -> None:
        at, last = field.values.index(self.value(field)) + steps, len(field.values) - 1
        at = at % (last + 1) if around else min(max(at, 0), last)
        self.chosen[field.name] = field.values[at]

    def _type(self, field: Field, key: str) -> None:
        text = str(self.value(field))
        if key == "backspace":
            self.chosen[field.name] = text[:-1]
        elif len(key) == 1 and key.isprintable():
            self.chosen[field.name] = (text + key)[: field.most]

    # -- lines

    def find(self, name: str) -> Field:
        """The field of this name, or of the only one that begins so. Raises Usage."""
        fields = self.fields()
        wanted = name.lower().replace("-", "_")
        fits = [one for one in fields if one.name == wanted] or [one for one in fields if one.name.startswith(wanted)]
        if len(fits) != 1:
            names = ", ".join(field.name for field in fits or fields)
            raise Usage(_(NO_FIELD).format(name=visible(name)), _(FIELDS).format(names=names))
        return fits[0]

    def put(self, name: str, text: str) -> Field:
        """Choose by typed words: a field as `find` takes it, and a value. Raises Usage."""
        field = self.find(name)
        self.chosen[field.name] = text[: field.most] if field.typed else self._read(field, text)
        return field

    def _read(self, field: Field, text: str) -> Value:
        plain = " ".join(text.split()).casefold()
        for value in field.values:
            if plain in (show_value(value).casefold(), field.shown(value).casefold(), str(value).replace("_", " ")):
                return value
        raise Usage(_(CANNOT).format(name=field.name, value=visible(text)), _(MAY_BE).format(span=field.may_be()))
