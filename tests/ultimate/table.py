"""A table of heroes set up by hand for examples: which cards lie where, then moves by their short notation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from p2puno.bots import random_legal
from p2puno.card import parse_face, parse_move
from p2puno.dealer import Dice, OpenDealer
from p2puno.engine import new_game
from p2puno.happenings import Happening, What
from p2puno.hero import Hero
from p2puno.hero_file import built_in_heroes, read_own
from p2puno.moves import Burn, Move, Order, Pick, Swap
from p2puno.needs import Decide, Over, Said, Window
from p2puno.outcome import Outcome
from p2puno.rules import Rules
from p2puno.state import HIDDEN
from p2puno.ultimate.engine import UltimateGame
from p2puno.view import view
from tests.engine.table import Fixed, says

DC = ("aquaman", "green_lantern", "superman", "wonder_woman")
MARVEL = ("shuri", "black_widow", "hulk", "captain_america")
ALL = (*DC, *MARVEL, "thor")


class Table:
    """Seats with heroes; seat `turn` is about to start its turn.

    `hands`: per seat, short notation ("R5 WDSA"); missing ones hold two plain cards. `decks`: per seat the next cards,
    top first. `sizes`: per seat how many cards its deck has. `burns`: per seat, the top last. `danger`: the next Danger
    cards by the end of their id, `spent` those in the discard (with `dry` the Danger Deck has only the named ones).
    `enemies`, `items`, `location`: by the end of their ids. `top`: the card on the pile, of seat 0 ("" for a lead).
    """

    def __init__(
        self,
        *heroes: str,
        hands: Sequence[str] = (),
        top: str = "R6",
        decks: dict[int, str] | None = None,
        sizes: dict[int, int] | None = None,
        burns: dict[int, str] | None = None,
        danger: str = "",
        spent: str = "",
        dry: bool = False,
        enemies: dict[int, str] | None = None,
        items: dict[int, str] | None = None,
        location: str = "",
        turn: int = 0,
        lost: Sequence[int] = (),
        own: Sequence[Hero] = (),
        **options: bool | int | str,
    ) -> None:
        self.rules = Rules.make("marvel", heroes=heroes, own=own, **options)
        seats = len(heroes)
        game = new_game(self.rules, seats, turn)
        assert isinstance(game, UltimateGame)
        self.game = game
        self.dealer = OpenDealer(self.rules, seats, Fixed())
        self.log: list[Happening] = []
        game.public = bytearray([HIDDEN]) * self.rules.slots
        for seat in range(seats):
            self._lay(
                seat, (hands or ())[seat] if seat < len(hands) else "Y6 B6", (decks or {}).get(seat, ""),
                (burns or {}).get(seat, ""), top if seat == 0 else "", (sizes or {}).get(seat, 99),
            )  # fmt: skip
        self._lay_danger(danger, spent, dry, enemies or {}, items or {}, location)
        if top:
            game.pile.append(game.pile.pop(0))  # the card of seat 0 that is named lies on top
            game.colour = min(game.pack.colour[game.top], 3)
        game.turn = (turn - 1) % seats
        game.lost = sum(1 << seat for seat in lost)
        game.agenda = [("next",)]
        self.log += game._run(None)
        self.dealer.check(game)
        self._settle()

    def _face(self, seat: int, text: str) -> int:
        return parse_face(self.rules, text, self.rules.heroes[seat])

    def _lay(self, seat: int, hand: str, coming: str, burned: str, top: str, size: int) -> None:
        game, truth = self.game, self.dealer.truth
        deck = self.rules.decks()[seat]
        whole = Counter(self.rules.deck()[slot] for slot in deck.slots)
        slots = iter(deck.slots)

        def lay(texts: str) -> list[int]:
            placed = []
            for text in texts.split():
                slot, face = next(slots), self._face(seat, text)
                truth[slot] = face
                whole[face] -= 1
                assert whole[face] >= 0, f"too many {text}"
                placed.append(slot)
            return placed

        game.hands[seat] = lay(hand)
        pile = lay(top)
        game.burns[seat] = lay(burned)
        stock = lay(coming)
        rest = []
        for face in whole.elements():
            slot = next(slots)
            truth[slot] = face
            rest.append(slot)
        below = rest[: max(0, size - len(stock))]
        game.decks[seat] = [*below, *reversed(stock)]
        game.pile += pile + rest[len(below) :]
        for slot in game.hands[seat]:
            game.learn(seat, slot, truth[slot])
        for slot in (*game.pile, *game.burns[seat]):
            game.public[slot] = truth[slot]

    def danger(self, name: str) -> int:
        """The face of a Danger card by the end of its id."""
        return next(face for face, kind in enumerate(self.rules.kinds) if kind.id.endswith(f"/{name}"))

    def _lay_danger(
        self, coming: str, spent: str, dry: bool, enemies: dict[int, str], items: dict[int, str], location: str
    ) -> None:
        game, truth = self.game, self.dealer.truth
        deck = self.rules.decks()[-1]
        rest = [self.rules.deck()[slot] for slot in deck.slots]
        slots = iter(deck.slots)

        def lay(names: str, public: bool = True) -> list[int]:
            placed = []
            for name in names.split():
                slot, face = next(slots), self.danger(name)
                rest.remove(face)
                truth[slot] = face
                if public:
                    game.public[slot] = face
                placed.append(slot)
            return placed

        for seat, name in enemies.items():
            game.enemies[seat] = lay(name)[0]
        for seat, names in items.items():
            game.items[seat] = lay(names)
        for seat in range(game.players):
            game.changed(seat)
        game.locate(lay(location)[0] if location else -1)
        game.spent = lay(spent)
        stock = lay(coming, public=False)
        others = []
        for face in rest[:]:
            slot = next(slots)
            truth[slot] = face
            others.append(slot)
        if dry:
            game.spent = others + game.spent
            for slot in others:
                game.public[slot] = truth[slot]
        game.danger = [*([] if dry else others), *reversed(stock)]

    # -- playing ------------------------------------------------------------------------------------------------------

    @property
    def need(self) -> Decide | Window | Over:
        """What the game waits for, once the dealer has served."""
        need = self.game.need
        assert isinstance(need, Decide | Window | Over), need
        return need

    @property
    def outcome(self) -> Outcome:
        """How the hand ended."""
        assert isinstance(self.game.need, Over), self.game.need
        return self.game.need.outcome

    def go(self, *texts: str) -> list[Happening]:
        """Moves one after the other, each by the seat that must decide; the dealer serves between them.

        A card or "draw", "keep"; "pick 2" one of the options; "burn R5" (nothing: "I have none"); "order 2 0 1" by
        places of what was looked at; "swap R5" or "swap"; in a window "catch 2", "call" or "pass".
        """
        start = len(self.log)
        for text in texts:
            need = self.need
            answer = says(need, text) if isinstance(need, Window) else self.move(text)
            if not isinstance(answer, Said):
                self.dealer.believe(self.game, answer)
            self.log += self.game.apply(answer)
            self.dealer.check(self.game)
            self._settle()
        return self.log[start:]

    def move(self, text: str) -> Move:
        """The move that a text means for the seat that must decide."""
        need = self.need
        assert isinstance(need, Decide)
        word, *rest = text.split()
        mine = self.game.hands[need.seat]
        if word == "pick":
            return Pick(int(rest[0]))
        if word in ("burn", "swap"):
            faces = [self._face(need.seat, card) for card in rest]
            slots = [next(slot for slot in mine if self.dealer.truth[slot] == face) for face in faces]
            return Burn(tuple(zip(slots, faces, strict=True))) if word == "burn" else Swap(*slots)
        if word == "order":
            return Order(tuple(need.options[int(place)] for place in rest))
        return parse_move(view(self.game, need.seat), text)

    def _settle(self) -> None:
        while not isinstance(self.game.need, Decide | Window | Over):
            self.log += self.dealer.serve(self.game)
            self.dealer.check(self.game)

    # -- what there is ------------------------------------------------------------------------------------------------

    def hand(self, seat: int) -> list[str]:
        """What a seat truly holds."""
        return sorted(self.rules.kinds[self.dealer.truth[slot]].short for slot in self.game.hands[seat])

    def counts(self) -> list[int]:
        """Cards in each hand."""
        return [len(hand) for hand in self.game.hands]

    def decks(self) -> list[int]:
        """Cards in each deck."""
        return [len(deck) for deck in self.game.decks]

    def burned(self) -> list[int]:
        """Cards on each Burn Pile."""
        return [len(pile) for pile in self.game.burns]

    def enemy(self, seat: int) -> str:
        """The Enemy that attacks a seat, "" if none."""
        return self._name(self.game.enemies[seat])

    def location(self) -> str:
        """The Location."""
        return self._name(self.game.location)

    def items(self, seat: int) -> list[str]:
        """The Items of a seat."""
        return [self._name(slot) for slot in self.game.items[seat]]

    def spent(self) -> list[str]:
        """The Danger discard."""
        return [self._name(slot) for slot in self.game.spent]

    def _name(self, slot: int) -> str:
        return self.rules.kinds[self.dealer.truth[slot]].id.rpartition("/")[2] if slot >= 0 else ""


def custom(base: str, *changes: tuple[str, str], ident: str = "tester") -> Hero:
    """A hero of one's own making: the pack of a built-in one with some text changed."""
    text = built_in_heroes()[base].data.decode().replace(f'id = "{base}"', f'id = "{ident}"', 1)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return read_own(f"{ident}.toml", text.encode(), "test")


