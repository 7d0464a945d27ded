"""The language: which one is spoken, and that it reaches what people read but nothing that programs read."""

from __future__ import annotations

import click
import pytest

from cli.config import config_path, language
from cli.language import ENGLISH, _, language_of, languages, speak, usual_language
from cli.main import p2puno, run


@pytest.fixture(autouse=True)
def _nothing_set(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("P2PUNO_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("P2PUNO_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.mark.parametrize(
    ("text", "spoken"),
    [("de", "de"), ("DE", "de"), ("de_AT.UTF-8", "de"), ("de-CH", "de"), ("de_DE@euro", "de"), ("en_GB", "en"),
     ("C", ""), ("POSIX", ""), ("tlh", ""), ("", ""), ("..", ""), ("../de", "")],
)  # fmt: skip
def test_a_locale_names_its_language(text: str, spoken: str) -> None:
    assert language_of(text) == spoken


def test_the_system_is_asked_in_the_order_of_gettext() -> None:
    assert usual_language({}) == ENGLISH
    assert usual_language({"LANG": "de_DE.UTF-8"}) == "de"
    assert usual_language({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "C"}) == ENGLISH
    assert usual_language({"LC_MESSAGES": "de_DE", "LC_ALL": "", "LANG": "C"}) == "de"
    assert usual_language({"LC_ALL": "en_GB.UTF-8", "LC_MESSAGES": "de_DE"}) == ENGLISH
    assert usual_language({"LANGUAGE": "tlh:de:en", "LC_ALL": "en_GB.UTF-8"}) == "de"
    assert usual_language({"LANGUAGE": "de", "LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"}) == ENGLISH
    assert usual_language({"LANGUAGE": "de"}) == ENGLISH
    assert usual_language({"LANG": "tlh_QO.UTF-8"}) == ENGLISH


def test_environment_over_file_over_system(monkeypatch: pytest.MonkeyPatch) -> None:
    assert language() == ENGLISH
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert language() == "de"
    assert run(["config", "set", "language", "en"]) == 0
    assert language() == "en"
    monkeypatch.setenv("P2PUNO_LANG", "de")
    assert language() == "de"
    config_path().write_text("bots = \n")
    assert language() == "de"
    monkeypatch.delenv("P2PUNO_LANG")
    monkeypatch.delenv("LANG")
    assert language() == ENGLISH  # the file cannot be read: those that need it say so


GERMAN = "Diese Hilfe zeigen."


def helps(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What this command line prints, which ends well."""
    assert run(list(arguments)) == 0
    return capsys.readouterr().out


def test_the_option_goes_before_all_wherever_it_stands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("P2PUNO_LANG", "en")
    assert GERMAN not in helps(capsys, "play", "--help")
    assert GERMAN in helps(capsys, "--lang", "de", "play", "--help")
    assert GERMAN in helps(capsys, "play", "--lang", "de", "--help")
    assert GERMAN in helps(capsys, "--lang=de", "--help")
    assert GERMAN in helps(capsys, "play", "--help", "--lang", "de")
    assert GERMAN not in helps(capsys, "config", "set", "--help")
    monkeypatch.setenv("P2PUNO_LANG", "de")
    assert GERMAN in helps(capsys, "config", "set", "--help")
    assert GERMAN not in helps(capsys, "config", "set", "--lang", "en", "--help")
    assert GERMAN in helps(capsys, "config", "set", "--help")


def test_what_is_wrong_with_other_options_is_said_in_the_language_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--nonsense", "--lang", "de"]) == 2
    assert capsys.readouterr().err.splitlines()[0] == "Fehler: es gibt keine Option --nonsense"
    assert run(["play", "--nonsense", "--lang"]) == 2
    assert capsys.readouterr().err.splitlines()[0] == "error: there is no option --nonsense"


def test_the_help_names_every_language() -> None:
    (option,) = (parameter for parameter in p2puno.params if parameter.name == "lang")
    assert isinstance(option, click.Option)
    assert f": {', '.join(languages())}." in str(option.help)


@pytest.mark.parametrize("arguments", [["--lang", "tlh", "whoami"], ["whoami", "--lang", "tlh"]])
def test_a_language_that_there_is_not_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert capsys.readouterr().err == (f"error: language cannot be 'tlh'\nhint: it may be {', '.join(languages())}\n")


def test_so_is_one_of_the_environment(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("P2PUNO_LANG", "tlh")
    assert run(["whoami"]) == 2
    assert capsys.readouterr().err.splitlines()[0] == "error: P2PUNO_LANG: language cannot be 'tlh'"


def test_what_is_not_translated_is_said_in_english() -> None:
    speak("de")
    assert _("a text that no catalogue knows") == "a text that no catalogue knows"
    assert _("") == ""
