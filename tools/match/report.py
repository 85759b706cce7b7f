"""The output of a match while it is played: lines for a person, or JSON for a program."""

import contextlib
import json
import operator
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from engines import registry
from engines.core.game import CHANCE, FIRST, SECOND, InvalidText
from protocols.ask.engine import LONGEST, EngineSpec
from tools.journal.contest import Contest
from tools.journal.disputes import DISPUTES
from tools.journal.sampling import SampleStatus
from tools.journal.standings import EngineStanding
from tools.journal.state import GamesState, MatchState, MatchStatus
from tools.journal.strength import format_decision, format_sample, format_score
from tools.match.gauges import Gauges
from tools.match.match import Match
from tools.records.game import MISDEEDS, GameRecord, Verdict
from tools.roster.engines import interpreted
from tools.terms.spec import GameSpec

C_contra = TypeVar("C_contra", bound=Contest, contravariant=True)
S_contra = TypeVar("S_contra", contravariant=True)


class Report(Protocol[C_contra, S_contra]):
    """Receives the events of a match or tournament in their order, and its status at the end.

    It shows the current games by `gauges`.
    """

    gauges: Gauges | None

    def note(self, text: str) -> None:
        """Report a notice or a warning for the user."""

    def begin(self, contest: C_contra, /) -> None:
        """Report that the match begins or resumes."""

    def start(self, spec: GameSpec) -> None:
        """Report that a game begins."""

    def game(self, contest: C_contra, record: GameRecord, status: SampleStatus, /) -> None:
        """Report that a game has ended and is in the journal."""

    def summary(self, contest: C_contra, status: S_contra, /) -> None:
        """Report that the match ends or stops."""

    def close(self) -> None:
        """Report nothing more; called once, whatever happened."""


MatchReport = Report[Match, MatchStatus]


@dataclass(frozen=True, slots=True)
class Every:
    """How often the score is printed: after so many games, or so many seconds."""

    games: int = 0
    seconds: float = 0.0

    def is_due(self, games: int, seconds: float) -> bool:
        """Whether it is to be printed again, so many games and seconds after the last time."""
        return games >= self.games if self.games else seconds >= self.seconds


def parse_every(text: str) -> Every:
    """Read `10` (games) or `30s` (seconds); raises InvalidText."""
    number = text.strip().removesuffix("s")
    if text.strip().endswith("s"):
        with contextlib.suppress(ValueError):
            if 0 < (seconds := float(number)) <= LONGEST:
                return Every(seconds=seconds)
    elif re.fullmatch("0*[1-9][0-9]{0,8}", number):
        return Every(games=int(number))
    raise InvalidText(f"expected a number of games (10) or of seconds (30s), not {text!r}")


def format_results(match: MatchState, status: MatchStatus) -> Iterator[str]:
    """Yield the lines that sum up a match: the table, the kinds of endings, what they are worth."""
    yield from format_table(status.standings, terminal_width())
    kinds = Counter(record.ending for record in match.records.values())
    endings = ", ".join(f"{number} by {name}" for name, number in kinds.most_common())
    if endings:
        yield endings
    yield from format_sample(match)
    yield from format_decision(match, status)
    yield from format_remarks(match, status.scored, status.faults)


def format_remarks(
    state: GamesState, scored: Mapping[str, int], faults: Mapping[str, int]
) -> Iterator[str]:
    """Yield how games were scored, the faults of the engines, and advice about losses on time."""
    if scored:
        methods = ", ".join(f"{number} by {name}" for name, number in scored.items())
        disputes = len(state.disputed)
        disputed = f"; {disputes} disputed: {DISPUTES}" if disputes else ""
        yield f"scored: {methods}{disputed}"
    for label, number in faults.items():
        yield f"{label}: {number} faulty lines of play or claims"
    overruns = (record.overrun for record in state.records.values())
    if slight := [over for over in overruns if 0 < over <= _SLIGHT]:
        yield _advise_lag(len(slight), max(slight))


