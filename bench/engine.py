"""How fast the rules engine plays, beside RLCard's UNO where that is installed, and how strong the default bot is.

    python -m bench.engine [--json]

A *move* is one answered `Decide`: play, draw, keep, challenge, accept or wish; seats that are dealt cards, shuffles,
mixes and proofs are not counted; a *need* is whatever the game waits for, these included. One process, four players,
every rule on, complete hands with the random player that draws only if it must; the time is that of the process. UNO
Ultimate stands beside Batman: the target is half its speed. Absolute numbers hold for one machine; the ratios can be
compared. For a quiet measurement pin it to one core (`taskset -c 1`).
"""

from __future__ import annotations

import json
import math
import random
import statistics
import sys
import time
from collections.abc import Callable, MutableSequence, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, NamedTuple

from p2puno.bots import Bot, random_legal, sensible
from p2puno.dealer import OpenDealer, play_hand
from p2puno.engine import Game, new_game
from p2puno.moves import Move
from p2puno.needs import Say
from p2puno.rules import Rules
from p2puno.view import View

ROUNDS = 3
SECONDS = 0.9
"""For each figure in each round; the whole bench ends within a minute."""
BOT_SECONDS = 3.0
TARGET = 0.5
"""The speed of UNO Ultimate as a part of Batman's."""


class QuickDice(random.Random):
    """Dice that are fair enough for a benchmark and take no time of their own."""

    def randrange(self, stop: int, /) -> int:  # type: ignore[override]
        return int(self.random() * stop)

    def shuffle(self, x: MutableSequence[Any], /) -> None:
        roll = self.random
        x[:] = sorted(x, key=lambda _: roll())


class Counted:
    """A player that counts its moves."""

    def __init__(self, player: Bot) -> None:
        self.player = player
        self.moves = 0

    def __call__(self, view: View, /) -> Move:
        self.moves += 1
        return self.player(view)

    def say(self, view: View, /) -> Say:
        return self.player.say(view)


class Speed(NamedTuple):
    """How much a second."""

    games: float
    moves: float
    needs: float


def speed(rules: Rules, seed: int, hashed: bool) -> Speed:
    """Hands of four random players in one process; `hashed`: with the hash of the public state after every answer.
    What happens in them is counted afterwards, as the same dice let them be played again."""
    dice = QuickDice(seed)
    player = random_legal(dice)
    start, games = time.process_time(), 0
    while time.process_time() - start < SECONDS:
        game = new_game(rules, 4, games % 4)
        watch = _hash_of(game) if hashed else None
        play_hand(game, OpenDealer(rules, 4, dice), [player] * 4, watch)
        games += 1
    seconds = time.process_time() - start
    moves, needs = counts(rules, seed, games)
    return Speed(games / seconds, moves / seconds, needs / seconds)


def counts(rules: Rules, seed: int, hands: int) -> tuple[int, int]:
    """(moves, needs) in so many hands of four random players with these dice."""
    dice = QuickDice(seed)
    player = Counted(random_legal(dice))
    answers: list[int] = []
    for hand in range(hands):
        play_hand(
            new_game(rules, 4, hand % 4), OpenDealer(rules, 4, dice), [player] * 4, lambda _: answers.append(1)
        )  # fmt: skip
    return player.moves, len(answers)


def _hash_of(game: Game) -> Callable[[object], None]:
    def watch(_: object) -> None:
        game.state_hash()

    return watch