def told(happenings: Sequence[Happening], *kinds: What) -> list[Happening]:
    """Only happenings of these kinds."""
    return [happening for happening in happenings if happening.what in kinds]


def start(rules: Rules, players: int, first: int, dice: Dice) -> tuple[UltimateGame, OpenDealer]:
    """A new hand and its dealer."""
    game = new_game(rules, players, first)
    assert isinstance(game, UltimateGame)
    return game, OpenDealer(rules, players, dice)


def walk(
    rules: Rules, seed: int, dice: Dice, steps: int = 10**6, wanders: bool = False
) -> Iterator[tuple[UltimateGame, OpenDealer, list[Happening]]]:
    """A hand by random moves: the game, its dealer and what happened last, at every need up to the end."""
    players = len(rules.heroes)
    game, dealer = start(rules, players, seed % players, dice)
    bot = random_legal(dice, forgets=True, wanders=wanders)
    happenings: list[Happening] = []
    for _ in range(steps):
        yield game, dealer, happenings
        need = game.need
        if isinstance(need, Decide):
            move = bot(view(game, need.seat))
            dealer.believe(game, move)
            happenings = game.apply(move)
        elif isinstance(need, Window):
            happenings = game.apply(Said(tuple((seat, bot.say(view(game, seat))) for seat in need.seats)))
        elif isinstance(need, Over):
            return
        else:
            happenings = dealer.serve(game)
