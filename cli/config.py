"""The player's settings: a small TOML file, over it the environment (P2PUNO_*), over both the options of a command.

The file is flat, one `key = value` a line. Commands change single lines of it and leave the rest, comments included, as
its owner wrote it.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import platformdirs

from cli.language import N_, _, language_of, languages, told, usual_language
from cli.seat import LEVELS, USUAL_LEVEL
from cli.theme import DEPTHS, STANDARD, THEMES
from p2puno.rules import Rules, RulesError, games
from protocol.errors import Damaged, Usage
from protocol.names import NAME_CELLS, clean

Value: TypeAlias = str | int | bool

FILE: Final = "config.toml"
FROM_FILE: Final = "file"
PREFIX: Final = "P2PUNO_"
SAYS: Final = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}
SEATED: Final = ("lobby", "play", "host", "join")
"""The commands that take a name."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `read` turns what was typed into its value, or raises ValueError; `may_be` says what it takes;
    `usual` what holds where nothing is set; `commands`: the commands that take it as the default of their option of
    the same name (those without any are read by `cli.manner`); `choices`: what a shell may complete it to; `short`: the
    name of its option and variable, where that is another one."""

    name: str
    meaning: str
    may_be: str
    usual: str
    read: Callable[[str], Value]
    commands: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    short: str = ""

    @property
    def option(self) -> str:
        """The option that goes before the environment variable."""
        return "--" + (self.short or self.name).replace("_", "-")

    @property
    def variable(self) -> str:
        """The environment variable that goes before the file."""
        return PREFIX + (self.short or self.name).upper()


def _switch(text: str) -> bool:
    if text.lower() not in SAYS:
        raise ValueError
    return SAYS[text.lower()]


def _one_of(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in choices:
            raise ValueError
        return text.lower()

    return read


def _name(text: str) -> str:
    if not text.strip():
        raise ValueError
    return clean(text, NAME_CELLS)


def _variant(text: str) -> str:
    try:
        return Rules.make(text).variant
    except RulesError:
        raise ValueError from None


def _bots(text: str) -> int:
    if not 1 <= int(text) <= 9:
        raise ValueError
    return int(text)


def _language(text: str) -> str:
    if not (language := language_of(text)):
        raise ValueError
    return language


def _theme(text: str) -> str:
    """A theme of one's own is a file, which must be found from any folder."""
    path = Path(text).expanduser()
    return str(path.resolve()) if path.is_file() else text


def _turned(name: str, meaning: str, usual: str) -> Setting:
    """A setting that is on or off."""
    return Setting(name, meaning, N_("on or off"), usual, _switch, choices=("on", "off"))


def _chosen(name: str, meaning: str, choices: Iterable[str], usual: str, commands: tuple[str, ...] = ()) -> Setting:
    """A setting that is one of a few words."""
    words = tuple(choices)
    return Setting(name, meaning, ", ".join(words), usual, _one_of(*words), commands, words)


SETTINGS: Final = {
    setting.name: setting
    for setting in (
        Setting("name", N_("your name at the table"), N_("any name"), N_("your user name"), _name, SEATED),
        Setting("variant", N_("which game"), ", ".join(games()), "batman", _variant, ("play", "host"), tuple(games())),
        Setting("bots", N_("how many bots you play against"), N_("1 to 9"), "3", _bots, ("play",)),
        _chosen("bot_level", N_("how well bots play"), LEVELS, USUAL_LEVEL, ("play", "host")),
        _turned("screen_reader", N_("whole words in labelled lines"), "off"),
        _turned("plain", N_("lines instead of a full screen"), "off"),
        Setting(
            "theme",
            N_("how the full screen looks"),
            N_("a theme's name, or a file"),
            STANDARD.name,
            _theme,
            choices=tuple(THEMES),
        ),
        _chosen("colours", N_("how many colours"), DEPTHS, "16"),
        _turned("ascii", N_("frames in ASCII"), N_("what the terminal can show")),
        _turned("bell", N_("a bell when it is your turn"), "on"),
        _turned("title", N_("your turn in the terminal's title"), "on"),
        _turned("chat", N_("what players write to each other"), "on"),
        _turned("motion", N_("cards that are played or drawn light up on the full screen"), "on"),
        Setting(
            "language",
            N_("the language of all texts"),
            ", ".join(languages()),
            N_("that of the system"),
            _language,
            choices=tuple(languages()),
            short="lang",
        ),
    )
}
"""By name, in the order in which they are shown."""


def config_path() -> Path:
    """The file: in P2PUNO_HOME, or where this system keeps settings."""
    own = os.environ.get("P2PUNO_HOME")
    return (Path(own) if own else platformdirs.user_config_path("p2puno")) / FILE


def setting(name: str) -> Setting:
    """The setting of that name, also written with `-`. Raises Usage with a hint for one that there is not."""
    plain = name.strip().lower().replace("-", "_")
    if plain in SETTINGS:
        return SETTINGS[plain]
    raise Usage(_("there is no setting {name!r}").format(name=name), _hint(plain))


