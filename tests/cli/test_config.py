"""Settings: an option goes before the environment, that before the file (P08); what means nothing is refused."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import click
import pytest

from cli.config import SETTINGS, change, config_path, defaults, read_file, saved
from cli.main import p2puno, run
from cli.manner import manner_of
from protocol.errors import Damaged

PAGE = (Path(__file__).parents[2] / "docs" / "config.md").read_text("utf-8")


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for known in SETTINGS.values():
        monkeypatch.delenv(known.variable, raising=False)
    for name in ("NO_COLOR", "ACCESSIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "config.toml"


def chosen(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> dict[str, object]:
    """The options that a command gets."""
    got: dict[str, object] = {}
    command = p2puno.commands[arguments[0]]
    monkeypatch.setattr(command, "callback", lambda **options: got.update(options) or 0)
    assert run(list(arguments)) == 0
    return got


def test_option_over_environment_over_file_over_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen(monkeypatch, "play")["bots"] == 3
    assert run(["config", "set", "bots", "5"]) == 0
    assert chosen(monkeypatch, "play")["bots"] == 5
    monkeypatch.setenv("P2PUNO_BOTS", "7")
    assert chosen(monkeypatch, "play")["bots"] == 7
    assert chosen(monkeypatch, "play", "--bots", "2")["bots"] == 2
    assert chosen(monkeypatch, "host")["bots"] == 0  # how many bots `host` brings is another question
    monkeypatch.setenv("P2PUNO_BOTS", "")
    assert chosen(monkeypatch, "play")["bots"] == 5


EXAMPLES = {
    "name": ("Zoë", "Ann", "Zoë"),
    "variant": ("dragon_ball_z", "marvel", "dbz"),
    "bots": ("5", "2", 5),
    "bot_level": ("random", "sensible", "random"),
    "screen_reader": ("on", "off", True),
    "plain": ("yes", "no", True),
    "theme": ("high-contrast", "standard", "high-contrast"),
    "colours": ("24bit", "none", "24bit"),
    "ascii": ("true", "false", True),
    "bell": ("off", "on", False),
    "title": ("0", "1", False),
    "chat": ("off", "on", False),
    "motion": ("off", "on", False),
    "language": ("de_AT", "en", "de"),
}
"""By setting: a value as typed, another one, what the first one means."""


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_kept_is_an_option_too_and_counts(
    name: str, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed, other, meant = EXAMPLES[name]
    known = SETTINGS[name]
    assert run(["config", "set", name, typed]) == 0
    assert tomllib.loads(file.read_text("utf-8")) == {name: meant}
    assert saved() == {name: meant}
    for command in known.commands:
        assert defaults(command) == {name: meant}
        assert chosen(monkeypatch, command, *(["h:1"] if command == "join" else []))[name] == meant
    # Every setting has an option of its own name, with a "no" where it is a switch.
    play = p2puno.commands["play"]
    option = next(p for p in play.params if isinstance(p, click.Option) and known.option in p.opts)
    assert bool(option.secondary_opts) == isinstance(meant, bool)
    monkeypatch.setenv(known.variable, other)
    assert saved() != {name: meant}
    capsys.readouterr()
    assert run(["config", "get", name]) == 0
    assert capsys.readouterr().out.strip() in (other, {"yes": "on", "1": "on", "false": "off", "no": "off"}.get(other))
    assert run(["config", "unset", name]) == 0
    assert read_file(file) == {}


def test_what_the_faces_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("screen_reader", "plain", "ascii", "bell", "title", "chat", "motion", "theme", "colours"):
        assert run(["config", "set", name, EXAMPLES[name][0]]) == 0
    manner = manner_of({}, saved())
    assert (manner.lines, manner.ascii, manner.bell, manner.title, manner.chat) == (True, True, False, False, False)
    assert not manner.motion
    assert (manner.theme.name, manner.colours, manner.speak) == (
        "high-contrast", "24bit", "screen_reader in your settings",
    )  # fmt: skip
    off = {"screen_reader": False, "plain": False, "ascii_only": False, "bell": True, "title": True, "colours": "16"}
    off["motion"] = True
    manner = manner_of(off, saved())
    assert (manner.lines, manner.ascii, manner.bell, manner.title, manner.speak) == (False, False, True, True, "")
    assert manner.motion
    assert manner.colours == "16"
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("ACCESSIBLE", "0")
    manner = manner_of({}, saved())
    assert (manner.colours, manner.speak) == ("none", "")


REFUSED = [
    (["set", "colour", "16"], "there is no setting 'colour'", "did you mean colours?"),
    (["set", "zebra", "1"], "there is no setting 'zebra'", "there are: name, variant, bots"),
    (["set", "language", "xx"], "language cannot be 'xx'", "it may be en, de"),
    (["set", "motion", "slow"], "motion cannot be 'slow'", "it may be on or off"),
    (["get", "nmae"], "there is no setting 'nmae'", "did you mean name?"),
    (["unset", "nmae"], "there is no setting 'nmae'", "did you mean name?"),
    (["set", "bots", "10"], "bots cannot be '10'", "it may be 1 to 9"),
    (["set", "bots", "many"], "bots cannot be 'many'", "it may be 1 to 9"),
    (["set", "bell", "loud"], "bell cannot be 'loud'", "it may be on or off"),
    (["set", "colours", "8"], "colours cannot be '8'", "it may be none, 16, 256, 24bit"),
    (["set", "variant", "chess"], "variant cannot be 'chess'", "it may be batman, dbz, dc, marvel"),
    (["set", "theme", "neon"], "there is no theme 'neon'", "there are: standard, high-contrast"),
    (["set", "name", " "], "name cannot be ' '", "it may be any name"),
]


@pytest.mark.parametrize(("arguments", "message", "hint"), REFUSED, ids=[" ".join(r[0]) for r in REFUSED])
def test_what_there_is_not_is_refused_with_a_hint(
    arguments: list[str], message: str, hint: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["config", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert lines[0] == f"error: {message}"
    assert lines[1].startswith(f"hint: {hint}")
    assert not file.exists()


BROKEN = [
    ("colour = 16\n", "there is no setting 'colour'", "did you mean colours?; or `p2puno config unset colour`"),
    ("bots = 40\n", "bots cannot be '40'", "it may be 1 to 9"),
    ("name = ['a']\nbots = 3\n[x]\n", "there is no setting 'x'", "there are: name"),
    ("bots = [3]\n", "bots cannot be 'a table, a list or another kind'", "it may be 1 to 9"),
    ("bots = \n", "is not TOML: ", "mend that line"),
    (b"name = '\xff'\n", "is not TOML: ", "mend that line"),
]


@pytest.mark.parametrize(("text", "message", "hint"), BROKEN, ids=range(len(BROKEN)))
def test_a_broken_file_is_one_error_with_its_path(
    text: str | bytes, message: str, hint: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.parent.mkdir()
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert run(["play", "--plain"]) == 4
    err = capsys.readouterr().err.splitlines()
    assert err[0].startswith(f"error: {file}")
    assert message in err[0]
    assert err[1].startswith(f"hint: {hint}")
    # Commands that take none of the settings still work, and the path can be asked for.
    assert run(["rules"]) == 0
    assert run(["config", "path"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == str(file)


def test_a_variable_that_cannot_be_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("P2PUNO_COLOURS", "pink")
    assert run(["play", "--plain"]) == 2
    assert capsys.readouterr().err == (
        "error: P2PUNO_COLOURS: colours cannot be 'pink'\nhint: it may be none, 16, 256, 24bit\n"
    )


OWN = """# mine
bots = 5   # a full table

