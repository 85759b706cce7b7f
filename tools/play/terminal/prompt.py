"""The input line: with completion and history on a terminal, plain lines where there is none."""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import FileHistory, History, InMemoryHistory


class Cancelled(Exception):
    """Something happened while the input line was open; the text so far is kept."""


class Prompt(Protocol):
    """Asks for a line; raises EOFError at the end of input and KeyboardInterrupt for Ctrl-C."""

    def read(
        self, message: str, words: Sequence[str] = (), stale: Callable[[], bool] = lambda: False
    ) -> str:
        """Return a line; `words` complete it, and Cancelled is raised when `stale` is true."""

    def cancel(self) -> None:
        """Give up waiting for a line, from any thread."""


class Words(Completer):
    """Completes the first word of a line."""

    def __init__(self) -> None:
        self.words: Sequence[str] = ()

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        """Yield the words that begin as the line does."""
        text = document.text_before_cursor.lstrip()
        for word in self.words:
            if word.lower().startswith(text.lower()):
                yield Completion(word, start_position=-len(text))


class LinePrompt:
    """The input line of a terminal."""

    def __init__(self, history: Path | None = None, *, coloured: bool = True) -> None:
        self._words = Words()
        self._kept = ""
        self._style = "ansigreen bold" if coloured else ""
        self._session: PromptSession[str] = PromptSession(
            history=_history(history), completer=self._words, complete_while_typing=False
        )

    def read(
        self, message: str, words: Sequence[str] = (), stale: Callable[[], bool] = lambda: False
    ) -> str:
        """Return a line."""
        self._words.words = words
        kept, self._kept = self._kept, ""

        def begin() -> None:
            if stale():
                self._give_up()

        styled = FormattedText([(self._style, message)])
        return self._session.prompt(styled, default=kept, pre_run=begin).strip()

    def cancel(self) -> None:
        """Give up waiting for a line, from any thread."""
        loop = self._session.app.loop
        if loop is not None and self._session.app.is_running:
            loop.call_soon_threadsafe(self._give_up)

    def _give_up(self) -> None:
        app = self._session.app
        if app.is_running and not app.is_done:
            self._kept = self._session.default_buffer.text
            app.exit(exception=Cancelled())


def _history(path: Path | None) -> History:
    if path is None:
        return InMemoryHistory()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab"):
            pass
    except OSError:
        return InMemoryHistory()  # The user's folder cannot be written: only the history is lost.
    return FileHistory(str(path))


class PlainPrompt:
    """Lines from a pipe; nothing can interrupt the wait for one."""

    def read(
        self, message: str, words: Sequence[str] = (), stale: Callable[[], bool] = lambda: False
    ) -> str:
        """Return a line, and echo it, so that the output can be read alone."""
        if stale():
            raise Cancelled
        print(message, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise EOFError
        text = line.strip()
        print("".join(each if each.isprintable() else "?" for each in text))
        return text

    def cancel(self) -> None:
        """Do nothing: a line of a pipe is there, or will come."""