def _advise_lag(games: int, overrun: float) -> str:
    """Return what helps where games were lost on time by little."""
    lost = "1 game was" if games == 1 else f"{games} games were"
    most = "" if games == 1 else " at most"
    return (
        f"{lost} lost on time by {overrun:.3f} s{most}: if the engines are not at fault, "
        "a larger --lag tolerates that"
    )


_SLIGHT: Final = 0.5  # Seconds; an engine that is later has not lost by delays alone.
_RESULTS: Final = ("games  won  drawn  lost  score  moving first", (5, 3, 5, 4, 7, 10))
_TIMES: Final = ("forfeits  s/move  CPU/move  longest", (8, 6, 8, 7))
_GAP: Final = "  "


def terminal_width() -> int:
    """Return the columns of the terminal that stdout is, or 0 if it is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def format_table(standings: Sequence[EngineStanding], width: int = 0) -> Iterator[str]:
    """Yield the table of the engines; times are in seconds.

    If the lines would be longer than `width`, there are two tables: results, and times. Names that
    are too long even for these have numbers, which are explained above the tables.
    """
    labels = [standing.label for standing in standings]
    results, times = zip(*map(_cells, standings), strict=True)
    one = list(_format_columns(labels, _RESULTS, results))
    more = list(_format_columns([""] * len(labels), _TIMES, times))
    if not width or len(one[0] + more[0]) <= width:
        yield from map(operator.add, one, more)
        return
    if len(one[0]) > width:
        for number, label in enumerate(labels, 1):
            yield f"{number}: {label}"
        labels = [str(number) for number in range(1, len(labels) + 1)]
    yield from _format_columns(labels, _RESULTS, results)
    yield ""
    yield from _format_columns(labels, _TIMES, times)


def _cells(each: EngineStanding) -> tuple[list[str], list[str]]:
    """Return what the table says of the results of an engine, and of its times."""
    results = [
        *map(str, (each.games, each.wins, each.draws, each.losses)),
        f"{100 * each.points / each.games:.1f} %" if each.games else "-",
        f"{each.points_first:g}/{each.games_first}",
    ]
    times = [
        str(each.forfeits),
        f"{each.seconds / each.moves:.3f}" if each.moves else "-",
        f"{each.cpu / each.cpu_moves:.3f}" if each.cpu_moves else "-",
        f"{each.longest:.3f}" if each.moves or each.longest else "-",
    ]
    return results, times


def _format_columns(
    labels: Sequence[str], columns: tuple[str, Sequence[int]], rows: Sequence[Sequence[str]]
) -> Iterator[str]:
    """Yield lines with the names of engines, if there are any, and some columns beside them."""
    head, widths = columns
    name = max(map(len, ("engine", *labels))) if any(labels) else 0
    yield f"{'engine' if name else '':{name}}{_GAP}{head}"
    for label, row in zip(labels, rows, strict=True):
        cells = (f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        yield _GAP.join([f"{label:{name}}", *cells])


def format_heading(
    game: str, variant: str, labels: Sequence[str], times: Sequence[str], games: str
) -> str:
    """Return what is played: the game, the engines, the number of games, the time."""
    rules = f" ({variant})" if variant else ""
    control = " and ".join(dict.fromkeys(times))
    return f"{registry.find(game).title}{rules}: {' against '.join(labels)}, {games}, {control}"


def format_speed(engines: Sequence[EngineSpec]) -> Iterator[str]:
    """Yield a line if some of the engines are ours, and not compiled."""
    if labels := list(dict.fromkeys(interpreted(engines))):
        yield f"interpreted, and much slower than if compiled: {', '.join(labels)}"


def format_games(games: int, *, until_decided: bool) -> str:
    """Return the number of games of a match, as its heading says it."""
    if until_decided:
        return f"until the test is decided (at most {games} games)"
    return "1 game" if games == 1 else f"{games} games"


def format_missing(missing: int, *, until_decided: bool) -> str:
    """Say what is left to play."""
    if until_decided:
        return "its test is undecided"
    return "1 game is missing" if missing == 1 else f"{missing} games are missing"


def _format_points(match: MatchState) -> str:
    """Return the score of the first engine and of the second, and the ratio of the test."""
    results, verdict = match.sample.recorded.total, match.sample.verdict
    ratio = f", LLR {verdict.llr:.3f}" if verdict is not None else ""
    return f"{results.points:g}-{results.games - results.points:g}{ratio}"


def _number(match: Match, number: int) -> str:
    """Return the number of a game, and of how many if that is known before."""
    return f"{number:4}" + ("" if match.spec.until_decided else f"/{match.spec.games}")


def format_game(record: GameRecord) -> str:
    """Return a finished game: players, result, ending, length and time."""
    seconds = sum(move.seconds for move in record.moves)
    natural = record.verdict == Verdict.NATURAL
    ending = record.outcome.reason if natural else record.verdict_with_reason
    players = " - ".join(player.label for player in record.players)
    if record.count is not None:
        disputed = ", disputed" if record.count.disputed else ""
        ending += f" ({record.count.method}{disputed})"
    throws = sum(move.side == CHANCE for move in record.moves)
    length = f"{len(record.moves) - throws} moves"
    if throws:
        length += f" and {throws} throws"
    return f"{players}  {record.result}  {ending}, {length}, {seconds:.1f} s"


def format_stderr(record: GameRecord) -> list[str]:
    """Return the last lines that the loser of a game wrote to stderr, to be printed below it."""
    return [f"      stderr: {line}" for line in record.stderr.splitlines()]


class TextReport:
    """Prints what is played, a line per game or the score now and then, and a table at the end.

    With `every`, games have no lines of their own, except those that an engine lost by a fault. A
    `quiet` report prints nothing between its first line and the table.
    """

    shows_score = True  # Whether the line of a game also says the score so far.

    def __init__(
        self,
        every: Every | None = None,
        *,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.gauges: Gauges | None = None
        self._every = every
        self._quiet = quiet
        self._clock = clock
        self._said = (0, 0.0)  # The number of games at the last score, and when that was.

    def note(self, text: str) -> None:
        """Print a notice to stderr."""
        print(text, file=sys.stderr, flush=True)

    def begin(self, match: Match) -> None:
        """Print what is played."""
        self._said = (len(match.records), self._clock())
        spec = match.spec
        labels = (spec.engines[0].label, spec.engines[1].label)
        games = format_games(spec.games, until_decided=spec.until_decided)
        resumed = f", {len(match.records)} played before" if match.records else ""
        times = [str(control) for control in spec.controls]
        heading = format_heading(spec.game, spec.variant, labels, times, f"{games}{resumed}")
        self.print_line(f"{heading}, records in {match.journal.folder}")
        for line in format_speed(spec.engines):
            self.print_line(line)

    def start(self, spec: GameSpec) -> None:
        """Print nothing: the game's line comes at its end."""

    def game(self, match: Match, record: GameRecord, sample_status: SampleStatus) -> None:
        """Print how a game ended, and the score where it is due."""
        if self._quiet:
            return
        fault = record.verdict in MISDEEDS | {Verdict.TIME, Verdict.VOID}
        if self._every is None or fault:
            self._print_game(match, record, sample_status)
        if self._every is not None:
            games, now = len(match.records), self._clock()
            if self._every.is_due(games - self._said[0], now - self._said[1]):
                self._said = (games, now)
                self.print_line(f"{_number(match, games)}  {format_score(match)}")

    def _print_game(self, match: Match, record: GameRecord, sample_status: SampleStatus) -> None:
        score = f"  {_format_points(match)}" if self.shows_score and self._every is None else ""
        late = "  (not counted)" if sample_status is SampleStatus.LATE else ""
        name = match.record_path(record).name
        line = f"{_number(match, record.number)}  {format_game(record)}  {name}{score}{late}"
        for each in (line, *format_stderr(record)):
            self.print_line(each)

    def print_line(self, line: str) -> None:
        """Print a line to stdout while the match goes on."""
        print(line, flush=True)

    def summary(self, match: Match, status: MatchStatus) -> None:
        """Print the table, the kinds of endings and the status."""
        for line in ("", *format_results(match, status)):
            print(line, flush=True)
        conclusion = "; ".join([status.status, *status.why])
        if status.interrupted and status.missing:
            missing = format_missing(status.missing, until_decided=match.spec.until_decided)
            conclusion = (
                f"interrupted, {missing}: run the same command with "
                f"--out {match.journal.folder} to resume; so far {conclusion}"
            )
        print(f"\n{conclusion}\nrecords: {match.journal.folder}", flush=True)

    def close(self) -> None:
        """Leave the terminal as it was."""


