"""What a node tells, as lines for people: the one source of the event log and of the line mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cli.language import told
from cli.table.cards import Namer, hero_name, namer, texts
from cli.table.lines import Line, Teller
from cli.table.talk import remark
from cli.text import listed, visible
from p2puno.happenings import Happening, What
from p2puno.outcome import Ending
from p2puno.rules import Rules
from protocol.events import (
    Abandoned,
    AbsenceChanged,
    Accused,
    Chatted,
    Event,
    HandOver,
    Happened,
    LinkChanged,
    LobbyChanged,
    MatchOver,
    Notice,
    PacksOffered,
    Phase,
    PhaseChanged,
    Player,
    Progress,
    Redial,
    Refused,
    Watching,
)
from protocol.identity import words
from protocol.known import Standing

BACK: Final = "You are back at your seat"
"""What is told when our program was started again."""

WATCHING: Final = "You watch {who} {since}: you see what all players see, and no hidden card"
"""What is told to who has no seat."""

PHASES: Final = {
    Phase.AGREE: "Everybody signs the rules and the seats",
    Phase.COMMIT: "Hand {hand}: making keys together",
    Phase.PLAY: "Hand {hand}: everybody shuffles the deck in turn",
}
"""What is told when a phase begins; the other phases speak for themselves."""

PACKS_OFFERED: Final = "This table may play heroes of a player's own making:"
PACKS_HARMLESS: Final = "Their packs are data without any code."

LONG_WAIT: Final = 2.0
"""Seconds until the next try to reach a seat from which on it is worth telling."""

TAKEN_OFF: Final = "{who}, who is away, is taken off the table"
OURS_OFF: Final = "You were away, and are taken off the table"
CHEAT_OFF: Final = "{who} is taken off the table for cheating"


class Narrator:
    """Keeps who sits where, and tells events. Fed by whoever reads `Session.events`."""

    def __init__(self, cards: Callable[[Rules | None], Namer] = namer) -> None:
        """`cards`: how cards are called."""
        self._cards = cards
        self.players: tuple[Player, ...] = ()
        self.me = -1
        self.rules: Rules | None = None
        self._seated: tuple[str, ...] = ()
        self._introduced: set[bytes] = set()
        self._unreached: set[int] = set()  # of whom it was told that there is no link
        self._away: set[int] = set()
        self._cheats: set[int] = set()
        self._off: set[int] = set()  # who is no longer at the table, or not in this hand

    def at(self, players: Sequence[Player], me: int, rules: Rules | None) -> None:
        """Say who sits where now, which seat is ours (-1: not known yet) and what is played."""
        self.players, self.me, self.rules = tuple(players), me, rules

    @property
    def names(self) -> list[str]:
        """The names by seat, fit for any screen."""
        return [visible(player.name) for player in self.players]

    def teller(self) -> Teller:
        """The teller of happenings for this table as it stands."""
        rules = self.rules
        powers = [rules.hero(ident).power.name for ident in rules.heroes] if rules is not None else ()
        return Teller(self.names, self._cards(rules), self.me, powers)

    def tell(self, event: Event) -> list[Line]:
        """The lines for an event; none for what only moves a mark on the screen."""
        match event:
            case LobbyChanged():
                return self._lobby(event)
            case PhaseChanged(back=True):
                return [Line(BACK, "dim")]
            case Watching(turns):
                since = f"from turn {turns} on" if turns else "from the beginning"
                return [Line(WATCHING.format(who=listed(self.names), since=since), "strong")]
            case PhaseChanged(phase, hand) if phase in PHASES:
                return [Line(PHASES[phase].format(hand=hand), "dim")]
            case Happened(happenings):
                return self._happened(happenings)
            case Refused(message, hint):
                lines = [Line(f"not taken: {visible(told(message))}", "error")]
                return [*lines, Line(visible(told(hint)), "dim")] if hint else lines
            case HandOver():
                return hand_lines(event, self.names, self.rules, self._cards(self.rules))
            case Notice(message, hint):
                lines = [Line(visible(told(message)), "strong")]
                return [*lines, Line(visible(told(hint)), "dim")] if hint else lines
            case Chatted(seat):
                return [Line(remark(event, self.names), "chat", seat)]
            case PacksOffered(heroes):
                named = listed(visible(hero) for hero in heroes)
                return [Line(f"{PACKS_OFFERED} {named}. {PACKS_HARMLESS}", "strong")]
            case MatchOver(winner, scores):
                return [match_line(winner, scores, self.names)]
            case LinkChanged(seat, up, detail):
                self._unreached.discard(seat)
                return self._link(seat, up, detail)
            case AbsenceChanged(seat, absent):
                return self._absence(seat, absent)
            case Redial(seat, seconds, reason):
                return self._redial(seat, seconds, reason)
            case Accused(seat, reason, step):
                self._cheats.add(seat)
                who = self.teller().who(seat)
                return [
                    Line(f"{who} cheated at step {step}: {visible(told(reason))}", "alarm", seat),
                    Line("The proof is in the journal; the cheat is taken off the table", "alarm", seat),
                ]
            case Abandoned(reason, waiting):
                missing = f" (waited for {listed(self._name(seat) for seat in waiting)})" if waiting else ""
                return [Line(f"The table ends without a result: {visible(told(reason))}{missing}", "error")]
        return []

    def _name(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.players) else f"seat {seat + 1}"

    def _lobby(self, event: LobbyChanged) -> list[Line]:
        """Who came and who went; the seats are numbered only at the agreement, so names are all there is."""
        names = tuple(visible(player.name) + (" (bot)" if player.bot else "") for player in event.players)
        heroes = {
            name: f" as {hero_name(self.rules, player.hero)}" if player.hero else ""
            for name, player in zip(names, event.players, strict=True)
        }
        came = [Line(f"{name} sits down{heroes[name]}") for name in _without(names, self._seated)]
        went = [Line(f"{name} leaves") for name in _without(self._seated, names)]
        count = Line(f"{len(names)} of {event.wanted} seats taken", "dim")
        self._seated = names
        met = [line for player in event.players for line in self._introduce(player)]
        return [*came, *met, *went, count] if came or went or met else []

    def _introduce(self, player: Player) -> list[Line]:
        """Once for each key: who it is, if that is not what we expect of the name (C46)."""
        if player.key in self._introduced:
            return []
        self._introduced.add(player.key)
        who = visible(player.name)
        if player.standing is Standing.OTHER_KEY:
            return [
                Line(f"CAUTION: this is not the key of the {who} you have played with", "alarm"),
                Line(f"ask {who} in person to read out the safety words: {words(player.key)}", "alarm"),
            ]
        if player.standing is Standing.NEW:
            return [Line(f"{who} is new to you; the safety words are {words(player.key)}", "dim")]
        return []

    def _happened(self, happenings: Sequence[Happening]) -> list[Line]:
        """Who won is told with the hand's result, which comes next. Who leaves while absent has been removed (R56)."""
        lines: list[Line] = []
        others: list[Happening] = []
        for h in happenings:
            if h.what is What.LEFT and h.seat in self._away | self._cheats:
                self._off.add(h.seat)
                text = CHEAT_OFF if h.seat in self._cheats else OURS_OFF if h.seat == self.me else TAKEN_OFF
                lines.append(Line(text.format(who=self._name(h.seat)), "strong", h.seat))
            elif h.what is not What.WON:
                others.append(h)
        return [*lines, *self.teller().tell(others)]

    def _absence(self, seat: int, absent: bool) -> list[Line]:
        if absent:
            self._away.add(seat)
        else:
            self._away.discard(seat)
        if seat in self._off or seat in self._cheats:  # no longer absent, but not because it is back
            return []
        if seat == self.me:
            text = "You were away: the others let you in again at the next move" if absent else "You are back"
        elif absent:
            text = f"{self._name(seat)} does not answer: the table goes on, the seat and the hand stay"
        else:
            text = f"{self._name(seat)} is back"
        return [Line(text, "strong", seat)]

    def _redial(self, seat: int, seconds: float, reason: str) -> list[Line]:
        """Once for as long as there is no link: a log full of failed calls hides the game."""
        if seconds < LONG_WAIT or seat in self._unreached:
            return []
        self._unreached.add(seat)
        why = f" ({visible(told(reason))})" if reason else ""
        return [Line(f"no link to {self._name(seat)} yet{why}: it is tried again and again", "dim", seat)]

    def _link(self, seat: int, up: bool, detail: str) -> list[Line]:
        more = f": {visible(told(detail))}" if detail else ""
        if up:
            return [Line(f"{self._name(seat)} is connected{more}", "dim", seat)]
        return [Line(f"the link to {self._name(seat)} is down{more}", "error", seat)]


