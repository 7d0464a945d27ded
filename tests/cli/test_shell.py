"""Completion and the manual page: both say what the commands say now."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete

from cli import trouble
from cli.config import SETTINGS
from cli.main import p2puno, run
from cli.shell import EXIT_CODES, SHELLS, page

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path))


def completed(*line: str) -> list[str]:
    """What is offered for the last word of this line."""
    found = BashComplete(p2puno, {}, "p2puno", "_P2PUNO_COMPLETE").get_completions(list(line[1:-1]), line[-1])
    return [item.value for item in found]


def test_bash_asks_the_program() -> None:
    """The whole way once: the words of the line come in the environment, the answer is one word a line."""
    code = "from cli.main import main; main()"
    asked = {"_P2PUNO_COMPLETE": "bash_complete", "COMP_WORDS": "p2puno play --colours 2", "COMP_CWORD": "3"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | asked, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("plain,256\nplain,24bit\n", "")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (("p2puno", "hi"), ["history"]),
        (("p2puno", "play", "--variant", "d"), ["dbz", "dc"]),
        (("p2puno", "play", "--hero", "bl"), ["black_widow"]),
        (("p2puno", "rules", "ma"), ["marvel"]),
        (("p2puno", "replay", "--fi"), ["--find"]),
        (("p2puno", "play", "--theme", "hi"), ["high-contrast"]),
        (("p2puno", "config", "set", "bot"), ["bots", "bot_level"]),
        (("p2puno", "config", "set", "bell", "o"), ["on", "off"]),
        (("p2puno", "config", "set", "zebra", "o"), []),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_shell_is_offered_what_fits(line: tuple[str, ...], expected: list[str]) -> None:
    assert completed(*line) == expected


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_its_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert f"_P2PUNO_COMPLETE={shell}_complete" in out
    assert f"| {shell}" in (DOCS / "shell.md").read_text("utf-8")
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=out, text=True, check=True)


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "tcsh"]) == 2
    assert "error: SHELL cannot be 'tcsh'\nhint: it may be bash, zsh, fish\n" in capsys.readouterr().err


def test_the_manual_page_is_what_the_commands_say_now(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["manual"]) == 0
    printed = capsys.readouterr().out
    assert printed == page(p2puno)
    assert (DOCS / "p2puno.1").read_text("utf-8") == printed, "a command has changed: `p2puno manual > docs/p2puno.1`"


def test_the_manual_page_does_not_depend_on_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("P2PUNO_BOTS", "7")
    assert run(["config", "set", "variant", "marvel"]) == 0
    assert run(["manual"]) == 0
    assert capsys.readouterr().out == page(p2puno)


def commands(group: click.Group, path: str = "p2puno") -> list[tuple[str, click.Command]]:
    found = []
    for name, command in group.commands.items():
        found.append((f"{path} {name}", command))
        if isinstance(command, click.Group):
            found += commands(command, f"{path} {name}")
    return found


def test_the_manual_page_has_every_command_option_setting_and_exit_code() -> None:
    text = page(p2puno).replace("\\-", "-")
    for path, command in commands(p2puno):
        assert (f'.SS "{path}' in text) is not command.hidden
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden and not command.hidden:
                assert parameter.opts[0] in text
    for known in SETTINGS.values():
        assert f"{known.name}, {known.variable}" in text
    told = {int(code) for codes, _ in EXIT_CODES for code in codes.split(", ")}
    own = {value for name, value in vars(trouble).items() if name.isupper() and isinstance(value, int)}
    assert own <= told
    rows = re.findall(r"^\| ([\d, ]+) \|", (DOCS / "guide.md").read_text("utf-8"), re.MULTILINE)
    assert told == {int(code) for row in rows for code in row.split(", ")}


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_manual_page_is_good_roff() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z"], input=page(p2puno), capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
