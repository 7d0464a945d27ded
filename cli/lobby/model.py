"""The lobby without a terminal: the tables that are seen, where the cursor stands, what a key means.

Keys come as characters or as left, right, up, down, home, end, pageup, pagedown, enter, escape, backspace, tab,
backtab, wheelup, wheeldown; what is wanted goes out as an `Intent`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cli.announced import Entry, entry
from cli.lan import CAUSES
from cli.language import N_, _, told
from cli.lobby.form import Form
from cli.lobby.forms import AddressForm, HostForm, TableForm
from cli.lobby.intent import Browse, Go, Intent, Quit
from cli.lobby.pager import Block, Pager
from cli.table.explain import Found as Card
from cli.table.explain import marks
from cli.table.key_words import no_use
from cli.trouble import in_one_line, refused_by_system
from p2puno.hero import Hero
from p2puno.options import Value
from p2puno.rules import RulesError
from p2puno.said import message_of
from protocol.errors import P2punoError, PortTaken
from protocol.known import Acquaintance, Standing
from protocol.net.address import DEFAULT_PORT
from protocol.net.discovery import Sight


@dataclass(frozen=True, slots=True)
class Action:
    """Something to do that is no table of the list: its key, its name, what it is for."""

    key: str
    label: str
    meaning: str


ACTIONS: Final = (
    Action("h", N_("host a table"), N_("a table that others on your network join")),
    Action("j", N_("join by address"), N_("at a friend's table that is not in the list")),
    Action("p", N_("practice against bots"), N_("on this machine, at once")),
    Action("w", N_("watch by address"), N_("a running table that is not in the list")),
    Action("r", N_("resume"), N_("tables of yours that were cut off")),
    Action("s", N_("history and standings"), N_("how your tables ended, and who has won how much")),
    Action("k", N_("known players"), N_("whom you have played with, and your own safety words")),
    Action("q", N_("quit"), N_("leave the lobby")),
)
PAGES: Final = {"r": "resume", "k": "players"}
"""What is read from files when its key is pressed, and shown over the list."""

FULL: Final = N_("all seats of {name}'s table are taken; i says more of it")
UNKNOWN_GAME: Final = N_("This game is not known here: a newer p2puno may know it.")
SILENT: Final = N_("{name}'s table does not answer at the moment. Try all the same?")
STRANGER: Final = N_("{caution}. Go there all the same?")

OTHER_PORT: Final = N_("choose another port in the form, or 0 for any free one")
HERE: Final = N_("If you host a table, others join with:")

NOTHING_FOUND: Final = N_("No table was found so far. The usual causes:")
TYPED: Final = N_("A typed address works in any case: press j.")

HELP: Final = (
    N_("up, down: choose a table or what to do; Enter does it. A click chooses, a second click does it."),
    N_("1 to 9: that table of the list. i: all that is known of it."),
    N_("h host, j join by address, p practice, w watch by address, r resume, s history, k known players, q quit."),
    N_("In a form up and down go from field to field, left and right change one, digits choose a number, Enter on the "
       "first line does it, Esc goes back."),
    N_("A table in the list says what it is; who it is, only its safety words say. Ask for them by voice."),
    "",
    N_("Where a table is not found, the usual causes are:"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """Something that is asked once before it is done (P19)."""

    text: str
    go: Go
    private: bool


@dataclass(slots=True)
class Lobby:
    """Everything that is shown. `me`, `words`: our name and safety words; `here`: the commands by which a table on this
    machine is joined; `load`: reads a page of files by its name (`cli.lobby.pages`); `begin`: what the forms begin
    with; `own`: heroes of our own; `cut_off`: how many tables of ours can be taken up; `searched`: it was looked long
    enough to say that there is nothing; `note`: the last thing to tell; `page`: what lies over the list; `rows`: that
    a page has on the screen.
    """

    me: str = ""
    words: str = ""
    here: tuple[str, ...] = ()
    load: Callable[[str], Pager] = lambda name: Pager(name, ())
    begin: dict[str, Value] = field(default_factory=dict)
    own: Sequence[Hero] = ()
    cut_off: int = 0
    entries: tuple[Entry, ...] = ()
    trouble: str = ""
    searched: bool = False
    cursor: str = ACTIONS[0].key
    note: str = ""
    page: Form | Pager | None = None
    question: Question | None = None
    rows: int = 10
    _kept: dict[str, dict[str, Value]] = field(default_factory=dict)
    _gone: str = ""  # the table from which the cursor was taken, if no key was pressed since
    _over: Form | None = None  # the form below a page that explains something of it

    # -- what is seen

    def see(self, sight: Sight, known: Sequence[Acquaintance]) -> None:
        """The network looks like this now. The cursor stays where it is, unless its table has gone."""
        self.entries = tuple(entry(table, known) for table in sight.tables)
        self.trouble = told(sight.trouble)
        places = self.places()
        if self.cursor not in places:
            self._gone, self.cursor = self.cursor, places[0]
        elif self._gone in places:  # as when one comes back from a table and the network is looked at anew
            self._gone, self.cursor = "", self._gone

    def places(self) -> list[str]:
        """All that the cursor can stand on: the tables, then what else there is to do."""
        return [*(one.ident for one in self.entries), *(action.key for action in ACTIONS)]

    def entry(self) -> Entry | None:
        """The table under the cursor."""
        return next((one for one in self.entries if one.ident == self.cursor), None)

    @property
    def port(self) -> int:
        """Where a table of ours will listen, as the form says; 0: at any free port."""
        form = self.page if isinstance(self.page, HostForm) else None
        chosen = form.chosen if form is not None else self._kept.get("host", {})
        return int(chosen.get("port", DEFAULT_PORT))

    @property
    def typing(self) -> bool:
        """Whether letters are a text that is typed, rather than keys."""
        form = self.page if isinstance(self.page, Form) else None
        return form is not None and form.field is not None and form.field.typed

    def label(self, action: Action) -> str:
        """What an action is called now."""
        label = _(action.label)
        return f"{label} ({self.cut_off})" if action.key == "r" and self.cut_off else label

    def says(self) -> str:
        """What Enter does."""
        if self.question is not None:
            return self.question.text
        if isinstance(self.page, Form):
            return self.page.says()
        if isinstance(self.page, Pager):
            return _(self.page.does) if self.page.at >= 0 else ""
        one = self.entry()
        if one is None:
            action = next(action for action in ACTIONS if action.key == self.cursor)
            return _("Enter: {what}, {meaning}").format(what=self.label(action), meaning=_(action.meaning))
        what = _("Enter: watch {name}") if one.running else _("Enter: join {name}")
        known = {Standing.KNOWN: _("known"), Standing.OTHER_KEY: one.caution}.get(one.standing, _("new to you"))
        return ", ".join([what.format(name=one.name), one.words, known])

    # -- what is wanted

    def press(self, key: str) -> Intent | None:
        """Take a key; what is wanted now, if anything."""
        self.note = self._gone = ""
        try:
            if self.question is not None:
                return self._answer(key)
            if isinstance(self.page, Form):
                return self._in_form(self.page, key)
            if isinstance(self.page, Pager):
                return self._in_pager(self.page, key)
            return self._on_list(key)
        except (P2punoError, RulesError, OSError) as problem:
            self.complain(problem)
        return None

    def click(self, what: str, which: str) -> Intent | None:
        """A click on what is drawn: `key` as if it was typed; `place`, `field` and `block` choose, and a second click
        does it."""
        if what == "key":
            return self.press(which)
        if what == "field" and isinstance(self.page, Form):
            self.page.click(int(which))
        elif what == "block" and isinstance(self.page, Pager):
            if self.page.at == int(which):
                return self.press("enter")
            self.page.at = int(which)
        elif what == "place" and self.page is None and self.question is None:
            if self.cursor == which:
                return self.press("enter")
            self.cursor = which
        return None

    def complain(self, problem: P2punoError | RulesError | OSError) -> None:
        """Show what went wrong."""
        match problem:
            case PortTaken():
                self.note = in_one_line(problem.message, _(OTHER_PORT))
            case P2punoError():
                self.note = in_one_line(problem.message, problem.hint)
            case RulesError():
                self.note = in_one_line(message_of(problem), problem.hint)
            case _:
                self.note = in_one_line(refused_by_system(problem))

    def _answer(self, key: str) -> Intent | None:
        question = self.question
        assert question is not None
        if key in ("enter", "y"):
            self.question = None
            return self._there(question.go, question.private)
        if key in ("escape", "n", "q"):
            self.question = None
        else:
            self.note = no_use(key, helps=False)
        return None

    def _in_form(self, form: Form, key: str) -> Intent | None:
        under = form.field
        if key == "escape":
            self._keep(form)
            self.page = None
        elif key == "i" and isinstance(form, TableForm) and under is not None and under.name == "hero":
            self._over, self.page = form, self.heroes(form)
        else:
            wanted = form.press(key)
            self.note = form.note
            if wanted is not None:
                self._keep(form)
                self.page = None
            return wanted
        return None

    def _in_pager(self, page: Pager, key: str) -> Intent | None:
        if key in ("escape", "q", "?", "i") or (key == "enter" and page.at < 0):
            self.page, self._over = self._over, None
            return None
        if not page.knows(key):
            self.note = no_use(key, helps=False)
        return page.press(key, self.rows)

    def _on_list(self, key: str) -> Intent | None:
        places = self.places()
        steps = {"up": -1, "down": 1, "wheelup": -1, "wheeldown": 1, "tab": 1, "backtab": -1}
        if key in steps:
            self.cursor = places[(places.index(self.cursor) + steps[key]) % len(places)]
        elif key in ("home", "end"):
            self.cursor = places[0 if key == "home" else -1]
        elif key == "enter":
            one = self.entry()
            return self.go(one) if one is not None else self.do(self.cursor)
        elif key.isdecimal():
            if 1 <= int(key) <= len(self.entries):
                self.cursor = self.entries[int(key) - 1].ident
            else:
                self.note = _("there is no table {n}").format(n=key)
        elif key == "i":
            self._inspect()
        elif key == "?":
            lines = [*map(_, HELP), *(f"- {_(cause)}" for cause in CAUSES), _(TYPED)]
            self.page = Pager(N_("help"), tuple(Block((line,)) for line in lines))
        elif key == "w" and (one := self.entry()) is not None and one.running:
            return self.go(one)
        elif key in [action.key for action in ACTIONS]:
            return self.do(key)
        else:
            self.note = no_use(key)
        return None

    def do(self, key: str) -> Intent | None:
        """What an action of `ACTIONS` does. Raises as `load`."""
        if key in [action.key for action in ACTIONS]:
            self.cursor = key
        match key:
            case "q":
                return Quit()
            case "s":
                return Browse()
            case "h":
                self.page = HostForm(self._kept.get("host", self._begun()), self.own)
            case "p":
                self.page = TableForm(self._kept.get("practice", self.begin), self.own)
            case "j" | "w":
                self.page = AddressForm(watch=key == "w")
            case _:
                self.page = self.load(PAGES[key])
        return None

    def go(self, one: Entry) -> Intent | None:
        """To a table of the list; after a question where something is wrong with it (C46, D10)."""
        if not one.playable:
            self.note = _(UNKNOWN_GAME)
            return None
        if one.full:
            self.note = _(FULL).format(name=one.name)
            return None
        go = Go(one.address, one.running, one.key, listed=not one.running)
        if one.standing is Standing.OTHER_KEY:
            self.question = Question(_(STRANGER).format(caution=one.caution), go, one.private)
        elif one.stale:
            self.question = Question(_(SILENT).format(name=one.name), go, one.private)
        else:
            return self._there(go, one.private)
        return None

    def _there(self, go: Go, private: bool) -> Intent | None:
        if private:
            self.page = AddressForm(go)
            return None
        return go

    def _inspect(self) -> None:
        one = self.entry()
        if one is None:
            self.note = _("i tells of a table: none is under the cursor")
            return
        self.page = Pager(one.name, (Block(details(one)),))

    def _begun(self) -> dict[str, Value]:
        return {name: value for name, value in self.begin.items() if name != "bots"}

    def _keep(self, form: Form) -> None:
        if isinstance(form, TableForm):
            self._kept["practice" if form.practice else "host"] = form.chosen

    def heroes(self, form: TableForm) -> Pager:
        """What the hero of a form says, or all of them where it goes by lot."""
        rules = form.usual()
        chosen = form.hero()
        heroes = [rules.hero(ident) for ident in ([chosen] if chosen else rules.offered())]
        blocks = [Block(tuple(Card(hero).lines())) for hero in heroes]
        return Pager(N_("heroes"), (*blocks, Block(tuple(marks()))))


def details(one: Entry) -> tuple[str, ...]:
    """All that is known of a table of the list."""
    lines = [
        _("{name}: {game}").format(name=one.name, game=one.game),
        _("Safety words: {words}").format(words=one.words),
        ", ".join([one.seating, *one.marks]),
    ]
    match one.standing:
        case Standing.KNOWN:
            lines.append(_("You have played with this key before."))
        case Standing.OTHER_KEY:
            lines.append(one.caution)
            lines.append(
                _("Ask by voice for the safety words. `p2puno players --trust` says that another key is right.")
            )
        case _:
            lines.append(_("You have not played with this key before."))
    if one.rules:
        lines.append(_("The table differs from the official rules:"))
        lines += [f"  {rule}" for rule in one.rules]
    else:
        lines.append(_("The official rules hold."))
    return (*lines, _("Address: {address}").format(address=one.address))
