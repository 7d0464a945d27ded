"""What a shell may complete where click cannot know it: names of games, heroes, themes and settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import click

from p2puno.hero_file import built_in_heroes
from p2puno.rules import games

Completer: TypeAlias = Callable[[click.Context, click.Parameter, str], list[str]]


def words(candidates: Callable[[click.Context], Iterable[str]]) -> Completer:
    """Completes to these words; they are made only when a shell asks."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
        return [word for word in candidates(context) if word.startswith(begun.lower())]

    return complete


game_names = words(lambda context: games())
hero_names = words(lambda context: built_in_heroes())
