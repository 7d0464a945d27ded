"""The language of everything that people read: gettext catalogues, English where there is none.

    from cli.language import _, ngettext, told

`_("...")` and `ngettext(one, many, n)` mark and say sentences of the face; constants that are made at import are
marked with `N_` and said with `_` where they are shown. `told(text)` says what comes from the rules, the packs and the
trust: a sentence marked there with `said` (`p2puno.said`), or a text of a card.
"""

from __future__ import annotations

import gettext as catalogues
from pathlib import Path
from typing import Final

from p2puno.said import Said

LOCALE: Final = Path(__file__).parent / "locale"
FACE: Final = "face"
GAME: Final = "game"
"""The domains: what the face says, and what the rules, packs and the trust say."""
ENGLISH: Final = "en"

_spoken: dict[str, catalogues.NullTranslations] = {
    FACE: catalogues.NullTranslations(),
    GAME: catalogues.NullTranslations(),
}


def languages() -> list[str]:
    """The languages there are catalogues of, English first."""
    return [ENGLISH, *sorted(folder.name for folder in LOCALE.glob("*") if (folder / "LC_MESSAGES").is_dir())]


def speak(language: str) -> None:
    """Say everything in this language from now on ("de", "de_DE.UTF-8"); in English if there is no catalogue."""
    plain = language.partition(".")[0].partition("@")[0]
    for domain in _spoken:
        names = [plain, plain.partition("_")[0]]
        _spoken[domain] = catalogues.translation(domain, LOCALE, names, fallback=True)


def _(text: str) -> str:
    """A sentence of the face in the chosen language."""
    return _spoken[FACE].gettext(text) if text else text


def ngettext(one: str, many: str, number: int) -> str:
    """A sentence of the face that depends on a number, in the chosen language."""
    return _spoken[FACE].ngettext(one, many, number)


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
