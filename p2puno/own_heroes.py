"""Heroes from players' own packs at one table: which it may play, and their files where the agreed rules name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from p2puno.hero import Hero
from p2puno.hero_file import MAX_FILES, built_in_heroes, read_own
from p2puno.options import RulesError
from p2puno.reading import PackError
from p2puno.said import message_of, said


class MissingPacks(RulesError):
    """The table plays heroes whose packs are not here. `packs`: (id, digest) of each."""

    def __init__(self, packs: tuple[tuple[str, bytes], ...]) -> None:
        names = ", ".join(ident for ident, _ in packs)
        super().__init__(
            said("the packs of these heroes are not here: {names}", names=names),
            said("ask the host for the pack files"),
        )
        self.packs = packs


def playable(heroes: Iterable[Hero], game: str, mix_sets: bool) -> tuple[Hero, ...]:
    """Those of these own heroes that a table of the game may play, in the order of their ids: with `mix_sets` all, else
    those of its set.

    :raises RulesError: two have one id, or there are too many
    """
    found: dict[str, Hero] = {}
    for hero in heroes:
        if hero.id in found or hero.id in built_in_heroes():
            raise RulesError(said("two heroes have the id {id}", id=hero.id), said("give each hero an id of its own"))
        if mix_sets or hero.set == game:
            found[hero.id] = hero
    if len(found) > MAX_FILES:
        raise RulesError(said("a table takes at most {most} own heroes, not {count}", most=MAX_FILES, count=len(found)))
    return tuple(found[ident] for ident in sorted(found))


def read_named(named: Sequence[tuple[str, bytes]], packs: Mapping[str, bytes]) -> tuple[Hero, ...]:
    """The own heroes among the packs that rules name. `named`: (id, digest) of each pack; `packs`: files by id.

    :raises MissingPacks: the file of an own hero is not there
    :raises RulesError: a pack cannot be read, or is another one than its digest says
    """
    if len(named) > len(built_in_heroes()) + MAX_FILES:
        raise RulesError(said("these rules name too many packs"))
    wanted = [(ident, digest) for ident, digest in named if ident not in built_in_heroes()]
    missing = tuple((ident, digest) for ident, digest in wanted if ident not in packs)
    if missing:
        raise MissingPacks(missing)
    own = []
    for ident, _ in wanted:
        try:
            own.append(read_own(f"{ident}.toml", packs[ident], said("the pack {hero} of another player", hero=ident)))
        except PackError as error:
            raise RulesError(message_of(error), error.hint) from error
    known = {**built_in_heroes(), **{hero.id: hero for hero in own}}
    for ident, digest in named:
        if ident not in known or known[ident].digest != digest:
            raise RulesError(
                said("the pack of {hero} differs", hero=ident), said("all players need the same pack file")
            )
    return tuple(own)
