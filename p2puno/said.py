"""Sentences that remember how they were made, so that the face can say them in another language."""

from __future__ import annotations


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


def said(template: str, /, **values: object) -> Said:
    """`Said(template, **values)`: the word that marks sentences of the rules and of the trust for the catalogues."""
    return Said(template, **values)
