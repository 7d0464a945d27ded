"""Questions that are answered from a short list, one after the other where one answer opens the next.

A question is walked along a *path*: the options chosen so far. At every place of the path stands a `Stage`; an option
of it either leads on to another path or sends a move. Nothing is sent before the end, and the way back is free.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from cli.language import N_, _
from cli.table.cards import Card
from p2puno.moves import Burn, Move, Order

Path: TypeAlias = tuple[int, ...]

PLACES: Final = (
    N_("Which card goes on top?"),
    N_("Which goes 2nd from the top? (so far {cards})"),
    N_("Which goes 3rd from the top? (so far {cards})"),
    N_("Which goes {n}th from the top? (so far {cards})"),
)
GOES: Final = (
    N_("{card} goes 1st from the top"),
    N_("{card} goes 2nd from the top"),
    N_("{card} goes 3rd from the top"),
    N_("{card} goes {n}th from the top"),
)
"""By place, the last ones for all further places."""


@dataclass(frozen=True, slots=True)
class Option:
    """One line of the list. `enter`: what Enter does, in words. Either `move` is sent, or `path` is gone on with.
    `key`: a letter that chooses it; `colour`: 0-3 where it is a colour."""

    label: str
    enter: str
    move: Move | None = None
    path: Path = ()
    key: str = ""
    colour: int = -1


@dataclass(frozen=True, slots=True)
class Stage:
    """What is asked at one place of the path. `first`: where the cursor begins."""

    title: str
    options: tuple[Option, ...]
    first: int = 0


@dataclass(frozen=True, slots=True)
class Asking:
    """One question. `source`: the card or power that asks, None for the rules; `about`: what led to the question, ""
    where the source says enough; `stage` tells what stands at a path."""

    source: Card | None
    stage: Callable[[Path], Stage]
    about: str = ""

    @property
    def why(self) -> str:
        """What asks, in a line: "Heat Vision (house): Choose a player to burn 6."; "" where that is clear."""
        card = self.source
        return self.about if card is None else f"{card.name}{card.house}: {' '.join(card.lines)}"


def pick(source: Card | None, title: str, options: Sequence[Option]) -> Asking:
    """A question with one list."""
    only = Stage(title, tuple(options))
    return Asking(source, lambda path: only)


def burn(source: Card | None, cards: Sequence[tuple[int, int, str]], count: int, kind: str) -> Asking:
    """Burn `count` of these (slot, face, text) of the hand; `kind`: what they must be, "" for any card.

    One card is chosen at once; several are marked, then confirmed. Who holds no more than asked has no choice.
    """

    def move(places: Sequence[int]) -> Burn:
        return Burn(tuple((cards[i][0], cards[i][1]) for i in sorted(places)))

    of_kind = f" ({kind})" if kind else ""

    def names(places: Sequence[int]) -> str:
        return " ".join(cards[i][2] for i in sorted(places))

    def stage(path: Path) -> Stage:
        if len(cards) <= count:
            every = range(len(cards))
            if not cards:
                none = _("say that you hold none of: {kind} (proven, nothing is shown)").format(kind=kind)
                words = none if kind else _("burn nothing")
                return Stage(_("You hold none"), (Option(words[0].upper() + words[1:], words, move(())),))
            proven = kind and len(cards) < count
            words = _("burn {cards} and prove that there is no other") if proven else _("burn {cards}")
            words = words.format(cards=names(every))
            return Stage(_("There is no choice"), (Option(words[0].upper() + words[1:], words, move(every)),))
        if count == 1:
            options = [
                Option(card[2], _("burn {cards}").format(cards=card[2]), move((i,))) for i, card in enumerate(cards)
            ]
            return Stage(_("Burn a card of your hand{of_kind}").format(of_kind=of_kind), tuple(options))
        options = []
        for i, card in enumerate(cards):
            on, text = i in path, card[2]
            further = tuple(p for p in path if p != i) if on else (*path, i)[-count:]
            enter = _("unmark {card}") if on else _("mark {card}")
            options.append(Option(f"[{'x' if on else ' '}] {text}", enter.format(card=text), None, further))
        first = path[-1] if path else 0
        if len(path) == count:
            words = _("burn {cards}").format(cards=names(path))
            options.append(Option(words[0].upper() + words[1:], words, move(path)))
            first = len(cards)
        title = _("Mark {count} cards to burn{of_kind}: {marked} marked")
        return Stage(title.format(count=count, of_kind=of_kind, marked=len(path)), tuple(options), first)

    return Asking(source, stage)


def order(source: Card | None, cards: Sequence[tuple[int, str]]) -> Asking:
    """Put these (slot, text) back on the deck: one is chosen after the other, from the top down."""

    def stage(path: Path) -> Stage:
        left = [i for i in range(len(cards)) if i not in path]
        options, place = [], min(len(path), len(PLACES) - 1)
        for i in left:
            chosen = (*path, i, *(j for j in left if j != i)) if len(left) <= 2 else (*path, i)
            text, names = cards[i][1], ", ".join(cards[j][1] for j in chosen)
            if len(left) <= 2:
                enter = _("put back {cards} (top first)").format(cards=names)
                options.append(Option(text, enter, Order(tuple(cards[j][0] for j in chosen))))
            else:
                options.append(Option(text, _(GOES[place]).format(card=text, n=len(path) + 1), None, chosen))
        so_far = ", ".join(cards[j][1] for j in path)
        return Stage(_(PLACES[place]).format(cards=so_far, n=len(path) + 1), tuple(options))

    return Asking(source, stage)


class Picker:
    """How far a player is on the path of a question; the faces keep one each."""

    def __init__(self) -> None:
        self.path: Path = ()
        self.at = 0

    def reset(self) -> None:
        """Begin at the first stage of a new question."""
        self.path, self.at = (), 0

    def stage(self, asking: Asking) -> Stage:
        """Where the player stands; the cursor is kept inside the list."""
        stage = asking.stage(self.path)
        self.at = min(max(self.at, 0), len(stage.options) - 1)
        return stage

    def take(self, asking: Asking) -> Move | None:
        """Take the option under the cursor: the move that it sends, or None where it leads on."""
        option = self.stage(asking).options[self.at]
        if option.move is None:
            self.path = option.path
            self.at = asking.stage(self.path).first
        return option.move

    def back(self, asking: Asking) -> bool:
        """Take back the last answer, if there is one."""
        if not self.path:
            return False
        self.path = self.path[:-1]
        self.at = asking.stage(self.path).first
        return True
