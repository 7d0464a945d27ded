"""What hands by random moves meet of what the games hold: cards, effects, triggers, questions, outcomes.

`python -m tests.coverage [hands]` prints how often for every game, and fails if anything was never met.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from p2puno import pieces
from p2puno.bots import random_legal
from p2puno.dealer import OpenDealer
from p2puno.effects import Mod, On, Verb
from p2puno.engine import Game
from p2puno.happenings import Happening, What
from p2puno.hero_file import built_in_heroes
from p2puno.moves import WishFor
from p2puno.needs import ALL, Ask, Attest, Decide, Over, Said, Window
from p2puno.outcome import Ending
from p2puno.rules import Rules
from p2puno.ultimate import events, machine, steps
from p2puno.view import view
from tests.ultimate import table

Patch = Callable[[dict[str, Any], str, Any], None]
"""Replaces an entry of a table for as long as the hands run: (table, key, value)."""


@dataclass(frozen=True)
class Tally:
    """What was met, and `due`: what there is to meet, both by heading. Other things may be met as well."""

    game: str
    met: dict[str, Counter[str]]
    due: Mapping[str, frozenset[str]]

    def missing(self) -> list[str]:
        """What was never met, as "heading: name"."""
        return [f"{h}: {name}" for h, names in self.due.items() for name in sorted(names - self.met[h].keys())]

    def lines(self) -> Iterator[str]:
        """The table for people; what was never met stands out."""
        for heading, names in self.due.items():
            counts = self.met[heading]
            yield f"{self.game}, {heading}: {len(names & counts.keys())} of {len(names)} met"
            for name in sorted(names | counts.keys()):
                yield f"  {counts[name]:8} {name}" if counts[name] else f"     NEVER {name}"


def tally(game: str, due: Mapping[str, Iterable[str]]) -> Tally:
    """A tally of nothing yet."""
    wanted = {heading: frozenset(names) for heading, names in due.items()}
    return Tally(game, {heading: Counter() for heading in wanted}, wanted)


# --- the classic games ----------------------------------------------------------------------------------------------

_SIGNAL: Final = frozenset({"bat_signal", "signal", "lit", "told"})
_WISH: Final = frozenset(name for name, run in pieces.REGISTER.pieces.items() if run.__module__ == "p2puno.wishes")
_ELSEWHERE: Final = {"batman": _WISH, "dbz": _SIGNAL}
_NOT_TOLD: Final = {"batman": {What.REVEALED, What.WISHED, What.SPARED}, "dbz": {What.SIGNAL}}
"""What only the other game knows; a lost turn can wait (R21) only where it can be wished for."""

_CLASSIC_ASKS: Final = {Ask.TURN, Ask.DRAWN, Ask.CHALLENGE, Ask.STACK, Ask.HANDS}
_CLASSIC_TOLD: Final = {*list(What)[: list(What).index(What.ADDED)], What.LEFT, What.BLOCKED, What.WON, What.TURN}


def count_classic(variant: str, hands: int, patch: Patch) -> Tally:
    """Play hands of 2 to 10 by random moves under all options in turn, some with a seat that leaves, some in which
    nobody ever plays a card."""
    kinds, pack = Rules.make(variant).kinds, Rules.make(variant).pack
    ids = [kind.id for kind in kinds]
    due: dict[str, Iterable[str]] = {
        "cards": ids,
        "pieces": pieces.REGISTER.pieces.keys() - _ELSEWHERE[variant],
        "asks": _CLASSIC_ASKS | ({Ask.WISH} if variant == "dbz" else set()),
        "needs": {"Decide", "Window", "Shuffle", "Open", "Mix", "Attest", "Give", "Over"},
        "challenges": {"accepted", "guilty", "innocent, shown to one", "innocent, shown to all"},
        "told": _CLASSIC_TOLD - _NOT_TOLD[variant],
        "ends": {Ending.EMPTY_HAND, Ending.BLOCKED, Ending.FORFEIT},
    }
    if variant == "dbz":
        due["wish flips"] = ids
        due["wishes"] = {wish.name.lower() for wish in WishFor}
    else:
        due["signals"] = {*(f"stopped by {ids[face]}" for face in pack.stop), "went on"}
    found = tally(variant, due)
    for name, run in list(pieces.REGISTER.pieces.items()):
        patch(pieces.REGISTER.pieces, name, _counted(found.met["pieces"], name, run))
    for hand in range(hands):
        dice = random.Random(hand)
        for game, dealer, happenings in _classic_hand(_classic_rules(variant, hand), 2 + hand % 9, hand, dice):
            _note_classic(found, game, dealer, happenings)
    return found


def _classic_rules(variant: str, hand: int) -> Rules:
    special = {"signal_skips": hand % 6 == 1} if variant == "batman" else {"wish_draw_skips": hand % 6 == 1}
    return Rules.make(
        variant,
        force_play=hand % 7 == 1,
        draw_until_playable=hand % 7 == 2,
        stacking=hand % 3 == 1,
        seven_zero=hand % 4 == 1,
        challenge=hand % 11 != 10,
        challenge_shows="all" if hand % 2 else "challenger",
        draw_on_skipped="ignore" if hand // 2 % 2 else "cards",
        hand_size=5 + hand % 5,
        **special,
    )


def _classic_hand(
    rules: Rules, players: int, hand: int, dice: random.Random
) -> Iterator[tuple[Game, OpenDealer, list[Happening]]]:
    """The game, its dealer and what happened last, at every need up to the end."""
    game, dealer = Game(rules, players, hand % players), OpenDealer(rules, players, dice)
    bot = random_legal(dice, forgets=True, wanders=hand % 10 == 4)
    idle = hand % 20 == 19
    leaves = dice.randrange(10, 80) if hand % 4 == 3 else -1
    happenings: list[Happening] = []
    for step in range(10**6):
        yield game, dealer, happenings
        need = game.need
        if isinstance(need, Over):
            return
        if step == leaves:
            happenings = game.leave(dice.choice(game.seats_from(0)))
        elif isinstance(need, Decide):
            happenings = game.apply(game.default(need) if idle else bot(view(game, need.seat)))  # type: ignore[arg-type]
        elif isinstance(need, Window):
            happenings = game.apply(Said(tuple((seat, bot.say(view(game, seat))) for seat in need.seats)))
        else:
            happenings = dealer.serve(game)
    raise AssertionError("a hand did not end")


def _note_classic(found: Tally, game: Game, dealer: OpenDealer, happenings: list[Happening]) -> None:
    met, kinds, need = found.met, game.rules.kinds, game.need
    _note_common(met, need, happenings)
    if isinstance(need, Attest) and "signals" in met and not need.all_outside:
        face = dealer.truth[need.slots[0]]
        met["signals"][f"stopped by {kinds[face].id}" if face in game.pack.stop else "went on"] += 1
    for what, _, other, face, _, n in happenings:
        match what:
            case What.PLAYED:
                met["cards"][kinds[face].id] += 1
            case What.REVEALED:
                met["wish flips"][kinds[face].id] += 1
            case What.WISHED:
                met["wishes"][WishFor(n).name.lower()] += 1
            case What.ACCEPTED | What.GUILTY:
                met["challenges"][what] += 1
            case What.SHOWED:
                met["challenges"]["innocent, shown to " + ("all" if other == ALL else "one")] += 1


def _note_common(met: dict[str, Counter[str]], need: Any, happenings: list[Happening]) -> None:
    met["needs"][type(need).__name__] += 1
    if isinstance(need, Decide):
        met["asks"][need.ask] += 1
    if isinstance(need, Over):
        met["ends"][need.outcome.ending] += 1
    for happening in happenings:
        met["told"][happening.what] += 1


def _counted(counter: Counter[str], name: str, do: Callable[..., Any]) -> Callable[..., Any]:
    """`do`, with a count of its calls."""

    def counted(*args: Any) -> Any:
        counter[name] += 1
        return do(*args)

    counted.__module__ = do.__module__
    return counted


# --- UNO Ultimate ---------------------------------------------------------------------------------------------------

_TOLD: Final = {
    What.ADDED, What.BURNT, What.RECOVERED, What.SPARED, What.COLOUR, What.DANGER, What.PASSED_OVER, What.ENEMY,
    What.DEFEATED, What.LOCATION, What.ITEM, What.TOOK, What.DESTROYED, What.POWER, What.ABILITY, What.TRAP,
    What.SPRUNG, What.NONE, What.LOOKED, What.PUT_BACK, What.EXCHANGED, What.PASSED, What.EXTRA,
    What.OUT, What.OPENED, What.SHOWED, What.CAUGHT, What.FORGOT, What.CALLED, What.KEPT, What.DREW,
}  # fmt: skip


def count_ultimate(hands: int, patch: Patch) -> Tally:
    """Play hands of random line-ups of all nine heroes by random moves."""
    cards, abilities = set(), {"trap of aquaman"}
    for hero in built_in_heroes().values():
        cards |= {kind.id for kind in hero.kinds} | {card.id for card in hero.danger}
        abilities |= {f"power of {hero.id} {a.on}" for a in hero.power.abilities if hasattr(a, "on")}
        abilities |= {f"{card.id} {a.on}" for card in hero.danger for a in card.abilities if hasattr(a, "on")}
    found = tally("UNO Ultimate", {
        "cards": cards,
        "abilities": abilities,
        "triggers": set(On),
        "modifiers": set(Mod),
        "verbs": set(Verb),
        "asks": set(Ask) - {Ask.CHALLENGE, Ask.WISH, Ask.STACK, Ask.HANDS},
        "needs": {"Decide", "Window", "Shuffle", "Open", "Mix", "Attest", "Show", "Over"},
        "told": _TOLD,
        "ends": {Ending.EMPTY_HAND, Ending.LAST_STANDING},
    })  # fmt: skip
    met = found.met
    for verb, do in list(steps._DO.items()):
        patch(steps._DO, verb, _counted(met["verbs"], verb, do))
    for name in ("fire", "begin"):
        patch(machine.REGISTER.pieces, name, _acting(machine.REGISTER.pieces[name], met))
    spring = machine.REGISTER.pieces["spring"]

    def springing(game: Any, piece: Any, answer: Any, out: Any) -> Any:
        met["abilities"][f"trap of {game.rules.heroes[piece[2]]}"] += 1
        return spring(game, piece, answer, out)

    patch(machine.REGISTER.pieces, "spring", springing)
    for hand in range(hands):
        dice = random.Random(hand)
        heroes = dice.sample(table.ALL, 2 + hand % 3)
        rules = Rules.make("marvel", heroes=heroes, ask_optional=hand % 4 == 0, force_play=hand % 5 == 0)
        for game, _, happenings in table.walk(rules, hand, dice, wanders=hand % 10 == 0):
            _note_common(met, game.need, happenings)
            for happening in happenings:
                if happening.what in (What.PLAYED, What.DANGER):
                    met["cards"][rules.kinds[happening.face].id] += 1
            if game.standing is not None:
                for modifier in (m for source in range(game.book.sources) for m in game.book.standing[source]):
                    met["modifiers"][modifier.mod] += 1
    return found


def _acting(run: Any, met: dict[str, Counter[str]]) -> Any:
    """The piece by which an ability acts, with a count of it."""

    def counted(game: Any, piece: Any, answer: Any, out: Any) -> Any:
        if events.would(game, piece[1], piece[2]):
            ability = game.book.abilities[piece[1]]
            kinds, source, owner = game.rules.kinds, ability.source, piece[2]
            name = kinds[source].id if source < len(kinds) else f"power of {game.rules.heroes[owner]}"
            met["abilities"][f"{name} {ability.on}"] += 1
            met["triggers"][ability.on] += 1
        return run(game, piece, answer, out)

    return counted


def main(hands: int) -> int:
    """Print the tables of all games; 1 if anything was never met, else 0."""
    missing = 0
    for found in (
        count_ultimate(hands, dict.__setitem__),
        count_classic("batman", hands, dict.__setitem__),
        count_classic("dbz", hands, dict.__setitem__),
    ):
        print("\n".join(found.lines()))
        missing += len(found.missing())
    print(f"never met: {missing}")
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