def progress_line(event: Progress, names: Sequence[str]) -> str:
    """One short line for a step that waits: "shuffle 3/4, waiting for Bo"."""
    waiting = [names[seat] for seat in event.waiting if 0 <= seat < len(names)]
    more = f", waiting for {listed(waiting)}" if waiting else ""
    return f"{told(event.what)} {event.done}/{event.total}{more}"


def hand_lines(event: HandOver, names: Sequence[str], rules: Rules | None, card: Namer | None = None) -> list[Line]:
    """How a hand ended: who won, what each loser held and what it counts, the totals (P22, R80)."""
    outcome = event.outcome
    if rules is not None and rules.family == "ultimate":
        return [_heroic_end(event, names)]
    title = {
        Ending.EMPTY_HAND: "{who} wins hand {hand} with {points} points",
        Ending.BLOCKED: "Hand {hand} is blocked: {who} wins with {points} points",
        Ending.FORFEIT: "Hand {hand} is forfeited: {who} wins it without points",
        Ending.LAST_STANDING: "{who} is the last one left and wins hand {hand} with {points} points",
    }[outcome.ending]
    if 0 <= outcome.winner < len(names):
        title = title.format(who=names[outcome.winner], hand=event.hand, points=outcome.points)
    else:
        title = f"Hand {event.hand} is blocked and tied: nobody scores"
    lines = [Line(title, "good", outcome.winner)]
    card = card or namer(rules)
    for seat, faces in enumerate(outcome.hands):
        unopened = outcome.ending is Ending.FORFEIT and not faces  # R56: nobody is left who could open them
        if seat == outcome.winner or seat >= len(names) or unopened:
            continue
        points = sum(rules.kinds[face].points for face in faces if face >= 0) if rules is not None else 0
        held = texts(map(card, sorted(faces))) or "nothing"
        lines.append(Line(f"{names[seat]} held {held}: {points}", "", seat))
    target = f"; {rules.score_target} points win the match" if rules is not None and rules.score_target else ""
    lines.append(Line(f"{score_line(event.scores, names)}{target}", "strong"))
    return lines


