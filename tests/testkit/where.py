"""Where each cheat of the list is played: the last two columns of the table in docs/cheats.md.

A test says by its name, its parameters or its docstring which cheats it plays, a module that is about one as a whole by
its first line. `python -m tests.testkit.where` writes the columns anew.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.testkit.card import FOLDER

TESTS = Path(__file__).parent.parent
TABLE = TESTS.parent / "docs" / "cheats.md"
NUMBER = re.compile(r"\b[Cc](\d\d)(?![0-9])")
ROW = re.compile(r"\| C(\d\d) \|")


def numbers(text: str) -> set[int]:
    """The cheats that a text names."""
    return {int(number) for number in NUMBER.findall(text.replace("_", " "))}


def claims(file: Path) -> Iterator[tuple[int, str]]:
    """(cheat, test) for every test of a file; "" stands for the file as a whole."""
    source = file.read_text("utf-8")
    module = ast.parse(source)
    if not file.stem.startswith("test_cheats_"):  # those name their range in the first line, and each test its own
        yield from ((number, "") for number in numbers(ast.get_docstring(module) or ""))
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            named = node.decorator_list if file.parent.name == "protocol" else []  # elsewhere they name scenarios
            marks = " ".join(ast.get_source_segment(source, mark) or "" for mark in named)
            for number in numbers(f"{node.name} {ast.get_docstring(node) or ''} {marks}"):
                yield number, node.name.removeprefix("test_")


def played_by() -> dict[int, dict[str, list[str]]]:
    """By cheat and file (folder and name under tests/) the names of those that play it."""
    found: dict[int, dict[str, list[str]]] = {}
    for file in sorted(TESTS.glob("*/test_*.py")):
        for number, name in sorted(set(claims(file))):
            names = found.setdefault(number, {}).setdefault(f"{file.parent.name}/{file.stem}", [])
            names += [name] if name else []
    return found


def scenarios() -> dict[int, list[str]]:
    """By cheat the scenarios of the testkit: by their names, or by the reason on their card."""
    found: dict[int, list[str]] = {}
    for card in sorted(FOLDER.glob("*.txt")):
        why = re.search(r"^why: (.*)$", card.read_text("utf-8"), re.MULTILINE)
        for number in sorted(numbers(f"{card.stem} {why.group(1) if why else ''}")):
            found.setdefault(number, []).append(card.stem)
    return found


def table(text: str) -> str:
    """The document with its last two columns as they should be."""
    played, kit = played_by(), scenarios()

    def columns(number: int) -> tuple[str, str]:
        files = [
            f"`{file}`" + (f": {', '.join(names)}" if names else "") for file, names in played.get(number, {}).items()
        ]
        return "; ".join(files) or "-", ", ".join(kit.get(number, [])) or "-"

    lines = []
    for line in text.splitlines():
        if row := ROW.match(line):
            line = " | ".join([*line.split(" | ")[:3], *columns(int(row.group(1)))]) + " |"
        lines.append(line)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(table(TABLE.read_text("utf-8")), "utf-8")
