"""The player's side of a turn: which card is chosen, which colour is named, what waits for a second "yes".

Pure: keys go in, at most one intent comes out. Nothing is signed before Enter, and `preview` says before it what
Enter will do (P21, R09).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, TypeAlias

from cli.language import N_, _
from cli.table.asking import Asking, Picker
from cli.table.cards import colour_name
from cli.table.inspector import pages
from cli.table.key_words import no_use
from cli.table.look import Asked, Held, Look, fits, why_not
from p2puno.moves import Accept, Challenge, Draw, Keep, Move, Play, Wish
from p2puno.needs import Say


class Leave(StrEnum):
    """The player wants to go."""

    NOW = "leave"


class Packs(StrEnum):
    """The player takes the heroes' packs that the table offers."""

    ACCEPT = "accept"


Intent: TypeAlias = Move | Say | Leave | Packs


class Question(StrEnum):
    """What is asked once before it is done, because it cannot be undone (P19)."""

    LEAVE = "leave"
    CHALLENGE = "challenge"
    PACKS = "packs"


COLOUR_KEYS: Final = {"r": 0, "y": 1, "g": 2, "b": 3}
TYPED_ARROWS: Final = {"<": "left", ">": "right"}
"""Arrows are written so in the foot line: who types the signs means them."""
DIGITS: Final = {str(n): (n - 1) % 10 for n in range(10)}
KEYS, SIGNS = 1, 2
"""The pages of the help; 0: it is closed."""

NOT_YOUR_TURN: Final = N_("it is not your turn")
NO_WINDOW: Final = N_("nobody is open to a catch now")
ONLY_WATCHING: Final = N_("you watch this table: nothing can be played; ? shows the keys")
WAIT: Final = N_("your answer is on its way")
UNO_TOO: Final = N_("   u call UNO with it")