def _heroic_end(event: HandOver, names: Sequence[str]) -> Line:
    """How a hand of UNO Ultimate ended: there are no points, and nobody's cards are shown (R49, R58)."""
    outcome = event.outcome
    who = names[outcome.winner] if 0 <= outcome.winner < len(names) else "Nobody"
    how = {
        Ending.EMPTY_HAND: "{0} plays the last card and wins hand {1}",
        Ending.LAST_STANDING: "{0} is the last one whose deck has not run dry and wins hand {1}",
        Ending.FORFEIT: "{0} wins hand {1} by forfeit",
        Ending.BLOCKED: "{0} wins hand {1}, which is blocked",
    }[outcome.ending]
    return Line(how.format(who, event.hand), "good", outcome.winner)


def score_line(scores: Sequence[int], names: Sequence[str]) -> str:
    """The totals, highest first."""
    pairs = sorted(zip(scores, names, strict=False), key=lambda pair: -pair[0])
    return "Score: " + ", ".join(f"{name} {score}" for score, name in pairs)


def match_line(winner: int, scores: Sequence[int], names: Sequence[str]) -> Line:
    """Who won the match, and by how much."""
    if not 0 <= winner < len(names):
        return Line("The match is tied", "good")
    others = [score for seat, score in enumerate(scores) if seat != winner]
    ahead = scores[winner] - max(others) if others and winner < len(scores) else 0
    lead = f", {ahead} points ahead" if ahead > 0 else ""
    return Line(f"{names[winner]} wins the match{lead}", "good", winner)


def _without(names: Sequence[str], known: Sequence[str]) -> list[str]:
    rest = list(known)
    out = []
    for name in names:
        if name in rest:
            rest.remove(name)
        else:
            out.append(name)
    return out
