"""`python -m tests.catalogues`: the catalogues of every language made anew from what the program says.

What is marked in the sources (`_`, `N_`, `ngettext`, `said`), the help of commands and options and the texts of the
packs are looked up in each .po file; what is new there stands empty and waits for its translation, what is said no
longer goes. Then each .po is compiled. The files hold nothing that changes by itself: no dates, no line numbers.
"""

from __future__ import annotations

import ast
import io
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from cli.language import ENGLISH, FACE, GAME, LOCALE, languages

ROOT = Path(__file__).parents[1]
SOURCES = {FACE: ("cli",), GAME: ("p2puno", "protocol", "cli")}
MARKS = {FACE: ("_", "N_"), GAME: ("said",)}
COMMANDS = ("command", "group")
TEXTS = ("text", "flipped_text")
"""What is for people in the tables of a pack."""


class Text(NamedTuple):
    """A text as the program says it. `many`: for more than one, where it depends on a number; `context`: where it is
    said, if other languages say it otherwise elsewhere."""

    one: str
    many: str = ""
    context: str = ""

    @property
    def id(self) -> str | tuple[str, str]:
        """As Babel knows it."""
        return (self.one, self.many) if self.many else self.one


class Unreadable(Exception):
    """A text is marked that no catalogue can know."""


class Texts(Catalog):
    """A catalogue with a short head that is the same every time."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:  # type: ignore[misc]
        return [
            ("Language", str(self.locale)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]


def marked(domain: str) -> dict[Text, list[str]]:
    """Every text of a domain, in the order of the sources, and the files that say it. Raises Unreadable."""
    found: dict[Text, list[str]] = {}
    for folder in SOURCES[domain]:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for text in in_source(path.read_text("utf-8"), domain, str(path.relative_to(ROOT))):
                _add(found, text, path)
    if domain == GAME:
        for path in sorted((ROOT / "p2puno" / "packs").rglob("*.toml")):
            for text in in_pack(tomllib.loads(path.read_text("utf-8"))):
                _add(found, Text(text), path)
    return found


def _add(found: dict[Text, list[str]], text: Text, path: Path) -> None:
    places = found.setdefault(text, [])
    if (place := path.relative_to(ROOT).as_posix()) not in places:
        places.append(place)


def in_source(source: str, domain: str, name: str) -> Iterator[Text]:
    """The texts of a domain that a Python source says. Raises Unreadable."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call | ast.FunctionDef)]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        if isinstance(node, ast.FunctionDef):
            if domain == FACE and any(_called(mark) in COMMANDS for mark in node.decorator_list):
                yield Text(ast.get_docstring(node) or "")
        elif _called(node) in MARKS[domain] and node.args:
            yield from map(Text, _constants(node.args[0], name))
        elif domain == FACE and _called(node) in ("ngettext", "pgettext"):
            first, second = (_constants(argument, name) for argument in node.args[:2])
            for a, b in zip(first, second, strict=True):
                yield Text(a, b) if _called(node) == "ngettext" else Text(b, context=a)
        elif domain == FACE:
            for keyword in node.keywords:
                if keyword.arg in ("help", "epilog"):
                    yield from map(Text, _constants(keyword.value, name))


def _called(node: ast.expr) -> str:
    """The last name of what is called here, or stands as a decorator."""
    target = node.func if isinstance(node, ast.Call) else node
    return target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""


def _constants(node: ast.expr, name: str) -> list[str]:
    """The texts that an expression may be; none for a name, whose text is marked where it is made."""
    match node:
        case ast.Constant(value=str(text)):
            return [text] if text else []
        case ast.IfExp():
            return _constants(node.body, name) + _constants(node.orelse, name)
        case ast.JoinedStr() | ast.BinOp():
            raise Unreadable(f"{name}:{node.lineno}: a text is marked that is put together: give it {{places}}")
        case ast.Call() if _called(node) in MARKS[FACE]:
            return []  # it is marked itself
    return []


def in_pack(table: dict[str, Any], classic: bool | None = None) -> Iterator[str]:
    """The texts of a pack for people. Names are those of printed cards and stay, but for the cards of every UNO."""
    classic = "family" in table if classic is None else classic
    for key, value in table.items():
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                yield from in_pack(inner, classic)
            elif isinstance(inner, str) and (key in TEXTS or (classic and key == "name" and "symbol" in table)):
                yield inner


def po_path(language: str, domain: str) -> Path:
    """Where the texts of a domain are translated."""
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def translated(language: str, domain: str) -> Catalog:
    """The catalogue as it lies there; an empty one if there is none."""
    path = po_path(language, domain)
    if not path.exists():
        return Catalog(language)
    with path.open("rb") as file:
        return read_po(file, language, domain)


def renewed(language: str, domain: str) -> Texts:
    """The catalogue with exactly the texts that are said now, each with its translation where it has one."""
    old, new = translated(language, domain), Texts(language, domain, header_comment="", fuzzy=False)
    for text, files in marked(domain).items():
        known = old.get(text.one, text.context or None)
        kept = known if known is not None and known.id == text.id else None
        message = new.add(
            text.id,
            kept.string if kept else "",
            [(file, 0) for file in files],
            kept.flags if kept else (),
            user_comments=kept.user_comments if kept else (),
            context=text.context or None,
        )
        message.flags -= {"python-format", "python-brace-format"}
    return new


def as_po(catalogue: Catalog) -> bytes:
    """A catalogue as it is translated."""
    file = io.BytesIO()
    write_po(file, catalogue, width=120, include_lineno=False)
    return file.getvalue()


def as_mo(catalogue: Catalog) -> bytes:
    """A catalogue as the program reads it."""
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def main() -> None:
    """Renew every catalogue; with languages as arguments begin these, too."""
    for language in dict.fromkeys([*languages(), *sys.argv[1:]]):
        for domain in (FACE, GAME) if language != ENGLISH else ():
            path, catalogue = po_path(language, domain), renewed(language, domain)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(as_po(catalogue))
            path.with_suffix(".mo").write_bytes(as_mo(catalogue))
            wanting = sum(not message.string or not all(message.string) for message in catalogue if message.id)
            print(f"{language} {domain}: {len(catalogue)} texts, {wanting} not translated")


if __name__ == "__main__":
    main()
