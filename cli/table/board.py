"""What the full screen remembers beside the view: log, who sits where, what is waited for, how the last hand ended."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from cli.language import _
from cli.setup.model import Setup
from cli.table.lines import Line
from cli.table.narrator import Narrator, hand_lines, match_line, progress_line
from cli.table.scroll import Scroll
from cli.table.talk import Talk
from p2puno.happenings import What
from protocol.events import (
    Abandoned,
    Event,
    HandOver,
    Happened,
    MatchOver,
    Phase,
    PhaseChanged,
    Progress,
    Refused,
    Watching,
    YourTurn,
)

LOG_LINES: Final = 500


@dataclass(slots=True)
class Board:
    """Fed with every event of the table, in order."""

    narrator: Narrator = field(default_factory=Narrator)
    log: deque[Line] = field(default_factory=lambda: deque(maxlen=LOG_LINES))
    phase: Phase = Phase.LOBBY
    setup: Setup = field(default_factory=Setup)
    progress: str = ""
    _times: int = 1
    _last: Line | None = None
    total: int = 0  # lines that there ever were
    scroll: Scroll = field(default_factory=Scroll)
    talk: Talk = field(default_factory=Talk)
    result: tuple[Line, ...] = ()  # of the last hand, until our next turn or key
    ended: bool = False

    def take(self, event: Event) -> None:
        """Remember what this event changes."""
        names = self.narrator.names
        self.setup.take(event, self.narrator.rules)
        if not (isinstance(event, Refused) and self.setup.gathering):  # that is a note, until something is granted
            for line in self.narrator.tell(event):
                self.add(line)
        match event:
            case PhaseChanged(phase, _):
                self.phase, self.progress = phase, ""
            case Progress():
                self.progress = progress_line(event, names) if event.done < event.total else ""
            case YourTurn():
                self.result = ()
            case Watching():
                self.phase, self.result = Phase.COMMIT, ()
            case Happened(happenings) if self.narrator.me < 0 and any(h.what is What.TURN for h in happenings):
                self.result = ()  # who watches has no turn that would take it away
            case HandOver():
                self.result = tuple(hand_lines(event, names, self.narrator.rules))
                self.add(Line("-" * 12, "rule"))
            case MatchOver(winner, scores):
                self.result = (*self.result, match_line(winner, scores, names))
                self.ended = True
            case Abandoned():
                self.result = tuple(self.narrator.tell(event))
                self.ended = True

    def add(self, line: Line) -> None:
        """One more line; one that says the same as the line before it counts up instead (a long Bat Signal)."""
        if line == self._last:
            self._times += 1
            again = _("{line} ({n} times)").format(line=line.text, n=self._times)
            self.log[-1] = Line(again, line.style, line.seat)
        else:
            self._times, self._last = 1, line
            self.log.append(line)
            self.total += 1

    def press(self, key: str, page: int) -> bool:
        """Take a key that scrolls the log by a `page` of lines; whether it was for the log."""
        return self.scroll.press(key, self.total - len(self.log), self.total, page)

    def read(self) -> tuple[list[Line], int]:
        """The lines of the log up to where the player reads, and how many newer ones there are."""
        newer = self.total - self.scroll.end if self.scroll.end >= 0 else 0
        lines = list(self.log)
        return lines[: max(0, len(lines) - newer)], newer