def rlcard_games_per_second() -> float:
    """RLCard's UNO environment with four of its random agents. Raises ImportError where RLCard is not installed."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("uno", config={"game_num_players": 4})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(4)])
    start, games = time.process_time(), 0
    while time.process_time() - start < SECONDS:
        env.run(is_training=False)
        games += 1
    return games / (time.process_time() - start)


def hands_won(rules: Rules, seed: int) -> tuple[int, int]:
    """(won, played): hands of a sensible player against three random ones that draw only if they must."""
    dice = QuickDice(seed)
    hero, other = sensible(dice), random_legal(dice)
    won = hand = 0
    start = time.perf_counter()
    while time.perf_counter() - start < BOT_SECONDS:
        seat = hand % 4
        players: list[Bot] = [other] * 4
        players[seat] = hero
        won += play_hand(new_game(rules, 4, hand // 4 % 4), OpenDealer(rules, 4, dice), players).winner == seat
        hand += 1
    return won, hand


def win_rate(rules: Rules) -> dict[str, float]:
    """The share of hands won, with its 95 % interval; parity is 0.25. Two processes share the work."""
    with ProcessPoolExecutor(2) as pool:
        counts = list(pool.map(hands_won, (rules, rules), (1, 2)))
    hands = sum(played for _, played in counts)
    rate = sum(won for won, _ in counts) / hands
    spread = 1.96 * math.sqrt(rate * (1 - rate) / hands)
    return {"hands": hands, "win_rate": round(rate, 4), "plus_minus": round(spread, 4)}


GAMES = {
    "batman": Rules.make("batman"),
    "dbz": Rules.make("dbz"),
    "dc": Rules.make("dc", heroes=("aquaman", "green_lantern", "superman", "wonder_woman")),
    "marvel": Rules.make("marvel", heroes=("shuri", "black_widow", "hulk", "captain_america")),
}


def measure() -> dict[str, Any]:
    """All numbers, as medians of interleaved rounds."""
    plain: dict[str, list[Speed]] = {name: [] for name in GAMES}
    hashed: dict[str, list[Speed]] = {name: [] for name in GAMES}
    rival: list[float] = []
    for turn in range(ROUNDS):
        for name, rules in GAMES.items():
            plain[name].append(speed(rules, turn, hashed=False))
            hashed[name].append(speed(rules, turn, hashed=True))
        try:
            rival.append(rlcard_games_per_second())
        except ImportError:
            continue
    result = {name: _speeds(median(plain[name]), median(hashed[name])) for name in GAMES}
    for name in ("dc", "marvel"):
        result[name]["to batman"] = _ratios(median(plain[name]), median(plain["batman"]))
    result["bots"] = {
        "sensible against three random_legal": win_rate(GAMES["batman"]),
        "the same without challenges": win_rate(Rules.make("batman", challenge=False)),
        "the same with wishes (dbz)": win_rate(GAMES["dbz"]),
        "the same with heroes (dc)": win_rate(GAMES["dc"]),
        "the same with heroes (marvel)": win_rate(GAMES["marvel"]),
    }
    if rival:
        env = statistics.median(rival)
        ratio = result["batman"]["games_per_second"] / env
        result["rlcard"] = {"games_per_second": round(env), "ratio": round(ratio, 2)}
    return result


def median(rounds: Sequence[Speed]) -> Speed:
    """Of each number the median."""
    return Speed(*map(statistics.median, zip(*rounds, strict=True)))


def _speeds(plain: Speed, hashed: Speed) -> dict[str, Any]:
    return {
        "games_per_second": round(plain.games),
        "moves_per_second": round(plain.moves),
        "needs_per_second": round(plain.needs),
        "moves_per_game": round(plain.moves / plain.games, 1),
        "needs_per_game": round(plain.needs / plain.games, 1),
        "with_hash": {"games_per_second": round(hashed.games), "moves_per_second": round(hashed.moves)},
    }


def _ratios(ultimate: Speed, classic: Speed) -> dict[str, float]:
    parts = {name: round(getattr(ultimate, name) / getattr(classic, name), 2) for name in Speed._fields}
    return {**parts, "target": TARGET}


def main(arguments: list[str]) -> None:
    result = measure()
    if "--json" in arguments:
        print(json.dumps(result))
        return
    for name, values in result.items():
        print(name)
        for key, value in values.items():
            shown = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
            print(f"  {key}: {shown}")


if __name__ == "__main__":
    main(sys.argv[1:])
