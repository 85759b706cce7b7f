"""The match on a terminal: a line per finished game, and below them a bar that moves."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tools.match import Match
from tools.record import GameRecord
from tools.report import Lines, course, strength
from tools.sample import Fate


class Live(Lines):
    """As `Lines`, with a progress bar, the time left and the score with its error."""

    def __init__(self, console: Console | None = None) -> None:
        self._progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}", markup=False),
            console=console or Console(),
        )

    def begin(self, match: Match) -> None:
        """Say what is played, and draw the bar."""
        super().begin(match)
        self._task = self._progress.add_task(
            _told(match), total=match.games, completed=len(match.records)
        )
        self._progress.start()

    def game(self, match: Match, record: GameRecord, fate: Fate) -> None:
        """Say how a game ended, and move the bar."""
        super().game(match, record, fate)
        self._progress.update(self._task, completed=len(match.records), description=_told(match))

    def say(self, line: str) -> None:
        """Write a line above the bar."""
        self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def summary(self, match: Match, status: Mapping[str, Any]) -> None:
        """Take the bar away and draw the table."""
        self.close()
        super().summary(match, status)

    def close(self) -> None:
        """Give the terminal its cursor back."""
        self._progress.stop()


def _told(match: Match) -> str:
    results = match.sample.recorded.total
    points = f"{results.points:g} of {results.games} for {match.labels[0]}"
    return "  ".join(told for told in (points, strength(match), course(match)) if told)
