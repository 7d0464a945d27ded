"""The commands that explain: the rules of a game in words, its options, its cards and heroes."""

from __future__ import annotations

import json
from typing import Any, Final

import click

from cli.completing import game_names, hero_names
from cli.how import HOW
from cli.language import _, told
from cli.options import as_json_option, packs_option, rules_of, table_option, variant_option
from cli.table.explain import NOT_FOUND, Found, classic_card, marks, near_names, of_heroes
from cli.text import columns, pad, visible, wrap
from cli.trouble import FINE
from p2puno.card import Kind
from p2puno.describe import MARK_MEANS, beaten_by
from p2puno.hero import Danger, Hero
from p2puno.rules import Rules, games, show_value
from protocol.errors import Usage

WIDE: Final = 100
"""Cells of a line of the rules."""


@click.command()
@click.argument("variant", default="batman", shell_complete=game_names)
@table_option
@packs_option
@as_json_option
def rules(variant: str, options: tuple[str, ...], packs: Any, as_json: bool) -> int:
    """Show the rules of a game in words, and every table option."""
    agreed = rules_of({"variant": variant, "options": options, "packs": packs})
    usual = Rules.make(agreed.variant)
    how = HOW[agreed.variant]
    if as_json:
        table = {
            o.name: {
                "value": agreed.options()[o.name],
                "usual": usual.options()[o.name],
                "may_be": o.span(),
                "meaning": o.meaning,
            }
            for o in agreed.own_options()
        }
        document = {
            "variant": agreed.variant,
            "name": agreed.name,
            "players": [agreed.players[0], agreed.players[-1]],
            "heroes": list(agreed.offered()),
            "digest": agreed.digest().hex(),
            "rules": " ".join(how),
            "options": table,
        }
        click.echo(json.dumps(document, ensure_ascii=False))
        return FINE
    few, many = agreed.players[0], agreed.players[-1]
    click.echo(_("{game}, {few} to {many} players").format(game=agreed.name, few=few, many=many))
    for paragraph in how:
        for line in wrap(_(paragraph), WIDE - 2, ""):
            click.echo(f"  {line}")
    if agreed.offered():
        heroes = _("heroes: {heroes} (`p2puno cards HERO` shows one)")
        click.echo(heroes.format(heroes=", ".join(agreed.offered())))
    click.echo(_("options, to be chosen with --option KEY=VALUE:"))
    for option in agreed.own_options():
        value, default = agreed.options()[option.name], usual.options()[option.name]
        name = f"{option.name} {show_value(value)}"
        if value != default:
            name = _("{name} {value} (usual: {usual})").format(
                name=option.name, value=show_value(value), usual=show_value(default)
            )
        line = _("{option}: {meaning}; may be {values}")
        click.echo("  " + line.format(option=name, meaning=told(option.meaning), values=told(option.span())))
    return FINE


@click.command()
@click.argument("name", metavar="[HERO|CARD]", required=False, shell_complete=hero_names)
@variant_option(None)
@packs_option
@as_json_option
def cards(name: str | None, variant: str | None, packs: Any, as_json: bool) -> int:
    """Show the cards or heroes of a game, or what one HERO or CARD says (hulk, "Heat Vision", aquaman/R5, WS)."""
    found = _one(name, variant, packs) if name is not None else _every(variant or "batman", packs)
    if as_json:
        document = {"marks": dict(MARK_MEANS), "cards": [_data(one) for one in found]}
        click.echo(json.dumps({"variant": variant or "", **document} if variant else document, ensure_ascii=False))
        return FINE
    if name is None:
        for line in _table(found):
            click.echo(line)
        return FINE
    for one in found:
        for line in one.lines():
            click.echo(line)
    for line in marks({one.mark() for one in found} - {""}):
        click.echo(line)
    return FINE


def _heroes(variant: str | None, packs: Any) -> list[Hero]:
    """The heroes of a game; of all games where none is chosen."""
    if variant is not None:
        agreed = rules_of({"variant": variant, "packs": packs})
        return [agreed.hero(ident) for ident in agreed.offered()]
    agreed = rules_of({"variant": "dc", "packs": packs})
    return [agreed.hero(ident) for ident in agreed.offered()]


def _one(name: str, variant: str | None, packs: Any) -> list[Found]:
    """The heroes or cards that a name means; without a game, a hero first, then in every classic game. Raises Usage."""
    classic = [game for game in ([variant] if variant else games()) if not rules_of({"variant": game}).offered()]
    heroes = _heroes(variant, packs) if variant is None or not classic else []
    if heroes and (found := of_heroes(heroes, name)) and any(isinstance(one.what, Hero) for one in found):
        return found
    cards = [classic_card(rules_of({"variant": game}), name) for game in classic]
    if any(cards):
        return [card for card in cards if card is not None]
    if heroes and (found := of_heroes(heroes, name)):
        return found
    hint = near_names(heroes, name) if heroes else _("cards are written like R7, G+2, YS, BR, W, W4, WS")
    raise Usage(_(NOT_FOUND).format(name=visible(name)), hint)


def _every(variant: str, packs: Any) -> list[Found]:
    agreed = rules_of({"variant": variant, "packs": packs})
    if agreed.offered():
        return [Found(agreed.hero(ident)) for ident in agreed.offered()]
    return [Found(kind) for kind in agreed.kinds]


def _table(found: list[Found]) -> list[str]:
    if isinstance(found[0].what, Hero):
        lines = []
        for one in found:
            hero = one.what
            if isinstance(hero, Hero):
                power = f"{visible(hero.power.name)} ({hero.power.mark}): {visible(told(hero.power.text))}"
                lines.append(f"{pad(hero.id, 16)} {pad(hero.set, 7)} {power}")
        return [*lines, "", *marks(), _("`p2puno cards HERO` shows all cards of one.")]
    rows = [(_("card"), _("in deck"), _("points"), _("mark"), _("name"))]
    for one in found:
        kind = one.what
        if isinstance(kind, Kind):
            rows.append((kind.id, str(kind.copies), str(kind.points), f"{kind.mark:7}", told(kind.name)))
    return [*columns(rows, (1, 2)), "", *marks()]


def _data(one: Found) -> dict[str, Any]:
    """One hero or card for a program to read."""
    what = one.what
    if isinstance(what, Hero):
        kinds = [_data(Found(kind)) for kind in what.kinds]
        dangers = [_data(Found(danger)) for danger in what.danger]
        power = {"name": what.power.name, "mark": what.power.mark, "text": what.power.text}
        return {
            "hero": what.id, "name": what.name, "set": what.set, "source": what.source, "digest": what.digest.hex(),
            "power": power, "cards": kinds, "danger": dangers,
        }  # fmt: skip
    if isinstance(what, Danger):
        enemy = {"flipped": what.flipped_text, "beaten_by": beaten_by(what)} if what.type == "enemy" else {}
        return {"card": what.id, "type": what.type, "name": what.name, "mark": what.mark, "text": what.text, **enemy}
    return {
        "card": what.id, "written": what.short, "name": what.name, "copies": what.copies, "points": what.points,
        "mark": what.mark, "text": what.text,
    }  # fmt: skip
