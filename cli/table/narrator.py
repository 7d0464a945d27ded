"""What a node tells, as lines for people: the one source of the event log and of the line mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cli.language import N_, _, told
from cli.setup.making import STAGES
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
    GotUp,
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

BACK: Final = N_("You are back at your seat")
"""What is told when our program was started again."""

WATCHING: Final = N_("You watch {who} from the beginning: you see what all players see, and no hidden card")
WATCHING_SINCE: Final = N_("You watch {who} from turn {turn} on: you see what all players see, and no hidden card")
"""What is told to who has no seat."""

STEPS: Final = {**dict(STAGES), "shares": N_("open cards")}
"""What a step is for people; shares open cards during the hand as well as before it."""
PHASES: Final = {
    Phase.AGREE: N_("Everybody signs the rules and the seats"),
    Phase.COMMIT: N_("Hand {hand}: making keys together"),
    Phase.PLAY: N_("Hand {hand}: everybody shuffles the deck in turn"),
}
"""What is told when a phase begins; the other phases speak for themselves."""

PACKS_OFFERED: Final = N_(
    "This table may play heroes of a player's own making: {heroes}. Their packs are data without any code."
)

LONG_WAIT: Final = 2.0
"""Seconds until the next try to reach a seat from which on it is worth telling."""

TAKEN_OFF: Final = N_("{who}, who is away, is taken off the table")
OURS_OFF: Final = N_("You were away, and are taken off the table")
CHEAT_OFF: Final = N_("{who} is taken off the table for cheating")


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
        self._sitting: dict[bytes, Player] = {}  # who sat where before the start, as told last
        self._unreached: set[int] = set()  # of whom it was told that there is no link
        self._away: set[int] = set()
        self._cheats: set[int] = set()
        self._off: set[int] = set()  # who is no longer at the table, or not in this hand
        self._risen: set[int] = set()  # who has got up and is gone for good

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
                return [Line(_(BACK), "dim")]
            case Watching(turns):
                text = _(WATCHING_SINCE if turns else WATCHING)
                return [Line(text.format(who=listed(self.names), turn=turns), "strong")]
            case PhaseChanged(phase, hand) if phase in PHASES:
                return [Line(_(PHASES[phase]).format(hand=hand), "dim")]
            case Happened(happenings):
                return self._happened(happenings)
            case Refused(message, hint):
                lines = [Line(_("not taken: {why}").format(why=visible(told(message))), "error")]
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
                return [Line(_(PACKS_OFFERED).format(heroes=named), "strong")]
            case MatchOver(winner, scores):
                return [match_line(winner, scores, self.names)]
            case LinkChanged(seat, up, detail):
                self._unreached.discard(seat)
                return self._link(seat, up, detail)
            case AbsenceChanged(seat, absent):
                return self._absence(seat, absent)
            case GotUp(seat):
                return self._got_up(seat)
            case Redial(seat, seconds, reason):
                return self._redial(seat, seconds, reason)
            case Accused(seat, reason, step):
                self._cheats.add(seat)
                cheated = (
                    _("You cheated at step {step}: {why}")
                    if seat == self.me
                    else _("{who} cheated at step {step}: {why}")
                )
                text = cheated.format(who=self.teller().who(seat), step=step, why=visible(told(reason)))
                proof = _("The proof is in the journal; the cheat is taken off the table")
                return [Line(text, "alarm", seat), Line(proof, "alarm", seat)]
            case Abandoned(reason, waiting):
                ends = _("The table ends without a result: {why}").format(why=visible(told(reason)))
                if waiting:
                    who = listed(self._name(seat) for seat in waiting)
                    ends = _("{ends} (waited for {who})").format(ends=ends, who=who)
                return [Line(ends, "error")]
        return []

    def _name(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.players) else _("seat {n}").format(n=seat + 1)

    def _lobby(self, event: LobbyChanged) -> list[Line]:
        """Who came and who went; the seats are numbered only at the agreement, so names are all there is."""
        names = tuple(visible(player.name) + (f" ({_('bot')})" if player.bot else "") for player in event.players)
        heroes = {name: hero_name(self.rules, player.hero) for name, player in zip(names, event.players, strict=True)}
        came = []
        for name in _without(names, self._seated):
            sits = _("{who} sits down as {hero}") if heroes[name] else _("{who} sits down")
            came.append(Line(sits.format(who=name, hero=heroes[name])))
        went = [Line(_("{who} leaves").format(who=name)) for name in _without(self._seated, names)]
        count = Line(_("{n} of {seats} seats taken").format(n=len(names), seats=event.wanted), "dim")
        self._seated = names
        sitting = enumerate(event.players)
        changed = [line for place, player in sitting for line in self._changed(player, place == event.me)]
        self._sitting = {player.key: player for player in event.players}
        met = [line for player in event.players for line in self._introduce(player)]
        return [*came, *met, *went, *changed, count] if came or went or met else changed

    def _changed(self, player: Player, me: bool) -> list[Line]:
        """What somebody who sits here already has made up its mind about since."""
        before = self._sitting.get(player.key)
        if before is None:
            return []
        lines = []
        name = visible(player.name)
        if player.hero != before.hero:
            hero = hero_name(self.rules, player.hero) or _("a hero by lot")
            text = _("You play {hero}") if me else _("{name} plays {hero}")
            lines.append(text.format(name=name, hero=hero))
        if player.seat != before.seat:
            text = _("You sit at seat {seat} now") if me else _("{name} sits at seat {seat} now")
            lines.append(text.format(name=name, seat=player.seat + 1))
        if player.ready != before.ready:
            if player.ready:
                text = _("You are ready") if me else _("{name} is ready")
            else:
                text = _("You are not ready after all") if me else _("{name} is not ready after all")
            lines.append(text.format(name=name))
        return [Line(line) for line in lines]

    def _introduce(self, player: Player) -> list[Line]:
        """Once for each key: who it is, if that is not what we expect of the name (C46)."""
        if player.key in self._introduced:
            return []
        self._introduced.add(player.key)
        who, safe = visible(player.name), words(player.key)
        if player.standing is Standing.OTHER_KEY:
            ask = _("ask {who} in person to read out the safety words: {words}")
            return [
                Line(_("CAUTION: this is not the key of the {who} you have played with").format(who=who), "alarm"),
                Line(ask.format(who=who, words=safe), "alarm"),
            ]
        if player.standing is Standing.NEW:
            return [Line(_("{who} is new to you; the safety words are {words}").format(who=who, words=safe), "dim")]
        return []

    def _happened(self, happenings: Sequence[Happening]) -> list[Line]:
        """Who won is told with the hand's result, which comes next. Who leaves while absent has been removed (R56)."""
        lines: list[Line] = []
        others: list[Happening] = []
        for h in happenings:
            if h.what is What.LEFT and h.seat in self._away | self._cheats:
                self._off.add(h.seat)
                text = CHEAT_OFF if h.seat in self._cheats else OURS_OFF if h.seat == self.me else TAKEN_OFF
                lines.append(Line(_(text).format(who=self._name(h.seat)), "strong", h.seat))
            elif h.what is not What.WON:
                others.append(h)
                self._risen |= {h.seat} if h.what is What.LEFT else set()
        return [*lines, *self.teller().tell(others)]

    def _absence(self, seat: int, absent: bool) -> list[Line]:
        if absent:
            self._away.add(seat)
        else:
            self._away.discard(seat)
        if seat in self._off or seat in self._cheats:  # no longer absent, but not because it is back
            return []
        if seat == self.me:
            away = _("You were away: the others let you in again at the next move")
            text = away if absent else _("You are back")
        elif absent:
            text = _("{who} does not answer: the table goes on, the seat and the hand stay")
        else:
            text = _("{who} is back")
        return [Line(text.format(who=self._name(seat)), "strong", seat)]

    def _got_up(self, seat: int) -> list[Line]:
        """At once, as the table may wait for our move long before it goes on without that seat."""
        self._risen.add(seat)
        alone = set(range(len(self.players))) - self._risen - self._off == {self.me}
        text = (
            _("{who} has left the table: make your move, and the game is over")
            if alone
            else _("{who} has left the table: it goes on with the others at the next move")
        )
        return [Line(text.format(who=self._name(seat)), "strong", seat)]

    def _redial(self, seat: int, seconds: float, reason: str) -> list[Line]:
        """Once for as long as there is no link: a log full of failed calls hides the game."""
        if seconds < LONG_WAIT or seat in self._unreached:
            return []
        self._unreached.add(seat)
        why = f" ({visible(told(reason))})" if reason else ""
        text = _("no link to {who} yet{why}: it is tried again and again")
        return [Line(text.format(who=self._name(seat), why=why), "dim", seat)]

    def _link(self, seat: int, up: bool, detail: str) -> list[Line]:
        more = f": {visible(told(detail))}" if detail else ""
        if up:
            return [Line(_("{who} is connected").format(who=self._name(seat)) + more, "dim", seat)]
        if seat in self._risen:
            return []
        return [Line(_("the link to {who} is down").format(who=self._name(seat)) + more, "error", seat)]


