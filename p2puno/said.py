"""Sentences that remember how they were made, so that the face can say them in another language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final


class Said(str):
    """An English sentence with the template and the values it came from; everywhere else it is just its text.

    `template`: str, with `{named}` places.  `values`: what stands in them; these may be `Said` again.
    """

    __slots__ = ("template", "values")
    template: str
    values: dict[str, object]

    def __new__(cls, template: str, **values: object) -> Said:
        """Raises KeyError for a place that has no value."""
        sentence = super().__new__(cls, template.format(**values) if values else template)
        sentence.template, sentence.values = template, values
        return sentence


def message_of(problem: BaseException) -> str:
    """What an error says: `str(problem)`, but still a `Said` if it was made of one."""
    first = problem.args[0] if len(problem.args) == 1 else None
    return first if isinstance(first, str) else str(problem)


def recognised(text: str, templates: Iterable[Said]) -> Said:
    """English text that came from elsewhere, as the sentence of one of these templates that it is; else just as text.

    The values are plain text: nothing in them is taken for a sentence.
    """
    for sentence in templates:
        places = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(sentence.template))
        if found := re.fullmatch(places, text):
            return Said(sentence.template, **found.groupdict())
    return Said(text)


def said(template: str, /, **values: object) -> Said:
    """`Said(template, **values)`: the word that marks sentences of the rules and of the trust for the catalogues."""
    return Said(template, **values)


OR: Final = said("{words} or {word}")
AND: Final = said("{words} and {word}")
COMMA: Final = said("{words}, {word}")


def joined(words: Iterable[str], link: Said) -> str:
    """The words as one sentence part, linked by OR, AND or COMMA; "" for none. The words may be `Said`."""
    whole = ""
    for word in words:
        whole = Said(link.template, words=whole, word=word) if whole else word
    return whole


_SYSTEM: Final = (
    said("No such file or directory"), said("Permission denied"), said("Is a directory"), said("Not a directory"),
    said("File exists"), said("No space left on device"), said("Read-only file system"), said("Input/output error"),
    said("no such file or directory"), said("permission denied"), said("is a directory"), said("not a directory"),
    said("file exists"), said("no space left on device"), said("read-only file system"), said("input/output error"),
    said("connection refused"), said("connection timed out"), said("connection reset by peer"), said("broken pipe"),
    said("no route to host"), said("network is unreachable"), said("network is down"), said("operation not permitted"),
    said("name or service not known"), said("temporary failure in name resolution"), said("address already in use"),
    said("no address associated with hostname"), said("cannot assign requested address"),
)  # fmt: skip
"""What a system is most likely to say of a call that fails: marked here, as it stands in no source of ours."""


def system_says(problem: OSError) -> Said:
    """What the system says of a call that failed."""
    return Said(problem.strerror or str(problem))
