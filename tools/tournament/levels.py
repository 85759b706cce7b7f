"""The levels of our own engines, measured: a ladder between neighbours, rated above the lowest.

A level is compared with its neighbours alone: against an engine that is much stronger or weaker, a
game tells hardly anything. The joint ratings add the steps up, with their errors.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from engines import registry
from engines.core.game import InvalidText
from engines.registry import Levels
from tools.journal.collection import read_played
from tools.journal.journal import JournalError
from tools.journal.pool import make_pools
from tools.journal.ratings import PoolRatings, RatedEngine, Tally, format_rating, rate_pool
from tools.journal.sampling import SampleStatus
from tools.match.gauges import Gauges
from tools.records.game import GameRecord
from tools.statistics.estimates import format_bounds, rounded
from tools.statistics.ratings import Rating
from tools.terms.openings import BUILTIN
from tools.terms.spec import GameSpec
from tools.tournament.formats.plan import Format
from tools.tournament.options import TournamentOptions
from tools.tournament.state import TournamentStatus
from tools.tournament.tournament import Tournament

_PREFIX: Final = "level "
_PLIES: Final = 400  # Games of weak levels may go on for ever; a draw then.


@dataclass(frozen=True, slots=True)
class LevelOptions:
    """The levels to measure; None or an empty text stands for the usual value of the game."""

    game: str
    levels: str = ""
    games: int = 100
    time: str = ""
    size: int | None = None
    variant: str = ""
    jobs: int = 1
    seed: int | None = None
    out: Path | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class MeasuredLevel:
    """A level with its rating above the lowest one, and its games against the level below."""

    level: str
    rating: Rating
    games: int
    distinct: int
    below: Tally | None


def level_tournament(options: LevelOptions) -> TournamentOptions:
    """Return the ladder that measures levels; raises InvalidText for levels that do not exist."""
    entry = registry.find(options.game)
    known = entry.levels
    words: list[str] = []
    for level in choose_levels(known, options.levels):
        program = f"quintet-{options.game}"
        words += [program, f"options.{known.option}={level}", f"name={_PREFIX}{level}"]
    return TournamentOptions(
        engines=tuple(words),
        game=options.game,
        size=(known.size or None) if options.size is None else options.size,
        variant=options.variant,
        format=str(Format.LADDER),
        games=options.games,
        times=(options.time or known.limit,),
        openings=Path(BUILTIN) if entry.openings else None,
        order="random" if entry.openings else None,
        seed=options.seed,
        max_plies=0 if options.game == registry.GO else _PLIES,
        jobs=options.jobs,
        out=options.out or Path("levels") / options.game,
        force=options.force,
    )


def choose_levels(known: Levels, text: str) -> list[str]:
    """Return the levels of a text such as `1-5` or `2,4,10`, from the lowest; empty means all."""
    if not text:
        return list(known.names)
    least, most = int(known.names[0]), int(known.names[-1])
    expected = f"--levels: expected two or more from {least} to {most}, not {text!r}"
    chosen: set[int] = set()
    for word in text.split(","):
        low, dash, high = word.strip().partition("-")
        ends = [low, high if dash else low]
        if any(not end.isdecimal() for end in ends):
            raise InvalidText(f"--levels: expected levels such as 1-5 or 2,4,10, not {text!r}")
        if any(len(end) > len(str(most)) or not least <= int(end) <= most for end in ends):
            raise InvalidText(expected)
        chosen.update(range(int(ends[0]), int(ends[1]) + 1))
    if len(chosen) < 2:
        raise InvalidText(expected)
    return [str(level) for level in sorted(chosen)]


def measured_levels(folder: Path) -> tuple[PoolRatings, list[MeasuredLevel]]:
    """Return the ratings of the levels that a ladder has played; raises JournalError."""
    played = read_played(folder)
    if not played.games:
        raise JournalError(f"{folder} has no finished games")
    (pool,) = make_pools([played], by_name=True)
    names = sorted((each.name for each in pool.engines), key=_level_of)
    rated = rate_pool(pool, anchors={names[0]: 0.0})
    by_name = {pool.engines[each.number].name: each for each in rated.engines}
    ordered = [by_name[name] for name in names]
    pairs = zip(ordered, [None, *ordered[:-1]], strict=True)
    return rated, [_measured(each, below) for each, below in pairs]


def _measured(engine: RatedEngine, below: RatedEngine | None) -> MeasuredLevel:
    return MeasuredLevel(
        engine.rating.name.removeprefix(_PREFIX),
        engine.rating,
        engine.total.games,
        engine.distinct,
        None if below is None else engine.opponents.get(below.number, Tally()),
    )


def _level_of(name: str) -> int:
    level = name.removeprefix(_PREFIX)
    if not level.isdecimal():
        raise JournalError(f"{name!r} is no level: the folder holds another tournament")
    return int(level)


_HEAD: Final = (
    "level",
    "Elo above the lowest",
    "95 %",
    "games",
    "distinct",
    "against the level below",
)


def format_levels(folder: Path, *, markdown: bool = False) -> Iterator[str]:
    """Yield the table of levels as text or as Markdown, with what it stands on."""
    rated, levels = measured_levels(folder)
    rows = [_HEAD, *map(_row, levels)]
    if markdown:
        lines = [f"| {' | '.join(row)} |" for row in rows]
        yield from (lines[0], "|---" * len(_HEAD) + "|", *lines[1:])
    else:
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
        for row in rows:
            cells = (f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
            yield "  ".join(cells).rstrip()
    yield ""
    yield _summary(folder, rated)


def _row(each: MeasuredLevel) -> tuple[str, ...]:
    rating = each.rating
    interval = "" if rating.anchored else format_bounds(rating.low, rating.high, 0)
    elo = "0" if rating.anchored else format_rating(rating, 0)
    step = "" if each.below is None else f"{each.below} ({_percent(each.below)})"
    return each.level, elo, interval, str(each.games), str(each.distinct), step


def _percent(tally: Tally) -> str:
    return f"{100 * tally.points / tally.games:.1f} %" if tally.games else "no games"


def _summary(folder: Path, rated: PoolRatings) -> str:
    played = read_played(folder)
    times = ", ".join(dict.fromkeys(engine.time for engine in played.engines))
    return (
        f"{rated.pool.title}, {times}: {len(rated.pool.games)} games, {rated.pool.distinct} "
        "distinct, between neighbouring levels; won-drawn-lost"
    )


def levels_to_json(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield an event for each level, and the summary."""
    rated, levels = measured_levels(folder)
    for each in levels:
        rating = {
            name: rounded(getattr(each.rating, name)) for name in ("elo", "low", "high", "error")
        }
        below = None if each.below is None else asdict(each.below)
        yield {
            "event": "level",
            "level": each.level,
            **rating,
            "games": each.games,
            "distinct": each.distinct,
            "below": below,
        }
    yield {
        "event": "summary",
        "game": rated.pool.game,
        "variant": rated.pool.variant,
        "size": rated.pool.size,
        "games": len(rated.pool.games),
        "distinct": rated.pool.distinct,
        "notes": list(rated.list.notes),
    }


class LevelProgress:
    """Tells how far a ladder has come, with a line for each round."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self.gauges: Gauges | None = None
        self._show = show
        self._round = 0

    def note(self, text: str) -> None:
        """Report a notice or a warning."""
        self._show(text)

    def begin(self, tournament: Tournament) -> None:
        """Report how many games are missing."""
        status = tournament.status()
        folder = tournament.journal.folder
        self._show(f"{status.games} games played, {status.missing} missing; {folder}")

    def start(self, spec: GameSpec) -> None:
        """Say nothing when a game begins."""

    def game(self, tournament: Tournament, record: GameRecord, sample_status: SampleStatus) -> None:
        """Report the first game of each round."""
        if record.round > self._round:
            self._round = record.round
            rounds = tournament.plan.games // 2
            self._show(f"round {record.round} of {rounds}")

    def summary(self, tournament: Tournament, status: TournamentStatus) -> None:
        """Report what else happened."""
        for reason in status.why:
            self._show(reason)

    def close(self) -> None:
        """Report nothing more."""