def progress_line(event: Progress, names: Sequence[str]) -> str:
    """One short line for a step that waits: "shuffle 3/4, waiting for Bo"."""
    waiting = [names[seat] for seat in event.waiting if 0 <= seat < len(names)]
    what = _(STEPS[event.what]) if event.what in STEPS else told(event.what)
    done = f"{what} {event.done}/{event.total}"
    if event.rounds > 1:
        done = _("{done}, round {round} of {rounds}").format(done=done, round=event.round, rounds=event.rounds)
    return _("{done}, waiting for {who}").format(done=done, who=listed(waiting)) if waiting else done


def hand_lines(event: HandOver, names: Sequence[str], rules: Rules | None, card: Namer | None = None) -> list[Line]:
    """How a hand ended: who won, what each loser held and what it counts, the totals (P22, R80)."""
    outcome = event.outcome
    if rules is not None and rules.family == "ultimate":
        return [_heroic_end(event, names)]
    title = {
        Ending.EMPTY_HAND: _("{who} wins hand {hand} with {points} points"),
        Ending.BLOCKED: _("Hand {hand} is blocked: {who} wins with {points} points"),
        Ending.FORFEIT: _("Hand {hand} is forfeited: {who} wins it without points"),
        Ending.LAST_STANDING: _("{who} is the last one left and wins hand {hand} with {points} points"),
    }[outcome.ending]
    if 0 <= outcome.winner < len(names):
        title = title.format(who=names[outcome.winner], hand=event.hand, points=outcome.points)
    else:
        title = _("Hand {hand} is blocked and tied: nobody scores").format(hand=event.hand)
    lines = [Line(title, "good", outcome.winner)]
    card = card or namer(rules)
    for seat, faces in enumerate(outcome.hands):
        unopened = outcome.ending is Ending.FORFEIT and not faces  # R56: nobody is left who could open them
        if seat == outcome.winner or seat >= len(names) or unopened:
            continue
        points = sum(rules.kinds[face].points for face in faces if face >= 0) if rules is not None else 0
        held = texts(map(card, sorted(faces))) or _("nothing")
        text = _("{who} held {cards}: {points}").format(who=names[seat], cards=held, points=points)
        lines.append(Line(text, "", seat))
    score = score_line(event.scores, names)
    if rules is not None and rules.score_target:
        score = _("{score}; {n} points win the match").format(score=score, n=rules.score_target)
    lines.append(Line(score, "strong"))
    return lines


