"""Tables of UNO Ultimate and of Dragon Ball Z drawn by hand, and walks through every answer of a question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from cli.table.asking import Asking, Option, Path, pick
from cli.table.board import Board
from cli.table.cards import Card, namer, power_card
from cli.table.look import Asked, Held, Heroics, Look, Seat
from p2puno.bots import random_legal
from p2puno.dealer import OpenDealer
from p2puno.engine import Game, new_game
from p2puno.happenings import Happening, What
from p2puno.moves import Draw, Move, Pick
from p2puno.needs import Decide, Over, Said, Window
from p2puno.rules import Rules
from p2puno.view import View, view
from protocol.events import Happened, Phase, Player
from tests.cli.fakes import people
from tests.cli.looks import plays

HEROES = ("hulk", "thor", "shuri", "captain_america")
NAMES = ("Mia", "Bo", "Cy", "Dot")
RULES = Rules.make("marvel", heroes=HEROES)
DBZ = Rules.make("dbz")
CARD = namer(RULES)
BY_NAME = {kind.name: face for face, kind in enumerate(RULES.kinds)}


def named(name: str) -> Card:
    """The Wild or Danger card with this name."""
    return CARD(BY_NAME[name])


def card(text: str, hero: str = "hulk") -> Card:
    """The card of a hero as it is written."""
    return next(CARD(f) for f, kind in enumerate(RULES.kinds) if kind.hero == hero and kind.short == text)


def heroics(seat: int, deck: int = 33, burn: int = 4, **more: object) -> Heroics:
    """What seat i has."""
    power = power_card(RULES, HEROES[seat])
    base = Heroics(RULES.hero(HEROES[seat]).name, deck, burn, card("R6") if burn else None, power)
    return replace(base, **more)  # type: ignore[arg-type]


def hero_look(seats: int = 4, **more: object) -> Look:
    """Seat 0, Hulk, is to play on Bo's blue 4; Enemies, Items and a Location are about."""
    all_heroics = (
        heroics(0, enemy=named("Abomination"), fresh=True),
        heroics(1, 12, 20, enemy=named("Loki"), blank=True),
        heroics(2, 30, 0, items=(named("Kinetic Claws"), named("Sonic Hand Cannons")), lost=True),
        heroics(3, 28, 9, extra=True),
    )
    hand = tuple(
        Held(slot, card(text), text in ("B1*", "WS"))
        for slot, text in enumerate(("R2*", "Y3", "Y+2", "B1*", "WS", "WBTO"))
    )
    look = Look(
        variant=RULES.name,
        hand_number=1,
        seats=tuple(
            Seat(i, NAMES[i], bot=i > 0, me=i == 0, cards=6 - i, turn=i == 0, hero=all_heroics[i].hero,
                 heroics=all_heroics[i])
            for i in range(seats)
        ),
        me=0,
        draw_pile=33,
        discard=9,
        top=card("B4", "thor"),
        colour=3,
        hand=hand,
        asked=Asked.TURN,
        moves=(*plays(hand), Draw()),
        heroes=True,
        danger_deck=17,
    )  # fmt: skip
    return replace(look, **more)  # type: ignore[arg-type]


def targets() -> Asking:
    """Heat of the moment: whom does Smash hit?"""
    labels = ("Bo (Thor), 5 cards, deck 12", "Cy (Shuri), 4 cards, deck 30", "Dot (Captain America), 3 cards, deck 28")
    options = [Option(label, f"choose {NAMES[i]}", Pick(i)) for i, label in enumerate(labels, 1)]
    return pick(named("Smash"), "Choose a player", options)


def hero_board(*happenings: Happening) -> Board:
    """A board of this table that has seen these things, or some that are usual."""
    board = Board(phase=Phase.PLAY)
    board.narrator.at(tuple(Player(n, bytes(32), i > 0, hero=HEROES[i]) for i, n in enumerate(NAMES)), 0, RULES)
    usual = (
        Happening(What.PLAYED, 3, face=card("R+2", "captain_america").face, n=3),
        Happening(What.ADDED, 0, n=2),
        Happening(What.SKIPPED, 0),
        Happening(What.PASSED, 0),
        Happening(What.PLAYED, 1, face=card("B4", "thor").face, n=5),
        Happening(What.POWER, 1),
        Happening(What.BURNT, 2, face=card("Y3").face, n=1),
        Happening(What.BURNT, 2, face=card("R2*").face, n=1),
        Happening(What.DANGER, 0, face=named("Abomination").face),
        Happening(What.ENEMY, 0, face=named("Abomination").face),
    )
    for happening in happenings or usual:
        board.take(Happened((happening,)))
    return board


def leaves(asking: Asking, path: Path = (), depth: int = 0) -> Iterator[tuple[Path, Option]]:
    """Every option that sends a move, by walking every path; a marking question may be walked in circles, so a path is
    walked once."""
    seen: set[Path] = set()
    todo = [path]
    while todo:
        at = todo.pop()
        if at in seen:
            continue
        seen.add(at)
        for option in asking.stage(at).options:
            if option.move is not None:
                yield at, option
            else:
                todo.append(option.path)


@dataclass
class Seated:
    """What `look_at` needs of a session, for one seat of a game that the test plays."""

    rules: Rules
    view: View
    seat: int
    players: tuple[Player, ...]
    scores: tuple[int, ...]
    hand: int = 1


def moments(rules: Rules, players: int, seed: int) -> Iterator[tuple[Game, Seated, list[Happening]]]:
    """A hand between random players, at every decision: the game, the seat that decides, what happened since."""
    dice = Random(seed)
    game, dealer = new_game(rules, players, 0), OpenDealer(rules, players, dice)
    bots = [random_legal(dice) for _ in range(players)]
    seated = people(players, NAMES, rules.heroes)
    happened: list[Happening] = []
    while not isinstance(game.need, Over):
        need = game.need
        if isinstance(need, Decide):
            yield game, Seated(rules, view(game, need.seat), need.seat, seated, (0,) * players), happened
            happened = []
            move: Move = bots[need.seat](view(game, need.seat))
            happened += game.apply(move)
        elif isinstance(need, Window):
            happened += game.apply(Said(tuple((s, bots[s].say(view(game, s))) for s in need.seats)))
        else:
            happened += dealer.serve(game)
