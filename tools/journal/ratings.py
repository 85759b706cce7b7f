"""Joint ratings of the engines of a pool of games, with the games that they stand on."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np

from engines.core.game import FIRST, SECOND
from tools.journal.pool import Pool
from tools.statistics.estimates import format_bounds, format_los, rounded
from tools.statistics.pairings import RatedGame
from tools.statistics.ratings import Rating, RatingList, rate


@dataclass(slots=True)
class Tally:
    """Counted games: won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add(self, points: float) -> None:
        """Count a game by its points."""
        self.won += points == 1
        self.drawn += points == 0.5
        self.lost += points == 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """Wins, and half of the draws."""
        return self.won + self.drawn / 2

    def __str__(self) -> str:
        return f"{self.won}-{self.drawn}-{self.lost}"


@dataclass(frozen=True, slots=True)
class RatedEngine:
    """An engine of a list: its rating and all of its games, by colour and by kind of ending.

    Of these, `distinct` games are rated: a game that repeats an earlier one tells nothing new.
    """

    number: int
    rating: Rating
    first: Tally = field(default_factory=Tally)
    second: Tally = field(default_factory=Tally)
    endings: dict[str, Tally] = field(default_factory=dict)
    opponents: dict[int, Tally] = field(default_factory=dict)

    @property
    def distinct(self) -> int:
        """The number of games that the rating stands on."""
        return self.rating.games

    @property
    def total(self) -> Tally:
        """All games."""
        return Tally(
            self.first.won + self.second.won,
            self.first.drawn + self.second.drawn,
            self.first.lost + self.second.lost,
        )


@dataclass(frozen=True, slots=True)
class PoolRatings:
    """The rating list of a pool: the strongest engine first, component by component.

    `first` is the score of all engines that moved first; `endings` counts all games.
    """

    pool: Pool
    list: RatingList
    engines: tuple[RatedEngine, ...]
    first: Tally
    endings: Mapping[str, int]


def rate_pool(
    pool: Pool, *, anchors: Mapping[str, float] | None = None, prior: float = 0.0
) -> PoolRatings:
    """Rate the engines of a pool by its distinct games; raises RatingError."""
    games = [
        RatedGame(*game.engines, game.played.points, game.pair)
        for game in pool.games
        if not game.repeated
    ]
    names = [engine.name for engine in pool.engines]
    ratings = rate(names, games, anchors=anchors, prior=prior)
    engines = [RatedEngine(number, rating) for number, rating in enumerate(ratings.ratings)]
    first = Tally()
    endings: Counter[str] = Counter()
    for game in pool.games:
        points, ending = game.played.points, game.played.ending
        first.add(points)
        endings[ending] += 1
        for side in (FIRST, SECOND):
            own = points if side == FIRST else 1 - points
            engine = engines[game.engines[side]]
            (engine.first if side == FIRST else engine.second).add(own)
            engine.endings.setdefault(ending, Tally()).add(own)
            engine.opponents.setdefault(game.engines[1 - side], Tally()).add(own)
    ranked = tuple(engines[place] for place in ratings.ranked())
    return PoolRatings(pool, ratings, ranked, first, dict(endings.most_common()))


def format_ratings(rated: PoolRatings) -> Iterator[str]:
    """Yield the lines of a rating list, for people."""
    pool, ratings = rated.pool, rated.list
    yield (
        f"{pool.title}: {_count(len(pool.engines), 'engine')}, {_count(len(pool.games), 'game')}, "
        f"{pool.distinct} distinct, from {_count(len(pool.folders), 'folder')}"
    )
    for component in range(ratings.components):
        members = [each for each in rated.engines if each.rating.component == component]
        if component:
            yield "no games connect these engines with those above; their ratings are apart:"
        yield from _table(rated, members)
    yield "first, second: won-drawn-lost with the first and the second move"
    yield "LOS over next: how likely the engine is stronger than the one below it"
    yield f"endings: {', '.join(f'{number} by {name}' for name, number in rated.endings.items())}"
    yield f"moving first: {rated.first}{_format_advantage(ratings)}"
    if ratings.prior:
        met = _count(ratings.prior, "even game")
        yield f"prior: {met} added between every two engines that met"
    yield from (f"note: {note}" for note in ratings.notes)


_LEAST: Final = (6, 8, 17, 5, 8, 5, 11, 11, 13)  # Widths of columns; some need more.


