"""Every card, ability, verb, modifier and question of the nine packs is met in seeded hands.

`python -m tests.ultimate.test_coverage [hands]` prints how often.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from p2puno.effects import Mod, On, Verb
from p2puno.happenings import What
from p2puno.hero_file import built_in_heroes
from p2puno.needs import Ask, Attest, Decide, Mix, Show, Shuffle, Window
from p2puno.outcome import Ending
from p2puno.rules import Rules
from p2puno.ultimate import events, machine, steps
from tests.ultimate.table import ALL, walk

ASKS = set(Ask) - {Ask.CHALLENGE, Ask.WISH, Ask.STACK, Ask.HANDS}


def count_runs(hands: int, patch: Callable[[dict[str, Any], str, Any], None]) -> dict[str, Counter[str]]:
    """Play hands of random line-ups by random moves and count what was met. `patch(table, key, value)` replaces an
    entry for as long as the test runs."""
    names = ("cards", "abilities", "triggers", "modifiers", "verbs", "asks", "needs", "told", "ends")
    met: dict[str, Counter[str]] = {name: Counter() for name in names}
    for verb, do in list(steps._DO.items()):

        def counted(*args: Any, verb: str = verb, do: Any = do) -> Any:
            met["verbs"][verb] += 1
            return do(*args)

        patch(steps._DO, verb, counted)
    for name in ("fire", "begin"):
        patch(machine.PIECES, name, _counting(machine.PIECES[name], met))
    spring = machine.PIECES["spring"]

    def springing(game: Any, piece: Any, answer: Any, out: Any) -> Any:
        met["abilities"][f"trap of {game.rules.heroes[piece[2]]}"] += 1
        return spring(game, piece, answer, out)

    patch(machine.PIECES, "spring", springing)
    for hand in range(hands):
        dice = random.Random(hand)
        heroes = dice.sample(ALL, 2 + hand % 3)
        rules = Rules.make("marvel", heroes=heroes, ask_optional=hand % 4 == 0, force_play=hand % 5 == 0)
        for game, _, happenings in walk(rules, hand, dice, wanders=hand % 10 == 0):
            need = game.need
            met["needs"][type(need).__name__] += 1
            if isinstance(need, Decide):
                met["asks"][need.ask] += 1
            for happening in happenings:
                met["told"][happening.what] += 1
                if happening.what in (What.PLAYED, What.DANGER):
                    met["cards"][rules.kinds[happening.face].id] += 1
            if game.standing is not None:
                for modifier in (m for source in range(game.book.sources) for m in game.book.standing[source]):
                    met["modifiers"][modifier.mod] += 1
        met["ends"][game.need.outcome.ending] += 1  # type: ignore[union-attr]
    return met


def _counting(run: Any, met: dict[str, Counter[str]]) -> Any:
    """The piece by which an ability acts, with a count of it."""

    def counted(game: Any, piece: Any, answer: Any, out: Any) -> Any:
        if events.would(game, piece[1], piece[2]):
            ability = game.book.abilities[piece[1]]
            met["abilities"][_name(game, ability.source, piece[2]) + f" {ability.on}"] += 1
            met["triggers"][ability.on] += 1
        return run(game, piece, answer, out)

    return counted


def _name(game: Any, source: int, owner: int) -> str:
    kinds = game.rules.kinds
    return kinds[source].id if source < len(kinds) else f"power of {game.rules.heroes[owner]}"


def expected() -> tuple[set[str], set[str]]:
    """The ids of all cards, and all abilities by card and trigger."""
    cards, abilities = set(), set()
    for hero in built_in_heroes().values():
        cards |= {kind.id for kind in hero.kinds} | {card.id for card in hero.danger}
        abilities |= {f"power of {hero.id} {a.on}" for a in hero.power.abilities if hasattr(a, "on")}
        abilities |= {f"{card.id} {a.on}" for card in hero.danger for a in card.abilities if hasattr(a, "on")}
    return cards, abilities | {"trap of aquaman"}


def check(met: dict[str, Counter[str]]) -> None:
    """Everything that the nine packs hold was met."""
    cards, abilities = expected()
    assert cards - met["cards"].keys() == set()
    assert abilities - met["abilities"].keys() == set()
    assert set(Verb) - met["verbs"].keys() == set()
    assert set(On) - met["triggers"].keys() == set()
    assert set(Mod) - met["modifiers"].keys() == set()
    assert ASKS - met["asks"].keys() == set()
    assert {need.__name__ for need in (Attest, Show, Mix, Shuffle, Window)} <= met["needs"].keys()
    assert {Ending.EMPTY_HAND, Ending.LAST_STANDING} <= met["ends"].keys()
    assert _TOLD - met["told"].keys() == set()


_TOLD = {
    What.ADDED, What.BURNT, What.RECOVERED, What.SPARED, What.COLOUR, What.DANGER, What.PASSED_OVER, What.ENEMY,
    What.DEFEATED, What.LOCATION, What.ITEM, What.TOOK, What.DESTROYED, What.POWER, What.ABILITY, What.TRAP,
    What.SPRUNG, What.NONE, What.LOOKED, What.PUT_BACK, What.EXCHANGED, What.PASSED, What.EXTRA,
    What.OUT, What.OPENED, What.SHOWED, What.CAUGHT, What.FORGOT, What.CALLED, What.KEPT, What.DREW,
}  # fmt: skip


def test_seeded_hands_meet_every_card_ability_verb_and_question(monkeypatch):
    check(count_runs(400, monkeypatch.setitem))


@pytest.mark.soak
def test_many_hands_meet_every_card_often(monkeypatch):
    met = count_runs(6000, monkeypatch.setitem)
    check(met)
    assert min(met["cards"].values()) > 50


if __name__ == "__main__":
    counts = count_runs(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, dict.__setitem__)
    for title, counter in counts.items():
        print(title)
        for name, times in sorted(counter.items()):
            print(f"  {times:7} {name}")
