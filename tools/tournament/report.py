"""The output of a tournament while it is played: lines for a person, or JSON for a program."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from engines import registry
from tools.journal.sampling import SampleStatus
from tools.match.gauges import Gauges
from tools.match.report import (
    Report,
    format_game,
    format_missing,
    format_remarks,
    format_speed,
    format_stderr,
    format_table,
    game_fields,
    print_event,
    terminal_width,
)
from tools.records.game import MISDEEDS, GameRecord, Verdict
from tools.terms.spec import GameSpec
from tools.tournament.formats.plan import Format, Plan, planned_games
from tools.tournament.formats.standings import TIE_BREAKS
from tools.tournament.order import format_order, order_fields
from tools.tournament.state import TournamentState, TournamentStatus
from tools.tournament.tournament import Tournament

TournamentReport = Report[Tournament, TournamentStatus]
_WIDEST: Final = 16  # More engines have no cross table in a terminal.


def format_plan(game: str, variant: str, plan: Plan, engines: int) -> str:
    """Return what is played: the game, the format, its numbers."""
    rules = f" ({variant})" if variant else ""
    each = f"{plan.games} games per pairing"
    match plan.format:
        case Format.SWISS:
            each = f"{plan.rounds} rounds, {each}"
        case Format.GAUNTLET if plan.challengers > 1:
            each = f"{plan.challengers} challengers, {each}"
        case Format.ADAPTIVE:
            each = (
                f"at most {plan.games} games, until the order of all neighbours is certain to "
                f"{100 * plan.certainty:g} %"
            )
    total = "" if plan.format is Format.ADAPTIVE else f", {planned_games(plan, engines)} games"
    title = registry.find(game).title
    return f"{title}{rules}: {plan.format} of {engines} engines, {each}{total}"


def format_standings(state: TournamentState, status: TournamentStatus) -> Iterator[str]:
    """Yield places, points and tie-breaks, and who scored what against whom."""
    names = TIE_BREAKS[state.plan.format]
    width = max(6, *(len(label) for label in state.labels))
    crossed = len(state.labels) <= _WIDEST
    order = [place.engine for place in status.places]
    byes = any(place.byes for place in status.places)
    if state.plan.format is Format.GAUNTLET:
        yield "the challengers come first, then their opponents; each group by its scores"
    columns = "".join(f"{number:>6}" for number in range(1, len(order) + 1)) if crossed else ""
    heads = "".join(f"  {name:>16}" for name in names)
    gap = "  " if crossed else ""
    free = "  byes" if byes else ""
    yield f"place  {'engine':{width}}  points  games  {'score':>7}{free}{heads}{gap}{columns}"
    for row, each in enumerate(status.places):
        share = f"{100 * each.share:.1f} %" if each.games else "-"
        breaks = "".join(f"  {value:>16g}" for value in each.tie_breaks)
        cells = gap + "".join(_cells(state, order, row)) if crossed else ""
        free = f"  {each.byes:4}" if byes else ""
        gone = "  (dropped out)" if each.withdrawn else ""
        yield (
            f"{each.place:5}  {state.labels[each.engine]:{width}}  {each.points:6g}  "
            f"{each.games:5}  {share:>7}{free}{breaks}{cells}{gone}"
        )
    if explained := _explain_columns(names, len(order) if crossed else 0):
        yield explained


_EXPLAINED: Final = {
    "buchholz": "the points of its opponents",
    "sonneborn-berger": "its share of each pair of games, times the opponent's points",
    "direct": "points against engines that are still equal",
    "wins": "games won",
}


def _explain_columns(names: Sequence[str], engines: int) -> str:
    """Say what the tie-breaks and the columns of the cross table are; empty without both."""
    columns = [f"{name}: {_EXPLAINED[name]}" for name in names]
    if engines:
        numbers = "1, 2" if engines == 2 else f"1 to {engines}"
        columns.append(f"{numbers}: points against the engine in that line")
    return "; ".join(columns)


def _cells(state: TournamentState, order: list[int], row: int) -> Iterator[str]:
    """Yield the points of an engine against each of the others, in the order of the table."""
    points: Counter[int] = Counter()
    met = set()
    for result in state.results.values():
        if order[row] in result.engines:
            first = result.engines[0] == order[row]
            opponent = result.engines[1 if first else 0]
            points[opponent] += result.total if first else 2 - result.total  # type: ignore[assignment]
            met.add(opponent)
    for column, opponent in enumerate(order):
        text = "-" if column == row else f"{points[opponent]:g}" if opponent in met else "."
        yield f"{text:>6}"


def format_tournament(state: TournamentState, status: TournamentStatus) -> Iterator[str]:
    """Yield the lines that sum up a tournament."""
    yield from format_standings(state, status)
    yield from format_order(state, status)
    yield ""
    yield from format_table(status.standings, terminal_width())
    kinds = Counter(record.ending for record in state.records.values())
    if kinds:
        yield ", ".join(f"{number} by {name}" for name, number in kinds.most_common())
        yield str(state.repetitions)
    if waiting := status.waiting:
        yield (
            "1 game waits for its pair" if waiting == 1 else f"{waiting} games wait for their pairs"
        )
    yield from format_remarks(state, status.scored, status.faults)


class TournamentText:
    """Prints what is played, a line per game, and tables at the end.

    A `quiet` report prints nothing between its first line and the tables.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self.gauges: Gauges | None = None
        self._quiet = quiet

    def note(self, text: str) -> None:
        """Print a notice to stderr."""
        print(text, file=sys.stderr, flush=True)

    def begin(self, tournament: Tournament) -> None:
        """Print what is played."""
        spec = tournament.spec
        plan = format_plan(spec.game, spec.variant, tournament.plan, len(tournament.labels))
        resumed = f", {len(tournament.records)} played before" if tournament.records else ""
        print(f"{plan}{resumed}, records in {tournament.journal.folder}", flush=True)
        for line in format_speed(spec.engines):
            print(line, flush=True)

    def start(self, spec: GameSpec) -> None:
        """Print nothing: the game's line comes at its end."""

    def game(self, tournament: Tournament, record: GameRecord, status: SampleStatus) -> None:
        """Print how a game ended."""
        fault = record.verdict in MISDEEDS | {Verdict.TIME, Verdict.VOID}
        if self._quiet and not fault:
            return
        name = tournament.record_path(record).name
        played = f"{len(tournament.records)}/{_total(tournament)}"
        head = f"{played:>9}  round {record.round}"
        for line in (f"{head}  {format_game(record)}  {name}", *format_stderr(record)):
            print(line, flush=True)

    def summary(self, tournament: Tournament, status: TournamentStatus) -> None:
        """Print the tables and the status."""
        for line in ("", *format_tournament(tournament, status)):
            print(line, flush=True)
        conclusion = "; ".join([status.status, *status.why])
        folder = tournament.journal.folder
        if status.interrupted and status.missing:
            missing = format_missing(status.missing, until_decided=False)
            conclusion = (
                f"interrupted, {missing}: run the same command with --out {folder} to resume; "
                f"so far {conclusion}"
            )
        print(f"\n{conclusion}\nrecords: {folder}", flush=True)

    def close(self) -> None:
        """Print nothing more."""


