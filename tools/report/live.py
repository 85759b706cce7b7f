"""The report of a folder whose games are going on, for pages that are connected to a server.

A thread looks at the journal, and sends each page the games that are new and all figures. It only
reads: the match is played by another process, which is not disturbed by any work done here.
"""

import logging
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from engines.core.errors import QuintetError
from tools.journal.journal import NAME, is_in_use
from tools.report.data import report_data
from tools.serving.channel import Message, Send

POLL: Final = 1.0
"""Seconds between two looks at the journal."""

_SHARE: Final = 5  # Computing takes at most one part in so many of the time.
_LOG: Final = logging.getLogger(__name__)

WHOLE: Final = ("first", "second", "endings", "reasons", "openings", "setups")
"""The columns that are always sent completely: places in a rating list change."""


class Watch:
    """The current report of a folder, and the pages that show it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._pages: dict[int, Send] = {}
        self._next = 0
        self._stopped = threading.Event()
        self._seen = self._signature()
        self._data = report_data(folder)

    def run(self) -> None:
        """Look at the journal until `stop`; what cannot be read is tried again later."""
        pause = POLL
        while not self._stopped.wait(pause):
            begun = time.monotonic()
            try:
                self.look()
            except (QuintetError, OSError):
                _LOG.exception("the journal in %s cannot be read", self._folder)
            pause = max(POLL, (_SHARE - 1) * (time.monotonic() - begun))

    def stop(self) -> None:
        """End `run`."""
        self._stopped.set()

    def look(self) -> bool:
        """Send what is new to all pages; return whether there was anything."""
        signature = self._signature()
        if signature == self._seen:
            return False
        fresh = report_data(self._folder)
        with self._lock:
            news = news_between(self._data, fresh)
            self._data, self._seen = fresh, signature
            for send in self._pages.values():
                send(news)
        return True

    def join(self, send: Send) -> int:
        """Send the whole report to a page, and what is new from now on; return its number."""
        with self._lock:
            self._next += 1
            self._pages[self._next] = send
            send(news_between(None, self._data))
            return self._next

    def leave(self, number: int) -> None:
        """Send nothing more to a page."""
        with self._lock:
            self._pages.pop(number, None)

    def _signature(self) -> tuple[int, bool]:
        path = self._folder / NAME
        return (path.stat().st_size if path.exists() else 0), is_in_use(self._folder)


class ReportConversation:
    """A page that shows the report; it has nothing to say."""

    def __init__(self, watch: Watch, send: Send) -> None:
        self._watch = watch
        self._number = watch.join(send)

    def receive(self, message: Message) -> Message | None:
        """Ignore a message: a report cannot be changed."""

    def close(self) -> None:
        """Send nothing more."""
        self._watch.leave(self._number)


def news_between(before: Mapping[str, Any] | None, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report as a message: `from` is the first game that a page must replace or add."""
    games = data["games"]
    if before is None or before["games"] is None or games is None:
        return {"from": 0, "data": dict(data)}
    columns = [name for name in games if name not in WHOLE]
    old = zip(*(before["games"][name] for name in columns), strict=True)
    new = zip(*(games[name] for name in columns), strict=True)
    same = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        same += 1
    rest = {name: games[name] if name in WHOLE else games[name][same:] for name in games}
    return {"from": same, "data": {**data, "games": rest}}
