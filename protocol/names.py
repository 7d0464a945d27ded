"""Names, chat and other text from strangers, made fit for any screen (C44).

`clean` is applied once, where such text is decoded.  Its result depends on the Unicode tables of the Python that runs
it, so it is for eyes: what is signed or hashed are the raw bytes.
"""

import re
import unicodedata
from typing import Final

from wcwidth import wcwidth

NAME_CELLS: Final = 16  # the width at which a player's name is cut on every screen

# Control, format (bidi overrides, zero-width joiners), surrogate, private, unassigned; line and paragraph separators.
_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and symbols that show nothing although their category says otherwise.
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
# ESC [ … final byte: without its ESC the rest would stay as litter.
_ESCAPES: Final = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?")
_MARKS_PER_CHARACTER: Final = 2
_READ: Final = 16  # characters looked at per wanted cell: nobody's real name needs more, and floods end here


def clean(text: str, cells: int) -> str:
    """``text`` on one line of at most ``cells`` (>= 1) terminal cells, never empty ("?" if nothing is left).

    NFC; no characters that control, hide or reverse; white space folded to single spaces; no more than two marks or
    zero-width characters on a base.  Cleaning twice changes nothing.
    """
    text = " ".join(_ESCAPES.sub("", text[: cells * _READ]).split())
    text = "".join(c for c in text if unicodedata.category(c) not in _DROPPED and c not in _BLANK)
    kept: list[str] = []
    width = marks = 0
    for character in unicodedata.normalize("NFC", text):
        size = wcwidth(character)
        if size < 0 or (character == " " and (not kept or kept[-1] == " ")):
            continue
        if size == 0 or unicodedata.category(character).startswith("M"):
            marks += 1
            if marks > _MARKS_PER_CHARACTER or not kept or kept[-1] == " ":
                continue
        else:
            marks = 0
        if width + size > cells:
            break
        width += size
        kept.append(character)
    return "".join(kept).rstrip(" ") or "?"
