"""Before the start, as one player sees it: the seats, the heroes, what can be asked for.

Pure: events and keys go in, at most one change comes out. `draw` shows it, `words` says it, `typed` reads lines.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol, TypeAlias

from cli.language import N_, _, ngettext, told
from cli.reach import join_lines
from cli.setup.making import Making
from cli.table.cards import hero_name
from cli.table.key_words import no_use
from cli.text import listed, visible
from p2puno.hero import Hero
from p2puno.rules import Rules
from protocol.events import Event, LobbyChanged, Phase, PhaseChanged, Player, Refused


@dataclass(frozen=True, slots=True)
class Prepare:
    """The player wants another hero ("": by lot), another seat, or says whether it is ready; None: as it is."""

    hero: str | None = None
    seat: int | None = None
    ready: bool | None = None


class Creator(StrEnum):
    """What only the table's creator can do."""

    START = "start"
    BOT = "bot"


Change: TypeAlias = Prepare | Creator


class Grants(Protocol):
    """The part of a session that changes are asked of."""

    def prepare(self, hero: str | None = None, seat: int | None = None, ready: bool | None = None) -> None:
        """Ask for these."""

    def start(self) -> None:
        """Begin without the free seats."""

    def add_bot(self) -> None:
        """Let a bot take a free seat."""


def ask_table(change: Change, session: Grants) -> None:
    """Ask the table for it; what it does not grant comes back as an event."""
    match change:
        case Prepare(hero, seat, ready):
            session.prepare(hero, seat, ready)
        case Creator.START:
            session.start()
        case Creator.BOT:
            session.add_bot()