class JsonReport:
    """Prints one JSON object per line; a `quiet` report leaves out the games."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.gauges: Gauges | None = None
        self._quiet = quiet

    def note(self, text: str) -> None:
        """Print a notice to stderr, as text."""
        print(text, file=sys.stderr, flush=True)

    def begin(self, match: Match) -> None:
        """Print what is played."""
        spec = match.spec
        print_event(
            "begin",
            game=spec.game,
            variant=spec.variant,
            engines=[engine.label for engine in spec.engines],
            games=spec.games,
            until_decided=spec.until_decided,
            played=len(match.records),
            times=[str(control) for control in spec.controls],
            seed=spec.seed,
            out=str(match.journal.folder),
        )

    def start(self, spec: GameSpec) -> None:
        """Print which game begins."""
        if self._quiet:
            return
        players = [engine.label for engine in spec.engines]
        print_event("start", number=spec.number, attempt=spec.attempt, players=players)

    def game(self, match: Match, record: GameRecord, sample_status: SampleStatus) -> None:
        """Print how a game ended."""
        if self._quiet:
            return
        print_event(
            "game",
            **game_fields(record, match.sides),
            fate=str(sample_status),
            distinct=match.repetitions.distinct,
            record=str(match.record_path(record)),
        )

    def summary(self, match: Match, status: MatchStatus) -> None:
        """Print the standings, the measured strength and the status."""
        print_event("summary", **summary_fields(match, match.sides, status, match.journal.folder))

    def close(self) -> None:
        """Print nothing."""


def game_fields(record: GameRecord, sides: Sequence[str]) -> dict[str, Any]:
    """Return how a game ended, ready for JSON."""
    outcome = record.outcome
    return {
        "number": record.number,
        "attempt": record.attempt,
        "players": [player.label for player in record.players],
        "result": record.result,
        "winner": None if outcome.winner is None else sides[outcome.winner],
        "verdict": str(record.verdict),
        "reason": outcome.reason,
        "scored": None if record.count is None else record.count.to_json(),
        "moves": sum(move.side != CHANCE for move in record.moves),
        "plies": len(record.moves),
        "cpu": list(record.cpu),
    }


def summary_fields(
    match: MatchState, sides: Sequence[str], status: MatchStatus, folder: Path
) -> dict[str, Any]:
    """Return the standings, the measured strength and the status, ready for JSON."""
    tally = match.sample.counted
    return {
        "sides": {
            name: list(tally.by_side(side).counts)
            for side, name in zip((FIRST, SECOND), sides, strict=True)
        },
        "endings": {name: list(tally.by_ending(name).counts) for name in tally.endings},
        **asdict(status),
        "out": str(folder),
    }


def print_event(event: str, **fields: Any) -> None:
    """Print a JSON object on a line."""
    print(json.dumps({"event": event, **fields}), flush=True)
