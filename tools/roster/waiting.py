"""Telling the user what is waited for while an engine starts."""

import threading
from collections.abc import Callable
from typing import Final, Self

PATIENT: Final = 3.0  # Seconds without an answer until the user gets a notice.
_SHOWN: Final = 60  # Characters of a line.


class Waiting:
    """Listens to an engine inside a `with` block, and tells `notice` of a silence, once.

    The notice comes from another thread. It names the questions without an answer and what the
    engine wrote last.
    """

    def __init__(
        self,
        label: str,
        limit: float,
        notice: Callable[[str], None] | None,
        seconds: float | None = None,
        option: str = "--patience",
    ) -> None:
        self._label = label
        self._limit = limit
        self._notice = notice
        self._seconds = PATIENT if seconds is None else seconds
        self._option = option  # The setting that changes the limit.
        self._lock = threading.Lock()
        self._asked: list[str] = []
        self._heard = ""
        self._timer: threading.Timer | None = None
        self._told = False

    def __call__(self, mark: str, text: str) -> None:
        """Receive a line of the dialogue."""
        with self._lock:
            if mark == ">":
                if text[:1].isdigit() and not any(each[:1].isdigit() for each in self._asked):
                    self._asked.clear()  # A GTP engine may be silent when it is asked `usi`.
                if not self._asked:
                    self._restart()
                self._asked.append(text)
                return
            if text.strip():
                self._heard = text
            if (left := _unanswered(self._asked, text)) != self._asked:
                self._asked = left
                self._restart()

    def close(self) -> None:
        """Wait for nothing any more."""
        with self._lock:
            self._told = True
            self._stop()

    def _restart(self) -> None:
        self._stop()
        if self._notice is not None and not self._told:
            self._timer = threading.Timer(self._seconds, self._tell)
            self._timer.daemon = True
            self._timer.start()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tell(self) -> None:
        with self._lock:
            if self._told or self._notice is None:
                return
            self._told = True
            asked = [repr(text[:_SHOWN]) for text in dict.fromkeys(self._asked)] or ["its start"]
            last = f"; its last line is {self._heard[:_SHOWN]!r}" if self._heard else ""
            limit = f"for at most {self._limit:g} s in all ({self._option})"
            text = (
                f"{self._label} has not answered for {self._seconds:g} s: waiting for the reply to "
                f"{' and '.join(asked)}, {limit}{last}"
            )
        self._notice(text)

    def __enter__(self) -> Self:
        with self._lock:
            self._restart()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _unanswered(asked: list[str], line: str) -> list[str]:
    """Return the questions that are still open after a line.

    A reply in GTP's frames answers the first numbered question.
    """
    if line.strip() in ("usiok", "readyok"):
        return []
    if line[:1] in ("=", "?"):
        for index, question in enumerate(asked):
            if question[:1].isdigit():
                return asked[:index] + asked[index + 1 :]
    return asked
