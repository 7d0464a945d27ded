"""What is left of a table when it is over: the one JSON document, the exit code, the last words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from cli.language import N_, _, told
from cli.table.session import Session
from cli.text import visible
from cli.trouble import CHEATING, FINE, UNFINISHED
from p2puno.happenings import What
from protocol.errors import CheatProven
from protocol.events import Abandoned, Accused, Event, HandOver, Happened, MatchOver

ENDED_HINT: Final = N_("its journal is kept; `p2puno verify` tells how far it went")


@dataclass(slots=True)
class Record:
    """Fed with every event of the table, in order."""

    hands: list[HandOver] = field(default_factory=list)
    match: MatchOver | None = None
    accused: Accused | None = None
    abandoned: Abandoned | None = None
    left: bool = False  # our player went before the end
    gone: set[int] = field(default_factory=set)  # seats that left a hand

    def take(self, event: Event) -> None:
        """Remember how things ended."""
        match event:
            case HandOver():
                self.hands.append(event)
            case MatchOver():
                self.match = event
            case Accused():
                self.accused = event
            case Abandoned():
                self.abandoned = event
            case Happened(happenings):
                self.gone |= {h.seat for h in happenings if h.what is What.LEFT}

    @property
    def exit_code(self) -> int:
        """0 fine, 3 somebody was proven to cheat, 5 the table had no end (but not if our own player left)."""
        if self.accused is not None:
            return CHEATING
        return FINE if self.match is not None or self.left else UNFINISHED

    def complaint(self, session: Session) -> tuple[str, str]:
        """(error, hint) for a table that ended badly; two empty texts if it did not, or if our player left."""
        if self.accused is not None:
            players, seat = session.players, self.accused.seat
            who = players[seat].name if 0 <= seat < len(players) else _("somebody")
            cheated = _("{who} cheated at step {step}: {why}")
            why = told(self.accused.reason)
            return cheated.format(who=who, step=self.accused.step, why=why), CheatProven.default_hint
        if self.abandoned is not None and not self.left:
            ended = _("the table ended without a result: {why}").format(why=told(self.abandoned.reason))
            return ended, _(ENDED_HINT)
        return "", ""

    def document(self, session: Session) -> dict[str, Any]:
        """The result for a program to read; the keys are explained in docs/guide.md."""
        rules, view = session.rules, session.view
        last = self.hands[-1] if self.hands else None
        winner = self.match.winner if self.match is not None else -1
        names = [visible(player.name) for player in session.players]
        counts = view.counts if view is not None else (0,) * len(names)
        scores = list(self.match.scores if self.match is not None else session.scores)
        return {
            "variant": rules.variant if rules is not None else None,
            "seats": [
                {
                    "name": name,
                    "hero": visible(player.hero) or None,
                    "bot": player.bot,
                    "cards_left": cards,
                    "score": score,
                }
                for name, player, cards, score in zip(names, session.players, counts, scores, strict=False)
            ],
            "seat": session.seat,
            "winner": names[winner] if 0 <= winner < len(names) else None,
            "winner_seat": winner,
            "points": last.outcome.points if last is not None else 0,
            "scores": scores,
            "hands": len(self.hands),
            "ending": self._ending(last),
            "turns": session.turns,
            "steps": session.steps,
            "setup_seconds": round(session.setup_seconds, 3),
            "seconds": round(session.seconds, 3),
            "journal": str(session.journal) if session.journal is not None else None,
            "state_hash": session.state_hash or None,
        }

    def _ending(self, last: HandOver | None) -> str:
        if self.accused is not None:
            return "cheating proven"
        if self.abandoned is not None:
            return "abandoned"
        if self.match is None:
            return "left" if self.left else "unfinished"
        return str(last.outcome.ending) if last is not None else "unfinished"
