"""docs/architecture.md names every module, in the part about its folder, and none that there is not."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "docs" / "architecture.md").read_text("utf-8").split("## Every module")[1].split("\n## ")[0]


def test_the_map_names_every_module_once() -> None:
    _, *parts = re.split(r"^\*\*`([\w/]+)/`\*\*", MAP, flags=re.MULTILINE)
    named = sorted(f"{folder}/{name}.py" for folder, text in zip(parts[::2], parts[1::2], strict=True)
                   for name in re.findall(r"`(\w+)`", text))  # fmt: skip
    files = [path for package in ("p2puno", "protocol", "cli") for path in (ROOT / package).rglob("*.py")]
    assert named == sorted(path.relative_to(ROOT).as_posix() for path in files if path.stem != "__init__")
