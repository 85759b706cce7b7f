"""The levels of our engines, numbered alike for all faces, with their ratings from matches.

Level 1 is the weakest of every game. In shogi, level N is `SkillLevel` N - 1 of the engine; in the
other games it is the option `level` of the same number. Levels without matches have no ratings.
Levels of Go have ranks instead of ratings: kyu, counted from GNU Go.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engines import registry
from engines.core.game import InvalidText
from tools.play.texts import ENGLISH, say


@dataclass(frozen=True, slots=True)
class Level:
    """A level of our engine, and roughly what it is worth; empty if that is not known."""

    name: str
    worth: str


@dataclass(frozen=True, slots=True)
class _Match:
    """A match between two levels: the points of the higher one in percent, and the games."""

    higher: int
    lower: int
    percent: float
    games: int


_NUMBERED: Final = {"go": 10, "shogi": 21, "morris": 10, "neutron": 10, "senet": 10}
_NAMED: Final = {"neutron": ("random", "stubborn"), "senet": ("random", "greedy")}
_SENET: Final = (52.6, 55.1, 55.6, 55.7, 54.1, 56.6, 59.0, 55.6, 54.8)
_NEUTRON: Final = (70.0, 70.2, 70.8, 62.2, 68.3, 62.3, 65.8, 57.5, 68.0)
_MORRIS: Final = (80.5, 79.0, 83.0, 74.0, 78.5, 64.5, 73.0, 63.5, 65.5)


def _ladder(shares: Sequence[float], games: int) -> tuple[_Match, ...]:
    return tuple(_Match(n, n - 1, share, games) for n, share in enumerate(shares, 2))


# The READMEs of the engines describe the matches. Those of shogi began from our openings, with the
# nodes of each level and one thread.
_MATCHES: Final[Mapping[str, Sequence[_Match]]] = {
    "morris": _ladder(_MORRIS, 100),
    "neutron": _ladder(_NEUTRON, 200),
    "senet": _ladder(_SENET, 1400),
    "shogi": (
        _Match(5, 1, 61.8, 200),
        _Match(7, 5, 67.2, 200),
        _Match(9, 7, 75.2, 200),
        _Match(11, 9, 77.0, 200),
        _Match(13, 11, 78.8, 40),
        _Match(15, 13, 82.5, 40),
        _Match(17, 15, 70.0, 40),
        _Match(19, 17, 73.8, 40),
    ),
}


_GNU_GO: Final = 7  # Kyu of GNU Go 3.8 at level 10, which is commonly put at 8 to 6.
_ABOVE_GNU_GO: Final[Mapping[str, int]] = {
    "1": -20,
    "2": -15,
    "3": -10,
    "4": -6,
    "5": -3,
    "6": 0,
    "7": 3,
    "8": 5,
    "9": 9,
}
"""Handicap stones on 19x19 by which a level is stronger than GNU Go, as engines/go/README.md has
them in the table of its ranks, with the games and the commands that measure them again."""


def level_names(game: str) -> tuple[str, ...]:
    """Return the names of all levels of a game, the weakest first."""
    return (*_NAMED.get(game, ()), *map(str, range(1, _NUMBERED[game] + 1)))


def levels_of(game: str) -> tuple[Level, ...]:
    """Return all levels of a game with what they are worth."""
    return tuple(Level(name, _worth(game, name)) for name in level_names(game))


def option_of(game: str, level: str) -> str:
    """Return the option of our engine that sets a level; raises InvalidText."""
    if level not in level_names(game):
        raise InvalidText(say("no.level", level=level, known=", ".join(level_names(game))))
    return f"SkillLevel={int(level) - 1}" if game == "shogi" else f"level={level}"


def _worth(game: str, name: str) -> str:
    """Say what a level is worth: in words, and by the rating that follows from matches."""
    words = [ENGLISH[key]] if (key := f"level.{game}.{name}") in ENGLISH else []
    ratings = _ratings(game)
    if name in ratings:
        rating, games = ratings[name]
        words.append(say("level.rating", rating=rating, games=games))
    if game == registry.GO and name in _ABOVE_GNU_GO:
        words.append(rank_of(_ABOVE_GNU_GO[name]))
    return "; ".join(words)


def rank_of(stones: int) -> str:
    """Return the rank of a player who is so many handicap stones stronger than GNU Go."""
    kyu = _GNU_GO - stones
    return say("level.kyu", kyu=kyu) if kyu > 0 else say("level.dan", dan=1 - kyu)


def _ratings(game: str) -> Mapping[str, tuple[int, int]]:
    """Return ratings above level 1, and the fewest games of the matches that they stand on."""
    known: dict[int, tuple[float, int]] = {1: (0.0, 1 << 30)}
    for match in _MATCHES.get(game, ()):
        rating, games = known[match.lower]
        share = match.percent / 100
        higher = rating + 400 * math.log10(share / (1 - share))
        known[match.higher] = (higher, min(games, match.games))
    return {
        str(level): (10 * round(rating / 10), games)
        for level, (rating, games) in known.items()
        if level > 1
    }