def _heroic_end(event: HandOver, names: Sequence[str]) -> Line:
    """How a hand of UNO Ultimate ended: there are no points, and nobody's cards are shown (R49, R58)."""
    outcome = event.outcome
    who = names[outcome.winner] if 0 <= outcome.winner < len(names) else _("Nobody")
    how = {
        Ending.EMPTY_HAND: _("{who} plays the last card and wins hand {hand}"),
        Ending.LAST_STANDING: _("{who} is the last one whose deck has not run dry and wins hand {hand}"),
        Ending.FORFEIT: _("{who} wins hand {hand} by forfeit"),
        Ending.BLOCKED: _("{who} wins hand {hand}, which is blocked"),
    }[outcome.ending]
    return Line(how.format(who=who, hand=event.hand), "good", outcome.winner)


def score_line(scores: Sequence[int], names: Sequence[str]) -> str:
    """The totals, highest first."""
    pairs = sorted(zip(scores, names, strict=False), key=lambda pair: -pair[0])
    return _("Score: {scores}").format(scores=", ".join(f"{name} {score}" for score, name in pairs))


def match_line(winner: int, scores: Sequence[int], names: Sequence[str]) -> Line:
    """Who won the match, and by how much."""
    if not 0 <= winner < len(names):
        return Line(_("The match is tied"), "good")
    others = [score for seat, score in enumerate(scores) if seat != winner]
    ahead = scores[winner] - max(others) if others and winner < len(scores) else 0
    wins = _("{who} wins the match, {n} points ahead") if ahead > 0 else _("{who} wins the match")
    return Line(wins.format(who=names[winner], n=ahead), "good", winner)


def _without(names: Sequence[str], known: Sequence[str]) -> list[str]:
    rest = list(known)
    out = []
    for name in names:
        if name in rest:
            rest.remove(name)
        else:
            out.append(name)
    return out
