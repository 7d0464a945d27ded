"""From what a hand needs of this player to a question with its answers in words.

What has keys of its own (a turn, a Wild Draw Four, an UNO window) is no list; everything else is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from cli.language import N_, _, pgettext
from cli.table.asking import Asking, Option, Path, Stage, burn, order, pick
from cli.table.cards import Card, Namer, colour_name, namer, power_card
from cli.table.chooser import odds_shown
from cli.table.effects import cost_words, effect_words
from cli.text import some_cards, visible
from p2puno.effects import Ability, CostStep, Effect, Modifier, OneOf, Step
from p2puno.moves import Accept, Challenge, Move, Pick, Play, Swap, Wish, WishFor
from p2puno.needs import Ask, Decide
from p2puno.ultimate.view import UltimateView
from p2puno.view import View, legal, odds

LISTED: Final = frozenset(Ask) - {Ask.TURN, Ask.DRAWN, Ask.CHALLENGE}
"""The questions that are lists."""

KEYS: Final = ("r", "y", "g", "b")
_WISHES: Final = {
    WishFor.DRAW: (N_("The next player draws 2"), N_("wish that the next player draws 2"), "d"),
    WishFor.REVERSE: (N_("The direction of play turns"), N_("wish that the direction turns"), "t"),
    WishFor.SKIP: (N_("A player loses the next turn"), N_("choose who loses the next turn"), "s"),
    WishFor.PLAY: (N_("Play another card"), N_("choose the card to play"), "p"),
}


def question(view: View, names: list[str], card: Namer | None = None) -> Asking | None:
    """What this player is asked as a list; None if nothing is, or if it has keys of its own. `names`: by seat; `card`:
    how cards are called, None: in the notation."""
    need = view.need
    if not isinstance(need, Decide) or need.seat != view.seat or need.ask not in LISTED:
        return None
    return _Question(view, need, names, card or namer(view.rules)).asking()


class _Question:
    """One need of one seat, with what is needed to say it."""

    def __init__(self, view: View, need: Decide, names: list[str], card: Namer) -> None:
        self.view, self.need, self.names, self.card = view, need, names, card

    def asking(self) -> Asking:
        need = self.need
        match need.ask:
            case Ask.TARGET:
                return pick(self._about(), _("Choose a player"), [self._seat(seat) for seat in need.options])
            case Ask.HANDS:
                return pick(None, _("With whom do you swap hands?"), [self._seat(seat) for seat in need.options])
            case Ask.OPTION:
                return pick(self._about(), _("Choose one"), list(self._effects()))
            case Ask.MAY:
                return pick(self._about(), _("Do it?"), list(self._yes_or_no()))
            case Ask.COLOUR:
                return pick(self._about(), _("Name the colour"), [self._colour(c, Pick(c)) for c in need.options])
            case Ask.ITEM | Ask.PEEKED:
                return pick(self._about(), self._which(), [self._slot(slot) for slot in need.options])
            case Ask.BURN:
                return self._burn()
            case Ask.ORDER:
                cards = [(slot, self._face(slot).said) for slot in need.options]
                return order(self._about(), cards)
            case Ask.SWAP:
                return self._swap()
            case Ask.STACK:
                return self._stack()
        return self._wish()

    # -- who or what asks

    def _about(self) -> Card | None:
        """The card or power that asks."""
        return self._source(self.need.source) if self.need.source >= 0 else None

    def _source(self, source: int) -> Card:
        kinds = self.view.rules.kinds
        if source < len(kinds):
            return self.card(source)
        return power_card(self.view.rules, self.view.rules.heroes[source - len(kinds)])

    def _steps(self) -> Iterable[Step | CostStep | OneOf]:
        """The outer steps of what asks."""
        rules, source = self.view.rules, self.need.source
        if source < 0:
            return
        if source >= len(rules.kinds):
            yield from _of(rules.hero(rules.heroes[source - len(rules.kinds)]).power.abilities)
            return
        kind = rules.kinds[source]
        hero = rules.hero(kind.hero)
        for wild in hero.wilds:
            if wild.id == kind.id:
                yield from wild.do
        for danger in hero.danger:
            if danger.id == kind.id:
                yield from (*danger.flipped, *danger.do, *_of(danger.abilities))

    # -- options

    def _seat(self, seat: int, answer: Callable[[int], Move] = Pick) -> Option:
        view, me = self.view, seat == self.view.seat
        words = [some_cards(view.counts[seat])]
        name = _("You") if me else self.names[seat]
        if isinstance(view, UltimateView):
            name += f" ({visible(view.heroes[seat].name)})"
            words.append(_("deck {n}").format(n=view.decks[seat]))
            if view.enemies[seat] >= 0:
                words.append(_("Enemy {card}").format(card=self.card(view.enemies[seat]).name))
            if view.items[seat]:
                items = ", ".join(self.card(face).name for face in view.items[seat])
                words.append(_("Items {cards}").format(cards=items))
        chosen = _("choose yourself") if me else _("choose {what}").format(what=self.names[seat])
        return Option(f"{name}, {', '.join(words)}", chosen, answer(seat))

    def _colour(self, colour: int, move: Move | None, path: Path = ()) -> Option:
        name = colour_name(colour)
        return Option(name.capitalize(), _("name {name}").format(name=name), move, path, KEYS[colour], colour)

    def _effects(self) -> Iterable[Option]:
        """One of several effects, each in words; numbered where the pack hides them inside another one."""
        found = (step.choices for step in _deep(self._steps()) if isinstance(step, OneOf))
        choices: tuple[Effect, ...] = next((c for c in found if len(c) == len(self.need.options)), ())
        for option in self.need.options:
            text = effect_words(choices[option]) if choices else _("Effect {n} of the text").format(n=option + 1)
            yield Option(text, _("choose: {choices}").format(choices=text), Pick(option))

    def _yes_or_no(self) -> Iterable[Option]:
        cost = next((step for step in _deep(self._steps()) if isinstance(step, CostStep)), None)
        if cost is not None and self.need.options[0] == 0:
            enter = f"{cost_words(cost.cost)}: {effect_words(cost.do)}"
            yes = _("Yes, {does}").format(does=enter)
        else:
            yes, enter = _("Yes, do it"), _("do it")
        for option in self.need.options:
            if option:
                yield Option(yes, enter, Pick(1), key="y")
            else:
                yield Option(_("No"), _("leave it"), Pick(0), key="n")

    def _which(self) -> str:
        if self.need.ask is Ask.PEEKED:
            return _("Which card of the hand is burnt?")
        if self.need.source < 0:
            mine = isinstance(self.view, UltimateView) and len(self.need.options) > 3
            return _("Three Items at most: which one goes?") if mine else _("Which Item acts first?")
        return _("Which Item?")

    def _face(self, slot: int) -> Card:
        return self.card(self.view.face_of(slot)) if isinstance(self.view, UltimateView) else self.card(-1)

    def _slot(self, slot: int) -> Option:
        card = self._face(slot)
        text = f": {card.lines[0]}{card.house}" if card.type and card.lines else ""
        return Option(f"{card.said}{text}", _("choose {what}").format(what=card.said), Pick(slot))

    def _burn(self) -> Asking:
        need = self.need
        mine = sorted(self.view.hand, key=lambda card: (card[1], card[0]))
        wanted = [(slot, face, self.card(face).text) for slot, face in mine if not need.options or face in need.options]
        step = next((s for s in _deep(self._steps()) if isinstance(s, Step) and s.kind), None)
        return burn(self._about(), wanted, need.count, _(step.kind) if step is not None and need.options else "")

    def _swap(self) -> Asking:
        top = self._face(self.need.slot)
        stays = _("Leave {card} on top of the deck").format(card=top.said)
        options = [Option(stays, _("leave it there"), Swap(), key="n")]
        for slot, face in sorted(self.view.hand, key=lambda card: (card[1], card[0])):
            text = self.card(face).said
            enter = _("take {top} and put {card} on the deck").format(top=top.said, card=text)
            options.append(Option(_("Give {card} for it").format(card=text), enter, Swap(slot)))
        return pick(self._about(), _("The top card of your deck is {card}").format(card=top.said), options)

    # -- classic games

    def _stack(self) -> Asking:
        view, need = self.view, self.need
        moves = legal(view)
        challenge = Challenge() in moves
        wrong = odds_shown(odds(view)) if challenge else ""
        plays = sorted({(m.face, m.slot) for m in moves if isinstance(m, Play)})
        faces = list(dict.fromkeys(face for face, _ in plays))

        def stage(path: Path) -> Stage:
            if path and path[0] == len(faces):
                sure = (
                    Option(_("Challenge"), _("challenge the Wild Draw Four"), Challenge(), key="c"),
                    Option(_("Back"), _("go back"), None, ()),
                )
                return Stage(_("Challenge{odds}?").format(odds=wrong), sure)
            if path:
                slot = next(slot for face, slot in plays if face == faces[path[0]])
                colours = (self._colour(c, Play(slot, faces[path[0]], c)) for c in range(4))
                title = _("Which colour does {card} name?").format(card=self.card(faces[path[0]]).text)
                return Stage(title, tuple(colours))
            options = []
            for i, face in enumerate(faces):
                card = self.card(face)
                slot = next(slot for f, slot in plays if f == face)
                move = None if card.naming else Play(slot, face)
                label, enter = _("Answer with {card}"), _("answer with {card}")
                options.append(Option(label.format(card=card.text), enter.format(card=card.text), move, (i,)))
            take = _("take {n} and lose the turn").format(n=need.count)
            options.append(Option(_("Take {n} cards").format(n=need.count), take, Accept(), key="a"))
            if challenge:
                label = _("Challenge the last Wild Draw Four{odds}").format(odds=wrong)
                options.append(Option(label, _("challenge (asks once)"), None, (len(faces),), "c"))
            return Stage(_("{n} cards come to you").format(n=need.count), tuple(options))

        return Asking(None, stage)

    def _wish(self) -> Asking:
        """Colour, then the wish, then its player or card, then the colour of that card: one move at the end (R74)."""
        moves = [move for move in legal(self.view) if isinstance(move, Wish) and not move.uno]
        moves = moves or [move for move in legal(self.view) if isinstance(move, Wish)]
        flipped = self.need.slot >= 0
        granted = _("The flipped card grants a wish") if self.need.options else _("No wish is granted")
        about = granted if flipped else ""

        def stage(path: Path) -> Stage:
            if not path:
                plain = {m.colour: m for m in moves if m.wish is WishFor.NOTHING}
                return Stage(_("Name the colour"), tuple(self._colour(c, plain.get(c), (c,)) for c in range(4)))
            here = [m for m in moves if m.colour == path[0]]
            if len(path) == 1:
                return Stage(_("What do you wish for?"), tuple(self._wishes(here, path)))
            here = [m for m in here if m.wish == path[1]]
            if path[1] == WishFor.SKIP:
                by_target = {m.target: m for m in here}
                seats = (self._seat(t, by_target.__getitem__) for t in by_target)
                return Stage(_("Who loses the next turn?"), tuple(seats))
            if len(path) == 2:
                title = _("Which card? It must be {colour} or a Wild").format(colour=colour_name(path[0]))
                return Stage(title, tuple(self._cards(here, path)))
            here = [m for m in here if m.slot == path[2]]
            return Stage(_("Which colour does it name?"), tuple(self._colour(m.card_colour, m) for m in here))

        return Asking(None, stage, about)

    def _wishes(self, moves: list[Wish], path: Path) -> Iterable[Option]:
        for wish, (label, enter, key) in _WISHES.items():
            found = [m for m in moves if m.wish is wish]
            if found:
                done = found[0] if wish in (WishFor.DRAW, WishFor.REVERSE) else None
                yield Option(_(label), _(enter), done, (*path, int(wish)), key)

    def _cards(self, moves: list[Wish], path: Path) -> Iterable[Option]:
        for slot in dict.fromkeys(m.slot for m in sorted(moves, key=lambda m: (m.face, m.slot))):
            found = [m for m in moves if m.slot == slot]
            card = self.card(found[0].face)
            enter = pgettext("enter", "play {card}").format(card=card.text)
            yield Option(card.said, enter, None if card.naming else found[0], (*path, slot))


def _of(abilities: Iterable[Ability | Modifier]) -> Iterable[Step | CostStep | OneOf]:
    for ability in abilities:
        if isinstance(ability, Ability):
            yield from ability.do


def _deep(steps: Iterable[Step | CostStep | OneOf]) -> Iterable[Step | CostStep | OneOf]:
    """These steps and all that stand inside them."""
    for step in steps:
        yield step
        if isinstance(step, CostStep):
            yield from _deep(step.do)
        elif isinstance(step, OneOf):
            for choice in step.choices:
                yield from _deep(choice)
        elif step.trap is not None:
            yield from _deep(step.trap.do)
