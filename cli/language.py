"""The language of everything that people read: gettext catalogues, English where there is none.

    from cli.language import _, ngettext, told

`_("...")`, `ngettext(one, many, n)` and `pgettext(where, "...")` mark and say sentences of the face; constants made at
import are marked with `N_` and said with `_` where they are shown. `told(text)` says what comes from the rules, the
packs and the trust: a sentence marked there with `said` (`p2puno.said`), or a text of a card.
"""

from __future__ import annotations

import gettext as catalogues
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from p2puno.said import Said

LOCALE: Final = Path(__file__).parent / "locale"
FACE: Final = "face"
GAME: Final = "game"
"""The domains: what the face says, and what the rules, packs and the trust say."""
ENGLISH: Final = "en"
LOCALES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The variables that say which language all programs shall speak; the first that is set counts."""
NO_LANGUAGE: Final = ("", "C", "POSIX")
"""Locales in which programs speak as they were written, whatever LANGUAGE says."""

_language = ENGLISH
_spoken: dict[str, catalogues.NullTranslations] = {
    FACE: catalogues.NullTranslations(),
    GAME: catalogues.NullTranslations(),
}


def languages() -> list[str]:
    """The languages there are catalogues of, English first."""
    return [ENGLISH, *sorted(folder.name for folder in LOCALE.glob("*") if (folder / "LC_MESSAGES").is_dir())]


def language_of(text: str) -> str:
    """The language that "de", "de_AT" or "de_DE.UTF-8" asks for; "" for one that we do not speak."""
    plain = text.strip().replace("-", "_").partition(".")[0].partition("@")[0]
    known = {name.lower(): name for name in languages()}
    return known.get(plain.lower()) or known.get(plain.partition("_")[0].lower(), "")


def usual_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the system asks for, as gettext understands it: LANGUAGE may list several, which go before that
    of the locale. English where we speak none of them."""
    locale = next((environment[name] for name in LOCALES if environment.get(name)), "")
    if locale.partition(".")[0] in NO_LANGUAGE:
        return ENGLISH
    wishes = environment.get("LANGUAGE") or locale
    return next(filter(None, map(language_of, wishes.split(":"))), ENGLISH)


def chosen() -> str:
    """The language chosen."""
    return _language


def speak(language: str) -> None:
    """Say everything in this language ("de") from now on; in English if there is no catalogue."""
    global _language
    _language = language
    for domain in _spoken:
        _spoken[domain] = catalogues.translation(domain, LOCALE, [language], fallback=True)
    # The library of the commands says its own sentences by the gettext of the process, which asks the environment.
    catalogues.bindtextdomain(FACE, LOCALE)
    catalogues.textdomain(FACE)
    os.environ["LANGUAGE"] = language


def _(text: str) -> str:
    """A sentence of the face in the chosen language."""
    return _spoken[FACE].gettext(text) if text else text


def ngettext(one: str, many: str, number: int) -> str:
    """A sentence of the face that depends on a number, in the chosen language."""
    return _spoken[FACE].ngettext(one, many, number)


def pgettext(context: str, text: str) -> str:
    """A sentence of the face that other languages say otherwise elsewhere; `context`: where it is said."""
    return _spoken[FACE].pgettext(context, text)


def N_(text: str) -> str:  # noqa: N802 (the name that gettext's tools look for)
    """Mark a sentence of the face for the catalogues, without saying it yet."""
    return text


def told(text: str) -> str:
    """A sentence of the rules, the packs or the trust in the chosen language.

    What stands in its places is said in that language too where it is marked; a name of a player or a file stays.
    """
    if isinstance(text, Said):
        values = {name: told(value) if isinstance(value, Said) else value for name, value in text.values.items()}
        sentence = _spoken[GAME].gettext(text.template)
        return sentence.format(**values) if values else sentence
    return _spoken[GAME].gettext(text) if text else text
