"""The part of docs/cards.md about heroes, made from the packs. `python -m tests.packs.document` writes it anew."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from p2puno.cast import GAMES
from p2puno.describe import beaten_by, deck_line
from p2puno.hero import Danger, Hero
from p2puno.hero_file import built_in_heroes

FILE = Path(__file__).parents[2] / "docs" / "cards.md"
HEAD = "## UNO Ultimate (47 cards and 8 Danger cards for each hero)\n"
INTRO = """
Each player brings the deck of one hero; the Danger cards of all heroes at the table make one Danger Deck. Numbers,
copies and icon cards are our own (house), and so is the split of the Danger cards, except that Shuri's three Enemies
and three Items and Thor's four Enemies are public. Colours, numbers and Action cards are written as in the classic
games, a star marks the Danger icon: `R5*`. A Wild is written with the letters that stand beside it here.
"""

KNOWN = """
### What is known of cards marked partial

| card | known | ours |
|---|---|---|
| Black Manta | with an Aquaman Location in play all players burn 1 | the rest |
| Poseidon | a blue card beats him | the rest |
| Hector Hammond | a card with the Danger icon beats him | the rest |
| Zod | a Wild beats him | the rest |
| Lex Luthor | a yellow card beats him | the rest |
| Change of Plan | it reverses the direction of play | burning 2 |
| Taser Baton | the name, and that it is used at the start of the turn | what it does |
| Unstoppable | burning 3 | the other turn |
| Second Wind | an Event by which the flipper recovers | name and amount |
| Malekith, Destroyer, Hela, Loki | when flipped and attacking | what beats them |

To which hero Poseidon, Hector Hammond, Bizarro, Zod, Lex Luthor, Taser Baton, Backlash and Second Wind belong is ours.
With Radioactive Man, Tetu and Hela the start of the turn is our reading. The names of Shuri's public cards came through
translations and may differ by a word from print.
"""


def heroes_chapter() -> str:
    """All nine heroes as Markdown."""
    parts = [HEAD, INTRO]
    for name, ids in GAMES.values():
        parts.append(f"\n### {name}\n")
        parts += [_hero(built_in_heroes()[ident]) for ident in ids]
    return "".join([*parts, KNOWN])


def _hero(hero: Hero) -> str:
    split = Counter(card.type for card in hero.danger)
    kinds = ", ".join(f"{split[kind]} {kind.capitalize()}" for kind in ("enemy", "event", "location", "item"))
    rows = [("power", hero.power.name, hero.power.text, hero.power.mark)]
    rows += [(f"Wild `{w.code}`, {w.copies}", w.name, w.text, w.mark) for w in hero.wilds]
    rows += [(card.type.capitalize(), card.name, _danger(card), card.mark) for card in hero.danger]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    head = f"\n#### {hero.name} (`{hero.id}`)\n\nDeck: {deck_line(hero)}. Danger cards: {kinds}.\n\n"
    return head + "| what | name | what it does | mark |\n|---|---|---|---|\n" + table


def _danger(card: Danger) -> str:
    if card.type != "enemy":
        return card.text
    return f"*Flipped:* {card.flipped_text} *Attacking:* {card.text} *Beaten by* {beaten_by(card)}."


if __name__ == "__main__":
    before, _, old = FILE.read_text("utf-8").partition(HEAD)
    _, other, after = old.partition("\n## ")
    FILE.write_text(before.rstrip("\n") + "\n\n" + heroes_chapter() + other + after, "utf-8")
