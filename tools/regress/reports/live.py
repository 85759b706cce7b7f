"""The report of a run on a terminal: lines of results above a progress bar."""

from collections.abc import Mapping

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tools.regress.reports.report import TextReport
from tools.regress.result import Result, ResultCounts


class LiveReport(TextReport):
    """Like `TextReport`, with a progress bar, the time left and the count of failures."""

    def __init__(self, console: Console | None = None, *, every: bool = False) -> None:
        super().__init__(every=every)
        self._tally = ResultCounts()
        self._progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}", markup=False),
            console=console or Console(stderr=True),
        )

    def begin(self, tests: int) -> None:
        """Draw the bar."""
        self._task = self._progress.add_task("", total=tests)
        self._progress.start()

    def result(self, result: Result) -> None:
        """Print an unexpected result, and advance the bar."""
        super().result(result)
        self._tally.add(result)
        self._progress.update(self._task, advance=1, description=str(self._tally))

    def say(self, line: str, colour: str = "") -> None:
        """Write a line above the bar."""
        self._progress.console.print(
            line, style=colour or None, markup=False, highlight=False, soft_wrap=True
        )

    def note(self, line: str) -> None:
        """Write a line above the bar."""
        self.say(line)

    def summary(
        self, tallies: Mapping[str, ResultCounts], total: ResultCounts, *, interrupted: bool = False
    ) -> None:
        """Remove the bar and print the table."""
        self.close()
        super().summary(tallies, total, interrupted=interrupted)

    def close(self) -> None:
        """Restore the cursor of the terminal."""
        self._progress.stop()