def _total(tournament: Tournament) -> int:
    """Return the number of games that are foreseen."""
    return len(tournament.records) + tournament.count_missing()


class TournamentJson:
    """Prints one JSON object per line; a `quiet` report leaves out the games."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.gauges: Gauges | None = None
        self._quiet = quiet

    def note(self, text: str) -> None:
        """Print a notice to stderr, as text."""
        print(text, file=sys.stderr, flush=True)

    def begin(self, tournament: Tournament) -> None:
        """Print what is played."""
        spec = tournament.spec
        print_event(
            "begin",
            game=spec.game,
            variant=spec.variant,
            format=str(tournament.plan.format),
            engines=list(tournament.labels),
            games=tournament.plan.games,
            played=len(tournament.records),
            times=[str(control) for control in spec.controls],
            seed=spec.seed,
            out=str(tournament.journal.folder),
        )

    def start(self, spec: GameSpec) -> None:
        """Print which game begins."""
        if not self._quiet:
            players = [engine.label for engine in spec.engines]
            print_event(
                "start",
                number=spec.number,
                round=spec.round,
                attempt=spec.attempt,
                players=players,
            )

    def game(self, tournament: Tournament, record: GameRecord, status: SampleStatus) -> None:
        """Print how a game ended."""
        if not self._quiet:
            print_event(
                "game",
                round=record.round,
                **game_fields(record, tournament.sides),
                fate=str(status),
                record=str(tournament.record_path(record)),
            )

    def summary(self, tournament: Tournament, status: TournamentStatus) -> None:
        """Print the standings and the status."""
        print_event("summary", **status_fields(tournament, status, tournament.journal.folder))

    def close(self) -> None:
        """Print nothing more."""


def status_fields(state: TournamentState, status: TournamentStatus, folder: Path) -> dict[str, Any]:
    """Return the status and the places with their names, ready for JSON."""
    names = TIE_BREAKS[state.plan.format]
    fields = asdict(status)
    fields["places"] = [
        {
            **{key: value for key, value in asdict(place).items() if key != "tie_breaks"},
            "label": state.labels[place.engine],
            "tie_breaks": dict(zip(names, place.tie_breaks, strict=False)),
        }
        for place in status.places
    ]
    return {**fields, **order_fields(state, status), "out": str(folder)}
