"""The report of a match on a terminal: finished games, below them the current ones and a bar."""

import math
import time
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live as Display
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.text import Text

from engines.core.game import FIRST, SECOND
from tools.journal.sampling import SampleStatus
from tools.journal.state import MatchStatus
from tools.journal.strength import format_score
from tools.match.gauges import Gauges, read
from tools.match.match import Match
from tools.match.report import Every, TextReport
from tools.records.game import GameRecord
from tools.terms.spec import GameSpec

_REFRESH: Final = 2  # Times per second: a thread draws, and the games wait for it.
_SHOWN: Final = 8  # At most so many current games.
_SOON: Final = 10.0  # Seconds.


class LiveReport(TextReport):
    """A `TextReport` with a progress bar, the current games and the score with its error."""

    shows_score = False  # It is below the bar.

    def __init__(self, console: Console | None = None, every: Every | None = None) -> None:
        super().__init__(every)
        self._console = console or Console()
        self._current: dict[int, tuple[float, GameSpec]] = {}
        self._score = ""
        self._progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=self._console,
        )
        self._display = Display(
            console=self._console, get_renderable=self._draw, refresh_per_second=_REFRESH
        )

    def begin(self, match: Match) -> None:
        """Print what is played, and draw the bar."""
        super().begin(match)
        self.gauges = Gauges()
        self._score = format_score(match)
        total = None if match.spec.until_decided else match.games
        self._task = self._progress.add_task("", total=total, completed=len(match.records))
        self._display.start()

    def start(self, spec: GameSpec) -> None:
        """Show a game that has begun."""
        self._current[spec.number] = time.monotonic(), spec

    def game(self, match: Match, record: GameRecord, sample_status: SampleStatus) -> None:
        """Print how a game ended, and move the bar."""
        self._current.pop(record.number, None)
        super().game(match, record, sample_status)
        self._score = format_score(match)
        self._progress.update(self._task, completed=len(match.records))

    def print_line(self, line: str) -> None:
        """Print a line above the bar."""
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def summary(self, match: Match, status: MatchStatus) -> None:
        """Leave the last bar on the screen and print the table."""
        self.close()
        super().summary(match, status)

    def close(self) -> None:
        """Stop drawing, and show the cursor again."""
        self._current.clear()
        self._display.stop()
        if self.gauges is not None:
            self.gauges.close()

    def _draw(self) -> RenderableType:
        now = time.monotonic()
        rows = [
            Text(format_current(spec, began, now), no_wrap=True, overflow="ellipsis")
            for began, spec in list(self._current.values())[:_SHOWN]
        ]
        # On the bar's own line the score would leave no room for games and time left.
        return Group(*rows, self._progress.get_renderable(), Text(self._score))


def format_current(spec: GameSpec, began: float, now: float) -> str:
    """Return a game in progress: its seconds, its plies, the clocks and the engines.

    A star marks the clock that runs. The engines' names come last, because a narrow terminal cuts
    the end of a long line.
    """
    gauge = None if spec.gauge is None else read(spec.gauge)
    parts = [f"{spec.number:4}", f"{now - began:.0f} s"]
    if gauge is not None:
        parts.append(f"ply {gauge.plies + 1}")
        clocks = [
            f"{format_clock(clock)}{'*' if side == gauge.side else ''}"
            for side in (FIRST, SECOND)
            if (clock := gauge.clock_at(side, now)) is not None
        ]
        parts += [" - ".join(clocks)] if clocks else []
    return "  ".join([*parts, " - ".join(engine.label for engine in spec.engines)])


def format_clock(seconds: float) -> str:
    """Return the time on a clock: `1:05:09`, `5:09`, and `0:09.3` in the last ten seconds."""
    if seconds < _SOON:
        return f"0:0{math.floor(10 * seconds) / 10:.1f}"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