def _table(rated: PoolRatings, members: Sequence[RatedEngine]) -> Iterator[str]:
    heads = ("engine", "elo", "95 %", "games", "distinct", "score", "first", "second")
    rows = [(*heads, "LOS over next"), *(_row(rated, members, at) for at in range(len(members)))]
    widths = [max(least, *map(len, column)) for least, *column in zip(_LEAST, *rows, strict=True)]
    for name, *cells in rows:
        padded = (f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        yield "  ".join([f"{name:{widths[0]}}", *padded]).rstrip()


def _row(rated: PoolRatings, members: Sequence[RatedEngine], place: int) -> tuple[str, ...]:
    each = members[place]
    total = each.total
    over = ""
    if place + 1 < len(members):
        los = rated.list.superiority(each.number, members[place + 1].number)
        over = "" if los is None else format_los(los)
    return (
        each.rating.name,
        format_rating(each.rating),
        format_interval(each.rating),
        str(total.games),
        str(each.distinct),
        f"{100 * total.points / total.games:.1f}" if total.games else "-",
        str(each.first),
        str(each.second),
        over,
    )


def format_rating(rating: Rating, digits: int = 1) -> str:
    """Write a rating, or the one bound that there is."""
    if rating.elo is not None:
        return f"{rating.elo:+z.{digits}f}"
    if rating.low is not None:
        return f"> {rating.low:+z.{digits}f}"
    return "unknown" if rating.high is None else f"< {rating.high:+z.{digits}f}"


def format_interval(rating: Rating) -> str:
    """Write the 95 % interval of a rating; an anchor, and the zero of a list, have none."""
    if rating.error == 0:
        return "anchor" if rating.anchored else "zero"
    return format_bounds(rating.low, rating.high)


def _format_advantage(ratings: RatingList) -> str:
    if ratings.advantage is None:
        return ""
    advantage = ratings.advantage
    drawn = f", draws between equals {100 * ratings.drawn:.1f} %" if ratings.drawn else ""
    return f", worth {advantage.elo:+z.1f} ± {advantage.error:.1f} elo{drawn}"


def _count(number: float, noun: str) -> str:
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def ratings_to_json(rated: PoolRatings) -> dict[str, Any]:
    """Return a rating list as values of JSON; matrices are in the order of `engines`."""
    ratings = rated.list
    order = [each.number for each in rated.engines]
    covariance = ratings.covariance[np.ix_(order, order)]
    return {
        "game": rated.pool.game,
        "variant": rated.pool.variant,
        "size": rated.pool.size,
        "folders": [str(folder) for folder in rated.pool.folders],
        "games": len(rated.pool.games),
        "distinct": rated.pool.distinct,
        "pairs": ratings.pairs,
        "components": ratings.components,
        "prior": ratings.prior,
        "advantage": _advantage_to_json(ratings),
        "drawn": rounded(ratings.drawn),
        "first": asdict(rated.first),
        "endings": dict(rated.endings),
        "notes": list(ratings.notes),
        "engines": [_engine_to_json(rated, each) for each in rated.engines],
        "superiority": [
            [_rounded(ratings.superiority(one, other)) for other in order] for one in order
        ],
        "covariance": [[_rounded(value) for value in row] for row in covariance.tolist()],
    }


def _advantage_to_json(ratings: RatingList) -> dict[str, Any] | None:
    if ratings.advantage is None:
        return None
    return {name: _rounded(value) for name, value in asdict(ratings.advantage).items()}


def _engine_to_json(rated: PoolRatings, each: RatedEngine) -> dict[str, Any]:
    engine = rated.pool.engines[each.number].engine
    rating = {name: _rounded(value) for name, value in asdict(each.rating).items()}
    del rating["games"], rating["points"]
    return {
        **rating,
        "reported": " ".join(filter(None, (engine.name, engine.version))),
        "build": engine.digest,
        "time": engine.time,
        "games": each.total.games,
        "distinct": each.distinct,
        "points": each.total.points,
        "first": asdict(each.first),
        "second": asdict(each.second),
        "endings": {kind: asdict(tally) for kind, tally in each.endings.items()},
        "opponents": {
            rated.pool.engines[number].name: asdict(tally)
            for number, tally in each.opponents.items()
        },
    }


def _rounded(value: Any) -> Any:
    """Return a figure with six digits; None for NaN, which JSON does not know."""
    if not isinstance(value, float):
        return value
    return None if math.isnan(value) else rounded(value)