@dataclass(slots=True)
class Chooser:
    """State of the choice. `cursor` counts in the shown hand, `picker` stands in the list of a question; `help`: its
    open page; `inspected`: the page of the inspector, -1 while it is closed, `scroll` the line at which it begins;
    `note` is the last thing to tell the player; `offered`: the heroes whose packs the player is asked to take;
    `watching`: there is no seat, and so nothing to choose."""

    cursor: int = 0
    picker: Picker = field(default_factory=Picker)
    colour: int = -1
    uno: bool = False
    question: Question | None = None
    help: int = 0
    inspected: int = -1
    scroll: int = 0
    note: str = ""
    sent: bool = False
    offered: tuple[str, ...] = ()
    watching: bool = False

    def offer(self, heroes: tuple[str, ...]) -> None:
        """Ask once whether to play with these heroes of somebody's own making."""
        if not self.offered:
            self.offered, self.question = heroes, Question.PACKS

    def asked_anew(self, look: Look) -> None:
        """The table needs something of us: put the cursor on a card that can be played, forget the last choice."""
        self.sent = False
        self.colour, self.uno, self.note = -1, False, ""
        self.picker.reset()
        if self.question is Question.CHALLENGE:
            self.question = None
        if look.asked in (Asked.CALL, Asked.CATCH):  # for seconds only: nobody is to miss it over the help or a card
            self.help, self.inspected = 0, -1
        held = self.held(look)
        if held is not None and not held.playable:
            good = (i for i, other in enumerate(look.hand) if other.playable or other.drawn)
            self.cursor = next(good, self.cursor)

    def held(self, look: Look) -> Held | None:
        """The card under the cursor, None with an empty hand. Keeps the cursor inside the hand."""
        if not look.hand:
            self.cursor = 0
            return None
        self.cursor = min(max(self.cursor, 0), len(look.hand) - 1)
        return look.hand[self.cursor]

    def move_to(self, look: Look, index: int) -> None:
        """Put the cursor on the card at `index` of the shown hand, if there is one."""
        if 0 <= index < len(look.hand) and index != self.cursor:
            self.cursor, self.colour = index, -1
        self.note = ""

    def preview(self, look: Look) -> str:
        """One line: what Enter will do now, or what is waited for."""
        if self.question is Question.LEAVE:
            return _("Leave the table? Enter or q: leave   any other key: stay")
        if self.question is Question.PACKS:
            return _("Play with these heroes? Enter or y: yes   n: leave the table")
        if self.help:
            more = self.help == KEYS and look.dealt
            return _("?: what the signs mean   else: back") if more else _("any key: back")
        if self.inspected >= 0:
            page, count = self.page(look) + 1, len(pages(look, self.cursor))
            return _("i, left, right: next card ({page} of {count})   Esc close").format(page=page, count=count)
        who = look.name(look.about)
        if self.question is Question.CHALLENGE:
            asked = _("Enter or c: challenge {who}{odds}; if that fails you draw 6   any other key: back")
            return asked.format(who=who, odds=odds_shown(look.odds))
        if self.sent:
            return _(WAIT)
        match look.asked:
            case Asked.CALL:
                return _("You forgot UNO: u calls it now, before somebody catches you")
            case Asked.CATCH:
                return _("{who} has one card and has not called UNO: c catch   p pass").format(who=who)
            case Asked.CHALLENGE:
                return _("{who} played a Wild Draw Four on you: a accept (draw 4)   c challenge").format(who=who)
            case Asked.CHOICE if look.asking is not None:
                return self._choice_preview(look, look.asking)
            case Asked.NOTHING | Asked.CHOICE:
                return waiting(look)
        held = self.held(look)
        if held is None or not held.playable:
            return self._no_play(look, held)
        if held.card.naming and self.colour < 0:
            return _("{card} needs a colour: r red   y yellow   g green   b blue").format(card=held.card.text)
        if held.card.naming:
            play = _("Enter: play {card} as {colour} and call UNO") if self.uno else _("Enter: play {card} as {colour}")
        else:
            play = _("Enter: play {card} and call UNO") if self.uno else _("Enter: play {card}")
        could = not self.uno and any(move.uno for move in look.plays(held.slot))
        return play.format(card=held.card.text, colour=colour_name(self.colour)) + (_(UNO_TOO) if could else "")

    def page(self, look: Look) -> int:
        """Which page of the inspector is open; kept inside what there is."""
        return self.inspected % len(pages(look, self.cursor))

    def _choice_preview(self, look: Look, asking: Asking) -> str:
        stage = self.picker.stage(asking)
        option = stage.options[self.picker.at]
        call = _(" and call UNO") if self.uno and option.move is not None else ""
        if not self.uno and any(isinstance(move, Play | Wish) and move.uno for move in look.moves):
            call = _(UNO_TOO)
        back = _("   Esc back") if self.picker.path else ""
        what = _("Enter: {what}").format(what=option.enter + call)
        return f"{what} ({self.picker.at + 1}/{len(stage.options)}){back}"

    def _no_play(self, look: Look, held: Held | None) -> str:
        other = _("k keep") if look.can_keep else _("d draw") if look.can_draw else _("play the card drawn")
        if not any(h.playable for h in look.hand):
            if look.asked is Asked.DRAWN:
                return _("the card drawn does not fit: {other}").format(other=other)
            return _("no card fits ({fits}): {other}").format(fits=fits(look), other=other)
        return f"{why_not(look, held) if held else _(NOT_YOUR_TURN)}   {other}"

    def press(self, key: str, look: Look, columns: int = 10) -> Intent | None:
        """Take a key (a letter, or left, right, up, down, home, end, enter, escape); what the player wants by it."""
        self.note = ""
        if self.question is not None:
            return self._answer(key)
        if self.help:
            self.help = SIGNS if key == "?" and self.help == KEYS and look.dealt else 0
            return None
        if key == "i":
            self.inspected, self.scroll = (self.inspected + 1 if self.inspected >= 0 else 0), 0
            return None
        if self.inspected >= 0:
            self._inspect(key, look)
            return None
        if self.watching:
            return self._watch(key)
        if look.asked is Asked.CHOICE and look.asking is not None and key not in ("?", "q"):
            return self._choose(key, look, look.asking)
        steps = {"left": -1, "right": 1, "up": -columns, "down": columns}
        if key in steps:
            target = self.cursor + steps[key]
            if abs(steps[key]) == 1 and look.hand:
                target %= len(look.hand)
            self.move_to(look, target)
        elif key in ("home", "end"):
            self.move_to(look, 0 if key == "home" else len(look.hand) - 1)
        elif key in DIGITS:
            self.move_to(look, DIGITS[key])
        elif key == "escape":
            self.colour, self.uno = -1, False
        elif key == "?":
            self.help = KEYS
        elif key == "q":
            self.question = Question.LEAVE
        elif key in COLOUR_KEYS:
            self._name_colour(COLOUR_KEYS[key], look)
        elif key == "w":
            self._go_to(-1, look)
        else:
            return self._act(key, look)
        return None

    def is_free(self, key: str, look: Look) -> bool:
        """Whether a letter means nothing to what is asked now."""
        if look.asked is Asked.CHOICE and look.asking is not None:
            return all(option.key != key for option in self.picker.stage(look.asking).options)
        return not (look.asked is Asked.CATCH and key == "p")

    def _watch(self, key: str) -> Intent | None:
        """Who watches can go at once: nobody waits for them."""
        if key == "q":
            return Leave.NOW
        self.help = KEYS if key == "?" else 0
        self.note = "" if key in ("?", "escape") else _(ONLY_WATCHING)
        return None

    def inspect(self, look: Look, place: str) -> None:
        """Open the inspector at the first page of what lies there (`Page.place`); nothing for none."""
        for number, page in enumerate(pages(look, self.cursor)):
            if page.place == place:
                self.inspected, self.scroll = number, 0
                return

    def _inspect(self, key: str, look: Look) -> None:
        """Turn the pages of the inspector, or close it; a digit looks at another card of the hand."""
        key = TYPED_ARROWS.get(key, key)
        if key in ("left", "right"):
            self.inspected, self.scroll = self.page(look) + (1 if key == "right" else -1), 0
            self.inspected %= len(pages(look, self.cursor))
        elif key in ("up", "down"):
            self.scroll = max(0, self.scroll + (1 if key == "down" else -1))
        elif key in DIGITS:
            self.move_to(look, DIGITS[key])
            self.inspected, self.scroll = 0, 0
        else:
            self.inspected = -1

    def _choose(self, key: str, look: Look, asking: Asking) -> Intent | None:
        """One of a list: arrows, digits and letters go through it, Enter takes it, Esc goes back to the list before."""
        stage = self.picker.stage(asking)
        count = len(stage.options)
        letters = {option.key: place for place, option in enumerate(stage.options) if option.key}
        if self.sent:
            self.note = _(WAIT)
        elif key == "enter":
            move = self.picker.take(asking)
            called = replace(move, uno=True) if self.uno and isinstance(move, Play | Wish) else move
            return called if called in look.moves else move
        elif key in ("left", "up", "right", "down"):
            self.picker.at = (self.picker.at + (1 if key in ("right", "down") else -1)) % count
        elif key in ("home", "end"):
            self.picker.at = 0 if key == "home" else count - 1
        elif key in DIGITS:
            self.picker.at = DIGITS[key] if DIGITS[key] < count else self.picker.at
        elif key in letters:
            self.picker.at = letters[key]
        elif key == "escape":
            self.uno = False
            self.note = "" if self.picker.back(asking) else _("this must be answered")
        elif key == "u" and any(isinstance(move, Play | Wish) and move.uno for move in look.moves):
            self.uno = not self.uno
        else:
            self.note = _("arrows, numbers or letters choose, Enter takes it")
        return None

    def pick(self, look: Look, index: int) -> Intent | None:
        """A click on an option: the first one chooses it, the second one is Enter."""
        if look.asking is None or look.asked is not Asked.CHOICE:
            return None
        if index == self.picker.at:
            return self.press("enter", look)
        if index < len(self.picker.stage(look.asking).options):
            self.picker.at = index
        return None

    def _answer(self, key: str) -> Intent | None:
        question, self.question = self.question, None
        if question is Question.PACKS:
            if key in ("y", "enter"):
                return Packs.ACCEPT
            if key in ("n", "q", "escape"):
                return Leave.NOW
            self.question = question
        if question is Question.LEAVE and key in ("enter", "q"):
            return Leave.NOW
        if question is Question.CHALLENGE and key in ("enter", "c"):
            return Challenge()
        return None

    def _name_colour(self, colour: int, look: Look) -> None:
        held = self.held(look)
        if held is not None and held.playable and held.card.naming:
            self.colour = colour
        else:
            self._go_to(colour, look)

    def _go_to(self, colour: int, look: Look) -> None:
        """Put the cursor on the next card of a colour, -1 for a Wild; from the last one on to the first."""
        count = len(look.hand)
        order = ((self.cursor + step) % count for step in range(1, count + 1))
        place = next((place for place in order if look.hand[place].card.colour == colour), -1)
        if place >= 0:
            self.move_to(look, place)
        elif colour < 0:
            self.note = _("you have no Wild")
        else:
            self.note = _("you have no card in {colour}").format(colour=colour_name(colour))

    def _act(self, key: str, look: Look) -> Intent | None:
        if self.sent:
            self.note = _(WAIT)
            return None
        my_turn = look.asked in (Asked.TURN, Asked.DRAWN)
        match key:
            case "enter" if my_turn:
                return self._play(look)
            case "d" if my_turn and look.can_draw:
                return Draw()
            case "d" if look.asked is Asked.DRAWN:
                self.note = _("you have drawn already: play that card or k keep it")
            case "k" if look.can_keep:
                return Keep()
            case "k" if my_turn:
                self.note = _("there is nothing to keep: d draws a card")
            case "u":
                return self._uno(look)
            case "c" if look.asked is Asked.CATCH:
                return Say.CATCH
            case "p" if look.asked is Asked.CATCH:
                return Say.PASS
            case "c" if look.asked is Asked.CHALLENGE:
                self.question = Question.CHALLENGE
            case "a" if look.asked is Asked.CHALLENGE:
                return Accept()
            case "c":
                self.note = _(NO_WINDOW)
            case "enter" | "d" | "k" | "a":
                self.note = self.preview(look) if look.asked is not Asked.NOTHING else _(NOT_YOUR_TURN)
            case _:
                self.note = no_use(key)
        return None

    def _play(self, look: Look) -> Intent | None:
        held = self.held(look)
        if held is None or not held.playable:
            self.note = why_not(look, held) if held else _(NOT_YOUR_TURN)
            return None
        if held.card.naming and self.colour < 0:
            self.note = _("name the colour first: r, y, g or b")
            return None
        colour = self.colour if held.card.naming else -1
        return Play(held.slot, held.card.face, colour, self.uno)

    def _uno(self, look: Look) -> Intent | None:
        if look.asked is Asked.CALL:
            return Say.CALL
        if look.asked not in (Asked.TURN, Asked.DRAWN):
            self.note = _("UNO is called with the play that leaves you one card")
        elif len(look.hand) != 2:
            self.note = _("UNO counts only with the play that leaves you one card")
        else:
            self.uno = not self.uno
        return None


def waiting(look: Look) -> str:
    """Whom the table waits for, and whether we are only looking on."""
    out = any(seat.me and seat.out for seat in look.seats)
    for seat in look.seats:
        if seat.turn and not seat.me:
            who = _("waiting for {who}") if seat.here else _("waiting for {who} (not connected)")
            waits = who.format(who=seat.name)
            return _("you are out; {waits}").format(waits=waits) if out else waits
    return _("one moment")


def odds_shown(odds: float) -> str:
    """ ", wrong with 62 of 100 random hands", or nothing where nothing can be said. No chance to win: nobody plays a
    Wild Draw Four at random, and who has a match seldom does."""
    return _(", wrong with {percent} of 100 random hands").format(percent=round(100 * odds)) if odds >= 0 else ""
