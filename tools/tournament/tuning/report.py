"""The output of a tuning run: a line per pair for a person, or JSON for a program."""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from engines import registry
from tools.journal.journal import write_whole
from tools.journal.sampling import SampleStatus
from tools.match.gauges import Gauges
from tools.match.report import (
    Report,
    format_game,
    format_missing,
    format_stderr,
    game_fields,
    print_event,
)
from tools.records.game import MISDEEDS, GameRecord, Verdict
from tools.terms.spec import GameSpec
from tools.tournament.tuning.curve import draw_course
from tools.tournament.tuning.proof import proof_line
from tools.tournament.tuning.state import TuningState, TuningStatus
from tools.tournament.tuning.tuning import Tuning

PLOT: Final = "values.svg"


TuningReport = Report[Tuning, TuningStatus]


def format_tuning(game: str, variant: str, state: TuningState, time: str) -> str:
    """Return what is tuned: the game, the values, the number of pairs, the time."""
    rules = f" ({variant})" if variant else ""
    names = ", ".join(knob.parameter.name for knob in state.knobs)
    title = registry.find(game).title
    return f"{title}{rules}: tuning {names} by {state.spsa.pairs} pairs of games, {time}"


def format_values(state: TuningState, status: TuningStatus) -> Iterator[str]:
    """Yield the table of the values, and how the games ended."""
    width = max(5, *(len(name) for name in status.values))
    yield f"{'value':{width}}  {'start':>10}  {'now':>10}  {'lowest':>10}  {'highest':>10}"
    for knob in state.knobs:
        name = knob.parameter.name
        numbers = (status.start[name], status.values[name], knob.parameter.low, knob.parameter.high)
        yield f"{name:{width}}" + "".join(f"  {number:>10g}" for number in numbers)
    kinds = Counter(record.ending for record in state.records.values())
    if kinds:
        yield ", ".join(f"{number} by {name}" for name, number in kinds.most_common())
        yield str(state.repetitions)
    for label, number in status.faults.items():
        yield f"{label}: {number} faulty lines of play or claims"


class TuningText:
    """Prints what is tuned, a line per pair of games, and a table at the end.

    A `quiet` report prints nothing between its first line and the table.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self.gauges: Gauges | None = None
        self._quiet = quiet

    def note(self, text: str) -> None:
        """Print a notice to stderr."""
        print(text, file=sys.stderr, flush=True)

    def begin(self, tuning: Tuning) -> None:
        """Print what is tuned."""
        spec = tuning.spec
        heading = format_tuning(spec.game, spec.variant, tuning, str(spec.controls[0]))
        resumed = f", {len(tuning.records)} games played before" if tuning.records else ""
        print(f"{heading}{resumed}, records in {tuning.journal.folder}", flush=True)

    def start(self, spec: GameSpec) -> None:
        """Print nothing: a pair has its line when both games have ended."""

    def game(self, tuning: Tuning, record: GameRecord, status: SampleStatus) -> None:
        """Print the values after a pair, and each game that was lost by a fault."""
        if record.verdict in MISDEEDS | {Verdict.TIME, Verdict.VOID}:
            name = tuning.record_path(record).name
            for line in (f"{format_game(record)}  {name}", *format_stderr(record)):
                print(line, flush=True)
        if status is SampleStatus.COUNTED and not self._quiet:
            spsa = tuning.spsa
            lead = tuning.leads[record.pair]
            values = ", ".join(f"{name} {value:g}" for name, value in spsa.settled().items())
            print(f"{spsa.learnt:>5}/{spsa.pairs}  {lead:+g}  {values}", flush=True)

    def summary(self, tuning: Tuning, status: TuningStatus) -> None:
        """Print the values, how they can be proved, and the status."""
        folder = tuning.journal.folder
        for line in ("", *format_outcome(tuning, status)):
            print(line, flush=True)
        conclusion = "; ".join([status.status, *status.why])
        if status.interrupted and status.missing:
            missing = format_missing(status.missing, until_decided=False)
            conclusion = (
                f"interrupted, {missing}: run the same command to resume; so far {conclusion}"
            )
        print(f"\n{conclusion}\nrecords and {PLOT}: {folder}", flush=True)

    def close(self) -> None:
        """Print nothing more."""


class TuningJson:
    """Prints one JSON object per line; a `quiet` report leaves out the games."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.gauges: Gauges | None = None
        self._quiet = quiet

    def note(self, text: str) -> None:
        """Print a notice to stderr, as text."""
        print(text, file=sys.stderr, flush=True)

    def begin(self, tuning: Tuning) -> None:
        """Print what is tuned."""
        spec = tuning.spec
        print_event(
            "begin",
            game=spec.game,
            variant=spec.variant,
            values=[asdict(knob.parameter) for knob in tuning.knobs],
            pairs=tuning.spsa.pairs,
            played=len(tuning.records),
            time=str(spec.controls[0]),
            seed=spec.seed,
            out=str(tuning.journal.folder),
        )

    def start(self, spec: GameSpec) -> None:
        """Print which game begins."""
        if not self._quiet:
            print_event("start", number=spec.number, attempt=spec.attempt)

    def game(self, tuning: Tuning, record: GameRecord, status: SampleStatus) -> None:
        """Print how a game ended, and the values after it."""
        if not self._quiet:
            print_event(
                "game",
                **game_fields(record, tuning.sides),
                fate=str(status),
                values=dict(tuning.spsa.settled()),
                record=str(tuning.record_path(record)),
            )

    def summary(self, tuning: Tuning, status: TuningStatus) -> None:
        """Print the values and the status."""
        print_event("summary", **status_fields(tuning, status, tuning.journal.folder))

    def close(self) -> None:
        """Print nothing more."""


def format_outcome(state: TuningState, status: TuningStatus) -> Iterator[str]:
    """Yield the lines that sum up a run: the values, and how a match proves them."""
    yield from format_values(state, status)
    if not state.spsa.learnt:
        return
    yield ""
    if status.values == status.start:
        yield "no value has moved: there is nothing that a match could prove"
    else:
        yield "whether these values are better than those at the start, a match tells:"
        yield f"  {proof_line(state)}"


def status_fields(state: TuningState, status: TuningStatus, folder: Path) -> dict[str, Any]:
    """Return the status and the match that would prove the values, ready for JSON.

    `proof` is empty if no value has moved: the match would have two identical engines.
    """
    moved = status.values != status.start
    return {**asdict(status), "proof": proof_line(state) if moved else "", "out": str(folder)}


def plot(tuning: Tuning) -> None:
    """Draw the values over time into the folder of the run; raises JournalError."""
    spsa = tuning.spsa
    picture = draw_course(spsa.parameters, tuning.course, spsa.pairs)
    write_whole(tuning.journal.folder / PLOT, picture.encode())
