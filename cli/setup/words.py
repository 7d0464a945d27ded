"""The seats, the heroes and the rules before the start, in whole lines that every face can say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.language import N_, _, pgettext, told
from cli.setup.making import State
from cli.setup.model import Chair, Choice, Setup
from cli.table.cards import hero_name
from cli.text import listed, visible
from cli.voice import Told
from p2puno.options import BESIDE, Option, Value
from p2puno.rules import Rules, show_value
from protocol.identity import words
from protocol.known import Standing

HELP: Final = (
    N_("ready, not ready: say that the table may begin, or not yet"),
    N_("hero, hero NAME: the heroes and who has them; play that one; hero lot takes one by lot"),
    N_("look NAME: what a hero's cards say (house: our own design)"),
    N_("seat N: sit down at that seat, if it is free or a bot's; the seats are the order of play"),
    N_("table: who sits where; rules: the rules of this table; log: what happened"),
    N_("say WORDS: write to everybody here; phrases lists quick phrases, phrase 3 says one"),
    N_("mute NAME: hear no more of somebody; unmute NAME hears them again"),
    N_("quit: leave the table"),
)
CREATOR_HELP: Final = (
    N_("bot: let a bot take a free seat"),
    N_("start: begin without the free seats, when all who are here are ready"),
)
STANDINGS: Final = {
    Standing.KNOWN: N_("known to you"),
    Standing.NEW: N_("new to you"),
    Standing.OTHER_KEY: N_("NOT the key that you know"),
}


def ready_word(chair: Chair) -> str:
    """Whether somebody is ready, in a word; "" for a free seat."""
    if chair.player is None:
        return ""
    return _("ready") if chair.ready else _("not ready")


def hero_word(chair: Chair, setup: Setup) -> str:
    """Which hero is played at a taken seat; "" where there are none."""
    if chair.player is None or not setup.has_heroes:
        return ""
    return chair.hero or _("hero by lot")


def seat_lines(setup: Setup) -> list[str]:
    """Every seat in a line."""
    lines = []
    for chair in setup.chairs():
        parts = [chair.name, hero_word(chair, setup), ready_word(chair)]
        text = ", ".join(filter(None, parts))
        lines.append(_("seat {seat}: {who}").format(seat=chair.seat + 1, who=text))
    return lines


def who_line(chair: Chair) -> str:
    """The safety words of a person at a seat, and what we know of them; "" for a bot, ourselves or nobody (C46)."""
    player = chair.player
    if player is None or player.bot or chair.me:
        return ""
    known = STANDINGS.get(player.standing)
    text = _("safety words of {name}: {words}").format(name=visible(player.name), words=words(player.key))
    return f"{text} ({_(known)})" if known else text


def hero_lines(setup: Setup) -> list[str]:
    """Every hero, and who has it."""
    return [f"{choice_name(choice)}: {choice_state(choice)}" for choice in setup.choices()]


def choice_name(choice: Choice) -> str:
    """What is to be chosen."""
    return _("by lot") if choice.hero is None else visible(choice.hero.name)


def choice_state(choice: Choice) -> str:
    """Whether it can be chosen."""
    if choice.mine:
        return _("yours")
    return _("taken by {who}").format(who=choice.taken) if choice.taken else _("free")


def unusual_lines(rules: Rules | None) -> list[str]:
    """The options that differ from the official rules, with what they mean."""
    if rules is None:
        return []
    text = _("{option} {value} (official: {official}): {meaning}")
    return [
        text.format(
            option=option.name,
            value=show_value(getattr(rules, option.name)),
            official=show_value(official),
            meaning=told(option.meaning),
        )
        for option, official in _unusual(rules).items()
    ]


def _unusual(rules: Rules) -> dict[Option, Value]:
    """The options with another value than the official one, with that."""
    official = Rules.make(rules.variant)
    return {
        option: getattr(official, option.name)
        for option in rules.own_options()
        if getattr(rules, option.name) != getattr(official, option.name) and option.name not in BESIDE
    }


def beside_lines(rules: Rules | None) -> list[str]:
    """Who may look on and who may talk, where that is not as usual: no rules, but to be known before one sits down."""
    if rules is None:
        return []
    official, text = Rules.make(rules.variant), _("{option} {value}: {meaning}")
    return [
        text.format(option=option.name, value=show_value(value), meaning=told(option.meaning))
        for option in rules.own_options()
        if option.name in BESIDE and (value := getattr(rules, option.name)) != getattr(official, option.name)
    ]


def rules_lines(rules: Rules | None) -> list[str]:
    """All options in words; those that differ from the official rules first and marked with a star."""
    if rules is None:
        return []
    lines, options, unusual = rules.describe(), rules.own_options(), _unusual(rules)
    about = len(lines) - len(options)  # lines about the game come first
    usual = [line for option, line in zip(options, lines[about:], strict=True) if option not in unusual]
    return [*map(told, lines[:about]), *(f"* {line}" for line in unusual_lines(rules)), *map(told, usual)]


def begin_lines(setup: Setup, asks: bool) -> list[Told]:
    """What is said once when we have sat down: what is unusual here, how others join, and if the player is asked, what
    can be typed."""
    text = _("This table differs from the official rules: {option}")
    lines = [Told("Rule", text.format(option=line)) for line in unusual_lines(setup.rules)]
    lines += [Told("Rule", line) for line in beside_lines(setup.rules)]
    if setup.joins:
        commands = listed(setup.joins, _("or"))
        lines.append(Told("Start", _("Others join with: {commands}").format(commands=commands)))
    own = setup.own
    if asks and own is not None and not own.ready:
        lines.append(Told("Start", _("Type ready when the table may begin; help says what else can be typed.")))
    return lines


PILES: Final = {"draw": N_("draw pile"), "danger": N_("Danger Deck")}


def pile_word(setup: Setup, pile: str) -> str:
    """What a pile is called: a hero's deck by the hero's name."""
    return _(PILES[pile]) if pile in PILES else hero_name(setup.rules, pile)


def name_at(names: Sequence[str], seat: int) -> str:
    """The name at a seat, or its number."""
    return names[seat] if seat < len(names) else _("seat {seat}").format(seat=seat + 1)


def making_line(setup: Setup, names: Sequence[str]) -> str:
    """Where the running stage stands: "round 2 of 3, 1 of 3 are done, waiting for Bo, 4 s"; "" for none."""
    running = setup.making.running
    if running is None:
        return ""
    parts = []
    if running.rounds > 1:
        parts.append(_("round {round} of {rounds}").format(round=running.round, rounds=running.rounds))
    parts.append(_("{done} of {total} are done").format(done=running.done, total=running.total))
    awaited = listed((name_at(names, seat) for seat in running.waiting), _("and"))
    parts.append(pgettext("making", "waiting for {who}").format(who=awaited))
    if setup.making.seconds:
        parts.append(_("{seconds} s").format(seconds=setup.making.seconds))
    return ", ".join(parts)


def making_lines(setup: Setup, names: Sequence[str]) -> list[str]:
    """The set-up in lines, for who asks where the table stands."""
    stages = setup.making.stages(setup.escrow)
    lines = []
    for number, (stage, state) in enumerate(stages, 1):
        if state is State.NOW:
            text = _("stage {number} of {stages}: {stage}").format(number=number, stages=len(stages), stage=_(stage))
            lines += [text, making_line(setup, names)]
    lines.append(_("proofs that this program has verified: {count}").format(count=setup.making.proofs))
    return [line for line in lines if line]


def help_lines(setup: Setup) -> list[str]:
    """What can be typed before the start."""
    return [_(line) for line in (*HELP[:-1], *(CREATOR_HELP if setup.creator else ()), HELP[-1])]
