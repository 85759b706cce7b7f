"""The match on a terminal: a line per finished game, below them the current ones and a bar."""

import time
from collections.abc import Mapping
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.live import Live as Display
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.text import Text

from tools.match import Match
from tools.record import GameRecord
from tools.referee import GameSpec
from tools.report import Lines, course, strength
from tools.sample import Fate

_REFRESH: Final = 2  # Times a second: a thread draws, and the games wait for it.
_SHOWN: Final = 8  # Games at once.


class Live(Lines):
    """As `Lines`, with a progress bar, the time left, the score with its error, current games."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console()
        self._current: dict[int, tuple[float, str]] = {}
        self._told = ""
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
        """Say what is played, and draw the bar."""
        super().begin(match)
        self._told = _told(match)
        self._task = self._progress.add_task("", total=match.games, completed=len(match.records))
        self._display.start()

    def start(self, spec: GameSpec) -> None:
        """Show a game that has begun."""
        players = " - ".join(engine.label for engine in spec.engines)
        self._current[spec.number] = time.monotonic(), f"{spec.number:4}  {players}"

    def game(self, match: Match, record: GameRecord, fate: Fate) -> None:
        """Say how a game ended, and move the bar."""
        self._current.pop(record.number, None)
        super().game(match, record, fate)
        self._told = _told(match)
        self._progress.update(self._task, completed=len(match.records))

    def say(self, line: str) -> None:
        """Write a line above the bar."""
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def summary(self, match: Match, status: Mapping[str, Any]) -> None:
        """Leave the last bar and draw the table."""
        self.close()
        super().summary(match, status)

    def close(self) -> None:
        """Give the terminal its cursor back."""
        self._current.clear()
        self._display.stop()

    def _draw(self) -> RenderableType:
        now = time.monotonic()
        rows = [
            Text(f"{told}  {now - began:.0f} s", no_wrap=True, overflow="ellipsis")
            for began, told in list(self._current.values())[:_SHOWN]
        ]
        # A line of its own: beside the bar it would leave no room for games and time left.
        return Group(*rows, self._progress.get_renderable(), Text(self._told))


def _told(match: Match) -> str:
    results = match.sample.recorded.total
    points = f"{results.points:g} of {results.games} for {match.labels[0]}"
    return "  ".join(told for told in (points, strength(match), course(match)) if told)