class Pane(StrEnum):
    """What is shown: the seats, the heroes to choose from, or the rules in full."""

    SEATS = "seats"
    HEROES = "heroes"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat before the start, free or taken; `hero`: its name, "" where none is chosen or there are none."""

    seat: int
    player: Player | None = None
    hero: str = ""
    me: bool = False

    @property
    def name(self) -> str:
        """The name, fit for any screen, with what else there is to know of it; "free" if nobody sits here."""
        if self.player is None:
            return _("free")
        name = visible(self.player.name)
        if self.me:
            return _("{name} (you)").format(name=name)
        return _("{name} (bot)").format(name=name) if self.player.bot else name

    @property
    def mark(self) -> str:
        """What stands behind the name, as in " (you)"; it is not to be cut off with a long name."""
        bare = visible(self.player.name) if self.player is not None else ""
        return self.name.removeprefix(bare) if bare and self.name.startswith(bare) else ""

    @property
    def ready(self) -> bool:
        """Whether whoever sits here is ready."""
        return self.player is not None and self.player.ready


@dataclass(frozen=True, slots=True)
class Choice:
    """A hero that may be played: None stands for "by lot"; who has it, if somebody does."""

    hero: Hero | None
    taken: str = ""
    mine: bool = False


ONLY_CREATOR: Final = N_("only who created the table can do that")
NO_HEROES: Final = N_("this game has no heroes")
FULL: Final = N_("all seats are taken")


@dataclass(slots=True)
class Setup:
    """Fed with every event of the table. `cursor`: the seat, or the hero in the open list; `top`: the first line that
    is shown of a text that may be too long."""

    players: tuple[Player, ...] = ()
    wanted: int = 0
    me: int = -1  # our place among the players
    creator: bool = False
    joins: tuple[str, ...] = ()  # what others type to sit down here
    rules: Rules | None = None
    pane: Pane = Pane.SEATS
    cursor: int = 0
    top: int = 0
    note: str = ""
    gathering: bool = False  # whether the table has not begun
    making: Making = field(default_factory=Making)

    def take(self, event: Event, rules: Rules | None) -> None:
        """Remember what this event changes."""
        self.making.take(event)
        match event:
            case LobbyChanged(players, wanted, addresses, code, me, creator):
                first = self.me < 0
                self.players, self.wanted, self.me, self.creator = players, wanted, me, creator
                self.joins = join_lines(addresses, code) or self.joins
                self.rules, self.gathering, self.note = rules, True, ""
                own = self.own
                if first and own is not None:
                    self.cursor = own.seat
                self.cursor = min(self.cursor, self._last())
            case PhaseChanged(phase) if phase is not Phase.LOBBY:
                self.rules, self.gathering, self.pane = rules, False, Pane.SEATS
            case Refused() if self.gathering:
                self.note = ": ".join(filter(None, (told(event.message), told(event.hint))))

    # -- what there is to see

    @property
    def own(self) -> Player | None:
        """We ourselves, None before we have a seat."""
        return self.players[self.me] if 0 <= self.me < len(self.players) else None

    def chairs(self) -> list[Chair]:
        """Every seat of the table."""
        sitting = {player.seat: (place, player) for place, player in enumerate(self.players)}
        found = []
        for seat in range(self.wanted):
            if seat not in sitting:
                found.append(Chair(seat))
                continue
            place, player = sitting[seat]
            found.append(Chair(seat, player, hero_name(self.rules, player.hero), place == self.me))
        return found

    def choices(self) -> list[Choice]:
        """By lot, and every hero of the table."""
        if self.rules is None or not self.rules.offered():
            return []
        own = self.own
        owners = {player.hero: player for player in self.players if player.hero}
        found = [Choice(None, mine=own is not None and not own.hero)]
        for ident in self.rules.offered():
            owner = owners.get(ident)
            mine = owner is not None and owner is own
            found.append(Choice(self.rules.hero(ident), visible(owner.name) if owner and not mine else "", mine))
        return found

    @property
    def has_heroes(self) -> bool:
        """Whether there are heroes to choose from."""
        return self.rules is not None and bool(self.rules.offered())

    @property
    def free(self) -> int:
        """How many seats nobody has taken."""
        return max(0, self.wanted - len(self.players))

    @property
    def escrow(self) -> bool:
        """Whether this table goes on without who drops out, for which all deposit shares."""
        return self.rules is not None and self.rules.drop_outs > 0 and len(self.players) > 2

    def waiting(self) -> str:
        """What the table waits for."""
        words = []
        if self.free:
            words.append(
                ngettext("waiting for {count} more player", "waiting for {count} more players", self.free).format(
                    count=self.free
                )
            )
        who = [_("you") if player is self.own else visible(player.name) for player in self.unready()]
        if who:
            words.append(_("not ready yet: {who}").format(who=listed(who, _("and"))))
        return "; ".join(words) or _("the table begins")

    def unready(self) -> list[Player]:
        """Who sits here and is not ready."""
        return [player for player in self.players if not player.ready]

    def preview(self) -> str:
        """One line: what can be done now, and what is waited for."""
        if self.pane is Pane.RULES:
            return _("up and down: read on   Esc: back to the seats")
        if self.pane is Pane.HEROES:
            return self._hero_preview()
        chair = self.chairs()[self.cursor] if self.cursor < self.wanted else None
        own = self.own
        if own is not None and chair is not None and not chair.me and (chair.player is None or chair.player.bot):
            return _("Enter: sit down at seat {seat}").format(seat=chair.seat + 1)
        if own is not None and not own.ready:
            return _("r: say that you are ready") + "; " + self.waiting()
        return self.waiting()

    def _hero_preview(self) -> str:
        choices = self.choices()
        choice = choices[self.cursor]
        place = f"({self.cursor + 1}/{len(choices)})"
        if choice.taken:
            text = _("{who} plays that hero").format(who=choice.taken)
        elif choice.hero is None:
            text = _("Enter: take a hero by lot")
        else:
            text = _("Enter: play {hero}").format(hero=visible(choice.hero.name))
        return f"{text} {place}   " + _("Esc: back to the seats")

    # -- what the player does

    @property
    def opened(self) -> bool:
        """Whether something lies over the seats, so that the keys mean that."""
        return self.gathering and self.pane is not Pane.SEATS

    def press(self, key: str) -> tuple[bool, Change | None]:
        """Take a key; whether it meant something here, and what the player wants by it."""
        if not self.gathering:
            return False, None
        self.note = ""
        if self.pane is Pane.RULES:
            return self._read(key), None
        if self.pane is Pane.HEROES:
            return self._choose(key)
        match key:
            case "up" | "down":
                self.cursor = (self.cursor + (1 if key == "down" else -1)) % max(1, self.wanted)
            case "home" | "end":
                self.cursor = 0 if key == "home" else self._last()
            case "enter" | "s":
                return True, Prepare(seat=self.cursor)
            case "r":
                return True, Prepare(ready=self.own is None or not self.own.ready)
            case "h" | "i" if self.has_heroes:
                self._open(Pane.HEROES)
                self.cursor = next((place for place, choice in enumerate(self.choices()) if choice.mine), 0)
            case "h":
                self.note = _(NO_HEROES)
            case "o":
                self._open(Pane.RULES)
            case "b":
                return True, self._creators(Creator.BOT)
            case "g":
                return True, self._creators(Creator.START)
            case _:
                return False, None
        return True, None

    def pick(self, place: int) -> Change | None:
        """A click on a line: the first one chooses it, the second one is Enter."""
        if place == self.cursor:
            return self.press("enter")[1]
        if 0 <= place <= self._last():
            self.cursor, self.top = place, 0
        return None

    def _creators(self, change: Creator) -> Change | None:
        if not self.creator:
            self.note = _(ONLY_CREATOR)
        elif change is Creator.BOT and not self.free:
            self.note = _(FULL)
        else:
            return change
        return None

    def _open(self, pane: Pane) -> None:
        self.pane, self.top = pane, 0

    def _close(self) -> None:
        self._open(Pane.SEATS)
        self.cursor = self.own.seat if self.own is not None else 0

    def _last(self) -> int:
        return max(0, (len(self.choices()) if self.pane is Pane.HEROES else self.wanted) - 1)

    def _read(self, key: str) -> bool:
        steps = {"up": -1, "down": 1, "pageup": -8, "pagedown": 8, "wheelup": -3, "wheeldown": 3}
        if key in steps:
            self.top = max(0, self.top + steps[key])
        elif key in ("escape", "o", "enter", "q"):
            self._close()
        else:
            self.note = no_use(key, helps=False)
        return True

    def _choose(self, key: str) -> tuple[bool, Change | None]:
        choices = self.choices()
        match key:
            case "up" | "down":
                self.cursor, self.top = (self.cursor + (1 if key == "down" else -1)) % len(choices), 0
            case "home" | "end":
                self.cursor, self.top = (0 if key == "home" else len(choices) - 1), 0
            case "pageup" | "pagedown" | "wheelup" | "wheeldown":
                self.top = max(0, self.top + (4 if key.endswith("down") else -4))
            case "enter":
                return True, self._play(choices[self.cursor])
            case "escape" | "h" | "q":
                self._close()
            case _:
                self.note = no_use(key, helps=False)
        return True, None

    def _play(self, choice: Choice) -> Change | None:
        if choice.taken:
            self.note = _("{who} plays that hero").format(who=choice.taken)
            return None
        self._close()
        return None if choice.mine else Prepare(hero=choice.hero.id if choice.hero is not None else "")