def _hint(name: str) -> str:
    near = difflib.get_close_matches(name, SETTINGS, 1)
    if near:
        return _("did you mean {word}?").format(word=near[0])
    return _("there are: {words}").format(words=", ".join(SETTINGS))


def value_of(known: Setting, text: str) -> Value:
    """What this text means for a setting. Raises Usage."""
    try:
        return known.read(text)
    except ValueError:
        cannot = _("{name} cannot be {value!r}").format(name=known.name, value=text)
        raise Usage(cannot, _("it may be {values}").format(values=_(known.may_be))) from None


def read_file(path: Path) -> dict[str, Value]:
    """The settings in the file; none if there is no file.

    :raises Damaged: it cannot be read, is no TOML, or holds a key or value that there is not
    """
    values: dict[str, Value] = {}
    for key, held in raw(path).items():
        if key not in SETTINGS:
            unset = _("{hint}; or `p2puno config unset {name}`").format(hint=_hint(key), name=key)
            raise Damaged(_("{path}: there is no setting {name!r}").format(path=path, name=key), unset)
        try:
            values[key] = value_of(SETTINGS[key], _text(held))
        except Usage as bad:
            raise Damaged(f"{path}: {told(bad.message)}", bad.hint) from None
    return values


def raw(path: Path) -> dict[str, Any]:
    """All that the file holds, whether it means something or not; nothing if there is no file.

    :raises Damaged: it cannot be read, or is no TOML
    """
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as bad:
        cannot = _("cannot read {path}: {why}").format(path=path, why=bad.strerror or bad)
        raise Damaged(cannot, _("check who may read it")) from None
    except ValueError as bad:  # TOMLDecodeError and UnicodeDecodeError
        cannot = _("{path} is not TOML: {why}").format(path=path, why=bad)
        raise Damaged(cannot, _("mend that line, or move the file away")) from None


def _text(held: Any) -> str:
    """A value of the file as it would be typed; something no setting can be for what is no single value."""
    if isinstance(held, bool):
        return "on" if held else "off"
    return str(held) if isinstance(held, str | int) else _("a table, a list or another kind")


def settings(environment: Mapping[str, str] = os.environ) -> dict[str, tuple[Value, str]]:
    """What is set: value and where it comes from ("file" or the name of a variable), by name.

    :raises Usage: a variable says what cannot be
    :raises Damaged: as `read_file`
    """
    found: dict[str, tuple[Value, str]] = {name: (value, FROM_FILE) for name, value in read_file(config_path()).items()}
    for name, known in SETTINGS.items():
        if environment.get(known.variable):
            found[name] = _from_environment(known, environment), known.variable
    return found


def _from_environment(known: Setting, environment: Mapping[str, str]) -> Value:
    try:
        return value_of(known, environment[known.variable])
    except Usage as bad:
        raise Usage(f"{known.variable}: {told(bad.message)}", bad.hint) from None


def language(environment: Mapping[str, str] = os.environ) -> str:
    """The language to speak where no option says one: of the environment, else of the file, else of the system.

    Every command asks, so a file that cannot be read is passed over here: those that take settings from it say why.

    :raises Usage: the environment says one that there is not
    """
    known = SETTINGS["language"]
    if environment.get(known.variable):
        return str(_from_environment(known, environment))
    try:
        held = raw(config_path()).get(known.name)
    except Damaged:
        held = None
    return language_of(held if isinstance(held, str) else "") or usual_language(environment)


def saved() -> dict[str, Value]:
    """What is set, values by name. Raises as `settings`."""
    return {name: value for name, (value, _) in settings().items()}


def defaults(command: str) -> dict[str, Value]:
    """What is set for the options of this command. Raises as `settings`; never for a command that takes none."""
    names = [name for name, known in SETTINGS.items() if command in known.commands]
    found = saved() if names else {}
    return {name: found[name] for name in names if name in found}


def change(path: Path, name: str, value: Value | None) -> None:
    """Write one setting into the file, or take it out (None); every other line stays.

    :raises Damaged: the file is no TOML, or is written in a way in which no single line can be changed
    """
    before = raw(path)
    after = {key: held for key, held in before.items() if key != name} | ({} if value is None else {name: value})
    written = [] if value is None else [f"{name} = {_toml(value)}"]
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    own = re.compile(rf"""\s*(["']?){re.escape(name)}\1\s*=""")
    places = [i for i, line in enumerate(lines) if own.match(line)]
    at = places[0] if places else len(lines)
    lines[at : at + len(places[:1])] = written
    text = "".join(f"{line}\n" for line in lines)
    try:
        fits = tomllib.loads(text) == after
    except tomllib.TOMLDecodeError:
        fits = False
    if not fits:
        strange = _("{path} is written in a way that no program should change").format(path=path)
        raise Damaged(strange, _("change it with an editor"))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text(text, "utf-8")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # A JSON string is a TOML string, but for one control character that JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