"name" = "Mia"
# bell = false
"""


def test_other_lines_stay_as_they_were_written(file: Path) -> None:
    file.parent.mkdir()
    file.write_text(OWN)
    change(file, "name", 'A "b" \\ \x7f')
    change(file, "bell", True)
    assert file.read_text() == OWN.replace('"name" = "Mia"', 'name = "A \\"b\\" \\\\ \\u007f"') + "bell = true\n"
    assert tomllib.loads(file.read_text())["name"] == 'A "b" \\ \x7f'
    change(file, "bell", None)
    change(file, "bots", None)
    assert file.read_text().splitlines()[:2] == ["# mine", ""]
    assert read_file(file).keys() == {"name"}
    change(file, "bots", None)  # was not there: nothing happens
    assert [path.name for path in file.parent.iterdir()] == ["config.toml"]


@pytest.mark.parametrize("text", ['name = """\nbots = 3\n"""\n', "[a]\nb = 1\n", "name.first = 1\n"])
def test_a_file_written_in_another_way_is_left_alone(text: str, file: Path) -> None:
    file.parent.mkdir()
    file.write_text(text)
    with pytest.raises(Damaged):
        change(file, "name" if "first" in text else "bots", "5")
    assert file.read_text() == text


def test_a_line_that_means_nothing_can_be_taken_out(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("colour = 16\nbots = 4\n")
    assert run(["config", "unset", "colour"]) == 0
    assert file.read_text() == "bots = 4\n"


def test_a_theme_of_ones_own_is_found_from_any_folder(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text('base = "standard"\n[styles]\nred = "bold ansired"\n')
    monkeypatch.chdir(tmp_path)
    assert run(["config", "set", "theme", "mine.toml"]) == 0
    assert read_file(file) == {"theme": str(tmp_path / "mine.toml")}


def test_names_are_cleaned(file: Path) -> None:
    assert run(["config", "set", "name", "\x1b[2JMia\u202e"]) == 0
    assert read_file(file) == {"name": "Mia"}


def test_all_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run(["config", "set", "bots", "5"])
    monkeypatch.setenv("P2PUNO_NAME", "Ann")
    assert run(["config"]) == 0
    head, *rest = capsys.readouterr().out.splitlines()
    assert head == f"file: {config_path()}"
    rows = {line.split()[0]: line for line in rest}
    assert rows.keys() == SETTINGS.keys()
    assert "P2PUNO_NAME" in rows["name"]
    assert " file " in rows["bots"]
    assert " unless set " in rows["bell"]
    assert run(["config", "show", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["settings"]["bots"]["value"] == 5
    assert document["settings"]["name"]["from"] == "P2PUNO_NAME"
    assert document["settings"]["bell"]["value"] is None
    assert run(["config", "get", "bots", "--json"]) == 0
    assert capsys.readouterr().out == "5\n"


def test_the_page_tells_every_setting_and_every_command() -> None:
    for name, known in SETTINGS.items():
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{name}` |"))
        assert known.variable in row
        assert f"`{known.option}" in row
        assert known.may_be in row
    group = p2puno.commands["config"]
    assert isinstance(group, click.Group)
    for name in group.commands:
        assert f"`p2puno config {name}" in PAGE
