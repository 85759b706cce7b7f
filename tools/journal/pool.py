"""The games of any number of folders together, with one number for each engine.

An engine is the same in two folders if it is built alike (its command, options and files), called
itself by the same name and version, and had the same time control: each of these changes how
strong it is. Games with other rules, or on a board of another size, form a pool of their own.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from engines import registry
from engines.core.game import FIRST, SECOND
from tools.journal.collection import Played, PlayedEngine, PlayedGame
from tools.journal.repetition import digest_of
from tools.records.game import Player

_SHORT: Final = 8  # Characters of a digest that tell two builds apart for a person.


@dataclass(frozen=True, slots=True)
class PooledEngine:
    """An engine of a pool; `name` is its label, with what tells it from others of that label."""

    name: str
    engine: PlayedEngine


@dataclass(frozen=True, slots=True)
class PooledGame:
    """A game of a pool, with the numbers of its engines, its folder and its pair in the pool.

    `repeated` says that an earlier game of the pool had the same engines, opening and moves.
    """

    played: PlayedGame
    engines: tuple[int, int]
    folder: int
    pair: int
    repeated: bool


@dataclass(frozen=True, slots=True)
class Pool:
    """Games under the same rules between engines that have numbers."""

    game: str
    variant: str
    size: int
    folders: tuple[Path, ...]
    engines: tuple[PooledEngine, ...]
    games: tuple[PooledGame, ...]

    @property
    def title(self) -> str:
        """The game that was played, with the size of its board and its rules."""
        size = f" {self.size}x{self.size}" if self.size else ""
        return f"{registry.find(self.game).title}{size}{f' ({self.variant})' * bool(self.variant)}"

    @property
    def distinct(self) -> int:
        """The number of games that repeat no earlier one."""
        return sum(not game.repeated for game in self.games)


def make_pools(folders: Sequence[Played], *, by_name: bool = False) -> list[Pool]:
    """Return the pools of some folders, in the order in which their games were first met.

    Engines without a game are left out. `by_name` takes engines of one label for the same.
    """
    terms: dict[tuple[str, str, int], list[Played]] = defaultdict(list)
    for played in folders:
        terms[played.game, played.variant, played.size].append(played)
    return [_make_pool(members, by_name=by_name) for members in terms.values()]


def _make_pool(folders: Sequence[Played], *, by_name: bool) -> Pool:
    numbers: dict[PlayedEngine, int] = {}
    engines: list[PlayedEngine] = []
    pairs: dict[tuple[int, int], int] = {}
    seen: set[str] = set()
    games = []

    def number_of(engine: PlayedEngine, played: Played) -> int:
        key = _identity(engine, played, by_name=by_name)
        if key not in numbers:
            numbers[key] = len(engines)
            engines.append(engine)
        return numbers[key]

    for folder, played in enumerate(folders):
        for game in played.games:
            first, second = (number_of(played.engines[number], played) for number in game.engines)
            digest = _digest(game, (first, second))
            pair = pairs.setdefault((folder, game.record.pair), len(pairs))
            games.append(PooledGame(game, (first, second), folder, pair, digest in seen))
            seen.add(digest)
    return Pool(
        folders[0].game,
        folders[0].variant,
        folders[0].size,
        tuple(played.folder for played in folders),
        tuple(map(PooledEngine, _name_apart(engines), engines)),
        tuple(games),
    )


def _identity(engine: PlayedEngine, played: Played, *, by_name: bool) -> PlayedEngine:
    """Return an engine as it is compared across folders: without its label, or by its label alone.

    Where two engines of a folder differ by their labels alone, the label counts as well.
    """
    if by_name:
        return PlayedEngine(engine.label, "", "", "", "")
    nameless = replace(engine, label="")
    alike = [each for each in played.engines if replace(each, label="") == nameless]
    return engine if len(alike) > 1 else nameless


def _digest(game: PlayedGame, engines: tuple[int, int]) -> str:
    """Return the digest of a game whose engines may have other labels in another folder."""
    players = (Player(str(engines[FIRST]), "", ""), Player(str(engines[SECOND]), "", ""))
    return digest_of(replace(game.record, players=players))


def _name_apart(engines: Sequence[PlayedEngine]) -> list[str]:
    """Return a name for each engine: its label, and what distinguishes engines of one label."""
    alike: dict[str, list[PlayedEngine]] = defaultdict(list)
    for engine in engines:
        alike[engine.label].append(engine)
    return [_distinguish(engine, alike[engine.label]) for engine in engines]


def _distinguish(engine: PlayedEngine, others: Sequence[PlayedEngine]) -> str:
    if len(others) == 1:
        return engine.label
    features = [
        [" ".join(filter(None, (each.name, each.version))) for each in (engine, *others)],
        [each.time for each in (engine, *others)],
        [f"build {each.digest[:_SHORT]}" for each in (engine, *others)],
    ]
    telling = [values for values in features if len(set(values)) > 1]
    for values in telling:
        if len(set(values[1:])) == len(others):
            return f"{engine.label} [{values[0]}]"
    return f"{engine.label} [{', '.join(values[0] for values in telling)}]"
