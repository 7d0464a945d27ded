"""One line of text that is being typed on the full screen, and the part of it that has room."""

from __future__ import annotations

from dataclasses import dataclass

from cli.text import visible, width


@dataclass(slots=True)
class LineEdit:
    """`at`: the cursor stands before this character of `text`; `most`: characters that it may have."""

    most: int
    text: str = ""
    at: int = 0

    def type(self, text: str) -> None:
        """Put in what was typed or pasted, as far as there is room; what cannot be shown is left out."""
        new = visible(text)[: self.most - len(self.text)]
        self.text = self.text[: self.at] + new + self.text[self.at :]
        self.at += len(new)

    def press(self, key: str) -> None:
        """Take a key that moves the cursor or takes something away; any other does nothing."""
        match key:
            case "left":
                self.at = max(0, self.at - 1)
            case "right":
                self.at = min(len(self.text), self.at + 1)
            case "home":
                self.at = 0
            case "end":
                self.at = len(self.text)
            case "backspace" if self.at:
                self.text = self.text[: self.at - 1] + self.text[self.at :]
                self.at -= 1
            case "delete":
                self.text = self.text[: self.at] + self.text[self.at + 1 :]

    def clear(self) -> None:
        """Begin anew."""
        self.text, self.at = "", 0

    def shown(self, cells: int) -> tuple[str, str, str]:
        """What stands before, under and behind the cursor, all together at most `cells` cells; under it at the end of
        the line is a space."""
        under = self.text[self.at : self.at + 1] or " "
        first, last = self.at, self.at + 1
        room = cells - width(under)
        before = self.text[: self.at]
        while first and room >= width(before[first - 1]):
            first -= 1
            room -= width(before[first])
        while last < len(self.text) and room >= width(self.text[last]):
            room -= width(self.text[last])
            last += 1
        return self.text[first : self.at], under, self.text[self.at + 1 : last]
