"""The lobby in lines: a numbered list, typed commands. The voice says them plainly, or each behind its label."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from shutil import get_terminal_size
from typing import Final

import trio

from cli.announced import Entry
from cli.lan import CAUSES, SECONDS
from cli.language import N_, _, ngettext
from cli.lobby.form import Field, Form
from cli.lobby.forms import AddressForm, TableForm
from cli.lobby.intent import Go, Intent, Quit
from cli.lobby.model import HERE, Lobby, details
from cli.lobby.pager import Pager
from cli.plain import ReadLine, Writer
from cli.stdin import stdin_line
from cli.text import broken, visible
from cli.voice import Told, Voice
from p2puno.rules import RulesError
from protocol.errors import P2punoError, Usage
from protocol.known import Acquaintance
from protocol.net.discovery import Browser

HELP: Final = (
    N_("list: the tables on your network, and how others would join one of yours."),
    N_("join 1: sit down at that table. join 192.168.1.5:4242: at one not listed. An invite code goes behind it."),
    N_("watch 1, watch ADDRESS: watch a running table."),
    N_("about 1: all that is known of that table."),
    N_("host: open a table that others join. practice: play against bots on this machine."),
    N_("resume: tables of yours that were cut off. history: how your tables ended, and the standings."),
    N_("players: whom you have played with. quit: leave the lobby."),
)
FORM_HELP: Final = (
    N_("Type a name and what you want for it, as in {example}."),
    N_("{go}: take it all. about NAME: what it means. back: do nothing."),
)
OPTIONS_HELP: Final = N_("options: the rules that can be changed.")
HEROES_HELP: Final = N_("cards: what the chosen hero says, or all heroes.")
WHICH: Final = N_("There is no table {word}. Type list to see what there is.")
UNKNOWN: Final = N_("{word} means nothing here. Type help to see what can be typed.")
ASK_CODE: Final = N_("Type the invite code, or back.")
YES_OR_NO: Final = N_("Type yes or no.")
PICK: Final = N_("Type {word} and a number.")


class LineLobby:
    """The lobby until something is wanted; it can be run again after each table."""

    def __init__(
        self,
        lobby: Lobby,
        voice: Voice,
        browsing: Callable[[], AbstractAsyncContextManager[Browser]],
        known: Callable[[], Sequence[Acquaintance]],
        here: Callable[[], tuple[str, ...]],
        out: Writer | None = None,
        read: ReadLine | None = None,
    ) -> None:
        self.lobby, self._voice = lobby, voice
        self._browsing, self._known, self._here = browsing, known, here
        self._out: Writer = out if out is not None else sys.stdout
        self._breaks = out is None and type(voice) is Voice and sys.stdout.isatty()  # lines before words
        self._read: ReadLine = read or stdin_line
        self._numbers: dict[str, int] = {}  # of a table: it stays the same, whatever comes and goes
        self._opened = False
        self._signal = 0
        self._scope = trio.CancelScope()

    async def run(self) -> tuple[int, Intent]:
        """The signal that ended it, 0 for none, and what is wanted."""
        wanted: Intent = Quit()
        self.lobby.entries = ()  # the network is looked at anew
        async with trio.open_nursery() as nursery:
            self._scope = nursery.cancel_scope
            self._greet()
            await nursery.start(self._signals)
            nursery.start_soon(self._look)
            nursery.start_soon(self._say_nothing)
            wanted = await self._listen()
            nursery.cancel_scope.cancel()
        return self._signal, wanted

    def _greet(self) -> None:
        if not self._opened:
            self._tell([one for one in self._voice.opening() if one.label == "Mode"])  # the lobby has a help of its own
            self._opened = True
        lobby = self.lobby
        who = _("You are {name}, safety words {words}.").format(name=lobby.me, words=lobby.words)
        self._say("Lobby", _("This is the lobby. {who}").format(who=who))
        self._say_here()
        if lobby.cut_off:
            many = ngettext("{n} table of yours was cut off", "{n} tables of yours were cut off", lobby.cut_off)
            self._say("Lobby", _("{many}: type resume.").format(many=many.format(n=lobby.cut_off)))
        self._say("Help", _("Type help to see what can be typed."))
        if lobby.note:
            self._say("Error", lobby.note)
            lobby.note = ""

    # -- what is told

    def _say(self, label: str, text: str) -> None:
        self._tell([Told(label, text)])

    def _tell(self, lines: Sequence[Told]) -> None:
        for told in lines:
            line = self._voice.line(told)
            if line is None:
                continue
            for part in broken(visible(line), get_terminal_size().columns) if self._breaks else [line]:
                print(visible(part), file=self._out, flush=True)

    def _say_here(self) -> None:
        joined = _(" or ").join(self.lobby.here)
        if joined:
            self._say("Lobby", f"{_(HERE)} {joined}")

    def _say_entry(self, one: Entry) -> None:
        number = self._numbers.setdefault(one.ident, len(self._numbers) + 1)
        self._say("Lobby", ", ".join(one.lines(number)))

    def _list(self) -> None:
        for one in self.lobby.entries:
            self._say_entry(one)
        if self.lobby.trouble:
            self._say("Error", self.lobby.trouble)
        if not self.lobby.entries:
            self._say("Lobby", _("No table was found so far. The usual causes:"))
            for cause in CAUSES:
                self._say("Hint", f"- {_(cause)}")
        self._say_here()

    def _say_page(self, page: Pager, word: str) -> None:
        choices = page.choices
        for place, block in enumerate(page.blocks):
            number = f"{choices.index(place) + 1}. " if place in choices else ""
            for line in (block.table or block.lines) if type(self._voice) is Voice else block.lines:
                self._say("Answer" if place in choices else "Lobby", f"{number}{line}")
                number = ""
        if choices:
            self._say("Ask", _(PICK).format(word=word))

    def _say_form(self, form: Form, options: bool = False) -> None:
        for field in form.fields():
            if field.extra is options:
                self._say_field(form, field)
        if not options:
            self._say("Ask", form.does())
            for line in FORM_HELP:
                self._say("Help", _(line).format(go=_go_word(form), example=_example(form)))
            if any(field.extra for field in form.fields()):
                self._say("Help", _(OPTIONS_HELP))
            if any(field.name == "hero" for field in form.fields()):
                self._say("Help", _(HEROES_HELP))

    def _say_field(self, form: Form, field: Field) -> None:
        usual = field.option and form.value(field) != field.usual
        more = _(" (usual: {value})").format(value=field.shown(field.usual)) if usual else ""
        self._say("Choice", f"{field.name} {form.text(field)}{more}: {field.meaning}")

    # -- the network

    async def _look(self) -> None:
        lobby = self.lobby
        async with self._browsing() as browser:
            async for sight in browser:
                before, trouble = {one.ident: one for one in lobby.entries}, lobby.trouble
                lobby.see(sight, self._known())
                lobby.here = self._here()
                now = {one.ident for one in lobby.entries}
                for one in lobby.entries:
                    if one.ident not in before:
                        self._say_entry(one)
                for ident, one in before.items():
                    if ident not in now:
                        self._say("Lobby", _("The table of {name} is no longer there.").format(name=one.name))
                if lobby.trouble and lobby.trouble != trouble:
                    self._say("Error", lobby.trouble)

    async def _say_nothing(self) -> None:
        await trio.sleep(SECONDS)
        if not self.lobby.searched and not self.lobby.entries:
            self._say("Lobby", _("No table was found so far; list tells the usual causes."))
        self.lobby.searched = True

    async def _signals(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        names = ("SIGINT", "SIGTERM", "SIGHUP")
        with trio.open_signal_receiver(*(getattr(signal, name) for name in names if hasattr(signal, name))) as received:
            task_status.started()
            async for number in received:
                self._signal = int(number)
                self._scope.cancel()

    # -- what is typed

    async def _listen(self) -> Intent:
        while line := await self._read():
            said = " ".join(visible(line).split())
            if not said:
                continue
            try:
                wanted = self.take(said)
            except (P2punoError, RulesError, OSError) as problem:
                self.lobby.complain(problem)
                wanted = None
            if self.lobby.note:
                self._say("Error", self.lobby.note)
                self.lobby.note = ""
            if wanted is not None:
                return wanted
        return Quit()

    def take(self, said: str) -> Intent | None:
        """What a line means: something wanted, or an answer in lines. Raises as what it asks for."""
        lobby = self.lobby
        word, __, rest = said.partition(" ")
        word = word.lower().rstrip("?.") or "help"
        if word in ("quit", "exit", "q"):
            return Quit()
        if lobby.question is not None:
            return self._answer(word)
        if isinstance(lobby.page, AddressForm):
            return self._code(lobby.page, said)
        if isinstance(lobby.page, Form):
            return self._in_form(lobby.page, word, rest)
        match word:
            case "help" | "?":
                self._tell([Told("Help", _(line)) for line in HELP])
            case "list" | "l" | "tables":
                self._list()
            case "join" | "j" | "watch" | "w":
                return self._go(rest.split(), watch=word.startswith("w"))
            case "about" | "i":
                self._tell([Told("Lobby", line) for line in details(self._entry(rest))])
            case "host" | "h" | "practice" | "p":
                lobby.do(word[0])
                if isinstance(lobby.page, Form):
                    return self._fill(lobby.page, rest.split())
            case "resume" | "r" | "history" | "s" | "replay":
                return self._page("resume" if word[:3] in ("r", "res") else "history", rest)
            case "players" | "k":
                self._say_page(lobby.load("players"), "")
            case _:
                self._say("Error", _(UNKNOWN).format(word=word))
        return None

    def _answer(self, word: str) -> Intent | None:
        if word not in ("yes", "y", "no", "n", "back"):
            self._say("Ask", _(YES_OR_NO))
            return None
        return self._after(self.lobby.press("y" if word[0] == "y" else "n"))

    def _after(self, wanted: Intent | None) -> Intent | None:
        """Ask on where there is a question or a code to be typed first."""
        if self.lobby.question is not None:
            self._say("Ask", self.lobby.question.text)
            self._say("Ask", _(YES_OR_NO))
        elif isinstance(self.lobby.page, AddressForm):
            self._say("Ask", _(ASK_CODE))
        return wanted

    def _code(self, form: AddressForm, said: str) -> Intent | None:
        if said.lower() == "back":
            self.lobby.page = None
            return None
        form.put("code", said)
        wanted = form.submit()
        self.lobby.page = None
        return wanted

    def _entry(self, word: str) -> Entry:
        """The table of the list that a number means, the only one without. Raises Usage."""
        fits = [one for one in self.lobby.entries if (str(self._numbers.get(one.ident)) == word if word else True)]
        if len(fits) != 1:
            raise Usage(_(WHICH).format(word=word or "?"))
        return fits[0]

    def _go(self, words: list[str], watch: bool) -> Intent | None:
        where, code = words[0] if words else "", " ".join(words[1:])
        if where and not where.isdecimal():
            form = AddressForm(watch=watch)
            form.put("address", where)
            form.put("code", code)
            return form.submit()
        one = self._entry(where)
        if code and one.private:
            form = AddressForm(Go(one.address, one.running, one.key, listed=not one.running))
            form.put("code", code)
            return form.submit()
        return self._after(self.lobby.go(one))

    def _page(self, name: str, rest: str) -> Intent | None:
        page = self.lobby.load(name)
        if rest.isdecimal() and 1 <= int(rest) <= len(page.choices):
            return page.blocks[page.choices[int(rest) - 1]].intent
        self._say_page(page, "resume" if name == "resume" else "replay")
        return None

    def _fill(self, form: Form, pairs: list[str]) -> Intent | None:
        """Take name=value pairs at once; without any the form is read out and filled in line by line."""
        if not pairs:
            self._say_form(form)
            return None
        for pair in pairs:
            name, __, value = pair.partition("=")
            form.put(name, value)
        return self._submit(form)

    def _submit(self, form: Form) -> Intent | None:
        form.at = -1
        return self.lobby.press("enter")

    def _in_form(self, form: Form, word: str, rest: str) -> Intent | None:
        match word:
            case "help" | "?" | "list" | "l" | "show":
                self._say_form(form)
            case "options":
                self._say_form(form, options=True)
            case "back" | "no":
                self.lobby.press("escape")
                self._say("Lobby", _("Back in the lobby."))
            case "cards" if isinstance(form, TableForm):
                self._say_page(self.lobby.heroes(form), "")
            case "about":
                field = form.find(rest)
                self._say_field(form, field)
                self._say("Choice", _("it may be {span}").format(span=field.may_be()))
            case _ if word == _go_word(form) or word in ("go", "ok", "yes"):
                return self._submit(form)
            case _:
                name, __, value = f"{word} {rest}".replace("=", " ", 1).partition(" ")
                self._say_field(form, form.put(name, value.strip()))
        return None


def _example(form: Form) -> str:
    """What can be typed to fill in a field of this form."""
    return "bots 2" if isinstance(form, TableForm) and form.practice else "seats 3"


def _go_word(form: Form) -> str:
    """The word that does what the button of a form does."""
    return "begin" if isinstance(form, TableForm) and form.practice else "open"
